"""Messages in memory: fast and deterministic, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.messages import Status, TextMessage, from_json, select, to_json


class MemoryMessages:
    """A ``MessageService`` that forgets. Messages are given, or ``deliver``ed as time goes by.

    With an ``account``, what is sent leaves at once.
    """

    def __init__(self, messages: Iterable[TextMessage] = (), *, account: bool = False) -> None:
        self._account = account
        self._messages = {message.id: message for message in messages}

    def deliver(self, message: TextMessage) -> None:
        """A message arrives."""
        self._messages[message.id] = message

    def read(self, number: str = "", unread: bool = False, limit: int = 20) -> list[TextMessage]:
        return select(self._messages.values(), number, unread, limit)

    def send(self, message: TextMessage) -> Status:
        status: Status = "sent" if self._account else "queued"
        self._messages.setdefault(message.id, replace(message, status=status))
        return status

    def snapshot(self, key: str) -> str | None:
        message = self._messages.get(key)
        return json.dumps(to_json(message)) if message else None

    def restore(self, key: str, state: str | None) -> None:
        if state is not None:
            self._messages[key] = from_json(json.loads(state))
        elif key in self._messages:
            if self._messages[key].status == "sent":
                raise ServiceError("The message has been sent already.")
            del self._messages[key]

    def dump(self) -> dict[str, Any]:
        return {id: to_json(message) for id, message in sorted(self._messages.items())}
