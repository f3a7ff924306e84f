"""Several runs held against each other: scores, what differs beyond chance, which cases flipped.

Runs of one suite are paired by case. The first run of a suite is what the others are held against.
p is McNemar's exact test of successes, corrected for the number of comparisons by Holm's method;
the difference of the suite's score has an interval by the paired bootstrap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from botpsy.data.files import write_whole
from botpsy.evals.case import MODEL
from botpsy.evals.record import Record, judged_of
from botpsy.evals.report.plots import bars, can_draw, radar, scatter
from botpsy.evals.report.single import percent
from botpsy.evals.runs import Loaded
from botpsy.evals.statistics import Value, difference, holm, mcnemar
from botpsy.page import document, picture, table

SHOWN = 30
"""Flipped cases that are listed of each pair."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs of one suite.

    Attributes:
        gain: of the suite's score, from the first to the second.
        won, lost: cases that succeed in the second alone, in the first alone.
        p: corrected; None where the suite has no successes.
    """

    suite: str
    first: str
    second: str
    gain: Value
    won: tuple[str, ...]
    lost: tuple[str, ...]
    p: float | None


@dataclass(frozen=True, slots=True)
class Efficiency:
    """What a model takes, over all of its runs; the first two over cases that all models solve."""

    reasoning_tokens: float
    turns: float
    loops: float
    limit_hits: float
    seconds: float
    tokens_per_s: float


@dataclass(frozen=True)
class Comparison:
    """See the module.

    Attributes:
        scores: suite -> model -> its own number.
        details: suite -> model -> all scores.
        domains: model -> domain -> share of successes.
    """

    scores: Mapping[str, Mapping[str, Value]]
    details: Mapping[str, Mapping[str, Mapping[str, Value]]]
    pairs: Sequence[Pair]
    domains: Mapping[str, Mapping[str, float]]
    efficiency: Mapping[str, Efficiency]
    incomplete: Sequence[str]

    @property
    def models(self) -> list[str]:
        """In the order in which they were named."""
        return list(dict.fromkeys(model for mine in self.scores.values() for model in mine))

    def to_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    def rows(self) -> list[list[str]]:
        """Suite by model."""
        return [
            [suite, *(percent(mine[model]) if model in mine else "–" for model in self.models)]
            for suite, mine in self.scores.items()
        ]

    def pair_rows(self) -> list[list[str]]:
        """What differs, and whether beyond chance."""
        return [
            [
                f"{pair.suite}: {pair.first} → {pair.second}",
                percent(pair.gain),
                f"{len(pair.won)} won, {len(pair.lost)} lost",
                "" if pair.p is None else f"{pair.p:.3g}",
            ]
            for pair in self.pairs
        ]

    def efficiency_rows(self) -> list[list[str]]:
        """What each model takes."""
        return [
            [
                model,
                f"{each.reasoning_tokens:.0f}",
                f"{each.turns:.2f}",
                f"{each.loops:.1%}",
                f"{each.limit_hits:.1%}",
                f"{each.seconds:.2f}",
                f"{each.tokens_per_s:.0f}" if each.tokens_per_s else "–",
            ]
            for model, each in self.efficiency.items()
        ]

    def markdown(self) -> str:
        """The tables, and the cases that flipped."""
        parts = [
            "\n".join(f"INCOMPLETE: {each}" for each in self.incomplete),
            _table(["Suite", *self.models], self.rows()),
            _table(["Pair", "Gain", "Cases", "p (Holm)"], self.pair_rows()) if self.pairs else "",
            _table(["Model", *EFFICIENCY], self.efficiency_rows()),
            *(
                f"{pair.suite}, {pair.first} → {pair.second}, {word}: {_listed(cases)}"
                for pair in self.pairs
                for word, cases in (("won", pair.won), ("lost", pair.lost))
                if cases
            ),
        ]
        return "\n\n".join(filter(None, parts)) + "\n"


EFFICIENCY = (
    "reasoning tokens (jointly solved)",
    "turns (jointly solved)",
    "loops",
    "at the token limit",
    "s a case",
    "tokens/s",
)


def comparison_of(runs: Sequence[Loaded]) -> Comparison:
    """Hold runs against each other."""
    named = _named(runs)
    by_suite: defaultdict[str, dict[str, Loaded]] = defaultdict(dict)
    for model, each in named:
        by_suite[each.result.name][model] = each
    pairs = [pair for name, mine in by_suite.items() for pair in _pairs(name, list(mine.items()))]
    tested = {n: pair.p for n, pair in enumerate(pairs) if pair.p is not None}
    corrected = holm({str(n): p for n, p in tested.items()})
    pairs = [replace(pair, p=corrected.get(str(n))) for n, pair in enumerate(pairs)]
    by_model: defaultdict[str, list[Loaded]] = defaultdict(list)
    for model, each in named:
        by_model[model].append(each)
    return Comparison(
        {
            name: {model: next(iter(each.result.scores.values())) for model, each in mine.items()}
            for name, mine in by_suite.items()
        },
        {
            name: {model: each.result.scores for model, each in mine.items()}
            for name, mine in by_suite.items()
        },
        pairs,
        {model: found for model, some in by_model.items() if (found := _domains(some))},
        _efficiency(by_model),
        [
            f"{model}, {each.result.name}: {each.result.errors} errors, {each.result.faults} faults"
            for model, each in named
            if not each.result.whole
        ],
    )


def write_comparison(made: Comparison, out: Path) -> list[Path]:
    """Write the page, the Markdown and, where they can be drawn, the pictures."""
    out.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, tuple[bytes, str]] = {}
    if can_draw():
        first = {
            model: {name: mine[model] for name, mine in made.scores.items() if model in mine}
            for model in made.models
        }
        pictures["scores"] = bars(first), "Scores of the suites with their intervals"
        if made.domains:
            pictures["domains"] = radar(made.domains), "Share of successes by domain"
        points = {
            model: (each.reasoning_tokens, 100 * mean)
            for model, each in made.efficiency.items()
            if (mean := _mean(made, model)) is not None
        }
        if points:
            drawn = scatter(points, "reasoning tokens on jointly solved cases", "mean score, %")
            pictures["tokens"] = drawn, "Reasoning tokens against mean score"
    body = [
        "<h1>Comparison</h1>",
        *(f'<p class="worse">INCOMPLETE: {escape(each)}</p>' for each in made.incomplete),
        table(["suite", *made.models], made.rows()),
        table(["pair", "gain", "cases", "p (Holm)"], made.pair_rows()) if made.pairs else "",
        table(["model", *EFFICIENCY], made.efficiency_rows()),
        *(picture(png, alt) for png, alt in pictures.values()),
        *_details(made),
        *(f"<p>{escape(_flips(pair))}</p>" for pair in made.pairs),
    ]
    files = {
        "report.html": document("Comparison", body).encode("utf-8", "replace"),
        "report.md": made.markdown().encode("utf-8", "replace"),
    } | {f"{name}.png": png for name, (png, _) in pictures.items()}
    for name, content in files.items():
        write_whole(out / name, content)
    return [out / name for name in files]


def _named(runs: Sequence[Loaded]) -> list[tuple[str, Loaded]]:
    """Each run with its column: the model's name, and more where two would be the same."""
    found: list[tuple[str, Loaded]] = []
    seen: defaultdict[tuple[str, str], int] = defaultdict(int)
    for each in runs:
        key = (each.model, each.result.name)
        seen[key] += 1
        found.append((each.model if seen[key] == 1 else f"{each.model} ({seen[key]})", each))
    return found


