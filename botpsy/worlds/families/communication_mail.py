"""Mail, one step: write, draft, answer, look up, read, throw away; two at once."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.people import first_name
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
    letter,
    sentence,
    signed,
)

DOMAIN: Final = "communication"


@family(DOMAIN, "single")
def mail_someone(s: Scene) -> Scenario:
    """A new mail to one person."""
    friend, (subject, news) = s.person(), s.pick(NEWS)
    name = first_name(friend)
    return s.scenario(
        s.say(
            "email {name} that {news}",
            "send {name} a mail saying that {news}",
            "write an email to {name}: {news}",
            "{name} should get a mail from me, {news}",
            name=name,
            news=news,
        ),
        [
            call("send_mail", to=name, subject=subject, body=letter(friend, news)),
            says(gone(f"your mail to {name}", s.connected)),
        ],
        offer=["send_message"],
    )


@family(DOMAIN, "single")
def mail_with_copy(s: Scene) -> Scenario:
    """One gets the mail, another a copy."""
    one, two, (subject, news) = s.person(), s.person(), s.pick(NEWS)
    a, b = first_name(one), first_name(two)
    return s.scenario(
        s.say(
            "email {a} that {news}, and copy {b}",
            "mail to {a}, cc {b}, subject {subject}: {news}",
            "let {a} know by email that {news}. {b} gets a copy",
            "write {a} a mail that {news} and put {b} in cc",
            a=a,
            b=b,
            news=news,
            subject=subject,
        ),
        [
            call("send_mail", to=a, cc=b, subject=subject, body=letter(one, news)),
            says(gone(f"the mail to {a}, with a copy to {b}", s.connected)),
        ],
        near={
            "the other way round": [
                call("send_mail", to=b, cc=a, subject=subject, body=letter(one, news)),
                says("Sent."),
            ]
        },
    )


@family(DOMAIN, "single")
def draft_for_later(s: Scene) -> Scenario:
    """A draft is kept, and nothing goes out."""
    friend, (subject, news) = s.person(), s.pick(NEWS)
    name, body = first_name(friend), letter(friend, news)
    return s.scenario(
        s.say(
            "draft a mail to {name} that {news}",
            "prepare an email for {name} saying {news}. I'll look it over before it goes out",
            "write {name} a mail that {news}, but don't send it yet",
            "put a mail to {name} in my drafts: {news}",
            name=name,
            news=news,
        ),
        [
            call("draft_mail", to=name, subject=subject, body=body),
            says(f"The mail to {name} is in your drafts, not sent."),
        ],
        offer=["send_mail"],
        near={"sends it": [call("send_mail", to=name, subject=subject, body=body), says("Sent.")]},
    )


@family(DOMAIN, "single")
def answer_mail(s: Scene) -> Scenario:
    """An answer to the one mail that somebody wrote."""
    friend, (subject, text, told, answer) = s.person(), s.pick(QUESTIONS)
    name = first_name(friend)
    s.mail(friend, subject, signed(s, friend, text))
    return s.scenario(
        s.say(
            "reply to {name}'s mail that {told}",
            "answer {name}'s email: {told}",
            "write back to {name} about the mail I got, {told}",
            "{name} mailed me. Reply that {told}",
            name=name,
            told=told,
        ),
        [
            call("reply_to_mail", message=f"{name}'s mail", body=answer),
            says(gone(f"your answer to {name}", s.connected)),
        ],
        offer=["send_mail"],
    )


@family(DOMAIN, "single")
def unread_mail(s: Scene) -> Scenario:
    """What is new in the inbox, and not what was read before."""
    s.bare("mail")
    one, two, old = s.person(), s.person(), s.person()
    subjects = [anything(s, each, unread=each is not old).subject for each in (one, two, old)]
    a, b = first_name(one), first_name(two)
    return s.scenario(
        s.say(
            "do I have new mail?",
            "any unread emails?",
            "what's new in my inbox?",
            "check my mail, is there anything I haven't read?",
        ),
        [
            call("search_mail", unread=True).because("new mail is unread mail"),
            says(f"Two unread mails: “{subjects[0]}” from {a} and “{subjects[1]}” from {b}."),
        ],
        answer=(a, subjects[0], b, subjects[1]),
    )


@family(DOMAIN, "single")
def fact_in_a_mail(s: Scene) -> Scenario:
    """What somebody's mail says about one thing."""
    friend, (subject, text, topic, facts) = s.person(), s.pick(FACTS)
    name, fact = first_name(friend), s.choose(facts)
    s.mail(friend, subject, signed(s, friend, text, fact=fact))
    return s.scenario(
        s.say(
            "{name} mailed me {topic}, what is it?",
            "look in {name}'s email and tell me {topic}",
            "I need {topic}. It's in the mail from {name}",
            "open {name}'s mail, I'm looking for {topic}",
            name=name,
            topic=topic,
        ),
        [call("read_mail", message=f"mail from {name}"), says(sentence(f"{topic}: {fact}"))],
        answer=(fact,),
    )


