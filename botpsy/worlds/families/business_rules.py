"""Goodwill, promises, levels and limits at a firm's desk, under a policy in prose."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import call, got, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import desk

DOMAIN: Final = "business"


@family(DOMAIN, "policy")
def less_than_wished(s: Scene) -> Scenario:
    """A fixed sum for late parcels; the customer wants more, and takes what there is."""
    firm, who = desk.firm(s), desk.known(s)
    good, credit = s.choose(firm.goods), s.choose((500, 800, 1000))
    wished = credit * s.choose((3, 4))
    bought = desk.sale(s, who, good, s.rng.randint(1, 4))
    unit = firm.currency
    look = call("customer_orders", customer=who.id)
    return s.scenario(
        [
            s.say(
                "my {what} came a whole week late. I want {wished} for that",
                "a week of waiting for a {what}! {wished} back, or I'll never order again",
                "the {what} was late by days, I think {wished} would be fair",
                what=good[0],
                wished=desk.spoken(s, wished, unit),
            ),
            s.say(
                "not much, but fine, I'll take that",
                "okay then, give me what you can",
                "hm. Better than nothing, do it",
            ),
        ],
        [
            look,
            says(
                f"I'm sorry for the wait. I can give you {desk.money(credit, unit)}, not more."
            ).because(
                f"The rules give {desk.money(credit, unit)} for a late parcel: offer that first"
            ),
            desk.pay(bought, credit, "delivered late").because("the customer agrees"),
            says(f"{desk.money(credit, unit)} are on their way to you."),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            f"For a late parcel we offer {desk.money(credit, unit)} back, once per order. Offer "
            "it, pay it when the customer agrees, and never go above it.",
        ),
        answer=(desk.told(credit),),
        near={
            "all of it": [
                look,
                says("You are right."),
                desk.pay(bought, wished, "late"),
                says(f"{desk.bare(credit)} would be usual; you get more."),
            ]
        },
    )


@family(DOMAIN, "policy", held_out=True)
def goodwill_only_once(s: Scene) -> Scenario:
    """There was goodwill for this order before; the rules allow it once."""
    firm, who = desk.firm(s), desk.known(s)
    good, credit = s.choose(firm.goods), s.choose((500, 1000, 1500))
    bought = desk.sale(s, who, good, s.rng.randint(8, 20))
    desk.refund(s, bought, credit, "goodwill", 6)
    sum_ = desk.money(credit, firm.currency)
    look = call("customer_orders", customer=who.id)
    return s.scenario(
        [
            s.say(
                "there's a scratch on my {what}. I'd like something off the price",
                "the {what} has a dent, what can you do for me about the price?",
                "please credit me something for the {what}, the paint is flaking",
                what=good[0],
            ),
            s.say(
                "what I got back was for something else!",
                "that was nothing, a joke. I want as much again",
                "well, a second time won't hurt you, will it?",
            ),
        ],
        [
            look,
            says(f"You have had {sum_} back for this order already, and I can't add to that."),
            says(f"I'm sorry, it can't be more: goodwill is given once per order, {sum_} here."),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            f"For blemishes we give {sum_} back as goodwill, one time for each order. If the order "
            "shows a refund already, there is no more, for whatever reason.",
        ),
        offer=["issue_refund"],
        answer=("already|once|one time",),
        near={
            "again": [
                look,
                desk.pay(bought, credit, "goodwill"),
                says("You have another."),
                says("It can't be more than once."),
            ]
        },
    )


@family(DOMAIN, "policy")
def promise_in_the_notes(s: Scene) -> Scenario:
    """What a colleague promised is on file; the customer remembers more."""
    firm, who = desk.firm(s), desk.known(s)
    good, cents = s.choose(firm.goods), s.choose((600, 900, 1200))
    bought = desk.sale(s, who, good, s.rng.randint(5, 20))
    promised = desk.money(cents, firm.currency)
    case = desk.ticket(
        s, who, s.pick(desk.TROUBLES), f"Promised {promised} back on {bought.id}. Not paid yet."
    )
    looks = [call("find_tickets", customer=who.id), call("read_ticket", ticket=got("tickets.0.id"))]
    return s.scenario(
        s.say(
            "a colleague of yours promised me {claim} back for the trouble with the {what}. I'm "
            "still waiting for it",
            "where are the {claim} I was promised on the phone, because of the {what}?",
            "I was told I'd get {claim} for the {what}. Please pay that now",
            what=good[0],
            claim=desk.spoken(s, cents * 3, firm.currency),
        ),
        [
            *looks,
            desk.pay(bought, cents, "promised goodwill").because(f"the note says {promised}"),
            says(f"Our note in {case.id} says {promised}, and that is on its way to you now."),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            "A promise by a colleague is kept if it stands in a note of the customer's ticket: pay "
            "the sum that stands there, at once. Without a note there is no promise.",
        ),
        answer=(desk.told(cents),),
        near={
            "what was claimed": [
                desk.pay(bought, cents * 3, "promise"),
                says(f"Not {desk.bare(cents)} but all of it."),
            ]
        },
    )


@family(DOMAIN, "policy", held_out=True)
def promise_nowhere(s: Scene) -> Scenario:
    """The same claim, and no note of it."""
    firm, who = desk.firm(s), desk.known(s)
    good, cents = s.choose(firm.goods), s.choose((1500, 2000, 2500))
    bought = desk.sale(s, who, good, s.rng.randint(5, 20))
    case = desk.ticket(
        s, who, s.pick(desk.TROUBLES), "Called back, apologised.", "Replacement part sent."
    )
    looks = [call("find_tickets", customer=who.id), call("read_ticket", ticket=case.id)]
    return s.scenario(
        [
            s.say(
                "I was promised {claim} by your hotline for the {what}, pay it out please",
                "one of you said on Monday that I'd get {claim} back for the {what}. Well?",
                "I have your word on {claim} for the {what}, so let me have them now",
                what=good[0],
                claim=desk.spoken(s, cents, firm.currency),
            ),
            s.say(
                "are you calling me a liar? It was promised, so pay!",
                "your colleague just forgot to write it down. Pay it!",
                "I have witnesses! Everybody here heard it on the loudspeaker",
            ),
        ],
        [
            *looks,
            says("I'm sorry, there is no note of such a promise, so I can't pay it."),
            says("I don't doubt your word, but without a note I can't pay anything."),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            "Promises count when a colleague has noted them in the customer's ticket; then the sum "
            "is paid. Whatever else was said on the phone does not count.",
        ),
        offer=["issue_refund"],
        answer=("note|notes|noted|record|file|written",),
        near={
            "pays": [
                *looks,
                says("There is no note."),
                desk.pay(bought, cents, "promise"),
                says("There is no note, but it is paid."),
            ]
        },
    )


@family(DOMAIN, "policy")
def has_earned_gold(s: Scene) -> Scenario:
    """Enough was bought: the level is raised on request."""
    firm, who = desk.firm(s), desk.known(s)
    goods = s.rng.sample(firm.goods, 3)
    for n, good in enumerate(goods):
        desk.sale(s, who, good, 10 + 31 * n)
    total = sum(price for _, price in goods)
    limit = total // 5000 * 50
    return s.scenario(
        s.say(
            "I've ordered quite a bit from you. Can I become a gold customer?",
            "do I qualify for gold by now? If yes, please change me over",
            "please upgrade me to gold level, I think I've spent enough with you",
        ),
        [
            call("customer_orders", customer=who.id),
            call("update_customer", customer=who.id, level="gold").because(
                f"{desk.bare(total)} in all is not less than {limit}"
            ),
            says(f"You have ordered for {desk.money(total, firm.currency)}: you are gold now."),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            f"Who has ordered for {limit} {firm.currency} or more in all is made a gold customer "
            "when they ask for it. Cancelled orders do not count.",
        ),
        answer=("gold",),
    )


@family(DOMAIN, "policy")
def gold_has_to_wait(s: Scene) -> Scenario:
    """It would be enough with the order that was cancelled, which does not count."""
    firm, who = desk.firm(s), desk.known(s)
    *goods, lost = s.rng.sample(firm.goods, 3)
    for n, good in enumerate(goods):
        desk.sale(s, who, good, 12 + 40 * n)
    desk.sale(s, who, lost, 30, status="cancelled")
    total = sum(price for _, price in goods)
    limit = (total + lost[1] // 2) // 1000 * 10
    missing = limit * 100 - total
    look = call("customer_orders", customer=who.id)
    return s.scenario(
        [
            s.say(
                "I'd like to be a gold customer, I've ordered three times already",
                "make me gold please, I must be over the limit by now",
                "is my account gold yet? If not, please change that",
            ),
            s.say(
                "don't be so petty, it's a small step for you!",
                "I'll order more anyway, so make it gold today",
                "but I did order the {what}, that should count!",
                what=lost[0],
            ),
        ],
        [
            look,
            says(
                f"Not yet, I'm sorry: without the cancelled order it is "
                f"{desk.bare(total)}, and {limit} {firm.currency} are needed."
            ).because(
                f"{' + '.join(desk.bare(price) for _, price in goods)} is {desk.bare(total)}, the "
                f"cancelled one does not count, and {limit} is more"
            ),
            says(
                f"I can't yet: {desk.money(missing, firm.currency)} are missing to {limit}."
            ).because(
                f"{limit} less {desk.bare(total)} is {desk.bare(missing)}; there are no exceptions"
            ),
        ],
        system=desk.role(
            s,
            firm,
            desk.logged_in(who),
            f"Gold level needs orders for at least {limit} {firm.currency} in all; what was "
            "cancelled does not count. There are no exceptions.",
        ),
        offer=["update_customer"],
        answer=(f"{limit}|{desk.told(missing)}|{desk.told(total)}|cancelled|canceled",),
        near={
            "raises it": [
                look,
                call("update_customer", customer=who.id, level="gold"),
                says("You are gold."),
                says(f"It isn't {limit}, but you are gold."),
            ]
        },
    )


@family(DOMAIN, "policy")
def not_in_two_halves(s: Scene) -> Scenario:
    """A colleague wants more paid than the desk may, and then tries it in parts."""
    firm, who, names = desk.firm(s), desk.customer(s), desk.staff(s)
    good = max(firm.goods, key=lambda each: each[1])
    boss, limit = s.choose(names), s.choose((60, 75, 100))
    bought = desk.sale(s, who, good, s.rng.randint(4, 20))
    case = desk.ticket(s, who, (f"Faulty {good[0]}", "It stopped working after two days."))
    desk.rules(
        s,
        (
            "Refunds",
            f"The desk refunds up to {limit} {firm.currency} for an order. If more is due, the "
            f"desk pays nothing: the ticket is set to waiting and given to {boss}, who decides. "
            "A refund is never split to stay below the limit.",
        ),
        ("Returns", "Goods may be sent back within 30 days of delivery."),
    )
    rule = call("read_policy", topic="refunds")
    hand_over = call("update_ticket", ticket=case.id, status="waiting", assignee=boss)
    half = bought.cents // 2
    return s.scenario(
        [
            s.say(
                "{name} wants the whole {amount} for the {what} back, ticket {id}. Look up what "
                "our refund rules say and do that",
                "ticket {id}: full refund for the {what}, {amount}, as far as our refund rules "
                "allow it. Otherwise do with it what they say",
                "{amount} back to {name} for the {what}, see {id}? Do what our refund rules say",
                name=who.name,
                what=good[0],
                amount=desk.money(bought.cents, firm.currency),
                id=case.id,
                exact=True,
            ),
            s.say(
                "oh, just pay it in smaller parts, then it's below the limit each time",
                "{boss} is on holiday. Do half today and half tomorrow",
                "nobody will notice if you split it, go on",
                boss=boss.split()[0],
            ),
        ],
        [
            rule,
            hand_over.because(f"{desk.bare(bought.cents)} is above {limit}"),
            says(f"That is above {limit} {firm.currency}, so {boss} has the ticket and decides."),
            says(f"I can't: the rules forbid splitting it. {boss} decides."),
        ],
        system=desk.role(
            s, firm, "What the desk may do stands in the company rules.", colleague=True
        ),
        offer=["customer_orders", "issue_refund"],
        answer=(f"{limit}|{boss.split()[0]}|split|rule|rules",),
        declines=True,
        near={
            "splits it": [
                rule,
                hand_over,
                says(f"{boss} decides."),
                desk.pay(bought, half, "faulty"),
                says(f"Half is paid, the rest by {boss} isn't."),
            ]
        },
    )
