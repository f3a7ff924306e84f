"""Tools for mail.

A mail is named by its handle, or in words ("Anna's latest", "the one about the invoice") that must
fit exactly one. What may quote a received mail, errors included, is untrusted output. Without an
account nothing leaves the machine, and the result says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.contacts import match
from botpsy.services.mail import Folder, Mail, Mailbox, Outgoing, Status
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.people import Addressee, Recipients, addressee
from botpsy.tools.values import context_of

_SHOWN = 10
_TEXT_SHOWN = 4000
_HANDLE = re.compile(r"m[a-z2-7]{6}\b")
_LATEST = frozenset(["latest", "last", "newest", "recent"])
_FILLERS = _LATEST | frozenset(
    ["a", "about", "an", "by", "email", "emails", "from", "mail", "mails", "message", "most", "my",
     "of", "on", "one", "regarding", "the", "titled", "with"]
)  # fmt: skip
_BY = re.compile(
    r"\b(?:from|by) (?P<who>.+?)(?= (?:about|on|regarding|titled|with)\b|$)"
    r"|^(?P<owner>.+?)'s (?=(?:e?-?mails?|last|latest|messages?|most|newest|recent)\b)"
)
_RECEIVED: tuple[Folder, ...] = ("inbox", "archive")
QUEUED = "Queued in the outbox. No account is connected, so nothing has left this machine."


def _senders(words: str, context: Context) -> list[str]:
    """What to look for in senders: the words, and the addresses of contacts they mean."""
    if not context.services.has("contacts"):
        return [words]
    found = match(context.services.contacts.all(), words)
    return [words, *(mail for contact in found for mail in contact.emails)]


def _one_mail(words: str, context: Context) -> Mail:
    mail = context.services.mail
    if handle := _HANDLE.match(words):
        return mail.get(handle[0])
    text = words.casefold().replace("’", "'")
    found = _by_sender(text, context)
    rest = _telling(text)
    if not found:
        found = mail.search(rest, folders=_RECEIVED, limit=6)
    if rest and not found:
        found = mail.search(senders=_senders(rest, context), folders=_RECEIVED, limit=6)
    if not found:
        raise ToolError(f"There is no mail {words!r}.", hint="Search for it first.")
    if len(found) > 1 and _LATEST.isdisjoint(re.findall(r"\w+", text)):
        names = "; ".join(_show(one) for one in found)
        raise ToolError(f"Several mails fit {words!r}: {names}.", hint="Which one?")
    return mail.get(found[0].handle)


def _telling(text: str) -> str:
    """The words less those that only say that it is a mail."""
    parts = re.findall(r"[\w@.+-]+", re.sub(r"'s\b", "", text))
    return " ".join(part for part in parts if part not in _FILLERS)


def _by_sender(text: str, context: Context) -> list[Mail]:
    """Where the words name who wrote it ("from Anna", "Anna's latest"): mails by that person.

    Not mails that speak of Anna, and not Hannah's where there are Anna's.
    """
    said = _BY.search(text)
    if said is None:
        return []
    who = _telling(said["who"] or said["owner"])
    rest = _telling(f"{text[: said.start()]} {text[said.end() :]}")
    if not who:
        return []
    senders = _senders(who, context)
    found = context.services.mail.search(rest, senders=senders, folders=_RECEIVED, limit=20)
    names = set(who.split())
    sure = [
        mail
        for mail in found
        if mail.sender.address in senders
        or names <= set(re.findall(r"[\w@.+-]+", str(mail.sender).casefold()))
    ]
    return sure or found


def _show(mail: Mail) -> str:
    return f"{mail.handle} “{mail.subject}” from {mail.sender}"


@dataclass(frozen=True, slots=True)
class Answered:
    """A mail to answer, and whom the answer goes to."""

    mail: Mail
    sender: Addressee

    def __str__(self) -> str:
        return f"to {self.sender}, on “{self.mail.subject}” ({self.mail.handle})"


def _answered(value: Any, info: ValidationInfo) -> Answered:
    """The answer goes to the address the mail came from, and no other.

    Raises:
        ToolError: it has none, or one that is made to look like another.
    """
    if isinstance(value, Answered):
        return value
    mail = _mail(value, info)
    if not mail.sender.address:
        raise ToolError("This mail does not say who sent it.", hint="Use send_mail.")
    services = context_of(info).services
    known = services.contacts.all() if services.has("contacts") else []
    person = addressee(mail.sender.address, known)
    return Answered(mail, replace(person, name=person.name or mail.sender.name))


def _mail(value: Any, info: ValidationInfo) -> Mail:
    if isinstance(value, Mail):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"A mail must be named in words, not {value!r}.")
    return _one_mail(value.strip(), context_of(info))


_STRING = WithJsonSchema({"type": "string"})
MailRef = Annotated[
    Mail, BeforeValidator(_mail), PlainSerializer(_show, return_type=str), _STRING
]  # fmt: skip
"""One mail, by handle or in words."""
AnsweredMail = Annotated[
    Answered, BeforeValidator(_answered), PlainSerializer(str, return_type=str), _STRING
]  # fmt: skip
"""One mail to answer; shown with the address that the answer goes to."""


def _date(mail: Mail, context: Context) -> str:
    if mail.at is None:
        return ""
    try:
        return mail.at.astimezone(context.clock.tz).strftime("%Y-%m-%d %H:%M")
    except OverflowError:
        return ""


def _summary(mail: Mail, context: Context) -> JsonObject:
    result: JsonObject = {
        "message": mail.handle,
        "from": str(mail.sender),
        "subject": mail.subject,
        "date": _date(mail, context),
    }
    if mail.folder != "inbox":
        result["folder"] = mail.folder
    if mail.to and mail.folder in ("drafts", "outbox", "sent"):
        result["to"] = [str(person) for person in mail.to]
    if mail.unread:
        result["unread"] = True
    return result


@tool(
    service="mail",
    untrusted_output=True,
    domain="communication",
    examples=(
        "any new mail?",
        "Did Sophie email me about the tickets?",
        "check my inbox",
        "find the email with the booking confirmation",
        "what unread mails do I have",
        "is there anything from the bank in my mail",
        "show me the last few emails from my boss",
        "what is in my drafts folder",
        "have I got mail from mum this morning",
        "what's new in my inbox",
    ),
)
def search_mail(
    ctx: Context,
    query: Annotated[str | None, "Words in subject or text"] = None,
    sender: Annotated[str | None, "Name or address of who wrote it"] = None,
    unread: Annotated[bool, "Only unread ones"] = False,
    folder: Annotated[
        Literal["inbox", "archive", "drafts", "outbox", "sent", "trash"] | None, "Only this folder"
    ] = None,
) -> JsonObject:
    """List or search emails in the mailbox, the newest first."""
    folders: tuple[Folder, ...] = (folder,) if folder else _RECEIVED
    if folder is None and not (query or sender):
        folders = ("inbox",)
    senders = _senders(sender, ctx) if sender else []
    found = ctx.services.mail.search(query or "", senders, unread, folders, _SHOWN + 1)
    result: JsonObject = {"mails": [_summary(mail, ctx) for mail in found[:_SHOWN]]}
    if len(found) > _SHOWN:
        result["note"] = f"Only the newest {_SHOWN} are listed."
    return result


@tool(
    service="mail",
    untrusted_output=True,
    domain="communication",
    examples=(
        "read me Sophie's latest email",
        "open the mail about the rent",
        "what does the last message from the school say",
        "Read out my newest email",
        "show me what Daniel wrote in his mail",
        "let me hear that email from the insurance",
    ),
)
def read_mail(
    ctx: Context, message: Annotated[MailRef, "Id from search_mail, or like: latest from Anna"]
) -> JsonObject:
    """Read the full text of one email."""
    text = message.text[:_TEXT_SHOWN]
    result = _summary(message, ctx)
    result["to"] = [str(person) for person in message.to]
    result["text"] = text
    if message.cc:
        result["cc"] = [str(person) for person in message.cc]
    if message.attachments:
        result["attachments"] = list(message.attachments)
    if len(message.text) > len(text):
        result["left_out"] = f"{len(message.text) - len(text)} more characters"
    if message.notes:
        result["notes"] = list(message.notes)
    return result


def _boxes(people: tuple[Addressee, ...] | None) -> tuple[Mailbox, ...]:
    return tuple(Mailbox(person.name, person.address) for person in people or ())


def _sent(status: Status, people: tuple[Addressee, ...]) -> JsonObject:
    return {
        "status": status,
        "to": [person.mailbox for person in people],
        "note": "Sent." if status == "sent" else QUEUED,
    }


@tool(
    effect="write",
    service="mail",
    undo=lambda ctx, _: [Ref("mail", ctx.action_id)],
    domain="communication",
    examples=(
        "draft an email to the landlord about the broken heater, don't send it yet",
        "prepare a mail to Nina that I can look over first",
        "write a draft to my team about the new schedule",
        "start an email to Dr. Weiss but keep it as a draft",
        "put together a mail to the council for me to check later",
    ),
)
def draft_mail(
    ctx: Context,
    to: Annotated[Recipients, "Names or addresses, separated by commas"],
    subject: Annotated[str, "Subject line"],
    body: Annotated[str, "Text of the email"],
) -> JsonObject:
    """Put a new email into the drafts, to be checked later. It is not sent."""
    mail = Outgoing(_boxes(to), subject.strip(), body, ctx.clock.now())
    ctx.services.mail.draft(mail, ctx.action_id)
    return {"status": "draft", "to": [person.mailbox for person in to], "note": "Not sent."}


@tool(
    effect="send",
    service="mail",
    destinations=("to", "cc"),
    undo=lambda ctx, _: [Ref("mail", ctx.action_id)],
    domain="communication",
    examples=(
        "Email Nina that the meeting moved to Thursday",
        "send a mail to my accountant asking for the tax form",
        "write to support@shop.example, my parcel never came",
        "shoot Carlos an email saying thanks for dinner",
        "mail the report summary to Jo and copy Ines",
        "send an email to my wife about the weekend",
        "let the whole team know by email that I am sick today",
    ),
)
def send_mail(
    ctx: Context,
    to: Annotated[Recipients, "Names or addresses, separated by commas"],
    subject: Annotated[str, "Subject line"],
    body: Annotated[str, "Text of the email"],
    cc: Annotated[Recipients | None, "Who gets a copy"] = None,
) -> JsonObject:
    """Write and send a new email."""
    mail = Outgoing(_boxes(to), subject.strip(), body, ctx.clock.now(), _boxes(cc))
    return _sent(ctx.services.mail.send(mail, ctx.action_id), to + (cc or ()))


# The mail to answer is no destination in the policy's sense: its handle always comes from mail,
# that is from others. Who gets the answer is decided here (the sender, no one else), and shown.
@tool(
    effect="send",
    service="mail",
    untrusted_output=True,
    undo=lambda ctx, _: [Ref("mail", ctx.action_id)],
    domain="communication",
    examples=(
        "reply to Sophie's last email that I'll be there",
        "answer the mail from the school with yes",
        "respond to that email and say I need another week",
        "write back to the landlord that Monday is fine",
        "Reply: thanks, got it",
        "tell him in reply to his mail that I agree",
    ),
)
def reply_to_mail(
    ctx: Context,
    message: Annotated[AnsweredMail, "Id from search_mail, or like: latest from Anna"],
    body: Annotated[str, "Text of the answer"],
) -> JsonObject:
    """Answer an email that came in; goes to its sender."""
    subject = message.mail.subject
    if not subject.casefold().startswith("re:"):
        subject = f"Re: {subject}"
    to = (message.sender,)
    mail = Outgoing(_boxes(to), subject, body, ctx.clock.now(), answers=message.mail)
    return _sent(ctx.services.mail.send(mail, ctx.action_id), to)


@tool(
    effect="write",
    service="mail",
    untrusted_output=True,
    undo=lambda ctx, values: [Ref("mail", values["message"].id)],
    domain="communication",
    examples=(
        "archive the newsletter from this morning",
        "move Sophie's mail to the archive",
        "put that email away but keep it",
        "clear the invoice mail out of my inbox, don't delete it",
        "file away the last message from HR",
    ),
)
def archive_mail(
    ctx: Context, message: Annotated[MailRef, "Id from search_mail, or like: latest from Anna"]
) -> JsonObject:
    """Move an email out of the inbox into the archive."""
    ctx.services.mail.move(message.id, "archive")
    return {"archived": message.subject, "from": str(message.sender)}


@tool(
    effect="write",
    service="mail",
    untrusted_output=True,
    undo=lambda ctx, values: [Ref("mail", values["message"].id)],
    domain="communication",
    examples=(
        "delete the email from the lottery",
        "throw away the last mail",
        "trash that spam message in my inbox",
        "get rid of the mail about cheap watches",
        "bin the newest email from the gym",
    ),
)
def delete_mail(
    ctx: Context, message: Annotated[MailRef, "Id from search_mail, or like: latest from Anna"]
) -> JsonObject:
    """Move an email to the trash."""
    ctx.services.mail.move(message.id, "trash")
    return {"moved_to_trash": message.subject, "from": str(message.sender)}


TOOLS: tuple[ToolDef, ...] = (
    search_mail,
    read_mail,
    draft_mail,
    send_mail,
    reply_to_mail,
    archive_mail,
    delete_mail,
)
