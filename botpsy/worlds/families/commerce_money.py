"""The bank: balances, payments made, bills, rates and share prices."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from botpsy.services.bank import Payee, Share
from botpsy.services.money import show_money
from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.market import (
    bill,
    coins,
    exchanged,
    paid,
    purse,
    told,
)
from botpsy.worlds.seeding.trade import SHARES, SHOPS, iban

DOMAIN: Final = "commerce"
CURRENCIES = (
    ("USD", "dollars"), ("GBP", "pounds"), ("CHF", "Swiss francs"), ("SEK", "Swedish kronor"),
    ("PLN", "zloty"), ("JPY", "yen"), ("CAD", "Canadian dollars"), ("INR", "rupees"),
)  # fmt: skip


@family(DOMAIN, "single")
def on_one_account(s: Scene) -> Scenario:
    """The balance of one of two accounts."""
    coins(s)
    main, savings = purse(s)
    one = s.choose((main, savings))
    said = one.name.lower()
    return s.scenario(
        s.say(
            "how much do I have in my {account}?",
            "what's left on the {account}",
            "{account}: what's the balance?",
            "tell me what my {account} stands at",
            account=said,
        ),
        [
            call("account_balance", account=said),
            say("There are {accounts[0][balance]} in it."),
        ],
        answer=(told(one.balance),),
    )


@family(DOMAIN, "single")
def spent_at_a_shop(s: Scene) -> Scenario:
    """What was spent in one place last month."""
    coins(s)
    shop = s.pick(SHOPS)
    purse(s)
    start, _ = s.clock.period("last month")
    amounts = [s.rng.randint(400, 6000) for _ in range(s.choose((2, 3)))]
    for n, cents in enumerate(amounts):
        paid(s, shop, -cents, at=start.date() + timedelta(days=3 + 9 * n))
    paid(s, shop, -s.rng.randint(400, 6000), at=start.date() - timedelta(days=8))
    return s.scenario(
        s.say(
            "how much did I spend at {shop} last month?",
            "what did {shop} cost me last month altogether?",
            "add up my payments to {shop} for last month",
            shop=shop,
        ),
        [
            call("list_transactions", query=shop, period="last month"),
            say(f"You spent {{spent}} at {shop} last month."),
        ],
        answer=(told(sum(amounts)),),
    )


@family(DOMAIN, "single")
def in_another_currency(s: Scene) -> Scenario:
    """Convert an amount of money."""
    code, word = s.pick(CURRENCIES)
    other, name = s.choose((("EUR", "euros"), s.pick(CURRENCIES)))
    amount = s.choose((15, 20, 45, 80, 120, 250, 300, 1200))
    return s.scenario(
        s.say(
            "how much is {amount} {word} in {name}?",
            "convert {amount} {word} to {name}",
            "what would I get in {name} for {amount} {word}?",
            "{amount} {word}, how many {name} is that",
            amount=amount,
            word=word,
            name=name,
        ),
        [
            call("exchange_rate", from_currency=code, to_currency=other, amount=amount).because(
                f"{word} are {code}, {name} {other}"
            ),
            say("{amount} are {is}."),
        ],
        offer=["calculate"],
        answer=(told(exchanged(amount * 100, code, other)),),
    )


@family(DOMAIN, "single")
def how_the_share_stands(s: Scene) -> Scenario:
    """The price of a share, up or down."""
    symbol, name, cents = s.pick(SHARES)
    purse(s)
    up = s.chance(0.5)
    change = s.rng.randint(20, 300)
    s.add(Share(symbol, name, cents, "EUR", change if up else -change))
    return s.scenario(
        s.say(
            "how is {name} doing on the stock market today?",
            "what does a share of {name} cost, and is it up or down?",
            "is {name} up or down since yesterday? And the price, please",
            name=name,
        ),
        [
            call("share_price", company=name),
            say(
                f"{name} is at {{price}}, {'up' if up else 'down'}: {{since_yesterday}} since "
                "yesterday."
            ),
        ],
        answer=(told(cents), "up|rise|risen|rose|gain|gained|plus|higher" if up else
                "down|fall|fallen|fell|lost|minus|lower|drop|dropped"),
    )  # fmt: skip


@family(DOMAIN, "single")
def pay_one_bill(s: Scene) -> Scenario:
    """One of the open bills, by who sent it."""
    purse(s)
    one = bill(s, s.choose((2, 5, 9)))
    bill(s, 12)
    return s.scenario(
        s.say(
            "pay the bill from {biller}",
            "settle what I owe {biller}, the bill that's open",
            "the {biller} bill, pay it today please",
            "take care of the {biller} bill",
            biller=one.biller,
        ),
        [
            call("pay_bill", bill=one.biller),
            say("Paid: {amount} to {paid}. Your balance is {balance}."),
        ],
        offer=["transfer_money"],
    )


@family(DOMAIN, "single", held_out=True)
def pay_from_the_other(s: Scene) -> Scenario:
    """A bill, paid from the savings account."""
    purse(s)
    one = bill(s, 4)
    bill(s, 9)
    return s.scenario(
        s.say(
            "pay {biller}'s bill, but take it from my savings",
            "the bill of {biller} should come out of the savings account. Pay it",
            "use my savings account to pay the bill from {biller}",
            biller=one.biller,
        ),
        [
            call("pay_bill", bill=one.biller, from_account="savings account"),
            say("{amount} went to {paid} from your savings, {balance} are left there."),
        ],
    )


@family(DOMAIN, "parallel")
def two_bills(s: Scene) -> Scenario:
    """Two named bills at once; a third stays open."""
    purse(s)
    one, two, _ = bill(s, 3), bill(s, 8), bill(s, 15)
    return s.scenario(
        s.say(
            "pay the bills from {one} and {two}",
            "{one} and {two} both want money, pay their bills",
            "two bills to pay now: {one}, {two}",
            one=one.biller,
            two=two.biller,
        ),
        [
            both(call("pay_bill", bill=one.biller), call("pay_bill", bill=two.biller)),
            says(f"Both are paid: {one.biller} and {two.biller}."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def have_and_owe(s: Scene) -> Scenario:
    """Two look-ups: what there is and what must be paid."""
    coins(s)
    main, _ = purse(s)
    one = bill(s, s.choose((2, 4, 6)))
    said = main.name.lower()
    return s.scenario(
        s.say(
            "what's on my {account}, and what bills are still open?",
            "show me the balance of the {account} and the bills I have to pay",
            account=said,
        ),
        [
            both(call("account_balance", account=said), call("list_bills")),
            says(
                f"Your balance is {_shown(s, main.balance)}. One bill is open: {one.biller}, "
                f"{_shown(s, one.cents)}."
            ),
        ],
        answer=(told(main.balance), one.biller, told(one.cents)),
    )


@family(DOMAIN, "multi_step")
def all_that_is_due(s: Scene) -> Scenario:
    """Find the bills due within a week and pay just those."""
    purse(s)
    one, two = bill(s, s.choose((1, 2, 3))), bill(s, s.choose((4, 5)))
    later = bill(s, s.choose((11, 16, 20)))
    return s.scenario(
        s.say(
            "pay all bills that are due within the next seven days",
            "go through my bills and pay whatever falls due in the coming week",
            "which of my bills have to be paid in the next 7 days? Pay those, leave the rest",
        ),
        [
            call("list_bills"),
            both(call("pay_bill", bill=one.id), call("pay_bill", bill=two.id)).because(
                f"seven days on it is {s.midnight(7):%a} {s.midnight(7).day} {s.midnight(7):%b}, "
                f"and {later.biller} is due after that"
            ),
            says(f"Paid: {one.biller} and {two.biller}. {later.biller} has time."),
        ],
        near={
            "all of them": [
                both(*(call("pay_bill", bill=each.id) for each in (one, two, later))),
                says("All are paid."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def worth_of_my_shares(s: Scene) -> Scenario:
    """The price, then a sum with it."""
    symbol, name, cents = s.pick(SHARES)
    purse(s)
    s.add(Share(symbol, name, cents, "EUR", s.rng.randint(-90, 90)))
    count = s.choose((12, 15, 25, 40, 60))
    price = f"{cents // 100}.{cents % 100:02}"
    return s.scenario(
        s.say(
            "I hold {count} shares of {name}, what are they worth right now?",
            "work out the value of my {count} {name} shares at today's price",
            "what would {count} shares of {name} come to?",
            count=count,
            name=name,
        ),
        [
            call("share_price", company=name),
            call("calculate", expression=f"{count} * {price}").because(
                f"{count} shares at {price} EUR"
            ),
            says(f"They are worth {_shown(s, count * cents)}."),
        ],
        answer=(told(count * cents),),
    )


@family(DOMAIN, "state")
def charged_twice(s: Scene) -> Scenario:
    """The same payment is there two times; nothing is to be done about it yet."""
    shop = s.pick(SHOPS)
    purse(s)
    cents = s.rng.randint(1100, 7900)
    paid(s, shop, -cents, days=3)
    paid(s, shop, -cents, days=2)
    return s.scenario(
        s.say(
            "did {shop} charge me twice? Just look, don't do anything",
            "I have a feeling {shop} took the money two times. Can you check my payments?",
            "check if there's a double payment to {shop} among my transactions",
            shop=shop,
        ),
        [
            call("list_transactions", query=shop),
            says(
                f"Yes, {shop} took {_shown(s, cents)} twice: {s.clock.show(_day(s, 3))} and "
                f"{s.clock.show(_day(s, 2))}."
            ),
        ],
        offer=["block_card", "transfer_money"],
        answer=(told(cents), "twice|two|double|both|2"),
        near={
            "blocks the card": [
                call("block_card"),
                says(f"Yes, {_shown(s, cents)} twice; your card is blocked."),
            ]
        },
    )


@family(DOMAIN, "state")
def bill_is_paid(s: Scene) -> Scenario:
    """What is to be paid has been; it is not paid another way."""
    purse(s)
    ago = s.choose((1, 2, 5))
    one = bill(s, 4, paid=ago)
    bill(s, 10)
    s.add(Payee(one.biller, iban(s)))
    return s.scenario(
        s.say(
            "{biller} is waiting for the money, pay that bill",
            "don't forget {biller}, their bill needs paying now",
            "please pay this month's bill from {biller}",
            biller=one.biller,
        ),
        [
            call("pay_bill", bill=one.biller),
            call("list_bills", paid=True).because("the list tells when it was paid"),
            says(
                f"That bill is paid already: {_shown(s, one.cents)}, {s.clock.show(_day(s, ago))}."
            ),
        ],
        offer=["transfer_money"],
        answer=("already|has been paid|was paid|is paid",),
        near={
            "a transfer": [
                call("transfer_money", to=one.biller, amount=one.cents / 100),
                says("The bill was paid already, so I have sent it."),
            ]
        },
    )


@family(DOMAIN, "state")
def not_enough_for_the_bill(s: Scene) -> Scenario:
    """The account does not cover it; another one was not offered."""
    coins(s)
    main, _ = purse(s, balance=s.choose((18, 36, 55)))
    one = bill(s, 2, cents=s.rng.randint(6100, 9900))
    said = main.name.lower()
    return s.scenario(
        s.say(
            "pay {biller} from my {account}",
            "the {biller} bill, please pay it, from the {account}",
            biller=one.biller,
            account=said,
        ),
        [
            call("pay_bill", bill=one.biller, from_account=said),
            says(
                f"I could not pay it: your {said} holds only {_shown(s, main.balance)}, which does "
                f"not cover the {one.biller} bill."
            ),
        ],
        offer=["account_balance", "transfer_money"],
        answer=(told(main.balance),),
        near={
            "from savings": [
                call("pay_bill", bill=one.biller, from_account="savings"),
                says(f"There were only {_shown(s, main.balance)}, so I took your savings."),
            ]
        },
    )


def _shown(s: Scene, cents: int) -> str:
    return show_money(cents, s.options["bank"].get("currency", "EUR"))


def _day(s: Scene, ago: int) -> date:
    return s.now.date() - timedelta(days=ago)
