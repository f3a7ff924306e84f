"""Notes in a folder: ``<name>.md`` for a note, ``Lists/<name>.md`` for a list.

Files are read when they are needed, so what another program wrote counts. What is deleted, or in
the way of an undo, goes into the hidden folder ``.trash``.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.notes import KINDS, DocumentKind, is_name, key_of, parse_key, taken
from botpsy.services.storage import Journal, encoded, explained, locked, write_atomically


class LocalNotes:
    """A ``NoteService`` over one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = Journal(folder / ".appends")

    def names(self, kind: DocumentKind) -> list[str]:
        with explained(f"The notes in {self._folder} cannot be listed"):
            stems = [path.stem for path in self._place(kind).glob("*.md") if path.is_file()]
        return sorted(stem for stem in stems if is_name(stem))

    def text(self, kind: DocumentKind, name: str) -> str | None:
        data = self._read(kind, name)
        if data is None:
            return None
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise ServiceError(
                f"{self._path(kind, name)} is not UTF-8 text.", hint="Mend it in an editor."
            ) from None

    def create(self, kind: DocumentKind, name: str, text: str) -> None:
        with self._writing():
            other = taken(self.names(kind), name)
            if other is None:
                write_atomically(self._path(kind, name), encoded(text), mode=0o644)
            elif self.text(kind, other) != text:
                raise ServiceError(f"There is already a {kind} called {other}.")

    def change(
        self, kind: DocumentKind, name: str, edit: Callable[[str], str], action: str = ""
    ) -> None:
        with self._writing():
            before = self.text(kind, name)
            if before is None:
                raise ServiceError(f"There is no {kind} called {name}.")
            after = edit(before)
            if action and self._journal.done(action, encoded(before), encoded(after)):
                return
            if after != before:
                if b"\r\n" in (self._read(kind, name) or b""):
                    after = after.replace("\n", "\r\n")
                write_atomically(self._path(kind, name), encoded(after))

    def delete(self, kind: DocumentKind, name: str) -> None:
        with self._writing():
            if self._read(kind, name) is None:
                raise ServiceError(f"There is no {kind} called {name}.")
            self._to_trash(kind, name)

    def snapshot(self, key: str) -> str | None:
        data = self._read(*parse_key(key))
        return None if data is None else data.decode("utf-8", "surrogateescape")

    def restore(self, key: str, state: str | None) -> None:
        kind, name = parse_key(key)
        with self._writing():
            if self.snapshot(key) == state:
                return
            self._to_trash(kind, name)
            if state is not None:
                data = state.encode("utf-8", "surrogateescape")
                write_atomically(self._path(kind, name), data, mode=0o644)

    def dump(self) -> dict[str, Any]:
        keys = (key_of(kind, name) for kind in KINDS for name in self.names(kind))
        return {key: self.snapshot(key) for key in keys}

    def _place(self, kind: DocumentKind) -> Path:
        return self._folder / "Lists" if kind == "list" else self._folder

    def _path(self, kind: DocumentKind, name: str) -> Path:
        return self._place(kind) / f"{name}.md"

    def _read(self, kind: DocumentKind, name: str) -> bytes | None:
        if not is_name(name):
            return None
        path = self._path(kind, name)
        with explained(f"{path} cannot be read"):
            try:
                return path.read_bytes()
            except FileNotFoundError:
                return None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        what = f"The notes in {self._folder} cannot be changed"
        with explained(what), locked(self._folder / "notes"):
            yield

    def _to_trash(self, kind: DocumentKind, name: str) -> None:
        path = self._path(kind, name)
        trash = self._folder / ".trash"
        trash.mkdir(parents=True, exist_ok=True)
        for i in itertools.count(1):
            free = trash / (f"{name}.md" if i == 1 else f"{name} ({i}).md")
            if not free.exists():
                if path.exists():
                    path.rename(free)
                return
