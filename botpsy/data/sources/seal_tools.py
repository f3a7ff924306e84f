"""Conversations from Seal-Tools (Apache-2.0): 4,076 described tools, and requests with their calls.

The folder holds ``tool.jsonl``, a tool a line, and ``dev.jsonl`` and ``test_in_domain.jsonl``, a
request a line, as in the project's own repository. Its other test set is not read.

What a request becomes: one call; several at once; or several in steps, where a call needs an
earlier one's result or the request puts them in an order ("once that is done"). Results and answers
are invented. Requests that name only the sort of thing that is needed ("a specific country") end
with the question for it.

The corpus's own calls are cleaned. An argument must follow from the request or a result: as a
string copied from it, a number, a date; else it is left out if optional, and the item refused if
not. So is an item whose request gives a value that no call takes.

About 15 % of all tools are held out (``held_out_tool``): neither called nor offered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict

from botpsy.chat.schema import gate
from botpsy.chat.types import Json, JsonObject, Message, ToolCall
from botpsy.data import reasoning
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of, reading
from botpsy.data.sources._seal_results import answer, invent, label
from botpsy.data.sources._seal_tools import (
    QUOTES,
    READING,
    Tool,
    Toolbox,
    held_out_tool,
    read_tool,
)
from botpsy.data.sources._seal_values import GENERIC, Span, ground, loose_ends
from botpsy.data.sources._spoken import without
from botpsy.data.types import MissingDataError, Row, UnusableError, dump

__all__ = ["held_out_tool", "open_source"]

CORPUS = "Seal-Tools"
LICENCE = "Apache-2.0"
REQUESTS = ("dev", "test_in_domain")
NEAR = (1, 4)
"""Tools offered besides those called: at least, at most."""
_REFERENCE = re.compile(r"API_call_(\d+)(?: response)?")
_IN_ORDER = re.compile(
    r"\b(?:once|after|before|until|when)\b(?! (?:that|this|which)[,.])|\bif (?!possible|avail)",
    re.IGNORECASE,
)
_ABOUT_CALLS = re.compile(r"\bAPIs?\b|\bprevious (?:call|response)|\bresponse of\b", re.IGNORECASE)
_ASKS = (
    "I need the {thing} for that. What should I take?",
    "Please tell me the {thing}.",
    "To do that I need to know the {thing}.",
)
WHICH = frozenset({"country", "city", "location", "region", "state", "product", "company",
                   "project", "topic", "area"})  # fmt: skip
_ASKS_WHICH = ("Which {thing} do you mean?", "For which {thing}?", "Which {thing} should I take?")


class Options(BaseModel):
    """None so far."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Reference:
    """A result of an earlier call: the call's place, and the result's name."""

    call: int
    name: str


@dataclass(frozen=True)
class Planned:
    """A cleaned call: arguments known from the request, and those that results give; ``place`` in
    the request of its first value, if any."""

    tool: Tool
    arguments: Mapping[str, Json | Reference]
    whys: tuple[str, ...] = ()
    place: int = -1

    @property
    def needs(self) -> set[int]:
        """Places of the calls whose results it takes."""
        return {each.call for each in self.arguments.values() if isinstance(each, Reference)}


@dataclass(frozen=True)
class Plan:
    """What a request comes to: calls, or the parameters that must be asked for."""

    calls: tuple[Planned, ...]
    missing: tuple[str, ...] = ()


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options_of(recipe, Options)
    toolbox, items = _read(corpora / (recipe.path or "seal_tools"))
    order = list(range(len(items)))
    Random(f"seal_tools:{seed}").shuffle(order)  # noqa: S311 - chance, not secrets

    def make(number: int) -> Row:
        rng = Random(f"seal_tools:{seed}:{number}")  # noqa: S311
        lap, at = divmod(number, len(order))
        # Another order each time round: a second try must not meet the same item.
        item = items[order[(at + lap * 7919) % len(order)]]
        plan = clean(item, toolbox)
        made = _asked(rng, plan) if plan.missing else _conversation(rng, plan, item["query"])
        tools = [each.tool for each in plan.calls]
        offered = [*dict.fromkeys(tool.name for tool in tools)]
        offered += [each.name for each in toolbox.near(rng, tools, rng.randint(*NEAR))]
        rng.shuffle(offered)
        specs = tuple(toolbox.tools[name].spec for name in offered)
        kind, messages = made
        return Row(
            id=f"seal_tools/{item['id']}",
            messages=(Message("user", _tidy(item["query"])), *messages),
            tools=specs,
            source="seal_tools",
            licence=LICENCE,
            domain=tools[0].domain,
            kind=kind,
            difficulty="simple" if kind == "single" else "complex",
            seed=seed,
            group="+".join(sorted({tool.name for tool in tools})),
            proof="schema",
            without=_without(plan, _tidy(item["query"])) if kind == "single" else {},
        )

    pool = [each.spec for each in toolbox.tools.values() if not held_out_tool(each.name)]
    return Source(make, len(items), pool)


