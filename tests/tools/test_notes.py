import contextlib
from pathlib import Path
from typing import Any

import pytest

from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.notes import markdown
from botpsy.services.notes.local import LocalNotes
from botpsy.services.notes.memory import MemoryNotes
from botpsy.tools import notes as tools
from tests.tools.acting import act, dump

NOTES = {"Gift ideas": "a kite", "Boiler": "comes Tuesday", "Boiler warranty": "2031"}
LISTS = {"Groceries": ["milk", "eggs"], "To-do": ["call the vet"]}


@pytest.fixture(params=["memory", "local"])
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Services:
    if request.param == "memory":
        return Services(notes=MemoryNotes(NOTES, LISTS))
    local = LocalNotes(tmp_path)
    for name, text in NOTES.items():
        local.create("note", name, markdown.titled(name, text))
    for name, items in LISTS.items():
        local.create("list", name, markdown.with_items(markdown.titled(name), items))
    return Services(notes=local)


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Gift ideas", "Gift ideas"),
        ("my gift ideas note", "Gift ideas"),
        ("gift", "Gift ideas"),
        ("boiler", "Boiler"),
        ("the warranty", "Boiler warranty"),
    ],
)
def test_a_note_is_found(services: Services, words: str, title: str) -> None:
    result: Any = act(services, tools.read_note, note=words)[0]
    assert result == {"title": title, "text": NOTES[title]}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("groceries", "Groceries"),
        ("my grocery list", "Groceries"),
        ("todo", "To-do"),
        ("the to-do list", "To-do"),
        ("to do", "To-do"),
    ],
)
def test_a_list_is_found(services: Services, words: str, name: str) -> None:
    result: Any = act(services, tools.show_list, list=words)[0]
    assert result == {"list": name, "items": LISTS[name]}


def test_what_is_not_clear(services: Services) -> None:
    with pytest.raises(ToolError, match=r"no list called 'party'.*There are: Groceries, To-do"):
        act(services, tools.show_list, list="party")
    with pytest.raises(ToolError, match="which list"):
        act(services, tools.add_to_list, list="my list", items=["x"])
    with pytest.raises(ToolError, match="no note called"):
        act(services, tools.delete_note, note="o")
    with pytest.raises(ToolError, match="in words"):
        act(services, tools.delete_list, list="")
    with pytest.raises(ToolError, match="already a note called Boiler"):
        act(services, tools.create_note, title="boiler", text="x")
    with pytest.raises((ToolError, SchemaError)):
        act(services, tools.add_to_list, list="todo", items=[3])


def test_reading(services: Services) -> None:
    assert act(services, tools.show_list)[0] == {"lists": ["Groceries", "To-do"]}
    result: Any = act(services, tools.find_notes, query="tuesday")[0]
    assert result == {"notes": [{"title": "Boiler", "begins": "comes Tuesday"}]}
    assert len(act(services, tools.find_notes)[0]["notes"]) == 3  # type: ignore[index, arg-type, call-overload]


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("create_note", {"title": "Wi/fi", "text": "tulip"}, {"created": "Wi-fi"}),
        ("append_to_note", {"note": "gift", "text": "a rook"}, {"added_to": "Gift ideas"}),
        ("delete_note", {"note": "gift"}, {"deleted": "Gift ideas"}),
        (
            "add_to_list",
            {"list": "shopping list for grocery", "items": ["tea"]},
            {"new_list": "shopping list for grocery", "items": ["tea"]},
        ),
        (
            "add_to_list",
            {"list": "my grocery list", "items": "Milk, tea; tea\nrice"},
            {"list": "Groceries", "added": ["tea", "rice"], "already_there": ["Milk"]},
        ),
        ("add_to_list", {"list": "the camping list"}, {"new_list": "camping", "items": []}),
        (
            "remove_from_list",
            {"list": "todo", "item": "vet"},
            {"list": "To-do", "removed": "call the vet"},
        ),
        ("delete_list", {"list": "groceries"}, {"deleted": "Groceries"}),
    ],
)
def test_done_once_and_undone(
    services: Services, tool: str, arguments: dict[str, Any], result: Any
) -> None:
    definition = getattr(tools, tool)
    before = dump(services)
    got, undo = act(services, definition, "a1", **arguments)
    assert got == result
    after = dump(services)
    assert after != before
    with contextlib.suppress(ToolError):
        act(services, definition, "a1", **arguments)
    assert dump(services) == after
    undo()
    assert dump(services) == before


def test_declared() -> None:
    for tool in tools.TOOLS:
        assert 5 <= len(tool.examples) <= 10
        assert not tool.irreversible
