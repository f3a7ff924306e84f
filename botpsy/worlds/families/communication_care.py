"""Mail, messages and contacts where care is asked for: wrong values, look-alikes, no tool."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import call, says
from botpsy.worlds.people import ascii_of, first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.letters import (
    FACTS,
    NEWS,
    QUESTIONS,
    TOLD,
    anything,
    gone,
    letter,
    sentence,
    signed,
)

DOMAIN: Final = "communication"


@family(DOMAIN, "wrong_value")
def nobody_of_that_name(s: Scene) -> Scenario:
    """The one to be texted is not in the contacts."""
    unknown, other, told = s.stranger(), s.person(), s.pick(TOLD)
    name = first_name(unknown)
    return s.scenario(
        s.say(
            "text {name} that {told}",
            "message to {name}: {told}",
            "{name} should know that {told}, send a text",
            name=name,
            told=told,
        ),
        [
            call("send_message", to=name, text=sentence(told)),
            says(f"There is no {name} in your contacts, so I have sent nothing."),
        ],
        also=[[call("find_contact", name=name), says(f"There is no {name} in your contacts.")]],
        answer=(name,),
        facts={"number": None},
        near={
            "to somebody else": [
                call("send_message", to=other.name, text=sentence(told)),
                says(f"There is no {name}."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def not_an_address(s: Scene) -> Scenario:
    """What is to be saved is no mail address; nothing is made of it."""
    friend = s.person()
    name, given = first_name(friend), ascii_of(first_name(friend))
    bad, guess = s.choose(
        (
            (f"{given}.mail.example", f"{given}@mail.example"),
            (f"{given}@", f"{given}@example.org"),
            (f"@{given}.example", f"hello@{given}.example"),
            (f"{given}@@post.example", f"{given}@post.example"),
        )
    )
    return s.scenario(
        s.say(
            "change {name}'s email address to {bad}",
            "{name} has a new email: {bad}",
            "{bad} is where {name} gets mail now. Update the contact",
            name=name,
            bad=bad,
        ),
        [says(f"{bad} is not a complete mail address, so I left {name}'s contact as it is.")],
        offer=["update_contact", "find_contact"],
        facts={"address": None},
        declines=True,
        answer=("address",),
        near={
            "mends it": [
                call("update_contact", contact=name, email=guess),
                says(f"{bad} isn't an address, so I saved {guess}."),
            ]
        },
    )


@family(DOMAIN, "wrong_value", held_out=True)
def nothing_to_answer(s: Scene) -> Scenario:
    """No mail by that person has come, so there is none to answer."""
    friend, (subject, _, told, answer) = s.person(), s.pick(QUESTIONS)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "reply to {name}'s mail that {told}",
            "answer the email from {name}: {told}",
            "{name} must have mailed me by now. Reply that {told}",
            "there should be a mail by {name}, write back that {told}",
            name=name,
            told=told,
        ),
        [
            call("search_mail", sender=name),
            says(f"I can't find any mail from {name}, so I have not answered anything."),
        ],
        offer=["reply_to_mail", "send_mail"],
        answer=(name,),
        near={
            "a new mail": [
                call("send_mail", to=name, subject=subject, body=answer),
                says(f"There was no mail from {name}."),
            ]
        },
    )


@family(DOMAIN, "no_tool")
def voices_and_paper(s: Scene) -> Scenario:
    """Calls, faxes and letters are beyond the tools; a text is no call."""
    friend, told = s.person(), s.pick(TOLD)
    name = first_name(friend)
    wish, thing = s.choose(
        (
            ("call {name} and say that {told}", "make phone calls"),
            ("ring {name} for me, please", "make phone calls"),
            ("start a video call with {name}", "start video calls"),
            ("fax {name} a note: {told}", "send faxes"),
            ("put {name} on the line", "make phone calls"),
            ("leave {name} a voicemail saying {told}", "leave voicemails"),
            ("post a printed letter to {name} saying that {told}", "post letters"),
        )
    )
    return s.scenario(
        s.say(wish, f"can you {wish}?", f"I'd like you to {wish}", name=name, told=told),
        [says(f"I can't {thing}. I could write {name} a text message instead.")],
        offer=["send_message", "find_contact"],
        near={
            "texts instead": [
                call("send_message", to=name, text=sentence(told)),
                says(f"I can't {thing}, so I sent a text."),
            ]
        },
    )


@family(DOMAIN, "no_tool")
def may_only_read(s: Scene) -> Scenario:
    """Mail can be read here, but nothing can be sent."""
    friend, (subject, text, told, _) = s.person(), s.pick(QUESTIONS)
    name = first_name(friend)
    mail = s.mail(friend, subject, signed(s, friend, text))
    return s.scenario(
        s.say(
            "answer {name}'s email, {told}",
            "send {name} a reply that {told}",
            "{name} wrote about “{subject}”. Write back that {told}",
            name=name,
            told=told,
            subject=subject,
        ),
        [says("I can't send mail here. I can search, read and delete it.")],
        offer=["search_mail", "read_mail", "delete_mail"],
        without=["reply_to_mail", "send_mail", "draft_mail", "send_message"],
        near={
            "claims it": [says(f"Your answer to {name} is sent.")],
            "does away with it": [
                call("delete_mail", message=mail.handle),
                says("I can't answer it."),
            ],
        },
    )


@family(DOMAIN, "no_tool", held_out=True)
def beyond_the_mailbox(s: Scene) -> Scenario:
    """Things that mail programs do and these tools do not."""
    friend, told = s.person(), s.pick(TOLD)
    name = first_name(friend)
    wish, thing = s.choose(
        (
            ("unsend the text I sent {name}", "take back messages"),
            ("set up an out-of-office reply saying that {told}", "set up automatic replies"),
            ("block {name}'s number", "block numbers"),
            ("put a filter on {name}'s mails that stars them", "set up filters"),
            ("change my email signature", "change signatures"),
            ("unsubscribe me from all newsletters", "unsubscribe you"),
        )
    )
    return s.scenario(
        s.say(wish, f"please {wish}", f"could you {wish}?", name=name, told=told),
        [says(f"I can't {thing}. I can search, read, write and delete mail.")],
        offer=["search_mail", "send_mail", "delete_contact", "delete_mail"],
        near={
            "something else": [
                call("delete_contact", contact=name),
                says(f"I can't {thing}, but {name} is deleted."),
            ],
        },
    )


@family(DOMAIN, "lookalike")
def a_new_mail_not_a_reply(s: Scene) -> Scenario:
    """There is a mail by that person, but what is wanted is a new one on another matter."""
    friend, (subject, news) = s.person(), s.pick(NEWS)
    name, body = first_name(friend), letter(friend, news)
    old = anything(s, friend)
    return s.scenario(
        s.say(
            "write a new mail to {name}, not a reply: {news}",
            "{name}'s last mail can wait. Start a fresh one saying that {news}, and send it",
            "new email to {name}, subject {subject}: {news}",
            name=name,
            news=news,
            subject=subject,
        ),
        [
            call("send_mail", to=name, subject=subject, body=body),
            says(gone(f"a new mail to {name}", s.connected)),
        ],
        offer=["reply_to_mail", "draft_mail"],
        near={
            "a reply": [call("reply_to_mail", message=old.handle, body=body), says("Sent.")],
            "a draft": [
                call("draft_mail", to=name, subject=subject, body=body),
                says("It is sent."),
            ],
        },
    )


@family(DOMAIN, "lookalike")
def text_back_on_a_mail(s: Scene) -> Scenario:
    """It came by mail; the answer is to go by text message."""
    friend, (subject, text, told, answer) = s.person(), s.pick(QUESTIONS)
    name = first_name(friend)
    mail = s.mail(friend, subject, signed(s, friend, text))
    return s.scenario(
        s.say(
            "{name} sent me a mail about “{subject}”. Text back that {told}",
            "answer {name}'s mail on “{subject}” with a text to the phone: {told}",
            "no time for email. Text {name} about “{subject}” that {told}",
            name=name,
            told=told,
            subject=subject,
        ),
        [
            call("send_message", to=name, text=answer),
            says(gone(f"the text message to {name}", s.connected)),
        ],
        offer=["reply_to_mail", "send_mail"],
        near={
            "by mail": [
                call("reply_to_mail", message=mail.handle, body=answer),
                says("Answered."),
            ]
        },
    )


@family(DOMAIN, "lookalike", held_out=True)
def texted_not_mailed(s: Scene) -> Scenario:
    """The same person wrote a mail and a text; the text is asked for."""
    friend, told = s.person(), s.pick(TOLD)
    name = first_name(friend)
    anything(s, friend, unread=True)
    s.message(friend, sentence(told), unread=True)
    return s.scenario(
        s.say(
            "what did {name} just send me on the phone, as a text?",
            "read {name}'s SMS to me",
            "not the mail, the text from {name}: what does it say?",
            name=name,
        ),
        [
            call("read_messages", person=name),
            says(f"{name}'s text says: “{sentence(told)}”"),
        ],
        offer=["read_mail", "search_mail"],
        answer=(told,),
    )


@family(DOMAIN, "state")
def corrected_by_a_later_mail(s: Scene) -> Scenario:
    """Two mails on one thing; the later one takes the first one back."""
    friend, (subject, text, topic, facts) = s.person(), s.pick(FACTS)
    name, old = first_name(friend), s.choose(facts)
    new = s.choose([fact for fact in facts if fact != old])
    s.mail(friend, subject, signed(s, friend, text, fact=old), ago=timedelta(days=3))
    correction = "Hi {me},\n\nsorry, I got that wrong. It's {new}, not {old}.\n\n{name}"
    later = s.mail(
        friend, f"Correction: {subject}", signed(s, friend, correction, new=new, old=old)
    )
    read = call("read_mail", message=later.handle).because("the correction is what counts")
    told = says(f"{sentence(f'{topic}: {new}')} {name} corrected this in a later mail.")
    return s.scenario(
        s.say(
            "{name} mailed me {topic}. Can you look?",
            "tell me {topic}, {name} wrote about it",
            "find out from {name}'s mail {topic}",
            name=name,
            topic=topic,
        ),
        [call("read_mail", message=f"mail from {name}"), read, told],
        also=[[call("search_mail", sender=name), read, told]],
        answer=(new,),
        near={"the old one": [says(sentence(f"{topic}: {old}"))]},
    )
