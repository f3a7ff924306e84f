"""Times as people say them, with what they mean by the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import product
from random import Random

from botpsy.clock import Clock

_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven")  # fmt: skip
_DURATIONS = {
    15: ("15 minutes", "a quarter of an hour"),
    20: ("20 minutes", "twenty minutes"),
    30: ("30 minutes", "half an hour"),
    45: ("45 minutes", "three quarters of an hour"),
    60: ("an hour", "one hour", "60 minutes"),
    90: ("90 minutes", "an hour and a half", "1.5 hours"),
    120: ("two hours", "2 hours"),
    180: ("three hours", "3 hours"),
}


@dataclass(frozen=True, slots=True)
class When:
    """A time phrase and the moment it means. ``day`` and ``time`` are its parts as said."""

    text: str
    at: datetime
    day: str = ""
    time: str = ""

    def __str__(self) -> str:
        return self.text


def a(words: str) -> str:
    """With its article: ``an optician``; what takes none is left alone."""
    if words in {"physiotherapy", "parents' evening"}:
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def ordinal(n: int) -> str:
    """``1st``, ``22nd``."""
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def time_forms(hour: int, minute: int) -> list[str]:
    """Ways to say a time of day that the clock cannot take for another."""
    h12, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    short = f"{h12} {half}" if not minute else f"{h12}:{minute:02} {half}"
    forms = [short, f"{hour}:{minute:02}", short.replace(" ", "")]
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    if minute == 0:
        forms.append(f"{_HOURS[hour % 12]} {part}" if hour != 12 else "noon")
    if 7 <= hour < 19:  # where the bare form means just this
        spoken = {
            15: f"quarter past {_HOURS[hour % 12]}",
            30: f"half past {_HOURS[hour % 12]}",
            45: f"quarter to {_HOURS[(hour + 1) % 12]}",
        }
        if minute in spoken and hour != 18:
            forms.append(spoken[minute])
    return forms


def day_forms(day: date, today: date) -> list[str]:
    """Ways to say a coming day."""
    ahead = (day - today).days
    if ahead < 2:
        return [("today", "tomorrow")[ahead]]
    weeks = (ahead + today.weekday() - day.weekday()) // 7
    forms = [f"{day:%B} {ordinal(day.day)}", f"{day.day} {day:%B}"]
    if ahead < 7:
        forms = [f"{day:%A}", f"{day:%A}", f"{day:%A} {day.day} {day:%B}"]
        if weeks == 1:  # the coming one for some, next week's for others: here they agree
            forms.append(f"next {day:%A}")
    if weeks == 1:
        forms.append(f"{day:%A} next week")
    if day.month == today.month and ahead >= 7:
        forms.append(f"the {ordinal(day.day)}")
    return forms


def say_moment(rng: Random, clock: Clock, at: datetime) -> When:
    """A phrase for the moment that the clock reads as just that moment."""
    days = day_forms(at.date(), clock.now().date())
    times = time_forms(at.hour, at.minute)
    rng.shuffle(days)
    rng.shuffle(times)
    for said_day, said_time in product(days, times):
        text = f"{said_day} at {said_time}"
        if clock.instant(text) == at:
            return When(text, at, said_day, said_time)
    raise AssertionError(f"the clock reads {at} in no way it is said, {clock.now()}")


def some_moment(
    rng: Random, clock: Clock, days: tuple[int, int], hours: tuple[int, int], minutes: Sequence[int]
) -> datetime:
    """A moment that many days ahead, at one of those hours (last one included), in the future."""
    now = clock.now()
    for _ in range(100):
        day = now.date() + timedelta(days=rng.randint(*days))
        at = datetime.combine(day, time(rng.randint(*hours), rng.choice(minutes)), clock.tz)
        if at > now + timedelta(minutes=20):
            return at
    raise AssertionError(f"no such moment after {now}: {days}, {hours}")


def say_duration(rng: Random, minutes: int) -> str:
    """``half an hour``."""
    return rng.choice(_DURATIONS.get(minutes, (f"{minutes} minutes",)))
