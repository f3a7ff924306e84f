"""Notes and lists: Markdown documents by name, of two kinds.

``MemoryNotes`` serves worlds and tests; ``LocalNotes`` keeps one file each, which any editor can
open. A record's key is ``note/<name>`` or ``list/<name>``. What a person changes in a document in
the meantime is kept: edits are made on the text as it is now, and nothing is unlinked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from botpsy.errors import ServiceError, ToolError
from botpsy.services.base import Service
from botpsy.services.text import hidden_positions, one_line, spell_hidden

DocumentKind = Literal["note", "list"]
KINDS: tuple[DocumentKind, ...] = ("note", "list")
_NAME_BYTES = 200


class NoteService(Service, Protocol):
    """What every back end of the notes does."""

    def names(self, kind: DocumentKind) -> list[str]:
        """The names of all documents of the kind, in order."""
        ...

    def text(self, kind: DocumentKind, name: str) -> str | None:
        """The whole Markdown text, None when there is no such document."""
        ...

    def create(self, kind: DocumentKind, name: str, text: str) -> None:
        """Make a document; one with this very text is fine.

        Raises:
            ServiceError: there is another one of this name, letter case aside.
        """
        ...

    def change(
        self, kind: DocumentKind, name: str, edit: Callable[[str], str], action: str = ""
    ) -> None:
        """Put ``edit(text)`` in place of the text; with an ``action``, once for this action.

        Raises:
            ServiceError: there is no such document.
        """
        ...

    def delete(self, kind: DocumentKind, name: str) -> None:
        """Move the document into the trash."""
        ...

    def dump(self) -> dict[str, Any]:
        """The whole state, to be compared."""
        ...


def key_of(kind: DocumentKind, name: str) -> str:
    """The record key, for undo."""
    return f"{kind}/{name}"


def parse_key(key: str) -> tuple[DocumentKind, str]:
    """The inverse of ``key_of``.

    Raises:
        ServiceError: it is no key of a document.
    """
    kind, _, name = key.partition("/")
    if kind not in KINDS or not is_name(name):
        raise ServiceError(f"{spell_hidden(key)} is not a note or list.")
    return ("note" if kind == "note" else "list"), name


def clean_name(words: str) -> str:
    """The words as a name that is also a file name everywhere.

    Raises:
        ToolError: nothing is left, it is too long, or it has hidden characters in it.
    """
    name = one_line(words)
    if hidden_positions(name):
        raise ToolError(f"The name {spell_hidden(name)} has hidden characters in it.")
    name = re.sub(r'[/\\:*?"<>|]+', "-", name).strip(" .-")
    if not name:
        raise ToolError("It needs a name.", hint="Ask the user what to call it.")
    if len(name.encode("utf-8", "replace")) > _NAME_BYTES:
        raise ToolError("The name is too long.", hint="Use a shorter one.")
    return name


def is_name(text: str) -> bool:
    """Whether it is a name as ``clean_name`` makes them."""
    try:
        return clean_name(text) == text
    except ToolError:
        return False


def taken(names: Sequence[str], name: str) -> str | None:
    """The name among these that this one would collide with."""
    return next((other for other in names if other.casefold() == name.casefold()), None)
