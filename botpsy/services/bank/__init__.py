"""The user's bank: accounts, payments, bills, cards, exchange rates and share prices.

``memory.MemoryBank`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

Amounts are cents of the bank's one currency; what leaves an account is negative. Who pays gives the
payment's id, and paying again under an id that exists gives the payment that is there. A payment
that was made cannot be taken back. Keys are ``movement:ID``, ``bill:ID``, ``card:ID``; only cards
can be restored to another state. What payers write with their payments was written by others;
bills come from billers that the user has agreed to.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, Protocol

from botpsy.services.base import Service

Kind = Literal["transfer", "own", "bill", "card", "income"]


@dataclass(frozen=True, slots=True)
class Account:
    """An account of the user.

    Attributes:
        balance: when the service was made; ``BankService.balance`` tells the present one.
        overdraft: by how much the balance may fall below zero.
        daily_limit: for transfers to others and bills in a day; None for no limit.
    """

    id: str
    name: str
    iban: str
    balance: int
    overdraft: int = 0
    daily_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Payee:
    """Somebody whose account number is saved."""

    name: str
    iban: str


@dataclass(frozen=True, slots=True)
class Movement:
    """Money that came or went.

    Attributes:
        cents: negative when it left the account.
        kind: ``own`` is between the user's own accounts.
        who: the other side.
        iban: of the other side, where known.
        text: the payment reference, or what was bought.
    """

    id: str
    account: str
    at: datetime
    cents: int
    kind: Kind
    who: str
    iban: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill from a biller that the user has agreed to; ``paid`` is the day of payment."""

    id: str
    biller: str
    cents: int
    due: date
    paid: date | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A payment card; what it pays leaves ``account``."""

    id: str
    name: str
    account: str
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A share: its last price in cents of ``currency``, and the change since the day before."""

    id: str
    name: str
    cents: int
    currency: str
    change: int = 0


class BankService(Service, Protocol):
    """Every method needs a connection (``ServiceError``)."""

    @property
    def currency(self) -> str:
        """Of all accounts and bills, as ISO 4217 has it."""
        ...

    def accounts(self) -> list[Account]:
        """All, the main one first."""
        ...

    def balance(self, account: str) -> int:
        """What is in an account now."""
        ...

    def movements(self) -> list[Movement]:
        """Of all accounts, the newest first."""
        ...

    def payees(self) -> list[Payee]:
        """Those that are saved."""
        ...

    def bills(self) -> list[Bill]:
        """All, paid ones too, by due day."""
        ...

    def cards(self) -> list[Card]:
        """All, the main one first."""
        ...

    def transfer(
        self, id: str, source: str, to: Payee, cents: int, *, text: str, now: datetime
    ) -> Movement:
        """Send money from one of the user's accounts to anybody's, or to another of the user's.

        Raises:
            ServiceError: it goes nowhere, exceeds the daily limit, or the money is not there.
        """
        ...

    def pay_bill(self, id: str, bill: str, source: str, now: datetime) -> Movement:
        """Pay a bill in full.

        Raises:
            ServiceError: it is paid, exceeds the daily limit, or the money is not there.
        """
        ...

    def set_blocked(self, card: str, blocked: bool) -> Card:
        """Block a card, or free it again.

        Raises:
            ServiceError: there is no such card.
        """
        ...

    def rate(self, base: str, quote: str) -> Decimal:
        """How many units of ``quote`` one unit of ``base`` buys.

        Raises:
            ServiceError: a currency is not traded here.
        """
        ...

    def shares(self, text: str) -> list[Share]:
        """Those that a symbol, a name or words of it mean."""
        ...


__all__ = ["Account", "BankService", "Bill", "Card", "Kind", "Movement", "Payee", "Share"]
