"""Conversations become tasks: what is to be called next, or that nothing is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from botpsy.chat.formats import POCKET
from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.build import build
from botpsy.data.files import read_rows
from botpsy.data.recipe import DataRecipe
from botpsy.data.tasks.calls import call_task
from botpsy.data.types import Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.rewards import tool_call
from tests.data.rows import assert_sound
from tests.data.test_types import row

TOOL = ToolSpec(
    "lookup",
    "Look a word up",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
CALL = ToolCall("lookup", {"word": "tea"}, "1")


def conversation(name: str) -> Row:
    """A question back, a call, and an answer that puts its result into words."""
    said = (
        Message("user", "Look it up."),
        Message("assistant", "Which word?", "No word is given."),
        Message("user", "tea"),
        Message("assistant", "", "The word is tea.", (CALL,)),
        Message("tool", "a drink", call_id="1", name="lookup"),
        Message("assistant", "Tea is a drink."),
    )
    return replace(row(), id=name, messages=said, tools=(TOOL,))


def test_the_cut_is_before_a_decision() -> None:
    lengths = set()
    for n in range(30):
        made = call_task(conversation(f"test/{n}"))
        assert_sound(made)
        lengths.add(len(made.messages))
        wanted = [{"name": "lookup", "arguments": {"word": "tea"}}]
        assert made.reference["calls"] == (wanted if len(made.messages) == 3 else [])
    assert lengths == {1, 3}  # never before the words about the result


def test_the_verifier_grants_what_was_done_and_nothing_else() -> None:
    made = next(
        each for n in range(30) if len((each := call_task(conversation(f"t/{n}"))).messages) == 3
    )
    right = POCKET.reply(Message("assistant", "", "Tea.", (CALL,)), made.tools)
    assert tool_call.verify(made.reference, right).value == tool_call.TOP
    wrong = ToolCall("lookup", {"word": "coffee"}, "1")
    said = POCKET.reply(Message("assistant", "", "Tea.", (wrong,)), made.tools)
    assert tool_call.verify(made.reference, said).value < tool_call.TOP
    assert tool_call.verify(made.reference, "No.\n</think>\n\nNo.").value == tool_call.FLOOR


def test_nothing_to_choose_from_makes_no_task() -> None:
    with pytest.raises(UnusableError, match="no tools"):
        call_task(replace(conversation("test/1"), tools=()))


def test_a_task_stays_a_task() -> None:
    with pytest.raises(ConfigError, match="makes tasks already"):
        call_task(call_task(conversation("test/1")))


def test_a_recipe_asks_for_it(tmp_path: Path) -> None:
    source = {"name": "apis", "rows": 30, "as_calls": True, "augment": {"remove_tool": 0.4}}
    recipe = DataRecipe.model_validate({"name": "calls", "source": [source]})
    report = build(recipe, tmp_path / "out", corpora=tmp_path)
    assert report.rows == {"tasks.jsonl": 30}
    rows = list(read_rows(tmp_path / "out" / "tasks.jsonl"))
    assert {bool(each.reference["calls"]) for each in rows} == {True, False}
    assert all(each.verifier == "tool_call" for each in rows)
