"""Settings of the computer or phone botpsy runs on.

Without a connector to the operating system (none exists yet) the back ends keep botpsy's own store
of these settings: they are remembered and read back, and change nothing else on the machine.

``volume`` and ``brightness`` are percent; the rest are switches. Setting ``volume`` unmutes, and
``airplane_mode`` on turns ``wifi`` and ``bluetooth`` off; in ``low_power`` mode ``location``, which
eats the battery that the mode is to save, cannot be turned on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias

from botpsy.errors import ServiceError
from botpsy.services.base import Service

Switch = Literal[
    "wifi", "bluetooth", "airplane_mode", "do_not_disturb", "low_power", "dark_mode", "location"
]
Level = Literal["volume", "brightness"]
Setting = Literal[
    "volume",
    "muted",
    "brightness",
    "wifi",
    "bluetooth",
    "airplane_mode",
    "do_not_disturb",
    "low_power",
    "dark_mode",
    "location",
]
Value: TypeAlias = bool | int

DEFAULTS: Mapping[str, Value] = {
    "volume": 50,
    "muted": False,
    "brightness": 70,
    "wifi": True,
    "bluetooth": False,
    "airplane_mode": False,
    "do_not_disturb": False,
    "low_power": False,
    "dark_mode": False,
    "location": True,
}


class DeviceService(Service, Protocol):
    """Settings by name. Records are settings; a snapshot is the value as JSON."""

    def settings(self) -> Mapping[str, Value]:
        """Every setting and its value."""
        ...

    def change(self, name: str, value: Value) -> Mapping[str, Value]:
        """Set one; all the settings that this changed, with their new values.

        Raises:
            ServiceError: no such setting, not a value it takes, or another setting is in the way.
        """
        ...


def consequences(settings: Mapping[str, Value], name: str, value: Value) -> dict[str, Value]:
    """What setting ``name`` changes, itself included; settings that stay as they are are left out.

    Raises:
        ServiceError: no such setting, or not a value it takes.
    """
    if name not in DEFAULTS:
        raise ServiceError(
            f"There is no setting {name!r}.", hint=f"Settings: {', '.join(DEFAULTS)}."
        )
    switch = isinstance(DEFAULTS[name], bool)
    if type(value) is not type(DEFAULTS[name]) or not (switch or 0 <= value <= 100):
        takes = "on or off" if switch else "a percentage from 0 to 100"
        raise ServiceError(f"{name} takes {takes}, not {value!r}.")
    after = {name: value}
    if name == "volume":
        after["muted"] = False
    if name == "airplane_mode" and value:
        after |= {"wifi": False, "bluetooth": False}
    return {key: new for key, new in after.items() if settings.get(key) != new}


def allow(settings: Mapping[str, Value], name: str, value: Value) -> None:
    """Hold a change against the other settings.

    Raises:
        ServiceError: one of them is in the way.
    """
    if name == "location" and value and settings["low_power"]:
        raise ServiceError("Low power mode keeps the location off; turn low_power off first.")


__all__ = [
    "DEFAULTS",
    "DeviceService",
    "Level",
    "Setting",
    "Switch",
    "Value",
    "allow",
    "consequences",
]
