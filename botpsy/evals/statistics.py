"""Numbers that say how far they can be trusted.

Sources: the percentile bootstrap over groups of cases, drawn within each category (Efron and
Tibshirani 1993); pass^k without bias, C(c, k) / C(n, k) (tau-bench, arXiv 2406.12045); McNemar's
exact test; Holm's correction for several tests (Holm 1979).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botpsy.evals.case import Leaf, Score, Verdict

RESAMPLES = 2_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """A case with the verdicts of all its trials."""

    case: str
    category: str
    group: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its 95 % interval.

    Attributes:
        value: None where a part of it was not run.
        cases: how many it is made of.
    """

    value: float | None
    low: float = 0.0
    high: float = 0.0
    cases: int = 0


Floats = NDArray[np.floating[Any]]


def values(scores: Sequence[Score], judged: Sequence[Judged], seed: int = 0) -> dict[str, Value]:
    """Each score's value and interval, by name, all by the same cases drawn.

    Trials of a case count together, so each case counts once.
    """
    weights = _weights(judged, seed)
    found = {}
    for score in scores:
        cases, drawn = _count(score, judged), _resampled(score, judged, weights)
        if drawn is None:
            found[score.name] = Value(None, cases=cases)
        else:
            found[score.name] = Value(float(drawn[0]), *_interval(drawn[1:]), cases)
    return found


def difference(
    score: Score, one: Sequence[Judged], other: Sequence[Judged], seed: int = 0
) -> Value:
    """How much larger a score is in ``other``, by the same cases drawn for both.

    Only cases that both have count.
    """
    mine = {each.case: each for each in one}
    shared = [each.case for each in other if each.case in mine]
    theirs = {each.case: each for each in other}
    first = [mine[case] for case in shared]
    second = [theirs[case] for case in shared]
    weights = _weights(first, seed)
    before, after = (_resampled(score, each, weights) for each in (first, second))
    if before is None or after is None:
        return Value(None, cases=len(shared))
    low, high = _interval(after[1:] - before[1:])
    return Value(float(after[0] - before[0]), low, high, len(shared))


def pass_k(judged: Sequence[Judged], success: str, k: int) -> float | None:
    """The share of cases that succeed in all of k trials, without bias; None with fewer trials."""
    found = []
    for each in judged:
        done = [verdict.measures[success][0] > 0 for verdict in each.verdicts]
        if len(done) < k:
            return None
        found.append(comb(sum(done), k) / comb(len(done), k))
    return fmean(found) if found else None


def mcnemar(won: int, lost: int) -> float:
    """The two-sided p of so many cases won and lost, if either were as likely (exact)."""
    n = won + lost
    tail = sum(comb(n, i) for i in range(min(won, lost) + 1))
    return min(1.0, tail / 2 ** (n - 1)) if n else 1.0


def holm(ps: Mapping[str, float]) -> dict[str, float]:
    """Corrected p of each of several tests."""
    corrected: dict[str, float] = {}
    last = 0.0
    for n, (name, p) in enumerate(sorted(ps.items(), key=lambda pair: pair[1])):
        last = max(last, min(1.0, p * (len(ps) - n)))
        corrected[name] = last
    return corrected


def _interval(drawn: Floats) -> tuple[float, float]:
    tail = (1 - LEVEL) / 2 * 100
    low, high = np.nanpercentile(drawn, [tail, 100 - tail])
    return float(low), float(high)


def _weights(judged: Sequence[Judged], seed: int) -> Floats:
    """How often each case counts: first as it is, then in each resample. [1 + resamples, cases]"""
    rng = np.random.default_rng(seed)
    made = np.ones((1 + RESAMPLES, len(judged)), np.float32)
    by_category: defaultdict[str, list[int]] = defaultdict(list)
    for n, each in enumerate(judged):
        by_category[each.category].append(n)
    for cases in by_category.values():
        groups = [judged[n].group or judged[n].case for n in cases]
        places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
        count = len(places)
        picks = rng.integers(0, count, (RESAMPLES, count), np.int32)
        picks += np.arange(0, RESAMPLES * count, count, dtype=np.int32)[:, None]
        drawn = np.bincount(picks.ravel(), minlength=RESAMPLES * count).reshape(RESAMPLES, count)
        made[1:, cases] = drawn[:, [places[group] for group in groups]]
    return made


def _resampled(score: Score, judged: Sequence[Judged], weights: Floats) -> Floats | None:
    """The score, and the score in each resample; None where a part was not run."""
    if isinstance(score, Leaf):
        return _leaf(score, judged, weights)
    parts = [_resampled(part, judged, weights) for part in score.parts]
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts):
        return None
    shares = np.array(score.weights or [1.0] * len(whole))
    mean: Floats = np.tensordot(shares / shares.sum(), np.stack(whole), 1)
    return mean


def _leaf(leaf: Leaf, judged: Sequence[Judged], weights: Floats) -> Floats | None:
    made, of, mine = [], [], []
    for n, each in enumerate(judged):
        if each.category not in leaf.counted:
            continue
        some = [verdict.measures.get(leaf.measure, (0.0, 0.0)) for verdict in each.verdicts]
        made.append(fmean(done for done, _ in some))
        of.append(fmean(whole for _, whole in some))
        mine.append(n)
    there = {each.category for each in judged}
    if not set(leaf.counted) <= there or not sum(of):
        return None
    drawn = weights[:, mine]
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (drawn @ np.array(made)) / (drawn @ np.array(of))
    return found


def _count(score: Score, judged: Sequence[Judged]) -> int:
    leaves = _leaves(score)
    categories = {category for leaf in leaves for category in leaf.counted}
    return sum(each.category in categories for each in judged)


def _leaves(score: Score) -> list[Leaf]:
    if isinstance(score, Leaf):
        return [score]
    return [leaf for part in score.parts for leaf in _leaves(part)]
