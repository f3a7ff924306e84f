"""Colours of CSS and of the old colour attributes, as red, green, blue and opacity.

Source: CSS Color 4. Of the spaces that need more than arithmetic (lab, lch, oklab, oklch, color)
only what they say of lightness, or their three channels, is read.
"""

from __future__ import annotations

import colorsys
import re
from typing import NamedTuple

from botpsy.services.html.lengths import NUMBER, number


class Colour(NamedTuple):
    """Channels from 0 to 255, opacity from 0 to 1."""

    red: float
    green: float
    blue: float
    opacity: float = 1.0

    def over(self, other: Colour) -> Colour:
        """What is seen where this lies on another, which is taken for opaque."""
        a = self.opacity
        red, green, blue = (x * a + y * (1 - a) for x, y in zip(self[:3], other[:3], strict=True))
        return Colour(red, green, blue)

    def is_like(self, other: Colour) -> bool:
        """Whether text of one on the other can hardly be read."""
        return max(abs(x - y) for x, y in zip(self[:3], other[:3], strict=True)) <= 24


_HEX = re.compile(r"#?([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})")
_FUNCTION = re.compile(r"(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(([^()]*+)\)?")
_PART = re.compile(rf"{NUMBER}(%|deg|turn|rad|grad)?|\bnone\b")
_FIRST = re.compile(rf"#[0-9a-f]++|{_FUNCTION.pattern}|(?<![-\w/])[a-z]++(?![-\w(])")
_TABLE = (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff "
    "beige f5f5dc bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 "
    "brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e "
    "coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff "
    "darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 "
    "darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 "
    "darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b "
    "darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 "
    "deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff "
    "firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc "
    "ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f "
    "grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 "
    "khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd "
    "lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 "
    "lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a "
    "lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 "
    "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 "
    "magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 "
    "mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a "
    "mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa "
    "mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 "
    "olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa "
    "palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 "
    "peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 "
    "rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 "
    "salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 "
    "skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa "
    "springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 "
    "turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 "
    "yellowgreen 9acd32 "
)
_NAMES = {
    name: Colour(*bytes.fromhex(digits))
    for name, digits in zip(*[iter(_TABLE.split())] * 2, strict=True)
} | {"transparent": Colour(0, 0, 0, 0.0)}
for _system in ("canvas", "field", "window"):
    _NAMES[_system] = _NAMES["white"]
for _system in ("canvastext", "fieldtext", "initial", "windowtext"):
    _NAMES[_system] = _NAMES["black"]


def colour(text: str) -> Colour | None:
    """The colour that a value in lower case names; None if it names none."""
    if named := _NAMES.get(text):
        return named
    if digits := _HEX.fullmatch(text):
        return _hex(digits[1])
    if function := _FUNCTION.fullmatch(text):
        return _function(function[1], function[2])
    return None


def first_colour(text: str) -> Colour | None:
    """The first colour in a value that may hold other things (``background``)."""
    found = (colour(match[0]) for match in _FIRST.finditer(text))
    return next((each for each in found if each is not None), None)


def _hex(digits: str) -> Colour:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, *opacity = bytes.fromhex(digits)
    return Colour(red, green, blue, opacity[0] / 255 if opacity else 1.0)


def _function(name: str, inside: str) -> Colour | None:
    parts = [(number(part[1] or "0"), part[2] or "") for part in _PART.finditer(inside)]
    if len(parts) not in (3, 4):
        return None
    opacity = _share(parts[3], 1) if len(parts) == 4 else 1.0
    if name.startswith("rgb") or name == "color":
        whole = 255 if name.startswith("rgb") else 1
        red, green, blue = (255 * _share(part, whole) for part in parts[:3])
    elif name.startswith("hsl") or name == "hwb":
        turns, (one, two) = _turns(parts[0]), (_share(part, 100) for part in parts[1:3])
        if name == "hwb":
            least, most = (one, 1 - two) if one + two < 1 else (one / (one + two),) * 2
            pure = colorsys.hls_to_rgb(turns, 0.5, 1.0)
            red, green, blue = (255 * (least + channel * (most - least)) for channel in pure)
        else:
            red, green, blue = (255 * each for each in colorsys.hls_to_rgb(turns, two, one))
    else:
        red = green = blue = 255 * _share(parts[0], 1 if name.startswith("ok") else 100)
    return Colour(red, green, blue, opacity)


def _share(part: tuple[float, str], whole: float) -> float:
    value, unit = part
    return min(max(value / (100 if unit == "%" else whole), 0.0), 1.0)


def _turns(part: tuple[float, str]) -> float:
    value, unit = part
    return value / {"turn": 1, "rad": 6.283185307179586, "grad": 400}.get(unit, 360) % 1.0
