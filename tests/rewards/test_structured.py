"""JSON answers: what is right, what is valid, and that neither can be had for nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import Json, JsonObject
from botpsy.rewards import FLOOR
from botpsy.rewards.structured import equal, verify

REFERENCE: JsonObject = {
    "schema": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name", "age"],
        "additionalProperties": False,
    },
    "value": {"name": "Ada", "age": 36, "tags": ["a", "b"]},
}
RIGHT = '{"name": "Ada", "age": 36, "tags": ["a", "b"]}'


def value(content: str) -> float:
    return verify(REFERENCE, f"thinking {RIGHT}</think>\n\n{content}").value


@pytest.mark.parametrize(
    "content",
    [
        RIGHT,
        f"```json\n{RIGHT}\n```",
        f"```\n{RIGHT}```",
        '{"tags":["a","b"],"age":36.0,"name":"Ada"}',
    ],
)
def test_right(content: str) -> None:
    assert value(content) == 1


@pytest.mark.parametrize(
    ("content", "worth"),
    [
        ('{"name": "Ada", "age": 36, "tags": ["b"]}', 3 / 4),
        ('{"name": "Ada", "age": 36, "tags": ["b", "a"]}', 3 / 5),
        ('{"name": "Ada", "age": 37, "tags": ["a", "b"]}', 3 / 5),
        ('{"name": "Ada", "age": "36", "tags": ["a", "b"]}', 3 / 5 / 2),
        ('{"name": "Ada", "age": 36, "tags": ["a", "b"], "x": 1}', 4 / 5 / 2),
        ('{"name": "Ada", "age": true, "tags": ["a", "b"]}', 3 / 5 / 2),
        ("{}", 0),
        ('{"name": "", "age": 0}', 0),
    ],
)
def test_parts_earn_parts(content: str, worth: float) -> None:
    assert value(content) == pytest.approx(worth)


@pytest.mark.parametrize(
    "content",
    [
        f"Here you are: {RIGHT}",
        f"{RIGHT}\n{RIGHT}",
        f"```json\n{RIGHT}\n```\n```json\n{RIGHT}\n```",
        f"[{RIGHT}]",
        '{"name": "Eve", "name": "Ada", "age": 36, "tags": ["a", "b"]}',
        '{"name": "Ada", "age": NaN}',
        '{"name": "Ada", "age": 1e999}',
        '{"name": "Ada", "age": ' + "1" * 5000 + "}",
        '{"tags": ' + "[" * 2000 + "]" * 2000 + "}",
        "{'name': 'Ada'}",
        RIGHT[:-1],
        '"Ada"',
        "null",
    ],
)
def test_what_is_not_one_object_is_the_floor(content: str) -> None:
    assert value(content) == FLOOR


def test_listing_every_value_costs() -> None:
    listing = json.dumps({"name": "Ada", "age": 36, "tags": ["a", "b", *"cdefghijkl"]})
    assert value(listing) < 0.4
    flood = json.dumps({"name": "Ada", "age": 36, "tags": ["a", "b"] * 500})
    assert value(flood) < 0.01


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, JSON)
def test_equality_is_that_of_the_written_json(one: Json, other: Json) -> None:
    assert equal(one, one)
    assert equal(one, other) == (
        json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    )


@given(st.dictionaries(st.sampled_from("abc"), JSON, max_size=3), JSON)
def test_only_the_right_value_gets_all(right: JsonObject, other: Json) -> None:
    reference: JsonObject = {"schema": {"type": "object", "properties": {n: {} for n in "abcx"}},
                             "value": right}  # fmt: skip
    assert verify(reference, f"</think>{json.dumps(right)}").value == 1
    assert verify(reference, f"</think>{json.dumps({**right, 'x': other})}").value < 1
