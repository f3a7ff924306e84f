"""Every family, over seeds: well made, deterministic, and proven."""

from __future__ import annotations

import json
import os

import pytest

from botpsy.chat.schema import check_arguments
from botpsy.worlds.episode import play
from botpsy.worlds.prove import prove
from botpsy.worlds.registry import families, scenario

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


@pytest.mark.parametrize("name", NAMES)
def test_gold_calls_fit_their_schemas(name: str) -> None:
    made = scenario(name, 0)
    for way in made.gold:
        _, episode = play(made, way)
        for step in episode.steps:
            assert step.call.name in made.tools
            check_arguments(made.world.tools[step.call.name].spec, step.call.arguments)
            assert json.loads(json.dumps(step.call.arguments)) == step.call.arguments
    assert all(turn.strip() for turn in made.turns)
    assert len(set(made.tools)) == len(made.tools) <= 8
