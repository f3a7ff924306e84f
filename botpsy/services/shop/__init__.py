"""An online shop: products, reviews, the user's cart and orders.

``memory.MemoryShop`` serves worlds and tests. There is no other back end: in the product the
service is absent unless one is connected, and its tools are not offered.

Prices are cents of the shop's one currency. Who orders gives the order's id, and ordering again
under an id that exists gives the order that is there. Keys are ``cart`` and ``order:ID``. An order
that has not been shipped can be restored to nothing, as if it had never been. What is in stock
follows from the products less the orders. Names and descriptions come from sellers, reviews from
buyers: others have written them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from botpsy.services.base import Service

CART = "cart"
Status = Literal["placed", "shipped", "delivered", "cancelled"]


@dataclass(frozen=True, slots=True)
class Review:
    """What a buyer says."""

    stars: int
    text: str


@dataclass(frozen=True, slots=True)
class Product:
    """Something on sale.

    Attributes:
        stock: pieces, before the orders that are made here.
        days: from order to delivery.
        return_days: for how many days after delivery it can be sent back; 0: not at all.
    """

    id: str
    name: str
    price: int
    category: str = ""
    description: str = ""
    stock: int = 10
    rating: float = 0.0
    days: int = 3
    return_days: int = 30
    reviews: tuple[Review, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """So many pieces of a product, in the cart."""

    product: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Line:
    """So many pieces of a product, in an order; ``price`` is for one."""

    product: str
    name: str
    quantity: int
    price: int
    returned: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """What was ordered.

    Attributes:
        card: id of the card that paid.
        due: the day it is to arrive.
        delivered: the day it did.
    """

    id: str
    lines: tuple[Line, ...]
    placed: datetime
    address: str
    card: str
    due: date
    status: Status = "placed"
    delivered: date | None = None

    @property
    def total(self) -> int:
        """What it cost."""
        return sum(line.price * line.quantity for line in self.lines)

    @property
    def title(self) -> str:
        """``2 x Green mug, Kettle``."""
        return ", ".join(
            f"{line.quantity} x {line.name}" if line.quantity > 1 else line.name
            for line in self.lines
        )


@dataclass(frozen=True, slots=True)
class Address:
    """Where the shop may deliver; saved there by the user."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Payment:
    """A card that is saved at the shop; ``id`` is the card's."""

    id: str
    name: str


class ShopService(Service, Protocol):
    """Every method needs a connection (``ServiceError``)."""

    @property
    def currency(self) -> str:
        """Of all prices, as ISO 4217 has it."""
        ...

    def search(self, text: str) -> list[Product]:
        """Products that the words describe, the closest first, then the best rated."""
        ...

    def find(self, text: str) -> list[Product]:
        """Products that an id, a name or words of it may mean."""
        ...

    def product(self, id: str) -> Product:
        """By id.

        Raises:
            ServiceError: there is none.
        """
        ...

    def in_stock(self, product: str) -> int:
        """Pieces that can be ordered now."""
        ...

    def cart(self) -> list[Item]:
        """In the order in which they were put there."""
        ...

    def put_in(self, product: str, quantity: int) -> int:
        """Put pieces into the cart; how many of the product are in it then.

        Raises:
            ServiceError: there are not so many in stock.
        """
        ...

    def take_out(self, product: str, quantity: int | None) -> int:
        """Take pieces (None: all) out of the cart; how many are left.

        Raises:
            ServiceError: there are not so many in it.
        """
        ...

    def addresses(self) -> list[Address]:
        """Those that are saved, the usual one first."""
        ...

    def payments(self) -> list[Payment]:
        """Cards that are saved, the usual one first."""
        ...

    def orders(self) -> list[Order]:
        """All, the newest first."""
        ...

    def order(
        self,
        id: str,
        items: Sequence[Item],
        *,
        address: Address,
        payment: Payment,
        now: datetime,
    ) -> Order:
        """Buy ``items``, which are what is in the cart, and empty it.

        Raises:
            ServiceError: the cart holds other things, something is sold out, or the payment is
                refused.
        """
        ...

    def cancel(self, order: str, now: datetime) -> Order:
        """Cancel and pay back. Twice is once.

        Raises:
            ServiceError: it has been shipped.
        """
        ...

    def send_back(self, order: str, product: str, quantity: int, now: datetime) -> Order:
        """Announce a return; the money comes back when the parcel has arrived.

        Raises:
            ServiceError: it was not delivered, is not in the order, or cannot be returned (any
                more).
        """
        ...


__all__ = [
    "CART",
    "Address",
    "Item",
    "Line",
    "Order",
    "Payment",
    "Product",
    "Review",
    "ShopService",
    "Status",
]
