"""International bank account numbers.

Source: ISO 13616-1 (structure), ISO/IEC 7064 MOD 97-10 (check digits).
"""

from __future__ import annotations

import re

_SHAPE = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")


def iban(text: str) -> str | None:
    """The number without spaces, upper case; None where the check digits say it is none."""
    number = re.sub(r"[ -]", "", text).upper()
    if not _SHAPE.fullmatch(number) or _remainder(number) != 1:
        return None
    return number


def with_check_digits(country: str, account: str) -> str:
    """The number for a country code and a national account number."""
    number = f"{country}{98 - _remainder(f'{country}00{account}'):02}{account}"
    assert iban(number) == number, f"{country}, {account}"
    return number


def grouped(number: str) -> str:
    """As it is printed: ``DE89 3704 0044 0532 0130 00``."""
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def _remainder(number: str) -> int:
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97
