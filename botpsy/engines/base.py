"""The contract of every engine: messages and tools in, one checked ``Completion`` out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from botpsy.chat.types import Completion, Delta, Message, Sampling, ToolSpec

OnDelta = Callable[[Delta], None]
Cancel = threading.Event


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What is running: for results, the ledger and ``doctor``.

    ``weights`` is a sha256 where the file is ours to read, else what the server says.
    """

    name: str
    engine: str
    version: str
    format: str
    window: int
    weights: str = ""
    note: str = ""


class Engine(Protocol):
    """Completes chats. Thread-safe; one call at a time is enough."""

    @property
    def info(self) -> EngineInfo: ...

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
        """Complete the conversation.

        ``on_delta`` receives text as it arrives. Setting ``cancel`` ends the completion soon, with
        ``finish_reason="cancelled"`` and no calls.

        Raises:
            ContextOverflowError: the prompt does not fit.
            EngineTimeoutError: ``timeout_s`` seconds went by.
            EngineError: the engine failed or cannot be reached.
        """
        ...

    def close(self) -> None:
        """Free what the engine holds. Safe to call twice."""
        ...
