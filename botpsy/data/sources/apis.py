"""Calls of real APIs: reading a schema that was never seen is what this teaches.

An operation is drawn from the descriptions in installed packages (``_descriptions``), values are
sampled from types, enumerations, bounds and what a member is called, and the request is composed
from the operation's own description. Every value stands in the request word for word; optional
members are given only if they are asked for. Results are invented, answers repeat them.

Options: ``services`` (all by default; held-out ones never), ``parallel`` (share of rows with two
calls), ``optional`` (the most optional arguments in a call).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from botpsy.chat.types import Json, JsonObject, Message, Schema, ToolCall, ToolSpec
from botpsy.data import reasoning
from botpsy.data.augment.near import STANDS_IN, likeness
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.sources._descriptions import Operation, operations, services
from botpsy.data.types import Row, UnusableError, dump
from botpsy.errors import ConfigError

HELD_OUT_SHARE = 0.15
POOLED = 60
"""Services whose tools serve as distractors; all would take long to read."""

_VERB = re.compile(r"(This (?:API|action|operation|method) )?([A-Za-z][a-z]+s) ([a-z0-9].*)")
_PAGING = re.compile(r"token|cursor|marker|maxresults|pagesize|maxitems|limit|filter$", re.I)
_WORDS = ("amber", "atlas", "birch", "cedar", "cobalt", "comet", "coral", "delta", "ember",
          "falcon", "harbor", "indigo", "juniper", "lagoon", "maple", "meadow", "nimbus", "onyx",
          "orchid",
          "pine", "quartz", "raven", "saffron", "sierra", "summit", "tundra", "velvet",
          "willow")  # fmt: skip
_THINGS = ("backup", "billing", "blue", "dev", "eu", "images", "logs", "main", "nightly", "orders",
           "prod", "reports", "shared", "staging", "test", "web")  # fmt: skip
_REGIONS = ("eu-central-1", "us-east-1", "us-west-2", "ap-southeast-2", "sa-east-1")
_LETTERS = "0123456789abcdef"


class Options(BaseModel):
    """See the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    services: tuple[str, ...] = ()
    parallel: float = Field(default=0.2, ge=0.0, le=1.0)
    optional: int = Field(default=2, ge=0, le=4)


def held_out(service: str) -> bool:
    """Whether training never sees a service: by its name, so for good."""
    digest = hashlib.sha256(f"apis:{service}".encode()).digest()
    return digest[0] < HELD_OUT_SHARE * 256


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """Requests for operations of the services that the options choose."""
    options = options_of(recipe, Options)
    known = [each for each in services() if not held_out(each[1])]
    if options.services:
        known = [each for each in known if each[1] in options.services]
        if len(known) < len(set(options.services)):
            raise ConfigError(
                "source apis: options.services names one that is unknown or held out."
            )
    chance = Random(f"apis:{seed}")  # noqa: S311 - chance, not secrets
    pool = [
        spec_of(operation)
        for kind, service in chance.sample(known, min(POOLED, len(known)))
        for operation in operations(kind, service)
    ]

    def make(number: int) -> Row:
        # A service for a run of numbers, so that its description is read once for all of them.
        block = Random(f"apis:{seed}:{number // 20}")  # noqa: S311
        kind, service = block.choice(known)
        rng = Random(f"apis:{seed}:{number}")  # noqa: S311
        return _row(rng, options, operations(kind, service), number, seed)

    return Source(make, pool=tuple({spec.name: spec for spec in pool}.values()))


def spec_of(operation: Operation) -> ToolSpec:
    """The operation as a tool."""
    return ToolSpec(operation.name, operation.description, operation.parameters)


