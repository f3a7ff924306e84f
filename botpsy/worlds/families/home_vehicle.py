"""The car: one thing, several at once, step by step, and when something keeps it from happening."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import Act, both, call, got, say, says
from botpsy.worlds.people import first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import door, lamp, spoken
from botpsy.worlds.seeding.outside import car
from botpsy.worlds.seeding.pools import APPOINTMENTS

DOMAIN: Final = "home"

DESTINATIONS = (
    "Mill Lane 12", "Hotel Linde", "Westside Station", "Harbour Walk 40", "Airport Terminal 2",
    "North Pool", "Elm Avenue 7", "Café Luna", "Church Street 31",
)  # fmt: skip


@family(DOMAIN, "single")
def lock_it(s: Scene) -> Scenario:
    """The car is open and gets locked."""
    car(s, locked=False)
    return s.scenario(
        s.say(
            "lock the car",
            "I think I forgot to lock the car, do it for me",
            "is the car open? Lock it",
            "car locked for the night, please",
        ),
        [call("lock_car"), says("The car is locked.")],
        offer=["unlock_car", "lock_door"],
    )


@family(DOMAIN, "single")
def somebody_needs_the_car(s: Scene) -> Scenario:
    """The car gets unlocked for somebody."""
    car(s, locked=True)
    who = s.choose(("my wife", "my son", "the mechanic", "Grandma", "my flatmate"))
    return s.scenario(
        s.say(
            "unlock the car for {who}",
            "{who} is standing at the car, open it",
            "{who} has to get something out of the car, unlock it",
            who=who,
        ),
        [call("unlock_car"), says("The car is unlocked.")],
        offer=["unlock_door", "open_trunk", "lock_car"],
        near={"the trunk too": [call("unlock_car"), call("open_trunk"), says("It is open.")]},
    )


@family(DOMAIN, "single")
def how_far_will_it_go(s: Scene) -> Scenario:
    """Battery or fuel, and range."""
    electric = s.chance(0.6)
    made = car(s, electric=electric, charge=s.choose((25, 45, 60, 85)), range_full=420)
    store = "battery" if electric else "tank"
    return s.scenario(
        s.say(
            "how far can I go with the car?",
            "what's the range of my car right now?",
            "how many kilometres are left in the {store}?",
            store=store,
        ),
        [call("car_status"), says(f"{made.range} km, the {store} is at {made.charge}%.")],
        answer=(f"{made.range}",),
        offer=["charge_car"],
    )


@family(DOMAIN, "single")
def warm_seats(s: Scene) -> Scenario:
    """The climate of the car, to so many degrees."""
    car(s, charge=70, inside=s.choose((2.0, 6.5, 31.0)))
    degrees = s.choose(("20", "21 degrees", "23", "19.5 degrees"))
    return s.scenario(
        s.say(
            "get the car to {degrees} before I leave",
            "I'm leaving soon, the car should be at {degrees} by then",
            "climate in the car: {degrees}",
            "run the car's air conditioning at {degrees}",
            degrees=degrees,
        ),
        [
            call("set_car_climate", temperature=degrees),
            say("The climate of {car} is on, at {temperature}."),
        ],
        offer=["set_temperature"],
    )


@family(DOMAIN, "single", held_out=True)
def stop_heating_it(s: Scene) -> Scenario:
    """The climate goes off."""
    car(s, climate_on=True, charge=60)
    return s.scenario(
        s.say(
            "the car can stop heating, we're staying",
            "turn the car's climate off",
            "no need to warm the car any more",
            "AC in the car off",
        ),
        [call("set_car_climate", on=False), says("The climate control of the car is off.")],
        offer=["turn_off"],
    )


@family(DOMAIN, "single")
def charge_to(s: Scene) -> Scenario:
    """Charging, with or without a limit."""
    car(s, charge=s.choose((20, 35, 45)), plugged_in=True)
    limit = s.choose((None, 70, 90, 100))
    if limit is None:
        text = s.say(
            "charge the car",
            "the car's on the cable, start charging",
            "begin charging, electricity is cheap now",
        )
    else:
        text = s.say(
            "charge the car to {limit}%",
            "I need {limit} percent in the car by tomorrow, start charging",
            "fill the car's battery up to {limit}%",
            limit=limit,
        )
    return s.scenario(
        text,
        [call("charge_car", limit=limit), say("It is charging: {battery} now, up to {limit}.")],
        offer=["car_status"],
    )


@family(DOMAIN, "single", held_out=True)
def enough_charged(s: Scene) -> Scenario:
    """Charging is stopped."""
    car(s, charge=s.choose((52, 66, 71)), plugged_in=True, charging=True, charge_limit=90)
    return s.scenario(
        s.say(
            "stop charging the car, I'm off in a minute",
            "that'll do, end the charging",
            "power is expensive now: no more charging",
        ),
        [call("charge_car", on=False), says("The car has stopped charging.")],
        offer=["turn_off", "car_status"],
    )


@family(DOMAIN, "single")
def hands_full(s: Scene) -> Scenario:
    """The trunk of an open car."""
    car(s, locked=False)
    return s.scenario(
        s.say(
            "pop the boot, my hands are full",
            "open the trunk, I'm loading the shopping",
            "boot open, please",
            "can you open the trunk of the car?",
            "I have to get something out of the boot, open it for me",
        ),
        [call("open_trunk"), says("The trunk is open.")],
        offer=["unlock_car", "open_cover"],
    )


@family(DOMAIN, "single")
def there_please(s: Scene) -> Scenario:
    """A destination for the car."""
    car(s)
    where = s.pick(DESTINATIONS)
    return s.scenario(
        s.say(
            "navigate to {where}",
            "set the sat nav to {where}",
            "send {where} to my car",
            "I'm driving to {where}, put it into the car's navigation",
            where=where,
        ),
        [
            call("navigate_to", destination=where),
            say("The car is set for {destination}; its range is {range}."),
        ],
        offer=["get_directions"],
    )


@family(DOMAIN, "parallel")
def leaving_the_house(s: Scene) -> Scenario:
    """Out of the house and into a warm car."""
    lamp(s, "on")
    entry = spoken(door(s, "unlocked"))
    car(s, charge=65)
    degrees = s.choose(("20", "21", "22"))
    return s.scenario(
        s.say(
            "I'm leaving: lights off, lock the {entry}, and warm the car to {degrees}",
            "we're off. All lights out, {entry} locked, car at {degrees} degrees",
            "heat the car to {degrees}, turn off all lights and lock the {entry} behind me",
            entry=entry,
            degrees=degrees,
        ),
        [
            both(
                call("turn_off", device="all lights"),
                call("lock_door", door=entry),
                call("set_car_climate", temperature=degrees),
            ),
            says(f"Lights off, {entry} locked, and the car is being heated to {degrees}."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def ready_to_drive(s: Scene) -> Scenario:
    """Climate and destination."""
    car(s, charge=80)
    where, degrees = s.pick(DESTINATIONS), s.choose(("19", "21", "22.5"))
    return s.scenario(
        s.say(
            "set the car up: {where} as destination, {degrees} degrees inside",
            "{degrees} degrees in the car and navigation to {where}",
            "I'll drive to {where}. Tell the car, and have it at {degrees} degrees",
            where=where,
            degrees=degrees,
        ),
        [
            both(
                call("navigate_to", destination=where),
                call("set_car_climate", temperature=degrees),
            ),
            says(f"The car is set for {where}, and its climate to {degrees} degrees."),
        ],
    )


@family(DOMAIN, "multi_step")
def to_a_friend(s: Scene) -> Scenario:
    """The address stands in the contacts."""
    friend = s.person()
    car(s)
    who = first_name(friend)
    return s.scenario(
        s.say(
            "navigate to {who}'s place",
            "take me to {who}'s: address into the car, please",
            "send {who}'s home address to the car",
            who=who,
        ),
        [
            call("find_contact", name=who),
            call("navigate_to", destination=got("contacts.0.address")),
            say("The car is set for {destination}."),
        ],
        near={"by name": [call("navigate_to", destination=who), says("It is set.")]},
    )


@family(DOMAIN, "multi_step")
def to_the_appointment(s: Scene) -> Scenario:
    """Where it is stands in the calendar."""
    what, when, where = s.pick(APPOINTMENTS), s.when(days=(1, 3)), s.pick(DESTINATIONS)
    s.event(what, when, location=where)
    car(s)
    return s.scenario(
        s.say(
            "set the car's navigation to where my {what} is",
            "I have to drive to the {what}. The place is in my calendar, put it in the sat nav",
            "look up where the {what} takes place and send that to the car",
            what=what,
        ),
        [
            call("find_events", query=what),
            call("navigate_to", destination=got("events.0.location")),
            say("The car is set for {destination}."),
        ],
    )


@family(DOMAIN, "state")
def locked_boot(s: Scene) -> Scenario:
    """The trunk opens only when the car is unlocked, and the user allows that."""
    car(s, locked=True)
    return s.scenario(
        s.say(
            "open the trunk. If the car is locked, unlock it first",
            "I'm at the car with six bags: boot open, and unlock whatever has to be unlocked",
            "get the boot open for me, unlocking the car is fine",
            "the trunk has to be open when I get there. Unlock the car if it takes that",
            "open the boot, and if it's locked you may unlock the car",
        ),
        [
            call("open_trunk"),
            call("unlock_car").because("the trunk needs the car unlocked, and the user allows it"),
            call("open_trunk").because("the car is unlocked now"),
            says("The car was locked; it is unlocked now and the trunk is open."),
        ],
        near={"only unlocked": [call("unlock_car"), says("It is open.")]},
    )


@family(DOMAIN, "state")
def wifi_first(s: Scene) -> Scenario:
    """There is no connection to the car until the Wi-Fi is on."""
    s.settings |= {"wifi": False, "airplane_mode": False}
    locks = s.chance(0.5)
    car(s, locked=False, charge=60)
    task = call("lock_car") if locks else call("set_car_climate", temperature="21")
    what = "lock the car" if locks else "heat the car to 21"
    done = "the car is locked" if locks else "the car is being heated to 21 degrees"
    return s.scenario(
        s.say(
            "{what}. If you can't reach it, turn the Wi-Fi on",
            "{what}, and switch on the Wi-Fi if there is no connection",
            "could you {what}? The Wi-Fi may be off, in that case turn it on",
            what=what,
        ),
        [
            task,
            call("change_setting", name="wifi", on=True).because("Wi-Fi is off"),
            task,
            says(f"The Wi-Fi was off, so I turned it on; {done}."),
        ],
        offer=["get_setting"],
    )


@family(DOMAIN, "state")
def enough_for_the_trip(s: Scene) -> Scenario:
    """Charge, if the range is too short for what is planned."""
    km, charge = s.choose((210, 250)), s.choose((30, 40, 72))
    made = car(s, charge=charge, plugged_in=True, range_full=400)
    short = made.range < km
    gold: list[Act] = [call("car_status")]
    if short:
        gold.append(call("charge_car").because(f"{made.range} km is less than {km} km"))
        gold.append(says(f"No, {made.range} km is not enough, so it is charging now."))
    else:
        gold.append(
            says(f"Yes, its range is {made.range} km, so I have not started charging.").because(
                f"{made.range} km is enough for {km} km, so nothing is to be done."
            )
        )
    return s.scenario(
        s.say(
            "I have {km} km to drive tomorrow. If the car can't make that now, start charging it",
            "does the car have enough for {km} kilometres? Charge it only if not",
            "check if {km} km are possible with the car as it is, otherwise begin charging",
            km=km,
        ),
        gold,
        offer=["charge_car"],
        answer=(f"{made.range}",),
        near={
            "not as said": [
                call("car_status"),
                *([] if short else [call("charge_car")]),
                says(f"Its range is {made.range} km."),
            ]
        },
    )
