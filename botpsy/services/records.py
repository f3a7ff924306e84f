"""Frozen records by kind and id, and what every memory service does with them.

A key is ``kind:id``. Records are frozen dataclasses of plain values, times, and tuples of such.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from botpsy.errors import ServiceError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")
Tables = Mapping[str, Mapping[str, Any]]
"""Records by kind, then by id."""


def key_of(kind: str, id: str) -> str:
    """The key of a record."""
    return f"{kind}:{id}"


def split_key(key: str) -> tuple[str, str]:
    """Kind and id."""
    kind, _, id = key.partition(":")
    return kind, id


def to_json(record: Any) -> dict[str, Any]:
    """All of a record."""
    fields: dict[str, Any] = _adapter(type(record)).dump_python(record, mode="json")
    return fields


def to_text(record: Any) -> str:
    """All of a record, as JSON text."""
    return _adapter(type(record)).dump_json(record).decode()


def from_text(kind: type[T], text: str) -> T:
    """The opposite of ``to_text``.

    Raises:
        ServiceError: it is no such record.
    """
    from pydantic import ValidationError

    try:
        record: T = _adapter(kind).validate_json(text)
    except ValidationError as error:
        raise ServiceError(f"A stored {kind.__name__.lower()} is damaged ({error}).") from error
    return record


def snapshot(tables: Tables, key: str) -> str | None:
    """The record under a key as text; None where there is none."""
    kind, id = split_key(key)
    record = tables.get(kind, {}).get(id)
    return None if record is None else to_text(record)


def dump(tables: Tables) -> dict[str, Any]:
    """Every record, by kind and id, in order."""
    return {kind: {id: to_json(rows[id]) for id in sorted(rows)} for kind, rows in tables.items()}


_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """pydantic's reader and writer of a kind, made once."""
    if kind not in _adapters:
        from pydantic import TypeAdapter

        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
