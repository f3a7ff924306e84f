"""Contacts: people and how to reach them.

``MemoryContacts`` serves worlds and tests; ``LocalContacts`` keeps a vCard file that other
programs can open. A contact's id is its record key; who creates a contact gives the id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from botpsy.services.base import Service


@dataclass(frozen=True, slots=True)
class Contact:
    """A person (or a firm). The first address and number are the preferred ones."""

    id: str
    name: str
    nickname: str = ""
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    address: str = ""
    birthday: str = ""
    note: str = ""


class ContactsService(Service, Protocol):
    """What every back end of the contacts does."""

    def all(self) -> list[Contact]:
        """Every contact, by name."""
        ...

    def get(self, id: str) -> Contact | None:
        """One contact."""
        ...

    def save(self, contact: Contact) -> None:
        """Add the contact, or replace the one with its id."""
        ...

    def delete(self, id: str) -> None:
        """Remove the contact; nothing happens when it is not there."""
        ...

    def dump(self) -> dict[str, Any]:
        """The whole state, to be compared."""
        ...


def to_json(contact: Contact) -> dict[str, Any]:
    """The contact as a JSON object, empty fields left out."""
    value: dict[str, Any] = json.loads(json.dumps(asdict(contact)))
    return {key: field for key, field in value.items() if field}


def from_json(value: dict[str, Any]) -> Contact:
    """The inverse of ``to_json``."""
    fields = {key: tuple(f) if isinstance(f, list) else f for key, f in value.items()}
    return Contact(**fields)  # type: ignore[arg-type]


def match(contacts: Iterable[Contact], words: str) -> list[Contact]:
    """The contacts that the words may mean, best kind of match only.

    Kinds, best first: the full name or nickname; the address or number; whole words of the name
    or nickname; beginnings of such words. "my", "our", "the", a possessive 's and letter case do
    not matter.
    """
    wanted = _plain(words)
    if not wanted:
        return []
    everyone = list(contacts)
    digits = _digits(words)
    for means in (_is_called, _has, _is_partly_called, _may_be):
        if found := [contact for contact in everyone if means(contact, wanted, digits)]:
            return found
    return []


def _is_called(contact: Contact, wanted: str, _digits: str) -> bool:
    return wanted in (_plain(contact.name), _plain(contact.nickname))


def _has(contact: Contact, wanted: str, digits: str) -> bool:
    return wanted in map(str.casefold, contact.emails) or (
        len(digits) >= 5 and digits in map(_digits, contact.phones)
    )


def _is_partly_called(contact: Contact, wanted: str, _digits: str) -> bool:
    names = (_plain(contact.name), _plain(contact.nickname))
    return any(set(wanted.split()) <= set(name.split()) for name in names)


def _may_be(contact: Contact, wanted: str, _digits: str) -> bool:
    return _starts(wanted, _plain(contact.name)) or _starts(wanted, _plain(contact.nickname))


def _plain(words: str) -> str:
    words = " ".join(words.replace("’", "'").casefold().replace(",", " ").split())
    return re.sub(r"^(my|our|the) ", "", words).removesuffix("'s").strip()


def _starts(wanted: str, name: str) -> bool:
    parts = name.split()
    return all(any(part.startswith(word) for part in parts) for word in wanted.split())


def _digits(text: str) -> str:
    """The digits of what may be a phone number; empty for anything with letters."""
    if any(char.isalpha() or char == "@" for char in text):
        return ""
    return "".join(char for char in text if char.isdigit())
