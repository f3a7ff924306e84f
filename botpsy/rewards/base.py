"""What every reward gives: one number to learn from, and the parts it is made of, to be logged.

A verifier is a pure function of a task's reference and the model's raw reply: no clock, no network,
no exception for bad text, the same value for the same input. Verifiers of a final answer give 1 for
right, 0 for wrong, and something between only where parts of the answer can be right by themselves;
a reply that breaks the format gets ``FLOOR``, which is less than any wrong answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from botpsy.chat.types import JsonObject

FLOOR = -1.0
"""For a reply that cannot be read: broken wire format, thinking never closed, no answer."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A value, and named parts in [0, 1] that say where it comes from."""

    value: float
    parts: Mapping[str, float] = field(default_factory=dict)


Verifier = Callable[[JsonObject, str], Reward]
"""(reference, raw reply) -> reward. The reference is the row's, as its generator wrote it."""
