"""Comparing the states of worlds: what differs, where, and whether it matters.

Records that calls have made carry ids of their own; they are named ``new:1``, ``new:2``, … by what
they hold, so that two worlds agree on them. Prose (titles, texts) may be worded differently. A
``Loose`` allows more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from botpsy.worlds.words import alike, mentions
from botpsy.worlds.world import Dump

Leaves = dict[str, Any]
"""Path -> value of everything in a state."""

ABSENT = "(absent)"
_RECORD = re.compile(r".*?/new:\d+(?=/|$)")


@dataclass(frozen=True, slots=True)
class Loose:
    """What may differ at a path (``*`` stands for anything, ``calendar/*/location``).

    ``words``: it must say each of these ("late|delayed"); none: it may be anything. ``any_name``:
    what is new there may be called anything (a note whose title the user left open).
    """

    path: str
    words: tuple[str, ...] = ()
    any_name: bool = False

    def admits(self, gold: Any, value: Any) -> bool:
        """Whether the value will do: what it must say, and not at any length."""
        if not all(mentions(str(value), word) for word in self.words):
            return False
        return value == "" or not isinstance(value, str) or alike(str(gold), value, 0)


PROSE: Mapping[str, float] = {
    "calendar/*/title": 1.0,
    "reminders/*/text": 1.0,
    "mail/*/subject": 0.0,
    "mail/*/text": 0.5,
    "messages/*/text": 0.6,
    "travel/*/title": 1.0,
    "business/ticket/*/subject": 0.0,
    "business/ticket/*/text": 0.0,  # the customer's words, and the notes' below it
    "business/refund/*/reason": 0.0,
    "business/invoice/*/what": 0.5,
}
"""Texts in an agent's own words, and the share of the gold's telling words they must have."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. ``(absent)`` stands for nothing."""

    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.path}: {_brief(self.before)} -> {_brief(self.after)}"


def diff(before: Dump, after: Dump) -> tuple[Change, ...]:
    """All that differs, in order of paths."""
    a, b = leaves(before), leaves(after)
    return tuple(
        Change(path, a.get(path, ABSENT), b.get(path, ABSENT))
        for path in sorted(a.keys() | b.keys())
        if a.get(path, ABSENT) != b.get(path, ABSENT)
    )


def touched(start: Dump, end: Dump) -> frozenset[str]:
    """The services whose state differs."""
    names = start.state.keys() | end.state.keys()
    return frozenset(n for n in names if start.state.get(n) != end.state.get(n))


def leaves(
    dump: Dump, loose: Sequence[Loose] = (), services: Collection[str] | None = None
) -> Leaves:
    """The state (of these services), flat, with new records named by what they hold.

    What is loose or prose does not count in the naming, so that its wording changes no name.
    """
    state: Any = dump.state
    if services is not None:
        state = {name: part for name, part in state.items() if name in services}
    if dump.new:
        state = _renamed(state, frozenset(dump.new), _soft(tuple(loose)))
    return dict(_flat(state, ""))


def renamed(state: Leaves, start: Leaves, gold: Leaves, loose: Sequence[Loose]) -> Leaves:
    """The state with what is new in it, compared to ``start``, named as in ``gold``.

    Letter case in the names of notes and lists does not matter; where any name will do, new things
    are numbered by what they hold.
    """
    new = sorted(state.keys() - start.keys(), key=lambda path: (str(state[path]), path))
    spelled = {path.casefold(): path for path in gold if path.startswith("notes/")}
    patterns = [each.path for each in loose if each.any_name]
    names: dict[str, str] = {}
    number = 0
    for path in new:
        pattern = next((each for each in patterns if fnmatchcase(path, each)), "")
        number += bool(pattern)
        name = f"{pattern}{number}" if pattern else spelled.get(path.casefold(), path)
        if name not in state:
            names[path] = name
    return {names.get(path, path): value for path, value in state.items()}


