"""Markup to tokens, in time linear in its length, split as browsers split it.

Source: WHATWG HTML, 13.2.5 (tokenization) and 13.2.6.4 (which elements hold raw text; scripts are
taken to run, so ``noscript`` is one of them). Comments and declarations give no token. What a tag,
comment or raw text that never ends would swallow is swallowed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from html.entities import html5
from typing import NamedTuple, TypeAlias

from botpsy.services.html.elements import words

RAW = words("script style textarea title iframe xmp noembed noframes noscript plaintext")
READ = words(
    "aria-hidden bgcolor class color encoding face hidden href id media open popover rel role size "
    "style text"
)
"""The attributes that are kept."""

_SPACE = r"[ \t\n\f\r]"
_NAME = re.compile(r"[a-zA-Z][^ \t\n\f\r/>]*+")
# One attribute, or the end of the tag (then no group took part). An attribute that begins and has
# no end fails, and with it the tag.
_ATTRIBUTE = re.compile(
    rf"(?:{_SPACE}|/)*+(?:>|"
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:{_SPACE}*+={_SPACE}*+(?:\"([^\"]*+)\"|'([^']*+)'|([^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)|(?=>))"
    rf"|(?!{_SPACE}*+=)))"
)
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_PART = re.compile(r"<!(?=--)|-->|<(/?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)
_RAW_END = {name: re.compile(rf"</(?={name}[ \t\n\f\r/>])", re.IGNORECASE) for name in RAW}
_REFERENCE = re.compile(r"&([a-zA-Z][a-zA-Z0-9]*+;?)(=?)")
_ZEROS = re.compile(r"(?<=&#)0+(?=[0-9])|(?<=&#[xX])0+(?=[0-9a-fA-F])")
_HUGE = re.compile(r"&#(?:[0-9]{8}[0-9]*+|[xX][0-9a-fA-F]{7}[0-9a-fA-F]*+);?")


class Start(NamedTuple):
    """A start tag; of its attributes those in ``READ``. ``written`` is the tag as it stands."""

    name: str
    attributes: Mapping[str, str]
    closed: bool
    written: str


class End(NamedTuple):
    """An end tag."""

    name: str


class Text(NamedTuple):
    """Text, its character references replaced."""

    text: str


class Raw(NamedTuple):
    """An element whose content is no markup, with its content."""

    name: str
    attributes: Mapping[str, str]
    text: str


class Doctype(NamedTuple):
    """The declaration that makes browsers keep to the standard."""


Token: TypeAlias = Start | End | Text | Raw | Doctype


def tokens(source: str, foreign: Callable[[], bool] = lambda: False) -> Iterator[Token]:
    """The tokens in order.

    Args:
        source: the markup.
        foreign: whether, after the tokens so far, what follows stands in SVG or MathML, where
            there is no raw text, and where CDATA sections are text.
    """
    at, size = 0, len(source)
    while at < size:
        opening = source.find("<", at)
        if opening < 0:
            opening = size
        if opening > at:
            yield Text(references(source[at:opening]))
        follows = source[opening + 1 : opening + 2]
        if follows in ("!", "?"):
            if source[opening + 2 : opening + 9].lower() == "doctype":
                yield Doctype()
            if source.startswith("<![CDATA[", opening) and foreign():
                at = _after(source, "]]>", opening)
                yield Text(source[opening + 9 : at - 3 if at < size else size])
            else:
                at = _after_comment(source, opening)
            continue
        closing = follows == "/"
        name = _NAME.match(source, opening + 1 + closing)
        if name is None:
            if closing and opening + 2 < size:
                at = _after(source, ">", opening)
            else:
                at = opening + 1 + closing
                yield Text(source[opening:at])
            continue
        attributes, ending = _attributes(source, name.end())
        if ending is None:
            return
        at = ending.end()
        if closing:
            yield End(name[0].lower())
            continue
        closed = ending[0].endswith("/>")
        tag = Start(name[0].lower(), attributes, closed, source[opening:at])
        if tag.name in RAW and not foreign():
            end = size if tag.name == "plaintext" else _raw_end(source, tag.name, at)
            yield Raw(tag.name, attributes, source[at:end])
            ending = _attributes(source, end + 2)[1] if end < size else None
            if ending is None:
                return
            at = ending.end()
        else:
            yield tag


def references(text: str) -> str:
    """Text with its character references replaced, however long their numbers are."""
    if "&#" in text:
        text = _HUGE.sub("\ufffd", _ZEROS.sub("", text))
    return html.unescape(text) if "&" in text else text


def _attributes(source: str, at: int) -> tuple[Mapping[str, str], re.Match[str] | None]:
    """The attributes from here, and the end of the tag; None if it never ends."""
    found: dict[str, str] = {}
    while True:
        match = _ATTRIBUTE.match(source, at)
        if match is None or match[1] is None:
            return found, match
        at = match.end()
        name = match[1].lower()
        if name in READ and name not in found:
            value = match[2] or match[3] or match[4] or ""
            found[name] = references(_REFERENCE.sub(_kept, value)) if "&" in value else value


def _kept(match: re.Match[str]) -> str:
    """A named reference in an attribute, so that replacing references does what browsers do.

    Without a semicolon and before an equals sign or another letter, it is none: ``?a=1&copy=2``.
    """
    name, equals = match[1], match[2]
    kept = name in html5 and (name.endswith(";") or not equals)
    return match[0] if kept else f"&amp;{name}{equals}"


def _raw_end(source: str, name: str, at: int) -> int:
    """Where the end tag of the raw text begins."""
    if name != "script":
        match = _RAW_END[name].search(source, at)
        return match.start() if match else len(source)
    commented = inner = False
    for part in _SCRIPT_PART.finditer(source, at):
        if part[0] == "<!":
            commented = True
        elif part[0] == "-->":
            commented = inner = False
        elif not part[1]:
            inner = inner or commented
        elif not inner:
            return part.start()
        else:
            inner = False
    return len(source)


def _after_comment(source: str, at: int) -> int:
    """Past the comment or declaration that begins here."""
    if not source.startswith("<!--", at):
        return _after(source, ">", at)
    for brief in ("<!-->", "<!--->"):
        if source.startswith(brief, at):
            return at + len(brief)
    match = _COMMENT_END.search(source, at + 4)
    return match.end() if match else len(source)


def _after(source: str, sought: str, at: int) -> int:
    found = source.find(sought, at)
    return len(source) if found < 0 else found + len(sought)
