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
    if len(calls) == 1:
        text = _one(rng, calls[0], before, more, told=bool(why))
        if why and ":" not in why and "," not in text:
            return f"{text}: {why.rstrip('.')}."
    else:
        given: dict[str, list[str]] = {}
        for call in calls:
            given.setdefault(call.name, []).append(_given(call))
        parts = _listing([f"{name} for {_listing(values)}" for name, values in given.items()])
        opening = rng.choice(
            ("{n} things that do not depend on each other", "{n} separate calls", "{n} at once")
        ).format(n=_count(len(calls)))
        text = f"{opening}: {parts}"
    return f"{text}. {_sentence(why)}" if why else f"{text}."


def _one(rng: Random, call: ToolCall, before: Sequence[Message], more: bool, *, told: bool) -> str:
    """``told``: a reason follows, so what only sounds like the request is left to it."""
    found: dict[str, list[str]] = {}
    for name, value in call.arguments.items():
        where = _where(value, before)
        if where and not (told and where == "from the request"):
            found.setdefault(where.format(name), []).append(name)
    openings: tuple[str, ...]
    if more:
        openings = ("First look it up: {name}", "To know more I need {name}", "First {name}")
    elif _failed(before[-1:]):
        openings = ("That failed, so now {name}", "Not done yet, so next {name}")
    elif "from the result" in found:
        openings = ("Now {name}", "Next: {name}", "That gives what {name} needs")
    elif any(message.role == "tool" for message in before):
        user = before[-1].role == "user"
        third = "This asks for {name}" if user else "Then {name}"
        openings = ("Now {name}", "Next: {name}", third)
    else:
        openings = ("This is {name}", "{name} does this", "The request is for {name}")
    opening = rng.choice(openings).format(name=call.name)
    said = [where if "→" in where else f"{_listing(n)} {where}" for where, n in found.items()]
    return f"{opening}, {'; '.join(said)}" if said else opening


def _where(value: Json, before: Sequence[Message]) -> str:
    """Where a value stands, or what it is made of; empty where it follows in another way."""
    parts = value if isinstance(value, list) else [value]
    if not parts or any(isinstance(part, (bool, dict, list)) or part is None for part in parts):
        return ""
    wanted = [str(part).casefold() for part in parts]
    users = [message.content.casefold() for message in before if message.role == "user"]
    tools = [message.content.casefold() for message in before if message.role == "tool"]
    for back, text in enumerate(reversed(users)):
        if all(_stands(each, text) for each in wanted):
            return "as said before" if back else "as said"
        if (word := _NUMBERS.get(wanted[0])) and re.search(rf"\b{word}\b", text):
            return f"{{}} {word} → {parts[0]}"
    if any(all(_stands(each, text) for each in wanted) for text in tools):
        return "from the result"
    if re.fullmatch(r"[\d.,()+*/ -]*\d[)]* [+*/-] [\d.,()+*/ -]+", wanted[0]):
        numbers = re.findall(r"\d+(?:\.\d+)?", wanted[0])
        if all(any(_stands(number, text) for text in tools) for number in numbers):
            return "of the numbers found"
        return ""
    return "from the request" if _echoes(wanted, " ".join(users)) else ""


def _stands(wanted: str, text: str) -> bool:
    """In the text, from the start of a word; a number not as part of another, of a time or of a
    code."""
    if not re.fullmatch(r"-?[\d.]+", wanted):
        start = r"(?<!\w)" if wanted[:1].isalnum() else ""
        return bool(re.search(start + re.escape(wanted), text))
    return bool(re.search(rf"(?<![\w.,:-]){re.escape(wanted)}(?!\w|[.,:-]\d)", text))


def _echoes(wanted: Sequence[str], text: str) -> bool:
    """Most words are in the text, and all numbers."""
    words = [word for each in wanted for word in re.findall(r"[\d.:]*\d|\w{4,}", each)]
    known = [word for word in words if word in text]
    numbers = [word for word in words if word[-1].isdigit()]
    return bool(known) and 2 * len(known) >= len(words) and set(numbers) <= set(known)


def _failed(results: Sequence[Message]) -> bool:
    return any(
        message.role == "tool" and message.content.startswith(("Error", "error"))
        for message in results
    )


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


def for_answer(
    rng: Random, results: Sequence[Message], why: str = "", *, read: bool = False
) -> str:
    """Before the answer that follows results; ``read`` if nothing was done but looked up."""
    if why:
        return _sentence(why)
    if _failed(results):
        return rng.choice(
            (
                "It did not work: say why.",
                "That failed: tell what stands in the way.",
                "Not done: give the reason.",
            )
        )
    if read and all(_empty(message.content) for message in results):
        return rng.choice(("Nothing was found: say so.", "There is none: say just that."))
    if read:
        return rng.choice(
            (
                "The result has it: tell what was asked.",
                "Found: say it in short.",
                "That answers the question.",
            )
        )
    return rng.choice(
        (
            "Done: say what came out.",
            "It worked: say so in short.",
            "That is all there was to do: report it.",
        )
    )


def _empty(result: str) -> bool:
    """A result whose lists have nothing in them."""
    lists = re.findall(r'": (\[.?)', result)
    return bool(lists) and all(each == "[]" for each in lists)


def for_chat(rng: Random) -> str:
    """Before an answer that needs no tool."""
    return rng.choice(
        ("No tool is needed for this answer.", "Nothing to call for this: just answer.")
    )


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
    values = list(call.arguments.values())
    numbers = [str(value) for value in values if isinstance(value, (int, float))]
    value = next((value for value in values if isinstance(value, str)), "".join(numbers[:1]))
    value = value if len(value) <= _SHOWN else value[:_SHOWN].rsplit(" ", 1)[0]
    return value or call.name


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(n: int) -> str:
    words = ("No", "One", "Two", "Three", "Four", "Five", "Six")
    return words[n] if n < len(words) else str(n)


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."
