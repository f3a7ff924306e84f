"""Mail in memory: fast and deterministic, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from botpsy.errors import ServiceError, ToolError
from botpsy.services.mail import Folder, Mail, Mailbox, Outgoing, Status, matches

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class MemoryMail:
    """A ``MailService`` that forgets. Mails are given, or ``deliver``ed as time goes by.

    Args:
        account: an account is connected: what is sent leaves at once, and is kept in ``sent``.
        room: how many mails it holds, the trash not counted; when full, none can be written.
    """

    def __init__(
        self,
        mails: Iterable[Mail] = (),
        me: Mailbox = Mailbox("", "me@localhost"),
        *,
        account: bool = False,
        room: int | None = None,
    ) -> None:
        self._me = me
        self._account = account
        self._room = room
        self._mails: dict[str, Mail] = {}
        for mail in mails:
            self.deliver(mail)

    def deliver(self, mail: Mail) -> None:
        """A mail arrives (in whichever folder it says)."""
        self._mails[mail.id] = mail

    def search(
        self,
        words: str = "",
        senders: Collection[str] = (),
        unread: bool = False,
        folders: Sequence[Folder] = ("inbox",),
        limit: int = 20,
    ) -> list[Mail]:
        newest = sorted(self._mails.values(), key=lambda m: (m.at or _LONG_AGO, m.id), reverse=True)
        found = (m for m in newest if m.folder in folders and matches(m, words, senders, unread))
        return [mail for mail, _ in zip(found, range(limit), strict=False)]

    def get(self, handle: str) -> Mail:
        found = [mail for mail in self._mails.values() if mail.handle == handle]
        if len(found) != 1:
            raise ToolError(f"There is no single mail {handle!r}.", hint="Search for it first.")
        return found[0]

    def draft(self, mail: Outgoing, id: str) -> None:
        self._write(mail, id, "drafts")

    def send(self, mail: Outgoing, id: str) -> Status:
        self._write(mail, id, "sent" if self._account else "outbox")
        return "sent" if self._account else "queued"

    def move(self, id: str, folder: Folder) -> None:
        self._mails[id] = replace(self._mails[id], folder=folder)

    def snapshot(self, key: str) -> str | None:
        mail = self._mails.get(key)
        return json.dumps(_to_json(mail)) if mail else None

    def restore(self, key: str, state: str | None) -> None:
        if state is not None:
            self._mails[key] = _from_json(json.loads(state))
        elif (mail := self._mails.get(key)) is not None:
            if mail.folder == "sent":
                raise ServiceError("The mail has been sent already.")
            del self._mails[key]

    def dump(self) -> dict[str, Any]:
        return {id: _to_json(mail) for id, mail in sorted(self._mails.items())}

    def _write(self, mail: Outgoing, id: str, folder: Folder) -> None:
        if id in self._mails:
            return
        held = sum(kept.folder != "trash" for kept in self._mails.values())
        if self._room is not None and held >= self._room:
            raise ServiceError(
                f"The mailbox is full ({held} of {self._room} mails).", hint="Delete some first."
            )
        self._mails[id] = Mail(
            id, folder, self._me, mail.to, mail.cc, mail.subject, mail.text, mail.at,
            message_id=f"<{id}@botpsy.invalid>", references=mail.references,
        )  # fmt: skip


def _to_json(mail: Mail) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(asdict(mail), default=datetime.isoformat))
    return value


def _from_json(value: dict[str, Any]) -> Mail:
    people = {key: tuple(Mailbox(*pair) for pair in value[key]) for key in ("to", "cc")}
    return Mail(
        **{
            **value,
            **people,
            "sender": Mailbox(*value["sender"]),
            "at": datetime.fromisoformat(value["at"]) if value["at"] else None,
            "attachments": tuple(value["attachments"]),
            "notes": tuple(value["notes"]),
        }
    )
