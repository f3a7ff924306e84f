"""HWU64 out and about: weather, trains, ways, taxis, places."""

from __future__ import annotations

import re
from datetime import timedelta

from botpsy.data.sources._annotated import Item
from botpsy.data.sources._cases import INFORMS, Case, day_of, gaps, moment, plan, title_case
from botpsy.data.types import UnusableError
from botpsy.services.places import Place
from botpsy.services.travel import Trip
from botpsy.services.weather import Forecast
from botpsy.worlds.acts import ask, call, say, says
from botpsy.worlds.people import CITIES
from botpsy.worlds.scene import Scene

_NOWHERE = frozenset(
    ("my city", "city", "our city", "here", "location", "my location", "town", "my area", "area",
     "home", "country", "place", "the city", "outside", "local", "my place", "work", "office",
     "home town", "current location", "currently located", "destination", "state")
)  # fmt: skip


def _place(item: Item, name: str = "place_name") -> str:
    """The one place; empty for none.

    Raises:
        UnusableError: there are several, or it has no name.
    """
    place = item.value(name).removesuffix("'s")
    if place.lower() in _NOWHERE:
        raise UnusableError("a place without a name")
    return place


# --- weather --------------------------------------------------------------------------------------


@plan("lifestyle", "weather/query")
def weather(s: Scene, item: Item) -> Case:
    """The forecast of a day; the answer says what was asked."""
    item.only("date", "weather_descriptor", "place_name")
    item.need(
        r"weather|rain|snow|sun|hot|cold|warm|temperature|umbrella|forecast|jacket|coat|cool"
        r"|degrees|storm|wind|cloud|dry",
        r"week|was\b|did\b|yesterday|month|changed|tyres|than|since|hour|later|next time|days"
        r"|humid|should|normal|usual|always|set\b|year|season|when\b|fahrenheit|alert|wear",
    )
    place, phrase = _place(item), item.when("date")
    day = day_of(s, phrase) if phrase else s.now.date()
    if not 0 <= (day - s.now.date()).days <= 6:
        raise UnusableError("a day beyond the forecast")
    city = title_case(place) if place else s.pick(CITIES)
    s.options["city"] = {"name": city}
    frost = bool(re.search(r"snow|freez", item.text)) and s.chance(0.5)
    sky = "snow" if frost else s.choose(("sunny", "cloudy", "rain", "partly cloudy"))
    low = s.rng.randint(-4, 0) if frost else s.rng.randint(6, 16)
    high = low + s.rng.randint(2, 8)
    wet = s.rng.randint(60, 95) if sky in ("rain", "snow") else s.rng.randint(0, 25)
    for ahead in range(7):
        on = s.now.date() + timedelta(days=ahead)
        this = Forecast(city, on, sky, low, high, wet, s.rng.randint(5, 30))  # type: ignore[arg-type]
        s.add(this if on == day else Forecast(city, on, "cloudy", low - 1, high + 1, 20, 12))
    range_ = f"{low} to {high} °C"
    text = item.text
    if re.search(r"umbrella|rain", text):
        yes = "Yes" if sky == "rain" else "No"
        answer = s.choose((f"{yes}: {sky}, the chance of rain is {wet}%.",
                           f"{yes}, {sky} with a {wet}% chance of rain."))  # fmt: skip
    elif re.search(r"snow", text):
        answer = f"{'Yes' if frost else 'No'}: {sky}, {range_}."
    elif re.search(r"sunny|\bsun\b", text):
        answer = f"{'Yes' if sky == 'sunny' else 'No'}: {sky}, {range_}."
    elif re.search(r"hot|cold|warm|cool|jacket|coat|temperature|degrees", text):
        answer = s.choose((f"It is {range_}, {sky}.", f"Between {low} and {high} °C, {sky}."))
    else:
        answer = s.choose((f"{sky}, {range_}, {wet}% chance of rain.", f"{sky}, {range_}."))
    return Case(
        [call("get_weather", place=place or None, day=phrase.removesuffix("'s") or None),
         says(answer[:1].upper() + answer[1:])],
        barred=INFORMS, offer=["current_time", "find_places"],
    )  # fmt: skip


# --- on the way -----------------------------------------------------------------------------------

