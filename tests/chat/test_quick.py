"""The quick gate says what the slow one says, and is there for the schemas that tools have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.quick import predicate
from botpsy.chat.schema import admits
from botpsy.chat.types import Schema, ToolSpec
from botpsy.errors import SchemaError
from botpsy.tools import catalogue
from tests.chat.test_schema import JSON, NAMES, VALUES, fits, schemas, sensible

HUGE = 10**400
MORE = [*VALUES, HUGE, -HUGE, [HUGE], {"a": HUGE}, float("inf"), float("nan"), "2026-01-01", " "]


def same_verdicts(parameters: Schema, candidates: list[Any]) -> None:
    tool = ToolSpec("t", "", parameters)
    try:
        admitted = admits(tool)
    except SchemaError:
        assert not any(fits(tool, arguments) for arguments in candidates)
        return
    for arguments in candidates:
        assert admitted(arguments) is fits(tool, arguments), arguments


@settings(deadline=None, max_examples=400)
@given(
    st.dictionaries(NAMES, st.one_of(sensible(), schemas(junk=False)), min_size=1, max_size=3),
    st.lists(NAMES, max_size=2),
    st.dictionaries(NAMES | st.just("z"), st.sampled_from(MORE), max_size=3),
)
def test_the_same_verdict_as_in_words(
    properties: dict[str, Any], required: list[str], some: dict[str, Any]
) -> None:
    root = {"type": "object", "properties": properties, "required": required}
    [name, *_] = properties
    same_verdicts(root, [some, *({**some, name: value} for value in MORE)])


@settings(deadline=None)
@given(schemas(junk=True), JSON)
def test_the_same_verdict_for_any_root(root: Any, arguments: Any) -> None:
    same_verdicts(root, [arguments, {}, {"a": 1}])


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 0, "maximum": 5},
        {"anyOf": [{"type": "string", "minimum": 0}, {"type": "integer"}]},
        {"anyOf": [{"type": "object", "required": ["b"], "properties": {"a": {"minimum": 0}}}, {}]},
        {"type": ["integer", "number"]},
        {"enum": [1, "1", True, None]},
        {"const": 0},
        {"type": "string", "format": "instant"},
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^(?!a)"},
        {"type": "array", "items": {"type": "number"}, "minItems": 1},
        {"type": "array", "uniqueItems": True},
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
    ],
)
def test_by_hand(schema: Schema) -> None:
    candidates = [{"a": value} for value in MORE]
    same_verdicts({"type": "object", "properties": {"a": schema}, "required": ["a"]}, candidates)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_our_own_tools_need_no_validator(name: str) -> None:
    from botpsy.chat.dialect import normal

    assert predicate(normal(catalogue()[name].spec.parameters), lambda *_: True)


def test_other_keywords_are_left_to_the_validator() -> None:
    assert predicate({"type": "string", "not": {"const": "a"}}, lambda *_: True) is None
    assert predicate({"items": {"contains": {}}}, lambda *_: True) is None
    assert predicate({"enum": [[1]]}, lambda *_: True) is None
