"""The index itself: a table of files and an FTS5 table of their words, in one SQLite database."""

from __future__ import annotations

import re
import sqlite3

from botpsy.errors import ServiceError
from botpsy.services.documents import Hit

VERSION = 1
_SCHEMA = (
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, size INTEGER NOT NULL, "
    "mtime INTEGER NOT NULL, digest BLOB NOT NULL, problem TEXT NOT NULL)",
    "CREATE VIRTUAL TABLE pages USING fts5("
    "title, body, tokenize = 'porter unicode61 remove_diacritics 2')",
    f"PRAGMA user_version = {VERSION}",
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOPWORDS = _set(
    "a about all an and any are at be by can did do does documents file files find for from "
    "had has have how i in is it look me mention mentions my of on or our search say says show "
    "that the their there this to was we were what when where which who will with you your"
)
_TITLE_WEIGHT = 4.0
_MAX_TERMS = 32


def create(connection: sqlite3.Connection) -> int:
    """Make the tables where the database is new; the version it then has."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version:
        return int(version)
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if not version:  # else another process was quicker
        for statement in _SCHEMA:
            connection.execute(statement)
    connection.commit()
    return int(version) or VERSION


def put(
    connection: sqlite3.Connection,
    path: str,
    title: str,
    body: str,
    *,
    stamp: tuple[int, int, bytes] = (0, 0, b""),
    problem: str = "",
) -> None:
    """Add or replace a document; ``stamp`` is its size, mtime in ns and digest."""
    row = connection.execute(
        "INSERT INTO files(path, size, mtime, digest, problem) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT(path) DO UPDATE SET size=excluded.size, mtime=excluded.mtime, "
        "digest=excluded.digest, problem=excluded.problem RETURNING id",
        (path, *stamp, problem),
    ).fetchone()
    connection.execute("DELETE FROM pages WHERE rowid = ?", row)
    if not problem:
        connection.execute(
            "INSERT INTO pages(rowid, title, body) VALUES (?, ?, ?)", (*row, title, body)
        )


def remove(connection: sqlite3.Connection, path: str) -> None:
    """Take a document out."""
    connection.execute(
        "DELETE FROM pages WHERE rowid IN (SELECT id FROM files WHERE path = ?)", (path,)
    )
    connection.execute("DELETE FROM files WHERE path = ?", (path,))


def search(connection: sqlite3.Connection, query: str, limit: int) -> list[Hit]:
    """Documents with any of the query's words, best first (BM25, a word in the name counts more).

    Raises:
        ServiceError: the query has no words.
    """
    words = re.findall(r"\w+", query.lower())
    terms = [word for word in words if word not in _STOPWORDS] or words
    if not terms:
        raise ServiceError("There is nothing to search for.", hint="Give a word or two.")
    match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms[:_MAX_TERMS]))
    rows = connection.execute(
        "SELECT path, snippet(pages, 1, '', '', ' … ', 32) FROM pages "
        "JOIN files ON files.id = pages.rowid WHERE pages MATCH ? "
        "ORDER BY bm25(pages, ?, 1.0), path LIMIT ?",
        (match, _TITLE_WEIGHT, limit),
    )
    return [Hit(path, path.rsplit("/", 1)[-1], " ".join(text.split())) for path, text in rows]


def title_words(path: str) -> str:
    """A file's name and folders as words: ``tax/2024_car.pdf`` -> ``tax 2024 car pdf``."""
    return " ".join(re.findall(r"[^\W_]+", path))
