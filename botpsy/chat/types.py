"""What a conversation is made of. All types are frozen; arguments are typed JSON objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
JsonObject: TypeAlias = dict[str, Json]
Schema: TypeAlias = dict[str, Any]

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "tool_calls", "length", "cancelled", "error"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool. ``parameters`` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it: ``arguments`` is a JSON object, typed by the tool's schema."""

    name: str
    arguments: JsonObject
    id: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn.

    ``reasoning`` and ``calls`` belong to the assistant; ``call_id`` and ``name`` tie a tool's
    result to its call.
    """

    role: Role
    content: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample. The defaults are those the model is trained and evaluated with."""

    temperature: float = 0.3
    top_p: float = 0.95
    top_k: int = 20
    presence_penalty: float = 1.5
    max_tokens: int = 8192
    seed: int | None = None
    thinking: bool = True
    tool_choice: Literal["auto", "required", "none"] = "auto"


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one completion; ``cached_tokens`` of the prompt came from the cache."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds spent in one completion."""

    prefill_s: float = 0.0
    decode_s: float = 0.0
    total_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Completion:
    """What an engine gives back.

    ``message.calls`` holds calls only when the finish is clean (``tool_calls``) and strict parsing
    and validation passed; otherwise ``problem`` says what is wrong with ``raw``, in words that can
    be handed back to the model.
    """

    message: Message
    finish_reason: FinishReason
    raw: str
    usage: Usage = field(default_factory=Usage)
    timings: Timings = field(default_factory=Timings)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """One step of a stream: newly arrived text of one kind. Calls arrive whole, with the end."""

    kind: Literal["reasoning", "content"]
    text: str
