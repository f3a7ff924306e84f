"""A calendar in memory: deterministic, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from botpsy.errors import ServiceError
from botpsy.services.calendar import (
    LONGEST,
    Event,
    in_order,
    occurrence_mover,
    occurrence_of,
    occurrence_start,
    with_length,
)
from botpsy.services.recurrence import occurrences


@dataclass
class _Record:
    """A series (or single event) with its exceptions."""

    event: Event
    removed: set[str] = field(default_factory=set)
    changed: dict[str, Event] = field(default_factory=dict)


class MemoryCalendar:
    """See ``CalendarService``."""

    def __init__(self, tz: ZoneInfo, events: Iterable[Event] = ()) -> None:
        self._tz = tz
        self._records: dict[str, _Record] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        self._records.setdefault(event.uid, _Record(replace(event, occurrence="")))

    def get(self, uid: str, occurrence: str = "") -> Event | None:
        record = self._records.get(uid)
        if record is None or not occurrence:
            return self._local(record.event) if record else None
        if occurrence in record.removed:
            return None
        if occurrence in record.changed:
            return self._local(record.changed[occurrence])
        start = occurrence_start(occurrence)
        around = _utc(start)
        for event in self._repeats(record, around, around + timedelta(seconds=1)):
            if event.occurrence == occurrence:
                return self._local(event)
        return None

    def find(self, start: datetime, end: datetime) -> list[Event]:
        found = [
            event
            for record in self._records.values()
            for event in self._occurrences(record, start, end)
            if event.overlaps(start, end, self._tz)
        ]
        return in_order([self._local(event) for event in found], self._tz)

    def replace(self, event: Event) -> None:
        record = self._record(event.uid)
        if event.occurrence:
            if self.get(event.uid, event.occurrence) is None:
                raise _missing(event.id)
            record.changed[event.occurrence] = replace(event, repeat=record.event.repeat)
            return
        moved = occurrence_mover(record.event.start, event.start)
        record.removed = {moved(name) for name in record.removed}
        record.changed = {
            moved(name): replace(change, occurrence=moved(name))
            for name, change in record.changed.items()
        }
        record.event = event

    def remove(self, uid: str, occurrence: str = "") -> None:
        record = self._record(uid)
        if not occurrence:
            del self._records[uid]
            return
        if self.get(uid, occurrence) is None:
            raise _missing(f"{uid}@{occurrence}")
        record.changed.pop(occurrence, None)
        record.removed.add(occurrence)

    def snapshot(self, key: str) -> str | None:
        record = self._records.get(key)
        return json.dumps(_to_json(record), sort_keys=True) if record else None

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            self._records.pop(key, None)
        else:
            self._records[key] = _from_json(json.loads(state))

    def dump(self) -> dict[str, Any]:
        """The whole state as JSON, for comparison."""
        return {uid: _to_json(self._records[uid]) for uid in sorted(self._records)}

    def _record(self, uid: str) -> _Record:
        if uid not in self._records:
            raise _missing(uid)
        return self._records[uid]

    def _occurrences(self, record: _Record, start: datetime, end: datetime) -> Iterator[Event]:
        if not record.event.repeat:
            yield record.event
            return
        yield from record.changed.values()
        for event in self._repeats(record, start - LONGEST, end):
            if event.occurrence not in record.removed and event.occurrence not in record.changed:
                yield event

    def _repeats(self, record: _Record, start: datetime, end: datetime) -> Iterator[Event]:
        series = record.event
        if not series.repeat:
            return
        last = end.astimezone(UTC) + timedelta(days=1)  # a day starts earlier in the east
        for begin in occurrences(series.repeat, series.start, start):
            if _utc(begin) > last:
                return
            moved = replace(series, start=begin, end=begin, occurrence=occurrence_of(begin))
            yield with_length(moved, series.length)

    def _local(self, event: Event) -> Event:
        if isinstance(event.start, datetime) and isinstance(event.end, datetime):
            return replace(
                event, start=event.start.astimezone(self._tz), end=event.end.astimezone(self._tz)
            )
        return event


def _missing(name: str) -> ServiceError:
    return ServiceError(f"There is no event {name}.", hint="Find it first, then use its id.")


def _utc(when: datetime | date) -> datetime:
    if isinstance(when, datetime):
        return when.astimezone(UTC)
    return datetime(when.year, when.month, when.day, tzinfo=UTC)


def _event_json(event: Event) -> dict[str, Any]:
    zone = str(event.start.tzinfo) if isinstance(event.start, datetime) else ""
    return {
        "uid": event.uid,
        "title": event.title,
        "start": event.start.isoformat(),
        "end": event.end.isoformat(),
        "zone": zone,
        "location": event.location,
        "notes": event.notes,
        "attendees": list(event.attendees),
        "repeat": event.repeat,
        "occurrence": event.occurrence,
        "busy": event.busy,
        "foreign": event.foreign,
    }


def _to_json(record: _Record) -> dict[str, Any]:
    return {
        **_event_json(record.event),
        "removed": sorted(record.removed),
        "changed": {name: _event_json(record.changed[name]) for name in sorted(record.changed)},
    }


def _event(value: dict[str, Any]) -> Event:
    def when(text: str) -> datetime | date:
        if not value["zone"]:
            return date.fromisoformat(text)
        return datetime.fromisoformat(text).astimezone(ZoneInfo(value["zone"]))

    fields = {key: part for key, part in value.items() if key not in ("zone", "removed", "changed")}
    return Event(
        **{
            **fields,
            "start": when(value["start"]),
            "end": when(value["end"]),
            "attendees": tuple(value["attendees"]),
        }
    )


def _from_json(value: dict[str, Any]) -> _Record:
    changed = {name: _event(event) for name, event in value["changed"].items()}
    return _Record(_event(value), set(value["removed"]), changed)
