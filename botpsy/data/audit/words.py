"""Texts as words, words as numbers, runs of words as sets: what comparisons are made of.

Numbers are the same in every process and on every machine, so that workers can share them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_WORD = re.compile(r"[^\W_]+")
_SPLIT = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no bit is lost in a product


def words(text: str) -> list[str]:
    """Letters and digits in runs, without case; ``_`` and punctuation part them."""
    return _WORD.findall(text.casefold())


def hashes(found: Sequence[str]) -> Hashes:
    """A number of 64 bits for each word."""
    return np.fromiter(map(_hash, found), dtype=np.uint64, count=len(found))


def grams(numbers: Hashes, n: int) -> Hashes:
    """A number for each run of ``n`` words, in order; none if there are fewer words."""
    count = max(0, len(numbers) - n + 1)
    total = np.zeros(count, dtype=np.uint64)
    for offset in range(n):
        total = total * _SPLIT + numbers[offset : offset + count]
    return total


def shingles(texts: Iterable[str], n: int) -> Hashes:
    """The set of runs of ``n`` words in the texts, none across two; a shorter text is one run."""
    made = []
    for text in texts:
        numbers = hashes(words(text))
        if len(numbers):
            made.append(grams(numbers, min(n, len(numbers))))
    return np.unique(np.concatenate(made)) if made else np.zeros(0, dtype=np.uint64)


def jaccard(one: Hashes, other: Hashes) -> float:
    """Shared elements over all elements of two sets (sorted, each once)."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / max(1, len(one) + len(other) - shared)


@lru_cache(maxsize=1 << 18)
def _hash(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
