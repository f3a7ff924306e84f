"""Tools for going out: the weather, places and ways to them, restaurants and their tables."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.places import By
from botpsy.services.text import plain_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.offers import RestaurantRef
from botpsy.tools.travel import People
from botpsy.tools.values import Day, Instant

_SHOWN = 5


@tool(
    service="weather",
    domain="lifestyle",
    examples=(
        "what's the weather like tomorrow",
        "will it rain this afternoon",
        "do I need an umbrella today",
        "how cold will it get tonight in Oslo",
        "is it going to snow on Friday",
        "what's the forecast for the weekend in Rome",
        "is it sunny outside",
        "should I wear a coat",
        "temperature in Phoenix please",
        "weather for this week",
        "how hot is it in California",
        "is there a storm coming",
    ),
)
def get_weather(
    ctx: Context,
    place: Annotated[str | None, "Town; here if left out"] = None,
    day: Annotated[Day | None, "Day; today if left out"] = None,
    days: Annotated[Annotated[int, Field(ge=1, le=10)], "How many days from then on"] = 1,
) -> JsonObject:
    """Tell the weather forecast for a place: rain, snow, sun, temperature and wind."""
    first = day or ctx.clock.now().date()
    found = ctx.services.weather.forecasts(place, first, first + timedelta(days=days - 1))
    entries: list[Json] = [
        {
            "day": ctx.clock.show(each.day),
            "sky": each.sky,
            "low": f"{each.low} °C",
            "high": f"{each.high} °C",
            "chance_of_rain": f"{each.rain}%",
            "wind": f"{each.wind} km/h",
        }
        for each in found
    ]
    return {"place": found[0].place, "forecast": entries}


@tool(
    service="places",
    domain="lifestyle",
    untrusted_output=True,
    examples=(
        "where is the nearest pharmacy",
        "find a petrol station near the office",
        "is there a supermarket around here that is open",
        "show me museums close to the hotel",
        "which ice cream shops are within walking distance",
        "where can I charge my car",
        "is the library open now",
        "where is the closest cash machine",
        "find a park where I can go running",
        "what shops are around me",
        "shoe shops near my home",
        "a good bakery nearby",
    ),
)
def find_places(
    ctx: Context,
    kind: Annotated[str, "Kind of place or its name: pharmacy, museum, library"],
    near: Annotated[str | None, "Place to look around; here if left out"] = None,
    open_now: Annotated[bool, "true: only those open now"] = False,
) -> JsonObject:
    """Find shops, sights, stations and other places nearby, with address, opening hours, rating."""
    now = ctx.clock.now()
    found = [
        (place, km)
        for place, km in ctx.services.places.find(kind, near)
        if not open_now or place.hours.open_at(now)
    ]
    entries: list[Json] = []
    for place, km in found[:_SHOWN]:
        entry: JsonObject = {
            "id": place.id,
            "name": place.name,
            "address": place.address,
            "distance": f"{km:g} km",
            "hours": place.hours.show(),
            "open_now": place.hours.open_at(now),
        }
        if place.rating:
            entry["rating"] = place.rating
        if place.reviews:
            entry["review"] = place.reviews[0]
        entries.append(entry)
    result: JsonObject = {"places": entries}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    service="places",
    domain="lifestyle",
    examples=(
        "how do I get to the museum",
        "how long does it take to walk to the station",
        "how far is it to the airport by car",
        "directions to the nearest post office",
        "what's the travel time from home to work by bike",
        "which is the way from the hotel to the harbour",
        "can I get to the zoo by bus",
        "how long is the drive to my mother",
        "what is the route to the market",
        "I want to go to the beach, which way is it",
    ),
)
def get_directions(
    ctx: Context,
    destination: Annotated[str, "Place or id from find_places"],
    origin: Annotated[str | None, "Where to start; here if left out"] = None,
    by: Annotated[By, "How to go"] = "car",
) -> JsonObject:
    """Tell the way between two places: distance and travel time on foot, by bike, bus or car."""
    route = ctx.services.places.route(origin, destination, by)
    hours, minutes = divmod(route.minutes, 60)
    return {
        "from": route.origin,
        "to": route.destination,
        "by": route.by,
        "distance": f"{route.km:g} km",
        "time": f"{hours} h {minutes} min" if hours else f"{minutes} min",
    }


@tool(
    service="travel",
    domain="lifestyle",
    untrusted_output=True,
    examples=(
        "find an Italian restaurant",
        "where can we eat sushi tonight with six people",
        "recommend a good place for dinner",
        "which restaurants have a table at eight",
        "I feel like Indian food",
        "is there a Mexican restaurant in town with good reviews",
        "somewhere nice to eat for our anniversary",
        "best pizza around here",
    ),
)
def find_restaurants(
    ctx: Context,
    cuisine: Annotated[str | None, "Kind of food, such as Italian"] = None,
    city: Annotated[str | None, "Town; here if left out"] = None,
    when: Annotated[Instant | None, "Time to eat; only those with a free table then"] = None,
    people: Annotated[People | None, "How many; only those with a large enough table"] = None,
) -> JsonObject:
    """Find restaurants to eat at, by kind of food and free tables, with rating and reviews."""
    travel = ctx.services.travel
    found = [
        each
        for each in travel.restaurants(city, cuisine)
        if (people is None or people <= each.largest)
        and (when is None or travel.table_free(each, when))
    ]
    entries: list[Json] = []
    for each in found[:_SHOWN]:
        entry: JsonObject = {
            "id": each.id,
            "name": each.name,
            "cuisine": each.cuisine,
            "address": each.address,
            "hours": each.hours.show(),
            "largest_table": each.largest,
        }
        if each.rating:
            entry["rating"] = each.rating
        if each.reviews:
            entry["review"] = each.reviews[0]
        entries.append(entry)
    result: JsonObject = {"restaurants": entries}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    effect="send",
    service="travel",
    domain="lifestyle",
    undo=lambda ctx, _: [Ref("travel", ctx.action_id)],
    examples=(
        "book a table for four at Luigi's on Friday at eight",
        "reserve a table at the Golden Lotus tonight",
        "get us a table for two at seven",
        "make a dinner reservation for six people",
        "reserve lunch for three at the Bistro tomorrow at one",
    ),
)
def book_table(
    ctx: Context,
    restaurant: Annotated[RestaurantRef, "Id from find_restaurants, or the name"],
    when: Annotated[Instant, "Day and time"],
    people: Annotated[People, "How many people"],
) -> JsonObject:
    """Reserve a table at a restaurant. It is free of charge."""
    now = ctx.clock.now()
    if when <= now:
        raise ToolError(f"{ctx.clock.show(when)} has passed.", hint="Give a time to come.")
    booking = ctx.services.travel.book_table(ctx.action_id, restaurant, when, people, now)
    return {
        "booking": booking.id,
        "what": plain_line(booking.title),
        "when": ctx.clock.show(booking.start),
        "people": booking.people,
    }


TOOLS: tuple[ToolDef, ...] = (
    get_weather,
    find_places,
    get_directions,
    find_restaurants,
    book_table,
)
