"""The short, decisive reasoning that a small model learns: what is asked, which tool, how the
values follow. One or two sentences, nothing that does not decide something.

All functions draw their wording from the given chance alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from botpsy.chat.types import Json, Message, ToolCall

_SHOWN = 48
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve")  # fmt: skip
_NUMBERS = {str(n): word for n, word in enumerate(_WORDS, 1)}


def for_calls(rng: Random, calls: Sequence[ToolCall], before: Sequence[Message], why: str = "",
              *, more: bool = False) -> str:  # fmt: skip
    """Before one or more calls.

    Args:
        before: the conversation so far, where values come from.
        why: how a value follows that is in no message as it stands.
        more: a later call rests on what these find out.
    """
    if len(calls) > 1:
        names = list(dict.fromkeys(call.name for call in calls))
        parts = " and ".join(_given(call) for call in calls)
        opening = rng.choice(
            ("{n} things that do not depend on each other", "{n} separate calls", "{n} at once")
        ).format(n=_count(len(calls)))
        text = f"{opening}: {', '.join(names) if len(names) > 1 else names[0]} for {parts}."
    else:
        text = _one(rng, calls[0], before, more)
    return f"{text} {_sentence(why)}" if why else text


def _one(rng: Random, call: ToolCall, before: Sequence[Message], more: bool) -> str:
    if more:
        opening = rng.choice(
            ("First look it up: {name}", "To know more I need {name}", "First {name}")
        )
    elif any(message.role == "tool" for message in before):
        opening = rng.choice(("Now {name}", "Next: {name}", "That gives what {name} needs"))
    else:
        opening = rng.choice(("This is {name}", "{name} does this", "The request is for {name}"))
    opening = opening.format(name=call.name)
    found: dict[str, list[str]] = {}
    for name, value in call.arguments.items():
        where = _where(value, before)
        found.setdefault(where.format(name), []).append(name)
    said = [where if "→" in where else f"{_listing(n)} {where}" for where, n in found.items()]
    said = [each for each in said if each.strip() and not each.endswith(" ")]
    return f"{opening}, {'; '.join(said)}." if said else f"{opening}."


def _where(value: Json, before: Sequence[Message]) -> str:
    """Where a value stands, or what it is made of; empty where it follows in another way."""
    if isinstance(value, (bool, dict)) or value is None:
        return ""
    first = (value[0] if value else "") if isinstance(value, list) else value
    wanted = str(first).casefold()
    users = 0
    for message in reversed(before):
        text = message.content.casefold()
        if message.role == "user":
            users += 1
            if _stands(wanted, text):
                return "as said" if users == 1 else "as said before"
            if (word := _NUMBERS.get(wanted)) and re.search(rf"\b{word}\b", text):
                return f"{{}} {word} → {first}"
        elif message.role == "tool" and _stands(wanted, text):
            return "from the result"
    return ""


def _stands(wanted: str, text: str) -> bool:
    """In the text; a number not as part of another, of a time or of a code."""
    if not re.fullmatch(r"-?[\d.]+", wanted):
        return wanted in text
    return bool(re.search(rf"(?<![\w.,:-]){re.escape(wanted)}(?!\w|[.,:-]\d)", text))


def for_question(rng: Random, missing: str, why: str = "") -> str:
    """Before asking for what is missing."""
    if why:
        return _sentence(why)
    return rng.choice(
        (
            f"The {missing} is missing and cannot be guessed: ask.",
            f"Without the {missing} nothing can be done: ask for it.",
            f"Not said: {missing}. Ask.",
        )
    )


def for_answer(rng: Random, results: Sequence[Message], why: str = "") -> str:
    """Before the answer that follows results."""
    if why:
        return _sentence(why)
    if any(message.content.startswith(("Error", "error")) for message in results):
        return rng.choice(
            ("It did not work: say why.", "That failed; tell what stands in the way.")
        )
    return rng.choice(
        (
            "Done: say what came out.",
            "That is all: answer.",
            "It worked; say so in short.",
            "Answer.",
        )
    )


def for_chat(rng: Random) -> str:
    """Before an answer that needs no tool."""
    return rng.choice(("No tool is needed: answer.", "Nothing to call for this: answer."))


def for_decline(rng: Random, why: str = "") -> str:
    """Before saying that no tool on offer does what is asked."""
    if why:
        return _sentence(why)
    return rng.choice(
        (
            "None of the tools does this: say so.",
            "No tool on offer fits, so nothing is called.",
            "The tools here are for other things: decline and say what they can do.",
        )
    )


def _given(call: ToolCall) -> str:
    value = next((value for value in call.arguments.values() if isinstance(value, str)), "")
    value = value if len(value) <= _SHOWN else value[:_SHOWN].rsplit(" ", 1)[0]
    return value or call.name


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(n: int) -> str:
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six")
    return words[n] if n < len(words) else str(n)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
