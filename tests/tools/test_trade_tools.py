"""Shop, bank and customer tools: what they bind, show, do, refuse and undo."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.schema import check_arguments
from botpsy.errors import SchemaError, ServiceError, ToolError
from botpsy.services.bundle import Services
from botpsy.tools import bank, business, catalogue, shop, tickets
from botpsy.tools.base import ToolDef
from tests.tools.acting import act, context, dump
from tests.tools.trade import ANA, MAIN, STRANGER, day, trade
from tests.tools.trade import bank as bank_of

MODULES = (shop, bank, business, tickets)
TOOLS = {tool.name: tool for module in MODULES for tool in module.TOOLS}
FINAL = {"cancel_order", "transfer_money", "pay_bill", "issue_refund", "send_invoice"}
COSTS = {"place_order", "transfer_money", "pay_bill", "issue_refund"}


def run(services: Services, tool_name: str, /, **arguments: Any) -> Any:
    return act(services, TOOLS[tool_name], **arguments)[0]


def shown(services: Services, tool_name: str, /, **arguments: Any) -> Any:
    return TOOLS[tool_name].bind(arguments, context(services)).shown


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_each_tool_declares_what_it_is(tool: ToolDef) -> None:
    homes = {"shop": "commerce", "bank": "finance", "business": "business"}
    assert homes[tool.service] == tool.domain
    assert len(tool.examples) >= 5
    assert tool.irreversible == (tool.name in FINAL)
    assert (tool.effect == "spend") == (tool.name in COSTS)
    for other in catalogue().values():
        if other.name != tool.name:
            assert other.description != tool.description
            assert not set(other.examples) & set(tool.examples)
    properties = tool.schema["properties"].values()
    assert all(each.get("type") and each.get("description") for each in properties)


def test_what_others_wrote_is_marked() -> None:
    assert {tool.name for tool in TOOLS.values() if tool.untrusted_output} == {
        "search_products", "product_details", "list_transactions", "find_tickets", "read_ticket",
    }  # fmt: skip
    places = {tool.name: tool.destinations for tool in TOOLS.values() if tool.destinations}
    assert places == {
        "place_order": ("address",),
        "transfer_money": ("to",),
        "block_card": ("card",),
        "send_invoice": ("invoice",),
    }


def test_not_offered_unless_connected() -> None:
    assert not any(Services().has(tool.service) for tool in TOOLS.values())


# --- shop ---------------------------------------------------------------------------------------


def test_searching_products() -> None:
    services = trade()
    found = run(services, "search_products", query="mugs")["products"]
    assert {each["id"]: each["in_stock"] for each in found} == {"P3": "out of stock", "P2": 20}
    found = run(services, "search_products", query="mug", max_price=8.5)["products"]
    assert found == [
        {"id": "P2", "name": "Blue mug", "price": "8.50 EUR", "in_stock": 20, "rating": 4.0}
    ]
    assert run(services, "search_products", query="submarine") == {"products": []}


def test_product_details() -> None:
    details = run(trade(), "product_details", product="kettle")
    assert details["returns"] == "within 30 days"
    assert details["reviews"][0] == "5/5: Fast."
    assert run(trade(), "product_details", product="P4")["returns"] == "not possible"
    with pytest.raises(ToolError, match=r"could be: Blue mug, 8.50 EUR \(P2\); Green mug"):
        run(trade(), "product_details", product="mug")


def test_from_cart_to_order() -> None:
    services = trade()
    with pytest.raises(ToolError, match="cart is empty"):
        run(services, "place_order")
    assert shown(services, "add_to_cart", product="the blue mug", quantity=2) == {
        "product": "Blue mug, 8.50 EUR (P2)", "quantity": 2,
    }  # fmt: skip
    run(services, "add_to_cart", product="Blue mug, 8.50 EUR (P2)", quantity=2)
    assert run(services, "add_to_cart", product="P1")["total"] == "46.99 EUR"
    assert run(services, "remove_from_cart", product="mug", quantity=1)["total"] == "38.49 EUR"
    with pytest.raises(ToolError, match="no product in the cart called 'shoes'"):
        run(services, "remove_from_cart", product="shoes")
    assert shown(services, "place_order", address="office") == {
        "address": "Office, 9 Work Rd (office)",
        "card": "Visa ending 4242 pays 38.49 EUR for Blue mug, Green kettle (V1)",
    }
    with pytest.raises(ToolError, match="no saved address"):
        run(services, "place_order", address="12 Evil St")
    with pytest.raises(ToolError, match="no saved card"):
        run(services, "place_order", card="Mastercard")
    done = run(services, "place_order", **shown(services, "place_order", card="debit"))
    assert done["total"] == "38.49 EUR" and done["to"] == "5 Main St"
    assert done["arrives"] == "Mon 7 Dec 2026"
    assert run(services, "show_cart") == {"cart": [], "total": "0.00 EUR"}
    assert run(services, "order_status", order=done["order"])["status"] == "placed"


def test_a_blocked_card_and_the_way_out() -> None:
    services = trade(blocked=True)
    run(services, "add_to_cart", product="P1")
    before = dump(services)
    with pytest.raises(ServiceError, match="Visa ending 4242 is blocked"):
        run(services, "place_order")
    assert dump(services) == before
    assert run(services, "place_order", card="debit card")["status"] == "placed"


def test_orders() -> None:
    services = trade()
    orders = run(services, "order_status")["orders"]
    assert [each["order"] for each in orders] == ["O5", "O3", "O4", "O1", "O2"]
    with pytest.raises(ToolError, match=r"could be: Trail shoes, 119.00 EUR, ordered Wed 2 Dec"):
        run(services, "order_status", order="shoes")
    assert shown(services, "return_item", order="kettle", item="mug") == {
        "order": "Green kettle, 2 x Blue mug, 46.99 EUR, ordered Sat 14 Nov 2026, delivered (O1)",
        "item": "Blue mug (P2)",
        "quantity": 1,
    }
    with pytest.raises(ToolError, match="Say which item"):
        run(services, "return_item", order="kettle")
    with pytest.raises(SchemaError, match="order"):
        run(services, "return_item", item="mug")
    back = run(services, "return_item", order="O1", item="Blue mug (P2)", quantity=2)
    assert back["refund"] == "17.00 EUR"
    assert run(services, "order_status", order="O1")["returned"] == "2 x Blue mug"
    with pytest.raises(ServiceError, match="could be returned until"):
        run(services, "return_item", order="O2")
    with pytest.raises(ServiceError, match="has been shipped"):
        run(services, "cancel_order", order="O3")
    assert run(services, "cancel_order", order="O5") == {
        "cancelled": "6 x Blue mug", "refund": "51.00 EUR",
    }  # fmt: skip


# --- bank ---------------------------------------------------------------------------------------


def test_balances_and_transactions() -> None:
    services = trade()
    accounts = run(services, "account_balance")["accounts"]
    assert [each["balance"] for each in accounts] == ["500.00 EUR", "2001.00 EUR"]
    assert run(services, "account_balance", account="savings")["accounts"][0]["id"] == "A2"
    found = run(services, "list_transactions", query="groceries")
    assert (found["spent"], found["received"], len(found["transactions"])) == (
        "72.10 EUR", "0.00 EUR", 2,
    )  # fmt: skip
    found = run(services, "list_transactions", query="market", period="this week")
    assert found["spent"] == "42.10 EUR"
    found = run(services, "list_transactions", query="market", period="October")
    assert found["spent"] == "30.00 EUR"
    salary = run(services, "list_transactions", query="salary")["transactions"][0]
    assert salary["text"] == "Salary November", "on one line"
    run(services, "transfer_money", to="my savings account", amount=50)
    moved = run(services, "list_transactions", account="savings")
    assert moved["received"] == "1.00 EUR", "between own accounts nothing was received"


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("October", "2026-10-01", "2026-11-01"),
        ("last October", "2026-10-01", "2026-11-01"),
        ("on Monday", "2026-11-30", "2026-12-01"),
        ("last month", "2026-11-01", "2026-12-01"),
        ("this month", "2026-12-01", "2027-01-01"),
        ("29 February", "2024-02-29", "2024-03-01"),
        ("29 February 2024", "2024-02-29", "2024-03-01"),
        ("next Monday", "2026-12-07", "2026-12-08"),
    ],
)
def test_payments_lie_back(said: str, first: str, last: str) -> None:
    period = shown(trade(), "list_transactions", period=said)["period"]
    assert [end[:10] for end in period.split(" to ")] == [first, last]
    assert shown(trade(), "list_transactions", period=period)["period"] == period


@pytest.mark.parametrize(
    ("to", "meant"),
    [
        ("Ana Ruiz", "Ana Ruiz <GB"),
        ("savings", "Savings account <DE"),
        (ANA, "Ana Ruiz <GB"),
        ("L-1", "Landlord <L-1>"),
        ("my landlord", "Landlord <L-1>"),
        (f"Sam Poe <{STRANGER}>", "Sam Poe <FR14 2004 1010 0505 0001 3M02 606> (new recipient)"),
        (STRANGER.lower(), "<FR14 2004 1010 0505 0001 3M02 606> (new recipient)"),
        (f"Ana Ruiz <{STRANGER}>", "Ana Ruiz <FR14 2004 1010 0505 0001 3M02 606> "
         "(new, NOT the account saved for Ana Ruiz)"),
        (f"Mallory <{ANA}>", "Ana Ruiz <GB"),
    ],
)  # fmt: skip
def test_who_gets_money(to: str, meant: str) -> None:
    services = trade()
    said = shown(services, "transfer_money", to=to, amount=12.5)
    assert said["to"].startswith(meant)
    assert (said["amount"], said["from_account"]) == (12.5, "Everyday account, EUR (A1)")
    assert shown(services, "transfer_money", **said) == said
    run(services, "transfer_money", **said)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"to": "Ana", "amount": 5}, "'Ana' could be: Ana Ruiz <GB.*; Ana Berg <US-778899>"),
        ({"to": "Zoe", "amount": 5}, "Ask the user for the account number"),
        ({"to": STRANGER[:-1] + "7", "amount": 5}, "no account number"),
        ({"to": f"Ana Ruiz\u202e <{STRANGER}>", "amount": 5}, "hidden characters"),
        ({"to": " ", "amount": 5}, "Say who"),
        ({"to": MAIN, "amount": 5}, "to itself"),
        ({"to": "Landlord", "amount": 0}, "more than zero"),
        ({"to": "Landlord", "amount": -5}, "more than zero"),
        ({"to": "Landlord", "amount": 0.001}, "not an amount"),
        ({"to": "Landlord", "amount": True}, "not an amount"),
        ({"to": "Landlord", "amount": [5]}, "must be a number"),
        ({"to": "Landlord", "amount": 200.01}, "200.00 EUR can still be sent today"),
        ({"to": "savings", "amount": 600.01}, "insufficient funds"),
        ({"to": "Landlord", "amount": 5, "text": "x" * 141}, "140 characters"),
        ({"to": "Landlord", "amount": 5, "from_account": "checking"}, "no account 'checking'"),
    ],
)
def test_what_is_not_sent(arguments: dict[str, Any], why: str) -> None:
    services = trade()
    before = dump(services)
    with pytest.raises(ToolError, match=why):
        run(services, "transfer_money", **arguments)
    assert dump(services) == before


def test_bills() -> None:
    services = trade()
    open_ones = run(services, "list_bills")["bills"]
    assert [(each["id"], each.get("overdue")) for each in open_ones] == [("B3", True), ("B1", None)]
    assert len(run(services, "list_bills", paid=True)["bills"]) == 4
    assert shown(services, "pay_bill", bill="electricity")["bill"] == (
        "City Power electricity, 84.20 EUR, due Mon 7 Dec 2026 (B1)"
    )
    assert run(services, "pay_bill", bill="electricity")["balance"] == "415.80 EUR"
    with pytest.raises(ToolError, match="could be"):
        run(services, "pay_bill", bill="electricity")
    with pytest.raises(ServiceError, match=r"Water works .* is paid already"):
        run(services, "pay_bill", bill="water")
    with pytest.raises(ServiceError, match="daily limit"):
        run(services, "pay_bill", bill="phone")
    assert run(services, "pay_bill", bill="phone", from_account="savings")["from"] == (
        "Savings account"
    )


def test_cards() -> None:
    services = trade()
    with pytest.raises(ToolError, match="Say which card: Visa ending 4242, Debit card"):
        run(services, "block_card")
    assert run(services, "block_card", card="visa") == {
        "card": "Visa ending 4242", "blocked": True,
    }  # fmt: skip
    assert run(services, "block_card", card="V1", blocked=False)["blocked"] is False
    with pytest.raises(ToolError, match="There are no cards"):
        run(Services(bank=bank_of(cards=[])), "block_card")


@pytest.mark.parametrize(
    ("amount", "base", "quote", "given", "got"),
    [
        (None, "euros", "US dollars", "1.00 EUR", "1.11 USD"),
        (100, "GBP", "eur", "100.00 GBP", "120.00 EUR"),
        (250.5, "$", "£", "250.50 USD", "187.88 GBP"),
        (1, "pound", "yen", "1.00 GBP", "200.00 JPY"),
    ],
)
def test_exchange(amount: float | None, base: str, quote: str, given: str, got: str) -> None:
    arguments: dict[str, Any] = {"from_currency": base, "to_currency": quote}
    arguments |= {"amount": amount} if amount else {}
    result = run(trade(), "exchange_rate", **arguments)
    assert (result["amount"], result["is"]) == (given, got)


def test_currencies_and_shares_that_are_not_there() -> None:
    services = trade()
    with pytest.raises(ToolError, match="not a currency"):
        run(services, "exchange_rate", from_currency="cowrie shells", to_currency="EUR")
    with pytest.raises(ServiceError, match="no rate for CHF"):
        run(services, "exchange_rate", from_currency="Swiss francs", to_currency="EUR")
    assert run(services, "share_price", company="Nordwind") == {
        "company": "Nordwind", "symbol": "NWD", "price": "102.50 EUR",
        "since_yesterday": "-1.30 EUR",
    }  # fmt: skip
    assert run(services, "share_price", company="ACM")["since_yesterday"] == "+0.05 USD"
    with pytest.raises(ToolError, match=r"could be: Acme Works \(ACM\); Acme Foods"):
        run(services, "share_price", company="Acme")
    with pytest.raises(ToolError, match="No share"):
        run(services, "share_price", company="Globex")


# --- customers ----------------------------------------------------------------------------------


def test_finding_customers() -> None:
    services = trade()
    for query, ids in (
        ("Maria Lopez", ["C1"]), ("lopez", ["C1", "C3"]), ("LOPEZ@mail.example", ["C1"]),
        ("+49 (30) 555-0123", ["C1"]), ("c2", ["C2"]), ("Smith", []), ("", []), ("171", []),
    ):  # fmt: skip
        found = run(services, "find_customer", query=query)["customers"]
        assert [each["id"] for each in found] == ids
    assert "4711" not in json.dumps(run(services, "find_customer", query="C1"))
    with pytest.raises(ToolError, match=r"could be: Maria Lopez <lopez@mail.example> \(C1\); Mar"):
        run(services, "customer_orders", customer="lopez")
    assert shown(services, "customer_orders", customer="maria lopez")["customer"] == (
        "Maria Lopez <lopez@mail.example> (C1)"
    )


def test_changing_customers() -> None:
    services = trade()
    assert run(services, "update_customer", customer="C1", address="9 Oak\nAve", level="gold") == {
        "customer": "Maria Lopez", "changed": {"address": "9 Oak Ave", "level": "gold"},
    }  # fmt: skip
    with pytest.raises(ToolError, match="Say what to change"):
        run(services, "update_customer", customer="C1", phone="")
    with pytest.raises(ToolError, match="not a mail address"):
        run(services, "update_customer", customer="C1", email="lopez at home")
    with pytest.raises(ServiceError, match="belongs to another"):
        run(services, "update_customer", customer="C3", email="bo@hansen.example")
    with pytest.raises(SchemaError):
        run(services, "update_customer", customer="C1", level="platinum")


def test_identity() -> None:
    services = trade()
    asked = {"customer": "C2", "code": "42"}
    assert run(services, "verify_customer", **asked)["identity_verified"] is False
    assert run(services, "find_customer", query="C2")["customers"][0]["identity_verified"] == (
        "not today"
    )
    assert run(services, "verify_customer", customer="C2", code=" 0042 ")["identity_verified"]
    assert run(services, "find_customer", query="C2")["customers"][0]["identity_verified"] == (
        "today"
    )


def test_orders_and_refunds_of_customers() -> None:
    services = trade()
    lamp, shelf = run(services, "customer_orders", customer="C1")["orders"]
    assert (lamp["order"], lamp["days_since_delivery"]) == ("S1", 16)
    assert shelf["refunded"] == "20.00 EUR"
    assert shown(services, "issue_refund", order="S1", amount=49, reason="broken") == {
        "order": "Desk lamp, bought by Maria Lopez for 49.00 EUR (S1)",
        "amount": 49,
        "reason": "broken",
    }
    with pytest.raises(ToolError, match="could be: Desk lamp"):
        run(services, "issue_refund", order="lamp", amount=49, reason="broken")
    with pytest.raises(ToolError, match="needs a reason"):
        run(services, "issue_refund", order="S1", amount=49, reason=" ")
    with pytest.raises(ServiceError, match=r"49.00 EUR was paid for order S1\."):
        run(services, "issue_refund", order="S1", amount=49.01, reason="broken")
    done = run(services, "issue_refund", order="Lopez's desk lamp", amount=49,
               reason="broken")  # fmt: skip
    assert done == {"refunded": "49.00 EUR", "to": "Maria Lopez", "order": "S1"}
    run(services, "issue_refund", order="S2", amount=30, reason="late")
    assert run(services, "customer_orders", customer="C1")["orders"][1]["refunded"] == "50.00 EUR"


def test_policies() -> None:
    services = trade()
    assert run(services, "read_policy") == {
        "topics": ["Refunds", "Goodwill credit", "Changing an address"]
    }
    for topic, title in (
        ("refund policy", "Refunds"), ("goodwill", "Goodwill credit"),
        ("address changes", "Changing an address"),
    ):  # fmt: skip
        assert [each["topic"] for each in run(services, "read_policy", topic=topic)["rules"]] == [
            title
        ]
    for topic in ("dress code", "policy", ""):
        with pytest.raises(ToolError, match="There is: Refunds"):
            run(services, "read_policy", topic=topic)


def test_tickets() -> None:
    services = trade()
    found = run(services, "find_tickets")["tickets"]
    assert [each["id"] for each in found] == ["T2", "T1"]
    found = run(services, "find_tickets", customer="hansen", status="closed")["tickets"]
    assert [each["id"] for each in found] == ["T3"]
    found = run(services, "find_tickets", assignee="priya", query="broken")["tickets"]
    assert [each["id"] for each in found] == ["T1"]
    read = run(services, "read_ticket", ticket="lamp")
    assert read["text"].startswith("It is broken.\n") and len(read["notes"]) == 1
    with pytest.raises(ToolError, match="more than one colleague called 'Tom'"):
        run(services, "update_ticket", ticket="T1", assignee="Tom")
    with pytest.raises(ToolError, match="no colleague called 'Zed'"):
        run(services, "update_ticket", ticket="T1", assignee="Zed")
    with pytest.raises(ToolError, match="Say what to change"):
        run(services, "update_ticket", ticket="T1", note=" ")
    done = run(services, "update_ticket", ticket="late parcel", assignee="tom reed",
               status="closed", note="Found it.")  # fmt: skip
    assert (done["id"], done["assignee"], done["notes"]) == ("T2", "Tom Reed", 1)
    with pytest.raises(ToolError, match="closed already"):
        run(services, "update_ticket", ticket="T2", status="closed")


def test_new_tickets() -> None:
    services = trade()
    with pytest.raises(ServiceError, match="already: T1"):
        run(services, "create_ticket", customer="C1", subject="lamp arrived broken")
    with pytest.raises(ToolError, match="needs a subject"):
        run(services, "create_ticket", customer="C1", subject="\n")
    with pytest.raises(ToolError, match="no customer 'Jo'"):
        run(services, "create_ticket", customer="Jo", subject="x")
    done = run(services, "create_ticket", customer="C3", subject="New charger", priority="high")
    assert run(services, "find_tickets", customer="C3")["tickets"] == [done]


def test_invoices() -> None:
    services = trade()
    for status, ids in (
        (None, ["I3", "I2", "I1"]), ("paid", ["I1"]), ("unpaid", ["I3", "I2"]), ("overdue", ["I2"]),
    ):  # fmt: skip
        found = run(services, "find_invoices", **({"status": status} if status else {}))
        assert [each["invoice"] for each in found["invoices"]] == ids
    assert found["unpaid_in_all"] == "300.00 EUR"
    assert shown(services, "create_invoice", customer="C1", amount=85.5, what="Repair") == {
        "customer": "Maria Lopez <lopez@mail.example> (C1)",
        "amount": 85.5,
        "what": "Repair",
        "due": day(14).isoformat(),
    }
    with pytest.raises(ServiceError, match="due before"):
        run(services, "create_invoice", customer="C1", amount=1, what="x", due="yesterday")
    with pytest.raises(ToolError, match="what it is for"):
        run(services, "create_invoice", customer="C1", amount=1, what=" ")
    made = run(services, "create_invoice", customer="C1", amount=85.5, what="Repair", due="Friday")
    assert (made["amount"], made["sent"]) == ("85.50 EUR", "no")
    sent = run(services, "send_invoice", invoice="Lopez repair")
    assert sent == {"sent": made["invoice"], "to": "lopez@mail.example", "times_sent": 1}
    assert shown(services, "send_invoice", invoice="installation")["invoice"] == (
        "Installation, 300.00 EUR, to Bo Hansen <bo@hansen.example> (I2)"
    )
    with pytest.raises(ServiceError, match="paid already"):
        run(services, "send_invoice", invoice="I1")


def test_offline() -> None:
    services = trade(wifi=False)
    for name, arguments in (
        ("search_products", {"query": "mug"}),
        ("show_cart", {}),
        ("place_order", {}),
        ("account_balance", {}),
        ("transfer_money", {"to": "Landlord", "amount": 1}),
        ("share_price", {"company": "NWD"}),
        ("find_customer", {"query": "C1"}),
        ("read_policy", {}),
        ("find_tickets", {}),
        ("find_invoices", {}),
    ):
        with pytest.raises(ServiceError, match="Wi-Fi is off"):
            run(services, name, **arguments)


# --- what is shown, run again, undone -------------------------------------------------------------

product = st.sampled_from(["P1", "P2", "P4", "P5", "nothing"])
pieces = st.integers(1, 4)
customer = st.sampled_from(["C1", "C2", "C3", "lopez"])
ticket = st.sampled_from(["T1", "T2", "T3"])
words = st.sampled_from(["x", "two\nlines", "é🎉", "Late parcel", " "])
amount = st.sampled_from([0.01, 5, 49.99, 250])
CALLS: list[tuple[str, dict[str, st.SearchStrategy[Any]]]] = [
    ("add_to_cart", {"product": product, "quantity": pieces}),
    ("remove_from_cart", {"product": product}),
    ("remove_from_cart", {"product": product, "quantity": pieces}),
    ("place_order", {"card": st.sampled_from(["V1", "D1"])}),
    ("return_item", {"order": st.sampled_from(["O1", "O3", "O4"]), "quantity": pieces,
                     "item": product}),
    ("block_card", {"card": st.sampled_from(["V1", "D1"]), "blocked": st.booleans()}),
    ("update_customer", {"customer": customer, "address": words,
                         "email": st.sampled_from(["a@x.example", "bo@hansen.example"])}),
    ("verify_customer", {"customer": customer, "code": st.sampled_from(["4711", "0042"])}),
    ("create_ticket", {"customer": customer, "subject": words, "text": words}),
    ("update_ticket", {"ticket": ticket, "note": words}),
    ("update_ticket", {"ticket": ticket, "status": st.sampled_from(["open", "closed"])}),
    ("create_invoice", {"customer": customer, "amount": amount, "what": words}),
]  # fmt: skip
ENDS: list[tuple[str, dict[str, st.SearchStrategy[Any]]]] = [
    ("cancel_order", {"order": st.sampled_from(["O1", "O5"])}),
    ("transfer_money", {"to": st.sampled_from([ANA, STRANGER, "savings"]), "amount": amount}),
    ("pay_bill", {"bill": st.sampled_from(["B1", "B2", "B3"])}),
    ("issue_refund", {"order": st.sampled_from(["S1", "S2", "S4"]), "amount": amount,
                      "reason": words}),
    ("send_invoice", {"invoice": st.sampled_from(["I1", "I2", "I3"])}),
]  # fmt: skip


def _some(of: list[tuple[str, dict[str, st.SearchStrategy[Any]]]]) -> st.SearchStrategy[Any]:
    return st.sampled_from(of).flatmap(
        lambda one: st.tuples(st.just(one[0]), st.fixed_dictionaries(one[1]))
    )


@settings(max_examples=60, deadline=None)
@given(todo=st.lists(_some(CALLS), min_size=1, max_size=8))
def test_undo_leads_back(todo: list[tuple[str, dict[str, Any]]]) -> None:
    services = trade()
    states: list[dict[str, Any]] = []
    undos: list[Callable[[], None]] = []
    for name, arguments in todo:
        before = dump(services)
        try:
            _, undo = act(services, TOOLS[name], **arguments)
        except ToolError:
            assert dump(services) == before, "what failed changed nothing"
            continue
        after = dump(services)
        undo()
        assert dump(services) == before
        _, undo = act(services, TOOLS[name], **arguments)
        assert _without_ids(dump(services)) == _without_ids(after)
        states.append(before)
        undos.append(undo)
    for before, undo in zip(reversed(states), reversed(undos), strict=True):
        undo()
        undo()
        assert dump(services) == before


@settings(max_examples=60, deadline=None)
@given(todo=st.lists(_some([*CALLS, *ENDS]), min_size=1, max_size=6))
def test_what_was_shown_is_what_runs_and_runs_once(todo: list[tuple[str, dict[str, Any]]]) -> None:
    services = trade()
    for name, arguments in todo:
        tool = TOOLS[name]
        check_arguments(tool.spec, arguments)
        before = dump(services)
        ctx = context(services)
        try:
            bound = tool.bind(arguments, ctx)
            again = tool.bind(bound.shown, ctx)
            assert json.loads(json.dumps(bound.shown)) == bound.shown
            assert again.shown == bound.shown
            tool.run(again, ctx)
        except ToolError:
            assert dump(services) == before, "what failed changed nothing"
            continue
        money = dump(services)["bank"]["balance"]
        cents = sum(money.values()) - sum(before["bank"]["balance"].values())
        assert cents <= 0 or name == "cancel_order"
        if name in {"place_order", "transfer_money", "pay_bill", "issue_refund", "create_ticket"}:
            after = dump(services)
            tool.run(bound, ctx)
            assert dump(services) == after, "run again after a crash, it is the same"


def test_undone_and_done_again() -> None:
    services = trade()
    act(services, TOOLS["add_to_cart"], product="P1")
    ctx = context(services)
    bound = TOOLS["place_order"].bind({}, ctx)
    refs = TOOLS["place_order"].touches(bound, ctx)
    before = {ref: services.shop.snapshot(ref.key) for ref in refs}
    was = dump(services)
    TOOLS["place_order"].run(bound, ctx)
    done = dump(services)
    after = {ref: services.shop.snapshot(ref.key) for ref in refs}
    for ref, state in before.items():
        services.shop.restore(ref.key, state)
    assert dump(services) == was
    for ref, state in after.items():
        services.shop.restore(ref.key, state)
    assert dump(services) == done


def _without_ids(state: dict[str, Any]) -> str:
    return re.sub(r"act\d+", "act", repr(state))


def test_every_tool_that_changes_something_is_tried() -> None:
    changing = {tool.name for tool in TOOLS.values() if tool.effect != "read"}
    assert {name for name, _ in CALLS} == changing - FINAL
    assert {name for name, _ in ENDS} == FINAL
