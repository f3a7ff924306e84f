"""Tools for customers' tickets and invoices.

What customers write in a ticket is text by others. An invoice can be undone until it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.business import Invoice, Note, Priority, Ticket, TicketStatus
from botpsy.services.money import show_money
from botpsy.services.records import key_of
from botpsy.services.text import plain_line
from botpsy.services.words import telling
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.cases import Colleague, CustomerRef, DueDay, InvoiceRef, TicketRef
from botpsy.tools.references import Amount

_SHOWN = 8


def _ticket(ctx: Context, ticket: Ticket) -> JsonObject:
    result: JsonObject = {
        "id": ticket.id,
        "customer": plain_line(ctx.services.business.customer(ticket.customer).name),
        "subject": plain_line(ticket.subject),
        "status": ticket.status,
        "priority": ticket.priority,
        "opened": ctx.clock.show(ticket.opened),
    }
    if ticket.assignee:
        result["assignee"] = ticket.assignee
    return result


def _new(kind: str) -> Any:
    return lambda ctx, _: [Ref("business", key_of(kind, ctx.action_id))]


def _ticket_refs(_: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
    return [Ref("business", key_of("ticket", values["ticket"].record.id))]


@tool(
    effect="write",
    service="business",
    domain="business",
    undo=_new("ticket"),
    examples=(
        "open a ticket for Maria Lopez, her lamp arrived broken",
        "create a support ticket for customer C-104 about the missing parcel",
        "file a complaint from Mr Okafor in the ticket system",
        "log a high priority case for Hansen & Co: they cannot log in",
        "new support case, Jo Park wants a new charger",
    ),
)
def create_ticket(
    ctx: Context,
    customer: Annotated[CustomerRef, "Id, name or email of the customer"],
    subject: Annotated[str, "What it is about, in a few words"],
    text: Annotated[str, "The details"] = "",
    priority: Annotated[Priority, "How urgent it is"] = "normal",
) -> JsonObject:
    """Open a new support ticket for a customer."""
    if not subject.strip():
        raise ToolError("A ticket needs a subject.")
    ticket = ctx.services.business.open_ticket(
        Ticket(
            ctx.action_id,
            customer.record.id,
            plain_line(subject),
            text,
            ctx.clock.now(),
            priority=priority,
        )
    )
    return _ticket(ctx, ticket)


@tool(
    service="business",
    domain="business",
    untrusted_output=True,
    examples=(
        "which support tickets are open",
        "does Maria Lopez have an open ticket",
        "show the tickets assigned to Priya",
        "list the closed cases of customer C-104",
        "are there any tickets about the charger",
        "what is waiting in the support queue",
    ),
)
def find_tickets(
    ctx: Context,
    customer: Annotated[CustomerRef | None, "Only of this customer"] = None,
    status: Annotated[TicketStatus | None, "Only these; all but closed if left out"] = None,
    assignee: Annotated[Colleague | None, "Only those assigned to this colleague"] = None,
    query: Annotated[str | None, "Words to look for"] = None,
) -> JsonObject:
    """List customers' support tickets by customer, status, colleague or words."""
    wanted = set(telling(query or ""))
    found = [
        ticket
        for ticket in ctx.services.business.tickets()
        if (ticket.status == status if status else ticket.status != "closed")
        and (customer is None or ticket.customer == customer.record.id)
        and (assignee is None or ticket.assignee == assignee)
        and wanted <= set(telling(f"{ticket.subject} {ticket.text}"))
    ]
    result: JsonObject = {"tickets": [_ticket(ctx, each) for each in found[:_SHOWN]]}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    service="business",
    domain="business",
    untrusted_output=True,
    examples=(
        "read ticket T-31",
        "what exactly does the customer complain about in her ticket",
        "open the support ticket about the broken lamp",
        "show me the notes in Mr Okafor's ticket",
        "what does the ticket of Hansen & Co say",
    ),
)
def read_ticket(
    ctx: Context,
    ticket: Annotated[TicketRef, "Id from find_tickets, or words of its subject and customer"],
) -> JsonObject:
    """Read one support ticket: the customer's text and the colleagues' notes."""
    found = ticket.record
    notes: list[Json] = [
        {"when": ctx.clock.show(note.at), "note": note.text} for note in found.notes
    ]
    return {**_ticket(ctx, found), "text": found.text, "notes": notes}


