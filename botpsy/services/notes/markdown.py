"""The Markdown of notes and lists: read leniently, changed line by line, the rest untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy.errors import ToolError
from botpsy.services.text import one_line

_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[(?P<mark>[ xX])\]\s+)?(?P<text>\S.*?)\s*")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a checklist."""

    text: str
    done: bool = False


def titled(name: str, text: str = "") -> str:
    """A new document: a heading, then the text."""
    return f"# {name}\n" + (f"\n{text.strip()}\n" if text.strip() else "")


def body(name: str, document: str) -> str:
    """The text without the heading that repeats the name."""
    first, _, rest = document.partition("\n")
    is_heading = first.startswith("#") and first.lstrip("#").strip().casefold() == name.casefold()
    return (rest if is_heading else document).strip()


def added(document: str, text: str) -> str:
    """The document with a paragraph more."""
    if not document.strip():
        return f"{text.strip()}\n"
    return f"{document.rstrip()}\n\n{text.strip()}\n"


def items(document: str) -> list[Item]:
    """The entries, in order; ticked ones are done."""
    return [item for line in document.splitlines() if (item := _item(line))]


def with_items(document: str, new: Sequence[str]) -> str:
    """The document with entries more, those left out that are there and not done."""
    missing = [text for text in new if not _is_open(document, text)]
    if not missing:
        return document
    lines = "".join(f"- [ ] {text}\n" for text in dict.fromkeys(map(one_line, missing)))
    document = document.rstrip("\n")
    if not document:
        return lines
    # A list that follows a heading or a paragraph needs an empty line before it.
    gap = "\n" if _item(document.splitlines()[-1]) else "\n\n"
    return f"{document}{gap}{lines}"


def without_item(document: str, words: str) -> tuple[str, str]:
    """The document without one entry, and the entry's text.

    Raises:
        ToolError: none, or more than one, is meant.
    """
    lines = document.splitlines(keepends=True)
    entries = [(i, item.text) for i, line in enumerate(lines) if (item := _item(line.rstrip()))]
    wanted = one_line(words).casefold()
    found = [(i, text) for i, text in entries if text.casefold() == wanted]
    if not found:
        found = [
            (i, text)
            for i, text in entries
            if wanted and set(wanted.split()) <= set(text.casefold().split())
        ]
        if len({text.casefold() for _, text in found}) > 1:
            names = ", ".join(text for _, text in found[:8])
            raise ToolError(f"Several entries fit {words!r}: {names}.", hint="Which one?")
    if not found:
        have = ", ".join(text for _, text in entries[:20])
        raise ToolError(f"{words!r} is not on the list.", hint=f"On it: {have}." if have else "")
    i, text = found[0]
    return "".join(lines[:i] + lines[i + 1 :]), text


def _is_open(document: str, text: str) -> bool:
    wanted = one_line(text).casefold()
    return any(not item.done and item.text.casefold() == wanted for item in items(document))


def _item(line: str) -> Item | None:
    found = _ITEM.fullmatch(line)
    return Item(found["text"], (found["mark"] or " ") in "xX") if found else None
