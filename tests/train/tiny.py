"""A tiny model with its own tokenizer, and replies that are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import torch

from botpsy.chat.formats import POCKET
from botpsy.chat.types import Message
from botpsy.data.tokens import Tokens
from botpsy.train.base import train_tokenizer
from botpsy.train.model import Loaded, fresh
from botpsy.train.rollout import Limits, Roller, Task
from botpsy.train.sample import Draw, Drawn, Sampler, TorchSampler
from botpsy.train.shapes import Shape

SHAPE = Shape(4, 32, 64, 2, 1, 16, 1, 2, 16)
"""One layer of full attention after three of linear attention."""
WORDS = "Answer: The letter is A B C D. one two three four five what is the right one? "


@cache
def tokens() -> Tokens:
    """A small vocabulary, the same for all."""
    return train_tokenizer([WORDS] * 4, POCKET, 300)


def model(seed: int = 0, shape: Shape = SHAPE) -> Loaded:
    """Fresh random weights."""
    torch.set_num_threads(1)
    return fresh(shape, tokens(), POCKET, "float32", seed)


def choice(n: int, right: str = "B", part: str = "choice") -> Task:
    """A task with one reply."""
    messages = (Message("user", f"what is the right one? {n}"),)
    reference = {"answer": right, "options": ["one", "two", "three", "four"]}
    return Task(f"choice/{n}", part, messages, (), "", "choice", reference)  # type: ignore[arg-type]


def ids(text: str, end: bool = True) -> list[int]:
    """A reply's tokens."""
    return [*tokens().encode(text), *([tokens().token_id("<|im_end|>")] if end else [])]


class Said:
    """A sampler that says what it was told to, reply by reply; what is too long is cut off."""

    def __init__(self, *replies: Sequence[int]) -> None:
        self.replies = [list(reply) for reply in replies]
        self.draws: list[Draw] = []

    def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
        """The next replies."""
        self.draws += draws
        made = []
        for draw in draws:
            reply = self.replies.pop(0)
            part = reply[: draw.limit]
            ended = part[-1:] == [tokens().token_id("<|im_end|>")]
            made.append(Drawn(part, [-0.5] * len(part), cut=not ended))
        return made


def roller(sampler: Sampler, limits: Limits | None = None) -> Roller:
    """Over that sampler."""
    limits = limits or Limits(reply=400, whole=4000, turns=8, call_s=5.0)
    return Roller(sampler, POCKET, tokens(), tokens().token_id("<|im_end|>"), limits)


def sampler(loaded: Loaded, **options: float) -> TorchSampler:
    """Of that model."""
    return TorchSampler(loaded.model, loaded.end, **options)  # type: ignore[arg-type]
