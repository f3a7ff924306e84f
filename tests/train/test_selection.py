"""The best checkpoint on the named suite, unless it breaks a guarded one."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.errors import BotpsyError
from botpsy.train.sections import SuiteRecipe
from botpsy.train.selection import (
    Point,
    choose,
    error_of,
    may_be_chance,
    read_points,
    told,
    write_points,
)

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


def counted(step: int, right: int, of: int = 120) -> Point:
    return Point(step, {"loss": 2.0, "calls": right / of}, {"loss": 900, "calls": of})


def test_noise_is_told_and_the_value_still_decides() -> None:
    _, calls = SUITES
    start = counted(0, 60)
    choice = choose([start, counted(10, 61), counted(20, 60)], SUITES, "calls")
    assert choice.step == 10
    assert choice.reason == (
        "calls is 0.5083 ± 0.046, at the start 0.5 ± 0.046, which may be chance;"
        " best of 3 checkpoints"
    )
    assert may_be_chance(start, counted(10, 75), calls)
    assert not may_be_chance(start, counted(10, 76), calls)
    assert not may_be_chance(start, start, calls)  # there is no difference
    assert "chance" not in choose([start, counted(10, 76)], SUITES, "calls").reason


def test_one_case_of_few_is_chance_at_the_ends_too() -> None:
    _, calls = SUITES
    assert may_be_chance(counted(0, 0, 6), counted(10, 1, 6), calls)
    assert not may_be_chance(counted(0, 0, 6), counted(10, 6, 6), calls)


def test_the_standard_error_is_that_of_a_share() -> None:
    loss, calls = SUITES
    assert error_of(counted(0, 60), calls) == pytest.approx(0.5 / 120**0.5)
    assert error_of(counted(0, 60), loss) == 0.0
    assert told(counted(0, 0), calls) == "0"
    old = Point(0, {"calls": 0.5})  # of before cases were counted
    assert error_of(old, calls) == 0.0
    assert not may_be_chance(old, counted(10, 61), calls)


def test_a_guarded_suite_that_is_worse_is_named_however_little() -> None:
    choice = choose([*points((3, 0.5)), Point(10, {"loss": 1, "calls": 0.49})], SUITES, "loss")
    assert choice.step == 10
    assert choice.reason.endswith("; guarded calls went from 0.5 to 0.49")


def test_what_is_no_number_cannot_be_compared() -> None:
    with pytest.raises(BotpsyError, match="After step 10 the suite loss"):
        choose(points((2, 0), (float("nan"), 0)), SUITES, "loss")


def test_points_come_back_and_a_torn_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "evals.jsonl"
    assert read_points(path) == []
    write_points(path, points((2, 0.1), (1, 0.2)))
    assert read_points(path) == points((2, 0.1), (1, 0.2))
    path.write_text(path.read_text() + '{"step": 30, "sui')
    assert read_points(path) == points((2, 0.1), (1, 0.2))
    path.write_text('{"step": 0, "suites": {"loss": 2}}\n')  # of before cases were counted
    assert read_points(path) == [Point(0, {"loss": 2})]
    path.write_text(path.read_text() + '{"step": 30, "sui')
    assert len(read_points(path)) == 1
