"""A company's desk in memory, for worlds and tests."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import connection, records
from botpsy.services.business import Customer, Invoice, Policy, Refund, Sale, Ticket
from botpsy.services.device import DeviceService
from botpsy.services.money import show_money
from botpsy.services.words import telling


class MemoryBusiness:
    """Records by id. ``device`` is what the company's systems are reached by."""

    def __init__(
        self,
        customers: Iterable[Customer] = (),
        *,
        sales: Iterable[Sale] = (),
        refunds: Iterable[Refund] = (),
        tickets: Iterable[Ticket] = (),
        invoices: Iterable[Invoice] = (),
        policies: Iterable[Policy] = (),
        staff: Iterable[str] = (),
        currency: str = "EUR",
        device: DeviceService | None = None,
    ) -> None:
        self._customers = {customer.id: customer for customer in customers}
        self._sales = {sale.id: sale for sale in sales}
        self._refunds = {refund.id: refund for refund in refunds}
        self._tickets = {ticket.id: ticket for ticket in tickets}
        self._invoices = {invoice.id: invoice for invoice in invoices}
        self._policies = tuple(policies)
        self._staff = tuple(staff)
        self.currency = currency
        self._device = device
        for table in (self._sales, self._tickets, self._invoices):
            owned: Iterable[Sale | Ticket | Invoice] = table.values()
            assert all(each.customer in self._customers for each in owned)
        assert all(refund.sale in self._sales for refund in self._refunds.values())

    def _tables(self) -> dict[str, Mapping[str, Any]]:
        return {
            "customer": self._customers,
            "ticket": self._tickets,
            "invoice": self._invoices,
            "refund": self._refunds,
        }

    def staff(self) -> list[str]:
        connection.need(self._device)
        return list(self._staff)

    def policies(self) -> list[Policy]:
        connection.need(self._device)
        return list(self._policies)

    # --- customers ----------------------------------------------------------------------------

    def customers(self) -> list[Customer]:
        connection.need(self._device)
        return sorted(self._customers.values(), key=lambda each: (each.name.casefold(), each.id))

    def customer(self, id: str) -> Customer:
        connection.need(self._device)
        if id not in self._customers:
            raise ServiceError(f"There is no customer {id}.")
        return self._customers[id]

    def save_customer(self, customer: Customer) -> Customer:
        before = self.customer(customer.id)
        email = customer.email.casefold()
        if email and email != before.email.casefold():
            for other in self._customers.values():
                if other.id != customer.id and other.email.casefold() == email:
                    raise ServiceError(f"{customer.email} belongs to another customer.")
        self._customers[customer.id] = customer
        return customer

    def verify(self, customer: str, code: str, today: date) -> bool:
        found = self.customer(customer)
        right = bool(found.code) and hmac.compare_digest(found.code.encode(), code.encode())
        if right:
            self._customers[customer] = replace(found, verified=today)
        return right

    # --- sales and refunds --------------------------------------------------------------------

    def sales(self) -> list[Sale]:
        connection.need(self._device)
        return sorted(self._sales.values(), key=lambda sale: (sale.ordered, sale.id), reverse=True)

    def refunds(self) -> list[Refund]:
        connection.need(self._device)
        return sorted(self._refunds.values(), key=lambda refund: (refund.at, refund.id))

    def refund(self, id: str, sale: str, cents: int, *, reason: str, now: datetime) -> Refund:
        connection.need(self._device)
        if id in self._refunds:
            return self._refunds[id]
        if sale not in self._sales:
            raise ServiceError(f"There is no order {sale}.")
        found = self._sales[sale]
        if found.status == "cancelled":
            raise ServiceError(f"Order {sale} was cancelled; nothing was charged for it.")
        back = sum(refund.cents for refund in self._refunds.values() if refund.sale == sale)
        if cents > found.cents - back:
            so_far = f", and {self._show(back)} was refunded already" if back else ""
            raise ServiceError(f"{self._show(found.cents)} was paid for order {sale}{so_far}.")
        self._refunds[id] = Refund(id, sale, cents, reason, now)
        return self._refunds[id]

    def _show(self, cents: int) -> str:
        return show_money(cents, self.currency)

    # --- tickets ------------------------------------------------------------------------------

    def tickets(self) -> list[Ticket]:
        connection.need(self._device)
        return sorted(self._tickets.values(), key=lambda each: (each.opened, each.id), reverse=True)

    def open_ticket(self, ticket: Ticket) -> Ticket:
        if ticket.id in self._tickets:
            return self._tickets[ticket.id]
        customer = self.customer(ticket.customer)
        for other in self._tickets.values():
            same = telling(other.subject) == telling(ticket.subject)
            if same and other.customer == ticket.customer and other.status != "closed":
                raise ServiceError(
                    f"{customer.name} has an open ticket on this already: {other.id}.",
                    hint="Update that one.",
                )
        self._tickets[ticket.id] = ticket
        return ticket

    def save_ticket(self, ticket: Ticket) -> Ticket:
        connection.need(self._device)
        if ticket.id not in self._tickets:
            raise ServiceError(f"There is no ticket {ticket.id}.")
        if ticket.assignee and ticket.assignee not in self._staff:
            raise ServiceError(
                f"Nobody on the staff is called {ticket.assignee}.",
                hint=f"There is: {', '.join(self._staff)}." if self._staff else "",
            )
        self._tickets[ticket.id] = ticket
        return ticket

    # --- invoices -----------------------------------------------------------------------------

    def invoices(self) -> list[Invoice]:
        connection.need(self._device)
        return sorted(self._invoices.values(), key=lambda one: (one.issued, one.id), reverse=True)

    def make_invoice(self, invoice: Invoice) -> Invoice:
        if invoice.id in self._invoices:
            return self._invoices[invoice.id]
        self.customer(invoice.customer)
        if invoice.due < invoice.issued:
            raise ServiceError("An invoice cannot be due before it is issued.")
        self._invoices[invoice.id] = invoice
        return invoice

    def send_invoice(self, invoice: str, today: date) -> Invoice:
        connection.need(self._device)
        if invoice not in self._invoices:
            raise ServiceError(f"There is no invoice {invoice}.")
        found = self._invoices[invoice]
        customer = self._customers[found.customer]
        if found.paid is not None:
            raise ServiceError(f"Invoice {invoice} has been paid already; it was not sent.")
        if today in found.sent:
            raise ServiceError(f"Invoice {invoice} was sent today already.")
        if not customer.email:
            raise ServiceError(f"{customer.name} has no mail address.")
        self._invoices[invoice] = replace(found, sent=(*found.sent, today))
        return self._invoices[invoice]

    # --- records ------------------------------------------------------------------------------

    def snapshot(self, key: str) -> str | None:
        return records.snapshot(self._tables(), key)

    def restore(self, key: str, state: str | None) -> None:
        if state == self.snapshot(key):
            return
        kind, id = records.split_key(key)
        if kind == "ticket":
            _put(self._tickets, id, None if state is None else records.from_text(Ticket, state))
        elif kind == "customer" and state is not None:
            _put(self._customers, id, records.from_text(Customer, state))
        elif kind == "invoice":
            after = None if state is None else records.from_text(Invoice, state)
            before = self._invoices.get(id)
            if {each.sent for each in (before, after) if each is not None} != {()}:
                raise ServiceError("An invoice that was sent cannot be changed back.")
            _put(self._invoices, id, after)
        else:
            raise ServiceError(f"A {kind} cannot be changed back.")

    def dump(self) -> dict[str, Any]:
        """Customers, tickets, invoices and refunds, for comparison; the rest never changes."""
        return records.dump(self._tables())


def _put(table: dict[str, Any], id: str, record: Any) -> None:
    if record is None:
        table.pop(id, None)
    else:
        assert record.id == id
        table[id] = record
