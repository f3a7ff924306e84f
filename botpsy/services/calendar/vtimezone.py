"""VTIMEZONE text of a named zone (RFC 5545, 3.6.5), from the zone database.

Yearly rules where the zone's changes follow one ("last Sunday of March"), else dates for the ten
years ahead. Times before the present rules began are not described: readers take those from the
zone's name, as all common ones do.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, repeat
from zoneinfo import ZoneInfo

_AHEAD = 10
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class _Change:
    """The clocks go from one offset to another; ``wall`` is what they showed before."""

    wall: datetime
    before: timedelta
    after: timedelta
    name: str
    dst: bool


def vtimezone(tz: ZoneInfo, year: int) -> str:
    """The component for events from ``year`` on, with CRLF line ends."""
    ahead = [_changes(tz, each) for each in range(year, year + _AHEAD)]
    rules = [_rule(list(same)) for same in zip(*ahead, strict=False)]
    now = datetime(year, 1, 1, tzinfo=UTC).astimezone(tz)
    offset = now.utcoffset() or timedelta()
    # What holds before the first change named.
    always = _Change(datetime(1970, 1, 1), offset, offset, now.tzname() or "", dst=False)
    regular = bool(rules) and all(rules) and all(len(each) == len(rules) for each in ahead)
    if regular:
        begin = year
        while begin > 1970 and _follows(_changes(tz, begin - 1), rules):
            begin -= 1
        parts = zip(_changes(tz, begin), rules, strict=True)
    else:
        parts = zip([always, *chain(*ahead)], repeat(""), strict=False)
    lines = [line for change, rule in parts for line in _observance(change, rule)]
    body = ["BEGIN:VTIMEZONE", f"TZID:{tz.key}", *lines, "END:VTIMEZONE"]
    return "".join(f"{line}\r\n" for line in body)


def _observance(change: _Change, rule: str) -> list[str]:
    kind = "DAYLIGHT" if change.dst else "STANDARD"
    return [
        f"BEGIN:{kind}",
        f"DTSTART:{change.wall:%Y%m%dT%H%M%S}",
        f"TZOFFSETFROM:{_offset(change.before)}",
        f"TZOFFSETTO:{_offset(change.after)}",
        f"TZNAME:{change.name}",
        *([f"RRULE:{rule}"] if rule else []),
        f"END:{kind}",
    ]


def _offset(offset: timedelta) -> str:
    seconds = int(abs(offset).total_seconds())
    sign = "-" if offset < timedelta() else "+"
    text = f"{sign}{seconds // 3600:02d}{seconds // 60 % 60:02d}"
    return text + (f"{seconds % 60:02d}" if seconds % 60 else "")


def _rule(changes: list[_Change]) -> str:
    """The yearly rule that all these changes follow, or ""."""
    first = changes[0]
    for nth in (-1, (first.wall.day - 1) // 7 + 1):
        rule = f"FREQ=YEARLY;BYMONTH={first.wall.month};BYDAY={nth}{_DAYS[first.wall.weekday()]}"
        if all(_matches(change, rule, first) for change in changes):
            return rule
    return ""


def _matches(change: _Change, rule: str, like: _Change) -> bool:
    wall = change.wall
    last = wall.day + 7 > calendar.monthrange(wall.year, wall.month)[1]
    nth = (-1,) if last else ()
    names = {
        f"FREQ=YEARLY;BYMONTH={wall.month};BYDAY={n}{_DAYS[wall.weekday()]}"
        for n in (*nth, (wall.day - 1) // 7 + 1)
    }
    same = (change.before, change.after, wall.time()) == (like.before, like.after, like.wall.time())
    return rule in names and same


def _follows(changes: list[_Change], rules: list[str]) -> bool:
    return len(changes) == len(rules) and all(
        _matches(change, rule, change) for change, rule in zip(changes, rules, strict=True)
    )


def _changes(tz: ZoneInfo, year: int) -> list[_Change]:
    """The clock changes of a year, found by looking at every day."""
    found = []
    start = datetime(year, 1, 1, tzinfo=UTC)
    for _ in range(366):
        end = start + timedelta(days=1)
        if start.astimezone(tz).utcoffset() != end.astimezone(tz).utcoffset():
            low, high = start, end
            while high - low > timedelta(seconds=1):
                middle = low + (high - low) // 2
                middle = middle.replace(microsecond=0)
                same = middle.astimezone(tz).utcoffset() == low.astimezone(tz).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            before, after = low.astimezone(tz), high.astimezone(tz)
            offset = before.utcoffset() or timedelta()
            found.append(
                _Change(
                    (high + offset).replace(tzinfo=None),
                    offset,
                    after.utcoffset() or timedelta(),
                    after.tzname() or "",
                    bool(after.dst()),
                )
            )
        start = end
        if start.year != year:
            break
    return found
