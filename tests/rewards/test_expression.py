"""Expressions are compared by what they mean, and no answer can take the time of others."""

from __future__ import annotations

import os
import time

import pytest

from botpsy.errors import UsageError
from botpsy.rewards import FLOOR, expression, math

pytest.importorskip("math_verify")


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (r"\frac{1}{2}", "0.5"),
        ("(x+1)^2", "x^2+2x+1"),
        ("x = 3", "3"),
        ("[0, 1)", "[0,1)"),
        (r"\{1, 2\}", r"\{2,1\}"),
        (r"\sqrt{8}", r"2\sqrt{2}"),
        ("3 > x", "x < 3"),
        ("y = 2x + 1", "2x - y + 1 = 0"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1 & 2\\ 3 & 4\end{pmatrix}"),
        (r"50\%", r"\frac12"),
    ],
)
def test_the_same_said_otherwise(answer: str, right: str) -> None:
    assert expression.same(answer, right)
    assert expression.same(right, answer)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("[0,1]", "[0,1)"),
        (r"\{1,2\}", r"\{1,2,3\}"),
        ("x^2 + 2x", "x^2 + 2x + 1"),
        ("x > 3", "x < 3"),
        (r"\pi", "3.14159"),
        ("", "4"),
        ("I do not know", "4"),
        ("3, 4", "3"),
        ("x" * 600, "x"),
        ("$", "1"),
        (r"\frac{1}{0}", "1"),
        (r"\begin{pmatrix}", "1"),
        ("4\n5", "4"),
    ],
)
def test_something_else(answer: str, right: str) -> None:
    assert not expression.same(answer, right)


HOSTILE = [
    "9^{9^{9^{9^9}}}",
    "9^" * 100 + "9",
    "(" * 200 + "1" + ")" * 200,
    r"\sqrt{" * 60 + "2" + "}" * 60,
    r"\frac{1}{" * 50 + "2" + "}" * 50,
    "(a+b+c+d+e+f)^{99}",
    "99999!!!!",
    r"\int_0^{10^{10}} x^{x^x} dx",
    "\ud800",
    "\x00",
    "1\n[0,0]",
    '"], ["1", "1',
    "__import__('os')._exit(0)",
    "１ + １",
]


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_answer_is_wrong_and_harms_nobody(answer: str) -> None:
    began = time.monotonic()
    assert not expression.same(answer, "7")
    assert time.monotonic() - began < 60  # the wall clock of a process, with room
    assert expression.same("7", "7")


def test_an_answer_runs_nothing(tmp_path: object) -> None:
    mark = f"{tmp_path}/mark"
    for text in (
        f"__import__('os').mkdir('{mark}')",
        f"\\text{{__import__('os').mkdir('{mark}')}}",
        f"x = open('{mark}', 'w')",
    ):
        expression.same(text, "1")
    assert not os.path.exists(mark)  # noqa: PTH110


def test_the_verifier_takes_it() -> None:
    reference = {"answer": "x^2+2x+1", "form": "expression"}
    right = "Squared.\n</think>\n\nAnswer: $(x+1)^2$"
    assert math.verify(reference, right).value == 1.0
    assert math.verify(reference, right.replace("+1)", "+2)")).value == 0.0
    assert math.verify(reference, "(x+1)^2").value == FLOOR


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expression, "find_spec", lambda _: None)
    expression._process.cache_clear()
    with pytest.raises(UsageError, match="math-verify"):
        expression.same("1", "1")
    expression._process.cache_clear()


def test_a_process_that_died_is_started_again() -> None:
    assert expression.same("1", "1")
    running = expression._process()._running
    assert running is not None
    running.kill()
    running.wait()
    assert expression.same("1", "1")
