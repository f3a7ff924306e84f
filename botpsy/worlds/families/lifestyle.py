"""The weather, sums and clocks: looked up, and acted on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.people import CITIES
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.outings import (
    forecasts,
    home_town,
    on,
)

DOMAIN: Final = "lifestyle"
_ONE = {"miles": "mile", "pounds": "pound", "inches": "inch", "feet": "foot", "ounces": "ounce"}
_TOWNS = (
    ("Tokyo", "Asia/Tokyo"), ("New York", "America/New_York"), ("London", "Europe/London"),
    ("Sydney", "Australia/Sydney"), ("Nairobi", "Africa/Nairobi"), ("Mumbai", "Asia/Kolkata"),
    ("São Paulo", "America/Sao_Paulo"), ("Dubai", "Asia/Dubai"),
)  # fmt: skip
_OUTSIDE = ("a hike", "a picnic", "a barbecue", "a bike ride", "the flea market")
_INSIDE = ("the museum", "a film night", "the climbing hall", "board games", "the aquarium")


def _there(s: Scene, zones: tuple[tuple[str, str], ...] = _TOWNS) -> tuple[str, ZoneInfo]:
    """A town whose clocks differ from the user's."""
    here = s.now.utcoffset()
    away = [each for each in zones if s.now.astimezone(ZoneInfo(each[1])).utcoffset() != here]
    name, key = s.choose(away)
    return name, ZoneInfo(key)


def _rounded(*values: float) -> str:
    """What an answer must mention of a number that may be rounded."""
    least = 1 if values[0] < 20 else 0
    forms = [f"{value:.{digits}f}" for value in values for digits in range(least, 4)]
    return "|".join(dict.fromkeys(forms))


@family(DOMAIN, "single")
def how_warm(s: Scene) -> Scenario:
    """The high of a day in another town."""
    home_town(s)
    city, ahead = s.pick(CITIES), s.rng.randint(1, 5)
    day = f"{s.midnight(ahead):%A}" if ahead > 1 else "tomorrow"
    high = forecasts(s, city, (10, 30, 70, 20, 50, 80))[ahead].high
    return s.scenario(
        s.say(
            "how warm will it get in {city} {on}?",
            "what's the high for {city}, {day}?",
            "{city} {on}: what temperature should I pack for?",
            "I'm in {city} {on}. How hot does it get at most?",
            city=city,
            day=day,
            on=day if ahead == 1 else f"on {day}",
        ),
        [
            call("get_weather", place=city, day=day),
            says(f"It will be up to {high} °C in {city}."),
        ],
        answer=(str(high),),
    )


@family(DOMAIN, "single")
def chance_of_rain(s: Scene) -> Scenario:
    """The weather where one is."""
    here, rain = home_town(s), s.choose((15, 35, 65, 85))
    forecasts(s, here, (rain, 45, 25))
    return s.scenario(
        s.say(
            "how likely is rain today?",
            "what's the chance of rain today, in percent?",
            "umbrella or not? Give me the odds of rain for today",
            "is it going to rain today? I'd like a percentage",
        ),
        [call("get_weather"), says(f"The chance of rain today is {rain}%.")],
        answer=(str(rain),),
    )


@family(DOMAIN, "single")
def share_of_the_bill(s: Scene) -> Scenario:
    """A sum with a tip, split."""
    total, people, tip = s.rng.randint(4200, 19900) / 100, s.rng.randint(3, 7), s.choose((5, 10))
    share = total * (1 + tip / 100) / people
    return s.scenario(
        s.say(
            "the bill is {total:.2f}, we are {people} and tip {tip}%. What does each pay?",
            "split {total:.2f} plus {tip} percent tip between {people} people",
            "dinner was {total:.2f}. With a {tip}% tip, how much is it a head? We're {people}",
            total=total,
            people=people,
            tip=tip,
        ),
        [
            call("calculate", expression=f"{total:.2f} * 1.{tip:02} / {people}").because(
                f"{tip}% more is times 1.{tip:02}"
            ),
            says(f"Each of you pays {share:.2f}.").because("Rounded to two places"),
        ],
        answer=(f"{share:.2f}|{share:.3f}|{share:.1f}",),
    )


@family(DOMAIN, "single")
def into_other_units(s: Scene) -> Scenario:
    """A measure in other units."""
    unit, other, factors = s.choose(
        (
            ("miles", "kilometres", (1.609344, 1.609, 1.61, 1.6)),
            ("pounds", "kilos", (0.45359237, 0.4536, 0.454, 0.45)),
            ("inches", "centimetres", (2.54,)),
            ("feet", "metres", (0.3048, 0.305)),
            ("ounces", "grams", (28.349523, 28.35, 28.3495)),
        )
    )
    amount = s.choose((7, 12, 26, 35, 48, 64))
    return s.scenario(
        s.say(
            "how much is {amount} {unit} in {other}?",
            "{amount} {unit} in {other}",
            "I've only got {other} here, what are {amount} {unit}?",
            "convert {amount} {unit} to {other}",
            amount=amount,
            unit=unit,
            other=other,
        ),
        [
            call("calculate", expression=f"{amount} * {factors[0]}").because(
                f"one {_ONE[unit]} is {factors[0]} {other}"
            ),
            says(f"{amount} {unit} are {amount * factors[0]:.1f} {other}."),
        ],
        answer=(_rounded(*(amount * factor for factor in factors)),),
    )


