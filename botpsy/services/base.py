"""What every service offers: named records that can be read back and put back.

Undo rests on this alone. Before a tool changes anything, the executor asks the service for a
``snapshot`` of each record the tool says it will touch and writes these into the ledger; undo puts
them back with ``restore``. A snapshot is text (JSON, an iCalendar object, a reference to a kept
copy), ``None`` when the record does not exist. ``restore(key, None)`` removes the record. Both are
idempotent, and ``snapshot`` after ``restore(key, s)`` gives ``s`` again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Ref:
    """A record in a service, for example ``Ref("calendar", "<uid>")``."""

    service: str
    key: str


@runtime_checkable
class Service(Protocol):
    """The least a service must do."""

    def snapshot(self, key: str) -> str | None:
        """The record's present state as text, or None when there is no such record."""
        ...

    def restore(self, key: str, state: str | None) -> None:
        """Put the record back as it was when ``snapshot`` returned ``state``."""
        ...
