"""Money as whole hundredths of a currency, never as a binary fraction.

Amounts are ``int`` cents throughout; a currency without cents is counted in hundredths, too.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

LARGEST = 10**13
"""Cents; an amount beyond it is taken for a slip."""


def show_money(cents: int, currency: str) -> str:
    """``-1234.50 EUR``."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02} {currency}"


def to_cents(amount: int | float | str | Decimal) -> int:
    """An amount in whole units, as cents.

    Raises:
        ValueError: it is no number, finer than a cent, or absurdly large.
    """
    try:
        cents = Decimal(str(amount)) * 100
        exact = cents.is_finite() and abs(cents) <= LARGEST and cents == cents.to_integral_value()
    except InvalidOperation:
        exact = False
    if not exact:
        raise ValueError(f"{amount!r} is not an amount of money.")
    return int(cents)


def from_cents(cents: int) -> int | float:
    """The amount in whole units, as a JSON number: 50, 49.99."""
    return cents // 100 if cents % 100 == 0 else float(Decimal(cents) / 100)
