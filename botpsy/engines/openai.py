"""Any server that speaks the OpenAI chat API: llama-server, vLLM, Ollama, LM Studio, QVAC, botpsy.

The server renders the prompt and may parse the calls; it is trusted with neither. Special-token
strings in messages are neutralised before they are sent. A call is handed on only if the server
says that the reply ended cleanly, its arguments are strict JSON (no key twice), and they fit the
tool's schema. Markup that leaks into the text is read by our own parser. What servers do
differently is in ``quirks``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botpsy.chat.escape import escape
from botpsy.chat.types import (
    Completion,
    Message,
    Sampling,
    Timings,
    ToolSpec,
)
from botpsy.chat.wire import write_json
from botpsy.engines.assemble import Assembly
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.engines.http import CancelledError, Connection, RefusedError
from botpsy.engines.quirks import OLLAMA, SERVERS, Quirks, overflow, recognise
from botpsy.engines.reply import cancelled
from botpsy.errors import ContextOverflowError, EngineError, UsageError

PROBE_S = 5.0


@dataclass(frozen=True, slots=True)
class _Server:
    """What was found at the address. ``window`` is 0 where the server does not say."""

    quirks: Quirks
    model: str
    window: int
    version: str


@dataclass(frozen=True, slots=True)
class _Call:
    """What one caller of ``complete`` wants, beside the request itself."""

    tools: tuple[ToolSpec, ...]
    required: bool
    on_delta: OnDelta | None
    cancel: Cancel | None
    timeout_s: float | None


class OpenAICompatible:
    """An engine behind a URL.

    Args:
        base_url: for example ``http://127.0.0.1:8080/v1``; ``/v1`` is added to a bare host.
        model: one of the server's models; by default its only one.
        api_key: sent as a bearer token; never taken from the environment.
        quirks: the kind of server, by name or as a record; by default it is recognised.

    The server is asked what it is at the first use, not at construction.

    Raises:
        UsageError: the address makes no sense, or there is no such kind of server.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        *,
        api_key: str | None = None,
        quirks: Quirks | str | None = None,
    ) -> None:
        self._connection = Connection(base_url, api_key)
        self._model = model
        if isinstance(quirks, str):
            if quirks not in SERVERS:
                raise UsageError(
                    f"There is no kind of server named {quirks}.",
                    hint=f"Known are {', '.join(SERVERS)}.",
                )
            quirks = SERVERS[quirks]
        self._quirks = quirks
        self._found: _Server | None = None
        self._lock = threading.Lock()

    @property
    def info(self) -> EngineInfo:
        """What the server says of itself.

        Raises:
            EngineError: it cannot be reached.
        """
        server = self._server()
        return EngineInfo(
            name=server.model,
            engine=server.quirks.server,
            version=server.version,
            format="server",
            window=server.window,
            note=server.quirks.note,
        )

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
        """See ``Engine.complete``. One request; several threads may ask at once."""
        started = time.monotonic()
        server = self._server()
        offered = () if sampling.tool_choice == "none" else tuple(tools)
        body = request_body(server.quirks, server.model, messages, offered, sampling)
        left = None if timeout_s is None else timeout_s - (time.monotonic() - started)
        call = _Call(offered, sampling.tool_choice == "required", on_delta, cancel, left)
        try:
            return self._ask(server, body, call)
        except RefusedError as refused:
            body = self._smaller(server, refused, body)
        return self._ask(server, body, call)

    def close(self) -> None:
        """Nothing is held between requests."""

    def _ask(self, server: _Server, body: dict[str, Any], call: _Call) -> Completion:
        assembly = Assembly(
            call.tools, quirks=server.quirks, required=call.required, on_delta=call.on_delta
        )
        started = time.monotonic()
        first = 0.0
        try:
            for event in self._connection.events(
                "/chat/completions", body, call.cancel, call.timeout_s
            ):
                assembly.feed(event)
                if not first and assembly.begun:
                    first = time.monotonic() - started
        except CancelledError:
            return assembly.completion("cancelled") if assembly.begun else cancelled()
        total = time.monotonic() - started
        return assembly.completion(timings=Timings(first, total - first, total))

    def _smaller(
        self, server: _Server, refused: RefusedError, body: dict[str, Any]
    ) -> dict[str, Any]:
        """The request again with a reply that fits beside its prompt, where that is what ails it.

        Raises:
            EngineError: something else does.
        """
        sizes = overflow(refused.body, refused.error)
        if sizes is None:
            raise self._refused(server, refused) from refused
        prompt, window = sizes
        if not 0 < prompt < window or window - prompt >= body["max_tokens"]:
            raise ContextOverflowError(
                prompt,
                window or server.window,
                hint="Start a new conversation, offer fewer tools, or start the server with a "
                "larger window.",
            ) from refused
        return body | {"max_tokens": window - prompt}

    def _refused(self, server: _Server, refused: RefusedError) -> EngineError:
        root = self._connection.root
        if refused.status in (401, 403):
            return EngineError(f"{root} does not accept the API key.", hint="Give the right one.")
        if refused.status == 404:
            return EngineError(
                f"{root} has no model {server.model}, or no chat API at {self._connection.base}.",
                hint=f"It says: {refused.message}",
            )
        status = f" with {refused.status}" if refused.status else ""
        return EngineError(f"{root} refuses the request{status}: {refused.message}")

    def _server(self) -> _Server:
        with self._lock:
            if self._found is None:
                self._found = self._look()
            return self._found

    def _look(self) -> _Server:
        """Ask the server what it is and has."""
        connection = self._connection
        try:
            answer = connection.get(f"{connection.base}/models", PROBE_S)
        except RefusedError as refused:
            nobody = _Server(SERVERS["generic"], self._model, 0, "")
            raise self._refused(nobody, refused) from refused
        models, header = answer if answer and isinstance(answer[0], dict) else ({}, "")
        quirks = self._quirks or self._recognise(models, header)
        entries = [entry for entry in models.get("data") or () if isinstance(entry, dict)]
        names = [str(entry.get("id", "")) for entry in entries]
        if not self._model and len(names) != 1:
            raise UsageError(
                f"{connection.base} does not say which model to use.",
                hint=f"Add #MODEL to the address{_one_of(names)}.",
            )
        model = self._model or names[0]
        entry = next((entry for entry in entries if entry.get("id") == model), {})
        window, version = self._size(quirks, entry)
        return _Server(quirks, model, window, version)

    def _recognise(self, models: Mapping[str, Any], header: str) -> Quirks:
        known = recognise(models, header, ollama=False)
        if known is not SERVERS["generic"]:
            return known
        version = self._connection.get(f"{self._connection.root}/api/version", PROBE_S)
        is_ollama = bool(version and isinstance(version[0], dict) and "version" in version[0])
        return OLLAMA if is_ollama else known

    def _size(self, quirks: Quirks, entry: Mapping[str, Any]) -> tuple[int, str]:
        """(window, version), as far as the server tells."""
        window = entry.get("max_model_len") or entry.get("context_window") or 0
        version = ""
        if quirks.server == "llama-server":
            answer = self._connection.get(f"{self._connection.root}/props", PROBE_S)
            props = answer[0] if answer and isinstance(answer[0], dict) else {}
            settings = props.get("default_generation_settings") or {}
            window = settings.get("n_ctx") or (entry.get("meta") or {}).get("n_ctx") or 0
            version = str(props.get("build_info", ""))
        return (window if isinstance(window, int) else 0), version


