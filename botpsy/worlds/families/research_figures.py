"""Figures on pages: tables to add up, to compare, to choose from."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.sites import COUNTED, eur, numbers, table
from botpsy.worlds.seeding.webs import RIVERS, TOWNS, Web, finding, number, opening

DOMAIN: Final = "research"
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August")
_HUTS = ("Fox Hut", "Stone Hut", "Lake Hut", "Eagle Hut", "Birch Hut", "Pass Hut", "Moor Hut")
_TRAVEL = ("bus", "train", "night boat", "cable railway", "post coach")


@family(DOMAIN, "research")
def table_total(s: Scene) -> Scenario:
    """A table of figures, to be added up."""
    web = Web(s)
    what, town, year = s.pick(COUNTED), s.pick(TOWNS), s.now.year - s.choose((1, 2))
    rows = dict(zip(_MONTHS, numbers(s, 8, 310, 9800), strict=True))
    first, last = s.choose((("January", 4), ("January", 3), ("April", 7), ("May", 8)))
    start = _MONTHS.index(first)
    chosen = _MONTHS[start:last]
    total = sum(rows[month] for month in chosen)
    page = web.page(
        f"{town} in figures: {what}, {year}",
        f"Number of {what} in {town} by month, {year}.\n\n"
        + table({month: number(n) for month, n in rows.items()}, ("Month", "Number"))
        + "\n\nThe rest of the year was not counted.",
    )
    web.page(
        f"{town} in figures: {what}, {year - 1}",
        table(dict(zip(_MONTHS, numbers(s, 8, 310, 9800), strict=True)), ("Month", "Number")),
    )
    sum_up = " + ".join(str(rows[month]) for month in chosen)
    return s.scenario(
        s.say(
            "how many {what} were there in {town} from {first} to {last} {year} altogether?",
            "add up the {what} in {town}, {first} to {last} {year}",
            "I need one number: {what}, {town}, {year}, {first} through {last}",
            what=what,
            town=town,
            first=first,
            last=chosen[-1],
            year=year,
        ),
        [
            call("web_search", query=f"{town} {what} {year} by month"),
            opening(page.url, f"the figures of {year} are in a table there"),
            call("calculate", expression=sum_up).because(f"{first} to {chosen[-1]} in the table"),
            says(f"There were {number(total)}."),
        ],
        answer=(str(total),),
        near={
            "the whole table": [says(f"There were {number(sum(rows.values()))}.")],
            "a month short": [says(f"There were {number(total - rows[chosen[-1]])}.")],
        },
    )


@family(DOMAIN, "research")
def best_that_fits(s: Scene) -> Scenario:
    """A table with several columns: the cheapest of those that fit."""
    web = Web(s)
    region, need = s.pick(RIVERS), s.choose(("dinner", "showers", "dogs"))
    names = s.rng.sample(_HUTS, 5)
    prices = [each * 50 for each in numbers(s, 5, 30, 130)]
    ranked = sorted(zip(prices, names, strict=True))
    fits = {ranked[n][1]: n in (s.choose((1, 2)), 3, 4) for n in range(5)}
    price, best = next((price, name) for price, name in ranked if fits[name])
    lines = "\n".join(
        f"{name} | {eur(each)} | {'yes' if fits[name] else 'no'}"
        for name, each in zip(names, prices, strict=True)
    )
    page = web.page(
        f"Huts along the {region}", f"Five huts for the night.\n\nHut | Price | {need}\n{lines}"
    )
    wish = {"dinner": "serves dinner", "showers": "has showers", "dogs": "takes dogs"}[need]
    yes = ", ".join(f"{name} {eur(each)}" for each, name in ranked if fits[name])
    reason = f"Those with a yes, cheapest first: {yes}"
    return s.scenario(
        s.say(
            "what's the cheapest hut along the {region} that {wish}?",
            "I want to walk along the {region} and need a hut that {wish}. Which costs least?",
            "huts on the {region}: find the lowest price among those where it {wish}"
            if need == "dinner" else "look for the cheapest hut on the {region} that {wish}",
            region=region,
            wish=wish,
        ),
        [
            call("web_search", query=f"huts along the {region} {need} prices"),
            opening(page.url, "the page has all huts with prices"),
            says(f"The {best}, at {eur(price)}, is the cheapest that {wish}.").because(reason),
        ],
        answer=(best, f"{price / 100:.2f}|{price / 100:g}"),
        near={"cheapest of all": [says(f"The {ranked[0][1]}, at {eur(ranked[0][0])}.")]},
    )  # fmt: skip


@family(DOMAIN, "research")
def two_ways_there(s: Scene) -> Scenario:
    """Each way has a page with its parts and prices; which is cheaper in all?"""
    web = Web(s)
    a, b = s.pick(TOWNS), s.pick(TOWNS)
    kinds = s.rng.sample(_TRAVEL, 4)
    ways = [kinds[:2], kinds[2:]]
    while True:
        prices = [[each * 10 for each in numbers(s, 2, 25, 400)] for _ in ways]
        totals = [sum(each) for each in prices]
        if totals[0] != totals[1]:
            break
    pages = [
        web.page(
            f"From {a} to {b} by {way[0]} and {way[1]}",
            f"First the {way[0]}, {eur(costs[0])}, with a short walk at the border. Then the "
            f"{way[1]}, {eur(costs[1])}, to the middle of {b}.",
            host="routes.example",
        )
        for way, costs in zip(ways, prices, strict=True)
    ]
    cheap = totals.index(min(totals))
    sums = [" + ".join(f"{each / 100:.2f}" for each in costs) for costs in prices]
    return s.scenario(
        s.say(
            "from {a} to {b}: is {one} and {two} cheaper, or {three} and {four}? And what does it "
            "come to?",
            "there are two ways from {a} to {b}, {one} plus {two} or {three} plus {four}. Which is "
            "cheaper in all, and how much?",
            "work out whether {one} and {two} or {three} and {four} costs less to get from {a} to "
            "{b}. I want the total",
            a=a, b=b, one=ways[0][0], two=ways[0][1], three=ways[1][0], four=ways[1][1],
        ),
        [
            call("web_search", query=f"from {a} to {b} {' '.join(kinds)}"),
            both(*(opening(page.url) for page in pages)).because("each way has its own page"),
            both(*(call("calculate", expression=each) for each in sums)).because(
                "the parts of each way added up"
            ),
            says(f"{ways[cheap][0].capitalize()} and {ways[cheap][1]}: {eur(totals[cheap])} in "
                 "all.").because(f"{eur(min(totals))} is less than {eur(max(totals))}"),
        ],
        answer=(f"{totals[cheap] / 100:.2f}|{totals[cheap] / 100:g}", ways[cheap][0]),
        near={"the dearer": [says(f"By {ways[1 - cheap][0]}, {eur(totals[1 - cheap])}.")]},
    )  # fmt: skip


@family(DOMAIN, "research", held_out=True)
def by_how_many_percent(s: Scene) -> Scenario:
    """Two years in a table; the change in percent."""
    web = Web(s)
    town, years = s.pick(TOWNS), (1980, 1990, 2000, 2010, 2020)
    people = dict(zip(years, numbers(s, 5, 4_100, 60_000), strict=True))
    first, last = s.choose(((1980, 2020), (1990, 2010), (2000, 2020), (1980, 2000)))
    change = (people[last] - people[first]) / people[first] * 100
    page = web.page(
        f"{town}: inhabitants by decade",
        f"How many people lived in {town}.\n\n"
        + table({str(year): number(n) for year, n in people.items()}, ("Year", "Inhabitants")),
    )
    size = abs(change)
    verb = "grew" if change > 0 else "shrank"
    return s.scenario(
        s.say(
            "by how many percent did the population of {town} change from {first} to {last}?",
            "look up how {town} grew or shrank between {first} and {last}, in percent",
            "{town}, {first} to {last}: percentage change in inhabitants?",
            town=town,
            first=first,
            last=last,
        ),
        [
            *finding(s, f"{town} inhabitants by decade {first} {last}", page, str(people[last])),
            call(
                "calculate",
                expression=f"({people[last]} - {people[first]}) / {people[first]} * 100",
            ).because(f"{number(people[first])} in {first}, {number(people[last])} in {last}"),
            says(f"It {verb} by {size:.1f} percent."),
        ],
        offer=["read_page"],
        answer=(f"{size:.1f}|{round(size)}|{size:.2f}",),
        near={"ten points off": [says(f"It {verb} by {size + 10:.1f} percent.")]},
    )
