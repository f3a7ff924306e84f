"""The vCard format (RFC 6350, RFC 2426): read strictly, written so that nothing is lost.

A card is kept as its unfolded content lines. Changing a contact replaces the lines of what was
changed and leaves every other line, known or unknown, as it was.
"""

from __future__ import annotations

import hashlib
import quopri
import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy.errors import ServiceError
from botpsy.services.contacts import Contact
from botpsy.services.storage import encoded

_LINE = re.compile(
    r"(?:(?P<group>[A-Za-z0-9-]+)\.)?(?P<name>[A-Za-z0-9-]+)"
    r'(?P<parameters>(?:;[^":;]*(?:"[^"]*"[^":;]*)*)*):(?P<value>.*)',
    re.DOTALL,
)
_PART = re.compile(r"((?:\\.|[^;\\]|\\$)*)(?:;|$)", re.DOTALL)
_FIELDS = {
    "name": "FN",
    "nickname": "NICKNAME",
    "emails": "EMAIL",
    "phones": "TEL",
    "address": "ADR",
    "birthday": "BDAY",
    "note": "NOTE",
}
_STRUCTURED = {"ADR": ", ", "N": " ", "ORG": " "}


@dataclass(frozen=True, slots=True)
class Line:
    """One content line: its upper-case property name, parameters as written, raw value."""

    name: str
    parameters: str
    value: str
    text: str


Card = tuple[Line, ...]


def read_cards(data: bytes, file: str) -> list[Card]:
    """The cards of a vCard file.

    Raises:
        ServiceError: it is not a vCard file; the message names the file and the line.
    """

    def wrong(number: int, why: str) -> ServiceError:
        return ServiceError(
            f"{file} cannot be read as a vCard file: line {number}: {why}.",
            hint="Mend the file or move it away; it is left as it is.",
        )

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(data.count(b"\n", 0, error.start) + 1, "not UTF-8 text") from None
    cards: list[Card] = []
    card: list[Line] | None = None
    for number, content in _unfold(text):
        if not content.strip():
            continue
        line = _line(content)
        if line is None:
            raise wrong(number, "not a property")
        marker = (line.name, line.value.strip().upper())
        if marker == ("BEGIN", "VCARD"):
            if card is not None:
                raise wrong(number, "a card begins inside a card")
            card = []
        elif card is None:
            raise wrong(number, "text outside of a card")
        elif marker == ("END", "VCARD"):
            cards.append(tuple(card))
            card = None
        else:
            card.append(line)
    if card is not None:
        raise wrong(text.count("\n") + 1, "the last card has no end")
    return cards


def write_cards(cards: Sequence[Card]) -> bytes:
    """The file: CRLF line ends, lines folded at 75 octets."""
    lines: list[str] = []
    for card in cards:
        lines += ["BEGIN:VCARD", *(line.text for line in card), "END:VCARD"]
    return b"".join(_fold(line) + b"\r\n" for line in lines)


def key_of(card: Card) -> str:
    """The card's UID, or a name made of its content where it has none."""
    for line in card:
        if line.name == "UID" and line.value.strip():
            return line.value.strip()
    content = "\n".join(line.text for line in card)
    return "card-" + hashlib.sha256(content.encode()).hexdigest()[:16]


def contact_of(card: Card) -> Contact:
    """What we understand of a card."""

    def first(*names: str) -> str:
        return next((value for name in names for value in _values(card, name)), "")

    return Contact(
        id=key_of(card),
        name=first("FN", "N", "ORG", "EMAIL", "TEL"),
        nickname=first("NICKNAME"),
        emails=tuple(_values(card, "EMAIL")),
        phones=tuple(_values(card, "TEL")),
        address=first("ADR"),
        birthday=first("BDAY"),
        note=first("NOTE"),
    )


