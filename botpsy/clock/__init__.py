"""Time phrases to absolute, zoned times, in code: "next Friday at 3 pm" is never left to a model.

Contract (all results are aware of the user's time zone and safe across DST):

- ``Clock.instant("Friday at 3 pm")`` -> ``datetime``; ``Clock.day("tomorrow")`` -> ``date``;
  ``Clock.duration("an hour and a half")`` -> ``timedelta``; ``Clock.period("next week")`` ->
  ``(start, end)``, end exclusive. ISO forms are taken as they are.
- What cannot be understood or does not exist raises ``TimePhraseError``, never a guess.

The rules (what "next Friday" is, which half of the day "at 3" is) are in docs/time.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from botpsy.clock import fallback
from botpsy.clock.grammar import Reader, Said, add
from botpsy.clock.periods import period
from botpsy.clock.times import duration, in_working_day
from botpsy.clock.wall import at_wall, show_clock, show_day, show_instant, spoken
from botpsy.clock.words import PARTS, tokenize
from botpsy.errors import TimePhraseError

T = TypeVar("T")

_AROUND = " \t\r\n.,;!?"
# Where the next 8 o'clock is looked for when no day is named, and today.
_WAKING = (7 * 3600, 22 * 3600)
_HALF_DAY = 12 * 3600
_MORNING = 9 * 3600
_RISING = 4 * 3600
# Room at both ends for what is added to a time: zones, stays, repeats, the longest duration.
_FIRST, _LAST = date(2, 1, 1), date(9000, 12, 31)
_LONGEST = timedelta(days=100_000)


@dataclass(frozen=True, slots=True)
class Clock:
    """The user's zone, and optionally a fixed present (tests, worlds, ``--now``)."""

    tz: ZoneInfo
    fixed: datetime | None = None

    def now(self) -> datetime:
        """The present moment in the user's zone."""
        return self.fixed.astimezone(self.tz) if self.fixed else datetime.now(self.tz)

    def show(self, when: datetime | date) -> str:
        """For people, in the user's zone: ``Fri 4 Dec 2026, 15:00 CET``."""
        if isinstance(when, datetime):
            return show_instant(when.astimezone(self.tz))
        return show_day(when)

    def instant(
        self,
        phrase: str,
        *,
        day: date | None = None,
        after: datetime | None = None,
        rising: bool = False,
    ) -> datetime:
        """A point in time. A day without a time is 9:00, or the next full hour when that is past.

        ``day`` is the day meant when the phrase names none ("move it to 4 pm"); ``after`` is the
        moment that a phrase without a day follows ("from 11 pm to 1"). Neither is the present
        rolled forward. ``rising``: an hour from 4 to 11 without am or pm is in the morning, as for
        an alarm, unless today is named.

        Raises:
            TimePhraseError: it is not understood, or there is no such time.
        """
        return _bounded(phrase, lambda: self._instant(phrase, day, after, rising))

    def day(self, phrase: str) -> date:
        """A calendar day. A stretch (``next week``) is its first day.

        Raises:
            TimePhraseError: it is not understood, or there is no such day.
        """
        return _bounded(phrase, lambda: self._day(phrase))

    def duration(self, phrase: str) -> timedelta:
        """A length of time; a day is 24 hours.

        Raises:
            TimePhraseError: it is not understood, not positive, or (months) has no fixed length.
        """
        return _bounded(phrase, lambda: duration(phrase))

    def period(self, phrase: str) -> tuple[datetime, datetime]:
        """A stretch of time, end exclusive. A moment stands for the hour that starts with it.

        Raises:
            TimePhraseError: it is not understood, or ends before it starts.
        """
        return _bounded(phrase, lambda: period(self, phrase))

    # --- how --------------------------------------------------------------------------------

    def _instant(
        self,
        phrase: str,
        day: date | None = None,
        after: datetime | None = None,
        rising: bool = False,
    ) -> datetime:
        if exact := self.iso(phrase):
            return exact
        if phrase.strip(_AROUND).lower() in ("now", "right now", "immediately"):
            return self.now()
        said = Reader(tokenize(phrase), self.now()).read()
        if said is None:
            return fallback.parse(phrase.strip(_AROUND), self.now())
        if said.zone is not None:
            there = replace(self, tz=said.zone)
            said = Reader(tokenize(phrase), there.now()).read()
            assert said is not None
            return there._meant(said, day, after, rising).astimezone(self.tz)
        return self._meant(said, day, after, rising)

    def _meant(
        self, said: Said, day: date | None, after: datetime | None, rising: bool
    ) -> datetime:
        if rising and said.time and said.time.half and not said.part:
            early = said.time.seconds % _HALF_DAY
            if early >= _RISING and said.day != self.now().date():
                said.part = "morning"
        return self.moment(said, day, after)

    def _day(self, phrase: str) -> date:
        if exact := self.iso(phrase):
            return exact.date()
        said = Reader(tokenize(phrase), self.now()).read()
        if said is not None and said.zone is None:
            if said.day is not None:
                return said.day
            if said.shift is not None and not said.shift.exact:
                return add(self.now().date(), said.shift)
        return self._instant(phrase).date()

    def iso(self, phrase: str) -> datetime | None:
        """ISO 8601 date and time, with an offset or in the user's zone; None if it is not that."""
        text = phrase.strip(_AROUND)
        if not (len(text) > 10 and text[:4].isdigit() and text[4] == "-"):
            return None
        try:
            value = datetime.fromisoformat(text)
        except ValueError:
            return None
        if value.tzinfo is not None:
            return value.astimezone(self.tz)
        since = value - datetime.combine(value.date(), time())
        return at_wall(value.date(), since.total_seconds(), self.tz)

    def moment(
        self, said: Said, day: date | None = None, after: datetime | None = None
    ) -> datetime:
        """What was said, as a point in time."""
        now = self.now()
        if said.shift is not None:
            date_ = add(now.date(), said.shift)
            if said.time is not None:
                return self._dated(said, date_)
            wall = now.replace(tzinfo=None) - datetime.combine(now.date(), time())
            start = at_wall(date_, wall.total_seconds(), self.tz, forward=True)
            if date_ == now.date():
                start = now
            return (start.astimezone(UTC) + said.shift.exact).astimezone(self.tz)
        fixed = said.day or day
        if fixed is not None:
            return self._dated(said, fixed)
        if said.time is None and not said.part:
            raise TimePhraseError("No day or time was named.")
        if said.time is None:
            return self._next([PARTS[said.part].at * 3600], now)
        choices = _choices(said)
        if after is not None:
            return self._next(choices, after)
        if len(choices) > 1:
            awake = [s for s in choices if _WAKING[0] <= s < _WAKING[1]]
            today = [at_wall(now.date(), s, self.tz, forward=True) for s in awake]
            later = [moment for moment in today if moment > now]
            return later[0] if later else self._dated(said, now.date() + timedelta(days=1))
        return self._next(choices, now)

    def _next(self, choices: Sequence[float], after: datetime) -> datetime:
        """The first of these times of day after a moment."""
        start = after.astimezone(self.tz).date()
        for ahead in range(-1, 3):
            for seconds in choices:
                moment = at_wall(start + timedelta(days=ahead), seconds, self.tz, forward=True)
                if moment > after:
                    return moment
        raise AssertionError("every time of day comes within two days")

    def _dated(self, said: Said, day: date) -> datetime:
        if said.time is None:
            if said.part:
                return at_wall(day, PARTS[said.part].at * 3600, self.tz)
            morning = at_wall(day, _MORNING, self.tz, forward=True)
            now = self.now()
            if day != now.date() or morning > now:
                return morning
            hour = at_wall(day, (now.hour + 1) * 3600, self.tz, forward=True)
            return hour if hour.date() == day else now
        choices = _choices(said)
        now = self.now()
        if len(choices) > 1 and day == now.date():
            awake = [s for s in choices if _WAKING[0] <= s < _WAKING[1]]
            later = [s for s in awake if at_wall(day, s, self.tz, forward=True) > now]
            choices = later or choices
        if len(choices) > 1:
            choices = [in_working_day(said.time.seconds)]
        return at_wall(day, choices[0], self.tz)