_NOT_THE_WAY = (
    r"return|round|cheap|last|next|earliest|class|seat|how (much|long)|price|cost"
    r"|cancel"
    r"|arriv|station|platform|every|bus|flight|plane|two|three|tickets|www|earlier"
)
_DAYS = ("tomorrow", "on Friday", "next Monday", "on Saturday")


def _ends(item: Item) -> tuple[str, str]:
    """Where from and where to, empty where not said."""
    origin = destination = ""
    for slot in item.all("place_name"):
        name, before = slot.value.removesuffix("'s"), item.before(slot)
        if name.lower() in _NOWHERE or not re.fullmatch(r"[a-z ]+", name, re.IGNORECASE):
            raise UnusableError("a place without a name")
        if before in ("from", "departing", "leaving") and not origin:
            origin = name
        elif before in ("to", "towards") and not destination:
            destination = name
        else:
            raise UnusableError("a place that is neither start nor end")
    return origin, destination


@plan("lifestyle", "transport/query", "transport/ticket")
def train_or_way(s: Scene, item: Item) -> Case:
    """Trains between two towns, or the way to a place."""
    if not item.all("transport_type"):
        return _way(s, item)
    item.only("transport_type", "place_name", "date")
    item.need(r"\btrains?\b", _NOT_THE_WAY)
    origin, destination = _ends(item)
    phrase = item.when("date")
    missing = [name for name, value in (("origin", origin), ("destination", destination),
                                        ("day", phrase)) if not value]  # fmt: skip
    if len(missing) > 1:
        raise UnusableError("too much that is not said")
    facts: dict[str, str] = {}
    acts: list[object] = []
    if missing == ["day"]:
        said = s.choose(_DAYS)
        acts.append(ask(s.choose(("On which day?", "What day do you want to travel?")), "day"))
        facts, phrase = {"day": said}, said.removeprefix("on ")
    elif missing:
        town = s.pick(CITIES)
        where = "Where do you start from?" if missing == ["origin"] else "Where do you want to go?"
        acts.append(ask(where, "place"))
        facts = {"place": s.choose((town, f"From {town}") if missing == ["origin"] else (town,))}
        origin, destination = origin or town, destination or town
    day = day_of(s, phrase)
    leaves = s.midnight((day - s.now.date()).days) + timedelta(hours=17 + s.rng.randint(0, 3))
    if leaves <= s.now:
        raise UnusableError("a time that has passed")
    number = f"IC {s.rng.randint(200, 899)}"
    price = float(s.rng.randint(19, 89))
    ends = title_case(origin), title_case(destination)
    s.add(
        Trip(s.token("tr"), "train", number, *ends, leaves, leaves + timedelta(hours=3), price, 9)
    )
    answer = s.choose((
        f"There is {number} at {leaves:%H:%M} for {price:.2f} EUR.",
        f"{number} leaves at {leaves:%H:%M} and costs {price:.2f} EUR.",
    ))  # fmt: skip
    look = call("search_trains", origin=origin, destination=destination,
                day=phrase.removesuffix("'s"))  # fmt: skip
    return Case(
        [*acts, look, says(answer)],  # type: ignore[list-item]
        kind="missing" if missing else "single",
        barred=["book_train", "get_directions", *INFORMS],
        offer=["search_flights", "list_bookings"],
        facts=facts,
        gaps=gaps(item, day=phrase) if not missing else {},
    )


def _way(s: Scene, item: Item) -> Case:
    item.only("place_name", "business_name")
    item.need(r"directions?|how (do|can|should|would) (i|we) (get|go|reach)|route\b|\bway to"
              r"|how far",
              r"alternate|traffic|fast|short|best|without|avoid|bus|train|walk|bike|near|close|cost|"
              r"the place|and\b|from my|home")  # fmt: skip
    if item.all("business_name"):
        origin, destination = "", item.value("business_name")
        if item.all("place_name"):
            raise UnusableError("a place that is neither start nor end")
    else:
        origin, destination = _ends(item)
    if not destination:
        raise UnusableError("too much that is not said")
    s.add(Place("home", "Home", ("home",), "", 0, 0))
    for n, name in enumerate(each for each in (origin, destination) if each):
        east, north = (round(s.rng.uniform(2, 30), 1) * (-1) ** n for _ in range(2))
        s.add(Place(s.token("pl"), title_case(name), ("town",), title_case(name), east, north))
    s.options["places"] = {"here": "home"}
    answer = s.choose(("It is {distance}, {time} by {by}.", "{distance}, about {time} by {by}."))
    return Case([call("get_directions", destination=destination, origin=origin or None),
                 say(answer)],
                barred=["navigate_to", "call_taxi", *INFORMS], offer=["find_places"],
                gaps=gaps(item, destination=destination))  # fmt: skip


