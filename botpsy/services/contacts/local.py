"""Contacts in a vCard file on disk, shared with other programs.

The file is read again whenever it was changed from outside, and replaced as a whole, with all
that we do not understand kept. A file that cannot be read is an error and is never overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.contacts import Contact
from botpsy.services.contacts.vcard import (
    Card,
    card_of,
    contact_of,
    key_of,
    read_cards,
    write_cards,
)
from botpsy.services.storage import explained, locked, write_atomically


class LocalContacts:
    """A ``ContactsService`` over one ``.vcf`` file; the file is made with the first contact."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._cards: list[Card] = []
        self._contacts: list[Contact] = []

    def all(self) -> list[Contact]:
        cards = self._read()
        if len(self._contacts) != len(cards):
            contacts = (contact_of(card) for card in cards)
            self._contacts = sorted(contacts, key=lambda c: (c.name.casefold(), c.id))
        return list(self._contacts)

    def get(self, id: str) -> Contact | None:
        card = self._find(id)
        return contact_of(card) if card else None

    def save(self, contact: Contact) -> None:
        self._change(contact.id, lambda old: card_of(contact, old))

    def delete(self, id: str) -> None:
        self._change(id, lambda _: None)

    def snapshot(self, key: str) -> str | None:
        card = self._find(key)
        return write_cards([card]).decode() if card else None

    def restore(self, key: str, state: str | None) -> None:
        cards = read_cards(state.encode(), "the kept copy") if state else []
        self._change(key, lambda _: cards[0] if cards else None)

    def dump(self) -> dict[str, Any]:
        return {key_of(card): write_cards([card]).decode() for card in self._read()}

    def _find(self, key: str) -> Card | None:
        return next((card for card in self._read() if key_of(card) == key), None)

    def _read(self) -> list[Card]:
        with explained(f"The contacts file {self._path} cannot be read"):
            try:
                stat = self._path.stat()
            except FileNotFoundError:
                self._stamp, self._cards, self._contacts = None, [], []
                return []
            stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if stamp != self._stamp:
                self._cards = read_cards(self._path.read_bytes(), str(self._path))
                self._stamp, self._contacts = stamp, []
        return self._cards

    def _change(self, key: str, new: Callable[[Card | None], Card | None]) -> None:
        """Replace the card in its place, append a new one, or drop it."""
        with explained(f"The contacts file {self._path} cannot be written"), locked(self._path):
            self._stamp = None  # within one tick of the clock two changes look alike
            cards = list(self._read())
            at = next((i for i, card in enumerate(cards) if key_of(card) == key), len(cards))
            card = new(cards[at] if at < len(cards) else None)
            changed = cards[:at] + ([card] if card else []) + cards[at + 1 :]
            if changed != cards:
                data = write_cards(changed)
                if read_cards(data, "") != changed:
                    raise ServiceError("A contact holds text that a vCard cannot.")
                write_atomically(self._path, data)
                self._stamp = None
