"""Documents given as text, for worlds and tests; ranked exactly as real ones are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing

from botpsy.services.documents import Hit, index


class MemoryDocuments:
    """``documents`` maps paths to texts, or is a function that gives that mapping as it is now."""

    def __init__(
        self, documents: Mapping[str, str] | Callable[[], Mapping[str, str]] | None = None
    ) -> None:
        self._documents = documents or {}

    def search(self, query: str, limit: int = 5) -> list[Hit]:
        with closing(sqlite3.connect(":memory:")) as connection:
            index.create(connection)
            for path, text in self._present().items():
                index.put(connection, path, index.title_words(path), text)
            return index.search(connection, query, limit)

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""

    def dump(self) -> dict[str, str]:
        """The documents, for comparison."""
        return dict(sorted(self._present().items()))

    def _present(self) -> Mapping[str, str]:
        return self._documents() if callable(self._documents) else self._documents
