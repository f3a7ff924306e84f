"""Tools for work with customers: who they are, what they bought, refunds, and the company's rules.

The rules are prose that ``read_policy`` tells; nothing here enforces them. Tickets and invoices are
in ``tickets``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.business import Customer, Level
from botpsy.services.money import show_money
from botpsy.services.records import key_of
from botpsy.services.text import plain_line
from botpsy.services.words import telling
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.cases import CustomerRef, Email, SaleRef, matching_customers
from botpsy.tools.references import Amount

_SHOWN = 8


def _customer(ctx: Context, customer: Customer) -> JsonObject:
    today = ctx.clock.now().date()
    return {
        "id": customer.id,
        "name": plain_line(customer.name),
        "email": plain_line(customer.email),
        "phone": plain_line(customer.phone),
        "address": plain_line(customer.address),
        "level": customer.level,
        "customer_since": ctx.clock.show(customer.since),
        "identity_verified": "today" if customer.verified == today else "not today",
    }


def _customer_refs(_: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
    return [Ref("business", key_of("customer", values["customer"].record.id))]


@tool(
    service="business",
    domain="business",
    examples=(
        "look up the customer Maria Lopez",
        "which customer has the email lopez@mail.example",
        "find the account of customer C-104",
        "is Hansen & Co a gold customer",
        "since when is Jo Park our customer",
        "pull up the customer record of Mr Okafor",
    ),
)
def find_customer(
    ctx: Context, query: Annotated[str, "Name, id, email or phone number of a customer"]
) -> JsonObject:
    """Look up a customer of the company: contact details, level, whether identity is verified."""
    found = matching_customers(ctx, query)
    result: JsonObject = {"customers": [_customer(ctx, each) for each in found[:_SHOWN]]}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    effect="write",
    service="business",
    domain="business",
    undo=_customer_refs,
    examples=(
        "the customer Maria Lopez has moved, change her address in our records",
        "set customer C-104 to gold level",
        "correct the customer's phone number in the system to 555 0190",
        "update the customer email of Hansen & Co",
        "enter the new billing address for customer Park",
    ),
)
def update_customer(
    ctx: Context,
    customer: Annotated[CustomerRef, "Id, name or email of the customer"],
    *,
    email: Annotated[Email | None, "New mail address"] = None,
    phone: Annotated[str | None, "New phone number"] = None,
    address: Annotated[str | None, "New postal address"] = None,
    level: Annotated[Level | None, "New level"] = None,
) -> JsonObject:
    """Change a customer's details in the company's records."""
    given = {"email": email, "phone": phone, "address": address, "level": level}
    changes: dict[str, Any] = {name: plain_line(value) for name, value in given.items() if value}
    if not changes:
        raise ToolError("Say what to change: the email, phone, address or level.")
    after = ctx.services.business.save_customer(replace(customer.record, **changes))
    return {"customer": plain_line(after.name), "changed": changes}


@tool(
    effect="write",
    service="business",
    domain="business",
    undo=_customer_refs,
    examples=(
        "verify the caller, the security code is 4711",
        "check the identity of customer Lopez with code 9920",
        "she says her customer PIN is 1234, is that right",
        "confirm that the caller really is Mr Okafor, his code is 3141",
        "authenticate customer C-104",
    ),
)
def verify_customer(
    ctx: Context,
    customer: Annotated[CustomerRef, "Id, name or email of the customer"],
    code: Annotated[str, "The security code that the customer has given"],
) -> JsonObject:
    """Check a customer's identity by the security code that the caller gives."""
    today = ctx.clock.now().date()
    right = ctx.services.business.verify(customer.record.id, code.strip(), today)
    return {"customer": plain_line(customer.record.name), "identity_verified": right}