@family(DOMAIN, "single")
def clock_elsewhere(s: Scene) -> Scenario:
    """The time in another town."""
    town, zone = _there(s)
    there = s.now.astimezone(zone)
    return s.scenario(
        s.say(
            "what time is it in {town} right now?",
            "can I still ring somebody in {town}? Tell me what the time is there",
            "{town} time, please",
            "how late is it in {town}?",
            town=town,
        ),
        [call("current_time", place=town), says(f"In {town} it is {there:%A, %H:%M}.")],
        answer=(f"{there:%H:%M}",),
    )


@family(DOMAIN, "single", held_out=True)
def their_time_in_ours(s: Scene) -> Scenario:
    """A time that was given for another town."""
    town, zone = _there(s, _TOWNS[:4])
    said = s.choose(("9 am", "2 pm", "4:30 pm", "6 pm"))
    here = replace(s.clock, tz=zone).instant(said).astimezone(s.clock.tz)
    return s.scenario(
        s.say(
            "the stream starts at {said} in {town}, what's that for me?",
            "they said {said}, {town} time. When do I have to be online here?",
            "{said} in {town}: what does my own clock show then?",
            said=said,
            town=town,
        ),
        [
            call("convert_time", time=said, from_place=town),
            says(f"That is {here:%H:%M} for you."),
        ],
        answer=(f"{here:%H:%M}",),
    )


@family(DOMAIN, "parallel")
def which_is_warmer(s: Scene) -> Scenario:
    """Two towns on one day."""
    one, two, day = s.pick(CITIES), s.pick(CITIES), s.day((1, 5))
    ahead = (day.at.date() - s.now.date()).days
    highs = {
        city: forecasts(s, city, [s.choose((5, 30, 70)) for _ in range(6)])[ahead].high
        for city in (one, two)
    }
    if highs[one] == highs[two]:
        warmest, text = [one, two], f"It is {highs[one]} °C in both, {one} and {two}."
    else:
        warm = max(highs, key=lambda city: highs[city])
        warmest, text = [warm], f"{warm} is warmer, with {highs[warm]} °C."
    return s.scenario(
        s.say(
            "is it warmer in {one} or in {two} {on}? And how warm?",
            "{one} or {two} {on}: where do I get the higher temperature, and what is it?",
            "we can't decide between {one} and {two} for {day}. Name the warmer one and its high",
            one=one,
            two=two,
            on=on(day),
            day=day,
        ),
        [
            both(call("get_weather", place=one, day=day), call("get_weather", place=two, day=day)),
            says(text).because(f"{one} has a high of {highs[one]} °C, {two} of {highs[two]} °C"),
        ],
        answer=(*warmest, str(max(highs.values()))),
    )


@family(DOMAIN, "multi_step")
def weather_decides(s: Scene) -> Scenario:
    """Rain or not: one plan or the other goes into the calendar."""
    here, day = home_town(s), s.day((1, 5))
    outside, inside = s.pick(_OUTSIDE), s.pick(_INSIDE)
    ahead, wet = (day.at.date() - s.now.date()).days, s.chance(0.5)
    rains = [s.choose((10, 80)) for _ in range(6)]
    rains[ahead] = s.rng.randint(65, 95) if wet else s.rng.randint(0, 25)
    forecasts(s, here, rains)
    plan, other = (inside, outside) if wet else (outside, inside)
    start = f"{day} at 11:00"
    look = call("get_weather", day=day)
    return s.scenario(
        s.say(
            "check the forecast for {day}: if it's going to be dry put {outside} in my calendar at "
            "11:00, if it rains put in {inside}",
            "plan {day} at 11:00 for me, {outside} in fine weather, {inside} if it's wet",
            "{outside} {on} at 11:00, or {inside} should it rain. See what the weather does and "
            "schedule one of them",
            outside=outside,
            inside=inside,
            day=day,
            on=on(day),
        ),
        [
            look,
            call("create_event", title=plan, start=start).because(
                f"the chance of rain is {rains[ahead]}%, so it will {'rain' if wet else 'stay dry'}"
            ),
            say("The chance of rain is " + f"{rains[ahead]}%, so it's {{title}}: {{start}}."),
        ],
        near={
            "the other plan": [
                look,
                call("create_event", title=other, start=start),
                says("It is in."),
            ]
        },
    )


