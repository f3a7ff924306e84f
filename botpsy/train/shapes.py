"""Shapes of the Qwen3.5 text architecture for models that begin as noise, and what they weigh.

A hybrid: three layers of gated linear attention (Gated DeltaNet) to one of gated full attention.
Sources: the configuration classes of transformers (``qwen3_5_text``); ``0.8b`` and ``4b`` are those
of Qwen3.5-0.8B and -4B.
"""

from __future__ import annotations

from dataclasses import dataclass

from botpsy.errors import ConfigError

FULL_EVERY = 4
"""Each fourth layer attends to everything."""
CONV = 4
"""Width of the linear layers' convolution."""
WINDOW = 32_768
"""Tokens that a model which begins as noise may read."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes; ``value_heads`` and ``key_heads`` of ``linear_dim`` are the linear layers'."""

    layers: int
    hidden: int
    feed_forward: int
    heads: int
    kv_heads: int
    head_dim: int
    key_heads: int
    value_heads: int
    linear_dim: int

    def parameters(self, vocabulary: int) -> int:
        """How many weights a model has, input and output embeddings being one."""
        full = self.layers // FULL_EVERY
        return (
            vocabulary * self.hidden
            + self.hidden
            + self.layers * (3 * self.hidden * self.feed_forward + 2 * self.hidden)
            + full * self._full_attention()
            + (self.layers - full) * self._linear_attention()
        )

    def _full_attention(self) -> int:
        attended = self.heads * self.head_dim
        keys = self.kv_heads * self.head_dim
        # Queries come with a gate of their size; queries and keys are normed.
        return self.hidden * (3 * attended + 2 * keys) + 2 * self.head_dim

    def _linear_attention(self) -> int:
        keys = self.key_heads * self.linear_dim
        values = self.value_heads * self.linear_dim
        mixed = 2 * keys + values
        return (
            self.hidden * (mixed + 2 * values + 2 * self.value_heads)
            + mixed * CONV
            + 2 * self.value_heads
            + self.linear_dim
        )


SHAPES = {
    "tiny": Shape(4, 96, 256, 4, 2, 32, 2, 2, 32),
    "tiny-teacher": Shape(4, 160, 384, 4, 2, 32, 2, 2, 48),
    "4b": Shape(32, 2560, 9216, 16, 4, 256, 16, 32, 128),
    # Qwen3.5-0.8B, and the same with everything that scales made small.
    "0.8b": Shape(24, 1024, 3584, 8, 2, 256, 16, 16, 128),
    "0.8b-small": Shape(8, 64, 224, 4, 2, 32, 4, 4, 16),
}

RELEASES = {"Qwen3.5-0.8B": "0.8b", "Qwen3.5-4B": "4b"}
"""Checkpoints by the name of their folder, so that a plan can be made before they are there."""
VOCABULARY = 248_320
"""Of all releases."""


def shape_of(name: str) -> Shape:
    """The shape of that name.

    Raises:
        ConfigError: there is none.
    """
    if name not in SHAPES:
        raise ConfigError(f"There is no shape {name!r}.", f"Known: {', '.join(SHAPES)}.")
    return SHAPES[name]
