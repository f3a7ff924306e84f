"""Whether there is a way to the internet, for simulated services that need one.

A simulated service is given the simulated device it would run on; without one it is always online.
"""

from __future__ import annotations

from botpsy.errors import ServiceError
from botpsy.services.device import DeviceService


def need(device: DeviceService | None) -> None:
    """Go on only where the device is online.

    Raises:
        ServiceError: its Wi-Fi is off.
    """
    if device is None:
        return
    settings = device.settings()
    if not settings["wifi"]:
        why = "airplane mode is on" if settings["airplane_mode"] else "Wi-Fi is off"
        raise ServiceError(f"There is no internet connection: {why}.", hint="Turn Wi-Fi on first.")


__all__ = ["need"]
