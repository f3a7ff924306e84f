"""The settings store: in memory for worlds and tests, in a JSON file for a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from botpsy.errors import ServiceError
from botpsy.services import jsonfile
from botpsy.services.device import DEFAULTS, Value, allow, consequences


class MemoryDevice:
    """Settings in a dictionary; what is not given has its default."""

    def __init__(self, settings: Mapping[str, Value] | None = None) -> None:
        self._settings = dict(DEFAULTS)
        for name, value in (settings or {}).items():
            consequences(self._settings, name, value)  # refuses what is no setting
            self._settings[name] = value

    def settings(self) -> Mapping[str, Value]:
        return dict(self._settings)

    def change(self, name: str, value: Value) -> Mapping[str, Value]:
        after = consequences(self._settings, name, value)
        allow(self._settings, name, value)
        self._settings |= after
        return after

    def snapshot(self, key: str) -> str | None:
        return json.dumps(self._settings[key]) if key in self._settings else None

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            if key in self._settings:
                raise ServiceError(f"The setting {key} cannot be removed.")
            return
        value = json.loads(state)
        consequences(self._settings, key, value)
        self._settings[key] = value

    def dump(self) -> dict[str, Value]:
        """Every setting, for comparison."""
        return dict(sorted(self._settings.items()))


class LocalDevice:
    """The same settings in a JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def settings(self) -> Mapping[str, Value]:
        return self._load().settings()

    def change(self, name: str, value: Value) -> Mapping[str, Value]:
        with jsonfile.exclusive(self._path):
            device = self._load()
            after = device.change(name, value)
            jsonfile.write(self._path, device.dump())
        return after

    def snapshot(self, key: str) -> str | None:
        return self._load().snapshot(key)

    def restore(self, key: str, state: str | None) -> None:
        with jsonfile.exclusive(self._path):
            device = self._load()
            device.restore(key, state)
            jsonfile.write(self._path, device.dump())

    def _load(self) -> MemoryDevice:
        content = jsonfile.read(self._path) or {}
        try:
            return MemoryDevice(content)
        except ServiceError as error:
            raise ServiceError(f"{self._path}: {error.message}", hint=jsonfile.AFRESH) from error
