"""The elements of HTML by how they nest, and open elements.

Source: WHATWG HTML, 13.2.4.2 (the stack of open elements), 13.2.6.4.7 ("in body"), 13.2.6.5
(foreign content).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

S = TypeVar("S")


def words(text: str) -> frozenset[str]:
    """A set of names."""
    return frozenset(text.split())


VOID = words(
    "area base basefont bgsound br col embed frame hr image img input keygen link meta param "
    "source track wbr"
)
FORMATTING = words("a b big code em font i nobr s small strike strong tt u")
"""Opened again when something else closes them."""
HEADINGS = words("h1 h2 h3 h4 h5 h6")
CELLS = words("td th")
SECTIONS = words("tbody thead tfoot")
TABLE_PARTS = CELLS | SECTIONS | words("caption colgroup col tr")
TABLE_LEVELS = SECTIONS | words("table tr")
"""In them there is no place for text."""
MARKED = words("applet marquee object template td th caption")
"""What is formatted outside of them is not formatted inside of them."""
PARAGRAPH_ENDS = HEADINGS | words(
    "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption "
    "figure footer form header hgroup hr li listing main menu nav ol p pre search section "
    "summary ul xmp plaintext"
)
"""Their start ends a paragraph."""
CLOSED_IN_SCOPE = (PARAGRAPH_ENDS - HEADINGS - words("p li")) | words(
    "applet button marquee object select"
)
"""Their end tags close what is in them, up to the walls of SCOPE."""
SPECIAL = (
    (PARAGRAPH_ENDS - words("dialog"))
    | TABLE_PARTS
    | MARKED
    | words("table button select html frameset iframe noembed noframes script style textarea title")
)
"""Walls for the end tags of elements without rules of their own."""
SCOPE = MARKED | words("html table select")
"""Walls for end tags."""
RUBY = words("rb rp rt rtc")
IMPLIED = RUBY | words("dd dt li optgroup option p")
"""Elements that need no end tag."""
FOREIGN = words("svg math")
HTML_ENCODINGS = ("text/html", "application/xhtml+xml")
HOSTS = {
    "svg": words("foreignobject desc title"),
    "math": words("mi mo mn ms mtext annotation-xml"),
}
"""Foreign elements in which HTML goes on."""
BREAKOUT = HEADINGS | words(
    "b big blockquote body br center code dd div dl dt em embed head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
"""HTML elements that end SVG and MathML."""
_WALL = SPECIAL - words("address div p li dd dt")
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("*special", SPECIAL),
    ("*scope", SCOPE),
    ("*wall", _WALL),
    ("*heading", HEADINGS),
    ("*mode", TABLE_PARTS | words("table template")),
)


KEYS = {
    name: (name, "*html", *(kind for kind, names in _KINDS if name in names))
    for name in frozenset().union(*(names for _, names in _KINDS))
}


class Element(Generic[S]):
    """An open element. ``own`` makes its state from its parent's.

    ``keys`` are what it can be found by: its name, kinds and marks.
    """

    __slots__ = ("active", "at", "block", "host", "keys", "name", "open", "own", "space", "state")

    def __init__(self, name: str, own: Callable[[S], S], marks: Iterable[str] = ()) -> None:
        self.name = name
        self.own = own
        self.keys: Sequence[str] = (*(KEYS.get(name) or (name, "*html")), *marks)
        self.block = name in SPECIAL
        self.space = ""
        self.host = False
        self.open = self.active = False
        self.at = -1
        self.state: S

    def become_foreign(self, space: str, host: bool, marks: Iterable[str]) -> None:
        """It is of the space "svg" or "math"; a host is one with HTML in it."""
        self.space, self.host = space, host
        self.block = self.name in HOSTS[space]
        kinds = ("*special", "*scope", "*wall") if self.block else ()
        self.keys = (f"/{self.name}", *kinds, *marks)


class Formats(Generic[S]):
    """The formatting elements that are to be opened again when something closes them."""

    def __init__(self) -> None:
        self.order: list[Element[S]] = []
        self.named: defaultdict[str, list[Element[S]]] = defaultdict(list)

    def add(self, element: Element[S], written: str) -> None:
        same = self.named[f"<{written}"]
        same[:] = [each for each in same if each.active]
        if len(same) == 3:
            same.pop(0).active = False
        element.active = True
        same.append(element)
        self.order.append(element)
        self.named[element.name].append(element)

    def move(self, element: Element[S]) -> None:
        """It stands elsewhere now: its turn comes after that of what it stands in."""
        self.order.remove(element)
        place = next((i for i, each in enumerate(self.order) if each.at > element.at), None)
        self.order.insert(len(self.order) if place is None else place, element)

    def last(self, name: str) -> Element[S] | None:
        named = self.named[name]
        while named and not named[-1].active:
            named.pop()
        return named[-1] if named else None
