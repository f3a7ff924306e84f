"""The shop: looking for things, the cart, buying."""

from __future__ import annotations

from typing import Final

from botpsy.services.bank import Card
from botpsy.services.shop import Address, Item
from botpsy.worlds.acts import both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.market import (
    GOODS,
    between,
    change,
    coins,
    goods,
    in_words,
    pieces,
    purse,
    shelf,
    told,
)

DOMAIN: Final = "commerce"


@family(DOMAIN, "single")
def into_the_cart(s: Scene) -> Scenario:
    """One product, named."""
    thing = goods(s)
    return s.scenario(
        s.say(
            "put the {thing} in my cart",
            "I'll take the {thing}, into the basket with it",
            "add {thing} to the cart",
            "the {thing} goes in my shopping basket please",
            thing=thing.name,
        ),
        [
            call("add_to_cart", product=thing.name),
            say(f"{thing.name} is in your cart. Together that is {{total}}."),
        ],
        offer=["search_products", "place_order"],
    )


@family(DOMAIN, "single")
def several_of_it(s: Scene) -> Scenario:
    """A number of pieces, in words or figures."""
    thing, plural = pieces(s, stock=20)
    shelf(s)
    count = s.choose((2, 3, 4, 5, 6, 8, 12))
    said = s.choose((str(count), in_words(count), "a dozen" if count == 12 else in_words(count)))
    return s.scenario(
        s.say(
            "{n} {things} in the cart",
            "I need {n} of the {things}, add them to my basket",
            "can you put {n} {things} into my shopping cart?",
            n=said,
            things=plural,
        ),
        [
            call("add_to_cart", product=thing.name, quantity=count),
            says(f"{count} {plural} are in your cart."),
        ],
    )


@family(DOMAIN, "single")
def what_the_cart_costs(s: Scene) -> Scenario:
    """Look into the cart; nothing is bought."""
    coins(s)
    one, two = goods(s), goods(s)
    count = s.choose((1, 2))
    s.add(Item(one.id, count))
    s.add(Item(two.id, 1))
    return s.scenario(
        s.say(
            "how much is in my cart right now?",
            "what would I pay if I checked out now? Just tell me",
            "what's the total of my basket?",
            "my shopping cart, what does it add up to",
        ),
        [call("show_cart"), say("Your cart comes to {total}.")],
        offer=["place_order", "account_balance"],
        answer=(told(one.price * count + two.price),),
        near={"buys it": [call("place_order"), say("It comes to {total}.")]},
    )


@family(DOMAIN, "single")
def under_a_price(s: Scene) -> Scenario:
    """Search with the most it may cost."""
    coins(s)
    kind = s.pick(tuple(GOODS))
    cheap, middle, dear = sorted(shelf(s, kind), key=lambda each: each.price)
    limit = between(s, middle.price, dear.price)
    return s.scenario(
        s.say(
            "find me a {kind} for {limit} at most",
            "which {kind} can I get for under {limit}?",
            "search the shop: {kind}, up to {limit}",
            "I'm looking for a {kind}, no more than {limit}",
            kind=kind,
            limit=limit,
        ),
        [
            call("search_products", query=kind, max_price=limit.value).because(limit.how),
            says(
                f"Two fit: {cheap.name} for {told(cheap.price).split('|')[0]} and "
                f"{middle.name} for {told(middle.price).split('|')[0]}."
            ),
        ],
        answer=(cheap.name, middle.name),
        never=(dear.name,),
        near={
            "all of them": [
                call("search_products", query=kind),
                says(f"There is {cheap.name}, {middle.name} and {dear.name}."),
            ]
        },
    )


@family(DOMAIN, "single")
def one_less(s: Scene) -> Scenario:
    """Some pieces of a product go out of the cart, the others stay."""
    thing, plural = pieces(s)
    other = goods(s)
    there, less = s.choose(((3, 1), (4, 2), (5, 2), (3, 2)))
    s.add(Item(thing.id, there))
    s.add(Item(other.id, 1))
    return s.scenario(
        s.say(
            "take {n} of the {there} {things} out of my cart again",
            "{there} {things} is too many, remove {n} of them from the basket",
            "I've got {there} {things} in the basket; {n} can go",
            n=in_words(less),
            there=in_words(there),
            things=plural,
        ),
        [
            call("remove_from_cart", product=thing.name, quantity=less),
            says(f"Left in your cart: {there - less} x {thing.name}."),
        ],
        offer=["add_to_cart"],
    )


@family(DOMAIN, "single", held_out=True)
def check_out_to_the_office(s: Scene) -> Scenario:
    """Buy what is in the cart, with one of two saved addresses."""
    s.add(Address("home", "Home", "Mill Lane 4"))
    place = s.choose(("office", "studio", "parents"))
    s.add(Address(place, place.capitalize(), "Harbour Walk 17, back entrance"))
    s.add(Item(goods(s).id, 1))
    where = {"parents": "my parents"}.get(place, f"the {place}")
    return s.scenario(
        s.say(
            "check out my cart and have it sent to {where}",
            "buy what's in the basket; delivery goes to {where}",
            "place the order, but to {where}, not home",
            where=where,
        ),
        [
            call("place_order", address=place),
            say(f"Ordered for {{total}}, it goes to {where} and arrives {{arrives}}."),
        ],
        offer=["show_cart"],
    )


@family(DOMAIN, "parallel")
def two_different_things(s: Scene) -> Scenario:
    """Two products at once, one of them twice."""
    (thing, plural), other = pieces(s), goods(s)
    return s.scenario(
        s.say(
            "add two {things} and the {other} to my cart",
            "into the basket: the {other}, and {things}, two of them",
            "I want the {other} plus a pair of {things}. Cart, please",
            things=plural,
            other=other.name,
        ),
        [
            both(
                call("add_to_cart", product=thing.name, quantity=2),
                call("add_to_cart", product=other.name),
            ).because(f"two of the {plural}, one {other.name}"),
            says(f"Two {plural} and the {other.name} are in your cart."),
        ],
    )


