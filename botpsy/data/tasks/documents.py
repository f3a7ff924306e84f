"""Documents in prose, and what is to be read out of them.

A kind of document draws its values, tells them in sentences, and says in a JSON Schema what to
read. Every value stands in the document, as it is or in the form that the schema's description
asks for; a value that is not told is left out, and its property is not required. Sentences that
hold none of the values stand between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from botpsy.chat.types import JsonObject, Schema
from botpsy.data.tasks.sums import MONTHS


@dataclass(frozen=True, slots=True)
class Document:
    """``facts`` are told in order, ``noise`` anywhere between; ``wrong`` are values of the same
    kind that stand in the text and are not meant."""

    facts: Sequence[str]
    noise: Sequence[str]
    properties: dict[str, Schema]
    value: JsonObject


Kind = Callable[[Random], Document]
KINDS: dict[str, Kind] = {}

PEOPLE = ("Amara Okoye", "Jonas Lind", "Priya Raman", "Mateo Fuentes", "Hana Sato", "Elif Demir",
          "Noah Petersen", "Clara Weiss", "Ibrahim Diallo", "Sofia Marin", "Tom Hargreaves",
          "Yuki Ando", "Lena Novak", "Omar Haddad", "Ruth Adeyemi", "Felix Brandt")  # fmt: skip
TOWNS = ("Lindau", "Porto", "Aarhus", "Galway", "Trieste", "Bergen", "Toledo", "Ghent", "Turku",
         "Split", "Leiden", "Kaunas")  # fmt: skip
FIRMS = ("Northwind Tools", "Blue Harbour Foods", "Kestrel Optics", "Maple & Sons", "Orbit Paper",
         "Silverline Bikes", "Greenfield Dairy", "Anchor Textiles")  # fmt: skip
GOODS = ("desk lamp", "water kettle", "office chair", "garden hose", "travel mug", "wall clock",
         "hand drill", "bread knife", "picture frame", "rain jacket", "bike bell",
         "notebook")  # fmt: skip


def kind(function: Kind) -> Kind:
    """Register a kind under its function's name."""
    KINDS[function.__name__] = function
    return function


def text(description: str = "", *, among: Sequence[str] = ()) -> Schema:
    """The schema of a text."""
    schema: Schema = {"type": "string"}
    if among:
        schema["enum"] = list(among)
    return _described(schema, description)


def whole(description: str = "", **limits: Any) -> Schema:
    """The schema of a whole number."""
    return _described({"type": "integer", **limits}, description)


def amount(description: str = "", **limits: Any) -> Schema:
    """The schema of a number."""
    return _described({"type": "number", **limits}, description)


def flag(description: str = "") -> Schema:
    """The schema of yes and no."""
    return _described({"type": "boolean"}, description)


def day(description: str = "YYYY-MM-DD") -> Schema:
    """The schema of a date."""
    return _described({"type": "string", "format": "date"}, description)


def listed(items: Schema, description: str = "") -> Schema:
    """The schema of a list."""
    return _described({"type": "array", "items": items}, description)


