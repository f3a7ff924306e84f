"""What can be listened to, and the one player that plays it.

``memory.MemoryMedia`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

The one record is the player, under the key ``player``. Titles were written by others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from botpsy.errors import ServiceError
from botpsy.services.base import Service

Kind = Literal["track", "station", "episode"]
Act = Literal["pause", "resume", "next", "previous", "stop"]

PLAYER = "player"


@dataclass(frozen=True, slots=True)
class Item:
    """A track, a radio station or an episode of a podcast.

    Attributes:
        by: the artist, or the podcast of an episode.
        tags: genre, album, playlists, in plain words; of an episode the day it came out.
    """

    id: str
    kind: Kind
    title: str
    by: str = ""
    tags: tuple[str, ...] = ()

    def show(self) -> str:
        """``Title by Artist``."""
        if self.kind == "episode":
            return f"{self.title} ({self.by})"
        return f"{self.title} by {self.by}" if self.by else self.title


@dataclass(frozen=True, slots=True)
class Player:
    """What is lined up (ids of items, in order), which of it is on, and whether it plays."""

    queue: tuple[str, ...] = ()
    at: int = 0
    playing: bool = False

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return {"queue": list(self.queue), "at": self.at, "playing": self.playing}

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Player:
        """The opposite of ``to_json``."""
        return Player(tuple(value["queue"]), value["at"], value["playing"])

    def to_text(self) -> str:
        """As a snapshot."""
        return json.dumps(self.to_json(), sort_keys=True)


class MediaService(Service, Protocol):
    """A library and its player."""

    def find(self, kind: Kind, text: str) -> list[Item]:
        """Items of a kind that the text may mean, best kind of match only, in playing order.

        Matches, best first: the id or title; the artist or podcast; a tag; words of all these.
        Episodes come newest first. A text that tells nothing ("some music") means all.
        """
        ...

    def player(self) -> Player:
        """As it is now."""
        ...

    def current(self) -> Item | None:
        """What is on, playing or paused."""
        ...

    def play(self, items: list[Item]) -> Item:
        """Play these from the first, instead of what was on.

        Raises:
            ServiceError: radio and podcasts need a connection, and there is none.
        """
        ...

    def control(self, act: Act) -> Item | None:
        """Do it; what is on then.

        Raises:
            ServiceError: nothing is on, or there is nothing before or after it.
        """
        ...


def controlled(player: Player, act: Act) -> Player:
    """The player after the act.

    Raises:
        ServiceError: nothing is on, or there is nothing before or after it.
    """
    if not player.queue:
        raise ServiceError("Nothing is on.", hint="Play something first.")
    if act == "stop":
        return Player()
    if act in ("pause", "resume"):
        return replace(player, playing=act == "resume")
    at = player.at + (1 if act == "next" else -1)
    if not 0 <= at < len(player.queue):
        raise ServiceError(f"There is nothing {'after' if act == 'next' else 'before'} this.")
    return replace(player, at=at, playing=True)


__all__ = ["PLAYER", "Act", "Item", "Kind", "MediaService", "Player", "controlled"]
