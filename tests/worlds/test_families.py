"""Every family, over seeds: well made, deterministic, and proven."""

from __future__ import annotations

import os

import pytest

from botpsy.chat.schema import check_arguments
from botpsy.chat.types import ToolCall
from botpsy.worlds.acts import Calls
from botpsy.worlds.prove import prove
from botpsy.worlds.registry import HELD_OUT_SHARE, HELD_OUT_TOOLS, families, scenario
from botpsy.worlds.scenario import Scenario

NAMES = list(families())
SEEDS = int(os.environ.get("BOTPSY_SEEDS", "3"))


@pytest.mark.parametrize("name", NAMES)
def test_proven(name: str) -> None:
    for seed in range(SEEDS):
        made = scenario(name, seed)
        proof = prove(made)
        assert not proof.wrong, "\n".join((*proof.wrong, *made.turns))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_proven_over_many_seeds(name: str) -> None:
    for seed in range(100, 160):
        made = scenario(name, seed)
        proof = prove(made)
        assert not proof.wrong, "\n".join((*proof.wrong, *made.turns))
