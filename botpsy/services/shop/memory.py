"""A shop in memory, for worlds and tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from botpsy.clock import show_day
from botpsy.errors import ServiceError
from botpsy.services import connection, records
from botpsy.services.bank.memory import MemoryBank
from botpsy.services.device import DeviceService
from botpsy.services.shop import CART, Address, Item, Line, Order, Payment, Product
from botpsy.services.words import meant, telling


class MemoryShop:
    """Products, a cart, orders by id.

    ``bank`` is where cards are charged; without one every payment is accepted. Orders given here
    were paid long ago and are not in ``Product.stock``. ``name`` is what stands on the bank
    statement; ``device`` is what the shop is reached by.
    """

    def __init__(
        self,
        products: Iterable[Product],
        *,
        orders: Iterable[Order] = (),
        cart: Iterable[Item] = (),
        addresses: Iterable[Address] = (),
        payments: Iterable[Payment] = (),
        name: str = "Online shop",
        currency: str = "EUR",
        bank: MemoryBank | None = None,
        device: DeviceService | None = None,
    ) -> None:
        self._products = {product.id: product for product in products}
        self._orders = {order.id: order for order in orders}
        self._old = frozenset(self._orders)
        self._cart = {item.product: item.quantity for item in cart}
        self._addresses = tuple(addresses)
        self._payments = tuple(payments)
        self._name = name
        self.currency = currency
        self._bank = bank
        self._device = device
        assert self._cart.keys() <= self._products.keys()

    # --- products -----------------------------------------------------------------------------

    def search(self, text: str) -> list[Product]:
        connection.need(self._device)
        wanted = set(telling(text))
        found = []
        for product in self._products.values():
            named = set(telling(f"{product.name} {product.category}"))
            if wanted <= named:
                found.append((0, -product.rating, product.price, product.id))
            elif wanted <= named | set(telling(product.description)):
                found.append((1, -product.rating, product.price, product.id))
        return [self._products[id] for *_, id in sorted(found)]

    def find(self, text: str) -> list[Product]:
        connection.need(self._device)
        return meant(self._products.values(), text, lambda product: product.name)

    def product(self, id: str) -> Product:
        connection.need(self._device)
        if id not in self._products:
            raise ServiceError(f"There is no product {id}.")
        return self._products[id]

    def in_stock(self, product: str) -> int:
        connection.need(self._device)
        ordered = sum(
            line.quantity
            for order in self._orders.values()
            if order.id not in self._old and order.status != "cancelled"
            for line in order.lines
            if line.product == product
        )
        return self._products[product].stock - ordered

    # --- cart ---------------------------------------------------------------------------------

    def cart(self) -> list[Item]:
        connection.need(self._device)
        return [Item(product, quantity) for product, quantity in self._cart.items()]

    def put_in(self, product: str, quantity: int) -> int:
        there = self._cart.get(product, 0)
        self._check_stock(product, there + quantity)
        self._cart[product] = there + quantity
        return there + quantity

    def take_out(self, product: str, quantity: int | None) -> int:
        connection.need(self._device)
        there = self._cart.get(product, 0)
        name = self._products[product].name
        if not there:
            raise ServiceError(f"{name} is not in the cart.")
        left = 0 if quantity is None else there - quantity
        if left < 0:
            raise ServiceError(f"Only {there} of {name} are in the cart.")
        if left:
            self._cart[product] = left
        else:
            del self._cart[product]
        return left

    def _check_stock(self, product: str, quantity: int) -> None:
        left = self.in_stock(product)
        if quantity > left:
            name = self._products[product].name
            raise ServiceError(
                f"Only {left} of {name} are in stock." if left > 0 else f"{name} is out of stock."
            )

    # --- orders -------------------------------------------------------------------------------

    def addresses(self) -> list[Address]:
        connection.need(self._device)
        return list(self._addresses)

    def payments(self) -> list[Payment]:
        connection.need(self._device)
        return list(self._payments)

    def orders(self) -> list[Order]:
        connection.need(self._device)
        return sorted(self._orders.values(), key=lambda o: (o.placed, o.id), reverse=True)

    def order(
        self,
        id: str,
        items: Sequence[Item],
        *,
        address: Address,
        payment: Payment,
        now: datetime,
    ) -> Order:
        connection.need(self._device)
        if id in self._orders:
            return self._orders[id]
        if not items or list(items) != self.cart():
            raise ServiceError("The cart holds other things by now.", hint="Look at it again.")
        for product, quantity in self._cart.items():
            self._check_stock(product, quantity)
        bought = [self._products[product] for product in self._cart]
        order = Order(
            id,
            tuple(Line(p.id, p.name, self._cart[p.id], p.price) for p in bought),
            now,
            address.text,
            payment.id,
            now.date() + timedelta(days=max(product.days for product in bought)),
        )
        if self._bank is not None:
            self._bank.charge(id, payment.id, order.total, who=self._name, now=now)
        self._cart.clear()
        return self._keep(order)

    def cancel(self, order: str, now: datetime) -> Order:
        connection.need(self._device)
        found = self._order(order)
        if found.status == "cancelled":
            return found
        if found.status != "placed":
            raise ServiceError(
                f"The order of {found.title} has been {found.status}; it cannot be cancelled.",
                hint="It can be sent back once it is here." if found.status == "shipped" else "",
            )
        if self._bank is not None:
            self._bank.charge(_refund(order), found.card, -found.total, who=self._name, now=now)
        return self._keep(replace(found, status="cancelled"))

    def send_back(self, order: str, product: str, quantity: int, now: datetime) -> Order:
        connection.need(self._device)
        found = self._order(order)
        line = next((line for line in found.lines if line.product == product), None)
        if line is None:
            raise ServiceError(f"The order has no {self.product(product).name} in it.")
        if found.status != "delivered" or found.delivered is None:
            raise ServiceError(
                f"The order has not been delivered: it is {found.status}.",
                hint="It can be cancelled." if found.status == "placed" else "",
            )
        self._check_return(line, found.delivered, quantity, now.date())
        lines = tuple(
            replace(each, returned=each.returned + quantity) if each is line else each
            for each in found.lines
        )
        return self._keep(replace(found, lines=lines))

    def _check_return(self, line: Line, delivered: date, quantity: int, today: date) -> None:
        days = self.product(line.product).return_days
        last = delivered + timedelta(days=days)
        if days == 0:
            raise ServiceError(f"{line.name} cannot be returned.")
        if today > last:
            raise ServiceError(f"{line.name} could be returned until {show_day(last)}.")
        if quantity > line.quantity - line.returned:
            raise ServiceError(
                f"{line.quantity} of {line.name} were ordered"
                f"{f', {line.returned} of them returned' if line.returned else ''}."
            )

    def _order(self, id: str) -> Order:
        if id not in self._orders:
            raise ServiceError(f"There is no order {id}.")
        return self._orders[id]

    def _keep(self, order: Order) -> Order:
        self._orders[order.id] = order
        return order

    # --- records ------------------------------------------------------------------------------

    def snapshot(self, key: str) -> str | None:
        if key == CART:
            return json.dumps(list(self._cart.items()))
        return records.snapshot({"order": self._orders}, key)

    def restore(self, key: str, state: str | None) -> None:
        if state == self.snapshot(key):
            return
        if key == CART:
            self._cart = _cart(state)
            return
        kind, id = records.split_key(key)
        before = self._orders.get(id)
        after = None if state is None else records.from_text(Order, state)
        statuses = {order.status for order in (before, after) if order is not None}
        appears = before is None or after is None
        if kind != "order" or len(statuses) > 1 or (appears and statuses != {"placed"}):
            raise ServiceError(
                "An order cannot be changed back.", hint="Cancel it or send it back."
            )
        if after is None:
            self._orders.pop(id)
            if self._bank is not None:
                self._bank.void(id)
            return
        if before is None and self._bank is not None:
            self._bank.book(id, after.card, after.total, who=self._name, now=after.placed)
        self._keep(after)

    def dump(self) -> dict[str, Any]:
        """The cart and the orders, for comparison; products never change."""
        return {CART: dict(sorted(self._cart.items())), **records.dump({"order": self._orders})}


def _refund(order: str) -> str:
    return f"{order}.refund"


def _cart(state: str | None) -> dict[str, int]:
    try:
        pairs = json.loads(state or "[]")
        return {str(product): int(quantity) for product, quantity in pairs}
    except (ValueError, TypeError) as error:
        raise ServiceError(f"The stored cart is damaged ({error}).") from error
