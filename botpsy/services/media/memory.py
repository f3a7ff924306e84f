"""A library and a player in memory, for worlds and tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services import connection
from botpsy.services.device import DeviceService
from botpsy.services.media import PLAYER, Act, Item, Kind, Player, controlled


class MemoryMedia:
    """Items in playing order: tracks as on their album, episodes newest first."""

    def __init__(
        self,
        items: Iterable[Item] = (),
        player: Player | None = None,
        device: DeviceService | None = None,
    ) -> None:
        self._items = {item.id: item for item in items}
        self._player = player or Player()
        self._device = device
        assert all(key in self._items for key in self._player.queue)

    def find(self, kind: Kind, text: str) -> list[Item]:
        items = [item for item in self._items.values() if item.kind == kind]
        said, wanted = _words(text), _telling(text)
        if exact := [item for item in items if text == item.id or _words(item.title) == said]:
            return exact
        if not wanted:
            return items
        for named in (_titled, _by, _tagged, _described):
            if found := [item for item in items if named(item, wanted)]:
                return found
        return []

    def player(self) -> Player:
        return self._player

    def current(self) -> Item | None:
        player = self._player
        return self._items[player.queue[player.at]] if player.queue else None

    def play(self, items: list[Item]) -> Item:
        assert items
        if items[0].kind != "track":
            connection.need(self._device)
        self._player = Player(tuple(item.id for item in items), 0, playing=True)
        return items[0]

    def control(self, act: Act) -> Item | None:
        self._player = controlled(self._player, act)
        return self.current()

    def snapshot(self, key: str) -> str | None:
        return self._player.to_text() if key == PLAYER else None

    def restore(self, key: str, state: str | None) -> None:
        if key != PLAYER:
            return
        if state is None:
            raise ServiceError("The player cannot be removed.")
        self._player = Player.from_json(json.loads(state))

    def dump(self) -> dict[str, Any]:
        """The player, for comparison; the library never changes."""
        return {PLAYER: self._player.to_json()}


def _titled(item: Item, wanted: tuple[str, ...]) -> bool:
    return wanted in (_telling(item.title), _telling(item.show()))


def _by(item: Item, wanted: tuple[str, ...]) -> bool:
    return _telling(item.by) == wanted


def _tagged(item: Item, wanted: tuple[str, ...]) -> bool:
    return any(_telling(tag) == wanted for tag in item.tags)


def _described(item: Item, wanted: tuple[str, ...]) -> bool:
    return set(wanted) <= set(_telling(" ".join((item.title, item.by, *item.tags))))


_SMALL_WORDS = "the a an some any my by from music song songs album playlist radio podcast episode"
_SMALL = frozenset(_SMALL_WORDS.split())


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", text.casefold()))


@lru_cache(maxsize=4096)
def _telling(text: str) -> tuple[str, ...]:
    """The words that tell one item from another."""
    return tuple(word for word in _words(text) if word not in _SMALL)
