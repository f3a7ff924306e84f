"""The best checkpoint on the named suite, unless it breaks a guarded one."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.errors import BotpsyError
from botpsy.train.sections import SuiteRecipe
from botpsy.train.selection import Point, choose, read_points, write_points

SUITES = (
    SuiteRecipe(name="loss", kind="loss", rows="r"),
    SuiteRecipe(name="calls", kind="calls", rows="r", guard=0.05),
)


def points(*pairs: tuple[float, float]) -> list[Point]:
    return [Point(10 * n, {"loss": a, "calls": b}) for n, (a, b) in enumerate(pairs)]


def test_low_loss_and_high_shares_are_good() -> None:
    found = points((3.0, 0.1), (2.0, 0.3), (2.5, 0.4))
    assert choose(found, SUITES, "loss").step == 10
    choice = choose(found, SUITES, "calls")
    assert (choice.step, choice.value, choice.start) == (20, 0.4, 0.1)
    assert choice.reason == "calls is 0.4, at the start 0.1; best of 3 checkpoints"


def test_of_equals_the_earliest() -> None:
    assert choose(points((3, 0), (2, 0), (2, 0)), SUITES, "loss").step == 10


def test_a_stage_that_only_harms_changes_nothing() -> None:
    choice = choose(points((2, 0.5), (3, 0.5)), SUITES, "loss")
    assert choice.step == 0
    assert "no checkpoint is better than the start" in choice.reason


def test_a_guarded_suite_may_not_suffer() -> None:
    choice = choose(points((3, 0.5), (2.0, 0.46), (1.0, 0.4)), SUITES, "loss")
    assert choice.step == 10
    assert "step 20 has 1, but calls went from 0.5 to 0.4" in choice.reason


def test_the_start_breaks_nothing_so_it_can_always_be_kept() -> None:
    choice = choose(points((3, 0.5), (2.0, 0.3), (1.0, 0.4)), SUITES, "loss")
    assert choice.step == 0
    assert "step 20 has 1, but calls went from 0.5 to 0.4" in choice.reason


def test_a_guard_on_a_loss_is_the_other_way_round() -> None:
    suites = (SUITES[0].model_copy(update={"guard": 0.1}), SUITES[1])
    choice = choose(points((2, 0.5), (2.05, 0.7), (2.5, 0.9)), suites, "calls")
    assert choice.step == 10


def test_what_is_no_number_cannot_be_compared() -> None:
    with pytest.raises(BotpsyError, match="After step 10 the suite loss"):
        choose(points((2, 0), (float("nan"), 0)), SUITES, "loss")


def test_points_come_back_and_a_torn_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "evals.jsonl"
    assert read_points(path) == []
    write_points(path, points((2, 0.1), (1, 0.2)))
    assert read_points(path) == points((2, 0.1), (1, 0.2))
    path.write_text(path.read_text() + '{"step": 30, "sui')
    assert len(read_points(path)) == 2
