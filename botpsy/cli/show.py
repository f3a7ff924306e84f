"""How a turn looks in the terminal: notices first, each action as it happens, then the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from botpsy.assistant.execute import undo_hint
from botpsy.assistant.types import Outcome
from botpsy.cli.common import console, safe, safe_line
from botpsy.clock import spoken

if TYPE_CHECKING:
    from botpsy.assistant.api import Assistant
    from botpsy.assistant.loop import Event, Reply
    from botpsy.chat.types import Json, JsonObject

_COLOURS = {"done": "green", "dry-run": "cyan", "denied": "yellow", "unknown": "yellow"}


class Screen:
    """Prints to stderr what is going on and to stdout the answer. ``quiet`` keeps only notices."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.err = console(stderr=True)
        self.out = console()

    def opening(self, assistant: Assistant) -> None:
        """What the user should know before anything happens."""
        if assistant.home.created:
            self.err.print(
                f"[dim]A new home was made in {safe_line(str(assistant.home.path))}: look at "
                "config.toml and policy.toml there.[/]"
            )
        if problem := assistant.home.policy().problem:
            self.err.print(f"[bold yellow]{safe_line(problem)}[/]")
        if problem := assistant.home.grants().problem:
            self.err.print(f"[bold yellow]{safe_line(problem)}[/]")
        self.recovered(assistant.recovered)
        if assistant.engine.info.note:
            self.err.print(f"[dim]{safe_line(assistant.engine.info.note)}[/]")

    def recovered(self, outcomes: Sequence[Outcome]) -> None:
        """What became of actions that a crash cut off."""
        for outcome in outcomes:
            self.err.print(
                f"[bold yellow]An earlier action was cut off:[/] {self._line(outcome)} "
                f"{safe_line(outcome.error)}{self._undo(outcome)}"
            )

    def event(self, event: Event) -> None:
        """One thing that happened."""
        if self.quiet or not isinstance(event, Outcome):
            return
        self.err.print(self._line(event))
        colour = _COLOURS.get(event.status, "red")
        detail = f": {safe_line(event.error)}" if event.error else ""
        decision = "" if event.decision in ("none", "deny") else f"{safe_line(event.decision)}, "
        self.err.print(f"  {decision}[{colour}]{event.status}[/]{detail}{self._undo(event)}")

    def reply(self, reply: Reply) -> None:
        """The answer."""
        self.out.print(safe(reply.answer))

    def _line(self, outcome: Outcome) -> str:
        return f"[bold]{safe_line(outcome.tool)}[/] {safe_line(arguments_line(outcome.arguments))}"

    def _undo(self, outcome: Outcome) -> str:
        hint = undo_hint(outcome)
        return f"  [dim]undo: {hint}[/]" if hint else ""


def arguments_line(arguments: JsonObject) -> str:
    """Arguments on one line: ``title: dentist · start: Fri 4 Dec 2026, 15:00``."""
    return " · ".join(f"{name}: {_value(value)}" for name, value in arguments.items())


def _value(value: Json) -> str:
    import json

    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if time := spoken(value):
        return time
    return value if len(value) <= 200 else f"{value[:200]}… ({len(value)} characters)"
