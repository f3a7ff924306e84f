"""Orders: where they are, calling them off, sending things back."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from botpsy.services.shop import Order
from botpsy.worlds.acts import ask, both, call, say, says
from botpsy.worlds.registry import family
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from botpsy.worlds.seeding.market import (
    coins,
    day_told,
    goods,
    in_words,
    ordered,
    pieces,
)

DOMAIN: Final = "commerce"
FAULTS = ("is too small", "arrived damaged", "is not what I expected", "has a flaw",
          "is the wrong colour", "looks nothing like the picture")  # fmt: skip


def _another(s: Scene, status: str = "delivered") -> Order:
    """An order that is not meant."""
    return ordered(s, [goods(s)], status, ago=s.choose((9, 12)), arrived=5)  # type: ignore[arg-type]


@family(DOMAIN, "single")
def where_is_it(s: Scene) -> Scenario:
    """Track one order."""
    thing = goods(s)
    order = ordered(s, [thing], "shipped", ago=s.choose((1, 2, 4)))
    _another(s)
    return s.scenario(
        s.say(
            "where's my {thing}? When does it get here?",
            "when will the {thing} I ordered arrive?",
            "track the parcel with the {thing} for me",
            "any idea which day the {thing} is coming?",
            thing=thing.name,
        ),
        [
            call("order_status", order=thing.name),
            say("It has been {status} and arrives {arrives}."),
        ],
        answer=(day_told(s, order.due),),
    )


@family(DOMAIN, "single")
def call_it_off(s: Scene) -> Scenario:
    """Cancel an order that has not left yet."""
    coins(s)
    thing = goods(s)
    ordered(s, [thing], ago=1)
    _another(s, "placed")
    return s.scenario(
        s.say(
            "cancel my order of the {thing}",
            "I ordered a {thing} yesterday, please call that off",
            "stop the {thing} before they send it, I don't need it any more",
            thing=thing.name,
        ),
        [
            call("cancel_order", order=thing.name),
            say("The order is cancelled and {refund} come back to your card."),
        ],
        offer=["return_item"],
    )


@family(DOMAIN, "single")
def send_it_back(s: Scene) -> Scenario:
    """Return the one thing of an order."""
    thing, fault = goods(s), s.choose(FAULTS)
    ordered(s, [thing], "delivered", ago=8, arrived=s.choose((1, 2, 4)))
    _another(s)
    return s.scenario(
        s.say(
            "the {thing} {fault}, I want to send it back",
            "start a return for the {thing}, it {fault}",
            "my {thing} arrived and {fault}. Send it back to the shop",
            thing=thing.name,
            fault=fault,
        ),
        [
            call("return_item", order=thing.name),
            say("The return is announced: {returning}. You get {refund} {when}."),
        ],
    )


@family(DOMAIN, "single", held_out=True)
def some_of_an_order(s: Scene) -> Scenario:
    """Some pieces of one item out of an order of several, named by its number."""
    (thing, plural), other = pieces(s), goods(s)
    count, back = s.choose(((3, 2), (4, 2), (4, 3)))
    order = ordered(s, [(thing, count), other], "delivered", ago=9, arrived=4)
    return s.scenario(
        s.say(
            "from order {id}, {back} of the {things} go back to the shop",
            "return {back} of the {count} {things} in order {id}",
            "{back} {things} of order {id} are broken, send those back",
            id=order.id,
            back=in_words(back),
            count=in_words(count),
            things=plural,
            exact=True,
        ),
        [
            call("return_item", order=order.id, item=thing.name, quantity=back),
            say("Going back: {returning}, worth {refund}."),
        ],
    )


@family(DOMAIN, "multi_step")
def the_last_thing_i_bought(s: Scene) -> Scenario:
    """Look what was ordered last, then return that."""
    thing = goods(s)
    order = ordered(s, [thing], "delivered", ago=5, arrived=1)
    _another(s)
    return s.scenario(
        s.say(
            "send back whatever I ordered last",
            "my latest order was a mistake, return it",
            "what came with my most recent order has to go back to the shop",
        ),
        [
            call("order_status"),
            call("return_item", order=order.id).because("the newest of the orders"),
            says(f"The return of {thing.name} is announced."),
        ],
        answer=(thing.name,),
    )


@family(DOMAIN, "multi_step")
def same_again(s: Scene) -> Scenario:
    """As many of it as the last time."""
    thing, plural = pieces(s)
    count = s.choose((2, 3, 4))
    ordered(s, [(thing, count)], "delivered", ago=30, arrived=26)
    _another(s)
    return s.scenario(
        s.say(
            "order the {things} again, as many as last time",
            "I want the same number of {things} as in my earlier order. Buy them",
            "reorder {things}, same quantity as before",
            things=plural,
        ),
        [
            call("order_status", order=thing.name),
            call("add_to_cart", product=thing.name, quantity=count).because(
                f"{count} in the earlier order"
            ),
            call("place_order"),
            say("Ordered again: {items}, {total}, to arrive {arrives}."),
        ],
    )


@family(DOMAIN, "parallel")
def one_off_one_back(s: Scene) -> Scenario:
    """One order is cancelled, a thing of another goes back."""
    fresh, old, fault = goods(s), goods(s), s.choose(FAULTS)
    ordered(s, [fresh], ago=1)
    ordered(s, [old], "delivered", ago=9, arrived=3)
    return s.scenario(
        s.say(
            "cancel the {fresh} I ordered yesterday, and return the {old}, it {fault}",
            "the {old} {fault}, so that goes back. And call off the order of the {fresh}",
            fresh=fresh.name,
            old=old.name,
            fault=fault,
        ),
        [
            both(
                call("cancel_order", order=fresh.name),
                call("return_item", order=old.name),
            ),
            says(f"The order of {fresh.name} is cancelled, and the {old.name} can go back."),
        ],
    )


@family(DOMAIN, "state")
def already_on_its_way(s: Scene) -> Scenario:
    """Shipped orders cannot be cancelled."""
    thing = goods(s)
    ordered(s, [thing], "shipped", ago=3)
    other = _another(s, "placed")
    return s.scenario(
        s.say(
            "please cancel the {thing} I ordered",
            "I found a cheaper one, so cancel my order of the {thing}",
            "get me out of the {thing} order",
            thing=thing.name,
        ),
        [
            call("cancel_order", order=thing.name),
            says(
                "It has been shipped already and can't be cancelled any more. "
                "You can send it back once it is here."
            ),
        ],
        offer=["return_item", "order_status"],
        answer=("shipped|sent|on its way|left", "back|return|returned"),
        near={"another order": [call("cancel_order", order=other.id), says("It was shipped.")]},
    )


@family(DOMAIN, "state")
def return_window_over(s: Scene) -> Scenario:
    """It could have been returned until some days ago."""
    days = s.choose((14, 30))
    thing = goods(s, return_days=days)
    late = s.choose((3, 8, 20))
    order = ordered(s, [thing], "delivered", ago=days + late + 4, arrived=days + late)
    last = s.now.date() - timedelta(days=late)
    other = _another(s)
    assert order.delivered is not None
    return s.scenario(
        s.say(
            "I've never used the {thing}, return it to the shop please",
            "send the {thing} back and get me my money",
            "can you announce a return for the {thing}?",
            thing=thing.name,
        ),
        [
            call("return_item", order=thing.name),
            says(f"That is too late: it could be returned until {s.clock.show(last)}."),
        ],
        offer=["cancel_order"],
        answer=(day_told(s, last),),
        near={
            "another order": [
                call("return_item", order=other.id),
                says(f"Done, it was possible until {s.clock.show(last)}."),
            ]
        },
    )


@family(DOMAIN, "state", held_out=True)
def only_if_not_shipped(s: Scene) -> Scenario:
    """Cancelled if it has not left yet, otherwise kept."""
    thing = goods(s)
    gone = s.chance(0.5)
    order = ordered(s, [thing], "shipped" if gone else "placed", ago=2)
    _another(s)
    turn = s.say(
        "if the {thing} hasn't been shipped yet, cancel it. If it has, I'll keep it",
        "look whether the {thing} has left already; cancel the order only if not",
        thing=thing.name,
    )
    if not gone:
        return s.scenario(
            turn,
            [
                call("order_status", order=thing.name),
                call("cancel_order", order=order.id),
                say("It had not been shipped, so it is cancelled: {refund} come back."),
            ],
        )
    return s.scenario(
        turn,
        [
            call("order_status", order=thing.name),
            say("It has been shipped, so you keep it. It arrives {arrives}."),
        ],
        offer=["cancel_order", "return_item"],
        answer=("shipped|sent|on its way|left",),
    )


@family(DOMAIN, "multi_turn")
def too_late_for_me(s: Scene) -> Scenario:
    """First when it comes, then: in that case, cancel."""
    thing = goods(s)
    order = ordered(s, [thing], ago=1)
    _another(s, "placed")
    return s.scenario(
        [
            s.say(
                "when is the {thing} going to be delivered?",
                "what's the state of my {thing} order?",
                thing=thing.name,
            ),
            s.say(
                "that's too late for the birthday, cancel it",
                "oh. Then I don't want it any more, call it off",
                "no good, I'm away then. Cancel the order",
            ),
        ],
        [
            call("order_status", order=thing.name),
            say("It is to arrive {arrives}."),
            call("cancel_order", order=order.id),
            say("Cancelled; {refund} come back to you."),
        ],
    )


@family(DOMAIN, "multi_turn")
def that_one_too(s: Scene) -> Scenario:
    """A second return out of the same order."""
    one, (two, _) = goods(s), pieces(s)
    ordered(s, [one, (two, 3)], "delivered", ago=9, arrived=2)
    return s.scenario(
        [
            s.say(
                "the {one} {fault}. Please return it",
                "I'm sending the {one} back, it {fault}",
                one=one.name,
                fault=s.choose(FAULTS),
            ),
            s.say(
                "and one {two} from the same order as well",
                "while you're at it, one {two} goes back too",
                two=two.name,
            ),
        ],
        [
            call("return_item", order=one.name, item=one.name),
            say("Going back: {returning}."),
            call("return_item", order=one.name, item=two.name).because("the same order as before"),
            say("That one as well: {returning}, {refund}."),
        ],
    )


@family(DOMAIN, "missing")
def which_of_two_orders(s: Scene) -> Scenario:
    """Ordered twice, at different times: ask which one goes back."""
    thing = goods(s)
    late = ordered(s, [thing], "delivered", ago=8, arrived=4)
    early = ordered(s, [thing], "delivered", ago=25, arrived=21)
    meant, said = s.choose(((late, "the newer one"), (early, "the older one")))
    days = [s.clock.show(each.placed.date()) for each in (early, late)]
    return s.scenario(
        s.say(
            "I want to return the {thing} I ordered",
            "send the {thing} back to the shop",
            thing=thing.name,
        ),
        [
            call("order_status"),
            ask(f"You ordered it twice, {days[0]} and {days[1]}. Which one goes back?", "which"),
            call("return_item", order=meant.id).because(
                f"{said} is of {s.clock.show(meant.placed.date())}"
            ),
            say("Announced: {returning}, {refund}."),
        ],
        facts={"which": s.say("{said}", "oh, {said}", said=said)},
    )
