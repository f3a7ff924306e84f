"""Rows come back from disk as they were, and nothing else passes for one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.types import Row
from botpsy.errors import ConfigError

TEXTS = st.text(max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def row(**fields: Any) -> Row:
    """A small conversation with a call."""
    given: dict[str, Any] = {
        "id": "test/1",
        "messages": (
            Message("user", "lights on"),
            Message("assistant", "", "On.", (ToolCall("turn_on", {"device": "lamp"}, "c1"),)),
            Message("tool", '{"state": "on"}', call_id="c1", name="turn_on"),
            Message("assistant", "The lamp is on.", "Done."),
        ),
        "tools": (
            ToolSpec(
                "turn_on",
                "Switch a thing on.",
                {
                    "type": "object",
                    "properties": {"device": {"type": "string"}},
                    "required": ["device"],
                },
            ),
        ),
        "source": "test",
        "licence": "Apache-2.0",
        "domain": "home",
        "kind": "single",
        "difficulty": "simple",
        "seed": 1,
        "group": "test",
        "proof": "schema",
    }
    return Row(**given | fields)


@given(st.dictionaries(TEXTS, VALUES, max_size=4), TEXTS, TEXTS)
def test_round_trip(arguments: dict[str, Any], said: str, thought: str) -> None:
    calls = (ToolCall("turn_on", arguments, "c1"), ToolCall("turn_on", {}, "c2"))
    made = row(messages=(Message("user", said), Message("assistant", said, thought, calls)))
    line = json.dumps(made.to_json())
    back = Row.from_json(json.loads(line))
    assert back == made
    # Equality of numbers does not tell 1 from True.
    assert json.dumps(back.messages[1].calls[0].arguments) == json.dumps(arguments)


def test_what_is_stored_is_flat() -> None:
    stored = row(changes=("near",), without={"device": "on"}).to_json()
    assert "without" not in stored
    assert all(isinstance(value, (str, int)) or value == ["near"] for value in stored.values()), (
        stored
    )


@pytest.mark.parametrize(
    "broken",
    [{}, {"messages": "["}, {"messages": '[{"role": "user"}]'}, {"tools": '[{"a": 1}]'}],
)
def test_what_is_no_row(broken: dict[str, Any]) -> None:
    stored = (row().to_json() | broken) if broken else {}
    with pytest.raises(ConfigError, match="no row of data"):
        Row.from_json(stored)
