"""What augmentations change, what they must not, and that each can be switched off by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.augment import augment
from botpsy.data.augment.near import STANDS_IN, index_of, likeness
from botpsy.data.recipe import Augment, SourceRecipe
from botpsy.data.sources import open_source
from botpsy.data.types import Row
from tests.data.rows import assert_sound
from tests.data.test_types import row as small_row

WORLDS = open_source(SourceRecipe(name="worlds", rows=1), 1, Path())
NAMES = tuple(Augment.model_fields)


def changed(row: Row, *names: str, seed: int = 1, **fields: Any) -> Row:
    dice = Augment(**dict.fromkeys(names, 1.0))
    return augment(row, dice, Random(seed), fields.get("pool", WORLDS.pool), fields.get("another"))


def spec(name: str, description: str, required: bool = True, **parameters: str) -> ToolSpec:
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(parameters)
    return ToolSpec(name, description, schema)


BOOK = spec("book_table", "Book a table in a restaurant.", place="Name of it", when="Day and time")
PLAY = spec("play_music", "Play a song on the speakers.", song="Title of it")
CAB = spec("call_taxi", "Send for a taxi.", when="Time to go")


def booking(**fields: Any) -> Row:
    said = "book a table at Chez Nous for June 3 at 7 pm, it is my sister's birthday"
    arguments = {"place": "Chez Nous", "when": "June 3 at 7 pm"}
    call = ToolCall("book_table", arguments, "c1")  # type: ignore[arg-type]
    given: dict[str, Any] = {
        "messages": (
            Message("user", said),
            Message("assistant", "", "This is book_table, place and when as said.", (call,)),
            Message("tool", '{"booked": "Chez Nous"}', call_id="c1", name="book_table"),
            Message("assistant", "Your table at Chez Nous is booked.", "Done."),
        ),
        "tools": (BOOK, PLAY, CAB),
        "without": {"place": "book a table for June 3 at 7 pm, it is my sister's birthday"},
    }
    return small_row(**given | fields)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**5), st.sets(st.sampled_from(NAMES)), st.integers(0, 99))
def test_whatever_is_done_the_row_is_sound(number: int, names: set[str], seed: int) -> None:
    row = WORLDS.make(number)
    other = WORLDS.make(number + 1)
    made = changed(row, *names, seed=seed, another=lambda: other)
    assert_sound(made)
    assert set(made.changes) <= names
    assert made == changed(row, *names, seed=seed, another=lambda: other)


def test_nothing_is_done_to_tasks_and_without_shares() -> None:
    row = booking()
    assert changed(row) == row
    task = booking(messages=row.messages[:1], verifier="choice")
    assert changed(task, *NAMES) == task


def test_one_switched_off_leaves_the_others_as_they_were() -> None:
    row = WORLDS.make(5)
    dice = Augment(shuffle=0.5, typos=0.5, rename_tools=0.5)
    for seed in range(40):
        all_on = augment(row, dice, Random(seed), WORLDS.pool)
        less = augment(row, dice.model_copy(update={"near": 0.0}), Random(seed), WORLDS.pool)
        assert all_on == less


@pytest.mark.parametrize("name", ["near", "far", "long_list"])
def test_more_tools_and_none_that_could_do_the_job(name: str) -> None:
    for number in range(30):
        row = WORLDS.make(number)
        made = changed(row, name, seed=number)
        added = [tool for tool in made.tools if tool not in row.tools]
        if row.kind in ("no_tool", "lookalike", "policy", "wrong_value"):
            assert made == row
            continue
        assert added
        assert len({tool.name for tool in made.tools}) == len(made.tools)
        assert name != "long_list" or 20 <= len(made.tools) <= 40
        index = index_of(WORLDS.pool)
        specs = {tool.name: tool for tool in row.tools}
        for called in {call.name for m in row.messages for call in m.calls}:
            like = {index.pool[place].name: score for score, place in index.like(specs[called])}
            assert all(like.get(tool.name, 0.0) < STANDS_IN for tool in added)


def test_near_is_nearer_than_far() -> None:
    def mean(name: str) -> float:
        scores = []
        for number in range(60):
            row = WORLDS.make(number)
            called = [t for t in row.tools if any(t.name == c.name for m in row.messages
                                                  for c in m.calls)]  # fmt: skip
            made = changed(row, name, seed=number)
            added = [tool for tool in made.tools if tool not in row.tools]
            scores += [max(likeness(a, c) for c in called) for a in added if called]
        return sum(scores) / len(scores)

    assert mean("near") > 2 * mean("far")


def test_renamed_tools_are_renamed_everywhere() -> None:
    row = booking(
        tools=(BOOK, replace(CAB, description="Send for a taxi, after book_table for instance."))
    )
    made = changed(row, "rename_tools")
    assert "book_table" not in repr(made.messages) + repr(made.tools)
    new = next(tool.name for tool in made.tools if tool.description == BOOK.description)
    assert made.messages[1].calls[0].name == made.messages[2].name == new
    assert new in made.messages[1].reasoning
    assert made.messages[0] == row.messages[0]
    bare = booking(tools=(replace(BOOK, description="Book."), CAB))
    assert changed(bare, "rename_tools") == bare, "nothing would say what it is"


def test_renamed_parameters_keep_their_values() -> None:
    row = booking()
    made = changed(row, "rename_parameters")
    call = made.messages[1].calls[0]
    assert set(call.arguments).isdisjoint({"place", "when"})
    assert list(call.arguments.values()) == ["Chez Nous", "June 3 at 7 pm"]
    tool = next(tool for tool in made.tools if tool.name == "book_table")
    assert set(tool.parameters["required"]) == set(call.arguments)
    assert not {"place", "when"} & set(made.messages[1].reasoning.replace(",", "").split())
    assert BOOK.parameters["required"] == ["place", "when"], "the original is left alone"


def test_a_tool_removed_makes_declining_right() -> None:
    twin = spec("reserve_table", "Book a table in a restaurant for people.", place="Name of it")
    made = changed(booking(tools=(BOOK, twin, PLAY, CAB)), "remove_tool")
    assert {tool.name for tool in made.tools} == {"play_music", "call_taxi"}
    assert [m.role for m in made.messages] == ["user", "assistant"]
    assert made.kind == "no_tool"
    assert not made.messages[-1].calls
    assert not made.messages[-1].content.endswith("?")
    assert_sound(made)
    alone = booking(tools=(BOOK, twin))
    assert changed(alone, "remove_tool") == alone, "with nothing left on offer there is no lesson"


def test_tools_added_cannot_stand_in_for_the_one_removed() -> None:
    for number in range(60):
        row = WORLDS.make(number)
        names = {call.name for m in row.messages for call in m.calls}
        made = changed(row, "near", "far", "long_list", "remove_tool", seed=number)
        if "remove_tool" in made.changes:
            assert names.isdisjoint(tool.name for tool in made.tools)


def test_a_value_removed_makes_asking_right() -> None:
    made = changed(booking(), "remove_value")
    user, ask, answer, call = made.messages[:4]
    assert "Chez Nous" not in user.content
    assert ask.content.endswith("?")
    assert "place" in ask.content
    assert answer == Message("user", "Chez Nous")
    assert call.calls == booking().messages[1].calls
    assert made.kind == "missing"
    assert changed(booking(without={}), "remove_value") == booking(without={})
    optional = replace(BOOK, parameters={**BOOK.parameters, "required": []})
    free = booking(tools=(optional, PLAY))
    assert changed(free, "remove_value") == free, "what is optional need not be asked for"


def test_two_requests_in_one_conversation() -> None:
    call = ToolCall("play_music", {"song": "Blue"}, "c1")
    other = small_row(
        messages=(
            Message("user", "play Blue"),
            Message("assistant", "", "On.", (call,)),
            Message("tool", "{}", call_id="c1", name="play_music"),
            Message("assistant", "It plays."),
        ),
        tools=(PLAY,),
    )
    made = changed(booking(), "join", another=lambda: other)
    assert len(made.messages) == 8
    assert {tool.name for tool in made.tools} == {"book_table", "play_music", "call_taxi"}
    assert_sound(made)
    dated = replace(other, messages=(Message("system", "Today is Monday."), *other.messages))
    assert changed(booking(), "join", another=lambda: dated) == booking(), "another day"
    declined = replace(other, kind="no_tool")
    assert changed(booking(), "join", another=lambda: declined) == booking()
    clash = replace(other, tools=(replace(PLAY, description="Something else."),))
    assert changed(booking(), "join", another=lambda: clash) == booking()


def test_slips_spare_what_is_repeated() -> None:
    for seed in range(50):
        made = changed(booking(), "typos", seed=seed).messages[0].content
        assert made != booking().messages[0].content
        for kept in ("Chez Nous", "June 3 at 7 pm", "table"):
            assert kept in made


def test_as_dictated() -> None:
    made = changed(small_row(), "speech")
    assert made == small_row(), "nothing to change"
    row = booking(messages=(Message("user", "Book it, please. Now!"), Message("assistant", "Ok.")))
    assert changed(row, "speech").messages[0].content == "book it please now"
    for exact in (
        "Mail Jo@Example.org, now",
        'Call it "Big Plan".',
        "Open Notes/Todo.txt, please.",
    ):
        row = booking(messages=(Message("user", exact), Message("assistant", "Ok.")))
        assert changed(row, "speech") == row


def test_another_countrys_dates_where_they_are_repeated_too() -> None:
    made = changed(booking(), "locale")
    assert "3 June at 19:00" in made.messages[0].content
    assert made.messages[1].calls[0].arguments["when"] == "3 June at 19:00"
    midnight = booking(
        messages=(Message("user", "at 12:30 am or 12 pm?"), Message("assistant", "-"))
    )
    assert changed(midnight, "locale").messages[0].content == "at 00:30 or 12:00?"