@family(DOMAIN, "multi_step", held_out=True)
def driest_day(s: Scene) -> Scenario:
    """The best of some days is looked up, then filled."""
    here, what = home_town(s), s.pick(_OUTSIDE)
    rains = [50, *s.rng.sample((5, 25, 40, 65, 90), 5)]
    forecasts(s, here, rains)
    ahead = rains.index(5)
    best, worse = (s.midnight(n) + timedelta(hours=12) for n in (ahead, ahead % 5 + 1))
    return s.scenario(
        s.say(
            "look at the five days from tomorrow on and put {what} on the driest one, at noon",
            "which of the next five days, starting tomorrow, has the least chance of rain? Put "
            "{what} in my calendar at 12:00 that day",
            "find the driest day out of the five beginning tomorrow; that's when {what} goes into "
            "my calendar, 12 o'clock",
            what=what,
        ),
        [
            call("get_weather", day="tomorrow", days=5),
            call("create_event", title=what, start=s.plain(best)).because("5% rain is the least"),
            say("The driest day is {start}: {title} is in."),
        ],
        near={
            "another day": [
                call("create_event", title=what, start=s.plain(worse)),
                says("It is in."),
            ]
        },
    )


@family(DOMAIN, "state")
def online_first(s: Scene) -> Scenario:
    """Wi-Fi is off, and may be turned on."""
    here, rain = home_town(s), s.choose((20, 40, 75))
    forecasts(s, here, (rain, 50, 30))
    s.settings |= {"wifi": False, "airplane_mode": False}
    look = call("get_weather")
    return s.scenario(
        s.say(
            "what's the chance of rain today? Go online if you have to",
            "tell me how likely it is to rain today, you may switch the Wi-Fi on for that",
            "rain today, in percent? If there's no connection turn on Wi-Fi",
        ),
        [
            look,
            call("change_setting", name="wifi", on=True).because("there is no connection"),
            look,
            says(f"Wi-Fi is on now. The chance of rain today is {rain}%."),
        ],
        answer=(str(rain),),
    )


@family(DOMAIN, "multi_turn")
def and_in_the_other_town(s: Scene) -> Scenario:
    """A follow-up that keeps the day and changes the town."""
    one, two, ahead = s.pick(CITIES), s.pick(CITIES), s.rng.randint(2, 5)
    day = f"{s.midnight(ahead):%A}"
    first, second = (
        forecasts(s, city, [s.choose((5, 40, 70)) for _ in range(6)])[ahead] for city in (one, two)
    )
    return s.scenario(
        [
            s.say(
                "what will the temperature be in {one} on {day}?",
                "{one}, {day}: how many degrees?",
                one=one,
                day=day,
            ),
            s.say("and in {two}?", "same for {two}, please", "what about {two}?", two=two),
        ],
        [
            call("get_weather", place=one, day=day),
            says(f"Between {first.low} and {first.high} °C."),
            call("get_weather", place=two, day=day).because("the same day"),
            says(f"In {two} between {second.low} and {second.high} °C."),
        ],
        answer=(str(second.high),),
    )


@family(DOMAIN, "wrong_value")
def beyond_the_forecast(s: Scene) -> Scenario:
    """A day that is too far away."""
    here = home_town(s)
    last = forecasts(s, here, (20, 40, 10, 70, 30, 55, 15))[-1].day
    day = s.day((16, 25))
    return s.scenario(
        s.say(
            "what's the weather like {on}?",
            "will I need a coat {on}? Look up the weather",
            "forecast for {day}, please",
            on=on(day),
            day=day,
        ),
        [
            call("get_weather", day=day),
            says(f"I can't say yet: the forecast reaches only to {last:%A}, {last.day} {last:%B}."),
        ],
        answer=(f"{last.day}|{last:%A}",),
        near={"makes it up": [call("get_weather", day="tomorrow"), says("Sunny, 20 °C.")]},
    )


@family(DOMAIN, "no_tool")
def beyond_the_weather(s: Scene) -> Scenario:
    """What no forecast and no map here tells; a reminder is no answer."""
    wish = s.choose(
        (
            "how high the pollen count is today",
            "when high tide is this evening",
            "how bad the traffic on the ring road is",
            "whether there's a free space in the car park at the station",
            "how clean the air is today",
            "where my bus is at the moment",
        )
    )
    return s.scenario(
        s.say("tell me {wish}", "I'd like to know {wish}", "can you check {wish}?", wish=wish),
        [says(f"I can't find out {wish}. I can tell you the weather and the way to a place.")],
        offer=["get_weather", "get_directions", "set_reminder"],
        without=["web_search"],
        near={
            "a reminder instead": [
                call("set_reminder", text=f"check {wish}", when="tomorrow at 9:00"),
                says("I can't check that, so I'll remind you."),
            ]
        },
    )
