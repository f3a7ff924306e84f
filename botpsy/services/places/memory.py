"""Places in memory, for worlds and tests."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import connection
from botpsy.services.device import DeviceService
from botpsy.services.places import SPEED, By, Place, Route

_DETOUR = 1.3
"""How much longer roads are than the straight line."""
_WAIT = 5
"""Minutes of waiting and changing in public transport."""
_SMALL_WORDS = "a an the any some my in at to of near nearest closest"
_SMALL = frozenset(_SMALL_WORDS.split())


class MemoryPlaces:
    """Places by id.

    ``here`` is the id of the place where the user is. ``closed`` says why a way of travelling is
    not to be had, for example ``{"transit": "there is a strike"}``.
    """

    def __init__(
        self,
        places: Iterable[Place] = (),
        here: str = "",
        closed: Mapping[By, str] | None = None,
        device: DeviceService | None = None,
    ) -> None:
        self._places = {place.id: place for place in places}
        assert not here or here in self._places
        self._here = here
        self._closed = dict(closed or {})
        self._device = device
        self._words = {
            place.id: frozenset(_words(" ".join((place.name, *place.kinds))))
            for place in self._places.values()
        }

    def find(self, what: str, near: str | None) -> list[tuple[Place, float]]:
        connection.need(self._device)
        centre = self._locate(near)
        wanted = set(_words(what))
        if not wanted:
            raise ServiceError("Say what kind of place to look for.")
        found = [
            (place, round(_distance(centre, place), 1))
            for key, place in self._places.items()
            if wanted <= self._words[key] and place is not centre
        ]
        return sorted(found, key=lambda each: (each[1], each[0].id))

    def route(self, origin: str | None, destination: str, by: By) -> Route:
        connection.need(self._device)
        start, end = self._locate(origin), self._locate(destination)
        if by in self._closed:
            raise ServiceError(f"There is no way by {by}: {self._closed[by]}.")
        km = _distance(start, end) * _DETOUR
        minutes = km / SPEED[by] * 60 + (_WAIT if by == "transit" else 0)
        return Route(start.name, end.name, by, round(km, 1), max(1, round(minutes)))

    def _locate(self, text: str | None) -> Place:
        """The one place that an id, a name, or words of name and address mean."""
        if text is None:
            if not self._here:
                raise ServiceError("It is not known where you are.", hint="Name a place.")
            return self._places[self._here]
        if text in self._places:
            return self._places[text]
        wanted = _words(text)
        everywhere = self._places.values()
        found = [place for place in everywhere if wanted and _words(place.name) == wanted]
        if not found and wanted:
            found = [
                place
                for place in everywhere
                if set(wanted) <= self._words[place.id] | set(_words(place.address))
            ]
        if len(found) == 1:
            return found[0]
        if found:
            listed = "; ".join(f"{p.name}, {p.address} ({p.id})" for p in found[:6])
            raise ServiceError(f"{text!r} could be any of: {listed}.", hint="Use the id.")
        raise ServiceError(f"There is no place {text!r} on the map.")

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""

    def dump(self) -> dict[str, Any]:
        """Nothing here changes."""
        return {}


def _distance(a: Place, b: Place) -> float:
    return math.hypot(a.east - b.east, a.north - b.north)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """Folded words in the singular, small words left out."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s?\b", "", text.casefold()))
    return tuple(_singular(word) for word in words if word not in _SMALL)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
