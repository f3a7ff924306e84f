"""Goods, orders and money for families about shops and banks, as they are and as they are said.

Everything is put into the scene. What a family says of a product's kind ("kettle"), of a payee's
first name or of a biller fits nothing else that these functions put in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from botpsy.services.bank import Account, Bill, Card, Movement, Payee
from botpsy.services.contacts import Contact
from botpsy.services.money import from_cents
from botpsy.services.shop import Line, Order, Product
from botpsy.services.shop import Status as OrderStatus
from botpsy.services.words import telling
from botpsy.worlds.phrases import ordinal
from botpsy.worlds.seeding import trade

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

R = TypeVar("R", Product, Card)

GOODS: Mapping[str, tuple[tuple[str, int, str], ...]] = {
    "kettle": (
        ("Kettle Pico", 3490, "0.8 litres, switches itself off."),
        ("Kettle Lagoon", 2790, "1.5 litres, blue enamel."),
        ("Kettle Ferro", 5200, "1.7 litres, keeps warm for an hour."),
    ),
    "backpack": (
        ("Trail backpack", 7900, "28 litres, rain cover included."),
        ("City backpack", 5490, "18 litres, with a sleeve for a laptop."),
        ("Fold backpack", 2490, "15 litres, packs into its own pocket."),
    ),
    "desk lamp": (
        ("Desk lamp Arc", 4450, "Dimmable, with a clamp."),
        ("Desk lamp Mono", 2990, "One brightness, small foot."),
        ("Desk lamp Sol", 6300, "Warm and cold light, charges a phone."),
    ),
    "headset": (
        ("Headset Lull", 8900, "Closed, with a cable."),
        ("Headset Brisk", 4590, "Wireless, for sports."),
        ("Headset Opera", 14900, "Wireless, noise cancelling."),
    ),
    "blanket": (
        ("Wool blanket", 5900, "130 by 180 cm, grey."),
        ("Picnic blanket", 3250, "Waterproof below, with a strap."),
        ("Cotton blanket", 4100, "Light, washable at 60 degrees."),
    ),
    "tent": (
        ("Heron tent", 12900, "For two, 2.4 kg."),
        ("Wren tent", 8450, "For one, 1.3 kg."),
        ("Osprey tent", 21900, "For three, room to stand."),
    ),
    "yoga mat": (
        ("Yoga mat Basic", 1990, "4 mm, washable."),
        ("Yoga mat Cork", 4800, "Natural cork, does not slip."),
        ("Yoga mat Travel", 3150, "1.5 mm, folds up."),
    ),
    "mug": (
        ("Enamel mug", 1290, "Holds 350 ml, blue rim."),
        ("Stoneware mug", 1650, "Holds 300 ml, fits a dishwasher."),
        ("Travel mug", 2290, "Closes tightly, keeps hot for four hours."),
    ),
    "water bottle": (
        ("Steel water bottle", 1790, "700 ml, no coating."),
        ("Glass water bottle", 1450, "500 ml, in a sleeve of felt."),
        ("Sports water bottle", 990, "600 ml, opens with one hand."),
    ),
    "suitcase": (
        ("Suitcase Nimbus", 11900, "38 litres, goes as hand luggage."),
        ("Suitcase Quay", 15900, "74 litres, four wheels."),
        ("Suitcase Plain", 6900, "40 litres, two wheels."),
    ),
    "keyboard": (
        ("Keyboard Hush", 6990, "Wireless, quiet keys."),
        ("Keyboard Clack", 9400, "Mechanical, with a cable."),
        ("Keyboard Slim", 3990, "Wireless, without a number pad."),
    ),
    "board game": (
        ("Board game Harbour", 3490, "Two to four players, an hour."),
        ("Board game Ridge", 2790, "Three to six players, half an hour."),
        ("Board game Loom", 4200, "For one or two, quiet and long."),
    ),
}
_WORDS = frozenset(
    word for kind, rows in GOODS.items() for row in rows for word in telling(f"{kind} {row[0]}")
)
_OTHERS = tuple(row for row in trade.PRODUCTS if _WORDS.isdisjoint(telling(row[0])))
PIECES = ("Enamel mug", "Stoneware mug", "Travel mug", "Wool blanket", "Cotton blanket",
          "Steel water bottle", "Glass water bottle", "City backpack")  # fmt: skip
"""Names to which an "s" makes a plural."""
FIRMS = ("Gym on Elm Street", "Driving School Turn", "Choir Society", "Studio Rent Ltd",
         "Allotment Club", "Nursery Sunflower")  # fmt: skip


# --- goods ------------------------------------------------------------------------------------


def shelf(scene: Scene, kind: str = "", count: int = 3, **fields: Any) -> list[Product]:
    """Products of one kind, all at different prices, and some other goods around them."""
    kind = kind or scene.pick(tuple(GOODS))
    rows = scene.rng.sample(GOODS[kind], count)
    products = [_product(scene, row, kind, fields) for row in rows]
    there = {product.name for product in scene.records[Product]}
    others = [row for row in _OTHERS if row[0] not in there]
    for name, category, price, text in scene.rng.sample(others, min(2, len(others))):
        scene.add(Product(scene.token("pr"), name, price, category, text, rating=4.1))
    return products


def goods(scene: Scene, **fields: Any) -> Product:
    """One product, the only one of its kind in the shop."""
    return shelf(scene, count=1, **fields)[0]


def pieces(scene: Scene, **fields: Any) -> tuple[Product, str]:
    """A product that people buy several of, and its plural."""
    rows = [
        (kind, row)
        for kind in GOODS
        if kind not in scene.used
        for row in GOODS[kind]
        if row[0] in PIECES
    ]
    kind, row = scene.choose(rows)
    scene.used.add(kind)
    name = row[0]
    return _product(scene, row, kind, fields), f"{name}s"


def change(scene: Scene, record: R, **fields: Any) -> R:
    """Make something that is in the scene different."""
    rows = scene.records[type(record)]
    made = replace(record, **fields)
    rows[rows.index(record)] = made
    return made


def _product(
    scene: Scene, row: tuple[str, int, str], kind: str, fields: Mapping[str, Any]
) -> Product:
    name, price, text = row
    price += scene.choose((-300, -150, 0, 0, 200, 350))
    given = {"rating": scene.choose((3.8, 4.2, 4.4)), "days": scene.rng.randint(2, 5), **fields}
    return scene.add(Product(scene.token("pr"), name, price, kind, text, **given))


def ordered(
    scene: Scene,
    lines: Sequence[Product | tuple[Product, int]],
    status: OrderStatus = "placed",
    *,
    ago: int = 2,
    arrived: int = 3,
) -> Order:
    """An order made ``ago`` days back; a delivered one arrived ``arrived`` days back."""
    rows = [row if isinstance(row, tuple) else (row, 1) for row in lines]
    placed = scene.now - timedelta(days=ago, hours=2)
    today = scene.now.date()
    delivered = today - timedelta(days=arrived) if status == "delivered" else None
    due = delivered or max(today + timedelta(days=scene.rng.randint(1, 4)), placed.date())
    while (id := f"A-{scene.rng.randrange(1000, 9999)}") in scene.used:
        pass
    scene.used.add(id)
    made = tuple(Line(each.id, each.name, count, each.price) for each, count in rows)
    return scene.add(Order(id, made, placed, "Mill Lane 4", "card1", due, status, delivered))


# --- money ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Money:
    """An amount as it is said. ``value`` is what a call takes, ``told`` what answers may say."""

    text: str
    cents: int

    def __str__(self) -> str:
        return self.text

    @property
    def value(self) -> int | float:
        """In whole units."""
        return from_cents(self.cents)

    @property
    def how(self) -> str:
        """How the value follows, where it was said in words."""
        plain = re.search(r"\d", self.text) or self.cents <= 1200
        return "" if plain else f"{self.text}: {self.value:g}"

    @property
    def told(self) -> str:
        """For ``answer=``."""
        return told(self.cents)


def told(cents: int) -> str:
    """The ways an answer may write an amount."""
    shown = f"{cents // 100}.{cents % 100:02}"
    return shown if cents % 100 else f"{shown}|{cents // 100}"


_COINS = {
    "EUR": ("euros", "€"),
    "USD": ("dollars", "$"),
    "GBP": ("pounds", "£"),
}
_ONES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
         "eighteen", "nineteen")  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def in_words(n: int) -> str:
    """A number from 1 to 9999 as it is spoken."""
    assert 0 < n < 10_000
    if n < 20:
        return _ONES[n]
    if n < 100:
        return f"{_TENS[n // 10]}-{_ONES[n % 10]}".rstrip("-")
    step, name = (100, "hundred") if n < 1000 else (1000, "thousand")
    rest = n % step
    link = " and " if rest < 100 else " "
    return f"{in_words(n // step)} {name}{f'{link}{in_words(rest)}' if rest else ''}"


def coins(scene: Scene) -> str:
    """Choose the currency of the bank and the shop; gives its word ("euros")."""
    code = scene.choose(tuple(_COINS))
    scene.options["bank"]["currency"] = scene.options["shop"]["currency"] = code
    return _COINS[code][0]


def money(scene: Scene, cents: int) -> Money:
    """An amount in the bank's currency, in one of the ways people say it."""
    code = scene.options["bank"].get("currency", "EUR")
    word, sign = _COINS[code]
    whole, rest = divmod(cents, 100)
    if rest:
        shown = f"{whole}.{rest:02}"
        forms = [f"{shown} {word}", f"{sign}{shown}", f"{shown} {code}"]
        if rest % 10 == 0:
            forms.append(f"{in_words(whole)} {word} {in_words(rest)}")
    else:
        forms = [f"{whole} {word}", f"{sign}{whole}", f"{whole} {code}"]
        forms += [f"{in_words(whole)} {word}"] * 2
    return Money(scene.choose(forms), cents)


