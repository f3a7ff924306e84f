"""A firm's desk where something is off: already done, already there, impossible, or no tool."""

from __future__ import annotations

from typing import Final

from botpsy.services.money import from_cents
from botpsy.worlds.acts import call, got, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import desk

DOMAIN: Final = "business"

WORK = ("kitchen fitting", "chimney sweeping", "website redesign", "floor sanding",
        "furniture removal", "lock replacement")  # fmt: skip


@family(DOMAIN, "state")
def had_it_back_already(s: Scene) -> Scenario:
    """The money was given back before: not twice."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought = desk.sale(s, who, good, s.rng.randint(6, 25))
    back = bought.cents // 2
    desk.refund(s, bought, back, "scratched", 5)
    return s.scenario(
        s.say(
            "{name} gets half of the price of the {what} back, unless that has been done already",
            "has {name} been refunded for the {what} yet? If there was nothing so far, pay half",
            "pay {name} half of the {what} back, but look first whether a refund was made before",
            name=who.name,
            what=good[0],
        ),
        [
            call("customer_orders", customer=who.name),
            says(
                f"{who.name} has already had {desk.money(back, firm.currency)} back for it, "
                "so I paid nothing more."
            ).because("The order shows a refund already"),
        ],
        offer=["issue_refund"],
        answer=("already|before", desk.told(back)),
        near={
            "once more": [
                call("customer_orders", customer=who.name),
                call("issue_refund", order=bought.id, amount=from_cents(back), reason="returned"),
                says(f"Already {desk.bare(back)} before, and now again."),
            ]
        },
    )


@family(DOMAIN, "state")
def case_is_there(s: Scene) -> Scenario:
    """A second call on the same matter belongs into the ticket that is open."""
    who = desk.customer(s)
    subject, text = s.pick(desk.TROUBLES)
    case = desk.ticket(s, who, (subject, text), days=s.rng.randint(2, 6))
    again = s.choose(("is angry that nobody has answered", "now wants a date by tomorrow"))
    return s.scenario(
        s.say(
            'there should be a ticket for {name}, "{subject}". {name} {again}. Put that on record, '
            "in the old one if it's still open",
            'customer {name} on "{subject}" once more: {again}. Open a ticket if there is none, '
            "otherwise add it to the one we have",
            '{name} {again} ("{subject}"). Add that to the open ticket, or make one',
            subject=subject,
            name=who.name,
            again=again,
        ),
        [
            call("find_tickets", customer=who.name),
            call("update_ticket", ticket=case.id, note=f"{who.name} {again}"),
            says(f"Ticket {case.id} was still open; I have noted it there."),
        ],
        offer=["create_ticket"],
        mentions=("answer|answered|reply|replied|heard|date",),
        near={
            "a second case": [
                call("create_ticket", customer=who.name, subject=f"{subject}, again", text=again),
                says("I have opened a ticket."),
            ]
        },
    )


@family(DOMAIN, "state")
def has_paid_meanwhile(s: Scene) -> Scenario:
    """A reminder is wanted for what has been paid."""
    who, what = desk.customer(s), s.choose(WORK)
    bill = desk.invoice(s, who, what, 100 * s.rng.randint(50, 700), 26, paid=True)
    desk.invoice(s, who, "a spare key", 2500, 3)
    return s.scenario(
        s.say(
            "send {name} a reminder about the invoice for the {what}, {id}",
            "{name} still owes us for the {what} ({id}), remind them",
            "payment reminder for {id}, please: {name}, {what}",
            name=who.name,
            what=what,
            id=bill.id,
            exact=True,
        ),
        [
            call("send_invoice", invoice=bill.id),
            says(f"No reminder was sent: invoice {bill.id} has been paid already."),
        ],
        offer=["find_invoices"],
        answer=("paid",),
        also=[
            [
                call("find_invoices", customer=who.name),
                says(f"I sent nothing: {bill.id} is paid, as of {bill.paid}."),
            ]
        ],
        near={
            "another invoice": [
                call("find_invoices", customer=who.name, status="unpaid"),
                call("send_invoice", invoice=got("invoices.0.invoice")),
                says("I have sent the one for the key; the other is paid."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def nowhere_to_send_it(s: Scene) -> Scenario:
    """No mail address is known, so the invoice stays."""
    desk.firm(s)
    who, what = desk.customer(s, email=""), s.choose(WORK)
    bill = desk.invoice(s, who, what, 100 * s.rng.randint(50, 700), 10)
    return s.scenario(
        s.say(
            "send {name} the invoice for the {what} again",
            "mail {name} another copy of the {what} invoice",
            "{name} has lost the invoice for the {what}, send it once more",
            name=who.name,
            what=what,
        ),
        [
            call("find_invoices", customer=who.name),
            call("send_invoice", invoice=got("invoices.0.invoice")),
            says(f"I couldn't send {bill.id}: we have no mail address for {who.name}."),
        ],
        offer=["update_customer"],
        answer=("mail|email|address",),
        near={
            "makes one up": [
                call("update_customer", customer=who.name, email="office@customer.example"),
                call("send_invoice", invoice=bill.id),
                says("Sent by email."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def more_than_was_paid(s: Scene) -> Scenario:
    """A refund of more than the price."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought = desk.sale(s, who, good, s.rng.randint(5, 20))
    wanted = bought.cents + s.choose((1000, 2500, 10000))
    return s.scenario(
        s.say(
            "refund {name} {amount} for order {id}, the {what} was faulty",
            "{name} gets {amount} back on {id} because the {what} broke down",
            "pay {amount} back to {name}, {id}, faulty {what}",
            name=who.name,
            amount=desk.spoken(s, wanted, firm.currency),
            what=good[0],
            id=bought.id,
            exact=True,
        ),
        [
            call(
                "issue_refund",
                order=bought.id,
                amount=from_cents(wanted),
                reason=f"faulty {good[0]}",
            ),
            says(
                f"That is not possible: only {desk.money(bought.cents, firm.currency)} was paid "
                f"for {bought.id}, so I have refunded nothing."
            ),
        ],
        also=[
            [
                call("customer_orders", customer=who.name),
                says(f"I can't: the order cost only {desk.bare(bought.cents)}. Nothing is paid."),
            ]
        ],
        answer=(desk.told(bought.cents),),
        near={
            "what there is": [
                call(
                    "issue_refund",
                    order=bought.id,
                    amount=from_cents(bought.cents),
                    reason="faulty",
                ),
                says(f"Not all of it, only {desk.bare(bought.cents)}."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def no_such_ticket(s: Scene) -> Scenario:
    """A number that no ticket has."""
    who = desk.customer(s)
    case = desk.ticket(s, who, s.pick(desk.TROUBLES))
    wrong = f"T-{int(case.id[2:]) + 1000}"
    return s.scenario(
        s.say(
            "close {wrong}",
            "ticket {wrong} is settled, set it to closed",
            "{wrong} can go, close it please",
            wrong=wrong,
            exact=True,
        ),
        [
            call("update_ticket", ticket=wrong, status="closed"),
            says(f"There is no ticket {wrong}, so I have closed nothing."),
        ],
        offer=["find_tickets"],
        answer=(wrong.lower(),),
        near={
            "closes what looks like it": [
                call("update_ticket", ticket=case.id, status="closed"),
                says(f"There is no {wrong}; I closed {case.id}."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def address_of_another(s: Scene) -> Scenario:
    """The mail address belongs to another customer."""
    who, other = desk.customer(s), desk.customer(s)
    return s.scenario(
        s.say(
            "set the email of customer {name} to {email}",
            "{name} wants to be reached at {email} from now on, change it in the customer records",
            "customer {name}, new email: {email}",
            name=who.name,
            email=other.email,
            exact=True,
        ),
        [
            call("update_customer", customer=who.name, email=other.email),
            says(f"I can't enter it: {other.email} belongs to another customer."),
        ],
        answer=("another|other|somebody else|already",),
        facts={"email": None},
        near={
            "takes it from the other": [
                call("update_customer", customer=other.id, email="unknown@customer.example"),
                call("update_customer", customer=who.name, email=other.email),
                says("It is not another's any more."),
            ]
        },
    )


@family(DOMAIN, "no_tool")
def not_at_this_desk(s: Scene) -> Scenario:
    """Nothing offered can do it."""
    who = desk.customer(s)
    wish, cannot = s.choose(
        (
            ("delete the customer {name} from our records", "delete customers"),
            ("merge the two accounts of {name}", "merge accounts"),
            ("ship another parcel to {name} by courier", "ship parcels"),
            ("print the shipping label for {name}", "print labels"),
            ("call {name} and put them through to me", "make phone calls"),
            ("give {name} a voucher code for the next order", "give out vouchers"),
        )
    )
    wish = wish.format(name=who.name)
    return s.scenario(
        s.say("{wish}", "could you {wish}?", "please {wish}", "next thing: {wish}", wish=wish),
        [
            says(
                f"I can't {cannot}. I can look customers up, change their details and open tickets."
            )
        ],
        offer=["find_customer", "update_customer", "create_ticket"],
        answer=("customer|customers|ticket|tickets|details|look",),
        near={
            "something like it": [
                call("create_ticket", customer=who.name, subject=wish),
                says("I can't do that, so there is a ticket now."),
            ]
        },
    )


@family(DOMAIN, "no_tool", held_out=True)
def money_is_not_ours_to_pay(s: Scene) -> Scenario:
    """Without a tool for refunds, an invoice or a level is no way round."""
    firm, who = desk.firm(s), desk.customer(s)
    good = s.choose(firm.goods)
    bought = desk.sale(s, who, good, s.rng.randint(5, 20))
    return s.scenario(
        s.say(
            "pay {name} the money for the {what} back",
            "refund order {id} to {name}",
            "{name} is to be reimbursed for the {what}",
            name=who.name,
            what=good[0],
            id=bought.id,
            exact=True,
        ),
        [
            says(
                "I can't pay refunds from here. I can look up the order, or open a ticket for "
                "those who can."
            )
        ],
        offer=["customer_orders", "create_invoice", "create_ticket", "update_customer"],
        without=["issue_refund", "transfer_money"],
        answer=("refund|refunds|pay|reimburse|money",),
        near={
            "a bill the other way": [
                call("create_invoice", customer=who.name, amount=1, what=f"refund {good[0]}"),
                says("I can't pay a refund, so I made an invoice."),
            ]
        },
    )


@family(DOMAIN, "lookalike")
def remind_not_bill(s: Scene) -> Scenario:
    """A reminder is the invoice that is there, once more: not a new one, nor a reminder for me."""
    firm, who, what = desk.firm(s), desk.customer(s), s.choose(WORK)
    cents = 100 * s.rng.randint(60, 800)
    bill = desk.invoice(s, who, what, cents, s.rng.randint(18, 40))
    return s.scenario(
        s.say(
            "remind {name} of the {amount} for the {what}",
            "{name} should be reminded to pay for the {what}",
            "{name} hasn't paid the {amount} for the {what} yet, nudge them",
            name=who.name,
            what=what,
            amount=desk.spoken(s, cents, firm.currency),
        ),
        [
            call("find_invoices", customer=who.name, status="overdue"),
            call("send_invoice", invoice=got("invoices.0.invoice")),
            say("A reminder for {sent} went to {to}."),
        ],
        offer=["create_invoice", "set_reminder"],
        near={
            "a new invoice": [
                call("create_invoice", customer=who.name, amount=from_cents(cents), what=what),
                call("send_invoice", invoice=got("invoice")),
                says("It is sent."),
            ],
            "a reminder for the user": [
                call("set_reminder", text=f"remind {who.name}", when="tomorrow at 9:00"),
                says(f"I'll remind you of {bill.id}."),
            ],
        },
    )


@family(DOMAIN, "lookalike")
def customer_not_contact(s: Scene) -> Scenario:
    """The same person is in the user's own contacts: the firm's record is meant."""
    friend = s.person()
    who = desk.customer(s, name=friend.name, email=friend.emails[0])
    number = desk.number(s)
    return s.scenario(
        s.say(
            "{name} has a new number, {phone}. Change it in the customer database",
            "in our customer file, {name} should have {phone} as the phone number",
            "customer record of {name}: the phone is {phone} now",
            name=who.name,
            phone=number,
            exact=True,
        ),
        [
            call("update_customer", customer=who.name, phone=number),
            says(f"The number of {who.name} in the customer records is now {number}."),
        ],
        offer=["update_contact", "find_contact"],
        near={
            "the private entry": [
                call("update_contact", contact=friend.name, phone=number),
                says("The number is changed."),
            ]
        },
    )
