"""``botpsy model``: the weights on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from botpsy.cli.common import JsonOption, console, print_json, safe

app = typer.Typer(help="Fetch, list and remove models.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="default, or hf:owner/repo/file.gguf")]


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the models that are here, and the default one."""
    from rich.table import Table

    from botpsy.engines import store
    from botpsy.engines.fetch import megabytes

    models = store.list_models()
    if json:
        rows = [
            {
                "name": model.name,
                "path": str(model.path) if model.path else None,
                "size": model.size,
                "licence": model.licence,
                "source": model.source,
                "note": model.note,
            }
            for model in models
        ]
        print_json({"models": rows})
        return
    table = Table(box=None, pad_edge=False)
    for column in ("model", "size", "licence", "from", ""):
        table.add_column(column, overflow="fold")
    for model in models:
        cells = (model.name, megabytes(model.size), model.licence, model.source, model.note)
        table.add_row(*map(safe, cells))
    console().print(table)


@app.command()
def pull(
    name: NameArgument = "default",
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A file you have already, instead of the network."),
    ] = None,
) -> None:
    """Fetch a model: its size first, then with progress; goes on where it broke off."""
    from botpsy.engines import store

    out = console(stderr=True)
    with _progress() as progress:
        model = store.pull(
            name,
            source=source,
            progress=progress,
            announce=lambda text: out.print(f"[dim]{safe(text)}[/]"),
        )
    if model.note:
        out.print(f"[dim]{safe(model.note)}[/]")
    typer.echo(model.path)


@app.command()
def path(name: NameArgument = "default") -> None:
    """Print where a model's file is."""
    from botpsy.engines import store

    typer.echo(store.path(name))


@app.command()
def remove(name: NameArgument) -> None:
    """Delete a fetched model."""
    from botpsy.engines import store
    from botpsy.engines.fetch import megabytes

    removed = store.remove(name)
    console().print(f"Removed {len(removed.files)} files, {megabytes(removed.size)}.")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, nothing elsewhere."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    out = console(stderr=True)
    bar = Progress(
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=out,
        disable=not out.is_terminal,
    )
    with bar:
        task = bar.add_task("fetching", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
