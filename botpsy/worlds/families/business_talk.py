"""A firm's desk in conversation: follow-ups, corrections, and questions."""

from __future__ import annotations

from typing import Final

from botpsy.services.money import from_cents
from botpsy.worlds.acts import ask, both, call, got, say, says
from botpsy.worlds.people import STREETS
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import desk

DOMAIN: Final = "business"

JOBS = ("the guided tour", "tree felling", "translation of the manual", "catering", "photo session",
        "cleaning after the event", "sign painting")  # fmt: skip


@family(DOMAIN, "multi_turn")
def then_make_it_urgent(s: Scene) -> Scenario:
    """What was just opened becomes urgent and gets somebody."""
    who, names = desk.customer(s), desk.staff(s)
    mate = s.choose(names).split()[0]
    issue, word = s.choose(
        (
            ("the alarm system cannot be reached", "alarm"),
            ("the freezer fails and food is thawing", "freezer|food"),
            ("water runs out of the new machine", "water"),
        )
    )
    return s.scenario(
        [
            s.say(
                "ticket for {name}, please: {issue}",
                "take down for {name} that {issue}, as a ticket",
                "{name} reports that {issue}. Open a case",
                name=who.name,
                issue=issue,
            ),
            s.say(
                "that's urgent, set it to high and let {mate} have it",
                "high priority, by the way, and it goes to {mate}",
                "on second thoughts give it to {mate} right now, top priority",
                mate=mate,
            ),
        ],
        [
            call("create_ticket", customer=who.name, subject=issue),
            say("Ticket {id} is open for {customer}."),
            call("update_ticket", ticket=got("id"), priority="high", assignee=mate),
            say("{assignee} has it now, with high priority."),
        ],
        mentions=(word,),
    )


@family(DOMAIN, "multi_turn")
def number_of_the_house(s: Scene) -> Scenario:
    """Only a part of what was entered was wrong."""
    who = desk.customer(s)
    street, city = s.choose(STREETS), s.choose(("Leeds", "Ghent", "Graz", "Porto"))
    wrong, right = s.rng.sample(range(11, 90), 2)
    return s.scenario(
        [
            s.say(
                "customer {name} moved: {street} {wrong}, {city}",
                "enter {street} {wrong}, {city} as the address of customer {name}",
                "customer {name} lives at {street} {wrong}, {city} now, please record it",
                name=who.name,
                street=street,
                wrong=wrong,
                city=city,
                exact=True,
            ),
            s.say(
                "sorry, it's number {right}, not {wrong}",
                "I misheard, the house number is {right}",
                "{right}, I mean, the rest is right",
                right=right,
                wrong=wrong,
            ),
        ],
        [
            call("update_customer", customer=who.name, address=f"{street} {wrong}, {city}"),
            says(f"{who.name} now has {street} {wrong}, {city}."),
            call("update_customer", customer=who.name, address=f"{street} {right}, {city}").because(
                f"the same address with {right}"
            ),
            says(f"Corrected to {street} {right}, {city}."),
        ],
    )


