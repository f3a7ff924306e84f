"""Wall clocks: how a moment is shown to people, and which moment a wall clock's reading is."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from botpsy.errors import TimePhraseError

# Not strftime: the user's locale must not change what is shown, logged and compared.
DAY_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTH_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"


def show_day(day: date) -> str:
    """``Fri 4 Dec 2026``."""
    return f"{DAY_NAMES[day.weekday()]} {day.day} {MONTH_NAMES.split()[day.month - 1]} {day.year}"


def show_instant(when: datetime) -> str:
    """``Fri 4 Dec 2026, 15:00 CET``, in the zone the time has; seconds where there are any."""
    return f"{show_day(when)}, {show_clock(when)}"


def show_clock(when: datetime) -> str:
    """``15:00 CET``: the time alone, as ``show_instant`` has it."""
    assert when.tzinfo is not None
    name = when.tzname() or ""
    zone = f"UTC{name}" if name[:1] in ("+", "-") else name
    return f"{when:{'%H:%M:%S' if when.second else '%H:%M'}} {zone}".rstrip()


_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:[+-]\d\d:\d\d|Z))?", re.ASCII)


def spoken(text: str) -> str:
    """An ISO 8601 day or moment, or two with `` to `` between, as people read it; else ``""``.

    ``2026-12-04T15:00+01:00`` is ``Fri 4 Dec 2026, 15:00 UTC+01:00``.
    """
    parts = text.split(" to ")
    try:
        times = [datetime.fromisoformat(part) for part in parts if _ISO.fullmatch(part)]
    except ValueError:
        return ""
    if len(times) != len(parts):
        return ""
    return " to ".join(
        show_instant(time) if "T" in part else show_day(time)
        for time, part in zip(times, parts, strict=True)
    )


def at_wall(day: date, seconds: float, tz: tzinfo, *, forward: bool = False) -> datetime:
    """The moment a wall clock in ``tz`` shows ``seconds`` after midnight of ``day``.

    A time shown twice is the first. One that the clocks skip is moved forward by the gap when
    ``forward`` (RFC 5545, 3.3.5), else it is an error.

    Raises:
        TimePhraseError: the time does not exist.
    """
    wall = datetime.combine(day, time()) + timedelta(seconds=seconds)
    aware = wall.replace(tzinfo=tz)
    real = aware.astimezone(UTC).astimezone(tz)
    if real.replace(tzinfo=None, fold=0) == wall or forward:
        return real
    raise TimePhraseError(
        f"{wall:%H:%M} does not exist on {show_day(wall)}: the clocks go forward over it.",
        hint=f"Say {real:%H:%M} or another time.",
    )
