"""Cars in memory, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import connection
from botpsy.services.device import DeviceService
from botpsy.services.vehicle import Car, Command, changed, settings


class MemoryVehicle:
    """Cars by id."""

    def __init__(self, cars: Iterable[Car] = (), device: DeviceService | None = None) -> None:
        self._cars = {car.id: car for car in cars}
        self._device = device

    def cars(self) -> Sequence[Car]:
        connection.need(self._device)
        return tuple(self._cars.values())

    def apply(self, key: str, command: Command) -> Car:
        connection.need(self._device)
        car = self._cars[key] = changed(self._get(key), command)
        return car

    def snapshot(self, key: str) -> str | None:
        car = self._cars.get(key)
        return json.dumps(settings(car), sort_keys=True, ensure_ascii=False) if car else None

    def restore(self, key: str, state: str | None) -> None:
        if state is not None:
            self._cars[key] = replace(self._get(key), **json.loads(state))
        elif key in self._cars:
            raise ServiceError(f"{key} is a real thing; it cannot be made to vanish.")

    def dump(self) -> dict[str, Any]:
        """Every car, for comparison."""
        return {key: self._cars[key].to_json() for key in sorted(self._cars)}

    def _get(self, key: str) -> Car:
        if key not in self._cars:
            raise ServiceError(f"There is no car {key}.")
        return self._cars[key]
