"""Weather in memory, for worlds and tests."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from botpsy.clock import show_day
from botpsy.errors import ServiceError
from botpsy.services import connection
from botpsy.services.device import DeviceService
from botpsy.services.text import one_line
from botpsy.services.weather import Forecast


class MemoryWeather:
    """Forecasts by place; ``here`` names the place that is meant when none is named."""

    def __init__(
        self,
        forecasts: Iterable[Forecast] = (),
        here: str = "",
        device: DeviceService | None = None,
    ) -> None:
        self._places: dict[str, list[Forecast]] = {}
        for forecast in sorted(forecasts, key=lambda each: each.day):
            self._places.setdefault(_key(forecast.place), []).append(forecast)
        self._here = here
        self._device = device

    def forecasts(self, place: str | None, first: date, last: date) -> list[Forecast]:
        connection.need(self._device)
        known = self._places.get(_key(place or self._here))
        if known is None and place:
            known = self._places.get(_key(place.partition(",")[0]))
        if not known:
            names = ", ".join(days[0].place for days in self._places.values())
            raise ServiceError(
                f"There is no forecast for {place or 'here'}.", hint=f"There is for: {names}."
            )
        found = [each for each in known if first <= each.day <= last]
        if not found:
            raise ServiceError(
                f"The forecast for {known[0].place} reaches from {show_day(known[0].day)} "
                f"to {show_day(known[-1].day)}; it does not have {show_day(first)}."
            )
        return found

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""

    def dump(self) -> dict[str, Any]:
        """Nothing here changes."""
        return {}


def _key(place: str) -> str:
    return one_line(place).casefold()
