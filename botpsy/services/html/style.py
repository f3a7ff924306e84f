"""Whether an element's text can be seen: the one rule set for what hides.

Hidden is what an element, or one around it, makes so by ``hidden``, ``aria-hidden``, ``popover``,
``display:none``, ``visibility``, an opacity below a tenth, letters of two pixels or less, a box
without height or width or one of a pixel that cuts off the rest, a place off the screen,
``transform``, ``zoom``, ``letter-spacing``, ``clip``, ``clip-path``, ``filter``, and text in the
colour of its background, or nearly, or transparent. Where children may set it otherwise
(``visibility``, size, colour) the nearest setting counts, as in CSS.

This is a guard against planted instructions, not a browser. What needs layout, pictures, scripts,
style sheets from elsewhere or rarer selectors is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from botpsy.services.html.colours import Colour, colour, first_colour
from botpsy.services.html.css import Declaration, resolved
from botpsy.services.html.elements import words
from botpsy.services.html.lengths import (
    BIG,
    RELATIVE,
    ROOTED,
    lengths,
    measure,
    numbers,
    pixels,
    reckoned,
)

_BLACK, _WHITE = Colour(0, 0, 0), Colour(255, 255, 255)
_LINK = Colour(0, 0, 238)
_CLEAR = Colour(0, 0, 0, 0.0)
_FAINT = 0.1
_TINY = 2.0
_SHRUNK = 0.12
_AWAY, _FAR = -100.0, 2500.0
"""Pixels to the left or the top, or to the right, that take text off the screen."""
_INDENTED, _MOVED = 500.0, 500.0
_DENSE = -8.0
"""Pixels between letters that put them on top of one another."""

_HIDING = frozenset(["hidden", "popover"])
_GROUNDED = words("body table tbody thead tfoot tr td th marquee")
_COLOURED = (
    ("text", frozenset(["body"]), "color"),
    ("color", frozenset(["font", "basefont"]), "color"),
    ("bgcolor", _GROUNDED, "background"),
)


class Size(NamedTuple):
    """A size of letters: pixels, a share of the size around, and one of the page's own size."""

    pixels: float
    share: float = 0.0
    root: float = 0.0


_Value: TypeAlias = bool | float | Colour | Size | None
Said: TypeAlias = Mapping[str, tuple[_Value, bool]]
"""Values by what they are about, with whether they are important. None is: as around."""
_NOTHING = (False, False)


@dataclass(frozen=True, slots=True)
class Look:
    """What an element says of how its text looks; None is nothing."""

    gone: bool = False
    veiled: bool | None = None
    opacity: float = 1.0
    size: Size | None = None
    colour: Colour | None = None
    fill: Colour | None = None
    background: Colour | None = None


PLAIN: Final = Look()


@dataclass(frozen=True, slots=True)
class Seen:
    """How text looks in an element; ``background`` is None where it is not known.

    ``fill`` is what letters are filled with instead of their colour; ``root`` is the page's size of
    letters.
    """

    background: Colour | None = _WHITE
    colour: Colour = _BLACK
    fill: Colour | None = None
    size: float = 16.0
    root: float = 16.0
    opacity: float = 1.0
    veiled: bool = False
    gone: bool = False
    hidden: bool = False

    def inside(self, look: Look) -> Seen:
        """How text looks in an element of this look that stands in this one."""
        if look is PLAIN or self.gone:
            return self
        back = look.background
        if back is not None:
            under = self.background or (back if back.opacity == 1 else None)
            back = back.over(under) if under is not None else None
        else:
            back = self.background
        size = self.size
        if look.size is not None:
            size = look.size.pixels + look.size.share * size + look.size.root * self.root
        now = Seen(
            background=back,
            colour=look.colour or self.colour,
            fill=look.fill or self.fill,
            size=size,
            root=self.root,
            opacity=self.opacity * look.opacity,
            veiled=self.veiled if look.veiled is None else look.veiled,
            gone=look.gone,
        )
        ink = now.fill or now.colour
        faint = now.opacity < _FAINT or ink.opacity < _FAINT
        alike = back is not None and ink.over(back).is_like(back)
        hidden = now.gone or now.veiled or faint or alike or size <= _TINY
        return replace(now, hidden=hidden) if hidden else now


def read(declarations: Iterable[Declaration], variables: Mapping[str, str]) -> Said:
    """What was understood of declarations, of several the one that counts."""
    said: dict[str, tuple[_Value, bool]] = {}
    for name, value, strong in declarations:
        reader = _READERS.get(name)
        if reader is None:
            continue
        whole = resolved(value, variables)
        inherits = name in _INHERITED and whole in _AS_AROUND
        for part, understood in [(name, None)] if inherits else reader(whole):
            if strong or not said.get(part, _NOTHING)[1]:
                said[part] = (understood, strong)
    return said


