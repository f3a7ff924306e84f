"""Pages that disagree, have moved, are out of date, or do not say it at all."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.sites import COUNTED, date_in_full, eur, numbers
from botpsy.worlds.seeding.webs import TOWNS, Web, finding, number, opening, question

DOMAIN: Final = "research"
_FEES = ("fishing permit", "ferry ticket", "campsite pitch", "harbour mooring", "museum pass",
         "parking permit", "library card")  # fmt: skip
_HEIGHTS = ("lighthouse", "radio mast", "church spire", "water tower", "old chimney", "waterfall")
_PROGRAMS = ("Inkwell", "Larder", "Sextant", "Paddock", "Gramophone", "Trellis", "Hourglass")
_UNKNOWN = {
    "town": ("how many dogs live in {name}?", "who was the first baker of {name}?",
             "how much does the town hall of {name} spend on street lamps?"),
    "bridge": ("who cleans {name}?", "how many rivets are there in {name}?",
               "what did it cost to paint {name}?"),
    "firm": ("what does the receptionist of {name} earn?", "how many windows does the head office "
             "of {name} have?", "which bank does {name} use?"),
    "museum": ("who does the flowers at {name}?", "what is the most stolen thing at {name}?",
               "how long is the lease that {name} has?"),
}  # fmt: skip


@family(DOMAIN, "research")
def newer_page_wins(s: Scene) -> Scenario:
    """Two pages, two prices: the one in force counts, whichever comes first in the results."""
    web = Web(s)
    what, town = s.pick(_FEES), s.pick(TOWNS)
    old, new = (each * 50 for each in numbers(s, 2, 8, 90))
    then = s.now.date() - timedelta(days=s.rng.randint(700, 1900))
    lately = s.now.date() - timedelta(days=s.rng.randint(10, 60))
    blog = web.page(
        f"{town} on a budget: what a {what} costs",
        f"Posted on {date_in_full(then)}. We loved {town}. A {what} costs {eur(old)}, which is "
        f"fair. Get the {what} at the kiosk by the water.",
        host=f"{s.choose(('backpack', 'slowdays', 'twofeet'))}.example",
    )
    office = web.page(
        f"{town} town office: fees",
        f"Prices from {date_in_full(lately)} on. {what.capitalize()}: {eur(new)}. Older prices no "
        "longer hold.",
        host=f"{town.lower()}.example",
    )
    web.fill(1)
    return s.scenario(
        s.say(
            "what does a {what} in {town} cost at present?",
            "how much is a {what} in {town} these days?",
            "I'm off to {town}. What will I have to pay for a {what}?",
            what=what,
            town=town,
        ),
        [
            call("web_search", query=f"{what} {town} price"),
            both(opening(blog.url), opening(office.url)).because(
                "the two results name different prices; their dates will tell"
            ),
            says(f"It costs {eur(new)}, by the town's list from {date_in_full(lately)} on. The "
                 "other page I found is years old.").because(
                f"One page is of {then.year}, the other of {lately.year}: the newer counts"
            ),
        ],
        answer=(f"{new / 100:.2f}|{new / 100:g}",),
        near={"the old price": [says(f"A {what} costs {eur(old)}.")]},
    )  # fmt: skip


@family(DOMAIN, "research")
def they_disagree(s: Scene) -> Scenario:
    """Two sources of equal rank differ, and nothing settles it: give both."""
    web = Web(s)
    what, town = s.pick(_HEIGHTS), s.pick(TOWNS)
    a, b = numbers(s, 2, 31, 190)
    one = web.page(f"The {what} of {town}", f"The {what} of {town} is {a} metres high.")
    two = web.page(
        f"{town}: the {what}",
        f"Among the sights of {town} is the {what}, {b} metres high, with a view over the roofs.",
        host=f"{s.choose(('sights', 'towersandspires', 'daytrips'))}.example",
    )
    query = f"{what} {town} height"
    return s.scenario(
        s.say(
            "how high is the {what} of {town}? Check more than one page",
            "I want to be sure how high the {what} in {town} is. Do the sources agree?",
            "how tall is the {what} in {town}, and does every page say the same?",
            what=what,
            town=town,
        ),
        [
            call("web_search", query=query),
            says(f"The sources differ: {one.title!r} says {a} metres, {two.title!r} says {b}. "
                 "I found nothing that settles it.").because(
                     f"{a} on one page, {b} on the other: give both"),
        ],
        offer=["read_page"],
        answer=(str(a), str(b)),
        near={"takes the first": [call("web_search", query=query), says(f"It is {a} m high.")]},
    )  # fmt: skip


@family(DOMAIN, "research")
def page_has_moved(s: Scene) -> Scenario:
    """What stands at the address is that the page is elsewhere now."""
    web = Web(s)
    entry = web.some()
    fact = s.choose(list(entry.facts.values()))
    old = s.page(
        f"http://old.{web.site}/{s.rng.randint(100, 999)}",
        "Moved",
        s.choose(("This page has moved. You find it at {url} now.",
                  "We have a new home: {url}. Please change your bookmarks.",
                  "Nothing here any more. See {url} instead.")).format(url=entry.url),
    )  # fmt: skip
    return s.scenario(
        s.say(
            "my bookmark for {name} is {url}. {ask}",
            "{ask} It was on {url} the last time I looked",
            "see {url}, it should say: {ask}",
            url=old.url,
            name=entry.called,
            ask=question(s, fact, entry.called),
            exact=True,
        ),
        [
            opening(old.url),
            opening(entry.url, "the page has moved there"),
            says(f"The page has moved to {entry.url}. {entry.told(fact)}"),
        ],
        offer=["web_search"],
        answer=(fact.answer,),
        near={"stops there": [opening(old.url), says("The page has moved, so I can't tell.")]},
    )


@family(DOMAIN, "research")
def not_on_the_web(s: Scene) -> Scenario:
    """Nobody has written it down: say so, and make nothing up."""
    web = Web(s)
    kind = s.choose(list(_UNKNOWN))
    entry = getattr(web, kind)()
    web.fill(1)
    asked = s.choose(_UNKNOWN[kind]).format(name=entry.called)
    return s.scenario(
        s.say("{ask}", "can you find out {ask}", "look it up: {ask}", ask=asked),
        [
            call("web_search", query=asked.rstrip("?")),
            opening(entry.url, "no result says it; its own page is the likeliest place"),
            says(f"I can't find that. The page about {entry.called} does not say it.").because(
                "Neither the results nor the page tell it, and nothing is made up"
            ),
        ],
        declines=True,
        order=["web_search"],
        near={
            "without looking": [says("I can't find that.")],
            "makes it up": [
                call("web_search", query=asked.rstrip("?")),
                says(f"It is {s.rng.randint(40, 900)}, according to {entry.name}'s page."),
            ],
        },
    )


@family(DOMAIN, "research", held_out=True)
def newest_release(s: Scene) -> Scenario:
    """A page of releases in no order; the dates tell which is the newest."""
    web = Web(s)
    name = s.pick(_PROGRAMS)
    ages = s.rng.sample(range(12, 900), 4)
    versions = [f"{s.rng.randint(2, 9)}.{n}" for n in s.rng.sample(range(1, 9), 4)]
    needs = [each * 10 for each in numbers(s, 4, 12, 99)]
    rows = list(zip(ages, versions, needs, strict=True))
    age, version, space = min(rows)
    newest = s.now.date() - timedelta(days=age)
    text = "\n".join(
        f"Version {each} ({date_in_full(s.now.date() - timedelta(days=old))}): needs {mb} MB."
        for old, each, mb in rows
    )
    page = web.page(f"{name}: releases", f"All releases of {name}.\n\n{text}",
                    host=f"{name.lower()}.example")  # fmt: skip
    return s.scenario(
        s.say(
            "what's the newest version of {name}, and how much space does it need?",
            "I'd like the latest {name}. Which version is it, and how many megabytes is that?",
            "look up the current release of {name} and the space it needs",
            name=name,
        ),
        [
            call("web_search", query=f"{name} releases latest version"),
            opening(page.url, "the page lists all releases with dates"),
            says(f"The newest is {version}, of {date_in_full(newest)}. It needs {space} MB."),
        ],
        answer=(version, str(space)),
        never=tuple(str(mb) for _, _, mb in rows if mb != space),
    )


@family(DOMAIN, "research")
def this_years_edition(s: Scene) -> Scenario:
    """The same event every year, each with a page of its own: this year's counts."""
    web = Web(s)
    what = s.choose(("Half Marathon", "Brass Band Days", "Raft Race", "Chess Open", "Pie Contest"))
    town, fees = s.pick(TOWNS), [each * 50 for each in numbers(s, 3, 20, 120)]
    years = [s.now.year - 1, s.now.year, s.now.year + 1]
    said, year = s.choose((("this year", s.now.year), ("next year", s.now.year + 1)))
    pages = {}
    for each, fee in zip(years, fees, strict=True):
        where = s.choose(("the market square", "the old harbour", "the fairground"))
        pages[each] = (fee, web.page(
            f"{town} {what} {each}", f"The {town} {what} {each} starts at {where}. "
            f"The entry fee for {each} is {eur(fee)}.", host=f"{town.lower()}-events.example",
        ))  # fmt: skip
    fee, page = pages[year]
    query = f"{town} {what} {year} entry fee"
    return s.scenario(
        s.say(
            "what's the entry fee of the {town} {what} {said}?",
            "how much do I pay to enter the {what} in {town} {said}?",
            "I want to sign up for the {town} {what} {said}. What does it cost?",
            town=town,
            what=what,
            said=said,
        ),
        [
            *(act.because(f"{said} is {year}") if n == 0 else act
              for n, act in enumerate(finding(s, query, page, f"{fee / 100:.2f}"))),
            says(f"The entry fee for {year} is {eur(fee)}."),
        ],
        offer=["read_page"],
        answer=(f"{fee / 100:.2f}|{fee / 100:g}",),
        near={"another year": [says(f"The entry fee is {eur(pages[s.now.year - 1][0])}.")]},
    )  # fmt: skip


