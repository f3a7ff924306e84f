"""Tiny data and recipes: lamps are switched, one call a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.types import Row, dump
from botpsy.train.recipe import TrainRecipe, read_recipe

NEEDS_TORCH = "needs the train extra: pip install 'botpsy[train]'"
TOOL = ToolSpec(
    "set_lamp",
    "Switch a lamp.",
    {
        "type": "object",
        "properties": {"room": {"type": "string"}, "on": {"type": "boolean"}},
        "required": ["room", "on"],
    },
)
ROOMS = ("kitchen", "hall", "garden", "attic", "office", "bedroom")


def lamp_row(n: int, *, task: bool = False) -> Row:
    """A request to switch a lamp, with its call and answer, or as a task."""
    room, on = ROOMS[n % len(ROOMS)], n % 2 == 0
    asked = Message("user", f"{'Light' if on else 'Dark'} in the {room} please, {n % 7} times.")
    call = ToolCall("set_lamp", {"room": room, "on": on}, "1")
    messages = (Message("system", "You help."), asked)
    reference: dict[str, Any] = {}
    if task:
        reference = {
            "tools": [
                {"name": TOOL.name, "description": TOOL.description, "parameters": TOOL.parameters}
            ],
            "calls": [{"name": call.name, "arguments": call.arguments}],
        }
    else:
        messages += (
            Message("assistant", "", f"Lamp in the {room}.", (call,)),
            Message("tool", "Done.", call_id="1", name=TOOL.name),
            Message("assistant", "It is done." + " Gladly." * (n % 5)),
        )
    return Row(
        id=f"lamp/{n}",
        messages=messages,
        tools=(TOOL,),
        source="lamp",
        licence="Apache-2.0",
        domain="home",
        kind="single",
        difficulty="simple",
        seed=n,
        group=f"g{n}",
        proof="schema",
        verifier="tool_call" if task else "",
        reference=reference,
    )


def write_rows(path: Path, rows: list[Row]) -> Path:
    """A file of rows."""
    path.write_text("".join(dump(row.to_json()) + "\n" for row in rows), "utf-8")
    return path


def write_data(folder: Path) -> Path:
    """What ``botpsy data build`` would have left."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "conversations.jsonl", [lamp_row(n) for n in range(48)])
    write_rows(folder / "conversations.validation.jsonl", [lamp_row(n) for n in range(100, 112)])
    write_rows(folder / "tasks.jsonl", [lamp_row(n, task=True) for n in range(200, 224)])
    write_rows(folder / "tasks.validation.jsonl", [lamp_row(n, task=True) for n in range(300, 306)])
    return folder


def recipe_text(data: Path, *, model: str = "", more: str = "", **changes: Any) -> str:
    """A recipe of one stage; ``changes`` are keys of its sft section."""
    sft = {
        "rows": [str(data)],
        "limit_steps": 4,
        "max_tokens": 256,
        "batch_tokens": 512,
        "passes": 2,
        "evaluate_every": 2,
        "select": "loss",
    } | changes
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in sft.items())
    return f"""
name = "toy"
seed = 3

[model]
base = "random:tiny"
vocabulary = 384
texts = ["{data}"]
{model}

[[suite]]
name = "loss"
kind = "loss"
rows = "{data}"
limit = 4

[sft]
{lines}
optim = {{ lr = 2e-3, warmup_steps = 2 }}
{more}
"""


def toy_recipe(folder: Path, data: Path, **changes: Any) -> TrainRecipe:
    """The recipe, read from a file."""
    path = folder / "toy.toml"
    path.write_text(recipe_text(data, **changes), "utf-8")
    return read_recipe(path)