def _row(rng: Random, options: Options, known: Sequence[Operation], number: int, seed: int) -> Row:
    usable = [each for each in known if _imperative(each.description)]
    if not usable:
        raise UnusableError("no operation of the service says what it does")
    wanted = [rng.choice(usable)]
    if rng.random() < options.parallel:
        wanted.append(rng.choice([wanted[0], rng.choice(usable)]))
    calls, said = [], []
    for n, operation in enumerate(wanted, 1):
        arguments = _arguments(rng, operation, options.optional)
        calls.append(ToolCall(operation.name, arguments, f"c{n}"))
        said.append(_request(rng, operation, arguments))
    if len(calls) > 1 and (calls[0].name, calls[0].arguments) == (
        calls[1].name,
        calls[1].arguments,
    ):
        calls, said = calls[:1], said[:1]
    if sum(map(len, said)) > 700:
        raise UnusableError("a request that nobody would write: too many values")
    joiner = rng.choice((" And ", " Also ", " Then, independently, "))
    later = (part if part.startswith("I ") else part[0].lower() + part[1:] for part in said[1:])
    request = said[0] + "".join(joiner + part for part in later)
    start = (Message("user", request),)
    results, answers = [], []
    for call, operation in zip(calls, wanted, strict=False):
        result = _result(rng, operation, call.arguments)
        results.append(Message("tool", dump(result), call_id=call.id, name=call.name))
        answers.append(_answer(rng, operation, result))
    thought = reasoning.for_calls(rng, calls, start)
    tools = _offered(rng, wanted, known)
    one = len(calls) == 1
    return Row(
        id=f"apis/{wanted[0].service}/{number}",
        messages=(
            *start,
            Message("assistant", "", thought, tuple(calls)),
            *results,
            Message("assistant", " ".join(answers), reasoning.for_answer(rng, results)),
        ),
        tools=tools,
        source="apis",
        licence="Apache-2.0",
        domain="business",
        kind="single" if one else "parallel",
        difficulty="simple" if one else "complex",
        seed=seed,
        group=wanted[0].service,
        proof="schema; values in the request",
        without=_without(rng, wanted[0], calls[0].arguments) if one else {},
    )


def _offered(
    rng: Random, wanted: Sequence[Operation], known: Sequence[Operation]
) -> tuple[ToolSpec, ...]:
    """The tools called and some of the same service, none of which could do the job."""
    needed = {each.name: spec_of(each) for each in wanted}
    others = [spec_of(each) for each in known if each.name not in needed]
    rng.shuffle(others)
    size = rng.randint(2, 5)
    for spec in others:
        if len(needed) > size:
            break
        if all(likeness(spec, other) < STANDS_IN * 1.3 for other in needed.values()):
            needed[spec.name] = spec
    offered = list(needed.values())
    rng.shuffle(offered)
    return tuple(offered)


# --- values ---------------------------------------------------------------------------------------


def _arguments(rng: Random, operation: Operation, optional: int) -> JsonObject:
    properties: Mapping[str, Schema] = operation.parameters["properties"]
    free = [
        name
        for name, schema in properties.items()
        if name not in operation.required
        and schema["type"] not in ("object", "array")
        and not _PAGING.search(name)
    ]
    given = {*operation.required, *rng.sample(free, min(len(free), rng.randint(0, optional)))}
    return {name: _value(rng, name, schema) for name, schema in properties.items() if name in given}


def _value(rng: Random, name: str, schema: Schema) -> Json:
    match schema["type"]:
        case "object":
            members = schema["properties"]
            needed = [each for each in members if each in schema.get("required", ())]
            needed = needed or list(members)[:1]
            return {each: _value(rng, each, members[each]) for each in needed}
        case "array":
            items = schema["items"]
            several = items["type"] not in ("object", "array") and rng.random() < 0.5
            made = [_value(rng, name, items) for _ in range(2 if several else 1)]
            return made if len({dump(each) for each in made}) == len(made) else made[:1]
        case "boolean":
            return rng.random() < 0.7
        case "integer":
            low = int(schema.get("minimum", 1))
            high = int(schema.get("maximum", max(low, 1) * 100))
            return rng.randint(low, min(high, low + 500))
        case "number":
            return rng.randint(1, 400) / 4
        case _:
            return rng.choice(schema["enum"]) if "enum" in schema else _text(rng, name, schema)