def paired(state: Leaves, gold: Leaves, loose: Sequence[Loose] = ()) -> Leaves:
    """The state with each new record named as the one in ``gold`` that it is most like."""
    wanted, made = _records(gold), _records(state)
    likeness = sorted(
        (
            -sum(same(one + rest, v, parts.get(rest, ABSENT), loose) for rest, v in its.items()),
            one,
            n,
        )
        for one, its in wanted.items()
        for n, parts in made.items()
        if one.rpartition(":")[0] == n.rpartition(":")[0]
    )
    names: dict[str, str] = {}
    for _, one, other in likeness:
        if other not in names and one not in names.values():
            names[other] = one
    rest = {path: value for path, value in state.items() if not _RECORD.match(path)}
    for name, parts in made.items():
        rest |= {names.get(name, f"{name} more") + end: value for end, value in parts.items()}
    return rest


def _records(state: Leaves) -> dict[str, Leaves]:
    """New records by name; what they hold by the rest of the path."""
    found: dict[str, Leaves] = {}
    for path, value in state.items():
        if match := _RECORD.match(path):
            found.setdefault(match[0], {})[path[match.end() :]] = value
    return found


def is_loose(path: str, loose: Sequence[Loose] = ()) -> bool:
    """Whether the wording at the path is left to the agent altogether."""
    return _share(path) == 0 or any(fnmatchcase(path, each.path) for each in loose)


def same(path: str, gold: Any, value: Any, loose: Sequence[Loose] = ()) -> bool:
    """Whether the value at the path will do where the gold one was expected."""
    if gold == value:
        return True
    if ABSENT in (gold, value):
        return False
    free = [each for each in loose if fnmatchcase(path, each.path)]
    if free:
        return any(each.admits(gold, value) for each in free)
    if not (isinstance(gold, str) and isinstance(value, str)):
        return False
    if _plain(gold) == _plain(value):
        return True
    share = _share(path)
    return share is not None and bool(value.strip()) and alike(gold, value, share)


def _share(path: str) -> float | None:
    return next((share for each, share in PROSE.items() if fnmatchcase(path, each)), None)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.casefold()).strip(" .!")


@cache
def _soft(loose: tuple[Loose, ...]) -> Callable[[str], bool]:
    patterns = (*PROSE, *(each.path for each in loose))
    return lambda path: any(fnmatchcase(path, pattern) for pattern in patterns)


def _renamed(state: Any, new: frozenset[str], soft: Callable[[str], bool]) -> Any:
    """The state with the ids in ``new`` replaced by names that depend on content alone."""
    pattern = re.compile("|".join(sorted(new)))
    found: dict[str, str] = {}

    def masked(value: Any, path: str) -> Any:
        if isinstance(value, dict):
            return {key: masked(part, f"{path}/{key}") for key, part in sorted(value.items())}
        if isinstance(value, list):
            return [masked(part, path) for part in value]
        if soft(path):
            return ""
        return pattern.sub("*", value) if isinstance(value, str) else value

    def collect(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                if key in new and key not in found:
                    content = masked(part, f"{path}/*")
                    found[key] = f"{path}\0{json.dumps(content, sort_keys=True)}"
                else:
                    collect(part, f"{path}/{key}")

    for service, part in sorted(state.items()):
        collect(part, service)
    # The minted id settles ties between records that hold the same.
    ranked = sorted(found, key=lambda each: (found[each], each))
    names = {each: f"new:{n}" for n, each in enumerate(ranked, 1)}

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda match: names.get(match[0], "new:?"), value)
        if isinstance(value, dict):
            return {renamed(key): renamed(part) for key, part in value.items()}
        if isinstance(value, list):
            return [renamed(part) for part in value]
        return value

    return renamed(state)


def _flat(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list) and value and all(isinstance(part, Mapping) for part in value):
        value = dict(enumerate(value))  # records in a row, like the notes of a ticket
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _flat(part, f"{path}/{key}" if path else str(key))
    else:
        yield path, value


def _brief(value: Any) -> str:
    text = value if value == ABSENT else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 120 else f"{text[:117]}..."
