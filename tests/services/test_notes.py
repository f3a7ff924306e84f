"""One contract, every back end; the Markdown; then what is particular to the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ServiceError, ToolError
from botpsy.services.base import Service
from botpsy.services.notes import NoteService, clean_name, is_name, markdown
from botpsy.services.notes.local import LocalNotes
from botpsy.services.notes.memory import MemoryNotes


@pytest.fixture(params=["memory", "local"])
def notes(request: pytest.FixtureRequest, tmp_path: Path) -> NoteService:
    return MemoryNotes() if request.param == "memory" else LocalNotes(tmp_path / "notes")


def test_contract(notes: NoteService) -> None:
    assert isinstance(notes, Service)
    assert notes.names("note") == notes.names("list") == []
    assert notes.text("note", "Ideas") is None
    for _ in range(2):
        notes.create("note", "Ideas", "# Ideas\n\nfly\n")
    notes.create("list", "Ideas", "# Ideas\n")
    for name in ("Ideas", "IDEAS"):
        with pytest.raises(ServiceError, match="already a note called Ideas"):
            notes.create("note", name, "other")
    for _ in range(2):
        notes.change("note", "Ideas", lambda old: markdown.added(old, "swim"), "act1")
    assert notes.text("note", "Ideas") == "# Ideas\n\nfly\n\nswim\n"
    assert notes.text("list", "Ideas") == "# Ideas\n"
    assert notes.names("note") == ["Ideas"]
    notes.delete("note", "Ideas")
    for use in (
        lambda: notes.delete("note", "Ideas"),
        lambda: notes.change("note", "Ideas", str),
    ):
        with pytest.raises(ServiceError, match="no note called Ideas"):
            use()
    with pytest.raises(ServiceError, match="broken character"):
        notes.create("note", "Odd", "\ud800")


def test_undo(notes: NoteService) -> None:
    notes.create("note", "Ideas", "fly\n")
    before = notes.dump()
    keys = ["note/Ideas", "note/New", "list/shopping"]
    states = {key: notes.snapshot(key) for key in keys}
    notes.delete("note", "Ideas")
    notes.create("note", "New", "x")
    notes.create("list", "shopping", "- [ ] milk\n")
    after = {key: notes.snapshot(key) for key in keys}
    for _ in range(2):
        for key, state in states.items():
            notes.restore(key, state)
            assert notes.snapshot(key) == state
        assert notes.dump() == before
    for key, state in after.items():
        notes.restore(key, state)
        assert notes.snapshot(key) == state
    for key in ("note/../x", "file/x", "note/", "note/.trash"):
        with pytest.raises(ServiceError, match="not a note or list"):
            notes.snapshot(key)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("  Gift \n ideas ", "Gift ideas"),
        ("../../etc/passwd", "etc-passwd"),
        ("a/b\\c:d", "a-b-c-d"),
        (".hidden", "hidden"),
        ("Zoë’s café", "Zoë’s café"),
    ],
)
def test_names(words: str, name: str) -> None:
    assert clean_name(words) == name


@pytest.mark.parametrize("words", ["", " ", "...", "/", "a\u202eb", "é" * 150])
def test_names_that_are_refused(words: str) -> None:
    with pytest.raises(ToolError):
        clean_name(words)


@given(st.text(max_size=40))
def test_a_clean_name_is_clean(words: str) -> None:
    try:
        name = clean_name(words)
    except ToolError:
        return
    assert is_name(name)
    assert "/" not in name
    assert not name.startswith(".")


BY_HAND = "Shopping\n========\n\n* milk\n1. [x] Eggs\n\t- [ ] bread (dark)\n\nnot an item\n"


def test_a_list_written_by_hand() -> None:
    assert markdown.items(BY_HAND) == [
        markdown.Item("milk"),
        markdown.Item("Eggs", True),
        markdown.Item("bread (dark)"),
    ]
    more = markdown.with_items(BY_HAND, ["MILK", "eggs", "tea\nbags", "tea bags"])
    assert more == BY_HAND + "\n- [ ] eggs\n- [ ] tea bags\n"
    less, removed = markdown.without_item(BY_HAND, "bread")
    assert removed == "bread (dark)"
    assert less == BY_HAND.replace("\t- [ ] bread (dark)\n", "")
    with pytest.raises(ToolError, match=r"not on the list.*On it: milk, Eggs"):
        markdown.without_item(BY_HAND, "wine")
    with pytest.raises(ToolError, match="not on the list"):
        markdown.without_item(BY_HAND, " ")
    with pytest.raises(ToolError, match=r"Several.*red wine, white wine"):
        markdown.without_item("- red wine\n- white wine\n", "wine")


item_texts = st.text(max_size=20).map(lambda t: " ".join(t.split())).filter(
    lambda t: bool(t) and markdown.items(f"- {t}") == [markdown.Item(t)]
)  # fmt: skip


@given(st.lists(item_texts, max_size=6, unique_by=str.casefold), st.text(max_size=40))
def test_adding_and_removing_are_inverse(new: list[str], document: str) -> None:
    have = {item.text.casefold() for item in markdown.items(document)}
    new = [text for text in new if text.casefold() not in have]
    longer = markdown.with_items(document, new)
    assert [item.text for item in markdown.items(longer)][-len(new) or 999 :] == new
    assert markdown.with_items(longer, new) == longer
    for text in new:
        longer, removed = markdown.without_item(longer, text)
        assert removed == text
    assert markdown.items(longer) == markdown.items(document)


def test_what_another_program_wrote_counts(tmp_path: Path) -> None:
    notes = LocalNotes(tmp_path)
    notes.create("note", "Ideas", "# Ideas\n\nfly\n")
    (tmp_path / "Ideas.md").write_bytes(b"\xef\xbb\xbf# Ideas\r\n\r\nedited by hand\r\n")
    (tmp_path / "Other.md").write_text("new")
    (tmp_path / ".hidden.md").write_text("x")
    (tmp_path / "image.png").write_text("x")
    assert notes.names("note") == ["Ideas", "Other"]
    assert notes.text("note", "Ideas") == "# Ideas\n\nedited by hand\n"
    notes.change("note", "Ideas", lambda old: markdown.added(old, "swim"), "act1")
    assert (tmp_path / "Ideas.md").read_bytes() == b"# Ideas\r\n\r\nedited by hand\r\n\r\nswim\r\n"
    state = notes.snapshot("note/Other")
    (tmp_path / "Other.md").write_text("precious edit")
    notes.restore("note/Other", state)
    assert (tmp_path / ".trash" / "Other.md").read_text() == "precious edit"
    (tmp_path / "Bad.md").write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(ServiceError, match="not UTF-8"):
        notes.change("note", "Bad", str)
    bad = notes.snapshot("note/Bad")
    notes.delete("note", "Bad")
    notes.restore("note/Bad", bad)
    assert (tmp_path / "Bad.md").read_bytes() == b"\xff\xfe\xfd"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_disk_that_does_not_obey_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    notes = LocalNotes(tmp_path)
    notes.create("note", "Ideas", "fly")
    before = notes.dump()

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(ServiceError, match="Nothing was changed"):
        notes.change("note", "Ideas", lambda old: old + "x")
    with pytest.raises(ServiceError, match="Nothing was changed"):
        notes.create("list", "shopping", "x")
    assert notes.dump() == before
