"""A chat request in OpenAI's form, read into what an engine is asked. Errors name the parameter.

What cannot be honoured is refused, not ignored: several choices, log-probabilities, response
formats, images. Fields that carry no instruction for the model are ignored.

Roles: ``developer`` counts as ``system``. A malformed call in the history, which some model once
wrote, is kept as text of its turn, so that it does not make every later request fail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from botpsy.chat.schema import Refusal, gate
from botpsy.chat.types import Message, Role, Sampling, ToolCall, ToolSpec
from botpsy.chat.wire import strict_json
from botpsy.errors import ParseError, UsageError

MAX_MESSAGES = 2_000
MAX_TOOLS = 256
MAX_STOPS = 4
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


class RequestError(UsageError):
    """The request cannot be honoured; ``param`` names the field at fault."""

    def __init__(
        self, message: str, param: str = "", *, status: int = 400, code: str = "invalid_value"
    ) -> None:
        super().__init__(message)
        self.param, self.status, self.code = param, status, code


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What an engine is asked, and how the answer is wanted."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    originals: Mapping[str, ToolSpec]
    """The tools as they came, by name: a call must fit these, which say more than the gated."""
    refused: tuple[Refusal, ...]
    sampling: Sampling
    stop: tuple[str, ...]
    parallel: bool
    stream: bool
    stream_usage: bool


def read_request(body: Any, models: Sequence[str]) -> ChatRequest:
    """Read a request's JSON; ``models`` are the names that this server answers to.

    Raises:
        RequestError: it makes no sense, or cannot be honoured.
    """
    if not isinstance(body, dict):
        raise RequestError("The request is not a JSON object.")
    given = {name: value for name, value in body.items() if value is not None}
    model = given.get("model")
    if model is not None and model not in models:
        raise RequestError(
            f"There is no model {str(model)[:80]!r} here; there is {models[0]}.",
            "model",
            status=404,
            code="model_not_found",
        )
    _refuse(given)
    originals = _specs(given.get("tools"))
    gated = gate(originals)
    if originals and not gated.tools:
        reasons = " ".join(f"{refusal.tool}: {refusal.reason}" for refusal in gated.refused)
        raise RequestError(f"No tool can be offered. {reasons}", "tools")
    sampling = _sampling(given)
    sampling, tools = _choice(given.get("tool_choice"), sampling, gated.tools)
    stream_options = _typed(given, "stream_options", dict, {})
    return ChatRequest(
        messages=_messages(given.get("messages")),
        tools=tools,
        originals=_first_of_each(originals),
        refused=gated.refused,
        sampling=sampling,
        stop=_stops(given.get("stop")),
        parallel=_typed(given, "parallel_tool_calls", bool, True),
        stream=_typed(given, "stream", bool, False),
        stream_usage=bool(stream_options.get("include_usage")),
    )


def _refuse(given: Mapping[str, Any]) -> None:
    """Say what this server does not do, rather than do something else."""
    unable: dict[str, Callable[[Any], bool]] = {
        "n": lambda value: value != 1,
        "logprobs": bool,
        "top_logprobs": bool,
        "logit_bias": bool,
        "frequency_penalty": bool,
        "functions": bool,
        "function_call": bool,
        "audio": bool,
        "web_search_options": bool,
        "prediction": bool,
        "grammar": bool,
        "json_schema": bool,
        "guided_json": bool,
        "min_p": bool,
        "repeat_penalty": lambda value: value != 1,
        "repetition_penalty": lambda value: value != 1,
        "response_format": lambda value: value != {"type": "text"},
        "modalities": lambda value: value != ["text"],
    }
    hints = {
        "functions": "Use tools.",
        "function_call": "Use tool_choice.",
        "response_format": "For a structured answer, offer one tool with the wanted schema and set "
        "tool_choice to required.",
    }
    for name, asks in unable.items():
        if name in given and asks(given[name]):
            message = f"This server cannot honour {name}. {hints.get(name, '')}".rstrip()
            raise RequestError(message, name, code="unsupported_parameter")


def _sampling(given: Mapping[str, Any]) -> Sampling:
    limit = "max_completion_tokens" if "max_completion_tokens" in given else "max_tokens"
    base = Sampling()
    seed = _whole(given, "seed", (-(2**63), 2**64 - 1))
    return Sampling(
        temperature=_number(given, "temperature", (0, 2), base.temperature),
        top_p=_number(given, "top_p", (0, 1), base.top_p),
        top_k=_whole(given, "top_k", (0, 1_000_000), base.top_k),
        presence_penalty=_number(given, "presence_penalty", (-2, 2), base.presence_penalty),
        max_tokens=_whole(given, limit, (1, 2**31 - 1), base.max_tokens),
        seed=None if seed is None else seed % 2**32,
        thinking=_thinking(given),
    )


def _thinking(given: Mapping[str, Any]) -> bool:
    wanted = _typed(given, "chat_template_kwargs", dict, {}).get("enable_thinking")
    if wanted is not None and not isinstance(wanted, bool):
        raise RequestError("enable_thinking is true or false.", "chat_template_kwargs")
    effort = given.get("reasoning_effort")
    if effort is not None and effort not in EFFORTS:
        raise RequestError(f"reasoning_effort is one of {', '.join(EFFORTS)}.", "reasoning_effort")
    return wanted if wanted is not None else effort != "none"


def _choice(
    choice: Any, sampling: Sampling, tools: tuple[ToolSpec, ...]
) -> tuple[Sampling, tuple[ToolSpec, ...]]:
    if choice in (None, "auto", "none", "required"):
        if choice == "required" and not tools:
            raise RequestError("tool_choice is required, but no tool is offered.", "tool_choice")
        return replace(sampling, tool_choice=choice or "auto"), tools
    function = choice.get("function") if isinstance(choice, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    named = tuple(tool for tool in tools if tool.name == name)
    if not named:
        raise RequestError(
            "tool_choice is auto, none, required, or names one of the offered tools: "
            '{"type": "function", "function": {"name": "..."}}.',
            "tool_choice",
        )
    return replace(sampling, tool_choice="required"), named


def _specs(given: Any) -> list[ToolSpec]:
    if given is None:
        return []
    if not isinstance(given, list) or len(given) > MAX_TOOLS:
        raise RequestError(f"tools is a list of at most {MAX_TOOLS}.", "tools")
    specs = []
    for number, entry in enumerate(given):
        function = entry.get("function") if isinstance(entry, dict) else None
        if not isinstance(function, dict) or entry.get("type", "function") != "function":
            raise RequestError('A tool is {"type": "function", ...}.', f"tools[{number}]")
        parameters = function.get("parameters") or {"type": "object", "properties": {}}
        # Whatever these are: the gate judges them.
        specs.append(ToolSpec(function.get("name"), function.get("description"), parameters))  # type: ignore[arg-type]
    return specs


def _first_of_each(specs: Sequence[ToolSpec]) -> dict[str, ToolSpec]:
    """By name, as the gate has it: a second tool of a name is refused."""
    return {spec.name: spec for spec in reversed(specs) if isinstance(spec.name, str)}


def _messages(given: Any) -> tuple[Message, ...]:
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_MESSAGES:
        raise RequestError(f"messages is a list of 1 to {MAX_MESSAGES}.", "messages")
    messages = tuple(_message(entry, f"messages[{n}]") for n, entry in enumerate(given))
    if messages[-1].role == "assistant":
        raise RequestError("The last message is the assistant's own.", "messages")
    return messages


def _message(entry: Any, param: str) -> Message:
    role = _ROLES.get(str(entry.get("role"))) if isinstance(entry, dict) else None
    if role is None:
        raise RequestError(f"A message has a role: {', '.join(_ROLES)}.", param)
    content = _content(entry.get("content"), f"{param}.content")
    if role == "tool":
        identifier = entry.get("tool_call_id") or ""
        return Message(role, content, call_id=str(identifier), name=str(entry.get("name") or ""))
    if role != "assistant":
        return Message(role, content)
    reasoning = entry.get("reasoning_content") or entry.get("reasoning") or ""
    if not isinstance(reasoning, str):
        raise RequestError("reasoning_content is text.", f"{param}.reasoning_content")
    calls, malformed = _calls(entry.get("tool_calls") or [], f"{param}.tool_calls")
    return Message(role, "\n".join(filter(None, [content, *malformed])), reasoning, calls)


def _content(given: Any, param: str) -> str:
    if given is None:
        return ""
    if isinstance(given, str):
        return _clean(given, param)
    if not isinstance(given, list):
        raise RequestError("content is text or a list of parts.", param)
    parts = []
    for part in given:
        if not isinstance(part, dict) or part.get("type") != "text":
            kind = part.get("type") if isinstance(part, dict) else part
            raise RequestError(f"Only parts of type text can be read, not {kind!r}.", param)
        if not isinstance(part.get("text"), str):
            raise RequestError("A part of type text has a text.", param)
        parts.append(_clean(part["text"], param))
    return "".join(parts)


def _clean(text: str, param: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RequestError("The text has half a character (a lone surrogate).", param) from None
    return text


def _calls(given: Any, param: str) -> tuple[tuple[ToolCall, ...], list[str]]:
    """(calls, malformed ones as text)."""
    if not isinstance(given, list):
        raise RequestError("tool_calls is a list.", param)
    calls, malformed = [], []
    for entry in given:
        function = entry.get("function") if isinstance(entry, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str):
            raise RequestError("A call has a function with a name.", param)
        written = function.get("arguments")
        try:
            arguments = strict_json(written or "{}") if not isinstance(written, dict) else written
        except (ParseError, TypeError):
            arguments = None
        if isinstance(arguments, dict):
            calls.append(ToolCall(_clean(name, param), arguments, str(entry.get("id") or "")))
        else:
            malformed.append(_clean(f"(a malformed call: {name} {written})", param))
    return tuple(calls), malformed


def _stops(given: Any) -> tuple[str, ...]:
    stops = [given] if isinstance(given, str) else given or []
    if not isinstance(stops, list) or not all(isinstance(stop, str) and stop for stop in stops):
        raise RequestError("stop is a text, or a list of texts.", "stop")
    if len(stops) > MAX_STOPS:
        raise RequestError(f"stop has at most {MAX_STOPS} texts.", "stop")
    return tuple(stops)


def _number(
    given: Mapping[str, Any], name: str, span: tuple[float, float], default: float
) -> float:
    value = given.get(name, default)
    right = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not right or not math.isfinite(value) or not span[0] <= value <= span[1]:
        raise RequestError(f"{name} is a number from {span[0]:g} to {span[1]:g}.", name)
    return float(value)


def _whole(
    given: Mapping[str, Any], name: str, span: tuple[int, int], default: int | None = None
) -> Any:
    value = given.get(name, default)
    right = isinstance(value, int) and not isinstance(value, bool)
    if value is not None and not (right and span[0] <= value <= span[1]):
        raise RequestError(f"{name} is a whole number from {span[0]} to {span[1]}.", name)
    return value


def _typed(given: Mapping[str, Any], name: str, kind: type, default: Any) -> Any:
    value = given.get(name, default)
    if not isinstance(value, kind):
        what = {bool: "true or false", dict: "an object"}[kind]
        raise RequestError(f"{name} is {what}.", name)
    return value
