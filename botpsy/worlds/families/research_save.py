"""What was found on the web goes somewhere: into a note, a file, a list, the calendar, a mail."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import both, call, says
from botpsy.worlds.compare import Loose
from botpsy.worlds.people import first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.pools import MEETINGS
from botpsy.worlds.seeding.sites import (
    call_for,
    date_in_full,
    eur,
    happening,
    number_of,
    recipe,
    venue,
)
from botpsy.worlds.seeding.webs import Web, finding, number, opening, question, shows

DOMAIN: Final = "research"
_TITLES = ("Trip ideas", "Look-ups", "Quiz night", "For the kids", "Weekend", "School project")


@family(DOMAIN, "multi_step")
def fact_into_new_note(s: Scene) -> Scenario:
    """Look it up, write it down under a title that is given."""
    web, title = Web(s), s.pick(_TITLES)
    entry = web.some()
    web.fill(1)
    fact = s.choose(list(entry.facts.values()))
    return s.scenario(
        s.say(
            'look this up and make a note called "{title}" of the answer: {ask}',
            '{ask} Put the answer into a new note, title "{title}"',
            'start a note "{title}" with the answer to this: {ask}',
            title=title,
            ask=question(s, fact, entry.called),
            exact=True,
        ),
        [
            *finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer),
            call("create_note", title=title, text=entry.told(fact)),
            says(f"{entry.told(fact)} It is in your note {title}."),
        ],
        offer=["read_page", "append_to_note"],
        loose=[Loose(f"notes/note/{title}", words=(fact.answer,))],
    )


@family(DOMAIN, "state")
def fact_into_my_note(s: Scene) -> Scenario:
    """The note is there already, so it is added to."""
    web, title = Web(s), s.pick(_TITLES)
    s.notes[title] = s.choose(("Ask Mum about the tent.", "Page 12 is missing.", "Start at ten."))
    place = venue(web)
    return s.scenario(
        s.say(
            'find the phone number of the {place} and keep it in my note "{title}"',
            'what number do I call to reach the {place}? Save it in "{title}", the note',
            'add the telephone number of the {place} to my {title} note',
            place=place.name,
            title=title,
            exact=True,
        ),
        [
            *finding(s, f"{place.name} telephone number", place.page, place.phone),
            call("append_to_note", note=title, text=f"{place.name}: {place.phone}"),
            says(f"The number is {place.phone}. I have added it to {title}."),
        ],
        offer=["create_note", "read_page"],
        loose=[Loose(f"notes/note/{title}", words=(s.notes[title], place.phone))],
        near={
            "a new note": [
                *finding(s, f"{place.name} telephone number", place.page, place.phone),
                call("create_note", title=place.name, text=place.phone),
                says(f"Saved: {place.phone}."),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "multi_step")
def event_into_calendar(s: Scene) -> Scenario:
    """When it is stands on the page; it goes into the calendar."""
    web = Web(s)
    when = s.when(days=(3, 12), hours=(14, 20))
    event = happening(web, when.at)
    other = happening(web, when.at + timedelta(days=9))
    return s.scenario(
        s.say(
            "find out when the {name} in {town} is and put it in my calendar",
            "I want to go to the {name} in {town}. Look up the date and add it to my calendar",
            "{name}, {town}: check online when it is, and block the time for me",
            name=event.name,
            town=event.town,
        ),
        [
            *finding(s, f"{event.name} {event.town} date", event.page, f"{event.at:%H:%M}"),
            call("create_event", title=event.name, start=s.plain(event.at)).because(
                "day and time as the page gives them"
            ),
            says(f"The {event.name} is on {date_in_full(event.at.date())} at {event.at:%H:%M}; "
                 "it is in your calendar."),
        ],
        offer=["read_page", "find_events"],
        loose=["calendar/*/location"],
        near={
            "another event's day": [
                call("create_event", title=event.name, start=s.plain(other.at)),
                says("It is in your calendar."),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "state")
def only_if_it_fits(s: Scene) -> Scenario:
    """The date is on the web; that day something else is on, so nothing is put in."""
    web, when = Web(s), s.when(days=(3, 10), hours=(14, 19))
    event = happening(web, when.at)
    there = s.event(s.pick(MEETINGS), when.at)
    day = f"{event.at.day} {event.at:%B %Y}"
    return s.scenario(
        s.say(
            "when is the {name} in {town}? If I have nothing else then, add it to my calendar",
            "look up the {name} in {town}. I'd like to go, but only if I'm free at that time. "
            "If so, enter it",
            "put the {name} in {town} in my calendar unless it clashes with something. The date "
            "is on the web",
            name=event.name,
            town=event.town,
        ),
        [
            *finding(s, f"{event.name} {event.town} date", event.page, f"{event.at:%H:%M}"),
            call("find_events", period=day).because("whether that day is free"),
            says(f"It is on {date_in_full(event.at.date())} at {event.at:%H:%M}, but you have "
                 f"\"{there.title}\" then, so I have added nothing.").because(
                     f"{there.title} is at {event.at:%H:%M} too"),
        ],
        offer=["create_event", "read_page"],
        answer=(there.title,),
        near={
            "books anyway": [
                call("create_event", title=event.name, start=s.plain(event.at)),
                says(f"It is in, but it clashes with {there.title}."),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "multi_step")
def mail_what_you_find(s: Scene) -> Scenario:
    """Look it up and mail it to somebody."""
    web, friend = Web(s), s.person()
    place = venue(web)
    prices = (f"{place.adult / 100:.2f}|{place.adult / 100:g}",
              f"{place.child / 100:.2f}|{place.child / 100:g}")  # fmt: skip
    body = (
        f"Hi {first_name(friend)},\n\nThe {place.name} costs {eur(place.adult)} for adults and "
        f"{eur(place.child)} for children under 14."
    )
    return s.scenario(
        s.say(
            "find out what the {place} costs for adults and for children, and email it to {name}",
            "{name} wants to know the ticket prices of the {place}, adults and kids. Look them up "
            "and mail them over",
            "please send {name} an email with the admission prices of the {place}, for grown-ups "
            "and children. They are on the web",
            place=place.name,
            name=friend.name,
        ),
        [
            call("web_search", query=f"{place.name} ticket prices"),
            opening(place.page.url, "prices are on the page for visitors"),
            call("send_mail", to=friend.name, subject=f"Prices of the {place.name}", body=body),
            says(f"I have sent the prices to {friend.name}."),
        ],
        offer=["draft_mail"],
        mentions=prices,
        loose=[Loose("mail/*/text", words=prices)],
    )


@family(DOMAIN, "multi_step", held_out=True)
def text_how_to_get_there(s: Scene) -> Scenario:
    """Look up the way and text it."""
    web, friend = Web(s), s.person()
    place = venue(web)
    return s.scenario(
        s.say(
            "{name} is meeting me at the {place}. Look up which tram goes there and text it to "
            "{name}",
            "send {name} a message saying which tram to take to the {place}, it's on their website",
            "which tram goes to the {place}? Let {name} know by text",
            name=first_name(friend),
            place=place.name,
        ),
        [
            *finding(s, f"{place.name} getting here tram", place.page, f"tram {place.tram}"),
            call("send_message", to=first_name(friend),
                 text=f"Take tram {place.tram} to the end for the {place.name}."),
            says(f"It is tram {place.tram}; I have texted {first_name(friend)}."),
        ],
        offer=["read_page", "send_mail"],
        mentions=(f"tram {place.tram}|line {place.tram}|number {place.tram}|{place.tram} tram",),
        loose=[Loose("messages/*/text", words=(place.tram,))],
    )  # fmt: skip


@family(DOMAIN, "multi_step")
def ingredients_onto_list(s: Scene) -> Scenario:
    """A recipe's ingredients go onto a shopping list that may hold other things."""
    web = Web(s)
    dish = recipe(web)
    recipe(web)
    name = s.choose(("Groceries", "Market", "Saturday shopping"))
    s.lists[name] = [s.choose(("kitchen roll", "cat food", "candles", "sparkling water"))]
    return s.scenario(
        s.say(
            "find a recipe for {dish} and put what I need on my {name} list",
            "I'm making {dish}. Look up the ingredients and add them to the {name} list",
            "what goes into {dish}? It's online. Write everything on my list {name}",
            dish=dish.name,
            name=name,
        ),
        [
            call("web_search", query=f"{dish.name} recipe ingredients"),
            opening(dish.page.url, "the whole list of ingredients is on the page"),
            call("add_to_list", list=name, items=list(dish.ingredients)),
            says(f"I have put {', '.join(dish.ingredients)} on {name}."),
        ],
        offer=["show_list"],
        loose=[Loose(f"notes/list/{name}", words=(s.lists[name][0], *dish.ingredients))],
        near={
            "one left out": [
                call("add_to_list", list=name, items=list(dish.ingredients[1:])),
                says("They are on the list."),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "multi_step")
def remind_before_the_deadline(s: Scene) -> Scenario:
    """A last day is on the web; the reminder is for some days before it."""
    web = Web(s)
    ahead, hour = s.choose((1, 2, 3)), s.choose((9, 10, 18))
    last = s.midnight(s.rng.randint(6, 25))
    offer = call_for(web, last.date())
    due = (last - timedelta(days=ahead)).replace(hour=hour)
    before = {1: "the day", 2: "two days", 3: "three days"}[ahead]
    clock = {9: "9 am", 10: "10 in the morning", 18: "6 pm"}[hour]
    text = f"apply for the {offer.name}"
    return s.scenario(
        s.say(
            "when do applications for the {name} close? Remind me to apply {before} before, at "
            "{clock}",
            "I want to apply for the {name}. Find the closing date and set a reminder {before} "
            "before it at {clock}",
            "look up the deadline of the {name} and remind me {before} earlier, {clock}, to apply",
            name=offer.name,
            before=before,
            clock=clock,
        ),
        [
            *finding(s, f"{offer.name} applications close", offer.page,
                     f"{last.day} {last:%B %Y}"),
            call(
                "set_reminder", text=text, when=f"{due.day} {due:%B %Y} at {clock}"
            ).because(
                f"{before} before {last.day} {last:%B} is {due.day} {due:%B}"
            ),
            says(f"It closes on {date_in_full(last.date())}. I'll remind you on "
                 f"{date_in_full(due.date())} at {due:%H:%M}."),
        ],
        offer=["read_page", "create_event"],
        answer=(f"{last.day}",),
        loose=[Loose("reminders/*/text", words=("apply|application|applications",))],
        near={
            "on the last day": [
                call("set_reminder", text=text, when=s.plain(last.replace(hour=hour))),
                says(f"It closes on the {last.day}; the reminder is set."),
            ]
        },
    )  # fmt: skip


@family(DOMAIN, "multi_step", held_out=True)
def two_facts_into_a_file(s: Scene) -> Scenario:
    """Two searches, one new file with both."""
    web = Web(s)
    one, two = web.bridge(), web.bridge()
    facts = [each.facts["length"] for each in (one, two)]
    path = f"Documents/{s.choose(('bridges', 'lengths', 'bridge-lengths'))}.txt"
    text = "\n".join(each.told(fact) for each, fact in zip((one, two), facts, strict=True))
    queries = [f"{each.name} length" for each in (one, two)]
    rest = [
        opening(each.url, "the results do not say how long it is")
        for each, query, fact in zip((one, two), queries, facts, strict=True)
        if not shows(s, query, each.page, fact.answer)
    ]
    return s.scenario(
        s.say(
            "look up the lengths of {one} and {two} and save both in a new file {path}",
            "make a file {path} with how long {one} is and how long {two} is, from the web",
            "I need {path}: the length of {one}, the length of {two}. Search for them",
            one=one.called,
            two=two.called,
            path=path,
            exact=True,
        ),
        [
            both(*(call("web_search", query=query) for query in queries)),
            *([both(*rest)] if rest else []),
            call("create_file", path=path, text=text),
            says(f"{path} is there, with both lengths."),
        ],
        offer=["read_page"],
        loose=[Loose(f"files/{path}", words=tuple(fact.answer for fact in facts))],
    )


@family(DOMAIN, "multi_step")
def line_in_my_file(s: Scene) -> Scenario:
    """Looked up on the web, added to a file that is there."""
    web = Web(s)
    town = web.town()
    web.fill(1)
    path = f"Documents/{s.choose(('towns.txt', 'places.txt', 'geography.md'))}"
    first = f"{web.name().split()[0]}ville, {number_of(s)}"
    s.files[path] = f"{first}\n"
    people = town.facts["population"].answer
    return s.scenario(
        s.say(
            "add a line to {path}: {town} and how many people live there. You'll find it online",
            "look up the population of {town} and append it to {path}",
            "{path} still lacks {town}. Find the number of inhabitants and write it at the end",
            path=path,
            town=town.name,
            exact=True,
        ),
        [
            *finding(s, f"{town.name} population", town.page, people),
            call("append_to_file", path=path, text=f"{town.name}, {number(int(people))}"),
            says(f"{town.name} has {number(int(people))} inhabitants; {path} says so now."),
        ],
        offer=["read_page", "rewrite_file"],
        loose=[Loose(f"files/{path}", words=(first, town.name, people))],
    )
