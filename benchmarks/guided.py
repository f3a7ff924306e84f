"""How well the untrained default model does under guidance: everyday requests, run once each.

    python benchmarks/guided.py [MODEL.gguf]

The first two sets were seen while the guidance was written, the third after most of it; the last
was written when all was done and is the one to quote. A call is exact when the tool and all
arguments are right, small words at a value's start ("the", "on") and a closing "list" set aside.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from botpsy.assistant.choice import chooser
from botpsy.assistant.selection import select
from botpsy.chat.types import Message
from botpsy.engines import store
from botpsy.engines.embedded import Embedded
from botpsy.engines.untrained import Guided
from botpsy.services.bundle import ONLY_IN_WORLDS
from botpsy.tools import catalogue

Case = tuple[str, str | None, dict[str, str]]
SMALL = frozenset(["a", "an", "the", "on", "at", "for", "of", "by", "in", "to", "my", "file"])

SEEN: list[Case] = [
    (
        "Put dentist on my calendar next Friday at 15:00",
        "create_event",
        {"title": "dentist", "start": "next Friday at 15:00"},
    ),
    (
        "Schedule lunch with Maria tomorrow at noon",
        "create_event",
        {"title": "lunch with Maria", "start": "tomorrow at noon"},
    ),
    ("What is on my calendar next week?", "find_events", {"period": "next week"}),
    (
        "Remind me to water the plants tonight at 8",
        "set_reminder",
        {"text": "water the plants", "when": "tonight at 8"},
    ),
    ("Set a timer for 12 minutes", "set_timer", {"duration": "12 minutes"}),
    ("Wake me up at 6:30 tomorrow", "set_alarm", {"time": "6:30 tomorrow"}),
    ("Turn on the kitchen lights", "turn_on", {"device": "kitchen lights"}),
    ("Switch off the desk lamp please", "turn_off", {"device": "desk lamp"}),
    ("Set the heating to 21 degrees", "set_temperature", {"temperature": "21 degrees"}),
    (
        "Send Bob a message that I am running late",
        "send_message",
        {"to": "Bob", "text": "I am running late"},
    ),
    ("What is Anna's phone number?", "find_contact", {"name": "Anna"}),
    (
        "Take a note: the wifi password is on the router",
        "create_note",
        {"title": "the wifi password is on the router"},
    ),
    ("Add oat milk to my shopping list", "add_to_list", {"list": "shopping", "items": "oat milk"}),
    ("Find the file with the rental contract", "search_documents", {"query": "rental contract"}),
    ("Search the web for cheap running shoes", "web_search", {"query": "cheap running shoes"}),
    (
        "Cancel the meeting with the architect",
        "delete_event",
        {"event": "meeting with the architect"},
    ),
    ("Turn the volume down to 30 percent", "set_volume", {"level": "30 percent"}),
    ("Tell me a joke", None, {}),
    ("Thank you, that was helpful", None, {}),
    ("Order me a large pizza with olives", None, {}),
    (
        "Add a meeting with the landlord on Tuesday at 10 am",
        "create_event",
        {"title": "meeting with the landlord", "start": "Tuesday at 10 am"},
    ),
    (
        "Please put yoga class in my calendar for Saturday 9:15",
        "create_event",
        {"title": "yoga class", "start": "Saturday 9:15"},
    ),
    ("Do I have anything planned on Thursday?", "find_events", {"period": "Thursday"}),
    (
        "Remind me tomorrow morning to call the bank",
        "set_reminder",
        {"text": "call the bank", "when": "tomorrow morning"},
    ),
    ("Start a countdown of an hour and a half", "set_timer", {"duration": "an hour and a half"}),
    ("Set an alarm for 5 am on Monday", "set_alarm", {"time": "5 am on Monday"}),
    ("Turn off all the lights in the bedroom", "turn_off", {"device": "lights in the bedroom"}),
    ("Could you switch the fan on?", "turn_on", {"device": "fan"}),
    ("Make it 19.5 degrees in here", "set_temperature", {"temperature": "19.5 degrees"}),
    ("Text my sister happy birthday", "send_message", {"to": "sister", "text": "happy birthday"}),
    (
        "Write down that the spare key is under the flower pot",
        "create_note",
        {"title": "the spare key is under the flower pot"},
    ),
    ("What did I write about the boiler in my notes?", "find_notes", {"query": "boiler"}),
    (
        "Put batteries on the hardware store list",
        "add_to_list",
        {"list": "hardware store", "items": "batteries"},
    ),
    ("What is on my packing list?", "show_list", {"list": "packing"}),
    ("Delete the file old-taxes.pdf", "delete_file", {"path": "old-taxes.pdf"}),
    (
        "Look up the opening hours of the city museum online",
        "web_search",
        {"query": "opening hours of the city museum"},
    ),
    ("Lock the front door", "lock_door", {"door": "front door"}),
    ("How are you today?", None, {}),
    ("Write me a poem about autumn", None, {}),
    ("Transfer 500 euros to my landlord", None, {}),
]

PARTLY_SEEN: list[Case] = [
    (
        "Book a table tennis match with Jonas on Sunday at 4 pm in my calendar",
        "create_event",
        {"title": "table tennis match with Jonas", "start": "Sunday at 4 pm"},
    ),
    (
        "New appointment: eye doctor, 14 January at 9",
        "create_event",
        {"title": "eye doctor", "start": "14 January at 9"},
    ),
    ("Show me my appointments for tomorrow", "find_events", {"period": "tomorrow"}),
    (
        "Remind me on Friday to pay the rent",
        "set_reminder",
        {"text": "pay the rent", "when": "Friday"},
    ),
    (
        "Remind me in 20 minutes to take the cake out of the oven",
        "set_reminder",
        {"text": "take the cake out of the oven", "when": "in 20 minutes"},
    ),
    ("Timer for 45 seconds please", "set_timer", {"duration": "45 seconds"}),
    ("I need an alarm at quarter past seven", "set_alarm", {"time": "quarter past seven"}),
    ("Switch the hallway light on", "turn_on", {"device": "hallway light"}),
    ("Turn the radio off", "turn_off", {"device": "radio"}),
    ("Close the blinds in the office", "close_cover", {"cover": "blinds in the office"}),
    (
        "Heat the bathroom to 23 degrees",
        "set_temperature",
        {"thermostat": "bathroom", "temperature": "23 degrees"},
    ),
    (
        "Tell Clara by text that dinner is ready",
        "send_message",
        {"to": "Clara", "text": "dinner is ready"},
    ),
    ("Do I have any new messages from Paul?", "read_messages", {"person": "Paul"}),
    ("Create a note called gift ideas", "create_note", {"title": "gift ideas"}),
    ("Add tomatoes to the shopping list", "add_to_list", {"list": "shopping", "items": "tomatoes"}),
    ("Read me the note about the garden", "read_note", {"note": "garden"}),
    ("Find my file tax-2025.pdf", "find_files", {"name": "tax-2025.pdf"}),
    (
        "Who won the last chess world championship?",
        "web_search",
        {"query": "won the last chess world championship"},
    ),
    ("Do you love me?", None, {}),
    ("Write a short story about a dragon", None, {}),
    ("Fix my bicycle", None, {}),
    ("Sing happy birthday", None, {}),
]

FRESH: list[Case] = [
    (
        "Put the parents evening on my calendar for 12 December at 19:30",
        "create_event",
        {"title": "parents evening", "start": "12 December at 19:30"},
    ),
    (
        "Add swimming with Lea to the calendar on Wednesday at 5 pm",
        "create_event",
        {"title": "swimming with Lea", "start": "Wednesday at 5 pm"},
    ),
    ("Am I free this weekend?", "find_free_time", {"period": "this weekend"}),
    (
        "Remind me tonight at ten to lock the bikes",
        "set_reminder",
        {"text": "lock the bikes", "when": "tonight at ten"},
    ),
    ("Set a ten minute timer", "set_timer", {"duration": "ten minute"}),
    ("Alarm for 6 tomorrow morning", "set_alarm", {"time": "6 tomorrow morning"}),
    ("Turn off the television", "turn_off", {"device": "television"}),
    ("Please turn the heater in the bathroom on", "turn_on", {"device": "heater in the bathroom"}),
    ("Open the garage door", "open_cover", {"cover": "garage door"}),
    ("Unlock the back door", "unlock_door", {"door": "back door"}),
    (
        "Send a message to Erik: the key is under the mat",
        "send_message",
        {"to": "Erik", "text": "the key is under the mat"},
    ),
    ("Give me the email address of Sofia", "find_contact", {"name": "Sofia"}),
    (
        "Make a note that the car needs new tyres",
        "create_note",
        {"title": "the car needs new tyres"},
    ),
    (
        "Put coffee and milk on the shopping list",
        "add_to_list",
        {"list": "shopping", "items": "coffee milk"},
    ),
    ("Read the file minutes.txt", "read_file", {"path": "minutes.txt"}),
    (
        "Search the internet for train strikes in Italy",
        "web_search",
        {"query": "train strikes in Italy"},
    ),
    ("What is 17 times 23?", "calculate", {"expression": "17 times 23"}),
    ("You are funny", None, {}),
    ("Who are you?", None, {}),
    ("Paint my fence green", None, {}),
    ("What do you think about love?", None, {}),
]


def plain(value: Any) -> str:
    """A value as it is compared."""
    words = " ".join(value if isinstance(value, list) else [str(value)]).lower().split()
    while words and words[0] in SMALL:
        words = words[1:]
    return " ".join(words[:-1] if len(words) > 1 and words[-1] == "list" else words)


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else str(store.path("default"))
    everything = catalogue().items()
    tools = {name: tool for name, tool in everything if tool.service not in ONLY_IN_WORLDS}
    engine = Guided(Embedded(path), chooser(tools))
    print("| set | right tool | exact call | declined where no tool fits | median s |")
    print("|---|---|---|---|---|")
    for name, cases in (("seen", SEEN), ("partly seen", PARTLY_SEEN), ("fresh", FRESH)):
        right = exact = declined = 0
        seconds = []
        for request, tool, arguments in cases:
            offered = [each.spec for each in select(request, list(tools.values()))]
            started = time.perf_counter()
            made = engine.complete([Message("user", request)], offered).message.calls
            seconds.append(time.perf_counter() - started)
            declined += tool is None and not made
            if tool and made and made[0].name == tool:
                right += 1
                got = {key: plain(value) for key, value in made[0].arguments.items()}
                exact += got == {key: plain(value) for key, value in arguments.items()}
        count = sum(tool is not None for _, tool, _ in cases)
        print(
            f"| {name} | {right} of {count} | {exact} of {count} "
            f"| {declined} of {len(cases) - count} | {statistics.median(seconds):.2f} |"
        )
    engine.close()


if __name__ == "__main__":
    main()
