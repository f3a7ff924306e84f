"""A run on one page: what each stage chose and why, every suite at every checkpoint, the curves.

``report.html`` stands alone; ``curves.png`` is the picture in it.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from botpsy.data.files import write_whole
from botpsy.train.recipe import TrainRecipe
from botpsy.train.selection import Point, read_points

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .2rem .8rem; border-bottom: 1px solid #ccc; text-align: right }
td:first-child, th:first-child { text-align: left }
.chosen { font-weight: 600; background: #eef7ee } img { max-width: 100% }
"""


def write_report(folder: Path, recipe: TrainRecipe) -> None:
    """Write the report of what there is so far."""
    stages = [name for name in recipe.stages() if (folder / name).is_dir()]
    points = {name: read_points(folder / name / "evals.jsonl") for name in stages}
    metrics = {name: _lines(folder / name / "metrics.jsonl") for name in stages}
    picture = _curves(points, metrics)
    write_whole(folder / "curves.png", picture)
    run = json.loads((folder / "run.json").read_text("utf-8"))
    body = [f"<h1>{escape(recipe.name)}</h1>", _about(run)]
    body.append(f'<img alt="curves" src="data:image/png;base64,{_text(picture)}">')
    body += [_stage(folder / name, points[name], metrics[name]) for name in stages]
    page = f"<!doctype html><meta charset=utf-8><title>{escape(recipe.name)}</title>"
    write_whole(
        folder / "report.html", (page + f"<style>{_STYLE}</style>" + "".join(body)).encode()
    )


def _about(run: Mapping[str, Any]) -> str:
    packages = ", ".join(f"{name} {version}" for name, version in run["packages"].items())
    return (
        f"<p>botpsy {escape(run['botpsy'])}, seed {run['seed']}, recipe {escape(run['recipe'])};"
        f" {escape(packages)}.</p>"
    )


def _stage(folder: Path, points: Sequence[Point], metrics: Sequence[Mapping[str, Any]]) -> str:
    chosen: dict[str, Any] = {}
    if (folder / "selection.json").is_file():
        chosen = json.loads((folder / "selection.json").read_text("utf-8"))
    said = f"<h2>{escape(folder.name)}</h2>"
    if chosen:
        said += f"<p>Step {chosen['step']} goes on: {escape(chosen['reason'])}.</p>"
    tokens = sum(line.get("tokens", 0) for line in metrics)
    seconds = sum(line.get("seconds", 0.0) for line in metrics)
    if tokens:
        said += f"<p>{tokens:,} tokens in {seconds:,.0f} s of training.</p>"
    names = list(points[0].suites) if points else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = "".join(_row(point, names, chosen.get("step")) for point in points)
    return said + f"<table><tr><th>step</th>{head}</tr>{rows}</table>"


def _row(point: Point, names: Sequence[str], chosen: int | None) -> str:
    cells = "".join(f"<td>{point.suites[name]:.4g}</td>" for name in names)
    mark = ' class="chosen"' if point.step == chosen else ""
    return f"<tr{mark}><td>{point.step}</td>{cells}</tr>"


def _curves(
    points: Mapping[str, Sequence[Point]], metrics: Mapping[str, Sequence[Mapping[str, Any]]]
) -> bytes:
    """One row of pictures: the loss, then each suite, the stages side by side."""
    from matplotlib.figure import Figure

    suites = list(
        dict.fromkeys(name for each in points.values() for p in each for name in p.suites)
    )
    wide = 1 + len(suites)
    across = min(3, wide)
    down = math.ceil(wide / across)
    figure = Figure(figsize=(4.5 * across, 3.2 * down), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False).flatten()
    begin = 0
    for stage, mine in points.items():
        lines = [line for line in metrics[stage] if "loss" in line]
        axes[0].plot(
            [begin + line["step"] for line in lines], [line["loss"] for line in lines], label=stage
        )
        for axis, name in zip(axes[1:], suites, strict=False):
            axis.plot(
                [begin + point.step for point in mine],
                [point.suites.get(name, math.nan) for point in mine],
                marker="o",
                markersize=3,
            )
        begin += max([0, *(point.step for point in mine)])
    for axis, title in zip(axes, ["training loss", *suites], strict=False):
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("step", fontsize=8)
    for axis in axes[wide:]:
        axis.set_visible(False)
    if points:
        axes[0].legend(fontsize=7)
    made = BytesIO()
    figure.savefig(made, format="png", dpi=110)
    return made.getvalue()


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _text(picture: bytes) -> str:
    return base64.b64encode(picture).decode()
