"""Which runs of words of a request can be the value of an argument.

A small model that was never trained to call tools chooses well among a few sensible alternatives
and badly among all. So code proposes: stretches between the words that hold a sentence together
("on", "my", "that"), whole clauses after "that" or a colon, and for times the longest stretch that
the clock understands. Positions are word numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from botpsy.clock import Clock
from botpsy.clock.words import HOLIDAYS, PARTS, SMALL, TENS, WEEKDAYS
from botpsy.errors import BotpsyError

MAX_WORDS = 60
"""Words of a request that are looked at; everyday requests have about ten."""
_CLOCK = Clock(ZoneInfo("UTC"))
# Used to see what is a time phrase; what it means is settled later, by the user's own clock.
TIMES: Mapping[str, Callable[[str], Any]] = {
    "instant": _CLOCK.instant,
    "day": _CLOCK.day,
    "span": _CLOCK.duration,
    "period": _CLOCK.period,
}
_POLITE = frozenset("please could would can will you kindly hey hi hello ok okay".split())  # noqa: SIM905
# Neither opens nor closes a value, and a value may start behind it and end before it.
_BREAKS = _POLITE | frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "on",
        "in",
        "at",
        "for",
        "my",
        "our",
        "your",
        "that",
        "and",
        "or",
        "is",
        "are",
        "am",
        "was",
        "i'm",
        "from",
        "by",
        "into",
        "as",
        "about",
        "me",
        "it",
        "this",
        "did",
        "do",
        "does",
        "have",
        "has",
        "had",
        "i",
        "what",
        "what's",
        "who",
        "who's",
        "whom",
        "where",
        "when",
        "which",
        "how",
        "should",
        "let's",
        "called",
        "named",
        "saying",
        "up",
        "off",
        "out",
        "down",
        "all",
        "any",
        "anything",
        "there",
        "s",
    ]
)
# May stand inside a value ("lunch with Ana") but neither opens nor closes one, nor comes before it.
_JOINS = frozenset(("with", "of"))
_LEADING = frozenset(["on", "at", "for", "of", "by", "in", "the", "from"])
# A second part of a time begins with one of these: "remind me tomorrow to call Bob at 5".
_OPENING = frozenset(("on", "at", "by", "today", "tomorrow", "tonight", *WEEKDAYS))
_EDGES = re.compile(r"^[\"'“”‘’(\[]+|[\"'“”‘’)\],.;:!?]+\Z")
_OWNER = ("'s", "’s")


@dataclass(frozen=True)
class Words:
    """A request, cut at white space."""

    request: str

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """(start, end) of each word in the request."""
        found = [match.span() for match in re.finditer(r"\S+", self.request)]
        return found[:MAX_WORDS]

    @cached_property
    def plain(self) -> list[str]:
        """Each word in lower case without the punctuation around it."""
        return [trimmed(self.request[start:end]).lower() for start, end in self.places]

    def text(self, first: int, last: int) -> str:
        """Words ``first`` to ``last``, without the punctuation around them."""
        return trimmed(self.request[self.places[first][0] : self.places[last][1]])

    def pause_after(self, number: int) -> bool:
        """A comma, colon or semicolon follows the word."""
        return self.request[self.places[number][1] - 1] in ",:;"


Candidates = Mapping[str, frozenset[int]]
"""Possible values, each with the words that it takes up."""


def trimmed(text: str) -> str:
    """Text without quotation marks, brackets and stops at its ends."""
    return _EDGES.sub("", _EDGES.sub("", text))


def time_phrase(words: Words, format: str, used: Collection[int]) -> tuple[str, set[int]] | None:
    """What the clock understands as ``format`` of the unused words, and which words that is.

    The longest run; for a moment also a second one, where day and hour stand apart ("on Friday call
    Bob at 5", "tomorrow", "at 5"). A moment is not one word that may be about anything ("6 eggs",
    "lunch with Sam"), except a number beside a time ("6 tomorrow").
    """
    if (found := _longest(words, format, used)) is None or format != "instant":
        return found
    phrase, taken = found
    rest = _longest(words, format, {*used, *taken}, beside=taken)
    if rest and (words.plain[min(rest[1])] in _OPENING or _beside(rest[1], taken)):
        for joined in (f"{phrase} {rest[0]}", f"{rest[0]} {phrase}"):
            if _meaning(TIMES[format], joined) is not None:
                return joined, taken | rest[1]
    return found


def _longest(
    words: Words, format: str, used: Collection[int], *, beside: Collection[int] = ()
) -> tuple[str, set[int]] | None:
    understand, count = TIMES[format], len(words.places)
    for length in range(count, 0, -1):
        for first in range(count - length + 1):
            taken = set(range(first, first + length))
            if taken & set(used):
                continue
            last = first + length - 1
            if (
                format == "instant"
                and length == 1
                and _vague(words.plain[first], _beside(taken, beside))
            ):
                continue
            meaning = _meaning(understand, words.text(first, last))
            if meaning is None:
                continue
            return _shortest(words, understand, first, last, meaning), taken
    return None


def _beside(taken: Collection[int], others: Collection[int]) -> bool:
    return bool({min(taken) - 1, max(taken) + 1} & {*others})


def _vague(word: str, beside: bool) -> bool:
    """By itself the word tells no time, though the clock would take it for one."""
    if word.isdigit() or word in SMALL or word in TENS:
        return not beside
    return word in PARTS or (word,) in HOLIDAYS or word == "lunch"


def _shortest(
    words: Words, understand: Callable[[str], Any], first: int, last: int, meaning: Any
) -> str:
    """The phrase without the small words around it that change nothing: "at", "please"."""
    while first < last and words.plain[first] in _LEADING | _POLITE:
        if _meaning(understand, words.text(first + 1, last)) != meaning:
            break
        first += 1
    while first < last and words.plain[last] in _POLITE:
        last -= 1
    return words.text(first, last)


def _meaning(understand: Callable[[str], Any], phrase: str) -> Any:
    try:
        return understand(phrase)
    except BotpsyError:
        return None


def candidates(
    words: Words,
    used: Collection[int],
    *,
    own: Collection[str] = (),
    about: Collection[str] = (),
    anywhere: bool = False,
) -> Candidates:
    """Runs of unused words that may be values, in the order of the request.

    ``own`` are the stems of words that ask for the tool and so are no part of a value; ``about``
    those of its description: of "Ana's phone number", asked of a tool about phone numbers, only Ana
    is a value. With ``anywhere`` a value may also begin and end in the middle of a stretch, for
    requests like "text Ana happy birthday".
    """
    breaks = _breaks(words, used, own)
    found: dict[str, frozenset[int]] = {}
    for first in range(len(breaks)):
        for last in _ends(words, first, used, breaks, anywhere):
            text = words.text(first, last)
            if text.endswith(_OWNER):
                text = text[:-2]
            if text and not _owned(text, about):
                found.setdefault(text, frozenset(range(first, last + 1)))
    return found


def _owned(text: str, about: Collection[str]) -> bool:
    """Somebody's something, of which the something is what the tool is about."""
    _, owner, owned = text.replace("’s ", "'s ").partition("'s ")
    stems = {stem(word) for word in re.findall(r"\w+", owned.lower())}
    return bool(owner) and stems <= set(about)


