"""Scenes for tests, outside any family."""

from __future__ import annotations

from collections.abc import Callable

from botpsy.chat.types import ToolCall
from botpsy.worlds.scenario import Kind, Scenario
from botpsy.worlds.scene import About, Scene


def scene(kind: Kind = "single", seed: int = 0, name: str = "test.scene") -> Scene:
    return Scene(About(name, "calendar", kind, held_out=False), seed)


def made(make: Callable[[Scene], Scenario], kind: Kind = "single", seed: int = 0) -> Scenario:
    return make(scene(kind, seed))


def tool_call(name: str, /, **arguments: object) -> ToolCall:
    return ToolCall(name, arguments)  # type: ignore[arg-type]
