"""Do rows offer a tool that a benchmark offers?

A tool is contaminated if a benchmark has one whose name ends alike (``Cakes_2_OrderCake`` and
``order_cake``) with nearly the same parameters, or whose description is nearly the same. Noted, and
no more than that, is a tool of the same name with one parameter or none, and one of another name
with the same parameters, if they are many.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from botpsy.data.audit.facts import Facts, Tool
from botpsy.data.audit.words import jaccard, shingles, words

SAME_DESCRIPTION = 0.8
"""Share of common runs of three words from which two descriptions are one, if long enough."""
DESCRIPTION_WORDS = 8
"""Words that are long enough. In fewer there is one obvious way to say what a tool does ("Turn off
the lights in a room")."""
NAME_WORDS = 2
"""Words at the end of a name that make it the same name: before them stands what a tool is of."""
SAME_PARAMETERS = 0.75
"""Share of common parameters from which, with the name, they are the same: one of four may have
been added or left out."""
PARAMETERS = 2
"""Common parameters that tell tools of one name apart: there is one obvious way to name a tool with
one parameter, and two products that have it did not copy."""
END_PARAMETERS = 3
"""Common parameters that are needed if only the end of the name is the same."""
MANY_PARAMETERS = 4
"""The same parameters from which a tool of another name is noted."""

_Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolMeeting:
    """A tool that a benchmark has: its name there, where, why, and rows that offer it by source."""

    tool: str
    theirs: str
    file: str
    why: str
    rows: dict[str, int]


def tool_meetings(
    facts: Sequence[Facts], tools: Mapping[bytes, Tool], theirs: Mapping[Tool, str]
) -> Iterator[tuple[bool, ToolMeeting]]:
    """Tools that meet a benchmark's, and whether that counts. ``theirs``: tool -> its file."""
    offered: defaultdict[Tool, Counter[str]] = defaultdict(Counter)
    for row in facts:
        for key in row.tools:
            offered[tools[key]][row.source] += 1
    known = _Known(theirs)
    # One meeting for all descriptions of a tool, which augmentation shortens.
    met: defaultdict[tuple[bool, str, str, str, str], Counter[str]] = defaultdict(Counter)
    for tool, rows in offered.items():
        counts, other, why = known.like(tool)
        if other:
            met[counts, tool.name, other.name, theirs[other], why] += rows
    for (counts, name, her_name, file, why), rows in met.items():
        yield counts, ToolMeeting(name, her_name, file, why, dict(rows))


class _Known:
    """The benchmarks' tools, to be found by what tells them apart."""

    def __init__(self, theirs: Mapping[Tool, str]) -> None:
        self._by_name: defaultdict[_Name, list[Tool]] = defaultdict(list)
        self._by_parameters: dict[frozenset[_Name], Tool] = {}
        for tool in theirs:
            self._by_name[_parts(tool.name)[-NAME_WORDS:]].append(tool)
            self._by_parameters.setdefault(_parameters(tool), tool)
        self._described = [each for each in theirs if _long_enough(each.description)]
        self._runs = [shingles([each.description], 3) for each in self._described]
        # Descriptions share few runs, so all that share any are compared.
        self._having: defaultdict[int, list[int]] = defaultdict(list)
        for n, runs in enumerate(self._runs):
            for run in runs.tolist():
                self._having[run].append(n)

    def like(self, tool: Tool) -> tuple[bool, Tool | None, str]:
        """Whether a meeting counts, whom it is with, and what is the same."""
        other, likeness = self._described_like(tool.description)
        if other:
            return True, other, f"description, {likeness:.0%} alike"
        other, shared = self._named_like(tool)
        if other:
            same = _parts(other.name) == _parts(tool.name)
            counts = shared >= (PARAMETERS if same else END_PARAMETERS)
            if counts or same or shared >= PARAMETERS:
                return counts, other, f"name and {shared} parameters"
        mine = _parameters(tool)
        if len(mine) >= MANY_PARAMETERS and mine in self._by_parameters:
            return False, self._by_parameters[mine], f"{len(mine)} parameters"
        return False, None, ""

    def _named_like(self, tool: Tool) -> tuple[Tool | None, int]:
        """The tool whose name ends alike and that has the most common parameters; the very same
        name first."""
        name, mine = _parts(tool.name), _parameters(tool)
        best: Tool | None = None
        most = (False, -1)
        for other in self._by_name.get(name[-NAME_WORDS:], ()):
            hers = _parameters(other)
            shared = len(mine & hers)
            rank = (_parts(other.name) == name, shared)
            if rank > most and shared >= SAME_PARAMETERS * len(mine | hers):
                best, most = other, rank
        return best, most[1]

    def _described_like(self, description: str) -> tuple[Tool | None, float]:
        if not _long_enough(description):
            return None, 0.0
        runs = shingles([description], 3)
        shared = Counter(n for run in runs.tolist() for n in self._having.get(run, ()))
        best = max(
            (
                (likeness, -n)
                for n, count in shared.items()
                if count >= SAME_DESCRIPTION * len(runs)
                and (likeness := jaccard(runs, self._runs[n])) >= SAME_DESCRIPTION
            ),
            default=None,
        )
        return (self._described[-best[1]], best[0]) if best else (None, 0.0)


def _long_enough(description: str) -> bool:
    return len(words(description)) >= DESCRIPTION_WORDS


def _parts(name: str) -> _Name:
    """A name's words, whatever joins them, without numbers: ``getWeather2`` is ``get_weather``."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", " ", name)
    return tuple(word for word in words(parted) if not word.isdigit())


def _parameters(tool: Tool) -> frozenset[_Name]:
    return frozenset(map(_parts, tool.parameters))
