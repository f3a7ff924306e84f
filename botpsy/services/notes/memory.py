"""Notes in memory: fast and deterministic, for worlds and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.notes import DocumentKind, key_of, parse_key, taken
from botpsy.services.notes.markdown import titled, with_items
from botpsy.services.storage import Journal, encoded


class MemoryNotes:
    """A ``NoteService`` that forgets. Given are texts by title, and entries by list."""

    def __init__(
        self, notes: Mapping[str, str] = {}, lists: Mapping[str, Sequence[str]] = {}
    ) -> None:
        self._texts = {key_of("note", name): titled(name, text) for name, text in notes.items()}
        for name, entries in lists.items():
            self._texts[key_of("list", name)] = with_items(titled(name), entries)
        self._journal = Journal()

    def names(self, kind: DocumentKind) -> list[str]:
        parsed = (parse_key(key) for key in self._texts)
        return sorted(name for other, name in parsed if other == kind)

    def text(self, kind: DocumentKind, name: str) -> str | None:
        return self._texts.get(key_of(kind, name))

    def create(self, kind: DocumentKind, name: str, text: str) -> None:
        encoded(text)
        other = taken(self.names(kind), name)
        if other is None:
            self._texts[key_of(kind, name)] = text
        elif self.text(kind, other) != text:
            raise ServiceError(f"There is already a {kind} called {other}.")

    def change(
        self, kind: DocumentKind, name: str, edit: Callable[[str], str], action: str = ""
    ) -> None:
        before = self.text(kind, name)
        if before is None:
            raise ServiceError(f"There is no {kind} called {name}.")
        after = edit(before)
        if not action or not self._journal.done(action, encoded(before), encoded(after)):
            self._texts[key_of(kind, name)] = after

    def delete(self, kind: DocumentKind, name: str) -> None:
        if self._texts.pop(key_of(kind, name), None) is None:
            raise ServiceError(f"There is no {kind} called {name}.")

    def snapshot(self, key: str) -> str | None:
        return self._texts.get(key_of(*parse_key(key)))

    def restore(self, key: str, state: str | None) -> None:
        key = key_of(*parse_key(key))
        if state is None:
            self._texts.pop(key, None)
        else:
            self._texts[key] = state

    def dump(self) -> dict[str, Any]:
        return dict(sorted(self._texts.items()))
