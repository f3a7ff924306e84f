"""Arguments that mean a person: a name, a nickname, an address or a number becomes exactly one.

Nothing is guessed. Several candidates, none, or one without an address is a ``ToolError`` that
names the candidates. The approver sees the name and the address. An address that could pass for
another is refused (hidden characters, letters of several scripts) or shown for what it is (the
ASCII form of an international domain; a stranger's address that resembles a contact's).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.services.contacts import Contact, match
from botpsy.services.text import hidden_positions, one_line, plain_line, spell_hidden
from botpsy.tools.base import Context
from botpsy.tools.values import context_of

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_NAMED = re.compile(r"\s*\"?(?P<name>[^<>\"]*)\"?\s*<(?P<address>[^<>]+)>(?:\s*\(.*\))?\s*")
_SPOKEN = re.compile(r"(?P<local>[\w.+-]+) at (?P<domain>[\w-]+(?: dot [\w-]+)+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Addressee:
    """A person with one address (mail) or number (text messages); ``note`` warns the approver."""

    name: str
    address: str
    note: str = ""

    @property
    def mailbox(self) -> str:
        """``Name <address>``, as it goes into a message."""
        return f"{self.name} <{self.address}>" if self.name else self.address

    def __str__(self) -> str:
        return f"{self.mailbox} ({self.note})" if self.note else self.mailbox


def mail_address(text: str) -> str:
    """The address in its one ASCII form.

    Raises:
        ToolError: it is none, or is made to look like another.
    """
    text = text.strip()
    if spoken := _SPOKEN.fullmatch(text):
        text = f"{spoken['local']}@{spoken['domain'].replace(' dot ', '.')}"
    if hidden_positions(text) or "\n" in text:
        raise ToolError(
            f"The address {spell_hidden(text)} has hidden characters in it; it is refused."
        )
    local, at, domain = text.rpartition("@")
    if not at or not _LOCAL.fullmatch(local) or len(local) > 64:
        if local and not local.isascii():
            raise ToolError(f"The address {text} has letters that are not plain ASCII before @.")
        raise ToolError(f"{text} is not a mail address.", hint="Give one like name@example.org.")
    labels = [_ascii_label(label, text) for label in domain.split(".")]
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise ToolError(f"{text} is not a mail address.", hint="Give one like name@example.org.")
    return f"{local}@{'.'.join(labels).lower()}"


def addressee(text: str, contacts: Iterable[Contact]) -> Addressee:
    """A written mail address (alone or as ``Name <address>``) as an addressee.

    A known address gets the contact's name, whatever name was written.

    Raises:
        ToolError: see ``mail_address``.
    """
    named = _NAMED.fullmatch(text)
    address = mail_address(named["address"] if named else text)
    name = plain_line(named["name"]) if named else ""
    notes = []
    domain = address.rpartition("@")[2]
    if "xn--" in domain:
        notes.append(f"international address, reads {_readable(domain)}")
    twin = ""
    for contact in contacts:
        for known in contact.emails:
            if known.casefold() == address.casefold():
                return Addressee(contact.name, address, "; ".join(notes))
            if _skeleton(known) == _skeleton(address):
                twin = f"not in the contacts, but looks like {known} of {contact.name}"
    if twin:
        notes.append(twin)
    return Addressee(name, address, "; ".join(notes))


def one_contact(words: str, context: Context) -> Contact:
    """The one contact that is meant.

    Raises:
        ToolError: none or several; candidates are named.
    """
    everyone = context.services.contacts.all()
    found = match(everyone, words)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(show_contact(contact) for contact in found[:6])
        raise ToolError(f"Several contacts may be meant by {words!r}: {names}.", hint="Which one?")
    names_known = [n for c in everyone for n in (c.name, c.nickname, *c.name.split()) if n]
    close = difflib.get_close_matches(words, names_known, 3, 0.75)
    hint = f"Did you mean {' or '.join(dict.fromkeys(close))}?" if close else ""
    raise ToolError(f"There is no contact called {spell_hidden(words)!r}.", hint=hint)


def show_contact(contact: Contact) -> str:
    """Name with the preferred address, else the preferred number."""
    reach = (*contact.emails, *contact.phones)
    return f"{contact.name} <{reach[0]}>" if reach else contact.name


def _ascii_label(label: str, whole: str) -> str:
    if label.isascii():
        return label
    scripts = {unicodedata.name(char, "?").split()[0] for char in label if char.isalpha()}
    if len(scripts) > 1 and not scripts <= {"CJK", "HIRAGANA", "KATAKANA", "HANGUL"}:
        raise ToolError(
            f"The address {whole} mixes letters of several alphabets "
            f"({', '.join(sorted(scripts)).title()}) and may pass for another; it is refused."
        )
    try:
        return label.encode("idna").decode("ascii")
    except UnicodeError:
        raise ToolError(f"{whole} is not a mail address.") from None


def _readable(domain: str) -> str:
    try:
        return spell_hidden(domain.encode("ascii").decode("idna"))
    except UnicodeError:
        return domain


def _skeleton(address: str) -> str:
    """What the eye takes an ASCII address for (after Unicode Technical Standard 39)."""
    text = address.casefold().replace("rn", "m").replace("vv", "w")
    return text.translate(str.maketrans("01i|5", "olllS")).replace("S", "s")


def _words(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"A person must be named in words, not {value!r}.")
    return value.strip()


def _known(context: Context) -> list[Contact]:
    return context.services.contacts.all() if context.services.has("contacts") else []


def _by_mail(text: str, context: Context) -> Addressee:
    if "@" in text or _SPOKEN.fullmatch(text):
        return addressee(text, _known(context))
    contact = one_contact(text, context)
    if not contact.emails:
        raise ToolError(f"{contact.name} has no mail address.", hint="Ask the user for it.")
    return addressee(f"{contact.name} <{contact.emails[0]}>", [contact])


def _by_phone(text: str, context: Context) -> Addressee:
    named = _NAMED.fullmatch(text)
    number = re.sub(r"[\s().-]", "", named["address"] if named else text)
    if re.fullmatch(r"\+?[0-9]{3,15}", number):
        for contact in _known(context):
            if any(re.sub(r"[\s().-]", "", phone) == number for phone in contact.phones):
                return Addressee(contact.name, number)
        return Addressee("", number)
    contact = one_contact(text, context)
    if not contact.phones:
        raise ToolError(f"{contact.name} has no phone number.", hint="Ask the user for it.")
    return Addressee(contact.name, re.sub(r"[\s().-]", "", contact.phones[0]))


def _several(value: Any, context: Context) -> tuple[Addressee, ...]:
    if isinstance(value, (list, tuple)) and value:
        people = [
            person
            for part in value
            for person in ((part,) if isinstance(part, Addressee) else _several(part, context))
        ]
    else:
        text = _words(value)
        parts = [part for part in re.split(r"[,;]| and ", text) if part.strip()]
        try:
            people = [_by_mail(text, context)]
        except ToolError:
            if len(parts) < 2:
                raise
            people = [_by_mail(part.strip(), context) for part in parts]
    return tuple(dict.fromkeys(people))


def _validator(resolve: Callable[[Any, Context], Any], kind: type) -> BeforeValidator:
    def validate(value: Any, info: ValidationInfo) -> Any:
        return value if isinstance(value, kind) else resolve(value, context_of(info))

    return BeforeValidator(validate)


_STRING = WithJsonSchema({"type": "string"})

Recipient = Annotated[
    Addressee,
    _validator(lambda value, context: _by_mail(_words(value), context), Addressee),
    PlainSerializer(str, return_type=str),
    _STRING,
]
"""One person with a mail address: a contact's name or nickname, or an address."""

