"""A firm's desk, one thing at a time: customers, orders, tickets, invoices, rules; two at once."""

from __future__ import annotations

from typing import Final

from botpsy.services.money import from_cents
from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import desk

DOMAIN: Final = "business"

# What a customer reports, and a word that the ticket must have.
REPORTS = (
    ("the parcel has been stuck at the depot for a week", "depot"),
    ("half of the order is missing from the box", "missing|half|incomplete"),
    ("the app logs them out every few minutes", "app"),
    ("the wrong colour was delivered", "colour|color"),
    ("the assembly guide is only in Finnish", "guide|manual|instructions|finnish"),
    ("they were charged twice", "twice|double|two"),
    ("the voucher is not accepted at the checkout", "voucher"),
)
SERVICES = ("the spare parts", "on-site repair", "assembly and set-up", "an hour of advice",
            "the annual inspection", "express delivery", "the workshop on Saturday")  # fmt: skip


@family(DOMAIN, "single")
def look_up_detail(s: Scene) -> Scenario:
    """One detail of a customer, by name."""
    who = desk.customer(s, level=s.choose(("standard", "gold")))
    field, asked = s.choose(
        (
            ("phone", "phone number"),
            ("email", "email address"),
            ("address", "postal address"),
            ("level", "customer level"),
        )
    )
    value = getattr(who, field)
    return s.scenario(
        s.say(
            "what {asked} do we have for our customer {name}?",
            "I need the {asked} of customer {name}",
            "customer {name}: what's the {asked}?",
            "look up {name} in the customer records and read me the {asked}",
            asked=asked,
            name=who.name,
        ),
        [call("find_customer", query=who.name), says(f"The {asked} of {who.name} is {value}.")],
        answer=(value,),
    )


