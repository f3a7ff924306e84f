"""Files of our own, changed so that nothing is ever half written or written twice.

``write_atomically`` writes beside the file, syncs and renames, so a reader (or a crash, or a full
disk) sees the old content or the new. ``locked`` keeps two processes of ours apart. ``explained``
turns the operating system's refusals into errors that say what is wrong. ``Journal`` makes an
append that is run again after a crash append once.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from botpsy.errors import ServiceError

_REASONS = {
    errno.ENOSPC: ("the disk is full", "Free some space and try again."),
    errno.EDQUOT: ("the disk quota is used up", "Free some space and try again."),
    errno.EACCES: ("permission is denied", "Check who may read and write it."),
    errno.EPERM: ("the system does not permit it", "Check who may read and write it."),
    errno.EROFS: ("the disk can only be read", ""),
    errno.ENAMETOOLONG: ("the name is too long", "Use a shorter name."),
    errno.ENOENT: ("it is not there (any more)", ""),
    errno.EISDIR: ("it is a folder", ""),
    errno.ENOTDIR: ("a part of the path is not a folder", ""),
}


@contextlib.contextmanager
def explained(what: str) -> Iterator[None]:
    """Raise ``ServiceError("<what>: <reason>.")`` for an ``OSError``."""
    try:
        yield
    except OSError as error:
        reason, hint = _REASONS.get(error.errno or 0, (error.strerror or str(error), ""))
        raise ServiceError(f"{what}: {reason}. Nothing was changed.", hint=hint) from error


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_atomically(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace or create a file, all or nothing; an existing file keeps its permissions.

    A link is written through, so that a file kept elsewhere stays there.

    Raises:
        OSError: it cannot be done; the old content is untouched.
    """
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode & 0o7777
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of ``path`` (a file of its own beside it) among processes and threads."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def encoded(text: str) -> bytes:
    """The text as UTF-8.

    Raises:
        ServiceError: it holds half a character (a lone surrogate), which no file can.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ServiceError("The text holds a broken character, so it cannot be stored.") from None


def sha256(data: bytes) -> str:
    """The content's name."""
    return hashlib.sha256(data).hexdigest()


class Journal:
    """Remembers, before a change, what it starts from and leads to, by the action's id.

    With a folder it survives a crash; without one (worlds, tests) it lives in memory.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._entries: dict[str, str] = {}

    def done(self, action: str, before: bytes, after: bytes) -> bool:
        """Whether this action's change is already in ``before``; if not, it is noted as begun.

        Raises:
            ServiceError: the action was begun earlier, and the content was changed since by
                someone else, so that nobody can tell.
        """
        key = sha256(action.encode())[:32]
        entry = self._read(key)
        now = sha256(before)
        if entry:
            start, _, end = entry.partition(" ")
            if now == end:
                return True
            if now != start:
                raise ServiceError(
                    "This change was begun before, and the content was changed since.",
                    hint="Look at it before trying again.",
                )
        self._write(key, f"{now} {sha256(after)}")
        return False

    def _read(self, key: str) -> str:
        if self._folder is None:
            return self._entries.get(key, "")
        try:
            return (self._folder / key).read_text("ascii")
        except FileNotFoundError:
            return ""

    def _write(self, key: str, entry: str) -> None:
        if self._folder is None:
            self._entries[key] = entry
        else:
            write_atomically(self._folder / key, entry.encode())
