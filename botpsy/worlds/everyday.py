"""The suite ``everyday``: tasks of all eight domains that training has not seen.

Two parts, by what is new in them:

- ``held_out``: families, and in some of them tools, that training never meets;
- ``seen``: families that training knows, in worlds that it does not. The difference between the two
  scores is what did not generalise.

Its seeds are kept for it: training starts at ``FIRST_TRAINING_SEED``, tests stay below ``FIRST``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from botpsy.worlds.registry import families
from botpsy.worlds.scenario import Scenario

FIRST = 500
FIRST_TRAINING_SEED = 1_000
MAX_PER_FAMILY = FIRST_TRAINING_SEED - FIRST

Part = Literal["held_out", "seen"]


def everyday(part: Part = "held_out", *, per_family: int = 5) -> Iterator[Scenario]:
    """The tasks of one part, family by family, in order of names. The same for everybody."""
    assert 0 < per_family <= MAX_PER_FAMILY
    for each in families().values():
        if each.held_out == (part == "held_out"):
            for seed in range(FIRST, FIRST + per_family):
                yield each.scenario(seed)
