"""Weather, places, bookings, media and car tools: what they bind, do, refuse and undo."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.errors import SchemaError, ServiceError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.travel import Taxis
from botpsy.services.travel.memory import MemoryTravel
from botpsy.tools import catalogue, lifestyle, media, travel, vehicle
from botpsy.tools.base import ToolDef
from botpsy.tools.offers import span
from tests.tools.acting import act, context, dump
from tests.tools.outing import CAR, TRIPS, outing

MODULES = (lifestyle, travel, media, vehicle)
TOOLS = {tool.name: tool for module in MODULES for tool in module.TOOLS}


def run(services: Services, tool_name: str, /, **arguments: Any) -> Any:
    return act(services, TOOLS[tool_name], **arguments)[0]


def shown(services: Services, tool_name: str, /, **arguments: Any) -> Any:
    return TOOLS[tool_name].bind(arguments, context(services)).shown


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_each_tool_declares_what_it_is(tool: ToolDef) -> None:
    assert tool.service in {"media", "places", "travel", "vehicle", "weather"}
    assert tool.domain in {"travel", "lifestyle", "vehicle"}
    assert len(tool.examples) >= 5
    assert tool.irreversible == (tool.name in {"cancel_booking", "open_trunk"})
    costs = {"book_flight", "book_train", "book_hotel", "call_taxi"}
    assert (tool.effect == "spend") == (tool.name in costs)
    for other in catalogue().values():
        if other.name != tool.name:
            assert other.description != tool.description
            assert not set(other.examples) & set(tool.examples)


def test_not_offered_unless_connected() -> None:
    assert not any(Services().has(tool.service) for tool in TOOLS.values())


# --- weather, places, tables --------------------------------------------------------------------


def test_weather() -> None:
    services = outing()
    assert run(services, "get_weather")["forecast"] == [
        {"day": "Fri 4 Dec 2026", "sky": "snow", "low": "-3 °C", "high": "0 °C",
         "chance_of_rain": "0%", "wind": "10 km/h"}
    ]  # fmt: skip
    assert len(run(services, "get_weather", day="tomorrow", days=3)["forecast"]) == 3
    assert run(services, "get_weather", place="Rome")["place"] == "Rome"
    with pytest.raises(ServiceError, match="does not have Fri 1 Jan 2027"):
        run(services, "get_weather", day="1 January 2027")
    with pytest.raises(SchemaError):
        run(services, "get_weather", days=0)


def test_places() -> None:
    services = outing()
    found = run(services, "find_places", kind="bakery")["places"]
    assert [(each["id"], each["open_now"]) for each in found] == [("p4", False), ("p5", False)]
    assert run(services, "find_places", kind="bakery", open_now=True) == {"places": []}
    assert run(services, "find_places", kind="pharmacy")["places"][1]["review"] == "Slow."
    assert run(services, "get_directions", destination="p3", by="walking") == {
        "from": "Home", "to": "Central Station", "by": "walking",
        "distance": "13 km", "time": "2 h 36 min",
    }  # fmt: skip
    with pytest.raises(ServiceError, match="strike"):
        run(services, "get_directions", destination="Central Station", by="transit")


def test_restaurants_and_tables() -> None:
    services = outing()
    found = run(services, "find_restaurants", people=8)["restaurants"]
    assert [each["id"] for each in found] == ["R2"]
    found = run(services, "find_restaurants", when="tomorrow at 20:00")["restaurants"]
    assert [each["id"] for each in found] == ["R2"]
    assert shown(
        services, "book_table", restaurant="luigi's", when="tomorrow at 7 pm", people=4
    ) == {
        "restaurant": "Luigi's (Italian), Berlin (R1)",
        "when": "2026-12-05T19:00+01:00",
        "people": 4,
    }
    with pytest.raises(ServiceError, match="It has one at"):
        run(services, "book_table", restaurant="R1", when="tomorrow at 8 pm", people=4)
    with pytest.raises(ServiceError, match="for 6 people"):
        run(services, "book_table", restaurant="R1", when="tomorrow at 7 pm", people=9)
    with pytest.raises(ToolError, match="has passed"):
        run(services, "book_table", restaurant="R1", when="2026-12-01T19:00", people=2)
    with pytest.raises(ToolError, match="There is no restaurant 'Chez Nous'"):
        run(services, "book_table", restaurant="Chez Nous", when="tomorrow", people=2)
    done = run(services, "book_table", restaurant="R1", when="tomorrow at 7 pm", people=4)
    listed = run(services, "list_bookings", kind="table")["bookings"]
    assert [each["booking"] for each in listed] == [done["booking"]]


# --- trips and hotels ---------------------------------------------------------------------------


def test_flights() -> None:
    services = outing()
    way = {"origin": "Berlin", "destination": "Rome"}
    with pytest.raises(SchemaError, match="day"):
        run(services, "search_flights", **way)
    with pytest.raises(ToolError, match="has passed"):
        run(services, "search_flights", **way, day="yesterday")
    found = run(services, "search_flights", **way, day="next Friday")["flights"]
    assert [each["seats"] for each in found] == [9, 9, "sold out"]
    assert found[0]["price"] == "129.00 EUR"
    none = run(services, "search_flights", **way, day="tomorrow")
    assert none["flights"] == []
    assert "Sat 12 Dec 2026" in none["other_days"]
    with pytest.raises(ToolError, match=r"could be: .*\(F1\); .*\(F4\)"):
        run(services, "book_flight", flight="LH 1902")
    with pytest.raises(ServiceError, match="sold out"):
        run(services, "book_flight", flight="F3")
    with pytest.raises(ServiceError, match="has left"):
        run(services, "book_flight", flight="LH 7")
    twice = MemoryTravel([TRIPS[0], replace(TRIPS[4], id="F0", number="LH 1902")])
    gone = replace(services, travel=twice)
    assert shown(gone, "book_flight", flight="LH 1902")["flight"].endswith("(F1)")
    with pytest.raises(ServiceError, match="too few seats"):
        run(services, "book_flight", flight="F1", passengers=10)
    with pytest.raises(SchemaError):
        run(services, "book_flight", flight="F1", passengers=0)
    with pytest.raises(ToolError, match="There is no train"):
        run(services, "book_train", train="F1")
    asked = shown(services, "book_flight", flight="F1", passengers=2)["flight"]
    assert asked == (
        "LH 1902, Berlin (BER) to Rome (FCO), "
        "Fri 11 Dec 2026, 07:00 CET - 09:20 CET, 129.00 each, NOT refundable (F1)"
    )
    done = run(services, "book_flight", flight=asked, passengers=2)
    assert (done["price"], done["free_cancellation"]) == ("258.00 EUR", "no")


def test_undo_where_cancelling_is_free() -> None:
    services = outing()
    for name, arguments, free in (
        ("book_flight", {"flight": "F1"}, False),
        ("book_flight", {"flight": "F2"}, True),
        ("book_train", {"train": "T1"}, True),
        ("book_train", {"train": "T2"}, False),
        ("book_hotel", {"hotel": "H2", "check_in": "tomorrow", "nights": 1}, True),
        ("book_hotel", {"hotel": "H2", "check_in": "today", "nights": 1}, False),
        ("book_hotel", {"hotel": "H3", "check_in": "tomorrow", "nights": 1}, False),
        ("call_taxi", {"destination": "airport"}, True),
    ):
        ctx = context(services)
        bound = TOOLS[name].bind(arguments, ctx)
        refs = TOOLS[name].touches(bound, ctx)
        assert bool(refs) is free
        result: Any = TOOLS[name].run(bound, ctx)
        assert result["booking"] == ctx.action_id
        assert TOOLS[name].run(bound, ctx) == result, "run again after a crash, it is the same"
        assert (result["free_cancellation"] != "no") is free


def test_hotels() -> None:
    services = outing()
    found = run(services, "search_hotels", city="Rome", check_in="11 December", nights=2)["hotels"]
    assert [each["id"] for each in found] == ["H1", "H2", "H3"]
    assert found[0]["free"] == "full on Sat 12 Dec 2026"
    assert "free" not in run(services, "search_hotels", city="Rome")["hotels"][0]
    with pytest.raises(ServiceError, match="full on the night of Sat 12 Dec"):
        run(services, "book_hotel", hotel="hotel aurora", check_in="11 December", nights=2)
    with pytest.raises(ToolError, match="has passed"):
        run(services, "book_hotel", hotel="H1", check_in="yesterday", nights=1)
    done = run(services, "book_hotel", hotel="Casa Verde", check_in="11 December", nights=2)
    assert done["when"] == "Fri 11 Dec 2026, 15:00 CET - Sun 13 Dec 2026, 11:00 CET"
    assert (done["price"], done["rooms"]) == ("160.00 EUR", 1)


def test_a_span_shows_zones_without_a_name_as_a_moment_does() -> None:
    start = datetime(2026, 12, 4, 9, 35, tzinfo=ZoneInfo("America/Sao_Paulo"))
    assert span(start, start + timedelta(hours=2)) == (
        "Fri 4 Dec 2026, 09:35 UTC-03 - 11:35 UTC-03"
    )


def test_taxis() -> None:
    services = outing()
    done = run(services, "call_taxi", destination="the\nairport", passengers=4)
    assert done["what"] == "City Cabs, your place to the airport"
    assert done["when"].startswith("Fri 4 Dec 2026, 15:08")
    with pytest.raises(ServiceError, match="takes 4 people"):
        run(services, "call_taxi", destination="airport", passengers=5)
    with pytest.raises(ToolError, match="has passed"):
        run(services, "call_taxi", destination="airport", when="2026-12-04T14:00")
    with pytest.raises(ToolError, match="outside the calendar"):
        run(services, "call_taxi", destination="airport", when="9999-12-31T23:50")
    assert "15:08" in run(outing(), "call_taxi", destination="airport", when="now")["when"]
    assert "15:08" in run(outing(), "call_taxi", destination="airport", when="14:56 today")["when"]
    busy = outing(taxis=Taxis("City Cabs", free=False))
    with pytest.raises(ServiceError, match="Order one for later"):
        run(busy, "call_taxi", destination="airport")
    assert run(busy, "call_taxi", destination="airport", when="5 pm")["price"] == "20.00 EUR"


def test_cancelling() -> None:
    services = outing()
    taxi = run(services, "call_taxi", destination="airport", when="5 pm")["booking"]
    for words in ("my taxi", "taxi to the airport", taxi, f"taxi: City Cabs ({taxi})"):
        assert shown(services, "cancel_booking", booking=words)["booking"].endswith(f"({taxi})")
    assert run(services, "cancel_booking", booking="taxi") == {
        "cancelled": "City Cabs, your place to airport", "fee": "0.00 EUR", "refund": "20.00 EUR",
    }  # fmt: skip
    for gone in ("taxi", "flight to Mars", "the", "!"):
        with pytest.raises(ToolError, match="There is no booking"):
            run(services, "cancel_booking", booking=gone)
    with pytest.raises(ToolError, match="Say which booking"):
        run(services, "cancel_booking", booking=" ")
    assert run(services, "cancel_booking", booking="Saturday's train") == {
        "cancelled": "RE 8, Berlin Hbf to Hamburg Hbf", "fee": "29.90 EUR", "refund": "0.00 EUR",
    }  # fmt: skip
    assert run(services, "list_bookings") == {"bookings": []}
    run(services, "book_train", train="T1")
    run(services, "book_flight", flight="F2")
    with pytest.raises(ToolError, match="could be"):
        run(services, "cancel_booking", booking="Berlin")


def test_offline() -> None:
    services = outing(wifi=False)
    for name, arguments in (
        ("get_weather", {}),
        ("find_places", {"kind": "bakery"}),
        ("search_flights", {"origin": "Berlin", "destination": "Rome", "day": "tomorrow"}),
        ("book_flight", {"flight": "F1"}),
        ("call_taxi", {"destination": "airport"}),
        ("cancel_booking", {"booking": "b0"}),
        ("play_radio", {}),
        ("lock_car", {}),
    ):
        with pytest.raises(ServiceError, match="Wi-Fi is off"):
            run(services, name, **arguments)
    assert run(services, "play_music", what="jazz")["after_it"] == 1
    assert len(run(services, "list_bookings")["bookings"]) == 1


# --- media --------------------------------------------------------------------------------------


def test_playing() -> None:
    services = outing()
    with pytest.raises(ServiceError, match="Nothing is on"):
        run(services, "control_playback", action="pause")
    assert run(services, "now_playing") == {"playing": "nothing"}
    assert run(services, "play_music", what="Jazz") == {
        "playing": "Blue Train by John Coltrane", "after_it": 1,
    }  # fmt: skip
    assert run(services, "control_playback", action="next")["playing"] == "So What by Miles Davis"
    with pytest.raises(ServiceError, match="nothing after"):
        run(services, "control_playback", action="next")
    run(services, "control_playback", action="pause")
    assert run(services, "now_playing") == {"paused": "So What by Miles Davis"}
    assert run(services, "play_radio", station="101.1") == {"playing": "Classic FM"}
    assert run(services, "play_radio") == {"playing": "Radio One"}
    with pytest.raises(ToolError, match="There is: Radio One, Classic FM"):
        run(services, "play_radio", station="Polka Power")
    run(services, "play_music", what="jazz")
    run(services, "control_playback", action="pause")
    assert run(services, "control_playback", action="next") == {"playing": "So What by Miles Davis"}
    run(services, "control_playback", action="stop")
    assert run(services, "now_playing") == {"playing": "nothing"}
    with pytest.raises(SchemaError):
        run(services, "control_playback", action="rewind")


def test_podcasts() -> None:
    services = outing()
    assert run(services, "play_podcast", podcast="deep sea talks") == {
        "playing": "Whales (Deep Sea Talks)"
    }
    assert run(services, "play_podcast", podcast="Deep Sea Talks", episode="squid") == {
        "playing": "Squid (Deep Sea Talks)"
    }
    with pytest.raises(ToolError, match="no episode 'Roses'"):
        run(services, "play_podcast", podcast="Deep Sea Talks", episode="Roses")
    with pytest.raises(ToolError, match="Several podcasts"):
        run(services, "play_podcast", podcast="some podcast")
    with pytest.raises(ToolError, match="There is: Deep Sea Talks, Garden Hour"):
        run(services, "play_podcast", podcast="Knitting")


# --- cars ---------------------------------------------------------------------------------------


def test_the_only_car_need_not_be_named() -> None:
    services = outing()
    assert shown(services, "unlock_car") == {"car": "c1"}
    for words in ("my car", "the blue polo", "Polo", "c1"):
        assert shown(services, "unlock_car", car=words) == {"car": "c1"}
    with pytest.raises(ToolError, match="no car 'tractor'"):
        run(services, "lock_car", car="tractor")
    with pytest.raises(ToolError, match="No car is connected"):
        services.vehicle._cars.clear()  # type: ignore[attr-defined]
        run(services, "lock_car")
    two = outing(CAR, replace(CAR, id="c2", name="Red Van", electric=False))
    with pytest.raises(ToolError, match="several cars: Blue Polo, Red Van"):
        run(two, "lock_car")
    assert run(two, "lock_car", car="van") == {"car": "Red Van", "locked": True}
    with pytest.raises(ServiceError, match="not electric"):
        run(two, "charge_car", car="Red Van")
    assert run(two, "car_status", car="van")["fuel"] == "60%"


@pytest.mark.parametrize(
    ("state", "tool", "arguments", "why"),
    [
        ({}, "open_trunk", {}, "is locked. Unlock it first"),
        ({"speed": 80, "locked": False}, "open_trunk", {}, "being driven"),
        ({"speed": 80}, "unlock_car", {}, "being driven"),
        ({"open_doors": ("rear left",), "trunk_open": True}, "lock_car", {},
         "its rear left door and trunk is open"),
        ({"charge": 12}, "set_car_climate", {}, "too low for heating"),
        ({}, "charge_car", {}, "not plugged in"),
        ({"plugged_in": True, "charge": 80}, "charge_car", {}, "charged to 80% already"),
        ({"plugged_in": True}, "charge_car", {"limit": 120}, "from 50 to 100"),
        ({"reachable": False}, "lock_car", {}, "does not answer"),
        ({}, "set_car_climate", {"temperature": "35"}, "from 16 to 28"),
        ({}, "set_car_climate", {"temperature": "20", "on": False}, "for turning it on"),
        ({}, "charge_car", {"limit": 90, "on": False}, "for charging"),
        ({}, "navigate_to", {"destination": " \n "}, "Say where"),
    ],
)  # fmt: skip
def test_what_a_car_refuses(
    state: dict[str, Any], tool: str, arguments: dict[str, Any], why: str
) -> None:
    services = outing(replace(CAR, **state))
    before = dump(services)
    with pytest.raises(ToolError, match=why):
        run(services, tool, **arguments)
    assert dump(services) == before


def test_a_car_at_work() -> None:
    services = outing(replace(CAR, plugged_in=True, charge=10))
    assert shown(services, "set_car_climate", temperature="warmer") == {
        "car": "c1", "on": True, "temperature": 22,
    }  # fmt: skip
    assert run(services, "set_car_climate", temperature="warmer")["temperature"] == "22 °C"
    assert run(services, "set_car_climate", on=False)["climate"] == "off"
    assert run(services, "charge_car", limit=90)["limit"] == "90%"
    assert run(services, "car_status")["charger"] == "charging, limit 90%"
    assert run(services, "charge_car", on=False)["charging"] is False
    run(services, "unlock_car")
    assert run(services, "open_trunk")["trunk"] == "open"
    assert run(services, "navigate_to", destination="12 Mill\u202e Lane") == {
        "car": "Blue Polo", "destination": "12 Mill<U+202E RIGHT-TO-LEFT OVERRIDE> Lane",
        "range": "40 km",
    }  # fmt: skip


# --- undo ---------------------------------------------------------------------------------------

soon = st.sampled_from(["tomorrow", "11 December", "12 December"])
some = st.integers(1, 4)
CALLS: list[tuple[str, dict[str, st.SearchStrategy[Any]]]] = [
    ("book_flight", {"flight": st.just("F2"), "passengers": some}),
    ("book_train", {"train": st.just("T1"), "passengers": some}),
    ("book_hotel", {"hotel": st.sampled_from(["H1", "H2"]), "check_in": soon, "nights": some}),
    ("call_taxi", {"destination": st.sampled_from(["airport", "é🎉"]), "passengers": some}),
    ("book_table", {"restaurant": st.sampled_from(["R1", "R2"]), "people": some,
                    "when": st.sampled_from(["tomorrow at 20:00", "tomorrow at 19:00"])}),
    ("play_music", {"what": st.sampled_from(["jazz", "pop", "nothing"])}),
    ("play_radio", {"station": st.sampled_from(["pop", "classical"])}),
    ("play_podcast", {"podcast": st.just("Deep Sea Talks")}),
    ("control_playback", {"action": st.sampled_from(["pause", "resume", "next", "stop"])}),
    ("lock_car", {}),
    ("unlock_car", {}),
    ("set_car_climate", {"temperature": st.sampled_from(["warmer", "18"])}),
    ("charge_car", {"on": st.booleans()}),
    ("navigate_to", {"destination": st.sampled_from(["Home", "x"])}),
]  # fmt: skip
calls = st.sampled_from(CALLS).flatmap(
    lambda one: st.tuples(st.just(one[0]), st.fixed_dictionaries(one[1]))
)


@settings(max_examples=60, deadline=None)
@given(todo=st.lists(calls, min_size=1, max_size=7))
def test_undo_leads_back(todo: list[tuple[str, dict[str, Any]]]) -> None:
    services = outing(replace(CAR, plugged_in=True))
    states: list[dict[str, Any]] = []
    undos: list[Callable[[], None]] = []
    for name, arguments in todo:
        before = dump(services)
        try:
            _, undo = act(services, TOOLS[name], **arguments)
        except ToolError:
            assert dump(services) == before, "what failed changed nothing"
            continue
        after = dump(services)
        undo()
        assert dump(services) == before
        _, undo = act(services, TOOLS[name], **arguments)
        assert _without_ids(dump(services)) == _without_ids(after)
        states.append(before)
        undos.append(undo)
    for before, undo in zip(reversed(states), reversed(undos), strict=True):
        undo()
        undo()
        assert dump(services) == before


def _without_ids(state: dict[str, Any]) -> str:
    return re.sub(r"act\d+", "act", repr(state))


def test_every_tool_that_can_be_undone_is_tried() -> None:
    undoable = {t.name for t in TOOLS.values() if t.effect != "read" and not t.irreversible}
    assert {name for name, _ in CALLS} == undoable
