"""Made-up timetables, hotels, restaurants, places and bookings, for families about going out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from botpsy.services.hours import Hours
from botpsy.services.places import SPEED, Place
from botpsy.services.places import By as Way
from botpsy.services.travel import (
    TABLE_TIME,
    Booking,
    By,
    Hotel,
    Kind,
    Restaurant,
    Trip,
)
from botpsy.services.weather import Forecast
from botpsy.worlds.people import CITIES, STREETS
from botpsy.worlds.phrases import When

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

AIRLINES = ("NA", "KV", "QJ", "ZL", "OW")
TRAINS = ("IC", "EC", "RE", "IR")
INNS = (
    "Hotel Linde", "The Anchor", "Pension Sonne", "Grand Arcade", "Casa Mirela", "Harbour Lodge",
    "Hotel Kestrel", "The Old Mill", "Villa Ostro", "Parkside Inn", "Hotel Meridian Court",
)  # fmt: skip
EATERIES = (
    ("Trattoria Nonna", "Italian"), ("Saffron House", "Indian"), ("Kaze", "Japanese"),
    ("Chez Lou", "French"), ("Taverna Elia", "Greek"), ("Casa Lupe", "Mexican"),
    ("Bamboo Garden", "Chinese"), ("Baan Dao", "Thai"), ("Cedar Table", "Lebanese"),
)  # fmt: skip
RIDES = ("the airport", "the opera house", "the main station", "the ferry terminal",
         "the exhibition centre", "the botanical garden", "the university hospital")  # fmt: skip
PARTIES = (
    ("me and my sister", 2), ("my father and me", 2), ("two people", 2), ("two of us", 2),
    ("three of us", 3), ("me and two friends", 3), ("two adults and one child", 3),
    ("four people", 4), ("me, my wife and our two kids", 4), ("a group of four", 4),
)  # fmt: skip
"""How a party is named, and how many they are."""
_COUNTS = ("no", "one", "two", "three", "four")

SIGHTS = (
    ("Maritime Museum", "museum"), ("Rose Garden", "park"), ("Westside Station", "station"),
    ("Lido North", "swimming pool"), ("Old Mint", "museum"), ("Quarry Cinema", "cinema"),
    ("Bell Tower", "sight"), ("Linden Hospital", "hospital"), ("Arena East", "stadium"),
)  # fmt: skip
SHOPS = (
    ("pharmacy", ("Lion Pharmacy", "Green Cross Pharmacy", "Pharmacy at the Gate")),
    ("bakery", ("Crumb Bakery", "Old Oven Bakery", "Bakery Sander")),
    ("supermarket", ("Fresh Supermarket", "Corner Supermarket", "Supermarket Plus Ultra")),
    ("hardware store", ("Bolt Hardware Store", "Hammer Hardware Store", "Hardware Store Ruiz")),
    ("florist", ("Florist Iris", "Florist Petal", "Green Thumb Florist")),
    ("bookshop", ("Page Bookshop", "Bookshop Owl", "Bookshop Corner House")),
)
"""Kinds of places, and names of some."""
_COOLEST = (1, 2, 5, 9, 13, 17, 20, 20, 16, 11, 6, 3)
"""The high of a cool day, month by month, in °C."""


def headcount(party: str, people: int) -> str:
    """How the number follows from the party, where it is not said as it stands."""
    return "" if _COUNTS[people] in party.split() else f"{party}: {people} people"


def home_town(s: Scene) -> str:
    """The town where the user is."""
    name = s.pick(CITIES)
    s.options["city"] = {"name": name}
    return name


def on(when: When) -> str:
    """A day or moment as it follows a verb: ``on Friday``, ``tomorrow at 3 pm``."""
    text = when.text
    return text if text.startswith(("today", "tomorrow", "next")) else f"on {text}"


def costs(amount: float) -> str:
    """What an answer must mention of a price."""
    return f"{amount:.0f}|{amount:.2f}"


def trip(s: Scene, by: By, origin: str, destination: str, departs: datetime, **fields: Any) -> Trip:
    """One flight or train, of a length and price by chance where none is given."""
    code = s.choose(AIRLINES if by == "flight" else TRAINS)
    made: dict[str, Any] = {
        "number": f"{code} {s.pick(range(203, 990))}",
        "arrives": departs + timedelta(minutes=s.rng.randrange(75, 170, 5)),
        "price": float(s.pick(range(39, 190))),
        **fields,
    }
    kind = "Airport" if by == "flight" else "Central"
    return s.add(
        Trip(
            s.token("tr"), by, made.pop("number"), f"{origin} {kind}", f"{destination} {kind}",
            departs, **made,
        )
    )  # fmt: skip


def timetable(
    s: Scene,
    by: By,
    origin: str,
    destination: str,
    day: datetime,
    *,
    hours: Sequence[int] = (7, 11, 16),
    **fields: Any,
) -> list[Trip]:
    """Several on one day, one soon after each of these hours, all of different prices."""
    return [
        trip(
            s,
            by,
            origin,
            destination,
            day + timedelta(hours=hour, minutes=s.rng.randrange(5, 60, 5)),
            **fields,
        )
        for hour in hours
    ]


def inn(s: Scene, city: str, price: float, **fields: Any) -> Hotel:
    """A hotel whose rooms take four."""
    given: dict[str, Any] = {"sleeps": 4, **fields}
    return s.add(Hotel(s.token("ho"), s.pick(INNS), city, float(price), **given))


def inns(s: Scene, city: str, ratings: Sequence[float], prices: Sequence[int]) -> list[Hotel]:
    """Hotels of these ratings and prices."""
    pairs = zip(ratings, prices, strict=True)
    return [inn(s, city, price, rating=rating) for rating, price in pairs]


def eatery(s: Scene, city: str, kind: tuple[str, str] | None = None, **fields: Any) -> Restaurant:
    """A restaurant, open from noon to 11 pm."""
    name, cuisine = kind or s.pick(EATERIES)
    given: dict[str, Any] = {
        "address": f"{s.choose(STREETS)} {s.rng.randint(1, 80)}",
        "hours": Hours(time(12), time(23)),
        "rating": 4.3,
        "largest": 8,
        **fields,
    }
    return s.add(Restaurant(s.token("rs"), name, city, cuisine, **given))


def booked(s: Scene, of: Trip | Hotel | Restaurant, start: datetime, **fields: Any) -> Booking:
    """The user's booking of one of these; a hotel's is for two nights.

    It is free to cancel until it starts, if ``free_until`` does not say otherwise.
    """
    kind, title, end, price = _of(of, start)
    given: dict[str, Any] = {"price": price, "free_until": start, **fields}
    id = s.token("bk")
    return s.add(Booking(id, kind, of.id, title, start, end, **given))


def _of(of: Trip | Hotel | Restaurant, start: datetime) -> tuple[Kind, str, datetime, float]:
    """Kind, title, end and price."""
    match of:
        case Trip():
            title = f"{of.number}, {of.origin} to {of.destination}"
            return of.by, title, of.arrives, of.price
        case Hotel():
            leaving = start.replace(hour=11, minute=0) + timedelta(days=2)
            return "hotel", f"{of.name}, {of.city}", leaving, of.price * 2
        case Restaurant():
            return "table", f"{of.name}, {of.city}", start + TABLE_TIME, 0.0


def forecasts(s: Scene, place: str, rains: Sequence[int]) -> list[Forecast]:
    """The weather from today on, of these chances of rain; each day's high is another."""
    today = s.now.date()
    least = _COOLEST[today.month - 1]
    highs = s.rng.sample(range(least, least + 12), len(rains))
    return [
        s.add(
            Forecast(
                place,
                today + timedelta(days=ahead),
                "rain" if rain >= 60 else "cloudy" if rain >= 30 else "sunny",
                high - s.rng.randint(3, 8),
                high,
                rain,
            )
        )
        for ahead, (rain, high) in enumerate(zip(rains, highs, strict=True))
    ]


def at_home(s: Scene, city: str) -> Place:
    """Where the user is. The first place that a family adds."""
    return s.add(Place("home", "Home", ("home",), city))


def spot(s: Scene, name: str, kind: str, km: float, **fields: Any) -> Place:
    """A place so far from home, as the crow flies, and always open."""
    street = f"{s.choose(STREETS)} {s.rng.randint(1, 80)}"
    return s.add(Place(s.token("pl"), name, (kind,), street, km, 0.0, **fields))


def minutes_to(place: Place, by: Way) -> int:
    """How long the way from home takes."""
    wait = 5 if by == "transit" else 0
    return max(1, round(place.east * 1.3 / SPEED[by] * 60 + wait))
