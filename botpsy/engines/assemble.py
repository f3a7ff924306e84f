"""The events of a streamed chat completion, put together and judged.

Servers disagree on how they send calls: arguments as text or as an object, an index that is
repeated or missing, ids late or never, a name said again with every piece. Pieces belong together
by index and id; a different id begins another call. What comes out of that is accepted only if it
is strict JSON: two objects in one piece of text are a problem, not two calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from botpsy.chat.escape import unescape
from botpsy.chat.parser import Stream, read
from botpsy.chat.schema import check_arguments
from botpsy.chat.types import (
    Completion,
    Delta,
    FinishReason,
    Json,
    Message,
    Timings,
    ToolCall,
    ToolSpec,
    Usage,
)
from botpsy.chat.wire import strict_json
from botpsy.engines.base import OnDelta
from botpsy.engines.quirks import Quirks
from botpsy.engines.reply import completed
from botpsy.errors import EngineError, ParseError, SchemaError

BROKEN = "\ufffd"
MAX_CALLS = 64
_MARKUP = ("<tool_call>", "</tool_call>", "<function=", "<parameter=")
_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
}


@dataclass
class _Call:
    index: int
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class _Text:
    """Text from pieces; half a surrogate pair at the end of one waits for the next."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._half = ""

    def add(self, piece: str) -> str:
        """Take in a piece; what can be shown now."""
        text = self._half + piece
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = _whole(text[: len(text) - len(self._half)])
        self._parts.append(text)
        return text

    def __str__(self) -> str:
        return "".join(self._parts) + (BROKEN if self._half else "")


