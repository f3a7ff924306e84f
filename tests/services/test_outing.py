"""The contracts of weather, places, travel, media and cars, by their memory back ends."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import date, time
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ServiceError
from botpsy.services.base import Service
from botpsy.services.bundle import Services
from botpsy.services.device.memory import MemoryDevice
from botpsy.services.hours import Hours
from botpsy.services.media import Act as PlayerAct
from botpsy.services.media import Player, controlled
from botpsy.services.media.memory import MemoryMedia
from botpsy.services.places.memory import MemoryPlaces
from botpsy.services.travel import Booking
from botpsy.services.travel.memory import MemoryTravel
from botpsy.services.vehicle import SETTABLE, Act, Car, Command, changed
from botpsy.services.vehicle.memory import MemoryVehicle
from botpsy.services.weather.memory import MemoryWeather
from tests.tools.acting import NOW
from tests.tools.outing import (
    CAR,
    HOTELS,
    ITEMS,
    PLACES,
    RESTAURANTS,
    TRIPS,
    at,
    old_booking,
    outing,
)

NAMES = ("media", "places", "travel", "vehicle", "weather")
KEYS = {"media": "player", "travel": "b0", "vehicle": "c1"}


@pytest.mark.parametrize("name", NAMES)
def test_records(name: str) -> None:
    service: Any = outing().get(name)
    assert isinstance(service, Service)
    assert service.snapshot("nothing") is None
    service.restore("nothing", None)
    before = service.dump()
    assert json.loads(json.dumps(before)) == before, "plain JSON"
    key = KEYS.get(name)
    if key is not None:
        state = service.snapshot(key)
        service.restore(key, state)
        service.restore(key, state)
        assert service.snapshot(key) == state
        with pytest.raises(ServiceError):
            service.restore(key, None)
    assert service.dump() == before


def test_a_copy_is_independent() -> None:
    services = outing()
    copied = copy.deepcopy(services)
    copied.device.change("wifi", False)
    copied.travel.restore("b1", json.dumps(replace(old_booking(), id="b1").to_json()))
    assert services.travel.hotels("Rome"), "the original is still online"
    assert [b.id for b in services.travel.bookings()] == ["b0"]
    with pytest.raises(ServiceError, match="Wi-Fi is off"):
        copied.travel.hotels("Rome")


def test_without_connection() -> None:
    services = outing()
    services.device.change("airplane_mode", True)
    for use in (
        lambda: services.weather.forecasts(None, NOW.date(), NOW.date()),
        lambda: services.places.find("pharmacy", None),
        lambda: services.places.route(None, "p1", "car"),
        lambda: services.travel.trips("flight", "Berlin", "Rome", date(2026, 12, 11)),
        lambda: services.travel.find_hotels("H1"),
        lambda: services.travel.restaurants(None, None),
        lambda: services.travel.book_trip("x", TRIPS[0], 1, NOW),
        lambda: services.travel.cancel("b0", NOW),
        services.vehicle.cars,
        lambda: services.vehicle.apply("c1", Command("lock")),
        lambda: services.media.play(services.media.find("station", "")),
    ):
        with pytest.raises(ServiceError, match="airplane mode is on"):
            use()
    assert services.travel.bookings(), "what is booked is known offline"
    assert services.media.play(services.media.find("track", "jazz"))
    services.device.change("wifi", True)
    assert services.vehicle.cars()


def test_absent_unless_connected() -> None:
    assert Services().names() == []
    for name in NAMES:
        with pytest.raises(ServiceError, match=f"No {name} is connected"):
            Services().get(name)


# --- hours --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "when", "is_open"),
    [
        (Hours(), at(5, 3), True),
        (Hours(time(9), time(17)), at(5, 9), True),
        (Hours(time(9), time(17)), at(5, 17), False),
        (Hours(time(17), time(1)), at(5, 0, 30), True),
        (Hours(time(17), time(1)), at(5, 1), False),
        (Hours(time(17), time(1)), at(5, 12), False),
        (Hours(time(17), time(1), ("fri",)), at(5, 0, 30), False),  # Friday's night
        (Hours(time(17), time(1), ("sat",)), at(5, 0, 30), True),
        (Hours(time(9), time(17), ("sat",)), at(5, 10), False),
        (Hours(off=("sat",)), at(5, 10), False),
    ],
)
def test_hours(hours: Hours, when: Any, is_open: bool) -> None:
    assert hours.open_at(when) is is_open


def test_hours_shown() -> None:
    assert Hours().show() == "always open"
    assert Hours(time(9), time(17, 30), ("sat", "sun")).show() == "09:00-17:30, not on Sat, Sun"


# --- weather and places -------------------------------------------------------------------------


def test_forecasts() -> None:
    weather = outing().weather
    here = weather.forecasts(None, date(2026, 12, 5), date(2026, 12, 30))
    assert [each.day.day for each in here] == [5, 6, 7, 8], "as far as there are any"
    assert weather.forecasts("rome, Italy", NOW.date(), NOW.date())[0].sky == "sunny"
    with pytest.raises(ServiceError, match="no forecast for Atlantis") as unknown:
        weather.forecasts("Atlantis", NOW.date(), NOW.date())
    assert "Berlin, Rome" in unknown.value.hint
    with pytest.raises(ServiceError, match="reaches from"):
        weather.forecasts("Berlin", date(2027, 1, 1), date(2027, 1, 1))
    with pytest.raises(ServiceError):
        MemoryWeather().forecasts(None, NOW.date(), NOW.date())


def test_places() -> None:
    places = outing().places
    assert [(p.id, km) for p, km in places.find("pharmacies", None)] == [("p1", 0.5), ("p2", 5.0)]
    assert [p.id for p, _ in places.find("pharmacy", "Central Station")] == ["p2", "p1"]
    assert places.find("volcano", None) == []
    assert [p.id for p, _ in places.find("pharmacy", "p1")] == ["p2"], "not the one stood at"
    assert places.route(None, "central station", "walking").minutes == 156
    assert places.route("p1", "Night Pharmacy", "car").km == 6.1
    with pytest.raises(ServiceError, match="strike"):
        places.route(None, "p3", "transit")
    with pytest.raises(ServiceError, match="could be any of") as several:
        places.route(None, "Corner Bakery", "car")
    assert "(p4)" in several.value.message and "(p5)" in several.value.message
    assert places.route(None, "bakery, West Rd", "car").km > 0
    for nonsense in ("Narnia", "", "!!!", "the"):
        with pytest.raises(ServiceError):
            places.route(None, nonsense, "car")
    for nonsense in ("", "the", "…"):
        with pytest.raises(ServiceError):
            places.find(nonsense, None)
    with pytest.raises(ServiceError, match="not known where you are"):
        MemoryPlaces(PLACES).find("pharmacy", None)


# --- travel -------------------------------------------------------------------------------------


def test_searching_trips() -> None:
    travel = outing().travel
    found = travel.trips("flight", "berlin", "ROME", date(2026, 12, 11))
    assert [trip.id for trip in found] == ["F1", "F2", "F3"]
    assert travel.trips("train", "Berlin", "Rome", date(2026, 12, 11)) == []
    assert travel.trips("flight", "Rome", "Berlin", date(2026, 12, 11)) == []
    assert travel.trips("flight", "", "Rome", date(2026, 12, 11)) == []
    assert date(2026, 12, 12) in travel.days("flight", "BER", "FCO")
    assert [trip.id for trip in travel.find_trips("flight", "lh1902")] == ["F1", "F4"]
    assert travel.find_trips("train", "F1") == []


def test_seats_follow_bookings() -> None:
    travel = outing().travel
    train = TRIPS[5]
    booked = travel.book_trip("x", train, 2, NOW)
    assert (booked.price, booked.free_until) == (91.0, train.departs)
    assert travel.book_trip("x", train, 2, NOW) == booked, "the same again is the same"
    assert travel.seats(train) == 1
    with pytest.raises(ServiceError, match="too few seats left: 1"):
        travel.book_trip("y", train, 2, NOW)
    assert travel.book_trip("last", train, 1, NOW).people == 1
    travel.cancel("x", NOW)
    assert travel.seats(train) == 2
    with pytest.raises(ServiceError, match="sold out"):
        travel.book_trip("z", TRIPS[2], 1, NOW)
    with pytest.raises(ServiceError, match="has left"):
        travel.book_trip("z", TRIPS[4], 1, NOW)


def test_a_hotel_full_on_the_second_night() -> None:
    travel = outing().travel
    aurora, casa = HOTELS[0], HOTELS[1]

    def book(key: str, hotel: Any, nights: int, guests: int = 1, rooms: int = 1) -> Booking:
        return travel.book_hotel(
            key, hotel, at(11, 15), nights=nights, guests=guests, rooms=rooms
        )  # fmt: skip

    with pytest.raises(ServiceError, match="is full on the night of Sat 12 Dec 2026"):
        book("x", aurora, 2)
    assert book("x", aurora, 1).price == 110.0
    with pytest.raises(ServiceError, match="3 need 2 rooms"):
        book("y", casa, 1, guests=3)
    with pytest.raises(ServiceError, match="too few rooms, 1"):
        book("y", casa, 1, guests=3, rooms=2)
    assert book("y", casa, 2).end == at(13, 11)
    assert [travel.rooms(casa, date(2026, 12, day)) for day in (10, 11, 12, 13)] == [1, 0, 0, 1]


def test_tables() -> None:
    travel = outing().travel
    luigi, lotus = RESTAURANTS[0], RESTAURANTS[1]
    assert [each.id for each in travel.restaurants(None, None)] == ["R1", "R2"]
    assert [each.id for each in travel.restaurants("rome", "italian")] == ["R3"]
    with pytest.raises(ServiceError, match="largest table"):
        travel.book_table("x", luigi, at(5, 19), 7, NOW)
    with pytest.raises(ServiceError, match="is closed then"):
        travel.book_table("x", luigi, at(7, 19), 2, NOW)  # a Monday
    with pytest.raises(ServiceError, match="no table at 20:15") as full:
        travel.book_table("x", luigi, at(5, 20, 15), 2, NOW)
    assert full.value.hint == "It has one at: 19:00, 21:00, 21:15, 21:30."
    assert travel.book_table("x", lotus, at(6, 0, 30), 12, NOW).kind == "table"
    travel.restore("x", None)
    assert [each.id for each in travel.bookings()] == ["b0"]


def test_cancelling() -> None:
    travel = outing().travel
    lost = travel.cancel("b0", NOW)
    assert (lost.cancelled, lost.fee) == (True, 29.9)
    assert travel.cancel("b0", NOW) == lost
    travel.book_trip("x", TRIPS[1], 1, NOW)
    assert travel.cancel("x", NOW).fee == 0
    travel.book_trip("y", TRIPS[1], 1, NOW)
    with pytest.raises(ServiceError, match="has begun"):
        travel.cancel("y", TRIPS[1].departs)
    with pytest.raises(ServiceError, match="no booking"):
        travel.cancel("nothing", NOW)


def test_no_taxis() -> None:
    with pytest.raises(ServiceError, match="no taxis"):
        MemoryTravel().call_taxi("x", "here", "there", when=None, people=1, now=NOW)


def test_a_damaged_booking() -> None:
    with pytest.raises(ServiceError, match="damaged"):
        Booking.from_json({"id": "x"})


# --- media --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("so what", ["a2"]),
        ("Blue Train", ["a1"]),
        ("the music by Miles Davis", ["a2"]),
        ("jazz", ["a1", "a2"]),
        ("my workout playlist", ["a3"]),
        ("blue", ["a1", "a2"]),
        ("", ["a1", "a2", "a3"]),
        ("some music", ["a1", "a2", "a3"]),
        ("polka", []),
        ("a3", ["a3"]),
    ],
)
def test_finding_music(text: str, ids: list[str]) -> None:
    assert [item.id for item in MemoryMedia(ITEMS).find("track", text)] == ids


@given(st.lists(st.sampled_from(get_args(PlayerAct)), max_size=8), st.integers(0, 3))
def test_a_player_stays_in_its_queue(acts: list[PlayerAct], length: int) -> None:
    player = Player(tuple("abc"[:length]), 0, playing=length > 0)
    for act in acts:
        try:
            player = controlled(player, act)
        except ServiceError:
            continue
        assert 0 <= player.at < max(1, len(player.queue))
        assert player.queue or not player.playing
        assert Player.from_json(player.to_json()) == player


# --- cars ---------------------------------------------------------------------------------------

cars = st.builds(
    Car,
    st.just("c1"),
    st.just("Blue Polo"),
    electric=st.booleans(),
    charge=st.integers(0, 100),
    locked=st.booleans(),
    trunk_open=st.booleans(),
    open_doors=st.sampled_from([(), ("rear left",)]),
    speed=st.sampled_from([0, 0, 90]),
    plugged_in=st.booleans(),
    charging=st.booleans(),
    charge_limit=st.integers(50, 100),
    climate_on=st.booleans(),
    reachable=st.sampled_from([True, True, False]),
)
commands = st.builds(
    Command,
    st.sampled_from(get_args(Act)),
    target=st.sampled_from([None, 15, 16, 28, 29]),
    limit=st.sampled_from([None, 49, 50, 90, 101]),
    destination=st.sampled_from(["", "Home"]),
)


@given(cars, commands)
def test_what_a_car_does(car: Car, command: Command) -> None:
    vehicle = MemoryVehicle([car])
    try:
        after = vehicle.apply("c1", command)
    except ServiceError:
        assert vehicle.cars() == (car,), "what failed changed nothing"
        return
    assert car.reachable
    unset = {"trunk_open"} if command.act == "open_trunk" else set()
    for name, value in car.to_json().items():
        assert name in {*SETTABLE, *unset} or after.to_json()[name] == value
    if car.speed:
        assert command.act not in ("unlock", "open_trunk")
    if command.act == "open_trunk":
        assert not car.locked
    if command.act == "lock":
        assert not car.open_doors and not car.trunk_open
    if command.act == "climate_on":
        assert 16 <= after.target <= 28
        assert car.charge >= 20 or car.plugged_in or car.speed
    if command.act == "charge":
        assert car.electric and car.plugged_in and after.charge < after.charge_limit <= 100
    assert changed(after, command) == after or command.act == "charge", "twice is once"
    state = MemoryVehicle([car]).snapshot("c1")
    vehicle.restore("c1", state)
    assert vehicle.snapshot("c1") == state


def test_an_unknown_car() -> None:
    with pytest.raises(ServiceError, match="no car"):
        MemoryVehicle([CAR], MemoryDevice()).apply("c9", Command("lock"))
