"""Stretches of time: ``tomorrow morning``, ``between 2 and 4 pm``, ``Monday to Wednesday``.

A stretch is read as a whole first, then as two ends. What one end leaves out (the day, am or pm)
it takes from the other.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from botpsy.clock.grammar import Reader, Said, add
from botpsy.clock.times import in_working_day, span
from botpsy.clock.wall import at_wall
from botpsy.clock.words import MONTHS, PARTS, UNITS, Span, Token, tokenize
from botpsy.errors import TimePhraseError

if TYPE_CHECKING:
    from botpsy.clock import Clock

_POINT = timedelta(hours=1)
_OPENERS = ("from", "between", "in", "for", "within", "during", "anytime", "sometime")


def period(clock: Clock, phrase: str) -> tuple[datetime, datetime]:
    """The stretch, end exclusive.

    Raises:
        TimePhraseError: it is not understood, or ends before it starts.
    """
    start, end = _iso_pair(clock, phrase) or _words(clock, phrase)
    if end <= start:
        raise TimePhraseError(
            f"{phrase!r} ends ({clock.show(end)}) before it starts ({clock.show(start)})."
        )
    return start, end


def _iso_pair(clock: Clock, phrase: str) -> tuple[datetime, datetime] | None:
    for sign in (" to ", "/", " - "):
        left, found, right = phrase.partition(sign)
        if found and (start := clock.iso(left)) and (end := clock.iso(right)):
            return start, end
    return None


def _words(clock: Clock, phrase: str) -> tuple[datetime, datetime]:
    if point := clock.iso(phrase):
        return point, point + _POINT
    tokens = tokenize(re.sub(r"(?<=\d{4}-\d\d-\d\d)/(?=\d{4}-)", " to ", phrase))
    if [token.text for token in tokens] == ["now"]:
        return clock.now(), clock.now() + _POINT
    while tokens and tokens[0].text in _OPENERS:
        tokens = tokens[1:]
    found = (
        _ahead(clock, tokens)
        or _open_ended(clock, tokens)
        or _pair(clock, tokens)
        or _single(clock, tokens)
    )
    if found is None:
        instant = clock.instant(phrase)
        return instant, instant + _POINT
    return found


def _read(clock: Clock, tokens: list[Token]) -> Said | None:
    return Reader(tokens, clock.now()).read() if tokens else None


def _midnight(clock: Clock, day: date) -> datetime:
    return at_wall(day, 0, clock.tz, forward=True)


def _single(clock: Clock, tokens: list[Token]) -> tuple[datetime, datetime] | None:
    """A day, a part of a day, a week: what one reading covers."""
    said = _read(clock, tokens)
    if said is None:
        return None
    if said.shift is not None and said.time is None:
        if said.shift.exact:
            start = clock.moment(said)
            return start, start + _POINT
        day = add(clock.now().date(), said.shift)
        return _midnight(clock, day), _midnight(clock, day + timedelta(days=1))
    if said.time is not None:
        start = clock.moment(said).astimezone(clock.tz)
        return start, start + _POINT
    if said.part:
        day = said.day or clock.moment(said).date()
        return _part(clock, day, said.part)
    if said.day is None:
        return None
    end = said.end or said.day + timedelta(days=1)
    return _midnight(clock, said.day), _midnight(clock, end)


def _part(clock: Clock, day: date, part: str) -> tuple[datetime, datetime]:
    hours = PARTS[part]
    return (
        at_wall(day, hours.start * 3600, clock.tz, forward=True),
        at_wall(day, hours.end * 3600, clock.tz, forward=True),
    )


def _ahead(clock: Clock, tokens: list[Token]) -> tuple[datetime, datetime] | None:
    """``the next 3 days``, ``the last two weeks``, ``the next hour``, ``the week of March 3rd``."""
    words = [token.text for token in tokens]
    if words[:1] == ["week"] and (said := _read(clock, tokens[1:])) and said.day:
        monday = said.day - timedelta(days=said.day.weekday())
        return _midnight(clock, monday), _midnight(clock, monday + timedelta(days=7))
    if len(words) < 2 or words[0] not in ("next", "last", "past", "coming"):
        return None
    if words[0] == "coming" and words[1:] == ["week"]:
        length, end = Span(days=7), 2
    elif taken := span(tokens, 1):
        length, end = taken
    elif words[1] in UNITS and UNITS[words[1]].exact:
        length, end = UNITS[words[1]], 2
    else:
        return None
    if end != len(tokens):
        return None
    now = clock.now()
    sign = -1 if words[0] in ("last", "past") else 1
    other = clock.moment(Said(shift=length.times(sign)))
    return (now, other) if sign > 0 else (other, now)


def _open_ended(clock: Clock, tokens: list[Token]) -> tuple[datetime, datetime] | None:
    """``rest of the week``, ``until Friday``, ``since Monday``, ``after 3 pm tomorrow``."""
    word, rest = tokens[0].text if tokens else "", tokens[1:]
    now = clock.now()
    if word == "rest" and rest:
        if rest[0].text in ("day", "week", "month", "year"):
            rest = [Token("word", "this"), *rest] if rest[0].text != "day" else _TODAY
        whole = _single(clock, rest)
        return (max(now, whole[0]), whole[1]) if whole else None
    if word == "to" and (whole := _single(clock, rest)):
        said = _read(clock, rest)
        return now, whole[0] if said and said.time else whole[1]
    if word == "since" and rest:
        said = _read(clock, rest)
        if said is None:
            return None
        if said.weekday is not None and said.day and said.day > now.date():
            said.day -= timedelta(days=7)
        return (clock.moment(said) if said.time else _midnight(clock, said.day or now.date())), now
    if (
        word in ("after", "before")
        and (said := _read(clock, rest))
        and said.time
        and not said.shift
    ):
        point = clock.moment(said)
        day = said.day or point.date()
        if word == "after":
            return point, _midnight(clock, day + timedelta(days=1))
        return _midnight(clock, day), point
    return None


_TODAY = [Token("word", "today")]


def _pair(clock: Clock, tokens: list[Token]) -> tuple[datetime, datetime] | None:
    """Two ends, tried at every separator."""
    for i in range(1, len(tokens) - 1):
        if tokens[i].text not in ("to", "and", "-"):
            continue
        ends = _ends(clock, tokens[:i], tokens[i + 1 :])
        if ends is not None:
            return ends
    return None


def _ends(clock: Clock, left: list[Token], right: list[Token]) -> tuple[datetime, datetime] | None:
    if days := _month_days(clock, left, right):
        return days
    first, last = _read(clock, _hours(left)), _read(clock, _hours(right))
    if first is None or last is None or first.shift or last.shift:
        return None
    if first.time is None and last.time is not None and first.day is None and not first.part:
        return None
    if first.time and last.time:
        return _times(clock, first, last)
    if first.time or last.time or first.day is None or last.day is None:
        return None
    if last.weekday is not None and last.end is None:
        while last.day < first.day:
            last.day += timedelta(days=7)
    start, _ = _part(clock, first.day, first.part) if first.part else _whole(clock, first)
    _, end = _part(clock, last.day, last.part) if last.part else _whole(clock, last)
    return start, end


def _whole(clock: Clock, said: Said) -> tuple[datetime, datetime]:
    assert said.day is not None
    end = said.end or said.day + timedelta(days=1)
    return _midnight(clock, said.day), _midnight(clock, end)


def _hours(tokens: list[Token]) -> list[Token]:
    """A leading or lone number is an hour here: mark it so."""
    if tokens and tokens[0].kind in ("int", "word"):
        return [Token("word", "at"), *tokens]
    return tokens


def _times(clock: Clock, first: Said, last: Said) -> tuple[datetime, datetime]:
    assert first.time and last.time
    day = first.day or last.day
    part = first.part or last.part
    first.part, last.part = first.part or part, last.part or part
    if first.time.half and not part and not last.time.half and first.time.seconds:
        # "2 to 4 pm" and "11 to 1 pm": the half that puts the start before the end, and closest.
        end = last.time.seconds
        halves = [first.time.seconds % 43200, first.time.seconds % 43200 + 43200]
        fitting = [s for s in halves if s < end] or halves
        first.time = replace(first.time, seconds=fitting[-1], half=False)
    elif first.time.half and not part and day is None:
        first.time = replace(first.time, seconds=in_working_day(first.time.seconds), half=False)
    start = clock.moment(first, day=day)
    if last.day is not None and last.day != day:
        return start, clock.moment(last)
    last.day = None
    return start, clock.moment(last, after=start)


def _month_days(
    clock: Clock, left: list[Token], right: list[Token]
) -> tuple[datetime, datetime] | None:
    """``March 3 to 7``, ``3 to 7 March``, ``the 3rd to the 5th of March``."""
    months = [token for token in (*left, *right) if token.text in MONTHS]
    if len(months) != 1:
        return None
    if not any(token.text in MONTHS for token in left):
        left = [*left, months[0]]
    else:
        right = [months[0], *right]
    first, last = _read(clock, left), _read(clock, right)
    if first is None or last is None or first.time or last.time:
        return None
    if first.day is None or last.day is None or first.end or last.end:
        return None
    return _midnight(clock, first.day), _midnight(clock, last.day + timedelta(days=1))
