"""How much there is of what: counts over domain, kind, source and augmentation, shares, sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from botpsy.data.audit.facts import Facts, Tool

QUANTILES = (50, 90, 99, 100)


@dataclass
class SourceBalance:
    """One source's rows.

    Attributes:
        no_call, asks, declines: shares of conversations in which nothing is called, the user is
            asked something, the last request is declined.
        size, learnt: quantiles of conversations, in the audit's unit.
        tools: quantiles of the number of tools offered.
    """

    conversations: int = 0
    tasks: int = 0
    kept: int = 0
    no_call: float = 0.0
    asks: float = 0.0
    declines: float = 0.0
    size: tuple[int, ...] = ()
    learnt: tuple[int, ...] = ()
    tools: tuple[int, ...] = ()
    distinct_tools: int = 0
    distinct_tool_names: int = 0
    changes: dict[str, int] = field(default_factory=dict)


@dataclass
class Balance:
    """The whole, each source, and counts by ``domain`` -> ``kind`` -> ``source``."""

    total: SourceBalance
    sources: dict[str, SourceBalance]
    cells: dict[str, dict[str, dict[str, int]]]

    def domain_by_kind(self) -> dict[str, dict[str, int]]:
        """Rows of all sources."""
        return {
            domain: {kind: sum(by_source.values()) for kind, by_source in kinds.items()}
            for domain, kinds in self.cells.items()
        }


def balance(facts: Sequence[Facts], tools: Mapping[bytes, Tool]) -> Balance:
    """Count."""
    cells: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    by_source: defaultdict[str, list[Facts]] = defaultdict(list)
    for row in facts:
        cells[row.domain][row.kind][row.source] += 1
        by_source[row.source].append(row)
    return Balance(
        _of(facts, tools),
        {name: _of(rows, tools) for name, rows in sorted(by_source.items())},
        {
            domain: {kind: dict(sources) for kind, sources in sorted(kinds.items())}
            for domain, kinds in sorted(cells.items())
        },
    )


def _of(rows: Sequence[Facts], tools: Mapping[bytes, Tool]) -> SourceBalance:
    talks = [row for row in rows if not row.is_task]
    offered = {key for row in rows for key in row.tools}
    count = max(1, len(talks))
    return SourceBalance(
        conversations=len(talks),
        tasks=len(rows) - len(talks),
        kept=sum(row.kept for row in rows),
        no_call=sum(row.no_call for row in talks) / count,
        asks=sum(row.asks for row in talks) / count,
        declines=sum(row.declines for row in talks) / count,
        size=_quantiles(row.size for row in rows),
        learnt=_quantiles(row.learnt for row in talks),
        tools=_quantiles(len(row.tools) for row in rows),
        distinct_tools=len(offered),
        distinct_tool_names=len({tools[key].name for key in offered}),
        changes=dict(Counter(change for row in rows for change in row.changes).most_common()),
    )


def _quantiles(values: Iterable[int]) -> tuple[int, ...]:
    found = list(values)
    if not found:
        return ()
    return tuple(int(each) for each in np.percentile(found, QUANTILES, method="higher"))