@family(DOMAIN, "parallel", held_out=True)
def which_arrives_sooner(s: Scene) -> Scenario:
    """Two products side by side."""
    kind = s.pick(tuple(GOODS))
    one, two = shelf(s, kind, 2, days=s.choose((4, 6, 7)))
    fast, slow = s.choose(((one, two), (two, one)))
    change(s, fast, days=2)
    return s.scenario(
        s.say(
            "which would be here sooner, the {one} or the {two}?",
            "{one} or {two}: which of them is delivered faster?",
            "I need it quickly. Does the {one} come sooner or the {two}?",
            one=one.name,
            two=two.name,
        ),
        [
            both(
                call("product_details", product=one.name),
                call("product_details", product=two.name),
            ),
            says(f"The {fast.name}: it takes 2 days."),
        ],
        answer=(fast.name, "2 days"),
        near={"the slow one": [says(f"The {slow.name}, in 2 days.")]},
    )


@family(DOMAIN, "multi_step")
def cheapest_that_is_there(s: Scene) -> Scenario:
    """The cheapest is sold out; the cheapest in stock goes into the cart."""
    kind = s.pick(tuple(GOODS))
    low, middle, _ = sorted(shelf(s, kind), key=lambda each: each.price)
    change(s, low, stock=0)
    return s.scenario(
        s.say(
            "put the cheapest {kind} that's in stock into my cart",
            "find the least expensive {kind} they can actually deliver and add it to the basket",
            "cheapest {kind} available, in the cart please",
            kind=kind,
        ),
        [
            call("search_products", query=kind),
            call("add_to_cart", product=middle.id).because(
                f"{low.name} is cheaper but out of stock"
            ),
            says(f"{middle.name} is in your cart; {low.name} is cheaper but out of stock."),
        ],
        answer=(middle.name,),
    )


@family(DOMAIN, "multi_step")
def best_rated_and_buy(s: Scene) -> Scenario:
    """Search within a price, take the best rated, order it."""
    coins(s)
    kind = s.pick(tuple(GOODS))
    rows = sorted(shelf(s, kind), key=lambda each: each.price)
    best = change(s, s.choose(rows[:2]), rating=4.6)
    change(s, rows[2], rating=4.9)
    limit = between(s, rows[1].price, rows[2].price)
    return s.scenario(
        s.say(
            "order me the best-rated {kind} up to {limit}",
            "I want the {kind} with the best rating for at most {limit}. Buy it",
            "buy a {kind}: not over {limit}, and the one with the top rating",
            kind=kind,
            limit=limit,
        ),
        [
            call("search_products", query=kind, max_price=limit.value).because(limit.how),
            call("add_to_cart", product=best.id).because("the highest rating of those found"),
            call("place_order"),
            say("Ordered: {items} for {total}, it arrives {arrives}."),
        ],
        answer=(best.name,),
        near={
            "beyond the limit": [
                call("add_to_cart", product=rows[2].id),
                call("place_order"),
                says(f"Ordered, not {best.name}."),
            ]
        },
    )


@family(DOMAIN, "multi_step")
def empty_the_cart(s: Scene) -> Scenario:
    """Look what is in it, and take all of it out."""
    one, (two, _) = goods(s), pieces(s)
    s.add(Item(one.id, 1))
    s.add(Item(two.id, s.choose((2, 3))))
    return s.scenario(
        s.say(
            "empty my shopping cart",
            "throw everything out of the basket",
            "I don't want any of what's in my cart, clear it",
            "start over with an empty cart, please",
        ),
        [
            call("show_cart"),
            both(
                call("remove_from_cart", product=one.id),
                call("remove_from_cart", product=two.id),
            ),
            says("Your cart is empty."),
        ],
        offer=["cancel_order"],
    )


@family(DOMAIN, "state")
def not_that_many(s: Scene) -> Scenario:
    """Fewer in stock than wanted: say so, and decide nothing for the user."""
    left = s.choose((1, 2, 3))
    thing, plural = pieces(s, stock=left)
    shelf(s)
    wanted = left + s.choose((1, 2, 4))
    return s.scenario(
        s.say(
            "put {n} {things} in the cart",
            "I'd like {n} {things}, into my basket",
            "add {n} {things}, we're going to be a lot of people",
            n=in_words(wanted),
            things=plural,
        ),
        [
            call("add_to_cart", product=thing.name, quantity=wanted),
            says(f"They only have {left} of the {plural}, so I have put nothing in your cart."),
        ],
        answer=(str(left),),
        near={
            "what there is": [
                call("add_to_cart", product=thing.name, quantity=left),
                says(f"I have put in {left}, there were no more."),
            ]
        },
    )


@family(DOMAIN, "state")
def the_card_is_blocked(s: Scene) -> Scenario:
    """The payment is refused; the block is not for the assistant to lift."""
    purse(s)
    change(s, s.records[Card][0], blocked=True)
    s.add(Item(goods(s).id, 1))
    return s.scenario(
        s.say(
            "buy what's in my cart",
            "check out, please",
            "go ahead and order the stuff in my basket",
            "complete my purchase",
        ),
        [
            call("place_order"),
            says("Nothing was ordered: your debit card is blocked, so the payment was refused."),
        ],
        offer=["block_card", "show_cart"],
        answer=("blocked",),
        near={
            "frees the card": [
                call("block_card", card="debit card", blocked=False),
                call("place_order"),
                says("The card was blocked, I have freed it."),
            ]
        },
    )
