"""One contract, every back end; then Maildirs of other programs."""

from __future__ import annotations

import errno
import json
import mailbox
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from botpsy.errors import ServiceError, ToolError
from botpsy.services.base import Service
from botpsy.services.mail import FOLDERS, Mail, Mailbox, MailService, Outgoing, handle_of
from botpsy.services.mail.local import LocalMail
from botpsy.services.mail.memory import MemoryMail

ANNA = Mailbox("Anna Smith", "anna@x.example")
AT = datetime(2026, 12, 4, 15, 0, tzinfo=UTC)
LUNCH = Outgoing((ANNA,), "Lunch?", "Friday at noon?\nBob", AT, cc=(Mailbox("", "c@x.example"),))


def received(n: int, subject: str, unread: bool = True) -> Mail:
    """The same mails for every back end."""
    return Mail(
        f"{1700000000 + n}.{n}.host", "inbox", Mailbox("Ünal, Ada", "ada@y.example"),
        (Mailbox("", "me@localhost"),), subject=subject, text=f"Text {n}",
        at=datetime.fromtimestamp(1700000000 + n, UTC), unread=unread,
        message_id=f"<{n}@y.example>",
    )  # fmt: skip


def put(root: Path, mail: Mail) -> None:
    folder = root / ("new" if mail.unread else "cur")
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True, exist_ok=True)
    assert mail.at
    (folder / (mail.id + ("" if mail.unread else ":2,S"))).write_text(
        "From: =?utf-8?q?=C3=9Cnal=2C_Ada?= <ada@y.example>\nTo: me@localhost\n"
        f"Subject: {mail.subject}\nDate: {mail.at:%a, %d %b %Y %H:%M:%S +0000}\n"
        f"Message-ID: {mail.message_id}\n\n{mail.text}\n"
    )


MAILS = [received(1, "Invoice 77", unread=False), received(2, "Party"), received(3, "Invoice 78")]


@pytest.fixture(params=["memory", "local"])
def mail(request: pytest.FixtureRequest, tmp_path: Path) -> MailService:
    if request.param == "memory":
        return MemoryMail(MAILS)
    for one in MAILS:
        put(tmp_path, one)
    return LocalMail(tmp_path)


def test_reading(mail: MailService) -> None:
    assert isinstance(mail, Service)
    assert mail.search() == [MAILS[2], MAILS[1], MAILS[0]]
    assert mail.search("invoice") == [MAILS[2], MAILS[0]]
    assert mail.search("INVOICE text", unread=True) == [MAILS[2]]
    assert mail.search(senders=["ünal"], limit=1) == [MAILS[2]]
    assert mail.search(senders=["nobody", "ada@y.example"], limit=9) == MAILS[::-1]
    assert mail.search(senders=["nobody"]) == []
    assert mail.search(folders=["archive", "trash"]) == []
    assert mail.get(MAILS[0].handle) == MAILS[0]
    with pytest.raises(ToolError, match="no single mail"):
        mail.get("mxxxxxx")


def test_writing_happens_once(mail: MailService) -> None:
    for _ in range(2):
        assert mail.send(LUNCH, "act1") == "queued"
        mail.draft(replace(LUNCH, subject="Grüße 🎉"), "act2")
    (queued,) = mail.search(folders=["outbox"])
    (draft,) = mail.search(folders=["drafts"])
    assert (queued.id, queued.subject, queued.to, queued.cc) == (
        "act1",
        "Lunch?",
        (ANNA,),
        LUNCH.cc,
    )
    assert queued.text.strip() == LUNCH.text
    assert queued.at == AT
    assert not queued.unread
    assert draft.subject == "Grüße 🎉"
    assert mail.get(handle_of("act1")).id == "act1"


def test_an_answer_joins_the_thread(mail: MailService) -> None:
    question = mail.get(MAILS[1].handle)
    mail.send(replace(LUNCH, answers=question), "act1")
    assert mail.get(handle_of("act1")).references == question.message_id


def test_undo(mail: MailService) -> None:
    before = mail.dump()
    keys = ["act1", "act2", MAILS[0].id, MAILS[1].id]
    states = {key: mail.snapshot(key) for key in keys}
    assert states["act1"] is None
    mail.send(LUNCH, "act1")
    mail.draft(LUNCH, "act2")
    mail.move(MAILS[0].id, "archive")
    mail.move(MAILS[1].id, "trash")
    queued = mail.snapshot("act1")
    assert {m.folder for m in mail.search(folders=FOLDERS)} == {
        "inbox", "archive", "trash", "drafts", "outbox"
    }  # fmt: skip
    for _ in range(2):
        for key, state in states.items():
            mail.restore(key, state)
            assert mail.snapshot(key) == state
        assert mail.dump() == before
    mail.restore("act1", queued)
    assert mail.snapshot("act1") == queued


