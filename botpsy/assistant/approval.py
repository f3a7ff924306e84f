"""Asking a person: the screen shows exactly what would run, and the key nearest at hand says no.

``describe`` makes the lines of that screen, from values alone: nothing in them can move the
cursor, hide, or pass for a line of ours (every line of a value stands behind a bar). A long value
is shown up to a limit with the number of characters left out and their sha256, and whole on
request. ``TerminalApprover`` needs a terminal; without one there is nobody to ask, and an ask
becomes a denial. ``AutoApprover`` stands behind ``--yes``.

An answer is about one action; ``grants.action_digest`` is what the executor compares.
"""

from __future__ import annotations

import hashlib
import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from botpsy.assistant.conditions import scalars
from botpsy.assistant.grants import new_grant
from botpsy.assistant.provenance import argument_sources, worst
from botpsy.assistant.types import Action, Answer, Decision, Source, Verdict
from botpsy.chat.types import Json
from botpsy.clock import spoken
from botpsy.errors import UsageError
from botpsy.services.text import visible, visible_line

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 78
"""Columns of a line of a value, its bar included."""
SHOWN_CHARACTERS = 1200
SHOWN_LINES = 16
TRIES = 5

SOURCES = {
    Source.USER: "your words",
    Source.TRUSTED: "from your own data",
    Source.MODEL: "the assistant's wording",
    Source.UNTRUSTED: "FROM TEXT BY OTHERS",
}
EFFECTS = {
    "read": "reads",
    "write": "changes something of yours",
    "send": "sends something to others",
    "spend": "spends money",
    "control": "moves something in the real world",
}


def describe(action: Action, decision: Decision, *, full: bool = False) -> list[str]:
    """What would run, line by line, fit for a terminal; ``full`` leaves nothing out."""
    tool, shown = action.tool, action.bound.shown
    sources = argument_sources(action)
    title = f"{tool.name}: {EFFECTS[tool.effect]}"
    if tool.service:
        title += f" ({tool.service})"
    if action.endpoint != "local":
        title += f" at {action.endpoint}"
    lines = [visible_line(title)]
    first = [name for name in tool.destinations if name in shown]
    for name in (*first, *(name for name in shown if name not in first)):
        to = "where to: " if name in first else ""
        lines.append(f"  {to}{visible_line(name)} ({SOURCES[sources[name]]})")
        value = shown[name]
        lines.extend(f"    {line}" for line in value_lines(value, full=full))
        if isinstance(value, str) and (time := spoken(value)):
            lines.append(f"    = {time}")
    if not shown:
        lines.append("  without arguments")
    if tool.effect != "read":
        lines.append("  CANNOT BE UNDONE" if action.irreversible else "  can be undone")
    if action.labels.control is Source.UNTRUSTED:
        lines.append("  The assistant read TEXT BY OTHERS before it chose to do this.")
    lines.extend(f"  why: {visible_line(reason)}" for reason in decision.reasons)
    return lines


