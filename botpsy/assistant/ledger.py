"""The ledger: what was intended, decided and done, in an append-only, hash-chained SQLite file.

Contract:

- An intent is on disk (WAL, full sync) before the action runs; its outcome follows. An intent with
  no outcome is a crash, found by ``pending`` at the next start.
- Every entry's hash covers the entry and the hash before it, so an edited, removed or inserted
  entry breaks ``verify``. Someone who can rewrite the whole file can rewrite the chain: whoever
  needs more keeps the ``head`` elsewhere and gives it to ``verify``.
- Entries are never changed or deleted by botpsy.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import LedgerError

Kind = Literal["intent", "outcome", "denied"]

_GENESIS = "0" * 64
# What the rest of the program relies on in an entry's body.
_CALL = frozenset({"tool", "effect", "arguments", "decision"})
_NEEDED = {"intent": _CALL, "denied": _CALL, "outcome": frozenset({"status"})}
# Crockford's alphabet: no letters that are read for digits.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    seq    INTEGER PRIMARY KEY,
    at     TEXT NOT NULL,
    kind   TEXT NOT NULL,
    action TEXT NOT NULL,
    body   TEXT NOT NULL,
    prev   TEXT NOT NULL,
    hash   TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_action ON entries (action, kind);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger. ``body`` is the JSON that was logged."""

    seq: int
    at: str
    kind: Kind
    action: str
    body: JsonObject
    prev: str
    hash: str


def new_action_id() -> str:
    """Ten random letters and digits (50 bits), easy to type."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(10))


def canonical(value: Json) -> str:
    """One text per JSON value: sorted keys, no spaces, ASCII (lone surrogates survive)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


