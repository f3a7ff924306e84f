"""HWU64 on people: mails, contacts, and what is to be sent."""

from __future__ import annotations

import re
from datetime import timedelta

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import Case, gaps, name_of, plan, title_case
from botpsy.data.types import UnusableError
from botpsy.services.contacts import Contact
from botpsy.worlds.acts import ask, call, say, says
from botpsy.worlds.people import FAMILY, email_of
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding import pools

_RELATIONS = frozenset(
    ("mom", "mum", "mother", "dad", "father", "wife", "husband", "brother", "sister", "son",
     "daughter", "boss", "aunt", "uncle", "grandma", "grandpa", "cousin")
)  # fmt: skip
_LETTERS = (
    ("The subject is Saturday, and the text: Shall we meet at the market at ten?", "Saturday",
     "Shall we meet at the market at ten?"),
    ("Subject: Keys. Write: Your keys are with the neighbour.", "Keys",
     "Your keys are with the neighbour."),
    ("Call it Dinner and say: I'll bring the dessert, you bring the wine.", "Dinner",
     "I'll bring the dessert, you bring the wine."),
    ("Subject Running late, text: I'm about twenty minutes late, please start without me.",
     "Running late", "I'm about twenty minutes late, please start without me."),
    ("Subject: Photos. The message is: Could you send me the photos of the trip?", "Photos",
     "Could you send me the photos of the trip?"),
    ("The subject is Invoice, the text is: The invoice was paid this morning.", "Invoice",
     "The invoice was paid this morning."),
)  # fmt: skip


def _somebody(s: Scene, said: str) -> Contact:
    """A contact who is called that: by a name, or a nickname such as mom."""
    if said in _RELATIONS:
        return s.person(nickname=title_case(said), birthday=_birthday(s))
    full = title_case(said) if " " in said else f"{title_case(said)} {s.pick(FAMILY)}"
    given, family = full.split(maxsplit=1)
    return s.person(name=full, emails=(email_of(s.rng, given, family),), birthday=_birthday(s))


def _birthday(s: Scene) -> str:
    return f"{s.rng.randint(1960, 2004)}-{s.rng.randint(1, 12):02}-{s.rng.randint(1, 28):02}"


def _who(item: Item, *more: str) -> str:
    """The one person that is named.

    Raises:
        UnusableError: none or several, or only a friend or colleague of some name.
    """
    item.only("person", "relation", *more)
    said = name_of(item.value("person", "relation") or "-")
    if item.all("relation") and said not in _RELATIONS:
        raise UnusableError("a relation who has no name")
    return said


@plan("communication", "email/query")
def mails(s: Scene, item: Item) -> Case:
    """New mails, or those of somebody."""
    item.only("person", "relation", "email_folder")
    item.need(r"\be?-?mails?\b|inbox",
              r"\bsend|\breply|replied|respon|delete|\bopen\b|about|yesterday|attach|how many"
              r"|number"
              r"|\blast\b|important|subject|receive .* from (the|my)\b|spam|archive|address|sent\b"
              r"|read\b.*\bto me|titled|unless|notify|when\b|contact|recent|latest|account|today"
              r"|login|outlook|gmail|folder")  # fmt: skip
    if item.value("email_folder") not in ("", "inbox"):
        raise UnusableError("a folder that is not there")
    unread = bool(re.search(r"\b(new|unread|unseen|not read)\b", item.text))
    item.need(r"\b(any|new|unread|check|show|do i|have i|did|got|list|see|look)\b")
    s.bare("mail")
    sender = ""
    if item.value("person", "relation"):
        sender = _who(item, "email_folder")
        person = _somebody(s, sender)
    else:
        person = s.person()
    other = s.person()
    found = s.rng.sample(pools.MAILS, 3)
    count = s.rng.randint(1, 2)
    for n, (subject, text) in enumerate(found[:count]):
        filled = text.format(name=person.name.split()[0], me=s.me.name.split()[0])
        s.mail(person, subject, filled, ago=timedelta(hours=3 + 5 * n), unread=True)
    subject, text = found[2]
    filled = text.format(name=other.name.split()[0], me=s.me.name.split()[0])
    if sender or unread:
        s.mail(other, subject, filled, ago=timedelta(hours=30), unread=not unread)
    told = [f"“{subject}” from {person.name}" for subject, _ in found[:count]]
    new = "new " if unread else ""
    if count == 1:
        answer = s.choose((f"There is one {new}mail: {told[0]}.", f"One {new}mail: {told[0]}."))
    else:
        answer = f"There are two {new}mails: {told[0]}, and {told[1]}."
    return Case(
        [call("search_mail", sender=sender or None, unread=unread or None), says(answer)],
        barred=["read_mail"],
        offer=["send_mail", "read_messages"],
    )


