"""Tasks with a verifier: sound, proven, and the same for the same number."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, code, open_source, reasoning
from botpsy.data.sources.choice import families
from botpsy.data.sources.structured import kinds
from botpsy.data.tasks import reply
from botpsy.data.types import UnusableError
from botpsy.errors import ConfigError
from botpsy.rewards import verifier
from botpsy.rewards.instructions import CHECKS
from tests.data.rows import assert_sound

SOURCES = ("choice", "code", "instructions", "reasoning", "structured")


@cache
def opened(name: str, *, solved: bool = False, seed: int = 1) -> Source:
    recipe = SourceRecipe(name=name, rows=1, options={"solved": solved})
    return open_source(recipe, seed, Path("no-corpora"))


@pytest.mark.parametrize("name", SOURCES)
@settings(max_examples=25)
@given(data=st.data())
def test_a_number_is_a_row(name: str, data: st.DataObject) -> None:
    if name == "code" and data.draw(st.integers(0, 4)):
        return  # its proof starts two processes
    number, seed = data.draw(st.integers(0, 10**9)), data.draw(st.integers(0, 3))
    try:
        row = opened(name, seed=seed).make(number)
    except UnusableError:
        assert name == "reasoning"  # some of its items have no one answer
        return
    assert_sound(row)
    assert row.is_task and row.verifier in row.proof
    opened(name, seed=seed + 1).make(number)
    assert opened(name, seed=seed).make(number) == row


@pytest.mark.parametrize("name", SOURCES)
def test_a_solved_row_ends_with_the_answer_that_its_task_wants(name: str) -> None:
    for number in range(3 if name == "code" else 12):
        task, solved = opened(name).make(number), opened(name, solved=True).make(number)
        assert_sound(solved)
        assert not solved.is_task and solved.messages[:-1] == task.messages
        raw = f"{solved.messages[-1].reasoning}\n</think>\n\n{solved.messages[-1].content}"
        assert verifier(task.verifier)(task.reference, raw).value == 1


@pytest.mark.parametrize("name", SOURCES)
def test_unknown_options_are_refused(name: str) -> None:
    recipe = SourceRecipe(name=name, rows=1, options={"solve": True})
    with pytest.raises(ConfigError, match="solve"):
        open_source(recipe, 1, Path("no-corpora"))


def test_every_family_of_choices_holds_over_many_seeds() -> None:
    known = families()
    assert len(known) >= 60
    source = opened("choice")
    groups = {source.make(number).group for number in range(len(known) * 20)}
    assert groups == {f"choice/{name}" for name in known}


def test_letters_are_balanced() -> None:
    """No letter is worth betting on: each is right about as often as it is there."""
    source = opened("choice")
    rows = [source.make(number) for number in range(1500)]
    four = [row for row in rows if len(row.reference["options"]) == 4]  # type: ignore[arg-type]
    counts = [sum(row.reference["answer"] == letter for row in four) for letter in "ABCD"]
    assert min(counts) > len(four) / 4 * 0.75


def test_families_can_be_chosen_by_subject() -> None:
    recipe = SourceRecipe(name="choice", rows=1, options={"families": ["chemistry"]})
    source = open_source(recipe, 1, Path("no-corpora"))
    assert all(source.make(n).group.startswith("choice/chemistry_") for n in range(20))
    recipe = SourceRecipe(name="choice", rows=1, options={"families": ["alchemy"]})
    with pytest.raises(ConfigError, match="names none"):
        open_source(recipe, 1, Path("no-corpora"))


def test_instructions_over_turns_hold_at_every_turn() -> None:
    """What the assistant wrote so far is no answer to what is asked last."""
    source = opened("instructions")
    seen: set[str] = set()
    turns = set()
    for number in range(400):
        row = source.make(number)
        turns.add(sum(message.role == "user" for message in row.messages))
        constraints: Any = row.reference["constraints"]
        seen |= {each["kind"] for each in constraints}
        for message in row.messages:
            if message.role == "assistant":
                value = verifier("instructions")(row.reference, reply(message.content)).value
                assert value < 1
    assert turns == {1, 2, 3}
    assert seen == set(CHECKS)


def test_every_kind_of_document_can_be_chosen() -> None:
    assert len(kinds()) >= 14
    for name in kinds():
        recipe = SourceRecipe(name="structured", rows=1, options={"kinds": [name]})
        source = open_source(recipe, 1, Path("no-corpora"))
        for number in range(10):
            row = source.make(number)
            assert row.group == f"structured/{name}"


def test_every_kind_of_program_holds_whatever_is_drawn() -> None:
    """All statements fill in, all solutions run, no test is among the examples."""
    known = code.programs()
    assert len(known) >= 40
    for kind, made in known.items():
        for seed in range(12):
            asked = code.ask(Random(seed), kind, made)
            text = asked.messages[-1].content
            assert "$" not in text + asked.right and "  " not in text.split("Examples:")[0], text
            tests: Any = asked.reference["tests"]
            assert len(tests) >= 4, kind
            name = asked.reference["function"]
            for arguments, _ in tests:
                assert f"\n{name}({', '.join(map(repr, arguments))}) ==" not in text


def test_a_solution_of_each_kind_runs_behind_walls() -> None:
    for kind, made in code.programs().items():
        asked = code.ask(Random(5), kind, made)
        assert verifier("code")(asked.reference, reply(asked.right)).value == 1, kind


def test_every_dataset_of_reasoning_agrees_with_its_own_scorer() -> None:
    import reasoning_gym

    source = opened("reasoning")
    names = [name for names in reasoning.FORMS.values() for name in names.split()]
    for number, name in enumerate(names):
        made = reasoning_gym.create_dataset(name, seed=3, size=20)
        try:
            row = source.make(number + 5 * len(names))
        except UnusableError:
            continue
        assert row.group == f"reasoning/{name}"
        item = made[number % 20]
        assert made.score_answer(item["answer"], item) == 1


def test_reasoning_refuses_what_cannot_be_judged() -> None:
    rng = Random(0)
    with pytest.raises(UnusableError, match="no number"):
        reasoning.ask(rng, "gcd", "number", "What?", "five")
    with pytest.raises(UnusableError, match="one line"):
        reasoning.ask(rng, "gcd", "number", "What?", "")
    with pytest.raises(UnusableError, match="unknown"):
        reasoning.ask(rng, "simple_equations", "number", "Find i that satisfies: 0 = 0", "2")


def test_rows_do_not_hang_on_the_order_of_sets() -> None:
    """The same rows whatever the hash seed of the process."""
    script = (
        "from pathlib import Path; from botpsy.data.recipe import SourceRecipe;"
        "from botpsy.data.sources import open_source; from botpsy.data.types import UnusableError\n"
        "import hashlib; digest = hashlib.sha256()\n"
        "for name in ('choice', 'instructions', 'reasoning', 'structured'):\n"
        "    source = open_source(SourceRecipe(name=name, rows=1), 1, Path('.'))\n"
        "    for number in range(120):\n"
        "        try: row = repr(source.make(number))\n"
        "        except UnusableError as error: row = str(error)\n"
        "        digest.update(row.encode())\n"
        "print(digest.hexdigest())"
    )
    seen = {
        subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(seen) == 1
