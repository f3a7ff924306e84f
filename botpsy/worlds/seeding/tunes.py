"""Made-up music, stations and podcasts, and a player that has something on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from botpsy.services.media import Item, Player

if TYPE_CHECKING:
    from botpsy.worlds.scene import Scene

TRACKS = (
    ("Slow Tide", "Marla Quist", "calm"), ("Glass Streets", "The Late Ferries", "rock"),
    ("Polaris", "Nadir Trio", "jazz"), ("Wild Thyme", "Ona Bell", "folk"),
    ("Neon Orchard", "Kilo Kilo", "electronic"), ("Blue Kiosk", "The Late Ferries", "rock"),
    ("Paper Lantern", "Yuna Farrow", "pop"), ("Seven Bridges", "Old Salt Choir", "folk"),
    ("Night Bakery", "Nadir Trio", "jazz"), ("Harbour Lights", "Dena Voss", "soul"),
    ("Cold Front", "Kilo Kilo", "electronic"), ("Small Hours", "Marla Quist", "calm"),
)  # fmt: skip
"""Title, artist and genre."""
STATIONS = (
    ("Radio Meridian", "news"), ("Classic Harbour", "classical"), ("Wave 7", "pop"),
    ("City Talk", "talk"), ("Night Line", "jazz"), ("Radio Pampas", "tango"),
)  # fmt: skip
PODCASTS = (
    ("Small Mysteries", ("The Ferry That Never Sailed", "A Clock Without Hands")),
    ("Kitchen Science", ("Salt", "Why Bread Rises")),
    ("Two on a Wall", ("Chalk and Fear", "The North Face")),
    ("Deep Archive", ("Letters from the Mill", "The Lost Ledger")),
)


def track(s: Scene, title: str, by: str, *tags: str) -> Item:
    """A song."""
    return s.add(Item(s.token("tk"), "track", title, by, tags))


def songs(s: Scene, n: int) -> list[Item]:
    """That many songs."""
    return [track(s, *s.pick(TRACKS)) for _ in range(n)]


def station(s: Scene, title: str, *tags: str) -> Item:
    """A radio station."""
    return s.add(Item(s.token("st"), "station", title, "", tags))


def podcast(s: Scene, show: str, titles: Sequence[str]) -> list[Item]:
    """A podcast's episodes, the newest first."""
    return [s.add(Item(s.token("ep"), "episode", title, show)) for title in titles]


def now_on(s: Scene, items: Sequence[Item], at: int = 0, *, playing: bool = True) -> None:
    """These are lined up, and one of them is on."""
    s.options["media"] = {"player": Player(tuple(item.id for item in items), at, playing)}
