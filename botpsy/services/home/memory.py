"""A simulated home: in memory for worlds and tests, in a JSON file for a newcomer to play with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import jsonfile
from botpsy.services.home import Command, Device, changed, no_such_device


class MemoryHome:
    """Devices in a dictionary. Same devices and commands, same state."""

    def __init__(self, devices: Iterable[Device] = ()) -> None:
        self._devices = {device.id: device for device in devices}

    def devices(self) -> Sequence[Device]:
        return tuple(self._devices.values())

    def apply(self, key: str, command: Command) -> Device:
        device = self._devices[key] = changed(self._get(key), command)
        return device

    def snapshot(self, key: str) -> str | None:
        device = self._devices.get(key)
        if device is None:
            return None
        state = {"state": device.state, "attributes": dict(device.attributes)}
        return json.dumps(state, sort_keys=True, ensure_ascii=False)

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            if key in self._devices:
                raise ServiceError(f"{key} is a real thing; it cannot be made to vanish.")
            return
        before = json.loads(state)
        self._devices[key] = replace(
            self._get(key), state=before["state"], attributes=before["attributes"]
        )

    def dump(self) -> dict[str, Any]:
        """Every device's state as JSON, for comparison."""
        return {key: self._devices[key].to_json() for key in sorted(self._devices)}

    def _get(self, key: str) -> Device:
        if key not in self._devices:
            raise no_such_device(key)
        return self._devices[key]


class LocalHome:
    """A simulated home kept in a JSON file ``{"devices": [...]}``; a new file is a small flat."""

    def __init__(self, path: Path, seed: Iterable[Device] | None = None) -> None:
        self._path = path
        self._seed = tuple(small_flat() if seed is None else seed)

    def devices(self) -> Sequence[Device]:
        return self._load().devices()

    def apply(self, key: str, command: Command) -> Device:
        with jsonfile.exclusive(self._path):
            home = self._load()
            device = home.apply(key, command)
            self._save(home)
        return device

    def snapshot(self, key: str) -> str | None:
        return self._load().snapshot(key)

    def restore(self, key: str, state: str | None) -> None:
        with jsonfile.exclusive(self._path):
            home = self._load()
            home.restore(key, state)
            self._save(home)

    def _load(self) -> MemoryHome:
        content = jsonfile.read(self._path)
        if content is None:
            return MemoryHome(self._seed)
        listed = content.get("devices")
        if not isinstance(listed, list):
            raise ServiceError(f"{self._path} has no list of devices.", hint=jsonfile.AFRESH)
        return MemoryHome(Device.from_json(entry) for entry in listed)

    def _save(self, home: MemoryHome) -> None:
        jsonfile.write(self._path, {"devices": [device.to_json() for device in home.devices()]})


def small_flat() -> tuple[Device, ...]:
    """A flat with one of everything, for a first try and for tests."""

    def light(key: str, name: str, area: str, *aliases: str, on: bool = False) -> Device:
        return Device(
            f"light.{key}",
            name,
            "light",
            area,
            aliases,
            state="on" if on else "off",
            attributes={"brightness": 80, "colour": "warm white"},
        )

    return (
        light("kitchen_ceiling", "Kitchen ceiling light", "kitchen", on=True),
        light("kitchen_counter", "Kitchen counter light", "kitchen", "worktop light"),
        light("living_room", "Living room light", "living room", "big light", on=True),
        light("reading_lamp", "Reading lamp", "living room", "sofa lamp"),
        light("bedroom", "Bedroom light", "bedroom"),
        light("bedside", "Bedside lamp", "bedroom", "night light", "nightstand lamp"),
        light("hall", "Hall light", "hall", "corridor light", "hallway light"),
        light("desk", "Desk lamp", "study", "office lamp"),
        light("bathroom", "Bathroom light", "bathroom"),
        Device("switch.boiler", "Boiler", "switch", "bathroom", ("hot water", "water heater")),
        Device("plug.balcony", "Balcony plug", "plug", "balcony", ("balcony socket",)),
        Device("plug.study", "Study plug", "plug", "study", ("smart plug", "smart socket")),
        Device("fan.bedroom", "Bedroom fan", "fan", "bedroom", ("ceiling fan",)),
        Device("lock.front_door", "Front door", "lock", "hall", ("main door",), state="locked"),
        Device("lock.balcony_door", "Balcony door", "lock", "balcony", state="locked"),
        Device(
            "cover.living_room",
            "Living room blinds",
            "cover",
            "living room",
            ("blinds", "shutters"),
            state="open",
            attributes={"position": 100},
        ),
        Device(
            "cover.bedroom",
            "Bedroom curtains",
            "cover",
            "bedroom",
            ("curtains",),
            state="closed",
            attributes={"position": 0},
        ),
        Device(
            "thermostat.flat",
            "Thermostat",
            "thermostat",
            "hall",
            ("heating", "heater", "temperature"),
            state="heat",
            attributes={"target": 20.0, "temperature": 19.5, "min": 5, "max": 30},
        ),
        Device(
            "vacuum.robot",
            "Robot vacuum",
            "vacuum",
            "hall",
            ("vacuum cleaner", "hoover", "roomba", "cleaning robot"),
            state="docked",
        ),
        Device(
            "appliance.coffee_machine",
            "Coffee machine",
            "appliance",
            "kitchen",
            ("coffee maker", "coffee pot", "coffee", "espresso machine"),
        ),
        Device("appliance.dishwasher", "Dishwasher", "appliance", "kitchen"),
        Device("tv.living_room", "TV", "tv", "living room", ("television", "telly")),
        Device(
            "sensor.outside",
            "Outside temperature",
            "sensor",
            "balcony",
            ("outdoor temperature",),
            state="11.5",
            attributes={"unit": "°C"},
        ),
    )
