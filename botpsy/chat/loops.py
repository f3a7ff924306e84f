"""Whether a text goes round in circles: one rule for training and for evaluation."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_PERIOD = 32
REPEATS = 4
LEAST = 16


def loops(parts: Sequence[object]) -> bool:
    """Whether tokens, or words, end in one stretch of up to 32, four times over (at least 16)."""
    for period in range(1, LONGEST_PERIOD + 1):
        span = max(REPEATS * period, LEAST)
        tail = parts[-span:]
        if len(tail) == span and all(tail[n] == tail[n - period] for n in range(period, span)):
            return True
    return False
