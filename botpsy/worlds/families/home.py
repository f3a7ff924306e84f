"""The home, one thing or several at once: lights, heating, doors, blinds, machines."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import both, call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import (
    MACHINES,
    blinds,
    door,
    gadget,
    lamp,
    spoken,
    thermostat,
)

DOMAIN: Final = "home"

_PERCENT = ("20%", "25 percent", "thirty percent", "40%", "15 percent", "35%")


@family(DOMAIN, "single")
def switch_on(s: Scene) -> Scenario:
    """One thing that is off."""
    name = spoken(gadget(s))
    return s.scenario(
        s.say(
            "turn on the {name}",
            "{name} on",
            "could you switch the {name} on?",
            "get the {name} going",
            name=name,
        ),
        [call("turn_on", device=name), says(f"The {name} is on.")],
        offer=["turn_off"],
    )


@family(DOMAIN, "single")
def empty_room(s: Scene) -> Scenario:
    """All the lights of one room."""
    room = s.choose(("bedroom", "kitchen", "study", "living room"))
    for name in ("ceiling light", "wall lamp"):
        s.device(f"{room.capitalize()} {name}", "light", room, "on", brightness=80)
    return s.scenario(
        s.say(
            "lights out in the {room}",
            "turn off the {room} lights",
            "nobody is in the {room} any more, switch the lights off in there",
            "the {room} can go dark",
            room=room,
        ),
        [call("turn_off", device=f"{room} lights"), says(f"The lights in the {room} are off.")],
        offer=["turn_on"],
        near={
            "one of them": [
                call("turn_off", device=f"{room} wall lamp"),
                says("The lights are off."),
            ]
        },
    )


@family(DOMAIN, "single")
def dim_to(s: Scene) -> Scenario:
    """A lamp to a percentage."""
    name, amount = spoken(lamp(s, "on", 100)), s.choose(_PERCENT)
    return s.scenario(
        s.say(
            "dim the {name} to {amount}",
            "{name} at {amount}",
            "take the {name} down to {amount}, it's blinding me",
            "can I have the {name} at {amount}?",
            name=name,
            amount=amount,
        ),
        [
            call("set_light", light=name, brightness=amount),
            says(f"The {name} is at {amount}."),
        ],
        offer=["turn_off"],
        near={"off": [call("turn_off", device=name), says("It is darker now.")]},
    )


@family(DOMAIN, "single")
def colour_for_a_party(s: Scene) -> Scenario:
    """A lamp in a colour."""
    name = spoken(lamp(s, s.choose(("on", "off"))))
    colour = s.choose(("purple", "turquoise", "orange", "pink", "cool white", "blue"))
    return s.scenario(
        s.say(
            "make the {name} {colour}",
            "I'd like {colour} light from the {name}",
            "{name} in {colour}",
            "change the {name} to {colour}",
            name=name,
            colour=colour,
        ),
        [call("set_light", light=name, colour=colour), says(f"The {name} is {colour} now.")],
    )


@family(DOMAIN, "single")
def heating_to(s: Scene) -> Scenario:
    """The only thermostat, to so many degrees."""
    thermostat(s, 19.0)
    said, value = s.choose(
        (
            ("21 degrees", "21 degrees"),
            ("22", "22"),
            ("twenty-three degrees", "twenty-three degrees"),
            ("20.5", "20.5"),
            ("17 for the night", "17"),
        )
    )
    return s.scenario(
        s.say(
            "set the heating to {said}",
            "heating to {said}",
            "put the thermostat at {said}",
            "I'd like the flat at {said}",
            said=said,
        ),
        [call("set_temperature", temperature=value), says(f"The heating is set to {said}.")],
        offer=["device_state"],
    )


@family(DOMAIN, "single")
def heat_one_room(s: Scene) -> Scenario:
    """One of two thermostats, named by its room."""
    rooms = ["bathroom", "nursery", "study", "bedroom"]
    s.rng.shuffle(rooms)
    for room in rooms[:2]:
        s.device(f"{room.capitalize()} heating", "thermostat", room, "heat", target=18.0)
    room, degrees = rooms[0], s.choose(("20", "21 degrees", "22", "23 degrees"))
    return s.scenario(
        s.say(
            "warm the {room} up to {degrees}",
            "{degrees} in the {room}, please",
            "the {room} is freezing, heat it to {degrees}",
            "the {room} heating should be at {degrees}",
            room=room,
            degrees=degrees,
        ),
        [
            call("set_temperature", thermostat=f"{room} heating", temperature=degrees),
            says(f"The {room} will be heated to {degrees}."),
        ],
    )


@family(DOMAIN, "single")
def let_them_in(s: Scene) -> Scenario:
    """One door is unlocked for somebody who waits there; another stays as it is."""
    name, _ = spoken(door(s)), door(s)
    who = s.choose(("the cleaner", "the electrician", "my sister", "the neighbour"))
    return s.scenario(
        s.say(
            "{who} is waiting at the {name}, unlock it",
            "unlock the {name}",
            "let {who} in by the {name}",
            "open the lock of the {name} for {who}",
            who=who,
            name=name,
        ),
        [call("unlock_door", door=name), says(f"The {name} is unlocked.")],
        offer=["lock_door"],
        near={"every door": [call("unlock_door", door="all doors"), says("It is unlocked.")]},
    )


@family(DOMAIN, "single", held_out=True)
def left_on(s: Scene) -> Scenario:
    """Is it on? A look, and no more."""
    state = s.choose(("on", "off"))
    name = spoken(gadget(s, state))
    yes = "Yes, the" if state == "on" else "No, the"
    other = "off" if state == "on" else "on"
    return s.scenario(
        s.say(
            "did I leave the {name} on?",
            "is the {name} still on?",
            "I can't remember if I switched the {name} off. Check for me",
            name=name,
        ),
        [call("device_state", device=name), says(f"{yes} {name} is {state}.")],
        offer=["turn_on", "turn_off"],
        answer=(state,),
        near={
            "guesses": [says(f"I believe it is {other}.")],
            "acts": [
                call("turn_on" if state == "off" else "turn_off", device=name),
                says(f"It was {state}."),
            ],
        },
    )


@family(DOMAIN, "single")
def partly_open(s: Scene) -> Scenario:
    """Blinds to a part."""
    name, part = spoken(blinds(s, 0)), s.choose(("half", "30%", "a quarter", "60 percent"))
    value = "25%" if part == "a quarter" else part
    opening = call("open_cover", cover=name, how_far=value)
    return s.scenario(
        s.say(
            "open the {name} {part}",
            "{part} of daylight is enough: open the {name} that far",
            "the {name}, {part} open, not more",
            name=name,
            part=part,
        ),
        [
            opening.because("a quarter is 25%") if value != part else opening,
            says(f"The {name}: {part} open."),
        ],
        near={"fully": [call("open_cover", cover=name), says("It is open.")]},
    )


@family(DOMAIN, "single", held_out=True)
def blinded_by_the_sun(s: Scene) -> Scenario:
    """Closing, asked for by the reason."""
    name = spoken(blinds(s))
    return s.scenario(
        s.say(
            "the sun is right in my face, shut the {name}",
            "close the {name}",
            "{name} closed, people can look in",
            "I want the {name} closed for the night",
            name=name,
        ),
        [call("close_cover", cover=name), says(f"Closed: the {name}.")],
        offer=["open_cover"],
    )


@family(DOMAIN, "single")
def run_a_machine(s: Scene) -> Scenario:
    """An appliance starts."""
    machine, room = s.pick(MACHINES)
    s.device(machine, "appliance", room)
    wish = {
        "Coffee machine": ("I could murder a coffee, get the machine going", "make me a coffee"),
        "Dishwasher": ("the dishwasher is full, run it", "let the dishwasher do its thing"),
        "Bread maker": ("start the bread maker", "I've filled the bread maker, off you go"),
        "Washing machine": ("the laundry is in, start the washing machine", "washing machine, go"),
        "Rice cooker": ("we're having curry, rice cooker on the go", "start the rice cooker"),
        "Tumble dryer": ("the wet things are in the tumble dryer, start it", "run the dryer"),
    }[machine]
    return s.scenario(
        s.say(*wish),
        [
            call("start_appliance", appliance=machine.lower()),
            says(f"The {machine.lower()} is running."),
        ],
        offer=["turn_on"],
    )


@family(DOMAIN, "single")
def floor_needs_it(s: Scene) -> Scenario:
    """The robot vacuum starts, with a reason for it."""
    s.device("Robot vacuum", "vacuum", "living room", "docked")
    why = s.choose(("the dog has been on the rug", "guests come at six", "I spilled the muesli"))
    return s.scenario(
        s.say(
            "{why}, get the robot to vacuum",
            "{why}. Run the hoover, please",
            "let the vacuum out, {why}",
            why=why,
        ),
        [call("start_cleaning"), says("The vacuum is on its way.")],
        offer=["start_appliance", "turn_on"],
    )


@family(DOMAIN, "single")
def enough_hoovering(s: Scene) -> Scenario:
    """The robot vacuum is called off."""
    s.device("Robot vacuum", "vacuum", "study", "cleaning")
    why = s.choose(("the baby is asleep", "I can't hear the telly", "I'm in a call"))
    return s.scenario(
        s.say(
            "{why}: back to the dock with the vacuum",
            "no more hoovering for now, {why}",
            "stop the robot, {why}",
            why=why,
        ),
        [call("stop_cleaning"), says("It has stopped and goes back to its dock.")],
        offer=["turn_off", "mute"],
    )


@family(DOMAIN, "parallel")
def good_night(s: Scene) -> Scenario:
    """A scene: lights, door and blinds in one go."""
    lamp(s, "on")
    entry, cover = spoken(door(s, "unlocked")), spoken(blinds(s))
    return s.scenario(
        s.say(
            "off to bed: all lights off, lock the {entry}, close the {cover}",
            "good night! Turn every light off, shut the {cover} and lock the {entry}",
            "I'm going to sleep now, so all dark, {cover} closed and the {entry} locked",
            entry=entry,
            cover=cover,
        ),
        [
            both(
                call("turn_off", device="all lights"),
                call("lock_door", door=entry),
                call("close_cover", cover=cover),
            ),
            says(f"Good night. All lights are off, the {entry} is locked, the {cover} closed."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def two_lamps_two_ways(s: Scene) -> Scenario:
    """Two lamps, each its own way."""
    one, two = spoken(lamp(s)), spoken(lamp(s, "on"))
    amount, colour = s.choose(_PERCENT), s.choose(("red", "green", "yellow", "lavender"))
    return s.scenario(
        s.say(
            "{one} to {amount} and {two} {colour}",
            "put the {one} at {amount}, and I want the {two} in {colour}",
            "for the photo: {two} {colour}, {one} at {amount}",
            one=one,
            two=two,
            amount=amount,
            colour=colour,
        ),
        [
            both(
                call("set_light", light=one, brightness=amount),
                call("set_light", light=two, colour=colour),
            ),
            says(f"The {one} is at {amount} and the {two} is {colour}."),
        ],
    )


@family(DOMAIN, "parallel")
def breakfast(s: Scene) -> Scenario:
    """Coffee, warmth and daylight."""
    thermostat(s, 17.0)
    s.device("Coffee machine", "appliance", "kitchen")
    cover, degrees = spoken(blinds(s, 0)), s.choose(("20", "21", "22"))
    return s.scenario(
        s.say(
            "I'm up. Coffee on, {cover} open, heating to {degrees}",
            "start the coffee, open the {cover} and heat to {degrees} degrees",
            "good morning: {cover} open, {degrees} degrees in here, and a coffee",
            cover=cover,
            degrees=degrees,
        ),
        [
            both(
                call("start_appliance", appliance="coffee machine"),
                call("open_cover", cover=cover),
                call("set_temperature", temperature=degrees),
            ),
            says(f"Coffee is being made, the {cover} open and the heating is at {degrees}."),
        ],
    )
