"""HTML to text: what a reader would see, in time linear in the page, whatever the page.

``visible_text`` keeps all that is shown; ``main_text`` drops navigation, headers, footers, forms
and lists of links, and prefers the page's own ``main`` or ``article``; ``mail_text`` is all that is
shown with the blank lines of a letter. Hidden text is left out of all three and counted: it is a
favourite way to slip instructions to a model. What hides is in ``style``; beyond it, what browsers
never show as text (scripts, templates, drawings, the insides of choices and media).

A page that is tangled beyond reason is read up to where the tangle begins (``Reading.cut``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from urllib.parse import urljoin, urlsplit

from botpsy.services.html.css import Sheet, applies, declarations
from botpsy.services.html.elements import words
from botpsy.services.html.nesting import Nesting
from botpsy.services.html.style import PLAIN, Look, Said, Seen, look, read
from botpsy.services.html.tokens import RAW, Doctype, End, Raw, Start, Text, references, tokens

_PARAGRAPHS = words("blockquote dl h1 h2 h3 h4 h5 h6 hr listing ol p pre table ul")
_LINES = words(
    "address article aside body caption center dd details dialog dir div dt fieldset figcaption "
    "figure footer form header hgroup html legend li main menu nav optgroup option search section "
    "summary tbody tfoot thead tr"
)
_NEVER = words("annotation annotation-xml audio canvas datalist object select svg template video")
_ASIDE = words("nav footer aside form button dialog menu")
_ASIDE_ROLES = {"navigation", "banner", "contentinfo", "search", "dialog", "complementary", "menu"}
_ASIDE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|sidebar|breadcrumbs?|adverts?|ads|share|sharing|social|"
    r"newsletter|subscribe|related|pagination|skip-link|navbar|popup|promo)(?:$|[\s_-])"
)
_SHEETS = re.compile(r"<(?:style|link)[\s/>]", re.IGNORECASE)
_AROUND_URL = "".join(map(chr, range(33)))
_NOT_IN_URL = dict.fromkeys(map(ord, "\t\n\r"))
_SLASHES = re.compile(r"^(https?:)?//+", re.IGNORECASE)
_HREF = 2000
"""Characters of an address; more is no link to follow."""
_LINK_TEXT = 200


@dataclass(frozen=True, slots=True)
class Link:
    """A link that is shown: its text and where it really leads, an http(s) address."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A page's title, and its text in paragraphs separated by newlines.

    ``hidden`` is the number of characters that were left out because they are hidden; ``cut`` says
    that the end of the page was not read.
    """

    title: str
    text: str
    links: tuple[Link, ...] = ()
    hidden: int = 0
    cut: bool = False


@dataclass(slots=True, eq=False)
class _Anchor:
    href: str
    parts: list[str] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True, slots=True)
class _State:
    seen: Seen = Seen()
    never: bool = False
    aside: bool = False
    main: bool = False
    anchor: _Anchor | None = None


_Own: TypeAlias = Callable[[_State], _State]


@dataclass(slots=True, eq=False)
class _Block:
    """A paragraph or line. ``gap`` is the number of line breaks before it."""

    gap: int = 0
    shown: bool = False
    aside: bool = False
    main: bool = False
    parts: list[str] = field(default_factory=list)
    linked: int = 0
    anchors: dict[_Anchor, None] = field(default_factory=dict)
    text: str = ""


def visible_text(source: str, address: str = "") -> Reading:
    """All that is shown. ``address`` is the page's own, to which its links are relative."""
    page = _Page(source)
    return page.reading(page.blocks, address)


def mail_text(source: str) -> Reading:
    """All that is shown of a mail, which has no style sheets but its own."""
    page = _Page(source, alone=True)
    lines = [("\n\n" if block.gap > 1 else "\n") + block.text for block in page.blocks]
    return replace(page.reading(page.blocks), text="".join(lines).strip())


