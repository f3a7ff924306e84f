"""Augmentation: the same request, harder to answer by habit."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from botpsy.chat.types import ToolSpec
from botpsy.data.recipe import Augment
from botpsy.data.types import Row


def augment(row: Row, settings: Augment, rng: Random, pool: Sequence[ToolSpec]) -> Row:
    """The row with the augmentations that chance chose."""
    return row
