"""A firm's desk, for families of customer operations: firms, customers, what they bought, cases.

Numbers look like a firm's own (``C-4821``); what a family puts in is joined by a few others.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from botpsy.services.business import Customer, Invoice, Note, Policy, Refund, Sale, Ticket
from botpsy.services.money import from_cents
from botpsy.worlds.acts import Calls, call
from botpsy.worlds.people import email_of, phone

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

Good = tuple[str, int]
"""What it is called in a sentence, and its price in cents."""


@dataclass(frozen=True)
class Firm:
    """Who the desk belongs to."""

    name: str
    trade: str
    currency: str
    goods: tuple[Good, ...]


FIRMS = (
    Firm("Fjell & Tarn", "a shop for camping gear", "EUR",
         (("two-person tent", 18900), ("sleeping bag", 9900), ("rain jacket", 12900),
          ("pair of hiking boots", 14900), ("camping stove", 5400), ("head torch", 3900))),
    Firm("Lumen Loft", "a maker of lamps and small furniture", "EUR",
         (("floor lamp", 13500), ("bedside table", 8900), ("reading chair", 24900),
          ("pendant light", 7950), ("coat rack", 5900), ("shoe cabinet", 11900))),
    Firm("Pedalwerk", "a bicycle workshop with an online shop", "EUR",
         (("child seat", 9450), ("bike helmet", 6900), ("pannier set", 8800), ("dynamo hub", 11200),
          ("leather saddle", 7400), ("folding lock", 5990))),
    Firm("Aroma Nord", "a shop for coffee machines", "EUR",
         (("espresso machine", 34900), ("coffee grinder", 12900), ("milk frother", 6450),
          ("drip kettle", 4990), ("set of six cups", 3600), ("bean subscription box", 4200))),
    Firm("Little Harbour", "a toy shop", "GBP",
         (("wooden train set", 4500), ("puppet theatre", 6800), ("balance bike", 8950),
          ("doll's house", 9900), ("marble run", 3850), ("play kitchen", 12000))),
    Firm("Cedar & Clay", "a garden supplier", "GBP",
         (("garden bench", 15900), ("rain barrel", 7200), ("hedge trimmer", 9900),
          ("greenhouse kit", 28900), ("wheelbarrow", 6400), ("fire bowl", 8450))),
    Firm("Volta Home", "a seller of household appliances", "USD",
         (("vacuum cleaner", 17900), ("rice cooker", 6900), ("air purifier", 14900),
          ("toaster oven", 8800), ("steam iron", 5450), ("bread maker", 11900))),
    Firm("Northlight Audio", "a shop for hi-fi and headphones", "USD",
         (("turntable", 21900), ("pair of headphones", 12950), ("speaker set", 24900),
          ("portable radio", 7900), ("headphone amplifier", 9900), ("soundbar", 16900))),
)  # fmt: skip

_SPOKEN = {"EUR": ("euros", "€"), "GBP": ("pounds", "£"), "USD": ("dollars", "$")}

TROUBLES: tuple[tuple[str, str], ...] = (
    ("Delivery late", "It was promised for last week and nothing has come so far."),
    ("Part missing", "Two screws and the manual were not in the box."),
    ("Scratch on the side", "There is a long scratch that was there when I unpacked it."),
    ("Login does not work", "The site says that my password is wrong, and I am sure it is right."),
    ("Wrong size", "I ordered a medium and got a small."),
    ("Strange noise", "It hums whenever I switch it on."),
    ("Question about care", "Can I put it in the dishwasher or does that ruin it?"),
    ("Double charge", "My bank shows the same payment twice."),
    ("Spare part wanted", "The handle broke off. Can I buy just the handle?"),
)

_FILLERS = (
    "Keep your answers short and friendly.",
    "The shop is open from Monday to Friday, 9 to 17 o'clock.",
    "Gift cards are never paid out in cash.",
    "We deliver within the country only.",
    "Say nothing about other companies.",
    "Do not guess when a product will be back in stock.",
    "Thank people for their patience.",
    "Repairs take about three weeks.",
)
_CHAT = (
    "You are the customer service assistant of {firm}, {trade}. You are chatting with a customer.",
    "You answer the customer chat of {firm}, {trade}.",
    "Role: service desk of {firm} ({trade}). The user is a customer, or says so.",
    "{firm} is {trade}. You look after the people who write to its service chat.",
)
_TEAM = (
    "You help the service team of {firm}, {trade}. The user is a colleague at the desk.",
    "You are the desk assistant at {firm}, {trade}; you work for the staff, not for customers.",
)
_RULES = ("Rules:", "Company policy:", "What holds here:", "Please keep to this:")


def firm(s: Scene) -> Firm:
    """A firm; the desk counts in its currency."""
    found = s.choose(FIRMS)
    s.options["business"]["currency"] = found.currency
    return found


def role(s: Scene, of: Firm, *rules: str, colleague: bool = False) -> str:
    """What the agent is told: whom it works for, and the rules, some of no matter here."""
    opening = s.choose(_TEAM if colleague else _CHAT).format(firm=of.name, trade=of.trade)
    told = [*rules, *s.rng.sample(_FILLERS, s.rng.randint(0, 2))]
    s.rng.shuffle(told)
    match s.rng.randrange(3):
        case 0:
            listed = "\n".join(f"- {rule}" for rule in told)
        case 1:
            listed = "\n".join(f"{n}. {rule}" for n, rule in enumerate(told, 1))
        case _:
            listed = " ".join(told)
    return f"{opening}\n{s.choose(_RULES)}\n{listed}"


def logged_in(customer: Customer) -> str:
    """The rule that tells who is chatting."""
    return (
        f"The customer in this chat is logged in as {customer.name}, number {customer.id}, "
        "and counts as verified."
    )


# --- records ------------------------------------------------------------------------------------


def _number(s: Scene, prefix: str, low: int, high: int) -> str:
    while (made := f"{prefix}{s.rng.randint(low, high)}") in s.used:
        pass
    s.used.add(made)
    return made


def number(s: Scene) -> str:
    """A phone number that was not drawn before."""
    while (made := phone(s.rng)) in s.used:
        pass
    s.used.add(made)
    return made


def customer(s: Scene, name: str = "", **fields: Any) -> Customer:
    """Somebody who buys from the firm, with a code of four digits."""
    person = s.stranger()
    given, family = (name or person.name).split(maxsplit=1)
    made = {
        "name": name or person.name, "email": email_of(s.rng, given, family),
        "phone": number(s), "address": person.address,
        "code": f"{s.rng.randint(1000, 9999)}",
        "since": s.now.date() - timedelta(days=s.rng.randint(90, 2000)), **fields,
    }  # fmt: skip
    return s.add(Customer(_number(s, "C-", 1000, 9999), **made))


def known(s: Scene, **fields: Any) -> Customer:
    """A customer who is logged in, and so was verified today (``logged_in`` says so)."""
    return customer(s, verified=s.now.date(), **fields)


def sale(s: Scene, buyer: Customer, good: Good, days: int = 12, **fields: Any) -> Sale:
    """An order, delivered that many days ago (or on its way, by its ``status``)."""
    arrived = s.now.date() - timedelta(days=days)
    made = {
        "ordered": arrived - timedelta(days=s.rng.randint(2, 5)),
        "delivered": arrived if fields.get("status", "delivered") == "delivered" else None,
        **fields,
    }
    return s.add(Sale(_number(s, "O-", 10000, 99999), buyer.id, *good, **made))


def refund(s: Scene, of: Sale, cents: int, reason: str, days: int) -> Refund:
    """Money that was given back some days ago."""
    at = s.now - timedelta(days=days, hours=1)
    return s.add(Refund(_number(s, "R-", 100, 999), of.id, cents, reason, at))


def ticket(
    s: Scene, of: Customer, trouble: tuple[str, str], *notes: str, days: int = 3, **fields: Any
) -> Ticket:
    """A case, opened some days ago, with colleagues' notes."""
    at = s.now - timedelta(days=days, hours=s.rng.randint(0, 5))
    written = tuple(Note(at + timedelta(hours=2 + n), note) for n, note in enumerate(notes))
    id = _number(s, "T-", 100, 999)
    return s.add(Ticket(id, of.id, *trouble, opened=at, notes=written, **fields))


