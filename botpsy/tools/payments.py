"""Argument types for the bank: accounts, recipients, bills, cards, currencies.

See ``references`` for how they resolve. A recipient is somebody saved at the bank, an account of
the user's own, or an account number whose check digits are right; a number that is not saved is
shown as new, with a warning where its name is that of somebody saved.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from botpsy.clock.words import MONTHS, WEEKDAYS
from botpsy.errors import ToolError
from botpsy.services.bank import Account, Bill, Card, Payee
from botpsy.services.bank.iban import grouped, iban
from botpsy.services.money import show_money
from botpsy.services.text import hidden_positions, plain_line
from botpsy.services.words import meant, telling
from botpsy.tools.base import Context
from botpsy.tools.events import words_of
from botpsy.tools.references import Meant, resolver
from botpsy.tools.values import Period, context_of

_WEEK = timedelta(weeks=1)
_NUMBERED = re.compile(r"(?P<name>[^<>]*)<(?P<number>[^<>]+)>(?: \([^()]*\))?")
_CURRENCIES = {
    "euro": "EUR", "dollar": "USD", "us dollar": "USD", "buck": "USD", "pound": "GBP",
    "british pound": "GBP", "sterling": "GBP", "pound sterling": "GBP", "yen": "JPY",
    "japanese yen": "JPY", "franc": "CHF", "swiss franc": "CHF", "krona": "SEK",
    "swedish krona": "SEK", "danish krone": "DKK", "norwegian krone": "NOK", "zloty": "PLN",
    "polish zloty": "PLN", "rupee": "INR", "indian rupee": "INR", "yuan": "CNY", "peso": "MXN",
    "canadian dollar": "CAD", "australian dollar": "AUD", "lira": "TRY", "rand": "ZAR",
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Known:
    """A saved payee or an own account, as something that words may mean."""

    id: str
    payee: Payee
    note: str = ""


def _known(ctx: Context) -> list[_Known]:
    bank = ctx.services.bank
    own = [_Known(a.id, Payee(a.name, a.iban), "your own account") for a in bank.accounts()]
    return [*own, *(_Known(payee.iban, payee) for payee in bank.payees())]


def _show_known(known: _Known) -> str:
    number = known.payee.iban
    shown = grouped(number) if iban(number) else plain_line(number)
    name = f"{plain_line(known.payee.name)} <{shown}>" if known.payee.name else f"<{shown}>"
    return f"{name} ({known.note})" if known.note else name


def _recipient(value: Any, info: ValidationInfo) -> Meant[Payee]:
    if isinstance(value, Meant):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ToolError("Say who gets the money: a saved recipient, or an account number.")
    text = value.strip()
    if hidden_positions(text):
        raise ToolError(f"{plain_line(text)[:80]} has hidden characters in it; it is refused.")
    known = _known(context_of(info))
    numbered = _NUMBERED.fullmatch(text)
    number = iban(numbered["number"] if numbered else text)
    written = numbered["number"].strip() if numbered else text
    found = [each for each in known if each.payee.iban in (number, written)]
    if found or number:
        one = found[0] if found else _new(numbered["name"] if numbered else "", number, known)
        return Meant(one.payee, _show_known(one))
    found = meant(known, text, lambda each: each.payee.name)
    if len(found) == 1:
        return Meant(found[0].payee, _show_known(found[0]))
    if found:
        listed = "; ".join(_show_known(each) for each in found)
        raise ToolError(f"{plain_line(text)[:80]!r} could be: {listed}.", hint="Which one?")
    raise ToolError(
        f"{plain_line(text)[:80]!r} is no saved recipient and no account number (IBAN).",
        hint="Ask the user for the account number.",
    )


def _new(name: str, number: str | None, known: list[_Known]) -> _Known:
    assert number is not None
    name = plain_line(name)
    twin = any(name and telling(each.payee.name) == telling(name) for each in known)
    note = f"new, NOT the account saved for {name}" if twin else "new recipient"
    return _Known(number, Payee(name, number), note)


def _bills(ctx: Context, text: str) -> list[Bill]:
    """Unpaid ones come before paid ones of the same biller."""
    found = meant(ctx.services.bank.bills(), text, lambda bill: bill.biller)
    return [bill for bill in found if bill.paid is None] or found


def _show_bill(ctx: Context, bill: Bill) -> str:
    total = show_money(bill.cents, ctx.services.bank.currency)
    return f"{plain_line(bill.biller)}, {total}, due {ctx.clock.show(bill.due)} ({bill.id})"


def _usual_card(ctx: Context) -> Card:
    cards = ctx.services.bank.cards()
    if len(cards) == 1:
        return cards[0]
    names = ", ".join(plain_line(card.name) for card in cards)
    raise ToolError(f"Say which card: {names}." if cards else "There are no cards.")


def _currency(value: Any) -> str:
    text = str(value).strip()
    name = " ".join(telling(text)) or text
    code = _CURRENCIES.get(name, text.upper())
    if not re.fullmatch(r"[A-Z]{3}", code):
        raise ToolError(
            f"{plain_line(text)[:40]!r} is not a currency.", hint="Give a code like EUR."
        )
    return code


def _show_account(ctx: Context, account: Account) -> str:
    return f"{plain_line(account.name)}, {ctx.services.bank.currency} ({account.id})"


def _past(value: Any, info: ValidationInfo) -> Any:
    """What lies back: "October" and "on Monday" said of payments mean the last ones."""
    if not isinstance(value, str):
        return value
    clock = context_of(info).clock
    words = words_of(value)
    months, weekdays = MONTHS.keys() & words, WEEKDAYS.keys() & words
    text = re.sub(r"(?i)\blast\s+", "", value) if months else value
    start, end = clock.period(text)
    if start <= clock.now() or "next" in words or re.search(r"\d{4}", value):
        return start, end
    for years in range(1, 9) if months else ():
        with suppress(ValueError):  # 29 February is not in every year
            back = start.replace(year=start.year - years)
            if back <= clock.now():
                return back, end.replace(year=end.year - years)
    return (start - _WEEK, end - _WEEK) if weekdays else (start, end)


_ACCOUNT = resolver(
    lambda ctx, text: meant(ctx.services.bank.accounts(), text, lambda each: each.name),
    _show_account,
    "account",
    lambda ctx: ctx.services.bank.accounts()[0],
)
_BILL = resolver(_bills, _show_bill, "bill")
_CARD = resolver(
    lambda ctx, text: meant(ctx.services.bank.cards(), text, lambda each: each.name),
    lambda _, card: f"{plain_line(card.name)} ({card.id})",
    "card",
    _usual_card,
)

AccountRef: TypeAlias = Annotated[Meant[Account], _ACCOUNT[0], _ACCOUNT[1], _ACCOUNT[2]]
"""An account of the user."""
SourceRef: TypeAlias = Annotated[
    Meant[Account] | None, _ACCOUNT[0], _ACCOUNT[1], _ACCOUNT[2], Field(validate_default=True)
]
"""An account of the user; the main one if left out."""
RecipientRef: TypeAlias = Annotated[
    Meant[Payee],
    BeforeValidator(_recipient),
    _ACCOUNT[1],
    WithJsonSchema({"type": "string"}),
]
"""Who gets money."""
BillRef: TypeAlias = Annotated[Meant[Bill], _BILL[0], _BILL[1], _BILL[2]]
"""A bill, by its id or biller."""
CardRef: TypeAlias = Annotated[
    Meant[Card] | None, _CARD[0], _CARD[1], _CARD[2], Field(validate_default=True)
]
"""A card; where there is only one, it need not be named."""
PastPeriod: TypeAlias = Annotated[Period, BeforeValidator(_past)]
"""A stretch of time that lies back."""
Currency: TypeAlias = Annotated[str, BeforeValidator(_currency), WithJsonSchema({"type": "string"})]
"""A currency, by its code or name."""