def test_sent_mail_cannot_be_called_back(mail: MailService) -> None:
    mail.send(LUNCH, "act1")
    mail.move("act1", "sent")
    with pytest.raises(ServiceError, match="sent already"):
        mail.restore("act1", None)


def test_with_an_account_it_leaves_at_once() -> None:
    mail = MemoryMail(account=True)
    assert mail.send(LUNCH, "act1") == "sent"
    assert mail.dump()["act1"]["folder"] == "sent"
    with pytest.raises(ServiceError, match="sent already"):
        mail.restore("act1", None)


def test_a_full_mailbox_takes_nothing_until_something_goes() -> None:
    mail = MemoryMail(MAILS, room=3)
    before = mail.dump()
    for write in (mail.send, mail.draft):
        with pytest.raises(ServiceError, match=r"full \(3 of 3 mails\)\. Delete some"):
            write(LUNCH, "act1")
    assert mail.dump() == before
    mail.move(MAILS[0].id, "trash")
    assert mail.send(LUNCH, "act1") == "queued"
    assert mail.send(LUNCH, "act1") == "queued"


@pytest.mark.parametrize("bad", ["a\nBcc: x@y.example", "a\r\nX: y", "a\x00b", "a\u2028b"])
def test_header_injection_is_refused(bad: str) -> None:
    with pytest.raises(ToolError, match="control character"):
        replace(LUNCH, subject=bad)
    with pytest.raises(ToolError, match="control character"):
        replace(LUNCH, to=(Mailbox(bad, "a@x.example"),))


def test_other_programs_can_read_what_we_write(tmp_path: Path) -> None:
    mail = LocalMail(tmp_path / "Mail")
    mail.send(replace(LUNCH, to=(Mailbox('O"Neil, Zoë', "z@x.example"),)), "act1")
    mail.draft(LUNCH, "act2")
    box = mailbox.Maildir(tmp_path / "Mail")
    assert sorted(box.list_folders()) == ["Drafts", "Outbox"]
    ((key, message),) = box.get_folder("Outbox").items()
    assert key == "act1"
    assert mail.get(handle_of("act1")).to == (Mailbox('O"Neil, Zoë', "z@x.example"),)
    assert message["Message-ID"] == "<act1@botpsy.invalid>"
    assert "D" in box.get_folder("Drafts")["act2"].get_flags()


def test_plain_folders_are_used_where_they_are(tmp_path: Path) -> None:
    for folder in ("INBOX", "Drafts"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / folder / part).mkdir(parents=True)
    put(tmp_path / "INBOX", MAILS[0])
    mail = LocalMail(tmp_path)
    assert mail.search() == [MAILS[0]]
    mail.draft(LUNCH, "act2")
    assert [p.name for p in (tmp_path / "Drafts" / "cur").iterdir()] == ["act2:2,DS"]


def test_read_by_another_program_is_seen(tmp_path: Path) -> None:
    put(tmp_path, MAILS[1])
    mail = LocalMail(tmp_path)
    assert mail.search(unread=True)
    (tmp_path / "new" / MAILS[1].id).rename(tmp_path / "cur" / f"{MAILS[1].id}:2,S")
    assert mail.search(unread=True) == []
    assert mail.get(MAILS[1].handle).unread is False


def test_a_huge_attachment_is_not_loaded(tmp_path: Path) -> None:
    put(tmp_path, MAILS[1])
    path = tmp_path / "new" / MAILS[1].id
    head = (
        b"From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: "
        b"text/plain\n\nsee film\n--b\nContent-Disposition: attachment; filename=film.mp4\n"
        b"Content-Transfer-Encoding: base64\n\n"
    )
    with path.open("wb") as file:
        file.write(head)
        file.truncate(300 << 20)  # sparse
    mail = LocalMail(tmp_path).get(MAILS[1].handle)
    assert mail.text == "see film"
    assert mail.attachments == ("film.mp4",)
    assert any("large (314572800 bytes)" in note for note in mail.notes)


def test_a_full_disk_sends_nothing_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = LocalMail(tmp_path)
    mail.draft(LUNCH, "act1")
    before = mail.dump()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ServiceError, match="disk is full"):
        mail.send(LUNCH, "act2")
    assert mail.dump() == before
    assert list((tmp_path / ".Outbox" / "tmp").iterdir()) == []


def test_a_mail_that_is_gone_cannot_be_put_back(tmp_path: Path) -> None:
    put(tmp_path, MAILS[0])
    mail = LocalMail(tmp_path)
    state = mail.snapshot(MAILS[0].id)
    assert state and "raw" not in json.loads(state)
    (tmp_path / "cur" / f"{MAILS[0].id}:2,S").unlink()
    with pytest.raises(ServiceError, match="another program"):
        mail.restore(MAILS[0].id, state)
