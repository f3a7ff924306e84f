"""Weather forecasts, one for each place and day.

``memory.MemoryWeather`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and ``get_weather`` is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from botpsy.services.base import Service

Sky = Literal[
    "sunny",
    "partly cloudy",
    "cloudy",
    "fog",
    "drizzle",
    "rain",
    "thunderstorm",
    "sleet",
    "snow",
]


@dataclass(frozen=True, slots=True)
class Forecast:
    """A day's weather in a place.

    Attributes:
        low, high: temperatures in °C.
        rain: chance of rain or snow, percent.
        wind: mean speed in km/h.
    """

    place: str
    day: date
    sky: Sky
    low: int
    high: int
    rain: int = 0
    wind: int = 10


class WeatherService(Service, Protocol):
    """It holds no records: ``snapshot`` is always None."""

    def forecasts(self, place: str | None, first: date, last: date) -> list[Forecast]:
        """Day by day, both ends included, as far as there are forecasts; None is where one is.

        Raises:
            ServiceError: no such place, no forecast for any of the days, or no connection.
        """
        ...


__all__ = ["Forecast", "Sky", "WeatherService"]