@family(DOMAIN, "research", held_out=True)
def correction_below(s: Scene) -> Scenario:
    """An article whose last line takes one of its figures back."""
    web = Web(s)
    what, town = s.pick(COUNTED), s.pick(TOWNS)
    wrong, right = numbers(s, 2, 1200, 9900)
    day = s.now.date() - timedelta(days=s.rng.randint(5, 90))
    page = web.page(
        f"A record year for {what} in {town}",
        f"{town}, {date_in_full(day)}. Never before were there so many {what}: {number(wrong)} "
        "in twelve months, says the town. The mayor speaks of a small miracle, the hotels of a "
        "big one, and the gulls have not been asked. Next year a second kiosk is to open.\n\n"
        f"Correction: owing to a slip, an earlier number was printed above. The right one is "
        f"{number(right)}.",
        host=f"{s.choose(('morningmail', 'courier', 'gazette'))}.example",
    )
    return s.scenario(
        s.say(
            "how many {what} did {town} have in its record year?",
            "{town} had a record year for {what}, I heard. What's the number?",
            "there was an article about the record number of {what} in {town}. How many was it?",
            what=what,
            town=town,
        ),
        [
            call("web_search", query=f"{what} {town} record year"),
            opening(page.url, "read the article to its end"),
            says(f"{number(right)}; the article corrects its first number below."),
        ],
        answer=(str(right),),
        near={"the slip": [says(f"There were {number(wrong)}.")]},
    )
