"""Five skills so small that a model of half a million weights can learn them in a minute.

For the ``tiny`` recipe, which proves the way and not the model. Options: ``skills``, in turn, one
of them several times for more of it (all by default); ``solved`` makes conversations to be
imitated, else rows are tasks.

- ``tools``: one call, ``move(what, to)``, of what the request names.
- ``choice``: the even one of two numbers, as a choice.
- ``instructions``: the first word and the last are given.
- ``mathematics``: the largest of three digits.
- ``structured``: two words as JSON.

Each value that is to be read stands in a place of its own: that is what a small model learns first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

from botpsy.chat.types import Json, Message, Schema, ToolCall, ToolSpec
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.types import Row, tool_json

Skill = Literal["tools", "choice", "instructions", "mathematics", "structured"]
DIM = ToolSpec(
    "dim",
    "Dim a lamp",
    {
        "type": "object",
        "properties": {"lamp": {"type": "integer"}, "to": {"type": "integer"}},
        "required": ["lamp", "to"],
    },
)
PAIR: Schema = {
    "type": "object",
    "properties": {"first": {"type": "integer"}, "last": {"type": "integer"}},
    "required": ["first", "last"],
}


class Options(TaskOptions):
    """See the module."""

    skills: tuple[Skill, ...] = (
        "tools",
        "choice",
        "instructions",
        "mathematics",
        "structured",
    )


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)

    def make(number: int) -> Row:
        rng = Random(f"tiny:{seed}:{number}")  # noqa: S311 - chance, not secrets
        skill = options.skills[number % len(options.skills)]
        if skill == "tools":
            return _call(rng, number, seed, solved=options.solved)
        verifier, ask = _TEXTS[skill]
        return task("tiny", verifier, number, seed, ask(rng), solved=options.solved)

    return Source(make)


def _pair(rng: Random) -> tuple[int, int]:
    """A number of two digits and one of one."""
    return rng.randrange(10, 100), rng.randrange(10)


def _call(rng: Random, number: int, seed: int, *, solved: bool) -> Row:
    lamp, to = _pair(rng)
    asked = Message("user", f"Dim {lamp} to {to}.")
    call = ToolCall(DIM.name, {"lamp": lamp, "to": to}, "1")
    row = Row(
        id=f"tiny/{number}",
        messages=(asked,),
        tools=(DIM,),
        source="tiny",
        licence="Apache-2.0",
        domain="home",
        kind="tools",
        difficulty="simple",
        seed=seed,
        group=f"tiny/dim {lamp} {to}",
        proof="schema",
        verifier="tool_call",
        reference={
            "tools": [tool_json(DIM)],
            "calls": [{"name": call.name, "arguments": call.arguments}],
        },
    )
    if not solved:
        return row
    said = (
        Message("assistant", "", f"{lamp}, then {to}.", (call,)),
        Message("tool", "ok", call_id="1", name=DIM.name),
        Message("assistant", "Done."),
    )
    return replace(row, messages=(asked, *said), verifier="", reference={})


def _choice(rng: Random) -> Asked:
    even, odd = rng.randrange(10, 100, 2), rng.randrange(11, 100, 2)
    options = rng.sample((even, odd), 2)
    right, wrong = ("A", "B") if options[0] == even else ("B", "A")
    return Asked(
        messages=(Message("user", f"Which is even?\nA) {options[0]}\nB) {options[1]}"),),
        reference={"answer": right, "options": list(map(str, options))},
        right=f"Answer: {right}",
        wrong=(f"Answer: {wrong}",),
        why=f"{even} is even.",
        group=f"even {options[0]} {options[1]}",
        domain="knowledge",
    )


def _ends(rng: Random) -> Asked:
    first, last = _pair(rng)
    constraints: list[Json] = [
        {"kind": "starts", "phrase": str(first)},
        {"kind": "ends", "phrase": str(last)},
        {"kind": "words", "least": 2, "most": 2},
    ]
    return Asked(
        messages=(Message("user", f"Begin with {first}, end with {last}."),),
        reference={"constraints": constraints},
        right=f"{first}\n{last}",
        wrong=(f"{last}\n{first}", str(first), f"{first}\n{first}\n{last}"),
        why=f"{first}, then {last}.",
        group=f"ends {first} {last}",
        domain="writing",
    )


def _number(rng: Random) -> Asked:
    digits = rng.sample(range(10), 3)
    return Asked(
        messages=(Message("user", f"Largest of {digits[0]}, {digits[1]}, {digits[2]}?"),),
        reference={"answer": str(max(digits)), "form": "number"},
        right=f"Answer: {max(digits)}",
        wrong=tuple(f"Answer: {digit}" for digit in sorted(digits)[:2]),
        why=f"{max(digits)}.",
        group=f"number {digits[0]} {digits[1]} {digits[2]}",
        domain="mathematics",
    )


def _json(rng: Random) -> Asked:
    first, last = _pair(rng)
    value: dict[str, Json] = {"first": first, "last": last}
    return Asked(
        messages=(Message("user", f"As JSON: first {first}, last {last}."),),
        reference={"schema": PAIR, "value": value},
        right=json.dumps(value),
        wrong=(json.dumps({"first": last, "last": first}), json.dumps({"first": first})),
        why=f"{first}, then {last}.",
        group=f"json {first} {last}",
        domain="extraction",
    )


_TEXTS: dict[Skill, tuple[str, Callable[[Random], Asked]]] = {
    "choice": ("choice", _choice),
    "instructions": ("instructions", _ends),
    "mathematics": ("math", _number),
    "structured": ("structured", _json),
}
