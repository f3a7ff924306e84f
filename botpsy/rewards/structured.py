"""An answer that is JSON of a given schema.

Reference: ``{"schema": {…}, "value": {…}}``. The content is one JSON object and nothing else, or
that in one fenced block. What is no JSON gets the floor. Otherwise the value is the share of leaves
that are right (parts: ``values``), halved where the schema is broken (parts: ``schema``).

The share is over the leaves of both sides, right ones counted once, so that what was invented and
what was left out cost the same. Lists are aligned in order. Equality is typed: "5" is not 5, true
is not 1, 5.0 is 5. An empty object or list is a leaf.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from botpsy.chat.schema import check_arguments
from botpsy.chat.types import Json, JsonObject, ToolSpec
from botpsy.errors import SchemaError
from botpsy.rewards.answer import content_of
from botpsy.rewards.base import FLOOR, Reward

MAX_DEPTH = 24
MAX_ITEMS = 200
"""A longer list where the right one is shorter is not aligned; its leaves all count as wrong."""

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


def verify(reference: JsonObject, raw: str) -> Reward:
    """See the module."""
    content = content_of(raw)
    try:
        given = read_json(content or "")
    except ValueError:
        return Reward(FLOOR, {"format": 0.0, "schema": 0.0, "values": 0.0})
    right, schema = reference["value"], reference["schema"]
    assert isinstance(schema, dict)
    valid = fits(given, schema)
    found = _matches(given, right)
    values = found / (_leaves(given) + _leaves(right) - found)
    return Reward(
        values if valid else values / 2,
        {"format": 1.0, "schema": float(valid), "values": values},
    )


def read_json(content: str) -> JsonObject:
    """The one JSON object that a content is.

    Raises:
        ValueError: it is none, has a name twice, is too deep, or holds a number that is not finite.
    """
    fenced = _FENCED.fullmatch(content)
    text = fenced.group(1) if fenced else content
    if _depth(text) > MAX_DEPTH:
        raise ValueError("too deep")
    value = json.loads(
        text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_not_finite
    )
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004
    return value


def fits(value: JsonObject, schema: dict[str, Any]) -> bool:
    """Whether a value is valid, with no names beyond those that the schema declares at its root."""
    try:
        check_arguments(ToolSpec("answer", "", schema), value)
    except SchemaError:
        return False
    return True


def equal(one: Json, other: Json) -> bool:
    """Typed JSON equality; numbers are equal by value."""
    return _same_leaf(one, other) if _is_leaf(one) or _is_leaf(other) else (
        _leaves(one) == _leaves(other) == _matches(one, other)
    )  # fmt: skip


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError("a name twice")
        made[name] = value
    return made


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value


def _not_finite(text: str) -> float:
    raise ValueError(f"{text} is no JSON")


def _depth(text: str) -> int:
    deepest = depth = 0
    for mark in re.findall(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', text, re.DOTALL):
        depth += (mark in "[{") - (mark in "]}")
        deepest = max(deepest, depth)
    return deepest


def _is_leaf(value: Json) -> bool:
    return not isinstance(value, dict | list) or not value


def _leaves(value: Json) -> int:
    if not value or not isinstance(value, dict | list):
        return 1
    return sum(map(_leaves, value.values() if isinstance(value, dict) else value))


def _same_leaf(one: Json, other: Json) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and one == other


def _matches(one: Json, other: Json) -> int:
    """How many leaves are the same at the same place."""
    if _is_leaf(one) or _is_leaf(other):
        return int(_same_leaf(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return sum(_matches(one[name], other[name]) for name in one if name in other)
    if isinstance(one, list) and isinstance(other, list):
        return _aligned(one, other)
    return 0


def _aligned(one: list[Json], other: list[Json]) -> int:
    """The best that any alignment in order gives (as in the longest common subsequence)."""
    if len(one) > MAX_ITEMS:
        return 0
    best = [0] * (len(other) + 1)
    for left in one:
        row = [0]
        for n, right in enumerate(other):
            row.append(max(best[n] + _matches(left, right), best[n + 1], row[-1]))
        best = row
    return best[-1]