@tool(
    effect="write",
    service="business",
    domain="business",
    undo=_ticket_refs,
    examples=(
        "close ticket T-31",
        "assign the ticket about the lamp to Priya",
        "set Mr Okafor's ticket to high priority",
        "note in the ticket that a new lamp is on its way",
        "reopen the case of Maria Lopez",
        "mark the support ticket as waiting for the customer",
        "escalate ticket T-31",
    ),
)
def update_ticket(
    ctx: Context,
    ticket: Annotated[TicketRef, "Id from find_tickets, or words of its subject and customer"],
    *,
    status: Annotated[TicketStatus | None, "New status"] = None,
    priority: Annotated[Priority | None, "New priority"] = None,
    assignee: Annotated[Colleague | None, "Colleague who takes it over"] = None,
    note: Annotated[str | None, "Note to add for colleagues"] = None,
) -> JsonObject:
    """Change a support ticket: close or reopen it, its priority, who works on it, add a note."""
    before = ticket.record
    changes: dict[str, Any] = {
        name: value
        for name, value in (("status", status), ("priority", priority), ("assignee", assignee))
        if value is not None
    }
    if note is not None and note.strip():
        changes["notes"] = (*before.notes, Note(ctx.clock.now(), note.strip()))
    if not changes:
        raise ToolError("Say what to change: the status, priority, assignee, or a note to add.")
    if changes.get("status") == before.status == "closed":
        raise ToolError(f"Ticket {before.id} is closed already.")
    after = ctx.services.business.save_ticket(replace(before, **changes))
    return _ticket(ctx, after) | ({"notes": len(after.notes)} if after.notes else {})


@tool(
    effect="write",
    service="business",
    domain="business",
    undo=_new("invoice"),
    examples=(
        "make out an invoice to Hansen & Co for 300 euros for the installation",
        "bill customer C-104 for the repair, 85.50",
        "create an invoice for Maria Lopez over 120, due at the end of the month",
        "write Jo Park an invoice for two hours of consulting",
        "invoice Mr Okafor for the spare parts",
    ),
)
def create_invoice(
    ctx: Context,
    customer: Annotated[CustomerRef, "Id, name or email of the customer"],
    amount: Annotated[Amount, "How much"],
    what: Annotated[str, "What it is for"],
    due: Annotated[DueDay, "When it is to be paid; in two weeks if left out"] = None,
) -> JsonObject:
    """Make out an invoice to a customer. It is not sent yet."""
    assert due is not None, "resolved to two weeks from now"
    if not what.strip():
        raise ToolError("An invoice must say what it is for.")
    today = ctx.clock.now().date()
    invoice = ctx.services.business.make_invoice(
        Invoice(ctx.action_id, customer.record.id, plain_line(what), amount, today, due)
    )
    return _invoice(ctx, invoice)


def _invoice(ctx: Context, invoice: Invoice) -> JsonObject:
    business = ctx.services.business
    result: JsonObject = {
        "invoice": invoice.id,
        "customer": plain_line(business.customer(invoice.customer).name),
        "what": plain_line(invoice.what),
        "amount": show_money(invoice.cents, business.currency),
        "due": ctx.clock.show(invoice.due),
        "sent": ctx.clock.show(invoice.sent[-1]) if invoice.sent else "no",
    }
    if invoice.paid is not None:
        result["paid"] = ctx.clock.show(invoice.paid)
    elif invoice.due < ctx.clock.now().date():
        result["overdue"] = True
    return result


@tool(
    service="business",
    domain="business",
    examples=(
        "which invoices are overdue",
        "has Hansen & Co paid their invoice",
        "list the unpaid invoices of customer C-104",
        "find the invoice to Maria Lopez for the installation",
        "how much do our customers still owe us",
    ),
)
def find_invoices(
    ctx: Context,
    customer: Annotated[CustomerRef | None, "Only of this customer"] = None,
    status: Annotated[
        Literal["unpaid", "overdue", "paid"] | None, "Only these; all if left out"
    ] = None,
) -> JsonObject:
    """List invoices to customers: paid, unpaid or overdue, with amounts."""
    business = ctx.services.business
    today = ctx.clock.now().date()
    found = [
        invoice
        for invoice in business.invoices()
        if (customer is None or invoice.customer == customer.record.id)
        and (status is None or (invoice.paid is not None) == (status == "paid"))
        and (status != "overdue" or invoice.due < today)
    ]
    unpaid = sum(invoice.cents for invoice in found if invoice.paid is None)
    result: JsonObject = {
        "invoices": [_invoice(ctx, each) for each in found[:_SHOWN]],
        "unpaid_in_all": show_money(unpaid, business.currency),
    }
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    effect="send",
    service="business",
    domain="business",
    destinations=("invoice",),
    examples=(
        "send Hansen & Co their invoice",
        "mail the invoice for the repair to the customer",
        "remind Mr Okafor of his overdue invoice",
        "send out invoice I-501",
        "send a payment reminder to customer C-104",
    ),
)
def send_invoice(
    ctx: Context,
    invoice: Annotated[InvoiceRef, "Id from find_invoices, or words of what and whom it is for"],
) -> JsonObject:
    """Mail an invoice to the customer; one that is overdue goes as a reminder."""
    business = ctx.services.business
    after = business.send_invoice(invoice.record.id, ctx.clock.now().date())
    customer = business.customer(after.customer)
    return {"sent": after.id, "to": plain_line(customer.email), "times_sent": len(after.sent)}


TOOLS: tuple[ToolDef, ...] = (
    create_ticket,
    find_tickets,
    read_ticket,
    update_ticket,
    create_invoice,
    find_invoices,
    send_invoice,
)
