"""Lengths of time and times of day, as read from tokens. Pure functions of tokens and index.

Each returns what it read and the index after it, or None when something else stands there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from botpsy.clock.words import HINT, SMALL, UNITS, Span, Token, number, tokenize
from botpsy.errors import TimePhraseError

HOUR = 3600
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """Seconds after midnight; ``half`` says whether morning or afternoon is still open."""

    seconds: int
    half: bool = False


_FRACTIONS = {
    ("half", "an"): 0.5,
    ("half", "a"): 0.5,
    ("a", "half"): 0.5,
    ("half",): 0.5,
    ("quarter", "an"): 0.25,
    ("a", "quarter", "an"): 0.25,
    ("a", "quarter"): 0.25,
    ("three", "quarters", "an"): 0.75,
}


def word_at(tokens: list[Token], i: int) -> str:
    """The text at ``i``, "" outside the phrase."""
    return tokens[i].text if 0 <= i < len(tokens) else ""


def span(tokens: list[Token], i: int) -> tuple[Span, int] | None:
    """A length of time at ``i``: ``an hour and a half``, ``1h30``, ``2 days and 3 hours``."""
    taken = _term(tokens, i)
    if taken is None:
        return None
    total, j = taken
    while True:
        k = j + 1 if word_at(tokens, j) == "and" else j
        more = _term(tokens, k)
        if more is None:
            return total, j
        total, j = total.plus(more[0]), more[1]


def _term(tokens: list[Token], i: int) -> tuple[Span, int] | None:
    word = word_at(tokens, i)
    if not word:
        return None
    if tokens[i].kind == "hclock":
        hours, minutes = word.split("h")
        j = i + 1 if word_at(tokens, i + 1) not in ("m", "min") else i + 2
        return Span(exact=timedelta(hours=int(hours), minutes=int(minutes))), j
    for words, factor in _FRACTIONS.items():
        j = i + len(words)
        if tuple(word_at(tokens, k) for k in range(i, j)) == words:
            unit = UNITS.get(word_at(tokens, j))
            return (unit.times(factor), j + 1) if unit else None
    count: float
    if word in ("a", "an"):
        count, j = 1, i + 1
        if word_at(tokens, j) == "couple":
            count, j = 2, j + 1
    elif taken := number(tokens, i):
        count, j = taken
        if [token.text for token in tokens[j : j + 3]] == ["and", "a", "half"]:
            count, j = count + 0.5, j + 3
    else:
        return None
    if tokens[j : j + 1] and tokens[j].kind == "dash":
        j += 1
    unit = UNITS.get(word_at(tokens, j))
    if unit is None:
        return None
    j += 1
    if (word_at(tokens, j), word_at(tokens, j + 1)) == ("and", "a"):
        extra = {"half": 0.5, "quarter": 0.25}.get(word_at(tokens, j + 2))
        if extra and word_at(tokens, j + 3) not in UNITS:
            count, j = count + extra, j + 3
    elif unit.exact == timedelta(hours=1) and _is_last_minutes(tokens, j):
        return Span(exact=timedelta(hours=count, minutes=int(word_at(tokens, j)))), j + 1
    return unit.times(count), j


def _is_last_minutes(tokens: list[Token], j: int) -> bool:
    """The 30 of ``1 h 30``, at the end of the phrase."""
    return j == len(tokens) - 1 and tokens[j].kind == "int" and j > 0


def time_at(tokens: list[Token], i: int, marked: bool) -> tuple[TimeOfDay, int] | None:
    """A time of day at ``i``; a bare hour only when ``marked``."""
    word = word_at(tokens, i)
    if word in ("noon", "midnight"):
        return TimeOfDay(12 * HOUR if word == "noon" else DAY), i + 1
    return _spoken(tokens, i) or _clock(tokens, i, marked)


def _spoken(tokens: list[Token], i: int) -> tuple[TimeOfDay, int] | None:
    """``half past six``, ``quarter to 7``, ``ten after 3 pm``."""
    j = i + 1 if word_at(tokens, i) == "a" else i
    minutes: float
    if word_at(tokens, j) in ("half", "quarter"):
        minutes, j = (30 if word_at(tokens, j) == "half" else 15), j + 1
        if minutes == 30 and number(tokens, j):
            return _hour_after(tokens, j, 30)
    elif taken := number(tokens, j):
        minutes, j = taken
        j += word_at(tokens, j) in ("minutes", "minute", "min", "mins")
    else:
        return None
    sign = {"past": 1, "after": 1, "to": -1, "before": -1}.get(word_at(tokens, j))
    if sign is None or not 0 < minutes < 60 or minutes != int(minutes):
        return None
    return _hour_after(tokens, j + 1, sign * int(minutes))


def _hour_after(tokens: list[Token], i: int, minutes: int) -> tuple[TimeOfDay, int] | None:
    taken = time_at(tokens, i, True) if word_at(tokens, i) in ("noon", "midnight") else None
    taken = taken or _clock(tokens, i, True)
    if taken is None or taken[0].seconds % HOUR:
        return None
    time, j = taken
    return TimeOfDay((time.seconds + 60 * minutes) % DAY, time.half), j


def _clock(tokens: list[Token], i: int, marked: bool) -> tuple[TimeOfDay, int] | None:
    if i >= len(tokens):
        return None
    kind, text = tokens[i]
    j = i + 1
    minute = second = 0
    open_half = True
    if kind in ("clock", "hclock", "decimal"):
        hour, minute, second = (
            *(int(part) for part in text.replace("h", ":").replace(".", ":").split(":")),
            0,
            0,
        )[:3]
        if kind == "decimal" and (
            len(text.split(".")[1]) != 2 or not (marked or word_at(tokens, j) in ("am", "pm"))
        ):
            return None
        open_half = not text.startswith("0")
    elif kind == "int" and len(text) in (3, 4):
        if not (marked or word_at(tokens, j) in ("am", "pm", "hours", "hrs")):
            return None
        hour, minute = int(text[:-2]), int(text[-2:])
        j += word_at(tokens, j) in ("hours", "hrs")
        open_half = len(text) == 3
    elif taken := number(tokens, i):
        value, j = taken
        if value != int(value):
            return None
        hour = int(value)
        spoken = _minutes(tokens, j)
        if spoken is not None:
            minute, j = spoken
        elif word_at(tokens, j) == "oclock":
            j += 1
        elif word_at(tokens, j) not in ("am", "pm") and not marked:
            return None
    else:
        return None
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute + second):
        raise TimePhraseError(f"{hour}:{minute:02d} is not a time of day.", hint=HINT)
    half = word_at(tokens, j)
    seconds = hour * HOUR + minute * 60 + second
    if half not in ("am", "pm"):
        return TimeOfDay(seconds, open_half and 1 <= hour <= 12), j
    if hour > 12 and half == "am":
        raise TimePhraseError(f"{hour} am is not a time of day.", hint=HINT)
    if hour == 12:
        seconds -= 12 * HOUR
    return TimeOfDay(seconds + 12 * HOUR * (half == "pm" and hour <= 12), False), j + 1


def _minutes(tokens: list[Token], i: int) -> tuple[int, int] | None:
    """The minutes of ``three thirty``, ``seven oh five``, ``nineteen hundred hours``."""
    word = word_at(tokens, i)
    if word in ("oh", "o") and word_at(tokens, i + 1) in SMALL:
        return SMALL[word_at(tokens, i + 1)], i + 2
    if word == "hundred":
        return 0, i + 1 + (word_at(tokens, i + 1) in ("hours", "hrs"))
    taken = number(tokens, i)
    if taken is None or not 10 <= taken[0] <= 59 or taken[0] != int(taken[0]):
        return None
    return int(taken[0]), taken[1]


def in_working_day(seconds: int) -> int:
    """The half of the day in which this hour lies from 7:00 to 18:59."""
    early = seconds % (DAY // 2)
    return early if early >= 7 * HOUR else early + DAY // 2


def is_exact(span: Span) -> bool:
    return bool(span.exact)


def duration(phrase: str) -> timedelta:
    """A length of time alone; also ``PT1H30M`` (ISO 8601) and ``1:30:00``.

    Raises:
        TimePhraseError: it is not understood, not positive, or has no fixed length.
    """
    compact = re.fullmatch(
        r"pt?(?:(\d+)d)?t?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", phrase.strip().lower()
    )
    if compact and any(compact.groups()):
        days, hours, minutes, seconds = (int(part or 0) for part in compact.groups())
        total = Span(days=days, exact=timedelta(hours=hours, minutes=minutes, seconds=seconds))
    else:
        tokens = tokenize(phrase)
        i = int(word_at(tokens, 0) in ("for", "in", "at"))
        if len(tokens) == i + 1 and tokens[i].text.count(":") == 2:
            hours, minutes, seconds = (int(part) for part in tokens[i].text.split(":"))
            total, end = Span(exact=timedelta(0, seconds, 0, 0, minutes, hours)), i + 1
        elif len(tokens) == i + 1 and tokens[i].text in UNITS:
            total, end = UNITS[tokens[i].text], i + 1  # "an hour" when "an" got lost
        elif taken := span(tokens, i):
            total, end = taken
        else:
            raise TimePhraseError(f"{phrase!r} is not a length of time.", hint=_LENGTH_HINT)
        if end + (word_at(tokens, end) == "long") != len(tokens):
            raise TimePhraseError(f"{phrase!r} is not a length of time.", hint=_LENGTH_HINT)
    if total.months:
        raise TimePhraseError("A month has no fixed length.", hint="Give days or weeks.")
    length = timedelta(days=total.days) + total.exact
    if length <= timedelta():
        raise TimePhraseError("A length of time must be more than nothing.", hint=_LENGTH_HINT)
    return length


_LENGTH_HINT = 'Say it like "20 minutes" or "an hour and a half".'
