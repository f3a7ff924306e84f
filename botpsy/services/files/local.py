"""Files on the disk, inside the user's roots; see the package for the rules, ``descriptors`` for
how they hold against links that are swapped in, and ``keep`` for what undo can put back.

A file with a second name elsewhere (a hard link) is not read or written: its other name may be
outside the roots.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from botpsy.errors import ConfigError, ServiceError
from botpsy.services.files import EDIT_AT_MOST, Content, Entry, Kind, descriptors
from botpsy.services.files.content import appended, beginning, check_text
from botpsy.services.files.keep import COPY_AT_MOST, Keeper
from botpsy.services.files.paths import label, split
from botpsy.services.storage import Journal, encoded, explained


class LocalFiles:
    """A ``FileService`` over folders on the disk.

    Args:
        roots: the folders that may be used, the default first. They must exist when used.
        state: a folder of ours outside the roots (or hidden in one), for the trash, the kept
            copies and the journal of appends.

    Raises:
        ConfigError: no root, two of the same name, or a root that would hold ``state`` in view.
    """

    def __init__(
        self, roots: Sequence[Path], state: Path, *, copy_at_most: int = COPY_AT_MOST
    ) -> None:
        self.roots = tuple(dict.fromkeys(os.path.realpath(root) for root in roots))
        self.home = str(Path.home())
        self._trash = Path(os.path.realpath(state)) / "trash"
        self._keeper = Keeper(Path(os.path.realpath(state)) / "kept", copy_at_most)
        self._journal = Journal(Path(os.path.realpath(state)) / "appends")
        _check_roots(self.roots, self._trash)

    def entry(self, path: str) -> Entry | None:
        root, parts = self._split(path)
        with self._explained("looked at", path):
            try:
                with descriptors.folder(root, parts[:-1]) as parent:
                    found = descriptors.status(parent, parts[-1]) if parts else os.fstat(parent)
            except FileNotFoundError:
                return None
            return _entry("/".join((root, *parts)), found) if found else None

    def entries(self, folder: str) -> list[Entry]:
        root, parts = self._split(folder)
        path = "/".join((root, *parts))
        with self._explained("listed", path), descriptors.folder(root, parts) as fd:
            visible = [name for name in descriptors.names(fd) if not name.startswith(".")]
            found = ((name, descriptors.status(fd, name)) for name in visible)
            return [_entry(f"{path}/{name}", status) for name, status in found if status]

    def read(self, path: str, limit: int) -> Content:
        data, size = self._bytes(path, limit)
        return beginning(data, size, self._label(path))

    def create(self, path: str, text: str) -> None:
        data = encoded(text)
        with self._parent(path, "written") as (parent, name):
            if self._holds(parent, name, data):
                return
            with descriptors.temporary(parent) as built:
                descriptors.write(parent, built, data)
                descriptors.rename(parent, built, parent, name)
            os.fsync(parent)

    def replace(self, path: str, text: str) -> None:
        head, _ = self._bytes(path, 8192)
        check_text(head, self._label(path))
        with self._parent(path, "written") as (parent, name):
            self._overwrite(parent, name, encoded(text))

    def append(self, path: str, text: str, action: str) -> None:
        before, _ = self._bytes(path, EDIT_AT_MOST + 1)
        after = appended(before, text, self._label(path))
        with self._parent(path, "written") as (parent, name):
            if self._journal.done(f"{action} {path} {text}", before, after):
                return
            now, _ = self._bytes(path, EDIT_AT_MOST + 1)
            if now != before:
                raise ServiceError(f"{self._label(path)} is being changed by another program.")
            self._overwrite(parent, name, after)

    def move(self, source: str, target: str) -> None:
        if f"{target}/".startswith(f"{source}/"):
            raise ServiceError("A folder cannot be moved into itself.")
        with self._parent(source, "moved") as (here, name):
            self._check_movable(here, name)
            with self._parent(target, "written") as (there, new):
                descriptors.transfer(here, name, there, new)

    def copy(self, source: str, target: str) -> None:
        if f"{target}/".startswith(f"{source}/"):
            raise ServiceError("A folder cannot be copied into itself.")
        with self._parent(source, "copied") as (here, name):
            self._check_movable(here, name)
            self._check_single(here, name)
            with self._parent(target, "written") as (there, new):
                if descriptors.status(there, new) is not None:
                    raise FileExistsError(new)
                with descriptors.temporary(there) as built:
                    descriptors.copy(here, name, there, built)
                    self._check_movable(there, built)  # it may have become a link meanwhile
                    descriptors.rename(there, built, there, new)
                os.fsync(there)

    def delete(self, path: str) -> None:
        with self._parent(path, "deleted") as (parent, name):
            self._check_movable(parent, name)
            self._to_trash(parent, name)

    def make_folder(self, path: str) -> None:
        with self._parent(path, "made") as (parent, name):
            found = descriptors.status(parent, name)
            if found is None or not stat.S_ISDIR(found.st_mode):
                os.mkdir(name, dir_fd=parent)
                os.fsync(parent)

    def snapshot(self, key: str) -> str | None:
        with self._parent(key, "kept") as (parent, name):
            state = self._keeper.describe(parent, name, keep=True)
        return json.dumps(state) if state else None

    def restore(self, key: str, state: str | None) -> None:
        wanted = json.loads(state) if state else None
        with self._parent(key, "put back") as (parent, name):
            if self._keeper.describe(parent, name, keep=False) == wanted:
                return
            with descriptors.temporary(parent) as built:
                if wanted:
                    self._keeper.build(parent, built, wanted)
                if descriptors.status(parent, name) is not None:
                    self._to_trash(parent, name)
                if wanted:
                    descriptors.rename(parent, built, parent, name)
            os.fsync(parent)

    def dump(self) -> dict[str, Any]:
        states = {}
        for root in self.roots:
            with descriptors.folder(root, ()) as fd:
                for name in descriptors.names(fd):
                    state = self._keeper.describe(fd, name, keep=False)
                    states[self._label(f"{root}/{name}")] = state
        return states

    def _split(self, path: str) -> tuple[str, tuple[str, ...]]:
        return split(path, self.roots, self.home)

    def _label(self, path: str) -> str:
        return label(path, self.roots)

    @contextlib.contextmanager
    def _explained(self, done: str, path: str) -> Iterator[None]:
        try:
            with explained(f"{self._label(path)} cannot be {done}"):
                yield
        except ServiceError as error:
            if isinstance(error.__cause__, FileExistsError):
                raise ServiceError(
                    f"{self._label(path)} exists already.", hint="Use another name."
                ) from None
            raise

    @contextlib.contextmanager
    def _parent(self, path: str, done: str) -> Iterator[tuple[int, str]]:
        """The folder of the path, open, and the last component."""
        root, parts = self._split(path)
        if not parts:
            raise ServiceError(f"{self._label(root)} is a folder you chose; it stays.")
        with self._explained(done, path), descriptors.folder(root, parts[:-1]) as parent:
            yield parent, parts[-1]

    def _bytes(self, path: str, limit: int) -> tuple[bytes, int]:
        with self._parent(path, "read") as (parent, name):
            self._check_single(parent, name)
            with descriptors.reading(parent, name) as fd:
                return descriptors.read_all(fd, limit), os.fstat(fd).st_size

    def _check_single(self, parent: int, name: str) -> None:
        """Refuse a file that has another name, unless that is in the kept copies or the trash."""
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if not stat.S_ISREG(found.st_mode) or found.st_nlink == 1:
            return
        ours = [*self._trash.glob("*"), self._keeper.link_of(found)]
        same = sum(os.path.lexists(path) and os.path.samestat(path.lstat(), found) for path in ours)
        if found.st_nlink > same + 1:
            raise ServiceError(
                f"{name} has another name elsewhere (a hard link), maybe outside of your folders.",
                hint="Make a copy of it by hand.",
            )

    def _check_movable(self, parent: int, name: str) -> None:
        mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ServiceError("This is a link or a special file; those are left alone.")

    def _holds(self, parent: int, name: str, data: bytes) -> bool:
        found = descriptors.status(parent, name)
        if found is None or not stat.S_ISREG(found.st_mode) or found.st_size != len(data):
            return False
        with descriptors.reading(parent, name) as fd:
            return descriptors.read_all(fd, len(data) + 1) == data

    def _overwrite(self, parent: int, name: str, data: bytes) -> None:
        """The new content takes the name over at once; a link swapped in is replaced itself."""
        mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode & 0o777
        with descriptors.temporary(parent) as built:
            descriptors.write(parent, built, data, mode)
            os.rename(built, name, src_dir_fd=parent, dst_dir_fd=parent)
        os.fsync(parent)

    def _to_trash(self, parent: int, name: str) -> None:
        self._trash.mkdir(parents=True, exist_ok=True, mode=0o700)
        stem, dot, ending = name.rpartition(".")
        with descriptors.folder(str(self._trash), ()) as trash:
            for i in itertools.count(1):
                numbered = f"{stem} ({i}){dot}{ending}" if stem else f"{name} ({i})"
                free = name if i == 1 else numbered
                with contextlib.suppress(FileExistsError):
                    descriptors.transfer(parent, name, trash, free)
                    return


def _entry(path: str, found: os.stat_result) -> Entry:
    kind: Kind = "special"
    if stat.S_ISREG(found.st_mode):
        kind = "file"
    elif stat.S_ISDIR(found.st_mode):
        kind = "folder"
    elif stat.S_ISLNK(found.st_mode):
        kind = "link"
    size = found.st_size if kind == "file" else 0
    return Entry(path, kind, size, datetime.fromtimestamp(found.st_mtime, UTC))


def _check_roots(roots: Sequence[str], trash: Path) -> None:
    if not roots:
        raise ConfigError("No folder is given for files.")
    names = [root.rpartition("/")[2].casefold() for root in roots]
    for root, name in zip(roots, names, strict=True):
        if not name:
            raise ConfigError("The whole disk (/) cannot be a folder for files.")
        if names.count(name) > 1:
            raise ConfigError(
                f"Two folders for files are called {name}.", hint="Give them different names."
            )
        if trash.is_relative_to(root) and not any(
            part.startswith(".") for part in trash.relative_to(root).parts
        ):
            raise ConfigError(f"The folder for files {root} would hold botpsy's own trash {trash}.")
