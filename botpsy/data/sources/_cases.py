"""What the plans of HWU64 are made of: a request becomes acts in a seeded world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._spoken import without
from botpsy.data.types import UnusableError
from botpsy.errors import TimePhraseError
from botpsy.worlds.acts import Act
from botpsy.worlds.scenario import Domain, Kind
from botpsy.worlds.scene import Scene

INFORMS = ("web_search", "read_page", "search_documents")
"""Tools that could find out nearly anything: not offered where another tool is right."""


@dataclass(frozen=True)
class Case:
    """The right way to deal with a request.

    Attributes:
        acts: as in a scenario's gold solution.
        offer: tools that must be offered as well; ``barred`` are those that must not, since they
            could do the same.
        facts: what the user answers, by slot.
        gaps: required argument -> the request without its value.
    """

    acts: Sequence[Act]
    kind: Kind = "single"
    offer: Sequence[str] = ()
    barred: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    gaps: Mapping[str, str] = field(default_factory=dict)


Plan = Callable[[Scene, Item], Case]
PLANS: dict[tuple[str, str], tuple[Domain, Plan]] = {}


def plan(domain: Domain, *pairs: str) -> Callable[[Plan], Plan]:
    """Register a plan for pairs of scenario and intent, written ``alarm/set``."""

    def register(made: Plan) -> Plan:
        for pair in pairs:
            scenario, _, intent = pair.partition("/")
            PLANS[scenario, intent] = (domain, made)
        return made

    return register


def gaps(item: Item, **values: str) -> dict[str, str]:
    """The request without each of these values, where that leaves a sentence."""
    made = {name: without(item.text, value) for name, value in values.items() if value}
    return {name: text for name, text in made.items() if text}


def moment(s: Scene, phrase: str) -> datetime:
    """What the words mean, if that is to come.

    Raises:
        UnusableError: the clock does not read them, or they are of the past.
    """
    try:
        at = s.clock.instant(phrase)
    except TimePhraseError:
        raise UnusableError("words of time that the clock does not read") from None
    if at <= s.now:
        raise UnusableError("a time that has passed")
    return at


def day_of(s: Scene, phrase: str) -> date:
    """The day that the words mean.

    Raises:
        UnusableError: the clock does not read them, or it has passed.
    """
    try:
        found = s.clock.day(phrase)
        start, end = s.clock.period(phrase)
    except TimePhraseError:
        raise UnusableError("words of time that the clock does not read") from None
    if found < s.now.date():
        raise UnusableError("a time that has passed")
    if (end - start).total_seconds() > 100_000:
        raise UnusableError("a stretch of time where one day is wanted")
    return found


def name_of(value: str) -> str:
    """``john's`` -> ``john``; a name of one or two words.

    Raises:
        UnusableError: it is no such thing.
    """
    name = value.removesuffix("'s").removesuffix("'")
    words = name.split()
    if not 1 <= len(words) <= 2 or not all(word.isalpha() for word in words):
        raise UnusableError("a person without a plain name")
    if {"all", "me", "my", "someone", "everyone", "contact", "contacts"} & set(words):
        raise UnusableError("a person without a plain name")
    return name


def title_case(text: str) -> str:
    """Each word with a capital."""
    return " ".join(word[:1].upper() + word[1:] for word in text.split())


def clock_text(at: datetime) -> str:
    """``Thu 4 Jun 2026, 07:00``, as results show it."""
    return f"{at:%a} {at.day} {at:%b %Y}, {at:%H:%M}"
