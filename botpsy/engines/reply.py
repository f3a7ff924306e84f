"""From the raw text of a reply, as it arrives, to a ``Completion``: one way for all engines."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from botpsy.chat.parser import Stream, read
from botpsy.chat.types import Completion, FinishReason, Message, Timings, ToolSpec, Usage
from botpsy.engines.base import OnDelta

NO_CALL = "A tool had to be called, and none was."


class Reply:
    """Collects one reply. ``in_thinking`` says that the prompt ended inside open reasoning."""

    def __init__(
        self,
        tools: Sequence[ToolSpec],
        *,
        in_thinking: bool,
        required: bool = False,
        on_delta: OnDelta | None = None,
    ) -> None:
        self._tools, self._in_thinking, self._required = tools, in_thinking, required
        self._on_delta = on_delta
        self._stream = Stream(in_thinking=in_thinking)
        self._raw: list[str] = []
        self._reasoning_tokens = 0

    @property
    def raw(self) -> str:
        """The text so far."""
        return "".join(self._raw)

    def feed(self, text: str, tokens: int = 0) -> None:
        """Take in a piece; ``tokens`` counts the reply's tokens so far, this piece included."""
        self._raw.append(text)
        for delta in self._stream.feed(text) if text else ():
            if delta.kind == "reasoning":
                self._reasoning_tokens = tokens
            if self._on_delta is not None:
                self._on_delta(delta)

    def completion(
        self, finish: FinishReason, usage: Usage = Usage(), timings: Timings = Timings()
    ) -> Completion:
        """The whole reply, read strictly; no more text comes."""
        for delta in self._stream.flush():
            if self._on_delta is not None:
                self._on_delta(delta)
        message, problem = read(self.raw, self._tools, in_thinking=self._in_thinking, finish=finish)
        return completed(
            message,
            finish,
            self.raw,
            usage=replace(usage, reasoning_tokens=self._reasoning_tokens),
            timings=timings,
            problem=problem,
            required=self._required,
        )


def completed(
    message: Message,
    finish: FinishReason,
    raw: str,
    *,
    usage: Usage = Usage(),
    timings: Timings = Timings(),
    problem: str = "",
    required: bool = False,
) -> Completion:
    """A completion whose parts agree: an honest finish reason, and an id for every call."""
    if finish in ("stop", "tool_calls"):
        finish = "tool_calls" if message.calls else "stop"
        if required and not message.calls and not problem:
            problem = NO_CALL
    calls, seen = [], {""}
    for call in message.calls:
        fresh = call.id in seen
        calls.append(replace(call, id=f"call_{secrets.token_hex(8)}") if fresh else call)
        seen.add(calls[-1].id)
    return Completion(replace(message, calls=tuple(calls)), finish, raw, usage, timings, problem)


def cancelled() -> Completion:
    """A completion that was given up before it began."""
    return completed(Message("assistant"), "cancelled", "", problem="The reply was cancelled.")