@family(DOMAIN, "multi_turn")
def the_older_of_both(s: Scene) -> Scenario:
    """A look-up, then a pick from what it showed."""
    firm, who = desk.firm(s), desk.customer(s)
    bills = [
        desk.invoice(s, who, s.pick(JOBS), 100 * s.rng.randint(40, 500), days) for days in (44, 23)
    ]
    s.rng.shuffle(s.records[type(bills[0])])
    old, new = bills
    shown = " and ".join(
        f"{each.what} over {desk.money(each.cents, firm.currency)}" for each in (new, old)
    )
    return s.scenario(
        [
            s.say(
                "what has {name} not paid yet?",
                "show me the unpaid invoices of {name}",
                "does {name} owe us anything?",
                name=who.name,
            ),
            s.say(
                "send a reminder for the older one",
                "just remind them of the one that's been open longest",
                "the older of the two, send that again",
            ),
        ],
        [
            call("find_invoices", customer=who.name, status="unpaid"),
            says(f"Two invoices are unpaid: {shown}."),
            call("send_invoice", invoice=old.id).because("it was due first"),
            say("A reminder for {sent} went to {to}."),
        ],
        near={
            "the newer": [
                call("find_invoices", customer=who.name, status="unpaid"),
                says("There are two."),
                call("send_invoice", invoice=new.id),
                says("It is sent."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def what_would_it_be(s: Scene) -> Scenario:
    """First only a question about a sum; then half of it is paid."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought = desk.sale(s, who, good, s.rng.randint(4, 25))
    half = bought.cents // 2
    return s.scenario(
        [
            s.say(
                "how much would it be if we gave {name} everything back for the {what}?",
                "what did {name} pay for the {what}? I may refund it",
                "thinking about a refund for {name}: what was the price of the {what}?",
                name=who.name,
                what=good[0],
            ),
            s.say(
                "alright, give back half of that, it's badly scratched",
                "half of it then. Reason: scratches",
                "let's pay half, because of the scratches",
            ),
        ],
        [
            call("customer_orders", customer=who.name),
            says(f"It was {desk.money(bought.cents, firm.currency)}."),
            call(
                "issue_refund", order=bought.id, amount=from_cents(half), reason="scratches"
            ).because(f"half of {desk.bare(bought.cents)} is {desk.bare(half)}"),
            say("{to} gets {refunded} back."),
        ],
        near={
            "pays when asked": [
                call("customer_orders", customer=who.name),
                call(
                    "issue_refund",
                    order=bought.id,
                    amount=from_cents(bought.cents),
                    reason="refund",
                ),
                says("It was paid back in full."),
                says("Half was wanted."),
            ]
        },
    )


@family(DOMAIN, "multi_turn", held_out=True)
def wrong_one_closed(s: Scene) -> Scenario:
    """The wrong ticket was named: it is opened again and the right one closed."""
    who = desk.customer(s)
    one, two = (desk.ticket(s, who, s.pick(desk.TROUBLES), days=n) for n in (5, 2))
    return s.scenario(
        [
            s.say(
                "you can close {one}",
                "{one} is done, close it",
                "please set {one} to closed",
                one=one.id,
                exact=True,
            ),
            s.say(
                "oh no, I mixed them up, it's {two} that is done. Open the other one again",
                "wrong number, sorry! Undo that and close {two} instead",
                "stop, not that one! {two} should be closed, and the first stays open",
                two=two.id,
                exact=True,
            ),
        ],
        [
            call("update_ticket", ticket=one.id, status="closed"),
            say("Ticket {id}, {subject}, is closed."),
            both(
                call("update_ticket", ticket=one.id, status="open"),
                call("update_ticket", ticket=two.id, status="closed"),
            ),
            says(f"{one.id} is open again, and {two.id} is closed."),
        ],
    )


@family(DOMAIN, "missing")
def two_of_one_name(s: Scene) -> Scenario:
    """Two customers with the very same name: ask which."""
    who = desk.customer(s)
    other = desk.customer(s, name=who.name)
    meant, not_meant = s.rng.sample((who, other), 2)
    number = desk.number(s)
    hint = s.choose((meant.address, meant.email, meant.id))
    return s.scenario(
        s.say(
            "{name}, one of our customers, has a new phone number: {phone}",
            "please change the phone of customer {name} to {phone}",
            "the customer {name} can be reached under {phone} now, update the record",
            name=who.name,
            phone=number,
            exact=True,
        ),
        [
            call("find_customer", query=who.name),
            ask(
                f"There are two: {who.id}, {who.address}, and {other.id}, {other.address}. "
                "Which one is it?",
                "which",
            ),
            call("update_customer", customer=meant.id, phone=number),
            says(f"{meant.id} now has {number}; {not_meant.id} is unchanged."),
        ],
        facts={
            "which": s.say(
                "{hint}", "the one with {hint}", "it should be {hint}", hint=hint, exact=True
            )
        },
    )


@family(DOMAIN, "missing")
def which_purchase(s: Scene) -> Scenario:
    """Several orders, and it was not said which is to be refunded."""
    firm, who = desk.firm(s), desk.customer(s)
    good, other = s.rng.sample(firm.goods, 2)
    bought, why = desk.sale(s, who, good, 9), s.choose(("damaged", "never used", "wrong model"))
    desk.sale(s, who, other, 17)
    return s.scenario(
        s.say(
            "refund {name} in full, it came back {why}",
            "{name} has returned something, {why}. Give the whole price back",
            "full refund to {name}; reason: {why}",
            name=who.name,
            why=why,
        ),
        [
            call("customer_orders", customer=who.name),
            ask(f"There are two orders: the {good[0]} and the {other[0]}. Which one?", "order"),
            call("issue_refund", order=bought.id, amount=from_cents(bought.cents), reason=why),
            say("{to} gets {refunded} back for order {order}."),
        ],
        facts={
            "order": s.say("the {what}", "it's the {what}", "the {what} came back", what=good[0])
        },
    )


@family(DOMAIN, "missing")
def how_much_goodwill(s: Scene) -> Scenario:
    """A gesture of no stated size."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought, cents = desk.sale(s, who, good, s.rng.randint(5, 20)), s.choose((500, 1000, 1250))
    why = s.choose(("it came too late", "the box was torn", "the colour is a bit off"))
    return s.scenario(
        s.say(
            "give {name} a little something back for the {what}, {why}",
            "{why}, so {name} gets part of the price of the {what} back",
            "a small refund for {name} please, the {what}: {why}",
            name=who.name,
            what=good[0],
            why=why,
        ),
        [
            call("customer_orders", customer=who.name),
            ask("How much should I give back?", "amount"),
            call("issue_refund", order=bought.id, amount=from_cents(cents), reason=why),
            say("{to} gets {refunded} back."),
        ],
        facts={
            "amount": s.say(
                "{n}", "make it {n}", "I would say {n}", n=desk.spoken(s, cents, firm.currency)
            )
        },
    )


@family(DOMAIN, "missing", held_out=True)
def price_not_settled(s: Scene) -> Scenario:
    """An invoice without an amount, which the user does not know either."""
    who, what = desk.customer(s), s.choose(JOBS)
    return s.scenario(
        s.say(
            "make out an invoice to {name} for {what}",
            "bill {name} for {what}",
            "{name} still has to get an invoice for {what}, write it",
            name=who.name,
            what=what,
        ),
        [
            ask("How much is it?", "amount"),
            says("Then there is no invoice yet. Tell me the amount when you know it."),
        ],
        facts={"amount": None},
        asked=["amount"],
        offer=["create_invoice", "find_invoices"],
        near={
            "guesses": [
                ask("How much is it?", "amount"),
                call("create_invoice", customer=who.name, amount=100, what=what),
                says("It is made out over 100."),
            ]
        },
    )
