"""Argument types for customer operations: customers, their orders, tickets, invoices, staff.

See ``references`` for how they resolve.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.services.business import Customer, Invoice, Sale, Ticket
from botpsy.services.money import show_money
from botpsy.services.text import plain_line
from botpsy.services.words import meant, telling
from botpsy.tools.base import Context
from botpsy.tools.people import mail_address
from botpsy.tools.references import Meant, resolver
from botpsy.tools.values import context_of

_PAYMENT_TERM = timedelta(days=14)


def matching_customers(ctx: Context, text: str) -> list[Customer]:
    """Those that an id, a mail address, a phone number, a name or words of it mean."""
    customers = ctx.services.business.customers()
    folded, digits = text.strip().casefold(), _digits(text)
    reached = [
        each
        for each in customers
        if (each.email and folded == each.email.casefold())
        or (len(digits) > 4 and digits == _digits(each.phone))
    ]
    return reached or meant(customers, text, lambda each: each.name)


def _digits(text: str) -> str:
    return re.sub(r"[\s()/+-]", "", text) if re.fullmatch(r"[\d\s()/+-]+", text.strip()) else ""


def show_customer(customer: Customer) -> str:
    """Name, mail address and id."""
    reach = f" <{plain_line(customer.email)}>" if customer.email else ""
    return f"{plain_line(customer.name)}{reach} ({customer.id})"


def _name(ctx: Context, customer: str) -> str:
    return plain_line(ctx.services.business.customer(customer).name)


def _money(ctx: Context, cents: int) -> str:
    return show_money(cents, ctx.services.business.currency)


def _sales(ctx: Context, text: str) -> list[Sale]:
    business = ctx.services.business
    return meant(business.sales(), text, lambda s: f"{s.what} {business.customer(s.customer).name}")


def _show_sale(ctx: Context, sale: Sale) -> str:
    who = _name(ctx, sale.customer)
    return f"{plain_line(sale.what)}, bought by {who} for {_money(ctx, sale.cents)} ({sale.id})"


def _tickets(ctx: Context, text: str) -> list[Ticket]:
    """Those that are not closed come first."""
    business = ctx.services.business
    found = meant(
        business.tickets(), text, lambda t: f"{t.subject} {business.customer(t.customer).name}"
    )
    return [ticket for ticket in found if ticket.status != "closed"] or found


def _show_ticket(ctx: Context, ticket: Ticket) -> str:
    return f"{plain_line(ticket.subject)}, from {_name(ctx, ticket.customer)} ({ticket.id})"


def _invoices(ctx: Context, text: str) -> list[Invoice]:
    """Unpaid ones come first."""
    business = ctx.services.business
    found = meant(
        business.invoices(), text, lambda i: f"{i.what} {business.customer(i.customer).name}"
    )
    return [invoice for invoice in found if invoice.paid is None] or found


def _show_invoice(ctx: Context, invoice: Invoice) -> str:
    customer = ctx.services.business.customer(invoice.customer)
    to = f"{plain_line(customer.name)} <{plain_line(customer.email)}>"
    return f"{plain_line(invoice.what)}, {_money(ctx, invoice.cents)}, to {to} ({invoice.id})"


def _colleague(value: Any, info: ValidationInfo) -> str:
    """A name on the staff, from words of it."""
    if not isinstance(value, str) or not value.strip():
        raise ToolError("Say who on the staff it is for.")
    staff = context_of(info).services.business.staff()
    wanted = telling(value)
    found = [name for name in staff if telling(name) == wanted] or [
        name for name in staff if wanted and set(wanted) <= set(telling(name))
    ]
    if len(found) != 1:
        names = ", ".join(found or staff)
        many = "more than one" if found else "no"
        why = f"There is {many} colleague called {plain_line(value)[:80]!r}."
        raise ToolError(why, hint=f"There is: {names}.")
    return found[0]


def _due(value: Any, info: ValidationInfo) -> date:
    if isinstance(value, date):
        return value
    clock = context_of(info).clock
    return clock.now().date() + _PAYMENT_TERM if value is None else clock.day(str(value))


_CUSTOMER = resolver(matching_customers, lambda _, each: show_customer(each), "customer")
_SALE = resolver(_sales, _show_sale, "order")
_TICKET = resolver(_tickets, _show_ticket, "ticket")
_INVOICE = resolver(_invoices, _show_invoice, "invoice")
_STRING = WithJsonSchema({"type": "string"})

CustomerRef: TypeAlias = Annotated[Meant[Customer], _CUSTOMER[0], _CUSTOMER[1], _CUSTOMER[2]]
"""A customer, by id, name, mail address or phone number."""
SaleRef: TypeAlias = Annotated[Meant[Sale], _SALE[0], _SALE[1], _SALE[2]]
"""An order that a customer has placed."""
TicketRef: TypeAlias = Annotated[Meant[Ticket], _TICKET[0], _TICKET[1], _TICKET[2]]
"""A ticket, by id or words of its subject and customer."""
InvoiceRef: TypeAlias = Annotated[Meant[Invoice], _INVOICE[0], _INVOICE[1], _INVOICE[2]]
"""An invoice, by id or words of what it is for and whom."""
Colleague: TypeAlias = Annotated[str, BeforeValidator(_colleague), _STRING]
"""Somebody on the staff."""
Email: TypeAlias = Annotated[str, BeforeValidator(lambda value: mail_address(str(value))), _STRING]
"""A mail address."""
DueDay: TypeAlias = Annotated[
    date | None,
    BeforeValidator(_due),
    PlainSerializer(lambda day: day.isoformat(), return_type=str),
    WithJsonSchema({"type": "string", "format": "day"}),
    Field(validate_default=True),
]
"""When an invoice is to be paid; in two weeks if left out."""