@family(DOMAIN, "single")
def has_it_arrived(s: Scene) -> Scenario:
    """How far a customer's order is."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    status, word = s.choose(
        (
            ("processing", "still being processed"),
            ("shipped", "on its way"),
            ("delivered", "delivered"),
        )
    )
    desk.sale(s, who, good, s.rng.randint(1, 6), status=status)
    return s.scenario(
        s.say(
            "{name} is on the line and asks about the {what}. Where is it?",
            "has {name} got the {what} yet?",
            "what's the state of {name}'s order, the {what}?",
            "check for me how far the {what} for {name} is",
            name=who.name,
            what=good[0],
        ),
        [
            call("customer_orders", customer=who.name),
            says(f"The {good[0]} for {who.name} is {word}; the status is {status}."),
        ],
        answer=(f"{status}|{word}",),
    )


@family(DOMAIN, "single")
def new_case(s: Scene) -> Scenario:
    """A ticket, sometimes an urgent one."""
    who, (report, word) = desk.customer(s), s.choose(REPORTS)
    urgent = s.chance(0.4)
    return s.scenario(
        s.say(
            "open a {kind} for {name}: {report}",
            "{name} just called, {report}. Make it a {kind}",
            "I need a {kind} for customer {name} because {report}",
            "log a {kind}, customer {name}, {report}",
            kind="high priority ticket" if urgent else "ticket",
            name=who.name,
            report=report,
        ),
        [
            call(
                "create_ticket",
                customer=who.name,
                subject=report,
                priority="high" if urgent else None,
            ),
            say("Ticket {id} is open for {customer}, priority {priority}."),
        ],
        mentions=(word,),
    )


@family(DOMAIN, "single")
def customer_has_moved(s: Scene) -> Scenario:
    """A new postal address."""
    who, address = desk.customer(s), s.stranger().address
    return s.scenario(
        s.say(
            "{name} has moved to {address}. Change that in our customer records",
            "new address for customer {name}: {address}",
            "please set the address of our customer {name} to {address}",
            "our customer {name} lives at {address} now, the record still has the old place",
            name=who.name,
            address=address,
            exact=True,
        ),
        [
            call("update_customer", customer=who.name, address=address),
            says(f"The address of {who.name} is now {address}."),
        ],
    )


@family(DOMAIN, "single")
def bill_for_work(s: Scene) -> Scenario:
    """An invoice, at times with a day to pay by."""
    firm, who, what = desk.firm(s), desk.customer(s), s.choose(SERVICES)
    cents = s.choose((4500, 8550, 12000, 19950, 34000))
    due = s.day((10, 40)) if s.chance(0.5) else None
    wish = s.say(
        "make out an invoice to {name} for {what}, {amount}",
        "bill {name} {amount} for {what}",
        "{name} owes us {amount} for {what}, write the invoice",
        "invoice for {name}: {what}, {amount}",
        name=who.name,
        what=what,
        amount=desk.spoken(s, cents, firm.currency),
    ).rstrip(".")
    return s.scenario(
        f"{wish}{s.choose((', due', ', to be paid by'))} {due}" if due else wish,
        [
            call(
                "create_invoice",
                customer=who.name,
                amount=from_cents(cents),
                what=what,
                due=due,
            ),
            say("Invoice {invoice} to {customer} over {amount} is made out, due {due}."),
        ],
        offer=["send_invoice"],
    )


@family(DOMAIN, "single")
def hand_over(s: Scene) -> Scenario:
    """A ticket goes to a colleague."""
    who, names = desk.customer(s), desk.staff(s)
    case, mate = desk.ticket(s, who, s.pick(desk.TROUBLES)), s.choose(names)
    short = mate.split()[0]
    return s.scenario(
        s.say(
            "give {id} to {mate}",
            "{mate} is taking over ticket {id}",
            "assign ticket {id} to {mate}",
            "can you put {mate} on {id}?",
            id=case.id,
            mate=short,
            exact=True,
        ),
        [
            call("update_ticket", ticket=case.id, assignee=short),
            say("{assignee} now has ticket {id}, {subject}."),
        ],
    )


@family(DOMAIN, "single")
def jot_it_down(s: Scene) -> Scenario:
    """A note for colleagues in a ticket that is there."""
    who = desk.customer(s)
    case = desk.ticket(s, who, s.pick(desk.TROUBLES))
    note, word = s.choose(
        (
            ("the replacement left the warehouse this morning", "replacement"),
            ("they prefer to be called after six", "call|called|six|18:00"),
            ("the supplier promised a spare handle for next week", "supplier|handle"),
            ("photos of the damage have come in", "photo|photos|picture|pictures"),
        )
    )
    return s.scenario(
        s.say(
            "write in {id} that {note}",
            "add to ticket {id}: {note}",
            "for the record in {id}, {note}",
            "note for the colleagues on {id}: {note}",
            id=case.id,
            note=note,
            exact=True,
        ),
        [
            call("update_ticket", ticket=case.id, note=note),
            say("It is noted in ticket {id}."),
        ],
        offer=["create_ticket"],
        mentions=(word,),
        near={
            "a new case": [
                call("create_ticket", customer=who.name, subject=note),
                says("I have opened a ticket."),
            ]
        },
    )


@family(DOMAIN, "single")
def what_the_rules_say(s: Scene) -> Scenario:
    """A number from the firm's own rules."""
    days, share, hours = (s.choose(each) for each in ((21, 30, 45), (10, 15, 20), (4, 8, 24)))
    desk.rules(
        s,
        ("Returns", f"Goods may come back within {days} days of delivery, unused, with the box."),
        (
            "Goodwill",
            f"For a mistake of ours, up to {share} percent of the price.",
        ),
        ("Complaints", f"Every complaint gets a first answer within {hours} hours."),
        ("Verification", "Ask for the security code before anything is changed or paid."),
    )
    topic, number, asked = s.choose(
        (
            ("returns", f"{days}", "how long do customers have to send things back"),
            ("goodwill", f"{share}", "how much goodwill may I give when it was our fault"),
            ("complaints", f"{hours}", "how fast do we have to answer a complaint"),
        )
    )
    unit = {"returns": "days from delivery", "goodwill": "percent of the price"}.get(topic, "hours")
    return s.scenario(
        s.say(
            "{asked}, according to our rules?",
            "what do the company rules say: {asked}?",
            "remind me, {asked}? It must be in our policy",
            asked=asked,
        ),
        [
            call("read_policy", topic=topic),
            says(f"Our rule on {topic} says: {number} {unit}."),
        ],
        answer=(number,),
    )