def main_text(source: str, address: str = "") -> Reading:
    """What the page is about. Where that cannot be told, all that is shown."""
    page = _Page(source)
    body = [block for block in page.blocks if not block.aside]
    main = [block for block in body if block.main]
    if sum(len(block.text) for block in main) >= 200:
        body = main
    prose = [
        block
        for block in body
        if not (block.linked > 0.6 * len(block.text) and len(block.text) < 200)
    ]
    if 5 * sum(len(block.text) for block in prose) < sum(len(block.text) for block in body):
        prose = body  # a page that lists links
    return page.reading(prose or body or page.blocks, address)


class _Page:
    """A page as it is read: its title and its blocks of text that is shown."""

    def __init__(self, source: str, alone: bool = False) -> None:
        styles, outside = _styles(source)
        self._sheet = Sheet(styles, read)
        self._root: dict[str, dict[str, str]] = {"html": {}, "body": {}}
        self._seen = Seen(background=None) if outside and not alone else Seen()
        self._nesting = Nesting(_State(self._seen), work=200_000 + 4 * len(source))
        self._change_root()
        self._title = ""
        self._base = ""
        self._hidden = 0
        self._cut = False
        self._reading = [_Block()]
        self._read(source)
        for block in self._reading:
            block.text = " ".join("".join(block.parts).split())
        self.blocks = [block for block in self._reading if block.text]

    def reading(self, blocks: Iterable[_Block], address: str = "") -> Reading:
        """What is to be said of these blocks; their links come before those of others."""
        text = "\n".join(block.text for block in blocks)
        anchors = dict.fromkeys(
            anchor for block in (*blocks, *self.blocks) for anchor in block.anchors
        )
        base = _joined(address, self._base) or address
        links = [
            Link(shown, url)
            for anchor in anchors
            if (shown := " ".join("".join(anchor.parts).split()))
            and (url := _joined(base, anchor.href))
        ]
        return Reading(self._title, text, tuple(links), self._hidden, self._cut)

    def _read(self, source: str) -> None:
        nesting = self._nesting
        for token in tokens(source, nesting.in_foreign):
            match token:
                case Text(text):
                    self._text(text)
                case Start(name, attributes):
                    if name == "frameset" and not any(block.shown for block in self._reading):
                        return
                    own, names = self._own(name, attributes)
                    nesting.start(token, own, names & self._sheet.needed)
                    self._started(name, attributes)
                case End(name):
                    nesting.end(token)
                    self._separate(name)
                case Raw("title", _, text):
                    self._title = self._title or " ".join(references(text).split())
                case Raw("xmp" | "plaintext", _, text):
                    self._break(2)
                    self._text(text)
                    self._break(2)
                case Doctype():
                    nesting.doctype()
                case Raw():
                    pass
            if nesting.work < 0:
                self._cut = True
                return

    def _text(self, text: str) -> None:
        stripped = text.strip()
        if not stripped:
            self._reading[-1].parts.append(" ")
            return
        state = self._nesting.state_of_text()
        if state.never or self._nesting.work < 0:
            return
        if state.seen.hidden:
            self._hidden += len("".join(stripped.split()))
            return
        block = self._reading[-1]
        if not block.shown:
            block.shown, block.aside, block.main = True, state.aside, state.main
        block.parts.append(text)
        if anchor := state.anchor:
            block.linked += len(stripped)
            block.anchors.setdefault(anchor)
            if anchor.size < _LINK_TEXT:
                anchor.parts.append(text[:_LINK_TEXT])
                anchor.size += len(stripped)

    def _started(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in self._root and not self._nesting.is_open("template"):
            given = self._root[name]
            if new := {key: value for key, value in attributes.items() if key not in given}:
                given.update(new)
                self._change_root()
        if name == "base" and not self._base:
            self._base = attributes.get("href", "")
        self._separate(name)

    def _separate(self, name: str) -> None:
        """Elements that stand in lines of their own, or in cells, are set apart."""
        if name == "br":
            self._break(self._reading[-1].gap + 1 if not self._reading[-1].shown else 1)
        elif name in _PARAGRAPHS:
            self._break(2)
        elif name in _LINES:
            self._break(1)
        elif name in ("td", "th"):
            self._reading[-1].parts.append(" ")

    def _break(self, gap: int) -> None:
        if self._reading[-1].shown:
            self._reading.append(_Block())
        self._reading[-1].gap = max(self._reading[-1].gap, gap)

    def _change_root(self) -> None:
        seen = self._seen
        marks: set[str] = set()
        for name, attributes in self._root.items():
            looks, names = self._look(name, attributes)
            seen = seen.inside(looks)
            if name == "html":
                seen = replace(seen, root=seen.size)
            marks |= names & self._sheet.needed
        self._nesting.change_root(lambda state: replace(state, seen=seen), marks)

    def _look(self, name: str, attributes: Mapping[str, str]) -> tuple[Look, frozenset[str]]:
        """How it looks, and the names under which style sheets may know it."""
        given: list[Said] = []
        names: frozenset[str] = frozenset()
        if self._sheet.rules:
            classes = attributes.get("class", "").lower().split()
            names = frozenset([name, *(f".{each}" for each in classes)])
            if "id" in attributes:
                names |= {f"#{attributes['id'].strip().lower()}"}
            rules, work = self._sheet.matching(names, self._nesting.is_open)
            self._nesting.work -= work
            given += [rule.said for rule in rules]
        if style := attributes.get("style"):
            own = declarations(style)
            self._sheet.define(own)
            given.append(read(own, self._sheet.variables))
        return look(name, attributes, given), names

    def _own(self, name: str, attributes: Mapping[str, str]) -> tuple[_Own, frozenset[str]]:
        """What the element makes of the state around it."""
        looks, names = self._look(name, attributes)
        role = attributes.get("role", "").strip().lower()
        never = name in _NEVER or name in RAW or (name == "dialog" and "open" not in attributes)
        main = name in ("main", "article") or role == "main"
        aside = name in _ASIDE or role in _ASIDE_ROLES
        if not aside and name not in ("html", "body", "main", "article"):
            called = f"{attributes.get('class', '')} {attributes.get('id', '')}".lower()
            aside = called != " " and _ASIDE_NAMES.search(called) is not None
        anchor = _Anchor(attributes["href"]) if name == "a" and "href" in attributes else None
        header = name == "header"
        if looks is PLAIN and not (never or main or aside or anchor or header):
            return _unchanged, names

        def own(state: _State) -> _State:
            return _State(
                state.seen.inside(looks),
                state.never or never,
                state.aside or aside or (header and not state.main),
                state.main or main,
                anchor or state.anchor,
            )

        return own, names


def _unchanged(state: _State) -> _State:
    return state


def _styles(source: str) -> tuple[list[str], bool]:
    """The style sheets in the page, and whether it names sheets elsewhere."""
    if not _SHEETS.search(source):
        return [], False
    found: list[str] = []
    outside = False
    for token in tokens(source):
        match token:
            case Raw("style", attributes, text) if applies(attributes.get("media", "")):
                found.append(text)
            case Start("link", attributes):
                outside |= "stylesheet" in attributes.get("rel", "").lower().split()
    return found, outside or any("@import" in text for text in found)


def _joined(base: str, href: str) -> str:
    """An address as browsers complete it; empty if it is a place in the page or not of the web."""
    href = href.strip(_AROUND_URL).translate(_NOT_IN_URL)
    if not href or href.startswith("#") or len(href) > _HREF:
        return ""
    path = re.split("[?#]", href, maxsplit=1)[0]
    href = _SLASHES.sub(r"\1//", path.replace("\\", "/")) + href[len(path) :]
    try:
        parts = urlsplit(urljoin(base, href))
    except ValueError:
        return ""
    return parts.geturl() if parts.scheme in ("http", "https") and parts.hostname else ""
