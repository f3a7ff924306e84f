import errno
import os
import threading
from pathlib import Path

import pytest

from botpsy.errors import ServiceError
from botpsy.services.storage import Journal, explained, locked, write_atomically


def test_write_keeps_permissions_and_links(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(ServiceError, match=r"disk is full.*Nothing was changed"), explained("a"):
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_lock_keeps_writers_apart(tmp_path: Path) -> None:
    path = tmp_path / "n"
    path.write_text("0")

    def add() -> None:
        for _ in range(20):
            with locked(path):
                write_atomically(path, str(int(path.read_text()) + 1).encode())

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() == "80"


@pytest.mark.parametrize("in_memory", [True, False])
def test_journal(tmp_path: Path, in_memory: bool) -> None:
    folder = None if in_memory else tmp_path / "journal"
    journal = Journal(folder)
    assert not journal.done("a1", b"x", b"xy")
    if folder:
        journal = Journal(folder)  # as after a crash
    assert not journal.done("a1", b"x", b"xy"), "begun, but not done"
    assert journal.done("a1", b"xy", b"xyy")
    assert not journal.done("a2", b"xy", b"xyy")
    with pytest.raises(ServiceError, match="changed since"):
        journal.done("a1", b"something else", b"")