Recipients = Annotated[
    tuple[Addressee, ...],
    BeforeValidator(lambda value, info: _several(value, context_of(info))),
    PlainSerializer(lambda people: [str(person) for person in people], return_type=list[str]),
    _STRING,
]
"""One or more people with mail addresses, separated by commas or "and"."""

PhoneRecipient = Annotated[
    Addressee,
    _validator(lambda value, context: _by_phone(_words(value), context), Addressee),
    PlainSerializer(str, return_type=str),
    _STRING,
]
"""One person with a phone number: a contact's name or nickname, or a number."""

ContactRef = Annotated[
    Contact,
    _validator(lambda value, context: one_contact(_words(value), context), Contact),
    PlainSerializer(show_contact, return_type=str),
    _STRING,
]
"""One existing contact, by name or nickname."""

EmailAddress = Annotated[str, BeforeValidator(lambda value: mail_address(_words(value))), _STRING]
"""A mail address in its ASCII form."""

PhoneNumber = Annotated[
    str, BeforeValidator(lambda value: _phone_number(_words(str(value)))), _STRING
]
"""A phone number: digits, with + and the usual separators."""


def _phone_number(text: str) -> str:
    if not re.fullmatch(r"\+?[0-9][0-9 ().-]{1,24}", text):
        raise ToolError(f"{spell_hidden(text)} is not a phone number.")
    return one_line(text)
