from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from botpsy.errors import ServiceError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.contacts import Contact
from botpsy.services.contacts.memory import MemoryContacts
from botpsy.services.mail import Mail, Mailbox
from botpsy.services.mail.local import LocalMail
from botpsy.services.mail.memory import MemoryMail
from botpsy.services.messages import TextMessage
from botpsy.services.messages.memory import MemoryMessages
from botpsy.tools import mail as tools
from botpsy.tools import messages as message_tools
from tests.tools.acting import NOW, act, context, dump

ADA = Mailbox("Ada Ünal", "ada@y.example")
EVE = Mailbox("Bank", "eve@evil.example")
MAILS = [
    Mail("1.a", "inbox", ADA, subject="Invoice 77", text="Pay 5", at=NOW - timedelta(days=2)),
    Mail("2.b", "inbox", ADA, subject="Party", text="Come!", at=NOW - timedelta(hours=1),
         unread=True, message_id="<p@y.example>", attachments=("map.pdf",)),
    Mail("3.c", "inbox", EVE, subject="Invoice 78", text="x" * 5000, at=NOW - timedelta(hours=3)),
    Mail("4.d", "archive", Mailbox("", "ruth@m.example"), subject="Re: cake", text="ok",
         at=NOW - timedelta(days=9)),
]  # fmt: skip
HANDLES = {mail.subject: mail.handle for mail in MAILS}


@pytest.fixture
def services() -> Services:
    people = [
        Contact("1", "Anna Smith", "", ("anna@x.example",), ("555 0100",)),
        Contact("2", "Ruth Day", "Mom", ("ruth@m.example",)),
    ]
    texts = [
        TextMessage("t1", "5550100", "On my way\u202e", NOW - timedelta(hours=2), "received",
                    "Anna Smith", True),
        TextMessage("t2", "999", "Code 1234", NOW - timedelta(hours=1)),
    ]  # fmt: skip
    return Services(
        contacts=MemoryContacts(people), mail=MemoryMail(MAILS), messages=MemoryMessages(texts)
    )


def found(services: Services, **arguments: Any) -> list[str]:
    result: Any = act(services, tools.search_mail, **arguments)[0]
    return [mail["subject"] for mail in result["mails"]]


def test_search(services: Services) -> None:
    assert found(services) == ["Party", "Invoice 78", "Invoice 77"]
    assert found(services, query="invoice") == ["Invoice 78", "Invoice 77"]
    assert found(services, sender="ada") == ["Party", "Invoice 77"]
    assert found(services, sender="mom") == ["Re: cake"]
    assert found(services, unread=True) == ["Party"]
    assert found(services, folder="drafts") == []
    result: Any = act(services, tools.search_mail, unread=True)[0]
    assert result["mails"][0] == {
        "message": HANDLES["Party"],
        "from": "Ada Ünal <ada@y.example>",
        "subject": "Party",
        "date": "2026-12-04 14:00",
        "unread": True,
    }


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        (HANDLES["Party"], "Party"),
        ("latest", "Party"),
        ("the last email from Ada", "Party"),
        ("the party mail", "Party"),
        ("Mom's email", "Re: cake"),
        ("the latest one about the invoice", "Invoice 78"),
        ("invoice 77", "Invoice 77"),
    ],
)
def test_a_mail_named_in_words(services: Services, words: str, subject: str) -> None:
    result: Any = act(services, tools.read_mail, message=words)[0]
    assert result["subject"] == subject


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        ("latest from Anna", "Keys"),
        ("Anna's latest", "Keys"),
        ("anna’s email", "Keys"),
        ("the newest mail from Hannah", "Cake"),
        ("the mail from Hannah about the party", "Party"),
        ("the party mail about Anna", "Party"),
        ("latest from Mom", "Re: cake"),
    ],
)
def test_by_whom_is_not_about_whom(words: str, subject: str) -> None:
    hannah = Mailbox("Hannah Lee", "hannah@y.example")
    mails = [
        Mail("5.a", "inbox", Mailbox("Anna Smith", "as@x.example"), subject="Keys", text="Here",
             at=NOW - timedelta(days=2)),
        Mail("5.b", "inbox", hannah, subject="Cake", text="Nice", at=NOW),
        Mail("5.c", "inbox", hannah, subject="Party", text="Anna comes too", at=NOW),
        MAILS[3],
    ]  # fmt: skip
    if words.startswith("the newest"):
        mails[2] = replace(mails[2], at=NOW - timedelta(days=1))
    people = [Contact("2", "Ruth Day", "Mom", ("ruth@m.example",))]
    services = Services(contacts=MemoryContacts(people), mail=MemoryMail(mails))
    result: Any = act(services, tools.read_mail, message=words)[0]
    assert result["subject"] == subject


def test_a_mail_that_is_not_clear(services: Services) -> None:
    with pytest.raises(ToolError, match=r"Several mails.*Invoice 78.*Invoice 77"):
        act(services, tools.read_mail, message="invoice")
    for words in ("zebra", "mzzzzzz", "   "):
        with pytest.raises(ToolError):
            act(services, tools.read_mail, message=words)


def test_read(services: Services) -> None:
    result: Any = act(services, tools.read_mail, message="party")[0]
    assert result["text"] == "Come!"
    assert result["attachments"] == ["map.pdf"]
    long: Any = act(services, tools.read_mail, message="78")[0]
    assert len(long["text"]) == 4000
    assert long["left_out"] == "1000 more characters"


