"""Each constraint: a text that holds to it, and texts that only seem to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.rewards import FLOOR
from botpsy.rewards.instructions import CHECKS, holds, padded, verify

CASES: list[tuple[dict[str, Any], str, list[str]]] = [
    ({"kind": "words", "least": 3, "most": 4}, "It's a well-known fact.",
     ["One two.", "a b c d e"]),
    ({"kind": "sentences", "least": 2, "most": 2}, "Yes! It costs 3.50 euros.",
     ["Yes.", "A. B. C.", "...", "Yes. No. and"]),
    ({"kind": "paragraphs", "count": 2}, "One.\n\n\nTwo.",
     ["One.\nTwo.", "One.\n \nTwo.\n\nThree."]),
    ({"kind": "characters", "most": 5}, "Hello", ["Hello!"]),
    ({"kind": "mentions", "word": "bee"}, "A Bee, yes.", ["bees", "beehive", ""]),
    ({"kind": "avoids", "words": ["honey", "queen bee"]}, "A queen is no bee.",
     ["HONEY", "The queen bee sleeps."]),
    ({"kind": "repeats", "word": "a", "least": 2, "most": 2}, "A cat and a dog.", ["a", "a a a"]),
    ({"kind": "starts", "phrase": "Dear all"}, "Dear all, hello", ["dear all", "Oh Dear all"]),
    ({"kind": "ends", "phrase": "The end."}, "So it was. The end.", ["The end. Or", "the end."]),
    ({"kind": "paragraph_starts", "number": 2, "word": "then"}, "One.\n\nThen two.",
     ["Then one.", "One.\n\nSo then."]),
    ({"kind": "lower"}, "only small 1", ["Not", "123"]),
    ({"kind": "upper"}, "ONLY BIG 1", ["NOt", "123"]),
    ({"kind": "capitals", "least": 2}, "This is VERY GOOD", ["A I O", "VERY good"]),
    ({"kind": "without", "marks": "!?"}, "Well.", ["Well!", "Well?"]),
    ({"kind": "bullets", "count": 2}, "List:\n- one\n* two", ["- one", "- a\n- b\n- c", "-\n-\n"]),
    ({"kind": "bullets", "count": 1, "only": True}, "- one", ["List:\n- one"]),
    ({"kind": "numbered", "count": 2}, "1. one\n2) two", ["1. one", "2. two\n1. one", "1.\n2.",
                                                          "1. a\n2. b\n3. c"]),
    ({"kind": "sections", "label": "Part", "count": 2}, "Part 1\nA.\n\nPart 2:\nB.",
     ["Part 1\nPart 2", "Part 1\nA.", "part 1\nA\npart 2\nB", "Part 2\nA\nPart 1\nB"]),
    ({"kind": "title", "left": "<<", "right": ">>"}, "<<Bees>>\nThey fly.",
     ["<<Bees>>", "<<>>\nThey fly.", "They fly.\n<<Bees>>", "<<A>> <<B>>\nThey."]),
    ({"kind": "separated", "mark": "***", "count": 2}, "One way.\n***\nTwo ways.",
     ["One\n***\none", "One\n***\n", "One *** Two", "A\n***\nB\n***\nC"]),
    ({"kind": "json", "names": ["a", "b"]}, '{"b": "x", "a": "y"}',
     ['{"a": "x"}', '{"a": "x", "b": ""}', '{"a": 1, "b": "x"}', '```\n{"a":"x","b":"y"}\n```']),
    ({"kind": "quoted"}, '"All of it."', ['"A" and "B"', '"', "'A'", '""']),
    ({"kind": "blanks", "count": 2}, "Dear [name], on [date]",
     ["[name] [name]", "[] []", "[1] [2]"]),
    ({"kind": "postscript", "mark": "P.S."}, "Bye.\n\nP.S. More.",
     ["P.S. More.", "Bye. P.S. More.", "Bye.\n\nP.S."]),
    ({"kind": "emphasised", "count": 2}, "**One** and **two words**",
     ["**One**", "**a** **a**", "** a ** ** b **", "****"]),
    ({"kind": "sentence_length", "most": 3}, "One two three. Four!", ["One two three four. Five."]),
]  # fmt: skip


def test_every_check_has_a_case() -> None:
    assert {case["kind"] for case, _, _ in CASES} == set(CHECKS)


@pytest.mark.parametrize(("constraint", "good", "bad"), CASES, ids=lambda each: str(each)[:40])
def test_a_check(constraint: dict[str, Any], good: str, bad: list[str]) -> None:
    assert holds(constraint, good)
    for text in bad:
        assert not holds(constraint, text), text


def value(content: str, *constraints: dict[str, Any]) -> float:
    return verify({"constraints": [*constraints]}, f"thinking</think>\n\n{content}").value


def test_all_or_half_the_share() -> None:
    short, small = {"kind": "words", "most": 3}, {"kind": "lower"}
    assert value("yes it is", short, small) == 1
    assert value("Yes it is", short, small) == 0.25
    assert value("Yes it really is", short, small) == 0


@pytest.mark.parametrize(
    "content",
    [
        "word " * 60,
        "one two " * 40,
        "A bee flies home. " * 20,
        "\n".join(["The same line again"] * 9),
        "bee bee bee bee",
        "A word\u200b and\u200b another\u200b.",
        "A quiet word\x00.",
    ],
)
def test_padding_earns_nothing(content: str) -> None:
    assert padded(content.strip())
    assert value(content, {"kind": "words", "least": 1}) == 0


@pytest.mark.parametrize(
    "content",
    [
        " ".join(map(str, range(40))),
        "Tea. " + " ".join(f"{a}{b}" for a in "bcdefgh" for b in "pqrstuvw"),
        "Tea it is. <!-- and this is not to be seen -->",
        "The ca\u200ct sat.",
        "The c\u0430t sat.",
    ],
)
def test_what_only_looks_like_words_earns_nothing(content: str) -> None:
    assert value(content, {"kind": "words", "least": 1}) == 0


def test_a_name_twice_is_not_the_json_asked_for() -> None:
    assert not holds({"kind": "json", "names": ["a"]}, '{"a": "x y", "a": "z"}')


def test_honest_text_is_no_padding() -> None:
    assert not padded("No, no, no! It is what it is, and that is that.")
    assert not padded("- one\n- two\n- three\n\nÜber café naïve 日本語 😀 “quoted”\xa0— dash.")
    assert not padded("")


def test_what_stands_in_the_reasoning_counts_for_nothing() -> None:
    wish = {"kind": "mentions", "word": "bee"}
    assert verify({"constraints": [wish]}, "bee</think>wasp").value == 0
    assert verify({"constraints": [wish]}, "bee").value == FLOOR


@given(st.sampled_from([case for case, _, _ in CASES]), st.text(max_size=80))
def test_no_text_breaks_a_check(constraint: dict[str, Any], text: str) -> None:
    assert holds(constraint, text) in (True, False)
