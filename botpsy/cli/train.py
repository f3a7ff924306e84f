"""``botpsy train``: run a recipe's stages, or say what they amount to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botpsy.cli.common import JsonOption, console, print_json, safe, safe_line

if TYPE_CHECKING:
    from botpsy.train.plan import Plan, StagePlan
    from botpsy.train.recipe import TrainRecipe

_NEEDED = ("torch", "transformers", "trl", "peft", "matplotlib")
SHOWN_TOKENS = 600
"""Of a sample row."""


def train(
    recipe: Annotated[Path, typer.Argument(help="TOML file; see recipes/")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run; runs/NAME if not given.")
    ] = None,
    stage: Annotated[
        str, typer.Option("--stage", help="This stage alone; those before it must be done.")
    ] = "",
    plan: Annotated[
        bool, typer.Option("--plan", help="Print what would be done, and do nothing.")
    ] = False,
    corpora: Annotated[
        Path, typer.Option(help="Folder with the public corpora, for data that is built first.")
    ] = Path("corpora"),
    workers: Annotated[
        int, typer.Option(help="Processes that build data; 0 is one per core.", min=0)
    ] = 0,
    report: Annotated[
        bool, typer.Option("--report", help="Write the report of a run anew, and train nothing.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Train what a recipe says. Run again after an interruption: it goes on where it stopped."""
    from botpsy.train.plan import make_plan
    from botpsy.train.processes import is_first, told_once
    from botpsy.train.recipe import read_recipe

    with told_once():
        read = read_recipe(recipe)
        folder = out or Path("runs") / read.name
        if plan:
            shown = f"{recipe} --stage {stage}" if stage else str(recipe)
            made = make_plan(read, folder, shown, stage)
            _print_plan(made, as_json=json)
            return
        if report:
            from botpsy.train.report import write_report

            written = write_report(folder, read)
            if json:
                print_json({"report": str(written)})
            else:
                console().print(safe_line(f"Report: {written}"))
            return
        _need_torch()
        if is_first():
            _log_to_stderr()
        from botpsy.train.pipeline import Run, run

        try:
            run(Run(read, folder, corpora, workers or os.cpu_count() or 1), stage)
        except KeyboardInterrupt:
            if is_first():
                said = f"Stopped. The same command goes on from the last checkpoint in {folder}."
                console(stderr=True).print(safe_line(said))
            raise
    if not is_first():
        return
    if json:
        print_json({"run": str(folder), "stages": _chosen(read, folder)})
    else:
        _print_chosen(read, folder)


def _need_torch() -> None:
    from importlib.util import find_spec

    from botpsy.errors import UsageError

    missing = [name for name in _NEEDED if not find_spec(name)]
    if missing:
        raise UsageError(
            f"Training needs {', '.join(missing)}.", "Install it: pip install 'botpsy[train]'."
        )


def _log_to_stderr() -> None:
    import logging
    import sys

    handler: logging.Handler
    if sys.stderr.isatty():
        from rich.logging import RichHandler

        handler = RichHandler(console=console(stderr=True), show_path=False, markup=False)
    else:  # a file has no width at which lines must be broken
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("botpsy.train")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)


def _chosen(recipe: TrainRecipe, folder: Path) -> list[object]:
    import json

    paths = [folder / name / "selection.json" for name in recipe.stages()]
    return [json.loads(path.read_text("utf-8")) for path in paths if path.is_file()]


def _print_chosen(recipe: TrainRecipe, folder: Path) -> None:
    for each in _chosen(recipe, folder):
        assert isinstance(each, dict)
        line = f"{each['stage']}: step {each['step']}; {each['reason']}"
        console().print(safe_line(line))
    console().print(safe_line(f"Report: {folder / 'report.html'}"))


def _print_plan(plan: Plan, *, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        stages = [asdict(each) for each in plan.stages]
        print_json({"command": plan.command, "missing": plan.missing, "stages": stages})
        return
    out = console()
    for each in plan.stages:
        out.print(f"[bold]{safe_line(each.name)}[/] from {safe_line(each.start)}")
        for line in _lines(each):
            out.print(f"  {safe_line(line)}")
    for line in plan.missing:
        out.print(f"[bold]First:[/] {safe_line(line)}")
    out.print(f"Start it with: {safe_line(plan.command)}")
    _print_sample(plan)


def _lines(stage: StagePlan) -> list[str]:
    """What is to be said of a stage."""
    said = []
    if stage.rows:
        share = stage.supervised / stage.tokens
        said.append(
            f"{stage.rows:,} rows, {stage.tokens:,} tokens, of which {share:.0%} are learnt;"
            f" the longest has {stage.longest:,}"
        )
    if stage.prompts:
        said.append(
            f"{stage.generations:,} generations of {stage.prompts:,} prompts, {stage.samples:,}"
            f" samples each; {stage.steps:,} steps"
        )
    elif stage.steps:
        said.append(f"{stage.steps:,} steps of {stage.passes} passes")
    if stage.steps:
        said.append(f"{stage.checkpoints} measurements on the suites")
    said.append(f"about {stage.bytes / 1e9:.1f} GB of memory for each process")
    return said + list(stage.notes)


def _print_sample(plan: Plan) -> None:
    """A row as it is learnt: what the model is to write is green, or between » and «."""
    from itertools import groupby

    if plan.sample is None or plan.tokens is None:
        return
    out = console()
    plain = out.color_system is None or out.no_color
    out.print(f"A row ({safe_line(plan.sample.id)}); what is learnt is green:")
    pairs = list(zip(plan.sample.ids, plan.sample.mask, strict=True))[:SHOWN_TOKENS]
    for learnt, group in groupby(pairs, key=lambda pair: pair[1]):
        text = safe(plan.tokens.decode([token for token, _ in group]))
        if learnt:
            text = f"»{text}«" if plain else f"[green]{text}[/]"
        out.print(text, end="")
    out.print("…" if len(plan.sample) > SHOWN_TOKENS else "")