@plan("lifestyle", "transport/taxi")
def taxi(s: Scene, item: Item) -> Case:
    """A taxi to a place, now or for later; the place may be missing."""
    item.only("transport_type", "place_name", "date", "time", "timeofday")
    item.need(
        r"\b(taxi|cab)\b",
        r"when|after|uber|lyft|find out|look for|search|number|cheap|how|price|closest|near"
        r"|from|pick|home|return|available|\bmy\b|any\b|is there|meeting|company|outstation",
    )
    origin, destination = _ends(item)
    phrase = item.when()
    if origin:
        raise UnusableError("a place that is neither start nor end")
    if phrase:
        if not _clocked(item):
            raise UnusableError("a day without a time")
        moment(s, phrase)
    facts: dict[str, str] = {}
    acts: list[object] = []
    said = destination
    if not destination:
        said = s.choose(("the central station", "the airport", "Mill Lane 4", "the opera"))
        question = s.choose(("Where do you want to go?", "Where to?", "What is the destination?"))
        acts.append(ask(question, "place"))
        facts = {"place": s.choose((f"to {said}", said))}
    answer = s.choose((f"A taxi to {said} is ordered.", f"Done, the taxi to {said} is booked."))
    return Case(
        [*acts, call("call_taxi", destination=said, when=phrase or None), says(answer)],  # type: ignore[list-item]
        kind="missing" if facts else "single",
        barred=["navigate_to"],
        offer=["get_directions", "list_bookings"],
        facts=facts,
        gaps=gaps(item, destination=destination) if destination else {},
    )


def _clocked(item: Item) -> bool:
    return bool(item.all("time"))


# --- places -----------------------------------------------------------------------------


@plan("lifestyle", "recommendation/locations")
def places(s: Scene, item: Item) -> Case:
    """Shops and the like, near here or near a place."""
    item.only("business_type", "place_name")
    kind, near = item.value("business_type").lower(), _place(item)
    if not re.fullmatch(r"[a-z ]{3,24}", kind) or re.search(r"restaurant|food|place|shop$", kind):
        raise UnusableError("no kind of place")
    item.need(r"where|find|near|close|list|any|show|locate|look|what|recommend",
              r"best|cheap|good|popular|open|old|how many|rated|sell|radius|mile|top|review|new\b"
              r"|tell me about|order|book|way|directions|movie")  # fmt: skip
    one = kind.removesuffix("s") if not kind.endswith("ss") else kind
    s.add(Place("home", "Home", ("home",), "", 0, 0))
    if near:
        s.add(Place("near", title_case(near), ("town",), title_case(near), 9, 4))
    base = (9.0, 4.0) if near else (0.0, 0.0)
    for name in s.rng.sample(("Corner", "Harbour", "Linden", "Old Mill", "Sunny"), 2):
        east, north = (round(at + s.rng.uniform(-2, 2), 1) for at in base)
        s.add(Place(s.token("pl"), f"{name} {title_case(one)}", (one, kind), f"{name} Street 4",
                    east, north, rating=s.choose((3.9, 4.2, 4.6))))  # fmt: skip
    s.options["places"] = {"here": "home"}
    answer = s.choose((
        "The nearest is {places[0][name]}, {places[0][distance]} away; then {places[1][name]}.",
        "{places[0][name]} ({places[0][distance]}) and {places[1][name]} ({places[1][distance]}).",
    ))  # fmt: skip
    return Case([call("find_places", kind=kind, near=near or None), say(answer)],
                barred=["find_restaurants", "get_directions", *INFORMS],
                offer=["get_weather"])  # fmt: skip
