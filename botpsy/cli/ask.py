"""``botpsy ask``: one request, one answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from botpsy.cli.common import (
    HomeOption,
    JsonOption,
    ModelOption,
    NowOption,
    ZoneOption,
    console,
    print_json,
)
from botpsy.errors import UsageError

if TYPE_CHECKING:
    from botpsy.assistant.types import Approver

EXIT_CODES = {"done": 0, "failed": 1, "denied": 3}


def ask(
    request: Annotated[
        list[str], typer.Argument(help="What should be done; - reads it from stdin.")
    ],
    json: JsonOption = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Approve what this request asks to be approved.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False,
    home: HomeOption = None,
    model: ModelOption = "",
    now: NowOption = "",
    tz: ZoneOption = "",
) -> None:
    """Carry out one request, within what your policy permits.

    With --json, prints one object: answer, status, calls (id, tool, arguments, decision, status,
    result, error, undo), usage and timings. Exit code: 0 done, 1 failed, 2 wrong use, 3 not
    permitted.
    """
    from botpsy.assistant.api import Assistant
    from botpsy.cli.show import Screen

    text = sys.stdin.read() if request == ["-"] else " ".join(request)
    if not text.strip():  # before a model is loaded for nothing
        raise UsageError("The request is empty.", hint="Say what should be done.")
    screen = Screen(quiet=json)
    with Assistant(
        home, model=model, now=now, tz=tz, dry_run=dry_run, approver=approver(yes)
    ) as assistant:
        screen.opening(assistant)
        reply = assistant.ask(text, on_event=screen.event)
        if json:
            print_json(reply.to_json())
        else:
            screen.reply(reply)
    raise typer.Exit(EXIT_CODES[reply.status])


def approver(yes: bool) -> Approver | None:
    """Who is asked: nobody when nobody sits there, unless ``--yes`` speaks for the user."""
    from datetime import UTC, datetime

    from botpsy.assistant.approval import AutoApprover, terminal_approver

    if yes:
        return AutoApprover(console(stderr=True))
    return terminal_approver(lambda: datetime.now(UTC).astimezone())
