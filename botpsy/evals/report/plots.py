"""The pictures of reports, as PNG; they need matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib.util import find_spec
from io import BytesIO
from textwrap import shorten
from typing import Any

from botpsy.evals.statistics import Value

MOST_BARS = 24
MOST_LETTERS = 40
"""Of a bar's name; a longer one would leave no room for bars."""


def can_draw() -> bool:
    """Whether matplotlib is installed (the train extra)."""
    return find_spec("matplotlib") is not None


def bars(scores: Mapping[str, Mapping[str, Value]]) -> bytes:
    """Each score's bar with its interval, the models side by side."""
    names = list(dict.fromkeys(name for mine in scores.values() for name in mine))[:MOST_BARS]
    figure, axis = _figure(7.0, 1.0 + 0.28 * len(names) * len(scores) + 0.2 * len(names))
    height = 0.8 / max(1, len(scores))
    for n, (model, mine) in enumerate(scores.items()):
        there = [(at, mine[name]) for at, name in enumerate(names) if name in mine]
        drawn = [(at, each, each.value) for at, each in there if each.value is not None]
        axis.barh(
            [at + n * height for at, _, _ in drawn],
            [100 * value for _, _, value in drawn],
            height,
            xerr=[
                [100 * max(0.0, value - each.low) for _, each, value in drawn],
                [100 * max(0.0, each.high - value) for _, each, value in drawn],
            ],
            label=model,
            capsize=2,
        )
    shown = [shorten(name, MOST_LETTERS, placeholder=" …") for name in names]
    axis.set_yticks([at + 0.4 - height / 2 for at in range(len(names))], shown, fontsize=8)
    axis.invert_yaxis()
    axis.set_xlabel("% (95 % interval)", fontsize=8)
    if len(scores) > 1:
        axis.legend(fontsize=7)
    return _png(figure)


def radar(shares: Mapping[str, Mapping[str, float]]) -> bytes:
    """The share of successes by domain, a line a model."""
    domains = list(dict.fromkeys(name for mine in shares.values() for name in mine))
    figure, axis = _figure(5.5, 5.0, polar=True)
    angles = [2 * math.pi * n / len(domains) for n in range(len(domains))]
    for model, mine in shares.items():
        values = [100 * mine.get(name, math.nan) for name in domains]
        axis.plot([*angles, angles[0]], [*values, values[0]], label=model, linewidth=1.2)
    axis.set_xticks(angles, domains, fontsize=7)
    axis.set_ylim(0, 100)
    axis.legend(fontsize=7, loc="lower right")
    return _png(figure)


def scatter(points: Mapping[str, tuple[float, float]], across: str, up: str) -> bytes:
    """A point a model: tokens against score."""
    figure, axis = _figure(5.5, 4.0)
    for model, (x, y) in points.items():
        axis.plot([x], [y], "o")
        axis.annotate(model, (x, y), fontsize=7, xytext=(4, 4), textcoords="offset points")
    axis.set_xlabel(across, fontsize=8)
    axis.set_ylabel(up, fontsize=8)
    axis.margins(0.2)
    return _png(figure)


def _figure(width: float, height: float, *, polar: bool = False) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axis = figure.add_subplot(projection="polar" if polar else None)
    axis.grid(alpha=0.3)
    return figure, axis


def _png(figure: Any) -> bytes:
    made = BytesIO()
    figure.savefig(made, format="png", dpi=110)
    return made.getvalue()
