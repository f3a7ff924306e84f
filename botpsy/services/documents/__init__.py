"""Full-text search over the user's documents.

A hit names the file as the files service knows it, so that what is found can be read. The index is
derived from the files and can be thrown away at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from botpsy.services.base import Service


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that fits; ``snippet`` is the passage that fits best, on one line."""

    path: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not in the index, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """What bringing the index up to date did. ``rebuilt`` means the old index was damaged."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    rebuilt: bool = False


class DocumentSearch(Service, Protocol):
    """Search by words. It holds no records of its own: ``snapshot`` is always None."""

    def search(self, query: str, limit: int = 5) -> list[Hit]:
        """The documents that fit best, best first; empty where none does.

        Raises:
            ServiceError: the query has no words, or the index cannot be used.
        """
        ...


__all__ = ["DocumentSearch", "Hit", "Report", "Skipped"]
