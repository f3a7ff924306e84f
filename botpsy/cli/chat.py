"""``botpsy chat``: a conversation in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from botpsy.cli.ask import approver
from botpsy.cli.common import HomeOption, ModelOption, NowOption, ZoneOption, safe_line
from botpsy.errors import BotpsyError

if TYPE_CHECKING:
    from botpsy.assistant.api import Assistant
    from botpsy.cli.show import Screen

HELP = "/undo takes back the last action, /reset begins anew, /quit ends."


def chat(
    home: HomeOption = None,
    model: ModelOption = "",
    now: NowOption = "",
    tz: ZoneOption = "",
) -> None:
    """Talk with the assistant; it remembers the conversation until you end it."""
    from botpsy.assistant.api import Assistant
    from botpsy.cli.show import Screen

    screen = Screen()
    with Assistant(home, model=model, now=now, tz=tz, approver=approver(yes=False)) as assistant:
        screen.opening(assistant)
        screen.err.print(f"[dim]{HELP}[/]")
        for text in _lines():
            if text in ("/quit", "/exit"):
                return
            try:
                _carry_out(assistant, screen, text)
            except BotpsyError as error:
                # A conversation outlives one request that failed.
                screen.err.print(f"[bold red]botpsy:[/] {safe_line(str(error))}")
            except KeyboardInterrupt:
                screen.err.print("[dim]Interrupted.[/]")


def _carry_out(assistant: Assistant, screen: Screen, text: str) -> None:
    if text == "/reset":
        assistant.reset()
        screen.err.print("[dim]A new conversation.[/]")
    elif text == "/undo":
        outcome = assistant.undo()
        screen.err.print(f"Undone: {safe_line(str(outcome.arguments['action']))}")
    elif text.startswith("/"):
        screen.err.print(f"[dim]{HELP}[/]")
    else:
        screen.reply(assistant.ask(text, on_event=screen.event))


def _lines() -> Iterator[str]:
    """What the user types, line by line, without empty ones, to the end of the input."""
    prompt = "you> " if sys.stdin.isatty() else ""
    while True:
        try:
            text = input(prompt).strip()
        except EOFError:
            return
        if text:
            yield text
