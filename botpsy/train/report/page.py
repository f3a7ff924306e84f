"""The page of a report. Every word of others on it is escaped; nothing is loaded from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from botpsy.page import document, folded, picture
from botpsy.train.recipe import TrainRecipe
from botpsy.train.report.seen import Seen
from botpsy.train.sections import SuiteRecipe
from botpsy.train.selection import Point, may_be_chance, told


def page(
    folder: Path, recipe: TrainRecipe, stages: Sequence[Seen], pictures: Mapping[str, bytes]
) -> str:
    """The whole page.

    Args:
        pictures: PNG, of the run ("") and by stage.
    """
    about = (folder / "run.json").read_text("utf-8")
    body = [
        f"<h1>{escape(recipe.name)}</h1>",
        _about(about),
        "<h2>What each stage came to</h2>",
        _summary(recipe, stages),
        picture(pictures[""], "Training loss and suites, over all stages"),
        *(_stage(each, recipe, pictures.get(each.name)) for each in stages),
        "<h2>What was run</h2>",
        folded("The recipe", recipe.model_dump_json(indent=1)),
        folded("Versions and hashes", about),
    ]
    return document(recipe.name, body)


def _about(run: str) -> str:
    known = json.loads(run)
    packages = ", ".join(f"{name} {version}" for name, version in known["packages"].items())
    said = f"botpsy {known['botpsy']}, seed {known['seed']}; {packages}."
    return f"<p>{escape(said)}</p>"


def _summary(recipe: TrainRecipe, stages: Sequence[Seen]) -> str:
    """Stage by suite: what it began with, and what goes on; better and worse are marked."""
    head = "".join(f'<th scope="col">{escape(each.name)}{_way(each)}</th>' for each in recipe.suite)
    rows = []
    for stage in stages:
        if not stage.points:
            continue
        now = stage.best or stage.points[-1]
        cells = "".join(_change(stage.points[0], now, suite) for suite in recipe.suite)
        state = "" if stage.best else " <small>(under way)</small>"
        rows.append(f'<tr><th scope="row">{escape(stage.name)}{state}</th>{cells}</tr>')
    note = (
        "<p><small>At the stage's start → of what goes on. Behind ±: the standard error, for suites"
        " that count cases. ↓: lower is better."
        " “guarded”: a checkpoint that loses more than the recipe allows is passed over.</small>"
        "</p>"
    )
    table = f'<table><thead><tr><th scope="col">stage</th>{head}</tr></thead>'
    return f"{table}<tbody>{''.join(rows)}</tbody></table>{note}"


def _way(suite: SuiteRecipe) -> str:
    said = " ↓" if suite.lower_is_better else ""
    return said + (" <small>guarded</small>" if suite.guard is not None else "")


def _change(start: Point, now: Point, suite: SuiteRecipe) -> str:
    if suite.name not in start.suites or suite.name not in now.suites:
        return "<td>–</td>"
    before, after = start.suites[suite.name], now.suites[suite.name]
    gain = (before - after) if suite.lower_is_better else (after - before)
    kind = "better" if gain > 0 else "worse" if gain < 0 else ""
    chance = ", may be chance" if may_be_chance(start, now, suite) else ""
    word = f' <small class="{kind}">{kind}{chance}</small>' if kind else ""
    return f"<td>{before:.4g} → {told(now, suite)}{word}</td>"


def _stage(stage: Seen, recipe: TrainRecipe, curves: bytes | None) -> str:
    said = [f"<h2>{escape(stage.name)}</h2>", f"<p>Starts from {escape(stage.start)}."]
    if stage.chosen:
        step, reason = stage.chosen["step"], str(stage.chosen["reason"])
        said.append(f" Step {step} goes on: {escape(reason)}.")
    else:
        said.append(" Not done yet.")
    tokens, seconds = stage.total("tokens"), stage.total("seconds")
    if tokens:
        said.append(f" {tokens:,.0f} tokens in {seconds:,.0f} s of training.")
    said.append("</p>")
    head = "".join(f'<th scope="col">{escape(each.name)}</th>' for each in recipe.suite)
    rows = "".join(_row(point, recipe, stage.chosen.get("step")) for point in stage.points)
    said.append(f'<table><thead><tr><th scope="col">step</th>{head}</tr></thead>{rows}</table>')
    if curves:
        said.append(picture(curves, f"What {stage.name} logged, step by step"))
    return "".join(said)


def _row(point: Point, recipe: TrainRecipe, chosen: int | None) -> str:
    cells = "".join(
        f"<td>{told(point, each)}</td>" if each.name in point.suites else "<td>–</td>"
        for each in recipe.suite
    )
    mark = ' class="chosen"' if point.step == chosen else ""
    return f'<tr{mark}><th scope="row">{point.step}</th>{cells}</tr>'
