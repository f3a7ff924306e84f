"""What a row says that nobody told it: invented arguments, and numbers in answers.

A string in a call is *told* if it, or each of its words, stands in what came before the call (the
user, the system, results, earlier answers), if the schema lists it (an enumeration, a default), or
if it speaks of time, which is reworded as a rule ("Friday" becomes a date). If most of its words
are wholly new, no form of any word before, it is *invented*, else *reworded*; small words ("of")
are left out of account. A model that imitates invented values invents.

A number in an answer is told if it stands before it in any notation ("1,250.00", "15:00" and "3
pm", "two"), or counts the entries of a list in a result. What is left was worked out, or made up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from botpsy.chat.schema import TIME_FORMATS
from botpsy.chat.types import Json, ToolSpec
from botpsy.chat.wire import properties_of
from botpsy.data.audit.words import words
from botpsy.data.types import Row

MOST = 0.5
"""A larger share of new words makes a value invented. Half: one word of two that is new can be the
wording ("dentist visit"), more cannot."""

_TIMES = frozenset(TIME_FORMATS) | {"date", "time", "date-time", "duration"}
_OF_TIME = """
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec am pm noon midnight morning afternoon evening night
tonight today tomorrow yesterday now day days week weeks weekend month months year years hour hours
h minute minutes min second seconds s next this last in at on from to until till of the and before
after every daily weekly monthly yearly t z utc
"""
_SMALL = frozenset((_OF_TIME + "a an all any by for is my or with your").split())
"""Words of time, and those that say nothing by themselves."""
_TIME_TOKEN = re.compile(r"(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th|am|pm|h|min|s|z|t\d\d)?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_COUNTED = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_SPOKEN = {word: str(n) for n, word in enumerate(_COUNTED.split())} | {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100", "dozen": "12",
    "january": "1", "february": "2", "march": "3", "april": "4", "may": "5", "june": "6",
    "july": "7", "august": "8", "september": "9", "october": "10", "november": "11",
    "december": "12", "once": "1", "twice": "2", "both": "2", "half": "30", "quarter": "15",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Untold:
    """A value nobody told: where (``tool.argument``, or ``answer``), and what."""

    where: str
    value: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """Of one row: strings in calls, those reworded and invented; numbers in answers, those new."""

    strings: int
    reworded: tuple[Untold, ...]
    invented: tuple[Untold, ...]
    numbers: int
    new_numbers: tuple[Untold, ...]


def ground(row: Row) -> Grounding:
    """Hold what the assistant says against what it was told."""
    specs = {spec.name: spec for spec in row.tools}
    heard = _Heard()
    strings = numbers = 0
    reworded: list[Untold] = []
    invented: list[Untold] = []
    unheard: list[Untold] = []
    for message in row.messages:
        if message.role == "assistant":
            for call in message.calls:
                for path, value in _strings(call.arguments, specs.get(call.name)):
                    strings += 1
                    new, wholly = heard.new_share(value)
                    if new:
                        kept = invented if wholly > MOST else reworded
                        kept.append(Untold(f"{call.name}.{path}", value))
            for number in _NUMBER.findall(message.content):
                numbers += 1
                if not heard.has_number(number):
                    unheard.append(Untold("answer", number))
            for call in message.calls:
                heard.numbers_of(json.dumps(call.arguments))
        heard.add(message.content, counts=message.role == "tool")
    return Grounding(strings, tuple(reworded), tuple(invented), numbers, tuple(unheard))


class _Heard:
    """All that was said up to a point of a conversation."""

    def __init__(self) -> None:
        self._text = " "
        self._words: set[str] = set()
        self._stems: set[str] = set()
        self._numbers: set[str] = set()

    def add(self, text: str, *, counts: bool) -> None:
        said = words(text)
        self._text += " ".join(said) + " "
        self._words.update(said)
        self._stems.update(_stem(word) for word in said)
        self._numbers.update(_SPOKEN[word] for word in _SPOKEN.keys() & set(said))
        self.numbers_of(text)
        if counts:
            self._numbers.update(_counts(text))

    def numbers_of(self, text: str) -> None:
        for found in _NUMBER.findall(text):
            self._numbers.add(_plain(found))
            self._numbers.update(map(_plain, re.split(r"[.,:]", found)))

    def new_share(self, value: str) -> tuple[float, float]:
        """The share of a value's words that are new, none if it stands there as it is; and the
        share of those that are no form of a word that was heard ("returned" after "return")."""
        said = words(value)
        if f" {' '.join(said)} " in self._text:
            return 0.0, 0.0
        said = [word for word in said if word not in _SMALL and not _TIME_TOKEN.fullmatch(word)]
        new = [word for word in said if word not in self._words]
        wholly = [word for word in new if _stem(word) not in self._stems]
        return len(new) / max(1, len(said)), len(wholly) / max(1, len(said))

    def has_number(self, number: str) -> bool:
        """Whether it was told, in this or another notation."""
        hour, *minutes = number.split(":")
        plain = _plain(hour)
        # 15 is also 3 on a clock of twelve hours, and the other way round.
        alike = {plain, str((int(plain) + 12) % 24)} if len(plain) <= 2 else {plain}
        return not self._numbers.isdisjoint(alike) and all(
            _plain(part) in self._numbers | {"0"} for part in minutes
        )


def _stem(word: str) -> str:
    """The beginning that forms of a word share, roughly; numbers have none."""
    return word if word.isdigit() else word[:4]


def _plain(number: str) -> str:
    """A number without thousands' commas, leading or trailing zeros."""
    whole, _, part = number.replace(",", "").partition(".")
    return f"{whole.lstrip('0') or '0'}.{part.rstrip('0')}".rstrip(".")


def _counts(text: str) -> Iterator[str]:
    """How many entries the lists in a result have."""
    try:
        value = json.loads(text)
    except ValueError:
        return
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            yield str(len(each))
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()


def _strings(arguments: Mapping[str, Json], spec: ToolSpec | None) -> Iterator[tuple[str, str]]:
    """Strings in arguments that a schema does not list and that are no times, with their names."""
    known = properties_of(spec) if spec else {}
    waiting: list[tuple[str, Any, Any]] = [
        (name, value, known.get(name)) for name, value in arguments.items()
    ]
    while waiting:
        path, value, schema = waiting.pop(0)
        schema = schema if isinstance(schema, Mapping) else {}
        if isinstance(value, str):
            if words(value) and not _listed(value, schema):
                yield path, value
        elif isinstance(value, list):
            waiting += [(path, each, schema.get("items")) for each in value]
        elif isinstance(value, dict):
            inner = schema.get("properties") or {}
            waiting += [(f"{path}.{name}", each, inner.get(name)) for name, each in value.items()]


def _listed(value: str, schema: Mapping[str, Any]) -> bool:
    if value in (schema.get("enum") or ()) or value in (schema.get("const"), schema.get("default")):
        return True
    if schema.get("format") in _TIMES:
        return True
    branches = (*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ()))
    return any(isinstance(each, Mapping) and _listed(value, each) for each in branches)