def invoice(
    s: Scene, of: Customer, what: str, cents: int, days: int = 20, *, paid: bool = False
) -> Invoice:
    """An invoice of that many days ago, due in two weeks, sent once."""
    issued = s.now.date() - timedelta(days=days)
    due = issued + timedelta(days=14)
    when = issued + timedelta(days=max(1, min(days - 1, 9))) if paid else None
    id = _number(s, "I-", 1000, 9999)
    return s.add(Invoice(id, of.id, what, cents, issued, due, when, (issued,)))


def staff(s: Scene, count: int = 3) -> list[str]:
    """Colleagues whom tickets can be given to."""
    names = [s.stranger().name for _ in range(count)]
    s.options["business"]["staff"] = names
    return names


def rules(s: Scene, *texts: tuple[str, str]) -> None:
    """What ``read_policy`` tells, topic and text."""
    for topic, text in texts:
        s.add(Policy(topic, text))


def pay(of: Sale, cents: int, why: str) -> Calls:
    """The call that gives money back."""
    return call("issue_refund", order=of.id, amount=from_cents(cents), reason=why)


# --- money as it is said ------------------------------------------------------------------------


def bare(cents: int) -> str:
    """``40`` or ``49.90``."""
    return f"{cents // 100}" if cents % 100 == 0 else f"{cents / 100:.2f}"


def money(cents: int, currency: str) -> str:
    """``40 EUR``."""
    return f"{bare(cents)} {currency}"


def spoken(s: Scene, cents: int, currency: str) -> str:
    """``40 euros``, ``€40``."""
    word, sign = _SPOKEN[currency]
    forms = (f"{bare(cents)} {word}", f"{bare(cents)} {word}", f"{sign}{bare(cents)}")
    return s.choose((*forms, money(cents, currency)))


def told(cents: int) -> str:
    """For ``answer``: the amount, with or without its cents."""
    return f"{bare(cents)}|{cents / 100:.2f}"
