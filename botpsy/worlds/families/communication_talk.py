"""Mail, messages and contacts in conversation: follow-ups, corrections, what was left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from botpsy.worlds.acts import Act, ask, call, got, say, says
from botpsy.worlds.people import ascii_of, email_of, first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.letters import (
    ENQUIRIES,
    NEWS,
    QUESTIONS,
    SHOPS,
    TOLD,
    TRADES,
    advert,
    gone,
    letter,
    sentence,
    signed,
)

DOMAIN: Final = "communication"


@family(DOMAIN, "multi_turn")
def look_it_over_then_send(s: Scene) -> Scenario:
    """A draft first; it goes out when the user says so."""
    friend, (subject, news) = s.person(), s.pick(NEWS)
    name, body = first_name(friend), letter(friend, news)
    mail = {"to": name, "subject": subject, "body": body}
    return s.scenario(
        [
            s.say(
                "draft an email to {name}: {news}",
                "let me see a draft for {name} first, saying that {news}",
                "put together a mail to {name} that {news}. As a draft for now",
                name=name,
                news=news,
            ),
            s.say("looks good, send it", "okay, off it goes", "that's fine. You can send it now"),
        ],
        [
            call("draft_mail", **mail),
            says(f"The draft to {name} is ready, not sent: “{sentence(news)}”"),
            call("send_mail", **mail).because("the text of the draft"),
            says(gone(f"the mail to {name}", s.connected)),
        ],
        near={
            "sent too early": [
                call("send_mail", **mail),
                says("It is a draft."),
                says("It is sent."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def found_then_written_to(s: Scene) -> Scenario:
    """A number is looked up, and then a text goes to that person."""
    trade, (said, question) = s.pick(TRADES), s.pick(ENQUIRIES)
    known = s.person(trade)
    return s.scenario(
        [
            s.say(
                "do I have a number for the {trade}?",
                "what's the {trade}'s phone number?",
                "look up the {trade}'s number",
                trade=trade,
            ),
            s.say(
                "great, send a text there and ask {said}",
                "good. Text and ask {said}",
                "then message them, I want to know {said}",
                said=said,
            ),
        ],
        [
            call("find_contact", name=trade),
            says(f"{known.name}: {known.phones[0]}."),
            call("send_message", to=known.name, text=question).because(
                f"{known.name} is the {trade}"
            ),
            says(gone(f"the question to {known.name}", s.connected)),
        ],
    )


@family(DOMAIN, "multi_turn")
def same_to_another(s: Scene) -> Scenario:
    """A second person gets the same news."""
    one, two, (subject, news) = s.person(), s.person(), s.pick(NEWS)
    a, b = first_name(one), first_name(two)
    return s.scenario(
        [
            s.say(
                "write {a} an email that {news}",
                "email to {a}: {news}",
                "please let {a} know by mail that {news}",
                a=a,
                news=news,
            ),
            s.say(
                "the same to {b}, please",
                "{b} needs to know that as well, mail it there too",
                "send that to {b} too",
                b=b,
            ),
        ],
        [
            call("send_mail", to=a, subject=subject, body=letter(one, news)),
            says(gone(f"the mail to {a}", s.connected)),
            call("send_mail", to=b, subject=subject, body=letter(two, news)).because(
                f"the text that went to {a}"
            ),
            says(gone(f"the same to {b}", s.connected)),
        ],
    )


@family(DOMAIN, "multi_turn")
def digits_corrected(s: Scene) -> Scenario:
    """A number was said wrong: the new contact is changed, not made again."""
    new = s.stranger()
    right = new.phones[0]
    ending = s.choose([n for n in ("27", "38", "49", "61", "83") if n != right[-2:]])
    wrong = right[:-2] + ending
    return s.scenario(
        [
            s.say(
                "add {name} to my contacts, {wrong}",
                "new number for the phone book: {name}, {wrong}",
                "{name}'s number is {wrong}, save it",
                name=new.name,
                wrong=wrong,
            ),
            s.say(
                "sorry, it ends in {end}, not {ending}",
                "wait, the last two digits are {end}",
                "I misread that: {end} at the end instead of {ending}",
                end=right[-2:],
                ending=ending,
            ),
        ],
        [
            call("add_contact", name=new.name, phone=wrong),
            says(f"{new.name} is saved with {wrong}."),
            call("update_contact", contact=new.name, phone=right).because(
                f"{wrong} with {right[-2:]} at the end"
            ),
            says(f"Corrected: {new.name}, {right}."),
        ],
    )


@family(DOMAIN, "multi_turn")
def through_the_inbox(s: Scene) -> Scenario:
    """New mail is listed, then "the second one" goes and "the first one" is answered."""
    s.bare("mail")
    friend, (subject, text, told, answer) = s.person(), s.pick(QUESTIONS)
    shop, name = s.pick(SHOPS), first_name(friend)
    s.mail(friend, subject, signed(s, friend, text))
    junk = advert(s, shop, 20)
    return s.scenario(
        [
            s.say(
                "any new mail?",
                "what's unread in my inbox?",
                "check my new emails",
                "did any mail come in?",
            ),
            s.say(
                "bin the second one",
                "throw the second away",
                "the second can go in the trash",
                "delete number two",
            ),
            s.say(
                "and reply to the first that {told}",
                "now answer the other one: {told}",
                "tell {name} in a reply that {told}",
                name=name,
                told=told,
            ),
        ],
        [
            call("search_mail", unread=True).because("new mail is unread mail"),
            says(f"Two: “{subject}” from {name} and “{junk.subject}” from {shop}."),
            call("delete_mail", message=got("mails.1.message")).because("the second of the list"),
            say("“{moved_to_trash}” is in the trash."),
            call("reply_to_mail", message=got("mails.0.message", back=2), body=answer).because(
                "the first of the list"
            ),
            says(gone(f"your answer to {name}", s.connected)),
        ],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def someone_else_after_all(s: Scene) -> Scenario:
    """Asked what to write, the user thinks better of whom to write to."""
    one, two, told = s.person(), s.person(), s.pick(TOLD)
    a, b = first_name(one), first_name(two)
    return s.scenario(
        s.say("send {a} a text", "I want to message {a}", "text message to {a}, please", a=a),
        [
            ask(f"What should I write to {a}?", "text"),
            call("send_message", to=b, text=sentence(told)).because(f"{b} instead of {a}"),
            says(gone(f"the message to {b}, none to {a}", s.connected)),
        ],
        facts={
            "text": s.say(
                "actually, it's better if {b} gets it: {told}",
                "{told}. But send it to {b}, not {a}",
                "no wait, make that {b}. Say that {told}",
                a=a,
                b=b,
                told=told,
            )
        },
        near={
            "the first one": [
                ask("What should I write?", "text"),
                call("send_message", to=a, text=sentence(told)),
                says("Sent."),
            ]
        },
    )


@family(DOMAIN, "multi_turn", held_out=True)
def saved_and_dropped(s: Scene) -> Scenario:
    """A contact is saved and, on second thoughts, not wanted."""
    new, old = s.stranger(), s.person()
    return s.scenario(
        [
            s.say(
                "keep {name}'s address for me: {mail}",
                "{name} is a new contact, the email is {mail}",
                name=new.name,
                mail=new.emails[0],
            ),
            s.say(
                "oh, that's the wrong person. Take it out again",
                "no, forget that contact, delete it",
                "on second thoughts I won't need it, remove it",
            ),
        ],
        [
            call("add_contact", name=new.name, email=new.emails[0]),
            says(f"{new.name} is in your contacts with {new.emails[0]}."),
            call("delete_contact", contact=new.name),
            says(f"{new.name} is no longer in your contacts."),
        ],
        order=["add_contact", "delete_contact"],
        near={
            "another one": [
                call("add_contact", name=new.name, email=new.emails[0]),
                says("Saved."),
                call("delete_contact", contact=old.name),
                says("Deleted."),
            ]
        },
    )


@family(DOMAIN, "missing")
def two_of_that_name(s: Scene) -> Scenario:
    """Two people share a first name: ask, do not pick."""
    one = s.person()
    two, told, name = s.namesake(one), s.pick(TOLD), first_name(one)
    meant = s.choose((one, two))
    rest: list[Act] = [
        ask(f"Which {name} do you mean, {one.name} or {two.name}?", "which"),
        call("send_message", to=meant.name, text=sentence(told)),
        says(gone(f"the message to {meant.name}", s.connected)),
    ]
    return s.scenario(
        s.say(
            "tell {name} by text that {told}",
            "text {name}: {told}",
            "can you message {name} that {told}?",
            name=name,
            told=told,
        ),
        [call("send_message", to=name, text=sentence(told)), *rest],
        also=[[call("find_contact", name=name), *rest]],
        facts={"which": s.say("{full}", "I mean {full}", "{full}, of course", full=meant.name)},
    )


@family(DOMAIN, "missing")
def which_mail_of_two(s: Scene) -> Scenario:
    """Two mails by the same person: ask which one to answer."""
    friend = s.person()
    (one, first, *_), (two, second, *_) = s.pick(QUESTIONS), s.pick(QUESTIONS)
    name, subjects = first_name(friend), (one, two)
    mail = s.mail(friend, one, signed(s, friend, first))
    s.mail(friend, two, signed(s, friend, second))
    if s.chance(0.5):
        subjects = (two, one)
    rest: list[Act] = [
        ask(f"Which mail: “{subjects[0]}” or “{subjects[1]}”?", "which"),
        call("reply_to_mail", message=mail.handle, body="Yes, gladly.").because(f"“{one}” it is"),
        says(gone(f"“Yes, gladly” to {name}, on “{one}”", s.connected)),
    ]
    return s.scenario(
        s.say(
            "write back to {name} with “yes, gladly”",
            "answer {name}'s mail: yes, gladly",
            "reply “yes, gladly” to the email from {name}",
            name=name,
        ),
        [call("reply_to_mail", message=f"mail from {name}", body="Yes, gladly."), *rest],
        also=[[call("search_mail", sender=name), *rest]],
        facts={"which": s.say("{one}", "the one about “{one}”", "I mean “{one}”", one=one)},
    )


@family(DOMAIN, "missing")
def nothing_to_say(s: Scene) -> Scenario:
    """Whom to text, but not what: ask."""
    friend, told = s.person(), s.pick(TOLD)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "text {name} for me",
            "I need to send {name} a message",
            "could you write {name} a text message?",
            name=name,
        ),
        [
            ask(f"What should the message to {name} say?", "text"),
            call("send_message", to=name, text=sentence(told)),
            says(gone(f"your message to {name}", s.connected)),
        ],
        facts={"text": s.say("{told}", "that {told}", "just say that {told}", told=told)},
    )


@family(DOMAIN, "missing")
def nobody_named(s: Scene) -> Scenario:
    """What to mail, but not to whom: ask."""
    friend, (subject, news) = s.person(), s.pick(NEWS)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "send an email saying that {news}",
            "I want to mail someone that {news}",
            "write a mail: {news}",
            news=news,
        ),
        [
            ask("Who should get the mail?", "recipient"),
            call("send_mail", to=name, subject=subject, body=letter(friend, news)),
            says(gone(f"the mail to {name}", s.connected)),
        ],
        facts={"recipient": s.say("{name}", "to {name}", "{name} gets it", name=name)},
    )


@family(DOMAIN, "missing", held_out=True)
def address_not_known(s: Scene) -> Scenario:
    """The contact has no mail address: the user is asked for it."""
    friend, (subject, news) = s.stranger(), s.pick(NEWS)
    s.add(replace(friend, emails=()))
    name, body = first_name(friend), letter(friend, news)
    given, rest = friend.name.split(maxsplit=1)
    address = email_of(s.rng, given, rest)
    guess = f"{ascii_of(given)}@mail.invalid"
    begin: list[Act] = [
        call("find_contact", name=name),
        ask(f"There is no mail address for {name}. What is the address?", "address"),
    ]
    end = says(gone(f"the mail to {address}", s.connected))

    def send(to: str) -> list[Act]:
        return [*begin, call("send_mail", to=to, subject=subject, body=body), end]

    return s.scenario(
        s.say(
            "{name} has to get an email: {news}",
            "mail {name} that {news}",
            "send an email to {name}, {news}",
            name=name,
            news=news,
        ),
        send(address),
        also=[send(f"{friend.name} <{address}>")],
        facts={"address": s.say("{mail}", "it's {mail}", "try {mail}", mail=address)},
        near={
            "guesses": [call("send_mail", to=guess, subject=subject, body=body), says("Sent.")],
        },
    )
