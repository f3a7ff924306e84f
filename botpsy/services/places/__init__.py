"""Places on a map: what is near, and how to get there.

``memory.MemoryPlaces`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

Names and reviews were written by others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from botpsy.services.base import Service
from botpsy.services.hours import Hours

By = Literal["car", "walking", "bicycle", "transit"]

SPEED: Mapping[By, float] = {"car": 40, "walking": 5, "bicycle": 15, "transit": 22}
"""Mean speeds in towns, km/h."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere: a shop, a sight, a station, also a district or a town.

    Attributes:
        kinds: what it is, in plain words: ``("cafe", "bakery")``.
        east, north: where it is on a flat map, km.
        rating: mean of its reviews, 1 to 5; 0 for none.
    """

    id: str
    name: str
    kinds: tuple[str, ...]
    address: str = ""
    east: float = 0.0
    north: float = 0.0
    hours: Hours = Hours()
    rating: float = 0.0
    reviews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A way between two places; ``km`` along it, ``minutes`` at usual traffic."""

    origin: str
    destination: str
    by: By
    km: float
    minutes: int


class PlacesService(Service, Protocol):
    """It holds no records: ``snapshot`` is always None. None as a place is where the user is."""

    def find(self, what: str, near: str | None) -> list[tuple[Place, float]]:
        """Places whose name or kinds have these words, the nearest first, with the distance in km.

        Raises:
            ServiceError: ``near`` is not known or could be several places, or no connection.
        """
        ...

    def route(self, origin: str | None, destination: str, by: By) -> Route:
        """The usual way.

        Raises:
            ServiceError: a place is not known or could be several, this way of travelling is not
                to be had, or no connection.
        """
        ...


__all__ = ["SPEED", "By", "Place", "PlacesService", "Route"]