@family(DOMAIN, "single")
def bin_an_offer(s: Scene) -> Scenario:
    """One mail, named by its sender, goes to the trash."""
    shop = s.pick(SHOPS)
    advert(s, shop)
    return s.scenario(
        s.say(
            "delete the mail from {shop}",
            "bin that email {shop} sent me",
            "get rid of the advert from {shop} in my inbox",
            "the {shop} mail can go in the trash",
            shop=shop,
        ),
        [
            call("delete_mail", message=f"mail from {shop}"),
            say("“{moved_to_trash}” is in the trash."),
        ],
        offer=["search_mail"],
    )


@family(DOMAIN, "single", held_out=True)
def put_away_keep(s: Scene) -> Scenario:
    """Out of the inbox, but kept: the archive, not the trash."""
    friend = s.person()
    name = first_name(friend)
    mail = anything(s, friend)
    return s.scenario(
        s.say(
            "archive {name}'s mail",
            "move the mail from {name} to the archive",
            "I've dealt with {name}'s email. Put it away, but keep it",
            "clear {name}'s mail out of the inbox without deleting it",
            name=name,
        ),
        [
            call("archive_mail", message=f"mail from {name}"),
            say("“{archived}” is in the archive."),
        ],
        offer=["delete_mail"],
        near={"deletes": [call("delete_mail", message=mail.handle), says("It is archived.")]},
    )


@family(DOMAIN, "parallel", held_out=True)
def read_two(s: Scene) -> Scenario:
    """Two mails are read at once."""
    told = []
    for _ in range(2):
        friend, (subject, text, topic, facts) = s.person(), s.pick(FACTS)
        name, fact = first_name(friend), s.choose(facts)
        s.mail(friend, subject, signed(s, friend, text, fact=fact))
        told.append((name, topic, fact))
    (a, one, x), (b, two, y) = told
    return s.scenario(
        s.say(
            "{a} mailed me {one}, and {b} {two}. Tell me both",
            "look up {one} in {a}'s mail and {two} in {b}'s",
            "I need {one} (from {a}'s email) and {two} (from {b}'s email)",
            a=a,
            b=b,
            one=one,
            two=two,
        ),
        [
            both(
                call("read_mail", message=f"mail from {a}"),
                call("read_mail", message=f"mail from {b}"),
            ),
            says(f"{sentence(f'{one}: {x}')} {sentence(f'{two}: {y}')}"),
        ],
        answer=(x, y),
    )


@family(DOMAIN, "parallel")
def answer_one_bin_one(s: Scene) -> Scenario:
    """An answer to one mail, and another one deleted."""
    friend, (subject, text, told, answer) = s.person(), s.pick(QUESTIONS)
    shop, name = s.pick(SHOPS), first_name(friend)
    s.mail(friend, subject, signed(s, friend, text))
    advert(s, shop)
    return s.scenario(
        s.say(
            "answer {name}'s mail, {told}, and delete the one from {shop}",
            "two mails: reply to {name} that {told}, and throw away the one by {shop}",
            "bin what {shop} sent. And write back to {name} that {told}",
            name=name,
            told=told,
            shop=shop,
        ),
        [
            both(
                call("reply_to_mail", message=f"mail from {name}", body=answer),
                call("delete_mail", message=f"mail from {shop}"),
            ),
            says(
                f"The mail from {shop} is in the trash. "
                + gone(f"your answer to {name}", s.connected)
            ),
        ],
    )
