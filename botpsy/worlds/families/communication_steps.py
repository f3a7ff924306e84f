"""Mail, step by step: found and passed on, cleared out, answered from the calendar; a full box."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.services.contacts import Contact
from botpsy.services.mail import Mailbox
from botpsy.worlds.acts import both, call, got, says
from botpsy.worlds.people import first_name, phone
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.letters import (
    FACTS,
    NEWS,
    QUESTIONS,
    SHOPS,
    advert,
    anything,
    gone,
    keyword,
    letter,
    signed,
)
from botpsy.worlds.seeding.pools import APPOINTMENTS, MEETINGS

DOMAIN: Final = "communication"


@family(DOMAIN, "multi_step")
def pass_a_fact_on(s: Scene) -> Scenario:
    """Search, read, and mail what was found to somebody else."""
    friend, other, (subject, text, topic, facts) = s.person(), s.person(), s.pick(FACTS)
    fact, to = s.choose(facts), first_name(other)
    s.mail(friend, subject, signed(s, friend, text, fact=fact))
    body = letter(other, f"{topic}: {fact}")
    return s.scenario(
        s.say(
            "find out {topic} from my mails and email it to {to}",
            "{to} asks me for {topic}. It's in a mail called “{subject}”, send it on by mail",
            "somebody mailed me {topic} (“{subject}”). Email that to {to}",
            topic=topic,
            to=to,
            subject=subject,
        ),
        [
            call("search_mail", query=keyword(subject, topic)),
            call("read_mail", message=got("mails.0.message")),
            call("send_mail", to=to, subject=subject, body=body).because(f"the mail says {fact}"),
            says(gone(f"{topic} ({fact}), to {to}", s.connected)),
        ],
        loose=["mail/*/text"],
        mentions=[fact],
        near={
            "without the fact": [
                call(
                    "send_mail", to=to, subject=subject, body=letter(other, "I will tell you soon")
                ),
                says(f"Sent: {fact}."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def forward_whole(s: Scene) -> Scenario:
    """There is no forwarding as such: the mail is read, and its text mailed on."""
    friend, other, (subject, text, _, facts) = s.person(), s.person(), s.pick(FACTS)
    name, fact, to = first_name(friend), s.choose(facts), first_name(other)
    text = signed(s, friend, text, fact=fact)
    s.mail(friend, subject, text)
    return s.scenario(
        s.say(
            "forward {name}'s mail to {to}",
            "send the mail I got from {name} on to {to}",
            "{to} should have {name}'s email too, please forward it",
            name=name,
            to=to,
        ),
        [
            call("read_mail", message=f"mail from {name}"),
            call(
                "send_mail", to=to, subject=f"Fwd: {subject}", body=f"From {friend.name}:\n\n{text}"
            ).because("the text of the mail that was read"),
            says(gone(f"{name}'s mail, to {to}", s.connected)),
        ],
        loose=["mail/*/text"],
        mentions=[fact],
        near={
            "answers instead": [
                call("reply_to_mail", message=f"mail from {name}", body=f"For {to}: {fact}"),
                says("Forwarded."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def clear_out_adverts(s: Scene) -> Scenario:
    """All mails of one sender go; those of others stay."""
    shop, other = s.pick(SHOPS), s.pick(SHOPS)
    number = s.choose((2, 3))
    for n in range(number):
        advert(s, shop, 3 + 40 * n)
    advert(s, other, 30)
    return s.scenario(
        s.say(
            "delete all mails from {shop}",
            "everything {shop} ever sent me can go in the bin",
            "clear the {shop} adverts out of my inbox, all of them",
            shop=shop,
        ),
        [
            call("search_mail", sender=shop),
            both(
                *(call("delete_mail", message=got(f"mails.{n}.message")) for n in range(number))
            ).because(f"the {number} mails found"),
            says(f"In the trash: {number} mails from {shop}, all there were."),
        ],
    )


@family(DOMAIN, "multi_step", held_out=True)
def archive_all_of_one(s: Scene) -> Scenario:
    """All mails of one person are put away, not thrown away."""
    friend, other = s.person(), s.person()
    name = first_name(friend)
    mails = [anything(s, friend) for _ in range(s.choose((2, 3)))]
    anything(s, other)
    return s.scenario(
        s.say(
            "move everything from {name} into the archive",
            "archive all of {name}'s mails, I'm done with them",
            "{name}'s emails are dealt with. File them away, every one",
            name=name,
        ),
        [
            call("search_mail", sender=name),
            both(
                *(
                    call("archive_mail", message=got(f"mails.{n}.message"))
                    for n in range(len(mails))
                )
            ).because(f"the {len(mails)} mails found"),
            says(f"{len(mails)} mails from {name} are in the archive now."),
        ],
        offer=["delete_mail"],
        near={
            "deletes": [
                both(*(call("delete_mail", message=each.handle) for each in mails)),
                says("They are archived."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def answer_with_the_time(s: Scene) -> Scenario:
    """The mail asks when; the calendar knows; the answer says it."""
    friend, what = s.person(), s.pick((*MEETINGS, *APPOINTMENTS))
    name, when = first_name(friend), s.when(days=(2, 9))
    s.event(what, when)
    at = when.at
    text = "Hi {me},\n\nwhen was the {what} again? I lost my notes.\n\n{name}"
    s.mail(friend, f"When is the {what}?", signed(s, friend, text, what=what))
    spoken = f"{at:%A} {at.day} {at:%B}, {at:%H:%M}"
    return s.scenario(
        s.say(
            "{name} asks by mail when the {what} is. Look it up and reply",
            "answer {name}'s mail with the day and time of the {what}",
            "reply to {name} when the {what} is, it's in my calendar",
            name=name,
            what=what,
        ),
        [
            call("find_events", query=what),
            call(
                "reply_to_mail", message=f"mail from {name}", body=f"The {what} is on {spoken}."
            ).because("day and time of the event found"),
            says(gone(f"the time of the {what} ({spoken}), to {name}", s.connected)),
        ],
        loose=["mail/*/text"],
        mentions=[f"{at:%H:%M}", f"{at.day}|{at:%A}|{at:%a}|{when.day}"],
        near={
            "another time": [
                call("reply_to_mail", message=f"mail from {name}", body="It is tomorrow at 6:35."),
                says("Answered."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def number_from_a_mail(s: Scene) -> Scenario:
    """Somebody's new number stands in their mail; the contact is changed."""
    friend, number = s.person(), phone(s.rng)
    name = first_name(friend)
    text = s.choose(
        (
            "Hi {me},\n\nmy old phone is gone. From now on it's {number}.\n\n{name}",
            "Dear {me},\n\nplease note my new number, {number}.\n\nBest wishes\n{name}",
            "{me}, I've switched providers. Reach me on {number}!\n\n{name}",
        )
    )
    s.mail(friend, "New phone", signed(s, friend, text, number=number))
    return s.scenario(
        s.say(
            "{name} mailed me a new phone number, put it in my contacts",
            "update {name}'s phone number, the new one is in the last email",
            "take the number out of {name}'s mail and save it with the contact",
            name=name,
        ),
        [
            call("read_mail", message=f"latest from {name}"),
            call("update_contact", contact=name, phone=number).because("the number in the mail"),
            says(f"{friend.name} now has the number {number}."),
        ],
        offer=["add_contact"],
    )


