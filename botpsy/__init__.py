"""A private assistant on your own machine, and the open recipe for the small model behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from botpsy.assistant.api import Assistant
    from botpsy.tools.base import Context, tool

__all__ = ["Assistant", "Context", "__version__", "tool"]

_WHERE = {
    "Assistant": "botpsy.assistant.api",
    "Context": "botpsy.tools.base",
    "tool": "botpsy.tools.base",
}


def __getattr__(name: str) -> Any:
    # Lazy, so that ``botpsy --help`` need not load a model runtime.
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'botpsy' has no attribute {name!r}")
