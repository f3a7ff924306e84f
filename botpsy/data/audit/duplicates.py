"""Rows that say nearly the same as another: MinHash to find them, exact sets to be sure.

Source: A. Broder, "On the resemblance and containment of documents" (1997).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from botpsy.data.audit.facts import Facts
from botpsy.data.audit.words import jaccard

ALIKE = 0.8
"""Share of common runs of words from which two rows are near-duplicates. At 0.8 of the user's words
and calls nothing but a word or a value differs; the same request with another time stays below."""
PERMUTATIONS = 128
"""Of MinHash: the estimate errs by about 1/sqrt(128) = 0.09, and what it finds is verified."""
# Candidates are looked up below ALIKE, by the estimate's error.
_LOOSE = 0.7
EXAMPLES = 5
"""Kept for each pair of sources."""
GROUPS = 20
"""Groups named."""


@dataclass
class Duplicates:
    """Rows that could be spared.

    Attributes:
        within, across: rows near another of the same source, or of another one, by source. The
            first of a group is not counted.
        leaked: validation rows near a training row, by source.
        groups: rows near another, by their ``group``; those with the most.
        examples: ids of two rows, and how alike they are.
    """

    within: dict[str, int] = field(default_factory=dict)
    across: dict[str, int] = field(default_factory=dict)
    leaked: dict[str, int] = field(default_factory=dict)
    groups: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str, float]] = field(default_factory=list)


def duplicates(facts: Sequence[Facts], progress: Callable[[int], None]) -> Duplicates:
    """Group rows around the first of their like; a row is compared with those alone.

    Tasks are compared with tasks: a task may well ask for what a conversation shows.
    """
    within, across, leaked, by_group = (Counter[str]() for _ in range(4))
    shown: dict[tuple[str, str, bool], list[tuple[str, str, float]]] = {}
    # Training rows first, so that a validation row meets all of them.
    order = sorted(range(len(facts)), key=lambda n: (facts[n].is_task, facts[n].kept))
    groups = {is_task: _Groups() for is_task in (False, True)}
    for done, n in enumerate(order, 1):
        progress(done)
        row = facts[n]
        if not len(row.shingles):
            continue
        first, likeness = groups[row.is_task].place(row)
        if first is None:
            continue
        (within if first.source == row.source else across)[row.source] += 1
        by_group[row.group] += 1
        leak = row.kept and not first.kept
        leaked[row.source] += leak
        examples = shown.setdefault((row.source, first.source, leak), [])
        if len(examples) < EXAMPLES:
            examples.append((row.id, first.id, round(likeness, 2)))
    return Duplicates(
        dict(within),
        dict(across),
        dict(+leaked),
        dict(by_group.most_common(GROUPS)),
        [each for some in shown.values() for each in some],
    )


class _Groups:
    """The first row of each group."""

    def __init__(self) -> None:
        from datasketch import MinHash, MinHashLSH

        self._empty = MinHash(num_perm=PERMUTATIONS, hashfunc=_low_bits)
        self._near = MinHashLSH(threshold=_LOOSE, num_perm=PERMUTATIONS)
        self._firsts: list[Facts] = []

    def place(self, row: Facts) -> tuple[Facts | None, float]:
        """The first row that this one is like, and how much; without one it is a first itself."""
        signature = self._empty.copy()
        signature.update_batch(row.shingles.tolist())
        found = [
            (row.kept and not self._firsts[at].kept, likeness, -at)
            for at in self._near.query(signature)
            if (likeness := jaccard(row.shingles, self._firsts[at].shingles)) >= ALIKE
        ]
        if found:
            _, likeness, at = max(found)
            return self._firsts[-at], likeness
        self._near.insert(len(self._firsts), signature)
        self._firsts.append(row)
        return None, 0.0


def _low_bits(number: int) -> int:
    return number & 0xFFFFFFFF
