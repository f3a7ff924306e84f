"""The web: what cannot be done there, what is not on it, and what only looks as if it were."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import call, got, says
from botpsy.worlds.people import first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.sites import eur, venue
from botpsy.worlds.seeding.webs import TOWNS, Web, finding, opening, question

DOMAIN: Final = "research"
_WISHES = (
    ("download the video on {url}", "download anything"),
    ("log in to my account on {url}", "log in anywhere"),
    ("fill in the form on {url}", "fill in forms"),
    ("leave a comment below {url} that I liked it", "write comments"),
    ("take a screenshot of {url}", "take screenshots"),
    ("sign me up for the newsletter of {url}", "sign you up for newsletters"),
    ("upload my holiday photos to {url}", "upload anything"),
    ("vote for number three in the poll on {url}", "vote in polls"),
    ("accept the cookies on {url} for good", "accept cookies"),
    ("print {url}", "print pages"),
    ("translate the film on {url} into Polish", "translate films"),
    ("solve the captcha on {url}", "solve captchas"),
)
"""What is asked for, and what that is that cannot be done."""
_LATER = (
    "tell me as soon as {url} changes", "check {url} every ten minutes and warn me when it's down",
    "keep an eye on {url} and let me know when tickets are out",
    "watch {url} tonight, and write to me when the price drops",
)  # fmt: skip
_CONTRACTS = ("gym", "allotment", "storage room", "music school", "car share", "cellar", "phone")


@family(DOMAIN, "no_tool")
def cannot_do_on_pages(s: Scene) -> Scenario:
    """Pages can be read here, nothing else."""
    web = Web(s)
    entry = web.some()
    wish, cannot = s.pick(_WISHES)
    wish = wish.format(url=entry.url)
    return s.scenario(
        s.say("{wish}", "could you {wish}?", "I'd like you to {wish}", wish=wish, exact=True),
        [says(f"I can't {cannot}. I can only search the web and read pages.")],
        offer=["web_search", "read_page"],
        near={
            "claims it": [opening(entry.url), says("All done, it worked.")],
        },
    )


@family(DOMAIN, "no_tool")
def no_way_to_the_web(s: Scene) -> Scenario:
    """Only the user's own things can be searched here; they do not tell."""
    web = Web(s)
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    return s.scenario(
        s.say(
            "search the web: {ask}",
            "{ask} Google it for me",
            "look on the internet, please: {ask}",
            ask=question(s, fact, entry.called),
        ),
        [says("I can't search the web here, only your own notes and documents.")],
        offer=["search_documents", "find_notes"],
        without=["web_search", "read_page"],
        never=(fact.answer,),
        near={"makes it up": [says(entry.told(fact))]},
    )


@family(DOMAIN, "no_tool", held_out=True)
def cannot_keep_watch(s: Scene) -> Scenario:
    """A page can be read now; nobody keeps an eye on it."""
    web = Web(s)
    place = venue(web)
    wish = s.choose(_LATER).format(url=place.page.url)
    return s.scenario(
        s.say("{wish}", "can you {wish}?", "please {wish}", wish=wish, exact=True),
        [says("I can't watch a page over time. I can read it to you now, whenever you ask.")],
        offer=["read_page", "web_search", "set_reminder"],
        near={
            "a reminder instead": [
                call("set_reminder", text=f"look at {place.page.url}", when="tomorrow at 9:00"),
                says("I can't watch it, so I have set a reminder."),
            ],
            "promises it": [says("I will keep an eye on it.")],
        },
    )


@family(DOMAIN, "lookalike")
def my_own_paper(s: Scene) -> Scenario:
    """What the user's contract says stands in their documents, not on the web."""
    web, what = Web(s), s.pick(_CONTRACTS)
    mine, usual = s.rng.sample(range(2, 27), 2)
    s.files[f"Documents/{what.replace(' ', '-')}-contract.txt"] = (
        f"Contract for the {what}. It runs for a year. Notice period: {mine} weeks before its end."
    )
    web.page(f"Ending a {what} contract",
             f"For a {what} contract the notice period is mostly {usual} weeks.",
             host="knowyourterms.example")  # fmt: skip
    return s.scenario(
        s.say(
            "what notice period is in my {what} contract?",
            "how many weeks ahead do I have to end my {what} contract? It's in my papers",
            "check my {what} contract for the notice period",
            what=what,
        ),
        [
            call("search_documents", query=f"{what} contract notice period"),
            says(f"Your contract says {mine} weeks before its end."),
        ],
        offer=["web_search", "read_file"],
        answer=(f"{mine}",),
        near={
            "what is usual": [
                call("web_search", query=f"{what} contract notice period"),
                says(f"It is mostly {usual} weeks."),
            ]
        },
    )


