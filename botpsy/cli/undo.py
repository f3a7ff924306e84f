"""``botpsy undo``: take back an action."""

from __future__ import annotations

from typing import Annotated

import typer

from botpsy.cli.common import HomeOption, JsonOption, console, print_json, safe_line


def undo(
    action: Annotated[
        str, typer.Argument(help="The action's id or its beginning; default the latest.")
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Also when something else changed the record since.")
    ] = False,
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Put back what an action changed. An undo is an action too, and can be undone."""
    from botpsy.assistant.connect import connect
    from botpsy.assistant.home import open_home
    from botpsy.cli.show import Screen, arguments_line

    opened = open_home(home)
    ledger = opened.ledger()
    clock = opened.clock()
    executor = opened.executor(connect(opened, clock), clock, ledger, approver=None)
    found = executor.recover()
    Screen().recovered(found)
    # Whoever asks again after a crash does not mean one action more.
    cut_off = [one for one in found if one.tool == "undo" and one.status == "done" and not action]
    outcome = cut_off[-1] if cut_off else executor.undo(action, force=force)
    if json:
        print_json({"id": outcome.id, "undone": outcome.arguments["action"]})
        return
    intent = ledger.intent(str(outcome.arguments["action"]))
    assert intent is not None
    what = f"{intent.body['tool']} {arguments_line(intent.body['arguments'])}"  # type: ignore[arg-type]
    console().print(f"Undone: {safe_line(what)}  [dim]redo: botpsy undo {outcome.id}[/]")