def card_of(contact: Contact, old: Card | None = None) -> Card:
    """The contact as a card: a new one (vCard 4.0), or the old one with what differs changed.

    Raises:
        ServiceError: the old card is vCard 2.1, which cannot be written safely.
    """
    if old is None:
        old = tuple(_lines("VERSION:4.0", f"UID:{contact.id}"))
        before = Contact(contact.id, "")
    else:
        before = contact_of(old)
        if any(line.name == "VERSION" and line.value.strip() == "2.1" for line in old):
            raise ServiceError(
                f"The card of {before.name} is in the old format vCard 2.1.",
                hint="Export the contacts again as vCard 3.0 or 4.0.",
            )
    card = list(old)
    if not any(line.name == "UID" for line in card):
        card += _lines(f"UID:{contact.id}")
    for field, name in _FIELDS.items():
        wanted, have = getattr(contact, field), getattr(before, field)
        if wanted == have:
            continue
        if field == "name":
            card = [line for line in card if line.name != "N"]
            family = contact.name.rpartition(" ")
            card += _lines(f"N:{_escape(family[2])};{_escape(family[0])};;;")
        if isinstance(wanted, tuple):
            card = _with_values(card, name, wanted)
        else:
            value = _escape(wanted)
            new = f";;{value};;;;" if name == "ADR" else value
            card = _with_first(card, name, f"{name}:{new}" if wanted else "")
    return tuple(card)


def _with_values(card: list[Line], name: str, wanted: tuple[str, ...]) -> list[Line]:
    """Lines whose value stays keep their parameters, unless a preference spoils the order."""
    rest = [line for line in card if line.name != name]
    old = {value: line for line in card if line.name == name for value in _values((line,), name)}
    plain = _lines(*(f"{name}:{_escape(value)}" for value in wanted))
    new = [old.get(value, line) for value, line in zip(wanted, plain, strict=True)]
    return rest + (new if _values(new, name) == list(wanted) else plain)


def _values(card: Sequence[Line], name: str) -> list[str]:
    """The readable values of a property, preferred ones first, without repetition."""
    lines = [line for line in card if line.name == name]
    values = []
    for line in sorted(lines, key=lambda line: not _is_preferred(line)):
        value = _decoded(line)
        if name in _STRUCTURED:
            parts = (_unescape(part).strip() for part in _PART.findall(value))
            value = _STRUCTURED[name].join(part for part in parts if part)
        else:
            value = _unescape(value)
        if name == "TEL":
            value = value.removeprefix("tel:")
        values.append(value.strip())
    return list(dict.fromkeys(value for value in values if value))


def _with_first(card: list[Line], name: str, text: str) -> list[Line]:
    new = _lines(text) if text else []
    for i, line in enumerate(card):
        if line.name == name:
            return card[:i] + new + card[i + 1 :]
    return card + new


def _unfold(text: str) -> list[tuple[int, str]]:
    """Logical lines with the number of their first physical line."""
    lines: list[tuple[int, str]] = []
    soft = False
    for number, physical in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if soft and lines:
            lines[-1] = (lines[-1][0], lines[-1][1] + "\n" + physical)
        elif physical[:1] in (" ", "\t") and lines:
            lines[-1] = (lines[-1][0], lines[-1][1] + physical[1:])
        else:
            lines.append((number, physical))
        soft = _quoted_printable(lines[-1][1]) and physical.endswith("=")
    return lines


def _fold(line: str) -> bytes:
    data = encoded(line)
    if len(data) <= 75 or "\n" in line:
        return data.replace(b"\n", b"\r\n")
    pieces = [bytearray()]
    for char in line:
        octets = char.encode()
        if len(pieces[-1]) + len(octets) > (75 if len(pieces) == 1 else 74):
            pieces.append(bytearray())
        pieces[-1] += octets
    return b"\r\n ".join(bytes(piece) for piece in pieces)


def _line(text: str) -> Line | None:
    found = _LINE.fullmatch(text)
    if not found:
        return None
    return Line(found["name"].upper(), found["parameters"], found["value"], text)


def _lines(*texts: str) -> list[Line]:
    lines = []
    for text in texts:
        line = _line(text)
        assert line is not None, text
        lines.append(line)
    return lines


def _quoted_printable(text: str) -> bool:
    return "QUOTED-PRINTABLE" in text.partition(":")[0].upper()


def _decoded(line: Line) -> str:
    if not _quoted_printable(line.text):
        return line.value
    found = re.search(r"CHARSET=\"?([A-Za-z0-9._-]+)", line.parameters, re.IGNORECASE)
    data = quopri.decodestring(line.value.encode("utf-8"))
    try:
        return data.decode(found[1] if found else "utf-8", errors="replace")
    except LookupError:
        return data.decode("utf-8", errors="replace")


def _is_preferred(line: Line) -> bool:
    return bool(re.search(r"(?i)[;=,]\"?PREF(=1)?\"?(?=[;,]|$)", line.parameters))


def _escape(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\\", "\\\\")
    return text.replace("\n", "\\n").replace(",", "\\,").replace(";", "\\;")


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], text)
