"""Argument types for shopping: products, what is in the cart, orders, addresses, cards.

See ``references`` for how they resolve. ``Paying`` is the card that pays for the cart; it shows
what will be bought and what it costs, since that is what the approver answers for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.errors import ToolError
from botpsy.services.money import show_money
from botpsy.services.shop import Address, Item, Line, Order, Payment, Product
from botpsy.services.text import plain_line
from botpsy.services.words import meant, telling
from botpsy.tools.base import Context
from botpsy.tools.references import Meant, resolver


@dataclass(frozen=True, slots=True)
class Paying:
    """A card, and what it will pay for."""

    card: Payment
    items: tuple[Item, ...]
    what: str


def total_of(ctx: Context, items: Sequence[Item]) -> int:
    """What they cost, in cents."""
    return sum(ctx.services.shop.product(item.product).price * item.quantity for item in items)


def _show_product(ctx: Context, product: Product) -> str:
    price = show_money(product.price, ctx.services.shop.currency)
    return f"{plain_line(product.name)}, {price} ({product.id})"


def _in_cart(ctx: Context, text: str) -> list[Product]:
    shop = ctx.services.shop
    return meant([shop.product(item.product) for item in shop.cart()], text, lambda p: p.name)


def _orders(ctx: Context, text: str) -> list[Order]:
    return meant(ctx.services.shop.orders(), text, lambda order: order.title)


def _show_order(ctx: Context, order: Order) -> str:
    total = show_money(order.total, ctx.services.shop.currency)
    placed = ctx.clock.show(order.placed.astimezone(ctx.clock.tz).date())
    return f"{plain_line(order.title)}, {total}, ordered {placed}, {order.status} ({order.id})"


def _usual_address(ctx: Context) -> Address:
    addresses = ctx.services.shop.addresses()
    if not addresses:
        raise ToolError("No delivery address is saved at the shop.")
    return addresses[0]


def _paying(ctx: Context, card: Payment) -> Paying:
    shop = ctx.services.shop
    items = tuple(shop.cart())
    if not items:
        raise ToolError("The cart is empty.", hint="Put something into it first.")
    products = [(item.quantity, plain_line(shop.product(item.product).name)) for item in items]
    what = ", ".join(f"{n} x {name}" if n > 1 else name for n, name in products)
    return Paying(card, items, f"{show_money(total_of(ctx, items), shop.currency)} for {what}")


def _usual_card(ctx: Context) -> Paying:
    cards = ctx.services.shop.payments()
    if not cards:
        raise ToolError("No card is saved at the shop.")
    return _paying(ctx, cards[0])


def _cards(ctx: Context, text: str) -> list[Paying]:
    found = meant(ctx.services.shop.payments(), text, lambda card: card.name)
    return [_paying(ctx, card) for card in found]


def _show_line(each: Line) -> str:
    return f"{plain_line(each.name)} ({each.product})"


def _line(value: object, info: ValidationInfo) -> Line:
    """The line of the order in ``info``; None means the only one there is."""
    if isinstance(value, Line):
        return value
    if "order" not in info.data:
        raise ValueError("The order is not known.")
    lines: tuple[Line, ...] = info.data["order"].record.lines
    text = "" if value is None else str(value).strip()
    words = set(telling(text))
    found = [each for each in lines if text in (each.product, _show_line(each))] or [
        each for each in lines if words <= set(telling(each.name))
    ]
    if len(found) != 1:
        names = "; ".join(_show_line(each) for each in lines)
        raise ToolError(f"Say which item of the order: {names}.")
    return found[0]


_PRODUCT = resolver(lambda ctx, text: ctx.services.shop.find(text), _show_product, "product")
_IN_CART = resolver(_in_cart, _show_product, "product in the cart called")
_ORDER = resolver(_orders, _show_order, "order")
_ADDRESS = resolver(
    lambda ctx, text: meant(ctx.services.shop.addresses(), text, lambda each: each.name),
    lambda _, address: f"{plain_line(address.name)}, {plain_line(address.text)} ({address.id})",
    "saved address",
    _usual_address,
)
_CARD = resolver(
    _cards,
    lambda _, paying: f"{plain_line(paying.card.name)} pays {paying.what} ({paying.card.id})",
    "saved card",
    _usual_card,
)

ProductRef: TypeAlias = Annotated[Meant[Product], _PRODUCT[0], _PRODUCT[1], _PRODUCT[2]]
"""A product on sale."""
CartRef: TypeAlias = Annotated[Meant[Product], _IN_CART[0], _IN_CART[1], _IN_CART[2]]
"""A product in the cart."""
OrderRef: TypeAlias = Annotated[Meant[Order], _ORDER[0], _ORDER[1], _ORDER[2]]
"""An order, by its id or words of what was ordered."""
AddressRef: TypeAlias = Annotated[
    Meant[Address] | None, _ADDRESS[0], _ADDRESS[1], _ADDRESS[2], Field(validate_default=True)
]
"""A saved address; the usual one if left out."""
CardRef: TypeAlias = Annotated[
    Meant[Paying] | None, _CARD[0], _CARD[1], _CARD[2], Field(validate_default=True)
]
"""A saved card that pays for the cart; the usual one if left out."""
LineRef: TypeAlias = Annotated[
    Line | None,
    BeforeValidator(_line),
    PlainSerializer(_show_line, return_type=str),
    WithJsonSchema({"type": "string"}),
    Field(validate_default=True),
]
"""An item of the order that the argument ``order`` means; the only one if left out."""
