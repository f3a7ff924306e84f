"""An engine that says what it was told to: for tests, and as a baseline in evaluations.

A reply is raw text as a model would write it, a ``Message``, or a function of the messages and
tools that gives either. All of it passes the same strict parser as a real model's text, so a script
can be malformed in all the ways that models are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from botpsy.chat.formats import QWEN3_5
from botpsy.chat.types import (
    Completion,
    FinishReason,
    Json,
    Message,
    Sampling,
    Schema,
    Timings,
    ToolCall,
    ToolSpec,
    Usage,
)
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.engines.reply import Reply
from botpsy.errors import EngineError, EngineTimeoutError

Said = str | Message
Script = Said | Callable[[Sequence[Message], Sequence[ToolSpec]], Said]
CHUNK = 7
"""Characters per piece of the stream."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one call of ``complete`` was given."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    sampling: Sampling


class Scripted:
    """Says its replies in order; a single function instead of a list answers every time.

    Raw text is read as if the prompt had opened the reasoning when it closes it, and as the answer
    itself otherwise. ``finish`` is what a server would report for every reply. ``asked`` records
    what came in.
    """

    def __init__(
        self,
        replies: Sequence[Script] | Callable[[Sequence[Message], Sequence[ToolSpec]], Said],
        *,
        name: str = "scripted",
        finish: FinishReason = "stop",
    ) -> None:
        self._always = replies if callable(replies) else None
        self._replies = [] if callable(replies) else list(replies)
        self._finish = finish
        self._name = name
        self.asked: list[Asked] = []

    @property
    def info(self) -> EngineInfo:
        """A window without end, no weights."""
        return EngineInfo(self._name, "scripted", "1", QWEN3_5.name, window=1 << 30)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        sampling: Sampling = Sampling(),
        *,
        on_delta: OnDelta | None = None,
        cancel: Cancel | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        """See ``Engine.complete``.

        Raises:
            EngineError: the script is over.
        """
        started = time.monotonic()
        offered = () if sampling.tool_choice == "none" else tuple(tools)
        said = self._next(messages, tools, sampling)
        raw = written(said, tools) if isinstance(said, Message) else said
        reply = Reply(
            offered,
            in_thinking="</think>" in raw and not raw.lstrip().startswith("<think>"),
            required=sampling.tool_choice == "required",
            on_delta=on_delta,
        )
        finish = self._finish
        for start in range(0, len(raw), CHUNK):
            if cancel is not None and cancel.is_set():
                finish = "cancelled"
                break
            if timeout_s is not None and time.monotonic() - started > timeout_s:
                raise EngineTimeoutError(f"The model did not finish within {timeout_s:g} s.")
            reply.feed(raw[start : start + CHUNK])
        words = Usage(
            sum(len(message.content.split()) for message in messages), len(reply.raw.split())
        )
        return reply.completion(finish, words, Timings(total_s=time.monotonic() - started))

    def close(self) -> None:
        """Nothing to free."""

    def _next(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], sampling: Sampling
    ) -> Said:
        self.asked.append(Asked(tuple(messages), tuple(tools), sampling))
        script: Script
        if self._always is not None:
            script = self._always
        elif self._replies:
            script = self._replies.pop(0)
        else:
            raise EngineError(
                f"The script is over: nothing is left to say after {len(self.asked) - 1}."
            )
        return script(messages, tools) if callable(script) else script


def written(message: Message, tools: Sequence[ToolSpec]) -> str:
    """An assistant's turn as the raw text a model would have written, inside open reasoning."""
    request = [Message("user", "-")]
    prompt = QWEN3_5.render(request, tools)
    whole = QWEN3_5.render([*request, message], tools, add_generation_prompt=False)
    return whole.removeprefix(prompt).removesuffix("\n")


def do_nothing() -> Scripted:
    """The agent that never acts: the floor of every suite that counts actions."""
    return Scripted(lambda _messages, _tools: "I can't help with that.", name="do-nothing")


def always_call() -> Scripted:
    """The agent that always calls the first tool it is offered, with the least arguments; after a
    result it says that it is done."""

    def reply(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Said:
        if not tools or messages[-1].role == "tool":
            return "Done."
        return Message(
            "assistant", calls=(ToolCall(tools[0].name, _required(tools[0].parameters)),)
        )

    return Scripted(reply, name="always-call")


def _required(schema: Schema) -> dict[str, Json]:
    properties = schema.get("properties", {})
    return {name: least(properties.get(name, {})) for name in schema.get("required", ())}


def least(schema: Schema) -> Json:
    """A small value of a schema: its default, its first choice, or the emptiest of its type."""
    given: list[Json] = [schema[key] for key in ("default", "const") if key in schema]
    given += [schema[key][0] for key in ("enum", "examples") if schema.get(key)]
    if given:
        return given[0]
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return least(schema[key][0])
    kinds = schema.get("type", "string")
    match kinds[0] if isinstance(kinds, list) else kinds:
        case "object":
            return _required(schema)
        case "array":
            return [least(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return int(schema.get("minimum", 0))
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return "x" * max(1, int(schema.get("minLength", 1)))
