"""Which elements are open, after tags in any order: nested as browsers nest them.

Every element knows its ``state``, made from its parent's, and text has ``state_of_text``. So what
an element does to its content (hide it, colour it) holds exactly where a browser has it hold:
``<b><div hidden></b>`` leaves the ``div`` open, ``<p><b hidden></p>`` opens the ``b`` again, what
stands in a table outside of its cells is no part of the table.

Source: WHATWG HTML, 13.2.6 (tree construction), with differences that hide more, not less: a block
that a later end tag moves out of what hid it stays hidden, ``select`` takes elements of all kinds,
a ``form`` that ends out of turn goes on, and formatting elements are alike (no more than three of
those are opened again) where they are *written* alike.

All steps take constant time on average but for opening elements again, which can be made to grow
with the square of the markup. It is paid for out of ``work``: when that is used up, ``work`` is
negative, and the rest of the markup is to be left unread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from typing import Generic, TypeVar

from botpsy.services.html.elements import (
    BREAKOUT,
    CELLS,
    CLOSED_IN_SCOPE,
    FOREIGN,
    FORMATTING,
    HEADINGS,
    HOSTS,
    HTML_ENCODINGS,
    IMPLIED,
    MARKED,
    PARAGRAPH_ENDS,
    RUBY,
    SECTIONS,
    SPECIAL,
    TABLE_LEVELS,
    TABLE_PARTS,
    VOID,
    Element,
    Formats,
)
from botpsy.services.html.tokens import End, Start

S = TypeVar("S")
_NO_MORE_BLOCKS = 8
"""Browsers move a formatting element out of that many blocks at one end tag."""


class Nesting(Generic[S]):
    """The open elements.

    Args:
        root: the state of the page itself.
        work: how many elements may be opened again.
    """

    def __init__(self, root: S, work: int) -> None:
        self.work = work
        self._standard = False
        self._untouched = True
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        self._open: list[Element[S]] = []
        self._formats: list[Formats[S]] = [Formats()]
        self._form: Element[S] | None = None
        self._push(Element("html", lambda state: state, ["body"]), root)

    def is_open(self, key: str) -> bool:
        """Whether an element with this name or mark is open."""
        return bool(self._where.get(key))

    def in_foreign(self) -> bool:
        """Whether what follows stands in SVG or MathML."""
        top = self._open[-1]
        return top.space != "" and not top.host

    def state_of_text(self) -> S:
        """The state of text that follows."""
        if not self.in_foreign():
            self._open_again()
        return self._parent().state

    def doctype(self) -> None:
        """The page is declared; counts before the first tag."""
        self._standard = self._standard or self._untouched

    def change_root(self, own: Callable[[S], S], marks: Iterable[str] = ()) -> None:
        """The page itself is of another state, with more marks (a ``body`` tag may come late)."""
        root = self._open[0]
        for mark in marks:
            self._where[mark].insert(0, 0)
        root.state = own(root.state)
        self.work -= len(self._open)
        for element in self._open[1:]:
            element.state = element.own(self._open[element.at - 1].state)

    def start(self, tag: Start, own: Callable[[S], S], marks: Iterable[str] = ()) -> None:
        """A start tag. ``marks`` are names for ``is_open``."""
        self._untouched = False
        name = tag.name
        if self.in_foreign():
            top = self._open[-1]
            if not self._breaks_out(tag):
                drawing = name == "svg" and top.name == "annotation-xml"
                self._push_foreign(name if drawing else top.space, tag, own, marks)
                return
            while self.in_foreign():
                self._pop_to(len(self._open) - 1)
        element = Element(name, own, marks)
        if name in TABLE_PARTS:
            self._table_part(element)
        elif name not in ("html", "head", "body", "frameset") and self._makes_way(element):
            if name not in SPECIAL or name in MARKED or name in ("button", "select"):
                self._open_again()
            if name in FOREIGN:
                self._push_foreign(name, tag, own, marks)
                return
            self._push(element)
            if name in FORMATTING:
                self._formats[-1].add(element, tag.written)

    def end(self, tag: End) -> None:
        """An end tag."""
        self._untouched = False
        name, top = tag.name, self._open[-1]
        if top.space:
            same = self._last(f"/{name}")
            if same > self._last("*html"):
                self._pop_to(same)
                return
            while name in ("p", "br") and self.in_foreign():
                self._pop_to(len(self._open) - 1)
        if name in FORMATTING:
            self._end_formatting(name)
        elif name in HEADINGS:
            self._pop_from("*heading", "*scope")
        elif name == "form":
            self._end_form()
        elif name == "p":
            self._close("p", "button")
        elif name == "li":
            self._close("li", "ol", "ul")
        elif name in CLOSED_IN_SCOPE:
            if self._close(name) and name in MARKED:
                self._forget_formats()
        elif name in TABLE_PARTS or name == "table":
            place = self._last(name)
            if place > 0 and place >= self._last("table", "template"):
                self._end_cell()
                self._pop_to(place)
        elif name == "template":
            if self._pop_from(name):
                self._forget_formats()
        elif name not in ("html", "body", "head"):
            self._pop_from(name, "*special")

    # Steps of the standard.

    def _makes_way(self, element: Element[S]) -> bool:
        """Close what the start of an element closes; whether it is to be opened."""
        name, mode = element.name, self._mode()
        if name == "table" and mode in TABLE_LEVELS and not self._pop_from("table", "template"):
            return False
        if name == "form" and not self.is_open("template"):
            if self._form is not None:
                return False
            self._form = element
            if mode in TABLE_LEVELS:
                return False
        if name in PARAGRAPH_ENDS or (name == "table" and self._standard):
            self._close("p", "button")
        if name in HEADINGS:
            self._pop_implied(HEADINGS, most=1)
        elif name == "li":
            self._close_item(("li",), ("dd", "dt"))
        elif name in ("dd", "dt"):
            self._close_item(("dd", "dt"), ("li",))
        elif name in ("option", "optgroup"):
            self._pop_implied({"option"}, most=1)
        elif name == "button":
            self._close("button")
        elif name == "select":
            return not self._close("select")
        elif name == "input":
            self._close("select")
        elif name == "nobr" and self._last("nobr") > self._last("*scope"):
            self._end_formatting("nobr")
        elif name in RUBY and self._last("ruby") > self._last("*scope"):
            self._pop_implied(IMPLIED - {"rtc"} if name in ("rp", "rt") else IMPLIED)
        elif name == "a" and (link := self._formats[-1].last("a")):
            self._end_formatting("a")
            link.active = False
        return name not in VOID

    def _push(self, element: Element[S], parent: S | None = None) -> None:
        parent = self._parent().state if parent is None else parent
        element.state = element.own(parent)
        element.at = len(self._open)
        element.open = True
        self._open.append(element)
        for key in element.keys:
            self._where[key].append(element.at)
        if element.name in MARKED and not element.space:
            self._formats.append(Formats())

    def _pop_to(self, size: int) -> None:
        while len(self._open) > size:
            element = self._open.pop()
            element.open = False
            for key in element.keys:
                self._where[key].pop()

    def _last(self, *keys: str) -> int:
        """The place of the innermost open element of these kinds; -1 if there is none."""
        return max((places[-1] for key in keys if (places := self._where.get(key))), default=-1)

    def _pop_from(self, name: str, *walls: str) -> bool:
        """Close an element and what is in it, unless a wall stands between."""
        place = self._last(name)
        found = place > 0 and place >= self._last(*walls)
        if found:
            self._pop_to(place)
        return found

    def _pop_implied(self, names: Set[str], most: int | None = None) -> None:
        """Close what needs no end tag."""
        while self._open[-1].name in names and most != 0:
            self._pop_to(len(self._open) - 1)
            most = None if most is None else most - 1

    def _close(self, name: str, *walls: str) -> bool:
        return self._pop_from(name, "*scope", *walls)

    def _close_item(self, names: tuple[str, ...], walls: tuple[str, ...]) -> None:
        place = self._last(*names)
        if place > self._last("*wall", *walls):
            self._pop_to(place)

    def _mode(self) -> str:
        """The innermost part of a table that is open, a table, a template, or nothing."""
        place = self._last("*mode")
        return self._open[place].name if place > 0 else ""

    def _parent(self) -> Element[S]:
        """Where text and elements that are no parts of tables go."""
        top = self._open[-1]
        if top.name in TABLE_LEVELS and not top.space:
            table, template = self._last("table"), self._last("template")
            if table > template:
                return self._open[table - 1]
        return top

    def _push_foreign(
        self, space: str, tag: Start, own: Callable[[S], S], marks: Iterable[str]
    ) -> None:
        if tag.closed:
            return
        host = tag.name in HOSTS[space]
        if tag.name == "annotation-xml":
            host = tag.attributes.get("encoding", "").lower() in HTML_ENCODINGS
        element = Element(tag.name, own)
        element.become_foreign(space, host, marks)
        self._push(element)

    def _breaks_out(self, tag: Start) -> bool:
        return tag.name in BREAKOUT or (
            tag.name == "font" and not {"color", "face", "size"}.isdisjoint(tag.attributes)
        )

    def _table_part(self, element: Element[S]) -> None:
        name, mode = element.name, self._mode()
        if mode == "":
            return
        if self._end_cell():
            mode = self._mode()
        if mode in TABLE_LEVELS:
            if name in CELLS:
                self._pop_to(self._last("tr", *SECTIONS, "table", "template") + 1)
            elif name == "tr":
                self._pop_to(self._last(*SECTIONS, "table", "template") + 1)
            else:
                self._pop_to(self._last("table", "template") + 1)
            for missing in ("tbody", "tr"):
                inside = self._open[-1].name
                if (missing, inside) == ("tbody", "table") and (name in CELLS or name == "tr"):
                    self._push_part(Element(missing, lambda state: state))
                if missing == "tr" and inside in SECTIONS and name in CELLS:
                    self._push_part(Element(missing, lambda state: state))
        if name not in ("col", "colgroup"):
            self._push_part(element)

    def _end_cell(self) -> bool:
        """Close the cell or caption if that is where we are."""
        ended = self._mode() in ("td", "th", "caption")
        if ended:
            self._pop_to(self._last("*mode"))
            self._forget_formats()
        return ended

    def _forget_formats(self) -> None:
        """What was opened in the element that ends now is not opened again."""
        if len(self._formats) > 1:
            self._formats.pop()

    def _push_part(self, element: Element[S]) -> None:
        self._push(element, self._open[-1].state)

    def _open_again(self) -> None:
        order = self._formats[-1].order
        while order and not order[-1].active:
            order.pop()
        if not order or order[-1].open:
            return
        first = len(order)
        while first and not order[first - 1].open:
            first -= 1
        self.work -= sum(len(element.keys) for element in order[first:])
        if self.work < 0:
            return
        for element in order[first:]:
            if element.active:
                self._push(element)
        order[first:] = [element for element in order[first:] if element.active]

    def _end_formatting(self, name: str) -> None:
        """The adoption agency: the element ends, and the blocks in it do not."""
        top = self._open[-1]
        if top.name == name and not top.active:
            self._pop_to(top.at)
            return
        element = self._formats[-1].last(name)
        if element is None:
            self._pop_from(name, "*special")
            return
        if not element.open:
            element.active = False
            return
        if element.at < self._last("*scope"):
            return
        above = self._open[element.at + 1 :]
        self._pop_to(element.at)
        last = max((i for i, each in enumerate(above) if each.block), default=-1)
        element.active = False
        self.work -= sum(len(each.keys) for each in above)
        if self.work < 0:
            return
        blocks = 0
        for each in above if sum(e.block for e in above) >= _NO_MORE_BLOCKS else above[: last + 1]:
            if each.block or each.active or blocks >= _NO_MORE_BLOCKS:
                self._push(each)
            blocks += each.block
            if each.block and blocks == _NO_MORE_BLOCKS:
                element.active = True
                self._push(element)
                self._formats[-1].move(element)
                self.work -= len(self._formats[-1].order)

    def _end_form(self) -> None:
        if self.is_open("template"):
            self._close("form")
            return
        form, self._form = self._form, None
        if form is not None and form.open and form.at > self._last("*scope"):
            self._pop_implied(IMPLIED)
            if form is self._open[-1]:
                self._pop_to(form.at)
