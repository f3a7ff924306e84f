"""HTML to the text a reader would see. What the author hid is left out and counted.

Hidden are ``display:none``, ``visibility:hidden``, zero size, zero opacity, the ``hidden``
attribute, text moved off the page, and text in (nearly) its background's colour, by inline styles,
by the old colour attributes, or by a rule of the mail's own style sheet for a single tag, class or
id. This is a guard against planted instructions, not a browser: what needs layout is not seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr"]
)  # fmt: skip
_SILENT = frozenset(["head", "title", "script", "style", "template", "noscript", "svg", "object"])
_BREAKS = frozenset(
    ["address", "article", "blockquote", "br", "div", "dl", "dd", "dt", "fieldset", "footer",
     "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
     "pre", "section", "table", "tr", "ul"]
)  # fmt: skip
_ZERO = r"0+(?:\.0+)?(?:px|pt|em|rem|ex|%|vh|vw)?"
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    rf"|(?:^|[;{{\s])(?:max-)?(?:height|width)\s*:\s*{_ZERO}\s*(?:!|;|$)"
    r"|font-size\s*:\s*(?:[01]?(?:\.\d+)?\s*(?:px|pt)?|0+(?:\.0\d*)?\s*(?:r?em|ex|%|v[wh]))\s*(?:!|;|$)"
    r"|opacity\s*:\s*0*(?:\.0\d*)?\s*(?:!|;|$)"
    r"|(?:text-indent|left|top|margin-left|margin-top)\s*:\s*-\d{3,}"
    rf"|line-height\s*:\s*{_ZERO}\s*(?:!|;|$)|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*100)"
    r"|transform\s*:\s*scale[xy]?\(\s*0",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_NAMES = {"white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250),
          "ivory": (255, 255, 240), "whitesmoke": (245, 245, 245), "ghostwhite": (248, 248, 255),
          "transparent": None}  # fmt: skip
READ_AT_MOST = 200_000
"""Characters of one HTML text; more is no letter to a person."""
Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Element:
    tag: str
    hidden: bool
    silent: bool
    colour: Rgb | None
    background: Rgb | None


def to_text(html: str) -> tuple[str, int]:
    """The visible text, and the number of hidden characters that were left out."""
    html = _closed(html[:READ_AT_MOST])
    reader = _Reader(_hiding_rules(html))
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.visible).split("\n"))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return text, reader.hidden


def _closed(html: str) -> str:
    """Without comments and unclosed tags, on which the parser would spend quadratic time."""
    first, *rest = html.split("<!--")
    html = (first + "".join(part.partition("-->")[2] for part in rest)).replace("<!--", "")
    last = html.rfind(">") + 1
    return html[:last] + html[last:].replace("<", "&lt;")


def _hiding_rules(html: str) -> frozenset[str]:
    """Selectors of one tag, class or id that the style sheets in the mail hide.

    Rules for one kind of screen count as well: bare text has no screen.
    """
    collector = _Sheets()
    collector.feed(html)
    collector.close()
    first, *rest = "".join(collector.sheets).split("/*")
    sheet = first + "".join(part.partition("*/")[2] for part in rest)
    rules: set[str] = set()
    for rule in sheet.split("}"):
        selectors, _, body = rule.rpartition("{")
        if _HIDING.search(body):
            rules.update(s.strip().casefold() for s in selectors.rpartition("{")[2].split(","))
    return frozenset(rules)


class _Sheets(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.lasttag == "style":
            self.sheets.append(data)


class _Reader(HTMLParser):
    def __init__(self, rules: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._rules = rules
        self._stack = [_Element("", False, False, None, None)]
        self.visible: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKS:
            self.visible.append("\n")
        elif tag in ("td", "th"):
            self.visible.append(" ")
        if tag not in _VOID:
            self._stack.append(self._element(tag, {k: v or "" for k, v in attrs}))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Only void elements close themselves in HTML; <div/> opens a div.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.visible.append("\n")
        for i in range(len(self._stack) - 1, 0, -1):
            if self._stack[i].tag == tag:
                del self._stack[i:]
                return

    def handle_data(self, data: str) -> None:
        top = self._stack[-1]
        if top.silent:
            return
        if top.hidden:
            self.hidden += len("".join(data.split()))
        else:
            self.visible.append(data.replace("\r", " ").replace("\n", " "))

    def _element(self, tag: str, attributes: dict[str, str]) -> _Element:
        parent = self._stack[-1]
        style = attributes.get("style", "")
        colour = _colour(_COLOUR, style) or _rgb(attributes.get("color", "")) or parent.colour
        background = (
            _colour(_BACKGROUND, style) or _rgb(attributes.get("bgcolor", "")) or parent.background
        )
        names = {tag, f"#{attributes.get('id', '').casefold()}"}
        for name in attributes.get("class", "").casefold().split():
            names |= {f".{name}", f"{tag}.{name}"}
        hidden = (
            parent.hidden
            or "hidden" in attributes
            or bool(_HIDING.search(style))
            or not self._rules.isdisjoint(names)
            or (tag == "font" and attributes.get("size") == "0")
            or (colour is not None and _alike(colour, background or (255, 255, 255)))
        )
        return _Element(tag, hidden, parent.silent or tag in _SILENT, colour, background)


def _colour(pattern: re.Pattern[str], style: str) -> Rgb | None:
    found = pattern.search(style)
    return _rgb(found[1]) if found else None


def _rgb(text: str) -> Rgb | None:
    text = text.strip().casefold()
    if found := re.search(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", text):
        digits = found[1] if len(found[1]) == 6 else "".join(d * 2 for d in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := re.search(r"rgba?\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+)", text):
        return int(found[1]), int(found[2]), int(found[3])
    return _NAMES.get(text.split()[0]) if text else None


def _alike(one: Rgb, other: Rgb) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 24
