"""An index of the folders the user chose, in one SQLite file, brought up to date as needed.

Links are never followed. Hidden files and folders are left out. A file is read again only when its
size or time changed, and indexed again only when its content did. What cannot be indexed (too
large, not text, a link out of the folders) is reported. A damaged index is rebuilt.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from botpsy.errors import ServiceError
from botpsy.services.documents import Hit, Report, Skipped, index
from botpsy.services.documents.text import UnreadableError, extract, is_document

T = TypeVar("T")
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_COMMIT_EVERY = 1000


class _DamagedError(Exception):
    """The database file is not an index of ours, or no longer a whole one."""


class FolderDocuments:
    """Search over ``roots``; ``search`` refreshes an index older than ``max_age_s`` seconds.

    Paths in hits and reports are absolute. Files above ``max_bytes`` are skipped.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        database: Path,
        max_bytes: int = 20_000_000,
        max_age_s: float = 30.0,
    ) -> None:
        self._roots = tuple(root.expanduser().resolve() for root in roots)
        self._database = database
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        self._refreshed = float("-inf")

    def search(self, query: str, limit: int = 5) -> list[Hit]:
        if time.monotonic() - self._refreshed > self._max_age_s:
            self.refresh()
        hits, rebuilt = self._mending(lambda c: index.search(c, query, limit))
        if rebuilt:
            self.refresh()
            hits, _ = self._mending(lambda c: index.search(c, query, limit))
        return hits

    def refresh(self) -> Report:
        """Bring the index up to date with the folders.

        Raises:
            ServiceError: the index cannot be written, or is in use for too long.
        """
        report, rebuilt = self._mending(self._update)
        self._refreshed = time.monotonic()
        return replace(report, rebuilt=rebuilt)

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""

    def _mending(self, work: Callable[[sqlite3.Connection], T]) -> tuple[T, bool]:
        """Do ``work``; where the index is damaged, once more on an empty one. Says whether so."""
        try:
            with self._open() as connection:
                return work(connection), False
        except _DamagedError:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self._database}{suffix}").unlink(missing_ok=True)
            with self._open() as connection:
                return work(connection), True

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._database.parent.mkdir(parents=True, exist_ok=True)
            # The index holds the text of private files: it is readable by its owner alone.
            os.close(os.open(self._database, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(sqlite3.connect(self._database, timeout=30)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                if index.create(connection) != index.VERSION:
                    raise _DamagedError
                yield connection
        except OSError as error:
            raise ServiceError(f"{self._database} cannot be used ({error.strerror}).") from error
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _DAMAGED:
                raise _DamagedError from error
            raise ServiceError(f"The index {self._database} cannot be used: {error}.") from error

    def _update(self, connection: sqlite3.Connection) -> Report:
        rows = connection.execute("SELECT path, size, mtime, digest, problem FROM files")
        known = {
            path: (size, mtime, digest, problem) for path, size, mtime, digest, problem in rows
        }
        skipped: list[Skipped] = []
        added = updated = unchanged = 0
        pending = 0
        for path, root, size, mtime in self._walk(skipped):
            old = known.pop(path, None)
            problem = old[3] if old else ""
            if old is None or old[:2] != (size, mtime):
                try:
                    content = _read(path, self._max_bytes)
                    digest = hashlib.sha256(content).digest()
                    stamp = (size, mtime, digest)
                    if old is not None and old[2] == digest:
                        connection.execute(
                            "UPDATE files SET size=?, mtime=? WHERE path=?", (size, mtime, path)
                        )
                        unchanged += not problem
                    else:
                        text, problem = _text(path, content)
                        title = index.title_words(path.removeprefix(f"{root}/"))
                        index.put(connection, path, title, text, stamp=stamp, problem=problem)
                        added += old is None and not problem
                        updated += old is not None and not problem
                except OSError as error:
                    problem = f"it cannot be read ({error.strerror})"
                    if old is not None:
                        index.remove(connection, path)
                pending += 1
                if pending % _COMMIT_EVERY == 0:
                    connection.commit()
            elif not problem:
                unchanged += 1
            if problem:
                skipped.append(Skipped(path, problem))
        for path in known:
            index.remove(connection, path)
        connection.commit()
        return Report(added, updated, len(known), unchanged, tuple(skipped))

    def _walk(self, skipped: list[Skipped]) -> Iterator[tuple[str, str, int, int]]:
        """(path, root, size, mtime in ns) of every document, in a stable order."""
        for root in self._roots:
            folders = [str(root)]
            while folders:
                folder = folders.pop()
                try:
                    with os.scandir(folder) as scan:
                        entries = sorted(scan, key=lambda entry: entry.name)
                except OSError as error:
                    skipped.append(Skipped(folder, f"it cannot be opened ({error.strerror})"))
                    continue
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_symlink():
                        if not self._inside(entry.path):
                            reason = "it is a link out of the chosen folders"
                            skipped.append(Skipped(_printable(entry.path), reason))
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.is_file(follow_symlinks=False) and is_document(entry.name):
                        try:
                            entry.path.encode()
                            status = entry.stat(follow_symlinks=False)
                        except UnicodeEncodeError:
                            reason = "its name is not UTF-8"
                            skipped.append(Skipped(_printable(entry.path), reason))
                        except OSError:
                            continue  # gone since the listing
                        else:
                            if status.st_size <= self._max_bytes:
                                yield entry.path, str(root), status.st_size, status.st_mtime_ns
                            else:
                                reason = f"it is larger than {self._max_bytes:,} bytes"
                                skipped.append(Skipped(entry.path, reason))

    def _inside(self, link: str) -> bool:
        target = Path(os.path.realpath(link))
        return any(target.is_relative_to(root) for root in self._roots)


def _read(path: str, limit: int) -> bytes:
    """A regular file's bytes; a link or pipe put in its place since the listing is refused."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a file")
        return file.read(limit)


def _text(path: str, content: bytes) -> tuple[str, str]:
    """The text and no problem, or no text and the problem."""
    try:
        return extract(path, content), ""
    except UnreadableError as error:
        return "", str(error)


def _printable(path: str) -> str:
    return path.encode(errors="replace").decode()
