"""What cannot work is found out by the plan, before hours are spent. No torch here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from botpsy.errors import ConfigError, UsageError
from botpsy.rewards import expression
from botpsy.train.base import size_of
from botpsy.train.fit import Fit, within
from botpsy.train.plan import make_plan
from botpsy.train.recipe import TrainRecipe
from tests.train.test_plan import PRACTICE
from tests.train.toy import lamp_row, toy_recipe, write_data, write_rows


def practice(folder: Path, data: Path, part: str = "", suite: str = "", **keys: str) -> TrainRecipe:
    stage = PRACTICE
    for key, value in keys.items():
        assert f"{key} =" in stage
        stage = "\n".join(
            f"{key} = {value}" if line.startswith(f"{key} =") else line
            for line in stage.splitlines()
        )
    mix = f'mix = [{{ name = "calls", share = 1, rows = "{data}"{part} }}]'
    return toy_recipe(folder, data, more=f"{suite}\n[[dapo]]\ngroup = 4\n{stage}\n{mix}\n")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


def plan(recipe: TrainRecipe, folder: Path) -> tuple[str, ...]:
    return make_plan(recipe, folder / "run", "toy.toml").stages[-1].notes


def test_tasks_are_counted(tmp_path: Path, data: Path) -> None:
    assert "mix.calls: 24 tasks, at most 96 are tried" in plan(practice(tmp_path, data), tmp_path)
    longer = replace(lamp_row(400, task=True), messages=lamp_row(400, task=True).messages * 9)
    rows = [*(lamp_row(n, task=True) for n in range(200, 224)), longer]
    write_rows(data / "tasks.jsonl", rows)
    said = "mix.calls: 24 tasks, at most 96 are tried, 1 are longer than max_prompt_tokens"
    assert said in plan(practice(tmp_path, data), tmp_path)


def test_no_task_that_fits(tmp_path: Path, data: Path) -> None:
    with pytest.raises(ConfigError, match=r"mix\.calls: the shortest of its 24 prompts has"):
        plan(practice(tmp_path, data, max_prompt_tokens="16"), tmp_path)


def test_no_task_of_that_verifier(tmp_path: Path, data: Path) -> None:
    with pytest.raises(ConfigError, match=r"mix\.calls: there are no such rows"):
        plan(practice(tmp_path, data, part=', verifiers = ["math"]'), tmp_path)


def test_a_suite_without_cases(tmp_path: Path, data: Path) -> None:
    suite = f'[[suite]]\nname = "sums"\nkind = "tasks"\nrows = "{data}"\nverifiers = ["math"]'
    with pytest.raises(ConfigError, match="suite sums: there are no such tasks"):
        plan(practice(tmp_path, data, suite=suite), tmp_path)


@pytest.mark.parametrize("file", ["tasks.jsonl", "tasks.validation.jsonl"])
def test_a_judge_that_is_not_installed(
    tmp_path: Path, data: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = f'[[suite]]\nname = "sums"\nkind = "tasks"\nrows = "{data}"'
    recipe = practice(tmp_path, data, suite=suite)
    monkeypatch.setattr(expression, "find_spec", lambda _: None)
    plan(recipe, tmp_path)
    rows = [lamp_row(n, task=True) for n in range(500, 524)]
    reference = {"answer": "x^2", "form": "expression"}
    rows[7] = replace(rows[7], verifier="math", reference=reference)
    write_rows(data / file, rows)
    with pytest.raises(UsageError, match="need math-verify"):
        plan(recipe, tmp_path)


def test_longer_than_the_window(tmp_path: Path, data: Path) -> None:
    recipe = practice(tmp_path, data)
    size = size_of("random:tiny", recipe)
    for name, section in recipe.stages().items():
        within(name, section, size)
        within(name, section, replace(size, window=0))  # not known
        with pytest.raises(ConfigError, match=rf"{name}: .* = 256 .* more than the 255 tokens"):
            within(name, section, replace(size, window=255))


def test_a_tokenizer_with_more_tokens_than_the_weights(tmp_path: Path, data: Path) -> None:
    recipe = practice(tmp_path, data)
    size = size_of("random:tiny", recipe)
    tokens = make_plan(recipe, tmp_path / "run", "toy.toml").tokens
    assert tokens
    own = tokens.inner.get_vocab_size()
    Fit(recipe, {}, tokens).vocabulary(replace(size, vocabulary=own))
    with pytest.raises(ConfigError, match=rf"{own} tokens, its weights {own - 1}"):
        Fit(recipe, {}, tokens).vocabulary(replace(size, vocabulary=own - 1))
