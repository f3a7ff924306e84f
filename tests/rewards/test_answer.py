"""What counts as the one final answer, and how it is judged."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import JsonObject
from botpsy.rewards import FLOOR, VERIFIERS, verifier
from botpsy.rewards.answer import MAX_CHARACTERS, content_of, stated
from botpsy.rewards.math import number, polynomial, same

CHOICE: JsonObject = {"answer": "B", "options": ["Oslo", "Riga", "Rome"]}
REFERENCES: dict[str, JsonObject] = {
    "choice": CHOICE,
    "math": {"answer": "42", "form": "number"},
    "structured": {
        "schema": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "value": {"a": 1},
    },
    "instructions": {"constraints": [{"kind": "words", "least": 1}]},
    "code": {"function": "f", "tests": [[[1], 2]]},
}


def test_every_verifier_is_here() -> None:
    assert {*REFERENCES, "tool_call"} == set(VERIFIERS)  # that one judges calls, not an answer


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize(
    "raw",
    [
        "",
        "Answer: B",  # all of it is still reasoning
        "It is 42. Answer: 42",
        '{"a": 1}',
        "<think>Answer: B",
        "thinking</think>",
        "thinking</think>\n\n   \n",
        "x</think>y</think>Answer: B",
        "x</think><tool_call>\n<function=f>\n</function>\n</tool_call>",
        "x</think>Answer: B<tool_call>",
        "</think>" + "a" * (MAX_CHARACTERS + 1),
    ],
)
def test_no_answer_is_the_floor(name: str, raw: str) -> None:
    assert verifier(name)(REFERENCES[name], raw).value == FLOOR


@pytest.mark.parametrize("name", [name for name in REFERENCES if name != "code"])
@given(raw=st.text(max_size=200), lead=st.sampled_from(["", "</think>", "</think>Answer: "]))
def test_any_text_has_a_bounded_value_and_the_same_twice(name: str, raw: str, lead: str) -> None:
    first = verifier(name)(REFERENCES[name], lead + raw)
    assert FLOOR <= first.value <= 1
    assert all(0 <= part <= 1 for part in first.parts.values())
    assert first == verifier(name)(REFERENCES[name], lead + raw)


@pytest.mark.parametrize(
    "text",
    [
        "$" * 30_000 + "x",
        '"' * 30_000,
        '{"a": "' + "\\" * 30_001,
        "[" * 60_000,
        '{"a":' * 10_000,
        "." * 60_000 + "x",
        "*" * 60_000,
        "1" * 60_000,
        "Answer: " + "9" * 60_000,
        "Answer: " + "x^" * 30_000,
        "```\n" * 16_000,
        "\n" * 60_000 + "Answer: 1",
        "[" + "(" * 60_000,
        "a-" * 30_000,
        "**a " * 15_000,
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    began = time.process_time()
    for name in ("choice", "math", "structured", "instructions"):
        verifier(name)(REFERENCES[name], f"</think>{text}")
    assert time.process_time() - began < 5  # quadratic work would take minutes


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("Answer: 5", "5"),
        ("5", "5"),
        ("**Answer:** 5", "5"),
        ("The final answer is: $\\boxed{5}$", "5"),
        ("First 2 + 3.\n\nAnswer: 5\n", "5"),
        ("Answer: 5\nAnswer: 5", "5"),
        ("Answer: 4\nAnswer: 5", None),
        ("Answer: 4\u2028Answer: 5", None),
        ("Answer: 5\nor so", None),
        ("It is 5.\nNo, 6.", None),
        ("Answer:", None),
        ("Answer: " + "5" * 2_000, None),
    ],
)
def test_one_answer_on_the_last_line(content: str, answer: str | None) -> None:
    assert stated(content) == answer


def test_content_is_what_follows_the_reasoning() -> None:
    assert content_of("Answer: A\n</think>\n\nAnswer: B<|im_end|>") == "Answer: B"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("Answer: B", 1),
        ("answer: b", 1),
        ("Riga is Latvian.\nAnswer: (B)", 1),
        ("Answer: B) Riga", 1),
        ("Answer: B. riga.", 1),
        ("B", 1),
        ("Answer: A", 0),
        ("Answer: C", 0),
        ("Answer: B) Rome", FLOOR),  # says two things
        ("Answer: A or B", FLOOR),
        ("Answer: A, B, C", FLOOR),
        ("A) Oslo\nB) Riga\nC) Rome", FLOOR),
        ("Answer: A\nAnswer: B\nAnswer: C", FLOOR),
        ("Answer: D", FLOOR),
        ("Answer: Bravo", FLOOR),
        ("Answer: В", FLOOR),  # a Cyrillic letter
        ("Answer: BB", FLOOR),
    ],
)
def test_choice(content: str, value: float) -> None:
    assert verifier("choice")(CHOICE, f"I think A.\n</think>\n\n{content}").value == value


@pytest.mark.parametrize(
    ("answer", "right", "form", "tolerance", "passes"),
    [
        ("1,234", "1234", "number", 0, True),
        ("1234.0", "1234", "number", 0, True),
        ("1/2", "0.5", "number", 0, True),
        ("x = −3", "-3", "number", 0, True),
        ("\\frac{3}{4}", "0.75", "number", 0, True),
        ("1.2e3", "1200", "number", 0, True),
        ("12,34", "1234", "number", 0, False),
        ("40 + 2", "42", "number", 0, False),
        ("41 or 42", "42", "number", 0, False),
        ("42 42", "42", "number", 0, False),
        ("1/0", "42", "number", 0, False),
        ("٤٢", "42", "number", 0, False),
        ("0.333", "1/3", "number", 0, False),
        ("0.333", "1/3", "number", 0.001, True),
        ("nan", "42", "number", 1, False),
        ("inf", "42", "number", 1, False),
        ("2/4", "1/2", "fraction", 0, False),
        ("1/2", "1/2", "fraction", 0, True),
        ("\u0661/\u0662", "1/2", "fraction", 0, False),
        ("\u0663", "\u0663", "fraction", 0, False),
        ("$\\dfrac{1}{2}$", "1/2", "fraction", 0, True),
        ("[1, 2, 3]", "1 2 3", "list", 0, True),
        ("1,2,3,4", "1 2 3", "list", 0, False),
        ("3, 2, 1", "1, 2, 3", "list", 0, False),
        ("['b', 'a']", "b, a", "list", 0, True),
        ("Yes.", "yes", "text", 0, True),
        ("yes no", "yes", "text", 0, False),
        ("2*x^2 - 3x", "-3*x + 2*x**2", "polynomial", 0, True),
        ("x^2/2 + C", "x**2/2 + C", "polynomial", 0, True),
        ("x*(2*x - 3)", "2*x**2 - 3*x", "polynomial", 0, False),  # the question over again
        ("x + x", "2*x", "polynomial", 0, False),
    ],
)
def test_math(answer: str, right: str, form: str, tolerance: float, passes: bool) -> None:
    assert same(answer, right, form, tolerance) is passes


@given(st.text(alphabet="0123456789+-*/^xyCe.,() ", max_size=60))
def test_reading_numbers_and_polynomials_never_fails(text: str) -> None:
    number(text)
    polynomial(text)


@given(st.integers(), st.integers(min_value=1))
def test_a_number_equals_itself_only(value: int, step: int) -> None:
    assert same(f"{value:,}", str(value), "number")
    assert not same(str(value + step), str(value), "number")
