"""Home tools: words to devices, what each tool does, and that everything can be taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import JsonObject
from botpsy.clock import Clock
from botpsy.errors import BotpsyError, SchemaError, ServiceError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.home import Device
from botpsy.services.home.memory import MemoryHome, small_flat
from botpsy.tools import home as home_tools
from botpsy.tools.base import Context, ToolDef
from botpsy.tools.entities import ANY, SWITCHABLE, resolve

TOOLS = {tool.name: tool for tool in home_tools.TOOLS}
FLAT = small_flat()
KITCHEN = ("light.kitchen_ceiling", "light.kitchen_counter")
LIGHTS = tuple(device.id for device in FLAT if device.kind == "light")


@pytest.fixture
def ctx() -> Context:
    zone = ZoneInfo("Europe/Paris")
    clock = Clock(zone, datetime(2026, 3, 2, 12, tzinfo=zone))
    return Context(Services(home=MemoryHome(FLAT)), clock)


def run(ctx: Context, name: str, **arguments: Any) -> JsonObject:
    tool = TOOLS[name]
    result = tool.run(tool.bind(arguments, ctx), ctx)
    assert isinstance(result, dict)
    return result


def state(ctx: Context, key: str) -> str:
    return next(device.state for device in ctx.services.home.devices() if device.id == key)


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("light.desk", ("light.desk",)),
        ("Desk lamp", ("light.desk",)),
        ("the desk lamp, please", ("light.desk",)),
        ("desk light", ("light.desk",)),
        ("Office Lamp", ("light.desk",)),
        ("big light", ("light.living_room",)),
        ("the nightstand lamp", ("light.bedside",)),
        ("kitchen lights", KITCHEN),
        ("the lights in the kitchen", KITCHEN),
        ("all kitchen lamps", KITCHEN),
        ("kitchen", KITCHEN),
        ("in the kitchen", KITCHEN),
        ("the kitchen's lights", KITCHEN),
        ("kitchn lights", KITCHEN),
        ("lights", LIGHTS),
        ("all the lights", LIGHTS),
        ("every light in the house", LIGHTS),
        ("light in the hall", ("light.hall",)),
        ("kitchen and hall lights", (*KITCHEN, "light.hall")),
        ("desk lamp, telly and the fan", ("light.desk", "fan.bedroom", "tv.living_room")),
        ("the telly", ("tv.living_room",)),
        ("fan", ("fan.bedroom",)),
        ("counter light in the kitchen", ("light.kitchen_counter",)),
        ("coffee maker", ("appliance.coffee_machine",)),
        ("smart socket", ("plug.study",)),
        ("reading lmp", ("light.reading_lamp",)),
        (["desk lamp", "fan"], ("light.desk", "fan.bedroom")),
        (["light.desk"], ("light.desk",)),
    ],
)
def test_words_mean_devices(phrase: Any, meant: tuple[str, ...]) -> None:
    assert resolve(FLAT, phrase, SWITCHABLE) == meant


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("lamp", "could be any of: Kitchen ceiling light"),
        ("the light", "could be any of"),
        ("ceiling", "Kitchen ceiling light, Bedroom fan"),
        ("toaster", "There is no 'toaster'"),
        ("garage lights", "There is no 'garage lights'"),
        ("everything except the kitchen", "There is no"),
        ("", "in words"),
        ("the", "There is no"),
        (7, "in words"),
        (None, "in words"),
        ({"a": 1}, "in words"),
        ("front door", "is a lock; this does not work on it. Use lock_door or unlock_door"),
        ("blinds", "is a blind or cover"),
        ("robot vacuum", "Use start_cleaning"),
        ("outside temperature", "is a sensor"),
    ],
)
def test_what_cannot_be_told_is_asked_back(phrase: Any, message: str) -> None:
    with pytest.raises(ToolError, match=message):
        resolve(FLAT, phrase, SWITCHABLE)


def test_the_nearest_names_are_offered() -> None:
    with pytest.raises(ToolError) as error:
        resolve(FLAT, "balcony plog thing", ("plug",))
    assert "Balcony plug" in str(error.value)
    with pytest.raises(ToolError, match="No device of that kind"):
        resolve(FLAT, "toaster", ())


def test_each_alias_is_a_name_of_its_own() -> None:
    device = Device("lock.a", "Entrance", "lock", "", ("front door", "main gate"))
    for name in ("entrance", "front door", "main gate"):
        assert resolve([device], name, ANY) == ("lock.a",)
    # Words of two different aliases together are no name.
    with pytest.raises(ToolError):
        resolve([device], "front gate", ANY)


def test_a_name_wins_over_a_group() -> None:
    devices = [
        Device("light.a", "Kitchen lights", "light", "kitchen"),
        Device("light.b", "Stove light", "light", "kitchen"),
    ]
    assert resolve(devices, "kitchen lights", SWITCHABLE) == ("light.a",)


def test_two_devices_of_one_name_are_told_apart_by_kind_or_not_at_all() -> None:
    light, lock = Device("light.x", "Door", "light"), Device("lock.x", "Door", "lock")
    assert resolve([light, lock], "door", ("lock",)) == ("lock.x",)
    with pytest.raises(ToolError, match="could be any of"):
        resolve([light, replace(light, id="light.y")], "door", SWITCHABLE)


@given(
    st.text(max_size=30)
    | st.lists(
        st.sampled_from(
            [
                "the",
                "all",
                "kitchen",
                "light",
                "lights",
                "lamp",
                "door",
                "front",
                "every",
                "and",
                ",",
                "house",
                "blinds",
                "robot",
                "x",
            ]
        ),
        max_size=6,
    ).map(" ".join)
)
def test_whatever_is_said_the_answer_is_devices_of_the_kind_or_an_error(phrase: str) -> None:
    kinds = {device.id: device.kind for device in FLAT}
    for wanted in (SWITCHABLE, ("lock",), ("light",)):
        try:
            meant = resolve(FLAT, phrase, wanted)
        except ToolError:
            continue
        assert meant
        assert all(kinds[key] in wanted for key in meant)
        assert resolve(FLAT, list(meant), wanted) == meant


class TestTools:
    def test_lights(self, ctx: Context) -> None:
        run(ctx, "turn_off", device="all lights")
        assert all(state(ctx, key) == "off" for key in LIGHTS)
        result = run(ctx, "turn_on", device="kitchen lights")
        assert [entry["name"] for entry in result["devices"]] == [  # type: ignore[index,union-attr,call-overload]
            "Kitchen ceiling light",
            "Kitchen counter light",
        ]
        assert state(ctx, "light.hall") == "off"

    @pytest.mark.parametrize(
        ("said", "shown"),
        [
            ("40", 40),
            ("40%", 40),
            (40, 40),
            ("forty", 40),
            ("forty five percent", 45),
            ("brighter", 100),
            ("dimmer", 60),
            ("a bit dimmer", 70),
            ("down by 30", 50),
            ("-30", 50),
            ("up 10%", 90),
            ("down to 5", 5),
            ("max", 100),
            ("min", 1),
            ("half", 50),
            ("off", 1),
            ("0", 0),
        ],
    )
    def test_brightness_is_made_absolute(self, ctx: Context, said: Any, shown: int) -> None:
        tool = TOOLS["set_light"]
        bound = tool.bind({"light": "desk lamp", "brightness": said}, ctx)
        assert bound.shown == {"light": ["light.desk"], "brightness": shown}
        tool.run(bound, ctx)
        tool.run(bound, ctx)  # running it again changes nothing more
        assert tool.bind(bound.shown, ctx).shown == bound.shown

    def test_relative_brightness_is_that_of_each_light(self, ctx: Context) -> None:
        run(ctx, "set_light", light="kitchen ceiling light", brightness="20")
        tool = TOOLS["set_light"]
        bound = tool.bind({"light": "kitchen lights", "brightness": "brighter"}, ctx)
        assert bound.shown["brightness"] == [40, 100]
        assert tool.bind(bound.shown, ctx).shown == bound.shown

    @pytest.mark.parametrize(
        "arguments",
        [
            {"light": "desk lamp"},
            {"light": "desk lamp", "brightness": "150"},
            {"light": "desk lamp", "brightness": "purple"},
            {"light": "desk lamp", "brightness": True},
            {"light": "desk lamp", "brightness": [1, 2]},
            {"light": "desk lamp", "colour": "mud"},
            {"light": "desk lamp", "colour": 3},
            {"light": "telly", "brightness": "3"},
            {"brightness": "3"},
            {"light": "nowhere", "brightness": "dimmer"},
            {"light": "desk lamp", "brightness": "3", "speed": 3},
        ],
    )
    def test_a_light_is_not_set_to_nonsense(self, ctx: Context, arguments: JsonObject) -> None:
        before = [ctx.services.home.snapshot(key) for key in LIGHTS]
        with pytest.raises((ToolError, SchemaError)):
            run(ctx, "set_light", **arguments)
        assert [ctx.services.home.snapshot(key) for key in LIGHTS] == before

    def test_the_only_thermostat_need_not_be_named(self, ctx: Context) -> None:
        tool = TOOLS["set_temperature"]
        bound = tool.bind({"temperature": "two degrees warmer"}, ctx)
        assert bound.shown == {"thermostat": ["thermostat.flat"], "temperature": 22.0}
        for wrong in ("95", 4, "warm", None):
            with pytest.raises(ToolError):
                tool.bind({"temperature": wrong}, ctx)

    def test_of_two_thermostats_one_must_be_named(self) -> None:
        two = [
            Device("thermostat.a", "Upstairs", "thermostat"),
            Device("thermostat.b", "Downstairs", "thermostat"),
        ]
        ctx = Context(Services(home=MemoryHome(two)), Clock(ZoneInfo("UTC")))
        with pytest.raises(ToolError, match="Say which"):
            run(ctx, "set_temperature", temperature="21")
        run(ctx, "set_temperature", temperature="21", thermostat="upstairs")

    def test_locks_do_what_is_said(self, ctx: Context) -> None:
        run(ctx, "unlock_door", door="front door")
        assert state(ctx, "lock.front_door") == "unlocked"
        assert state(ctx, "lock.balcony_door") == "locked"
        run(ctx, "lock_door", door="all doors")
        assert state(ctx, "lock.front_door") == "locked"
        for name in ("turn_on", "turn_off"):
            with pytest.raises(ToolError, match="unlock_door"):
                run(ctx, name, device="front door")
        with pytest.raises(ToolError, match="Front door, Balcony door"):
            run(ctx, "unlock_door", door="door")

    def test_covers_vacuum_and_appliances(self, ctx: Context) -> None:
        run(ctx, "open_cover", cover="curtains", how_far="half")
        assert run(ctx, "device_state", device="curtains")["devices"] == [
            {"name": "Bedroom curtains", "state": "open", "position": 50}
        ]
        run(ctx, "close_cover", cover="all blinds")
        assert state(ctx, "cover.living_room") == "closed"
        run(ctx, "start_cleaning")
        assert state(ctx, "vacuum.robot") == "cleaning"
        run(ctx, "stop_cleaning", vacuum="hoover")
        assert state(ctx, "vacuum.robot") == "docked"
        run(ctx, "start_appliance", appliance="coffee")
        assert state(ctx, "appliance.coffee_machine") == "running"
        with pytest.raises(ToolError):
            run(ctx, "open_cover", cover="blinds", how_far="130")

    def test_covers_move_from_where_they_are(self, ctx: Context) -> None:
        def positions() -> list[int]:
            devices = ctx.services.home.devices()
            return [d.attributes["position"] for d in devices if d.kind == "cover"]

        assert positions() == [100, 0]
        run(ctx, "open_cover", cover="all covers", how_far="a bit more")
        assert positions() == [100, 12]
        run(ctx, "open_cover", cover="all covers", how_far="down 30")
        assert positions() == [70, 0]
        run(ctx, "open_cover", cover="all covers", how_far="halfway")
        assert positions() == [50, 50]

    def test_listing(self, ctx: Context) -> None:
        kitchen = run(ctx, "list_devices", area="The Kitchen")["devices"]
        assert len(kitchen) == 4  # type: ignore[arg-type]
        locks = run(ctx, "list_devices", kind="lock")["devices"]
        assert [lock["state"] for lock in locks] == ["locked", "locked"]  # type: ignore[index,union-attr,call-overload]
        with pytest.raises(ToolError, match="Rooms: balcony"):
            run(ctx, "list_devices", area="dungeon")
        with pytest.raises(SchemaError):
            run(ctx, "list_devices", kind="bomb")

    def test_a_large_home_is_cut_short_and_says_so(self) -> None:
        many = [Device(f"light.l{i}", f"Lamp {i}", "light") for i in range(100)]
        ctx = Context(Services(home=MemoryHome(many)), Clock(ZoneInfo("UTC")))
        result = run(ctx, "list_devices")
        assert len(result["devices"]) == 40  # type: ignore[arg-type]
        assert result["more"] == 60

    def test_one_dead_lamp_does_not_keep_the_others_off_and_is_reported(self) -> None:
        devices = [
            Device("light.a", "Lamp A", "light"),
            Device("light.b", "Lamp B", "light", state="unavailable"),
        ]
        ctx = Context(Services(home=MemoryHome(devices)), Clock(ZoneInfo("UTC")))
        result = run(ctx, "turn_on", device="all lights")
        assert result == {
            "devices": [{"name": "Lamp A", "state": "on"}],
            "failed": ["Lamp B does not answer. Is it plugged in?"],
        }
        with pytest.raises(ServiceError, match="does not answer"):
            run(ctx, "turn_on", device="lamp b")


CALLS: list[tuple[str, JsonObject]] = [
    ("turn_on", {"device": "hall light"}),
    ("turn_off", {"device": "everything in the kitchen"}),
    ("set_light", {"light": "all lights", "brightness": "dimmer", "colour": "blue"}),
    ("set_temperature", {"temperature": "warmer"}),
    ("lock_door", {"door": "front door"}),
    ("unlock_door", {"door": "front door"}),
    ("open_cover", {"cover": "curtains", "how_far": "30"}),
    ("close_cover", {"cover": "blinds"}),
    ("start_cleaning", {}),
    ("stop_cleaning", {}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_the_named_records_are_all_that_changes_and_bring_it_back(
    ctx: Context, name: str, arguments: JsonObject
) -> None:
    tool, home = TOOLS[name], ctx.services.home
    everything = {device.id: home.snapshot(device.id) for device in FLAT}
    bound = tool.bind(arguments, ctx)
    refs = tool.touches(bound, ctx)
    assert refs
    before = {ref.key: home.snapshot(ref.key) for ref in refs}
    tool.run(bound, ctx)
    changed = {key for key, text in everything.items() if home.snapshot(key) != text}
    assert changed <= set(before)
    for key, text in before.items():
        home.restore(key, text)
    assert {device.id: home.snapshot(device.id) for device in FLAT} == everything


@pytest.mark.parametrize("tool", home_tools.TOOLS, ids=lambda tool: tool.name)
def test_each_tool_declares_what_it_is(tool: ToolDef) -> None:
    assert tool.service == "home"
    assert (tool.effect == "control") == (tool.name not in ("list_devices", "device_state"))
    assert tool.irreversible == (tool.name == "start_appliance")
    assert bool(tool.destinations) == (tool.effect == "control")
    assert len(tool.examples) >= 5
    for parameter in tool.schema["properties"].values():
        assert parameter["description"]
        assert parameter["type"] == "string"


def test_no_home_says_so() -> None:
    ctx = Context(Services(), Clock(ZoneInfo("UTC")))
    with pytest.raises(BotpsyError, match="No home is connected"):
        run(ctx, "turn_on", device="desk lamp")


def test_names_of_devices_may_be_by_others() -> None:
    assert {name for name, tool in TOOLS.items() if tool.names_by_others} == {
        "list_devices",
        "device_state",
    }
