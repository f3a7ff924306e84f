"""A small company's desk: customers, their orders, tickets, invoices, refunds, company policies.

The user works there. ``memory.MemoryBusiness`` serves worlds and tests. There is no other back end:
in the product the service is absent unless one is connected, and its tools are not offered.

Amounts are cents of the company's one currency. Policies are prose for whoever does the work; what
they say (who may have a refund, what must be checked first) is *not* enforced here. Enforced is
what any back end would: a paid invoice is not sent, no more is refunded than was paid, a mail
address belongs to one customer. Who makes a ticket, an invoice or a refund gives its id; making it
again gives the one that is there. Keys are ``customer:ID``, ``ticket:ID``, ``invoice:ID``,
``refund:ID``; refunds and invoices that were sent stay. What stands in a ticket was written by the
customer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from botpsy.services.base import Service

Level = Literal["standard", "gold"]
SaleStatus = Literal["processing", "shipped", "delivered", "cancelled"]
TicketStatus = Literal["open", "waiting", "closed"]
Priority = Literal["low", "normal", "high"]


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer.

    Attributes:
        code: the secret that proves on the phone who is calling; never shown.
        verified: the day on which the code was last given rightly.
    """

    id: str
    name: str
    email: str = ""
    phone: str = ""
    address: str = ""
    level: Level = "standard"
    since: date = date(2020, 1, 1)
    code: str = ""
    verified: date | None = None


@dataclass(frozen=True, slots=True)
class Sale:
    """What a customer has bought, and paid."""

    id: str
    customer: str
    what: str
    cents: int
    ordered: date
    status: SaleStatus = "delivered"
    delivered: date | None = None


@dataclass(frozen=True, slots=True)
class Refund:
    """Money given back for a sale."""

    id: str
    sale: str
    cents: int
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Note:
    """What a colleague has noted in a ticket."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """A customer's case. ``assignee`` is one of the staff, or empty."""

    id: str
    customer: str
    subject: str
    text: str
    opened: datetime
    status: TicketStatus = "open"
    priority: Priority = "normal"
    assignee: str = ""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice; ``sent`` are the days on which it was mailed."""

    id: str
    customer: str
    what: str
    cents: int
    issued: date
    due: date
    paid: date | None = None
    sent: tuple[date, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """A company rule, in prose."""

    topic: str
    text: str


class BusinessService(Service, Protocol):
    """Every method needs a connection (``ServiceError``)."""

    @property
    def currency(self) -> str:
        """Of all amounts, as ISO 4217 has it."""
        ...

    def staff(self) -> list[str]:
        """Names of those whom tickets can be assigned to."""
        ...

    def policies(self) -> list[Policy]:
        """All."""
        ...

    def customers(self) -> list[Customer]:
        """All, by name."""
        ...

    def customer(self, id: str) -> Customer:
        """By id.

        Raises:
            ServiceError: there is none.
        """
        ...

    def save_customer(self, customer: Customer) -> Customer:
        """Change a customer's details.

        Raises:
            ServiceError: there is no such customer, or the mail address is another's.
        """
        ...

    def verify(self, customer: str, code: str, today: date) -> bool:
        """Whether the code is the customer's; noted if it is."""
        ...

    def sales(self) -> list[Sale]:
        """All, the newest first."""
        ...

    def refunds(self) -> list[Refund]:
        """All, the oldest first."""
        ...

    def refund(self, id: str, sale: str, cents: int, *, reason: str, now: datetime) -> Refund:
        """Give money back for a sale, by the way it was paid.

        Raises:
            ServiceError: there is no such sale, or less was paid and not yet given back.
        """
        ...

    def tickets(self) -> list[Ticket]:
        """All, the newest first."""
        ...

    def open_ticket(self, ticket: Ticket) -> Ticket:
        """File a new case.

        Raises:
            ServiceError: the customer has an open one with the same subject.
        """
        ...

    def save_ticket(self, ticket: Ticket) -> Ticket:
        """Change a case.

        Raises:
            ServiceError: there is none, or nobody on the staff is called like its assignee.
        """
        ...

    def invoices(self) -> list[Invoice]:
        """All, the newest first."""
        ...

    def make_invoice(self, invoice: Invoice) -> Invoice:
        """File a new invoice; it is not sent.

        Raises:
            ServiceError: it is due before it is issued.
        """
        ...

    def send_invoice(self, invoice: str, today: date) -> Invoice:
        """Mail it to the customer; an overdue one goes as a reminder.

        Raises:
            ServiceError: it is paid, was sent today already, or the customer has no mail address.
        """
        ...


__all__ = [
    "BusinessService",
    "Customer",
    "Invoice",
    "Level",
    "Note",
    "Policy",
    "Priority",
    "Refund",
    "Sale",
    "SaleStatus",
    "Ticket",
    "TicketStatus",
]
