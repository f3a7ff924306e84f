"""Kept copies of files, by content: what undo puts back.

``Keeper.describe`` gives the state of a file or folder as JSON and, on request, keeps its contents
in a private folder, each content once, named by its sha256. A file above ``COPY_AT_MOST`` is not
copied but hard-linked; this is safe for what botpsy does (it never writes into a file, it replaces
it), costs nothing, and works on the same disk only: elsewhere the file is too large to be undone,
and the action is refused. A linked file that another program has written into since is not put
back.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.files import descriptors

COPY_AT_MOST = 64 << 20
ENTRIES_AT_MOST = 2000
BYTES_AT_MOST = 256 << 20
_CHUNK = 1 << 20

State = dict[str, Any]


class Keeper:
    """The folder of kept copies, and the way there and back."""

    def __init__(self, folder: Path, copy_at_most: int = COPY_AT_MOST) -> None:
        self._folder = folder
        self._copy_at_most = copy_at_most

    def describe(self, parent: int, name: str, keep: bool) -> State | None:
        """The state of an entry, None when there is none; with ``keep``, its contents are kept.

        Raises:
            ServiceError: it is too large to be kept, or holds something special.
        """
        if descriptors.status(parent, name) is None:
            return None
        with self._opened(keep) as kept:
            return _Walk(kept, self._copy_at_most).state(parent, name)

    def build(self, parent: int, name: str, state: State) -> None:
        """Make the entry anew from a described state.

        Raises:
            ServiceError: its content is no longer kept.
        """
        with self._opened(True) as kept:
            assert kept is not None
            _build(kept, parent, name, state)

    def link_of(self, found: os.stat_result) -> Path:
        """Where a large file would be kept."""
        return self._folder / _link_name(found)

    @contextlib.contextmanager
    def _opened(self, needed: bool) -> Iterator[int | None]:
        if not needed:
            yield None
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with descriptors.folder(str(self._folder.resolve()), ()) as fd:
            yield fd


class _Walk:
    """One description, with its budget."""

    def __init__(self, kept: int | None, copy_at_most: int) -> None:
        self._kept = kept
        self._copy_at_most = copy_at_most
        self._entries = 0
        self._bytes = 0

    def state(self, parent: int, name: str) -> State:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        self._entries += 1
        if self._kept is not None and self._entries > ENTRIES_AT_MOST:
            raise ServiceError(
                f"The folder holds more than {ENTRIES_AT_MOST} files, too many to be undone.",
                hint="Do it in parts.",
            )
        mode = found.st_mode & 0o777
        if stat.S_ISLNK(found.st_mode):
            return {"link": os.readlink(name, dir_fd=parent)}
        if stat.S_ISDIR(found.st_mode):
            with descriptors.folder_in(parent, name) as inside:
                inner = {child: self.state(inside, child) for child in descriptors.names(inside)}
            return {"folder": inner, "mode": mode}
        common = {"mode": mode, "modified_ns": found.st_mtime_ns, "size": found.st_size}
        if found.st_size > self._copy_at_most:
            return {"linked": self._link(parent, name, found), **common}
        return {"file": self._copy(parent, name), **common}

    def _copy(self, parent: int, name: str) -> str:
        digest = hashlib.sha256()
        with descriptors.reading(parent, name) as fd, contextlib.ExitStack() as stack:
            if self._kept is None:
                while chunk := os.read(fd, _CHUNK):
                    digest.update(chunk)
                return digest.hexdigest()
            built = stack.enter_context(descriptors.temporary(self._kept))
            out = os.open(built, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=self._kept)
            with os.fdopen(out, "wb") as file:
                while chunk := os.read(fd, _CHUNK):
                    digest.update(chunk)
                    file.write(chunk)
                    self._bytes += len(chunk)
                    if self._bytes > BYTES_AT_MOST:
                        raise ServiceError(
                            f"It holds more than {BYTES_AT_MOST >> 20} MB, too much to be undone.",
                            hint="Do it in parts.",
                        )
                file.flush()
                os.fsync(file.fileno())
            content = digest.hexdigest()
            os.rename(built, content, src_dir_fd=self._kept, dst_dir_fd=self._kept)
            return content

    def _link(self, parent: int, name: str, found: os.stat_result) -> str:
        link = _link_name(found)
        if self._kept is not None:
            try:
                os.link(name, link, src_dir_fd=parent, dst_dir_fd=self._kept, follow_symlinks=False)
            except FileExistsError:
                pass
            except OSError as error:
                raise ServiceError(
                    f"{name} is too large ({found.st_size >> 20} MB) for a copy to be kept, so it "
                    f"could not be undone: {error.strerror}.",
                    hint="Do this one by hand.",
                ) from None
        return link


def _link_name(found: os.stat_result) -> str:
    return f"link-{found.st_dev:x}-{found.st_ino:x}"


def _build(kept: int, parent: int, name: str, state: State) -> None:
    if "link" in state:
        os.symlink(state["link"], name, dir_fd=parent)
    elif "folder" in state:
        os.mkdir(name, 0o700, dir_fd=parent)
        with descriptors.folder_in(parent, name) as inside:
            for child, inner in state["folder"].items():
                _build(kept, inside, child, inner)
            os.fchmod(inside, state["mode"])
    elif "linked" in state:
        found = descriptors.status(kept, state["linked"])
        was = (state["size"], state["modified_ns"])
        if found is None or (found.st_size, found.st_mtime_ns) != was:
            raise ServiceError("The kept copy was changed by another program, or is gone.")
        os.link(state["linked"], name, src_dir_fd=kept, dst_dir_fd=parent, follow_symlinks=False)
    else:
        if descriptors.status(kept, state["file"]) is None:
            raise ServiceError("The kept copy of the file is gone.")
        with descriptors.reading(kept, state["file"]) as fd:
            descriptors.copy_bytes(fd, parent, name, state["mode"], state["modified_ns"])
