"""Text messages and contacts: write, look up, keep, correct; what must be found first."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.people import ascii_of, email_of, first_name, phone
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.letters import (
    ASKED,
    FAVOURS,
    KIN,
    TOLD,
    TRADES,
    gone,
    sentence,
)

DOMAIN: Final = "communication"


@family(DOMAIN, "single")
def text_someone(s: Scene) -> Scenario:
    """Tell one person one thing by text message."""
    friend, told = s.person(), s.pick(TOLD)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "text {name} that {told}",
            "send {name} a message: {told}",
            "let {name} know by text that {told}",
            "{told}. Could you message {name} about that?",
            "message for {name}: {told}",
            name=name,
            told=told,
        ),
        [
            call("send_message", to=name, text=sentence(told)),
            says(gone(f"your message to {name}", s.connected)),
        ],
        offer=["send_mail"],
    )


@family(DOMAIN, "single")
def ask_by_text(s: Scene) -> Scenario:
    """An indirect question becomes a direct one."""
    friend, (said, question) = s.person(), s.pick(ASKED)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "ask {name} {said}, by text",
            "text {name} and ask {said}",
            "can you message {name}? I want to know {said}",
            "shoot {name} a quick text to find out {said}",
            name=name,
            said=said,
        ),
        [
            call("send_message", to=name, text=question),
            says(gone(f"the question to {name}", s.connected)),
        ],
    )


@family(DOMAIN, "single", held_out=True)
def ask_family(s: Scene) -> Scenario:
    """A favour asked of somebody who is in the contacts by a nickname; "he" becomes "you"."""
    (nick, pronoun), (favour, question) = s.pick(KIN), s.pick(FAVOURS)
    s.person(nick)
    return s.scenario(
        s.say(
            "text {nick} and ask if {pronoun} can {favour}",
            "message my {low}: can {pronoun} {favour}?",
            "I need {nick} to {favour}, ask by text if that works",
            "could {nick} {favour}? Send a text and ask",
            nick=nick,
            low=nick.lower(),
            pronoun=pronoun,
            favour=favour,
        ),
        [
            call("send_message", to=nick, text=question),
            says(gone(f"the message to {nick}", s.connected)),
        ],
    )


@family(DOMAIN, "single")
def save_number(s: Scene) -> Scenario:
    """A new contact with a number."""
    new = s.stranger()
    return s.scenario(
        s.say(
            "save {name}'s number: {number}",
            "new contact, {name}, {number}",
            "put {name} in my phone book, the number is {number}",
            "I just met {name}. Keep the number for me, it's {number}",
            name=new.name,
            number=new.phones[0],
        ),
        [
            call("add_contact", name=new.name, phone=new.phones[0]),
            says(f"{new.name} is in your contacts with {new.phones[0]}."),
        ],
        offer=["update_contact"],
    )


@family(DOMAIN, "single")
def new_details(s: Scene) -> Scenario:
    """Somebody who is known has another number or address."""
    friend = s.person()
    given, family_name = friend.name.split(maxsplit=1)
    what, field, value = s.choose(
        (
            ("phone number", "phone", phone(s.rng)),
            ("email", "email", f"{ascii_of(given)}@{ascii_of(family_name)}.example"),
            ("address", "address", f"{s.rng.randint(2, 60)} Orchard Way, Bath"),
        )
    )
    return s.scenario(
        s.say(
            "{name} has a new {what}: {value}",
            "change {name}'s {what} to {value}",
            "the {what} I have for {name} is out of date. The right one is {value}",
            "update {name} in my contacts, {what} {value}",
            name=given,
            what=what,
            value=value,
        ),
        [
            call("update_contact", contact=given, **{field: value}),
            says(f"Changed: {friend.name}'s {what} is now {value}."),
        ],
        offer=["add_contact"],
        near={
            "a second contact": [call("add_contact", name=given, **{field: value}), says("Saved.")]
        },
    )


@family(DOMAIN, "single")
def look_up_number(s: Scene) -> Scenario:
    """A number of somebody who is known by the trade."""
    trade = s.pick(TRADES)
    known = s.person(trade)
    what, value = s.choose(
        (
            ("phone number", known.phones[0]),
            ("email address", known.emails[0]),
            ("postal address", known.address),
        )
    )
    return s.scenario(
        s.say(
            "what's the {trade}'s {what}?",
            "do I have the {what} of the {trade}?",
            "give me the {what} of my {trade}",
            "{trade}, {what}",
            trade=trade,
            what=what,
        ),
        [call("find_contact", name=trade), says(f"{known.name}'s {what} is {value}.")],
        answer=(value,),
    )


@family(DOMAIN, "single")
def take_out_contact(s: Scene) -> Scenario:
    """Somebody is no longer wanted in the contacts."""
    trade = s.pick(TRADES)
    old = s.person(trade)
    who = s.choose((f"the {trade}", old.name))
    return s.scenario(
        s.say(
            "delete {who} from my contacts",
            "I don't need {who} in my phone book any more",
            "you can take {who} out of my address book",
            who=who,
        ),
        [
            call("delete_contact", contact=who.removeprefix("the ")),
            say("{deleted} is gone from your contacts."),
        ],
        offer=["find_contact"],
    )


@family(DOMAIN, "single")
def what_did_they_text(s: Scene) -> Scenario:
    """Read the messages of one person, not the others."""
    friend, told = s.person(), s.pick(TOLD)
    s.message(friend, sentence(told), unread=True)
    s.message(s.person(), sentence(s.pick(TOLD)), unread=True)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "what did {name} text me?",
            "read me the message from {name}",
            "did {name} send me a text? What does it say?",
            "{name} just texted, read it out",
            name=name,
        ),
        [call("read_messages", person=name), says(f"{name} wrote: “{sentence(told)}”")],
        answer=(told,),
    )


@family(DOMAIN, "parallel")
def two_texts(s: Scene) -> Scenario:
    """Two people, two messages."""
    one, two = s.person(), s.person()
    told, (said, question) = s.pick(TOLD), s.pick(ASKED)
    a, b = first_name(one), first_name(two)
    return s.scenario(
        s.say(
            "text {a} that {told}, and ask {b} {said}",
            "two messages: tell {a} {told}, and find out from {b} {said}",
            "{a} should know that {told}. And text {b}, I'd like to know {said}",
            a=a,
            b=b,
            told=told,
            said=said,
        ),
        [
            both(
                call("send_message", to=a, text=sentence(told)),
                call("send_message", to=b, text=question),
            ),
            says(gone(f"the messages to {a} and {b}", s.connected)),
        ],
        near={
            "swapped": [
                both(
                    call("send_message", to=b, text=sentence(told)),
                    call("send_message", to=a, text=question),
                ),
                says("Both are sent."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def pass_a_number_on(s: Scene) -> Scenario:
    """Somebody's number is looked up and texted to somebody else."""
    trade, friend = s.pick(TRADES), s.person()
    known, name = s.person(trade), first_name(friend)
    number = known.phones[0]
    return s.scenario(
        s.say(
            "text {name} the {trade}'s number",
            "{name} needs my {trade}'s phone number, send it by message",
            "can you send {name} a text with the number of our {trade}?",
            name=name,
            trade=trade,
        ),
        [
            call("find_contact", name=trade),
            call("send_message", to=name, text=f"The {trade}'s number is {number}.").because(
                f"the number found for the {trade}"
            ),
            says(gone(f"the number {number}, to {name}", s.connected)),
        ],
        mentions=[number],
        near={
            "without the number": [
                call("send_message", to=name, text=f"I have the number of the {trade}."),
                says(f"Sent {number}."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def pass_a_message_on(s: Scene) -> Scenario:
    """What one person texted is told to another."""
    friend, other, told = s.person(), s.person(), s.pick(TOLD)
    s.message(friend, sentence(told), unread=True)
    a, b = first_name(friend), first_name(other)
    return s.scenario(
        s.say(
            "forward {a}'s last text to {b}",
            "read what {a} texted me and pass it on to {b}",
            "{b} should see the message I got from {a}, send it over by text",
            a=a,
            b=b,
        ),
        [
            call("read_messages", person=a),
            call("send_message", to=b, text=f"{a} wrote: {sentence(told)}").because(
                f"the newest message from {a}"
            ),
            says(gone(f"what {a} wrote, to {b}", s.connected)),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def save_number_from_message(s: Scene) -> Scenario:
    """A number that came in a message goes into the contacts."""
    friend, new = s.person(), s.stranger()
    name, number = first_name(friend), new.phones[0]
    text = s.choose(
        (
            f"Ask {new.name}, the number is {number}. Very helpful!",
            f"{number} is {new.name}, who fixed our roof",
            f"Here you go: {new.name}, {number}",
        )
    )
    s.message(friend, text, unread=True)
    return s.scenario(
        s.say(
            "{name} texted me somebody's number, save it in my contacts",
            "there's a phone number in {name}'s last message. Add that person to my contacts",
            "make a contact out of the number {name} just sent me by text",
            name=name,
        ),
        [
            call("read_messages", person=name),
            call("add_contact", name=new.name, phone=number).because("both are in the message"),
            says(f"{new.name} is in your contacts with {number}."),
        ],
        offer=["update_contact", "find_contact"],
        near={
            "changes the sender": [
                call("update_contact", contact=name, phone=number),
                says(f"{number} is saved."),
            ]
        },
    )


@family(DOMAIN, "state")
def no_number_only_mail(s: Scene) -> Scenario:
    """A text cannot go to somebody without a number: a mail was not asked for."""
    friend, told = s.stranger(), s.pick(TOLD)
    s.add(replace(friend, phones=()))
    name = first_name(friend)
    return s.scenario(
        s.say(
            "text {name} that {told}",
            "send {name} a text message: {told}",
            "drop {name} a text, {told}",
            name=name,
            told=told,
        ),
        [
            call("send_message", to=name, text=sentence(told)),
            says(
                f"I couldn't text {name}: there is no phone number in your contacts. I can try a "
                "mail instead, or text a number that you give me."
            ),
        ],
        offer=["send_mail", "find_contact"],
        answer=("number",),
        facts={"number": None},
        declines=True,
        near={
            "mails instead": [
                call("send_mail", to=name, subject="Message", body=sentence(told)),
                says("There is no phone number, so I couldn't text but mailed it."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def text_or_else_mail(s: Scene) -> Scenario:
    """By text if there is a number, else by mail: there is none."""
    friend, told = s.stranger(), s.pick(TOLD)
    s.add(replace(friend, phones=(), emails=(email_of(s.rng, *friend.name.split(maxsplit=1)),)))
    name = first_name(friend)
    return s.scenario(
        s.say(
            "tell {name} that {told}: by text if I have a number, otherwise by email",
            "if there's a number for {name}, text that {told}. If not, mail it",
            "{name} has to know that {told}. A text would be best, an email if you find no number",
            name=name,
            told=told,
        ),
        [
            call("find_contact", name=name),
            call("send_mail", to=name, subject="News", body=sentence(told)).because(
                "the contact has no number, only a mail address"
            ),
            says(f"There is no number for {name}. " + gone("a mail", s.connected)),
        ],
        offer=["send_message"],
    )
