"""Tools for short text messages."""

from __future__ import annotations

from typing import Annotated

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.messages import TextMessage
from botpsy.services.text import hidden_note
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.people import Addressee, PhoneRecipient

_SHOWN = 10
_TEXT_SHOWN = 1000
QUEUED = "Queued. No account is connected, so nothing has left this machine."


@tool(
    effect="send",
    service="messages",
    destinations=("to",),
    undo=lambda ctx, _: [Ref("messages", ctx.action_id)],
    domain="communication",
    examples=(
        "text Liam I'm ten minutes late",
        "Text Jo that I am on my way",
        "write to Tom that I will be late",
        "send mum a message that I landed safely",
        "Tell Aisha I can't make it tonight",
        "message the babysitter: can you come at six?",
        "shoot Marco a text asking where he is",
        "write 555 0133 that the package is here",
        "sms Dad happy birthday",
    ),
)
def send_message(
    ctx: Context,
    to: Annotated[PhoneRecipient, "Name or phone number"],
    text: Annotated[str, "The message"],
) -> JsonObject:
    """Send a short text message (SMS or chat) to a person's phone. Not an email."""
    if not text.strip():
        raise ToolError("The message is empty.", hint="Ask the user what to write.")
    message = TextMessage(ctx.action_id, to.address, text, ctx.clock.now(), "queued", to.name)
    status = ctx.services.messages.send(message)
    return {"status": status, "to": to.mailbox, "note": "Sent." if status == "sent" else QUEUED}


@tool(
    service="messages",
    untrusted_output=True,
    domain="communication",
    examples=(
        "read my text messages",
        "what did Liam text me",
        "any new messages on my phone?",
        "show my chat with Aisha",
        "did the babysitter answer my text",
        "read me the last sms from Dad",
    ),
)
def read_messages(
    ctx: Context,
    person: Annotated[PhoneRecipient | None, "Only with this person"] = None,
    unread: Annotated[bool, "Only unread ones"] = False,
) -> JsonObject:
    """Read text messages (SMS or chat), the newest first. Not emails."""
    number = person.address if person else ""
    found = ctx.services.messages.read(number, unread, _SHOWN + 1)
    result: JsonObject = {"messages": [_shown(message, ctx) for message in found[:_SHOWN]]}
    if len(found) > _SHOWN:
        result["note"] = f"Only the newest {_SHOWN} are listed."
    return result


def _shown(message: TextMessage, ctx: Context) -> JsonObject:
    side = str(Addressee(message.name, message.number))
    text = message.text[:_TEXT_SHOWN]
    result: JsonObject = {
        "from" if message.status == "received" else "to": side,
        "date": message.at.astimezone(ctx.clock.tz).strftime("%Y-%m-%d %H:%M"),
        "text": text,
    }
    if len(message.text) > len(text):
        result["left_out"] = f"{len(message.text) - len(text)} more characters"
    if message.unread:
        result["unread"] = True
    if message.status == "queued":
        result["status"] = "queued, not sent"
    if note := hidden_note(message.text):
        result["notes"] = [f"The text has {note}"]
    return result


TOOLS: tuple[ToolDef, ...] = (send_message, read_messages)