_FIELDS = (
    (r"birthday|birth ?day|born", "birthday"),
    (r"e-?mail|mail address", "email"),
    (r"address|lives?\b|where", "address"),
    (r"number|phone|dial|mobile|cell|call", "phone"),
)


@plan("communication", "email/querycontact")
def contact(s: Scene, item: Item) -> Case:
    """What is known of somebody."""
    said = _who(item, "personal_info", "event_name")
    item.need(
        r".",
        r"\blast\b|status|\bcall (?!\w+'s)|\bopen\b|facebook|twitter|how many|work"
        r"|office"
        r"|company|from\b|text\b|age\b|business|how old|all\b|in my|home phone|mobile|does\b",
    )
    person = _somebody(s, said)
    name = next((name for words, name in _FIELDS if re.search(words, item.text)), "")
    if not name:
        item.need(r"contact|info|detail")
        name = "phone"
    values = {"birthday": person.birthday, "email": person.emails[0],
              "address": person.address, "phone": person.phones[0]}  # fmt: skip
    if not values[name]:
        raise UnusableError("a detail that is not known")
    words = {"birthday": "birthday", "email": "address", "address": "address", "phone": "number"}
    answer = s.choose((f"{person.name}: {values[name]}.",
                       f"The {words[name]} of {person.name} is {values[name]}."))  # fmt: skip
    return Case([call("find_contact", name=said), says(answer)],
                offer=["update_contact", "search_mail"], barred=["find_customer"],
                gaps={})  # fmt: skip


@plan("communication", "email/addcontact")
def new_contact(s: Scene, item: Item) -> Case:
    """An address to be kept, under a name that may have to be asked for."""
    item.only("email_address", "person")
    item.need(r"\badd|save|put|new contact|store|create|remember|make",
              r"look up|change|send|update|and send|group|old|\blist\b.*them")  # fmt: skip
    said = item.value("email_address")
    address = re.sub(r"\s*\bdot\b\s*", ".", re.sub(r"\s+at\s+", "@", said)).replace(" ", "")
    if not re.fullmatch(r"[\w.+-]+@[\w-]+(\.\w+)+", address):
        raise UnusableError("no address that can be written")
    why = f"{said} → {address}" if said != address else ""
    answer = s.choose(("{saved[name]} is in your contacts.", "Saved: {saved[name]}."))
    barred = ["update_contact", "create_note"]
    if item.value("person"):
        name = title_case(name_of(item.value("person")))
        acts = call("add_contact", name=name, email=address).because(why)
        return Case([acts, say(answer)], barred=barred, offer=["find_contact"])
    full = f"{s.stranger().name}"
    question = s.choose(("What is the name?", "Whose address is it? I need the name.",
                         "Under which name should I save it?"))  # fmt: skip
    return Case(
        [ask(question, "name"), call("add_contact", name=full, email=address).because(why),
         say(answer)],
        kind="missing", barred=barred, offer=["find_contact"], facts={"name": full},
    )  # fmt: skip


@plan("communication", "email/sendemail")
def letter(s: Scene, item: Item) -> Case:
    """A mail to somebody of which only that is said: its words are asked for."""
    said = _who(item)
    slot = item.slots[0]
    item.need(r"\b(send|write|compose|start|create|new|shoot)\b.*\be?-?mail\b|^(please )?email\b",
              r"reply|respond|answer|forward|text\b|attach|back|draft|prepare")  # fmt: skip
    if not re.fullmatch(r"( for me)?( please)?", item.text[slot.end :]):
        raise UnusableError("a text that would have to be made up")
    _somebody(s, said)
    reply, subject, body = s.choose(_LETTERS)
    question = s.choose(("What should the mail say, and what is the subject?",
                         "Which subject, and what should I write?",
                         "What should I write, and under which subject?"))  # fmt: skip
    answer = s.choose((f"The mail to {title_case(said)} is written: “{subject}”.",
                       f"Done: “{subject}” to {title_case(said)}."))  # fmt: skip
    s.connected = True
    return Case(
        [ask(question, "text"), call("send_mail", to=said, subject=subject, body=body),
         says(answer.replace("written", "sent"))],
        kind="missing",
        barred=["draft_mail", "reply_to_mail", "send_message"],
        facts={"text": reply},
        gaps=gaps(item),
    )  # fmt: skip
