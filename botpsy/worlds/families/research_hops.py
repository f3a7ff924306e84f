"""Questions over several pages: one leads to the next, by a link or by another search."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import Act, Calls, both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.webs import Entry, Fact, Web, finding, number, opening, question, shows

DOMAIN: Final = "research"
_WAYS = (("bridge", "designer"), ("bridge", "town"), ("firm", "founder"), ("firm", "seat"),
         ("museum", "architect"), ("museum", "town"), ("product", "maker"))  # fmt: skip
_LONG_WAYS = (("bridge", "designer", "birthplace"), ("firm", "founder", "birthplace"),
              ("museum", "architect", "birthplace"), ("product", "maker", "founder"),
              ("product", "maker", "seat"))  # fmt: skip
_NAMED = {"designer": "designer", "architect": "architect", "town": "town", "seat": "head office",
          "founder": "founder", "maker": "maker", "birthplace": "born in"}  # fmt: skip


def _along(s: Scene, start: Entry, links: tuple[str, ...]) -> tuple[str, Entry]:
    """What the links lead to, as it is spoken of from the start, and itself."""
    spoken, here = start.called, start
    for link in links:
        spoken = here.described(link, s).replace(here.called, spoken)
        here = here.links[link]
    return spoken, here


def _walk(s: Scene, start: Entry, links: tuple[str, ...], fact: Fact) -> list[Act]:
    """A search a hop, and the page where the results do not name what comes next."""
    acts: list[Act] = []
    here, why, query = start, "", ""
    for link in links:
        query = f"{here.name} {_NAMED[link]}"
        first, *more = finding(s, query, here.page, here.links[link].name)
        acts += [first.because(why), *more]
        here = here.links[link]
        why = f"the {_NAMED[link].removesuffix(' in')} is {here.name}"
        if link == "birthplace":
            why = f"the birthplace is {here.name}"
    if shows(s, query, here.page, fact.answer):
        return acts  # the search for the last link has it already
    first, *more = finding(s, f"{here.name} {fact.label.lower()}", here.page, fact.answer)
    return [*acts, first.because(why), *more]


def _decoys(s: Scene, web: Web, kind: str) -> None:
    """Others of the same sort, with pages of their own."""
    for _ in range(s.choose((1, 2))):
        getattr(web, kind)()


@family(DOMAIN, "research")
def two_hops(s: Scene) -> Scenario:
    """What is asked for is known by way of another thing; each has a page, found by a search."""
    web = Web(s, linked=False)
    kind, link = s.choose(_WAYS)
    start: Entry = getattr(web, kind)()
    _decoys(s, web, kind)
    spoken, end = _along(s, start, (link,))
    fact = _not_told_by(start, end, s)
    return s.scenario(
        s.say(
            "{ask}",
            "question for the web: {ask}",
            "I keep wondering: {ask}",
            "please find out: {ask}",
            ask=question(s, fact, spoken),
        ),
        [*_walk(s, start, (link,), fact), says(end.told(fact))],
        offer=["read_page"],
        answer=(fact.answer,),
        near={"of the wrong thing": [says(_wrong(start, fact))]},
    )


@family(DOMAIN, "research")
def two_hops_by_link(s: Scene) -> Scenario:
    """The first page prints the address of the second."""
    web = Web(s, linked=True)
    kind, link = s.choose(_WAYS)
    start: Entry = getattr(web, kind)()
    spoken, end = _along(s, start, (link,))
    fact = _not_told_by(start, end, s)
    return s.scenario(
        s.say(
            "start at {url} and find out: {ask}",
            "{url} is about {name}. {ask}",
            "from {url}, follow whatever you need: {ask}",
            url=start.url,
            name=start.called,
            ask=question(s, fact, spoken),
            exact=True,
        ),
        [
            opening(start.url),
            opening(end.url, f"that is {end.name}; the page gives the address"),
            says(end.told(fact)),
        ],
        offer=["web_search"],
        answer=(fact.answer,),
        near={"stops at the first page": [opening(start.url), says(_wrong(start, fact))]},
    )


@family(DOMAIN, "research")
def three_hops(s: Scene) -> Scenario:
    """Two things stand between the question and the answer."""
    web = Web(s)
    kind, *links = s.choose(_LONG_WAYS)
    start: Entry = getattr(web, kind)()
    _decoys(s, web, kind)
    spoken, end = _along(s, start, tuple(links))
    fact = _not_told_by(start.links[links[0]], end, s)
    return s.scenario(
        s.say(
            "{ask}",
            "here is a hard one: {ask}",
            "can you research this? {ask}",
            ask=question(s, fact, spoken),
        ),
        [*_walk(s, start, tuple(links), fact), says(end.told(fact))],
        offer=["read_page"],
        answer=(fact.answer,),
        near={"of the wrong thing": [says(_wrong(start.links[links[0]], fact))]},
    )


@family(DOMAIN, "research", held_out=True)
def same_birthplace(s: Scene) -> Scenario:
    """Two chains meet, or do not: were they born in the same town?"""
    web = Web(s, linked=False)
    together = s.chance(0.5)
    home, other = web.town(), web.town()
    one = web.bridge(designer=web.person(home, "engineer"))
    two = web.museum(architect=web.person(home if together else other, "architect"))
    spoken = [one.described("designer", s), two.described("architect", s)]
    people = [one.links["designer"], two.links["architect"]]
    towns = [each.links["birthplace"].name for each in people]
    reply = f"No: {people[0].name} was born in {towns[0]}, {people[1].name} in {towns[1]}."
    if together:
        reply = f"Yes, both were born in {home.name}."
    firsts = [finding(s, f"{each.name} {link}", each.page, each.links[link].name)
              for each, link in ((one, "designer"), (two, "architect"))]  # fmt: skip
    seconds = [finding(s, f"{each.name} born in", each.page, each.links["birthplace"].name)
               for each in people]  # fmt: skip
    return s.scenario(
        s.say(
            "were {one} and {two} born in the same town? Tell me where each comes from",
            "do {one} and {two} come from the same place? Which?",
            "did {one} and {two} grow up in one town? I need the names of the birthplaces",
            one=spoken[0],
            two=spoken[1],
        ),
        [
            *_side_by_side(*firsts),
            *_side_by_side(*seconds),
            says(reply),
        ],
        offer=["read_page"],
        answer=tuple(dict.fromkeys(towns)),
        never=() if together else ("yes",),
        near={"guesses": [says("I think they were both born in Rome.")]},
    )


@family(DOMAIN, "research")
def compare_two(s: Scene) -> Scenario:
    """Which of two is more, and by how much: two pages, one subtraction."""
    web = Web(s)
    kind, label, ask, unit, more = s.choose(
        (
            ("bridge", "length", "which is longer, {a} or {b}, and by how many metres?",
             "metres", "longer"),
            ("town", "population", "where do more people live, in {a} or in {b}, and how many "
             "more?", "people", "larger"),
            ("town", "elevation", "what lies higher, {a} or {b}, and how big is the difference?",
             "metres", "higher"),
            ("firm", "employees", "does {a} or {b} employ more people, and what's the "
             "difference?", "people", "larger"),
            ("museum", "collection", "whose collection is bigger, that of {a} or that of {b}? By "
             "how many pieces?", "pieces", "bigger"),
        )
    )  # fmt: skip
    pair: list[Entry] = [getattr(web, kind)(), getattr(web, kind)()]
    values = [int(each.facts[label].answer) for each in pair]
    if values[0] == values[1]:
        pair[1] = getattr(web, kind)()
        values[1] = int(pair[1].facts[label].answer)
    top = max(zip(values, pair, strict=True), key=lambda each: each[0])[1]
    apart = max(values) - min(values)
    asked = ask.format(a=pair[0].called, b=pair[1].called)
    found = [finding(s, f"{each.name} {label}", each.page, each.facts[label].answer)
             for each in pair]  # fmt: skip
    return s.scenario(
        s.say("{ask}", "compare for me: {ask}", "settle an argument: {ask}", ask=asked),
        [
            *_side_by_side(*found),
            call("calculate", expression=f"{max(values)} - {min(values)}").because(
                f"{number(max(values))} against {number(min(values))}"
            ),
            says(f"{top.called[:1].upper()}{top.called[1:]} is {more}, by {number(apart)} {unit}."),
        ],
        offer=["read_page"],
        answer=(top.name, str(apart)),
        near={"by one too many": [says(f"{top.name} is {more}, by {apart + 1} {unit}.")]},
    )


@family(DOMAIN, "research")
def how_old_then(s: Scene) -> Scenario:
    """The age of a founder at the founding: two pages, two years."""
    web = Web(s, linked=False)
    firm = web.firm()
    founder = firm.links["founder"]
    born, founded = int(founder.facts["year of birth"].answer), int(firm.facts["founded"].answer)
    age = founded - born
    acts = finding(s, f"{firm.name} founder founded", firm.page, founder.name)
    if not shows(s, f"{firm.name} founder founded", firm.page, str(founded)) and len(acts) == 1:
        acts.append(opening(firm.url, "the year of the founding is on the page"))
    first, *more = finding(
        s, f"{founder.name} year of birth", founder.page, founder.facts["year of birth"].answer
    )
    return s.scenario(
        s.say(
            "how old was the founder of {firm} in the year the firm was started?",
            "{firm}: at what age did the founder start it? The years are enough",
            "who founded {firm}, and how old did that person turn in the year of the founding?",
            firm=firm.name,
        ),
        [
            *acts,
            first.because(f"the founder is {founder.name}"),
            *more,
            call("calculate", expression=f"{founded} - {born}").because(
                f"founded in {founded}, born in {born}"
            ),
            says(f"{founder.name} turned {age} in {founded}, the year of the founding."),
        ],
        offer=["read_page"],
        answer=(f"{age}|{age - 1} or {age}",),
        near={"ten years off": [says(f"{founder.name} was {age - 10}.")]},
    )


@family(DOMAIN, "research")
def other_name(s: Scene) -> Scenario:
    """The first search finds only that it is called something else now; the second finds it."""
    web = Web(s)
    entry = s.choose((web.bridge, web.museum, web.firm))()
    fact = s.choose([f for f in entry.facts.values() if f.label not in ("Head office", "Town")])
    old = s.choose(("Old Mill {}", "King's {}", "Central {}", "New Harbour {}")).format(
        {"bridge": "Bridge", "museum": "Museum", "firm": "Company"}[entry.kind]
    )
    place = entry.links["town" if entry.kind != "firm" else "seat"].name
    year = s.rng.randint(2019, 2025)
    title = f"{old}, {place}: what became of it"
    web.page(title, f"The {old} in {place} has had another name since {year}: {entry.name}.",
             host=f"{s.choose(('nostalgia', 'oldtimes', 'streetnames'))}.example")  # fmt: skip
    first = f"{old} {place} {fact.label.lower()}"
    acts: list[Calls] = [call("web_search", query=first)]
    if not shows(s, first, entry.page, fact.answer):
        second, *more = finding(s, f"{entry.name} {fact.label.lower()}", entry.page, fact.answer)
        acts += [second.because(f"it is called {entry.name} now"), *more]
    return s.scenario(
        s.say(
            "{ask}",
            "{ask} I only know the name people use around here",
            "look this up please: {ask}",
            ask=question(s, fact, f"the {old} in {place}"),
        ),
        [
            *acts,
            says(f"It is called {entry.called} today. {entry.told(fact)}").because(
                f"The {old} is {entry.called} now, and that page tells"
            ),
        ],
        offer=["read_page"],
        answer=(fact.answer,),
        near={"gives up": [acts[0], says("I can't find anything about it.")]},
    )


@family(DOMAIN, "research", held_out=True)
def which_on_the_list(s: Scene) -> Scenario:
    """A page lists several; only their own pages tell which one fits."""
    web = Web(s, linked=True)
    towns = [web.town() for _ in range(3)]
    wanted = s.choose(towns)
    river = wanted.facts["river"].answer
    title = f"{s.choose(('Tin', 'Amber', 'Salt', 'Silver'))} Road: the three stops"
    lines = "\n".join(f"- {town.name}: {town.url}" for town in towns)
    road = web.page(title, f"The road leads through three towns.\n{lines}", host="byways.example")
    mayor = wanted.facts["mayor"]
    return s.scenario(
        s.say(
            "which of the towns on {url} is on the river {river}, and who is its mayor?",
            "go through the towns listed on {url}: one lies on the {river}. Who is mayor there?",
            "{url} lists three towns. Find the one on the {river} and give me the mayor's name",
            url=road.url,
            river=river,
            exact=True,
        ),
        [
            opening(road.url),
            both(*(opening(town.url) for town in towns)).because("one of the three it must be"),
            says(f"{wanted.name} is on the {river}. {wanted.told(mayor)}"),
        ],
        offer=["web_search"],
        answer=(wanted.name, mayor.answer),
        never=tuple(town.facts["mayor"].answer for town in towns if town is not wanted),
    )


def _side_by_side(one: list[Calls], two: list[Calls]) -> list[Calls]:
    """Two lines of search that do not depend on one another, made in step."""
    return [
        both(*(way[n] for way in (one, two) if n < len(way)))
        for n in range(max(map(len, (one, two))))
    ]


def _not_told_by(start: Entry, end: Entry, s: Scene) -> Fact:
    """A fact of the end that the page before it does not tell."""
    told = start.page.text
    return s.choose([fact for fact in end.facts.values() if fact.answer not in told])


def _wrong(entry: Entry, fact: Fact) -> str:
    """Some other fact of the entry, told as if it were the answer."""
    others = [each for each in entry.facts.values() if each.answer != fact.answer]
    return f"I found this: {entry.told(others[0])}"