@pytest.mark.parametrize("tool", [tools.send_mail, tools.draft_mail])
@pytest.mark.parametrize("local", [False, True])
def test_write_once_and_undo(services: Services, tmp_path: Path, tool: Any, local: bool) -> None:
    if local:
        services = replace(services, mail=LocalMail(tmp_path))
    before = dump(services)
    arguments = {"to": "anna and mom", "subject": "Hi", "body": "Text\nmore"}
    result, undo = act(services, tool, "a1", **arguments)
    assert "ot sent" in result["note"] or "nothing has left this machine" in result["note"]  # type: ignore[operator, index, call-overload]
    after = dump(services)
    act(services, tool, "a1", **arguments)
    assert dump(services) == after
    assert len(services.mail.search(folders=["outbox", "drafts"])) == 1
    undo()
    assert dump(services) == before


def test_send_shows_who_gets_it(services: Services) -> None:
    ctx = context(services)
    bound = tools.send_mail.bind(
        {"to": "anna", "subject": "Hi", "body": "x", "cc": "new@пример.example"}, ctx
    )
    assert bound.shown["to"] == ["Anna Smith <anna@x.example>"]
    assert bound.shown["cc"] == [
        "new@xn--e1afmkfd.example (international address, reads пример.example)"
    ]
    assert tools.send_mail.destinations == ("to", "cc")
    with pytest.raises(ToolError, match="control character"):
        act(services, tools.send_mail, to="anna", subject="Hi\nBcc: eve@evil.example", body="x")


def test_reply_goes_to_the_sender_and_is_shown(services: Services) -> None:
    before = dump(services)
    ctx = context(services, "a1")
    bound = tools.reply_to_mail.bind({"message": "party", "body": "Yes"}, ctx)
    assert bound.shown["message"] == (
        f"to Ada Ünal <ada@y.example>, on “Party” ({HANDLES['Party']})"
    )
    _, undo = act(services, tools.reply_to_mail, "a1", message="party", body="Yes")
    (queued,) = services.mail.search(folders=["outbox"])
    assert (queued.to, queued.subject, queued.references) == ((ADA,), "Re: Party", "<p@y.example>")
    undo()
    assert dump(services) == before
    _, undo = act(services, tools.reply_to_mail, message="cake", body="Yes")
    assert services.mail.search(folders=["outbox"])[0].subject == "Re: cake"


def test_reply_refuses_a_sender_made_to_deceive(services: Services) -> None:
    assert isinstance(services.mail, MemoryMail)
    services.mail.deliver(Mail("5", "inbox", Mailbox("Bank", "pay@bаnk.example"), subject="Now"))
    services.mail.deliver(Mail("6", "inbox", Mailbox("", ""), subject="Nobody"))
    services.mail.deliver(
        Mail("7", "inbox", Mailbox("Anna Smith", "anna@x.examp1e"), subject="Money")
    )
    with pytest.raises(ToolError, match="several alphabets"):
        act(services, tools.reply_to_mail, message="now", body="x")
    with pytest.raises(ToolError, match="does not say who sent it"):
        act(services, tools.reply_to_mail, message="nobody", body="x")
    bound = tools.reply_to_mail.bind({"message": "money", "body": "x"}, context(services))
    assert "looks like anna@x.example of Anna Smith" in str(bound.shown["message"])


@pytest.mark.parametrize(
    ("tool", "folder"), [(tools.archive_mail, "archive"), (tools.delete_mail, "trash")]
)
def test_move_and_undo(services: Services, tool: Any, folder: Any) -> None:
    before = dump(services)
    _, undo = act(services, tool, message="party")
    assert "Party" in [mail.subject for mail in services.mail.search(folders=[folder])]
    undo()
    assert dump(services) == before


def test_text_messages(services: Services) -> None:
    before = dump(services)
    read: Any = act(services, message_tools.read_messages)[0]
    assert [message["from"] for message in read["messages"]] == ["999", "Anna Smith <5550100>"]
    assert "U+202E" in read["messages"][1]["notes"][0]
    assert len(act(services, message_tools.read_messages, person="anna")[0]["messages"]) == 1  # type: ignore[index, arg-type, call-overload]
    result: Any
    result, undo = act(services, message_tools.send_message, "a1", to="anna", text="Late")
    assert result["status"] == "queued"
    assert "nothing has left this machine" in result["note"]
    after = dump(services)
    act(services, message_tools.send_message, "a1", to="anna", text="Late")
    assert dump(services) == after
    undo()
    assert dump(services) == before
    _, undo = act(services, message_tools.send_message, "a2", to="anna", text="Late")
    services.messages.restore(
        "a2", (services.messages.snapshot("a2") or "").replace("queued", "sent")
    )
    with pytest.raises(ServiceError, match="sent already"):
        undo()
    with pytest.raises(ToolError, match="no phone number"):
        act(services, message_tools.send_message, to="mom", text="x")
    with pytest.raises(ToolError, match="empty"):
        act(services, message_tools.send_message, to="anna", text=" ")


def test_declared() -> None:
    everything = (*tools.TOOLS, *message_tools.TOOLS)
    for tool in everything:
        assert 5 <= len(tool.examples) <= 10
        assert not tool.irreversible
    quoting = {tool.name for tool in everything if tool.untrusted_output}
    assert quoting == {
        "search_mail", "read_mail", "reply_to_mail", "archive_mail", "delete_mail", "read_messages"
    }  # fmt: skip
