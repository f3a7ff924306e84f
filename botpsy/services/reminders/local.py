"""Reminders in one JSON file of ours: read whole, changed under a lock, written all or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import storage
from botpsy.services.reminders import Reminder, from_json
from botpsy.services.reminders.memory import MemoryReminders


class LocalReminders:
    """See ``ReminderService``. The file is made with the first reminder.

    Every method raises ``ServiceError`` when the file cannot be read, parsed or written; a file
    that cannot be parsed is never written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, reminder: Reminder) -> None:
        self._change(lambda state: state.add(reminder))

    def get(self, identifier: str) -> Reminder | None:
        return self._read().get(identifier)

    def pending(self) -> list[Reminder]:
        return self._read().pending()

    def due(self, now: datetime) -> list[Reminder]:
        return self._read().due(now)

    def mark_rung(self, identifier: str, now: datetime) -> None:
        self._change(lambda state: state.mark_rung(identifier, now))

    def remove(self, identifier: str) -> None:
        self._change(lambda state: state.remove(identifier))

    def snapshot(self, key: str) -> str | None:
        return self._read().snapshot(key)

    def restore(self, key: str, state: str | None) -> None:
        self._change(lambda present: present.restore(key, state))

    def _read(self) -> MemoryReminders:
        with storage.explained(f"{self.path} cannot be read"):
            try:
                data = self.path.read_bytes()
            except FileNotFoundError:
                return MemoryReminders()
        try:
            value: Any = json.loads(data)
            entries = value["reminders"]
            return MemoryReminders([from_json(entry) for entry in entries])
        except (ValueError, KeyError, TypeError, RecursionError, ServiceError) as error:
            line = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise ServiceError(
                f"{self.path} cannot be read as reminders{line}: {error}",
                hint="Nothing was changed. Mend the file, or move it away to start a new one.",
            ) from error

    def _change(self, change: Callable[[MemoryReminders], None]) -> None:
        with storage.explained(f"{self.path} cannot be written"), storage.locked(self.path):
            state = self._read()
            before = state.dump()
            change(state)
            if state.dump() == before:
                return
            entries = list(state.dump().values())
            text = json.dumps({"version": 1, "reminders": entries}, ensure_ascii=False, indent=1)
            storage.write_atomically(self.path, f"{text}\n".encode())
