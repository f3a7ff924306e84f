"""Whom a case talks to: engines, with all that is said kept; or what was kept, once more."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from botpsy.chat.types import (
    Completion,
    Message,
    Sampling,
    Timings,
    ToolCall,
    ToolSpec,
    Usage,
)
from botpsy.engines.base import Engine
from botpsy.errors import BotpsyError, ContextOverflowError
from botpsy.evals.case import MODEL


class RecordError(BotpsyError):
    """A record does not belong to what is asked now."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer.

    Attributes:
        role: who was asked.
        prompt: hash of the question: messages, tools and whether a call was required.
        completion: the answer, raw text included.
    """

    role: str
    prompt: str
    completion: Completion

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return asdict(self)


def turn_of(stored: Mapping[str, Any]) -> Turn:
    """A turn as it was kept."""
    given = dict(stored["completion"])
    message = dict(given.pop("message"))
    calls = tuple(ToolCall(**call) for call in message.pop("calls"))
    usage, timings = Usage(**given.pop("usage")), Timings(**given.pop("timings"))
    completion = Completion(
        message=Message(**message, calls=calls), usage=usage, timings=timings, **given
    )
    return Turn(stored["role"], stored["prompt"], completion)


def prompt_hash(messages: Sequence[Message], tools: Sequence[ToolSpec], required: bool) -> str:
    """What a question is known by."""
    asked = [[asdict(each) for each in messages], [asdict(each) for each in tools], required]
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Live:
    """Asks engines, and keeps what was said in ``turns``. For one case; not to be shared."""

    def __init__(self, engines: Mapping[str, Engine], sampling: Sampling, seed: int) -> None:
        self._engines, self._sampling, self._seed = engines, sampling, seed
        self.turns: list[Turn] = []

    def ask(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        role: str = MODEL,
        required: bool = False,
    ) -> Completion:
        """See ``Talk.ask``.

        Raises:
            EngineError: the engine failed: no fault of the model.
        """
        sampling = replace(
            self._sampling,
            seed=self._seed + len(self.turns),
            tool_choice="required" if required else "auto",
        )
        try:
            completion = self._engines[role].complete(messages, tools, sampling)
        except ContextOverflowError as error:
            completion = Completion(Message("assistant"), "error", "", problem=error.message)
        self.turns.append(Turn(role, prompt_hash(messages, tools, required), completion))
        return completion


class Replay:
    """Answers as it was answered, and holds each question against the one that was recorded.

    ``turns`` is what was asked so far.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._recorded = list(turns)
        self.turns: list[Turn] = []

    def ask(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        role: str = MODEL,
        required: bool = False,
    ) -> Completion:
        """See ``Talk.ask``.

        Raises:
            RecordError: another question than was recorded, or one more.
        """
        at = len(self.turns)
        if at == len(self._recorded):
            raise RecordError("The case asks more than was recorded.")
        turn = self._recorded[at]
        if (turn.role, turn.prompt) != (role, prompt_hash(messages, tools, required)):
            raise RecordError(f"Question {at + 1} is another than was recorded.")
        self.turns.append(turn)
        return turn.completion