@family(DOMAIN, "state")
def mailbox_is_full(s: Scene) -> Scenario:
    """The mail cannot go out; nobody said that something may be deleted."""
    s.bare("mail")
    friend, (subject, news) = s.person(), s.pick(NEWS)
    shop, name, body = s.pick(SHOPS), first_name(friend), letter(friend, news)
    old, others = advert(s, shop), s.choose((2, 3, 4))
    for _ in range(others):
        anything(s, s.person())
    s.options["mail"] = {"room": others + 1}
    return s.scenario(
        s.say(
            "email {name} that {news}",
            "mail for {name}: {news}",
            "could you send {name} an email? It's about this: {news}",
            name=name,
            news=news,
        ),
        [
            call("send_mail", to=name, subject=subject, body=body),
            says(
                f"The mail to {name} was not sent: your mailbox is full "
                f"({others + 1} of {others + 1} mails). Some must be deleted first."
            ),
        ],
        offer=["delete_mail", "search_mail"],
        answer=("full",),
        declines=True,
        near={
            "deletes unasked": [
                call("delete_mail", message=old.handle),
                call("send_mail", to=name, subject=subject, body=body),
                says("The mailbox was full, so it did not go at first."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def room_if_needed(s: Scene) -> Scenario:
    """Only if the mailbox is full may the adverts go; then the mail is sent."""
    s.bare("mail")
    friend, (subject, news) = s.person(), s.pick(NEWS)
    shop, name, body = s.pick(SHOPS), first_name(friend), letter(friend, news)
    old = advert(s, shop)
    for _ in range(3):
        anything(s, s.person())
    full = s.chance(0.6)
    s.options["mail"] = {"room": 4 if full else 50}
    send = call("send_mail", to=name, subject=subject, body=body)
    delete = call("delete_mail", message=f"mail from {shop}").because("the mailbox is full")
    sent = says(gone(f"the mail to {name}", s.connected))
    return s.scenario(
        s.say(
            "email {name} that {news}. If the mailbox is full, delete the one from {shop} first",
            "mail {name}: {news}. If that fails because the mailbox is full, delete the {shop} "
            "advert and try again",
            "send {name} a mail that {news}. Only if my mailbox has no space left, throw away "
            "what {shop} sent",
            name=name,
            news=news,
            shop=shop,
        ),
        [send, delete, send, sent] if full else [send, sent],
        offer=["delete_mail"],
        near={"gives up": [send, says("The mailbox is full.")]}
        if full
        else {"deletes anyway": [call("delete_mail", message=old.handle), send, sent]},
    )


@family(DOMAIN, "state")
def answered_before(s: Scene) -> Scenario:
    """Whether an answer went out already decides whether one is written."""
    friend, (subject, text, told, answer) = s.person(), s.pick(QUESTIONS)
    name = first_name(friend)
    s.mail(friend, subject, signed(s, friend, text), ago=timedelta(days=2))
    done, (other, _, _, answered) = s.chance(0.6), s.pick(QUESTIONS)
    _sent(s, s.person(), other, answered, hours=30)
    if done:
        _sent(s, friend, subject, answer, hours=20)
    reply = call("reply_to_mail", message=f"mail from {name}", body=answer)
    reply = reply.because(f"none of the sent ones went to {name}")
    sent = says(gone(f"your answer to {name}", s.connected))
    there = says(f"You have answered {name} already (“Re: {subject}”), so I sent nothing.")
    there = there.because(f"“Re: {subject}” went to {name}: it is answered, so nothing is sent.")
    look = call("search_mail", folder="sent").because("an answer would be among the sent ones")
    return s.scenario(
        s.say(
            "have I answered {name}'s mail? If not, reply that {told}",
            "if {name} hasn't had an answer to the mail about “{subject}”, write back that {told}",
            "I can't remember replying to {name} about “{subject}”. Check, and if I didn't: {told}",
            name=name,
            told=told,
            subject=subject,
        ),
        [look, *([there] if done else [reply, sent])],
        offer=["reply_to_mail"],
        answer=("already|have answered|have replied|did answer|did reply",) if done else (),
        near={"answers again": [reply, sent]} if done else {"nothing": [there]},
    )


def _sent(s: Scene, to: Contact, subject: str, text: str, hours: int) -> None:
    """An answer that the user has sent."""
    ago, box = timedelta(hours=hours), Mailbox(to.name, to.emails[0])
    s.mail(s.me, f"Re: {subject}", text, ago=ago, to=(box,), folder="sent", unread=False)
