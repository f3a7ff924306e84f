"""What is needed is not there: a tool (decline), a value (ask). And several requests in one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from botpsy.chat.types import Message, ToolSpec
from botpsy.chat.wire import properties_of
from botpsy.data import reasoning
from botpsy.data.augment.near import STANDS_IN, likeness
from botpsy.data.augment.tools import KEEP_TOOLS, called, done
from botpsy.data.types import Row

MAX_JOINED_TOOLS = 12
_MUCH_ALIKE = STANDS_IN / 2
_PLAIN_VERB = re.compile(r"[A-Z][a-z]+(?<!s) [a-z]")


def remove_tool(row: Row, rng: Random) -> Row:
    """Take away the one tool that a request rests on, and those that could stand in for it."""
    names = called(row)
    first = next((n for n, m in enumerate(row.messages) if m.role == "assistant"), 0)
    if len(names) != 1 or row.kind in KEEP_TOOLS or not row.messages[first].calls:
        return row
    gone = next(spec for spec in row.tools if spec.name == names[0])
    left = tuple(
        spec for spec in row.tools if spec is not gone and likeness(spec, gone) < _MUCH_ALIKE
    )
    if not left:
        return row
    thinking = bool(row.messages[first].reasoning)
    answer = Message(
        "assistant", _decline(rng, left), reasoning.for_decline(rng) if thinking else ""
    )
    return done(
        replace(
            row,
            messages=(*row.messages[:first], answer),
            tools=left,
            kind="no_tool",
            difficulty="complex",
            proof=f"{row.proof}; its only tool removed",
        ),
        "remove_tool",
    )


def _decline(rng: Random, tools: Sequence[ToolSpec]) -> str:
    some = rng.sample(list(tools), min(len(tools), rng.randint(1, 2)))
    can = " or ".join(_purpose(spec) for spec in some)
    return rng.choice(
        (
            f"I can't do that with the tools I have here. I can {can}.",
            f"There is no tool for that here. What I can do: {can}.",
            f"Sorry, none of my tools does that. I could {can}, if that helps.",
            f"That is not possible here; I am only able to {can}.",
        )
    )


def _purpose(spec: ToolSpec) -> str:
    """What a tool is for, to follow "I can": from its description, or else from its name."""
    first = re.split(r"(?<=[a-z])[.;:(,]", spec.description, maxsplit=1)[0].strip()
    if _PLAIN_VERB.match(first) and len(first) <= 60:
        return first[0].lower() + first[1:]
    return f"use {spec.name}"


def remove_value(row: Row, rng: Random) -> Row:
    """Take a required value out of the request, where the source knows the request without it; the
    assistant asks, the user gives it, and all goes on as before."""
    first = next((n for n, m in enumerate(row.messages) if m.role == "assistant"), 0)
    if not row.without or not row.messages[first].calls:
        return row
    call = row.messages[first].calls[0]
    spec = next(spec for spec in row.tools if spec.name == call.name)
    asked = [
        name
        for name in row.without
        if name in spec.parameters.get("required", ()) and isinstance(call.arguments.get(name), str)
    ]
    if not asked:
        return row
    name = rng.choice(asked)
    value = str(call.arguments[name])
    said = name.replace("_", " ").lower()
    schema = properties_of(spec).get(name)
    question = rng.choice((f"What is the {said}?", f"Which {said}?", f"What {said} should I use?"))
    if isinstance(schema, dict) and 2 <= len(schema.get("enum", ())) <= 5:
        question = f"Which {said}: {', '.join(map(str, schema['enum']))}?"
    thinking = bool(row.messages[first].reasoning)
    ask = Message("assistant", question, reasoning.for_question(rng, said) if thinking else "")
    before = [
        replace(message, content=row.without[name]) if message.role == "user" else message
        for message in row.messages[:first]
    ]
    messages = (*before, ask, Message("user", value), *row.messages[first:])
    return done(
        replace(
            row,
            messages=messages,
            kind="missing",
            difficulty="complex",
            proof=f"{row.proof}; a required value removed",
        ),
        "remove_value",
    )


def join(row: Row, other: Row) -> Row:
    """Both rows' requests in one conversation, with the tools of both.

    Not if a tool of one could have helped where the other declines, if the same name stands for two
    tools, or if they are of different days and places (system messages).
    """
    systems = [[m for m in each.messages if m.role == "system"] for each in (row, other)]
    if systems[0] != systems[1] or other.is_task or {row.kind, other.kind} & KEEP_TOOLS:
        return row
    specs = {spec.name: spec for spec in row.tools}
    for spec in other.tools:
        if specs.setdefault(spec.name, spec) != spec:
            return row
    if len(specs) > MAX_JOINED_TOOLS or row.messages == other.messages:
        return row
    later = [message for message in other.messages if message.role != "system"]
    return done(
        replace(
            row,
            id=f"{row.id}+{other.id.rpartition('/')[2]}",
            messages=(*row.messages, *later),
            tools=tuple(specs.values()),
            kind="multi_turn",
            difficulty="complex",
            without={},
        ),
        "join",
    )
