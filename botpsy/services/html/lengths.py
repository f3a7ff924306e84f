"""Numbers and lengths of CSS, as pixels of a common screen."""

from __future__ import annotations

import re

NUMBER = r"([-+]?(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:e[-+]?[0-9]++)?+)"
_LENGTH = re.compile(rf"{NUMBER}(%|[a-z]*+)")
_ANY = re.compile(rf"(?<![-\w.#]){NUMBER}(%|[a-z]*+)")
_CALL = re.compile(r"(?<![-\w])(calc|min|max|clamp|)\(([^()]*+)(?:\)|\Z)")
_TERMS = re.compile(r" ([-+]) ")
_FACTORS = re.compile(r"([*/])")
_NESTED = 5
"""Calls within calls that are reckoned out."""
_FONT = 16.0
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945,
    "em": _FONT, "rem": _FONT, "ex": _FONT / 2, "ch": _FONT / 2, "lh": _FONT, "rlh": _FONT,
}  # fmt: skip
_SCREEN = 10.0
"""Pixels in a hundredth of the screen, or of whatever else a length is a part of."""
ROOTED = frozenset(["rem", "rlh"])
RELATIVE = frozenset(["em", "%", "ex", "ch", "lh"]) | ROOTED
"""Units that are relative to the size of letters, around or of the page."""
BIG = 1e9


def number(text: str) -> float:
    """A number, cut to a range in which it can be reckoned with."""
    return min(max(float(text), -BIG), BIG)


def pixels(text: str) -> float | None:
    """A length in pixels; None if it is none."""
    split = measure(reckoned(text))
    return None if split is None else _in_pixels(*split)


def reckoned(text: str) -> str:
    """The text with ``calc`` and the like reckoned out; what cannot be is a question mark."""
    replaced = 1
    for _ in range(_NESTED):
        if replaced and "(" in text:
            text, replaced = _CALL.subn(_result, text)
    return text


def lengths(text: str) -> list[float]:
    """All lengths in a text, in pixels."""
    return [_in_pixels(*each) for each in numbers(reckoned(text))]


def measure(text: str) -> tuple[float, str] | None:
    """A length as number and unit; None if it is none."""
    match = _LENGTH.fullmatch(text)
    return (number(match[1]), match[2]) if match else None


def numbers(text: str) -> list[tuple[float, str]]:
    """All numbers in a text, with their units."""
    return [(number(match[1]), match[2]) for match in _ANY.finditer(text)]


def _in_pixels(value: float, unit: str) -> float:
    return value * _PIXELS.get(unit, _SCREEN)


def _result(call: re.Match[str]) -> str:
    parts = [_sum(part) for part in call[2].split(",")]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return "?"
    if call[1] == "clamp" and len(known) == 3:
        result = max(known[0], min(known[1], known[2]))
    elif call[1] in ("min", "max"):
        result = (min if call[1] == "min" else max)(known)
    elif call[1] in ("calc", "") and len(known) == 1:
        result = known[0]
    else:
        return "?"
    return f"{result:.6f}"


def _sum(text: str) -> float | None:
    total = 0.0
    for sign, term in zip(*[iter(_TERMS.split(f" + {text.strip()}")[1:])] * 2, strict=True):
        product = 1.0
        for operation, factor in zip(*[iter(_FACTORS.split(f"*{term}")[1:])] * 2, strict=True):
            split = measure(factor.strip())
            value = 0.0 if split is None else _in_pixels(*split)
            if split is None or (operation == "/" and value == 0):
                return None
            product = product * value if operation == "*" else product / value
        total += product if sign == "+" else -product
    return min(max(total, -BIG), BIG)
