"""A firm's desk, step by step: what was paid, sums from tickets and rules, reminders."""

from __future__ import annotations

from typing import Final

from botpsy.services.money import from_cents
from botpsy.worlds.acts import both, call, got, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import desk

DOMAIN: Final = "business"

WORK = ("repair of the boiler", "garden clearance", "network set-up", "window fitting",
        "piano transport", "roof inspection")  # fmt: skip
SLIPS = ("it arrived with a crack", "we sent the wrong colour", "it never worked",
         "we delivered it two weeks late", "parts were missing")  # fmt: skip


@family(DOMAIN, "multi_step")
def money_back_in_full(s: Scene) -> Scenario:
    """Look up what was paid, then give just that back."""
    firm, who = desk.firm(s), desk.customer(s)
    good, other = s.rng.sample(firm.goods, 2)
    bought = desk.sale(s, who, good, s.rng.randint(4, 12))
    desk.sale(s, who, other, s.rng.randint(2, 40))
    why = s.choose(SLIPS)
    return s.scenario(
        s.say(
            "give {name} all the money back for the {what}: {why}",
            "refund the {what} to {name} in full, {why}",
            "{name} gets a full refund on the {what} because {why}",
            name=who.name,
            what=good[0],
            why=why,
        ),
        [
            call("customer_orders", customer=who.name),
            call(
                "issue_refund", order=bought.id, amount=from_cents(bought.cents), reason=why
            ).because(f"in full is the {desk.money(bought.cents, firm.currency)} paid"),
            say("{refunded} went back to {to} for order {order}."),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def the_rest_of_it(s: Scene) -> Scenario:
    """Part was given back before; the rest is worked out."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought = desk.sale(s, who, good, s.rng.randint(6, 25))
    before = s.choose((1000, 1500, 2000))
    desk.refund(s, bought, before, "scratch on the lid", 4)
    rest = bought.cents - before
    return s.scenario(
        s.say(
            "{name} has had part of the money for the {what} back. Refund the rest, it went back "
            "to us",
            "pay {name} whatever is still left of the price of the {what}, it was returned",
            "the {what} from {name} is back in the warehouse, so give back the remaining money",
            name=who.name,
            what=good[0],
        ),
        [
            call("customer_orders", customer=who.name),
            call(
                "issue_refund", order=bought.id, amount=from_cents(rest), reason="returned"
            ).because(
                f"{desk.bare(bought.cents)} paid less {desk.bare(before)} refunded "
                f"leaves {desk.bare(rest)}"
            ),
            say("The remaining {refunded} went to {to}."),
        ],
        answer=(desk.told(rest),),
    )


@family(DOMAIN, "multi_step")
def nudge_the_late_payer(s: Scene) -> Scenario:
    """Find the one invoice that is overdue, and send it again."""
    s.bare("business")
    desk.firm(s)
    late = desk.invoice(s, desk.customer(s), s.pick(WORK), 100 * s.rng.randint(60, 900), 30)
    desk.invoice(s, desk.customer(s), s.pick(WORK), 100 * s.rng.randint(60, 900), 4)
    desk.invoice(s, desk.customer(s), s.pick(WORK), 100 * s.rng.randint(60, 900), 40, paid=True)
    return s.scenario(
        s.say(
            "somebody hasn't paid in time. Find out who, and send them a reminder",
            "send a payment reminder to the customer whose invoice is overdue",
            "one invoice is past due, I think. Please remind whoever it is",
        ),
        [
            call("find_invoices", status="overdue"),
            call("send_invoice", invoice=got("invoices.0.invoice")),
            say("A reminder for invoice {sent} went to {to}."),
        ],
        offer=["create_invoice"],
        answer=(late.id,),
    )


@family(DOMAIN, "multi_step")
def bill_what_was_noted(s: Scene) -> Scenario:
    """Hours and travel stand in a ticket's note; the sum is worked out."""
    firm, who, what = desk.firm(s), desk.customer(s), s.choose(WORK)
    hours, rate, travel = s.choose((2, 3, 4, 6)), s.choose((45, 60, 75)), s.choose((15, 20, 35))
    unit = firm.currency
    case = desk.ticket(
        s,
        who,
        (what.capitalize(), "Please come as soon as you can."),
        f"Done. {hours} hours at {rate} {unit} an hour, {travel} {unit} for the way.",
    )
    total = hours * rate + travel
    return s.scenario(
        s.say(
            "the work on {id} is done. Read the note and invoice the customer for it",
            "make out the invoice for ticket {id}; hours and travel are in there",
            "bill {name} for the {what}: what it comes to is noted in {id}",
            id=case.id,
            name=who.name,
            what=what,
            exact=True,
        ),
        [
            call("read_ticket", ticket=case.id),
            call("create_invoice", customer=who.name, amount=total, what=what).because(
                f"{hours} times {rate} and {travel} makes {total}"
            ),
            say("Invoice {invoice} to {customer} over {amount} is made out, not sent yet."),
        ],
        offer=["send_invoice"],
        answer=(desk.told(total * 100),),
    )


@family(DOMAIN, "multi_step")
def goodwill_as_allowed(s: Scene) -> Scenario:
    """The share is in the rules, the price in the order."""
    firm, who = desk.firm(s), desk.customer(s)
    good, share = s.choose(firm.goods), s.choose((5, 10, 20))
    bought, why = desk.sale(s, who, good, s.rng.randint(3, 20)), s.choose(SLIPS)
    desk.rules(
        s,
        ("Goodwill", f"For a mistake of ours, {share} percent of what was paid for the order."),
        ("Returns", "Goods may be sent back within 30 days of delivery."),
    )
    cents = bought.cents * share // 100
    return s.scenario(
        s.say(
            "{why}, so give {name} the goodwill our rules foresee for the {what}",
            "{name} is cross about the {what}: {why}. Check our goodwill rule and pay that much",
            "goodwill for {name}, for the {what}, as much as our policy says. {why}",
            why=why,
            name=who.name,
            what=good[0],
        ),
        [
            both(call("read_policy", topic="goodwill"), call("customer_orders", customer=who.name)),
            call(
                "issue_refund", order=bought.id, amount=from_cents(cents), reason=f"goodwill: {why}"
            ).because(f"{share} percent of {desk.bare(bought.cents)} is {desk.bare(cents)}"),
            say("{to} gets {refunded} as goodwill."),
        ],
        answer=(desk.told(cents),),
    )


@family(DOMAIN, "multi_step")
def all_theirs_first(s: Scene) -> Scenario:
    """However many cases somebody has open: all are raised."""
    who = desk.customer(s)
    cases = [
        desk.ticket(s, who, s.pick(desk.TROUBLES), days=n, priority=s.choose(("low", "normal")))
        for n in (6, 4, 1)[: s.choose((2, 3))]
    ]
    desk.ticket(s, who, s.pick(desk.TROUBLES), days=30, status="closed")
    ids = ", ".join(case.id for case in cases)
    return s.scenario(
        s.say(
            "put everything that {name} has open on high priority",
            "{name} must not wait any longer: all open tickets of theirs to high priority",
            "raise every open case of {name} to high",
            name=who.name,
        ),
        [
            call("find_tickets", customer=who.name),
            both(*(call("update_ticket", ticket=c.id, priority="high") for c in cases)),
            says(f"High priority now: {ids}."),
        ],
    )


@family(DOMAIN, "multi_step")
def bill_and_send(s: Scene) -> Scenario:
    """Made out, then mailed."""
    firm, who, what = desk.firm(s), desk.customer(s), s.choose(WORK)
    cents = 50 * s.rng.randint(90, 900)
    return s.scenario(
        s.say(
            "invoice {name} {amount} for the {what} and mail it right away",
            "write {name} an invoice, {what}, {amount}, then send it off",
            "{what}, {amount}: make that an invoice to {name} and get it out today",
            name=who.name,
            what=what,
            amount=desk.spoken(s, cents, firm.currency),
        ),
        [
            call("create_invoice", customer=who.name, amount=from_cents(cents), what=what),
            call("send_invoice", invoice=got("invoice")),
            say("Invoice {sent} went to {to}."),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def who_rang(s: Scene) -> Scenario:
    """From a number to a customer to the case, and a note in it."""
    who = desk.customer(s)
    case = desk.ticket(s, who, s.pick(desk.TROUBLES))
    return s.scenario(
        s.say(
            "a customer rang from {phone} and wants to be called back tomorrow. Note that in their "
            "open ticket",
            "missed call from {phone}, a customer with an open case. Write in it: wants a call "
            "back tomorrow",
            "{phone} called, should be a customer with a ticket. Note there: call back tomorrow",
            phone=who.phone,
            exact=True,
        ),
        [
            call("find_customer", query=who.phone),
            call("find_tickets", customer=got("customers.0.id")),
            call(
                "update_ticket", ticket=got("tickets.0.id"), note="Wants to be called back tomorrow"
            ),
            says(f"It was {who.name}; I have noted the call back in {case.id}."),
        ],
        answer=(who.name,),
        mentions=("call|called", "tomorrow"),
    )


@family(DOMAIN, "state")
def trouble_is_back(s: Scene) -> Scenario:
    """The case was closed: it is opened again, not made anew."""
    who = desk.customer(s)
    old = desk.ticket(s, who, s.pick(desk.TROUBLES), "Solved on the phone.", status="closed")
    desk.ticket(s, who, s.pick(desk.TROUBLES), days=1)
    return s.scenario(
        s.say(
            '{name} says the trouble with "{subject}" is back. We had closed that ticket',
            '"{subject}" from {name} isn\'t solved after all, get the old ticket going again',
            'please reopen what {name} reported as "{subject}", it has come back',
            name=who.name,
            subject=old.subject,
        ),
        [
            call("find_tickets", customer=who.name, status="closed"),
            call("update_ticket", ticket=got("tickets.0.id"), status="open"),
            say("Ticket {id}, {subject}, is open again."),
        ],
        offer=["create_ticket"],
        near={
            "a new one": [
                call("create_ticket", customer=who.name, subject=f"{old.subject} again"),
                says("There is a ticket."),
            ]
        },
    )
