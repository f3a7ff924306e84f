"""Argument types for what can be booked and what is booked, and how they are shown.

A flight, train, hotel, restaurant or booking is named by its id, its number or name, or words of
it; one that means none or several is a ``ToolError`` that lists what there is. The resolved form
tells all that the approver should know (price, conditions) and ends with the id in brackets, by
which it resolves to itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.clock import show_clock, show_instant
from botpsy.errors import ToolError
from botpsy.services.text import plain_line, spell_hidden
from botpsy.services.travel import Booking, By, Hotel, Restaurant, Trip
from botpsy.tools.base import Context
from botpsy.tools.events import words_of
from botpsy.tools.values import context_of

T = TypeVar("T")

_LISTED = 6
_ID_AT_END = re.compile(r"\(([^()\s]+)\)$")
_KINDS = frozenset({"flight", "train", "hotel", "table", "taxi"})
_SMALL_WORDS = "my the a an booking reservation ticket tickets to from for at on in of"
_SMALL = frozenset(_SMALL_WORDS.split())


def money(amount: float, currency: str) -> str:
    """``129.00 EUR``."""
    return f"{amount:.2f} {currency}"


def span(start: datetime, end: datetime) -> str:
    """``Fri 11 Dec 2026, 07:10 CET - 09:20 CET``; the second day only where it is another."""
    same = start.date() == end.date()
    return f"{show_instant(start)} - {show_clock(end) if same else show_instant(end)}"


def show_trip(trip: Trip) -> str:
    """Number, way and times, the price for one, whether it is refundable, and the id."""
    terms = "refundable" if trip.refundable else "NOT refundable"
    return (
        f"{plain_line(trip.number)}, {plain_line(trip.origin)} to {plain_line(trip.destination)}, "
        f"{span(trip.departs, trip.arrives)}, {trip.price:.2f} each, {terms} ({trip.id})"
    )


def show_hotel(hotel: Hotel) -> str:
    """Name, town, price for a night, whether it is refundable, and the id."""
    terms = "refundable until the day before" if hotel.refundable else "NOT refundable"
    return (
        f"{plain_line(hotel.name)}, {plain_line(hotel.city)}, "
        f"{hotel.price:.2f} a room and night, {terms} ({hotel.id})"
    )


def show_restaurant(restaurant: Restaurant) -> str:
    """Name, cuisine, town and id."""
    name = f"{plain_line(restaurant.name)} ({plain_line(restaurant.cuisine)})"
    return f"{name}, {plain_line(restaurant.city)} ({restaurant.id})"


def show_booking(booking: Booking) -> str:
    """What, when, for how many, and the id."""
    return (
        f"{booking.kind}: {plain_line(booking.title)}, {show_instant(booking.start)} ({booking.id})"
    )


def one(text: str, found: Sequence[T], show: Callable[[T], str], what: str) -> T:
    """The only one of those found.

    Raises:
        ToolError: there are none or several.
    """
    if len(found) == 1:
        return found[0]
    if not found:
        raise ToolError(
            f"There is no {what} {spell_hidden(text[:80])!r}.",
            hint="Search first, then use the id.",
        )
    listed = "; ".join(show(each) for each in found[:_LISTED])
    more = f"; and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    raise ToolError(f"{spell_hidden(text[:80])!r} could be: {listed}{more}.", hint="Use the id.")


def resolver(
    kind: type[T],
    find: Callable[[Context, str], Sequence[T]],
    show: Callable[[T], str],
    what: str,
) -> Any:
    """Validator and serializer of an argument that names one of what ``find`` gives."""

    def validate(value: Any, info: ValidationInfo) -> T:
        if isinstance(value, kind):
            return value
        if not isinstance(value, str) or not value.strip():
            raise ToolError(f"Say which {what}: its id or name.")
        text, context = value.strip(), context_of(info)
        shown = _ID_AT_END.search(text)
        found = find(context, shown[1]) if shown else []
        return one(text, found or find(context, text), show, what)

    return BeforeValidator(validate), PlainSerializer(show, return_type=str)


def _trips(by: By) -> Callable[[Context, str], Sequence[Trip]]:
    def find(ctx: Context, text: str) -> Sequence[Trip]:
        found = ctx.services.travel.find_trips(by, text)
        ahead = [trip for trip in found if trip.departs > ctx.clock.now()]
        return ahead or found

    return find


def _bookings(ctx: Context, text: str) -> Sequence[Booking]:
    """By id; else standing ones to come, by kind and words of the title or the weekday."""
    bookings = ctx.services.travel.bookings()
    for booking in bookings:
        if booking.id == text:
            return [booking]
    words = [word for word in words_of(text) if word not in _SMALL]
    kinds = _KINDS & {word.removesuffix("s") for word in words}
    rest = [word for word in words if word.removesuffix("s") not in _KINDS]
    if not words:
        return []
    return [
        each
        for each in bookings
        if not each.cancelled
        and each.end > ctx.clock.now()
        and (not kinds or each.kind in kinds)
        and set(rest) <= {*words_of(each.title), f"{each.start:%A}".lower()}
    ]


_TEXT = WithJsonSchema({"type": "string"})
_FLIGHT = resolver(Trip, _trips("flight"), show_trip, "flight")
_TRAIN = resolver(Trip, _trips("train"), show_trip, "train")
_HOTEL = resolver(Hotel, lambda ctx, t: ctx.services.travel.find_hotels(t), show_hotel, "hotel")
_RESTAURANT = resolver(
    Restaurant,
    lambda ctx, text: ctx.services.travel.find_restaurants(text),
    show_restaurant,
    "restaurant",
)
_BOOKING = resolver(Booking, _bookings, show_booking, "booking")

FlightRef = Annotated[Trip, _FLIGHT[0], _FLIGHT[1], _TEXT]
"""A flight, by id or number."""
TrainRef = Annotated[Trip, _TRAIN[0], _TRAIN[1], _TEXT]
"""A train, by id or number."""
HotelRef = Annotated[Hotel, _HOTEL[0], _HOTEL[1], _TEXT]
"""A hotel, by id or name."""
RestaurantRef = Annotated[Restaurant, _RESTAURANT[0], _RESTAURANT[1], _TEXT]
"""A restaurant, by id or name."""
BookingRef = Annotated[Booking, _BOOKING[0], _BOOKING[1], _TEXT]
"""A booking, by id, kind ("my taxi") or words of it."""
