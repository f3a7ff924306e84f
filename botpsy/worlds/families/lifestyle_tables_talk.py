"""Tables in conversation: more guests, another day, too many people, no table at all."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Final, get_args

from botpsy.services.hours import Hours
from botpsy.services.recurrence import Weekday
from botpsy.worlds.acts import ask, call, got, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.outings import EATERIES, eatery, home_town, on

DOMAIN: Final = "lifestyle"
_WEEK: tuple[Weekday, ...] = get_args(Weekday)
_DINNER = (18, 20)
"""Hours at which people have dinner here."""


@family(DOMAIN, "state")
def day_off(s: Scene) -> Scenario:
    """The restaurant does not open on that weekday: nothing is booked elsewhere."""
    here, when = home_town(s), s.when(days=(2, 6), hours=_DINNER)
    name, cuisine = s.pick(EATERIES)
    hours = Hours(time(12), time(23), (_WEEK[when.at.weekday()],))
    eatery(s, here, (name, cuisine), hours=hours)
    other = eatery(s, here)
    people = s.choose((2, 3, 6))
    return s.scenario(
        s.say(
            "{people} of us want to eat at {name} {on}, reserve a table",
            "table for {people}, {name}, {when}",
            "please book {name} {on} for a party of {people}",
            name=name,
            when=when,
            on=on(when),
            people=people,
        ),
        [
            call("book_table", restaurant=name, when=when, people=people),
            says(f"{name} is closed on {when.at:%A}s, so I have not reserved anything."),
        ],
        answer=("closed|not open|day off",),
        near={
            "elsewhere": [
                call("book_table", restaurant=other.id, when=when, people=people),
                says(f"{name} is closed, you have a table at {other.name}."),
            ],
            "the next day": [
                call(
                    "book_table",
                    restaurant=name,
                    when=s.plain(when.at + timedelta(days=1)),
                    people=people,
                ),
                says(f"{name} is closed, you have a table a day later."),
            ],
        },
    )


@family(DOMAIN, "multi_turn")
def two_more_guests(s: Scene) -> Scenario:
    """More people come: the table is given up for a larger one."""
    place = eatery(s, home_town(s))
    when = s.when(days=(1, 6), hours=_DINNER)
    people = s.choose((3, 4, 5))
    first = call("book_table", restaurant=place.name, when=when, people=people)
    return s.scenario(
        [
            s.say(
                "reserve {name} {on}, {people} people",
                "table at {name} for {people}, {when}",
                name=place.name,
                on=on(when),
                when=when,
                people=people,
            ),
            s.say(
                "two more are coming, so change it to a table for {more}",
                "make that {more} people instead, please",
                "my parents join us: {more} in all. Swap the table for one that's big enough",
                more=people + 2,
            ),
        ],
        [
            first,
            say("Reserved: {what}, {when}, for {people}."),
            call("book_table", restaurant=place.name, when=when, people=people + 2),
            call("cancel_booking", booking=got("booking", back=2)).because(
                "the larger table is there, so the first can go"
            ),
            says(f"Changed: your table at {place.name} is now for {people + 2}."),
        ],
        near={
            "a second table": [
                first,
                says("Reserved."),
                call("book_table", restaurant=place.name, when=when, people=2),
                says("There is a second table for the others."),
            ]
        },
    )


@family(DOMAIN, "multi_turn", held_out=True)
def same_place_other_day(s: Scene) -> Scenario:
    """Another day, before anything was said of the hour anew."""
    place = eatery(s, home_town(s))
    when = s.when(days=(2, 3), hours=_DINNER)
    other = s.said(when.at + timedelta(days=s.choose((1, 2))))
    people = s.choose((2, 4))
    return s.scenario(
        [
            s.say(
                "{name}, {when}, table for {people}",
                "get us a table at {name} {on}, we are {people}",
                name=place.name,
                when=when,
                on=on(when),
                people=people,
            ),
            s.say(
                "no, I mixed up the days. {day}, same time",
                "ah, that should have been {day}. Everything else stays as it is",
                "can we do {day} instead?",
                day=other.day,
            ),
        ],
        [
            call("book_table", restaurant=place.name, when=when, people=people),
            say("Reserved: {what}, {when}, for {people}."),
            call(
                "book_table",
                restaurant=place.name,
                when=f"{other.day} at {when.time}",
                people=people,
            ).because("the time and the people stay"),
            call("cancel_booking", booking=got("booking", back=2)),
            says(f"Changed: your table at {place.name} is now for {other.day}."),
        ],
    )


@family(DOMAIN, "missing")
def table_for_how_many(s: Scene) -> Scenario:
    """A table without the number of people."""
    place, people = eatery(s, home_town(s)), s.choose((2, 3, 5, 6))
    when = s.when(days=(1, 8), hours=_DINNER)
    return s.scenario(
        s.say(
            "reserve a table at {name} {on}",
            "I'd like to go to {name} with some friends {on}, book us a table",
            "we need a table at {name}, {when}",
            name=place.name,
            when=when,
            on=on(when),
        ),
        [
            ask("How many people will you be?", "amount"),
            call("book_table", restaurant=place.name, when=when, people=people),
            say("Reserved: {what}, {when}, for {people}."),
        ],
        facts={"amount": s.say("{people}", "we're {people}", "{people} of us", people=people)},
        near={
            "a table for two": [
                call("book_table", restaurant=place.name, when=when, people=people % 6 + 1),
                says("Reserved."),
            ]
        },
    )


@family(DOMAIN, "wrong_value")
def no_table_so_large(s: Scene) -> Scenario:
    """More people than the largest table takes."""
    largest, people = s.choose((6, 8)), s.choose((10, 12, 14))
    place = eatery(s, home_town(s), largest=largest)
    when = s.when(days=(1, 9), hours=_DINNER)
    return s.scenario(
        s.say(
            "one big table for {people} at {name} {on}",
            "book {name} for {people} people at a single table, {when}",
            "the whole team goes to {name} {on}, {people} of us, all at one table. Reserve it",
            name=place.name,
            when=when,
            on=on(when),
            people=people,
        ),
        [
            call("book_table", restaurant=place.name, when=when, people=people),
            says(f"That can't be done: the largest table at {place.name} is for {largest}."),
        ],
        answer=(str(largest),),
        facts={"amount": None},
        near={
            "as many as fit": [
                call("book_table", restaurant=place.name, when=when, people=largest),
                says(f"It can't take more than {largest}, so I booked for {largest}."),
            ]
        },
    )


@family(DOMAIN, "no_tool")
def more_than_a_table(s: Scene) -> Scenario:
    """Wishes for a restaurant that go beyond a table."""
    place = eatery(s, home_town(s))
    wish, cannot = s.choose(
        (
            ("order a takeaway from {name}", "order food"),
            ("have {name} deliver dinner to my flat", "order food"),
            ("put us on the waiting list at {name}", "put you on waiting lists"),
            ("leave a five star review for {name}", "write reviews"),
            ("ask the chef at {name} for the recipe of the soup", "ask the chef"),
            ("buy a gift voucher for {name}", "buy vouchers"),
        )
    )
    wish = wish.format(name=place.name)
    return s.scenario(
        s.say("{wish}", "I'd like you to {wish}", "could you {wish}?", wish=wish),
        [says(f"I can't {cannot}. I can find restaurants and reserve a table.")],
        offer=["find_restaurants", "book_table"],
        without=["place_order", "send_mail", "send_message", "search_products"],
        near={
            "a table instead": [
                call("book_table", restaurant=place.id, when="tomorrow at 7 pm", people=2),
                says("I can't do that, but you have a table."),
            ]
        },
    )
