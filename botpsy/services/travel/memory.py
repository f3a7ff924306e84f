"""Offers and bookings in memory, for worlds and tests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from botpsy.clock import show_day
from botpsy.errors import ServiceError
from botpsy.services import connection
from botpsy.services.device import DeviceService
from botpsy.services.travel import (
    TABLE_TIME,
    Booking,
    By,
    Hotel,
    Restaurant,
    Taxis,
    Trip,
)

_NEAR_FULL = timedelta(hours=1)
_STEP = timedelta(minutes=15)
_CHECK_OUT = 11


class _Offer(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Offer)


class MemoryTravel:
    """Offers by kind, bookings by id.

    ``here`` is the town where the user is. ``device`` is what it is reached by: no connection, no
    bookings.
    """

    def __init__(
        self,
        trips: Iterable[Trip] = (),
        hotels: Iterable[Hotel] = (),
        restaurants: Iterable[Restaurant] = (),
        *,
        taxis: Taxis | None = None,
        bookings: Iterable[Booking] = (),
        here: str = "",
        currency: str = "EUR",
        device: DeviceService | None = None,
    ) -> None:
        self._trips = tuple(sorted(trips, key=lambda trip: (trip.departs, trip.id)))
        self._hotels = tuple(sorted(hotels, key=lambda each: (-each.rating, each.price, each.id)))
        self._restaurants = tuple(sorted(restaurants, key=lambda each: (-each.rating, each.id)))
        self._taxis = taxis
        self._bookings = {booking.id: booking for booking in bookings}
        self._here = here
        self.currency = currency
        self._device = device

    # --- what there is ------------------------------------------------------------------------

    def trips(self, by: By, origin: str, destination: str, day: date) -> list[Trip]:
        return [trip for trip in self._between(by, origin, destination) if _day(trip) == day]

    def days(self, by: By, origin: str, destination: str) -> list[date]:
        return list(dict.fromkeys(_day(trip) for trip in self._between(by, origin, destination)))

    def _between(self, by: By, origin: str, destination: str) -> list[Trip]:
        connection.need(self._device)
        return [
            trip
            for trip in self._trips
            if trip.by == by and _in(origin, trip.origin) and _in(destination, trip.destination)
        ]

    def find_trips(self, by: By, text: str) -> list[Trip]:
        connection.need(self._device)
        return _meant([trip for trip in self._trips if trip.by == by], text, lambda t: t.number)

    def seats(self, trip: Trip) -> int:
        return trip.seats - sum(booking.people for booking in self._standing(trip.id))

    def hotels(self, city: str) -> list[Hotel]:
        connection.need(self._device)
        return [hotel for hotel in self._hotels if _in(city, hotel.city)]

    def find_hotels(self, text: str) -> list[Hotel]:
        connection.need(self._device)
        return _meant(self._hotels, text, lambda hotel: hotel.name)

    def rooms(self, hotel: Hotel, night: date) -> int:
        taken = sum(
            booking.rooms
            for booking in self._standing(hotel.id)
            if booking.start.date() <= night < booking.end.date()
        )
        return hotel.rooms_on.get(night, hotel.rooms) - taken

    def restaurants(self, city: str | None, cuisine: str | None) -> list[Restaurant]:
        connection.need(self._device)
        return [
            each
            for each in self._restaurants
            if _in(city or self._here, each.city) and (not cuisine or _in(cuisine, each.cuisine))
        ]

    def find_restaurants(self, text: str) -> list[Restaurant]:
        connection.need(self._device)
        return _meant(self._restaurants, text, lambda each: each.name)

    def table_free(self, restaurant: Restaurant, when: datetime) -> bool:
        return restaurant.hours.open_at(when) and not any(
            abs(full - when) < _NEAR_FULL for full in restaurant.full
        )

    def bookings(self) -> list[Booking]:
        return sorted(self._bookings.values(), key=lambda each: (each.start, each.id))

    def _standing(self, offer: str) -> list[Booking]:
        return [b for b in self._bookings.values() if b.offer == offer and not b.cancelled]

    # --- booking ------------------------------------------------------------------------------

    def book_trip(self, id: str, trip: Trip, people: int, now: datetime) -> Booking:
        connection.need(self._device)
        if id in self._bookings:
            return self._bookings[id]
        if trip.departs <= now:
            raise ServiceError(f"{trip.number} has left already.")
        left = self.seats(trip)
        if left < people:
            why = f"has too few seats left: {left}" if left > 0 else "is sold out"
            raise ServiceError(f"{trip.number} {why}.", hint="Look for another one.")
        return self._keep(
            Booking(
                id,
                trip.by,
                trip.id,
                f"{trip.number}, {trip.origin} to {trip.destination}",
                trip.departs,
                trip.arrives,
                people,
                price=round(trip.price * people, 2),
                free_until=trip.departs if trip.refundable else None,
            )
        )

    def book_hotel(
        self, id: str, hotel: Hotel, first: datetime, *, nights: int, guests: int, rooms: int
    ) -> Booking:
        connection.need(self._device)
        if id in self._bookings:
            return self._bookings[id]
        if guests > hotel.sleeps * rooms:
            raise ServiceError(
                f"A room at {hotel.name} takes {hotel.sleeps} guests; "
                f"{guests} need {-(-guests // hotel.sleeps)} rooms."
            )
        for night in range(nights):
            day = first.date() + timedelta(days=night)
            left = self.rooms(hotel, day)
            if left < rooms:
                why = f"has too few rooms, {left}," if left > 0 else "is full"
                raise ServiceError(f"{hotel.name} {why} on the night of {show_day(day)}.")
        leave = datetime.combine(
            first.date() + timedelta(days=nights), time(_CHECK_OUT), first.tzinfo
        )
        midnight = datetime.combine(first.date(), time(), first.tzinfo)
        return self._keep(
            Booking(
                id,
                "hotel",
                hotel.id,
                f"{hotel.name}, {hotel.city}",
                first,
                leave,
                guests,
                rooms,
                round(hotel.price * nights * rooms, 2),
                midnight if hotel.refundable else None,
            )
        )

    def book_table(
        self, id: str, restaurant: Restaurant, when: datetime, people: int, now: datetime
    ) -> Booking:
        connection.need(self._device)
        if id in self._bookings:
            return self._bookings[id]
        if people > restaurant.largest:
            raise ServiceError(
                f"The largest table at {restaurant.name} is for {restaurant.largest} people."
            )
        if not restaurant.hours.open_at(when):
            raise ServiceError(
                f"{restaurant.name} is closed then.",
                hint=f"Its hours: {restaurant.hours.show()}.",
            )
        if not self.table_free(restaurant, when):
            raise ServiceError(
                f"{restaurant.name} has no table at {when:%H:%M} on that day.",
                hint=self._other_times(restaurant, when, now),
            )
        return self._keep(
            Booking(
                id,
                "table",
                restaurant.id,
                f"{restaurant.name}, {restaurant.city}",
                when,
                when + TABLE_TIME,
                people,
                free_until=when,
            )
        )

    def _other_times(self, restaurant: Restaurant, when: datetime, now: datetime) -> str:
        """The nearest ones that day with a free table."""
        near = [when + step * sign * _STEP for step in range(1, 13) for sign in (-1, 1)]
        free = [
            time
            for time in near
            if time.date() == when.date() and time > now and self.table_free(restaurant, time)
        ]
        times = ", ".join(f"{time:%H:%M}" for time in sorted(free[:4]))
        return f"It has one at: {times}." if times else ""

    def call_taxi(
        self,
        id: str,
        pickup: str,
        destination: str,
        *,
        when: datetime | None,
        people: int,
        now: datetime,
    ) -> Booking:
        connection.need(self._device)
        if id in self._bookings:
            return self._bookings[id]
        firm = self._taxis
        if firm is None:
            raise ServiceError("There are no taxis here.")
        if when is None and not firm.free:
            raise ServiceError(f"{firm.name} has no car free now.", hint="Order one for later.")
        if people > firm.seats:
            raise ServiceError(f"A taxi of {firm.name} takes {firm.seats} people.")
        start = when or now + timedelta(minutes=firm.wait)
        return self._keep(
            Booking(
                id,
                "taxi",
                firm.name,
                f"{firm.name}, {pickup} to {destination}",
                start,
                start + timedelta(minutes=30),
                people,
                price=firm.fare,
                free_until=start,
            )
        )

    def cancel(self, id: str, now: datetime) -> Booking:
        connection.need(self._device)
        booking = self._bookings.get(id)
        if booking is None:
            raise ServiceError(f"There is no booking {id}.")
        if booking.cancelled:
            return booking
        if booking.start <= now:
            raise ServiceError(f"{booking.title} has begun; it cannot be cancelled.")
        fee = booking.cancelling_costs(now)
        return self._keep(replace(booking, cancelled=True, fee=fee))

    def _keep(self, booking: Booking) -> Booking:
        self._bookings[booking.id] = booking
        return booking

    # --- records ------------------------------------------------------------------------------

    def snapshot(self, key: str) -> str | None:
        found = self._bookings.get(key)
        return json.dumps(found.to_json(), sort_keys=True, ensure_ascii=False) if found else None

    def restore(self, key: str, state: str | None) -> None:
        if state is not None:
            self._keep(Booking.from_json(json.loads(state)))
            return
        found = self._bookings.get(key)
        if found is not None and found.free_until is None:
            raise ServiceError(f"{found.title} cannot be cancelled without a fee.")
        self._bookings.pop(key, None)

    def dump(self) -> dict[str, Any]:
        """The bookings, for comparison; offers never change."""
        return {key: self._bookings[key].to_json() for key in sorted(self._bookings)}


def _meant(offers: Sequence[T], text: str, name: Callable[[T], str]) -> list[T]:
    """Those with this id, else with this name, else with these words in their name."""
    for offer in offers:
        if text == offer.id:
            return [offer]
    wanted = _words(text)
    joined = "".join(wanted)
    exact = [offer for offer in offers if joined and "".join(_words(name(offer))) == joined]
    return exact or [offer for offer in offers if wanted and _in(text, name(offer))]


def _in(text: str, whole: str) -> bool:
    """Whether every word of the text is one of ``whole``."""
    words = _words(text)
    return bool(words) and set(words) <= set(_words(whole))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"[^\W_]+", text.casefold()) if word != "the")


def _day(trip: Trip) -> date:
    return trip.departs.date()
