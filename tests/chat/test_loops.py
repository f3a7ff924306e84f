"""Going round in circles is seen, in tokens and in words."""

from __future__ import annotations

from botpsy.chat.loops import loops


def test_loops_are_seen() -> None:
    assert loops([7] * 16)
    assert not loops([7] * 15)
    assert loops([9, 8, 1, 2, 3, 4, 5] + [1, 2, 3, 4, 5] * 4)
    assert not loops(list(range(200)))
    assert not loops([])


def test_words_loop_like_tokens() -> None:
    assert loops(("and then " * 40).split())
    assert not loops(["one", "two", "three", "four", "five"])
    assert not loops(["a", "b", "a", "b", "a", "b"])
