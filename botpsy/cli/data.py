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

TokensOption = Annotated[
    str,
    typer.Option(
        "--tokens",
        help="Whose tokens to count: a model, a .gguf, a tokenizer.json. Else characters.",
    ),
]
FormatOption = Annotated[
    str, typer.Option("--format", help="Chat format that it will be trained in: pocket or qwen3_5")
]

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


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A file of rows, or a folder that was built.")],
    n: Annotated[int, typer.Option("--n", help="How many rows.", min=1)] = 3,
    row: Annotated[str, typer.Option("--id", help="A row's id, or its beginning.")] = "",
    kind: Annotated[str, typer.Option(help="Rows of this kind alone.")] = "",
    domain: Annotated[str, typer.Option(help="Rows of this domain alone.")] = "",
    source: Annotated[str, typer.Option(help="Rows of this source alone.")] = "",
    seed: Annotated[
        int | None, typer.Option(help="Choose by chance, from this seed; else the first.")
    ] = None,
    tokens: TokensOption = "",
    form: FormatOption = "pocket",
) -> None:
    """Show conversations and tasks; what is to be learnt is green, or between » and «."""
    from itertools import chain

    from botpsy.chat.formats import chat_format
    from botpsy.chat.tokens import Characters, tokenizer_of
    from botpsy.data.files import data_files, read_rows
    from botpsy.data.show import choose
    from botpsy.data.show import show as shown
    from botpsy.errors import UsageError

    chat = chat_format(form)
    tokenizer = tokenizer_of(_model(tokens)) if tokens else Characters(chat.specials)
    rows = choose(
        chain.from_iterable(map(read_rows, data_files(file))),
        n, beginning=row, kind=kind, domain=domain, source=source, seed=seed,
    )  # fmt: skip
    if not rows:
        raise UsageError(f"No row in {file} is like that.", "Leave out an option.")
    out = console()
    colour = out.color_system is not None and not out.no_color
    for at, each in enumerate(rows):
        if at:
            out.rule(style="dim")
        unit = "tokens" if tokens else "characters"
        out.print(shown(each, chat, tokenizer, unit, colour=colour))


@app.command()
def audit(
    paths: Annotated[list[Path], typer.Argument(help="Files of rows, or folders that were built.")],
    benchmarks: Annotated[
        Path | None,
        typer.Option(help="Folder with a sub-folder for each benchmark that rows must not repeat."),
    ] = None,
    tokens: TokensOption = "",
    form: FormatOption = "pocket",
    workers: Annotated[int, typer.Option(help="Processes; 0 is one per core.", min=0)] = 0,
    json: JsonOption = False,
) -> None:
    """Report what is in data and what is wrong with it; exit code 1 if it must not be used."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from botpsy.chat.formats import chat_format
    from botpsy.data.audit import audit as audited
    from botpsy.data.audit.report import print_audit

    chat_format(form)
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        stages = {
            stage: bar.add_task(stage, total=None)
            for stage in ("rows", "duplicates", "benchmarks")[: 3 if benchmarks else 2]
        }
        found = audited(
            paths,
            benchmarks=benchmarks,
            format_name=form,
            tokenizer=_model(tokens) if tokens else None,
            workers=workers or os.cpu_count() or 1,
            progress=lambda stage, done, total: bar.update(
                stages[stage], completed=done, total=total
            ),
        )
    if json:
        print_json(found.to_json())
    else:
        print_audit(found, console())
    if found.failures:
        raise typer.Exit(1)


def _tokenizer(recipe: DataRecipe) -> Path | None:
    return _model(recipe.tokenizer) if recipe.max_tokens else None


def _model(name: str) -> Path:
    """A file that a tokenizer can be read from."""
    path = Path(name)
    if path.exists():
        return path
    from botpsy.engines.store import resolve

    return resolve(name).path


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
