"""Device settings tools: absolute values, undo that covers every consequence."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from botpsy.chat.types import JsonObject
from botpsy.clock import Clock
from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.device import DEFAULTS
from botpsy.services.device.memory import MemoryDevice
from botpsy.tools import device as device_tools
from botpsy.tools.base import Context, ToolDef

TOOLS = {tool.name: tool for tool in device_tools.TOOLS}


@pytest.fixture
def ctx() -> Context:
    return Context(Services(device=MemoryDevice({"muted": True})), Clock(ZoneInfo("UTC")))


def run(ctx: Context, tool_name: str, /, **arguments: Any) -> Any:
    tool = TOOLS[tool_name]
    return tool.run(tool.bind(arguments, ctx), ctx)


@pytest.mark.parametrize(
    ("said", "percent"),
    [
        ("30", 30),
        ("up", 60),
        ("louder", 60),
        ("a little quieter", 45),
        ("max", 100),
        ("full volume", 100),
        ("mute", None),
        ("twenty", 20),
        ("one hundred", 100),
        ("raise by 15", 65),
        ("increase to 15", 15),
        ("down 80", 0),
        ("101", None),
        ("", None),
        (12.4, 12),
    ],
)
def test_volume(ctx: Context, said: Any, percent: int | None) -> None:
    if percent is None:
        with pytest.raises(ToolError):
            TOOLS["set_volume"].bind({"level": said}, ctx)
        return
    bound = TOOLS["set_volume"].bind({"level": said}, ctx)
    assert bound.shown == {"level": percent}
    TOOLS["set_volume"].run(bound, ctx)
    assert ctx.services.device.settings()["volume"] == percent
    assert ctx.services.device.settings()["muted"] is False
    assert TOOLS["set_volume"].run(bound, ctx) == {"volume": percent}


def test_settings_are_told_and_switched(ctx: Context) -> None:
    assert run(ctx, "get_setting", name="wifi") == {"wifi": True}
    assert run(ctx, "change_setting", name="airplane_mode", on=True) == {
        "airplane_mode": True,
        "wifi": False,
    }
    assert run(ctx, "get_setting", name="wifi") == {"wifi": False}
    assert run(ctx, "mute", on=False) == {"muted": False}
    assert run(ctx, "mute") == {"muted": True}
    assert run(ctx, "set_screen_brightness", level="dimmer") == {"brightness": 60}
    for wrong in ({"name": "warp", "on": True}, {"name": "volume", "on": True}, {"name": "wifi"}):
        with pytest.raises(SchemaError):
            run(ctx, "change_setting", **wrong)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_volume", {"level": "90"}),
        ("set_volume", {"level": "50"}),
        ("mute", {"on": False}),
        ("set_screen_brightness", {"level": "max"}),
        ("change_setting", {"name": "airplane_mode", "on": True}),
        ("change_setting", {"name": "dark_mode", "on": True}),
    ],
)
def test_undo_covers_every_consequence(ctx: Context, name: str, arguments: JsonObject) -> None:
    device = ctx.services.device
    everything = {key: device.snapshot(key) for key in DEFAULTS}
    bound = TOOLS[name].bind(arguments, ctx)
    before = {ref.key: device.snapshot(ref.key) for ref in TOOLS[name].touches(bound, ctx)}
    TOOLS[name].run(bound, ctx)
    for key, text in before.items():
        device.restore(key, text)
    assert {key: device.snapshot(key) for key in DEFAULTS} == everything


@pytest.mark.parametrize("tool", device_tools.TOOLS, ids=lambda tool: tool.name)
def test_each_tool_declares_what_it_is(tool: ToolDef) -> None:
    assert tool.service == "device"
    assert (tool.effect == "read") == (tool.name == "get_setting")
    assert not tool.irreversible
    assert len(tool.examples) >= 5
