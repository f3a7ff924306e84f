"""A bank in memory, for worlds and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import connection, records
from botpsy.services.bank import Account, Bill, Card, Movement, Payee, Share
from botpsy.services.device import DeviceService
from botpsy.services.money import show_money
from botpsy.services.words import meant

_LIMITED = ("transfer", "bill")


class MemoryBank:
    """Balances follow from the movements.

    ``movements`` given here are history: each account's ``balance`` has them in it already.
    ``rates`` says what one unit of each other currency is worth in the bank's own. ``device`` is
    what the bank is reached by.
    """

    def __init__(
        self,
        accounts: Iterable[Account],
        *,
        movements: Iterable[Movement] = (),
        payees: Iterable[Payee] = (),
        bills: Iterable[Bill] = (),
        cards: Iterable[Card] = (),
        shares: Iterable[Share] = (),
        rates: Mapping[str, Decimal] | None = None,
        currency: str = "EUR",
        device: DeviceService | None = None,
    ) -> None:
        self._accounts = tuple(accounts)
        assert self._accounts, "a bank without an account is not connected"
        self._payees = tuple(payees)
        self._shares = tuple(shares)
        self._rates = {currency: Decimal(1), **(rates or {})}
        self.currency = currency
        self._device = device
        self._movements = {movement.id: movement for movement in movements}
        self._bills = {bill.id: bill for bill in bills}
        self._cards = {card.id: card for card in cards}
        self._first = {
            account.id: account.balance - self._moved(account.id) for account in self._accounts
        }

    def _tables(self) -> dict[str, Mapping[str, Any]]:
        return {"movement": self._movements, "bill": self._bills, "card": self._cards}

    # --- what there is ------------------------------------------------------------------------

    def accounts(self) -> list[Account]:
        connection.need(self._device)
        return list(self._accounts)

    def balance(self, account: str) -> int:
        connection.need(self._device)
        return self._first[account] + self._moved(account)

    def _moved(self, account: str) -> int:
        return sum(m.cents for m in self._movements.values() if m.account == account)

    def movements(self) -> list[Movement]:
        connection.need(self._device)
        latest = reversed(self._movements.values())
        return sorted(latest, key=lambda movement: movement.at, reverse=True)

    def payees(self) -> list[Payee]:
        connection.need(self._device)
        return list(self._payees)

    def bills(self) -> list[Bill]:
        connection.need(self._device)
        return sorted(self._bills.values(), key=lambda bill: (bill.due, bill.id))

    def cards(self) -> list[Card]:
        connection.need(self._device)
        return list(self._cards.values())

    def rate(self, base: str, quote: str) -> Decimal:
        connection.need(self._device)
        for currency in (base, quote):
            if currency not in self._rates:
                known = ", ".join(sorted(self._rates))
                raise ServiceError(f"There is no rate for {currency}.", hint=f"There is: {known}.")
        return self._rates[base] / self._rates[quote]

    def shares(self, text: str) -> list[Share]:
        connection.need(self._device)
        return meant(self._shares, text, lambda share: share.name)

    # --- paying -------------------------------------------------------------------------------

    def transfer(
        self, id: str, source: str, to: Payee, cents: int, *, text: str, now: datetime
    ) -> Movement:
        connection.need(self._device)
        if id in self._movements:
            return self._movements[id]
        account = self._account(source)
        if to.iban == account.iban:
            raise ServiceError("Money cannot be sent from an account to itself.")
        own = next((each for each in self._accounts if each.iban == to.iban), None)
        if own is None:
            self._check_limit(account, cents, now)
            self._check_funds(account, cents)
            return self._keep(Movement(id, source, now, -cents, "transfer", to.name, to.iban, text))
        self._check_funds(account, cents)
        self._keep(
            Movement(f"{id}.in", own.id, now, cents, "own", account.name, account.iban, text)
        )
        return self._keep(Movement(id, source, now, -cents, "own", own.name, own.iban, text))

    def pay_bill(self, id: str, bill: str, source: str, now: datetime) -> Movement:
        connection.need(self._device)
        if id in self._movements:
            return self._movements[id]
        found = self._bills.get(bill)
        if found is None:
            raise ServiceError(f"There is no bill {bill}.")
        if found.paid is not None:
            raise ServiceError(f"The bill from {found.biller} ({bill}) is paid already.")
        account = self._account(source)
        self._check_limit(account, found.cents, now)
        self._check_funds(account, found.cents)
        self._bills[bill] = replace(found, paid=now.date())
        return self._keep(
            Movement(id, source, now, -found.cents, "bill", found.biller, text=f"Bill {bill}")
        )

    def _account(self, id: str) -> Account:
        return next(account for account in self._accounts if account.id == id)

    def _check_limit(self, account: Account, cents: int, now: datetime) -> None:
        if account.daily_limit is None:
            return
        spent = -sum(
            m.cents
            for m in self._movements.values()
            if m.account == account.id and m.kind in _LIMITED and m.at.date() == now.date()
        )
        left = max(0, account.daily_limit - spent)
        if cents > left:
            raise ServiceError(
                f"That is above the daily limit of {self._show(account.daily_limit)} for "
                f"{account.name}.",
                hint=f"{self._show(left)} can still be sent today.",
            )

    def _check_funds(self, account: Account, cents: int) -> None:
        there = self.balance(account.id)
        if cents > there + account.overdraft:
            more = f" and an overdraft of {self._show(account.overdraft)}"
            raise ServiceError(
                f"{account.name} has insufficient funds: {self._show(there)}"
                f"{more if account.overdraft else ''}."
            )

    def _show(self, cents: int) -> str:
        return show_money(cents, self.currency)

    def _keep(self, movement: Movement) -> Movement:
        self._movements[movement.id] = movement
        return movement

    # --- cards --------------------------------------------------------------------------------

    def set_blocked(self, card: str, blocked: bool) -> Card:
        connection.need(self._device)
        self._cards[card] = replace(self._card(card), blocked=blocked)
        return self._cards[card]

    def _card(self, id: str) -> Card:
        if id not in self._cards:
            raise ServiceError(f"There is no card {id}.")
        return self._cards[id]

    def charge(self, id: str, card: str, cents: int, *, who: str, now: datetime) -> None:
        """A shop takes money from a card, or gives it back (negative cents).

        Raises:
            ServiceError: the card is blocked, or the money is not there.
        """
        found = self._card(card)
        if cents > 0 and found.blocked:
            raise ServiceError(f"{found.name} is blocked; the payment was refused.")
        if cents > 0:
            self._check_funds(self._account(found.account), cents)
        self.book(id, card, cents, who=who, now=now)

    def book(self, id: str, card: str, cents: int, *, who: str, now: datetime) -> None:
        """The same without a check: a payment that was made before is there again."""
        self._keep(Movement(id, self._card(card).account, now, -cents, "card", who))

    def void(self, id: str) -> None:
        """A card payment never was, because the shop has not shipped what it was for."""
        self._movements.pop(id, None)

    # --- records ------------------------------------------------------------------------------

    def snapshot(self, key: str) -> str | None:
        return records.snapshot(self._tables(), key)

    def restore(self, key: str, state: str | None) -> None:
        if state == self.snapshot(key):
            return
        kind, id = records.split_key(key)
        if kind != "card" or state is None or id not in self._cards:
            raise ServiceError("A payment cannot be taken back.")
        self._cards[id] = records.from_text(Card, state)

    def dump(self) -> dict[str, Any]:
        """Balances, movements, bills and cards, for comparison; the rest never changes."""
        balances = {
            account.id: self._first[account.id] + self._moved(account.id)
            for account in self._accounts
        }
        return {"balance": balances, **records.dump(self._tables())}