def look(name: str, attributes: Mapping[str, str], given: Iterable[Said]) -> Look:
    """The look of an element.

    Args:
        name: the element's name.
        attributes: its attributes.
        given: what is said of it, the weakest first, its own style attribute last.
    """
    said = _told_by_attributes(name, attributes)
    for each in given:
        for part, (value, strong) in each.items():
            if strong or not said.get(part, _NOTHING)[1]:
                said[part] = (value, strong)
    link = name == "a" and "href" in attributes
    if not said and not link:
        return PLAIN
    values = {part: value for part, (value, _) in said.items()}
    ink = values.get("color", _LINK if link else None)
    fill, back = values.get("-webkit-text-fill-color"), values.get("background")
    size, veiled = values.get("font-size"), values.get("visibility")
    opacity = values.get("opacity", 1.0)
    if values.get("background-clip") is True and isinstance(back, Colour):
        ink, fill, back = back, back, None  # the letters are cut out of the background
    return Look(
        gone=_is_gone(values),
        veiled=veiled if isinstance(veiled, bool) else None,
        opacity=opacity if isinstance(opacity, float) else 1.0,
        size=size if isinstance(size, Size) else None,
        colour=ink if isinstance(ink, Colour) else None,
        fill=fill if isinstance(fill, Colour) else None,
        background=back if isinstance(back, Colour) else None,
    )


def _told_by_attributes(name: str, attributes: Mapping[str, str]) -> dict[str, tuple[_Value, bool]]:
    said: dict[str, tuple[_Value, bool]] = {}
    if not _HIDING.isdisjoint(attributes) or attributes.get("aria-hidden", "").lower() == "true":
        said["attribute"] = (True, True)
    for attribute, elements, part in _COLOURED:
        value = attributes.get(attribute, "") if name in elements else ""
        if found := colour(value.strip().lower()):
            said[part] = (found, False)
    return said


def _is_gone(values: Mapping[str, _Value]) -> bool:
    def least(*names: str) -> float:
        found = (values.get(name) for name in names)
        return min((each for each in found if isinstance(each, float)), default=BIG)

    box = least("height", "width", "max-height", "max-width", "block-size", "inline-size")
    return (
        any(values.get(name) is True for name in _GONE)
        or box <= 0
        or (values.get("overflow") is True and (box <= 1 or least("line-height") <= 0))
    )


_Read: TypeAlias = Iterable[tuple[str, _Value]]
_GONE = (
    *("attribute", "display", "content-visibility", "mso-hide", "filter", "clip", "clip-path"),
    *("transform", "scale", "left", "top", "right", "bottom", "inset", "text-indent", "translate"),
    *("margin-left", "margin-top", "margin", "padding", "padding-left", "letter-spacing", "zoom"),
)
_INHERITED = words("color font-size visibility -webkit-text-fill-color")
_AS_AROUND = words("inherit unset currentcolor")
_DISPLAYS = words(
    "block inline inline-block flex inline-flex grid inline-grid flow-root contents table "
    "inline-table table-row table-cell table-row-group table-header-group table-footer-group "
    "table-column table-column-group table-caption list-item ruby flow initial inherit unset "
    "revert revert-layer -webkit-box -webkit-flex -ms-flexbox"
)
_KEYWORD_SIZES = words("xx-small x-small small medium large x-large xx-large xxx-large initial")
_FONT = re.compile(r"(?<![-\w.])([0-9.]++(?:%|[a-z]++)?)(?: ?/|[ ])")
_CALL = re.compile(r"([-\w]++)\(([^()]*+)\)?")


def _keyword(hides: str, shows: str) -> Callable[[str, str], _Read]:
    hiding, showing = words(hides), words(shows)

    def read(name: str, value: str) -> _Read:
        if value in hiding or "var(" in value:
            yield name, True
        elif showing.issuperset(value.split()):
            yield name, False

    return read


def _words(*sought: str) -> Callable[[str, str], _Read]:
    def read(name: str, value: str) -> _Read:
        yield name.removeprefix("-webkit-"), not set(sought).isdisjoint(value.split())

    return read


def _opacity(name: str, value: str) -> _Read:
    found = measure(value)
    if found is not None and found[1] in ("", "%"):
        yield name, min(max(found[0] / (100 if found[1] else 1), 0.0), 1.0)
    elif "(" in value and (share := pixels(value)) is not None:
        yield name, min(max(share, 0.0), 1.0)


def _box(name: str, value: str) -> _Read:
    found = pixels(value)
    if found is not None:
        yield name, found
    elif value in ("auto", "none", "normal", "initial", "unset", "max-content", "fit-content"):
        yield name, BIG


