"""Bytes of a file as text: what is text, what is not, and how text is added."""

from __future__ import annotations

import codecs

from botpsy.errors import ServiceError
from botpsy.services.files import EDIT_AT_MOST, Content
from botpsy.services.storage import encoded


def beginning(data: bytes, size: int, name: str) -> Content:
    """The beginning ``data`` of a file of ``size`` bytes as text.

    Raises:
        ServiceError: it is not a text file.
    """
    left_out = size - len(data)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Content(data.decode("utf-16", "replace").lstrip("\ufeff"), size, left_out)
    check_text(data, name)
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        return Content(decoder.decode(data, final=not left_out), size, left_out)
    except UnicodeDecodeError:
        # The commonest other encoding of plain text; every byte has a character in it.
        return Content(data.decode("latin-1"), size, left_out, exact=False)


def check_text(data: bytes, name: str) -> None:
    """Refuse what no person wrote as text.

    Raises:
        ServiceError: it has null bytes, or mostly control characters.
    """
    head = data[:8192]
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    if b"\0" in head or controls * 20 > len(head):
        raise ServiceError(f"{name} is not a text file.")


def appended(before: bytes, text: str, name: str) -> bytes:
    """The content with the text added on a line of its own, in the file's own line ends.

    Raises:
        ServiceError: it is not UTF-8 text, or too large.
    """
    if len(before) > EDIT_AT_MOST:
        raise ServiceError(f"{name} is too large to add to ({len(before)} bytes).")
    check_text(before, name)
    try:
        before.decode("utf-8")
    except UnicodeDecodeError:
        raise ServiceError(f"{name} is not UTF-8 text, so nothing can be added safely.") from None
    end = "\r\n" if b"\r\n" in before else "\n"
    text = text.replace("\r\n", "\n").replace("\n", end)
    if not text.endswith("\n"):
        text += end
    if before and not before.endswith(b"\n"):
        text = end + text
    return before + encoded(text)
