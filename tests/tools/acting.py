"""Running a tool as the executor does: bind, look at what it touches, run; and taking it back."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from botpsy.chat.types import Json
from botpsy.clock import Clock
from botpsy.services.bundle import Services
from botpsy.tools.base import Context, ToolDef

TZ = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 4, 15, 0, tzinfo=TZ)
_ids = itertools.count()


def context(services: Services, action_id: str = "") -> Context:
    return Context(services, Clock(TZ, NOW), action_id or f"act{next(_ids)}")


def act(
    services: Services, tool: ToolDef, action_id: str = "", /, **arguments: Any
) -> tuple[Json, Callable[[], None]]:
    """The result, and a function that undoes the call and checks that it did."""
    ctx = context(services, action_id)
    bound = tool.bind(arguments, ctx)
    refs = tuple(dict.fromkeys(tool.touches(bound, ctx)))
    states = {ref: services.get(ref.service).snapshot(ref.key) for ref in refs}
    result = tool.run(bound, ctx)

    def undo() -> None:
        for ref, state in states.items():
            services.get(ref.service).restore(ref.key, state)
        for ref, state in states.items():
            assert services.get(ref.service).snapshot(ref.key) == state

    return result, undo


def dump(services: Services) -> dict[str, Any]:
    """The state of all services."""
    return {name: services.get(name).dump() for name in services.names()}  # type: ignore[attr-defined]