class Ledger:
    """An open ledger file. One per process and home; several processes may share the file."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            LedgerError: it cannot be opened, or is not a ledger.
        """
        self.path = path
        self._writing = threading.Lock()
        try:
            self._db = sqlite3.connect(
                path, isolation_level=None, timeout=30, check_same_thread=False
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            path.chmod(0o600)
        except (sqlite3.Error, OSError) as error:
            raise LedgerError(
                f"The ledger {path} cannot be opened: {error}.",
                hint="Without a ledger nothing is executed. Check the disk and the file's owner; "
                "if the file is damaged, move it away to keep it, and a new one is begun.",
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def append(self, kind: Kind, action: str, body: JsonObject) -> Entry:
        """Log one entry; it is on disk when this returns.

        Raises:
            LedgerError: it could not be written. Nothing may be executed then.
        """
        text = canonical(body)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            with self._writing:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    seq, prev = self._head()
                    digest = _digest(prev, seq + 1, at, kind, action, text)
                    self._db.execute(
                        "INSERT INTO entries VALUES (?,?,?,?,?,?,?)",
                        (seq + 1, at, kind, action, text, prev, digest),
                    )
                    self._db.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        self._db.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise LedgerError(
                f"The ledger {self.path} cannot be written: {error}.",
                hint="Nothing is executed without being logged first. Free some disk space.",
            ) from None
        return Entry(seq + 1, at, kind, action, body, prev, digest)

    def entries(self, *, action: str = "", last: int = -1) -> list[Entry]:
        """Entries in order; of one action, or the last few."""
        rows = self._read(
            "SELECT * FROM entries WHERE ? IN ('', action) ORDER BY seq DESC LIMIT ?",
            action,
            last,
        )
        return [_entry(row) for row in reversed(rows)]

    def outcome(self, action: str) -> Entry | None:
        """The last outcome of an action, if it has one."""
        rows = self._read(
            "SELECT * FROM entries WHERE action = ? AND kind = 'outcome' ORDER BY seq DESC LIMIT 1",
            action,
        )
        return _entry(rows[0]) if rows else None

    def intent(self, action: str) -> Entry | None:
        """The intent of an action, if it was ever allowed to run."""
        rows = self._read(
            "SELECT * FROM entries WHERE action = ? AND kind = 'intent' LIMIT 1", action
        )
        return _entry(rows[0]) if rows else None

    def pending(self) -> list[Entry]:
        """Intents with no outcome: begun, and never heard of again."""
        rows = self._read(
            "SELECT * FROM entries AS i WHERE kind = 'intent' AND NOT EXISTS (SELECT 1 FROM "
            "entries AS o WHERE o.action = i.action AND o.kind = 'outcome') ORDER BY seq"
        )
        return [_entry(row) for row in rows]

    def find(self, prefix: str) -> str:
        """The full id of the action whose id starts with ``prefix``.

        Raises:
            LedgerError: none does, or more than one.
        """
        like = prefix.lower().replace("%", "").replace("_", "") + "%"
        rows = self._read("SELECT DISTINCT action FROM entries WHERE action LIKE ? LIMIT 2", like)
        if len(rows) != 1 or len(like) < 2:
            found = "more than one action begins" if len(rows) > 1 else "no action begins"
            raise LedgerError(
                f"In the ledger {found} with {prefix!r}.", hint="`botpsy audit show` lists them."
            )
        return str(rows[0][0])

    def head(self) -> tuple[int, str]:
        """Number of entries and the hash of the last one."""
        return self._head()

    def verify(self, head: str = "") -> str:
        """Check the whole chain and return its head.

        Args:
            head: a hash noted earlier, which must still be part of the chain.

        Raises:
            LedgerError: names the first entry that does not fit.
        """
        prev, expected, seen = _GENESIS, 1, not head
        for seq, *fields, row_prev, digest in self._read("SELECT * FROM entries ORDER BY seq"):
            if seq != expected:
                raise LedgerError(f"Ledger entry {expected} is missing.")
            if row_prev != prev or digest != _digest(prev, seq, *fields):
                raise LedgerError(f"Ledger entry {seq} was changed after it was written.")
            prev, expected = digest, seq + 1
            seen = seen or digest == head
        if not seen:
            raise LedgerError(
                f"The ledger no longer holds the entry {head}: it was cut or rewritten."
            )
        return prev

    @contextlib.contextmanager
    def exclusive(self, *, wait: bool = True) -> Iterator[bool]:
        """Hold the one right to change the world from this home.

        It is held from before an intent until after its outcome, so whoever gets it knows that a
        pending intent is a crash and not somebody at work. The kernel frees it when a process dies.

        Yields:
            Whether it was got; always True with ``wait``.

        Raises:
            LedgerError: the lock file cannot be opened.
        """
        lock = self.path.with_suffix(".lock")
        try:
            handle = lock.open("a")
        except OSError as error:
            raise LedgerError(
                f"The lock {lock} cannot be opened: {error.strerror}.",
                hint="Nothing is executed without it. Check the disk and who owns the folder.",
            ) from None
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            yield True

    def _head(self) -> tuple[int, str]:
        rows = self._read("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1")
        return (rows[0][0], rows[0][1]) if rows else (0, _GENESIS)

    def _read(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise LedgerError(f"The ledger {self.path} cannot be read: {error}.") from None


def _digest(prev: str, *fields: str | int) -> str:
    # Lengths keep field boundaries: no two entries hash the same text.
    text = "".join(f"{len(str(field))}:{field}" for field in (prev, *fields))
    return hashlib.sha256(text.encode()).hexdigest()


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, at, kind, action, body, prev, digest = row
    try:
        read = json.loads(body)
        sound = read.keys() >= _NEEDED[kind] and isinstance(at, str) and isinstance(action, str)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise LedgerError(
            f"Ledger entry {seq} is damaged.",
            hint="`botpsy audit verify` names the first entry that was changed. To go on, move the "
            "ledger away to keep it, and a new one is begun.",
        )
    return Entry(seq, at, kind, action, read, prev, digest)
