"""Beyond the home: weather, places, travel, media, a car, and a small web of linked pages.

Where a family gives any record of a service, the service holds the family's records alone.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from botpsy.services.device import DeviceService
from botpsy.services.hours import Hours
from botpsy.services.media import Item
from botpsy.services.media.memory import MemoryMedia
from botpsy.services.places import Place
from botpsy.services.places.memory import MemoryPlaces
from botpsy.services.travel import Booking, Hotel, Restaurant, Taxis, Trip
from botpsy.services.travel.memory import MemoryTravel
from botpsy.services.vehicle import Car
from botpsy.services.vehicle.memory import MemoryVehicle
from botpsy.services.weather import Forecast, Sky
from botpsy.services.weather.memory import MemoryWeather
from botpsy.services.web import Page
from botpsy.services.web.memory import MemoryWeb
from botpsy.worlds.people import CITIES

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

_ONLINE = ("weather", "places", "travel", "media", "vehicle")
_SKIES: tuple[Sky, ...] = ("sunny", "partly cloudy", "cloudy", "rain")
_TRACKS = (
    ("Slow Tide", "Marla Quist", "calm"), ("Glass Streets", "The Late Ferries", "rock"),
    ("Polaris", "Nadir Trio", "jazz"), ("Wild Thyme", "Ona Bell", "folk"),
    ("Neon Orchard", "Kilo Kilo", "electronic"), ("Blue Kiosk", "The Late Ferries", "rock"),
)  # fmt: skip
_STATIONS = (("Radio Meridian", "news"), ("Classic Harbour", "classical"), ("Wave 7", "pop"))
_PODCASTS = (("The Ferry That Never Sailed", "Small Mysteries"), ("Salt", "Kitchen Science"))
_SPOTS = (
    ("Green Pharmacy", ("pharmacy",)), ("Corner Bakery", ("bakery", "cafe")),
    ("Westside Station", ("station",)), ("City Library", ("library",)),
    ("North Pool", ("swimming pool",)), ("Volt Point", ("charging station",)),
)  # fmt: skip
_TABLES = (("Trattoria Nonna", "Italian"), ("Saffron House", "Indian"), ("Kaze", "Japanese"),
           ("Chez Lou", "French"))  # fmt: skip
CARS = ("Wren", "the blue hatchback", "Otter")
_HOTELS = ("Hotel Linde", "The Anchor", "Pension Sonne", "Grand Arcade")


def services(scene: Scene, device: DeviceService) -> dict[str, Any]:
    """Weather, places, travel, media and car, which need ``device`` to be online; and the web."""
    city = str(scene.options["city"].get("name") or scene.pick(CITIES))
    for kinds, fill in (
        ((Forecast,), _forecasts),
        ((Place,), _places),
        ((Trip, Hotel, Restaurant, Booking), _offers),
        ((Item,), _media),
        ((Car,), _car),
    ):
        if not any(scene.records[kind] for kind in kinds):
            fill(scene, city)
    records = scene.records
    options = {name: {"device": device, **scene.options[name]} for name in _ONLINE}
    here = next((place.id for place in records[Place]), "")
    return {
        "weather": MemoryWeather(records[Forecast], **{"here": city, **options["weather"]}),
        "places": MemoryPlaces(records[Place], **{"here": here, **options["places"]}),
        "travel": MemoryTravel(
            records[Trip],
            records[Hotel],
            records[Restaurant],
            bookings=records[Booking],
            **{"here": city, "taxis": Taxis("City Cabs"), **options["travel"]},
        ),
        "media": MemoryMedia(records[Item], **options["media"]),
        "vehicle": MemoryVehicle(records[Car], **options["vehicle"]),
        "web": MemoryWeb(records[Page]),
    }


Fill = Callable[["Scene", str], None]


def _forecasts(scene: Scene, city: str) -> None:
    today: date = scene.now.date()
    for place in (city, scene.pick(CITIES)):
        for ahead in range(7):
            sky = scene.choose(_SKIES)
            low = scene.rng.randint(2, 14)
            rain = scene.rng.randint(60, 95) if sky == "rain" else scene.rng.randint(0, 30)
            day = today + timedelta(days=ahead)
            high = low + scene.rng.randint(3, 9)
            scene.add(Forecast(place, day, sky, low, high, rain, scene.rng.randint(5, 35)))


def _places(scene: Scene, city: str) -> None:
    scene.add(Place("home", "Home", ("home",), f"{city}", 0, 0))
    for name, kinds in scene.rng.sample(_SPOTS, 4):
        east, north = (round(scene.rng.uniform(-4, 4), 1) for _ in range(2))
        hours = Hours(time(8), time(20))
        scene.add(Place(scene.token("pl"), name, kinds, city, east, north, hours, 4.2))


def _offers(scene: Scene, city: str) -> None:
    other = scene.pick(CITIES)
    tz = scene.clock.tz
    for ahead in (2, 5):
        day = scene.now.date() + timedelta(days=ahead)
        leaves = datetime.combine(day, time(scene.rng.randint(7, 16), 20), tz)
        arrives = leaves + timedelta(hours=2)
        number = f"IC {scene.rng.randint(200, 899)}"
        scene.add(Trip(scene.token("tr"), "train", number, city, other, leaves, arrives, 39.0, 12))
    for name, cuisine in scene.rng.sample(_TABLES, 2):
        hours = Hours(time(12), time(23))
        scene.add(Restaurant(scene.token("rs"), name, city, cuisine, hours=hours, rating=4.3))
    scene.add(Hotel(scene.token("ho"), scene.choose(_HOTELS), other, 95.0, rating=4.1))


def _media(scene: Scene, _: str) -> None:
    for title, by, tag in scene.rng.sample(_TRACKS, 4):
        scene.add(Item(scene.token("tk"), "track", title, by, (tag,)))
    for title, tag in scene.rng.sample(_STATIONS, 2):
        scene.add(Item(scene.token("st"), "station", title, "", (tag,)))
    title, by = scene.choose(_PODCASTS)
    scene.add(Item(scene.token("ep"), "episode", title, by))


def _car(scene: Scene, _: str) -> None:
    charge = scene.choose((35, 55, 80))
    car(scene, scene.choose(CARS), charge=charge)


def car(scene: Scene, name: str = "", **fields: Any) -> Car:
    """A car, at home and locked unless said otherwise."""
    fields = {"where": "at home", **fields}
    return scene.add(Car(scene.token("ca"), name or scene.pick(CARS), **fields))
