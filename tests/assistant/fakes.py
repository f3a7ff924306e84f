"""A service and tools small enough to see through, for tests of the rooms around them."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Annotated, Any

from botpsy.chat.types import JsonObject
from botpsy.services.base import Ref
from botpsy.tools.base import Context, tool


class Store:
    """Records in one JSON file: a service like any other, with a place to crash in."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        return json.loads(self.path.read_text()) if self.path.exists() else {}

    def write(self, records: dict[str, str]) -> None:
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(records))
        part.replace(self.path)

    def put(self, key: str, value: str) -> None:
        self.write({**self.read(), key: value})

    def snapshot(self, key: str) -> str | None:
        return self.read().get(key)

    def restore(self, key: str, state: str | None) -> None:
        records = self.read()
        records.pop(key, None)
        if state is not None:
            records[key] = state
        self.write(records)


def store_of(ctx: Context) -> Any:
    return ctx.services.notes


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@tool(effect="write", service="notes", undo=lambda ctx, a: [Ref("notes", ctx.action_id)])
def keep(ctx: Context, text: Annotated[str, "What to keep"]) -> JsonObject:
    """Keep a text."""
    store_of(ctx).put(ctx.action_id, text)
    return {"id": ctx.action_id}


@tool(effect="write", service="notes", undo=lambda ctx, a: [Ref("notes", a["key"])])
def change(ctx: Context, key: str, text: str) -> JsonObject:
    """Change a kept text."""
    store_of(ctx).put(key, text)
    return {"key": key}


@tool(effect="write", service="notes", undo=lambda ctx, a: [Ref("notes", "a"), Ref("notes", "b")])
def change_both(ctx: Context, text: str, crash: bool = False) -> JsonObject:
    """Change two texts, one after the other."""
    store_of(ctx).put("a", text)
    if crash:
        die()
    store_of(ctx).put("b", text)
    return {}


@tool(effect="write", service="notes", undo=lambda ctx, a: [Ref("notes", ctx.action_id)])
def crash_before(ctx: Context, text: str) -> JsonObject:
    """Die before keeping."""
    die()
    return keep(ctx, text)


@tool(effect="write", service="notes", undo=lambda ctx, a: [Ref("notes", ctx.action_id)])
def crash_after(ctx: Context, text: str) -> JsonObject:
    """Die after keeping."""
    keep(ctx, text)
    die()
    return {}


@tool(effect="send", service="notes", destinations=("to",))
def tell(ctx: Context, to: str, text: str) -> JsonObject:
    """Tell somebody; cannot be taken back."""
    store_of(ctx).put(f"told {to} {ctx.action_id}", text)
    return {"told": to}


@tool(service="notes", untrusted_output=True)
def look(ctx: Context, key: str) -> str:
    """Look at a kept text."""
    value: str = store_of(ctx).read().get(key, "")
    return value


@tool(effect="write")
def broken(text: str) -> JsonObject:
    """A user's own tool with a fault."""
    raise KeyError(text)
