"""The pictures of a report, as PNG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from botpsy.errors import UsageError
from botpsy.train.recipe import TrainRecipe
from botpsy.train.report.seen import Seen

ACROSS = 3
PHASES = ("sampled_s", "acted_s", "judged_s", "learn_s")
"""Of a step that samples: drawing, worlds, rewards, learning."""
WORDS = {"sampled_s": "sampling", "acted_s": "worlds", "judged_s": "rewards", "learn_s": "learning"}


class Panel(NamedTuple):
    """One small picture: which figures, under which title."""

    title: str
    wanted: Callable[[str], bool]


BROKEN = ("all/unreadable", "all/loops", "all/fault")
PANELS = (
    Panel("loss", lambda name: name == "loss"),
    Panel("gradient norm", lambda name: name == "grad_norm"),
    Panel("learning rate", lambda name: name == "learning_rate"),
    Panel("reward by part of the mix", lambda name: name.endswith("/reward")),
    Panel("divergence from the teacher (nats)", lambda name: name.startswith("kl/")),
    Panel("groups that teach", lambda name: name in ("groups/kept", "groups/found")),
    Panel("entropy (nats)", lambda name: name == "entropy"),
    Panel("clipped", lambda name: name.startswith("clip/")),
    Panel("drift of sampler and trainer", lambda name: name == "drift"),
    Panel("sampled tokens", lambda name: name in ("all/length/mean", "all/length/max")),
    Panel("met a limit", lambda name: name.startswith("all/limit/")),
    Panel("unreadable, looping, at fault", lambda name: name in BROKEN),
    Panel("tokens a second", lambda name: name == "tokens_per_s"),
)


def overview(stages: Sequence[Seen], recipe: TrainRecipe) -> bytes:
    """The loss and each suite, the student's stages one after another, teachers' dashed."""
    suites = [each.name for each in recipe.suite]
    axes, done = _axes(["training loss", *suites])
    at: dict[str, int] = {}
    for stage in stages:
        begin = at.get(stage.start, 0)
        taught = stage.name.startswith("teacher-")
        style: dict[str, Any] = {"linestyle": "--" if taught else "-", "linewidth": 1.2}
        lines = [line for line in stage.metrics if "loss" in line]
        shown = [begin + line["step"] for line in lines]
        [drawn] = axes[0].plot(shown, [line["loss"] for line in lines], label=stage.name, **style)
        for axis, name in zip(axes[1:], suites, strict=True):
            axis.plot(
                [begin + point.step for point in stage.points],
                [point.suites.get(name, math.nan) for point in stage.points],
                marker="o", markersize=3, color=drawn.get_color(), **style,
            )  # fmt: skip
            if stage.best:
                value = stage.best.suites.get(name, math.nan)
                axis.plot([begin + stage.best.step], [value], "*", color=drawn.get_color())
        at[stage.name] = begin + max([0, *(point.step for point in stage.points)])
    if stages:
        axes[0].legend(fontsize=7)
    return done()


def logged(stage: Seen) -> bytes:
    """All that a stage logged, a small picture for each kind; seconds by phase stacked."""
    names = dict.fromkeys(name for line in stage.metrics for name in line)
    panels = [
        (panel.title, mine)
        for panel in PANELS
        if (mine := [name for name in names if panel.wanted(name)])
    ]
    phases = [name for name in PHASES if f"time/{name}" in names]
    titles = [title for title, _ in panels] + (["seconds of a generation"] if phases else [])
    axes, done = _axes(titles)
    for axis, (_, mine) in zip(axes, panels, strict=False):
        for name in mine:
            lines = [line for line in stage.metrics if name in line]
            axis.plot([line["step"] for line in lines], _finite(line[name] for line in lines),
                      label=name, linewidth=1.0)  # fmt: skip
        if len(mine) > 1:
            axis.legend(fontsize=6)
    if phases:
        lines = [line for line in stage.metrics if f"time/{phases[0]}" in line]
        axes[len(panels)].stackplot(
            [line["step"] for line in lines],
            [[line.get(f"time/{name}", 0.0) for line in lines] for name in phases],
            labels=[WORDS[name] for name in phases],
        )
        axes[len(panels)].legend(fontsize=6, loc="upper left")
    return done()


def _finite(values: Iterable[float]) -> list[float]:
    """Values, with a gap where there is no number."""
    return [value if math.isfinite(value) else math.nan for value in values]


def _axes(titles: Sequence[str]) -> tuple[Sequence[Any], Callable[[], bytes]]:
    """Axes with titles, and how to get the picture of them."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise UsageError(
            "The pictures of a report need matplotlib.", "Install it: pip install 'botpsy[train]'."
        ) from None
    down = max(1, math.ceil(len(titles) / ACROSS))
    figure = Figure(figsize=(4.2 * ACROSS, 2.8 * down), layout="constrained")
    axes = list(figure.subplots(down, ACROSS, squeeze=False).flatten())
    for axis, title in zip(axes, titles, strict=False):
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("step", fontsize=7)
        axis.tick_params(labelsize=7)
        axis.grid(alpha=0.3)
    for axis in axes[len(titles) :]:
        axis.set_visible(False)

    def done() -> bytes:
        made = BytesIO()
        figure.savefig(made, format="png", dpi=110)
        return made.getvalue()

    return axes[: len(titles)], done
