"""Short answers that are right or wrong: numbers, polynomials, lists, words.

Reference: ``{"answer": "3/4", "form": "number", "tolerance": 0}``. Forms:

- ``number``: an integer, decimal, fraction or power of ten, compared exactly as a rational number,
  or within ``tolerance``: |given - right| <= tolerance * max(1, |right|). A sum is no number.
- ``fraction``: ``a/b`` in lowest terms, as asked for; one that can be reduced is wrong.
- ``polynomial``: expanded, with like terms collected; an added constant C counts for nothing.
- ``list``: items in order, each compared as number or text; with or without brackets.
- ``expression``: whatever LaTeX says it is, compared by what it means (see ``expression``): for
  formulas, equations, sets and intervals. ``2+2`` is ``4`` here, so it is not for sums that were
  asked for.
- ``text``: the same but for letter case, spaces, quotes and a full stop.

1 for right, 0 for wrong, the floor for no single answer (see ``answer``).
"""

from __future__ import annotations

import json
import re
from fractions import Fraction

from botpsy.chat.types import JsonObject
from botpsy.rewards import expression
from botpsy.rewards.answer import content_of, stated
from botpsy.rewards.base import FLOOR, Reward

MAX_DIGITS = 400
"""Longer numbers are not read: their arithmetic would take time."""

_NUMBER = re.compile(r"([+-]?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?")
_RATIO = re.compile(r"([+-]?\d+)\s*/\s*(\d+)")
_LATEX_RATIO = re.compile(r"([+-]?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_NAMED = re.compile(r"[A-Za-z]\w*\s*=\s*(?=\S)")
_FACTOR = re.compile(r"([a-zA-Z])(?:(?:\*\*|\^)(\d{1,3}))?")
_MINUS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*"})


def verify(reference: JsonObject, raw: str) -> Reward:
    """See the module."""
    content = content_of(raw)
    answer = stated(content) if content else None
    if answer is None:
        return Reward(FLOOR, {"format": 0.0, "correct": 0.0})
    tolerance = reference.get("tolerance", 0)
    assert isinstance(tolerance, int | float)
    correct = float(
        same(answer, str(reference["answer"]), str(reference.get("form", "text")), tolerance)
    )
    return Reward(correct, {"format": 1.0, "correct": correct})


def same(answer: str, right: str, form: str, tolerance: float = 0) -> bool:
    """Whether an answer means the right one."""
    match form:
        case "number":
            wanted = number(right)
            assert wanted is not None, right
            return _near(number(answer), wanted, tolerance)
        case "fraction":
            return _reduced(answer) == _reduced(right) is not None
        case "polynomial":
            terms = polynomial(right)
            assert terms is not None, right
            return polynomial(answer) == terms
        case "expression":
            return expression.same(answer, right)
        case "list":
            given, items = listed(answer), listed(right)
            return len(given) == len(items) and all(
                _near(number(one), wanted, tolerance)
                if (wanted := number(other)) is not None
                else _plain(one) == _plain(other)
                for one, other in zip(given, items, strict=True)
            )
        case _:
            assert form == "text", form
            return _plain(answer) == _plain(right)


def number(text: str) -> Fraction | None:
    """The rational number that a text is, or None. ``x = 3`` is 3, ``30°`` is 30."""
    text = _NAMED.sub("", text.translate(_MINUS).strip(), count=1).strip().rstrip("°").strip()
    text = text.removesuffix(".")
    if not text.isascii() or len(text) > MAX_DIGITS:
        return None
    ratio = _RATIO.fullmatch(text) or _RATIO.fullmatch(_LATEX_RATIO.sub(r"\1\2/\3", text))
    if ratio:
        return Fraction(int(ratio[1]), int(ratio[2])) if int(ratio[2]) else None
    match = _NUMBER.fullmatch(text)
    if not match or not (match[2] or match[3]):
        return None
    whole, places, power = (match[2] or "0").replace(",", ""), match[3] or "", int(match[4] or 0)
    value = Fraction(int(whole + places)) * Fraction(10) ** (power - len(places))
    return -value if match[1] == "-" else value


def polynomial(text: str) -> dict[str, Fraction] | None:
    """An expanded polynomial: coefficients by monomial (``x^2*y``), or None."""
    text = re.sub(r"\s+", "", text.translate(_MINUS)).replace("**", "^")
    terms: dict[str, Fraction] = {}
    if not text or not text.isascii() or len(text) > 2_000:
        return None
    pieces = re.findall(r"[+-]?[^+-]+", text)
    if "".join(pieces) != text:
        return None
    for piece in pieces:
        term = _term(piece)
        if term is None or term[0] in terms:
            return None
        terms[term[0]] = term[1]
    terms.pop("C^1", None)
    return {monomial: value for monomial, value in terms.items() if value} or {"": Fraction(0)}


def _term(piece: str) -> tuple[str, Fraction] | None:
    """``-3*x^2/4`` as monomial and coefficient."""
    value = Fraction(-1 if piece[0] == "-" else 1)
    powers: dict[str, int] = {}
    upper, *lower = piece.lstrip("+-").split("/")
    if len(lower) > 1:
        return None
    if lower:
        by, *more = lower[0].split("*")
        divisor = number(by)
        if not divisor:
            return None
        value /= divisor
        upper = "*".join([upper, *more])
    for factor in re.sub(r"(?<=\d)(?=[a-zA-Z])", "*", upper).split("*"):
        match = _FACTOR.fullmatch(factor)
        if match and match[1] not in powers:
            powers[match[1]] = int(match[2] or 1)
        elif (part := number(factor)) is not None:
            value *= part
        else:
            return None
    return "*".join(f"{name}^{power}" for name, power in sorted(powers.items()) if power), value


def listed(text: str) -> list[str]:
    """The items of a list, as JSON or as written with commas, semicolons, arrows, × or spaces."""
    text = text.strip()
    if text[:1] + text[-1:] in ("[]", "()", "{}"):
        try:
            items = json.loads(f"[{text[1:-1]}]") if text.isascii() else None
        except (ValueError, RecursionError):
            items = None
        if isinstance(items, list) and all(isinstance(item, str | int | float) for item in items):
            return [str(item) for item in items]
        text = text[1:-1].strip()
    parts = re.split(r"\s*(?:[,;×]|->|→)\s*", text)
    if len(parts) == 1:
        parts = text.split()
    return [part.strip().strip("\"'") for part in parts]


def _near(given: Fraction | None, right: Fraction, tolerance: float) -> bool:
    if given is None:
        return False
    return abs(given - right) <= Fraction(tolerance) * max(Fraction(1), abs(right))


def _reduced(text: str) -> str | None:
    text = _LATEX_RATIO.sub(r"\1\2/\3", text.strip().strip("$").strip())
    match = _RATIO.fullmatch(text)
    if not text.isascii():
        return None
    if match is None or len(text) > MAX_DIGITS:
        return text if text.lstrip("+-").isdigit() else None
    return f"{int(match[1])}/{int(match[2])}"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .\"'")
