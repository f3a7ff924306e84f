"""llama.cpp in this process: one model, one slot, raw text in and out.

``Llama`` hides what is peculiar to ``xllamacpp``: its server object always listens somewhere, so
it listens on a Unix socket in a folder that only this user can enter, never on a port; the socket
serves ``save`` and ``restore``, which the in-process interface lacks. Text is generated through
the in-process handler, with no server-side template or tool parser. Nothing here is thread-safe.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botpsy.chat.types import FinishReason, Usage
from botpsy.engines.gbnf import literal
from botpsy.errors import ContextOverflowError, EngineError, ModelError

BATCH = 256
"""Prompt tokens between two looks at the cancel flag; no slower than larger batches on a CPU."""
CHECKPOINTS = 8
"""Kept states of recurrent layers, to which a prompt that differs late can go back."""
CACHE_MB = 256
"""Memory for the states of conversations other than the last."""
SOCKET_LIMIT = 90
"""A Unix socket's path may have 103 bytes on some systems."""

_FINISH: dict[str | None, FinishReason] = {"stop": "stop", "length": "length"}

OnText = Callable[[str, int], bool]
"""Gets (new text, tokens so far), also with no text while the prompt is read; True stops."""


@dataclass(frozen=True, slots=True)
class Generated:
    """How a generation ended, by the library's own figures."""

    finish: FinishReason
    """``stop`` at a stop text or end token, ``length`` at a limit, ``cancelled`` on request."""
    usage: Usage = field(default_factory=Usage)
    prefill_s: float = 0.0
    decode_s: float = 0.0