def _choices(said: Said) -> list[int]:
    """The times of day meant, in seconds after midnight (beyond 24 h: the next morning)."""
    assert said.time is not None
    seconds = said.time.seconds
    if not said.time.half:
        return [seconds]
    early = seconds % _HALF_DAY
    late = early + _HALF_DAY
    if not said.part:
        return [early, late]
    if said.part == "morning":
        return [early]
    if said.part in ("afternoon", "lunchtime"):
        return [late]
    # Twelve at night is the end of the day; so are the small hours.
    if early < 3600:
        return [early + 2 * _HALF_DAY]
    if said.part == "night" and early < 5 * 3600:
        return [early + 2 * _HALF_DAY]
    return [late]


def _bounded(phrase: str, read: Callable[[], T]) -> T:
    """What lies outside the calendar, or so near its ends that sums would, means nothing."""
    try:
        found = read()
    except (OverflowError, ValueError) as error:
        raise TimePhraseError(f"{phrase[:80]!r} is outside the calendar.") from error
    if not all(map(_usable, found if isinstance(found, tuple) else (found,))):
        raise TimePhraseError(f"{phrase[:80]!r} is outside the calendar.")
    return found


def _usable(found: object) -> bool:
    if isinstance(found, timedelta):
        return found <= _LONGEST
    if isinstance(found, datetime):
        found = found.date()
    return isinstance(found, date) and _FIRST <= found <= _LAST


__all__ = ["Clock", "at_wall", "show_clock", "show_day", "show_instant", "spoken"]
