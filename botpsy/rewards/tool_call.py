"""Calls against gold calls: from -3 (nothing right) to 3 (all right and nothing else).

Reference:

    {"tools": [{"name": …, "description": …, "parameters": {…}}, …],
     "calls": [{"name": "send_mail", "arguments": {"to": "Bob", "text": "On my way"},
                "any": {"text": true, "to": ["bob@example.org"], "cc": ["Bob"]},
                "unordered": ["labels"]}],
     "alternatives": [[…], []]}

``calls`` is right; so is each list in ``alternatives``. The best one counts. An empty list says
that no call is right. ``any`` admits further values of an argument, or every value (true); what is
not among ``arguments`` may then be given or left out. Lists are ordered unless named in
``unordered``; otherwise values are equal as ``matching.equal`` says.

The raw text is judged first, by the parser that the assistant runs on. A reply that it refuses, a
value that is not the JSON its schema asks for, a reply that was cut off, and one of more than
``MAX_CALLS`` calls get ``FLOOR``. Then, after ToolRL (arXiv 2504.13958), each pair of a gold call
and a made call of the same name is worth

    (1 + shared / all + right) / (2 + all)

with ``all`` the argument names that either has, ``shared`` those that both have, ``right`` those
whose values are the same; a call that its tool's schema refuses counts as having one wrong argument
more. Pairs are chosen so that their sum is largest (ToolRL takes the first that comes). The share
is that sum, divided by the number of gold calls or of made calls, whichever is larger; the value is
6 · share - 3. For one gold call and no surplus this is ToolRL's number.

- No call is right: 3 for an answer in words with no call, ``FLOOR`` for any call or no answer.
- Calls are right and there is none: ``FLOOR``, whatever the words say (give an empty alternative
  where asking is as good).
- Content beside calls, the reasoning, the order of calls and of arguments don't matter.
- Calling twice for one thing never helps: of two attempts at one gold call the better one counts,
  and the share is halved.

``binary`` is Tool-N1's reward (arXiv 2505.00024) for comparison: 1 if all is right, else 0.
"""

from __future__ import annotations

import json
import marshal
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from botpsy.chat.parser import parse, typed
from botpsy.chat.schema import admits, check_arguments
from botpsy.chat.types import FinishReason, Json, JsonObject, ToolSpec
from botpsy.chat.wire import properties_of
from botpsy.errors import ParseError, SchemaError, UsageError
from botpsy.rewards.base import Reward
from botpsy.rewards.matching import assign, equal

FLOOR, TOP = -3.0, 3.0
MAX_GOLD = 16
"""Calls in one admissible list."""
MAX_CALLS = 32
"""Calls in a reply, as many as a whole episode may have."""
MAX_CHARACTERS = 65_536
"""A longer answer in words is none."""

_PARTS = ("format", "schema", "names", "arguments", "values", "exact")


