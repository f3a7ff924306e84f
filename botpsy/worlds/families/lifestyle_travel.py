"""Flights, trains, hotels and taxis: looked up and booked, in one step, in two, or not at all."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import both, call, got, say, says
from botpsy.worlds.people import CITIES
from botpsy.worlds.phrases import time_forms
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.outings import (
    PARTIES,
    RIDES,
    costs,
    headcount,
    home_town,
    inn,
    inns,
    on,
    timetable,
)

DOMAIN: Final = "lifestyle"


@family(DOMAIN, "single")
def cheapest_fare(s: Scene) -> Scenario:
    """Which flight of a day costs least, and how much."""
    a, b, day = home_town(s), s.pick(CITIES), s.day()
    best = min(timetable(s, "flight", a, b, day.at), key=lambda each: each.price)
    return s.scenario(
        s.say(
            "what's the cheapest flight from {a} to {b} {on}?",
            "how little can I fly from {a} to {b} for {on}, and on which flight?",
            "flights {a} to {b} {on}: tell me the number and price of the cheapest",
            "I want to fly from {a} to {b} {on} for as little as I can. Which flight is that?",
            a=a,
            b=b,
            on=on(day),
        ),
        [
            call("search_flights", origin=a, destination=b, day=day),
            says(
                f"The cheapest is {best.number} at {best.departs:%H:%M}, for {best.price:.0f} EUR."
            ).because(f"{best.price:.0f} EUR is the lowest of the prices"),
        ],
        answer=(best.number, costs(best.price)),
    )


@family(DOMAIN, "single")
def tickets_by_number(s: Scene) -> Scenario:
    """Train tickets: the number of the train and the travellers are said."""
    a, b, day = home_town(s), s.pick(CITIES), s.day()
    trains = timetable(s, "train", a, b, day.at)
    train, other = s.rng.sample(trains, 2)
    party, people = s.choose(PARTIES)
    return s.scenario(
        s.say(
            "book the {number} to {b} {on} for {party}",
            "train tickets please: {number} from {a} to {b}, {day}, {party}",
            "can you get us on the {number} to {b} {on}? It's for {party}",
            "we're taking the {number} to {b} {on}, buy the tickets. {party}",
            number=train.number,
            a=a,
            b=b,
            day=day,
            on=on(day),
            party=party,
            exact=True,
        ),
        [
            call("book_train", train=train.number, passengers=people).because(
                headcount(party, people)
            ),
            say("Booked: {what}, {when}, for {people} people, {price} in all."),
        ],
        near={
            "another train": [
                call("book_train", train=other.number, passengers=people),
                says("Booked."),
            ]
        },
    )


@family(DOMAIN, "single")
def nights_in_a_hotel(s: Scene) -> Scenario:
    """A hotel known by name, with nights and guests."""
    city, day, nights = s.pick(CITIES), s.day((2, 12)), s.choose((1, 2, 3, 4))
    hotel = inns(s, city, (4.5, 4.1), (120, 85))[s.choose((0, 1))]
    party, people = s.choose(PARTIES)
    length = "one night" if nights == 1 else f"{nights} nights"
    return s.scenario(
        s.say(
            "book a room at {hotel} in {city} from {day}, {length}, for {party}",
            "reserve {hotel}, {city}: arriving {day}, {length}, {party}",
            "we'd like to stay at {hotel} for {length} from {day}. It's for {party}",
            "{hotel} in {city} please, {length} starting {day}, one room for {party}",
            hotel=hotel.name,
            city=city,
            day=day,
            length=length,
            party=party,
        ),
        [
            call(
                "book_hotel", hotel=hotel.name, check_in=day, nights=nights, guests=people
            ).because(headcount(party, people)),
            say("Booked: {what}, {when}, for {people}, {price}."),
        ],
        offer=["search_hotels"],
    )


@family(DOMAIN, "single", held_out=True)
def from_day_to_day(s: Scene) -> Scenario:
    """The day of leaving is said instead of the nights."""
    city, ahead, nights = s.pick(CITIES), s.rng.randint(2, 4), s.choose((1, 2))
    day, leaving = (f"{s.midnight(n):%A}" for n in (ahead, ahead + nights))
    hotel = inns(s, city, (4.4, 4.0), (99, 70))[0]
    return s.scenario(
        s.say(
            "get me a single at {hotel}, {city}, check-in {day}, check-out {leaving}",
            "I'm in {city} from {day} to {leaving} on my own, book me into {hotel}",
            "I arrive in {city} on {day} and leave on {leaving}. {hotel} please, just me",
            hotel=hotel.name,
            city=city,
            day=day,
            leaving=leaving,
        ),
        [
            call("book_hotel", hotel=hotel.name, check_in=day, nights=nights).because(
                f"{day} to {leaving}: {nights} night{'s' if nights > 1 else ''}"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        offer=["search_hotels"],
    )


@family(DOMAIN, "single")
def cab_for_later(s: Scene) -> Scenario:
    """A taxi at a time, with who comes along."""
    to, when = s.pick(RIDES), s.when(days=(1, 6), hours=(5, 22))
    party, people = s.choose(PARTIES)
    return s.scenario(
        s.say(
            "I need a cab to {to} {when}, for {party}",
            "order a taxi, {when}, to {to}. {party}",
            "have a taxi take us to {to} {when}, it's {party}",
            "{when} we have to get to {to}: {party}. A taxi, please",
            to=to,
            when=when,
            party=party,
        ),
        [
            call("call_taxi", destination=to, when=when, passengers=people).because(
                headcount(party, people)
            ),
            say("The taxi is ordered: {what}, {when}, {price}."),
        ],
    )


@family(DOMAIN, "parallel")
def there_and_back(s: Scene) -> Scenario:
    """Two searches at once, then two bookings at once."""
    a, b, out = home_town(s), s.pick(CITIES), s.day((2, 4))
    back = s.day((5, 9))
    there, home = timetable(s, "train", a, b, out.at), timetable(s, "train", b, a, back.at)
    party, people = s.choose(PARTIES)
    return s.scenario(
        s.say(
            "book the first train from {a} to {b} {on} and the last one back {later}, for {party}",
            "{a} to {b} and back by train for {party}: earliest one {on}, latest one home {later}",
            "we're going to {b} by train. Out of {a} {on}, as early as possible, back {later}, as "
            "late as possible. Tickets for {party}, please",
            a=a,
            b=b,
            on=on(out),
            later=on(back),
            party=party,
        ),
        [
            both(
                call("search_trains", origin=a, destination=b, day=out),
                call("search_trains", origin=b, destination=a, day=back),
            ),
            both(
                call("book_train", train=got("trains.0.id", back=2), passengers=people),
                call("book_train", train=got("trains.2.id"), passengers=people),
            ).because(f"first one out, last one back, for {party}: {people} each"),
            says(
                f"Both are booked: out at {there[0].departs:%H:%M}, back at "
                f"{home[2].departs:%H:%M}."
            ),
        ],
        answer=(f"{there[0].departs:%H:%M}", f"{home[2].departs:%H:%M}"),
        near={
            "first one back": [
                call("book_train", train=there[0].id, passengers=people),
                call("book_train", train=home[0].id, passengers=people),
                says(f"Out at {there[0].departs:%H:%M}, back at {home[2].departs:%H:%M}."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def there_in_time(s: Scene) -> Scenario:
    """The last train that arrives before a time."""
    a, b, day = home_town(s), s.pick(CITIES), s.day((1, 9))
    trains = timetable(s, "train", a, b, day.at, hours=(6, 9, 12, 15))
    at = s.choose((1, 2))
    train, later = trains[at], trains[at + 1]
    limit = (train.arrives + timedelta(minutes=59)).replace(minute=0)
    by = s.choose(time_forms(limit.hour, 0)[:2])
    return s.scenario(
        s.say(
            "I have to be in {b} by {by} {on}. Book the last train from {a} that gets me there",
            "{day}: train {a} to {b}, arriving before {by}, as late as possible. Get me a seat",
            "get me a ticket from {a} to {b} {on} on the latest train that's there by {by}",
            a=a,
            b=b,
            day=day,
            on=on(day),
            by=by,
        ),
        [
            call("search_trains", origin=a, destination=b, day=day),
            call("book_train", train=got(f"trains.{at}.id")).because(
                f"it arrives at {train.arrives:%H:%M}, the next at {later.arrives:%H:%M}"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        near={
            "too late": [call("book_train", train=later.id), says("Booked.")],
            "the first": [call("book_train", train=trains[0].id), says("Booked.")],
        },
    )


@family(DOMAIN, "multi_step")
def best_within_budget(s: Scene) -> Scenario:
    """The best rated hotel under a price."""
    city, day, nights = s.pick(CITIES), s.day((2, 9)), s.choose((2, 3))
    limit = s.choose((90, 100, 120, 150))
    dear, right, poor = inns(s, city, (4.7, 4.3, 3.6), (limit + 35, limit - 8, limit - 30))
    return s.scenario(
        s.say(
            "find the best rated hotel in {city} under {limit} a night and book it: {nights} "
            "nights from {day}, two guests",
            "two of us need a bed in {city}, {day}, {nights} nights, not more than {limit} each "
            "night. Take the one with the best rating",
            "book whatever has the top reviews in {city} below {limit} per night, check-in {day}, "
            "{nights} nights, 2 people",
            city=city,
            limit=limit,
            nights=nights,
            day=day,
        ),
        [
            call("search_hotels", city=city, check_in=day, nights=nights),
            call(
                "book_hotel", hotel=got("hotels.1.id"), check_in=day, nights=nights, guests=2
            ).because(f"{dear.name} costs {dear.price:.0f}, {right.name} {right.price:.0f}"),
            say("Booked: {what}, {when}, {price} in all."),
        ],
        near={
            name: [
                call("book_hotel", hotel=hotel.id, check_in=day, nights=nights, guests=2),
                says("Booked."),
            ]
            for name, hotel in (("too dear", dear), ("cheapest", poor))
        },
    )


@family(DOMAIN, "state")
def room_for_all_of_us(s: Scene) -> Scenario:
    """The cheapest flight has too few seats: the next one."""
    a, b, day = home_town(s), s.pick(CITIES), s.day((2, 12))
    hours, at = [7, 11, 16], s.rng.sample(range(3), 3)
    seats = {at[0]: s.choose((0, 1, 2)), at[1]: 9, at[2]: 9}
    prices = {at[0]: 59.0, at[1]: 84.0, at[2]: 131.0}
    flights = [
        timetable(s, "flight", a, b, day.at, hours=[hour], seats=seats[n], price=prices[n])[0]
        for n, hour in enumerate(hours)
    ]
    full, right = flights[at[0]], flights[at[1]]
    left = "is sold out" if not full.seats else f"has only {full.seats} left"
    return s.scenario(
        s.say(
            "three of us want to fly from {a} to {b} {on}. Book the cheapest flight we all fit on",
            "book the cheapest flight {a} to {b} {on} that still has three seats",
            "{day}, {a} to {b}, 3 passengers: take the cheapest plane with room for all of us",
            a=a,
            b=b,
            day=day,
            on=on(day),
        ),
        [
            call("search_flights", origin=a, destination=b, day=day),
            call("book_flight", flight=got(f"flights.{at[1]}.id"), passengers=3).because(
                f"{full.number} at {full.price:.0f} {left}"
            ),
            say("Booked: {what}, {when}, {price} for three. A cheaper one has too few seats."),
        ],
        near={
            "fewer people": [
                call("book_flight", flight=full.id, passengers=max(1, full.seats)),
                says("Booked."),
            ],
            "the dearest": [
                call("book_flight", flight=flights[at[2]].id, passengers=3),
                says("Booked."),
            ],
            "one by one": [
                *(call("book_flight", flight=right.id) for _ in range(2)),
                says("Booked for all of you."),
            ],
        },
    )


@family(DOMAIN, "state", held_out=True)
def if_the_first_choice_is_full(s: Scene) -> Scenario:
    """One hotel, or another when it has no room on some night."""
    city, day, nights = s.pick(CITIES), s.day((2, 9)), 3
    full, night = s.chance(0.7), (day.at + timedelta(days=s.choose((0, 1, 2)))).date()
    first = inn(s, city, 110, rating=4.6, rooms_on={night: 0} if full else {})
    second = inn(s, city, 95, rating=4.2)
    hotel = second if full else first
    stay = {"check_in": day, "nights": nights, "guests": 2}
    look = call("search_hotels", city=city, check_in=day, nights=nights)
    return s.scenario(
        s.say(
            "book {first} in {city}, three nights from {day}, two people. If it's full, {second}",
            "we want {first} in {city} from {day} for three nights, we are two. Should there be no "
            "room, take {second} instead",
            "{city}, {day}, 3 nights, 2 guests: try {first}, else {second}",
            first=first.name,
            second=second.name,
            city=city,
            day=day,
        ),
        [
            look,
            call("book_hotel", hotel=hotel.id, **stay).because(
                f"{first.name} {'is full on one night' if full else 'is free'}"
            ),
            say("Booked: {what}, {when}, {price}."),
        ],
        answer=(hotel.name,),
        near={
            "a shorter stay": [
                call("book_hotel", hotel=hotel.id, check_in=day, nights=1, guests=2),
                says(f"{hotel.name} is booked."),
            ]
        },
    )
