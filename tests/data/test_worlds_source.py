"""Conversations from worlds: proven, apart from what is held out, with short reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, open_source
from botpsy.worlds.registry import HELD_OUT_TOOLS, families
from tests.data.rows import assert_sound


def source(seed: int = 1, **options: Any) -> Source:
    return open_source(SourceRecipe(name="worlds", rows=1, options=options), seed, Path())


ALL = source()


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_any_row_is_sound_and_not_held_out(number: int) -> None:
    row = ALL.make(number)
    assert_sound(row)
    assert not families()[row.group].held_out
    assert row.seed >= 1_000
    names = {tool.name for tool in row.tools}
    assert not names & HELD_OUT_TOOLS
    assert row.proof == "world: gold"
    for message in row.messages:
        if message.role == "assistant":
            assert message.reasoning, row.id
            assert len(message.reasoning) < 400, message.reasoning
            assert "{" not in message.reasoning.replace("{}", ""), message.reasoning


@settings(max_examples=15)
@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=4))
def test_the_same_number_gives_the_same_row(numbers: list[int]) -> None:
    first = [ALL.make(number) for number in numbers]
    again = source()
    assert [again.make(number) for number in reversed(numbers)] == first[::-1]


def test_another_seed_gives_other_rows() -> None:
    assert {ALL.make(n).id for n in range(20)}.isdisjoint(source(2).make(n).id for n in range(20))


def test_options_choose() -> None:
    chosen = source(domains=["home"], kinds=["single", "missing"], weights={"missing": 3})
    rows = [chosen.make(number) for number in range(60)]
    assert {row.domain for row in rows} == {"home"}
    kinds = [row.kind for row in rows]
    assert set(kinds) == {"single", "missing"}


def test_without_thinking() -> None:
    quiet = source(reasoning=0.0)
    assert not any(m.reasoning for n in range(10) for m in quiet.make(n).messages)


def test_tasks_name_their_scenario() -> None:
    row = source(form="task").make(3)
    assert_sound(row)
    assert row.verifier == "world"
    task = families()[str(row.reference["family"])].scenario(int(str(row.reference["seed"])))
    assert row.messages[1].content == task.turns[0]
    assert row.tools == task.specs


def test_no_held_out_family_can_be_asked_for() -> None:
    from botpsy.errors import ConfigError

    held = next(name for name, each in families().items() if each.held_out)
    with pytest.raises(ConfigError, match="cannot be trained on"):
        source(families=[held])