@dataclass(frozen=True, slots=True)
class _Tool:
    spec: ToolSpec
    admits: Callable[[JsonObject], bool]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A gold call. ``values`` must be given, ``optional`` may be; None admits every value."""

    name: str
    values: Mapping[str, tuple[Json, ...] | None]
    optional: Mapping[str, tuple[Json, ...] | None]
    unordered: frozenset[str]

    def right(self, name: str, value: Json) -> bool:
        """Whether the argument has an admissible value."""
        admitted = self.values[name] if name in self.values else self.optional[name]
        if admitted is None:
            return True
        unordered = name in self.unordered
        for each in admitted:  # noqa: SIM110 - twice as fast as any()
            if equal(each, value, unordered=unordered):
                return True
        return False


class _Made(NamedTuple):
    """A call in the reply, typed. ``refused``: its tool is not there or its schema refuses it."""

    name: str
    arguments: JsonObject
    refused: bool


class _Credit(NamedTuple):
    """What one pair is worth, and why, each in [0, 1]."""

    total: float
    arguments: float
    values: float


@dataclass(frozen=True, slots=True)
class Gold:
    """A reference made ready: tools with their gates, and the admissible lists of calls."""

    tools: Mapping[str, _Tool]
    lists: tuple[tuple[_Wanted, ...], ...]


def verify(reference: JsonObject, raw: str, finish: FinishReason = "stop") -> Reward:
    """See the module. For many replies to one task, ``prepare`` once and ``score`` each."""
    return score(_prepared(marshal.dumps(reference, 2)), raw, finish)


def binary(reference: JsonObject, raw: str, finish: FinishReason = "stop") -> Reward:
    """1 if the format, all calls and all arguments are right and nothing is too much, else 0."""
    parts = verify(reference, raw, finish).parts
    return Reward(parts["exact"], parts)


def prepare(reference: JsonObject) -> Gold:
    """Read a reference once.

    Raises:
        UsageError: it is unusable: a gold call has no tool or breaks its schema, or there are more
            than ``MAX_GOLD``.
    """
    reference = json.loads(json.dumps(reference))  # nobody else's, so nobody changes it
    tools: dict[str, _Tool] = {}
    parts: Any = reference
    try:
        for part in parts["tools"]:
            spec = ToolSpec(part["name"], part.get("description", ""), part["parameters"])
            tools[spec.name] = _Tool(spec, admits(spec))
        lists = [parts["calls"], *parts.get("alternatives", ())]
        return Gold(tools, tuple(_wanted_list(calls, tools) for calls in lists))
    except (LookupError, TypeError, AttributeError, SchemaError) as error:
        raise UsageError(
            f"This is no reference for tool calls: {type(error).__name__}: {error}",
            "Its form is described in botpsy.rewards.tool_call.",
        ) from None


def score(gold: Gold, raw: str, finish: FinishReason = "stop") -> Reward:
    """The reward of one raw reply (what follows a prompt that ends with ``<think>``)."""
    if finish not in ("stop", "tool_calls"):
        return _reward(FLOOR)
    try:
        parsed = parse(raw, in_thinking=True)
        if len(parsed.calls) > MAX_CALLS:
            return _reward(FLOOR)
        made: list[_Made] = []
        for call in parsed.calls:
            tool = gold.tools.get(call.name)
            if tool is None:
                made.append(_Made(call.name, {}, refused=True))
                continue
            arguments = typed(call, (tool.spec,)).arguments
            made.append(_Made(call.name, arguments, not tool.admits(arguments)))
    except ParseError:
        return _reward(FLOOR)
    if not made:
        return _without_calls(gold, parsed.content)
    valid = float(not any(call.refused for call in made))
    best = max((_share(wanted, made) for wanted in gold.lists), key=lambda share: share[0])
    return _reward(6 * best[0] - 3, 1.0, valid, *best[1:], float(best[0] == 1))


def _reward(value: float, *parts: float) -> Reward:
    return Reward(value, dict(zip(_PARTS, parts or (0.0,) * len(_PARTS), strict=True)))


def _without_calls(gold: Gold, content: str) -> Reward:
    """A word has a letter or a digit; marks and characters that don't show are no answer."""
    said = len(content) <= MAX_CHARACTERS and any(map(str.isalnum, content))
    if said and () in gold.lists:
        return _reward(TOP, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    return _reward(FLOOR, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def _share(wanted: Sequence[_Wanted], made: Sequence[_Made]) -> tuple[float, float, float, float]:
    """The matched share of calls; and that of names alone, argument names, argument values."""
    if len(wanted) == len(made) == 1:
        if wanted[0].name != made[0].name:
            return 0.0, 0.0, 0.0, 0.0
        only = _credit(wanted[0], made[0])
        return only.total, 1.0, only.arguments, only.values
    pairs: list[_Credit] = []
    for name in dict.fromkeys(call.name for call in wanted):
        golds = [call for call in wanted if call.name == name]
        calls = [call for call in made if call.name == name]
        if len(golds) == len(calls) == 1:
            pairs.append(_credit(golds[0], calls[0]))
            continue
        if len(golds) > 1 and len(calls) > 1:  # of equally good pairings, the same in any order
            calls.sort(key=lambda call: _text(call.arguments))
        table = [[_credit(gold, call) for call in calls] for gold in golds]
        chosen = assign([[credit.total for credit in row] for row in table])
        pairs += [table[row][column] for row, column in chosen]
    count = max(len(wanted), len(made))
    return (
        math.fsum(pair.total for pair in pairs) / count,
        len(pairs) / count,
        math.fsum(pair.arguments for pair in pairs) / count,
        math.fsum(pair.values for pair in pairs) / count,
    )


def _credit(wanted: _Wanted, made: _Made) -> _Credit:
    shared = right = extra = 0
    for name, value in made.arguments.items():
        if name in wanted.values:
            shared += 1
            right += wanted.right(name, value)
        elif name not in wanted.optional or not wanted.right(name, value):
            extra += 1
    every = len(wanted.values) + extra
    names = shared / every if every else 1.0
    total = (1 + names + right) / (2 + every + made.refused)
    return _Credit(total, names, right / every if every else 1.0)


@lru_cache(maxsize=512)
def _prepared(reference: bytes) -> Gold:
    """By what the reference says; ``marshal`` writes it ten times as fast as JSON does."""
    return prepare(marshal.loads(reference))  # noqa: S302 - written by ``verify``


def _wanted_list(calls: Iterable[Any], tools: Mapping[str, _Tool]) -> tuple[_Wanted, ...]:
    calls = sorted(calls, key=_text)
    if len(calls) > MAX_GOLD:
        raise UsageError(f"A reference has {len(calls)} calls; {MAX_GOLD} can be matched.")
    return tuple(_wanted(call, tools[call["name"]]) for call in calls)


def _wanted(call: Any, tool: _Tool) -> _Wanted:
    arguments: JsonObject = call["arguments"]
    more: dict[str, Any] = call.get("any", {})
    unordered = call.get("unordered", ())
    check_arguments(tool.spec, arguments)
    for name in (*more, *unordered):
        if name not in properties_of(tool.spec):
            raise SchemaError(f"{tool.spec.name} has no argument {name!r}.", tool.spec.name)
    for name, values in more.items():
        for value in () if values is True else values:
            check_arguments(tool.spec, {**arguments, name: value})
    return _Wanted(
        tool.spec.name,
        {n: _admitted((value,), more.get(n, ())) for n, value in arguments.items()},
        {n: _admitted((), values) for n, values in more.items() if n not in arguments},
        frozenset(unordered),
    )


def _admitted(own: tuple[Json, ...], more: Any) -> tuple[Json, ...] | None:
    return None if more is True else (*own, *more)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
