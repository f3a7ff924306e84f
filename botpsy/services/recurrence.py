"""Repeats: how people name them, as RFC 5545 rules, and when they fall.

A repeat keeps the wall clock of its zone across clock changes. A time that the clocks skip moves
forward by the gap (RFC 5545, 3.3.5). A rule is the value of an ``RRULE`` property.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeVar, get_args

from botpsy.errors import ServiceError

Repeat = Literal["daily", "weekdays", "weekly", "biweekly", "monthly", "yearly"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
T = TypeVar("T", datetime, date)

_RULES: dict[str, str] = {
    "daily": "FREQ=DAILY",
    "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY",
    "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY",
}
_WEEKDAYS = get_args(Weekday)


def rule_of(repeat: Repeat, until: date | None = None, start: datetime | date | None = None) -> str:
    """The rule of a named repeat; ``until`` is the last day.

    As RFC 5545 has it, the end is a date for dates, and for times UTC: here the end of the last
    day in the zone of ``start``.
    """
    rule = _RULES[repeat]
    if until is None:
        return rule
    if isinstance(start, datetime):
        end = datetime.combine(until, time(23, 59, 59), start.tzinfo).astimezone(UTC)
        return f"{rule};UNTIL={end:%Y%m%dT%H%M%SZ}"
    return f"{rule};UNTIL={until:%Y%m%d}"


def rule_of_days(days: Sequence[Weekday]) -> str:
    """The rule "every week on these days"."""
    names = [day[:2].upper() for day in _WEEKDAYS if day in days]
    return f"FREQ=WEEKLY;BYDAY={','.join(names)}"


def show_rule(rule: str) -> str:
    """The repeat's name, its days, or the rule itself when it has no short name."""
    bare, _, until = rule.partition(";UNTIL=")
    for name, known in _RULES.items():
        if bare == known:
            return f"{name} until {until[:4]}-{until[4:6]}-{until[6:8]}" if until else name
    kind, _, names = bare.partition("BYDAY=")
    if kind == "FREQ=WEEKLY;" and ";" not in names and not until:
        days = [day.capitalize() for day in _WEEKDAYS if day[:2].upper() in names.split(",")]
        return f"every {', '.join(days)}"
    return rule


def first_on(rule: str, start: T) -> T:
    """The first moment from ``start`` on that the rule allows (weekdays: not a Sunday)."""
    if "BYDAY=" in rule:
        allowed = rule.split("BYDAY=")[1].split(";", maxsplit=1)[0].split(",")
        while _WEEKDAYS[start.weekday()][:2].upper() not in allowed:
            start += timedelta(days=1)
    return start


def occurrences(rule: str, start: datetime | date, after: datetime) -> Iterator[datetime | date]:
    """Starts of the repeats of ``start``, in order, from the first at or after ``after``.

    Raises:
        ServiceError: the rule is not one.
    """
    from dateutil.rrule import rrulestr

    timed = isinstance(start, datetime)
    first = start if isinstance(start, datetime) else datetime.combine(start, time())
    try:
        series = rrulestr(rule, dtstart=first)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ServiceError(f"{rule!r} is not a rule for repeats.") from error
    since = after.astimezone(first.tzinfo) if timed else after.replace(tzinfo=None)
    # One day early: a skipped time moves forward, and a day starts at another hour elsewhere.
    for found in series.xafter(since - timedelta(days=1), inc=True):
        if not timed:
            if found.date() >= since.date():
                yield found.date()
            continue
        real = found.astimezone(UTC).astimezone(first.tzinfo)
        if real.astimezone(UTC) >= after.astimezone(UTC):
            yield real
