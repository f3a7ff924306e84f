"""What every source's rows are held to in tests."""

from __future__ import annotations

from botpsy.chat.formats import POCKET, QWEN3_5
from botpsy.data.check import check_row
from botpsy.data.types import Row


def assert_sound(row: Row) -> None:
    """In both formats: calls fit their schemas, replies parse back, and provenance is there."""
    for chat in (POCKET, QWEN3_5):
        check_row(row, chat)
    for name in ("id", "source", "licence", "domain", "kind", "group", "proof"):
        assert getattr(row, name), name
    assert row.difficulty in ("simple", "complex")
    assert Row.from_json(row.to_json()) == row
