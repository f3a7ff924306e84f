"""Short text messages: conversations, one per number.

``MemoryMessages`` serves worlds and tests; ``LocalMessages`` keeps JSON lines on disk. Neither has
an account: what is "sent" is queued until something delivers it, and says so. A message's id is its
record key; who sends gives the id, and giving the same id twice sends one message.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from botpsy.services.base import Service

Status = Literal["received", "queued", "sent"]


@dataclass(frozen=True, slots=True)
class TextMessage:
    """One message. ``number`` and ``name`` are the other side's; the name may be empty."""

    id: str
    number: str
    text: str
    at: datetime
    status: Status = "received"
    name: str = ""
    unread: bool = False


class MessageService(Service, Protocol):
    """What every back end of the messages does."""

    def read(self, number: str = "", unread: bool = False, limit: int = 20) -> list[TextMessage]:
        """The latest messages (with one number), the newest first."""
        ...

    def send(self, message: TextMessage) -> Status:
        """Send it, or queue it where no account is connected."""
        ...

    def dump(self) -> dict[str, Any]:
        """The whole state, to be compared."""
        ...


def select(
    messages: Iterable[TextMessage], number: str, unread: bool, limit: int
) -> list[TextMessage]:
    """``MessageService.read`` over plain messages."""
    found = [
        message
        for message in messages
        if (not number or message.number == number) and (message.unread or not unread)
    ]
    return sorted(found, key=lambda m: (m.at, m.id), reverse=True)[:limit]


def to_json(message: TextMessage) -> dict[str, Any]:
    """The message as a JSON object."""
    return {**asdict(message), "at": message.at.isoformat()}


def from_json(value: dict[str, Any]) -> TextMessage:
    """The inverse of ``to_json``.

    Raises:
        ValueError, TypeError, KeyError: it is not one.
    """
    message = TextMessage(**{**value, "at": datetime.fromisoformat(value["at"])})
    if not all(isinstance(text, str) for text in (message.id, message.number, message.text)):
        raise TypeError("id, number and text are strings")
    if message.at.tzinfo is None:
        raise ValueError("the time has no zone")
    return message
