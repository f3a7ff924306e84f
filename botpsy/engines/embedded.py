"""A GGUF model in this process, with llama.cpp.

The prompt is rendered here, by the model's ``ChatFormat``, and the raw text it answers with is
read by our own strict parser: no server-side template or tool parser is involved, so training,
evaluation and use see the same text.

Prompt prefixes: llama.cpp keeps the last prompt's state, so a turn that extends it costs only its
new tokens. With ``states`` given, the state after the fixed part of a prompt (system text and
tools, no word of the user's) is also kept in a file, for the next run (``prefixes``).

Sampling differs from servers like vLLM in one point: llama.cpp's presence penalty looks at the last
64 tokens, those of the prompt included, not at all tokens of the reply.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from botpsy.chat.calls import END_OF_TURN
from botpsy.chat.formats import ChatFormat, chat_format
from botpsy.chat.types import Completion, Message, Sampling, Timings, ToolSpec
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.engines.gguf_header import GgufHeader, read_header
from botpsy.engines.llama import Generated, Llama
from botpsy.engines.prefixes import Prefixes, fixed_part, usable
from botpsy.engines.reply import Reply, cancelled
from botpsy.engines.watch import Watch
from botpsy.errors import EngineError, ModelError, UsageError

WINDOW = 16384
"""Tokens of prompt and reply together, unless the model was trained for fewer."""
PENALTY_TOKENS = 64
"""Tokens that the presence penalty looks back at: llama.cpp's own default."""
_POLL_S = 0.05