def of(properties: dict[str, Schema], required: Sequence[str] | None = None) -> Schema:
    """The schema of an object; all its properties are required if it is not said which."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties if required is None else required),
        "additionalProperties": False,
    }


def _described(schema: Schema, description: str) -> Schema:
    return schema | {"description": description} if description else schema


def some_day(rng: Random) -> date:
    """A day of the twenties."""
    return date(2023, 1, 1) + timedelta(days=rng.randrange(1_400))


def told(rng: Random, when: date) -> str:
    """A date in words, never with an ambiguous order."""
    month = MONTHS[when.month - 1]
    return rng.choice(
        (f"{when.day} {month} {when.year}", f"{month} {when.day}, {when.year}", when.isoformat())
    )


def price(rng: Random, low: int, high: int) -> float:
    """A price, often with cents."""
    return rng.randrange(low * 100, high * 100, rng.choice((5, 50, 100))) / 100


def money(value: float) -> str:
    """A price as it is printed."""
    return f"{value:.2f}"


@kind
def order(rng: Random) -> Document:
    buyer, firm, when = rng.choice(PEOPLE), rng.choice(FIRMS), some_day(rng)
    number = f"{rng.choice('ABCDEF')}-{rng.randint(10_000, 99_999)}"
    items = [(name, rng.randint(1, 9), price(rng, 4, 90))
             for name in rng.sample(GOODS, rng.randint(1, 3))]  # fmt: skip
    gift = rng.random() < 0.5
    lines = "; ".join(f"{count} × {name} at {money(each)} euros" for name, count, each in items)
    return Document(
        facts=(
            f"{firm} confirms order {number}, placed by {buyer} on {told(rng, when)}.",
            f"The parcel will hold: {lines}.",
            "It will be wrapped as a gift." if gift else "No gift wrapping was asked for.",
        ),
        noise=("Returns are free within thirty days.", "Questions? Reply to this message.",
               "We have been packing by hand since 1998."),
        properties={
            "order_number": text(),
            "customer": text("full name"),
            "ordered_on": day(),
            "items": listed(of({"name": text(), "quantity": whole(minimum=1),
                                "unit_price": amount("euros")})),
            "gift": flag("whether it is wrapped as a gift"),
        },
        value={
            "order_number": number, "customer": buyer, "ordered_on": when.isoformat(),
            "items": [{"name": n, "quantity": c, "unit_price": e} for n, c, e in items],
            "gift": gift,
        },
    )  # fmt: skip


@kind
def job(rng: Random) -> Document:
    title = rng.choice(("baker", "data analyst", "bus driver", "nurse", "carpenter", "librarian"))
    firm, town, hours = rng.choice(FIRMS), rng.choice(TOWNS), rng.choice((20, 24, 32, 36, 38, 40))
    skills = rng.sample(("first aid", "spreadsheets", "spoken French", "night shifts",
                         "stock keeping",
                         "a driving licence"), rng.randint(1, 3))  # fmt: skip
    remote = rng.choice(("none", "partly", "fully"))
    place = {"none": "All work is done on site.",
             "partly": "Two days a week can be worked from home.",
             "fully": "The whole job can be done from home."}[remote]  # fmt: skip
    until = some_day(rng)
    return Document(
        facts=(
            f"{firm} is looking for a {title} in {town}, {hours} hours a week.",
            f"You bring: {', '.join(skills)}.",
            place,
            f"Apply by {told(rng, until)}.",
        ),
        noise=("Our team has doubled in three years.", "There is a bus stop at the door.",
               "Please do not send original papers."),
        properties={
            "title": text(), "employer": text(), "town": text(),
            "hours_per_week": whole(minimum=1, maximum=60),
            "skills": listed(text(), "in the order given"),
            "remote": text(among=("none", "partly", "fully")),
            "apply_by": day(),
        },
        value={"title": title, "employer": firm, "town": town, "hours_per_week": hours,
               "skills": [*skills], "remote": remote, "apply_by": until.isoformat()},
    )  # fmt: skip


@kind
def minutes(rng: Random) -> Document:
    people = rng.sample(PEOPLE, 4)
    when, hour = some_day(rng), rng.randint(8, 17)
    works = rng.sample(("order new badges", "book the hall", "check the budget", "call the printer",
                        "update the price list", "clean the store room"), 2)  # fmt: skip
    due = [when + timedelta(days=rng.randint(2, 20)) for _ in works]
    tasks: list[Any] = [{"who": who, "what": what, "due": by.isoformat()}
                        for who, what, by in zip(people[1:], works, due, strict=False)]  # fmt: skip
    said = [f"{who} will {what} by {told(rng, by)}."
            for who, what, by in zip(people[1:], works, due, strict=False)]  # fmt: skip
    return Document(
        facts=(
            f"Minutes of {told(rng, when)}. {people[0]} opened the meeting at {hour}:{30:02d}.",
            f"Present were {', '.join(people[:3])}; {people[3]} sent apologies.",
            *said,
        ),
        noise=("The coffee machine was praised.", "The lift is still out of order.",
               "The last minutes were accepted without changes."),
        properties={
            "date": day(), "chair": text("who opened the meeting"),
            "start": text("24-hour HH:MM"),
            "present": listed(text()), "absent": listed(text()),
            "tasks": listed(of({"who": text(), "what": text("as worded, without the date"),
                                "due": day()})),
        },
        value={"date": when.isoformat(), "chair": people[0], "start": f"{hour:02d}:30",
               "present": [*people[:3]], "absent": [people[3]], "tasks": tasks},
    )  # fmt: skip


@kind
def recipe(rng: Random) -> Document:
    dish = rng.choice(("lentil soup", "apple cake", "potato salad", "tomato pasta", "oat biscuits"))
    things = [(name, rng.randrange(50, 600, 25)) for name in
              rng.sample(("flour", "butter", "lentils", "carrots", "oats"), 3)]  # fmt: skip
    serves, bake, degrees = rng.randint(2, 8), rng.randrange(15, 75, 5), rng.randrange(150, 230, 10)
    oven = rng.random() < 0.6
    value: JsonObject = {
        "dish": dish, "serves": serves, "minutes": bake,
        "ingredients": [{"name": name, "grams": grams} for name, grams in things],
    }  # fmt: skip
    if oven:
        value["oven_celsius"] = degrees
    heat = f"in the oven at {degrees} °C" if oven else "on the stove over a small flame"
    return Document(
        facts=(
            f"This {dish} feeds {serves} people.",
            f"Take {', '.join(f'{grams} g of {name}' for name, grams in things)}.",
            f"It then needs {bake} minutes {heat}.",
        ),
        noise=("My aunt made it every autumn.", "It tastes even better the next day.",
               "Do not hurry the stirring."),
        properties={
            "dish": text(), "serves": whole(), "minutes": whole("cooking or baking time"),
            "oven_celsius": whole("leave out if no oven is used"),
            "ingredients": listed(of({"name": text(), "grams": whole()})),
        },
        value=value,
    )  # fmt: skip


@kind
def parcel(rng: Random) -> Document:
    code = f"{rng.choice('PQRT')}{rng.randint(10**8, 10**9 - 1)}"
    sender, receiver = rng.sample(PEOPLE, 2)
    one, other = rng.sample(TOWNS, 2)
    grams = rng.randrange(200, 9_000, 50)
    state = rng.choice(("in transit", "delivered", "held at customs", "returned"))
    told_state = {"in transit": "It is on its way.", "delivered": "It has been handed over.",
                  "held at customs": "Customs is still holding it back.",
                  "returned": "It went back to its sender."}[state]  # fmt: skip
    seen = some_day(rng)
    return Document(
        facts=(
            f"Parcel {code} was sent by {sender} in {one} to {receiver} in {other}.",
            f"On the scale it showed {grams / 1000:g} kg.",
            f"{told_state} It was last scanned on {told(rng, seen)}.",
        ),
        noise=("Scans may appear late.", "Keep this message until the end.",
               "Our depots close on Sundays."),
        properties={
            "tracking_code": text(), "from": of({"name": text(), "town": text()}),
            "to": of({"name": text(), "town": text()}), "weight_grams": whole(),
            "status": text(among=("in transit", "delivered", "held at customs", "returned")),
            "last_scan": day(),
        },
        value={"tracking_code": code, "from": {"name": sender, "town": one},
               "to": {"name": receiver, "town": other}, "weight_grams": grams, "status": state,
               "last_scan": seen.isoformat()},
    )  # fmt: skip


@kind
def stay(rng: Random) -> Document:
    guest, town, first = rng.choice(PEOPLE), rng.choice(TOWNS), some_day(rng)
    nights, grown, children = rng.randint(1, 9), rng.randint(1, 4), rng.choice((0, 0, 1, 2))
    room, breakfast = rng.choice(("single", "double", "suite")), rng.random() < 0.5
    if room == "single":
        grown, children = 1, 0
    young = f" and {children} {'child' if children == 1 else 'children'}" if children else ""
    return Document(
        facts=(
            f"Dear {guest}, your {room} room at the Hotel {town} Park is booked.",
            f"You arrive on {told(rng, first)} and stay {nights} night{'s' * (nights > 1)}.",
            f"The booking is for {grown} adult{'s' * (grown > 1)}{young}.",
            "Breakfast is included." if breakfast else "Breakfast can be had at extra cost.",
        ),
        noise=("The pool is closed in winter.", "Our bar serves until late.",
               "Rooms are ready from the afternoon on."),
        properties={
            "guest": text(), "hotel": text(), "room": text(among=("single", "double", "suite")),
            "check_in": day(), "check_out": day("YYYY-MM-DD, the morning after the last night"),
            "guests": of({"adults": whole(minimum=1), "children": whole(minimum=0)}),
            "breakfast_included": flag(),
        },
        value={"guest": guest, "hotel": f"Hotel {town} Park", "room": room,
               "check_in": first.isoformat(),
               "check_out": (first + timedelta(days=nights)).isoformat(),
               "guests": {"adults": grown, "children": children},
               "breakfast_included": breakfast},
    )  # fmt: skip
