"""Tools for travelling: flights, trains, hotels and taxis, and what has been booked.

What is booked costs money at once. It can be undone only where cancelling it is free.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any

from pydantic import Field

from botpsy.chat.types import Json, JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.text import plain_line
from botpsy.services.travel import Booking, By, Hotel, Kind, Trip
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.offers import BookingRef, FlightRef, HotelRef, TrainRef, money, span
from botpsy.tools.values import Day, Instant

_SHOWN = 8
_LONGEST_STAY = 60
_CHECK_IN = time(15)
_JUST_NOW = timedelta(minutes=5)
"""How long "now" may lie back once a call was approved."""

People = Annotated[int, Field(ge=1, le=20)]


def _booked(ctx: Context, booking: Booking) -> JsonObject:
    result: JsonObject = {
        "booking": booking.id,
        "what": plain_line(booking.title),
        "when": span(booking.start, booking.end),
        "people": booking.people,
        "price": money(booking.price, ctx.services.travel.currency),
    }
    if booking.kind == "hotel":
        result["rooms"] = booking.rooms
    free = booking.cancelling_costs(ctx.clock.now()) == 0
    result["free_cancellation"] = (
        f"until {ctx.clock.show(booking.free_until)}" if free and booking.free_until else "no"
    )
    return result


def _search(ctx: Context, by: By, origin: str, destination: str, day: date) -> JsonObject:
    travel = ctx.services.travel
    if day < ctx.clock.now().date():
        raise ToolError(f"{ctx.clock.show(day)} has passed.", hint="Give a day to come.")
    found = travel.trips(by, origin, destination, day)
    entries: list[Json] = [
        {
            "id": trip.id,
            "number": plain_line(trip.number),
            "from": plain_line(trip.origin),
            "to": plain_line(trip.destination),
            "when": span(trip.departs, trip.arrives),
            "price": money(trip.price, travel.currency),
            "seats": max(0, travel.seats(trip)) or "sold out",
            "refundable": trip.refundable,
        }
        for trip in found[:_SHOWN]
    ]
    result: JsonObject = {f"{by}s": entries}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    if not found:
        others = [each for each in travel.days(by, origin, destination) if each != day]
        result["other_days"] = [ctx.clock.show(each) for each in others[:_SHOWN]]
    return result


def _trip_refs(parameter: str) -> Any:
    def refs(ctx: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
        trip: Trip = values[parameter]
        return [Ref("travel", ctx.action_id)] if trip.refundable else []

    return refs


@tool(
    service="travel",
    domain="travel",
    examples=(
        "find flights from Berlin to Rome next Friday",
        "are there any planes to Lisbon on the 12th",
        "what does it cost to fly to Oslo tomorrow",
        "look for a flight to London on Monday morning",
        "when is the first flight to Vienna on Sunday",
        "show me flights to New York",
    ),
)
def search_flights(
    ctx: Context,
    origin: Annotated[str, "Town or airport to fly from"],
    destination: Annotated[str, "Town or airport to fly to"],
    day: Annotated[Day, "Day of departure"],
) -> JsonObject:
    """Search flights between two towns on a day, with times, prices and free seats."""
    return _search(ctx, "flight", origin, destination, day)


@tool(
    effect="spend",
    service="travel",
    domain="travel",
    undo=_trip_refs("flight"),
    examples=(
        "book the flight at ten for two people",
        "buy a plane ticket to Rome on Friday",
        "get me a seat on LH 1902",
        "book me on the cheapest flight to Lisbon",
        "take the first flight and book it",
        "reserve three seats on the plane to Oslo",
    ),
)
def book_flight(
    ctx: Context,
    flight: Annotated[FlightRef, "Id from search_flights, or the flight number"],
    passengers: Annotated[People, "How many people fly"] = 1,
) -> JsonObject:
    """Buy plane tickets for a flight."""
    booking = ctx.services.travel.book_trip(ctx.action_id, flight, passengers, ctx.clock.now())
    return _booked(ctx, booking)


@tool(
    service="travel",
    domain="travel",
    examples=(
        "when is the next train to Hamburg",
        "find a train from Paris to Lyon tomorrow morning",
        "what time does the train to Chicago leave",
        "show me the trains to Munich on Saturday",
        "how much is a train ticket to Cambridge",
        "how long does the train to Orlando take",
        "is there a train from Philadelphia to New York at noon",
        "train times to Leeds please",
    ),
)
def search_trains(
    ctx: Context,
    origin: Annotated[str, "Town or station to leave from"],
    destination: Annotated[str, "Town or station to go to"],
    day: Annotated[Day, "Day of departure"],
) -> JsonObject:
    """Search trains between two towns on a day, with times, prices and free seats."""
    return _search(ctx, "train", origin, destination, day)


@tool(
    effect="spend",
    service="travel",
    domain="travel",
    undo=_trip_refs("train"),
    examples=(
        "book a train ticket to Munich",
        "buy two tickets for the train at 9:15",
        "get me a train ticket from Mumbai to Goa",
        "reserve a seat on ICE 705",
        "I need a train ticket that leaves at 2 pm",
        "purchase the railway ticket to Lyon",
    ),
)
def book_train(
    ctx: Context,
    train: Annotated[TrainRef, "Id from search_trains, or the train number"],
    passengers: Annotated[People, "How many people travel"] = 1,
) -> JsonObject:
    """Buy train tickets for one train."""
    booking = ctx.services.travel.book_trip(ctx.action_id, train, passengers, ctx.clock.now())
    return _booked(ctx, booking)


@tool(
    service="travel",
    domain="travel",
    untrusted_output=True,
    examples=(
        "find a hotel in Rome for two nights from Friday",
        "where can I stay in Lisbon next weekend",
        "which hotels in Oslo have a room on Monday",
        "look for a cheap place to sleep in Vienna",
        "show me well rated hotels in Paris",
        "I need accommodation in Kyoto",
    ),
)
def search_hotels(
    ctx: Context,
    city: Annotated[str, "Town to stay in"],
    check_in: Annotated[Day | None, "Day of arrival; without it, free rooms are not known"] = None,
    nights: Annotated[Annotated[int, Field(ge=1, le=_LONGEST_STAY)], "How many nights"] = 1,
) -> JsonObject:
    """Search hotels in a town, with prices, reviews and free rooms."""
    travel = ctx.services.travel
    found = travel.hotels(city)
    entries: list[Json] = []
    for hotel in found[:_SHOWN]:
        entry: JsonObject = {
            "id": hotel.id,
            "name": plain_line(hotel.name),
            "price_a_night": money(hotel.price, travel.currency),
            "sleeps": hotel.sleeps,
            "refundable": hotel.refundable,
        }
        if hotel.rating:
            entry["rating"] = hotel.rating
        if hotel.reviews:
            entry["review"] = hotel.reviews[0]
        if check_in is not None:
            full = [
                day
                for day in (check_in + timedelta(days=night) for night in range(nights))
                if travel.rooms(hotel, day) <= 0
            ]
            entry["free"] = f"full on {', '.join(map(ctx.clock.show, full))}" if full else True
        entries.append(entry)
    result: JsonObject = {"hotels": entries}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


def _hotel_refs(ctx: Context, values: Mapping[str, Any]) -> Sequence[Ref]:
    hotel: Hotel = values["hotel"]
    ahead = values["check_in"] > ctx.clock.now().date()
    return [Ref("travel", ctx.action_id)] if hotel.refundable and ahead else []


@tool(
    effect="spend",
    service="travel",
    domain="travel",
    undo=_hotel_refs,
    examples=(
        "book a room at the Hotel Aurora from Friday for two nights",
        "reserve the hotel for three nights",
        "get us two rooms at the Seaview Inn next weekend",
        "book the cheapest hotel in Rome for Saturday night",
        "I want to stay at the Grand on the 3rd, book it",
    ),
)
def book_hotel(
    ctx: Context,
    hotel: Annotated[HotelRef, "Id from search_hotels, or the name"],
    check_in: Annotated[Day, "Day of arrival"],
    nights: Annotated[Annotated[int, Field(ge=1, le=_LONGEST_STAY)], "How many nights"],
    *,
    guests: Annotated[People, "How many people"] = 1,
    rooms: Annotated[Annotated[int, Field(ge=1, le=10)], "How many rooms"] = 1,
) -> JsonObject:
    """Book a room in a hotel."""
    now = ctx.clock.now()
    if check_in < now.date():
        raise ToolError(f"{ctx.clock.show(check_in)} has passed.", hint="Give a day to come.")
    arrival = max(datetime.combine(check_in, _CHECK_IN, ctx.clock.tz), now)
    booking = ctx.services.travel.book_hotel(
        ctx.action_id, hotel, arrival, nights=nights, guests=guests, rooms=rooms
    )
    return _booked(ctx, booking)


@tool(
    effect="spend",
    service="travel",
    domain="travel",
    undo=lambda ctx, _: [Ref("travel", ctx.action_id)],
    examples=(
        "call me a taxi",
        "get me a cab to the airport",
        "I need a taxi home at midnight",
        "order an uber to the opera for seven",
        "book a taxi for tomorrow morning at five to the station",
        "send a cab to pick me up at the office",
        "hire a taxi",
    ),
)
def call_taxi(
    ctx: Context,
    destination: Annotated[str, "Where to go"],
    pickup: Annotated[str | None, "Where to be picked up; here if left out"] = None,
    when: Annotated[Instant | None, "When; now if left out"] = None,
    passengers: Annotated[People, "How many people"] = 1,
) -> JsonObject:
    """Order a taxi for a ride, now or for later."""
    now = ctx.clock.now()
    if when is not None and when < now - _JUST_NOW:
        raise ToolError(f"{ctx.clock.show(when)} has passed.", hint="Give a time to come.")
    if when is not None and when <= now:
        when = None
    booking = ctx.services.travel.call_taxi(
        ctx.action_id,
        plain_line(pickup or "your place"),
        plain_line(destination),
        when=when,
        people=passengers,
        now=now,
    )
    return _booked(ctx, booking)


@tool(
    service="travel",
    domain="travel",
    examples=(
        "what trips have I booked",
        "show my bookings",
        "when does my flight leave",
        "which hotel am I staying at",
        "do I have a table reserved for Friday",
        "is my train ticket refundable",
        "what reservations do I have",
    ),
)
def list_bookings(
    ctx: Context, kind: Annotated[Kind | None, "Only these; all if left out"] = None
) -> JsonObject:
    """Show the user's coming bookings: flights, trains, hotels, tables, taxis."""
    now = ctx.clock.now()
    coming = [
        booking
        for booking in ctx.services.travel.bookings()
        if not booking.cancelled and booking.end > now and kind in (None, booking.kind)
    ]
    entries: list[Json] = [{"kind": each.kind, **_booked(ctx, each)} for each in coming[:_SHOWN]]
    result: JsonObject = {"bookings": entries}
    if len(coming) > _SHOWN:
        result["more"] = len(coming) - _SHOWN
    return result


@tool(
    effect="write",
    service="travel",
    domain="travel",
    examples=(
        "cancel my flight to Rome",
        "I don't need the hotel any more, cancel the booking",
        "cancel the table at Luigi's",
        "call off the taxi",
        "give back my train tickets",
        "cancel the reservation for Saturday",
        "we are not flying, get me a refund",
    ),
)
def cancel_booking(
    ctx: Context,
    booking: Annotated[BookingRef, "Id from list_bookings, or like: flight to Rome"],
) -> JsonObject:
    """Cancel a booked flight, train, hotel, table or taxi. It may cost a fee."""
    travel = ctx.services.travel
    after = travel.cancel(booking.id, ctx.clock.now())
    return {
        "cancelled": plain_line(after.title),
        "fee": money(after.fee, travel.currency),
        "refund": money(after.price - after.fee, travel.currency),
    }


TOOLS: tuple[ToolDef, ...] = (
    search_flights,
    book_flight,
    search_trains,
    book_train,
    search_hotels,
    book_hotel,
    call_taxi,
    list_bookings,
    cancel_booking,
)
