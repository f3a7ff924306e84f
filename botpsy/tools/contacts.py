"""Tools for the address book."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.contacts import Contact, match, to_json
from botpsy.services.text import one_line, plain_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.people import ContactRef, EmailAddress, PhoneNumber

_SHOWN = 10


def _name(text: str) -> str:
    name = plain_line(text)
    if not name:
        raise ToolError("A contact needs a name.")
    return name


def _card(contact: Contact) -> JsonObject:
    return {key: value for key, value in to_json(contact).items() if key != "id"}


@tool(
    service="contacts",
    domain="communication",
    examples=(
        "What's Maria's phone number?",
        "Give me the email address of my landlord",
        "do I have a number for the plumber",
        "where does Uncle Theo live",
        "look up Priya in my address book",
        "how can I reach Jonas",
        "show me my contacts",
        "when was Lena born",
        "what is Pavel's email",
        "where does Nora work",
        "which area code does my uncle have",
        "what do we have on Ingrid",
        "contact details for the electrician",
        "who is in my phone book",
        "find my brother",
        "is this Amira's number",
        "when is grandpa's birthday",
    ),
)
def find_contact(
    ctx: Context,
    name: Annotated[str | None, "Name or nickname; leave out for everyone"] = None,
) -> JsonObject:
    """Look up a person's phone number, email, address or birthday in the contacts."""
    everyone = ctx.services.contacts.all()
    found = everyone if name is None else match(everyone, name)
    result: JsonObject = {"contacts": [_card(contact) for contact in found[:_SHOWN]]}
    if len(found) > _SHOWN:
        result["more"] = [contact.name for contact in found[_SHOWN : _SHOWN + 40]]
        result["count"] = len(found)
    if not found:
        result["note"] = "No such contact." if name else "There are no contacts."
    return result


@tool(
    effect="write",
    service="contacts",
    undo=lambda ctx, _: [Ref("contacts", ctx.action_id)],
    domain="communication",
    examples=(
        "save Omar's number, it's 0171 5550123",
        "Add Dr. Weiss to my contacts with the mail weiss@praxis.example",
        "make a new contact for the babysitter",
        "put Keiko in my phone book, keiko@mail.example",
        "remember this number for the garage: 555 0148",
        "new contact: Ben Carter, 555 0199",
        "keep this email address in my phone book",
        "store this address in my contacts",
    ),
)
def add_contact(
    ctx: Context,
    name: Annotated[str, "Full name"],
    *,
    email: Annotated[EmailAddress | None, "Email address"] = None,
    phone: Annotated[PhoneNumber | None, "Phone number"] = None,
    nickname: Annotated[str | None, "Nickname, such as Mom"] = None,
    address: Annotated[str | None, "Postal address"] = None,
    note: Annotated[str | None, "Anything else"] = None,
) -> JsonObject:
    """Save a new person in the contacts."""
    name = _name(name)
    contacts = ctx.services.contacts
    if contacts.get(ctx.action_id) is None:
        twins = [c for c in contacts.all() if c.name.casefold() == name.casefold()]
        if twins:
            raise ToolError(
                f"There is already a contact called {twins[0].name}.",
                hint="Use update_contact, or give a fuller name.",
            )
    contact = Contact(
        id=ctx.action_id,
        name=name,
        nickname=one_line(nickname or ""),
        emails=(email,) if email else (),
        phones=(phone,) if phone else (),
        address=(address or "").strip(),
        note=(note or "").strip(),
    )
    contacts.save(contact)
    return {"saved": _card(contact)}


@tool(
    effect="write",
    service="contacts",
    undo=lambda ctx, values: [Ref("contacts", values["contact"].id)],
    domain="communication",
    examples=(
        "Maria has a new number, 555 0177",
        "change Jonas's email to jonas@neu.example",
        "my sister moved, her address is now 12 Mill Lane",
        "update the phone number of the dentist",
        "call Katherine Kat from now on in my contacts",
        "rename Anna Smith to Anna Jones, she got married",
    ),
)
def update_contact(
    ctx: Context,
    contact: Annotated[ContactRef, "Name of the person in the contacts"],
    *,
    email: Annotated[EmailAddress | None, "New email address"] = None,
    phone: Annotated[PhoneNumber | None, "New phone number"] = None,
    name: Annotated[str | None, "New full name"] = None,
    nickname: Annotated[str | None, "New nickname"] = None,
    address: Annotated[str | None, "New postal address"] = None,
    note: Annotated[str | None, "New note"] = None,
) -> JsonObject:
    """Change the number, email or other details of a person already in the contacts."""
    new = replace(
        contact,
        name=_name(name) if name is not None else contact.name,
        nickname=one_line(nickname) if nickname is not None else contact.nickname,
        emails=_first(email, contact.emails),
        phones=_first(phone, contact.phones),
        address=address.strip() if address is not None else contact.address,
        note=note.strip() if note is not None else contact.note,
    )
    if new == contact:
        raise ToolError(f"There is nothing to change on {contact.name}.", hint="Say what is new.")
    ctx.services.contacts.save(new)
    return {"before": _card(contact), "now": _card(new)}


def _first(value: str | None, old: tuple[str, ...]) -> tuple[str, ...]:
    """The new value in place of the preferred one; the others stay."""
    if value is None:
        return old
    return (value, *(other for other in old[1:] if other != value))


@tool(
    effect="write",
    service="contacts",
    undo=lambda ctx, values: [Ref("contacts", values["contact"].id)],
    domain="communication",
    examples=(
        "delete Kevin from my contacts",
        "remove the old landlord's number",
        "I don't need the plumber in my address book any more",
        "get rid of the contact called Test",
        "take Sonja out of my phone book",
    ),
)
def delete_contact(
    ctx: Context, contact: Annotated[ContactRef, "Name of the person in the contacts"]
) -> JsonObject:
    """Remove a person from the contacts."""
    ctx.services.contacts.delete(contact.id)
    return {"deleted": contact.name}


TOOLS: tuple[ToolDef, ...] = (find_contact, add_contact, update_contact, delete_contact)
