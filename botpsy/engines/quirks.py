"""What OpenAI-compatible servers do differently, one frozen record per server.

``docs/engines.md`` shows this table. A server that is not recognised gets ``GENERIC``: only
parameters of the OpenAI API itself are sent, and calls run only when the finish reason says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Thinking = Literal["template", "effort", ""]


@dataclass(frozen=True, slots=True)
class Quirks:
    """How to speak with one kind of server.

    Attributes:
        server: its name.
        top_k: it takes ``top_k``, which the OpenAI API lacks.
        thinking: how thinking is switched: ``template`` through
            ``chat_template_kwargs.enable_thinking``, ``effort`` through ``reasoning_effort: none``,
            ``""`` not at all.
        required: it honours ``tool_choice: "required"``.
        parallel: it takes ``parallel_tool_calls``.
        reasoning: the field of a past assistant turn that takes its reasoning; ``""`` none.
        stop_with_calls: complete calls may come with the finish reason ``stop``.
        ignores: parameters it accepts and does not honour.
        note: what else a user should know.
    """

    server: str
    top_k: bool = False
    thinking: Thinking = ""
    required: bool = True
    parallel: bool = True
    reasoning: str = ""
    stop_with_calls: bool = False
    ignores: tuple[str, ...] = ()
    note: str = ""


GENERIC = Quirks("generic")
LLAMA_SERVER = Quirks(
    "llama-server",
    top_k=True,
    thinking="template",
    reasoning="reasoning_content",
    note="A call that was cut off comes as a tool call with finish reason length; string enums "
    "and patterns are not enforced; keys of arguments may come twice.",
)
VLLM = Quirks(
    "vllm",
    top_k=True,
    thinking="template",
    reasoning="reasoning",
    stop_with_calls=True,
    note="A required call finishes with stop.",
)
OLLAMA = Quirks(
    "ollama",
    thinking="effort",
    required=False,
    parallel=False,
    reasoning="reasoning",
    stop_with_calls=True,
    ignores=("top_k", "tool_choice", "parallel_tool_calls"),
    note="A prompt longer than its window is cut without an error: set OLLAMA_CONTEXT_LENGTH.",
)
LM_STUDIO = Quirks(
    "lm-studio",
    top_k=True,
    parallel=False,
    note="Reasoning may come inside the text, between <think> tags.",
)
QVAC = Quirks(
    "qvac",
    top_k=True,
    thinking="template",
    reasoning="reasoning_content",
    ignores=("stop", "seed", "presence_penalty"),
)
BOTPSY = Quirks("botpsy", top_k=True, thinking="template", reasoning="reasoning_content")

SERVERS: Mapping[str, Quirks] = {
    quirks.server: quirks
    for quirks in (GENERIC, LLAMA_SERVER, VLLM, OLLAMA, LM_STUDIO, QVAC, BOTPSY)
}

_OWNERS = {
    "llamacpp": LLAMA_SERVER,
    "vllm": VLLM,
    "library": OLLAMA,
    "organization_owner": LM_STUDIO,
    "qvac": QVAC,
    "botpsy": BOTPSY,
}


def recognise(models: Mapping[str, Any], header: str, ollama: bool) -> Quirks:
    """The kind of server, from its list of models, its ``Server`` header, and whether it answers
    at Ollama's own ``/api/version``."""
    if "llama.cpp" in header.lower():
        return LLAMA_SERVER
    for entry in models.get("data") or ():
        owner = str(entry.get("owned_by", "")).lower() if isinstance(entry, dict) else ""
        if owner in _OWNERS:
            return _OWNERS[owner]
    return OLLAMA if ollama else GENERIC


def overflow(body: str, error: Mapping[str, Any]) -> tuple[int, int] | None:
    """(prompt tokens, window) if an error says that the prompt does not fit; 0 for unsaid."""
    if error.get("type") == "exceed_context_size_error":
        return int(error.get("n_prompt_tokens") or 0), int(error.get("n_ctx") or 0)
    if error.get("code") == "context_overflow" or "ctxSize" in error:
        return int(error.get("promptTokens") or 0), int(error.get("ctxSize") or 0)
    told = re.search(_TOLD, body, re.IGNORECASE)
    if not told and error.get("code") != "context_length_exceeded":
        return None
    window = re.search(
        r"(?:maximum context length is|context length of(?: only)?|available context size \()\s*"
        r"(\d+)",
        body,
        re.IGNORECASE,
    )
    prompt = re.search(
        r"(\d+) (?:tokens )?in the messages|has (\d+) input tokens|request \((\d+) tokens\)"
        r"|resulted in (\d+) tokens|keep the first (\d+) tokens",
        body,
        re.IGNORECASE,
    )
    counted = next((int(group) for group in prompt.groups() if group), 0) if prompt else 0
    return counted, int(window.group(1)) if window else 0


_TOLD = (
    r"maximum context length|context.?length.{0,40}exceed|exceed.{0,60}context|context the overflow"
    r"|greater than the context length|input is too long|context window"
)
