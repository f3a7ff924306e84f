"""What a tool gave back, put in words for a person, without any model."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from botpsy.chat.types import Json, JsonObject, Message

_NAMES = ("title", "name", "subject", "text", "what")
_UNDONE = re.compile(r"(?:error|denied): ")


def in_words(result: Message) -> str:
    """What a tool gave back, without any model: its name, then the result, one line a record.

    What a record is called comes first; ids are for programs and left out.
    """
    try:
        value: Json = json.loads(result.content)
    except ValueError:
        value = result.content
    if isinstance(value, str):
        value = _UNDONE.sub("not done. ", value, count=1)
    records, more = _records(value)
    lines = [_record(record) for record in records] or ["nothing found"]
    opening = plain_name(result.name).capitalize() or "Result"
    if beside := _record(more):
        opening += f" ({beside})"
    return f"{opening}: {lines[0]}" if len(lines) == 1 else "\n- ".join([f"{opening}:", *lines])


def _records(value: Json) -> tuple[Sequence[Json], JsonObject]:
    """The records of a result, and what it says beside them."""
    if isinstance(value, dict):
        lists = {key: item for key, item in value.items() if isinstance(item, list)}
        about = {key: item for key, item in value.items() if key not in lists}
        records = next(iter(lists.values()), [])
        plain = len(lists) != 1 or not all(isinstance(item, dict) for item in records)
        if not plain and (records or not {"id", *_NAMES} & set(value)):
            return records, about
    return (value if isinstance(value, list) else [value]), {}


def _record(value: Json) -> str:
    if isinstance(value, dict):
        shown = {key: item for key, item in value.items() if item not in (None, "", [], {})}
        if len(shown) > 1:
            shown.pop("id", None)
        called = next((key for key in _NAMES if key in shown), None)
        first = [_record(shown.pop(called))] if called else []
        return "; ".join(
            [*first, *(f"{plain_name(key)} {_record(item)}" for key, item in shown.items())]
        )
    if isinstance(value, list):
        return ", ".join(map(_record, value))
    return value if isinstance(value, str) else json.dumps(value)


def plain_name(name: str) -> str:
    """A tool's or field's name as words."""
    return name.replace("_", " ").replace("-", " ")
