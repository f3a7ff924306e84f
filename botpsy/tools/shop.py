"""Tools for shopping: products, the cart, orders and returns.

What is ordered is paid at once. An order can be undone until it is shipped; cancelling one, as a
call of its own, cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from botpsy.chat.types import Json, JsonObject
from botpsy.services.base import Ref
from botpsy.services.money import show_money
from botpsy.services.records import key_of
from botpsy.services.shop import CART, Order
from botpsy.services.text import plain_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.goods import (
    AddressRef,
    CardRef,
    CartRef,
    LineRef,
    OrderRef,
    ProductRef,
    total_of,
)
from botpsy.tools.references import Amount

_SHOWN = 8
_REVIEWS = 5
_CART = [Ref("shop", CART)]

Pieces = Annotated[int, Field(ge=1, le=99)]


def _stock(ctx: Context, product: str) -> Json:
    return max(0, ctx.services.shop.in_stock(product)) or "out of stock"


def _money(ctx: Context, cents: int) -> str:
    return show_money(cents, ctx.services.shop.currency)


def _cart(ctx: Context) -> JsonObject:
    shop = ctx.services.shop
    items = shop.cart()
    entries: list[Json] = []
    for item in items:
        product = shop.product(item.product)
        entries.append(
            {
                "id": product.id,
                "product": plain_line(product.name),
                "quantity": item.quantity,
                "price": _money(ctx, product.price * item.quantity),
            }
        )
    return {"cart": entries, "total": _money(ctx, total_of(ctx, items))}


def _order(ctx: Context, order: Order) -> JsonObject:
    result: JsonObject = {
        "order": order.id,
        "items": plain_line(order.title),
        "total": _money(ctx, order.total),
        "status": order.status,
        "ordered": ctx.clock.show(order.placed.astimezone(ctx.clock.tz).date()),
    }
    if order.delivered is not None:
        result["delivered"] = ctx.clock.show(order.delivered)
    elif order.status != "cancelled":
        result["arrives"] = ctx.clock.show(order.due)
    if back := [each for each in order.lines if each.returned]:
        result["returned"] = ", ".join(
            f"{each.returned} x {plain_line(each.name)}" for each in back
        )
    return result


@tool(
    service="shop",
    domain="commerce",
    untrusted_output=True,
    examples=(
        "find a green kettle in the online shop",
        "search the shop for running shoes under 80 euros",
        "is there a cheap pair of headphones I could order online",
        "look for a birthday present in the shop, a board game maybe",
        "what does a yoga mat cost in the online store",
        "which backpacks do they sell",
        "do they have the blue tent in stock",
        "shop for a new kettle",
    ),
)
def search_products(
    ctx: Context,
    query: Annotated[str, "What to look for"],
    max_price: Annotated[Amount | None, "The most it may cost"] = None,
) -> JsonObject:
    """Search the online shop for products to order, with prices, ratings and stock."""
    found = [
        product
        for product in ctx.services.shop.search(query)
        if max_price is None or product.price <= max_price
    ]
    entries: list[Json] = []
    for product in found[:_SHOWN]:
        entry: JsonObject = {
            "id": product.id,
            "name": plain_line(product.name),
            "price": _money(ctx, product.price),
            "in_stock": _stock(ctx, product.id),
        }
        if product.rating:
            entry["rating"] = product.rating
        entries.append(entry)
    result: JsonObject = {"products": entries}
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


@tool(
    service="shop",
    domain="commerce",
    untrusted_output=True,
    examples=(
        "what do buyers say about that kettle",
        "read me the reviews of the blue tent",
        "can I send the headphones back if I order them",
        "how long would delivery of the desk take",
        "tell me more about the second product",
        "is the trail backpack any good, what do customers think of it",
    ),
)
def product_details(
    ctx: Context, product: Annotated[ProductRef, "Id from search_products, or the name"]
) -> JsonObject:
    """Tell about one product: description, delivery time, return terms, reviews by buyers."""
    found = product.record
    result: JsonObject = {
        "id": found.id,
        "name": plain_line(found.name),
        "price": _money(ctx, found.price),
        "in_stock": _stock(ctx, found.id),
        "description": found.description,
        "delivery": f"{found.days} days",
        "returns": f"within {found.return_days} days" if found.return_days else "not possible",
        "reviews": [f"{each.stars}/5: {each.text}" for each in found.reviews[:_REVIEWS]],
    }
    if len(found.reviews) > _REVIEWS:
        result["more_reviews"] = len(found.reviews) - _REVIEWS
    return result


@tool(
    effect="write",
    service="shop",
    domain="commerce",
    undo=lambda _ctx, _: _CART,
    examples=(
        "put the green kettle in my cart",
        "add two of the mugs to the basket",
        "into the shopping cart with the blue tent",
        "add the cheapest headphones to my cart",
        "one more of those in the cart please",
        "put three yoga mats in the basket",
    ),
)
def add_to_cart(
    ctx: Context,
    product: Annotated[ProductRef, "Id from search_products, or the name"],
    quantity: Annotated[Pieces, "How many"] = 1,
) -> JsonObject:
    """Put a product into the shopping cart of the online shop. Nothing is bought yet."""
    ctx.services.shop.put_in(product.record.id, quantity)
    return _cart(ctx)


@tool(
    effect="write",
    service="shop",
    domain="commerce",
    undo=lambda _ctx, _: _CART,
    examples=(
        "take the kettle out of my cart",
        "remove one of the mugs from the basket",
        "I don't want the tent any more, out of the shopping cart with it",
        "empty the headphones from my cart",
        "drop the yoga mat from the basket",
    ),
)
def remove_from_cart(
    ctx: Context,
    product: Annotated[CartRef, "Id or name of a product in the cart"],
    quantity: Annotated[Pieces | None, "How many; all of them if left out"] = None,
) -> JsonObject:
    """Take a product out of the shopping cart."""
    ctx.services.shop.take_out(product.record.id, quantity)
    return _cart(ctx)


@tool(
    service="shop",
    domain="commerce",
    examples=(
        "what is in my cart",
        "show the shopping basket",
        "how much is everything in the cart",
        "what would my cart come to",
        "did I put the mugs in the basket already",
    ),
)
def show_cart(ctx: Context) -> JsonObject:
    """Show what is in the shopping cart, and what it costs together."""
    return _cart(ctx)


def _order_refs(ctx: Context, _: Mapping[str, Any]) -> Sequence[Ref]:
    return [Ref("shop", key_of("order", ctx.action_id)), *_CART]


@tool(
    effect="spend",
    service="shop",
    domain="commerce",
    destinations=("address",),
    undo=_order_refs,
    examples=(
        "check out",
        "buy everything in my cart",
        "place the order please",
        "order what is in the basket and send it to the office",
        "pay for my cart with the other card",
        "go ahead and purchase it, ship it home",
        "complete the purchase",
    ),
)
def place_order(
    ctx: Context,
    address: Annotated[AddressRef, "Saved delivery address, like home; the usual one"] = None,
    card: Annotated[CardRef, "Saved card that pays; the usual one if left out"] = None,
) -> JsonObject:
    """Buy what is in the shopping cart: check out and pay."""
    assert address is not None and card is not None, "resolved to the usual ones"
    order = ctx.services.shop.order(
        ctx.action_id,
        card.record.items,
        address=address.record,
        payment=card.record.card,
        now=ctx.clock.now(),
    )
    return _order(ctx, order) | {"to": plain_line(order.address)}


@tool(
    service="shop",
    domain="commerce",
    examples=(
        "where is my parcel",
        "has the kettle I ordered been shipped",
        "when will my order arrive",
        "track my package",
        "what did I order last month",
        "is my delivery on its way",
        "show my recent orders",
        "what's the status of my order",
    ),
)
def order_status(
    ctx: Context,
    order: Annotated[OrderRef | None, "Id or words of what was ordered; all if left out"] = None,
) -> JsonObject:
    """Track the user's orders from the online shop: shipped, delivered, when they arrive."""
    if order is not None:
        return _order(ctx, order.record)
    orders = ctx.services.shop.orders()
    result: JsonObject = {"orders": [_order(ctx, each) for each in orders[:_SHOWN]]}
    if len(orders) > _SHOWN:
        result["more"] = len(orders) - _SHOWN
    return result