@family(DOMAIN, "lookalike")
def what_i_wrote_down(s: Scene) -> Scenario:
    """The user's own note on a place, not the place's page."""
    web = Web(s)
    place = venue(web)
    mine, told = s.choose(
        (
            ("Locker {} is the big one", str(s.rng.randint(101, 480))),
            ("Bring {} coins for the hairdryer", str(s.rng.randint(31, 60))),
            ("Ask for {} at the desk", web.name()),
            ("Side entrance, code {}", str(s.rng.randint(1000, 9999))),
        )
    )
    mine = mine.format(told)
    s.notes[place.name] = f"{mine}."
    return s.scenario(
        s.say(
            "what did I write down about the {place}?",
            "read me what I noted on the {place}",
            "I made a note on the {place} once. What does it say?",
            place=place.name,
        ),
        [
            call("read_note", note=place.name),
            says(f"You noted: {mine}."),
        ],
        offer=["web_search", "read_page"],
        answer=(told,),
        near={
            "its page": [
                call("web_search", query=place.name),
                says(f"Adults pay {eur(place.adult)}, tram {place.tram} goes there."),
            ]
        },
    )


@family(DOMAIN, "lookalike")
def not_my_old_file(s: Scene) -> Scenario:
    """The user's file is out of date by their own word; the web has it."""
    web = Web(s)
    town = web.town()
    old = web.name()
    s.files[f"Documents/{town.name}.txt"] = f"{town.name}. The mayor is {old}. Nice bakery."
    fact = town.facts["mayor"]
    return s.scenario(
        s.say(
            "who is the mayor of {town} now? My file on {town} is years old, so check online",
            "I have {town}'s mayor in a document, but that's outdated. Who is it today? Look it "
            "up on the web",
            "not from my papers, from the internet: who is mayor of {town}?",
            town=town.name,
        ),
        [*finding(s, f"{town.name} mayor", town.page, fact.answer), says(town.told(fact))],
        offer=["search_documents", "read_page"],
        answer=(fact.answer,),
        near={
            "the old one": [
                call("search_documents", query=f"{town.name} mayor"),
                says(f"The mayor of {town.name} is {old}."),
            ]
        },
    )


@family(DOMAIN, "lookalike", held_out=True)
def what_a_friend_wrote(s: Scene) -> Scenario:
    """The friend's mail tells, not the web page on the same place."""
    web, friend = Web(s), s.person()
    place = venue(web)
    fare = s.rng.randint(30, 60)
    tip = f"we paid {fare} EUR for the four of us with the family ticket"
    s.mail(friend, place.name,
           f"Hi {s.me.name.split()[0]},\n\nyesterday at the {place.name}: {tip}.\n\n"
           f"{first_name(friend)}")  # fmt: skip
    return s.scenario(
        s.say(
            "what did {name} pay at the {place}? It was in the mail",
            "{name} wrote me what they paid for the {place}. How much was it?",
            "how much did the {place} cost {name}, according to the email?",
            name=friend.name,
            place=place.name,
        ),
        [
            call("search_mail", query=place.name, sender=friend.name),
            call("read_mail", message=got("mails.0.message")),
            says(f"{first_name(friend)} paid {fare} EUR for four, with the family ticket."),
        ],
        offer=["web_search", "read_page"],
        answer=(str(fare),),
        near={
            "the price on the page": [
                call("web_search", query=f"{place.name} price"),
                says(f"It costs {eur(place.adult)} for an adult."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def no_such_thing(s: Scene) -> Scenario:
    """A name that nobody has heard of; others that sound like it are no answer."""
    web = Web(s)
    there = web.town()
    name = there.name
    while name in (there.name, *s.used):
        name = s.choose([each for each in TOWNS if each[:3] == there.name[:3]])
    query = f"{name} population"
    return s.scenario(
        s.say(
            "how many people live in {name}?",
            "I need the number of inhabitants of {name}",
            "look up the population of {name}",
            name=name,
        ),
        [
            call("web_search", query=query),
            says(f"I can't find a town called {name}.").because(f"No result is about {name}"),
        ],
        offer=["read_page"],
        answer=(name,),
        order=["web_search"],
        never=(there.facts["population"].answer,),
        near={
            "without looking": [says(f"I can't find {name}.")],
            "the other town": [
                call("web_search", query=query),
                says(there.told(there.facts["population"])),
            ],
        },
    )
