"""Messages in a folder, one file of JSON lines per number, in the order they came.

Each line is an object with ``id``, ``number``, ``text``, ``at`` (ISO 8601 with zone), ``status``,
``name`` and ``unread``, so that another program can add what it receives and deliver what is
queued. A file that cannot be read is an error and is never overwritten.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.messages import Status, TextMessage, from_json, select, to_json
from botpsy.services.storage import explained, locked, write_atomically


class LocalMessages:
    """A ``MessageService`` over one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, number: str = "", unread: bool = False, limit: int = 20) -> list[TextMessage]:
        messages = self._conversation(self._path(number)) if number else self._all()
        return select(messages, number, unread, limit)

    def send(self, message: TextMessage) -> Status:
        self._put(replace(message, status="queued"), replacing=False)
        return "queued"

    def snapshot(self, key: str) -> str | None:
        message = self._find(key)
        return json.dumps(to_json(message)) if message else None

    def restore(self, key: str, state: str | None) -> None:
        if state is not None:
            self._put(from_json(json.loads(state)), replacing=True)
            return
        message = self._find(key)
        if message is None:
            return
        path = self._path(message.number)
        with explained(f"The messages in {path} cannot be written"), locked(path):
            kept = []
            for other in self._conversation(path):
                if other.id != key:
                    kept.append(other)
                elif other.status == "sent":
                    raise ServiceError("The message has been sent already.")
            self._write(path, kept)

    def dump(self) -> dict[str, Any]:
        return {message.id: to_json(message) for message in self._all()}

    def _path(self, number: str) -> Path:
        return self._folder / f"{urllib.parse.quote(number, safe='+')}.jsonl"

    def _all(self) -> Iterator[TextMessage]:
        for path in sorted(self._folder.glob("*.jsonl")):
            if not path.name.startswith("."):
                yield from self._conversation(path)

    def _find(self, id: str) -> TextMessage | None:
        return next((message for message in self._all() if message.id == id), None)

    def _conversation(self, path: Path) -> list[TextMessage]:
        with explained(f"The messages in {path} cannot be read"):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return []
        messages = []
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip():
                try:
                    messages.append(from_json(json.loads(line)))
                except (ValueError, TypeError, KeyError, RecursionError):
                    raise ServiceError(
                        f"{path} cannot be read: line {number} is not a message.",
                        hint="Mend the file or move it away; it is left as it is.",
                    ) from None
        return messages

    def _put(self, message: TextMessage, replacing: bool) -> None:
        path = self._path(message.number)
        with explained(f"The messages in {path} cannot be written"), locked(path):
            messages = self._conversation(path)
            ids = [other.id for other in messages]
            if message.id not in ids:
                messages.append(message)
            elif replacing:
                messages[ids.index(message.id)] = message
            else:
                return
            self._write(path, messages)

    def _write(self, path: Path, messages: list[TextMessage]) -> None:
        lines = (json.dumps(to_json(message)) + "\n" for message in messages)
        write_atomically(path, "".join(lines).encode())
