"""Mail: reading what came, keeping drafts, handing over what is to be sent.

``MemoryMail`` serves worlds and tests; ``LocalMail`` works on a Maildir. Neither has an account:
what is "sent" waits in the outbox until something delivers it, and says so. A back end with an
account implements ``MailService`` and answers ``send`` with the status ``sent``.

A mail's id is its record key; who creates a mail gives the id, and giving the same id twice makes
one mail. People and models see ``Mail.handle``, short and stable.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from botpsy.errors import ToolError
from botpsy.services.base import Service
from botpsy.services.text import plain_line, spell_hidden

Folder = Literal["inbox", "archive", "drafts", "outbox", "sent", "trash"]
FOLDERS: tuple[Folder, ...] = ("inbox", "archive", "drafts", "outbox", "sent", "trash")
Status = Literal["queued", "sent"]


class Mailbox(NamedTuple):
    """A person's name (may be empty) and address."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as read. ``notes`` say what a reader should know of its text (hidden parts, damage).

    ``at`` is zoned, or None where the mail has no readable date.
    """

    id: str
    folder: Folder
    sender: Mailbox
    to: tuple[Mailbox, ...] = ()
    cc: tuple[Mailbox, ...] = ()
    subject: str = ""
    text: str = ""
    at: datetime | None = None
    unread: bool = False
    attachments: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    message_id: str = ""
    references: str = ""

    @property
    def handle(self) -> str:
        """What people and models call this mail: ``m`` and six letters or digits."""
        return handle_of(self.id)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to be written; ``answers`` is the mail it replies to.

    Raises:
        ToolError: a header holds a line break or another control character.
    """

    to: tuple[Mailbox, ...]
    subject: str
    text: str
    at: datetime
    cc: tuple[Mailbox, ...] = ()
    answers: Mail | None = None

    def __post_init__(self) -> None:
        for what, value in (
            ("subject", self.subject),
            *(("recipient", str(person)) for person in (*self.to, *self.cc)),
        ):
            if any(ord(char) < 32 or char in "\x7f\x85\u2028\u2029" for char in value):
                shown = spell_hidden(value)
                raise ToolError(
                    f"The {what} {shown} has a line break or control character in it.",
                    hint="Write it on one line.",
                )

    @property
    def references(self) -> str:
        """The thread it belongs to (RFC 5322, 3.6.4)."""
        if self.answers is None:
            return ""
        return f"{self.answers.references} {self.answers.message_id}".strip()


class MailService(Service, Protocol):
    """What every back end of the mail does."""

    def search(
        self,
        words: str = "",
        senders: Collection[str] = (),
        unread: bool = False,
        folders: Sequence[Folder] = ("inbox",),
        limit: int = 20,
    ) -> list[Mail]:
        """Mails that ``matches``, the newest first; long texts may be cut."""
        ...

    def get(self, handle: str) -> Mail:
        """One mail, whole.

        Raises:
            ToolError: there is none, or more than one, with this handle.
        """
        ...

    def draft(self, mail: Outgoing, id: str) -> None:
        """Keep it in the drafts."""
        ...

    def send(self, mail: Outgoing, id: str) -> Status:
        """Send it, or queue it where no account is connected."""
        ...

    def move(self, id: str, folder: Folder) -> None:
        """Put a mail into another folder."""
        ...

    def dump(self) -> dict[str, Any]:
        """The whole state, to be compared."""
        ...


def handle_of(id: str) -> str:
    """``m`` and 30 bits of the id's sha256, in base 32."""
    return "m" + base64.b32encode(hashlib.sha256(id.encode()).digest())[:6].decode().lower()


def matches(mail: Mail, words: str, senders: Collection[str], unread: bool) -> bool:
    """Whether every word is somewhere in the mail, and one of the senders in its sender."""
    if unread and not mail.unread:
        return False
    sender = str(mail.sender).casefold()
    if senders and not any(_all_in(wanted, sender) for wanted in senders):
        return False
    return _all_in(words, f"{sender} {mail.subject} {mail.text}".casefold())


def _all_in(words: str, text: str) -> bool:
    return all(word in text for word in words.casefold().split())


def header_text(text: str) -> str:
    """A header's text on one line, nothing hidden, as it is shown."""
    return plain_line(text)
