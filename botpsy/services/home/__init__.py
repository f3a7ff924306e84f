"""The things in a home that can be switched, set, locked, opened and started.

A ``Device`` has an id of the form ``kind.name`` (as Home Assistant writes it), a name people say,
further names (``aliases``), an area (room), a ``state`` word and a few ``attributes``. What can be
done to it depends on its kind alone, and is one ``Command``; ``changed`` says what a command makes
of a device, once, for every back end that simulates.

Lock semantics: ``lock`` locks and ``unlock`` unlocks; a lock is never turned "on" or "off".
Brightness, volume and position are percent, temperatures are in the home's own unit (°C here).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Protocol

from botpsy.errors import ServiceError
from botpsy.services.base import Service

Kind = Literal[
    "light",
    "switch",
    "plug",
    "fan",
    "lock",
    "cover",
    "thermostat",
    "vacuum",
    "appliance",
    "tv",
    "sensor",
]
Act = Literal["turn_on", "turn_off", "set", "lock", "unlock", "open", "close", "start", "stop"]

ACTS: Mapping[Kind, frozenset[Act]] = {
    "light": frozenset({"turn_on", "turn_off", "set"}),
    "switch": frozenset({"turn_on", "turn_off"}),
    "plug": frozenset({"turn_on", "turn_off"}),
    "fan": frozenset({"turn_on", "turn_off"}),
    "tv": frozenset({"turn_on", "turn_off"}),
    "appliance": frozenset({"turn_on", "turn_off", "start"}),
    "thermostat": frozenset({"turn_on", "turn_off", "set"}),
    "lock": frozenset({"lock", "unlock"}),
    "cover": frozenset({"open", "close", "set"}),
    "vacuum": frozenset({"start", "stop"}),
    "sensor": frozenset(),
}

COLOURS: Mapping[str, str] = {
    "red": "#ff0000",
    "orange": "#ff8000",
    "yellow": "#ffd500",
    "green": "#00ff00",
    "teal": "#00b09b",
    "turquoise": "#40e0d0",
    "cyan": "#00ffff",
    "blue": "#0000ff",
    "navy": "#000080",
    "purple": "#8000ff",
    "violet": "#9400d3",
    "lavender": "#b57edc",
    "magenta": "#ff00ff",
    "pink": "#ff69b4",
    "white": "#ffffff",
    "cool white": "#dfe9ff",
    "warm white": "#ffd9a0",
    "amber": "#ffbf00",
    "gold": "#ffd700",
}


@dataclass(frozen=True, slots=True)
class Device:
    """A device and its present state.

    ``attributes`` holds what applies: ``brightness`` and ``position`` (percent), ``colour`` (a name
    of ``COLOURS`` or ``#rrggbb``), ``target`` and ``temperature`` (degrees), ``unit``.
    """

    id: str
    name: str
    kind: Kind
    area: str = ""
    aliases: tuple[str, ...] = ()
    state: str = "off"
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return {**asdict(self), "aliases": list(self.aliases), "attributes": dict(self.attributes)}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Device:
        """The opposite of ``to_json``.

        Raises:
            ServiceError: a field is missing, unknown or of the wrong kind.
        """
        try:
            device = Device(**{**value, "aliases": tuple(value.get("aliases", ()))})
            wrong = device.kind not in ACTS or not all(
                isinstance(text, str)
                for text in (device.id, device.name, device.area, device.state, *device.aliases)
            )
        except (TypeError, AttributeError):
            wrong = True
        if wrong:
            raise ServiceError(f"This is not a device: {value!r:.200}.")
        return device


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do to one device. The values belong to ``set``, each optional."""

    act: Act
    brightness: int | None = None
    colour: str | None = None
    target: float | None = None
    position: int | None = None


class HomeService(Service, Protocol):
    """A home. Records are devices, by id; a snapshot is what can be set, as JSON."""

    def devices(self) -> Sequence[Device]:
        """Every device that may be used, in a stable order."""
        ...

    def apply(self, key: str, command: Command) -> Device:
        """Do it; the device as it then is.

        Raises:
            ServiceError: no such device, it does not answer, or it cannot do this.
        """
        ...


def rgb(colour: str) -> str:
    """``#rrggbb`` of a colour name or of ``#rrggbb``.

    Raises:
        ServiceError: not a colour known here.
    """
    text = " ".join(colour.lower().split())
    if text in COLOURS:
        return COLOURS[text]
    digits = text.removeprefix("#")
    if text.startswith("#") and len(digits) == 6 and all(c in "0123456789abcdef" for c in digits):
        return text
    raise ServiceError(
        f"{colour!r} is not a colour that lights know.",
        hint=f"Known colours: {', '.join(COLOURS)}.",
    )


def colour_name(code: str) -> str:
    """The name of ``#rrggbb`` where it has one, else the code."""
    return next((name for name, value in COLOURS.items() if value == code), code)


def check(device: Device, command: Command) -> None:
    """Whether the device can do this at all.

    Raises:
        ServiceError: it cannot, or a value is out of range.
    """
    if command.act not in ACTS[device.kind]:
        raise ServiceError(
            f"{device.name} is a {device.kind}; it cannot {command.act.replace('_', ' ')}.",
            hint=f"It can: {', '.join(sorted(ACTS[device.kind])).replace('_', ' ') or 'be read'}.",
        )
    if device.state == "unavailable":
        raise ServiceError(f"{device.name} does not answer.", hint="Is it plugged in?")
    for what, value in (("Brightness", command.brightness), ("Position", command.position)):
        if value is not None and not 0 <= value <= 100:
            raise ServiceError(f"{what} is a percentage from 0 to 100, not {value}.")
    if command.target is not None:
        low = float(device.attributes.get("min", 5))
        high = float(device.attributes.get("max", 30))
        if not low <= command.target <= high:
            raise ServiceError(
                f"{device.name} takes temperatures from {low:g} to {high:g}, "
                f"not {command.target:g}."
            )
    if command.colour is not None:
        rgb(command.colour)


_AFTER: Mapping[Act, str] = {
    "turn_on": "on",
    "turn_off": "off",
    "lock": "locked",
    "unlock": "unlocked",
    "open": "open",
    "close": "closed",
    "stop": "docked",
}


def changed(device: Device, command: Command) -> Device:
    """The device after the command, in a simulated home.

    Raises:
        ServiceError: as ``check``.
    """
    check(device, command)
    attributes = dict(device.attributes)
    state = _AFTER.get(command.act, device.state)
    if command.act == "start":
        state = "cleaning" if device.kind == "vacuum" else "running"
    elif command.act == "turn_on" and device.kind == "thermostat":
        state = "heat"
    elif command.act in ("open", "close"):
        attributes["position"] = 100 if command.act == "open" else 0
    elif command.act == "set":
        if command.brightness is not None:
            attributes["brightness"] = command.brightness
        if command.colour is not None:
            attributes["colour"] = colour_name(rgb(command.colour))
        if command.target is not None:
            attributes["target"] = command.target
        if command.position is not None:
            attributes["position"] = command.position
        if device.kind == "light":
            state = "off" if command.brightness == 0 else "on"
        elif device.kind == "cover":
            state = "open" if attributes.get("position") else "closed"
        elif device.kind == "thermostat" and state == "off":
            state = "heat"
    if device.kind == "light" and state == "on" and not attributes.get("brightness", 100):
        attributes["brightness"] = 100
    return replace(device, state=state, attributes=attributes)


def no_such_device(key: str) -> ServiceError:
    """The error for an id that nothing has."""
    return ServiceError(f"There is no device {key!r}.", hint="See `list_devices`.")


__all__ = [
    "ACTS",
    "COLOURS",
    "Act",
    "Command",
    "Device",
    "HomeService",
    "Kind",
    "changed",
    "check",
    "colour_name",
    "no_such_device",
    "rgb",
]
