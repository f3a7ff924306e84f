"""DAPO's equation 13, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.rewards.overlong import punishment


@pytest.mark.parametrize(
    ("length", "worth"),
    [
        (0, 0.0),
        (16_384, 0.0),
        (16_385, -1 / 4_096),
        (18_432, -0.5),
        (20_480, -1.0),
        (20_481, -1.0),
        (10**9, -1.0),
    ],
)
def test_the_paper_s_numbers(length: int, worth: float) -> None:
    assert punishment(length, 20_480, 4_096) == worth


def test_all_of_the_limit_can_be_margin() -> None:
    assert punishment(5, 10, 10) == -0.5


@given(st.integers(0, 3000), st.integers(1, 1000), st.integers(0, 1000))
def test_longer_is_never_better(length: int, margin: int, more: int) -> None:
    limit = margin + more
    assert -1 <= punishment(length + 1, limit, margin) <= punishment(length, limit, margin) <= 0
