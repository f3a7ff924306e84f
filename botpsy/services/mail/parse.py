"""Bytes of a mail to a ``Mail``: never an exception, whatever is broken; damage becomes a note.

The compatibility policy of the standard parser is used because it does not raise on malformed
headers; header values are decoded here. Attachments are named, not decoded.
"""

from __future__ import annotations

import email.header
import email.message
import email.parser
import email.policy
import email.utils
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.errors import HeaderParseError

from botpsy.services.html import mail_text
from botpsy.services.mail import Folder, Mail, Mailbox, header_text
from botpsy.services.text import hidden_note

READ_AT_MOST = 1 << 20
"""Bytes of a mail file that are read; text comes before attachments in all common mailers."""
_HEADER_READ = 20_000
_PAGE_READ = 200_000
"""Characters of a mail's HTML; more is no letter to a person."""


def parse(
    data: bytes, id: str, folder: Folder, unread: bool = False, size: int | None = None
) -> Mail:
    """Read a mail. ``size`` is the whole file's, where ``data`` is only its beginning."""
    notes: list[str] = []
    try:
        message = email.parser.BytesParser(policy=email.policy.compat32).parsebytes(data)
        plain, html, attachments = _parts(message, notes)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError, AssertionError):
        notes.append("The mail is badly broken; only its raw beginning is shown.")
        text = data[:4000].decode("utf-8", errors="replace")
        return Mail(id, folder, Mailbox("", ""), text=text, unread=unread, notes=tuple(notes))
    text = "\n\n".join(part.strip() for part in plain if part.strip())
    if not text and html:
        text = _read(html, notes)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    sender = next(iter(_people(message, "from")), Mailbox("", ""))
    subject = _header(message, "subject")
    if found := hidden_note(f"{subject}{text}"):
        notes.append(f"The text has {found}")
    if "@" in sender.name and sender.address.casefold() not in sender.name.casefold():
        notes.append("The sender's name shows another address than the one it came from.")
    if size is not None and size > len(data):
        notes.append(f"The mail is large ({size} bytes); only its first {len(data)} were read.")
    return Mail(
        id=id,
        folder=folder,
        sender=sender,
        to=_people(message, "to"),
        cc=_people(message, "cc"),
        subject=header_text(subject),
        text=text,
        at=_date(_header(message, "date")),
        unread=unread,
        attachments=tuple(attachments),
        notes=tuple(dict.fromkeys(notes)),
        message_id=header_text(_header(message, "message-id")),
        references=header_text(_header(message, "references")),
    )


def _read(html: Sequence[str], notes: list[str]) -> str:
    """The text of HTML parts, each a page of its own."""
    readings = []
    left = _PAGE_READ
    for page in html:
        readings.append(mail_text(page[:left]))
        left -= min(left, len(page))
    if sum(map(len, html)) > _PAGE_READ or any(reading.cut for reading in readings):
        notes.append("The mail's page is very long or tangled; only its beginning was read.")
    if hidden := sum(reading.hidden for reading in readings):
        notes.append(f"{hidden} characters that the sender hid from view are left out.")
    return "\n\n".join(reading.text for reading in readings if reading.text)


def _parts(
    message: email.message.Message, notes: list[str]
) -> tuple[list[str], list[str], list[str]]:
    plain: list[str] = []
    html: list[str] = []
    attachments: list[str] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        filename = part.get_filename()
        if part.get_content_maintype() == "message":
            attachments.append("a forwarded mail")
        elif part.get_content_disposition() == "attachment" or filename:
            attachments.append(header_text(_decode(filename or kind)))
        elif kind == "text/plain":
            plain.append(_text(part, notes))
        elif kind == "text/html":
            html.append(_text(part, notes))
        elif part.get_content_maintype() != "multipart":
            attachments.append(kind)
    return plain, html, attachments


def _leaves(message: email.message.Message) -> Iterator[email.message.Message]:
    """The parts that hold content; mails inside the mail stay closed."""
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        for part in payload:
            if isinstance(part, email.message.Message):
                yield from _leaves(part)
    else:
        yield message


def _text(part: email.message.Message, notes: list[str]) -> str:
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else str(part.get_payload()).encode()
    charset = part.get_content_charset() or "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, ValueError):
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            notes.append("Some characters of the text could not be read.")
            return data.decode("utf-8", errors="replace")


def _header(message: email.message.Message, name: str) -> str:
    return next((_decode(raw) for raw in _raw(message, name)), "")


def _raw(message: email.message.Message, name: str) -> Iterator[str]:
    for key, value in message.raw_items():
        if key.lower() == name:
            yield _utf8(str(value)[:_HEADER_READ])


def _utf8(raw: str) -> str:
    """Unencoded 8-bit text arrives as escaped bytes; it is UTF-8 nowadays."""
    return raw.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def _decode(raw: str) -> str:
    """Encoded words (RFC 2047) to text; what cannot be decoded stays as it is."""
    if "=?" not in raw:
        return raw
    try:
        return str(email.header.make_header(email.header.decode_header(raw)))
    except (ValueError, LookupError, HeaderParseError):
        return raw


def _people(message: email.message.Message, name: str) -> tuple[Mailbox, ...]:
    # Names are decoded after the split: an encoded comma separates nobody.
    pairs = email.utils.getaddresses(list(_raw(message, name)))
    return tuple(
        Mailbox(header_text(_decode(person)), header_text(address))
        for person, address in pairs
        if person or address
    )


def _date(text: str) -> datetime | None:
    try:
        at = email.utils.parsedate_to_datetime(text)
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
