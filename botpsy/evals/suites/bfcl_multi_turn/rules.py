"""A case played: turn by turn, step by step, held against the gold calls after each turn.

The official rules. A turn is over when the model answers without a call. Then, unless the turn has
no gold calls (there the model lacks a tool or a value, and whatever it does is not looked at),

- it must have called something,
- every class must be in the state that the gold calls lead to, and
- what the gold calls of the turn gave must be among the results that the model has seen so far.

More than 20 steps in a turn end the case. The first turn that is not right decides the case, so
nothing is asked after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botpsy.chat.parser import parse
from botpsy.chat.types import Completion, Message, ToolSpec
from botpsy.errors import ParseError
from botpsy.evals.case import Case, Talk, Verdict, passed, said
from botpsy.evals.suites.bfcl_multi_turn.world import World, lacking, read_call

MAX_STEPS = 20
"""Replies with calls in one turn."""
TOO_MANY = f"more than {MAX_STEPS} steps"
MORE_TOOLS = "There are more functions now that you can choose from. Can you do it with them?"
"""The user's turn that comes with tools held back so far."""


class Match:
    """The model's world and the gold one, side by side."""

    def __init__(
        self,
        classes: Sequence[str],
        config: Mapping[str, Any],
        long: Mapping[str, Any] | None = None,
    ) -> None:
        self._model, self._gold = (World(classes, config, long) for _ in range(2))
        self._seen: list[str] = []
        self._called = False

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The model calls; gives the result."""
        self._called = True
        result = self._model.call(name, arguments)
        self._seen.append(result)
        return result

    def end(self, gold: Sequence[str]) -> str:
        """The turn is over; gives what is wrong with it, or nothing."""
        calls = [read_call(text, self._gold) for text in gold]
        results = [self._gold.call(*call) for call in calls]
        called, self._called = self._called, False
        if not calls:
            return ""
        if not called:
            return "no call where some are needed"
        differing = self._model.differs(self._gold)
        if differing:
            return f"{differing} is in another state"
        missing = lacking(results, self._seen)
        return f"never saw {missing[0][:200]}" if missing else ""


def play(case: Case, talk: Talk) -> Verdict:
    """See the module."""
    entry = case.data
    match = Match(entry["classes"], entry["config"], entry["long"])
    messages: list[Message] = []
    tools = list(entry["tools"])
    for n, (asked, gold) in enumerate(zip(entry["turns"], entry["gold"], strict=True)):
        held = entry["held"].get(n, ())
        tools.extend(held)
        messages.extend(asked or ((Message("user", MORE_TOOLS),) if held else ()))
        wrong = turn(match.call, messages, tools, talk)[1] or match.end(gold)
        if wrong:
            return passed(False, f"turn {n + 1}: {wrong}")
    return passed(True)


def turn(
    call: Callable[[str, Mapping[str, Any]], str],
    messages: list[Message],
    tools: Sequence[ToolSpec],
    talk: Talk,
) -> tuple[str, str]:
    """Steps up to an answer without a call.

    Calls that are well-formed and only do not fit the tools are told to the model, and cost a step.

    Args:
        call: carries out a call and gives its result.
        messages: grows by what is said.

    Returns:
        The answer, and why the turn cannot be right: an unreadable reply, or too many steps.
    """
    for _ in range(MAX_STEPS + 1):
        reply = talk.ask(messages, tools)
        if reply.problem and not _well_formed(reply):
            return "", f"unreadable reply: {reply.problem}"
        if reply.problem:
            told = f"[Your last calls were not carried out: {reply.problem}]"
            messages.append(Message("user", told))
            continue
        messages.append(reply.message)
        if not reply.message.calls:
            return said(reply), ""
        for each in reply.message.calls:
            result = call(each.name, each.arguments)
            messages.append(Message("tool", result, call_id=each.id, name=each.name))
    return "", TOO_MANY


def _well_formed(reply: Completion) -> bool:
    """Whether it has calls as the format wants them."""
    if reply.finish_reason in ("length", "cancelled", "error"):
        return False
    for in_thinking in (True, False):
        try:
            if parse(reply.raw, in_thinking=in_thinking).calls:
                return True
        except ParseError:
            continue
    return False