@tool(
    effect="write",
    service="shop",
    domain="commerce",
    examples=(
        "cancel my order of the kettle",
        "I ordered the wrong mugs, call the order off",
        "stop the tent order before it ships",
        "I don't want what I bought yesterday, cancel the purchase",
        "cancel order A-1001",
    ),
)
def cancel_order(
    ctx: Context, order: Annotated[OrderRef, "Id or words of what was ordered"]
) -> JsonObject:
    """Cancel an order from the online shop that has not been shipped yet."""
    after = ctx.services.shop.cancel(order.record.id, ctx.clock.now())
    return {"cancelled": plain_line(after.title), "refund": _money(ctx, after.total)}


@tool(
    effect="write",
    service="shop",
    domain="commerce",
    undo=lambda _ctx, values: [Ref("shop", key_of("order", values["order"].record.id))],
    examples=(
        "send the kettle back",
        "I want to return the shoes I ordered, they are too small",
        "return one of the mugs, it came broken",
        "the headphones don't work, start a return",
        "give the tent back to the shop and get my money",
    ),
)
def return_item(
    ctx: Context,
    order: Annotated[OrderRef, "Id or words of what was ordered"],
    item: Annotated[LineRef, "Which item, if the order has several"] = None,
    quantity: Annotated[Pieces, "How many of it"] = 1,
) -> JsonObject:
    """Send back an item that was delivered by the online shop."""
    assert item is not None, "resolved to the only one"
    ctx.services.shop.send_back(order.record.id, item.product, quantity, ctx.clock.now())
    return {
        "returning": f"{quantity} x {plain_line(item.name)}",
        "refund": _money(ctx, item.price * quantity),
        "when": "once the parcel has arrived",
    }


TOOLS: tuple[ToolDef, ...] = (
    search_products,
    product_details,
    add_to_cart,
    remove_from_cart,
    show_cart,
    place_order,
    order_status,
    cancel_order,
    return_item,
)
