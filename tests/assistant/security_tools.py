"""A small set of tools, one for each way in which a call can matter, and calls of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Literal

from botpsy.assistant.types import Action, Labels, Source
from botpsy.chat.types import Json, JsonObject, ToolCall
from botpsy.services.base import Ref
from botpsy.tools.base import Bound, ToolDef, tool

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
UNDO = lambda ctx, values: [Ref("store", ctx.action_id)]  # noqa: E731


@tool(service="mail", untrusted_output=True)
def read_mail(message_id: str) -> Json:
    """Read one mail."""
    return {}


@tool(service="mail", untrusted_output=True)
def list_mail(folder: str = "inbox") -> Json:
    """List mails."""
    return []


@tool(service="contacts")
def find_contact(name: str) -> Json:
    """Look up a person."""
    return {}


@tool(service="notes")
def read_note(title: str) -> Json:
    """Read a note."""
    return ""


@tool(service="calendar")
def list_events(day: str) -> Json:
    """List the events of a day."""
    return []


@tool(service="web", destinations=("url",), untrusted_output=True)
def read_page(url: str) -> Json:
    """Read a web page."""
    return ""


@tool(service="web", untrusted_output=True)
def search_web(query: str, results: int = 5) -> Json:
    """Search the web."""
    return []


@tool(effect="write", service="calendar", undo=UNDO)
def create_event(title: str, start: str, invitees: list[str] | None = None) -> Json:
    """Put an event into the calendar."""
    return {}


@tool(effect="write", service="notes", undo=UNDO)
def write_note(title: str, text: str) -> Json:
    """Write a note."""
    return {}


@tool(effect="write", service="files", destinations=("path",), undo=UNDO)
def write_file(path: str, content: str) -> Json:
    """Write a file."""
    return {}


@tool(effect="write", service="files", destinations=("path",))
def delete_file(path: str) -> Json:
    """Delete a file for good."""
    return {}


@tool(effect="send", service="mail", destinations=("to", "cc"))
def send_mail(
    to: list[str], subject: str, body: str, cc: list[str] | None = None, urgent: bool = False
) -> Json:
    """Send a mail."""
    return {}


@tool(effect="send", service="mail")
def reply_mail(message_id: str, body: str) -> Json:
    """Answer a mail; it goes to whoever wrote it."""
    return {}


@tool(effect="send", service="messages", destinations=("to",))
def send_message(to: str, text: str) -> Json:
    """Send a text message."""
    return {}


@tool(effect="spend", service="bank", destinations=("payee",))
def pay(payee: str, amount: float, note: str = "") -> Json:
    """Pay someone."""
    return {}


@tool(effect="spend", service="shop")
def order(item: str, count: int = 1) -> Json:
    """Order something."""
    return {}


@tool(effect="control", service="home", destinations=("entity",), undo=UNDO)
def set_light(
    entity: str,
    brightness: Annotated[int, "0 to 100"] = 100,
    colour: Literal["warm", "cold"] = "warm",
) -> Json:
    """Set a lamp."""
    return {}


@tool(effect="control", service="home", destinations=("entity",))
def unlock(entity: str) -> Json:
    """Unlock a door."""
    return {}


TOOLS: dict[str, ToolDef] = {
    value.name: value for value in list(globals().values()) if isinstance(value, ToolDef)
}


def action(
    tool: ToolDef,
    arguments: JsonObject,
    labels: Labels | Mapping[str, Source] | None = None,
    *,
    control: Source = Source.USER,
    conversation: str = "c1",
    endpoint: str = "local",
) -> Action:
    """A call that is ready to be judged; without labels all of it is the user's."""
    if not isinstance(labels, Labels):
        labels = Labels({**dict.fromkeys(arguments, Source.USER), **(labels or {})}, control)
    return Action(
        "a1",
        tool,
        ToolCall(tool.name, arguments),
        Bound(arguments, arguments),
        labels,
        conversation,
        endpoint,
    )
