"""Numbers and lengths of CSS, as pixels of a common screen."""

from __future__ import annotations

import re

NUMBER = r"([-+]?(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:e[-+]?[0-9]++)?+)"
_LENGTH = re.compile(rf"{NUMBER}(%|[a-z]*+)")
_ANY = re.compile(rf"(?<![-\w.#]){NUMBER}")
_FONT = 16.0
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945,
    "em": _FONT, "rem": _FONT, "ex": _FONT / 2, "ch": _FONT / 2, "lh": _FONT, "rlh": _FONT,
}  # fmt: skip
_SCREEN = 10.0
"""Pixels in a hundredth of the screen, or of whatever else a length is a part of."""
RELATIVE = frozenset(["em", "%", "ex", "ch", "lh"])
"""Units that are relative to the size of the font, where that size is what they set."""
BIG = 1e9


def number(text: str) -> float:
    """A number, cut to a range in which it can be reckoned with."""
    return min(max(float(text), -BIG), BIG)


def pixels(text: str) -> float | None:
    """A length in pixels; None if it is none.

    Of a function no more is told than whether it can be zero: it can if there is a zero in it.
    """
    if "(" in text:
        return 0.0 if any(number(match[1]) == 0 for match in _ANY.finditer(text)) else None
    split = measure(text)
    return None if split is None else split[0] * _PIXELS.get(split[1], _SCREEN)


def measure(text: str) -> tuple[float, str] | None:
    """A length as number and unit; None if it is none."""
    match = _LENGTH.fullmatch(text)
    return (number(match[1]), match[2]) if match else None


def numbers(text: str) -> list[tuple[float, str]]:
    """All numbers in a text, with their units."""
    return [(number(match[1]), match[2]) for match in _LENGTH.finditer(text)]
