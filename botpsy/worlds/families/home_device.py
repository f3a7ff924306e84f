"""Settings of the phone or computer: sound, connections, quiet, and what gets in their way."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import Act, both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.home import lamp

DOMAIN: Final = "home"

# setting, on, ways to ask for it, what came of it
_SWITCHES = (
    ("bluetooth", True, ("I want to pair my headphones, get bluetooth going", "bluetooth on"),
     "Bluetooth is on."),
    ("bluetooth", False, ("kill bluetooth, I don't need it", "disable bluetooth"),
     "Bluetooth is off."),
    ("airplane_mode", True, ("we're about to take off: airplane mode", "go into flight mode"),
     "Airplane mode is on; Wi-Fi and Bluetooth are off with it."),
    ("do_not_disturb", True, ("no notifications for now", "put me on do not disturb"),
     "Do not disturb is on."),
    ("do_not_disturb", False, ("I can be disturbed again", "end do not disturb"),
     "Do not disturb is off."),
    ("low_power", True, ("my battery is nearly flat, save power", "low power mode, please"),
     "Low power mode is on."),
    ("dark_mode", True, ("white screens hurt my eyes, make everything dark", "dark mode on"),
     "Dark mode is on."),
    ("dark_mode", False, ("I can't read this in the sun, back to the light theme", "dark mode off"),
     "Dark mode is off."),
    ("location", False, ("apps shouldn't know where I am", "stop sharing where I am"),
     "Location is off."),
    ("wifi", False, ("cut the wifi", "I want to be offline, so no Wi-Fi"), "Wi-Fi is off."),
)  # fmt: skip


@family(DOMAIN, "single")
def flip_a_switch(s: Scene) -> Scenario:
    """One setting on or off, in words that may not name it."""
    name, on, asked, done = s.choose(_SWITCHES)
    s.settings |= {"bluetooth": True, "wifi": True, "airplane_mode": False, name: not on}
    return s.scenario(
        s.say(*asked),
        [
            call("change_setting", name=name, on=on).because(
                f"{name.replace('_', ' ')} is to be {'on' if on else 'off'}"
            ),
            says(done),
        ],
        offer=["get_setting", "mute"],
    )


@family(DOMAIN, "single")
def volume_to(s: Scene) -> Scenario:
    """A percentage, an extreme, or louder and quieter."""
    s.settings |= {"volume": 40, "muted": False}
    level, why = s.choose(("70%", "25 percent", "sixty percent", "15")), ""
    if s.chance(0.6):
        text = s.say(
            "sound at {level}",
            "set the volume to {level}",
            "I'd like the speakers at {level}",
            level=level,
        )
    else:
        level, *asked = s.choose(
            (
                ("up", "I can hardly hear it, louder", "volume up"),
                ("down", "that's too loud for me, quieter", "volume down a notch"),
                ("max", "full volume", "as loud as it gets"),
            )
        )
        text, why = s.say(*asked), f"no number is said, so just {level}"
    return s.scenario(
        text,
        [call("set_volume", level=level).because(why), say("The volume is at {volume}%.")],
        offer=["mute"],
    )


@family(DOMAIN, "single")
def silence(s: Scene) -> Scenario:
    """Mute, and its reverse."""
    muted = s.chance(0.4)
    s.settings |= {"volume": s.choose((30, 55, 80)), "muted": muted}
    if muted:
        return s.scenario(
            s.say("unmute", "sound back on", "you may make noise again, unmute"),
            [
                call("mute", on=False).because("to unmute is mute, off"),
                says("The sound is on again."),
            ],
            offer=["set_volume", "get_setting"],
        )
    return s.scenario(
        s.say(
            "mute everything",
            "not a sound from this thing, I'm in church",
            "mute, quick, my boss is calling",
            "silence the speakers altogether, but keep the volume where it is",
        ),
        [call("mute"), says("Muted.")],
        offer=["set_volume", "change_setting"],
        near={"volume at zero": [call("set_volume", level="0"), says("It is silent.")]},
    )


@family(DOMAIN, "single")
def how_is_it_set(s: Scene) -> Scenario:
    """A look at one setting."""
    volume = s.choose((15, 35, 65, 90))
    on = s.chance(0.5)
    s.settings |= {"volume": volume, "bluetooth": on, "do_not_disturb": on}
    state = "on" if on else "off"
    name, asked, told = s.choose(
        (
            ("volume", ("how loud is the sound set?", "what's the volume at?"), f"{volume}"),
            ("bluetooth", ("is bluetooth on?", "did I leave bluetooth on?"), state),
            ("do_not_disturb", ("am I on do not disturb?", "is do not disturb on?"), state),
        )
    )
    said = f"The volume is at {told}%." if name == "volume" else f"It is {told}."
    return s.scenario(
        s.say(*asked),
        [call("get_setting", name=name), says(said)],
        offer=["change_setting", "set_volume"],
        answer=(told,),
    )


@family(DOMAIN, "single", held_out=True)
def screen_not_lamp(s: Scene) -> Scenario:
    """The brightness of the screen, not of a lamp."""
    lamp(s, "on", 70)
    s.settings["brightness"] = 70
    level = s.choose(("30%", "20 percent", "forty percent", "90%"))
    return s.scenario(
        s.say(
            "screen brightness to {level}",
            "put the display at {level}",
            "my eyes are tired, I want the screen at {level}",
            level=level,
        ),
        [call("set_screen_brightness", level=level), says(f"The screen is at {level}.")],
        offer=["set_light", "set_volume", "change_setting"],
        near={"the lamp": [call("set_light", light="all lights", brightness=level), says("Done.")]},
    )


@family(DOMAIN, "parallel")
def ready_for_the_meeting(s: Scene) -> Scenario:
    """Three settings for one occasion."""
    s.settings |= {"do_not_disturb": False, "bluetooth": False, "volume": 80, "muted": False}
    level = s.choose(("30%", "20%", "25 percent"))
    return s.scenario(
        s.say(
            "my meeting starts: do not disturb, bluetooth on for the headset, volume {level}",
            "turn on do not disturb and bluetooth, and bring the sound to {level}",
            "video call! {level} volume, bluetooth on, and no interruptions from notifications",
            level=level,
        ),
        [
            both(
                call("change_setting", name="do_not_disturb", on=True),
                call("change_setting", name="bluetooth", on=True),
                call("set_volume", level=level),
            ),
            says(f"Do not disturb and Bluetooth are on, the volume is at {level}."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def make_the_battery_last(s: Scene) -> Scenario:
    """What eats power goes off, the saving mode on."""
    s.settings |= {"bluetooth": True, "location": True, "low_power": False, "brightness": 80}
    level = s.choose(("20%", "30 percent", "min"))
    spoken_level = {"min": "all the way down"}.get(level, f"to {level}")
    return s.scenario(
        s.say(
            "battery saving: low power on, bluetooth and location off, screen {level}",
            "no charger here. Bluetooth off, location off, low power mode on, and the display "
            "{level}",
            level=spoken_level,
        ),
        [
            both(
                call("change_setting", name="low_power", on=True),
                call("change_setting", name="bluetooth", on=False),
                call("change_setting", name="location", on=False),
                call("set_screen_brightness", level=level),
            ),
            says("Low power mode is on, Bluetooth and location are off, the screen is darker."),
        ],
    )


@family(DOMAIN, "state")
def muted_all_along(s: Scene) -> Scenario:
    """No sound, though the volume is up: it is muted."""
    volume = s.choose((45, 60, 75))
    s.settings |= {"volume": volume, "muted": True}
    return s.scenario(
        s.say(
            "I hear nothing, but the volume is at {volume}. Fix it without making it louder",
            "why is there no sound? The volume is fine as it is, so leave that and get it going",
            "no sound at all. Can you see why, and put it right? The level itself is good",
            volume=volume,
        ),
        [
            call("get_setting", name="muted").because("if the level is fine, it may be muted"),
            call("mute", on=False).because("the sound is muted"),
            says("The sound was muted. It is on again, as loud as before."),
        ],
        offer=["set_volume", "change_setting"],
        answer=("muted|unmuted|mute",),
        near={"louder": [call("set_volume", level="up"), says("It was muted.")]},
    )


@family(DOMAIN, "state")
def why_offline(s: Scene) -> Scenario:
    """No connection: a look tells that airplane mode, or just the Wi-Fi, is the reason."""
    plane = s.chance(0.5)
    s.settings |= {"wifi": False, "airplane_mode": plane}
    why = "airplane mode is on" if plane else "Wi-Fi is off"
    return s.scenario(
        s.say(
            "why am I offline? Just tell me, don't change anything",
            "nothing loads. Is the Wi-Fi off, or is it airplane mode?",
            "find out why there's no internet, but leave the settings alone",
            "I have no connection. What's the reason? Don't touch any setting",
            "which setting keeps me offline? I'll change it myself",
        ),
        [
            both(
                call("get_setting", name="wifi"),
                call("get_setting", name="airplane_mode"),
            ),
            says(f"You are offline because {why}.").because(
                f"{why[0].upper()}{why[1:]}: that is the reason, and nothing is to be changed."
            ),
        ],
        offer=["change_setting"],
        answer=(
            "airplane"
            if plane
            else "Wi-Fi is off|Wi-Fi is turned off|Wi-Fi is switched off|WiFi is off",
        ),
        never=("airplane mode is off",) if plane else ("airplane mode is on",),
        near={
            "repairs it": [
                call("change_setting", name="wifi", on=True),
                says(f"You were offline because {why}."),
            ]
        },
    )


@family(DOMAIN, "state")
def only_if_loud(s: Scene) -> Scenario:
    """Turn it down, if it is above a level."""
    volume, limit, to = s.choose((20, 40, 65, 85)), 50, s.choose((25, 30, 35))
    s.settings |= {"volume": volume, "muted": False}
    gold: list[Act] = [call("get_setting", name="volume")]
    if volume > limit:
        gold.append(call("set_volume", level=f"{to}%").because(f"{volume} is over {limit}"))
        gold.append(says(f"It was at {volume}%; now it is at {to}%."))
    else:
        gold.append(
            says(f"It is at {volume}%, so I left it.").because(
                f"{volume} is not over {limit}, so nothing is changed."
            )
        )
    return s.scenario(
        s.say(
            "if the volume is over {limit}, bring it down to {to}%. What was it?",
            "how loud is it set? Anything above {limit}% should become {to}%",
            "check the volume: over {limit} percent is too much, then make it {to}%",
            limit=limit,
            to=to,
        ),
        gold,
        offer=["set_volume"],
        answer=(f"{volume}",),
        near={
            "not as said": [
                call("set_volume", level="50%" if volume > limit else f"{to}%"),
                says(f"It was at {volume}%."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def twice_as_loud(s: Scene) -> Scenario:
    """A share of what it is now: look, reckon, set."""
    volume, after, how = s.choose(
        (
            (20, 40, "twice as loud as it is now"),
            (35, 70, "double what it is"),
            (60, 30, "half of what it is"),
            (80, 40, "half as loud as now"),
            (90, 30, "a third of what it is"),
        )
    )
    s.settings |= {"volume": volume, "muted": False}
    return s.scenario(
        s.say(
            "set the volume to {how}, I mean the number",
            "by the percentage, make the volume {how}",
            "take the volume's percentage and make it {how}",
            how=how,
        ),
        [
            call("get_setting", name="volume"),
            call("set_volume", level=f"{after}%").because(f"it is {volume}%, so {after}%"),
            says(f"It was {volume}%, now it is {after}%."),
        ],
        near={"just up": [call("set_volume", level="up"), says("It is changed.")]},
    )
