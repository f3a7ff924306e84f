"""What is booked, and talk about journeys: follow-ups, corrections, questions, mix-ups."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.services.travel import By
from botpsy.worlds.acts import ask, call, got, say, says
from botpsy.worlds.people import CITIES
from botpsy.worlds.phrases import day_forms
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.outings import (
    RIDES,
    booked,
    home_town,
    inn,
    inns,
    on,
    timetable,
    trip,
)

DOMAIN: Final = "lifestyle"


@family(DOMAIN, "single")
def when_do_i_leave(s: Scene) -> Scenario:
    """A look at what is booked."""
    by: By = s.choose(("flight", "train"))
    a, b, c = home_town(s), s.pick(CITIES), s.pick(CITIES)
    ahead = s.rng.sample(range(2, 9), 2)
    mine, other = (
        trip(s, by, a, to, s.midnight(n) + timedelta(hours=s.rng.randint(7, 18), minutes=25))
        for to, n in zip((b, c), ahead, strict=True)
    )
    for each in (mine, other):
        booked(s, each, each.departs)
    return s.scenario(
        s.say(
            "when does my {word} to {b} leave?",
            "what time is my {word} to {b}, and on which day?",
            "I've booked a {word} to {b}. When was that again?",
            "remind me, when does the {word} to {b} go?",
            word=by,
            b=b,
        ),
        [
            call("list_bookings", kind=by),
            says(f"{mine.number} leaves {s.clock.show(mine.departs)}."),
        ],
        answer=(
            f"{mine.departs:%H:%M}",
            "|".join(day_forms(mine.departs.date(), s.now.date()))
            + f"|{mine.departs.day}|{mine.departs:%A}",
        ),
    )


@family(DOMAIN, "state")
def only_if_it_is_free(s: Scene) -> Scenario:
    """Cancel, unless that costs something: it may or may not."""
    a, b = home_town(s), s.pick(CITIES)
    free, leaves = s.chance(0.4), s.midnight(s.rng.randint(3, 9)) + timedelta(hours=9, minutes=35)
    mine = trip(s, "flight", a, b, leaves, refundable=free)
    ticket = booked(s, mine, leaves, free_until=leaves if free else None)
    said = s.say(
        "cancel my flight to {b} if that doesn't cost anything",
        "if I can get out of the {b} flight for free, cancel it. Otherwise leave it",
        "I may not fly to {b} after all. Cancel only if there's no fee",
        b=b,
    )
    look = call("list_bookings", kind="flight")
    if free:
        cancel = call("cancel_booking", booking=got("bookings.0.booking"))
        return s.scenario(
            said,
            [
                look,
                cancel.because("free cancellation until it leaves"),
                say("Cancelled: {cancelled}. The fee is {fee}."),
            ],
        )
    return s.scenario(
        said,
        [
            look,
            says(f"Cancelling {mine.number} is not free, so I have left it as it is.").because(
                "Free cancellation: no. So it stays"
            ),
        ],
        offer=["cancel_booking"],
        answer=("free|fee|refundable|cost|costs|refund|charge",),
        near={
            "cancels": [
                call("cancel_booking", booking=ticket.id),
                says("It was not free, I have cancelled it."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def what_about_the_next_day(s: Scene) -> Scenario:
    """Two looks at the timetable, then one of what was found is taken."""
    a, b = home_town(s), s.pick(CITIES)
    one, two = s.midnight(2), s.midnight(3)
    timetable(s, "flight", a, b, one, hours=(6, 18), seats=0)
    flights = timetable(s, "flight", a, b, two, hours=(8, 13, 19))
    which, at = s.choose((("first", 0), ("one in the middle", 1), ("last", 2)))
    day, later = f"{one:%A}", f"{two:%A}"
    follow = s.say("and on {later}?", "how about the day after?", "{later} then?", later=later)
    return s.scenario(
        [
            s.say(
                "any flights from {a} to {b} on {day}?",
                "what goes from {a} to {b} on {day}? I'd rather fly",
                "show me planes {a} to {b}, {day}",
                a=a,
                b=b,
                day=day,
            ),
            follow,
            s.say(
                "book me on the {which}",
                "fine, I'll take the {which}",
                "the {which}, one seat",
                which=which,
            ),
        ],
        [
            call("search_flights", origin=a, destination=b, day=day),
            says("There are two, but both are sold out.").because("Both have no seats"),
            call("search_flights", origin=a, destination=b, day=later).because(
                f"the day after {day} is {later}" if "after" in follow else ""
            ),
            says(f"There are three: at {', '.join(f'{each.departs:%H:%M}' for each in flights)}."),
            call("book_flight", flight=got(f"flights.{at}.id")).because(
                f"the {which} leaves at {flights[at].departs:%H:%M}"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        near={
            "another one": [
                says("Both are sold out."),
                says("There are three."),
                call("book_flight", flight=flights[at - 1].id),
                says("Booked."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def the_later_one_after_all(s: Scene) -> Scenario:
    """The wrong train was booked: it is given back, the right one bought."""
    a, b, day = home_town(s), s.pick(CITIES), s.day((2, 9))
    first, _, last = timetable(s, "train", a, b, day.at, refundable=True)
    return s.scenario(
        [
            s.say(
                "get me a ticket for the first train from {a} to {b} {on}",
                "{a} to {b} by rail, {day}, earliest departure, book it",
                a=a,
                b=b,
                on=on(day),
                day=day,
            ),
            s.say(
                "sorry, I said first but meant last. Change that, please",
                "no, wait, that's far too early. Cancel it and take the last one that day",
                "hm, I'd sleep in after all. Swap it for the latest train",
            ),
        ],
        [
            call("search_trains", origin=a, destination=b, day=day),
            call("book_train", train=got("trains.0.id")).because(
                f"{first.departs:%H:%M} is the earliest"
            ),
            say("Booked: {what}, {when}, {price}."),
            call("book_train", train=got("trains.2.id", back=2)).because(
                f"{last.departs:%H:%M} is the last of that day"
            ),
            call("cancel_booking", booking=got("booking", back=2)).because(
                "the new one is booked, so the first can go"
            ),
            says(f"Changed: you are now on {last.number}, {s.clock.show(last.departs)}."),
        ],
        near={
            "keeps both": [
                call("book_train", train=first.id),
                says("Booked."),
                call("book_train", train=last.id),
                says("You are on the last one now."),
            ]
        },
    )


@family(DOMAIN, "multi_turn", held_out=True)
def and_somewhere_to_sleep(s: Scene) -> Scenario:
    """A hotel where and when the train takes one."""
    a, b, day = home_town(s), s.pick(CITIES), s.day((2, 9))
    train = trip(s, "train", a, b, day.at + timedelta(hours=9, minutes=20))
    dear, cheap = inns(s, b, (4.4, 4.0), (130, 68))
    nights = s.choose((1, 2, 3))
    length = "one night" if nights == 1 else f"{nights} nights"
    return s.scenario(
        [
            s.say(
                "two tickets for the {number} to {b} {on}",
                "book {number} to {b}, {day}, two people",
                number=train.number,
                b=b,
                on=on(day),
                day=day,
                exact=True,
            ),
            s.say(
                "we'll also need somewhere to sleep there, {length}, the cheapest is fine",
                "now a hotel for us there, {length} from that day. As cheap as possible",
                "and the cheapest room in town for the two of us, {length}",
                length=length,
            ),
        ],
        [
            call("book_train", train=train.number, passengers=2),
            say("Booked: {what}, {when}, {price}."),
            call("search_hotels", city=b, check_in=day, nights=nights),
            call(
                "book_hotel", hotel=got("hotels.1.id"), check_in=day, nights=nights, guests=2
            ).because(f"in {b}, on the day of arrival; {cheap.price:.0f} is the lowest price"),
            say("Booked: {what}, {when}, {price}."),
        ],
        near={
            "the better one": [
                call("book_train", train=train.number, passengers=2),
                says("Booked."),
                call("book_hotel", hotel=dear.id, check_in=day, nights=nights, guests=2),
                says("Booked."),
            ]
        },
    )


@family(DOMAIN, "missing")
def taxi_to_where(s: Scene) -> Scenario:
    """A taxi without a destination."""
    to, when = s.pick(RIDES), s.when(days=(1, 4), hours=(5, 22))
    return s.scenario(
        s.say(
            "order me a taxi for {when}",
            "I'll need a cab {on}",
            "book a taxi, {when}, just for me",
            "can a taxi pick me up {on}?",
            when=when,
            on=on(when),
        ),
        [
            ask("Where do you want to go?", "place"),
            call("call_taxi", destination=to, when=when),
            say("Ordered: {what}, {when}, {price}."),
        ],
        facts={"place": s.say("to {to}", "{to}", "I have to get to {to}", to=to)},
        near={
            "guesses": [
                call("call_taxi", destination="home", when=when),
                says("The taxi is ordered."),
            ]
        },
    )


@family(DOMAIN, "missing")
def train_on_which_day(s: Scene) -> Scenario:
    """A ticket for which the day is not said."""
    a, b, day = home_town(s), s.pick(CITIES), s.day((2, 8))
    trains = timetable(s, "train", a, b, day.at)
    timetable(s, "train", a, b, day.at + timedelta(days=1))
    return s.scenario(
        s.say(
            "buy me a ticket for the first train from {a} to {b}",
            "I want to take the earliest train from {a} to {b}. Book it",
            "one seat on the first train out of {a} to {b}",
            a=a,
            b=b,
        ),
        [
            ask("On which day?", "day"),
            call("search_trains", origin=a, destination=b, day=day),
            call("book_train", train=got("trains.0.id")).because(
                f"{trains[0].departs:%H:%M} is the earliest"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        facts={"day": s.say("{day}", "{on}", "it's for {day}", day=day, on=on(day))},
        near={
            "any train": [call("book_train", train=trains[1].id), says("Booked.")],
        },
    )


@family(DOMAIN, "missing")
def which_hotel_to_cancel(s: Scene) -> Scenario:
    """Two stays are booked: ask which one is meant."""
    cities = [s.pick(CITIES), s.pick(CITIES)]
    starts = [s.midnight(n) + timedelta(hours=15) for n in (s.rng.randint(3, 5), 9)]
    stays = [
        booked(s, inn(s, city, 90 + 5 * n), start, people=2)
        for n, (city, start) in enumerate(zip(cities, starts, strict=True))
    ]
    meant = s.choose((0, 1))
    return s.scenario(
        s.say(
            "cancel my hotel",
            "I don't need the hotel any more, please cancel it",
            "call off the hotel booking",
            "I won't need the room after all, cancel it",
        ),
        [
            call("list_bookings", kind="hotel"),
            ask(f"Which one, {cities[0]} or {cities[1]}?", "which"),
            call("cancel_booking", booking=stays[meant].id).because(
                f"that is the one in {cities[meant]}"
            ),
            say("Cancelled: {cancelled}. The fee is {fee}."),
        ],
        facts={
            "which": s.say(
                "the one in {city}", "{city}", "I meant the hotel in {city}", city=cities[meant]
            )
        },
    )


@family(DOMAIN, "lookalike")
def same_number_two_days(s: Scene) -> Scenario:
    """A flight number that is used every day: the day tells which."""
    a, b, number = home_town(s), s.pick(CITIES), f"QJ {s.pick(range(203, 990))}"
    ahead = s.rng.randint(2, 4)
    wrong, right = (
        trip(s, "flight", a, b, s.midnight(n) + timedelta(hours=9, minutes=15), number=number)
        for n in s.rng.sample((ahead, ahead + 1), 2)
    )
    day = f"{right.departs:%A}"
    return s.scenario(
        s.say(
            "put me on {number} from {a} to {b} on {day}",
            "one seat on {day}'s {number}, {a} to {b}",
            "{number} {a} to {b}, {day}, book it",
            number=number,
            a=a,
            b=b,
            day=day,
            exact=True,
        ),
        [
            call("search_flights", origin=a, destination=b, day=day),
            call("book_flight", flight=got("flights.0.id")).because(
                f"the number alone does not tell the day, this id is {day}'s"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        near={"the other day": [call("book_flight", flight=wrong.id), says("Booked.")]},
    )


@family(DOMAIN, "lookalike", held_out=True)
def two_trips_to_one_town(s: Scene) -> Scenario:
    """A train and a flight to the same town are booked: only one goes."""
    a, b = home_town(s), s.pick(CITIES)
    leaves = s.midnight(s.rng.randint(2, 6)) + timedelta(hours=10, minutes=10)
    kinds: list[By] = ["flight", "train"]
    s.rng.shuffle(kinds)
    by, other = kinds
    going, staying = (
        booked(s, trip(s, each, a, b, leaves + timedelta(days=n)), leaves + timedelta(days=n))
        for n, each in enumerate(kinds)
    )
    name = {"flight": "plane", "train": "rail"}[by]
    return s.scenario(
        s.say(
            "cancel my {name} ticket to {b}, the other one stays",
            "I have both a {by} and a {other} to {b}. Drop the {by}",
            "the {other} to {b} is enough, give back the {name} ticket",
            name=name,
            by=by,
            other=other,
            b=b,
        ),
        [
            call("list_bookings"),
            call("cancel_booking", booking=going.id).because(f"the {by}"),
            say("Cancelled: {cancelled}. The fee is {fee}."),
        ],
        near={
            "the other": [call("cancel_booking", booking=staying.id), says("Cancelled.")],
        },
    )