def _pairs(name: str, runs: Sequence[tuple[str, Loaded]]) -> list[Pair]:
    (first, base), *others = runs
    before = judged_of(base.records)
    score, success = base.suite.scores[0], base.suite.success
    found = []
    for second, other in others:
        after = judged_of(other.records)
        gain = difference(score, before, after)
        if not success:
            found.append(Pair(name, first, second, gain, (), (), None))
            continue
        had, has = _successes(base.records, success), _successes(other.records, success)
        shared = had.keys() & has.keys()
        won = tuple(sorted(case for case in shared if has[case] > had[case]))
        lost = tuple(sorted(case for case in shared if has[case] < had[case]))
        p = mcnemar(len(won), len(lost))
        found.append(Pair(name, first, second, gain, won, lost, p))
    return found


def _successes(records: Sequence[Record], success: str) -> dict[str, float]:
    """The share of a case's trials that succeed."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for each in records:
        if each.verdict is not None and success in each.verdict.measures:
            found[each.case].append(float(each.verdict.measures[success][0] > 0))
    return {case: fmean(oks) for case, oks in found.items()}


def _domains(runs: Sequence[Loaded]) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        domain = {each.case: each.domain for each in run.records}
        for case, share in _successes(run.records, run.suite.success).items():
            if domain[case]:
                found[domain[case]].append(share)
    return {name: fmean(shares) for name, shares in sorted(found.items())}


def _efficiency(by_model: Mapping[str, Sequence[Loaded]]) -> dict[str, Efficiency]:
    solved = [
        {
            (run.result.name, case)
            for run in runs
            for case, share in _successes(run.records, run.suite.success).items()
            if share == 1.0
        }
        for runs in by_model.values()
    ]
    joint = set.intersection(*solved) if solved else set()
    return {model: _of(runs, joint) for model, runs in by_model.items()}


def _of(runs: Sequence[Loaded], joint: set[tuple[str, str]]) -> Efficiency:
    mine = [
        [turn.completion for turn in each.turns if turn.role == MODEL]
        for run in runs
        for each in run.records
        if (run.result.name, each.case) in joint
    ]
    spent = [run.result.spent for run in runs]
    replies = sum(each.replies for each in spent) or 1
    weighed = [(run.result, run.result.spent.replies / replies) for run in runs]
    speeds = [each.tokens_per_s for each in spent if each.tokens_per_s]
    return Efficiency(
        fmean(sum(reply.usage.reasoning_tokens for reply in some) for some in mine) if mine else 0,
        fmean(map(len, mine)) if mine else 0.0,
        sum(result.loops * share for result, share in weighed),
        sum(result.limit_hits * share for result, share in weighed),
        fmean(each.seconds for each in spent),
        fmean(speeds) if speeds else 0.0,
    )


def _mean(made: Comparison, model: str) -> float | None:
    """Over all suites, if the model has them all."""
    found = [mine[model].value for mine in made.scores.values() if model in mine]
    whole = [value for value in found if value is not None]
    return fmean(whole) if len(whole) == len(made.scores) else None


def _details(made: Comparison) -> list[str]:
    found = []
    for suite, mine in made.details.items():
        names = list(dict.fromkeys(name for scores in mine.values() for name in scores))
        rows = [
            [name, *(percent(scores[name]) if name in scores else "–" for scores in mine.values())]
            for name in names
        ]
        found.append(f"<h2>{escape(suite)}</h2>{table(['score', *mine], rows)}")
    return found


def _flips(pair: Pair) -> str:
    return (
        f"{pair.suite}, {pair.first} → {pair.second}. Won: {_listed(pair.won) or 'none'}."
        f" Lost: {_listed(pair.lost) or 'none'}."
    )


def _listed(cases: Sequence[str]) -> str:
    more = f", … ({len(cases) - SHOWN} more)" if len(cases) > SHOWN else ""
    return ", ".join(cases[:SHOWN]) + more


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