class Llama:
    """A loaded model.

    Raises:
        ModelError: llama.cpp cannot load the file or the adapter.
    """

    def __init__(
        self,
        model: Path,
        *,
        adapter: Path | None = None,
        window: int,
        threads: int | None = None,
        states: Path | None = None,
    ) -> None:
        import xllamacpp

        self.version = f"llama.cpp b{xllamacpp.__version__.rsplit('.', 1)[-1]}"
        folder = tempfile.mkdtemp(prefix="botpsy-")
        if len(folder) > SOCKET_LIMIT:
            shutil.rmtree(folder)
            folder = tempfile.mkdtemp(prefix="botpsy-", dir="/tmp")  # private all the same
        self._clean = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._socket = f"{folder}/llama.sock"
        params = xllamacpp.CommonParams()
        params.model.path = str(model)
        if adapter is not None:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        params.n_ctx = window
        params.n_parallel = 1
        params.n_batch = params.n_ubatch = BATCH
        params.cache_ram_mib = CACHE_MB
        params.n_ctx_checkpoints = CHECKPOINTS
        if threads is not None:
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.fit_params = False  # the window is as asked, or loading fails
        params.warmup = False
        params.special = True  # control tokens in the output are seen, not swallowed
        params.verbosity = -1
        params.hostnames = [self._socket]
        params.n_threads_http = 1
        params.ui = False
        params.endpoint_metrics = True
        params.use_jinja = False  # neither the file's template nor any other is run by the server
        params.chat_template = "chatml"
        if states is not None:
            params.slot_save_path = f"{states}/"
        try:
            self._server: Any = xllamacpp.Server(params)
        except RuntimeError:
            self._clean()
            what = f"{model} with adapter {adapter}" if adapter else f"{model}"
            raise ModelError(
                f"llama.cpp cannot load {what}.",
                hint="The file may be damaged, of an architecture that this build does not know, "
                "or larger than the free memory.",
            ) from None
        # The server's loop may not run yet; to close it before it does would wait for ever. An
        # answer to anything shows that it runs.
        self._server.handle_metrics()

    def generate(self, request: dict[str, Any], on_text: OnText) -> Generated:
        """Complete ``request["prompt"]``; the fields are those of llama.cpp's ``/v1/completions``.

        Raises:
            ContextOverflowError: the prompt leaves no room; nothing was decoded.
            EngineError: llama.cpp refuses the request.
            BaseException: whatever ``on_text`` raised; generation has stopped.
        """
        body = request | {
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
            "timings_per_token": True,
            "cache_prompt": True,
        }
        raised: list[BaseException] = []
        final = Generated("cancelled")

        # llama.cpp cannot carry a Python exception: it is kept, and raised when the call is back.
        def receive(data: bytes) -> bool:
            nonlocal final
            try:
                event = json.loads(data)
                if "error" in event:
                    raise _error(event["error"])  # noqa: TRY301
                choice = (event.get("choices") or [{}])[0]
                final = _figures(
                    event, _FINISH.get(choice.get("finish_reason"), "cancelled"), final
                )
                return on_text(choice.get("text", ""), final.usage.completion_tokens)
            except BaseException as error:
                raised.append(error)
                return True

        try:
            self._server.handle_completions(json.dumps(body).encode(), receive)
        except RuntimeError as error:
            raise EngineError(f"llama.cpp failed: {error}.") from error
        if raised:
            raise raised[0]
        return final

    def score(self, prompt: str, text: str) -> tuple[float, int]:
        """The natural-log probability that ``text`` follows ``prompt``, and its tokens.

        A grammar that admits nothing but ``text`` makes llama.cpp say it; the probabilities are
        those of the model without the grammar.

        Raises:
            ContextOverflowError: the prompt leaves no room.
            EngineError: llama.cpp refuses the request.
        """
        body = {
            "prompt": prompt,
            "max_tokens": len(text.encode()) + 1,
            "temperature": 0.0,
            "grammar": f"root ::= {literal(text)}\n",
            "logprobs": 1,
            "cache_prompt": True,
        }
        try:
            answer = self._server.handle_completions(body)
        except RuntimeError as error:
            raise EngineError(f"llama.cpp failed: {error}.") from error
        if "error" in answer:
            raise _error(answer["error"])
        likelihood, tokens, length = 0.0, 0, 0
        for token in answer["choices"][0]["logprobs"]["content"]:
            if length >= len(text.encode()):
                break  # the end token, which the grammar forces
            likelihood += token["logprob"]
            tokens += 1
            length += len(token["bytes"])
        return likelihood, tokens

    def save(self, name: str) -> bool:
        """Write the state of the last prompt to a file in ``states``. False: it could not be."""
        return self._slot("save", name)

    def restore(self, name: str) -> bool:
        """Take up a saved state. False: there is none, or it is of no use."""
        return self._slot("restore", name)

    def _slot(self, action: str, name: str) -> bool:
        import httpx

        transport = httpx.HTTPTransport(uds=self._socket)
        with httpx.Client(
            transport=transport, base_url="http://llama", timeout=60, trust_env=False
        ) as client:
            answer = client.post(f"/slots/0?action={action}", json={"filename": name})
        return answer.status_code == httpx.codes.OK

    def close(self) -> None:
        """Free the model's memory."""
        self._server = None
        self._clean()


def _figures(event: dict[str, Any], finish: FinishReason, before: Generated) -> Generated:
    timings, usage = event.get("timings"), event.get("usage")
    if timings is None:
        return before
    cached = timings.get("cache_n", 0)
    counted = Usage(
        prompt_tokens=usage["prompt_tokens"] if usage else cached + timings["prompt_n"],
        completion_tokens=usage["completion_tokens"] if usage else timings["predicted_n"],
        cached_tokens=cached,
    )
    return Generated(finish, counted, timings["prompt_ms"] / 1000, timings["predicted_ms"] / 1000)


def _error(error: dict[str, Any]) -> EngineError:
    if error.get("type") == "exceed_context_size_error":
        return ContextOverflowError(
            error["n_prompt_tokens"],
            error["n_ctx"],
            hint="Start a new conversation, offer fewer tools, or give the model a larger window.",
        )
    return EngineError(f"llama.cpp refuses the request: {error.get('message', error)}")
