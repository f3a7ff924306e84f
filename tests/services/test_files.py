"""One contract, every back end: what a person may say, what is done, what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ServiceError, ToolError
from botpsy.services.base import Service
from botpsy.services.files import FileService
from botpsy.services.files.local import LocalFiles
from botpsy.services.files.memory import MemoryFiles
from botpsy.services.files.paths import find, label, locate, place, split

SEED = {
    "Documents/Budget_2026.txt": "rent 900\n",
    "Documents/letter.md": "Dear Ann\n",
    "Documents/Work/plan.txt": "one\ntwo",
    "Documents/Work/Old/plan.txt": "",
    "Documents/data.bin": b"\x00\x01\x02",
    "Downloads/photo.jpg": b"\xff\xd8\xff\x00",
    "Downloads/Empty": None,
}


def write_seed(base: Path, seed: Mapping[str, str | bytes | None] = SEED) -> None:
    for name, content in seed.items():
        path = base / name
        if content is None:
            path.mkdir(parents=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@pytest.fixture(params=["memory", "local"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileService:
    if request.param == "memory":
        roots = ("/home/user/Documents", "/home/user/Downloads")
        return MemoryFiles(SEED, roots)
    write_seed(tmp_path)
    roots = (str(tmp_path / "Documents"), str(tmp_path / "Downloads"))
    local = LocalFiles([Path(root) for root in roots], tmp_path / "state")
    local.home = str(tmp_path)
    return local


def at(files: FileService, words: str) -> str:
    return label(locate(files, words).path, files.roots)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Documents/letter.md", "Documents/letter.md"),
        ("letter.md", "Documents/letter.md"),
        ("LETTER.md", "Documents/letter.md"),
        ("letter", "Documents/letter.md"),
        ("budget 2026", "Documents/Budget_2026.txt"),
        ("work/PLAN", "Documents/Work/plan.txt"),
        ("./Work/plan.txt", "Documents/Work/plan.txt"),
        ("photo.jpg", "Downloads/photo.jpg"),
        ("photo", "Downloads/photo.jpg"),
        ("downloads", "Downloads"),
        ("~/Downloads/photo.jpg", "Downloads/photo.jpg"),
        ('"Downloads/photo.jpg"', "Downloads/photo.jpg"),
        ("", "Documents"),
        ("old", "Documents/Work/Old"),
    ],
)
def test_what_is_said_is_found(files: FileService, words: str, found: str) -> None:
    assert at(files, words) == found
    path = locate(files, words).path
    assert locate(files, path).path == path


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("plan", r"Several files.*Documents/Work/plan\.txt.*Documents/Work/Old/plan\.txt"),
        ("leter.md", "Did you mean letter.md"),
        ("Work/nothing.txt", "There is no Documents/Work/nothing.txt"),
        ("/etc/passwd", "outside the folders"),
        ("/", "There is no file|outside"),
        ("../x", "'..' in it"),
        ("Documents/../../etc/passwd", "'..' in it"),
        ("~/../x", "'..' in it"),
        ("~root/x", "no"),
        (".ssh/id", "hidden"),
        ("Work/.git/config", "hidden"),
        ("a\nb", "hidden characters"),
        ("gpj\u202etxt.exe", r"<U\+202E RIGHT.*refused"),
        ("a\x00b", "hidden characters"),
        ("x" * 300, "too long"),
    ],
)
def test_what_is_refused(files: FileService, words: str, problem: str) -> None:
    if words == "/":
        assert at(files, words) == "Documents"
        return
    with pytest.raises(ToolError, match=problem):
        locate(files, words)
    if "no file" not in problem and problem[:3] in ("out", "'..", "hid"):
        for use in (files.entry, files.entries, files.delete, files.snapshot):
            with pytest.raises(ToolError):
                use(words)  # type: ignore[operator]


def test_a_sibling_with_the_roots_name_as_its_beginning_is_outside(files: FileService) -> None:
    with pytest.raises(ToolError, match="outside"):
        locate(files, files.roots[0] + "-private/x")


def test_place(files: FileService) -> None:
    assert label(place(files, "new.txt"), files.roots) == "Documents/new.txt"
    assert label(place(files, "work/new.txt"), files.roots) == "Documents/Work/new.txt"
    assert label(place(files, "Downloads/Empty/new"), files.roots) == "Downloads/Empty/new"
    for words, problem in (("no/new.txt", "no folder Documents/no"), ("letter.md/x", "letter.md"),
                           ("Downloads", "names no file")):  # fmt: skip
        with pytest.raises(ToolError, match=problem):
            place(files, words)


def test_find(files: FileService) -> None:
    def found(words: str) -> list[str]:
        return [label(entry.path, files.roots) for entry in find(files, words)]

    assert found("plan") == ["Documents/Work/plan.txt", "Documents/Work/Old/plan.txt"]
    assert found("*.JPG") == ["Downloads/photo.jpg"]
    assert found("2026 budget") == ["Documents/Budget_2026.txt"]
    assert found("zebra") == []


def test_reading(files: FileService) -> None:
    path = locate(files, "budget 2026").path
    assert files.read(path, 100).text == "rent 900\n"
    cut = files.read(path, 4)
    assert (cut.text, cut.size, cut.left_out) == ("rent", 9, 5)
    for words, problem in (("data.bin", "not a text file"), ("Work", "Work")):
        with pytest.raises(ToolError, match=problem):
            files.read(locate(files, words).path, 100)


def test_writing(files: FileService) -> None:
    root = files.roots[0]
    files.create(f"{root}/new.txt", "a")
    files.create(f"{root}/new.txt", "a")  # the same action again
    with pytest.raises(ServiceError, match=r"new\.txt exists already"):
        files.create(f"{root}/new.txt", "b")
    with pytest.raises(ServiceError, match="exists already"):
        files.create(f"{root}/Work", "")
    for _ in range(2):
        files.append(f"{root}/new.txt", "b", "act1")
    files.append(f"{root}/new.txt", "b", "act2")
    assert files.read(f"{root}/new.txt", 100).text == "a\nb\nb\n"
    files.replace(f"{root}/new.txt", "ä")
    assert files.read(f"{root}/new.txt", 100).text == "ä"
    for use in (lambda p: files.append(p, "x", "act3"), lambda p: files.replace(p, "x")):
        with pytest.raises(ToolError, match="not a text file"):
            use(f"{root}/data.bin")
        with pytest.raises(ToolError):
            use(f"{root}/none.txt")
        with pytest.raises(ToolError):
            use(f"{root}/Work")


def test_moving_copying_deleting(files: FileService) -> None:
    root, other = files.roots
    files.move(f"{root}/Work", f"{other}/Empty/Job")
    assert files.read(f"{other}/Empty/Job/plan.txt", 9).text == "one\ntwo"
    files.copy(f"{other}/Empty", f"{root}/Copy")
    assert files.read(f"{root}/Copy/Job/plan.txt", 9).text == "one\ntwo"
    files.delete(f"{other}/Empty")
    assert files.entry(f"{other}/Empty") is None
    files.make_folder(f"{root}/Copy/New")
    files.make_folder(f"{root}/Copy/New")
    assert [entry.name for entry in files.entries(f"{root}/Copy")] == ["Job", "New"]
    with pytest.raises(ToolError, match=r"letter\.md exists already"):
        files.move(f"{root}/Budget_2026.txt", f"{root}/letter.md")
    with pytest.raises(ToolError, match="exists already"):
        files.copy(f"{root}/letter.md", f"{root}/Copy")
    with pytest.raises(ToolError, match="into itself"):
        files.move(f"{root}/Copy", f"{root}/Copy/Job/x")
    with pytest.raises(ToolError, match="into itself"):
        files.copy(f"{root}/Copy", f"{root}/Copy/Job/x")
    for path in (root, other):
        with pytest.raises(ToolError, match="a folder you chose"):
            files.delete(path)
    with pytest.raises(ToolError):
        files.delete(f"{root}/none")
    with pytest.raises(ToolError):
        files.make_folder(f"{root}/letter.md")


def test_undo(files: FileService) -> None:
    assert isinstance(files, Service)
    root, other = files.roots
    before = files.dump()
    keys = [f"{root}/{n}" for n in ("Work", "letter.md", "new.txt", "Moved")] + [f"{other}/c.jpg"]
    states = {key: files.snapshot(key) for key in keys}
    files.move(f"{root}/Work", f"{root}/Moved")
    files.append(f"{root}/letter.md", "x", "act1")
    files.create(f"{root}/new.txt", "new")
    files.copy(f"{other}/photo.jpg", f"{other}/c.jpg")
    after = {key: files.snapshot(key) for key in keys}
    changed = files.dump()
    assert changed != before
    for _ in range(2):
        for key, state in states.items():
            files.restore(key, state)
            assert files.snapshot(key) == state
        assert files.dump() == before
    for key, state in after.items():
        files.restore(key, state)
    assert files.dump() == changed


def test_restoring_keeps_what_is_in_the_way(files: FileService, tmp_path: Path) -> None:
    root = files.roots[0]
    state = files.snapshot(f"{root}/letter.md")
    files.replace(f"{root}/letter.md", "precious edit")
    files.restore(f"{root}/letter.md", state)
    assert files.read(f"{root}/letter.md", 99).text == "Dear Ann\n"
    if isinstance(files, LocalFiles):
        assert (tmp_path / "state" / "trash" / "letter.md").read_text() == "precious edit"


names = st.text(st.sampled_from("ab./~ \\\u202e\n\x00é"), max_size=12)


@given(names)
def test_no_words_lead_out_of_the_roots(words: str) -> None:
    roots = ("/home/u/ab", "/home/u/ab/b")
    try:
        root, parts = split(words, roots, "/home/u")
    except ToolError:
        return
    assert root in roots
    assert not {"", ".", ".."} & set(parts)
    assert not any(part.startswith(".") or "/" in part or "\n" in part for part in parts)
    assert split("/".join((root, *parts)), roots, "/home/u") is not None
    assert json.dumps(parts)


def test_a_read_only_folder_is_read_and_never_changed() -> None:
    files = MemoryFiles(SEED, ("/d/Documents", "/d/Downloads"), read_only=("Documents/Work",))
    before = files.dump()
    inside, other = "/d/Documents/Work/plan.txt", "/d/Documents/letter.md"
    assert files.read(inside, 99).text == "one\ntwo"
    for change in (
        lambda: files.append(inside, "x", "a1"),
        lambda: files.replace(inside, "x"),
        lambda: files.create("/d/Documents/Work/Old/new.txt", "x"),
        lambda: files.move(inside, "/d/Documents/plan.txt"),
        lambda: files.move(other, "/d/Documents/Work/letter.md"),
        lambda: files.copy(other, "/d/Documents/Work/letter.md"),
        lambda: files.make_folder("/d/Documents/Work/New"),
        lambda: files.delete(inside),
    ):
        with pytest.raises(ServiceError, match="permission is denied"):
            change()
    assert files.dump() == before
    files.copy(inside, "/d/Documents/mine.txt")
    files.append("/d/Documents/mine.txt", "three", "a1")
