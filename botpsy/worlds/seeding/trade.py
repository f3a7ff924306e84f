"""A shop, a bank, and a small company's desk.

Where a family gives any record of the shop or the bank, that service holds the family's records
alone (and a bank account to pay from, where the bank would have none). At the desk other customers
come on top, unless it is kept bare.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from botpsy.services.bank import Account, Bill, Card, Movement, Payee, Share
from botpsy.services.bank.iban import with_check_digits
from botpsy.services.bank.memory import MemoryBank
from botpsy.services.business import Customer, Invoice, Policy, Refund, Sale, Ticket
from botpsy.services.business.memory import MemoryBusiness
from botpsy.services.device import DeviceService
from botpsy.services.shop import Address, Item, Order, Payment, Product
from botpsy.services.shop.memory import MemoryShop

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

PRODUCTS: tuple[tuple[str, str, int, str], ...] = (
    ("Enamel mug", "kitchen", 1290, "Holds 350 ml, blue rim."),
    ("Kettle Pico", "kitchen", 3490, "0.8 litres, switches itself off."),
    ("Bread knife", "kitchen", 2190, "Serrated, 20 cm."),
    ("Wool blanket", "home", 5900, "130 by 180 cm, grey."),
    ("Desk lamp Arc", "home", 4450, "Dimmable, with a clamp."),
    ("Door mat", "home", 1990, "Coconut fibre."),
    ("Trail backpack", "outdoors", 7900, "28 litres, rain cover included."),
    ("Camping stove", "outdoors", 4990, "Runs on screw-on cartridges."),
    ("Water bottle", "outdoors", 1790, "Steel, 700 ml."),
    ("Wireless mouse", "electronics", 2490, "Silent buttons, one battery."),
    ("USB charger", "electronics", 1990, "Two ports, 30 watts."),
    ("Headphones Lull", "electronics", 8900, "Closed, with a cable."),
    ("Notebook, dotted", "paper", 890, "120 pages, A5."),
    ("Fountain pen", "paper", 3290, "Medium nib."),
    ("Jigsaw, 1000 pieces", "games", 1890, "A harbour at dusk."),
    ("Card game Tandem", "games", 1490, "For two, 20 minutes."),
)
BILLERS = ("Northern Power", "City Water", "Telco Nova", "Harbour Insurance", "Rent & Co")
SHOPS = ("Corner Bakery", "Green Grocer", "Metro Tickets", "Bookshop Ahoy", "Pharmacy West")
SHARES = (
    ("NRD", "Nordwind Energy", 8420), ("GLB", "Globex", 15275), ("ACM", "Acme Tools", 3190),
    ("TLN", "Talon Air", 1264), ("HRB", "Harbour Foods", 6755), ("QLT", "Quill Software", 24130),
)  # fmt: skip
RATES = {
    "EUR": "1", "USD": "0.92", "GBP": "1.17", "CHF": "1.06", "JPY": "0.0061", "SEK": "0.088",
    "DKK": "0.134", "NOK": "0.086", "PLN": "0.234", "CAD": "0.67", "AUD": "0.61", "INR": "0.011",
}  # fmt: skip
"""What one unit is worth in euros."""
POLICIES = (
    ("Returns", "Goods may be sent back within 30 days of delivery, not later."),
    ("Refunds", "Check the caller's code before any refund. Above 100 EUR a manager decides."),
    ("Addresses", "An address is changed only after the caller has been verified."),
)
TROUBLE = (
    ("Parcel late", "My parcel should have been here days ago."),
    ("Wrong colour", "I ordered grey and got green."),
    ("Invoice question", "Why are there two positions on my invoice?"),
    ("Broken on arrival", "The lid was cracked when I opened the box."),
)


def iban(scene: Scene) -> str:
    """An account number with right check digits, of no real bank."""
    return with_check_digits("DE", f"0000{scene.rng.randrange(10**14):014}")


def services(scene: Scene, device: DeviceService) -> dict[str, Any]:
    """``shop``, ``bank`` and ``business``; all need ``device`` to be online."""
    records = scene.records
    if not any(records[kind] for kind in (Product, Order, Item)):
        _goods(scene)
    if not any(records[kind] for kind in (Account, Movement, Payee, Bill, Card, Share)):
        _money(scene)
    elif not records[Account]:
        scene.add(Account("checking", "Current account", iban(scene), 240_000))
    if not scene.is_bare("business"):
        _desk(scene)
    options: dict[str, dict[str, Any]] = {
        name: {"device": device, **scene.options[name]} for name in ("shop", "bank", "business")
    }
    own = Decimal(RATES[options["bank"].get("currency", "EUR")])
    options["bank"].setdefault("rates", {c: Decimal(rate) / own for c, rate in RATES.items()})
    bank = MemoryBank(
        records[Account],
        movements=records[Movement],
        payees=records[Payee],
        bills=records[Bill],
        cards=records[Card],
        shares=records[Share],
        **options["bank"],
    )
    cards = [Payment(card.id, card.name) for card in records[Card]]
    shop = MemoryShop(
        records[Product],
        orders=records[Order],
        cart=records[Item],
        addresses=records[Address] or [Address("home", "Home", "Mill Lane 4")],
        payments=records[Payment] or cards[:1],
        **{"bank": bank, **options["shop"]},
    )
    staff = [f"{scene.stranger().name}" for _ in range(2)]
    business = MemoryBusiness(
        records[Customer],
        sales=records[Sale],
        refunds=records[Refund],
        tickets=records[Ticket],
        invoices=records[Invoice],
        policies=records[Policy],
        **{"staff": staff, **options["business"]},
    )
    return {"shop": shop, "bank": bank, "business": business}


def _goods(scene: Scene) -> None:
    for name, category, price, text in scene.rng.sample(PRODUCTS, 5):
        if name not in scene.used:
            rating = scene.choose((3.9, 4.2, 4.6))
            scene.add(Product(scene.token("pr"), name, price, category, text, rating=rating))


def _money(scene: Scene) -> None:
    scene.add(
        Account("checking", "Current account", iban(scene), scene.rng.randint(900, 4000) * 100)
    )
    scene.add(
        Account("savings", "Savings account", iban(scene), scene.rng.randint(20, 90) * 10_000)
    )
    scene.add(Card("card1", "Debit card", "checking"))
    for n in range(3):
        at = scene.now - timedelta(days=2 + 3 * n, hours=scene.rng.randint(0, 5))
        cents = -scene.rng.randint(300, 6000)
        who = scene.pick(SHOPS)
        scene.add(Movement(scene.token("mv"), "checking", at, cents, "card", who))
    person = scene.stranger()
    scene.add(Payee(person.name, iban(scene)))
    for symbol, name, cents in scene.rng.sample(SHARES, 2):
        scene.add(Share(symbol, name, cents, "EUR", scene.rng.randint(-150, 150)))
    due = scene.now.date() + timedelta(days=scene.rng.randint(3, 20))
    scene.add(Bill(scene.token("bl"), scene.pick(BILLERS), scene.rng.randint(2000, 9000), due))


def _desk(scene: Scene) -> None:
    for _ in range(2):
        person = scene.stranger()
        code = f"{scene.rng.randrange(10_000):04}"
        customer = scene.add(
            Customer(
                scene.token("cu"), person.name, person.emails[0], person.phones[0],
                person.address, code=code,
            )
        )  # fmt: skip
        name, _, price, _ = scene.choose([each for each in PRODUCTS if each[0] not in scene.used])
        ordered = scene.now.date() - timedelta(days=scene.rng.randint(8, 40))
        delivered = ordered + timedelta(days=3)
        sale = Sale(scene.token("sa"), customer.id, name, price, ordered, delivered=delivered)
        scene.add(sale)
        subject, text = scene.pick(TROUBLE)
        opened = scene.now - timedelta(days=scene.rng.randint(1, 5))
        scene.add(Ticket(scene.token("ti"), customer.id, subject, text, opened))
    if not scene.records[Policy]:
        for topic, text in POLICIES:
            scene.add(Policy(topic, text))
