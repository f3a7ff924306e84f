"""A checkpoint folder of transformers in this process, with torch (the ``train`` extra).

For measuring what is being trained, and for holding other engines against it: it is the slowest of
them, one token at a time. Prompt and reply go through the same ``ChatFormat`` and parser as in
``embedded``. Two things differ: a call cannot be enforced (``tool_choice="required"``), and the
presence penalty looks at all tokens of the reply and at none of the prompt, as servers do.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from botpsy.chat.calls import END_OF_TURN
from botpsy.chat.formats import ChatFormat, chat_format
from botpsy.chat.tokens import Tokens, tokenizer_of
from botpsy.chat.types import Completion, FinishReason, Message, Sampling, Timings, ToolSpec, Usage
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.engines.fetch import sha256_of
from botpsy.engines.reply import Reply, cancelled
from botpsy.engines.watch import Watch
from botpsy.errors import ConfigError, ContextOverflowError, EngineError, ModelError, UsageError

WINDOW = 16_384
"""Tokens of prompt and reply together, unless the model was trained for fewer."""
TEMPLATE = "chat_template.jinja"
_HELD = 8
"""Tokens that may wait for the rest of a character."""
_POLL_S = 0.05


class Checkpoint:
    """An engine over one checkpoint folder.

    Args:
        folder: ``config.json``, safetensors, ``tokenizer.json``.
        format: how the model writes; by default its chat template says.
        window: tokens of prompt and reply together.
        threads: of torch, for the whole process.

    Raises:
        UsageError: torch and transformers are not installed, or the window is too large.
        ModelError: the folder holds no model that can be read.
    """

    def __init__(
        self,
        folder: Path | str,
        *,
        format: str | None = None,
        window: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.folder = Path(folder).expanduser()
        self._torch, transformers = _needed("torch"), _needed("transformers")
        config = _config(self.folder)
        self.format = chat_format(format) if format else format_of(self.folder, config)
        trained = int(config.get("max_position_embeddings", WINDOW))
        if window is not None and not 0 < window <= trained:
            raise UsageError(
                f"A window of {window} tokens is not possible: {self.folder.name} reads {trained}."
            )
        self.window = window or min(trained, WINDOW)
        if threads is not None:
            self._torch.set_num_threads(threads)
        transformers.utils.logging.disable_progress_bar()
        try:
            self.tokens: Tokens = tokenizer_of(self.folder)
            self._ends = frozenset(filter(None, map(self.tokens.inner.token_to_id, END_OF_TURN)))
            model = transformers.AutoModelForCausalLM.from_pretrained(
                self.folder, dtype="auto", local_files_only=True
            )
        except ConfigError as error:
            raise ModelError(error.message, error.hint) from None
        except Exception as error:  # each reader of weights has errors of its own
            raise ModelError(f"The model in {self.folder} cannot be loaded: {error}") from None
        device = "cuda" if self._torch.cuda.is_available() else "cpu"
        self._model: Any = model.to(device).eval()
        self._dtype = str(model.dtype).removeprefix("torch.")
        self._version = f"transformers {transformers.__version__}, torch {self._torch.__version__}"
        self._lock = threading.Lock()
        self._closing = threading.Event()

    @cached_property
    def info(self) -> EngineInfo:
        """What is running. The first look hashes the weights."""
        total = hashlib.sha256()
        for path in sorted(self.folder.glob("*.safetensors")):
            total.update(f"{path.name} {sha256_of(path)}\n".encode())
        return EngineInfo(
            name=self.folder.name,
            engine="torch",
            version=self._version,
            format=self.format.name,
            window=self.window,
            weights=total.hexdigest(),
            note=f"computed in {self._dtype}",
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
        """See ``Engine.complete``. ``timeout_s`` includes the wait for other callers.

        Raises:
            UsageError: a call is to be enforced.
        """
        if sampling.tool_choice == "required":
            raise UsageError(
                "A checkpoint folder cannot be made to call a tool (tool_choice required).",
                "Export it as GGUF and run that.",
            )
        started = time.monotonic()
        watch = Watch(cancel, self._closing, timeout_s, started)
        shown = () if sampling.tool_choice == "none" else tuple(tools)
        prompt, _ = self.format.encode(
            messages, shown, self.tokens, add_generation_prompt=True, thinking=sampling.thinking
        )
        if len(prompt) >= self.window:
            raise ContextOverflowError(
                len(prompt), self.window, "Start a new conversation, or offer fewer tools."
            )
        reply = Reply(shown, in_thinking=sampling.thinking, on_delta=on_delta)
        while not self._lock.acquire(timeout=_POLL_S):
            if watch.stop():
                return cancelled()
        try:
            if self._model is None:
                raise EngineError("The model was closed.", hint="Load it again.")
            said = self._write(prompt, sampling, reply, watch)
        finally:
            self._lock.release()
        usage = Usage(len(prompt), said.tokens)
        total = time.monotonic() - started
        return reply.completion(said.finish, usage, Timings(said.prefill_s, said.decode_s, total))

    def close(self) -> None:
        """Free the model. A completion under way in another thread ends as cancelled."""
        self._closing.set()
        with self._lock:
            self._model = None

    def _write(self, prompt: list[int], sampling: Sampling, reply: Reply, watch: Watch) -> _Said:
        """Write a reply into ``reply``."""
        said = _Said()
        began = time.monotonic()
        pending: list[int] = []
        limit = min(sampling.max_tokens, self.window - len(prompt))
        with self._torch.inference_mode():
            for token in self._drawn(prompt, sampling):
                if not said.tokens:
                    said.prefill_s, began = time.monotonic() - began, time.monotonic()
                said.tokens += 1
                if token in self._ends:
                    said.finish = "stop"
                    break
                pending.append(token)
                text = self.tokens.decode(pending)
                if not text.endswith("\ufffd") or len(pending) > _HELD:
                    reply.feed(text, said.tokens)
                    pending = []
                if watch.stop():
                    said.finish = "cancelled"
                    break
                if said.tokens >= limit:
                    break
        if pending:
            reply.feed(self.tokens.decode(pending), said.tokens)
        said.decode_s = time.monotonic() - began
        return said

    def _drawn(self, prompt: list[int], sampling: Sampling) -> Iterator[int]:
        """Token after token, without end."""
        torch = self._torch
        chance = torch.Generator().manual_seed(sampling.seed or 0)
        if sampling.seed is None:
            chance.seed()
        ids = torch.tensor([prompt], device=self._model.device)
        cache, seen = None, torch.zeros(0, dtype=torch.long)
        while True:
            out = self._model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1)
            cache = out.cache
            logits = out.logits[0, -1].float().cpu()
            logits[seen] -= sampling.presence_penalty
            token = _pick(torch, logits, sampling, chance)
            yield token
            seen = torch.cat([seen, torch.tensor([token])]).unique()
            ids = torch.tensor([[token]], device=self._model.device)


@dataclass(slots=True)
class _Said:
    """How a reply was written."""

    finish: FinishReason = "length"
    tokens: int = field(default=0)
    prefill_s: float = 0.0
    decode_s: float = 0.0


def _pick(torch: Any, logits: Any, sampling: Sampling, chance: Any) -> int:
    """One token: top-k, then top-p, then chance; the likeliest at temperature 0."""
    if sampling.temperature == 0:
        return int(logits.argmax())
    count = min(sampling.top_k or len(logits), len(logits))
    values, tokens = (logits / sampling.temperature).topk(count)
    shares = values.softmax(-1)
    kept = shares.cumsum(-1) - shares < sampling.top_p
    kept[0] = True
    return int(tokens[torch.multinomial(shares * kept, 1, generator=chance)])


def format_of(folder: Path, config: dict[str, Any]) -> ChatFormat:
    """The format a checkpoint was trained with: its template is one of ours, or one of Qwen3.5's.

    Raises:
        ModelError: nothing says how this model writes.
    """
    path = folder / TEMPLATE
    template = path.read_text("utf-8") if path.is_file() else ""
    for name in ("pocket", "qwen3_5"):
        if template == chat_format(name).template:
            return chat_format(name)
    kind = str(config.get("model_type", ""))
    if kind.startswith("qwen3_5"):
        own = chat_format("qwen3_5")
        return own.with_template(template) if template else own
    raise ModelError(
        f"{folder} is of the kind {kind or 'unknown'}; how it writes tool calls is not known.",
        hint="Give the format, qwen3_5 or pocket, if it was trained with one of them.",
    )


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        found = config.get("text_config", config)
        return {**found, "model_type": config.get("model_type", "")}
    except (OSError, ValueError, AttributeError):
        raise ModelError(
            f"{folder} holds no model: it has no config.json that can be read.",
            "Name a checkpoint folder of transformers, or a .gguf file.",
        ) from None


def _needed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(
            f"Checkpoint folders need {name}.", "Install it: pip install 'botpsy[train]'."
        ) from None
