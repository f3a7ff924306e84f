"""What a phrase says: its day, its time of day, its shift from now. No zones here.

``Reader`` walks the tokens once, left to right. At each place the matchers are tried in order; a
matcher returns the index after what it took, or None. A phrase is understood only when every token
was taken and nothing was said twice. The rules a reader needs to know are in docs/time.md.
"""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from botpsy.clock.times import HOUR, TimeOfDay, is_exact, span, time_at, word_at
from botpsy.clock.words import (
    HOLIDAYS,
    MONTHS,
    PARTS,
    WEEKDAYS,
    Span,
    Token,
    number,
    ordinal,
)
from botpsy.errors import TimePhraseError

_AHEAD = {"this", "coming", "next", "last", "past"}
_END_OF_DAY = 17 * HOUR


@dataclass(slots=True)
class Said:
    """What was said. ``end`` is set when ``day`` is the first of several (exclusive)."""

    day: date | None = None
    end: date | None = None
    weekday: int | None = None
    time: TimeOfDay | None = None
    part: str = ""
    shift: Span | None = None
    zone: ZoneInfo | None = None


class Reader:
    """Reads tokens against the present local time ``now``."""

    def __init__(self, tokens: Sequence[Token], now: datetime) -> None:
        self.tokens = list(tokens)
        self.today = now.date()
        self.said = Said()

    def read(self) -> Said | None:
        """What the whole phrase says, or None when it is not of this grammar.

        Raises:
            TimePhraseError: it is, but names a day or time that does not exist.
        """
        i = 0
        while i < len(self.tokens):
            for match in (
                self._zone,
                self._shift,
                self._part,
                self._day,
                self._time,
                self._filler,
            ):
                j = match(i)
                if j is not None:
                    i = j
                    break
            else:
                return None
        return self._checked()

    def _checked(self) -> Said | None:
        said = self.said
        if said.weekday is not None:
            if said.day is None:
                said.day = self._coming(said.weekday)
            elif said.end is not None and (said.end - said.day).days == 7:
                said.day, said.end = said.day + timedelta(days=said.weekday), None
            elif said.day.weekday() != said.weekday:
                name = calendar.day_name
                raise TimePhraseError(
                    f"{said.day.isoformat()} is a {name[said.day.weekday()]}, "
                    f"not a {name[said.weekday]}.",
                    hint="Give the date or the weekday alone.",
                )
        if said.shift is not None:
            clash = said.day or said.part or (said.time and is_exact(said.shift))
            return None if clash else said
        return said

    # --- words ---------------------------------------------------------------------------------

    def _word(self, i: int) -> str:
        return word_at(self.tokens, i)

    def _filler(self, i: int) -> int | None:
        """Words that say nothing by themselves."""
        word, following = self._word(i), self._word(i + 1)
        if word == "all" and following == "day":
            return i + 2
        if word in ("at", "in", "this", "for", "from", "during", "between", "and") and following:
            return i + 1
        return None

    def _zone(self, i: int) -> int | None:
        if self._word(i) in ("utc", "gmt", "z") and self.said.zone is None and i > 0:
            self.said.zone = ZoneInfo("UTC")
            return i + 1
        return None

    # --- shifts --------------------------------------------------------------------------------

    def _shift(self, i: int) -> int | None:
        """``in 20 minutes``, ``an hour from now``, ``3 days ago``, ``two weeks from Friday``."""
        start = i + 1 if self._word(i) == "in" else i
        taken = span(self.tokens, start)
        if taken is None or self.said.shift is not None:
            return None
        shift, j = taken
        following = self._word(j)
        if following == "ago":
            shift, j = shift.times(-1), j + 1
        elif following in ("from", "after") and self._word(j + 1) == "now":
            j += 2
        elif following in ("from", "after", "before") and j + 1 < len(self.tokens):
            if is_exact(shift) or self.said.day is not None:
                return None
            after = self._day(j + 1)
            if after is not None and self.said.weekday is not None:
                self.said.day, self.said.weekday = self._coming(self.said.weekday), None
            if after is None or self.said.day is None:
                return None
            self.said.day = add(self.said.day, shift if following != "before" else shift.times(-1))
            self.said.end = None
            return after
        elif following in ("later", "hence"):
            j += 1
        elif start == i and (i > 0 or j < len(self.tokens) or self.tokens[i].kind == "hclock"):
            return None  # a bare length counts only when it is all there is
        self.said.shift = shift
        return j

    # --- parts of the day ----------------------------------------------------------------------

    def _part(self, i: int) -> int | None:
        word = self._word(i)
        if self.said.part:
            return None
        if word == "tonight":
            word = "night"
            if not self._set_day(self.today):
                return None
        elif word in ("this", "last") and self._word(i + 1) in PARTS:
            back = 1 if word == "last" else 0
            i, word = i + 1, self._word(i + 1)
            if not self._set_day(self.today - timedelta(days=back)):
                return None
        if word not in PARTS:
            return None
        self.said.part = word
        return i + 1

    # --- days ----------------------------------------------------------------------------------

    def _day(self, i: int) -> int | None:
        for match in (
            self._relative_day,
            self._numeric_day,
            self._edge,
            self._nth_weekday,
            self._month_day,
            self._weekday,
            self._stretch,
            self._holiday,
            self._ordinal_day,
        ):
            j = match(i)
            if j is not None:
                return j
        return None

    def _set_day(self, day: date, end: date | None = None) -> bool:
        if self.said.day is not None:
            return self.said.day == day and self.said.end == end
        self.said.day, self.said.end = day, end
        return True

    def _relative_day(self, i: int) -> int | None:
        word = self._word(i)
        if (word, self._word(i + 1)) == ("day", "after") and self._word(i + 2) == "tomorrow":
            offset, j = 2, i + 3
        elif (word, self._word(i + 1)) == ("day", "before") and self._word(i + 2) == "yesterday":
            offset, j = -2, i + 3
        elif word in ("today", "tomorrow", "yesterday"):
            offset, j = {"today": 0, "tomorrow": 1, "yesterday": -1}[word], i + 1
        else:
            return None
        return j if self._set_day(self.today + timedelta(days=offset)) else None

    def _numeric_day(self, i: int) -> int | None:
        if i >= len(self.tokens):
            return None
        kind, text = self.tokens[i]
        if kind == "iso" and "t" not in text:
            year, month, day = (int(part) for part in text.split("-"))
        elif kind == "date" and "." in text:
            day, month, year = (int(part) for part in text.split("."))
        elif kind == "date":
            year, month, day = self._slashes(text)
        else:
            return None
        return i + 1 if self._set_day(make_day(year, month, day)) else None

    def _slashes(self, text: str) -> tuple[int, int, int]:
        parts = [int(part) for part in text.split("/")]
        if parts[0] > 31 and len(parts) == 3:
            return parts[0], parts[1], parts[2]
        first, second = parts[:2]
        if first <= 12 and second <= 12 and first != second:
            raise TimePhraseError(
                f"{text} could be two different days.",
                hint="Write the month as a word, or use year-month-day.",
            )
        month, day = (first, second) if first <= 12 else (second, first)
        if len(parts) == 2:
            return self._coming_date(month, day).year, month, day
        return parts[2] + 2000 if parts[2] < 100 else parts[2], month, day

    def _month_day(self, i: int) -> int | None:
        """``March 3rd``, ``3rd March``, ``March 3 2027``; a month alone is the whole month."""
        day: int | None = None
        if self._word(i) in MONTHS:
            month, j = MONTHS[self._word(i)], i + 1
            if taken := ordinal(self.tokens, j) or self._day_number(j):
                day, j = taken
        elif taken := ordinal(self.tokens, i) or self._day_number(i):
            day, j = taken
            if self._word(j) not in MONTHS:
                return None
            month, j = MONTHS[self._word(j)], j + 1
        else:
            return None
        year = None
        if j < len(self.tokens) and self.tokens[j].kind == "int" and len(self._word(j)) == 4:
            year, j = int(self._word(j)), j + 1
        if day is not None:
            found = make_day(year, month, day) if year else self._coming_date(month, day)
            return j if self._set_day(found) else None
        if year is None:
            year = self.today.year + (month < self.today.month)
        first = make_day(year, month, 1)
        return j if self._set_day(first, add(first, Span(months=1))) else None

    def _day_number(self, i: int) -> tuple[int, int] | None:
        """A number from 1 to 31 that is not the hour of a time."""
        if not (taken := number(self.tokens, i)):
            return None
        value, j = taken
        if value != int(value) or not 1 <= value <= 31 or self._word(j) in ("am", "pm", "oclock"):
            return None
        return int(value), j

    def _ordinal_day(self, i: int) -> int | None:
        """``the 3rd``, ``the 3rd of next month``."""
        if not (taken := ordinal(self.tokens, i)):
            return None
        day, j = taken
        if self._word(j) in ("this", "next") and self._word(j + 1) == "month":
            first = add(self.today.replace(day=1), Span(months=int(self._word(j) == "next")))
            return j + 2 if self._set_day(make_day(first.year, first.month, day)) else None
        if not 1 <= day <= 31:
            raise TimePhraseError(f"No month has a day {day}.")
        found = self.today
        while found.day != day:
            found += timedelta(days=1)
        return j if self._set_day(found) else None

    def _holiday(self, i: int) -> int | None:
        for words, (month, day) in HOLIDAYS.items():
            j = i + len(words)
            if tuple(self._word(k) for k in range(i, j)) == words:
                return j if self._set_day(self._coming_date(month, day)) else None
        return None

    def _weekday(self, i: int) -> int | None:
        which = self._word(i) if self._word(i) in _AHEAD else ""
        j = i + 1 if which else i
        if self._word(j) not in WEEKDAYS or self.said.weekday is not None:
            return None
        weekday, j = WEEKDAYS[self._word(j)], j + 1
        monday = self.today - timedelta(days=self.today.weekday())
        if which in ("last", "past"):
            day = self.today - timedelta(days=(self.today.weekday() - weekday - 1) % 7 + 1)
        else:
            day = self._coming(weekday)
        two = (self._word(j), self._word(j + 1))
        if two == ("after", "next"):
            day, j = day + timedelta(days=7), j + 2
        elif two in (("this", "week"), ("next", "week"), ("last", "week")):
            week = {"this": 0, "next": 7, "last": -7}[two[0]]
            day, j = monday + timedelta(days=week + weekday), j + 2
        elif two[0] == "week" and not which:
            day, j = day + timedelta(days=7), j + 1
        elif not which:
            self.said.weekday = weekday
            return j
        return j if self._set_day(day) else None

    def _coming(self, weekday: int) -> date:
        return self.today + timedelta(days=(weekday - self.today.weekday() - 1) % 7 + 1)

    def _stretch(self, i: int) -> int | None:
        """``next week``, ``this weekend``, ``next month``, ``2 weeks``'s sibling ``week after``."""
        which, unit = self._word(i), self._word(i + 1)
        if (which, unit, self._word(i + 2)) == ("week", "after", "next"):
            stretch = self._week(2)
            return i + 3 if self._set_day(*stretch) else None
        if which == "weekend":
            which, unit, i = "this", which, i - 1
        if which not in _AHEAD:
            return None
        n = {"next": 1, "last": -1, "past": -1}.get(which, 0)
        if unit == "week":
            stretch = self._week(1 if which == "coming" else n)
        elif unit == "weekend":
            saturday = self._week(n)[0] + timedelta(days=5)
            stretch = (saturday, saturday + timedelta(days=2))
        elif unit == "month":
            first = add(self.today.replace(day=1), Span(months=n))
            stretch = (first, add(first, Span(months=1)))
        elif unit == "year":
            year = self.today.year + n
            stretch = (make_day(year, 1, 1), make_day(year + 1, 1, 1))
        else:
            return None
        return i + 2 if self._set_day(*stretch) else None

    def _week(self, n: int) -> tuple[date, date]:
        monday = self.today - timedelta(days=self.today.weekday() - 7 * n)
        return monday, monday + timedelta(days=7)

    def _edge(self, i: int) -> int | None:
        """``end of the month``, ``start of next week``, ``last day of March``, ``end of day``."""
        word, j = self._word(i), i + 1
        if word == "endofday" or (word, self._word(j)) == ("end", "day"):
            if self.said.time is None:
                self.said.time = TimeOfDay(_END_OF_DAY)
                return j + (word == "end")
            return None
        if word in ("first", "last") and self._word(j) == "day":
            word, j = {"first": "start", "last": "end"}[word], j + 1
        if word not in ("start", "end") or self.said.day is not None:
            return None
        if self._word(j) in ("week", "month", "year"):
            self.tokens.insert(j, Token("word", "this"))
        after = self._stretch(j)
        if after is None:
            after = self._month_day(j)
        if after is None or self.said.day is None or self.said.end is None:
            return None
        if word == "end":
            self.said.day = self.said.end - timedelta(days=1)
        self.said.end = None
        return after

    def _nth_weekday(self, i: int) -> int | None:
        """``first Monday of March``, ``last Friday of the month``."""
        last = self._word(i) == "last"
        taken = (-1, i + 1) if last else ordinal(self.tokens, i)
        if taken is None or self._word(taken[1]) not in WEEKDAYS:
            return None
        n, j = taken[0], taken[1] + 1
        weekday = WEEKDAYS[self._word(j - 1)]
        j += self._word(j) == "in"
        if self._word(j) == "month":
            first, j = self.today.replace(day=1), j + 1
        elif self._word(j) in ("this", "next") and self._word(j + 1) == "month":
            first = add(self.today.replace(day=1), Span(months=int(self._word(j) == "next")))
            j += 2
        elif self._word(j) in MONTHS:
            month = MONTHS[self._word(j)]
            first, j = make_day(self.today.year + (month < self.today.month), month, 1), j + 1
        else:
            return None
        days = [
            day
            for day in (first + timedelta(days=k) for k in range(31))
            if day.month == first.month and day.weekday() == weekday
        ]
        if n > len(days):
            raise TimePhraseError(f"That month has no {n}th {calendar.day_name[weekday]}.")
        return j if self._set_day(days[n - 1 if n > 0 else -1]) else None

    def _coming_date(self, month: int, day: int) -> date:
        """The next such date, today included; 29 February waits for a leap year."""
        for year in range(self.today.year, self.today.year + 9):
            if day <= calendar.monthrange(year, month)[1] and day >= 1:
                found = date(year, month, day)
                if found >= self.today:
                    return found
        raise TimePhraseError(f"{calendar.month_name[month]} has no day {day}.")

    # --- times of day --------------------------------------------------------------------------

    def _time(self, i: int) -> int | None:
        marked = self._word(i - 1) == "at" or self._word(i) == "at"
        start = i + 1 if self._word(i) == "at" else i
        if self.said.time is not None or start >= len(self.tokens):
            return None
        taken = time_at(self.tokens, start, marked or self._bare_is_hour(start))
        if taken is None:
            return None
        self.said.time, j = taken
        return j

    def _bare_is_hour(self, i: int) -> bool:
        """A lone number is an hour when it is all there is, or after a day or before a part."""
        if self.said.day is not None or self.said.weekday is not None:
            return True
        after = number(self.tokens, i)
        rest = self.tokens[after[1] :] if after else []
        return (i == 0 and not rest) or any(token.text in (*PARTS, "tonight") for token in rest)


def make_day(year: int, month: int, day: int) -> date:
    """A date, or a plain statement that there is none.

    Raises:
        TimePhraseError: there is no such day.
    """
    try:
        return date(year, month, day)
    except ValueError:
        raise TimePhraseError(f"There is no day {year:04d}-{month:02d}-{day:02d}.") from None


def add(day: date, span: Span) -> date:
    """Months first (the day of the month held back to the month's last), then days."""
    months = day.year * 12 + day.month - 1 + span.months
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last)) + timedelta(days=span.days)