class Embedded:
    """An engine over one GGUF file.

    Args:
        path: the model.
        adapter: a LoRA adapter in GGUF, applied in full.
        format: how the model writes; by default the file says (see ``format_of``).
        window: tokens of prompt and reply together; memory grows with it.
        threads: CPU threads; by default llama.cpp's own choice, fewer on a busy machine.
        states: a folder for prefix states that outlive the process; by default, and where it
            cannot be written, none are kept.
        name: what to call the model; by default the file's own name.
        weights: sha256 of the file where it is known; by default computed when asked for.
        note: a remark about the model, for ``info``.

    Raises:
        ModelError: a file is missing, damaged, or not what it should be.
        UsageError: ``window`` is more than the model can read.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        adapter: Path | str | None = None,
        format: ChatFormat | str | None = None,
        window: int | None = None,
        threads: int | None = None,
        states: Path | None = None,
        name: str = "",
        weights: str = "",
        note: str = "",
    ) -> None:
        self.path = Path(path).expanduser()
        self.adapter = Path(adapter).expanduser() if adapter is not None else None
        header = read_header(self.path)
        if header.is_adapter:
            raise ModelError(
                f"{self.path} is an adapter, not a model.", hint="Give its base model as well."
            )
        if self.adapter is not None:
            _check_adapter(self.adapter, header)
        self.format = format_of(header) if format is None else _named(format)
        self.window = _window(window, header)
        self._name, self._weights, self._note = name or header.name, weights, note
        if states is not None and not usable(states):
            states = None
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._llama: Llama | None = Llama(
            self.path,
            adapter=self.adapter,
            window=self.window,
            threads=threads if threads is not None else _spare_threads(),
            states=states,
        )
        self._version = self._llama.version
        self._prefixes: Prefixes | None = None
        if states is not None:
            files = [self.path, self.adapter] if self.adapter else [self.path]
            self._prefixes = Prefixes(states, files, f"{self._version} {self.window}")

    @cached_property
    def info(self) -> EngineInfo:
        """What is running. The first look hashes the file unless its hash was given."""
        weights = self._weights or _sha256(self.path)
        if self.adapter is not None:
            weights += f"+{_sha256(self.adapter)}"
        return EngineInfo(
            name=self._name,
            engine="embedded",
            version=self._version,
            format=self.format.name,
            window=self.window,
            weights=weights,
            note=self._note,
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
        """See ``Engine.complete``. ``timeout_s`` includes the wait for other callers."""
        started = time.monotonic()
        watch = Watch(cancel, self._closing, timeout_s, started)
        shown = () if sampling.tool_choice == "none" else tuple(tools)
        prompt = self.format.render(messages, shown, thinking=sampling.thinking)
        request = self._request(prompt, shown, sampling)
        reply = Reply(
            shown,
            in_thinking=sampling.thinking,
            required=sampling.tool_choice == "required",
            on_delta=on_delta,
        )
        with self._turn(watch) as llama:
            if llama is None:
                return cancelled()
            if self._prefixes is not None:
                prefix = fixed_part(self.format, messages, shown)
                self._prefixes.ready(llama, prefix, watch.stop)
            ended = self._generate(llama, request, reply, watch)
        timings = Timings(ended.prefill_s, ended.decode_s, time.monotonic() - started)
        return reply.completion(ended.finish, ended.usage, timings)

    def score(self, prompt: str, text: str) -> tuple[float, int]:
        """The natural-log probability that ``text`` follows ``prompt``, and its tokens."""
        with self._turn(Watch(None, self._closing, None, 0.0)) as llama:
            if llama is None:
                raise EngineError("The model was closed.", hint="Load it again.")
            return llama.score(prompt, text)

    def close(self) -> None:
        """Free the model. A completion under way in another thread ends as cancelled."""
        self._closing.set()
        with self._lock:
            if self._llama is not None:
                self._llama.close()
                self._llama = None

    def __enter__(self) -> Embedded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(
        self, prompt: str, tools: tuple[ToolSpec, ...], sampling: Sampling
    ) -> dict[str, object]:
        request: dict[str, object] = {
            "prompt": prompt,
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "min_p": 0.0,
            "presence_penalty": sampling.presence_penalty,
            "repeat_last_n": PENALTY_TOKENS,
            "seed": -1 if sampling.seed is None else sampling.seed,
            "stop": list(END_OF_TURN),
        }
        if sampling.tool_choice == "required":
            from botpsy.engines.grammar import call_grammar

            request["grammar"] = call_grammar(tools, require=True, reasoning=sampling.thinking)
        return request

    @contextmanager
    def _turn(self, watch: Watch) -> Iterator[Llama | None]:
        """The model, for this caller alone; None when the call was cancelled in the queue."""
        while not self._lock.acquire(timeout=_POLL_S):
            if watch.stop():
                yield None
                return
        try:
            if self._llama is None:
                raise EngineError("The model was closed.", hint="Load it again.")
            yield self._llama
        finally:
            self._lock.release()

    def _generate(
        self, llama: Llama, request: dict[str, object], reply: Reply, watch: Watch
    ) -> Generated:
        def on_text(text: str, tokens: int) -> bool:
            reply.feed(text, tokens)
            return watch.stop()

        return llama.generate(request, on_text)


def format_of(header: GgufHeader) -> ChatFormat:
    """The format a GGUF file was trained with.

    The file's own ``botpsy.format`` decides; without it ``qwen35`` means ``qwen3_5`` with the
    file's template, and ``llama`` (SmolLM2) means ``pocket``.

    Raises:
        ModelError: nothing says how this model writes.
    """
    own = header.metadata.get("botpsy.format")
    if own:
        return _named(str(own))
    if header.architecture in ("qwen35", "qwen35moe"):
        format = chat_format("qwen3_5")
        return format.with_template(header.template) if header.template else format
    if header.architecture == "llama":
        return chat_format("pocket")
    raise ModelError(
        f"{header.path} is of the architecture {header.architecture or 'unknown'}; "
        "how it writes tool calls is not known.",
        hint="Give the format, qwen3_5 or pocket, if it was trained with one of them.",
    )


def _named(format: ChatFormat | str) -> ChatFormat:
    return chat_format(format) if isinstance(format, str) else format


def _check_adapter(path: Path, model: GgufHeader) -> None:
    header = read_header(path)
    if not header.is_adapter:
        raise ModelError(f"{path} is not a LoRA adapter.")
    if header.architecture != model.architecture:
        raise ModelError(
            f"The adapter {path} is for {header.architecture or 'another architecture'}, "
            f"the model is {model.architecture}."
        )


def _window(asked: int | None, header: GgufHeader) -> int:
    trained = header.window or WINDOW
    if asked is None:
        return min(trained, WINDOW)
    if not 0 < asked <= trained:
        raise UsageError(
            f"A window of {asked} tokens is not possible: {header.name} reads {trained}."
        )
    return asked


def _spare_threads() -> int | None:
    """As many as there are idle cores when half of them are busy; else None, the default.

    llama.cpp's threads spin while they wait for one another, so one that does not get its core
    stalls all. On 2 cores under a load of 6, SmolLM2-135M in Q8_0 wrote 2 tokens a second with two
    threads and 36 with one.
    """
    try:
        cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    except (AttributeError, OSError):  # not on this system
        return None
    idle = cores - load
    return None if idle >= cores / 2 else max(1, int(idle))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
