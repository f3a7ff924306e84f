"""The web: one fact, one page, two at once, and what a page says worked out for here and now."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from botpsy.tools.zones import zone_of
from botpsy.worlds.acts import both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.sites import WEEKDAYS, date_in_full, eur, venue
from botpsy.worlds.seeding.webs import Entry, Fact, Web, finding, number, opening, question, shows

DOMAIN: Final = "research"
_PLACES = ("Nairobi", "Lima", "Oslo", "Auckland", "Seoul", "Montreal", "Athens", "Bogotá", "Manila")
_WORDS = {
    "fish": "a small open boat for one angler", "hill": "a wall of dry stones along a footpath",
    "bake": "a flat loaf baked on cabbage leaves", "rain": "a fine rain that comes sideways",
    "house": "a bench built into an outer wall", "feast": "the second day of a wedding",
    "sheep": "a bell worn by the oldest ewe", "ice": "the first ice that bears a dog",
}  # fmt: skip
_COINED = ("velk", "ostrin", "quarl", "tibbet", "drosk", "yamble", "fennock", "gurrel", "pliss")
_SUBJECTS = ("night trains", "wild bees", "the price of salt", "wooden bicycles", "quiet asphalt",
             "harbour seals", "rooftop farms", "old lifts")  # fmt: skip


def _in_the_results(s: Scene, entry: Entry) -> Fact:
    """A fact that the search results show."""
    return s.choose(
        [
            fact
            for fact in entry.facts.values()
            if shows(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer)
        ]
    )


@family(DOMAIN, "single")
def look_up_fact(s: Scene) -> Scenario:
    """One fact about one thing, found by one search; the page where the results do not say it."""
    web = Web(s)
    entry = web.some()
    web.fill(s.choose((1, 2)))
    fact = s.choose(list(entry.facts.values()))
    query = f"{entry.name} {fact.label.lower()}"
    return s.scenario(
        s.say(
            "{ask}",
            "look up online: {ask}",
            "{ask} Please check the web",
            "can you find out for me: {ask}",
            ask=question(s, fact, entry.called),
        ),
        [*finding(s, query, entry.page, fact.answer), says(entry.told(fact))],
        offer=["read_page"],
        answer=(fact.answer,),
    )


@family(DOMAIN, "single")
def read_this_address(s: Scene) -> Scenario:
    """The address is given, so there is nothing to search for."""
    web = Web(s)
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    return s.scenario(
        s.say(
            "open {url} and tell me: {ask}",
            "{url} - {ask}",
            "it should be on {url}: {ask}",
            "have a look at {url} for me. {ask}",
            url=entry.url,
            ask=question(s, fact, entry.called),
            exact=True,
        ),
        [opening(entry.url), says(entry.told(fact))],
        offer=["web_search"],
        answer=(fact.answer,),
    )


@family(DOMAIN, "single")
def what_does_it_mean(s: Scene) -> Scenario:
    """A word that is in no dictionary but one."""
    web = Web(s)
    word, other = s.pick(_COINED), s.pick(_COINED)
    kind, decoy = s.rng.sample(list(_WORDS), 2)
    town = web.town()
    for each, meant in ((word, _WORDS[kind]), (other, _WORDS[decoy])):
        text = f"{each.title()}: {meant}. The word is used around {town.name}."
        web.page(f"{each.title()} - word of the week", text, host="dialects.example")
    return s.scenario(
        s.say(
            'what does "{word}" mean?',
            "someone from {town} called it a {word}. What is that?",
            "look up the word {word} for me, they say it in {town}",
            word=word,
            town=town.name,
        ),
        [
            call("web_search", query=f"{word} {town.name} word meaning"),
            says(f'Around {town.name}, "{word}" means {_WORDS[kind]}.'),
        ],
        answer=(_WORDS[kind].split(maxsplit=1)[1].split(" along ")[0],),
        never=(_WORDS[decoy].split(maxsplit=1)[1],),
        near={"the other word": [says(f"It means {_WORDS[decoy]}.")]},
    )


@family(DOMAIN, "single", held_out=True)
def who_wrote_it(s: Scene) -> Scenario:
    """The author of an article that is named by its title."""
    web = Web(s)
    subject = s.pick(_SUBJECTS)
    town, writer = s.choose(("Harrow", "Tandem", "Bellows")), web.name()
    title = f"A short history of {subject}"
    day = s.now.date() - timedelta(days=s.rng.randint(40, 900))
    text = f"By {writer}, {date_in_full(day)}\n\nEverybody has an opinion on {subject}. Few know."
    web.page(title, text, host=f"{town.lower()}-review.example")
    rival = f"Against {s.pick(_SUBJECTS)}"
    web.page(rival, f"By {web.name()}\n\nA polemic.", host=f"{town.lower()}-review.example")
    return s.scenario(
        s.say(
            'who wrote "{title}"?',
            'I need the author of the article "{title}"',
            'that piece in the {town} Review, "{title}": who is it by?',
            title=title,
            town=town,
        ),
        [call("web_search", query=title), says(f"{writer} wrote it.")],
        answer=(writer,),
    )


@family(DOMAIN, "parallel")
def two_lookups(s: Scene) -> Scenario:
    """Two things that have nothing to do with one another: two searches in one go."""
    web = Web(s)
    pair = [web.some(), web.some()]
    asked = [(each, _in_the_results(s, each)) for each in pair]
    queries = [f"{each.name} {fact.label.lower()}" for each, fact in asked]
    first, second = (question(s, fact, each.called) for each, fact in asked)
    return s.scenario(
        s.say(
            "{first} and {second}",
            "two things: {first} And {second}",
            "{first} Also, {second}",
            "please look both up: {first} {second}",
            first=first,
            second=second,
        ),
        [
            both(*(call("web_search", query=query) for query in queries)),
            says(" ".join(each.told(fact) for each, fact in asked)),
        ],
        answer=tuple(fact.answer for _, fact in asked),
        near={"only one": [call("web_search", query=queries[0]), says(pair[0].told(asked[0][1]))]},
    )


@family(DOMAIN, "parallel")
def two_addresses(s: Scene) -> Scenario:
    """Two pages whose addresses are given: which is cheaper?"""
    web = Web(s)
    one, two = venue(web), venue(web)
    while one.adult == two.adult:
        two = venue(web)
    cheap = min(one, two, key=lambda each: each.adult)
    return s.scenario(
        s.say(
            "which is cheaper for a grown-up, {one} or {two}?",
            "compare the adult tickets on {one} and {two}. Where do I pay less, and how much?",
            "I can't decide between {one} and {two}, go for the cheaper adult ticket and tell me "
            "the price",
            one=one.page.url,
            two=two.page.url,
            exact=True,
        ),
        [
            both(opening(one.page.url), opening(two.page.url)),
            says(f"The {cheap.name} is cheaper, with {eur(cheap.adult)} for an adult.").because(
                f"For an adult, the {one.name} costs {eur(one.adult)}, the {two.name} "
                f"{eur(two.adult)}"
            ),
        ],
        offer=["web_search"],
        answer=(cheap.name, f"{cheap.adult / 100:.2f}|{cheap.adult / 100:g}"),
    )


@family(DOMAIN, "multi_step")
def what_time_there(s: Scene) -> Scenario:
    """Where somebody sits is on the web; what time it is there, the clock knows."""
    web = Web(s)
    firm, place = web.firm(), s.pick(_PLACES)
    web.page(
        f"{firm.name}: contact",
        f"Write or call us. The support desk of {firm.name} sits in {place} and answers from "
        "9:00 to 17:00 its own time.",
        host=f"{firm.name.split()[0].lower()}.example",
    )
    there = s.now.astimezone(zone_of(place))
    return s.scenario(
        s.say(
            "what time is it right now where {firm} has its support desk?",
            "find out where the support desk of {firm} is and what time it is there now",
            "I want to call support at {firm}. Where are they, and what time is it there?",
            firm=firm.name,
        ),
        [
            call("web_search", query=f"{firm.name} support desk contact"),
            call("current_time", place=place).because(f"the support desk sits in {place}"),
            says(f"The support desk is in {place}, where it is {there:%H:%M}."),
        ],
        answer=(place, f"{there:%H:%M}"),
    )


@family(DOMAIN, "multi_step", held_out=True)
def talk_in_my_time(s: Scene) -> Scenario:
    """A page gives a time over there; the user wants it over here."""
    web = Web(s)
    speaker, topic = web.person(), s.pick(_SUBJECTS)
    place = s.pick([each for each in _PLACES if zone_of(each) != s.clock.tz])
    day = s.midnight(s.rng.randint(3, 12)).date()
    hour = s.rng.randint(7, 20)
    there = datetime(day.year, day.month, day.day, hour, 30, tzinfo=zone_of(place))
    here = there.astimezone(s.clock.tz)
    title = f"Live talk: {speaker.name} on {topic}"
    text = f"{speaker.name} speaks on {topic}. {date_in_full(day)}, {hour}:30, {place} time. Free."
    page = web.page(title, text, host="livetalks.example")
    return s.scenario(
        s.say(
            "when does {who} give the live talk on {topic}, in my time?",
            "{who} is going to speak about {topic} online. What time is that here?",
            "find the live talk by {who} and tell me when it starts for me",
            who=speaker.name,
            topic=topic,
        ),
        [
            *finding(s, f"{speaker.name} live talk {topic}", page, f"{hour}:30"),
            call("convert_time", time=f"{day.day} {day:%B %Y} at {hour}:30", from_place=place)
            .because(f"the page gives {place} time"),
            says(f"It starts on {here:%A}, {here.day} {here:%B}, at {here:%H:%M} your time."),
        ],
        offer=["read_page", "calculate"],
        answer=(f"{here:%H:%M}",),
    )  # fmt: skip


@family(DOMAIN, "multi_step")
def open_today(s: Scene) -> Scenario:
    """The page has hours by weekday; which one counts follows from today's date."""
    web, ahead = Web(s), s.choose((0, 0, 1, 2))
    place = venue(web)
    day = s.now.date() + timedelta(days=ahead)
    weekday = WEEKDAYS[day.weekday()]
    times = place.hours[weekday]
    said = {0: "today", 1: "tomorrow"}.get(ahead, "the day after tomorrow")
    reply = f"It is closed {said}, as on every {weekday}."
    if times:
        reply = f"It is open {said}, {times[0]} to {times[1]}."
    return s.scenario(
        s.say(
            "is the {place} open {said}, and from when to when?",
            "what are the opening hours of the {place} {said}?",
            "we'd like to go to the {place} {said}. When can we get in, and until when?",
            place=place.name,
            said=said,
        ),
        [
            call("web_search", query=f"{place.name} opening hours"),
            opening(place.page.url, f"{said} is a {weekday}; the page lists all days"),
            says(reply),
        ],
        answer=times or ("closed|not open",),
        order=["read_page"],
        near={"another day": [says("It is open from 7:05 to 16:05.")]},
    )


