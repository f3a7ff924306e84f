"""Files and folders inside the roots that the user chose, and nowhere else.

``MemoryFiles`` serves worlds and tests; ``LocalFiles`` works on the disk. A path is absolute, below
one of the roots, without ``..``, without hidden components (a leading dot) and without characters
that do not show. Links are never followed. Nothing is ever unlinked: what is deleted, or in the way
of an undo, goes into a trash outside the roots.

``paths.locate`` and ``paths.place`` turn what a person says into such a path.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from botpsy.services.base import Service

Kind = Literal["file", "folder", "link", "special"]

EDIT_AT_MOST = 16 << 20
"""Bytes of a text file that can be appended to."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder. ``size`` in bytes; ``modified`` is zoned, None where it is not known."""

    path: str
    kind: Kind
    size: int = 0
    modified: datetime | None = None

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Content:
    """The beginning of a text file; ``size`` of the whole and ``left_out`` in bytes.

    ``exact`` says that the bytes were valid text in its encoding.
    """

    text: str
    size: int
    left_out: int = 0
    exact: bool = True


class FileService(Service, Protocol):
    """What every back end of the files does. Every method raises ``ToolError`` with the reason."""

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders that may be used; the first is where a bare name belongs."""
        ...

    @property
    def home(self) -> str:
        """What ``~`` means."""
        ...

    def entry(self, path: str) -> Entry | None:
        """What is at the path."""
        ...

    def entries(self, folder: str) -> list[Entry]:
        """What is in the folder, by name, hidden ones left out."""
        ...

    def read(self, path: str, limit: int) -> Content:
        """The first ``limit`` bytes of a text file, decoded."""
        ...

    def create(self, path: str, text: str) -> None:
        """Write a new file; one with this very text is fine, any other is an error."""
        ...

    def replace(self, path: str, text: str) -> None:
        """Put new text into an existing text file."""
        ...

    def append(self, path: str, text: str, action: str) -> None:
        """Add text, on a line of its own, to an existing text file, once per action."""
        ...

    def move(self, source: str, target: str) -> None:
        """Move or rename a file or folder; the target must be free."""
        ...

    def copy(self, source: str, target: str) -> None:
        """Copy a file or folder; the target must be free."""
        ...

    def delete(self, path: str) -> None:
        """Move a file or folder into the trash."""
        ...

    def make_folder(self, path: str) -> None:
        """Make a folder; an existing one is fine."""
        ...

    def dump(self) -> dict[str, Any]:
        """The whole state below the roots, to be compared."""
        ...
