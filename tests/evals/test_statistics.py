"""Numbers with intervals, against values worked out by hand and closed forms."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.evals.case import Leaf, Mean, Score, Verdict, passed
from botpsy.evals.statistics import Judged, Value, difference, holm, mcnemar, pass_k, values


def judged(category: str, oks: list[bool], *, group: int = 0) -> list[Judged]:
    """Cases that pass or fail; so many in a group."""
    return [
        Judged(f"{category}/{n}", category, f"{n // group}" if group else "", (passed(ok),))
        for n, ok in enumerate(oks)
    ]


def value(score: Score, cases: list[Judged]) -> Value:
    return values([score], cases)[score.name]


def test_a_leaf_is_its_share_and_the_interval_is_the_binomials() -> None:
    found = value(Leaf("a"), judged("a", [True] * 300 + [False] * 700))
    assert found.value == pytest.approx(0.3)
    assert found.cases == 1000
    half = 1.96 * sqrt(0.3 * 0.7 / 1000)
    assert found.low == pytest.approx(0.3 - half, abs=0.004)
    assert found.high == pytest.approx(0.3 + half, abs=0.004)


def test_means_weigh_parts_and_leaves_weigh_cases() -> None:
    cases = judged("a", [True] * 9 + [False]) + judged("b", [False] * 90)
    assert value(Leaf("both", ("a", "b")), cases).value == pytest.approx(0.09)
    assert value(Mean("both", (Leaf("a"), Leaf("b"))), cases).value == pytest.approx(0.45)
    weighted = Mean("both", (Leaf("a"), Leaf("b")), (3.0, 1.0))
    assert value(weighted, cases).value == pytest.approx(0.675)


def test_a_part_is_never_the_whole() -> None:
    cases = judged("a", [True])
    assert value(Mean("both", (Leaf("a"), Leaf("b"))), cases).value is None
    assert value(Leaf("both", ("a", "b")), cases).value is None
    assert value(Leaf("a", measure="other"), cases).value is None


def test_a_measure_may_count_parts_of_cases() -> None:
    cases = [
        Judged("1", "a", "", (Verdict({"loose": (3.0, 4.0)}),)),
        Judged("2", "a", "", (Verdict({"loose": (0.0, 2.0)}),)),
        Judged("3", "a", "", (Verdict({"loose": (0.0, 0.0)}),)),
    ]
    assert value(Leaf("a", measure="loose"), cases).value == pytest.approx(0.5)


def test_groups_are_drawn_together() -> None:
    oks = [True] * 50 + [False] * 50
    alone = value(Leaf("a"), judged("a", oks))
    tens = value(Leaf("a"), judged("a", oks, group=10))
    assert tens.high - tens.low > 2.5 * (alone.high - alone.low)  # sqrt(10) = 3.2


def test_trials_of_a_case_count_once() -> None:
    trials = (passed(True), passed(False), passed(False), passed(False))
    found = value(Leaf("a"), [Judged("1", "a", "", trials)])
    assert found.value == pytest.approx(0.25)
    assert found.cases == 1


def test_the_same_numbers_every_time() -> None:
    cases = judged("a", [True, False, True])
    assert value(Leaf("a"), cases) == value(Leaf("a"), cases)


def test_a_paired_difference_is_narrower_than_the_two_apart() -> None:
    before = judged("a", [True] * 200 + [False] * 200)
    after = judged("a", [True] * 220 + [False] * 180)
    found = difference(Leaf("a"), before, after)
    assert found.value == pytest.approx(0.05)
    assert found.low > 0.02
    assert found.high < 0.08
    apart = value(Leaf("a"), after)
    assert found.high - found.low < (apart.high - apart.low) / 2
    assert difference(Leaf("a"), before, before).value == 0.0
    assert difference(Leaf("a"), before, judged("b", [True])).value is None


@pytest.mark.parametrize(
    ("done", "trials", "k", "right"),
    [(2, 4, 1, 0.5), (2, 4, 2, 1 / 6), (1, 4, 2, 0.0), (4, 4, 4, 1)],
)
def test_pass_k(done: int, trials: int, k: int, right: float) -> None:
    verdicts = tuple(passed(n < done) for n in range(trials))
    assert pass_k([Judged("1", "a", "", verdicts)], "passed", k) == pytest.approx(right)


def test_pass_k_needs_k_trials() -> None:
    assert pass_k(judged("a", [True]), "passed", 2) is None


@pytest.mark.parametrize(
    ("won", "lost", "p"), [(0, 0, 1.0), (5, 0, 0.0625), (10, 2, 0.03857421875)]
)
def test_mcnemar(won: int, lost: int, p: float) -> None:
    assert mcnemar(won, lost) == pytest.approx(p)
    assert mcnemar(lost, won) == pytest.approx(p)


def test_holm() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "c": 0.06, "b": 0.06}
    )


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_an_interval_holds_its_value(oks: list[bool]) -> None:
    found = value(Leaf("a"), judged("a", oks))
    assert found.value is not None
    assert 0 <= found.low <= found.value + 1e-6
    assert found.value - 1e-6 <= found.high <= 1
