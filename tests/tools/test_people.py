"""A name becomes exactly one address, or an error that helps; no address passes for another."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import JsonObject
from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.contacts import Contact
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.services.text import hidden_positions
from botpsy.tools.base import Bound, Context, tool
from botpsy.tools.people import (
    EmailAddress,
    PhoneNumber,
    PhoneRecipient,
    Recipient,
    Recipients,
    mail_address,
)
from tests.tools.acting import context

SERVICES = Services(
    contacts=MemoryContacts(
        [
            Contact("1", "Anna Smith", "Annie", ("anna@x.example", "a2@x.example"), ("555 01-00",)),
            Contact("2", "Anna Sorel", "", ("sorel@x.example",)),
            Contact("3", "Ruth Day", "Mom", ("ruth@mail.example",), ("+1 (555) 0101",)),
            Contact("4", "Smith and Sons", "", ("firm@x.example",)),
            Contact("5", "No Mail"),
        ]
    )
)


@tool
def probe(
    ctx: Context,
    to: Annotated[Recipient | None, "one"] = None,
    many: Annotated[Recipients | None, "many"] = None,
    phone: Annotated[PhoneRecipient | None, "phone"] = None,
    email: EmailAddress | None = None,
    number: PhoneNumber | None = None,
) -> JsonObject:
    """Show what the arguments become."""
    return {}


def bind(services: Services = SERVICES, **arguments: Any) -> Bound:
    return probe.bind(arguments, context(services))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("anna smith", "Anna Smith <anna@x.example>"),
        ("Annie", "Anna Smith <anna@x.example>"),
        ("my mom", "Ruth Day <ruth@mail.example>"),
        ("ruth@mail.example", "Ruth Day <ruth@mail.example>"),
        ("Eve <ruth@mail.example>", "Ruth Day <ruth@mail.example>"),
        ("new@y.example", "new@y.example"),
        ("Neo New <new@Y.example>", "Neo New <new@y.example>"),
        ("dan at mail dot example", "dan@mail.example"),
        ("Smith and Sons", "Smith and Sons <firm@x.example>"),
    ],
)
def test_one_person(words: str, shown: str) -> None:
    bound = bind(to=words)
    assert bound.shown == {"to": shown}
    assert bind(to=shown).values["to"].address == bound.values["to"].address


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("Anna", r"Several.*Anna Smith <anna@x.example>.*Anna Sorel"),
        ("Ana Smith", r"no contact.*Did you mean Anna Smith"),
        ("Zorro", r"no contact called 'Zorro'"),
        ("No Mail", r"No Mail has no mail address"),
        ("  ", "in words"),
        (7, "in words"),
        ("not@", "not a mail address"),
        ("@x.example", "not a mail address"),
        ("a b@x.example", "not a mail address"),
        ("a@x.example\nBcc: b@y.example", "hidden characters"),
        ("a@x.example, b@y.example", "not a mail address"),
        ("an\u200bna@x.example", r"<U\+200B ZERO.*refused"),
        ("anna@x.exa\u202emple", "refused"),
        ("аnna@x.example", "not plain ASCII"),  # Cyrillic а
        ("anna@pаypal.example", "several alphabets"),  # Cyrillic а
        ("anna@exαmple.org", "several alphabets"),  # Greek alpha
    ],
)
def test_no_person(words: Any, problem: str) -> None:
    with pytest.raises(ToolError, match=problem):
        bind(to=words)


@pytest.mark.parametrize(
    ("words", "address", "note"),
    [
        ("anna@пример.example", "anna@xn--e1afmkfd.example", "reads пример.example"),
        ("anna@xn--e1afmkfd.example", "anna@xn--e1afmkfd.example", "reads пример.example"),
        ("anna@bücher.example", "anna@xn--bcher-kva.example", "reads bücher.example"),
        ("ruth@rnail.example", "ruth@rnail.example", "looks like ruth@mail.example of Ruth Day"),
        ("ruth@mai1.example", "ruth@mai1.example", "looks like ruth@mail.example"),
    ],
)
def test_look_alikes_are_shown_for_what_they_are(words: str, address: str, note: str) -> None:
    person = bind(to=words).values["to"]
    assert person.address == address
    assert note in person.note
    assert note in str(person)
    assert note not in person.mailbox


@pytest.mark.parametrize(
    ("words", "people"),
    [
        ("anna smith, mom", 2),
        ("Annie and my mom", 2),
        ("Annie; new@y.example and mom", 3),
        ("Smith and Sons", 1),
        (["Annie", "mom"], 2),
        ("mom, ruth@mail.example", 1),
    ],
)
def test_several_people(words: Any, people: int) -> None:
    assert len(bind(many=words).values["many"]) == people


def test_several_people_one_unknown() -> None:
    with pytest.raises(ToolError, match="Zorro"):
        bind(many="Annie and Zorro")
    with pytest.raises((ToolError, SchemaError)):
        bind(many=[])


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("mom", "Ruth Day <+15550101>"),
        ("555 0100", "Anna Smith <5550100>"),
        ("+49 (171) 55-501", "+4917155501"),
    ],
)
def test_phone(words: str, shown: str) -> None:
    assert bind(phone=words).shown == {"phone": shown}
    assert bind(phone=shown).shown == {"phone": shown}


def test_no_phone() -> None:
    with pytest.raises(ToolError, match="no phone number"):
        bind(phone="sorel")


def test_without_contacts_addresses_still_work() -> None:
    assert bind(Services(), to="a@x.example").shown == {"to": "a@x.example"}
    with pytest.raises(ToolError, match="No contacts is connected"):
        bind(Services(), to="Anna")


def test_plain_values() -> None:
    assert bind(email="A.B@X.Example", number="+1 (555) 0100").shown == {
        "email": "A.B@x.example",
        "number": "+1 (555) 0100",
    }
    with pytest.raises(ToolError, match="not a phone number"):
        bind(number="call me")


@given(st.text(max_size=30) | st.from_regex(r"\S{1,5}@\S{1,9}", fullmatch=True))
def test_an_address_that_passes_is_plain_ascii(text: str) -> None:
    try:
        address = mail_address(text)
    except ToolError as error:
        assert hidden_positions(error.message) == [] or not hidden_positions(text)
        return
    assert address.isascii()
    assert address.isprintable()
    assert " " not in address
    assert mail_address(address) == address