@family(DOMAIN, "single", held_out=True)
def what_is_overdue(s: Scene) -> Scenario:
    """What customers owe in all, past the due day."""
    s.bare("business")
    firm = desk.firm(s)
    late = [s.rng.randint(30, 400) * 100 for _ in range(2)]
    debtors = [desk.customer(s) for _ in late]
    for who, cents in zip(debtors, late, strict=True):
        desk.invoice(s, who, s.pick(SERVICES), cents, s.rng.randint(20, 50))
    desk.invoice(s, debtors[0], s.pick(SERVICES), 7700, 5)
    desk.invoice(s, debtors[1], s.pick(SERVICES), 6100, 30, paid=True)
    names = " and ".join(who.name for who in debtors)
    return s.scenario(
        s.say(
            "how much do customers owe us that is past due, and who are they?",
            "which invoices are overdue? I need names and the total",
            "who hasn't paid in time, and what does it add up to?",
        ),
        [
            call("find_invoices", status="overdue"),
            says(f"{names} are overdue with {desk.money(sum(late), firm.currency)} in all."),
        ],
        answer=(*(who.name for who in debtors), desk.told(sum(late))),
    )


@family(DOMAIN, "single", held_out=True)
def up_to_gold(s: Scene) -> Scenario:
    """A customer's level is raised."""
    who = desk.customer(s)
    return s.scenario(
        s.say(
            "make {name} a gold customer",
            "{name} has earned gold level, enter that",
            "from today {name} counts as gold, please change the record",
            name=who.name,
        ),
        [
            call("update_customer", customer=who.name, level="gold"),
            says(f"{who.name} is a gold customer now."),
        ],
    )


@family(DOMAIN, "parallel")
def two_cases_done(s: Scene) -> Scenario:
    """Two tickets are closed in one breath."""
    one, two = (desk.ticket(s, desk.customer(s), s.pick(desk.TROUBLES)) for _ in range(2))
    desk.ticket(s, desk.customer(s), s.pick(desk.TROUBLES))
    return s.scenario(
        s.say(
            "{one} and {two} are solved, close them",
            "close tickets {one} and {two}",
            "both {one} and {two} can be closed now",
            one=one.id,
            two=two.id,
            exact=True,
        ),
        [
            both(
                call("update_ticket", ticket=one.id, status="closed"),
                call("update_ticket", ticket=two.id, status="closed"),
            ),
            says(f"Tickets {one.id} and {two.id} are closed."),
        ],
    )


@family(DOMAIN, "parallel")
def bought_and_owed(s: Scene) -> Scenario:
    """Two look-ups on one customer that do not need each other."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    desk.sale(s, who, good, s.rng.randint(3, 30))
    cents = s.rng.randint(40, 250) * 100
    desk.invoice(s, who, s.choose(SERVICES), cents, 6)
    owed = desk.money(cents, firm.currency)
    return s.scenario(
        s.say(
            "what has {name} ordered from us, and how much is unpaid on invoices?",
            "before I ring {name}: last purchases and open invoices, please",
            "give me {name}'s orders and what they still owe",
            name=who.name,
        ),
        [
            both(
                call("customer_orders", customer=who.name),
                call("find_invoices", customer=who.name, status="unpaid"),
            ),
            says(f"{who.name} bought a {good[0]} and still owes {owed}."),
        ],
        answer=(good[0], desk.told(cents)),
    )


@family(DOMAIN, "parallel")
def both_wait(s: Scene) -> Scenario:
    """One note in each of two tickets that wait for the same thing."""
    part = s.choose(("spare handle", "new charger", "missing screws", "second box"))
    one, two = (desk.ticket(s, desk.customer(s), s.pick(desk.TROUBLES)) for _ in range(2))
    note = f"The {part} will be sent on Monday"
    return s.scenario(
        s.say(
            "the {part} goes out on Monday: note that in {one} and {two} and set both to waiting",
            "{one}, {two}: note that the {part} will be sent on Monday, both are waiting now",
            "put {one} and {two} on waiting, with the note that the {part} will be sent on Monday",
            part=part,
            one=one.id,
            two=two.id,
            exact=True,
        ),
        [
            both(
                call("update_ticket", ticket=one.id, status="waiting", note=note),
                call("update_ticket", ticket=two.id, status="waiting", note=note),
            ),
            says(f"{one.id} and {two.id} are waiting now, with the note about the {part}."),
        ],
        mentions=(part, "Monday"),
    )
