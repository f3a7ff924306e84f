"""The home, step by step: look first, then act; and homes in which something is not as thought."""

from __future__ import annotations

from typing import Final

from botpsy.services.weather import Forecast, Sky
from botpsy.worlds.acts import Act, both, call, says
from botpsy.worlds.people import CITIES, first_name
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import blinds, door, lamp, spoken, thermostat

DOMAIN: Final = "home"


@family(DOMAIN, "multi_step")
def lock_the_open_one(s: Scene) -> Scenario:
    """Three doors, one of them unlocked: find it and lock it."""
    states = ["unlocked", "locked", "locked"]
    one, *_ = [spoken(door(s, state)) for state in states]
    return s.scenario(
        s.say(
            "are all the doors locked? If one isn't, lock it and tell me which it was",
            "check which door is not locked and lock it",
            "one of the doors must still be open. Find out which and lock it",
            "one door isn't locked, I'm sure. See to it that it is",
            "look at all the locks in the house. Lock the one that is open",
        ),
        [
            call("list_devices", kind="lock"),
            call("lock_door", door=one).because("the only one that is unlocked"),
            says(f"It was the {one}; it is locked now."),
        ],
        offer=["unlock_door"],
        answer=(one,),
    )


@family(DOMAIN, "multi_step")
def as_bright_as(s: Scene) -> Scenario:
    """One lamp takes the brightness of another."""
    percent = s.choose((15, 25, 35, 45, 55, 65))
    model, other = spoken(lamp(s, "on", percent)), spoken(lamp(s, s.choose(("on", "off")), 90))
    return s.scenario(
        s.say(
            "make the {other} as bright as the {model}",
            "same brightness for the {other} as the {model} has",
            "the {other} should match the {model}, I mean how bright it is",
            other=other,
            model=model,
        ),
        [
            call("device_state", device=model),
            call("set_light", light=other, brightness=f"{percent}%").because(
                f"the {model} is at {percent}%"
            ),
            says(f"The {other} is at {percent}% too."),
        ],
        near={
            "another number": [
                call("set_light", light=other, brightness=f"{percent + 5}%"),
                says("They match."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def evening_from_a_note(s: Scene) -> Scenario:
    """How it is to be stands in a note: read it, then do it all."""
    light, cover = spoken(lamp(s)), spoken(blinds(s))
    s.device("TV", "tv", "living room")
    percent = s.choose((10, 20, 30))
    title = s.choose(("Film night", "Cinema evening", "Match evening"))
    s.notes[title] = f"{light.capitalize()} at {percent}%. {cover.capitalize()} closed. TV on."
    return s.scenario(
        s.say(
            "set everything up as in my note {title}",
            "read the note {title} and do what it says in the house",
            "{title}! How I want it is in my notes",
            title=title.lower(),
        ),
        [
            call("read_note", note=title),
            both(
                call("set_light", light=light, brightness=f"{percent}%"),
                call("close_cover", cover=cover),
                call("turn_on", device="TV"),
            ),
            says(f"Done: {light} at {percent}%, {cover} closed, TV on."),
        ],
        near={
            "half of it": [
                call("read_note", note=title),
                both(call("close_cover", cover=cover), call("turn_on", device="TV")),
                says("Done."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def heat_the_colder_room(s: Scene) -> Scenario:
    """Two rooms are compared; the colder one is heated."""
    rooms = ["nursery", "study", "bathroom", "guest room"]
    s.rng.shuffle(rooms)
    warmth = s.choose(((16.5, 19.0), (20.5, 17.0), (18.0, 15.5), (17.5, 21.0)))
    for room, now in zip(rooms, warmth, strict=False):
        name = f"{room.capitalize()} heating"
        s.device(name, "thermostat", room, "heat", target=16.0, temperature=now)
    colder = rooms[0] if warmth[0] < warmth[1] else rooms[1]
    degrees = s.choose(("21", "22", "21.5"))
    return s.scenario(
        s.say(
            "which is colder, the {a} or the {b}? Heat that one to {degrees}",
            "compare the {a} and the {b}, and set the heating in the colder one to {degrees}",
            "{a} or {b}: whichever is colder gets {degrees} degrees",
            a=rooms[0],
            b=rooms[1],
            degrees=degrees,
        ),
        [
            both(*(call("device_state", device=f"{room} heating") for room in rooms[:2])),
            call("set_temperature", thermostat=f"{colder} heating", temperature=degrees).because(
                f"{min(warmth):g} is colder than {max(warmth):g}"
            ),
            says(f"The {colder} is colder, {min(warmth):g} degrees. It is set to {degrees} now."),
        ],
        answer=(colder,),
    )


@family(DOMAIN, "multi_step", held_out=True)
def celsius_on_a_fahrenheit_thermostat(s: Scene) -> Scenario:
    """The user thinks in °C, the thermostat in °F: look, convert, set."""
    thermostat(s, 64.0, 63.0, unit="°F", min=41, max=86)
    celsius, fahrenheit = s.choose(((20, 68), (25, 77), (15, 59)))
    return s.scenario(
        s.say(
            "set the heating to {c} °C. The thermostat may be in Fahrenheit, so check that",
            "I want {c} degrees Celsius in here, whatever unit the thermostat has",
            "what unit is the thermostat in? I'd like it at {c} Celsius",
            c=celsius,
        ),
        [
            call("device_state", device="thermostat"),
            call("set_temperature", temperature=f"{fahrenheit}").because(
                f"{celsius} °C is {fahrenheit} °F"
            ),
            says(f"It is set to {fahrenheit} °F, which is {celsius} °C."),
        ],
        near={"as said": [call("set_temperature", temperature=f"{celsius}"), says("Set.")]},
    )


@family(DOMAIN, "multi_step")
def all_but_one(s: Scene) -> Scenario:
    """What is on in a room goes off, except for one thing."""
    s.device("Bread maker", "appliance", "kitchen", "running")
    s.device("Kitchen radio", "plug", "kitchen", "on")
    s.device("Counter light", "light", "kitchen", "on", brightness=80)
    s.device("Kitchen fan", "fan", "kitchen", "off")
    kept = s.choose(("bread maker", "kitchen radio"))
    others = [name for name in ("bread maker", "counter light", "kitchen radio") if name != kept]
    return s.scenario(
        s.say(
            "see what's on in the kitchen and turn it all off except for the {kept}",
            "everything that is running in the kitchen can go off, just not the {kept}",
            "only the {kept} stays on in the kitchen, switch off whatever else is on there",
            kept=kept,
        ),
        [
            call("list_devices", area="kitchen"),
            both(*(call("turn_off", device=name) for name in others)).because(
                f"what is on, but for the {kept}"
            ),
            says(f"Off: {others[0]} and {others[1]}. The {kept} stays on."),
        ],
        near={
            "all of it": [
                call("turn_off", device="everything in the kitchen"),
                says("Everything is off."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def colour_a_friend_likes(s: Scene) -> Scenario:
    """A colour that stands in a message the user points to."""
    friend, name = s.person(), spoken(lamp(s, "on"))
    colour = s.choose(("teal", "amber", "violet", "lavender"))
    s.message(friend, f"For reading I'd go for {colour}, it's easy on the eyes")
    who = first_name(friend)
    return s.scenario(
        s.say(
            "{who} texted me a colour for reading. Put it on the {name}",
            "make the {name} the colour {who} wrote about",
            "set the {name} to whatever colour {who} suggested in the message",
            who=who,
            name=name,
        ),
        [
            call("read_messages", person=who),
            call("set_light", light=name, colour=colour).because(f"{who} names {colour}"),
            says(f"The {name} is {colour} now, as {who} suggested."),
        ],
    )


@family(DOMAIN, "state")
def lock_it_if_need_be(s: Scene) -> Scenario:
    """A condition that may hold or not."""
    state = s.choose(("locked", "unlocked"))
    name = spoken(door(s, state))
    gold: list[Act] = [call("device_state", device=name)]
    if state == "locked":
        gold.append(
            says(f"The {name} is locked already.").because("It is locked: there is nothing to do.")
        )
    else:
        gold.append(call("lock_door", door=name).because("it is unlocked"))
        gold.append(says(f"The {name} was unlocked; it is locked now."))
    return s.scenario(
        s.say(
            "if the {name} is unlocked, lock it. How was it?",
            "was the {name} locked? Lock it if it wasn't",
            "have a look whether the {name} is locked, and if not, do it. Tell me how you found it",
            name=name,
        ),
        gold,
        offer=["lock_door", "unlock_door"],
        answer=("already|was locked|still locked" if state == "locked" else "unlocked|not locked",),
        near={"unlocks": [call("unlock_door", door=name), says("It was unlocked already.")]},
    )


@family(DOMAIN, "state")
def only_below(s: Scene) -> Scenario:
    """Heat, but only if it is colder than that."""
    now, limit = s.choose((17.5, 18.0, 21.0, 22.5)), 20
    thermostat(s, 16.0, now)
    degrees = s.choose(("22", "23", "21.5"))
    warm = now >= limit
    gold = [call("device_state", device="thermostat").because("it tells how warm it is")]
    if not warm:
        gold.append(call("set_temperature", temperature=degrees).because(f"{now:g} is below 20"))
    end = (
        f"It is {now:g} degrees, so I have left the heating as it is."
        if warm
        else f"It was {now:g} degrees; the heating is set to {degrees} now."
    )
    return s.scenario(
        s.say(
            "how warm is it? If it's below {limit}, heat to {degrees}, otherwise leave it",
            "check the temperature inside and set {degrees} only if it's under {limit}",
            "is it colder than {limit} in here? Then put the heating at {degrees}",
            limit=f"{limit} degrees",
            degrees=degrees,
        ),
        [*gold, says(end).because(f"{now:g} is not below {limit}." if warm else "")],
        offer=["set_temperature"],
        answer=(f"{now:g}",),
        near={
            "heats unseen" if warm else "does not heat": [
                call("set_temperature", temperature=degrees)
                if warm
                else call("device_state", device="thermostat"),
                says(end),
            ]
        },
    )


@family(DOMAIN, "state")
def lamp_does_not_answer(s: Scene) -> Scenario:
    """The device is there, but dead: say so."""
    name = spoken(lamp(s, "unavailable"))
    other = spoken(lamp(s))
    return s.scenario(
        s.say(
            "{name} on, please",
            "could I have some light from the {name}?",
            "switch on the {name}",
            name=name,
        ),
        [
            call("turn_on", device=name),
            says(f"The {name} does not answer, so it is not on. Check that it has power."),
        ],
        declines=True,
        answer=(name,),
        near={"another lamp": [call("turn_on", device=other), says(f"The {name} isn't there.")]},
    )


@family(DOMAIN, "state", held_out=True)
def one_stays_on(s: Scene) -> Scenario:
    """Of several lamps one cannot be reached; the answer tells which."""
    room = s.choose(("study", "bedroom", "nursery"))
    s.device(f"{room.capitalize()} ceiling light", "light", room, "on", brightness=80)
    dead = s.choose(("Globe lamp", "Clip lamp", "Salt lamp"))
    s.device(dead, "light", room, "unavailable", brightness=80)
    return s.scenario(
        s.say(
            "all {room} lights off, and tell me if that worked",
            "turn the lights in the {room} off. Did they all go out?",
            room=room,
        ),
        [
            call("turn_off", device=f"{room} lights"),
            says(f"The {room} ceiling light is off. The {dead.lower()} does not answer."),
        ],
        answer=(dead.lower(),),
        declines=True,
    )


@family(DOMAIN, "state")
def shut_it_if_it_rains(s: Scene) -> Scenario:
    """The weather decides."""
    city = s.pick(CITIES)
    s.options["city"]["name"] = city
    wet = s.chance(0.5)
    sky: Sky = "rain" if wet else "sunny"
    s.add(Forecast(city, s.now.date(), sky, 9, 15, 90 if wet else 0, 12))
    s.device("Skylight", "cover", "attic", "open", position=100)
    end = (
        "Rain is forecast today, so I have closed the skylight."
        if wet
        else "It stays sunny today, so I have left the skylight as it is."
    )
    gold = [call("get_weather", day="today")]
    if wet:
        gold.append(call("close_cover", cover="skylight").because("rain is forecast"))
    return s.scenario(
        s.say(
            "if it's going to rain today, close the skylight",
            "will it rain today? Shut the skylight if so, or else leave it open",
            "check today's weather: the skylight only has to be closed if there's rain",
            "any rain today? In that case close the skylight, if not don't touch it",
            "have a look at the forecast for today and close the skylight if it says rain",
        ),
        [*gold, says(end).because("" if wet else "No rain today, so nothing is to be closed.")],
        offer=["close_cover", "open_cover"],
        answer=("rain" if wet else "sunny|no rain|dry",),
        near={
            "the other way": [
                call("get_weather", day="today"),
                *([] if wet else [call("close_cover", cover="skylight")]),
                says(end),
            ]
        },
    )
