"""What a run came to, in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from botpsy.chat.loops import loops
from botpsy.chat.types import Completion
from botpsy.evals.case import MODEL, Leaf, Score, Suite
from botpsy.evals.record import Record, judged_of
from botpsy.evals.statistics import Value, pass_k, values


@dataclass(frozen=True, slots=True)
class Spent:
    """What replies took.

    Attributes:
        replies, prompt_tokens, reply_tokens, reasoning_tokens: in all.
        seconds, p95_s: of a case, the median and the 95th percentile.
        tokens_per_s: of a reply's decoding, the median; 0 where the engine does not say.
    """

    replies: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    reasoning_tokens: int = 0
    seconds: float = 0.0
    p95_s: float = 0.0
    tokens_per_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """The numbers of one run.

    Attributes:
        name: the suite's, and what of it was run: a part is never called by the whole's name.
        scores: by name, in the suite's order; the first is the suite's own.
        bounds: what do-nothing, always-call and gold get of the first score.
        cases, trials: that have a verdict.
        errors, faults: trials without one: the engine's, and ours.
        parse_failures, overflows, limit_hits, loops: shares of the model's replies: not readable
            or no valid call; prompts beyond the window; cut at the token limit; ending in a loop.
        pass_k: by k, of the suite's success.
    """

    suite: str
    name: str
    scores: Mapping[str, Value]
    bounds: Mapping[str, float]
    cases: int
    trials: int
    errors: int
    faults: int
    parse_failures: float
    overflows: float
    limit_hits: float
    loops: float
    pass_k: Mapping[int, float] = field(default_factory=dict)
    spent: Spent = Spent()

    @property
    def whole(self) -> bool:
        """Whether every case has its verdict."""
        return not self.errors and not self.faults

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self)


def result_of(
    suite: Suite, records: Sequence[Record], bounds: Mapping[str, float], *, limit: int = 0
) -> Result:
    """The numbers of a run; ``limit`` as it was asked for."""
    judged = judged_of(records)
    trials = [each for each in records if each.verdict is not None]
    replies = [turn.completion for each in trials for turn in each.turns if turn.role == MODEL]
    most = max((len(each.verdicts) for each in judged), default=0)
    rates = {} if most < 2 or not suite.success else _pass_rates(suite, judged, most)
    return Result(
        suite.name,
        name_of(suite, limit),
        values(flat(suite.scores), judged),
        bounds,
        cases=len(judged),
        trials=len(trials),
        errors=sum(bool(each.error) for each in records),
        faults=sum(bool(each.fault) for each in records),
        parse_failures=_share(replies, unreadable),
        overflows=_share(replies, lambda reply: reply.finish_reason == "error"),
        limit_hits=_share(replies, lambda reply: reply.finish_reason == "length"),
        loops=_share(replies, lambda reply: loops(reply.raw.split())),
        pass_k=rates,
        spent=_spent(trials, replies),
    )


def name_of(suite: Suite, limit: int) -> str:
    """What a run is called."""
    sample = f", a sample of {limit} cases" if limit else ""
    partial = f", without {suite.partial}" if suite.partial else ""
    return suite.title + partial + sample


def flat(scores: Sequence[Score]) -> list[Score]:
    """All scores of a tree, those that are made of others before these; each name once."""
    found: dict[str, Score] = {}
    for score in scores:
        found.setdefault(score.name, score)
        if not isinstance(score, Leaf):
            for part in flat(score.parts):
                found.setdefault(part.name, part)
    return list(found.values())


def unreadable(reply: Completion) -> bool:
    """Whether a reply could not be read or made a call that does not fit its schema. One that was
    cut off at the limit is counted there."""
    return bool(reply.problem) and reply.finish_reason not in ("error", "length", "cancelled")


def _pass_rates(suite: Suite, judged: Sequence[Any], most: int) -> dict[int, float]:
    found = {k: pass_k(judged, suite.success, k) for k in range(1, most + 1)}
    return {k: rate for k, rate in found.items() if rate is not None}


def _share(replies: Sequence[Completion], what: Any) -> float:
    return sum(map(what, replies)) / len(replies) if replies else 0.0


def _spent(trials: Sequence[Record], replies: Sequence[Completion]) -> Spent:
    seconds = sorted(each.seconds for each in trials)
    speeds = [
        reply.usage.completion_tokens / reply.timings.decode_s
        for reply in replies
        if reply.timings.decode_s > 0
    ]
    return Spent(
        len(replies),
        sum(reply.usage.prompt_tokens for reply in replies),
        sum(reply.usage.completion_tokens for reply in replies),
        sum(reply.usage.reasoning_tokens for reply in replies),
        median(seconds) if seconds else 0.0,
        seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))] if seconds else 0.0,
        median(speeds) if speeds else 0.0,
    )