class Assembly:
    """Collects the events of one answer."""

    def __init__(
        self,
        tools: Sequence[ToolSpec],
        *,
        quirks: Quirks,
        required: bool = False,
        on_delta: OnDelta | None = None,
    ) -> None:
        self._tools, self._quirks, self._required = tuple(tools), quirks, required
        self._on_delta = on_delta
        self._reasoning = _Text()
        self._content = _Text()
        self._shown = Stream(in_thinking=False)
        self._calls: list[_Call] = []
        self._finish = ""
        self._usage: dict[str, Any] = {}
        self._timings: dict[str, Any] = {}

    @property
    def begun(self) -> bool:
        """Something of the reply itself has arrived."""
        return bool(str(self._reasoning) or str(self._content) or self._calls)

    def feed(self, event: Mapping[str, Any]) -> None:
        """Take in one event, or a whole answer that was not streamed.

        Raises:
            EngineError: the event is not of this protocol.
        """
        try:
            self._take(event)
        except (AttributeError, TypeError, ValueError) as error:
            raise EngineError(
                f"The server sent an event that cannot be read: {str(event)[:120]}"
            ) from error

    def _take(self, event: Mapping[str, Any]) -> None:
        self._usage.update(event.get("usage") or {})
        self._timings.update(event.get("timings") or {})
        for choice in (event.get("choices") or ())[:1]:
            self._finish = choice.get("finish_reason") or self._finish
            delta = choice.get("delta") or choice.get("message") or {}
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            if isinstance(thought, str) and thought:
                self._show(Delta("reasoning", unescape(self._reasoning.add(thought))))
            said = delta.get("content")
            if isinstance(said, str) and said:
                for part in self._shown.feed(self._content.add(said)):
                    self._show(part)
            for piece in delta.get("tool_calls") or ():
                self._piece(piece)

    def _show(self, delta: Delta) -> None:
        if self._on_delta is not None:
            self._on_delta(delta)

    def _piece(self, piece: Mapping[str, Any]) -> None:
        function = piece.get("function") or {}
        identifier, index = str(piece.get("id") or ""), piece.get("index")
        call = self._open(index if isinstance(index, int) else None, identifier)
        call.id = call.id or identifier
        name = function.get("name")
        if name and name != call.name:
            call.name += str(name)
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call.arguments.append(arguments)
        elif arguments is not None:
            call.arguments.append(json.dumps(arguments, ensure_ascii=False))

    def _open(self, index: int | None, identifier: str) -> _Call:
        """The call that a piece belongs to."""
        same = [call for call in self._calls if index is None or call.index == index]
        if identifier:
            known = [call for call in same if call.id in ("", identifier)]
            same = [call for call in known if call.id == identifier] or known[-1:]
        if same:
            return same[-1]
        if len(self._calls) >= MAX_CALLS:
            raise EngineError(f"The server sent more than {MAX_CALLS} calls in one reply.")
        self._calls.append(_Call(len(self._calls) if index is None else index, identifier))
        return self._calls[-1]

    def completion(
        self, finish: FinishReason | None = None, timings: Timings = Timings()
    ) -> Completion:
        """Judge what came; ``finish`` overrides what the server said.

        Raises:
            EngineError: the stream ended without saying how.
        """
        for delta in self._shown.flush():
            self._show(delta)
        if finish is None:
            if not self._finish:
                raise EngineError("The server's stream ended before the reply did.")
            finish = _FINISH.get(self._finish, "error")
        message, problem = self._message(finish)
        return completed(
            message,
            finish,
            self._raw(),
            usage=self._usage_figures(),
            timings=self._timing_figures(timings),
            problem=problem,
            required=self._required,
        )

    def _message(self, finish: FinishReason) -> tuple[Message, str]:
        content, reasoning = str(self._content), str(self._reasoning)
        # A server that leaves the thinking in the text may leave out the tag the prompt ended with.
        inside = (
            not reasoning and "</think>" in content and not content.lstrip().startswith("<think>")
        )
        message, problem = read(content, self._tools, in_thinking=inside, finish=finish)
        if not message.reasoning and reasoning:
            message = replace(message, reasoning=unescape(reasoning))
        if problem:
            return replace(message, calls=()), problem
        if self._calls and message.calls:
            return replace(message, calls=()), "Calls came both as text and in their own field."
        if not self._calls:
            if finish == "tool_calls" and not message.calls:
                return message, "The server says that a tool is called, but names none."
            return message, ""
        if finish != "tool_calls" and not self._quirks.stop_with_calls:
            return message, "A call came with the finish reason stop, so it may be incomplete."
        try:
            return replace(message, calls=tuple(map(self._checked, self._calls))), ""
        except (ParseError, SchemaError) as error:
            return message, str(error)

    def _checked(self, call: _Call) -> ToolCall:
        """The call, if its arguments are strict JSON and fit the tool."""
        spec = next((spec for spec in self._tools if spec.name == call.name), None)
        if spec is None:
            offered = ", ".join(spec.name for spec in self._tools) or "none"
            raise SchemaError(
                f"There is no tool named {call.name[:80]!r}.",
                tool=call.name,
                hint=f"Tools on offer: {offered}.",
            )
        text = _whole("".join(call.arguments)) or "{}"
        if BROKEN in text:
            raise ParseError(f"{call.name}: a character of the arguments was torn on its way.")
        try:
            arguments = strict_json(text)
        except ParseError as error:
            raise ParseError(f"{call.name}: {error.message}", error.span, error.hint) from None
        if not isinstance(arguments, dict):
            raise ParseError(f"{call.name}: the arguments are not an object.")
        plain = cast("dict[str, Json]", _plain(arguments))
        check_arguments(spec, plain)
        return ToolCall(call.name, plain, call.id)

    def _raw(self) -> str:
        """What came, as text for people and for a repair turn."""
        reasoning = str(self._reasoning)
        thought = f"<think>\n{reasoning}\n</think>\n\n" if reasoning else ""
        calls = [f"\n{call.name}({_whole(''.join(call.arguments))})" for call in self._calls]
        return thought + str(self._content) + "".join(calls)

    def _usage_figures(self) -> Usage:
        usage = self._usage
        prompt, completion = (
            usage.get("prompt_tokens_details") or {},
            usage.get("completion_tokens_details") or {},
        )
        return Usage(
            prompt_tokens=_count(usage.get("prompt_tokens")),
            completion_tokens=_count(usage.get("completion_tokens")),
            cached_tokens=_count(prompt.get("cached_tokens")),
            reasoning_tokens=_count(completion.get("reasoning_tokens")),
        )

    def _timing_figures(self, measured: Timings) -> Timings:
        """The server's own figures where it gives them."""
        prefill, decode = self._timings.get("prompt_ms"), self._timings.get("predicted_ms")
        if not isinstance(prefill, (int, float)) or not isinstance(decode, (int, float)):
            return measured
        return Timings(prefill / 1000, decode / 1000, measured.total_s)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _whole(text: str) -> str:
    """Halves of a character that were escaped in different pieces, joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _plain(value: Any) -> Any:
    """JSON with every text as it was before neutralising."""
    if isinstance(value, str):
        return unescape(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
