"""Argument types that mean something in the user's world, and resolve to it in code.

The model writes what the user said ("Friday at 3 pm", "my desk lamp"); binding turns it into what
will happen, through the clock and the services in ``Context``. The resolved form is what the
approver sees and the ledger keeps. Each type is an ``Annotated`` alias that pydantic understands.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.tools.base import Context


def context_of(info: ValidationInfo) -> Context:
    """The context that ``ToolDef.bind`` handed in."""
    assert isinstance(info.context, Context)
    return info.context


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"{what} must be given in words, not {value!r}.")
    return value.strip()


def _instant(value: Any, info: ValidationInfo) -> datetime:
    if isinstance(value, datetime):
        return value
    return context_of(info).clock.instant(_text(value, "A time"))


def _day(value: Any, info: ValidationInfo) -> date:
    if isinstance(value, date):
        return value
    return context_of(info).clock.day(_text(value, "A day"))


def _duration(value: Any, info: ValidationInfo) -> timedelta:
    if isinstance(value, timedelta):
        return value
    return context_of(info).clock.duration(_text(value, "A duration"))


def _period(value: Any, info: ValidationInfo) -> tuple[datetime, datetime]:
    if isinstance(value, tuple):
        start, end = value
        return start, end
    return context_of(info).clock.period(_text(value, "A period"))


def show_duration(value: timedelta) -> str:
    """``1 h 30 min``; seconds only where there are any."""
    seconds = round(value.total_seconds())
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    parts = [(hours, "h"), (minutes, "min"), (seconds, "s")]
    return " ".join(f"{n} {unit}" for n, unit in parts if n) or "0 s"


Instant = Annotated[
    datetime,
    BeforeValidator(_instant),
    PlainSerializer(lambda value: value.isoformat(timespec="minutes"), return_type=str),
    WithJsonSchema({"type": "string", "format": "instant"}),
]
"""A point in time: a phrase or ISO 8601; resolved to a zoned datetime."""

Day = Annotated[
    date,
    BeforeValidator(_day),
    PlainSerializer(lambda value: value.isoformat(), return_type=str),
    WithJsonSchema({"type": "string", "format": "day"}),
]
"""A calendar day: a phrase or ISO 8601."""

Duration = Annotated[
    timedelta,
    BeforeValidator(_duration),
    PlainSerializer(show_duration, return_type=str),
    WithJsonSchema({"type": "string", "format": "span"}),
]
"""A length of time, for example "20 minutes"."""

Period = Annotated[
    tuple[datetime, datetime],
    BeforeValidator(_period),
    PlainSerializer(
        lambda value: " to ".join(end.isoformat(timespec="minutes") for end in value),
        return_type=str,
    ),
    WithJsonSchema({"type": "string", "format": "period"}),
]
"""A stretch of time, for example "next week"; end exclusive."""
