"""A world steps, forks, dumps and replays; what is wrong with a call is a result."""

from __future__ import annotations

import json
import random
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import ToolCall
from botpsy.clock import Clock
from botpsy.services.bundle import Services
from botpsy.tools.base import tool
from botpsy.worlds.acts import call, says
from botpsy.worlds.registry import families, scenario
from botpsy.worlds.seeding import services
from botpsy.worlds.world import World, WorldFault, all_tools, names_of
from tests.worlds.scenes import scene, tool_call

NOW = datetime(2026, 12, 4, 15, 0, tzinfo=ZoneInfo("Europe/Berlin"))


def world(seed: int = 0) -> World:
    return scene(seed=seed).scenario("hello", [call("list_reminders"), says("Hi.")]).world


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def test_done_invalid_failed() -> None:
    here = world()
    done = here.step(tool_call("create_event", title="dentist", start="next Friday at 15:00"))
    assert done.status == "done" and done.effect == "write"
    assert done.shown is not None and str(done.shown["start"]).startswith("20")
    invalid = here.step(tool_call("create_event", title="dentist", begin="now"))
    assert invalid.status == "invalid" and "begin" in invalid.text
    failed = here.step(tool_call("create_event", title="dentist", start="31 February at 10"))
    assert failed.status == "failed" and failed.text.startswith("error: ")
    missing = here.step(tool_call("fly_to_the_moon"))
    assert missing.status == "invalid"
    assert names_of(here.log) == ["create_event"]
    assert len(here.log) == 4


def test_a_broken_tool_is_the_worlds_fault() -> None:
    @tool(effect="write")
    def explode(what: str) -> dict[str, str]:
        """Break."""
        raise RuntimeError(what)

    here = World(Services(), Clock(ZoneInfo("UTC"), NOW), tools={"explode": explode})
    with pytest.raises(WorldFault, match="RuntimeError"):
        here.step(tool_call("explode", what="x"))
    assert here.step(tool_call("explode", what=3)).status == "invalid"


def test_ids_depend_on_what_is_done_alone() -> None:
    one, two = world(), world()
    add = tool_call("create_event", title="choir", start="tomorrow at 19:00")
    two.step(tool_call("list_reminders"))
    two.step(tool_call("create_event", title="other", start="tomorrow at 20:00"))
    assert one.step(add).result["id"] == two.step(add).result["id"]  # type: ignore[index, call-overload]
    assert one.step(add).result["id"] != two.dump().new[0]  # type: ignore[index, call-overload]
    assert len(set(one.dump().new)) == 2


def test_forks_are_apart() -> None:
    here = world()
    before = plain(here.dump().state)
    fork = here.fork()
    fork.step(tool_call("create_event", title="choir", start="tomorrow at 19:00"))
    fork.step(tool_call("change_setting", name="wifi", on=False))
    assert fork.step(tool_call("search_hotels", city="Lyon", checkin="tomorrow")).status != "done"
    assert here.step(tool_call("set_volume", level="99")).status == "done"
    assert here.dump().state["device"]["wifi"] is True
    assert fork.dump().state["device"]["volume"] == before["device"]["volume"]
    assert (
        plain(here.dump().state["calendar"]) == before["calendar"] != fork.dump().state["calendar"]
    )


def test_a_fork_of_a_world_that_moved_on_dumps_its_own_state() -> None:
    here = world()
    here.dump()
    fork = here.fork()
    here.step(tool_call("set_volume", level="11"))
    fork.step(tool_call("set_volume", level="12"))
    assert (here.dump().state["device"]["volume"], fork.dump().state["device"]["volume"]) == (
        11,
        12,
    )
    again = here.fork()
    assert again.dump().state == here.dump().state


def test_document_search_follows_the_fork_it_is_in() -> None:
    here = scene().scenario("hello", [call("list_files"), says("Hi.")]).world
    fork = here.fork()
    made = fork.step(tool_call("create_file", path="Documents/zebra.txt", text="stripes of zebras"))
    assert made.status == "done", made
    assert "zebra" in fork.step(tool_call("search_documents", query="zebras stripes")).text
    assert "zebra.txt" not in here.step(tool_call("search_documents", query="zebras stripes")).text


def test_replay() -> None:
    here = world()
    acted = here.fork()
    acted.step(tool_call("create_event", title="choir", start="tomorrow at 19:00"))
    acted.step(tool_call("update_event", event="choir", start="an hour later"))
    acted.step(tool_call("delete_event", event="nothing like it"))
    again = here.replay(acted.log)
    assert again.dump() == acted.dump()
    other = world(seed=1)
    with pytest.raises(WorldFault, match="step 1"):
        other.replay(acted.log)


_words = st.text(max_size=12) | st.sampled_from(
    [
        "tomorrow",
        "31 February",
        "\ud800",
        "\x00",
        "../../etc",
        "a" * 500,
        "∞",
        "-1",
        "1e999",
        "null",
    ]
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_arguments_break_a_world(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(all_tools())))
    properties = all_tools()[name].schema["properties"]
    arguments = {key: data.draw(_words | _values, label=key) for key in properties}
    here = world().fork()
    step = here.step(ToolCall(name, arguments))
    assert step.status in ("done", "invalid", "failed")
    here.dump()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_any_seed_gives_the_same_world_twice(seed: int) -> None:
    name = random.Random(seed).choice(list(families()))
    one, two = scenario(name, seed), scenario(name, seed)
    assert one == two
    assert one.world.dump() == two.world.dump()


def test_a_scene_has_every_service() -> None:
    made = services(scene())
    assert all(made.has(name) for name in Services.__dataclass_fields__)
