"""The user's cars: what state they are in, and what can be done to them from afar.

``memory.MemoryVehicle`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

What can be done is one ``Command``; ``changed`` says what it makes of a car, or why it cannot be
done, once, for every back end that simulates. Records are cars, by id; a snapshot is what can be
set from afar. An open trunk or door is closed by hand only. Temperatures are in °C, charge is in
percent, distances in km.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol

from botpsy.errors import ServiceError
from botpsy.services.base import Service

Act = Literal[
    "lock",
    "unlock",
    "open_trunk",
    "climate_on",
    "climate_off",
    "charge",
    "stop_charging",
    "navigate",
]

COOLEST, WARMEST = 16, 28
"""Degrees the climate control can be set to."""
ENOUGH = 20
"""Charge in percent, below which the climate control runs only while plugged in."""


@dataclass(frozen=True, slots=True)
class Car:
    """A car.

    Attributes:
        electric: whether it has a battery to charge; ``charge`` is the fuel level otherwise.
        range_full: how far it goes on a full battery or tank.
        open_doors: those not shut, in words: ``("rear left",)``.
        speed: km/h; more than 0 means that somebody is driving.
        reachable: whether it has a signal.
    """

    id: str
    name: str
    electric: bool = True
    charge: int = 80
    range_full: int = 400
    locked: bool = True
    trunk_open: bool = False
    open_doors: tuple[str, ...] = ()
    speed: int = 0
    plugged_in: bool = False
    charging: bool = False
    charge_limit: int = 80
    climate_on: bool = False
    target: float = 21.0
    inside: float = 12.0
    destination: str = ""
    where: str = ""
    reachable: bool = True

    @property
    def range(self) -> int:
        """How far it goes now."""
        return round(self.range_full * self.charge / 100)

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return {**asdict(self), "open_doors": list(self.open_doors)}


SETTABLE = (
    "locked",
    "climate_on",
    "target",
    "charging",
    "charge_limit",
    "destination",
)
"""What is set from afar, and so put back by undo."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do to one car; each value belongs to one act, and may be left out.

    ``target`` is for ``climate_on``, ``limit`` for ``charge``, ``destination`` for ``navigate``.
    """

    act: Act
    target: float | None = None
    limit: int | None = None
    destination: str = ""


class VehicleService(Service, Protocol):
    """The cars."""

    def cars(self) -> Sequence[Car]:
        """All, in a stable order, as last heard of.

        Raises:
            ServiceError: no connection.
        """
        ...

    def apply(self, key: str, command: Command) -> Car:
        """Do it; the car as it then is.

        Raises:
            ServiceError: no connection, no such car, it does not answer, or it cannot do this now.
        """
        ...


def changed(car: Car, command: Command) -> Car:
    """The car after the command.

    Raises:
        ServiceError: it cannot do this, now or at all.
    """
    if not car.reachable:
        raise ServiceError(f"{car.name} does not answer.", hint="It may have no signal there.")
    match command.act:
        case "lock":
            unshut = [f"{door} door" for door in car.open_doors] + ["trunk"] * car.trunk_open
            if unshut:
                raise ServiceError(
                    f"{car.name} cannot be locked: its {' and '.join(unshut)} is open.",
                    hint="It must be closed by hand.",
                )
            return replace(car, locked=True)
        case "unlock":
            _standing(car, "unlocked")
            return replace(car, locked=False)
        case "open_trunk":
            _standing(car, "opened")
            if car.locked:
                raise ServiceError(f"{car.name} is locked.", hint="Unlock it first.")
            return replace(car, trunk_open=True)
        case "climate_on":
            return _climate(car, command.target)
        case "climate_off":
            return replace(car, climate_on=False)
        case "charge":
            return _charge(car, command.limit)
        case "stop_charging":
            return replace(car, charging=False)
        case "navigate":
            return replace(car, destination=command.destination)


def _standing(car: Car, what: str) -> None:
    if car.speed > 0:
        raise ServiceError(f"{car.name} is being driven; it cannot be {what} now.")


def _climate(car: Car, target: float | None) -> Car:
    target = car.target if target is None else target
    if not COOLEST <= target <= WARMEST:
        raise ServiceError(
            f"{car.name} takes temperatures from {COOLEST} to {WARMEST}, not {target:g}."
        )
    if car.charge < ENOUGH and not car.plugged_in and car.speed == 0:
        store = "battery" if car.electric else "tank"
        raise ServiceError(
            f"The {store} of {car.name} is too low for heating or cooling: {car.charge}%.",
            hint=f"It takes {ENOUGH}%, or being plugged in.",
        )
    return replace(car, climate_on=True, target=target)


def _charge(car: Car, limit: int | None) -> Car:
    limit = car.charge_limit if limit is None else limit
    if not car.electric:
        raise ServiceError(f"{car.name} is not electric; it cannot be charged.")
    if not 50 <= limit <= 100:
        raise ServiceError(f"The charge limit can be from 50 to 100%, not {limit}.")
    if not car.plugged_in:
        raise ServiceError(f"{car.name} is not plugged in.", hint="It must be plugged in by hand.")
    if car.charge >= limit:
        raise ServiceError(
            f"{car.name} is charged to {car.charge}% already; the limit is {limit}%.",
            hint="Charging more takes a higher limit.",
        )
    return replace(car, charging=True, charge_limit=limit)


def settings(car: Car) -> Mapping[str, Any]:
    """What is set from afar."""
    return {name: getattr(car, name) for name in SETTABLE}


__all__ = [
    "COOLEST",
    "ENOUGH",
    "SETTABLE",
    "WARMEST",
    "Act",
    "Car",
    "Command",
    "VehicleService",
    "changed",
    "settings",
]
