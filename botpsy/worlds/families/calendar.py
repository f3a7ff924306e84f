"""The calendar: put in, look up, take out; several at once, step by step, with a conflict."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.worlds.acts import Act, both, call, got, say, says
from botpsy.worlds.phrases import a
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.pools import APPOINTMENTS, LEISURE, MEETINGS, PLACES

DOMAIN: Final = "calendar"
WEEKLY = ("yoga", "choir practice", "football training", "swimming", "chess club", "climbing",
          "pottery class", "Spanish class", "salsa lesson")  # fmt: skip


@family(DOMAIN, "single")
def book_appointment(s: Scene) -> Scenario:
    """One new event, day and time given."""
    what, when = s.pick(APPOINTMENTS), s.when()
    return s.scenario(
        s.say(
            "put {what} on my calendar for {when}",
            "I have {a_what}, {when}. Add it to my calendar",
            "can you schedule {what} for {when}?",
            "new appointment: {what}, {when}",
            what=what,
            a_what=a(what),
            when=when,
        ),
        [
            call("create_event", title=what, start=when),
            say("{title} is in your calendar: {start}."),
        ],
    )


@family(DOMAIN, "single")
def book_with_length_and_place(s: Scene) -> Scenario:
    """One new event with how long and where."""
    what, when, where = s.pick(MEETINGS), s.when(), s.pick(PLACES)
    length = s.length(s.choose((15, 30, 45, 90, 120)))
    return s.scenario(
        s.say(
            "block {length} for the {what}, {when}, place: {where}",
            "schedule {a_what} for {when}. It takes {length}, and the place is {where}",
            "please add {what} to my calendar, {when}, {length}, place: {where}",
            what=what,
            a_what=a(what),
            when=when,
            where=where,
            length=length,
        ),
        [
            call("create_event", title=what, start=when, duration=length, location=where),
            say("{title} is in your calendar from {start} to {end}."),
        ],
    )


@family(DOMAIN, "single")
def weekly_class(s: Scene) -> Scenario:
    """A repeating event."""
    what, when = s.pick(WEEKLY), s.when(days=(1, 6))
    return s.scenario(
        s.say(
            "{what} every week from {when}, put it in my calendar",
            "add {what} to my schedule, weekly, starting {when}",
            "I've signed up for {what}: first time is {when}, then every week",
            what=what,
            when=when,
        ),
        [
            call("create_event", title=what, start=when, repeat="weekly").because(
                "every week → weekly"
            ),
            say("{title} is in your calendar, weekly, from {start}."),
        ],
    )


@family(DOMAIN, "single")
def whole_day(s: Scene) -> Scenario:
    """An event that takes the whole day."""
    what, day = s.choose(("moving day", "day off", "sports day", "family visit")), s.day((2, 20))
    return s.scenario(
        s.say(
            "mark {day} as {what}, all day",
            "block out all of {day}: {what}",
            "{day} is {what} the whole day, put that in the calendar",
            what=what,
            day=day,
        ),
        [
            call("create_event", title=what, start=day, all_day=True),
            say("{title} takes the whole day: {start}."),
        ],
    )


@family(DOMAIN, "single")
def what_is_on(s: Scene) -> Scenario:
    """Look up a day."""
    day = s.day((1, 6))
    first = s.event(s.pick(MEETINGS), day.at + timedelta(hours=s.choose((9, 10))))
    second = s.event(s.pick(LEISURE), day.at + timedelta(hours=s.choose((17, 18)), minutes=30))
    one, two = (f"{each.title} at {each.start:%H:%M}" for each in (first, second))
    return s.scenario(
        s.say(
            "what's on my calendar {day}?",
            "what do I have {day}?",
            "any plans for {day}?",
            "read me my appointments for {day}",
            day=day,
        ),
        [call("find_events", period=day), says(f"You have two things: {one} and {two}.")],
        answer=(first.title, f"{first.start:%H:%M}", second.title, f"{second.start:%H:%M}"),
    )


@family(DOMAIN, "parallel")
def two_errands(s: Scene) -> Scenario:
    """Two independent things in one sentence."""
    one, two = s.pick(APPOINTMENTS), s.pick(LEISURE)
    at, then = s.when(days=(1, 5)), s.when(days=(6, 11))
    return s.scenario(
        s.say(
            "add {one} for {at} and {two} for {then}",
            "two things for my calendar: {one}, {at}, and {two}, {then}",
            "I've got {one} {at}, and {two} {then}. Put both in, please",
            one=one,
            two=two,
            at=at,
            then=then,
        ),
        [
            both(
                call("create_event", title=one, start=at),
                call("create_event", title=two, start=then),
            ),
            say("Both are in: {0[title]}, {0[start]}, and {1[title]}, {1[start]}."),
        ],
    )


@family(DOMAIN, "multi_step")
def first_free_slot(s: Scene) -> Scenario:
    """Look for a gap, then fill it."""
    s.bare("calendar")
    day, what = s.day((2, 6)), s.pick(APPOINTMENTS)
    gap = s.choose((10, 11, 12, 14, 15))
    for hour in range(9, gap):
        s.event(s.pick(MEETINGS), day.at + timedelta(hours=hour))
    free = day.at + timedelta(hours=gap)
    s.event(s.pick(LEISURE), free + timedelta(hours=1), 60)
    return s.scenario(
        s.say(
            "find an hour between nine and five {day} and put {what} into the first gap",
            "book {what} into my first free hour between 9 and 17 o'clock {day}",
            "{what} needs an hour {day}, from nine to five. Take the first one that is free",
            what=what,
            day=day,
        ),
        [
            call("find_free_time", period=f"{day} from 9:00 to 17:00", duration="1 hour").because(
                "nine to five → from 9:00 to 17:00"
            ),
            call("create_event", title=what, start=s.plain(free)).because("the first gap"),
            say(f"The first gap is at {gap}:00; " + "{title} is in: {start}."),
        ],
    )


@family(DOMAIN, "multi_step")
def cancel_whatever_is_then(s: Scene) -> Scenario:
    """Look up what is at a time, then take it out by its id."""
    when = s.when(days=(1, 9))
    event = s.event(s.pick(MEETINGS), when)
    return s.scenario(
        s.say(
            "look up what I have {when} and take it off my calendar",
            "whatever is in my calendar {when}, cancel it",
            when=when,
        ),
        [
            call("find_events", period=when),
            call("delete_event", event=got("events.0.id")),
            says(f"I have removed {event.title} from your calendar."),
        ],
        answer=(event.title,),
    )


@family(DOMAIN, "state")
def only_if_free(s: Scene) -> Scenario:
    """Put in only where nothing else is: half the time something is."""
    when, what, other = s.when(days=(1, 9)), s.pick(LEISURE), s.pick(MEETINGS)
    look = call("find_events", period=when)
    add = call("create_event", title=what, start=when)
    busy = s.chance(0.5)
    if busy:
        s.event(other, when)
        no = says(f"You are not free then: {other} is on, so I have added nothing.")
        rest: list[Act] = [no.because("That hour is taken, so nothing is added.")]
    else:
        yes = say("You are free then, so {title} is in: {start}.")
        rest = [add.because("nothing is on then"), yes]
    return s.scenario(
        s.say(
            "if I'm free {when}, add {what}",
            "add {what} {when}, but only if nothing else is on then",
            "am I free {when}? If so put in {what}, otherwise leave it",
            what=what,
            when=when,
        ),
        [look, *rest],
        offer=["create_event"],
        answer=(other,) if busy else (),
        near={"books anyway": [add, says("Added.")]} if busy else {},
    )


@family(DOMAIN, "single")
def take_out(s: Scene) -> Scenario:
    """One event goes, named by its title."""
    what = s.pick(LEISURE)
    s.event(what, s.when())
    return s.scenario(
        s.say(
            "cancel {what}",
            "take {what} off my calendar",
            "I can't make it to {what}, please remove it",
            "delete {what} from my schedule",
            what=what,
        ),
        [call("delete_event", event=what), say(f"{what} is off your calendar.")],
    )


@family(DOMAIN, "single")
def when_is_it(s: Scene) -> Scenario:
    """Look up one event by its words."""
    what, when = s.pick(APPOINTMENTS), s.when(days=(2, 20))
    event = s.event(what, when)
    return s.scenario(
        s.say(
            "when is my {what}?",
            "what time is the {what}?",
            "do I have {a_what} coming up? When?",
            what=what,
            a_what=a(what),
        ),
        [
            call("find_events", query=what),
            says(f"Your {what} is on {s.clock.show(event.start)}."),
        ],
        answer=(f"{event.start:%H:%M}", f"{event.start.day}|tomorrow|{when.day}"),
    )


@family(DOMAIN, "state")
def says_that_it_clashes(s: Scene) -> Scenario:
    """It is put in as asked, and the answer tells of a clash if the result shows one."""
    when, what, other = s.when(days=(1, 9)), s.pick(APPOINTMENTS), s.pick(MEETINGS)
    put = call("create_event", title=what, start=when)
    if clash := s.chance(0.6):
        s.event(other, when)
        look = call("find_events", period=when).because("there is a conflict; this tells which")
        rest: list[Act] = [look, says(f"It is in, but it clashes with {other} at the same time.")]
    else:
        rest = [say("It is in: {start}. It clashes with nothing.")]
    return s.scenario(
        s.say(
            "schedule {what} for {when} and tell me if that clashes with anything",
            "{what}, {when}, put it in. Is there a conflict?",
            "add {what} {when}. What else do I have at that time, if anything?",
            what=what,
            when=when,
        ),
        [put, *rest],
        offer=["find_events"],
        answer=(other,) if clash else ("nothing|no conflict|no clash|not clash",),
    )