def request_body(
    quirks: Quirks,
    model: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    sampling: Sampling,
) -> dict[str, Any]:
    """The JSON of a request, in the form this server understands."""
    body: dict[str, Any] = {
        "model": model,
        "messages": wire_messages(quirks, messages),
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "presence_penalty": sampling.presence_penalty,
        "max_tokens": sampling.max_tokens,
    }
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    if quirks.top_k:
        body["top_k"] = sampling.top_k
    if quirks.thinking == "template":
        body["chat_template_kwargs"] = {"enable_thinking": sampling.thinking}
    elif quirks.thinking == "effort" and not sampling.thinking:
        body["reasoning_effort"] = "none"
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": escape(tool.description),
                    "parameters": _neutral(tool.parameters),
                },
            }
            for tool in tools
        ]
        required = sampling.tool_choice == "required" and quirks.required
        body["tool_choice"] = "required" if required else "auto"
        if quirks.parallel:
            body["parallel_tool_calls"] = True
    return body


def wire_messages(quirks: Quirks, messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as the API has them: neutral text, every call with an id, every result with the id
    of its call."""
    wire: list[dict[str, Any]] = []
    waiting: list[str] = []
    for number, message in enumerate(messages):
        entry: dict[str, Any] = {"role": message.role, "content": escape(message.content)}
        if message.role == "tool":
            identifier = message.call_id or (waiting[0] if waiting else f"call_{number}")
            if identifier in waiting:
                waiting.remove(identifier)
            entry["tool_call_id"] = identifier
        if message.role == "assistant":
            if message.reasoning and quirks.reasoning:
                entry[quirks.reasoning] = escape(message.reasoning)
            if message.calls:
                waiting = [
                    call.id or f"call_{number}_{index}" for index, call in enumerate(message.calls)
                ]
                entry["tool_calls"] = [
                    {
                        "id": identifier,
                        "type": "function",
                        "function": {
                            "name": call.name,
                            "arguments": write_json(_neutral(call.arguments)),
                        },
                    }
                    for identifier, call in zip(waiting, message.calls, strict=True)
                ]
        wire.append(entry)
    return wire


def _neutral(value: Any) -> Any:
    """The same JSON with every text neutralised, keys of objects left alone."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [_neutral(item) for item in value]
    if isinstance(value, dict):
        return {key: _neutral(item) for key, item in value.items()}
    return value


def _one_of(names: Sequence[str]) -> str:
    return f": {', '.join(names[:10])}" if names else ""
