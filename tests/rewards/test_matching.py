"""The best assignment is the best there is; equality knows types."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import Json
from botpsy.rewards.matching import assign, equal
from tests.chat.strategies import json_values


def tables() -> st.SearchStrategy[list[list[float]]]:
    sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))
    weight = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(weight, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
        )
    )


def total(table: list[list[float]], pairs: list[tuple[int, int]]) -> float:
    return sum(table[row][column] for row, column in pairs)


@given(tables())
def test_no_assignment_is_better(table: list[list[float]]) -> None:
    rows, columns = len(table), len(table[0])
    pairs = assign(table)
    assert len(pairs) == min(rows, columns)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    best = max(
        total(table, list(zip(some, others, strict=True)))
        for some in permutations(range(rows), len(pairs))
        for others in permutations(range(columns), len(pairs))
    )
    assert total(table, pairs) == pytest.approx(best)


def test_the_first_best_is_not_the_best() -> None:
    assert assign([[0.9, 0.8], [0.8, 0.1]]) == [(0, 1), (1, 0)]
    assert assign([[0.8, 0.9]]) == [(0, 1)]
    assert assign([[0.8], [0.9], [0.1]]) == [(1, 0)]
    assert assign([]) == []
    assert assign([[], []]) == []


def test_sixteen_by_thirty_two() -> None:
    table = [[float((row * 7) % 16 == column % 16) for column in range(32)] for row in range(16)]
    assert total(table, assign(table)) == 16


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (0, -0.0, True),
        (10**20, 1e20, True),
        (2**53 + 1, float(2**53), False),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        (None, False, False),
        (None, "", False),
        ("", [], False),
        ([], {}, False),
        ("caf\u00e9", "cafe\u0301", True),
        ("a", "A", False),
        ("a", "а", False),  # the second one is Cyrillic
        ("a", "a ", False),
        ("ﬁ", "fi", False),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([[1], 2], [[1], 2.0], True),
        ([1, 1, 2], [1, 2, 2], False),
    ],
)
def test_equality(one: Json, other: Json, same: bool) -> None:
    assert equal(one, other) is equal(other, one) is same


@given(json_values(), json_values())
def test_equality_is_one(one: Json, other: Json) -> None:
    assert equal(one, one)
    assert equal(one, other) is equal(other, one)


@given(
    st.lists(json_values(), max_size=5).flatmap(
        lambda x: st.tuples(*[st.just(x)], st.permutations(x))
    )
)
def test_unordered_lists_hold_the_same_in_any_order(two: tuple[list[Json], list[Json]]) -> None:
    assert equal(*two, unordered=True)
    assert not equal(two[0], [*two[1], None], unordered=True)


def test_only_the_list_itself_is_unordered() -> None:
    assert equal([[1, 2], 3], [3, [1, 2]], unordered=True)
    assert not equal([[1, 2], 3], [3, [2, 1]], unordered=True)
    assert not equal([1, 1, 2], [1, 2, 2], unordered=True)
