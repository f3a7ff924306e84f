"""One contract, every back end; then what is particular to the files."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from botpsy.errors import ServiceError
from botpsy.services.base import Service
from botpsy.services.messages import MessageService, TextMessage, to_json
from botpsy.services.messages.local import LocalMessages
from botpsy.services.messages.memory import MemoryMessages

AT = datetime(2026, 12, 4, 15, 0, tzinfo=UTC)
HI = TextMessage("m1", "+15550100", "Hi, are you\nthere? 🎉", AT, "received", "Anna", True)
LATE = TextMessage("act1", "+15550100", "Running late", AT + timedelta(minutes=1), "queued", "Anna")
OTHER = TextMessage("m2", "12/../3", "odd number", AT - timedelta(days=1))


def fill(folder: Path, *messages: TextMessage) -> LocalMessages:
    local = LocalMessages(folder)
    for message in messages:
        local.restore(message.id, json.dumps(to_json(message)))
    return local


@pytest.fixture(params=["memory", "local"])
def messages(request: pytest.FixtureRequest, tmp_path: Path) -> MessageService:
    if request.param == "memory":
        return MemoryMessages([HI, OTHER])
    return fill(tmp_path, HI, OTHER)


def test_contract(messages: MessageService) -> None:
    assert isinstance(messages, Service)
    assert messages.read() == [HI, OTHER]
    assert messages.read("+15550100") == [HI]
    assert messages.read(unread=True) == [HI]
    assert messages.read("999") == []
    for _ in range(2):
        assert messages.send(LATE) == "queued"
        assert messages.read() == [LATE, HI, OTHER]
    assert messages.read(limit=1) == [LATE]


def test_undo(messages: MessageService) -> None:
    before = messages.dump()
    assert messages.snapshot("act1") is None
    messages.send(LATE)
    queued = messages.snapshot("act1")
    for _ in range(2):
        messages.restore("act1", None)
        assert messages.dump() == before
    messages.restore("act1", queued)
    assert messages.snapshot("act1") == queued
    messages.restore("act1", json.dumps(to_json(replace(LATE, status="sent"))))
    with pytest.raises(ServiceError, match="sent already"):
        messages.restore("act1", None)


def test_with_an_account_it_leaves_at_once() -> None:
    messages = MemoryMessages(account=True)
    assert messages.send(LATE) == "sent"
    with pytest.raises(ServiceError, match="sent already"):
        messages.restore("act1", None)


def test_numbers_name_no_other_file(tmp_path: Path) -> None:
    fill(tmp_path / "in", OTHER, replace(OTHER, id="x", number="../../evil"))
    assert sorted(p.name for p in tmp_path.rglob("*.jsonl")) == [
        "..%2F..%2Fevil.jsonl",
        "12%2F..%2F3.jsonl",
    ]


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"id": 1}', b"\xff", b"[" * 5000])
def test_an_unreadable_file_is_left_alone(tmp_path: Path, line: bytes) -> None:
    local = fill(tmp_path, HI)
    path = tmp_path / "+15550100.jsonl"
    data = path.read_bytes() + line
    path.write_bytes(data)
    for use in (local.read, lambda: local.send(LATE)):
        with pytest.raises(ServiceError, match="line 2 is not a message"):
            use()
    assert path.read_bytes() == data


def test_a_full_disk_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = fill(tmp_path, HI)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ServiceError, match="disk is full"):
        local.send(LATE)
    assert local.read() == [HI]
