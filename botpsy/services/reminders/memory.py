"""Reminders in memory: deterministic, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from botpsy.services.reminders import Reminder, from_json, in_order, to_json


class MemoryReminders:
    """See ``ReminderService``."""

    def __init__(self, reminders: Iterable[Reminder] = ()) -> None:
        self._reminders = {reminder.id: reminder for reminder in reminders}

    def add(self, reminder: Reminder) -> None:
        self._reminders.setdefault(reminder.id, reminder)

    def get(self, identifier: str) -> Reminder | None:
        return self._reminders.get(identifier)

    def pending(self) -> list[Reminder]:
        return in_order([each for each in self._reminders.values() if each.rung is None])

    def due(self, now: datetime) -> list[Reminder]:
        return [each for each in self.pending() if each.due.astimezone(UTC) <= now.astimezone(UTC)]

    def mark_rung(self, identifier: str, now: datetime) -> None:
        found = self._reminders.get(identifier)
        if found is not None and found in self.due(now):
            self._reminders[identifier] = found.after_ringing(now)

    def remove(self, identifier: str) -> None:
        self._reminders.pop(identifier, None)

    def snapshot(self, key: str) -> str | None:
        found = self._reminders.get(key)
        return json.dumps(to_json(found), sort_keys=True, ensure_ascii=False) if found else None

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            self._reminders.pop(key, None)
        else:
            self._reminders[key] = from_json(json.loads(state))

    def dump(self) -> dict[str, Any]:
        """The whole state as JSON, for comparison."""
        return {name: to_json(self._reminders[name]) for name in sorted(self._reminders)}
