"""``botpsy data``: build training data, look at it, audit it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botpsy.cli.common import JsonOption, console, print_json, safe

if TYPE_CHECKING:
    from botpsy.data.files import Report
    from botpsy.data.recipe import DataRecipe

app = typer.Typer(help="Build, show and audit training data.", no_args_is_help=True)


@app.command()
def build(
    recipe: Annotated[Path, typer.Argument(help="TOML file; see recipes/data/")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the files; made if need be.")],
    corpora: Annotated[
        Path,
        typer.Option(help="Folder with the public corpora; docs/data.md says where to get each."),
    ] = Path("corpora"),
    workers: Annotated[int, typer.Option(help="Processes; 0 is one per core.", min=0)] = 0,
    form: Annotated[str, typer.Option("--format", help="jsonl or parquet")] = "jsonl",
    ray: Annotated[
        bool, typer.Option("--ray", help="Run on the Ray cluster at hand (the scale extra).")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Build what a recipe says. Run again after an interruption: it goes on where it stopped."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from botpsy.data import build as building
    from botpsy.data.recipe import read_recipe
    from botpsy.errors import UsageError

    if form not in ("jsonl", "parquet"):
        raise UsageError(f"There is no format {form!r}.", "Say jsonl or parquet.")
    read = read_recipe(recipe)
    run = None
    if ray:
        from botpsy.data import scale

        run = scale.run_on_ray
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"{read.name} (units)", total=None)
        report = building.build(
            read,
            out,
            corpora=corpora,
            tokenizer=_tokenizer(read),
            workers=workers or os.cpu_count() or 1,
            form=form,  # type: ignore[arg-type]
            progress=lambda done, total: bar.update(task, completed=done, total=total),
            run=run,
        )
    if json:
        from dataclasses import asdict

        print_json(asdict(report))
    else:
        _print(read, out, report)


def _tokenizer(recipe: DataRecipe) -> Path | None:
    if not recipe.max_tokens:
        return None
    path = Path(recipe.tokenizer)
    if path.exists():
        return path
    from botpsy.engines.store import resolve

    return resolve(recipe.tokenizer).path


def _print(recipe: DataRecipe, out: Path, report: Report) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in (
        "source",
        "asked",
        "made",
        "repeats",
        "items passed over, and why",
    ):
        table.add_column(column, overflow="fold")
    asked: dict[str, int] = {}
    for source in recipe.source:
        asked[source.name] = asked.get(source.name, 0) + source.rows
    for name, rows in asked.items():
        reasons = sorted(report.refused.get(name, {}).items(), key=lambda pair: -pair[1])
        said = "; ".join(f"{count} × {reason}" for reason, count in reasons[:4])
        if name in report.missing:
            said = "not there"
        made, repeats = report.by_source.get(name, 0), report.repeated.get(name, 0)
        table.add_row(name, f"{rows:,}", f"{made:,}", f"{repeats:,}", safe(said))
    console().print(table)
    for name, count in report.rows.items():
        console().print(f"{count:>9,}  {safe(str(out / name))}")
    for problem in report.missing.values():
        console(stderr=True).print(f"[yellow]missing:[/] {safe(problem)}")
