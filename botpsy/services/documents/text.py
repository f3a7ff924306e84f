"""The text of one file, from its bytes and the ending of its name."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import PurePath

from botpsy.services.html import visible_text

MAX_TEXT = 2_000_000
"""Characters kept of one document."""
MAX_PAGES = 1000
"""Pages read of one PDF."""


class UnreadableError(Exception):
    """This file has no text that can be read; the message is the reason."""


def is_document(name: str) -> bool:
    """Whether a file of this name is one that has text."""
    return PurePath(name).suffix.lower() in _READERS


def extract(name: str, content: bytes) -> str:
    """The text, at most ``MAX_TEXT`` characters of it.

    Raises:
        UnreadableError: the content is not what the name promises.
    """
    return _READERS[PurePath(name).suffix.lower()](content)[:MAX_TEXT]


def _plain(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    if b"\0" in content[:8192]:
        raise UnreadableError("it is not text")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _html(content: bytes) -> str:
    page = visible_text(_plain(content))
    return f"{page.title}\n{page.text}"


def _pdf(content: bytes) -> str:
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it reports every flaw of every file
    try:
        pages = []
        size = 0
        for page in pypdf.PdfReader(io.BytesIO(content)).pages[:MAX_PAGES]:
            pages.append(page.extract_text())
            size += len(pages[-1])
            if size > MAX_TEXT:
                break
    # A damaged PDF can make the parser fail in any way; the file is then skipped and reported.
    except Exception as error:
        raise UnreadableError(f"it is not a readable PDF ({type(error).__name__})") from error
    if not any(text.strip() for text in pages):
        raise UnreadableError("it is a PDF without text, perhaps scanned")
    return "\n".join(pages)


_READERS: Mapping[str, Callable[[bytes], str]] = {
    **dict.fromkeys((".txt", ".text", ".md", ".markdown", ".rst", ".org", ".tex"), _plain),
    **dict.fromkeys((".csv", ".tsv"), _plain),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".pdf": _pdf,
}
