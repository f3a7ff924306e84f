"""Tools for money: accounts, transfers, bills, cards, exchange rates and share prices.

What has been paid cannot be undone.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from typing import Annotated

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.money import show_money
from botpsy.services.records import key_of
from botpsy.services.text import plain_line
from botpsy.services.words import telling
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.payments import (
    AccountRef,
    BillRef,
    CardRef,
    Currency,
    PastPeriod,
    RecipientRef,
    SourceRef,
)
from botpsy.tools.references import Amount

_SHOWN = 10
_LONGEST_TEXT = 140


def _money(ctx: Context, cents: int) -> str:
    return show_money(cents, ctx.services.bank.currency)


@tool(
    service="bank",
    domain="finance",
    examples=(
        "how much money is left on my account",
        "what's my bank balance",
        "how much is in my savings account",
        "am I overdrawn",
        "check my account balance",
        "is there enough money in the bank for the rent",
    ),
)
def account_balance(
    ctx: Context,
    account: Annotated[AccountRef | None, "Only this one; all accounts if left out"] = None,
) -> JsonObject:
    """Tell how much money is in the user's bank accounts."""
    bank = ctx.services.bank
    accounts = [account.record] if account is not None else bank.accounts()
    entries: list[Json] = []
    for each in accounts:
        entry: JsonObject = {
            "account": plain_line(each.name),
            "id": each.id,
            "balance": _money(ctx, bank.balance(each.id)),
        }
        if each.overdraft:
            entry["overdraft"] = _money(ctx, each.overdraft)
        entries.append(entry)
    return {"accounts": entries}


@tool(
    service="bank",
    domain="finance",
    untrusted_output=True,
    examples=(
        "what did I spend on groceries last month",
        "show my latest bank transactions",
        "has my salary come in",
        "how much have I paid the gym this year",
        "list the payments from my account this week",
        "did the money from Ana arrive on my account",
        "what was charged to my card yesterday",
    ),
)
def list_transactions(
    ctx: Context,
    account: Annotated[AccountRef | None, "Only this account; all if left out"] = None,
    period: Annotated[PastPeriod | None, "When, like last month"] = None,
    query: Annotated[str | None, "Words of who was paid or what for"] = None,
) -> JsonObject:
    """List money that was spent from or paid into the user's bank account, with sums."""
    wanted = set(telling(query or ""))
    found = [
        each
        for each in ctx.services.bank.movements()
        if (account is None or each.account == account.record.id)
        and (period is None or period[0] <= each.at < period[1])
        and wanted <= set(telling(f"{each.who} {each.text}"))
    ]
    entries: list[Json] = []
    for each in found[:_SHOWN]:
        entry: JsonObject = {
            "day": ctx.clock.show(each.at.astimezone(ctx.clock.tz).date()),
            "who": plain_line(each.who),
            "amount": _money(ctx, each.cents),
        }
        if each.text:
            entry["text"] = plain_line(each.text)
        entries.append(entry)
    real = [each.cents for each in found if each.kind != "own"]
    result: JsonObject = {
        "transactions": entries,
        "spent": _money(ctx, -sum(cents for cents in real if cents < 0)),
        "received": _money(ctx, sum(cents for cents in real if cents > 0)),
    }
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    effect="spend",
    service="bank",
    domain="finance",
    destinations=("to",),
    examples=(
        "transfer 50 euros to Ana",
        "send Ben the 20 dollars I owe him",
        "wire 300 to my landlord for the rent",
        "pay Marta back 12.50",
        "move 100 euros to my savings account",
        "transfer money to DE89 3704 0044 0532 0130 00",
        "put 200 from checking into savings",
    ),
)
def transfer_money(
    ctx: Context,
    to: Annotated[RecipientRef, "Saved recipient, own account, or account number (IBAN)"],
    amount: Annotated[Amount, "How much, in the currency of the account"],
    from_account: Annotated[SourceRef, "Account that pays; the main one if left out"] = None,
    text: Annotated[str, "What it is for"] = "",
) -> JsonObject:
    """Send money by bank transfer to a person, a company, or another of the user's accounts."""
    assert from_account is not None, "resolved to the main one"
    text = plain_line(text)
    if len(text) > _LONGEST_TEXT:
        raise ToolError(f"What it is for may have {_LONGEST_TEXT} characters.")
    source = from_account.record
    bank = ctx.services.bank
    bank.transfer(ctx.action_id, source.id, to.record, amount, text=text, now=ctx.clock.now())
    return {
        "sent": _money(ctx, amount),
        "to": to.shown,
        "from": plain_line(source.name),
        "balance": _money(ctx, bank.balance(source.id)),
    }


