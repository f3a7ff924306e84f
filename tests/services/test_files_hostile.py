"""What lies on a disk is not always what it seems, and the disk does not always obey."""

from __future__ import annotations

import errno
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from botpsy.errors import ConfigError, ServiceError, ToolError
from botpsy.services.files import descriptors
from botpsy.services.files.local import LocalFiles
from botpsy.services.files.paths import label, locate
from tests.services.test_files import write_seed

SECRET = "the secret"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    write_seed(tmp_path)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(SECRET)
    return tmp_path


@pytest.fixture
def files(base: Path) -> LocalFiles:
    return LocalFiles([base / "Documents", base / "Downloads"], base / "state", copy_at_most=50_000)


def leftovers(base: Path) -> list[str]:
    return [path.name for path in base.rglob(".botpsy-*")]


def uses(files: LocalFiles, path: str) -> dict[str, Callable[[], Any]]:
    root = files.roots[0]
    return {
        "read": lambda: files.read(path, 100),
        "append": lambda: files.append(path, "x", "act1"),
        "replace": lambda: files.replace(path, "x"),
        "copy": lambda: files.copy(path, f"{root}/copy"),
        "move": lambda: files.move(path, f"{root}/moved"),
        "delete": lambda: files.delete(path),
    }


@pytest.mark.parametrize("use", ["read", "append", "replace", "copy", "move", "delete"])
def test_a_link_out_is_not_followed(base: Path, files: LocalFiles, use: str) -> None:
    root = files.roots[0]
    (base / "Documents" / "link.txt").symlink_to(base / "outside" / "secret.txt")
    (base / "Documents" / "door").symlink_to(base / "outside")
    for path in (f"{root}/link.txt", f"{root}/door/secret.txt", f"{root}/door"):
        with pytest.raises(ToolError, match="link"):
            uses(files, path)[use]()
    for write in (files.create, lambda p, _: files.make_folder(p)):
        with pytest.raises(ToolError, match="link"):
            write(f"{root}/door/new", "x")
    with pytest.raises(ToolError, match="link"):
        files.move(f"{root}/letter.md", f"{root}/door/letter.md")
    assert (base / "outside" / "secret.txt").read_text() == SECRET
    assert [path.name for path in (base / "outside").iterdir()] == ["secret.txt"]


def test_links_are_listed_but_not_entered(base: Path, files: LocalFiles) -> None:
    (base / "Documents" / "door").symlink_to(base / "outside")
    kinds = {entry.name: entry.kind for entry in files.entries(files.roots[0])}
    assert kinds["door"] == "link"
    with pytest.raises(ToolError, match="no file or folder 'secret'"):
        locate(files, "secret")