@tool(
    service="business",
    domain="business",
    examples=(
        "what has the customer Maria Lopez ordered from us",
        "list the orders of customer C-104",
        "when was Mr Okafor's order delivered to him",
        "has the customer got a refund for the lamp yet",
        "which purchases did Hansen & Co make with us",
    ),
)
def customer_orders(
    ctx: Context, customer: Annotated[CustomerRef, "Id, name or email of the customer"]
) -> JsonObject:
    """List what a customer has ordered from the company, with delivery dates and refunds."""
    business = ctx.services.business
    today = ctx.clock.now().date()
    sales = [sale for sale in business.sales() if sale.customer == customer.record.id]
    refunded: dict[str, int] = {}
    for refund in business.refunds():
        refunded[refund.sale] = refunded.get(refund.sale, 0) + refund.cents
    entries: list[Json] = []
    for sale in sales[:_SHOWN]:
        entry: JsonObject = {
            "order": sale.id,
            "what": plain_line(sale.what),
            "paid": show_money(sale.cents, business.currency),
            "ordered": ctx.clock.show(sale.ordered),
            "status": sale.status,
        }
        if sale.delivered is not None:
            entry["delivered"] = ctx.clock.show(sale.delivered)
            entry["days_since_delivery"] = (today - sale.delivered).days
        if sale.id in refunded:
            entry["refunded"] = show_money(refunded[sale.id], business.currency)
        entries.append(entry)
    result: JsonObject = {"customer": plain_line(customer.record.name), "orders": entries}
    if len(sales) > _SHOWN:
        result["more"] = len(sales) - _SHOWN
    return result


@tool(
    effect="spend",
    service="business",
    domain="business",
    examples=(
        "refund Maria Lopez for the broken lamp",
        "give the customer 20 euros back on order O-2001",
        "issue a full refund for order O-2001",
        "reimburse Mr Okafor for the late delivery",
        "the customer gets half of the price back as goodwill",
    ),
)
def issue_refund(
    ctx: Context,
    order: Annotated[SaleRef, "Id from customer_orders"],
    amount: Annotated[Amount, "How much to give back"],
    reason: Annotated[str, "Why"],
) -> JsonObject:
    """Pay money back to a customer of the company for an order."""
    if not reason.strip():
        raise ToolError("A refund needs a reason.")
    business = ctx.services.business
    sale = order.record
    business.refund(ctx.action_id, sale.id, amount, reason=plain_line(reason), now=ctx.clock.now())
    return {
        "refunded": show_money(amount, business.currency),
        "to": plain_line(business.customer(sale.customer).name),
        "order": sale.id,
    }


@tool(
    service="business",
    domain="business",
    examples=(
        "what is our refund policy",
        "how much goodwill may I give a customer",
        "what do the company rules say about changing an address",
        "until when can customers return things, according to our policy",
        "which company guidelines are there",
        "am I allowed to waive the fee under our rules",
    ),
)
def read_policy(
    ctx: Context,
    topic: Annotated[str | None, "Like refunds; leave out to see which topics exist"] = None,
) -> JsonObject:
    """Read the company's rules for dealing with customers: refunds, goodwill, identity checks."""
    policies = ctx.services.business.policies()
    topics: list[Json] = [policy.topic for policy in policies]
    if topic is None:
        return {"topics": topics}
    wanted = set(telling(topic)) - {"policy", "rule", "company"}
    found = [each for each in policies if wanted and wanted <= set(telling(each.topic))] or [
        each for each in policies if wanted and wanted & set(telling(each.topic))
    ]
    if not found:
        names = ", ".join(each.topic for each in policies)
        raise ToolError(
            f"There is no rule on {plain_line(topic)[:80]!r}.",
            hint=f"There is: {names}." if names else "There are none at all.",
        )
    return {"rules": [{"topic": each.topic, "text": each.text} for each in found]}


TOOLS: tuple[ToolDef, ...] = (
    find_customer,
    update_customer,
    verify_customer,
    customer_orders,
    issue_refund,
    read_policy,
)
