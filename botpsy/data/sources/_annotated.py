"""Spoken requests with slots marked in them: ``wake me [date : tomorrow] at [time : six am]``.

An ``Item`` is the request as it was said, and where each value stands in it. What a plan cannot
honour raises ``UnusableError`` with a short reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from botpsy.data.types import UnusableError

TIME = ("date", "time", "timeofday")

_SLOT = re.compile(r"\[\s*(\w+)\s*:\s*([^\]]*?)\s*\]")
_CALLED = re.compile(r"(?:\b(?:hey|hi|ok|okay)\s+)?\bolly\b[,.]?|^s\d\s*,", re.IGNORECASE)
_JOINS = re.compile(
    r"(?:\s|\b(?:at|on|in|for|the|this|of|from|next|coming|around|hours|hour|evening)\b)*"
)
_NOT_BARE = re.compile(r"\b(before|after|until|till|by|from|between|since|every|each|all|past)$")
_LEFT = re.compile(r"\b(next|this|coming)$")
_LENGTH = re.compile(r"\b(second|minute|hour|day|week|month)s?\b")
_RIGHT = re.compile(
    r"\s*(o'?\s?clock|hours|(?:in the |this )?(?:morning|afternoon|evening)|from now|am|pm)\b"
)
_SEVERAL = re.compile(r"\b(every|each|all|daily|weekly|weekdays?|weekends?|\w+days)\b")
_DAYS_AHEAD = re.compile(r"\b(two|three|four|five|six|seven|ten|\d+|few) days\b")


@dataclass(frozen=True, slots=True)
class Slot:
    """A value and its place in the request."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Item:
    """One request of the corpus."""

    id: str
    scenario: str
    intent: str
    text: str
    slots: tuple[Slot, ...]

    def only(self, *names: str) -> None:
        """Raise UnusableError where it has a value of another kind."""
        for slot in self.slots:
            if slot.name not in names:
                raise UnusableError(f"a slot that the tool does not take: {slot.name}")

    def need(self, must: str, never: str = "") -> None:
        """Raise UnusableError where the words are not those of the intent."""
        if not re.search(must, self.text, re.IGNORECASE):
            raise UnusableError("words that may mean something else")
        if never and re.search(never, self.text, re.IGNORECASE):
            raise UnusableError("words that ask for more than the tool does")

    def all(self, name: str) -> list[Slot]:
        """Its slots of that name."""
        return [slot for slot in self.slots if slot.name == name]

    def value(self, *names: str) -> str:
        """The one value of these names; empty for none.

        Raises:
            UnusableError: there are several.
        """
        found = [slot for slot in self.slots if slot.name in names]
        if len(found) > 1:
            raise UnusableError("several values for one argument")
        return found[0].value if found else ""

    def before(self, slot: Slot) -> str:
        """The word before a slot."""
        words = self.text[: slot.start].split()
        return words[-1].lower() if words else ""

    def when(self, *names: str) -> str:
        """The words of time, as they stand in the request; empty for none.

        Raises:
            UnusableError: they are scattered, or say more than one moment.
        """
        found = [slot for slot in self.slots if slot.name in (names or TIME)]
        if not found:
            return ""
        chunks: list[list[Slot]] = [[found[0]]]
        for last, slot in pairwise(found):
            if _JOINS.fullmatch(self.text[last.end : slot.start]):
                chunks[-1].append(slot)
            else:
                chunks.append([slot])
        if len(chunks) == 1:
            return self._phrase(chunks[0])
        first, second, *more = sorted(chunks, key=lambda each: each[0].name != "date")
        if more or first[0].name != "date" or second[0].name == "date":
            raise UnusableError("words of time in several places")
        return f"{self._phrase(first)} at {self._phrase(second)}"

    def _phrase(self, slots: Sequence[Slot]) -> str:
        start, end = slots[0].start, slots[-1].end
        before = self.text[:start].rstrip()
        phrase = self.text[start:end]
        if _NOT_BARE.search(before) or (_SEVERAL.search(phrase) and not _DAYS_AHEAD.search(phrase)):
            raise UnusableError("times that are not one moment")
        if near := _LEFT.search(before):
            start = near.start()
        elif _LENGTH.search(phrase) and re.search(r"\bin$", before):
            start = len(before) - 2
        if more := _RIGHT.match(self.text, end):
            end = more.end()
        return self.text[start:end]


def read_item(id: str, scenario: str, intent: str, annotated: str) -> Item:
    """The item of an annotated request; the assistant's name in the corpus is left out."""
    text = ""
    slots: list[Slot] = []
    at = 0
    for match in _SLOT.finditer(annotated):
        text = _joined(text, _CALLED.sub("", annotated[at : match.start()]))
        value = " ".join(match[2].split())
        text = _joined(text, value)
        slots.append(Slot(match[1], value, len(text) - len(value), len(text)))
        at = match.end()
    text = _joined(text, _CALLED.sub("", annotated[at:])).rstrip(" .,;<>")
    return Item(id, scenario, intent, text, tuple(slot for slot in slots if slot.value))


def _joined(text: str, more: str) -> str:
    more = " ".join(more.split()).strip("<>")
    if not text or not more:
        return text or more.lstrip(",. ")
    return f"{text}{more}" if more[0] in ",.?!'" else f"{text} {more}"


_SMALL = {
    word: n
    for n, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
         "nineteen")
    )
}  # fmt: skip
_TENS = {
    word: n * 10
    for n, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
NUMBER_WORD = re.compile(
    rf"\b(?:{'|'.join((*_SMALL, *_TENS, *_LARGE))}|\d+(?:\.\d+)?)\b", re.IGNORECASE
)


def number_of(text: str) -> int | float | None:
    """``two hundred and five`` -> 205; None for anything else."""
    words = text.lower().replace("-", " ").replace(",", "").split()
    if len(words) == 1 and re.fullmatch(r"\d+(\.\d+)?", words[0]):
        return float(words[0]) if "." in words[0] else int(words[0])
    total = group = 0
    last = 0
    for n, word in enumerate(words):
        if word == "and" and 0 < n < len(words) - 1 and last >= 100:
            continue
        if word in _SMALL and (last == 0 or last >= 100 or (last >= 20 and _SMALL[word] < 10)):
            group += _SMALL[word]
            last = _SMALL[word] or 1
        elif word in _TENS and (last == 0 or last >= 100):
            group += _TENS[word]
            last = _TENS[word]
        elif word == "hundred" and 0 < group < 100:
            group *= 100
            last = 100
        elif word in ("thousand", "million") and group and (total == 0 or total % 1_000_000 == 0):
            total += group * _LARGE[word]
            group, last = 0, _LARGE[word]
        else:
            return None
    return total + group if words and last else None
