"""Pages of practical use: opening hours and prices, events, recipes, huts. All are made up.

They are made on a ``Web`` and come with what they say, so that a family knows the right answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from botpsy.services.web import Page
from botpsy.worlds.people import ascii_of
from botpsy.worlds.seeding.webs import TOWNS, Web

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
VENUES = ("Swimming Hall", "Climbing Hall", "Botanical Garden", "Observatory", "Toy Museum",
          "Ice Rink", "Bouldering Loft", "Aquarium", "Sculpture Park", "Sauna House")  # fmt: skip
_HAPPENINGS = ("Lantern Night", "River Regatta", "Cheese Fair", "Organ Evening", "Kite Day",
               "Puppet Festival", "Seed Swap", "Night Run", "Repair Fair", "Bell Concert",
               "Winter Market", "Open Studio Day")  # fmt: skip
_SPOTS = ("the old grain store", "the rowing club", "Pier 3", "St Anne's hall", "the castle yard",
          "the tram depot", "the orangery", "the fish market", "the school hall")  # fmt: skip
_DISHES = ("bean stew", "fish pie", "dumplings", "potato cake", "barley soup", "plum tart",
           "mushroom pancakes", "cabbage rolls")  # fmt: skip
INGREDIENTS = ("white beans", "celeriac", "dill", "sour cream", "barley", "plums", "buckwheat",
               "smoked paprika", "leeks", "parsnips", "marjoram", "pearl onions", "beetroot",
               "savoy cabbage", "chanterelles", "rye flour", "mustard seeds")  # fmt: skip
_COURSES = ("sailing licence", "welding course", "choir academy", "beekeeping course",
            "summer school of drawing", "bread baking diploma", "mountain guide exam",
            "teaching grant", "artist residency", "first-aid instructor course")  # fmt: skip
COUNTED = ("visitors to the lighthouse", "ferry passengers", "borrowed library books",
           "sold bicycles", "guests at the hostel", "cars through the tunnel")  # fmt: skip
"""What towns keep figures of."""


def date_in_full(day: date) -> str:
    """``Saturday, 14 March 2026``."""
    return f"{day:%A}, {day.day} {day:%B %Y}"


def eur(cents: int) -> str:
    """``12.50 EUR``."""
    return f"{cents / 100:.2f} EUR"


@dataclass(frozen=True, slots=True)
class Venue:
    """A place to visit. ``hours`` are by weekday ("10:15", "17:30"), None on the day off;
    ``adult`` and ``child`` are prices in cents."""

    name: str
    town: str
    page: Page
    hours: Mapping[str, tuple[str, str] | None]
    adult: int
    child: int
    phone: str
    tram: str


def venue(web: Web, kind: str = "") -> Venue:
    """Opening hours that differ from day to day, prices, a number to call and how to get there.

    ``kind`` is what stands after the town in its name.
    """
    s = web.scene
    town = s.pick(TOWNS)
    name = f"{town} {kind or s.pick(VENUES)}"
    off = s.choose(WEEKDAYS)
    opening = s.rng.sample([f"{h}:{m}" for h in (8, 9, 10, 11) for m in ("15", "30", "45")], 7)
    closing = s.rng.sample([f"{h}:{m}" for h in (17, 18, 19, 20) for m in ("15", "30", "45")], 7)
    hours = {
        day: None if day == off else (opening[n], closing[n]) for n, day in enumerate(WEEKDAYS)
    }
    adult, child = s.rng.randint(11, 32) * 50, s.rng.randint(4, 10) * 50
    phone, tram = f"+44 7700 900{s.rng.randint(200, 899)}", str(s.rng.randint(2, 29))
    lines = "\n".join(
        f"{day}: closed" if times is None else f"{day}: {times[0]} to {times[1]}"
        for day, times in hours.items()
    )
    text = (
        f"Welcome to the {name}.\n\nOpening hours\n{lines}\n\nAdmission\n"
        f"Adults: {eur(adult)}\nChildren under 14: {eur(child)}\n\n"
        f"Getting here: take tram {tram} to the end.\nTelephone: {phone}"
    )
    host = f"{ascii_of(name)}.example"
    page = s.page(f"https://{host}/visit", f"Visit the {name}", text)
    return Venue(name, town, page, hours, adult, child, phone, tram)


@dataclass(frozen=True, slots=True)
class Happening:
    """An event: ``deadline`` is the last day to sign up, ``price`` is in cents."""

    name: str
    town: str
    page: Page
    at: datetime
    place: str
    price: int
    deadline: date


def happening(web: Web, at: datetime) -> Happening:
    """An event's page: when, where, what it costs, until when to sign up."""
    s = web.scene
    name, town, place = s.pick(_HAPPENINGS), s.pick(TOWNS), s.pick(_SPOTS)
    price = s.rng.randint(8, 60) * 50
    deadline = at.date() - timedelta(days=s.rng.randint(1, 2))
    text = (
        f"The {name} in {town} is back.\n\nWhen: {date_in_full(at.date())}, {at:%H:%M}\n"
        f"Where: {place}\nTickets: {eur(price)}\n"
        f"Sign up by {date_in_full(deadline)}.\n\nBring warm clothes; the bar takes cash only."
    )
    page = s.page(f"https://{ascii_of(town)}.example/{ascii_of(name)}", f"{name} in {town}", text)
    return Happening(name, town, page, at, place, price, deadline)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A dish, what goes into it, and for how many it is."""

    name: str
    page: Page
    ingredients: tuple[str, ...]
    minutes: int
    serves: int


def recipe(web: Web) -> Recipe:
    """A recipe with four or five ingredients, amounts given."""
    s = web.scene
    name = f"{s.pick(TOWNS)} {s.pick(_DISHES)}"
    things = tuple(s.pick(INGREDIENTS) for _ in range(s.choose((4, 5))))
    minutes, serves = s.choose((25, 35, 40, 50, 55, 70)), s.choose((2, 4, 6))
    lines = "\n".join(f"- {s.choose((50, 100, 150, 200, 250))} g {thing}" for thing in things)
    text = (
        f"{name}, as my aunt made it. Serves {serves}, takes {minutes} minutes.\n\n"
        f"Ingredients\n{lines}\n\nChop everything, simmer with a little water, salt to taste."
    )
    return Recipe(name, web.page(name, text, host="thirdhelping.example"), things, minutes, serves)


@dataclass(frozen=True, slots=True)
class Call:
    """Something to apply for: the last day, the fee in cents, and how many places there are."""

    name: str
    town: str
    page: Page
    deadline: date
    fee: int
    places: int


def call_for(web: Web, deadline: date) -> Call:
    """A call for applications."""
    s = web.scene
    what, town = s.pick(_COURSES), s.pick(TOWNS)
    name = f"{town} {what}"
    fee, places = s.rng.randint(3, 48) * 1000, s.rng.randint(6, 28)
    text = (
        f"The {name} takes new people every year. There are {places} places.\n\n"
        f"Applications close on {date_in_full(deadline)}. The fee is {eur(fee)}.\n\n"
        "Send a letter and a photo of something you have made."
    )
    return Call(name, town, web.page(f"{name}: apply", text), deadline, fee, places)


def table(rows: Mapping[str, object], head: tuple[str, str]) -> str:
    """Two columns in plain text."""
    return "\n".join([f"{head[0]} | {head[1]}", *(f"{key} | {each}" for key, each in rows.items())])


def number_of(scene: Scene) -> str:
    """How many people live somewhere."""
    return f"{scene.rng.randint(2_000, 99_000):,}"


def numbers(scene: Scene, count: int, low: int, high: int) -> list[int]:
    """So many different numbers."""
    return scene.rng.sample(range(low, high), count)
