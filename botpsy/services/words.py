"""Which of some named things words mean: by id, by name, or by words of the name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Protocol, TypeVar


class Named(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


T = TypeVar("T", bound=Named)
_SMALL_WORDS = "the a an my our some any of for to from with and in on please"
_SMALL = frozenset(_SMALL_WORDS.split())


@lru_cache(maxsize=8192)
def telling(text: str) -> tuple[str, ...]:
    """The words that tell one thing from another, folded, plurals as singulars."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))
    return tuple(_singular(word) for word in words if word not in _SMALL)


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def meant(things: Iterable[T], text: str, name: Callable[[T], str]) -> list[T]:
    """Those with this id, else with just this name, else with all these words in their name."""
    things = list(things)
    for thing in things:
        if text.strip().casefold() == thing.id.casefold():
            return [thing]
    wanted = telling(text)
    if not wanted:
        return []
    exact = [thing for thing in things if telling(name(thing)) == wanted]
    return exact or [thing for thing in things if set(wanted) <= set(telling(name(thing)))]
