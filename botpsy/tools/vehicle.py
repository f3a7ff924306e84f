"""Tools for the car: its state, locks, climate, charging, and where it is to go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.text import plain_line
from botpsy.services.vehicle import COOLEST, WARMEST, Act, Car, Command
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.events import words_of
from botpsy.tools.levels import level
from botpsy.tools.values import context_of

_STEP = 1.0
_WORDS = WithJsonSchema({"type": "string"})
_SMALL = {"the", "my", "our", "car", "vehicle", "a"}


def _car(value: Any, info: ValidationInfo) -> str:
    """The id of the car that an id or words mean; None means the only one there is."""
    cars = context_of(info).services.vehicle.cars()
    if value is not None and not isinstance(value, str):
        raise ToolError("Say which car by its name.")
    text = (value or "").strip()
    words = {word for word in words_of(text) if word not in _SMALL}
    found = [car for car in cars if text == car.id] or [
        car for car in cars if words <= set(words_of(car.name))
    ]
    if len(found) == 1:
        return found[0].id
    names = ", ".join(car.name for car in cars)
    if not cars:
        raise ToolError("No car is connected.")
    if found:
        raise ToolError(f"There are several cars: {names}.", hint="Say which.")
    raise ToolError(f"There is no car {plain_line(text)[:80]!r}. There is: {names}.")


CarRef: TypeAlias = Annotated[
    str | None, BeforeValidator(_car), _WORDS, Field(validate_default=True)
]
"""A car, by its id; where there is only one, it need not be named."""

_WHICH = "Which car, if there are several"


def _present(ctx: Context, key: str) -> Car:
    return next(car for car in ctx.services.vehicle.cars() if car.id == key)


def _degrees(value: Any, info: ValidationInfo) -> float | None:
    if value is None:
        return None
    key = info.data.get("car")
    now = _present(context_of(info), key).target if key else 21.0
    degrees = level(value, now, COOLEST, WARMEST, _STEP)
    if not COOLEST <= degrees <= WARMEST:
        raise ToolError(f"A car can be set from {COOLEST} to {WARMEST} degrees, not {degrees:g}.")
    return degrees


_Degrees: TypeAlias = Annotated[float | None, BeforeValidator(_degrees), _WORDS]


def _touch(_: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
    return [Ref("vehicle", values["car"])]


def _do(ctx: Context, car: str | None, act: Act, **values: Any) -> Car:
    assert car is not None, "resolved to the only one"
    return ctx.services.vehicle.apply(car, Command(act, **values))


@tool(
    service="vehicle",
    domain="vehicle",
    examples=(
        "how much charge does the car have",
        "is my car locked",
        "what's the range of the car",
        "is the car still charging",
        "where did I park",
        "how warm is it in the car",
        "is the trunk shut",
        "do I have enough fuel",
    ),
)
def car_status(ctx: Context, car: Annotated[CarRef, _WHICH] = None) -> JsonObject:
    """Tell the state of the car: battery or fuel, range, locks, trunk, climate, where it is."""
    assert car is not None
    now = _present(ctx, car)
    result: JsonObject = {
        "car": now.name,
        "battery" if now.electric else "fuel": f"{now.charge}%",
        "range": f"{now.range} km",
        "locked": now.locked,
        "trunk": "open" if now.trunk_open else "closed",
        "doors_open": list(now.open_doors) or "none",
        "climate": f"on, set to {now.target:g} °C" if now.climate_on else "off",
        "inside": f"{now.inside:g} °C",
        "driving": f"{now.speed} km/h" if now.speed else False,
    }
    if now.electric:
        state = "charging" if now.charging else "plugged in" if now.plugged_in else "not plugged in"
        result["charger"] = f"{state}, limit {now.charge_limit}%"
    if now.where:
        result["where"] = now.where
    if now.destination:
        result["destination"] = now.destination
    if not now.reachable:
        result["note"] = "It does not answer now; this is as last heard of."
    return result


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    undo=_touch,
    examples=(
        "lock the car",
        "did I forget to lock my car, do it",
        "lock up the vehicle",
        "make sure the car is locked",
        "secure my car for the night",
    ),
)
def lock_car(ctx: Context, car: Annotated[CarRef, _WHICH] = None) -> JsonObject:
    """Lock the car's doors."""
    return {"car": _do(ctx, car, "lock").name, "locked": True}


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    undo=_touch,
    examples=(
        "unlock the car",
        "open the car for my wife",
        "unlock my car doors",
        "let me into the car",
        "undo the car's lock",
    ),
)
def unlock_car(ctx: Context, car: Annotated[CarRef, _WHICH] = None) -> JsonObject:
    """Unlock the car's doors."""
    return {"car": _do(ctx, car, "unlock").name, "locked": False}


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    examples=(
        "open the trunk",
        "pop the boot",
        "open the boot of the car so I can load it",
        "let the tailgate up",
        "my hands are full, open the car's trunk",
    ),
)
def open_trunk(ctx: Context, car: Annotated[CarRef, _WHICH] = None) -> JsonObject:
    """Open the trunk of the car. It can only be closed by hand."""
    return {"car": _do(ctx, car, "open_trunk").name, "trunk": "open"}


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    undo=_touch,
    examples=(
        "warm up the car",
        "preheat the car to 22 degrees",
        "cool the car down before I leave",
        "turn on the air conditioning in the car",
        "set the car to twenty degrees",
        "stop heating the car",
        "make it warmer in the car",
        "defrost my car",
        "turn the AC off in the car",
    ),
)
def set_car_climate(
    ctx: Context,
    car: Annotated[CarRef, _WHICH] = None,
    *,
    on: Annotated[bool, "false to turn it off"] = True,
    temperature: Annotated[_Degrees, "Degrees, or warmer, cooler"] = None,
) -> JsonObject:
    """Heat or cool the car, to a temperature; or turn its climate control off."""
    if not on:
        if temperature is not None:
            raise ToolError("A temperature is for turning it on.")
        return {"car": _do(ctx, car, "climate_off").name, "climate": "off"}
    after = _do(ctx, car, "climate_on", target=temperature)
    return {"car": after.name, "climate": "on", "temperature": f"{after.target:g} °C"}


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    undo=_touch,
    examples=(
        "start charging the car",
        "charge my car to 90 percent",
        "stop charging the car",
        "fill up the car's battery",
        "set the charge limit of the car to eighty",
        "charge the electric car overnight",
    ),
)
def charge_car(
    ctx: Context,
    car: Annotated[CarRef, _WHICH] = None,
    *,
    on: Annotated[bool, "false to stop"] = True,
    limit: Annotated[int | None, "Percent to charge to; as before if left out"] = None,
) -> JsonObject:
    """Start charging the battery of an electric car, or stop it."""
    if not on:
        if limit is not None:
            raise ToolError("A limit is for charging.")
        return {"car": _do(ctx, car, "stop_charging").name, "charging": False}
    after = _do(ctx, car, "charge", limit=limit)
    return {
        "car": after.name,
        "charging": True,
        "battery": f"{after.charge}%",
        "limit": f"{after.charge_limit}%",
    }


@tool(
    effect="control",
    service="vehicle",
    destinations=("car",),
    domain="vehicle",
    undo=_touch,
    examples=(
        "navigate to the office",
        "set the car's navigation to 12 Mill Lane",
        "take me home, start the sat nav",
        "send the address of the clinic to my car",
        "put the airport into the GPS",
        "guide me to the stadium",
        "drive to Anna's place",
    ),
)
def navigate_to(
    ctx: Context,
    destination: Annotated[str, "Address or place"],
    car: Annotated[CarRef, _WHICH] = None,
) -> JsonObject:
    """Set the destination in the car's navigation system."""
    where = plain_line(destination)
    if not where:
        raise ToolError("Say where to go.")
    after = _do(ctx, car, "navigate", destination=where)
    return {"car": after.name, "destination": where, "range": f"{after.range} km"}


TOOLS: tuple[ToolDef, ...] = (
    car_status,
    lock_car,
    unlock_car,
    open_trunk,
    set_car_climate,
    charge_car,
    navigate_to,
)