@family(DOMAIN, "research")
def what_it_costs_us(s: Scene) -> Scenario:
    """Prices are on the page; the sum for this family is worked out."""
    web = Web(s)
    place, adults, children = venue(web), s.choose((2, 3, 4)), s.choose((2, 3, 5))
    total = (adults * place.adult + children * place.child) / 100
    sum_up = f"{adults} * {place.adult / 100:.2f} + {children} * {place.child / 100:.2f}"
    return s.scenario(
        s.say(
            "what would {n} adults and {m} children (all under 14) pay at the {place}?",
            "there are {n} of us plus {m} kids under 14. How much is it altogether to get into "
            "the {place}?",
            "work out the admission to the {place} for {n} grown-ups and {m} small children",
            n=adults,
            m=children,
            place=place.name,
        ),
        [
            call("web_search", query=f"{place.name} admission prices"),
            opening(place.page.url, "prices are on the page for visitors"),
            call("calculate", expression=sum_up).because(
                f"{adults} adults and {children} children at the page's prices"
            ),
            says(f"That comes to {total:.2f} EUR."),
        ],
        answer=(f"{total:.2f}|{total:g}",),
        near={"one child less": [says(f"It is {total - place.child / 100:.2f} EUR.")]},
    )


@family(DOMAIN, "research")
def in_other_units(s: Scene) -> Scenario:
    """The page has feet or miles; the user wants metres or kilometres."""
    web = Web(s)
    town = web.town().name
    unit, factor, wanted, amount = s.choose(
        (
            ("feet", "0.3048", "metres", s.rng.randint(900, 6900)),
            ("miles", "1.609344", "kilometres", s.rng.randint(7, 95)),
        )
    )
    what = s.choose(("cliff path", "old canal", "toboggan run", "cable car", "rope railway"))
    title = f"The {what} of {town}"
    text = f"The {what} of {town} is {number(amount)} {unit} long. It was laid out by a watchmaker."
    page = web.page(title, text, host="rambles.example")
    web.fill(1)
    exact = amount * float(factor)
    shown = round(exact) if unit == "feet" else round(exact, 1)
    return s.scenario(
        s.say(
            "how long is the {what} of {town} in {wanted}?",
            "what's the length of {town}'s {what}? In {wanted}, I don't do {unit}",
            "look up how many {wanted} the {what} in {town} is",
            what=what,
            town=town,
            wanted=wanted,
            unit=unit,
        ),
        [
            *finding(s, f"{what} {town} length", page, str(amount)),
            call("calculate", expression=f"{amount} * {factor}").because(
                f"the page says {number(amount)} {unit}; one is {factor} {wanted}"
            ),
            says(f"It is about {shown:g} {wanted} long."),
        ],
        offer=["read_page"],
        answer=(f"{shown:g}|{round(exact)}|{exact:.1f}|{exact:.2f}",),
        near={"as it stands": [says(f"It is {amount} {wanted} long.")]},
    )
