"""What people say of lights, heating and blinds, as numbers: "half", "warmer", "dark red"."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.chat.types import Json
from botpsy.errors import ToolError
from botpsy.services.home import Device, rgb
from botpsy.tools.levels import level
from botpsy.tools.values import context_of

_BRIGHTER = 20
_WARMER = 1.0


def _found(info: ValidationInfo, parameter: str) -> list[Device]:
    """The devices that an earlier parameter was resolved to; empty where that failed."""
    keys = info.data.get(parameter) or ()
    devices = {device.id: device for device in context_of(info).services.home.devices()}
    return [devices[key] for key in keys if key in devices]


def _brightness(value: Any, info: ValidationInfo) -> tuple[int, ...] | None:
    """Percent for each light, in order."""
    if value is None:
        return None
    lights = _found(info, "light")
    if isinstance(value, list | tuple):
        wanted = [float(part) for part in value]
    else:
        wanted = [
            level(value, _present(light, "brightness"), 1, 100, _BRIGHTER) for light in lights
        ]
    if any(not 0 <= amount <= 100 for amount in wanted):
        raise ToolError(f"Brightness is a percentage from 0 to 100, not {value}.")
    if len(wanted) != len(lights):
        raise ToolError("Give one brightness, or one for each light.")
    return tuple(round(amount) for amount in wanted)


def _present(light: Device, attribute: str) -> float:
    present = light.attributes.get(attribute)
    if present is None:  # Home Assistant tells a lamp's brightness only while it is on.
        present = 50
    return float(present)


def _degrees(value: Any, info: ValidationInfo) -> float:
    found = _found(info, "thermostat")
    now = float(found[0].attributes.get("target") or 20) if found else 20.0
    low, high = (
        (float(found[0].attributes.get("min", 5)), float(found[0].attributes.get("max", 30)))
        if found
        else (5.0, 30.0)
    )
    degrees = level(value, now, low, high, _WARMER)
    if not low <= degrees <= high:
        raise ToolError(f"The temperature can be from {low:g} to {high:g}, not {degrees:g}.")
    return degrees


def _position(value: Any) -> int | None:
    if value is None:
        return None
    percent = level(value, 50, 0, 100, 25)
    if not 0 <= percent <= 100:
        raise ToolError(f"How far is a percentage from 0 to 100, not {value}.")
    return round(percent)


def _colour(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ToolError(f"A colour must be given in words, not {value!r}.")
    text = " ".join(value.lower().split())
    rgb(text)
    return text


def _show_each(values: tuple[int, ...] | None) -> Json:
    """One number where all are the same."""
    if values is None:
        return None
    return values[0] if len(set(values)) == 1 else list(values)


_WORDS = WithJsonSchema({"type": "string"})
Brightness: TypeAlias = Annotated[
    tuple[int, ...] | None,
    BeforeValidator(_brightness),
    PlainSerializer(_show_each, return_type=Any),
    _WORDS,
]
Degrees: TypeAlias = Annotated[float, BeforeValidator(_degrees), _WORDS]
Position: TypeAlias = Annotated[int | None, BeforeValidator(_position), _WORDS]
Colour: TypeAlias = Annotated[str | None, BeforeValidator(_colour), _WORDS]
