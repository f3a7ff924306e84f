"""Two memories of BFCL: keys and values in a small and a large store, and one running text.

They last from one conversation to the next. Each can be copied, so that questions do not see what
was done for other questions.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from math import log
from typing import Any, Protocol

from botpsy.evals.suites.bfcl_multi_turn.world import written

Answer = dict[str, Any]

_KEY = re.compile(r"[a-z]+(_[a-z0-9]+)*\n?")
_NO_KEY = {"error": "Key not found."}
_MOST_TEXT = 10_000
_MOST_AFTER_REPLACING = 1_000_000
"""Characters. The official memory has no bound there, and can be made to fill the machine."""


class Memory(Protocol):
    """What a model remembers with."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Carry out a tool; gives its result as text."""
        ...

    def shown(self) -> str:
        """What stands in the system message."""
        ...

    def copy(self) -> Memory:
        """The same, apart."""
        ...


class KeyValueMemory:
    """A core store that is always shown, and an archival one that has to be looked up."""

    def __init__(self) -> None:
        self._stores = {
            "core": Store(7, 300, "Core", "Key-value pair", "Short"),
            "archival": Store(50, 2000, "Long term", "Key", "Long"),
        }

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """``core_memory_add`` and so on."""
        store, _, tool = name.partition("_memory_")
        return _carried_out(self._stores[store], tool, arguments)

    def shown(self) -> str:
        """The core memory."""
        core = self._stores["core"].values
        if not core:
            return "There is no content in the core memory at this point."
        return json.dumps(core, indent=4)

    def copy(self) -> KeyValueMemory:
        """The same, apart."""
        return deepcopy(self)


class Store:
    """Texts by key, so many and so long; its public methods are the tools."""

    def __init__(self, size: int, length: int, name: str, item: str, term: str) -> None:
        self._size, self._length = size, length
        self._name, self._item, self._term = name, item, term
        self.values: dict[str, str] = {}

    def add(self, key: str, value: str) -> Answer:
        if len(self.values) >= self._size:
            return {"error": f"{self._name} memory is full. Please clear some entries."}
        if len(value) > self._length:
            return self._too_long()
        if not _KEY.fullmatch(key):
            return {"error": "Key must be in snake_case format and cannot contain spaces."}
        if key in self.values:
            return {"error": "Key name must be unique."}
        self.values[key] = value
        return {"status": f"{self._item} added."}

    def replace(self, key: str, value: str) -> Answer:
        if key not in self.values:
            return _NO_KEY
        if len(value) > self._length:
            return self._too_long()
        self.values[key] = value
        return {"status": "Key replaced."}

    def remove(self, key: str) -> Answer:
        if key not in self.values:
            return _NO_KEY
        del self.values[key]
        return {"status": "Key removed."}

    def clear(self) -> Answer:
        self.values.clear()
        return {"status": f"{self._term} term memory cleared."}

    def retrieve(self, key: str) -> Answer:
        return {"value": self.values[key]} if key in self.values else _NO_KEY

    def retrieve_all(self) -> Answer:
        return self.values

    def list_keys(self) -> Answer:
        return {"keys": list(self.values)}

    def key_search(self, query: str, k: int = 5) -> Answer:
        return {"ranked_results": ranked(query, list(self.values))[:k]}

    def _too_long(self) -> Answer:
        most = f"less than {self._length} characters"
        return {"error": f"Entry is too long. Please shorten the entry to {most}."}


class TextMemory:
    """One text, which the model writes anew or mends; its public methods are the tools, but for
    ``call``, ``shown`` and ``copy``."""

    def __init__(self) -> None:
        self._text = ""

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """``memory_append`` and so on."""
        return _carried_out(self, name.removeprefix("memory_"), arguments)

    def shown(self) -> str:
        """The text."""
        return self._text or "There is no content in the memory at this point."

    def copy(self) -> TextMemory:
        """The same, apart."""
        return deepcopy(self)

    def append(self, text: str) -> Answer:
        if len(self._text) + len(text) > _MOST_TEXT:
            return _too_much("appending")
        self._text += text
        return {"status": "Memory appended."}

    def update(self, text: str) -> Answer:
        if len(text) > _MOST_TEXT:
            return _too_much("updating")
        self._text = text
        return {"status": "Memory updated."}

    def replace(self, old_text: str, new_text: str) -> Answer:
        if old_text not in self._text:
            return {"error": f"Text '{old_text}' not found in memory."}
        grown = self._text.count(old_text) * (len(new_text) - len(old_text))
        if len(new_text) > _MOST_TEXT or len(self._text) + grown > _MOST_AFTER_REPLACING:
            return _too_much("replacing")
        self._text = self._text.replace(old_text, new_text)
        return {"status": "Memory updated."}

    def retrieve(self) -> Answer:
        return {"memory_content": self._text} if self._text else {"error": "Memory is empty."}

    def clear(self) -> Answer:
        self._text = ""
        return {"status": "Short term memory cleared."}


def ranked(query: str, keys: list[str]) -> list[tuple[float, str]]:
    """Keys by how well they match, best first (BM25+, Lv and Zhai 2011; k1 1.5, b 0.75, delta 1).

    Words stand between underscores or white space.

    Raises:
        ZeroDivisionError: there are no keys, as in the official memory.
    """
    documents = [key.split("_") for key in keys]
    usual = sum(map(len, documents)) / len(documents)
    holding = Counter(word for words in documents for word in set(words))
    scores = []
    for words in documents:
        counts, room = Counter(words), 1.5 * (0.25 + 0.75 * len(words) / usual)
        score = 0.0
        for word in query.lower().replace("_", " ").split():
            if word in holding:
                rarity = log((len(documents) + 1) / holding[word])
                score += rarity * (1 + counts[word] * 2.5 / (room + counts[word]))
        scores.append(score)
    return sorted(zip(scores, keys, strict=True), key=lambda pair: pair[0], reverse=True)


def _carried_out(memory: Any, tool: str, arguments: Mapping[str, Any]) -> str:
    try:
        return written(getattr(memory, tool)(**arguments))
    except Exception as error:  # whatever a tool's own body trips over
        return f"Error during execution: {error}"


def _too_much(doing: str) -> Answer:
    most = f"less than {_MOST_TEXT} characters"
    return {"error": f"Entry will be too long after {doing}. Please shorten the entry to {most}."}
