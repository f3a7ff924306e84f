"""Tools for the home: lights, plugs, locks, blinds, heating, vacuum, appliances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ServiceError, ToolError
from botpsy.services.base import Ref
from botpsy.services.home import COLOURS, Act, Command, Device, Kind
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.entities import (
    Appliances,
    Covers,
    Entities,
    Lights,
    Locks,
    Switchables,
    Thermostats,
    Vacuums,
)
from botpsy.tools.home_values import Brightness, Colour, Degrees, Position

_SHOWN = 40


def _touch(parameter: str) -> Any:
    def refs(_: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
        return [Ref("home", key) for key in values[parameter]]

    return refs


def _card(device: Device) -> JsonObject:
    shown = ("brightness", "colour", "position", "target", "temperature", "unit")
    facts = {key: device.attributes[key] for key in shown if key in device.attributes}
    if device.state == "off":
        facts.pop("brightness", None)
        facts.pop("colour", None)
    return {"name": device.name, "state": device.state, **facts}


def _do(
    ctx: Context, keys: Sequence[str] | None, commands: Command | Sequence[Command]
) -> JsonObject:
    """One command for all devices, or one for each. Reports what failed; raises if all did."""
    keys = keys or ()
    each = [commands] * len(keys) if isinstance(commands, Command) else list(commands)
    done: list[Json] = []
    failed: list[Json] = []
    problem: ServiceError | None = None
    for key, command in zip(keys, each, strict=True):
        try:
            done.append(_card(ctx.services.home.apply(key, command)))
        except ServiceError as error:
            problem = error
            failed.append(str(error))
    if problem is not None and not done:
        raise problem
    return {"devices": done[:_SHOWN], **({"failed": failed} if failed else {})}


def _simple(ctx: Context, keys: Sequence[str] | None, act: Act) -> JsonObject:
    return _do(ctx, keys, Command(act))


@tool(
    service="home",
    domain="home",
    names_by_others=True,
    examples=(
        "what devices do I have",
        "which lights are in the bedroom",
        "list everything in the kitchen that you can control",
        "show me my smart home",
        "what can you switch on here",
        "which lamps are on right now",
    ),
)
def list_devices(
    ctx: Context,
    *,
    area: Annotated[str | None, "Room; leave out for the whole home"] = None,
    kind: Annotated[Kind | None, "Only devices of this kind"] = None,
) -> JsonObject:
    """List the devices at home by room, with their state."""
    devices = ctx.services.home.devices()
    areas = sorted({device.area for device in devices if device.area})
    wanted = " ".join((area or "").lower().split()).removeprefix("the ")
    if wanted and wanted not in {known.lower() for known in areas}:
        raise ToolError(f"There is no room {area!r}.", hint=f"Rooms: {', '.join(areas)}.")
    chosen = [
        device
        for device in devices
        if (not wanted or device.area.lower() == wanted) and (kind is None or device.kind == kind)
    ]
    listed: list[Json] = [
        {"name": d.name, "kind": d.kind, "area": d.area, "state": d.state} for d in chosen[:_SHOWN]
    ]
    more = {"more": len(chosen) - _SHOWN} if len(chosen) > _SHOWN else {}
    return {"devices": listed, **more}


@tool(
    service="home",
    domain="home",
    names_by_others=True,
    examples=(
        "is the front door locked",
        "did I leave the kitchen light on",
        "how warm is it in the flat",
        "what is the thermostat set to",
        "are the blinds open",
        "has the vacuum finished",
        "is the coffee machine still on",
    ),
)
def device_state(
    ctx: Context, device: Annotated[Entities, "Device, or room and kind: kitchen lights"]
) -> JsonObject:
    """Tell whether a device is on, off, open, locked or running, and how warm or bright."""
    devices = {found.id: found for found in ctx.services.home.devices()}
    cards: list[Json] = [_card(devices[key]) for key in device[:_SHOWN] if key in devices]
    return {"devices": cards}


@tool(
    effect="control",
    service="home",
    destinations=("device",),
    undo=_touch("device"),
    domain="home",
    examples=(
        "turn on the kitchen light",
        "switch the fan on please",
        "lights on in the living room",
        "put the telly on",
        "can you turn the balcony plug on",
        "it's dark in here, give me some light",
        "power up the smart socket",
        "plug on",
        "it's dark, I can't see a thing",
    ),
)
def turn_on(
    ctx: Context, device: Annotated[Switchables, "Device, or room and kind: kitchen lights"]
) -> JsonObject:
    """Switch on a light, plug, fan, TV or other device."""
    return _simple(ctx, device, "turn_on")


@tool(
    effect="control",
    service="home",
    destinations=("device",),
    undo=_touch("device"),
    domain="home",
    examples=(
        "turn off all the lights",
        "turn off the kitchen light",
        "switch the lamp off",
        "can you turn the balcony plug off",
        "switch off the television",
        "lights out in the bedroom",
        "kill the power on the study plug",
        "I'm going to sleep, lights off",
        "shut the fan off",
        "outlet off",
        "turn the coffee machine off",
        "disable the plug",
    ),
)
def turn_off(
    ctx: Context, device: Annotated[Switchables, "Device, or room and kind: all lights"]
) -> JsonObject:
    """Switch off a light, plug, fan, TV or other device."""
    return _simple(ctx, device, "turn_off")


@tool(
    effect="control",
    service="home",
    destinations=("light",),
    undo=_touch("light"),
    domain="home",
    examples=(
        "dim the bedroom lights",
        "make the lamp brighter",
        "set the living room light to thirty percent",
        "change the lights to blue",
        "turn the lights down a bit",
        "I want red light in the kitchen",
        "make it warmer white in here",
        "the lights are too bright",
        "raise the light level in the hall",
        "darken the room",
        "a little less light please",
        "go for orange",
    ),
)
def set_light(
    ctx: Context,
    light: Annotated[Lights, "Light, or room: bedroom lights"],
    *,
    brightness: Annotated[Brightness, "Percent, or brighter, dimmer, max, min"] = None,
    colour: Annotated[
        Colour, "Colour, such as red, orange, yellow, green, blue, purple, pink or warm white"
    ] = None,
) -> JsonObject:
    """Change the brightness or colour of lights: dim, brighten, make them blue."""
    if brightness is None and colour is None:
        raise ToolError("Say how bright, or what colour.", hint=f"Colours: {', '.join(COLOURS)}.")
    levels: Sequence[int | None] = brightness or [None] * len(light)
    commands = [Command("set", brightness=percent, colour=colour) for percent in levels]
    return _do(ctx, light, commands)


@tool(
    effect="control",
    service="home",
    destinations=("thermostat",),
    undo=_touch("thermostat"),
    domain="home",
    examples=(
        "set the heating to 21 degrees",
        "make it warmer in here",
        "turn the thermostat down two degrees",
        "I'm cold, turn up the heat",
        "heat the flat to twenty",
        "lower the temperature in the house",
    ),
)
def set_temperature(
    ctx: Context,
    *,
    thermostat: Annotated[Thermostats, "Which thermostat, if there are several"] = None,
    temperature: Annotated[Degrees, "Degrees, or warmer, cooler"],
) -> JsonObject:
    """Set the heating to a room temperature."""
    return _do(ctx, thermostat, Command("set", target=temperature))


@tool(
    effect="control",
    service="home",
    destinations=("door",),
    undo=_touch("door"),
    domain="home",
    examples=(
        "lock the front door",
        "make sure the door is locked",
        "lock up the house",
        "bolt the balcony door",
        "lock all doors for the night",
    ),
)
def lock_door(ctx: Context, door: Annotated[Locks, "Door, or: all doors"]) -> JsonObject:
    """Lock a door."""
    return _simple(ctx, door, "lock")


@tool(
    effect="control",
    service="home",
    destinations=("door",),
    undo=_touch("door"),
    domain="home",
    examples=(
        "unlock the front door",
        "let my friend in, open the lock",
        "undo the lock on the balcony door",
        "can you unlock the house for the cleaner",
        "take the lock off the main door",
    ),
)
def unlock_door(ctx: Context, door: Annotated[Locks, "Door"]) -> JsonObject:
    """Unlock a door."""
    return _simple(ctx, door, "unlock")


@tool(
    effect="control",
    service="home",
    destinations=("cover",),
    undo=_touch("cover"),
    domain="home",
    examples=(
        "open the blinds",
        "raise the shutters in the living room",
        "let some sun in, curtains up",
        "open the curtains halfway",
        "roll up the blinds in the bedroom",
        "open the garage door",
    ),
)
def open_cover(
    ctx: Context,
    cover: Annotated[Covers, "Blinds, curtains, shutters or garage door"],
    *,
    how_far: Annotated[Position, "Percent open, or more, less; leave out to open fully"] = None,
) -> JsonObject:
    """Open blinds, curtains, shutters or a garage door, fully or partly."""
    if how_far is not None:
        return _do(ctx, cover, [Command("set", position=percent) for percent in how_far])
    return _simple(ctx, cover, "open")


@tool(
    effect="control",
    service="home",
    destinations=("cover",),
    undo=_touch("cover"),
    domain="home",
    examples=(
        "close the blinds",
        "shut the curtains in the bedroom",
        "lower all the shutters",
        "draw the curtains, the sun is blinding me",
        "close the garage",
    ),
)
def close_cover(
    ctx: Context, cover: Annotated[Covers, "Blinds, curtains, shutters or garage door"]
) -> JsonObject:
    """Close blinds, curtains, shutters or a garage door."""
    return _simple(ctx, cover, "close")


@tool(
    effect="control",
    service="home",
    destinations=("vacuum",),
    undo=_touch("vacuum"),
    domain="home",
    examples=(
        "start the vacuum",
        "vacuum the flat please",
        "clean the floor",
        "turn on the roomba",
        "let the robot hoover up the crumbs",
        "the carpet is full of dust and dirt, have it cleaned",
        "sweep the house",
    ),
)
def start_cleaning(
    ctx: Context,
    *,
    vacuum: Annotated[Vacuums, "Which vacuum, if there are several"] = None,
) -> JsonObject:
    """Start the robot vacuum to clean the floor."""
    return _simple(ctx, vacuum, "start")


@tool(
    effect="control",
    service="home",
    destinations=("vacuum",),
    undo=_touch("vacuum"),
    domain="home",
    examples=(
        "stop the vacuum",
        "send the robot back to its dock",
        "stop hoovering, I'm on the phone",
        "the vacuum cleaner can go home",
        "enough cleaning for today",
    ),
)
def stop_cleaning(
    ctx: Context,
    *,
    vacuum: Annotated[Vacuums, "Which vacuum, if there are several"] = None,
) -> JsonObject:
    """Stop the robot vacuum and send it back to its dock."""
    return _simple(ctx, vacuum, "stop")


@tool(
    effect="control",
    service="home",
    destinations=("appliance",),
    domain="home",
    examples=(
        "make me a coffee",
        "start the coffee machine",
        "brew a fresh pot",
        "I could use an espresso",
        "run the dishwasher",
        "get the coffee going please",
        "start the washing machine",
        "a cup of coffee would be nice",
        "pour me a cup of joe",
        "prepare a cappuccino",
        "get the coffee maker to work",
        "start the rice cooker",
    ),
)
def start_appliance(
    ctx: Context, appliance: Annotated[Appliances, "Coffee machine, dishwasher or the like"]
) -> JsonObject:
    """Start a coffee machine, dishwasher, washing machine or other appliance: make coffee."""
    return _simple(ctx, appliance, "start")


TOOLS: tuple[ToolDef, ...] = (
    list_devices,
    device_state,
    turn_on,
    turn_off,
    set_light,
    set_temperature,
    lock_door,
    unlock_door,
    open_cover,
    close_cover,
    start_cleaning,
    stop_cleaning,
    start_appliance,
)
