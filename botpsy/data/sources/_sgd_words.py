"""Our own words for conversations made from the Schema-Guided Dialogue corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from botpsy.chat.types import Message
from botpsy.data import reasoning

ASK_FIRST = (
    "Before you book, buy, send or start anything, repeat the details and let the user confirm.",
    "Searching needs no permission. Bookings, purchases and transfers do: confirm them first.",
    "Ask for a yes before any action that cannot be taken back. Look-ups need none.",
)
DECLINES = (
    "I have no tool for {thing} here. What I can do is {can}.",
    "That is beyond my tools: nothing I have deals with {thing}. I could {can} instead.",
    "Sorry, I cannot help with {thing}. My tools let me {can}.",
    "None of my tools covers {thing}, so I cannot do that. I can {can}.",
)
NAMED = {
    "Banks": r"balance|transfer|bank|account",
    "Buses": r"\bbus(es)?\b",
    "Calendar": r"calendar|schedule|free (time|slot)|available",
    "Events": r"concert|game|match|event|show",
    "Flights": r"flight|fly|plane",
    "Hotels": r"hotel|room|house|place to stay",
    "Media": r"movie|film",
    "Movies": r"movie|film|cinema|theat",
    "Music": r"song|music|listen|tune",
    "RentalCars": r"rent|car\b|cars\b",
    "Restaurants": r"restaurant|table|eat|dinner|lunch|food|place to dine",
    "RideSharing": r"cab|taxi|ride",
    "Services": r"doctor|dentist|stylist|salon|hair|gynecologist|dermatologist|specialist",
    "Travel": r"attraction|sight|museum|things to (do|see)|places to (see|visit|go)",
    "Weather": r"weather|forecast|rain|hot|cold|temperature|wind",
}
"""Family -> what a request says that leaves no doubt that it is of it."""
OFFERS = {
    "Events": frozenset({"Travel", "Movies", "Music"}),
    "Media": frozenset({"Movies"}),
    "Movies": frozenset({"Media", "Events"}),
    "Travel": frozenset({"Events"}),
    "RideSharing": frozenset({"RentalCars"}),
    "RentalCars": frozenset({"RideSharing"}),
    "Calendar": frozenset({"Services"}),
    "Services": frozenset({"Calendar"}),
    "Music": frozenset({"Events"}),
}
"""Family -> families whose requests it could pass for."""


def thought_of_turn(rng: Random, frame: Mapping[str, Any]) -> str:
    """Before a turn without a call."""
    acts = {each["act"] for each in frame["actions"]}
    slots = [human(each["slot"]) for each in frame["actions"] if each["act"] == "REQUEST"]
    if len(slots) > 1:
        return rng.choice(("Still needed: {}. Ask.", "Not said yet: {}. Ask for these.")).format(
            listing(slots)
        )
    if slots:
        return reasoning.for_question(rng, slots[0])
    if "CONFIRM" in acts:
        return rng.choice(
            (
                "All that is needed is known; confirm before doing it.",
                "This is to be confirmed first: repeat the details.",
                "Nothing is missing. It needs a yes first.",
            )
        )
    if "OFFER" in acts:
        return rng.choice(
            (
                "Another one is in the results: offer it.",
                "The results have more: name the next.",
                "No new search is needed; the results hold another.",
            )
        )
    if "OFFER_INTENT" in acts:
        return rng.choice(("Found and chosen: offer the next step.", "Ask if it is to be done."))
    if "INFORM" in acts:
        told = listing([human(e["slot"]) for e in frame["actions"] if e["act"] == "INFORM"])
        return rng.choice(
            (
                f"Already in the result: {told}.",
                f"The result tells the {told}; no call is needed.",
                f"Known from before: {told}.",
            )
        )
    return reasoning.for_chat(rng)


def thought_of_results(rng: Random, frame: Mapping[str, Any], result: Message) -> str:
    """Before the turn that tells what a call gave."""
    found = json.loads(result.content)
    if found.get("status") == "failed":
        if "alternative" in found:
            return rng.choice(
                (
                    "It failed, and another way is given: say so and offer it.",
                    "Not done. The result has an alternative: ask about it.",
                )
            )
        return rng.choice(("It failed: say so.", "That did not go through; tell the user."))
    if "status" in found:
        return reasoning.for_answer(rng, [result])
    if not found["count"]:
        return rng.choice(("Nothing was found: say so.", "No result; tell, and offer more help."))
    if found["count"] == 1:
        return rng.choice(("One result: tell it.", "Found one; say what it is.", "Found: answer."))
    some = f"{found['count']} results"
    return rng.choice((f"{some}: offer one.", f"{some}. Name one and see.", f"Found {some}."))


def human(slot: str) -> str:
    """``number_of_seats`` -> ``number of seats``."""
    return slot.replace("_", " ")


def listing(words: list[str]) -> str:
    """``a, b and c``."""
    words = list(dict.fromkeys(words))
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
