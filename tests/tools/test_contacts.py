import pytest

from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.contacts import Contact
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.tools.contacts import (
    TOOLS,
    add_contact,
    delete_contact,
    find_contact,
    update_contact,
)
from tests.tools.acting import act, dump


@pytest.fixture
def services() -> Services:
    anna = Contact("1", "Anna Smith", "Annie", ("anna@x.example", "a2@x.example"), ("555",))
    return Services(contacts=MemoryContacts([anna, Contact("2", "Bob Ray", phones=("777",))]))


def test_find(services: Services) -> None:
    result, _ = act(services, find_contact, name="annie")
    assert result == {
        "contacts": [
            {
                "name": "Anna Smith",
                "nickname": "Annie",
                "emails": ["anna@x.example", "a2@x.example"],
                "phones": ["555"],
            }
        ]
    }
    assert act(services, find_contact, name="Zoe")[0] == {
        "contacts": [],
        "note": "No such contact.",
    }
    assert len(act(services, find_contact)[0]["contacts"]) == 2  # type: ignore[index, call-overload]


def test_add_once_and_undo(services: Services) -> None:
    before = dump(services)
    _, undo = act(services, add_contact, "a1", name=" Zoë\nX ", email="zoe at x dot example")
    after = dump(services)
    assert after["contacts"]["a1"] == {
        "id": "a1",
        "name": "Zoë X",
        "emails": ["zoe@x.example"],
    }
    act(services, add_contact, "a1", name="Zoë X", email="zoe@x.example")
    assert dump(services) == after
    undo()
    assert dump(services) == before


def test_a_second_of_the_same_name_is_refused(services: Services) -> None:
    with pytest.raises(ToolError, match="already a contact called Anna Smith"):
        act(services, add_contact, name="anna smith")
    with pytest.raises(ToolError, match="needs a name"):
        act(services, add_contact, name=" ")
    with pytest.raises(ToolError, match="not a mail address"):
        act(services, add_contact, name="Zoë", email="zoe")
    with pytest.raises(SchemaError):
        act(services, add_contact, name="Zoë", fax="1")


def test_update_and_undo(services: Services) -> None:
    before = dump(services)
    result, undo = act(
        services, update_contact, contact="anna", email="new@x.example", phone="556", nickname=""
    )
    assert result["now"] == {  # type: ignore[index, call-overload]
        "name": "Anna Smith",
        "emails": ["new@x.example", "a2@x.example"],
        "phones": ["556"],
    }
    undo()
    assert dump(services) == before
    with pytest.raises(ToolError, match="nothing to change"):
        act(services, update_contact, contact="anna", phone="555")


def test_delete_and_undo(services: Services) -> None:
    before = dump(services)
    _, undo = act(services, delete_contact, contact="Bob")
    assert "2" not in dump(services)["contacts"]
    undo()
    assert dump(services) == before
    with pytest.raises(ToolError, match="no contact"):
        act(services, delete_contact, contact="Zoe")


def test_declared() -> None:
    for tool in TOOLS:
        assert len(tool.examples) >= 5
        assert not tool.irreversible
        assert tool.service == "contacts"
