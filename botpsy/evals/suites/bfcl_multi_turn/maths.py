"""The arithmetic of BFCL's multi-turn cases. It has no state.

Sums are floating-point as the machine makes them. Two tools compute with a precision in decimal
digits: the square root, and the logarithm, which rounds to as many bits as such digits take, as
mpmath does, and so is not exact to the last digit that it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

Answer = dict[str, Any]

_METRES = {"km": 1000, "m": 1, "cm": 0.01, "mm": 0.001, "um": 1e-6, "nm": 1e-9}
_CONVERSIONS: dict[tuple[str, str], Callable[[float], float]] = {
    ("cm", "in"): lambda x: x * 0.393701,
    ("in", "cm"): lambda x: x * 2.54,
    ("m", "ft"): lambda x: x * 3.28084,
    ("ft", "m"): lambda x: x * 0.3048,
    ("m", "yd"): lambda x: x * 1.09361,
    ("yd", "m"): lambda x: x * 0.9144,
    ("km", "miles"): lambda x: x * 0.621371,
    ("miles", "km"): lambda x: x * 1.60934,
    ("kg", "lb"): lambda x: x * 2.20462,
    ("lb", "kg"): lambda x: x * 0.453592,
    ("celsius", "fahrenheit"): lambda x: x * 9 / 5 + 32,
    ("fahrenheit", "celsius"): lambda x: (x - 32) * 5 / 9,
}
_BITS_PER_DIGIT = 3.3219280948873626
_MOST_DIGITS = 1000
"""Of precision; beyond it the tool refuses, where the official one computes for hours."""
_MOST_DIGITS_SHOWN = 4300
"""Python writes no longer whole numbers."""


class MathAPI:
    """Numbers in, ``result`` or ``error`` out."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        """Nothing to set up."""

    def add(self, a: float, b: float) -> Answer:
        return {"result": a + b}

    def subtract(self, a: float, b: float) -> Answer:
        return {"result": a - b}

    def multiply(self, a: float, b: float) -> Answer:
        return {"result": a * b}

    def divide(self, a: float, b: float) -> Answer:
        return {"error": "Cannot divide by zero"} if b == 0 else {"result": a / b}

    def percentage(self, part: float, whole: float) -> Answer:
        if whole == 0:
            return {"error": "Whole value cannot be zero"}
        return {"result": part / whole * 100}

    def power(self, base: float, exponent: float) -> Answer:
        whole = isinstance(base, int) and isinstance(exponent, int)
        if whole and abs(base) > 1 and exponent > 0:
            digits = exponent * (abs(int(base)).bit_length() - 1) / _BITS_PER_DIGIT
            if digits > _MOST_DIGITS_SHOWN:
                raise ValueError(f"The result has more than {_MOST_DIGITS_SHOWN} digits")
        return {"result": base**exponent}

    def absolute_value(self, number: float) -> Answer:
        return {"result": abs(number)}

    def round_number(self, number: float, decimal_places: int = 0) -> Answer:
        if not isinstance(decimal_places, int):
            return {"error": "First input must be a number, second input must be an integer"}
        # Beyond all digits there is nothing to round, and a whole number would take for ever.
        return {"result": round(number, max(decimal_places, -_MOST_DIGITS_SHOWN))}

    def square_root(self, number: float, precision: int) -> Answer:
        if number < 0:
            return {"error": "Cannot calculate square root of a negative number"}
        if not isinstance(precision, int):
            return {
                "error": "Input must be a number or computation resulted in an invalid operation"
            }
        if not 1 <= precision <= _MOST_DIGITS:
            raise ValueError("valid range for prec is [1, MAX_PREC]")
        with localcontext(Context(prec=precision)):
            return {"result": Decimal(number).sqrt()}

    def logarithm(self, value: float, base: float, precision: int) -> Answer:
        if precision > _MOST_DIGITS:
            return {"error": f"A precision above {_MOST_DIGITS} is not supported"}
        if value < 0 or base < 0:
            return {"error": "Logarithms of negative numbers are not supported"}
        if base == 1:
            return {"error": ""}
        return {"result": Rounded.logarithm(value, base, int(precision))}

    def mean(self, numbers: Sequence[float]) -> Answer:
        return _of("calculate mean", numbers, lambda: sum(numbers) / len(numbers))

    def standard_deviation(self, numbers: Sequence[float]) -> Answer:
        def deviation() -> float:
            middle = sum(numbers) / len(numbers)
            variance: float = sum((x - middle) ** 2 for x in numbers) / len(numbers)
            return float(variance**0.5)

        return _of("calculate standard deviation", numbers, deviation)

    def sum_values(self, numbers: Sequence[float]) -> Answer:
        return _of("calculate sum", numbers, lambda: sum(numbers))

    def max_value(self, numbers: Sequence[float]) -> Answer:
        return _of("find maximum", numbers, lambda: max(numbers))

    def min_value(self, numbers: Sequence[float]) -> Answer:
        return _of("find minimum", numbers, lambda: min(numbers))

    def si_unit_conversion(self, value: float, unit_in: str, unit_out: str) -> Answer:
        if unit_in not in _METRES or unit_out not in _METRES:
            return _unsupported(unit_in, unit_out)
        return {"result": value * _METRES[unit_in] / _METRES[unit_out]}

    def imperial_si_conversion(self, value: float, unit_in: str, unit_out: str) -> Answer:
        if unit_in == unit_out:
            return {"result": value}
        convert = _CONVERSIONS.get((unit_in, unit_out))
        return {"result": convert(value)} if convert else _unsupported(unit_in, unit_out)


class Rounded:
    """A number rounded to so many bits; reads as an mpmath number of that precision does."""

    def __init__(self, value: Fraction | None, bits: int, other: str = "") -> None:
        self._value, self._bits, self._other = value, bits, other

    @classmethod
    def logarithm(cls, value: float, base: float, digits: int) -> Rounded:
        """Of numbers that are not negative; to the base of zero it is zero."""
        bits = max(1, round((digits + 1) * _BITS_PER_DIGIT))
        if base == 0 and value == 0:
            return cls(None, bits, "nan")
        if base == 0:
            return cls(Fraction(0), bits)
        if value == 0:
            return cls(None, bits, "inf" if base < 1 else "-inf")
        with localcontext(Context(prec=max(digits, 1) + 50)):
            above, below = (Fraction(Decimal(each).ln()) for each in (value, base))
        return cls(_nearest(_nearest(above, bits) / _nearest(below, bits), bits), bits)

    def __repr__(self) -> str:
        return f"mpf('{self._text()}')"

    def _text(self) -> str:
        if self._value is None:
            return self._other
        if not self._value:
            return "0.0"
        known = max(1, round(self._bits / _BITS_PER_DIGIT) - 1)
        shown = 17 if known == 15 else known + 3
        with localcontext(Context(prec=shown)):
            number = (Decimal(self._value.numerator) / self._value.denominator).normalize()
        sign, digits, exponent = number.as_tuple()
        assert isinstance(exponent, int)
        text = "".join(map(str, digits))
        power = len(text) + exponent - 1
        if min(-(shown // 3), -5) < power < shown:
            whole = text[: power + 1].ljust(power + 1, "0") if power >= 0 else "0"
            part = text[power + 1 :] if power >= 0 else "0" * (-power - 1) + text
            return f"{'-' * sign}{whole}.{part or '0'}"
        return f"{'-' * sign}{text[0]}.{text[1:] or '0'}e{power:+d}"


def _nearest(exact: Fraction, bits: int) -> Fraction:
    """The nearest number with so many significant bits; ties to even."""
    if not exact:
        return exact
    size = abs(exact)
    shift = bits - (size.numerator.bit_length() - size.denominator.bit_length())
    for each in (shift + 1, shift, shift - 1):
        scale = Fraction(2) ** each
        rounded = round(exact * scale)
        if abs(rounded) <= 1 << bits:
            return rounded / scale
    raise AssertionError(exact)


def _of(what: str, numbers: Sequence[float], compute: Callable[[], float]) -> Answer:
    if not numbers:
        return {"error": f"Cannot {what} of an empty list"}
    try:
        return {"result": compute()}
    except TypeError:
        return {"error": "All elements in the list must be numbers"}


def _unsupported(unit_in: str, unit_out: str) -> Answer:
    return {"error": f"Conversion from '{unit_in}' to '{unit_out}' is not supported"}
