"""Contacts in memory: fast and deterministic, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from botpsy.services.contacts import Contact, from_json, to_json


class MemoryContacts:
    """A ``ContactsService`` that forgets."""

    def __init__(self, contacts: Iterable[Contact] = ()) -> None:
        self._contacts = {contact.id: contact for contact in contacts}

    def all(self) -> list[Contact]:
        return sorted(self._contacts.values(), key=lambda c: (c.name.casefold(), c.id))

    def get(self, id: str) -> Contact | None:
        return self._contacts.get(id)

    def save(self, contact: Contact) -> None:
        self._contacts[contact.id] = contact

    def delete(self, id: str) -> None:
        self._contacts.pop(id, None)

    def snapshot(self, key: str) -> str | None:
        contact = self._contacts.get(key)
        return json.dumps(to_json(contact)) if contact else None

    def restore(self, key: str, state: str | None) -> None:
        if state is None:
            self.delete(key)
        else:
            self._contacts[key] = from_json(json.loads(state))

    def dump(self) -> dict[str, Any]:
        return {id: to_json(contact) for id, contact in sorted(self._contacts.items())}