def _breaks(words: Words, used: Collection[int], own: Collection[str]) -> list[bool]:
    """Which words hold the sentence together; the verb that it opens with is one of them."""
    plain = words.plain
    breaks = [
        not word or i in used or word in _BREAKS or stem(word) in own
        for i, word in enumerate(plain)
    ]
    verb = next((i for i, word in enumerate(plain) if word not in _POLITE), None)
    if verb is not None and not breaks[verb]:
        breaks[verb] = not all(breaks[verb + 1 :])
    return breaks


def _ends(
    words: Words, first: int, used: Collection[int], breaks: list[bool], anywhere: bool
) -> list[int]:
    """The last words of the values that begin with word ``first``."""
    plain, count = words.plain, len(breaks)
    free = next((i for i in range(first, count) if i in used), count)
    if free == first or not plain[first]:
        return []
    after_pause = first > 0 and words.pause_after(first - 1)
    clause = first > 0 and (plain[first - 1] == "that" or after_pause)
    ends = [free - 1] if clause and free == count else []
    if breaks[first] or plain[first] in _JOINS:
        return ends
    if first > 0:
        before = breaks[first - 1] or after_pause or plain[first - 1].endswith(_OWNER)
        if plain[first - 1] in _JOINS or not (before or anywhere):
            return ends
    for last in range(first, free):
        if breaks[last] or plain[last] in _JOINS:
            continue
        following = last + 1
        closes = (
            following == count
            or breaks[following]
            or plain[following] in _JOINS
            or words.pause_after(last)
            or plain[last].endswith(_OWNER)
        )
        if (closes or anywhere) and last not in ends:
            ends.append(last)
    return ends


def stem(word: str) -> str:
    """A word without its commonest English endings."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
