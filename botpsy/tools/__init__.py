"""What can be done. One module per domain: typed functions over ``services``.

``catalogue()`` gives every tool botpsy ships, by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botpsy.tools.base import ToolDef

MODULES = (
    "calendar",
    "reminders",
    "time",
    "contacts",
    "mail",
    "messages",
    "files",
    "notes",
    "home",
    "device",
    "search",
    "lifestyle",
    "travel",
    "media",
    "vehicle",
    "shop",
    "bank",
    "business",
    "tickets",
)
"""Modules with a ``TOOLS`` tuple, in catalogue order."""


def catalogue() -> dict[str, ToolDef]:
    """Every tool botpsy ships, by name, in catalogue order."""
    tools: dict[str, ToolDef] = {}
    for name in MODULES:
        for tool in import_module(f"botpsy.tools.{name}").TOOLS:
            assert tool.name not in tools, f"two tools are named {tool.name}"
            tools[tool.name] = tool
    return tools
