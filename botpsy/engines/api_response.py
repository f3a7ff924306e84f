"""A completion in OpenAI's form: whole, or as the chunks of a stream."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from botpsy.chat.schema import Refusal
from botpsy.chat.types import Completion, Delta
from botpsy.chat.wire import write_json

FIELDS = {"reasoning": "reasoning_content", "content": "content"}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one answer; ``refused`` are the client's tools that could not be offered."""

    model: str
    refused: Sequence[Refusal] = ()
    id: str = field(default_factory=lambda: f"chatcmpl-{secrets.token_hex(12)}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, done: Completion) -> dict[str, Any]:
        """The answer in one piece."""
        message: dict[str, Any] = {"role": "assistant", "content": done.message.content}
        if done.message.reasoning:
            message["reasoning_content"] = done.message.reasoning
        if done.message.calls:
            message["content"] = message["content"] or None
            message["tool_calls"] = _calls(done)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(done)}
        answer = self._frame("chat.completion", [choice]) | {"usage": usage(done)}
        return answer | timings(done) | self._extra(done)

    def opening(self) -> dict[str, Any]:
        """The first chunk."""
        return self._chunk({"role": "assistant", "content": ""})

    def piece(self, delta: Delta) -> dict[str, Any]:
        """A chunk of text."""
        return self._chunk({FIELDS[delta.kind]: delta.text})

    def ending(self, done: Completion, *, with_usage: bool) -> Iterator[dict[str, Any]]:
        """The last chunks: calls, the finish reason, the figures."""
        for index, call in enumerate(_calls(done)):
            yield self._chunk({"tool_calls": [{"index": index, **call}]})
        yield self._chunk({}, _finish(done)) | timings(done) | self._extra(done)
        if with_usage:
            yield self._frame("chat.completion.chunk", []) | {"usage": usage(done)}

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return self._frame("chat.completion.chunk", [choice])

    def _frame(self, kind: str, choices: list[Any]) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }

    def _extra(self, done: Completion) -> dict[str, Any]:
        """What a client should know and OpenAI's form has no place for."""
        extra: dict[str, Any] = {}
        if self.refused:
            extra["botpsy_refused_tools"] = [
                {"name": refusal.tool, "path": refusal.path, "reason": refusal.reason}
                for refusal in self.refused
            ]
        if done.problem:
            extra["botpsy_problem"] = done.problem
        return extra


def usage(done: Completion) -> dict[str, Any]:
    """Token counts."""
    counts = done.usage
    return {
        "prompt_tokens": counts.prompt_tokens,
        "completion_tokens": counts.completion_tokens,
        "total_tokens": counts.prompt_tokens + counts.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": counts.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": counts.reasoning_tokens},
    }


def timings(done: Completion) -> dict[str, Any]:
    """Milliseconds, under the names that llama-server uses."""
    spent = done.timings
    return {"timings": {"prompt_ms": spent.prefill_s * 1000, "predicted_ms": spent.decode_s * 1000}}


def error(message: str, kind: str, *, param: str = "", code: str = "") -> dict[str, Any]:
    """An error in OpenAI's form."""
    detail = {"message": message, "type": kind, "param": param or None, "code": code or None}
    return {"error": detail}


def _finish(done: Completion) -> str:
    return done.finish_reason if done.finish_reason in ("tool_calls", "length") else "stop"


def _calls(done: Completion) -> list[dict[str, Any]]:
    return [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": write_json(call.arguments)},
        }
        for call in done.message.calls
    ]
