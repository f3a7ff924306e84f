"""Which checkpoint of a stage goes on: the best on the held-out suite that the recipe names.

The stage's start is a candidate like every checkpoint, so a stage that only harms changes nothing.
A checkpoint that makes a guarded suite worse than it may get against the start is passed over, and
the reason says so. Of equals the earliest is chosen. Needs no torch.
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
    value = point.suites[suite.name]
    return math.sqrt(max(0.0, value * (1 - value)) / cases)


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
    by_name = {suite.name: suite for suite in suites}
    for point in points:
        for name, value in point.suites.items():
            if not math.isfinite(value):
                raise BotpsyError(f"After step {point.step} the suite {name} has no finite value.")
    sign = -1.0 if by_name[select].lower_is_better else 1.0

    def merit(point: Point) -> float:
        return sign * point.suites[select]

    sound = [point for point in points if not _broken(point, start, suites)]
    best = max(sound, key=lambda point: (merit(point), -point.step))
    value, before = best.suites[select], start.suites[select]
    passed_over = [point for point in points if merit(point) > merit(best)]
    error = error_of(best, by_name[select])
    reason = (
        f"{select} is {value:.4g}{f' ± {error:.2g}' if error else ''}, at the start {before:.4g};"
        f" best of {len(points)} checkpoints"
    )
    if best is start:
        reason = f"no checkpoint is better than the start, whose {select} is {value:.4g}"
    if passed_over:
        finest = max(passed_over, key=merit)
        reason += f"; step {finest.step} has {finest.suites[select]:.4g}, but " + ", ".join(
            _broken(finest, start, suites)
        )
    return Choice(best.step, value, before, reason)


def _broken(point: Point, start: Point, suites: Sequence[SuiteRecipe]) -> list[str]:
    """Guarded suites that are worse than they may be."""
    found = []
    for suite in suites:
        if suite.guard is None:
            continue
        now, before = point.suites[suite.name], start.suites[suite.name]
        worse = now - before if suite.lower_is_better else before - now
        if worse > suite.guard:
            found.append(f"{suite.name} went from {before:.4g} to {now:.4g}")
    return found


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