def _read(folder: Path) -> tuple[Toolbox, list[Mapping[str, Any]]]:
    """All tools, and the requests that need none that is held out."""
    try:
        with reading(folder / "tool.jsonl", CORPUS):
            tools = [read_tool(each) for each in _lines(folder / "tool.jsonl")]
        items = [each for name in REQUESTS for each in _requests(folder / f"{name}.jsonl")]
    except FileNotFoundError as error:
        raise MissingDataError(
            f"Seal-Tools is not there: {error.filename} is missing.",
            f"It is licensed {LICENCE}. Get the project fairyshine/Seal-Tools, and take "
            "tool.jsonl, dev.jsonl and test_in_domain.jsonl from its dataset.",
        ) from None
    # A few have names that no call can have.
    toolbox = Toolbox(each for each in tools if gate([each.spec]).tools)
    usable = {name for name in toolbox.tools if not held_out_tool(name)}
    return toolbox, [
        each
        for each in items
        if each["id"] not in QUOTES and usable.issuperset(call["api"] for call in each["calling"])
    ]


def _requests(path: Path) -> list[Mapping[str, Any]]:
    with reading(path, CORPUS):
        stored = _lines(path)
        for each in stored:
            _ = each["id"], each["query"], [call["api"] for call in each["calling"]]
        return stored


def _lines(path: Path) -> list[Any]:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    if not lines:
        raise ValueError("there is no line in it")
    return lines


def _tidy(request: str) -> str:
    """The request with its quotation marks in pairs."""
    request = request.strip()
    if request.count('"') == 1:
        head, tail = request.split('"')
        request = f'{head}"{tail[:-1]}"{tail[-1]}' if tail.endswith((".", "?")) else head + tail
    return request


# --- cleaning -------------------------------------------------------------------------------------


def clean(item: Mapping[str, Any], toolbox: Toolbox) -> Plan:
    """The item's calls with nothing in them that does not follow.

    Raises:
        UnusableError: a call cannot be made without, or leaves a part of the request undone.
    """
    request = _tidy(item["query"])
    if _ABOUT_CALLS.search(request) or any(call["api"] in request for call in item["calling"]):
        raise UnusableError("a request that speaks of calls")
    given: list[Reference] = []
    planned: list[Planned] = []
    used: list[Span] = []
    missing: list[str] = []
    for at, call in enumerate(item["calling"]):
        tool = toolbox.tools[call["api"]]
        arguments: dict[str, Json | Reference] = {}
        whys: list[str] = []
        place = -1
        for name, schema in tool.spec.parameters["properties"].items():
            if name not in call["parameters"]:
                continue
            value = call["parameters"][name]
            if isinstance(value, str) and (match := _REFERENCE.fullmatch(value)):
                number = int(match[1])
                if number < len(given) and _gives(given[number].name, name):
                    arguments[name] = given[number]
                continue
            found = ground(value, name, schema, request)
            if found and not found.vague:
                arguments[name] = found.value
                used.append(found.span)
                place = found.span[0] if place < 0 else min(place, found.span[0])
                whys += [found.why] if found.why else []
            elif name in tool.spec.parameters["required"] and schema["type"] != "boolean":
                missing += [name] if found or _named(name, request) else []
        if set(tool.spec.parameters["required"]) - set(arguments) - set(missing):
            raise UnusableError("a required value that does not follow from the request")
        planned.append(Planned(tool, arguments, tuple(whys), place))
        given += [Reference(at, name) for name in tool.results]
    if missing and len(planned) > 1:
        raise UnusableError("a required value that does not follow from the request")
    if loose_ends(request, used):
        raise UnusableError("a value in the request that no call takes")
    told = [(each.tool.name, repr(each.arguments)) for each in planned]
    if len(set(told)) < len(told):
        raise UnusableError("the same call twice")
    if not any(each.needs or each.place < 0 for each in planned):
        planned.sort(key=lambda each: each.place)
    return Plan(tuple(planned), tuple(missing))


