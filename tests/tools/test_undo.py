"""Whatever is done by these tools, in whatever order, undo leads back to where it began."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy.errors import ToolError
from botpsy.services.bundle import Services
from botpsy.services.contacts import Contact
from botpsy.services.contacts.local import LocalContacts
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.services.files.local import LocalFiles
from botpsy.services.files.memory import MemoryFiles
from botpsy.services.mail import Mail, Mailbox
from botpsy.services.mail.local import LocalMail
from botpsy.services.mail.memory import MemoryMail
from botpsy.services.messages.local import LocalMessages
from botpsy.services.messages.memory import MemoryMessages
from botpsy.services.notes.local import LocalNotes
from botpsy.services.notes.memory import MemoryNotes
from botpsy.tools import contacts, files, mail, messages, notes
from botpsy.tools.base import ToolDef
from tests.services.test_files import SEED, write_seed
from tests.services.test_mail import put
from tests.tools.acting import NOW, act, dump

PEOPLE = [
    Contact("1", "Anna Smith", "Annie", ("anna@x.example",), ("555 0100",)),
    Contact("2", "Bob Ray", "", (), ("777",), note="two\nlines; and, commas"),
]
MAILS = [
    Mail(
        f"170000000{n}.x",
        "inbox",
        Mailbox("Ada", "ada@y.example"),
        subject=subject,
        at=NOW,
        unread=n == 1,
        message_id=f"<{n}@y.example>",
    )
    for n, subject in enumerate(["Party", "Invoice"])
]


def in_memory() -> Services:
    return Services(
        contacts=MemoryContacts(PEOPLE),
        files=MemoryFiles(SEED, ("/home/u/Documents", "/home/u/Downloads")),
        mail=MemoryMail(MAILS),
        messages=MemoryMessages(),
        notes=MemoryNotes({"Ideas": "fly"}, {"shopping": ["milk"]}),
    )


def on_disk(base: Path) -> Services:
    write_seed(base)
    for one in MAILS:
        put(base / "mail", one)
    services = Services(
        contacts=LocalContacts(base / "contacts.vcf"),
        files=LocalFiles([base / "Documents", base / "Downloads"], base / "state"),
        mail=LocalMail(base / "mail"),
        messages=LocalMessages(base / "messages"),
        notes=LocalNotes(base / "notes"),
    )
    for person in PEOPLE:
        services.contacts.save(person)
    services.notes.create("note", "Ideas", "# Ideas\n\nfly\n")
    services.notes.create("list", "shopping", "- [ ] milk\n")
    return services


@contextmanager
def world(kind: str) -> Iterator[Services]:
    if kind == "memory":
        yield in_memory()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield on_disk(Path(folder))


person = st.sampled_from(["Anna Smith", "Bob Ray", "Zoë", "new@z.example", "555 0100"])
text = st.sampled_from(["x", "two\nlines", "é🎉", "  padded ", "- [ ] item"])
path = st.sampled_from(
    ["letter.md", "Budget_2026.txt", "Work", "Work/plan.txt", "new.txt", "Work/new.txt",
     "photo.jpg",
     "Downloads", "Holiday", "Downloads/Empty/x", "data.bin"]
)  # fmt: skip
item = st.sampled_from(["milk", "eggs", "tea"])
list_name = st.sampled_from(["shopping", "camping"])
title = st.sampled_from(["Ideas", "New", "gift"])
words = st.sampled_from(["party", "invoice", "latest"])

Call = tuple[ToolDef, dict[str, Any]]


CALLS: list[tuple[ToolDef, dict[str, st.SearchStrategy[Any]]]] = [
    (contacts.add_contact, {"name": person, "email": st.just("n@x.example"), "note": text}),
    (contacts.update_contact, {"contact": person, "phone": st.just("123"), "note": text}),
    (contacts.delete_contact, {"contact": person}),
    (mail.draft_mail, {"to": person, "subject": item, "body": text}),
    (mail.send_mail, {"to": person, "subject": item, "body": text}),
    (mail.reply_to_mail, {"message": words, "body": text}),
    (mail.archive_mail, {"message": words}),
    (mail.delete_mail, {"message": words}),
    (messages.send_message, {"to": person, "text": text}),
    (files.create_file, {"path": path, "text": text}),
    (files.append_to_file, {"path": path, "text": text}),
    (files.rewrite_file, {"path": path, "text": text}),
    (files.move_file, {"path": path, "to": path}),
    (files.copy_file, {"path": path, "to": path}),
    (files.delete_file, {"path": path}),
    (files.make_folder, {"path": path}),
    (notes.create_note, {"title": title, "text": text}),
    (notes.append_to_note, {"note": title, "text": text}),
    (notes.delete_note, {"note": title}),
    (notes.add_to_list, {"list": list_name, "items": st.lists(item)}),
    (notes.remove_from_list, {"list": st.just("shopping"), "item": item}),
    (notes.delete_list, {"list": list_name}),
]  # fmt: skip
calls = st.sampled_from(CALLS).flatmap(
    lambda one: st.tuples(st.just(one[0]), st.fixed_dictionaries(one[1]))
)


@pytest.mark.parametrize("kind", ["memory", "disk"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(todo=st.lists(calls, min_size=1, max_size=6))
def test_undo_leads_back(kind: str, todo: list[Call]) -> None:
    with world(kind) as services:
        states: list[dict[str, Any]] = []
        undos: list[Callable[[], None]] = []
        for tool, arguments in todo:
            before = dump(services)
            try:
                _, undo = act(services, tool, **arguments)
            except ToolError:
                assert dump(services) == before, "what failed changed nothing"
                continue
            after = dump(services)
            undo()
            assert dump(services) == before
            _, undo = act(services, tool, **arguments)
            if not isinstance(services.files, LocalFiles):  # times differ on a disk
                assert _without_ids(dump(services)) == _without_ids(after)
            states.append(before)
            undos.append(undo)
        for before, undo in zip(reversed(states), reversed(undos), strict=True):
            undo()
            undo()
            assert dump(services) == before


def _without_ids(state: dict[str, Any]) -> str:
    """New records are named by their action, and each run is an action of its own."""
    return re.sub(r"act\d+", "act", repr(state))


def test_every_tool_that_writes_is_tried() -> None:
    everything = (contacts, files, mail, messages, notes)
    writing = {t.name for module in everything for t in module.TOOLS if t.effect != "read"}
    assert {tool.name for tool, _ in CALLS} == writing
