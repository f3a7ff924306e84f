"""Amounts as people say them: "40", "40%", "forty", "up", "a bit dimmer", "down 10", "max".

Relative words are resolved against the present value, so that what is shown, logged and run is
absolute, and running it twice is running it once.
"""

from __future__ import annotations

import re
from typing import Any

from botpsy.errors import ToolError


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_UP = _set("up higher louder brighter warmer hotter increase raise more lighter + plus")
_DOWN = _set(
    "down lower quieter softer dimmer darker cooler colder decrease reduce less dim - minus"
)
_TOP = _set("max maximum full highest loudest brightest fully")
_BOTTOM = _set("min minimum lowest off")
_LITTLE = _set("bit little slightly touch tad")
_UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {
    **{word: i for i, word in enumerate(_UNITS.split())},
    **{word: 10 * (i + 2) for i, word in enumerate(_TENS.split())},
    "hundred": 100,
    "half": 50,
    "halfway": 50,
}
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[+-]")


def level(value: Any, now: float, low: float, high: float, step: float) -> float:
    """The amount meant by ``value``, from ``low`` to ``high`` where it is relative or an extreme.

    ``step`` is what "up" and "down" alone mean; "a bit" is half of it.

    Raises:
        ToolError: it is no amount.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    tokens = _TOKEN.findall(value.lower()) if isinstance(value, str) else []
    words = set(tokens)
    number = _number(tokens)
    sign = bool(words & _UP) - bool(words & _DOWN)
    by_one_end = bool(words & _UP) != bool(words & _DOWN)
    if by_one_end and not ("to" in words and number is not None):
        if number is None:
            number = step / 2 if words & _LITTLE else step
        return min(high, max(low, now + sign * number))
    if number is not None:
        return number
    if words & _TOP:
        return high
    if words & _BOTTOM:
        return low
    raise ToolError(
        f"{value!r} is no amount.", hint="Give a number, or a word like up, down, max or min."
    )


def _number(tokens: list[str]) -> float | None:
    digits = next((float(token) for token in tokens if token[0].isdigit()), None)
    spoken = [_NUMBERS[token] for token in tokens if token in _NUMBERS]
    if "hundred" in tokens and digits is None:
        spoken = [100 * (sum(spoken) - 100 or 1)]
    return digits if digits is not None else float(sum(spoken)) if spoken else None


__all__ = ["level"]