def value_lines(value: Json, *, full: bool = False) -> list[str]:
    """A value behind bars: ``|`` begins each of its own lines, ``:`` a line of ours that goes on.

    Texts are shown as they are, with the ends marked by quotation marks; all else as JSON.
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    shown = text
    if not full:
        shown = "\n".join(text.split("\n")[:SHOWN_LINES])[:SHOWN_CHARACTERS]
    rest = text[len(shown) :]
    quote = '"' if isinstance(value, str) else ""
    lines = list(_wrapped(f"{quote}{shown}{'' if rest else quote}"))
    if rest:
        digest = hashlib.sha256(rest.encode(errors="surrogatepass")).hexdigest()
        lines.append(f"... {len(rest)} of {len(text)} characters are not shown (v shows all)")
        lines.append(f"... sha256 of these: {digest}")
    return lines


@dataclass(frozen=True)
class AutoApprover:
    """``--yes``: approves this request's asks, and prints each.

    Never a denial, and never a call with an argument from text by others: who said yes beforehand
    could not know of it.
    """

    console: Console

    def ask(self, action: Action, decision: Decision) -> Answer:
        """Approve once, or refuse."""
        show(self.console, describe(action, decision))
        if decision.verdict is not Verdict.ASK:
            return Answer(False, by="--yes")
        if Source.UNTRUSTED in argument_sources(action).values():
            show(self.console, ["--yes does not cover what comes from text by others. Not done."])
            return Answer(False, by="--yes")
        return Answer(True, by="--yes")


@dataclass(frozen=True)
class TerminalApprover:
    """Asks at the terminal. Enter, end of input, an interrupt and any doubt mean no."""

    console: Console
    now: Callable[[], datetime]
    read: Callable[[str], str] = field(default_factory=lambda: _typed)

    def ask(self, action: Action, decision: Decision) -> Answer:
        """Show the call and take one answer."""
        no = Answer(False)
        if decision.verdict is not Verdict.ASK or not sys.stdin.isatty():
            return no
        show(self.console, ["", *describe(action, decision)])
        try:
            return self._answer(action, decision)
        except (EOFError, KeyboardInterrupt):
            show(self.console, ["Not done."])
            return no

    def _answer(self, action: Action, decision: Decision) -> Answer:
        lasting = worst(action) is not Source.UNTRUSTED
        keys = "[Enter] no  [y] yes, once"
        if lasting and action.conversation:
            keys += "  [c] yes, exactly this in this conversation"
        if lasting:
            keys += "  [u] until a date  [p] a pattern"
        keys += "  [v] view all: "
        for _ in range(TRIES):
            _forget_typed_ahead()
            key = self.read(keys).strip().casefold()
            if key in ("", "n", "no"):
                return Answer(False)
            if key in ("y", "yes"):
                return Answer(True)
            if key == "v":
                show(self.console, describe(action, decision, full=True))
                continue
            answer = self._lasting(key, action) if lasting else None
            if answer is not None:
                return answer
            show(self.console, ["Nothing was approved. Please answer with one of the keys."])
        return Answer(False)

    def _lasting(self, key: str, action: Action) -> Answer | None:
        """A grant, if the key asks for one, it is valid, and the approver confirms its wording."""
        if key == "c":
            answer = Answer(True, "conversation")
        elif key == "u":
            answer = Answer(True, "until", until=self.read("Until which day (2030-12-31): "))
        elif key == "p":
            pattern = {}
            for name, value in action.bound.shown.items():
                if not all(isinstance(leaf, str) for leaf in scalars(value)):
                    continue
                text = self.read(f"Pattern for {visible_line(name)} ([Enter] exactly as shown): ")
                if text:
                    pattern[name] = text
            until = self.read("Until which day ([Enter] until revoked): ")
            answer = Answer(True, "pattern", until=until, pattern=pattern)
        else:
            return None
        try:
            grant = new_grant(action, answer, self.now())
        except UsageError as error:
            show(self.console, [visible_line(str(error))])
            return None
        if key == "c":
            return answer
        show(self.console, ["This would run without asking from now on:", f"  {action.tool.name}"])
        for name, value in grant.arguments.items():
            if name in grant.pattern:
                lines = [f"anything like {visible_line(grant.pattern[name])}"]
            else:
                lines = value_lines(value)
            show(self.console, [f"  {visible_line(name)}", *(f"    {line}" for line in lines)])
        show(self.console, [f"  until {grant.until or 'you revoke it'}"])
        _forget_typed_ahead()
        return answer if self.read("Type yes to agree: ").strip().casefold() == "yes" else None


def terminal_approver(now: Callable[[], datetime]) -> TerminalApprover | None:
    """The person at the terminal; None where there is none, which means deny."""
    if not sys.stdin.isatty():
        return None
    from rich.console import Console

    return TerminalApprover(Console(stderr=True), now)


def show(console: Console, lines: Sequence[str]) -> None:
    """Print lines as they are: no markup, no emoji codes, no highlighting, no wrapping of ours."""
    for line in lines:
        console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)


def _wrapped(text: str) -> Iterator[str]:
    """Visible lines behind a bar, none wider than ``WIDTH``."""
    for line in visible(text).split("\n"):
        bar, part, width = "| ", "", 2
        for char in line:
            wide = 2 if unicodedata.east_asian_width(char) in "WF" else 1
            if width + wide > WIDTH:
                yield bar + part
                bar, part, width = ": ", "", 2
            part += char
            width += wide
        yield bar + part


def _typed(prompt: str) -> str:
    """A line from the terminal; the prompt goes to standard error, as the screen does."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return input()


def _forget_typed_ahead() -> None:
    """A key pressed before the question was on the screen is no answer to it."""
    import termios

    if sys.stdin.isatty():
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
