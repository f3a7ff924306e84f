"""The car in conversation, and when it refuses: open doors, no cable, no charge."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import ask, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import thermostat
from botpsy.worlds.seeding.outside import car

DOMAIN: Final = "home"

_STOPS = ("Rosa Bakery", "Birch Road 3", "Ferry Terminal", "Lakeside Mall", "Quay 9",
          "Garden Centre West", "Opera House", "Kiln Street 58")  # fmt: skip


@family(DOMAIN, "state")
def a_door_is_open(s: Scene) -> Scenario:
    """The car cannot be locked, for a door or the trunk is open: say which."""
    boot = s.chance(0.4)
    part = "trunk" if boot else s.choose(("rear left", "front right", "rear right"))
    car(s, locked=False, trunk_open=boot, open_doors=() if boot else (part,))
    where = "trunk|boot" if boot else part
    what = "trunk" if boot else f"{part} door"
    return s.scenario(
        s.say(
            "lock up the car for me, I'm already upstairs",
            "lock the car and tell me when that's done",
            "the car should be locked by now. If not, lock it",
            "lock the car, please",
            "I forgot the car, lock it",
        ),
        [
            call("lock_car"),
            says(f"It can't be locked: the {what} is open. That has to be closed by hand."),
        ],
        declines=True,
        answer=(where,),
        near={
            "says it is": [call("lock_car"), says("The car is locked, but a door isn't.")],
        },
    )


@family(DOMAIN, "state")
def not_on_the_cable(s: Scene) -> Scenario:
    """Charging takes a cable."""
    car(s, charge=s.choose((15, 25, 40)), plugged_in=False)
    limit = s.choose((None, 80, 90))
    return s.scenario(
        s.say(
            "charge the car{upto}",
            "start charging{upto}, I need the car tomorrow",
            "can the car charge{upto} overnight? Start it",
            upto=f" to {limit}%" if limit else "",
        ),
        [
            call("charge_car", limit=limit),
            says("It can't charge: the car is not plugged in. Plug it in and ask me again."),
        ],
        declines=True,
        offer=["car_status"],
        answer=("plugged|plug|cable|charger",),
    )


@family(DOMAIN, "state")
def too_little_left(s: Scene) -> Scenario:
    """No heating on a battery as low as that."""
    charge = s.choose((7, 12, 16))
    car(s, charge=charge, plugged_in=False, inside=1.0)
    thermostat(s, 18.0)
    degrees = s.choose(("20", "22"))
    return s.scenario(
        s.say(
            "it's freezing, preheat the car to {degrees}",
            "heat the car up to {degrees} for me",
            "{degrees} degrees in the car in ten minutes, please",
            degrees=degrees,
        ),
        [
            call("set_car_climate", temperature=degrees),
            says(f"The battery is too low for that, {charge}%. I can't heat it unplugged."),
        ],
        declines=True,
        offer=["charge_car", "set_temperature"],
        answer=(f"{charge}",),
        near={
            "the flat": [
                call("set_temperature", temperature=degrees),
                says(f"The battery is not charged enough, {charge}%."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def somebody_drives_it(s: Scene) -> Scenario:
    """It is on the road: neither unlocked nor opened."""
    trunk = s.chance(0.5)
    car(s, speed=s.choose((48, 96, 120)), locked=not trunk, where="on the motorway")
    tool, what = ("open_trunk", "open the trunk") if trunk else ("unlock_car", "unlock the car")
    return s.scenario(
        s.say(
            "{what}",
            "please {what}, I think my daughter is back with it",
            "{what} for me, would you?",
            what=what,
        ),
        [call(tool), says(f"I can't {what}: somebody is driving it just now.")],
        declines=True,
        offer=["car_status"],
        answer=("driving|driven|moving|on the road|on the motorway",),
    )


@family(DOMAIN, "multi_turn")
def warmer_still(s: Scene) -> Scenario:
    """A temperature, then a little more or less."""
    car(s, charge=75)
    degrees = s.choose(("20", "21", "22"))
    change = s.choose(("a bit warmer", "warmer", "two degrees cooler", "a bit cooler"))
    return s.scenario(
        [
            s.say(
                "car to {degrees} degrees",
                "start heating the car, {degrees} degrees",
                "I want {degrees} in the car",
                degrees=degrees,
            ),
            s.say("{change}, please", "make that {change}", "hm, {change}", change=change),
        ],
        [
            call("set_car_climate", temperature=degrees),
            say("The climate is set to {temperature}."),
            call("set_car_climate", temperature=change),
            say("Now it is set to {temperature}."),
        ],
        offer=["set_temperature"],
        near={
            "off": [
                call("set_car_climate", temperature=degrees),
                says("It is on."),
                call("set_car_climate", on=False),
                says("Changed."),
            ]
        },
    )


@family(DOMAIN, "multi_turn")
def somewhere_else(s: Scene) -> Scenario:
    """A destination, and another one after all."""
    one, two = s.pick(_STOPS), s.pick(_STOPS)
    car(s)
    return s.scenario(
        [
            s.say("guide me to {one}", "sat nav: {one}", "we drive to {one}", one=one),
            s.say(
                "change of plan: {two}",
                "oh, I have to go to {two} first. That one now",
                "no, {two}, not {one}",
                one=one,
                two=two,
            ),
        ],
        [
            call("navigate_to", destination=one),
            say("The car is set for {destination}."),
            call("navigate_to", destination=two),
            say("Changed to {destination}."),
        ],
    )


@family(DOMAIN, "multi_turn", held_out=True)
def full_after_all(s: Scene) -> Scenario:
    """How is it, charge it, and to a higher limit."""
    charge, first, then = s.choose((20, 35, 50)), s.choose((70, 80)), s.choose((90, 95, 100))
    car(s, charge=charge, plugged_in=True)
    return s.scenario(
        [
            s.say("how's the battery of the car?", "how full is the car?"),
            s.say("charge it to {n}%", "then charge up to {n} percent", n=first),
            s.say(
                "no, it's a long drive, make that {n}",
                "on reflection {n} would be safer",
                "better {n}%",
                n=then,
            ),
        ],
        [
            call("car_status"),
            say("The battery is at {battery}, {range}."),
            call("charge_car", limit=first),
            say("Charging up to {limit}."),
            call("charge_car", limit=then),
            say("The limit is {limit} now."),
        ],
    )


@family(DOMAIN, "missing")
def which_car(s: Scene) -> Scenario:
    """Two cars: which one?"""
    cars = [car(s, locked=False, charge=60) for _ in range(2)]
    one, two = (each.name for each in cars)
    return s.scenario(
        s.say(
            "lock the car",
            "could you lock my car? I'm on the train",
            "make sure that the car is locked",
        ),
        [
            call("lock_car"),
            ask(f"Which car, {one} or {two}?", "which"),
            call("lock_car", car=two),
            say("{car} is locked."),
        ],
        facts={"which": s.say("{two}", "{two}, of course", "I mean {two}", two=two)},
        offer=["unlock_car"],
    )


@family(DOMAIN, "missing")
def drive_where(s: Scene) -> Scenario:
    """Navigation, but where to?"""
    car(s)
    where = s.pick(_STOPS)
    return s.scenario(
        s.say(
            "start the navigation in the car",
            "put a destination into the car",
            "I need the sat nav for a trip, set it up",
        ),
        [
            ask("Where do you want to go?", "place"),
            call("navigate_to", destination=where),
            say("The car is set for {destination}."),
        ],
        facts={"place": s.say("{where}", "to {where}", "{where}, please", where=where)},
    )
