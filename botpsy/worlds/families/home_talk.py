"""The home in conversation: follow-ups, a changing mind, and what has to be asked for."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import Act, ask, both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import blinds, door, gadget, lamp, spoken, thermostat

DOMAIN: Final = "home"


@family(DOMAIN, "multi_turn")
def a_bit_more_light(s: Scene) -> Scenario:
    """A level, then a little more or less of it."""
    name, amount = spoken(lamp(s, "on", 100)), s.choose(("30%", "40%", "half", "50 percent"))
    lamp(s, "on", 60)
    change = s.choose(("a bit brighter", "brighter", "a bit dimmer", "a touch less"))
    return s.scenario(
        [
            s.say(
                "put the {name} at {amount}",
                "{name}: {amount} brightness",
                "I'd like the {name} down to {amount}",
                name=name,
                amount=amount,
            ),
            s.say("{change}", "mmh, {change}", "{change} and it's perfect", change=change),
        ],
        [
            call("set_light", light=name, brightness=amount),
            says(f"The {name} is at {amount}."),
            call("set_light", light=name, brightness=change),
            says(f"The {name} is {change} now.".replace("a touch less", "a touch dimmer")),
        ],
        near={
            "forgets which": [
                call("set_light", light=name, brightness=amount),
                says(f"The {name} is at {amount}."),
                call("set_light", light="all lights", brightness=change),
                says("Done."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def the_other_one(s: Scene) -> Scenario:
    """The wrong thing was named: undo it, and do the right one."""
    wrong, right = spoken(gadget(s)), spoken(gadget(s))
    return s.scenario(
        [
            s.say("switch the {wrong} on", "{wrong} on, please", "start the {wrong}", wrong=wrong),
            s.say(
                "oh no, I meant the {right}. The {wrong} should stay off",
                "sorry, wrong one: {wrong} off again, {right} on",
                "not that! The {right}, and switch the {wrong} back off",
                wrong=wrong,
                right=right,
            ),
        ],
        [
            call("turn_on", device=wrong),
            says(f"The {wrong} is on."),
            both(call("turn_off", device=wrong), call("turn_on", device=right)),
            says(f"The {wrong} is off again and the {right} is on."),
        ],
        near={
            "both on": [
                call("turn_on", device=wrong),
                says(f"The {wrong} is on."),
                call("turn_on", device=right),
                says(f"The {right} is on."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def and_those_as_well(s: Scene) -> Scenario:
    """The same again for another, in words that lean on the first."""
    one, two = spoken(blinds(s)), spoken(blinds(s))
    return s.scenario(
        [
            s.say("close the {one}", "can you shut the {one}?", "{one} closed", one=one),
            s.say("and the {two}", "the {two} as well", "same for the {two}", two=two),
        ],
        [
            call("close_cover", cover=one),
            says(f"The {one} are closed."),
            call("close_cover", cover=two),
            says(f"The {two} too."),
        ],
        offer=["open_cover"],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def two_degrees_less(s: Scene) -> Scenario:
    """A temperature, then so many degrees off it."""
    thermostat(s, 19.0)
    degrees = s.choose(("22", "23", "24"))
    change = s.choose(("one degree less", "two degrees cooler", "1.5 degrees lower"))
    return s.scenario(
        [
            s.say(
                "heat to {degrees}",
                "make it {degrees} degrees in the flat",
                "the flat should have {degrees} degrees",
                degrees=degrees,
            ),
            s.say(
                "hm, that's a lot. {change}",
                "on second thoughts, {change}",
                "actually {change} will do",
                change=change,
            ),
        ],
        [
            call("set_temperature", temperature=degrees),
            says(f"The heating is set to {degrees} degrees."),
            call("set_temperature", temperature=change),
            says(f"Done, {change}."),
        ],
        near={
            "not changed": [
                call("set_temperature", temperature=degrees),
                says("Set."),
                says("All right."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def not_now_after_all(s: Scene) -> Scenario:
    """Started, then called off."""
    s.device("Robot vacuum", "vacuum", "hall", "docked")
    return s.scenario(
        [
            s.say(
                "have the floor vacuumed",
                "get the vacuum to clean, will you?",
                "vacuum, please",
                "time to hoover",
            ),
            s.say(
                "stop, somebody's at the door. Send it back",
                "ah, no, the baby just fell asleep. Back to the dock",
                "wait, I have to take a call. Stop it",
            ),
        ],
        [
            call("start_cleaning"),
            says("The vacuum is cleaning."),
            call("stop_cleaning"),
            says("Stopped; it is on its way back to the dock."),
        ],
        order=["start_cleaning", "stop_cleaning"],
    )


@family(DOMAIN, "multi_turn")
def leave_a_gap(s: Scene) -> Scenario:
    """Closed, then open a part."""
    name, part = spoken(blinds(s)), s.choose(("20%", "a quarter", "30 percent"))
    value = "25%" if part == "a quarter" else part
    return s.scenario(
        [
            s.say(
                "{name} down", "shut the {name} for me", "could the {name} be closed?", name=name
            ),
            s.say(
                "that's too dark, open them {part}",
                "leave them open {part}, I can't see anything",
                "{part} open is better",
                part=part,
            ),
        ],
        [
            call("close_cover", cover=name),
            says(f"The {name} are closed."),
            call("open_cover", cover=name, how_far=value).because(
                "a quarter is 25%" if value != part else ""
            ),
            says(f"The {name} are open {part} now."),
        ],
    )


@family(DOMAIN, "missing")
def which_lamp(s: Scene) -> Scenario:
    """Two lamps in the room, one meant."""
    room = s.choose(("living room", "bedroom", "study"))
    names = ["arc lamp", "paper lantern", "globe light", "corner lamp"]
    s.rng.shuffle(names)
    one, two = names[:2]
    for name in (one, two):
        s.device(name.capitalize(), "light", room, brightness=70)
    rest: list[Act] = [
        ask(f"Which one, the {one} or the {two}?", "which"),
        call("turn_on", device=one),
        says(f"The {one} is on."),
    ]
    return s.scenario(
        s.say(
            "turn on the lamp in the {room}",
            "switch the lamp in the {room} on",
            "I want the {room} lamp on",
            "the {room} lamp on, please",
            room=room,
        ),
        [call("turn_on", device=f"{room} lamp"), *rest],
        also=[[call("list_devices", area=room, kind="light"), *rest]],
        facts={"which": s.say("the {one}", "{one}, please", "oh, the {one}", one=one)},
    )


@family(DOMAIN, "missing")
def how_warm(s: Scene) -> Scenario:
    """The heating is to be changed, but to what?"""
    thermostat(s, 19.0)
    degrees = s.choose(("21.5", "17", "22", "16"))
    return s.scenario(
        s.say(
            "change the temperature of the heating",
            "I need the thermostat at a different temperature",
            "set the heating for tonight",
            "could you adjust the heating?",
        ),
        [
            ask("What temperature would you like?", "level"),
            call("set_temperature", temperature=degrees),
            says(f"The heating is set to {degrees} degrees."),
        ],
        facts={"level": s.say("{d} degrees", "{d}", "to {d}", d=degrees)},
    )


@family(DOMAIN, "missing", held_out=True)
def which_door(s: Scene) -> Scenario:
    """There are three doors, and a wrong one must not be opened."""
    one, two, three = (spoken(door(s)) for _ in range(3))
    return s.scenario(
        s.say(
            "unlock the door",
            "open up, the plumber is at the door",
            "let them in, unlock the door for me",
        ),
        [
            call("list_devices", kind="lock"),
            ask(f"Which door: {one}, {two} or {three}?", "which"),
            call("unlock_door", door=two),
            says(f"The {two} is unlocked."),
        ],
        facts={"which": s.say("the {two}", "{two}", "that's the {two}", two=two)},
        offer=["unlock_car"],
        near={
            "all of them": [
                call("list_devices", kind="lock"),
                ask(f"Which door: {one}, {two} or {three}?", "which"),
                call("unlock_door", door="all doors"),
                says("They are unlocked."),
            ]
        },
    )


@family(DOMAIN, "missing")
def which_colour(s: Scene) -> Scenario:
    """A colour is wanted, but which?"""
    name = spoken(lamp(s, "on"))
    colour = s.choose(("red", "green", "magenta", "amber", "turquoise"))
    return s.scenario(
        s.say(
            "change the colour of the {name}",
            "I'm tired of how the {name} looks, give it another colour",
            "new colour for the {name}, please",
            name=name,
        ),
        [
            ask("Which colour would you like?", "colour"),
            call("set_light", light=name, colour=colour),
            says(f"The {name} is {colour}."),
        ],
        facts={"colour": s.say("{c}", "I think {c}", "make it {c}", c=colour)},
    )
