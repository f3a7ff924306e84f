"""Which checkpoint of a stage goes on: the best on the held-out suite that the recipe names.

The stage's start is a candidate like every checkpoint, so a stage that only harms changes nothing.
A checkpoint that makes a guarded suite worse than it may get against the start is passed over, and
the reason says so; of the one that goes on it names every guarded suite that is worse at all. Of
equals the earliest is chosen. The value alone decides; whether a difference may be chance is said.
Needs no torch.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from botpsy.data.files import write_whole
from botpsy.errors import BotpsyError
from botpsy.train.sections import SuiteRecipe

SURE = 2.0
"""So many standard errors of a difference are seldom chance."""


@dataclass(frozen=True, slots=True)
class Point:
    """What the suites said after so many steps; step 0 is the stage's start.

    Attributes:
        cases: how many each suite had.
    """

    step: int
    suites: Mapping[str, float]
    cases: Mapping[str, int] = field(default_factory=dict)


def error_of(point: Point, suite: SuiteRecipe) -> float:
    """The standard error of a suite that counts cases; 0 where it is not known."""
    cases = point.cases.get(suite.name, 0)
    if suite.kind == "loss" or not cases:
        return 0.0
    return _deviation(point.suites[suite.name]) / math.sqrt(cases)


def may_be_chance(start: Point, now: Point, suite: SuiteRecipe) -> bool:
    """Whether two samples of a suite's size would often differ by as much as these two points.

    Less than two standard errors of a difference between two shares that are really one, their
    mean. The cases are the same ones each time, which makes less chance than this supposes. False
    where the number of cases is not known, and for losses.
    """
    cases = min(start.cases.get(suite.name, 0), now.cases.get(suite.name, 0))
    if suite.kind == "loss" or not cases:
        return False
    before, after = start.suites[suite.name], now.suites[suite.name]
    error = _deviation((before + after) / 2) * math.sqrt(2 / cases)
    return 0 < abs(after - before) < SURE * error


def _deviation(share: float) -> float:
    """Of one case that is right with that probability."""
    return math.sqrt(max(0.0, share * (1 - share)))


def told(point: Point, suite: SuiteRecipe) -> str:
    """A suite's value in words, with its standard error where that is known."""
    error = error_of(point, suite)
    return f"{point.suites[suite.name]:.4g}" + (f" ± {error:.2g}" if error else "")


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen point.

    Attributes:
        step: 0 for the stage's start.
        value, start: of the suite that chooses, here and at step 0.
        reason: in words.
    """

    step: int
    value: float
    start: float
    reason: str


def choose(points: Sequence[Point], suites: Sequence[SuiteRecipe], select: str) -> Choice:
    """The best point. ``points`` begin with step 0.

    Raises:
        BotpsyError: a suite has no finite value, so that nothing can be compared.
    """
    assert points, "the start of a stage is measured first"
    start = points[0]
    assert start.step == 0, "the start of a stage is measured first"
    chooser = next(suite for suite in suites if suite.name == select)
    for point in points:
        for name, value in point.suites.items():
            if not math.isfinite(value):
                raise BotpsyError(
                    f"After step {point.step} the suite {name} has no finite value.",
                    "The weights are broken: lower the learning rate, or look at the last rows.",
                )
    sign = -1.0 if chooser.lower_is_better else 1.0

    def merit(point: Point) -> float:
        return sign * point.suites[select]

    sound = [point for point in points if not broken(point, start, suites)]
    best = max(sound, key=lambda point: (merit(point), -point.step))
    passed_over = [point for point in points if merit(point) > merit(best)]
    if best is start:
        said = [f"no checkpoint is better than the start, whose {select} is {told(start, chooser)}"]
    else:
        chance = ", which may be chance" if may_be_chance(start, best, chooser) else ""
        said = [
            f"{select} is {told(best, chooser)}, at the start {told(start, chooser)}{chance}",
            f"best of {len(points)} checkpoints",
        ]
    said += [f"guarded {each}" for each in worse(best, start, suites)]
    if passed_over:
        finest = max(passed_over, key=merit)
        why = ", ".join(broken(finest, start, suites))
        said.append(f"step {finest.step} has {told(finest, chooser)}, but {why}")
    return Choice(best.step, best.suites[select], start.suites[select], "; ".join(said))


def broken(point: Point, start: Point, suites: Sequence[SuiteRecipe]) -> list[str]:
    """Guarded suites that are worse than they may be, in words."""
    return [
        _went(point, start, each)
        for each in suites
        if each.guard is not None and _lost(point, start, each) > each.guard
    ]


def worse(point: Point, start: Point, suites: Sequence[SuiteRecipe]) -> list[str]:
    """Guarded suites that are worse than at the start, however little, in words."""
    return [
        _went(point, start, each)
        for each in suites
        if each.guard is not None and _lost(point, start, each) > 0
    ]


def _lost(point: Point, start: Point, suite: SuiteRecipe) -> float:
    gain = point.suites[suite.name] - start.suites[suite.name]
    return gain if suite.lower_is_better else -gain


def _went(point: Point, start: Point, suite: SuiteRecipe) -> str:
    return f"{suite.name} went from {told(start, suite)} to {told(point, suite)}"


def read_points(path: Path) -> list[Point]:
    """The points in an ``evals.jsonl``, none if there is no such file; a torn line is no point."""
    if not path.exists():
        return []
    points = []
    for line in path.read_text("utf-8").splitlines():
        try:
            stored = json.loads(line)
            points.append(Point(stored["step"], stored["suites"], stored.get("cases", {})))
        except (ValueError, KeyError):
            break
    return points


def write_points(path: Path, points: Sequence[Point]) -> None:
    """Write all points, all or nothing."""
    lines = [json.dumps(asdict(point)) for point in points]
    write_whole(path, ("\n".join(lines) + "\n").encode() if lines else b"")
