"""What the commands share: options, and how errors reach a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home", envvar="BOTPSY_HOME", help="Folder with your settings, data and ledger."
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        help="default, a .gguf file, hf:owner/repo/file.gguf, or http://host:port/v1.",
    ),
]
NowOption = Annotated[
    str, typer.Option("--now", help="Pretend that it is this date and time (ISO 8601).")
]
ZoneOption = Annotated[str, typer.Option("--tz", help="Time zone, like Europe/Paris.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def console(*, stderr: bool = False) -> Console:
    """A console for text of ours. Text of others must be passed through ``safe`` first."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def safe(text: str) -> str:
    """Text of others made fit for a terminal: no markup, no control or hidden characters."""
    from rich.markup import escape

    from botpsy.services.text import visible

    return escape(visible(text))


def safe_line(text: str) -> str:
    """``safe`` on one line, so that it cannot pass for a line of ours."""
    from rich.markup import escape

    from botpsy.services.text import visible_line

    return escape(visible_line(text))


def print_json(document: object) -> None:
    """One JSON object on standard output, with nothing that a terminal would act on."""
    import json

    typer.echo(json.dumps(document, ensure_ascii=True, indent=2))
