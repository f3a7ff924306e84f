"""Choosing tools: the right one is among the few, and the few stay put between turns."""

from __future__ import annotations

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.assistant.selection import LIMIT, rank, select
from botpsy.tools import MODULES, catalogue
from botpsy.tools.base import Context, ToolDef, tool

TOOLS = list(catalogue().values())
NAMES = [tool.name for tool in TOOLS]
EXAMPLES = [example for tool in TOOLS for example in tool.examples]


def names(text: str, recent: list[str] | None = None, limit: int = LIMIT) -> list[str]:
    return [tool.name for tool in select(text, TOOLS, recent=recent or (), limit=limit)]


def test_the_catalogue_holds_every_module_once() -> None:
    from pathlib import Path

    import botpsy.tools

    folder = Path(botpsy.tools.__file__).parent
    with_tools = {path.stem for path in folder.glob("*.py") if "\nTOOLS" in path.read_text("utf-8")}
    assert set(MODULES) == with_tools
    assert all(tool.examples and tool.domain for tool in TOOLS)
    assert len({tool.description for tool in TOOLS}) == len(TOOLS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("put dentist on next Friday at 3 pm", "create_event"),
        ("when do I meet Paula?", "find_events"),
        ("move the yoga class to Thursday", "update_event"),
        ("call off tomorrow's lunch with Ed", "delete_event"),
        ("is there an hour free on Tuesday", "find_free_time"),
        ("don't let me forget to water the plants at six", "set_reminder"),
        ("egg timer, seven minutes", "set_timer"),
        ("I have to get up at 5:45", "set_alarm"),
        ("how late is it in Nairobi", "current_time"),
        ("12 * 37", "calculate"),
        ("my cousin's mobile number", "find_contact"),
        ("has the landlord answered my mail", "search_mail"),
        ("write to anna@example.org that I am ill", "send_mail"),
        ("text Tim that I'm on my way", "send_message"),
        ("what is in the folder taxes", "list_files"),
        ("rename report.txt to final.txt", "move_file"),
        ("jot down: the key is under the mat", "create_note"),
        ("we are out of milk, put it on the list", "add_to_list"),
        ("what do I still need from the supermarket", "show_list"),
        ("it's freezing, make it two degrees warmer", "set_temperature"),
        ("did I lock the door", "device_state"),
        ("the guests are here, unlock", "unlock_door"),
        ("let the blinds down", "close_cover"),
        ("have the robot do the living room", "start_cleaning"),
        ("a double espresso", "start_appliance"),
        ("purple light in the study", "set_light"),
        ("tunr off teh lihgts", "turn_off"),
        ("TURN ON THE LAMP!!!", "turn_on"),
        ("half the volume", "set_volume"),
        ("no notifications for now", "change_setting"),
        ("who discovered penicillin", "web_search"),
        ("what is written on https://example.org/a?b=c", "read_page"),
        ("what did the contract say about notice periods", "search_documents"),
    ],
)
def test_the_tool_that_is_needed_is_offered(text: str, wanted: str) -> None:
    assert wanted in names(text)


def test_a_tool_is_found_by_its_own_examples() -> None:
    found = [(tool, example) for tool in TOOLS for example in tool.examples]
    missed = [example for tool, example in found if tool.name not in names(example)]
    assert missed == []


@tool
def stock_price(symbol: Annotated[str, "Ticker symbol"]) -> float:
    """Tell the present price of a share on the stock exchange."""
    return 0.0


@tool
def water_garden(ctx: Context, minutes: int) -> str:
    """Run the lawn sprinkler for some minutes."""
    return ""


@tool
def book_taxi(place: str, at: str) -> str:
    """Order a cab."""
    return ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("what do Siemens shares cost on the stock exchange", stock_price),
        ("stock price of ACME", stock_price),
        ("water the garden for ten minutes", water_garden),
        ("turn the sprinkler on", water_garden),
        ("book me a taxi to the station", book_taxi),
        ("get a cab", book_taxi),
    ],
)
def test_a_users_own_tool_needs_no_examples(text: str, wanted: ToolDef) -> None:
    own = [stock_price, water_garden, book_taxi]
    assert wanted in select(text, [*TOOLS, *own])
    assert wanted in select(text, [*own, *TOOLS], limit=4)


def test_few_tools_are_all_offered_in_their_order() -> None:
    few = [TOOLS[5], TOOLS[1], TOOLS[9]]
    assert select("anything", few) == few
    assert select("anything", []) == []


@given(
    st.text(max_size=80) | st.sampled_from(EXAMPLES),
    st.lists(st.sampled_from([*NAMES, "gone", ""]), max_size=12),
    st.integers(1, 12),
)
def test_whatever_is_asked(text: str, recent: list[str], limit: int) -> None:
    chosen = names(text, recent, limit)
    assert len(chosen) == len(set(chosen)) == limit
    assert set(chosen) <= set(NAMES)
    assert chosen == names(text, recent, limit)
    # The best is there whatever was offered before, and those that stay keep their places.
    if text in EXAMPLES:
        assert rank(text, TOOLS)[0].name in chosen
    before = [name for name in dict.fromkeys(recent) if name in NAMES][:limit]
    stay = [name for name in before if name in chosen]
    assert chosen[: len(stay)] == stay
    new = chosen[len(stay) :]
    assert new == sorted(new, key=NAMES.index)
    # Asking once more with what was offered changes nothing: the prompt's prefix is used again.
    assert names(text, chosen, limit) == chosen


def test_a_first_request_gets_catalogue_order() -> None:
    chosen = names("turn off the kitchen light")
    assert chosen == sorted(chosen, key=NAMES.index)


def test_a_follow_up_keeps_the_tools_in_view() -> None:
    first = names("put dentist on next Friday at 3 pm")
    second = names("no, make it 4 pm", first)
    assert "create_event" in second
    assert "update_event" in second
    lights = names("turn off the kitchen light")
    assert names("turn off the bedroom light", lights) == lights
    assert "turn_off" in names("and the bedroom too", lights)


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "\x00\ud800", "日本語で", "a" * 100_000, "@" * 9999]
)
def test_odd_requests_still_get_tools(text: str) -> None:
    assert len(names(text)) == LIMIT
