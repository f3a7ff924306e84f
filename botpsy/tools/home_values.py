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
_FURTHER = 25
_WARMER = 1.0


def _found(info: ValidationInfo, parameter: str) -> list[Device]:
    """The devices that an earlier parameter was resolved to; empty where that failed."""
    keys = info.data.get(parameter) or ()
    devices = {device.id: device for device in context_of(info).services.home.devices()}
    return [devices[key] for key in keys if key in devices]


def _brightness(value: Any, info: ValidationInfo) -> tuple[int, ...] | None:
    """Percent for each light, in order."""
    # Home Assistant tells a lamp's brightness only while it is on.
    now = [_present(light, "brightness", 50) for light in _found(info, "light")]
    return _percents(value, now, 1, _BRIGHTER, "brightness")


def _position(value: Any, info: ValidationInfo) -> tuple[int, ...] | None:
    """Percent for each cover, in order."""
    covers = _found(info, "cover")
    now = [_present(cover, "position", 0 if cover.state == "closed" else 100) for cover in covers]
    return _percents(value, now, 0, _FURTHER, "position")


def _percents(
    value: Any, now: list[float], low: int, step: float, what: str
) -> tuple[int, ...] | None:
    """Percent for each device that is at ``now``; one value for all, or one for each."""
    if value is None:
        return None
    if isinstance(value, list | tuple):
        wanted = [float(part) for part in value]
    else:
        wanted = [level(value, present, low, 100, step) for present in now]
    if any(not 0 <= amount <= 100 for amount in wanted):
        raise ToolError(f"The {what} is a percentage from 0 to 100, not {value}.")
    if len(wanted) != len(now):
        raise ToolError(f"Give one {what}, or one for each device.")
    return tuple(round(amount) for amount in wanted)


def _present(device: Device, attribute: str, unknown: float) -> float:
    present = device.attributes.get(attribute)
    return unknown if present is None else float(present)


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
_SHOWN = PlainSerializer(_show_each, return_type=Any)
Brightness: TypeAlias = Annotated[
    tuple[int, ...] | None, BeforeValidator(_brightness), _SHOWN, _WORDS
]
Degrees: TypeAlias = Annotated[float, BeforeValidator(_degrees), _WORDS]
Position: TypeAlias = Annotated[tuple[int, ...] | None, BeforeValidator(_position), _SHOWN, _WORDS]
Colour: TypeAlias = Annotated[str | None, BeforeValidator(_colour), _WORDS]
