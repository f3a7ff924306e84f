"""One contract, every back end; then what is particular to the vCard file."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ServiceError
from botpsy.services.base import Service
from botpsy.services.contacts import Contact, ContactsService, match
from botpsy.services.contacts.local import LocalContacts
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.services.contacts.vcard import (
    card_of,
    contact_of,
    key_of,
    read_cards,
    write_cards,
)

ANNA = Contact("a1", "Anna Smith", "Annie", ("anna@x.example", "a@y.example"), ("+1 555 0100",))
BOB = Contact("b1", "Bob Ray", address="1, Main St; back", birthday="1980-02-29", note="a\nb, c")


@pytest.fixture(params=["memory", "local"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], ContactsService]:
    if request.param == "memory":
        return MemoryContacts
    return lambda: LocalContacts(tmp_path / "contacts.vcf")


def test_contract(make: Callable[[], ContactsService]) -> None:
    contacts = make()
    assert isinstance(contacts, Service)
    assert contacts.all() == []
    assert contacts.get("a1") is None
    contacts.save(BOB)
    contacts.save(ANNA)
    contacts.save(ANNA)
    assert contacts.all() == [ANNA, BOB]
    assert contacts.get("b1") == BOB
    new = replace(ANNA, phones=("1", "2"), emails=("a@y.example",), nickname="", name="Anna Jones")
    contacts.save(new)
    assert contacts.get("a1") == new
    contacts.delete("a1")
    contacts.delete("a1")
    assert contacts.all() == [BOB]


def test_snapshot_and_restore(make: Callable[[], ContactsService]) -> None:
    contacts = make()
    contacts.save(ANNA)
    before = contacts.dump()
    state, nothing = contacts.snapshot("a1"), contacts.snapshot("b1")
    assert nothing is None
    contacts.save(replace(ANNA, note="x"))
    contacts.save(BOB)
    for _ in range(2):
        contacts.restore("a1", state)
        contacts.restore("b1", nothing)
        assert contacts.dump() == before
        assert contacts.snapshot("a1") == state
    contacts.delete("a1")
    contacts.restore("a1", state)
    assert contacts.dump() == before


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Anna", ["Anna Smith", "Anna Sorel"]),
        ("Anna S", ["Anna Smith", "Anna Sorel"]),
        ("ann", ["Anna Smith", "Anna Sorel", "Annabel Lee"]),
        ("anna smith", ["Anna Smith"]),
        ("Smith, Anna", ["Anna Smith"]),
        ("my Mom's", ["Ruth Day"]),
        ("mom", ["Ruth Day"]),
        ("the Mom", ["Ruth Day"]),
        ("a@x.example", ["Anna Smith"]),
        ("(555) 010-0", ["Anna Smith"]),
        ("Ann S", ["Anna Smith", "Anna Sorel"]),
        ("nobody", []),
        ("", []),
        ("  my ", []),
    ],
)
def test_match(words: str, names: list[str]) -> None:
    people = [
        Contact("1", "Anna Smith", emails=("A@X.example",), phones=("5550100",)),
        Contact("2", "Anna Sorel"),
        Contact("3", "Ruth Day", "Mom"),
        Contact("4", "Momir Ilic"),
        Contact("5", "Annabel Lee"),
    ]
    assert [contact.name for contact in match(people, words)] == names


FOREIGN = (
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Smith;Anna;;;\r\nFN:Anna Smith\r\n"
    "item1.EMAIL;TYPE=INTERNET,HOME:first@x.example\r\nEMAIL;type=INTERNET;type=pref:pref@x.exa\r\n"
    " mple\r\nX-ABLABEL;X=\"a:b;c\":weird \\, value\r\nPHOTO;ENCODING=b:AAAA\r\nUID:u-1\r\n"
    "END:VCARD\r\n"
    "begin:vcard\nversion:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg=\n"
    "en\nTEL;PREF;CELL:123\nend:vcard\n"
)  # fmt: skip


def test_a_file_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "contacts.vcf"
    path.write_bytes(FOREIGN.encode())
    contacts = LocalContacts(path)
    anna, joerg = sorted(contacts.all(), key=lambda c: c.name)
    assert anna == Contact("u-1", "Anna Smith", emails=("pref@x.example", "first@x.example"))
    assert joerg.name == "Müller Jörgen"
    assert joerg.phones == ("123",)
    before = contacts.dump()
    state = contacts.snapshot("u-1")
    contacts.save(replace(anna, phones=("555",), emails=("new@x.example", "first@x.example")))
    text = path.read_bytes().decode()
    for kept in ('X-ABLABEL;X="a:b;c":weird \\, value', "PHOTO;ENCODING=b:AAAA", "N:Smith;Anna;;;"):
        assert kept in text
    assert LocalContacts(path).get("u-1").emails == ("new@x.example", "first@x.example")  # type: ignore[union-attr]
    contacts.restore("u-1", state)
    assert contacts.dump() == before
    with pytest.raises(ServiceError, match=r"vCard 2\.1"):
        contacts.save(replace(joerg, note="x"))


def test_a_card_without_uid_keeps_its_key_when_changed(tmp_path: Path) -> None:
    path = tmp_path / "contacts.vcf"
    path.write_text("BEGIN:VCARD\nVERSION:4.0\nFN:Bo\nEND:VCARD\n")
    contacts = LocalContacts(path)
    before = contacts.dump()
    (bo,) = contacts.all()
    state = contacts.snapshot(bo.id)
    contacts.save(replace(bo, phones=("1",)))
    assert contacts.all() == [replace(bo, phones=("1",))]
    contacts.restore(bo.id, state)
    assert contacts.dump() == before


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"hello", "line 1: not a property"),
        (b"BEGIN:VCARD\nFN:A\n", "no end"),
        (b"BEGIN:VCARD\nBEGIN:VCARD\n", "line 2: a card begins inside"),
        (b"FN:A\n", "line 1: text outside"),
        (b"BEGIN:VCARD\nFN:\xff\xfe\n", "line 2: not UTF-8"),
        (b"BEGIN:VCARD\nno colon\nEND:VCARD\n", "line 2: not a property"),
        (bytes(range(256)), "line"),
    ],
)
def test_an_unreadable_file_is_left_alone(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "contacts.vcf"
    path.write_bytes(data)
    contacts = LocalContacts(path)
    for use in (contacts.all, lambda: contacts.save(ANNA), lambda: contacts.delete("a1")):
        with pytest.raises(ServiceError, match=problem):
            use()
    assert path.read_bytes() == data


def test_changes_from_outside_are_seen_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "contacts.vcf"
    ours, other = LocalContacts(path), LocalContacts(path)
    ours.save(ANNA)
    assert other.all() == [ANNA]
    other.save(BOB)
    ours.save(replace(ANNA, note="n"))
    assert other.all() == [replace(ANNA, note="n"), BOB]


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "contacts.vcf"
    contacts = LocalContacts(path)
    contacts.save(ANNA)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ServiceError, match="disk is full"):
        contacts.save(BOB)
    assert path.read_bytes() == before
    assert contacts.all() == [ANNA]


chars = st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\\;,:")
text = st.text(chars, max_size=60).map(str.strip)
people = st.builds(
    Contact,
    id=st.just("id-1"),
    name=text.filter(bool),
    nickname=text,
    emails=st.lists(text.filter(bool), max_size=3, unique=True).map(tuple),
    phones=st.lists(st.from_regex(r"\+?[0-9 ]{1,9}[0-9]", fullmatch=True), unique=True, max_size=2)
    .map(lambda phones: tuple(dict.fromkeys(p.strip() for p in phones))),
    address=text,
    birthday=text,
    note=text,
)  # fmt: skip


@given(people, people)
def test_cards_hold_any_text(one: Contact, two: Contact) -> None:
    card = card_of(one)
    assert contact_of(card) == one
    changed = card_of(two, card)
    assert contact_of(changed) == two
    data = write_cards([card, changed])
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    assert read_cards(data, "") == [card, changed]


@given(st.binary(max_size=200) | st.text(st.sampled_from(list("BEGINVCARD:END\n;= ,\\\"")))
       .map(lambda t: ("BEGIN:VCARD\n" + t + "\nEND:VCARD").encode()))  # fmt: skip
def test_reading_any_bytes_gives_cards_or_a_clear_error(data: bytes) -> None:
    try:
        cards: Any = read_cards(data, "f")
    except ServiceError as error:
        assert "line" in error.message
        return
    assert read_cards(write_cards(cards), "f") == cards
    assert all(contact_of(card).id == key_of(card) for card in cards)
