"""Which tools are like which: cosine of words in name, description and parameters, by rarity.

Source: Salton and Buckley, Term-weighting approaches in automatic text retrieval (1988).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from botpsy.chat.types import ToolSpec
from botpsy.chat.wire import properties_of

STANDS_IN = 0.45
"""From this likeness on a tool may do another's job, so it is no distractor."""
UNLIKE = 0.02

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_STOP = frozenset(
    ("a", "an", "and", "are", "as", "at", "by", "for", "from", "get", "given", "if", "in",
     "information", "into", "is", "it", "its", "of", "on", "or", "set", "such", "that", "the",
     "this", "to", "which", "with", "you", "your")
)  # fmt: skip


def terms(spec: ToolSpec) -> Counter[str]:
    """Words of a tool, in small letters, plural forms cut; those of its name count double."""
    name = _words(spec.name)
    return Counter(name + name + _words(spec.description) + _words(" ".join(properties_of(spec))))


def _words(text: str) -> list[str]:
    found = (word.lower() for word in _WORD.findall(text))
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") else word
        for word in found
        if word not in _STOP and len(word) > 1
    ]


@dataclass(frozen=True)
class Index:
    """A pool of tools, and where each word occurs in it."""

    pool: tuple[ToolSpec, ...]
    rarity: dict[str, float]
    postings: dict[str, list[tuple[int, float]]]

    def like(self, spec: ToolSpec) -> list[tuple[float, int]]:
        """Likeness in (0, 1] and place of the pool's tools that share a word, best first."""
        scores: dict[int, float] = {}
        for word, weight in _vector(terms(spec), self.rarity).items():
            for place, other in self.postings.get(word, ()):
                scores[place] = scores.get(place, 0.0) + weight * other
        return sorted(((score, place) for place, score in scores.items()), key=_best)


def _best(pair: tuple[float, int]) -> tuple[float, int]:
    return -round(pair[0], 9), pair[1]


def _vector(counts: Counter[str], rarity: dict[str, float]) -> dict[str, float]:
    usual = max(rarity.values(), default=1.0)
    raw = {word: (1 + math.log(n)) * rarity.get(word, usual) for word, n in counts.items()}
    length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
    return {word: weight / length for word, weight in raw.items()}


_indices: dict[int, tuple[Sequence[ToolSpec], Index]] = {}


def index_of(pool: Sequence[ToolSpec]) -> Index:
    """The pool's index, made once for each pool object."""
    known = _indices.get(id(pool))
    if known is None or known[0] is not pool:
        counted = [terms(spec) for spec in pool]
        spread = Counter(word for counts in counted for word in counts)
        rarity = {word: math.log(1 + len(pool) / n) for word, n in spread.items()}
        postings: dict[str, list[tuple[int, float]]] = {}
        for place, counts in enumerate(counted):
            for word, weight in _vector(counts, rarity).items():
                postings.setdefault(word, []).append((place, weight))
        known = _indices[id(pool)] = (pool, Index(tuple(pool), rarity, postings))
    return known[1]


def likeness(one: ToolSpec, other: ToolSpec) -> float:
    """In [0, 1], all words counting the same."""
    return _likeness(frozenset(terms(one).items()), frozenset(terms(other).items()))


@lru_cache(maxsize=4096)
def _likeness(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> float:
    a, b = _vector(Counter(dict(one)), {}), _vector(Counter(dict(other)), {})
    return sum(weight * b.get(word, 0.0) for word, weight in a.items())
