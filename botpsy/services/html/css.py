"""Style sheets and style attributes to declarations, in linear time, split as browsers split them.

Comments are gone, escapes replaced, strings and ``url(...)`` stand as ``""``, all in lower case.
Any semicolon or brace outside of those ends a declaration: rather one too many than one missed.

Of selectors those are understood that name elements, classes and ids, also inside of others
(``#a``, ``p.b``, ``.c .d``, ``.c > .d``). Of media those count that are a screen of 1024 pixels.

Source: CSS Syntax 3, Selectors 4, Media Queries 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Generic, NamedTuple, TypeAlias, TypeVar

_LEX = re.compile(
    r"""
    /\*.*?(?:\*/|\Z)
    | (?P<string> "(?:[^"\\\n]|\\.)*+(?:"|(?=\n)|\\?\Z) | '(?:[^'\\\n]|\\.)*+(?:'|(?=\n)|\\?\Z) )
    | (?P<word> (?:[-\w]|\\(?:[0-9a-f]{1,6}[ \t\n\r\f]?|[^\n]))++ )
    | (?P<space> [ \t\n\r\f]++ )
    | (?P<sign> . )
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_ADDRESS = re.compile(r"\([ \t\n\r\f]*+(?![\"' \t\n\r\f])(?:[^)\\]|\\.)*+(?:\)|\\?\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|([^\n]))", re.IGNORECASE)
_VARIABLE = re.compile(r"var\( ?(--[-\w]++) ?(?:,([^()]*+))?+\)")
_WIDTH = re.compile(r"\((min-|max-)?(?:device-)?width ?(?::|([<>])=?) ?([0-9]{1,6})(px|em|rem)?")
_SCREEN = 1024
_VALUE_AT_MOST = 100
"""Characters of a variable's value; more is no colour or size, and would let values grow."""

_Part: TypeAlias = tuple[str, str]


class Declaration(NamedTuple):
    """A property with its value."""

    name: str
    value: str
    important: bool


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """What is said of all that has all of ``names`` and stands in what has all of ``around``."""

    names: frozenset[str]
    around: frozenset[str]
    weight: tuple[int, int, int, int]
    said: T


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    selectors: Sequence[tuple[frozenset[str], frozenset[str]]] = ()
    counts: bool = True
    declarations: list[Declaration] = field(default_factory=list)


class Sheet(Generic[T]):
    """The rules of all sheets of a page, and its variables.

    ``needed`` are the names that rules seek around an element.

    Args:
        texts: the sheets.
        read: what declarations say, given the variables; nothing of interest is false.
    """

    def __init__(
        self,
        texts: Sequence[str],
        read: Callable[[Sequence[Declaration], Mapping[str, str]], T],
    ) -> None:
        self.variables: dict[str, str] = {}
        self.needed: set[str] = set()
        self.rules: dict[str, list[Rule[T]]] = {}
        blocks = [block for text in texts for block in _blocks(text)]
        for block in blocks:
            self.define(block.declarations)
        order = 0
        for block in blocks:
            if not (block.counts and block.selectors):
                continue
            if not (said := read(block.declarations, self.variables)):
                continue
            for names, around in block.selectors:
                order += 1
                rule = Rule(names, around, (*_weight(names, around), order), said)
                self.rules.setdefault(max(names, key=_rarity, default="*"), []).append(rule)
                self.needed |= around

    def define(self, declarations: Sequence[Declaration]) -> None:
        """Keep what they say of variables (wherever it is said)."""
        for name, value, _ in declarations:
            if name.startswith("--") and len(value) <= _VALUE_AT_MOST:
                self.variables[name] = value

    def matching(
        self, names: Set[str], is_open: Callable[[str], bool]
    ) -> tuple[Sequence[Rule[T]], int]:
        """The rules for an element of these names, the weakest first, and the work it took."""
        found: list[Rule[T]] = []
        work = 0
        for name in (*names, "*"):
            for rule in self.rules.get(name, ()):
                work += 1 + len(rule.names) + len(rule.around)
                if rule.names <= names and all(is_open(each) for each in rule.around):
                    found.append(rule)
        return sorted(found, key=lambda rule: rule.weight), work


def declarations(text: str) -> list[Declaration]:
    """Those of a style attribute."""
    return [each for block in _blocks(text) for each in block.declarations]


def resolved(value: str, variables: Mapping[str, str]) -> str:
    """A value with its variables replaced, once."""
    if "var(" not in value:
        return value
    return _VARIABLE.sub(
        lambda found: variables.get(found[1]) or (found[2] or found[0]).strip(), value
    )


def applies(query: str) -> bool:
    """Whether any of the media is the screen described above; what is not understood is."""
    return any(_is_screen(one) for one in query.lower().split(","))


def _blocks(text: str) -> list[_Block]:
    """All blocks in the order in which they begin; the first is the text outside of all."""
    found = [_Block()]
    inside = [found[0]]
    parts: list[_Part] = []

    def declare() -> None:
        if declaration := _declaration(parts):
            inside[-1].declarations.append(declaration)

    for part in _lex(text.replace("<!--", " ").replace("-->", " ")):
        if part == ("sign", "{"):
            block = _begun(inside[-1], parts)
            found.append(block)
            inside.append(block)
        elif part in (("sign", "}"), ("sign", ";")):
            declare()
            if part[1] == "}" and len(inside) > 1:
                inside.pop()
        else:
            parts.append(part)
            continue
        parts.clear()
    declare()
    return found


def _lex(text: str) -> Iterator[_Part]:
    at = 0
    while match := _LEX.match(text, at):
        at = match.end()
        kind = match.lastgroup
        if kind == "word":
            word = (
                _ESCAPE.sub(_character, match[0]).lower() if "\\" in match[0] else match[0].lower()
            )
            if word == "url" and (address := _ADDRESS.match(text, at)):
                at = address.end()
                yield "string", '""'
            else:
                yield "word", word
        elif kind == "sign":
            yield "sign", match[0]
        elif kind is not None:
            yield (kind, " ") if kind == "space" else (kind, '""')


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    code = int(escape[1], 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"


def _declaration(parts: Sequence[_Part]) -> Declaration | None:
    colon = next((i for i, part in enumerate(parts) if part == ("sign", ":")), 0)
    names = [part for part in parts[:colon] if part[0] != "space"]
    if len(names) != 1 or names[0][0] != "word":
        return None
    value = " ".join("".join(text for _, text in parts[colon + 1 :]).split())
    plain, mark, word = value.rpartition("!")
    important = bool(mark) and word.strip() == "important"
    return Declaration(names[0][1], plain.rstrip() if important else value, important)


def _begun(parent: _Block, prelude: Sequence[_Part]) -> _Block:
    parts = list(dropwhile(lambda part: part[0] == "space", prelude))
    if parts[:1] == [("sign", "@")]:
        rule = parts[1][1] if len(parts) > 1 else ""
        counts = parent.counts and (
            applies("".join(text for _, text in parts[2:]))
            if rule == "media"
            else rule in ("supports", "layer", "container", "scope", "starting-style", "document")
        )
        return _Block(parent.selectors, counts)
    nested = [part for part in parts if part != ("sign", "&")]
    if len(nested) < len(parts) and all(kind == "space" for kind, _ in nested):
        return _Block(parent.selectors, parent.counts)
    return _Block(_selectors(nested), parent.counts)


def _is_screen(query: str) -> bool:
    words = set(re.findall(r"[-\w]+", query))
    if "not" in words:
        return True
    if words & {"print", "speech", "portrait"} or words >= {"prefers-color-scheme", "dark"}:
        return False
    for edge, sign, width, unit in _WIDTH.findall(query):
        pixels = int(width) * (16 if unit in ("em", "rem") else 1)
        if (edge == "min-" or sign == ">") and pixels > _SCREEN:
            return False
        if (edge == "max-" or sign == "<") and pixels < _SCREEN:
            return False
    return True


def _selectors(parts: Sequence[_Part]) -> list[tuple[frozenset[str], frozenset[str]]]:
    found = []
    names: set[str] = set()
    around: set[str] = set()
    fresh = understood = True
    sign = ""
    for kind, text in (*parts, ("sign", ",")):
        if kind == "space" or text == ">":
            fresh = True
        elif text == ",":
            if understood and (names or around or sign == "*"):
                found.append((frozenset(names), frozenset(around)))
            names, around = set(), set()
            fresh = understood = True
            sign = ""
        else:
            if fresh:
                around |= names
                names = set()
                fresh = False
            if kind == "word":
                names.add(f"{sign}{text}" if sign in (".", "#") else text)
                sign = ""
            elif kind == "sign" and text in (".", "#", "*"):
                sign = text
            else:
                understood = False
    return found


def _rarity(name: str) -> tuple[bool, bool]:
    return name.startswith("#"), name.startswith(".")


def _weight(names: Set[str], around: Set[str]) -> tuple[int, int, int]:
    everything = (*names, *around)
    ids = sum(name.startswith("#") for name in everything)
    classes = sum(name.startswith(".") for name in everything)
    return ids, classes, len(everything) - ids - classes
