"""The calendar: events, their repeats, and what a back end must do.

Two back ends: ``memory.MemoryCalendar`` for worlds and tests, ``ics.IcsCalendar`` for an ``.ics``
file that other calendar programs open too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from botpsy.errors import ServiceError
from botpsy.services.base import Service


@dataclass(frozen=True, slots=True)
class Event:
    """One event, or one occurrence of a repeating one.

    Attributes:
        uid: its name in the calendar; all occurrences share it.
        start: aware datetime, or date for an all-day event.
        end: exclusive, of the same type as ``start``.
        repeat: RFC 5545 rule, "" for none.
        occurrence: which repeat this is, by its original start (``20261204T140000Z`` or
            ``20261204``); "" for a single event and for a repeating event as a whole.
        busy: False when it leaves the time free.
        foreign: another person organises it, so that its text is by others.
    """

    uid: str
    title: str
    start: datetime | date
    end: datetime | date
    location: str = ""
    notes: str = ""
    attendees: tuple[str, ...] = ()
    repeat: str = ""
    occurrence: str = ""
    busy: bool = True
    foreign: bool = False

    def __post_init__(self) -> None:
        assert isinstance(self.start, datetime) == isinstance(self.end, datetime)
        assert not isinstance(self.start, datetime) or self.start.tzinfo is not None
        assert not isinstance(self.end, datetime) or self.end.tzinfo is not None

    @property
    def all_day(self) -> bool:
        """It has days, not times."""
        return not isinstance(self.start, datetime)

    @property
    def length(self) -> timedelta:
        """How long it takes: elapsed time, or whole days."""
        if isinstance(self.start, datetime) and isinstance(self.end, datetime):
            return self.end.astimezone(UTC) - self.start.astimezone(UTC)
        return date(*self.end.timetuple()[:3]) - date(*self.start.timetuple()[:3])

    @property
    def id(self) -> str:
        """What names this event, or this occurrence, to a person or a model."""
        return f"{self.uid}@{self.occurrence}" if self.occurrence else self.uid

    def bounds(self, tz: ZoneInfo) -> tuple[datetime, datetime]:
        """Start and end as moments; an all-day event covers its days in ``tz``."""
        return _moment(self.start, tz), _moment(self.end, tz)

    def overlaps(self, start: datetime, end: datetime, tz: ZoneInfo) -> bool:
        """Whether it takes any of the stretch; an event without length is a point."""
        first, last = (moment.astimezone(UTC) for moment in self.bounds(tz))
        return first < end.astimezone(UTC) and (last > start.astimezone(UTC) or first >= start)


def _moment(when: datetime | date, tz: ZoneInfo) -> datetime:
    if isinstance(when, datetime):
        return when
    return datetime.combine(when, time(), tz).astimezone(UTC).astimezone(tz)


def with_length(event: Event, length: timedelta) -> Event:
    """The same start, with an exact length: clock changes do not stretch it (RFC 5545, 3.8.5.3)."""
    if isinstance(event.start, datetime):
        end = (event.start.astimezone(UTC) + length).astimezone(event.start.tzinfo)
        return replace(event, end=end)
    return replace(event, end=event.start + length)


def occurrence_of(start: datetime | date) -> str:
    """The name of the repeat that was meant to start then."""
    if isinstance(start, datetime):
        return f"{start.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    return f"{start:%Y%m%d}"


def occurrence_start(occurrence: str) -> datetime | date:
    """The original start (UTC) in an occurrence's name.

    Raises:
        ValueError: it is no such name.
    """
    if len(occurrence) == 8:
        return datetime.strptime(occurrence, "%Y%m%d").replace(tzinfo=UTC).date()
    return datetime.strptime(occurrence, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def occurrence_mover(before: datetime | date, after: datetime | date) -> Callable[[str], str]:
    """How names of occurrences change when the series' start moves, by the wall clock."""

    def move(occurrence: str) -> str:
        original = occurrence_start(occurrence)
        if isinstance(before, datetime) and isinstance(after, datetime):
            assert isinstance(original, datetime)
            shift = after.replace(tzinfo=None) - before.astimezone(after.tzinfo).replace(
                tzinfo=None
            )
            wall = original.astimezone(after.tzinfo).replace(tzinfo=None) + shift
            return occurrence_of(wall.replace(tzinfo=after.tzinfo))
        if isinstance(before, datetime) or isinstance(after, datetime):
            raise ServiceError(
                "A repeating event with exceptions cannot change between timed and all-day.",
                hint="Make a new event instead.",
            )
        return occurrence_of(original + (after - before))

    return move


def split_id(identifier: str) -> tuple[str, str]:
    """uid and occurrence of an ``Event.id``."""
    uid, sign, occurrence = identifier.rpartition("@")
    if sign:
        try:
            occurrence_start(occurrence)
        except ValueError:
            pass
        else:
            return uid, occurrence
    return identifier, ""


def in_order(events: list[Event], tz: ZoneInfo) -> list[Event]:
    """By start, then by name, so that every back end answers alike."""
    return sorted(events, key=lambda event: (event.bounds(tz)[0].astimezone(UTC), event.id))


LONGEST = timedelta(days=31)
"""Repeating events longer than this are not found by their later days."""


@runtime_checkable
class CalendarService(Service, Protocol):
    """What a calendar does. ``snapshot`` and ``restore`` take a uid, with all its occurrences."""

    def add(self, event: Event) -> None:
        """Put in a new event. One that is already there under its uid stays as it is."""
        ...

    def get(self, uid: str, occurrence: str = "") -> Event | None:
        """An event by name; of a repeating one the whole, or one occurrence."""
        ...

    def find(self, start: datetime, end: datetime) -> list[Event]:
        """Events and occurrences that overlap the stretch, in order."""
        ...

    def replace(self, event: Event) -> None:
        """Change the event, or only the occurrence it names. Moving a whole series moves its
        exceptions with it.

        Raises:
            ServiceError: there is no such event.
        """
        ...

    def remove(self, uid: str, occurrence: str = "") -> None:
        """Take out the event, or only one occurrence.

        Raises:
            ServiceError: there is no such event.
        """
        ...
