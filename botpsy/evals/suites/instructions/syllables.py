"""How many syllables an English word has, by its spelling."""

from __future__ import annotations

import re

_GROUP = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Groups of vowels, but for a last ``e`` that is not heard; 0 for a word with a digit."""
    if any(map(str.isdigit, word)):
        return 0
    count = len(_GROUP.findall(word))
    if word.endswith("e") and not re.search(r"[^aeiouy]le$", word):
        count -= 1
    return max(count, 1)
