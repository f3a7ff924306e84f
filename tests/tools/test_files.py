from pathlib import Path
from typing import Any

import pytest

from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.files.local import LocalFiles
from botpsy.services.files.memory import MemoryFiles
from botpsy.tools import files as tools
from tests.services.test_files import SEED, write_seed
from tests.tools.acting import act, context, dump


@pytest.fixture(params=["memory", "local"])
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Services:
    if request.param == "memory":
        return Services(files=MemoryFiles(SEED, ("/home/u/Documents", "/home/u/Downloads")))
    write_seed(tmp_path)
    roots = [tmp_path / "Documents", tmp_path / "Downloads"]
    return Services(files=LocalFiles(roots, tmp_path / "state"))


def test_listing(services: Services) -> None:
    assert act(services, tools.list_files)[0] == {"folders": ["Documents", "Downloads"]}
    result: Any = act(services, tools.list_files, folder="work")[0]
    assert [(f["path"], f.get("kind"), f.get("bytes")) for f in result["files"]] == [
        ("Documents/Work/Old", "folder", None),
        ("Documents/Work/plan.txt", None, 7),
    ]
    result = act(services, tools.find_files, name="*.txt")[0]
    assert len(result["files"]) == 3
    with pytest.raises(ToolError, match="no folder"):
        act(services, tools.list_files, folder="letter")
    with pytest.raises(ToolError):
        act(services, tools.find_files, name=" ")


def test_reading(services: Services) -> None:
    assert act(services, tools.read_file, path="letter")[0] == {
        "path": "Documents/letter.md",
        "text": "Dear Ann\n",
    }
    act(services, tools.create_file, path="long.txt", text="x\u200b" * 5000)
    result: Any = act(services, tools.read_file, path="long.txt")[0]
    assert result["left_out"] == "12000 of 20000 bytes"
    assert "U+200B" in result["notes"][0]
    with pytest.raises(ToolError, match="outside"):
        act(services, tools.read_file, path="/etc/passwd")
    with pytest.raises(SchemaError):
        act(services, tools.read_file)
    with pytest.raises(ToolError, match="in words"):
        act(services, tools.read_file, path=3)


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        ("create_file", {"path": "new.txt", "text": "x"}, {"path": "Documents/new.txt"}),
        ("create_file", {"path": "work/new.txt"}, {"path": "Documents/Work/new.txt"}),
        ("append_to_file", {"path": "letter", "text": "Yours"}, {"path": "Documents/letter.md"}),
        ("rewrite_file", {"path": "letter", "text": "No"}, {"path": "Documents/letter.md"}),
        ("move_file", {"path": "letter", "to": "work"}, {"to": "Documents/Work/letter.md"}),
        ("move_file", {"path": "photo", "to": "pic.jpg"}, {"to": "Downloads/pic.jpg"}),
        ("move_file", {"path": "work", "to": "Downloads"}, {"to": "Downloads/Work"}),
        ("move_file", {"path": "photo", "to": "Documents/p.jpg"}, {"to": "Documents/p.jpg"}),
        ("copy_file", {"path": "work", "to": "Work 2"}, {"to": "Documents/Work 2"}),
        ("copy_file", {"path": "photo", "to": "documents"}, {"to": "Documents/photo.jpg"}),
        ("delete_file", {"path": "work"}, {"path": "Documents/Work"}),
        ("delete_file", {"path": "data.bin"}, {"path": "Documents/data.bin"}),
        ("make_folder", {"path": "Holiday"}, {"path": "Documents/Holiday"}),
    ],
)
def test_done_once_shown_in_full_and_undone(
    services: Services, tool: str, arguments: dict[str, Any], shown: dict[str, str]
) -> None:
    definition = getattr(tools, tool)
    base = services.files.roots[0].rpartition("/")[0]
    bound = definition.bind(arguments, context(services))
    for name, path in shown.items():
        assert bound.shown[name] == f"{base}/{path}"
    before = dump(services)
    _, undo = act(services, definition, "a1", **arguments)
    after = dump(services)
    assert after != before
    try:
        act(services, definition, "a1", **arguments)
    except ToolError:
        pass  # what is gone cannot be moved again
    else:
        if tool not in ("rewrite_file", "copy_file"):
            assert dump(services) == after
    undo()
    assert dump(services) == before


def test_a_folder_that_is_not_there_is_no_new_name(services: Services) -> None:
    before = dump(services)
    for tool, to in ((tools.move_file, "Archive"), (tools.copy_file, "Documents/Archive")):
        with pytest.raises(ToolError, match=r"no folder Documents/Archive.*make_folder"):
            act(services, tool, path="letter", to=to)
    with pytest.raises(ToolError, match=r"like final\.md"):
        act(services, tools.move_file, path="letter", to="final")
    assert dump(services) == before
    act(services, tools.move_file, path="letter", to="final.md")
    act(services, tools.move_file, path="work", to="Archive")
    act(services, tools.move_file, path="final", to="Archive")
    assert act(services, tools.read_file, path="Archive/final.md")[0]


def test_what_is_in_the_way_stays(services: Services) -> None:
    before = dump(services)
    for tool, arguments in (
        (tools.create_file, {"path": "letter.md", "text": "x"}),
        (tools.move_file, {"path": "budget 2026", "to": "letter.md"}),
        (tools.copy_file, {"path": "photo", "to": "Documents/letter.md"}),
        (tools.move_file, {"path": "letter", "to": ".hidden"}),
        (tools.move_file, {"path": "letter", "to": "../letter.md"}),
        (tools.create_file, {"path": "no/such/folder.txt"}),
        (tools.delete_file, {"path": "Documents"}),
        (tools.append_to_file, {"path": "data.bin", "text": "x"}),
    ):
        with pytest.raises(ToolError):
            act(services, tool, **arguments)
    assert dump(services) == before


def test_declared() -> None:
    for tool in tools.TOOLS:
        assert 5 <= len(tool.examples) <= 10
        assert not tool.irreversible
    assert {t.name: t.destinations for t in tools.TOOLS if t.destinations} == {
        "create_file": ("path",),
        "append_to_file": ("path",),
        "rewrite_file": ("path",),
        "move_file": ("to",),
        "copy_file": ("to",),
        "make_folder": ("path",),
    }
