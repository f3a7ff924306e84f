"""Flights, trains, hotels, restaurant tables and taxis: what can be booked, and what is booked.

``memory.MemoryTravel`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

Records are bookings, by id; who books gives the id, and booking again under an id that exists gives
the booking that is there. ``restore(id, None)`` cancels without a trace, which is possible only
where cancelling costs nothing. What is free follows from the offers less the bookings.
Reviews were written by others. All times are aware.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal, Protocol

from botpsy.errors import ServiceError
from botpsy.services.base import Service
from botpsy.services.hours import Hours

By = Literal["flight", "train"]
Kind = Literal["flight", "train", "hotel", "table", "taxi"]


@dataclass(frozen=True, slots=True)
class Trip:
    """One run of a flight or a train.

    Attributes:
        number: as on the ticket, for example ``LH 1902``.
        origin, destination: town and station or airport: ``Berlin (BER)``, ``Roma Termini``.
        price: for one person.
        seats: free ones.
        refundable: whether it can be cancelled without a fee until it leaves.
    """

    id: str
    by: By
    number: str
    origin: str
    destination: str
    departs: datetime
    arrives: datetime
    price: float
    seats: int = 9
    refundable: bool = False


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel.

    Attributes:
        price: for a room and a night.
        sleeps: guests that one room takes.
        rooms: free ones on a night that ``rooms_on`` does not name.
        refundable: whether it can be cancelled without a fee until the day before.
    """

    id: str
    name: str
    city: str
    price: float
    sleeps: int = 2
    rooms: int = 5
    rooms_on: Mapping[date, int] = field(default_factory=dict)
    rating: float = 0.0
    refundable: bool = True
    reviews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restaurant:
    """A restaurant that takes reservations; a table costs nothing and is kept for two hours.

    Attributes:
        largest: people at its largest table.
        full: times at which no table is free, for an hour before and after.
    """

    id: str
    name: str
    city: str
    cuisine: str
    address: str = ""
    hours: Hours = Hours()
    largest: int = 6
    full: tuple[datetime, ...] = ()
    rating: float = 0.0
    reviews: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taxis:
    """A taxi firm.

    Attributes:
        fare: what a ride costs.
        wait: minutes until a car is there.
        free: whether there is one now; for later there always is.
    """

    name: str
    fare: float = 20.0
    wait: int = 8
    free: bool = True
    seats: int = 4


@dataclass(frozen=True, slots=True)
class Booking:
    """Something booked.

    Attributes:
        offer: id of what was booked.
        title: what it is, for people: ``LH 1902, Berlin (BER) to Rome (FCO)``.
        people: passengers or guests; ``rooms`` is for hotels.
        price: in all, in the currency of the service.
        free_until: up to when cancelling costs nothing; None: it always costs the price.
        fee: what cancelling has cost, once ``cancelled``.
    """

    id: str
    kind: Kind
    offer: str
    title: str
    start: datetime
    end: datetime
    people: int = 1
    rooms: int = 1
    price: float = 0.0
    free_until: datetime | None = None
    cancelled: bool = False
    fee: float = 0.0

    def cancelling_costs(self, now: datetime) -> float:
        """The fee at a moment."""
        free = self.free_until is not None and now < self.free_until
        return 0.0 if free else self.price

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return {
            "id": self.id,
            "kind": self.kind,
            "offer": self.offer,
            "title": self.title,
            "start": self.start.isoformat(),
            "end": self.end.isoformat(),
            "people": self.people,
            "rooms": self.rooms,
            "price": self.price,
            "free_until": self.free_until.isoformat() if self.free_until else None,
            "cancelled": self.cancelled,
            "fee": self.fee,
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Booking:
        """The opposite of ``to_json``.

        Raises:
            ServiceError: it is no booking.
        """
        try:
            until = value["free_until"]
            return Booking(
                **{
                    **value,
                    "start": datetime.fromisoformat(value["start"]),
                    "end": datetime.fromisoformat(value["end"]),
                    "free_until": datetime.fromisoformat(until) if until else None,
                }
            )
        except (TypeError, KeyError, ValueError) as error:
            raise ServiceError(f"A stored booking is damaged ({error}).") from error


class TravelService(Service, Protocol):
    """Offers and bookings. Every method but ``bookings`` needs a connection (``ServiceError``).

    Searches give an empty list where there is nothing; ``text`` is an id, a number, a name, or
    words of them, and gives every offer it may mean.
    """

    @property
    def currency(self) -> str:
        """Of all prices, as ISO 4217 has it."""
        ...

    def trips(self, by: By, origin: str, destination: str, day: date) -> list[Trip]:
        """Those that leave on a day, by time, sold out ones too."""
        ...

    def days(self, by: By, origin: str, destination: str) -> list[date]:
        """The days on which there are any."""
        ...

    def find_trips(self, by: By, text: str) -> list[Trip]:
        """By id or number."""
        ...

    def seats(self, trip: Trip) -> int:
        """Free now."""
        ...

    def hotels(self, city: str) -> list[Hotel]:
        """In a town, the best rated first."""
        ...

    def find_hotels(self, text: str) -> list[Hotel]:
        """By id or name."""
        ...

    def rooms(self, hotel: Hotel, night: date) -> int:
        """Free on the night that begins on a day."""
        ...

    def restaurants(self, city: str | None, cuisine: str | None) -> list[Restaurant]:
        """The best rated first; without a town, those where the user is."""
        ...

    def find_restaurants(self, text: str) -> list[Restaurant]:
        """By id or name."""
        ...

    def table_free(self, restaurant: Restaurant, when: datetime) -> bool:
        """Whether it is open and has a table."""
        ...

    def bookings(self) -> list[Booking]:
        """All, cancelled ones too, by time."""
        ...

    def book_trip(self, id: str, trip: Trip, people: int, now: datetime) -> Booking:
        """Buy tickets.

        Raises:
            ServiceError: it has left, or has too few seats.
        """
        ...

    def book_hotel(
        self, id: str, hotel: Hotel, first: datetime, *, nights: int, guests: int, rooms: int
    ) -> Booking:
        """Rooms from ``first`` (the hour of arrival) on.

        Raises:
            ServiceError: they are too small, or a night is full.
        """
        ...

    def book_table(
        self, id: str, restaurant: Restaurant, when: datetime, people: int, now: datetime
    ) -> Booking:
        """Reserve a table at a time to come.

        Raises:
            ServiceError: it is closed or full then, or has no table so large.
        """
        ...

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
        """Order a taxi, for now or for later.

        Raises:
            ServiceError: there is none, or too many people for one.
        """
        ...

    def cancel(self, id: str, now: datetime) -> Booking:
        """Cancel; the booking as it then is, with the fee. Twice is once.

        Raises:
            ServiceError: no such booking, or it has begun.
        """
        ...


TABLE_TIME = timedelta(hours=2)
"""How long a table is kept."""

__all__ = [
    "TABLE_TIME",
    "Booking",
    "By",
    "Hotel",
    "Hours",
    "Kind",
    "Restaurant",
    "Taxis",
    "TravelService",
    "Trip",
]
