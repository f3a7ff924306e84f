"""The web in conversation: going on from a page, changing one's mind, asking back."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import ask, call, says
from botpsy.worlds.compare import Loose
from botpsy.worlds.people import first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.sites import VENUES, date_in_full, eur, happening, venue
from botpsy.worlds.seeding.webs import Web, finding, number, opening, question

DOMAIN: Final = "research"


@family(DOMAIN, "multi_turn")
def more_of_the_same_page(s: Scene) -> Scenario:
    """The second question is answered by the page that was read for the first."""
    web = Web(s)
    place = venue(web)
    return s.scenario(
        [
            s.say(
                "what does the {place} cost for an adult?",
                "how much is a grown-up's ticket for the {place}?",
                "look up what adults pay at the {place}",
                place=place.name,
            ),
            s.say(
                "and which number do I call there?",
                "do they have a phone number?",
                "what about a telephone number?",
            ),
        ],
        [
            call("web_search", query=f"{place.name} admission adult"),
            opening(place.page.url, "prices are on the page for visitors"),
            says(f"An adult pays {eur(place.adult)}."),
            says(f"The number is {place.phone}.").because("The page read before has the number"),
        ],
        answer=(place.phone,),
    )


@family(DOMAIN, "multi_turn")
def the_other_one(s: Scene) -> Scenario:
    """The user named the wrong one first; the same question holds for the right one."""
    web = Web(s)
    kind = s.choose(("bridge", "museum", "firm", "town", "product"))
    one, two = getattr(web, kind)(), getattr(web, kind)()
    label = s.choose(
        [each for each in two.facts if one.facts[each].answer != two.facts[each].answer]
    )
    first, second = one.facts[label], two.facts[label]
    return s.scenario(
        [
            s.say("{ask}", "tell me: {ask}", ask=question(s, first, one.called)),
            s.say(
                "sorry, I meant {name}",
                "no, not that one. {name}",
                "wait, that's the wrong name, it should be {name}",
                "and for {name}?",
                name=two.called,
            ),
        ],
        [
            *finding(s, f"{one.name} {label}", one.page, first.answer),
            says(one.told(first)),
            *finding(s, f"{two.name} {label}", two.page, second.answer),
            says(two.told(second)),
        ],
        offer=["read_page"],
        answer=(second.answer,),
        near={"sticks to the first": [says(one.told(first)), says(one.told(first))]},
    )


@family(DOMAIN, "multi_turn")
def now_tell_a_friend(s: Scene) -> Scenario:
    """First the answer, then off it goes to somebody."""
    web, friend = Web(s), s.person()
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    by_mail = s.chance(0.5)
    told, name = entry.told(fact), friend.name if by_mail else first_name(friend)
    send = (
        call("send_mail", to=name, subject=entry.name, body=f"Hi {first_name(friend)}, {told}")
        if by_mail else call("send_message", to=name, text=told)
    )  # fmt: skip
    verb = ("mail", "email") if by_mail else ("text", "message")
    return s.scenario(
        [
            s.say("{ask}", "quick question: {ask}", ask=question(s, fact, entry.called)),
            s.say(
                "{verb} that to {name}",
                "good, now {verb} it to {name}",
                "{name} should know, too. Please {verb} it over",
                verb=s.choose(verb),
                name=name,
            ),
        ],
        [
            *finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer),
            says(told),
            send,
            says(f"It is on its way to {friend.name}."),
        ],
        offer=["read_page"],
        mentions=(fact.answer,),
        loose=[Loose(path, words=(fact.answer,)) for path in ("mail/*/text", "messages/*/text")],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def one_two_and_the_difference(s: Scene) -> Scenario:
    """Two look-ups, then a question on both."""
    web = Web(s)
    kind, label, unit = s.choose(
        (("bridge", "length", "metres"), ("town", "population", "people"),
         ("firm", "employees", "people"), ("town", "elevation", "metres"))
    )  # fmt: skip
    one, two = getattr(web, kind)(), getattr(web, kind)()
    a, b = (int(each.facts[label].answer) for each in (one, two))
    high, low = max(a, b), min(a, b)
    return s.scenario(
        [
            s.say("{ask}", "look up: {ask}", ask=question(s, one.facts[label], one.called)),
            s.say("and {name}?", "what about {name}?", "the same for {name}", name=two.called),
            s.say("what's the difference?", "how far apart are they?", "so the difference is?"),
        ],
        [
            *finding(s, f"{one.name} {label}", one.page, str(a)),
            says(one.told(one.facts[label])),
            *finding(s, f"{two.name} {label}", two.page, str(b)),
            says(two.told(two.facts[label])),
            call("calculate", expression=f"{high} - {low}").because("the two numbers found"),
            says(f"The difference is {number(high - low)} {unit}."),
        ],
        offer=["read_page"],
        answer=(str(high - low),),
    )


@family(DOMAIN, "multi_turn")
def book_it_and_remind_me(s: Scene) -> Scenario:
    """A date from the web, then into the calendar, then a reminder counted from it."""
    web = Web(s)
    event = happening(web, s.when(days=(4, 12), hours=(14, 20)).at)
    ahead, hour = s.choose((1, 2)), s.choose((9, 17, 18))
    due = (event.at - timedelta(days=ahead)).replace(hour=hour, minute=0)
    clock = {9: "9 am", 17: "5 pm", 18: "six in the evening"}[hour]
    before = {1: "the day before", 2: "two days before"}[ahead]
    return s.scenario(
        [
            s.say(
                "when is the {name} in {town}?",
                "what's the date of the {name} in {town}?",
                "find the date and time of the {name}, {town}",
                name=event.name,
                town=event.town,
            ),
            s.say("put it in my calendar", "great, add that to the calendar", "I'll go. Enter it"),
            s.say(
                "and remind me {before} at {clock} to buy a ticket",
                "also set a reminder {before}, {clock}: buy a ticket",
                before=before,
                clock=clock,
            ),
        ],
        [
            *finding(s, f"{event.name} {event.town} date", event.page, f"{event.at:%H:%M}"),
            says(f"It is on {date_in_full(event.at.date())} at {event.at:%H:%M}."),
            call("create_event", title=event.name, start=s.plain(event.at)).because(
                "day and time as the page gives them"
            ),
            says(f"The {event.name} is in your calendar."),
            call(
                "set_reminder", text="buy a ticket", when=f"{due.day} {due:%B %Y} at {clock}"
            ).because(f"{before} {event.at.day} {event.at:%B} is {due.day} {due:%B}"),
            says(f"I'll remind you on {date_in_full(due.date())} at {due:%H:%M}."),
        ],
        offer=["read_page"],
        loose=["calendar/*/location", Loose("reminders/*/text", words=("ticket|tickets",))],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def note_it_no_do_not(s: Scene) -> Scenario:
    """Written down, and taken away again."""
    web, title = Web(s), s.choose(("Facts", "Odds and ends", "Scrapbook", "Quiz"))
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    return s.scenario(
        [
            s.say("{ask}", "do you know? {ask}", ask=question(s, fact, entry.called)),
            s.say('save that as a note, title "{title}"', 'make it a note called "{title}"',
                  title=title, exact=True),
            s.say("no, delete the note again", "on second thoughts, throw that note away",
                  "I've changed my mind, I don't need the note. Get rid of it"),
        ],
        [
            *finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer),
            says(entry.told(fact)),
            call("create_note", title=title, text=entry.told(fact)),
            says(f"It is in your note {title}."),
            call("delete_note", note=title),
            says(f"The note {title} is gone."),
        ],
        offer=["read_page"],
        order=["create_note", "delete_note"],
    )  # fmt: skip


@family(DOMAIN, "missing")
def which_of_the_two(s: Scene) -> Scenario:
    """There is one in each of two towns: ask which before writing anything down."""
    web, kind = Web(s), s.choose(VENUES)
    meant, other = venue(web, kind), venue(web, kind)
    title = s.choose(("Numbers", "Outing", "Sunday"))
    first, second = (meant, other) if s.chance(0.5) else (other, meant)
    return s.scenario(
        s.say(
            'put the phone number of the {kind} into a new note "{title}"',
            'look up the number of the {kind} and make a note of it, call it "{title}"',
            'I need a note "{title}" with the telephone number of the {kind}',
            kind=kind,
            title=title,
            exact=True,
        ),
        [
            call("web_search", query=f"{kind} phone number"),
            ask(f"Which one: the {first.name} or the {second.name}?", "which"),
            opening(meant.page.url, f"the one in {meant.town}"),
            call("create_note", title=title, text=f"{meant.name}: {meant.phone}"),
            says(f"{meant.phone} is in your note {title}."),
        ],
        facts={"which": s.say("the one in {town}", "{town}", "I mean {town}", town=meant.town)},
        loose=[Loose(f"notes/note/{title}", words=(meant.phone,))],
        near={
            "takes the other": [
                ask("Which one?", "which"),
                call("create_note", title=title, text=f"{other.name}: {other.phone}"),
                says("It is in your note."),
            ]
        },
    )


@family(DOMAIN, "missing")
def sent_to_whom(s: Scene) -> Scenario:
    """Somebody is to get it, but who?"""
    web, friend = Web(s), s.person()
    event = happening(web, s.when(days=(5, 20), hours=(11, 20)).at)
    body = (
        f"Hi {first_name(friend)}, the {event.name} in {event.town} is on "
        f"{date_in_full(event.at.date())} at {event.at:%H:%M}."
    )
    when = (f"{event.at.day}", f"{event.at:%H:%M}")
    return s.scenario(
        s.say(
            "find out when the {name} in {town} is and send it off by email",
            "look up date and time of the {name} in {town}, then send both by email",
            "email the date and the time of the {name} in {town}, they are on the web",
            name=event.name,
            town=event.town,
        ),
        [
            ask("Who should I send it to?", "recipient"),
            *finding(s, f"{event.name} {event.town} date", event.page, f"{event.at:%H:%M}"),
            call("send_mail", to=friend.name, subject=f"{event.name}, {event.town}", body=body),
            says(f"I have mailed it to {friend.name}."),
        ],
        facts={"recipient": s.say("to {name}", "{name}", "it's for {name}", name=friend.name)},
        offer=["read_page"],
        mentions=when,
        loose=[Loose("mail/*/text", words=when)],
    )


@family(DOMAIN, "missing")
def what_page(s: Scene) -> Scenario:
    """A page is to be read, and no address was given."""
    web = Web(s)
    event = happening(web, s.when(days=(5, 20), hours=(11, 20)).at)
    return s.scenario(
        s.say(
            "read me that web page",
            "can you open the link and tell me what it's about?",
            "sum up the page for me",
            "what does it say on that site?",
        ),
        [
            ask("Which page do you mean? Please give me its address.", "address"),
            opening(event.page.url),
            says(f"It is about the {event.name} in {event.town}, "
                 f"{date_in_full(event.at.date())}, {event.at:%H:%M}, at {event.place}. A ticket "
                 f"is {eur(event.price)}."),
        ],
        facts={"address": s.say("{url}", "here: {url}", "it's {url}", url=event.page.url,
                                exact=True)},
        offer=["web_search"],
        answer=(event.name, f"{event.at.day}|{event.place}"),
    )  # fmt: skip


@family(DOMAIN, "wrong_value")
def no_page_there(s: Scene) -> Scenario:
    """The address leads nowhere; say so, and give what a search finds instead."""
    web = Web(s)
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    wrong = f"https://{web.site}/{s.choose(('page', 'node', 'item'))}/{s.rng.randint(1000, 9999)}"
    return s.scenario(
        s.say(
            "open {url} and tell me: {ask}",
            "{ask} It's on {url}",
            "on {url} there is a page about {name}. {ask}",
            url=wrong,
            ask=question(s, fact, entry.called),
            name=entry.called,
            exact=True,
        ),
        [
            opening(wrong),
            *finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer),
            says(f"There is no page at that address, but a search found it elsewhere. "
                 f"{entry.told(fact)}"),
        ],
        answer=(fact.answer,),
        near={
            "does not say so": [
                *finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer),
                says(f"On your page it says: {entry.told(fact)}"),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "wrong_value")
def it_was_somebody_else(s: Scene) -> Scenario:
    """The question takes something for granted that the page denies."""
    web = Web(s)
    kind, label, verb = s.choose(
        (("bridge", "designer", "designed"), ("firm", "founder", "founded"),
         ("museum", "architect", "designed"))
    )  # fmt: skip
    entry, rival = getattr(web, kind)(), web.person()
    fact = entry.facts[label]
    right, wrong = fact.value, rival.name
    query = f"{entry.name} {wrong} {label}"
    first, *more = finding(s, query, entry.page, fact.answer)
    return s.scenario(
        s.say(
            "how old was {wrong} when {wrong} {verb} {name}?",
            "I read that {wrong} {verb} {name}. At what age was that?",
            "what had {wrong} done before? I mean before {name}, which {wrong} {verb}",
            wrong=wrong,
            verb=verb,
            name=entry.called,
        ),
        [
            first,
            *more,
            says(f"{wrong} did not: {entry.called} was {verb} by {right}.").because(
                f"The {label} was {right}, so the question cannot be answered as it stands"
            ),
        ],
        offer=["read_page"],
        answer=(fact.answer,),
        near={
            "plays along": [first, *more, says(f"{wrong} was 41 when {wrong} {verb} it.")],
        },
    )