def test_a_link_swapped_in_between_check_and_use(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An attacker swaps the name right after it was looked at, in every way that is read."""
    path = base / "Documents" / "letter.md"
    real_stat = os.stat

    def swapping(name: Any, **kwargs: Any) -> os.stat_result:
        found = real_stat(name, **kwargs)
        if name == "letter.md":
            path.unlink()
            path.symlink_to(base / "outside" / "secret.txt")
        return found

    for use in ("read", "append", "replace", "copy"):
        path.unlink(missing_ok=True)
        path.write_text("Dear Ann")
        with monkeypatch.context() as patch:
            patch.setattr(os, "stat", swapping)
            with pytest.raises(ToolError, match="link"):
                uses(files, str(path))[use]()
    assert (base / "outside" / "secret.txt").read_text() == SECRET
    assert not leftovers(base)


def test_a_folder_swapped_for_a_link_while_it_is_open(base: Path, files: LocalFiles) -> None:
    """What was opened is what is used, wherever its name now leads."""
    with descriptors.folder(files.roots[0], ("Work",)) as fd:
        (base / "Documents" / "Work").rename(base / "Documents" / "Elsewhere")
        (base / "Documents" / "Work").symlink_to(base / "outside")
        descriptors.write(fd, "new.txt", b"x")
    assert not (base / "outside" / "new.txt").exists()
    assert (base / "Documents" / "Elsewhere" / "new.txt").exists()


def test_a_write_replaces_a_link_swapped_in_and_not_its_target(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = base / "Documents" / "letter.md"
    real_write = descriptors.write

    def swapping(*args: Any) -> None:
        real_write(*args)
        path.unlink()
        path.symlink_to(base / "outside" / "secret.txt")

    monkeypatch.setattr(descriptors, "write", swapping)
    files.replace(str(path), "mine")
    assert (base / "outside" / "secret.txt").read_text() == SECRET
    assert path.read_text() == "mine"
    assert not path.is_symlink()


@pytest.mark.parametrize("use", ["read", "append", "replace", "copy"])
def test_hard_links(base: Path, files: LocalFiles, use: str) -> None:
    os.link(base / "outside" / "secret.txt", base / "Documents" / "hard.txt")
    with pytest.raises(ToolError, match="hard link"):
        uses(files, f"{files.roots[0]}/hard.txt")[use]()
    assert (base / "outside" / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("use", ["read", "append", "replace", "copy", "move", "delete", "snapshot"])
def test_special_files_neither_hang_nor_pass(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch, use: str
) -> None:
    folder = base / "Documents"
    os.mkfifo(folder / "pipe")
    paths = [folder / "pipe", folder / "socket"]
    server = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(folder)
    server.bind("socket")
    if os.geteuid() == 0:
        os.mknod(folder / "zero", 0o666 | 0o020000, os.makedev(1, 5))
        paths.append(folder / "zero")
    try:
        for path in paths:
            every = {**uses(files, str(path)), "snapshot": lambda p=path: files.snapshot(str(p))}
            with pytest.raises(ToolError, match=r"ordinary|special"):
                every[use]()
            assert files.entry(str(path)).kind == "special"  # type: ignore[union-attr]
    finally:
        server.close()


def test_odd_names(base: Path, files: LocalFiles) -> None:
    folder = base / "Documents"
    (folder / ".hidden").write_text("x")
    (folder / "two\nlines").write_text("x")
    (folder / "gpj\u202etxt.exe").write_text("x")
    os.close(os.open(os.fsencode(folder) + b"/caf\xe9.txt", os.O_CREAT))
    shown = [label(entry.path, files.roots) for entry in files.entries(files.roots[0])]
    assert "Documents/.hidden" not in shown
    assert "Documents/two<U+000A LINE FEED>lines" in shown
    assert "Documents/gpj<U+202E RIGHT-TO-LEFT OVERRIDE>txt.exe" in shown
    assert "Documents/caf<U+DCE9>.txt" in shown
    state = files.snapshot(f"{files.roots[0]}/Work")
    assert state
    before = files.dump()
    files.delete(f"{files.roots[0]}/Work")
    files.restore(f"{files.roots[0]}/Work", state)
    assert files.dump() == before


def test_a_folder_with_everything_in_it_comes_back(base: Path, files: LocalFiles) -> None:
    work = base / "Documents" / "Work"
    (work / "link").symlink_to("/nowhere")
    (work / ".dot").write_text("x")
    (work / "run.sh").write_text("#!")
    (work / "run.sh").chmod(0o755)
    os.utime(work / "run.sh", ns=(1, 987654321))
    os.close(os.open(os.fsencode(work) + b"/caf\xe9.txt", os.O_CREAT))
    before = files.dump()
    for change in (
        lambda: files.delete(str(work)),
        lambda: files.move(str(work), f"{files.roots[1]}/W"),
    ):
        keys = [str(work), f"{files.roots[1]}/W"]
        states = {key: files.snapshot(key) for key in keys}
        change()
        assert not work.exists()
        for key, state in states.items():
            files.restore(key, state)
        assert files.dump() == before
    assert (work / "link").readlink() == Path("/nowhere")
    assert not leftovers(base)


def test_large_files_are_linked_not_copied(base: Path, files: LocalFiles) -> None:
    film = base / "Downloads" / "film.mp4"
    film.write_bytes(b"x" * 60_000)
    before = files.dump()
    state, nothing = files.snapshot(str(film)), files.snapshot(f"{files.roots[0]}/film.mp4")
    files.move(str(film), f"{files.roots[0]}/film.mp4")
    files.restore(str(film), state)
    files.restore(f"{files.roots[0]}/film.mp4", nothing)
    assert files.dump() == before
    files.delete(str(film))
    files.restore(str(film), state)
    assert files.dump() == before
    assert files.read(str(film), 3).text == "xxx", "our own names of it are not a stranger's"
    inodes = {p.stat().st_ino for p in base.rglob("*") if p.is_file() and p.stat().st_size > 50_000}
    assert inodes == {film.stat().st_ino}
    with film.open("ab") as file:
        file.write(b"another program")
    files.delete(str(film))
    with pytest.raises(ServiceError, match="changed by another program"):
        files.restore(str(film), state)


def test_a_large_file_on_another_disk_is_refused_before_anything_is_done(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = base / "Downloads" / "film.mp4"
    film.write_bytes(b"x" * 60_000)

    def other_disk(*_: Any, **__: Any) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", other_disk)
    with pytest.raises(ServiceError, match=r"could not be undone.*by hand"):
        files.snapshot(str(film))


def test_too_many_files_to_undo(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botpsy.services.files.keep.ENTRIES_AT_MOST", 2)
    with pytest.raises(ServiceError, match="too many to be undone"):
        files.snapshot(f"{files.roots[0]}/Work")


def test_from_one_disk_to_another(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = descriptors._rename_exclusively

    def other_disk(source: int, name: str, target: int, new: str) -> None:
        if not os.path.samestat(os.fstat(source), os.fstat(target)):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(source, name, target, new)

    monkeypatch.setattr(descriptors, "_rename_exclusively", other_disk)
    before = files.dump()["Documents/Work"]
    files.move(f"{files.roots[0]}/Work", f"{files.roots[1]}/W")
    assert files.dump()["Downloads/W"] == before
    assert not (base / "Documents" / "Work").exists()
    files.delete(f"{files.roots[1]}/W")
    assert (base / "state" / "trash" / "W" / "plan.txt").read_text() == "one\ntwo"
    assert not leftovers(base)


def test_without_exclusive_rename(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: Any) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(descriptors, "_rename_exclusively", unsupported)
    root = files.roots[0]
    files.create(f"{root}/new.txt", "x")
    files.move(f"{root}/Work", f"{root}/Moved")
    for target in (f"{root}/letter.md", f"{root}/Moved"):
        with pytest.raises(ServiceError, match="exists already"):
            files.move(f"{root}/new.txt", target)
    with pytest.raises(ServiceError, match="exists already"):
        files.move(f"{root}/Moved", f"{files.roots[1]}/Empty")
    assert files.read(f"{root}/letter.md", 99).text == "Dear Ann\n"


def test_the_trash_keeps_all_of_the_same_name(base: Path, files: LocalFiles) -> None:
    path = f"{files.roots[0]}/a.txt"
    for text in ("1", "2", "3"):
        files.create(path, text)
        files.delete(path)
    trash = base / "state" / "trash"
    assert {p.name: p.read_text() for p in trash.iterdir()} == {
        "a.txt": "1", "a (2).txt": "2", "a (3).txt": "3"
    }  # fmt: skip


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT])
@pytest.mark.parametrize("call", ["write", "fsync", "rename", "mkdir"])
def test_a_disk_that_does_not_obey_loses_nothing(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch, code: int, call: str
) -> None:
    root = files.roots[0]
    state = files.snapshot(f"{root}/letter.md")
    files.replace(f"{root}/letter.md", "newer")
    before = files.dump()

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(code, os.strerror(code))

    attempts: list[Callable[[], Any]] = {
        "write": [
            lambda: files.create(f"{root}/n.txt", "x"),
            lambda: files.replace(f"{root}/letter.md", "x"),
            lambda: files.append(f"{root}/letter.md", "x", "a1"),
        ],
        "fsync": [
            lambda: files.create(f"{root}/n.txt", "x"),
            lambda: files.copy(f"{root}/Work", f"{root}/C"),
            lambda: files.snapshot(f"{root}/Budget_2026.txt"),
            lambda: files.restore(f"{root}/letter.md", state),
        ],
        "rename": [
            lambda: files.move(f"{root}/Work", f"{root}/C"),
            lambda: files.delete(f"{root}/Work"),
            lambda: files.create(f"{root}/n.txt", "x"),
        ],
        "mkdir": [lambda: files.make_folder(f"{root}/C")],
    }[call]
    target, name = {
        "write": (descriptors, "write"),
        "fsync": (os, "fsync"),
        "rename": (descriptors, "_rename_exclusively"),
        "mkdir": (os, "mkdir"),
    }[call]
    for attempt in attempts:
        with monkeypatch.context() as patch:
            patch.setattr(target, name, refuse)
            with pytest.raises(ServiceError, match="Nothing was changed"):
                attempt()
    assert files.dump() == before
    assert not leftovers(base)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="needs a small disk")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=64k tmpfs {disk} 2>/dev/null"):
        pytest.skip("not permitted to mount")
    try:
        files = LocalFiles([disk], tmp_path / "state")
        files.create(f"{disk}/a.txt", "x" * 40_000)
        with pytest.raises(ServiceError, match="disk is full"):
            files.append(f"{disk}/a.txt", "y" * 40_000, "a1")
        assert files.read(f"{disk}/a.txt", 99_999).text == "x" * 40_000
        assert [path.name for path in disk.iterdir()] == ["a.txt"]
        state = files.snapshot(f"{disk}/a.txt")
        files.delete(f"{disk}/a.txt")
        files.restore(f"{disk}/a.txt", state)
        assert files.snapshot(f"{disk}/a.txt") == state
    finally:
        os.system(f"umount {disk}")


def test_another_program_writes_while_we_append(
    base: Path, files: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = base / "Documents" / "letter.md"
    real = files._journal.done

    def late(*args: Any) -> bool:
        path.write_text("changed by an editor")
        return real(*args)

    monkeypatch.setattr(files._journal, "done", late)
    with pytest.raises(ServiceError, match="being changed by another program"):
        files.append(str(path), "x", "a1")
    assert path.read_text() == "changed by an editor"


def test_a_root_that_is_gone(base: Path, files: LocalFiles) -> None:
    shutil.rmtree(base / "Downloads")
    with pytest.raises(ToolError, match="Downloads"):
        files.entries(files.roots[1])
    assert label(locate(files, "letter").path, files.roots) == "Documents/letter.md"


def test_roots_that_cannot_be(tmp_path: Path) -> None:
    for roots, state, problem in (
        ([], "state", "No folder"),
        (["/"], "state", "whole disk"),
        (["a/Docs", "b/docs"], "state", "Two folders"),
        (["a"], "a/state", "own trash"),
    ):
        with pytest.raises(ConfigError, match=problem):
            LocalFiles([tmp_path / root for root in roots], tmp_path / state)
    LocalFiles([tmp_path / "a"], tmp_path / "a" / ".botpsy")


def test_broken_characters_are_refused(base: Path, files: LocalFiles) -> None:
    with pytest.raises(ServiceError, match="broken character"):
        files.create(f"{files.roots[0]}/n.txt", "\ud800")
    assert not leftovers(base)
