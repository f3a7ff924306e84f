"""Three skills so small that a model of half a million weights can learn them in a minute.

For the ``tiny`` recipe, which proves the way and not the model. Options: ``skills`` chooses
(``tools``, ``reasoning``, ``instructions``; all by default); ``solved`` makes conversations to be
imitated, else rows are tasks.

- ``tools``: one call, ``switch(thing, on)``, of what the request names.
- ``reasoning``: the larger of two numbers, as a choice.
- ``instructions``: two words in capital letters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

from botpsy.chat.types import Json, Message, ToolCall, ToolSpec
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.types import Row, tool_json

Skill = Literal["tools", "reasoning", "instructions"]
SWITCH = ToolSpec(
    "switch",
    "Turn a thing on or off",
    {
        "type": "object",
        "properties": {"thing": {"type": "string"}, "on": {"type": "boolean"}},
        "required": ["thing", "on"],
    },
)
ROOMS = (
    "hall",
    "kitchen",
    "attic",
    "garden",
    "office",
    "cellar",
    "studio",
    "garage",
    "porch",
    "loft",
)
THINGS = ("lamp", "fan", "radio", "heater", "blind", "pump", "screen", "oven", "gate", "cooler")
WORDS = (
    "river", "stone", "cloud", "apple", "tiger", "bread", "chair", "piano", "grass", "candle",
    "paper", "spoon", "tower", "wheel", "ocean", "lemon", "horse", "brick", "shirt", "clock",
)  # fmt: skip


class Options(TaskOptions):
    """See the module."""

    skills: tuple[Skill, ...] = ("tools", "reasoning", "instructions")


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


def _call(rng: Random, number: int, seed: int, *, solved: bool) -> Row:
    thing, on = f"{rng.choice(ROOMS)} {rng.choice(THINGS)}", rng.random() < 0.5
    state = "on" if on else "off"
    asked = Message("user", f"Turn the {thing} {state}.")
    call = ToolCall(SWITCH.name, {"thing": thing, "on": on}, "1")
    row = Row(
        id=f"tiny/{number}",
        messages=(asked,),
        tools=(SWITCH,),
        source="tiny",
        licence="Apache-2.0",
        domain="home",
        kind="tools",
        difficulty="simple",
        seed=seed,
        group=f"tiny/{thing} {state}",
        proof="schema",
        verifier="tool_call",
        reference={
            "tools": [tool_json(SWITCH)],
            "calls": [{"name": call.name, "arguments": call.arguments}],
        },
    )
    if not solved:
        return row
    said = (
        Message("assistant", "", f"{thing}, {state}.", (call,)),
        Message("tool", "ok", call_id="1", name=SWITCH.name),
        Message("assistant", f"The {thing} is {state}."),
    )
    return replace(row, messages=(asked, *said), verifier="", reference={})


def _larger(rng: Random) -> Asked:
    one, two = rng.sample(range(1, 30), 2)
    letter = "A" if one > two else "B"
    return Asked(
        messages=(Message("user", f"Which is larger?\nA) {one}\nB) {two}"),),
        reference={"answer": letter, "options": [str(one), str(two)]},
        right=f"Answer: {letter}",
        wrong=(f"Answer: {'B' if letter == 'A' else 'A'}",),
        why=f"{max(one, two)} > {min(one, two)}.",
        group=f"{one} {two}",
        domain="knowledge",
    )


def _capitals(rng: Random) -> Asked:
    words = rng.sample(WORDS, 2)
    text = " ".join(words)
    constraints: list[Json] = [{"kind": "mentions", "word": word} for word in words]
    constraints += [{"kind": "upper"}, {"kind": "words", "least": 2, "most": 2}]
    return Asked(
        messages=(Message("user", f"Write in capitals: {text}"),),
        reference={"constraints": constraints},
        right=text.upper(),
        wrong=(text, text.upper() + " " + text.upper()),
        why=f"{text}.",
        group=text,
        domain="writing",
    )


_TEXTS: dict[Skill, tuple[str, Callable[[Random], Asked]]] = {
    "reasoning": ("choice", _larger),
    "instructions": ("instructions", _capitals),
}
