"""A battery that is nearly empty: what the saving mode stands in the way of."""

from __future__ import annotations

from typing import Final

from botpsy.worlds.acts import call, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene

DOMAIN: Final = "home"
_LOCATION = call("change_setting", name="location", on=True)
_FULL_POWER = call("change_setting", name="low_power", on=False)


@family(DOMAIN, "state")
def location_in_low_power(s: Scene) -> Scenario:
    """The location cannot be turned on before low power mode is off; the user allows that."""
    saving = s.chance(0.7)
    s.settings |= {"location": False, "low_power": saving}
    gold = [_LOCATION]
    if saving:
        gold += [_FULL_POWER.because("low power mode keeps the location off"), _LOCATION]
    done = "Low power mode was in the way, so I turned it off. " if saving else ""
    return s.scenario(
        s.say(
            "turn my location on; end low power mode if it won't let you",
            "the map needs to know where I am. If the battery saver blocks that, switch it off",
            "location services on, please. You may leave low power mode for it if you must",
            "I want to share where I am. Should power saving be in the way, drop it",
        ),
        [*gold, says(f"{done}The location is on.")],
        offer=["get_setting"],
    )


@family(DOMAIN, "state")
def battery_saver_stays(s: Scene) -> Scenario:
    """Low power mode is in the way and is to stay: say so and change nothing."""
    s.settings |= {"location": False, "low_power": True, "wifi": True}
    return s.scenario(
        s.say(
            "switch the location on, but keep the battery saver running",
            "can you turn location on? Low power mode has to stay as it is",
            "I need my location turned on. Don't touch low power mode, I have no charger",
            "location on, please; power saving stays on whatever happens",
        ),
        [
            _LOCATION,
            says("I can't turn the location on: low power mode keeps it off, and that stays on.")
            .because("Low power mode is in the way and must stay: say so."),
        ],
        offer=["get_setting"],
        answer=("low power|power saving|battery saver",),
        declines=True,
        near={
            "ends it": [_LOCATION, _FULL_POWER, _LOCATION, says("The location is on.")],
        },
    )  # fmt: skip


@family(DOMAIN, "state", held_out=True)
def directions_are_off(s: Scene) -> Scenario:
    """The location is off under the saving mode; the user only wants it to work."""
    s.settings |= {"location": False, "low_power": True}
    return s.scenario(
        s.say(
            "why does the map not find me? Put the location on and, if need be, the battery saver "
            "off",
            "my phone doesn't know where I am. Fix that, low power mode may go",
            "get the location going again, even if low power mode has to end for it",
        ),
        [
            _LOCATION,
            _FULL_POWER.because("low power mode keeps the location off"),
            _LOCATION,
            says("The location is on again; low power mode had kept it off and is off now."),
        ],
        offer=["get_setting"],
        answer=("low power|power saving|battery saver",),
    )
