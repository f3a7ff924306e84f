"""The text of an ``.ics`` file, in pieces that put together again are the same bytes.

Components we do not touch are never parsed into anything and written back: they stay as they are.
The structure is checked; what it lacks is reported with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from botpsy.errors import ServiceError

NEW = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//botpsy//botpsy//EN\r\nCALSCALE:GREGORIAN\r\n"
    "END:VCALENDAR\r\n"
)
_DAY = re.compile(r"^DT(START|END)[^:\n]*:(\d{8})", re.MULTILINE | re.IGNORECASE)
_SPREAD = re.compile(r"^(RRULE|RDATE|RECURRENCE-ID|DURATION)[;:]", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A component right under VCALENDAR, or the lines between components (``name`` "").

    ``line`` counts from 1. ``first`` and ``last`` are the days (YYYYMMDD) an event lies in, "" when
    only a full look can tell. ``end`` marks the line that closes a calendar.
    """

    text: str
    line: int
    name: str = ""
    uid: str = ""
    first: str = ""
    last: str = ""
    end: bool = False


@dataclass(frozen=True, slots=True)
class IcsText:
    """A file's pieces. ``newline`` is the line end it uses."""

    path: Path
    pieces: tuple[Piece, ...]
    newline: str = "\r\n"
    bom: str = ""

    def to_bytes(self) -> bytes:
        """The file's content."""
        return (self.bom + "".join(piece.text for piece in self.pieces)).encode()

    def of(self, uid: str) -> tuple[Piece, ...]:
        """All components of an event: itself and its changed occurrences."""
        return tuple(p for p in self.pieces if p.name == "VEVENT" and p.uid == uid)

    def with_event(self, uid: str, texts: Iterable[str]) -> IcsText:
        """The event's components replaced by others, in the same place; or added at the end."""
        new = [Piece(self._fitted(text), 0, "VEVENT", uid) for text in texts]
        pieces: list[Piece] = []
        for piece in self.pieces:
            mine = piece.name == "VEVENT" and piece.uid == uid
            if mine or (piece.end and new and not self._later_end(piece)):
                pieces += new
                new = []
            if not mine:
                pieces.append(piece)
        return IcsText(self.path, tuple(pieces), self.newline, self.bom)

    def with_zone(self, text: str) -> IcsText:
        """A VTIMEZONE put before the first component."""
        at = next(i for i, piece in enumerate(self.pieces) if piece.name or piece.end)
        zone = Piece(self._fitted(text), 0, "VTIMEZONE")
        pieces = (*self.pieces[:at], zone, *self.pieces[at:])
        return IcsText(self.path, pieces, self.newline, self.bom)

    def _later_end(self, piece: Piece) -> bool:
        return any(other.end and other.line > piece.line for other in self.pieces)

    def _fitted(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\n", self.newline)


def unfolded(text: str) -> str:
    """Long lines joined again (RFC 5545, 3.1), line ends as ``\\n``."""
    return re.sub(r"\r?\n[ \t]", "", text).replace("\r\n", "\n")


def read(path: Path, data: bytes) -> IcsText:
    """Take a file apart.

    Raises:
        ServiceError: it is not an iCalendar file; names file and line.
    """
    if not data.strip():
        data = NEW.encode()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise broken(path, line, "it is not UTF-8 text") from None
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text.removeprefix(bom))
    pieces: list[Piece] = []
    stack: list[str] = []
    between: list[str] = []
    start = 0

    def flush(until: int) -> None:
        if between:
            pieces.append(Piece("".join(between), until - len(between) + 1))
            between.clear()

    for number, line in enumerate(lines):
        mark = line[:6].upper()
        if mark == "BEGIN:":
            stack.append(line[6:].strip().upper())
            if len(stack) == 1 and stack[0] != "VCALENDAR":
                raise broken(path, number + 1, f"{stack[0]} stands outside VCALENDAR")
            if len(stack) == 2:
                flush(number)
                start = number
        if not stack and line.strip():
            raise broken(path, number + 1, "BEGIN:VCALENDAR is missing before this line")
        if len(stack) < 2:
            between.append(line)
        if mark.startswith("END:"):
            name = line[4:].strip().upper()
            if not stack or stack[-1] != name:
                opened = stack[-1] if stack else "nothing"
                raise broken(path, number + 1, f"END:{name} where {opened} is open")
            stack.pop()
            if len(stack) == 1:
                pieces.append(_piece(lines[start : number + 1], start + 1, name))
            elif not stack:
                flush_line = between.pop()
                flush(number)
                pieces.append(Piece(flush_line, number + 1, end=True))
    if stack:
        raise broken(path, len(lines), f"the file ends inside {stack[-1]}")
    flush(len(lines))
    if not any(piece.end for piece in pieces):
        raise broken(path, 1, "there is no VCALENDAR")
    newline = "\r\n" if lines[0].endswith("\r\n") else "\n"
    return IcsText(path, tuple(pieces), newline, bom)


def _piece(lines: list[str], line: int, name: str) -> Piece:
    text = "".join(lines)
    if name == "VTIMEZONE":
        found = re.search(r"^TZID[^:\n]*:(.*)$", unfolded(text), re.MULTILINE | re.IGNORECASE)
        return Piece(text, line, name, found[1].strip() if found else "")
    if name != "VEVENT":
        return Piece(text, line, name)
    plain = unfolded(text)
    if plain.count("BEGIN:") > 1:
        plain = re.sub(r"(?ms)^BEGIN:(?!VEVENT)(\w+).*?^END:\1$", "", plain)
    uid = re.search(r"^UID[^:\n]*:(.*)$", plain, re.MULTILINE | re.IGNORECASE)
    days: dict[str, str] = {name.upper(): day for name, day in _DAY.findall(plain)}
    first = "" if _SPREAD.search(plain) else days.get("START", "")
    last = days.get("END", first) if first else ""
    return Piece(text, line, name, uid[1].strip() if uid else "", first, last)


def broken(path: Path, line: int, what: str) -> ServiceError:
    """The error for a file that cannot be read."""
    return ServiceError(
        f"{path} cannot be read as a calendar: line {line}: {what}.",
        hint="Nothing was changed. Mend the file, or move it away to start a new one.",
    )
