"""Reminders, timers and alarms: what rings when, and what a back end must do.

``memory.MemoryReminders`` for worlds and tests, ``local.LocalReminders`` for a JSON file. Whoever
rings asks ``due`` and says ``mark_rung``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol, get_args, runtime_checkable
from zoneinfo import ZoneInfo

from botpsy.errors import ServiceError
from botpsy.services.base import Service
from botpsy.services.recurrence import occurrences

Kind = Literal["reminder", "timer", "alarm"]


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something that rings.

    Attributes:
        text: what to say when it rings; may be empty for timers and alarms.
        due: when it rings (next), aware, in the zone whose wall clock it follows.
        repeat: RFC 5545 rule counted from ``start``, "" for once.
        start: the first time it was to ring.
        rung: when a one-time reminder rang; None while it is still to come.
    """

    id: str
    kind: Kind
    text: str
    due: datetime
    repeat: str = ""
    start: datetime | None = None
    rung: datetime | None = None

    def __post_init__(self) -> None:
        assert self.due.tzinfo is not None

    def after_ringing(self, now: datetime) -> Reminder:
        """Itself once rung: repeating ones wait for their next time after ``now``."""
        if not self.repeat:
            return replace(self, rung=now)
        start = self.start or self.due
        for when in occurrences(self.repeat, start, now):
            assert isinstance(when, datetime)
            if when.astimezone(UTC) > now.astimezone(UTC):
                return replace(self, due=when, start=start)
        return replace(self, rung=now, start=start)


def in_order(reminders: list[Reminder]) -> list[Reminder]:
    """By time, then by name."""
    return sorted(reminders, key=lambda each: (each.due.astimezone(UTC), each.id))


def to_json(reminder: Reminder) -> dict[str, Any]:
    """A JSON object; times with offset, and the zone by name."""
    return {
        "id": reminder.id,
        "kind": reminder.kind,
        "text": reminder.text,
        "due": reminder.due.isoformat(),
        "zone": str(reminder.due.tzinfo),
        "repeat": reminder.repeat,
        "start": reminder.start.isoformat() if reminder.start else None,
        "rung": reminder.rung.astimezone(UTC).isoformat() if reminder.rung else None,
    }


def from_json(value: Mapping[str, Any]) -> Reminder:
    """Back from ``to_json``.

    Raises:
        ServiceError: it is not one.
    """
    try:
        zone = ZoneInfo(value["zone"])
        kind: Kind = {name: name for name in get_args(Kind)}[value["kind"]]
        start, rung = value["start"], value["rung"]
        return Reminder(
            id=str(value["id"]),
            kind=kind,
            text=str(value["text"]),
            due=datetime.fromisoformat(value["due"]).astimezone(zone),
            repeat=str(value["repeat"]),
            start=datetime.fromisoformat(start).astimezone(zone) if start else None,
            rung=datetime.fromisoformat(rung).astimezone(UTC) if rung else None,
        )
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise ServiceError(f"A stored reminder is damaged ({error}).") from error


@runtime_checkable
class ReminderService(Service, Protocol):
    """Keeps what is to ring. The key of ``snapshot`` and ``restore`` is the id."""

    def add(self, reminder: Reminder) -> None:
        """Keep it. One that is there already under its id stays as it is."""
        ...

    def get(self, identifier: str) -> Reminder | None:
        """One by its id."""
        ...

    def pending(self) -> list[Reminder]:
        """All that are still to ring, in order of time."""
        ...

    def due(self, now: datetime) -> list[Reminder]:
        """Those whose time has come and that have not rung."""
        ...

    def mark_rung(self, identifier: str, now: datetime) -> None:
        """It rang: a one-time reminder is over, a repeating one waits for its next time.

        Marking twice for one ringing does no harm; an unknown id does nothing.
        """
        ...

    def remove(self, identifier: str) -> None:
        """Forget it; an unknown id does nothing."""
        ...