@tool(
    service="bank",
    domain="finance",
    examples=(
        "which bills do I still have to pay",
        "is the electricity bill due",
        "how much is my phone bill this month",
        "have I paid the water bill",
        "what bills are coming up",
        "when must the internet bill be paid",
    ),
)
def list_bills(
    ctx: Context, paid: Annotated[bool, "true to see the paid ones as well"] = False
) -> JsonObject:
    """Show the user's bills from electricity, phone, rent and others: amounts and due days."""
    today = ctx.clock.now().date()
    entries: list[Json] = []
    for bill in ctx.services.bank.bills():
        if bill.paid is not None and not paid:
            continue
        entry: JsonObject = {
            "id": bill.id,
            "from": plain_line(bill.biller),
            "amount": _money(ctx, bill.cents),
            "due": ctx.clock.show(bill.due),
        }
        if bill.paid is not None:
            entry["paid"] = ctx.clock.show(bill.paid)
        elif bill.due < today:
            entry["overdue"] = True
        entries.append(entry)
    return {"bills": entries}


@tool(
    effect="spend",
    service="bank",
    domain="finance",
    examples=(
        "pay the electricity bill",
        "pay my phone bill",
        "settle the water bill from my savings",
        "take care of the internet bill today",
        "pay bill B-12",
        "pay off the gas bill",
    ),
)
def pay_bill(
    ctx: Context,
    bill: Annotated[BillRef, "Id from list_bills, or who it is from"],
    from_account: Annotated[SourceRef, "Account that pays; the main one if left out"] = None,
) -> JsonObject:
    """Pay one of the user's bills in full."""
    assert from_account is not None, "resolved to the main one"
    source = from_account.record
    bank = ctx.services.bank
    movement = bank.pay_bill(ctx.action_id, bill.record.id, source.id, ctx.clock.now())
    return {
        "paid": plain_line(movement.who),
        "amount": _money(ctx, -movement.cents),
        "from": plain_line(source.name),
        "balance": _money(ctx, bank.balance(source.id)),
    }


@tool(
    effect="control",
    service="bank",
    domain="finance",
    destinations=("card",),
    undo=lambda _ctx, values: [Ref("bank", key_of("card", values["card"].record.id))],
    examples=(
        "block my credit card, I lost my wallet",
        "freeze the debit card",
        "my card was stolen, block it",
        "I found my card again, you can unblock it",
        "unfreeze my credit card",
    ),
)
def block_card(
    ctx: Context,
    card: Annotated[CardRef, "Which card, if there are several"] = None,
    blocked: Annotated[bool, "false to free it again"] = True,
) -> JsonObject:
    """Block a payment card that is lost or stolen, or unblock it."""
    assert card is not None, "resolved to the only one"
    after = ctx.services.bank.set_blocked(card.record.id, blocked)
    return {"card": plain_line(after.name), "blocked": after.blocked}


@tool(
    service="bank",
    domain="finance",
    examples=(
        "how many dollars is a euro",
        "convert 100 pounds to euros",
        "what's the exchange rate for the yen",
        "how much is 250 USD in Swiss francs",
        "what is the dollar worth today",
        "EUR to GBP",
    ),
)
def exchange_rate(
    ctx: Context,
    from_currency: Annotated[Currency, "Code of the currency to convert, like USD"],
    to_currency: Annotated[Currency, "Code of the currency to convert into"],
    amount: Annotated[Amount | None, "How much; 1 if left out"] = None,
) -> JsonObject:
    """Tell the exchange rate between two currencies, and convert an amount of money."""
    rate = ctx.services.bank.rate(from_currency, to_currency)
    cents = amount or 100
    converted = int((cents * rate).quantize(Decimal(1), ROUND_HALF_EVEN))
    return {
        "amount": show_money(cents, from_currency),
        "is": show_money(converted, to_currency),
        "rate": f"{rate:.4f}",
    }


@tool(
    service="bank",
    domain="finance",
    examples=(
        "how are Siemens shares doing",
        "what is the share price of Acme",
        "how much is a share of Nordwind",
        "is the Acme stock up or down",
        "check the stock market price of Globex",
        "stock quote for NWD",
    ),
)
def share_price(ctx: Context, company: Annotated[str, "Company or its stock symbol"]) -> JsonObject:
    """Tell what a company's share costs on the stock market, up or down since yesterday."""
    found = ctx.services.bank.shares(company)
    if len(found) != 1:
        said = repr(plain_line(company)[:80])
        names = "; ".join(f"{plain_line(each.name)} ({each.id})" for each in found)
        what = f"{said} could be: {names}." if found else f"No share of {said} is listed."
        raise ToolError(what)
    share = found[0]
    change = show_money(share.change, share.currency)
    return {
        "company": plain_line(share.name),
        "symbol": share.id,
        "price": show_money(share.cents, share.currency),
        "since_yesterday": change if share.change <= 0 else f"+{change}",
    }


TOOLS: tuple[ToolDef, ...] = (
    account_balance,
    list_transactions,
    transfer_money,
    list_bills,
    pay_bill,
    block_card,
    exchange_rate,
    share_price,
)