def some_money(scene: Scene, low: int, high: int, *, cents: bool = False) -> Money:
    """An amount between so many whole units; ``cents`` makes it an odd one."""
    whole = scene.rng.randint(low, high)
    if not cents and whole > 20:
        whole -= whole % 5
    return money(scene, whole * 100 + (scene.choose((20, 40, 50, 80, 95)) if cents else 0))


def between(scene: Scene, low: int, high: int) -> Money:
    """An amount above ``low`` and below ``high`` cents, as round as may be."""
    for step in (1000, 500, 100, 50, 10):
        found = range(low // step * step + step, high, step)
        if found:
            return money(scene, scene.choose(found))
    return money(scene, (low + high) // 2)


def purse(
    scene: Scene, balance: int = 0, savings: int = 0, *, cards: Sequence[str] = ("Debit card",),
    **fields: Any,
) -> tuple[Account, Account]:  # fmt: skip
    """A current and a savings account, cards, some payments and a firm that is saved.

    Amounts in whole units; what is not given is enough for everything.
    """
    balance, savings = (
        balance or scene.rng.randint(1500, 4000),
        savings or 100 * scene.rng.randint(30, 90),
    )
    name = scene.choose(("Current account", "Checking account", "Everyday account"))
    main = scene.add(Account("main", name, trade.iban(scene), balance * 100, **fields))
    saved = scene.add(Account("savings", "Savings account", trade.iban(scene), savings * 100))
    for n, card in enumerate(cards, 1):
        scene.add(Card(f"card{n}", card, main.id))
    for n in range(3):
        paid(scene, scene.pick(trade.SHOPS), -scene.rng.randint(300, 6000), days=2 + 4 * n)
    scene.add(Payee(scene.pick(FIRMS), trade.iban(scene)))
    return main, saved


def paid(
    scene: Scene, who: str, cents: int, *, days: int = 0, at: date | None = None, text: str = ""
) -> Movement:
    """A payment by card, or income, of so many days ago."""
    when = scene.now - timedelta(days=days, minutes=scene.rng.randint(5, 200))
    if at is not None:
        when = when.replace(year=at.year, month=at.month, day=at.day)
    kind = "card" if cents < 0 else "income"
    return scene.add(Movement(scene.token("mv"), "main", when, cents, kind, who, text=text))  # type: ignore[arg-type]


def payee(scene: Scene, person: Contact | None = None) -> tuple[Payee, str]:
    """Somebody in the contacts whose account is saved, and what the user calls them."""
    person = person or scene.person()
    return scene.add(Payee(person.name, trade.iban(scene))), person.name.split()[0]


def bill(scene: Scene, due: int, *, cents: int = 0, biller: str = "", paid: int = 0) -> Bill:
    """A bill due in so many days; ``paid`` so many days ago."""
    cents = cents or scene.rng.randint(1900, 9900)
    today = scene.now.date()
    return scene.add(
        Bill(
            scene.token("bl"), biller or scene.pick(trade.BILLERS), cents,
            today + timedelta(days=due), today - timedelta(days=paid) if paid else None,
        )
    )  # fmt: skip


def exchanged(cents: int, base: str, quote: str) -> int:
    """What the bank makes of an amount."""
    rate = Decimal(trade.RATES[base]) / Decimal(trade.RATES[quote])
    return int((cents * rate).quantize(Decimal(1), ROUND_HALF_EVEN))


def day_told(scene: Scene, day: date) -> str:
    """For ``answer=``: the ways an answer may name a day."""
    month, short = f"{day:%B}", f"{day:%b}"
    forms = [f"{day.day} {month}", f"{month} {day.day}", f"{day.day} {short}", f"{short} {day.day}"]
    forms += [f"{ordinal(day.day)} of {month}", f"{day.isoformat()}"]
    ahead = (day - scene.now.date()).days
    if abs(ahead) < 7:
        forms.append(f"{day:%A}")
    forms += {0: ["today"], 1: ["tomorrow"], -1: ["yesterday"]}.get(ahead, [])
    return "|".join(forms)
