from __future__ import annotations

import pytest

from botpsy.assistant.choice import chooser
from botpsy.assistant.selection import select
from botpsy.tools import catalogue

TOOLS = catalogue()


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("Put dentist on my calendar next Friday at 15:00", "create_event"),
        ("What is on my calendar next week?", "find_events"),
        ("Set a timer for 12 minutes", "set_timer"),
        ("Turn on the kitchen lights", "turn_on"),
        ("Is the front door locked?", "device_state"),
        ("what lights are on?", "list_devices"),
        ("Tell me a joke", None),
        ("Fix my bicycle", None),
        ("", None),
        ("\x00 ??? 🦄", None),
    ],
)
def test_the_tool_that_fits_or_none(request_: str, name: str | None) -> None:
    offered = [tool.spec for tool in select(request_, list(TOOLS.values()))]
    assert chooser(TOOLS)(request_, offered) == name


def test_only_what_is_offered_is_chosen() -> None:
    choose = chooser(TOOLS)
    assert choose("Set a timer for 12 minutes", []) is None
    assert choose("Set a timer for 12 minutes", [TOOLS["lock_door"].spec]) is None


def test_without_tools_nothing_fits() -> None:
    assert chooser({})("Set a timer for 12 minutes", []) is None