def _named(parameter: str, request: str) -> bool:
    """The request speaks of the parameter ("based on the age"), though it has no value for it."""
    words = set(re.findall(r"\w+", request.casefold()))
    own = set(label(parameter).casefold().split())
    return own <= words and not own <= GENERIC


def _gives(result: str, parameter: str) -> bool:
    """A result of that name is what the parameter asks for: ``campaign_id`` for ``campaign_id``,
    ``id`` for ``device_id``, not a summary for a patient."""
    plain = {"name", "info", "data", "type", "value", "result", "results", "the"}
    one, other = (set(label(each).split()) - plain for each in (result, parameter))
    return bool(one and (one <= other or other <= one) and other)


def _without(plan: Plan, request: str) -> dict[str, str]:
    """Argument -> the request without its value, for the required ones."""
    call = plan.calls[0]
    made = {}
    for name in call.tool.spec.parameters["required"]:
        if rest := without(request, str(call.arguments[name])):
            made[name] = rest
    return made


# --- conversations --------------------------------------------------------------------------------


def _asked(rng: Random, plan: Plan) -> tuple[str, list[Message]]:
    names = [label(name) for name in plan.missing]
    thing = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    why = f"Not said: {thing}. Ask for these." if len(names) > 1 else ""
    thought = reasoning.for_question(rng, thing, why)
    # "Which age" would not be said.
    asks = _ASKS_WHICH if len(names) == 1 and names[0] in WHICH else _ASKS
    return "missing", [Message("assistant", rng.choice(asks).format(thing=thing), thought)]


def _conversation(rng: Random, plan: Plan, request: str) -> tuple[str, list[Message]]:
    """The calls in their steps, results, and what came out."""
    calls = plan.calls
    steps = _steps(calls, bool(_IN_ORDER.search(request)))
    results = _results(rng, calls)
    messages = [Message("user", _tidy(request))]
    number = 0
    for n, step in enumerate(steps):
        made: list[ToolCall] = []
        for at in step:
            number += 1
            made.append(ToolCall(calls[at].tool.name, _filled(calls[at], results), f"c{number}"))
        whys = ", ".join(why for at in step for why in calls[at].whys[:2])
        more = any(set(step) & calls[later].needs for each in steps[n + 1 :] for later in each)
        thought = reasoning.for_calls(rng, made, messages, whys, more=more)
        messages.append(Message("assistant", "", thought, tuple(made)))
        messages += [
            Message("tool", dump(results[at]), call_id=call.id, name=call.name)
            for at, call in zip(step, made, strict=True)
        ]
    told = answer(rng, [(each.tool.thing, results[at]) for at, each in enumerate(calls)])
    read = all(each.tool.verb in READING for each in calls)
    messages.append(Message("assistant", told, reasoning.for_answer(rng, messages[-1:], read=read)))
    kind = "multi_step" if len(steps) > 1 else "single" if len(calls) == 1 else "parallel"
    return kind, messages[1:]


def _steps(calls: Sequence[Planned], in_order: bool) -> list[list[int]]:
    """Which calls are made together: all whose needs are met, or one after the other."""
    if in_order:
        return [[at] for at in range(len(calls))]
    level: list[int] = []
    for each in calls:
        level.append(max((level[need] + 1 for need in each.needs), default=0))
    return [[at for at, own in enumerate(level) if own == n] for n in range(max(level) + 1)]


def _results(rng: Random, calls: Sequence[Planned]) -> list[JsonObject]:
    """A result for each call. One that a later call takes has that parameter's type."""
    taken: dict[Reference, str] = {
        value: each.tool.spec.parameters["properties"][name]["type"]
        for each in calls
        for name, value in each.arguments.items()
        if isinstance(value, Reference)
    }
    made: list[JsonObject] = []
    for at, each in enumerate(calls):
        result: JsonObject = {}
        for name, (kind, description) in each.tool.results.items():
            fitting = taken.get(Reference(at, name), kind)
            asked = each.arguments.get(name)
            if isinstance(asked, str) and fitting == "string":
                result[name] = asked  # what was asked about comes back the same
            else:
                result[name] = invent(rng, name, fitting, description)
        made.append(result or {"success": True})
    return made


def _filled(call: Planned, results: Sequence[JsonObject]) -> JsonObject:
    return {
        name: results[value.call][value.name] if isinstance(value, Reference) else value
        for name, value in call.arguments.items()
    }