def _size(name: str, value: str) -> _Read:
    if value in _KEYWORD_SIZES:
        yield name, Size(16.0)
    elif value in ("smaller", "larger"):
        yield name, Size(0.0, 1.2 if value == "larger" else 0.8)
    elif (found := measure(value)) and found[1] in RELATIVE:
        share = max(found[0], 0.0) * {"%": 0.01, "ex": 0.5, "ch": 0.5}.get(found[1], 1.0)
        yield name, Size(0.0, root=share) if found[1] in ROOTED else Size(0.0, share)
    elif (length := pixels(value)) is not None and length >= 0:
        yield name, Size(length)


def _font(_: str, value: str) -> _Read:
    if match := _FONT.search(value):
        yield from _size("font-size", match[1])


def _ink(name: str, value: str) -> _Read:
    # Of mixtures and choices of colours the first is taken.
    if found := colour(value) or (first_colour(value) if "(" in value else None):
        yield name, found


def _ground(name: str, value: str) -> _Read:
    """A colour; a background without one is transparent."""
    found = first_colour(value)
    if found or name == "background" or value in ("initial", "unset"):
        yield "background", found or _CLEAR


def _place(name: str, value: str) -> _Read:
    """Offsets; of several the one that goes farthest."""
    far = _INDENTED if name == "text-indent" else _FAR
    across = name not in ("top", "bottom", "margin-top")
    if found := lengths(value):
        yield name, min(found) <= _AWAY or (across and max(found) >= far)


def _spacing(name: str, value: str) -> _Read:
    if found := lengths(value):
        yield name, min(found) <= _DENSE


def _zoom(name: str, value: str) -> _Read:
    found = measure(value)
    if found is not None:
        yield name, found[0] / (100 if found[1] else 1) <= _SHRUNK


def _move(name: str, value: str) -> _Read:
    """Changes of scale to nothing, turns to the edge, moves off the screen."""
    value = reckoned(value)
    calls = [(call[1], numbers(call[2])) for call in _CALL.finditer(value)]
    if name != "transform":
        calls = [(name, numbers(value))]
    yield (
        name,
        any(
            (
                call.startswith("scale")
                and any(abs(n) / (100 if u else 1) <= _SHRUNK for n, u in args)
            )
            or (call in ("rotatex", "rotatey") and any(abs(n) % 180 == 90 for n, _ in args))
            or (call == "matrix" and _area([n for n, _ in args]) <= _SHRUNK**2)
            or (call.startswith("translate") and any(abs(n) >= _MOVED for n, _ in args))
            for call, args in calls
        ),
    )


def _area(matrix: list[float]) -> float:
    """What a matrix makes of an area of one."""
    return abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) if len(matrix) == 6 else 1.0


def _clip(name: str, value: str) -> _Read:
    call = _CALL.search(reckoned(value))
    args = numbers(call[2]) if call else []
    if call is None:
        yield name, False
    elif call[1] == "inset":
        cuts = [n if unit == "%" else n / 10 for n, unit in args[:4]] or [0.0]
        top, right, bottom, left = (cuts * 4)[:4] if len(cuts) != 3 else (*cuts, cuts[1])
        yield name, top + bottom >= 100 or right + left >= 100
    elif call[1] == "rect":
        flat = len(args) == 4 and (args[2][0] <= args[0][0] or args[1][0] <= args[3][0])
        yield name, flat or (bool(args) and all(n <= 1 for n, _ in args))
    else:
        yield (
            name,
            bool(args) and all(n == 0 for n, _ in args[: 1 if "circle" in call[1] else None]),
        )


def _filter(name: str, value: str) -> _Read:
    yield (
        name,
        any(
            call[1] == "opacity" and any(n < (10 if u else 0.1) for n, u in numbers(call[2]))
            for call in _CALL.finditer(value)
        ),
    )


def _named(name: str, read: Callable[[str, str], _Read]) -> Callable[[str], _Read]:
    return lambda value: read(name, value)


_READERS: Mapping[str, Callable[[str], _Read]] = {
    name: _named(name, read)
    for names, read in (
        ("display", _keyword("none", " ".join(_DISPLAYS))),
        ("visibility", _keyword("hidden collapse", "visible initial")),
        ("content-visibility", _keyword("hidden", "visible auto initial")),
        ("mso-hide", _keyword("all", "none")),
        ("overflow", _words("auto", "clip", "hidden", "scroll")),
        ("background-clip -webkit-background-clip", _words("text")),
        ("opacity", _opacity),
        ("height width max-height max-width block-size inline-size line-height", _box),
        ("font-size", _size),
        ("font", _font),
        ("color -webkit-text-fill-color", _ink),
        ("background background-color", _ground),
        ("left top right bottom inset margin margin-left margin-top padding padding-left", _place),
        ("text-indent", _place),
        ("letter-spacing", _spacing),
        ("zoom", _zoom),
        ("transform scale translate", _move),
        ("clip clip-path", _clip),
        ("filter", _filter),
    )
    for name in names.split()
}
