"""Tools that need nothing but the clock and arithmetic: the time anywhere, and sums."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.clock import show_instant
from botpsy.errors import ToolError
from botpsy.tools.arithmetic import evaluate
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.zones import zone_of


def _zone(value: Any) -> ZoneInfo:
    if isinstance(value, ZoneInfo):
        return value
    if not isinstance(value, str):
        raise ToolError(f"A place must be given in words, not {value!r}.")
    return zone_of(value)


Zone = Annotated[
    ZoneInfo,
    BeforeValidator(_zone),
    PlainSerializer(lambda zone: zone.key, return_type=str),
    WithJsonSchema({"type": "string", "format": "place"}),
]
"""A city, country, zone name or abbreviation; resolved to its time zone."""


@tool(
    domain="lifestyle",
    examples=(
        "what time is it",
        "what's the date today",
        "what time is it in Tokyo right now",
        "which day of the week is it",
        "is it already tomorrow in Sydney",
        "time in New York please",
        "tell me the current time",
        "what day is it today",
        "current date please",
        "show me the clock",
        "is today the first of May",
        "what year is it",
    ),
)
def current_time(
    ctx: Context,
    place: Annotated[Zone | None, "City or country; here if left out"] = None,
) -> JsonObject:
    """Tell the present date and time, here or in another place."""
    now = ctx.clock.now()
    result: JsonObject = {"here": show_instant(now)}
    if place is not None:
        result["there"] = show_instant(now.astimezone(place))
        result["zone"] = place.key
    return result


@tool(
    domain="lifestyle",
    examples=(
        "what's 3 pm in London in Los Angeles time",
        "if it's noon in Delhi, what time is it here",
        "convert nine in the morning Berlin time to Tokyo time",
        "my call is at 5 pm New York time, when is that for me",
        "when is midnight in Sydney for people in Paris",
    ),
)
def convert_time(
    ctx: Context,
    time: Annotated[str, "The time there, for example 3 pm or Friday at noon"],
    from_place: Annotated[Zone | None, "Place where that time is; here if left out"] = None,
    to_place: Annotated[Zone | None, "Place to show it for; here if left out"] = None,
) -> JsonObject:
    """Convert a clock time from one place or time zone to another."""
    here = ctx.clock.tz
    moment = replace(ctx.clock, tz=from_place or here).instant(time)
    return {
        "from": show_instant(moment),
        "to": show_instant(moment.astimezone(to_place or here)),
    }


@tool(
    domain="lifestyle",
    examples=(
        "what's 17 times 23",
        "15 percent of 84",
        "square root of two thousand",
        "how much is 129.90 minus 20%",
        "divide 1,250 by seven",
        "work out (4 + 5) * 12",
        "what is 2 to the power of 16",
        "two plus three equals",
        "what is nine minus four",
        "add 44 and 8",
        "subtract 9 from 30",
        "multiply six by seven",
        "what percentage of 160 is 40",
        "here is a math problem for you",
        "help me with a sum",
        "how much is left if I take 3 from 11",
        "what is a third of 90",
        "figure out 3/4 of a cup times two",
    ),
)
def calculate(
    expression: Annotated[str, "Arithmetic in signs, for example 12.5 * (3 + 4) or 15% of 80"],
) -> JsonObject:
    """Work out an arithmetic expression with numbers."""
    return {"expression": expression.strip(), "result": evaluate(expression)}


TOOLS: tuple[ToolDef, ...] = (current_time, convert_time, calculate)
