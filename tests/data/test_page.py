"""What docs/data.md shows works as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from botpsy.chat.formats import POCKET
from botpsy.data.augment import augment
from botpsy.data.check import check_row
from botpsy.data.recipe import Augment, DataRecipe, SourceRecipe, read_recipe
from botpsy.data.sources import names

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_recipe_shown_names_every_key(tmp_path: Path) -> None:
    [shown] = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "recipe.toml"
    path.write_text(shown, "utf-8")
    recipe = read_recipe(path)
    assert {source.name for source in recipe.source} <= set(names())
    assert recipe.model_fields_set == set(DataRecipe.model_fields)
    assert set().union(*(each.model_fields_set for each in recipe.source)) == set(
        SourceRecipe.model_fields
    )


@pytest.mark.parametrize("named", [*names(), *Augment.model_fields])
def test_sources_and_augmentations_are_told_of(named: str) -> None:
    assert f"`{named}`" in TEXT


def test_the_source_shown_makes_sound_rows() -> None:
    [shown] = [
        each for each in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "def " in each
    ]
    made: dict[str, Any] = {}
    exec(shown, made)
    source = made["open_source"](SourceRecipe(name="letters", rows=9), 1, Path("corpora"))
    for number in range(9):
        row = source.make(number)
        assert row == source.make(number)
        check_row(row, POCKET)
    from random import Random

    check_row(
        augment(row, Augment(shuffle=1, rename_tools=1), Random(1), source.pool, None), POCKET
    )