def _text(rng: Random, name: str, schema: Schema) -> str:
    low = name.lower()
    word, thing = rng.choice(_WORDS), rng.choice(_THINGS)
    code = "".join(rng.choices(_LETTERS, k=8))
    if schema.get("format") == "date-time" or low.endswith(("time", "date", "timestamp")):
        day = f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        return f"{day}T{rng.randint(0, 23):02}:{rng.choice(('00', '15', '30'))}:00Z"
    if "arn" in re.split(r"(?<=[a-z])(?=[A-Z])|_", name)[-1].lower():
        return f"arn:aws:{word}:eu-west-1:{rng.randint(10**11, 10**12 - 1)}:{thing}/{code}"
    for ending, made in (
        ("email", f"{word}.{thing}@example.com"),
        ("emailaddress", f"{word}@example.org"),
        ("accountid", str(rng.randint(10**11, 10**12 - 1))),
        ("region", rng.choice(_REGIONS)),
        ("url", f"https://{word}.example.com/{thing}"),
        ("uri", f"https://{word}.example.org/{thing}"),
        ("description", f"{word} {thing} for the team"),
        ("version", f"{rng.randint(1, 9)}.{rng.randint(0, 20)}"),
        ("language", rng.choice(("en", "de", "fr", "pt"))),
        ("id", f"{word[:3]}-{code}"),
        ("identifier", f"{word}-{code[:4]}"),
        ("path", f"/{thing}/{word}"),
    ):
        if low.endswith(ending):
            return made
    if low in ("parent", "name", "resource", "resourcename") and "project" in dump(schema):
        return f"projects/{word}-{thing}/locations/{rng.choice(_REGIONS)}"
    return f"{word}-{thing}"


# --- words ----------------------------------------------------------------------------------------


def _imperative(description: str) -> str:
    """``Creates a queue`` -> ``create a queue``; empty for what does not begin with such a verb."""
    match = _VERB.fullmatch(description)
    if not match or len(description) < 12:
        return ""
    return f"{_base(match[2].lower())} {match[3]}"


def _base(verb: str) -> str:
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1]


def words_of(name: str) -> str:
    """``MaxResults`` -> ``max results``."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.-]", " ", name)
    return " ".join(spaced.split()).lower()


def _request(rng: Random, operation: Operation, arguments: JsonObject) -> str:
    """What a user asks: the operation in its own words, and every value."""
    act = _imperative(operation.description)
    parts = [_given(rng, name, value) for name, value in arguments.items()]
    if not parts:
        return rng.choice(("Please {act}.", "Can you {act}?", "I need you to {act}.")).format(
            act=act
        )
    values = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    form = rng.choice(
        (
            "Please {act}. Use {values}.",
            "I want to {act}, with {values}.",
            "{Act}: {values}.",
            "Could you {act}? It is {values}.",
            "In {title}, {act}; take {values}.",
        )
    )
    return form.format(act=act, Act=act[0].upper() + act[1:], values=values, title=operation.title)


def _given(rng: Random, name: str, value: Json) -> str:
    said = words_of(name)
    if isinstance(value, bool):
        return (
            f"{said} {'on' if value else 'off'}"
            if rng.random() < 0.5
            else f"{said} {str(value).lower()}"
        )
    if isinstance(value, dict):
        inner = ", ".join(_given(rng, key, part) for key, part in value.items())
        return f"{said} with {inner}"
    if isinstance(value, list):
        shown = [
            _given(rng, "one", part).removeprefix("one ") if isinstance(part, dict) else str(part)
            for part in value
        ]
        return f"{said} {' and '.join(shown)}"
    return rng.choice((f"{said} {value}", f"the {said} {value}", f"{value} as {said}"))


def _without(rng: Random, operation: Operation, arguments: JsonObject) -> dict[str, str]:
    """The request worded anew without one of its required texts, for each."""
    return {
        name: _request(rng, operation, {k: v for k, v in arguments.items() if k != name})
        for name in operation.required
        if isinstance(arguments[name], str)
    }


def _result(rng: Random, operation: Operation, arguments: JsonObject) -> JsonObject:
    made: dict[str, Any] = {}
    # News first; what was given comes back as it was.
    told = sorted(operation.output, key=lambda name: name in arguments)
    for name in [name for name in told if not _PAGING.search(name)][:3]:
        made[name] = arguments.get(name, _value(rng, name, operation.output[name]))
    return made or {"status": "ok"}


def _answer(rng: Random, operation: Operation, result: JsonObject) -> str:
    shown = [f"{words_of(name)} {_shown(value)}" for name, value in result.items()]
    if result == {"status": "ok"}:
        return rng.choice(("It is done.", "Done, without complaint.", "That went through."))
    return rng.choice(
        (
            f"Done: {', '.join(shown)}.",
            f"That worked; {', '.join(shown)}.",
            f"Here is what came back: {', '.join(shown)}.",
        )
    )


def _shown(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
