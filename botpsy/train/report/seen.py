"""What a run's folder tells of its stages."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botpsy.errors import UsageError
from botpsy.train.recipe import TrainRecipe
from botpsy.train.selection import Point, read_points


@dataclass(frozen=True)
class Seen:
    """One stage as far as it came.

    Attributes:
        start: the stage it began from, or the base.
        points: the suites, checkpoint by checkpoint.
        metrics: one mapping a step.
        chosen: what ``selection.json`` says; nothing while the stage is not done.
    """

    name: str
    start: str
    points: Sequence[Point]
    metrics: Sequence[Mapping[str, float]]
    chosen: Mapping[str, Any]

    @property
    def best(self) -> Point | None:
        """The chosen checkpoint; None while there is none."""
        return next((each for each in self.points if each.step == self.chosen.get("step")), None)

    def total(self, name: str) -> float:
        """The sum of a figure over all steps."""
        return math.fsum(line.get(name, 0.0) for line in self.metrics)


def stages_of(folder: Path, recipe: TrainRecipe) -> list[Seen]:
    """The stages of a run that were begun, in order.

    Raises:
        UsageError: there is no run in the folder.
    """
    if not (folder / "run.json").is_file():
        raise UsageError(f"{folder} holds no run yet.", "Start it with `botpsy train`.")
    return [
        Seen(
            name,
            recipe.before(name) or recipe.base_of(name),
            read_points(folder / name / "evals.jsonl"),
            _lines(folder / name / "metrics.jsonl"),
            _stored(folder / name / "selection.json"),
        )
        for name in recipe.stages()
        if (folder / name).is_dir()
    ]


def _stored(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def _lines(path: Path) -> list[dict[str, float]]:
    """Whole lines; a run that is under way may be writing one."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found
