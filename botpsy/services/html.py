"""HTML to text: what a reader would see, in time linear in the page, whatever the page.

``visible_text`` keeps all that is shown; ``main_text`` drops navigation, headers, footers, forms
and lists of links, and prefers the page's own ``main`` or ``article``. Elements hidden from the
reader (``hidden``, ``aria-hidden``, ``display:none`` and the like in a style attribute) are left
out of both: hidden text is a favourite way to slip instructions to a model.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_RAW = _set("script style textarea iframe xmp noembed noframes title")
_VOID = _set("area base br col embed hr img input link meta param source track wbr")
_BLOCK = _set(
    "address article aside blockquote body br caption dd details div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol option p pre section "
    "summary table tbody td tfoot th thead tr ul"
)
_NEVER = _set("script style iframe xmp noembed noframes template svg canvas object head")
_ASIDE = _set("nav footer aside form button select textarea dialog menu")
_ASIDE_ROLES = {"navigation", "banner", "contentinfo", "search", "dialog", "complementary", "menu"}
_ASIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|sidebar|breadcrumbs?|adverts?|ads|share|sharing|social|"
    r"newsletter|subscribe|related|pagination|skip-link|navbar|popup|promo)(?:$|[\s_-])"
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|"
    r"opacity\s*:\s*0(?![.\d]*[1-9])"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)((?:[^\"'>]|\"[^\"]*+\"|'[^']*+')*+)>")
_ATTRIBUTE = re.compile(
    r"([^\s=/\"'<>]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?+"
)
_CLOSED_BY_NEXT = _set("p li td th tr option dt dd")
_DEPTH = 256
_Nature: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A page's title, and its text in paragraphs separated by newlines."""

    title: str
    text: str


@dataclass(slots=True)
class _Block:
    aside: bool
    main: bool
    parts: list[str] = field(default_factory=list)
    linked: int = 0

    def text(self) -> str:
        return " ".join("".join(self.parts).split())


def visible_text(source: str) -> Reading:
    """All that is shown."""
    title, blocks = _blocks(source)
    return Reading(title, "\n".join(text for block in blocks if (text := block.text())))


def main_text(source: str) -> Reading:
    """What the page is about. Where that cannot be told, all that is shown."""
    title, blocks = _blocks(source)
    read = [(block, text) for block in blocks if (text := block.text())]
    body = [(block, text) for block, text in read if not block.aside]
    main = [(block, text) for block, text in body if block.main]
    if sum(len(text) for _, text in main) >= 200:
        body = main
    prose = [
        text for block, text in body if not (block.linked > 0.6 * len(text) and len(text) < 200)
    ]
    chosen = prose or [text for _, text in body] or [text for _, text in read]
    return Reading(title, "\n".join(chosen))


def _blocks(source: str) -> tuple[str, list[_Block]]:
    """The title and the blocks of visible text."""
    title = ""
    blocks: list[_Block] = [_Block(aside=False, main=False)]
    stack: list[tuple[str, _Nature]] = []
    inside = Counter[str]()  # how many open elements are of each nature

    def begin_block() -> None:
        if blocks[-1].parts:
            blocks.append(_Block(aside=False, main=False))
        blocks[-1].aside, blocks[-1].main = inside["aside"] > 0, inside["main"] > 0

    def leave(at: int) -> None:
        for _, nature in stack[at:]:
            inside.subtract(nature)
        del stack[at:]

    for kind, name, value in _tokens(source):
        if kind == "text":
            if not inside["hidden"]:
                blocks[-1].parts.append(value)
                if inside["link"]:
                    blocks[-1].linked += len(value.strip())
        elif kind == "title":
            title = title or " ".join(value.split())
        elif kind == "end":
            if inside[f"<{name}>"]:  # else it closes nothing, and searching is in vain
                leave(next(i for i in range(len(stack) - 1, -1, -1) if stack[i][0] == name))
            if name in _BLOCK:
                begin_block()
        else:
            if name not in _VOID and len(stack) < _DEPTH:
                if name in _CLOSED_BY_NEXT and stack and stack[-1][0] == name:
                    leave(len(stack) - 1)
                nature = (f"<{name}>", *_nature(name, value, in_main=inside["main"] > 0))
                stack.append((name, nature))
                inside.update(nature)
            if name in _BLOCK:
                begin_block()
    return title, blocks


def _nature(name: str, attributes: str, in_main: bool) -> _Nature:
    """What an element makes of its content: hidden, aside, main, link."""
    given = _attributes(attributes)
    role = given.get("role", "").lower()
    names = f"{given.get('class', '')} {given.get('id', '')}".lower()
    nature = []
    if (
        name in _NEVER
        or "hidden" in given
        or given.get("aria-hidden", "").lower() == "true"
        or _HIDDEN_STYLE.search(given.get("style", "").lower())
    ):
        nature.append("hidden")
    if (
        name in _ASIDE
        or (name == "header" and not in_main)
        or role in _ASIDE_ROLES
        or (name not in ("html", "body", "main", "article") and _ASIDE_NAMES.search(names))
    ):
        nature.append("aside")
    if name in ("main", "article") or role == "main":
        nature.append("main")
    if name == "a":
        nature.append("link")
    return tuple(nature)


def _attributes(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next((group for group in match.groups()[1:] if group is not None), "")
        found.setdefault(match[1].lower(), html.unescape(value))
    return found


def _tokens(source: str) -> Iterator[tuple[str, str, str]]:
    """(kind, element name, text or attributes); kinds are text, title, start, end."""
    at, size = 0, len(source)
    while at < size:
        opening = source.find("<", at)
        if opening < 0:
            opening = size
        if opening > at:
            yield "text", "", html.unescape(source[at:opening])
        if opening == size:
            return
        if source.startswith("<!--", opening):
            closing = source.find("-->", opening + 4)
            at = size if closing < 0 else closing + 3
            continue
        match = _TAG.match(source, opening)
        if match is None:
            nxt = source[opening + 1 : opening + 2]
            if not (nxt.isalpha() or nxt in ("/", "!", "?")):
                yield "text", "", "<"
                at = opening + 1
                continue
            closing = source.find(">", opening)
            at = size if closing < 0 else closing + 1
            continue
        at = match.end()
        name = match[2].lower()
        if match[1]:
            yield "end", name, ""
            continue
        if name in _RAW:
            end = re.compile(f"</{name}[^>]*>?", re.IGNORECASE).search(source, at)
            content = source[at : end.start() if end else size]
            at = end.end() if end else size
            if name == "title":
                yield "title", "", html.unescape(content)
            continue
        yield "start", name, match[3]
        if match[3].endswith("/") and name in ("svg", "path", "use"):
            yield "end", name, ""
