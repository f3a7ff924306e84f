"""Arguments that mean one record of a service: by its id, its name, or words of it.

``resolver`` makes such an argument type. Words that mean none or several records are a
``ToolError`` that lists what there is. The resolved form tells all that the approver should know
and ends with the id in brackets, by which it resolves to itself. ``Amount`` is money, in cents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.services.money import from_cents, to_cents
from botpsy.services.text import plain_line
from botpsy.tools.base import Context
from botpsy.tools.values import context_of

T = TypeVar("T")

_LISTED = 6
_ID_AT_END = re.compile(r"\(([^()\s]+)\)$")


@dataclass(frozen=True, slots=True)
class Meant(Generic[T]):
    """The record that is meant, and how it is shown."""

    record: T
    shown: str


def resolver(
    find: Callable[[Context, str], Iterable[T]],
    show: Callable[[Context, T], str],
    what: str,
    usual: Callable[[Context], T] | None = None,
) -> tuple[BeforeValidator, PlainSerializer, WithJsonSchema]:
    """What makes an argument name one of what ``find`` gives; left out, it means the usual one."""

    def validate(value: Any, info: ValidationInfo) -> Meant[T]:
        if isinstance(value, Meant):
            return value
        context = context_of(info)
        if value is None and usual is not None:
            record = usual(context)
            return Meant(record, show(context, record))
        if not isinstance(value, str) or not value.strip():
            raise ToolError(f"Say which {what}: its id or name.")
        text = value.strip()
        shown = _ID_AT_END.search(text)
        found = list(find(context, shown[1])) if shown else []
        record = _one(text, found or list(find(context, text)), what, lambda r: show(context, r))
        return Meant(record, show(context, record))

    return (
        BeforeValidator(validate),
        PlainSerializer(lambda meant: meant.shown, return_type=str),
        WithJsonSchema({"type": "string"}),
    )


def _one(text: str, found: Sequence[T], what: str, show: Callable[[T], str]) -> T:
    if len(found) == 1:
        return found[0]
    said = repr(plain_line(text)[:80])
    if not found:
        raise ToolError(f"There is no {what} {said}.", hint="Search first, then use the id.")
    listed = "; ".join(show(each) for each in found[:_LISTED])
    more = f"; and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    raise ToolError(f"{said} could be: {listed}{more}.", hint="Use the id.")


def _amount(value: Any) -> int:
    if not isinstance(value, int | float | str):
        raise ToolError("An amount must be a number.")
    try:
        cents = to_cents(value)
    except ValueError as error:
        raise ToolError(str(error), hint="Give a number like 49.99.") from None
    if cents <= 0:
        raise ToolError("An amount must be more than zero.")
    return cents


Amount: TypeAlias = Annotated[
    int,
    BeforeValidator(_amount),
    PlainSerializer(from_cents, return_type=Any),
    WithJsonSchema({"type": "number"}),
]
"""Money, in cents; given and shown in whole units, like 49.99."""
