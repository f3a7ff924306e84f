"""Which tools are offered, in what order, under what names, how well described."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.chat.wire import properties_of
from botpsy.data import reasoning
from botpsy.data.augment.near import STANDS_IN, UNLIKE, index_of, likeness
from botpsy.data.types import Row

KEEP_TOOLS = frozenset({"no_tool", "lookalike", "policy", "wrong_value"})
"""Kinds whose right answer rests on what is offered; their sources choose the tools."""

_SYLLABLES = ("ba", "do", "ke", "li", "mu", "na", "po", "ra", "si", "tu", "vo", "xe", "zi", "go",
              "fa", "ju", "qua", "the", "wy", "cru")  # fmt: skip


def called(row: Row) -> list[str]:
    """Names of the tools called, in order, each once."""
    return list(dict.fromkeys(call.name for m in row.messages for call in m.calls))


def done(row: Row, change: str) -> Row:
    """The row with a change on record."""
    return replace(row, changes=(*row.changes, change))


def add(row: Row, rng: Random, pool: Sequence[ToolSpec], change: str, wanted: int) -> Row:
    """More tools: like those called (``near``), unlike (``far``), or both (``long_list``).

    None that could do a called one's job.
    """
    if wanted <= 0 or not pool or row.kind in KEEP_TOOLS:
        return row
    specs = {spec.name: spec for spec in row.tools}
    # Of a row without calls nothing is known but what is offered.
    models = [specs[name] for name in called(row)] or list(row.tools)
    barred = set(specs)
    index = index_of(pool)
    near: dict[int, float] = {}
    for spec in models:
        for score, place in index.like(spec):
            near[place] = max(score, near.get(place, 0.0))
    like = [p for p, score in sorted(near.items(), key=_best) if UNLIKE < score < STANDS_IN]
    chosen: list[ToolSpec] = []
    if change != "far":
        some = like[: 4 * wanted if change == "near" else wanted // 2]
        rng.shuffle(some)
        chosen += _fresh(index.pool, some, barred, wanted if change == "near" else wanted // 2)
    if change != "near":
        unlike = (p for p in _random_places(rng, len(pool)) if near.get(p, 0.0) <= UNLIKE * 4)
        chosen += _fresh(index.pool, unlike, barred, wanted - len(chosen))
    if not chosen:
        return row
    offered = [*row.tools, *chosen]
    rng.shuffle(offered)
    return done(replace(row, tools=tuple(offered)), change)


def _best(pair: tuple[int, float]) -> tuple[float, int]:
    return -pair[1], pair[0]


def _random_places(rng: Random, size: int) -> list[int]:
    return rng.sample(range(size), min(size, 200))


def _fresh(pool: Sequence[ToolSpec], places: Any, barred: set[str], wanted: int) -> list[ToolSpec]:
    found: list[ToolSpec] = []
    for place in places:
        if len(found) >= wanted:
            break
        if pool[place].name not in barred:
            barred.add(pool[place].name)
            found.append(pool[place])
    return found


def shuffle(row: Row, rng: Random) -> Row:
    """The same tools in another order."""
    if len(row.tools) < 2:
        return row
    offered = list(row.tools)
    rng.shuffle(offered)
    return done(replace(row, tools=tuple(offered)), "shuffle")


def rename_tools(row: Row, rng: Random) -> Row:
    """Names that say nothing, wherever they stand. Only where every tool has a description, and no
    two are alike in it."""
    if not row.tools or not all(len(spec.description.split()) > 2 for spec in row.tools):
        return row
    if len({spec.description for spec in row.tools}) < len(row.tools):
        return row
    names: dict[str, str] = {}
    for spec in row.tools:
        names[spec.name] = _unsaid(rng, set(names.values()) | {s.name for s in row.tools})
    tools = tuple(_with_names(spec, names) for spec in row.tools)
    messages = tuple(
        replace(
            message,
            reasoning=_renamed(message.reasoning, names),
            # What the user and the world say is theirs; results and answers may name tools.
            content=message.content
            if message.role in ("user", "system")
            else _renamed(message.content, names),
            calls=tuple(replace(call, name=names[call.name]) for call in message.calls),
            name=names.get(message.name, message.name),
        )
        for message in row.messages
    )
    return done(replace(row, tools=tools, messages=messages), "rename_tools")


def _with_names(spec: ToolSpec, names: Mapping[str, str]) -> ToolSpec:
    parameters = copy.deepcopy(spec.parameters)
    for schema in parameters.get("properties", {}).values():
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            schema["description"] = _renamed(schema["description"], names)
    return ToolSpec(names[spec.name], _renamed(spec.description, names), parameters)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """Whole words only, and of one-word names none: they are words of the language, too."""
    known = [name for name in names if "_" in name or re.search(r"[a-z][A-Z]", name)]
    if not known or not text:
        return text
    pattern = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return re.sub(rf"(?<![\w.]){'(?:' + pattern + ')'}(?!\w)", lambda m: names[m[0]], text)


def _unsaid(rng: Random, taken: set[str]) -> str:
    while True:
        name = "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))
        name += rng.choice(("", "", f"_{rng.randint(1, 99)}", "_x"))
        if name not in taken:
            return name


def rename_parameters(row: Row, rng: Random) -> Row:
    """Parameters that are described get names that say nothing. What the assistant thinks before a
    call is said anew, since it names parameters."""
    names: dict[str, dict[str, str]] = {}
    tools = []
    for spec in row.tools:
        properties = properties_of(spec)
        mine: dict[str, str] = {}
        for name, schema in properties.items():
            text = schema.get("description", "") if isinstance(schema, Mapping) else ""
            if len(text.split()) >= 2:
                mine[name] = _unsaid(rng, set(properties) | set(mine.values()))
        names[spec.name] = mine
        parameters = dict(spec.parameters)
        parameters["properties"] = {mine.get(n, n): schema for n, schema in properties.items()}
        if "required" in parameters:
            parameters["required"] = [mine.get(n, n) for n in parameters["required"]]
        tools.append(replace(spec, parameters=parameters))
    if not any(names[name] for name in called(row)):
        return row
    messages: list[Message] = []
    for message in row.messages:
        calls = tuple(
            ToolCall(
                call.name,
                {names[call.name].get(n, n): value for n, value in call.arguments.items()},
                call.id,
            )
            for call in message.calls
        )
        thought = message.reasoning
        if calls and thought:
            thought = reasoning.for_calls(rng, calls, messages)
        messages.append(replace(message, calls=calls, reasoning=thought))
    return done(replace(row, tools=tuple(tools), messages=tuple(messages)), "rename_parameters")


def shorten(row: Row, rng: Random) -> Row:
    """Descriptions of tools cut to a few words, those of parameters left out by chance. A tool
    whose shortened description is another's keeps its own."""
    if not row.tools:
        return row
    tools = []
    seen: set[str] = set()
    for spec in row.tools:
        parts = spec.description.split()
        short = " ".join(parts[: rng.randint(3, 7)]).rstrip(".,;:")
        if short in seen or any(
            other is not spec and likeness(other, spec) >= STANDS_IN for other in row.tools
        ):
            short = spec.description
        seen.add(short)
        parameters = copy.deepcopy(spec.parameters)
        for schema in parameters.get("properties", {}).values():
            if isinstance(schema, dict) and rng.random() < 0.5 and "enum" not in schema:
                schema.pop("description", None)
        tools.append(ToolSpec(spec.name, short, parameters))
    return done(replace(row, tools=tuple(tools)), "shorten")
