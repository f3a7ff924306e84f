"""Wording for rows made of short requests: declining, and the user's own style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from botpsy.chat.types import ToolSpec

_END = re.compile(r"[.;:]|\s\(|, (?:for example|such as|like)\b")
_VERB = re.compile(r"[A-Z][a-z]+(?<![^s]s) [a-zA-Z]")
_ASKING = re.compile(
    r"(what|when|where|who|which|how|why|is|are|do|does|did|can|could|will|would|have|has|should"
    r"|am|was|shall|may)('s)?\b",
    re.IGNORECASE,
)
_WITH_WHAT = (
    "I can't {what} here. I can {can}.",
    "I have no tool to {what}. What I can do: {can}.",
    "Sorry, I can't {what} with the tools I have. I could {can} instead.",
    "To {what} is not possible for me. I can {can}, if that helps.",
    "There is no tool here to {what}; I can {can}.",
    "I'm afraid I can't {what}. Here I can {can}.",
)
_BARE = (
    "I can't do that here. I can {can}.",
    "I can't help with that with the tools I have. What I can do: {can}.",
    "Sorry, I have no tool for that. I can {can}.",
    "That is not something I can do; I can {can}, if that helps.",
    "There is no tool for that here. I could {can}.",
    "I'm not able to do that. Here I can {can}.",
    "I don't have a tool for that, so I'd only be guessing. I can {can}.",
)
_ALONE = (
    "I can't do that with the tools I have here.",
    "Sorry, there is no tool for that here.",
    "I have no tool for this, so I'd rather not guess.",
)


def decline(rng: Random, tools: Sequence[ToolSpec], what: str = "") -> str:
    """That no tool on offer does it, and what one or two of them can do. ``what`` is a verb phrase
    for what was asked."""
    able = [can for tool in tools if (can := purpose(tool))]
    if not able or rng.random() < 0.1:
        return f"I can't {what} here." if what and rng.random() < 0.5 else rng.choice(_ALONE)
    some = rng.sample(able, min(len(able), rng.randint(1, 2)))
    return rng.choice(_WITH_WHAT if what else _BARE).format(what=what, can=either(some))


def either(phrases: Sequence[str]) -> str:
    """``set a timer or call a taxi``; with a comma where one of them has an "or" of its own."""
    plain = not any("," in each or " or " in each for each in phrases)
    return (" or " if plain else ", or ").join(phrases)


def purpose(tool: ToolSpec) -> str:
    """What a tool is for, to follow "I can"; empty where its description gives no short phrase."""
    first = _END.split(tool.description, maxsplit=1)[0].strip()
    if not _VERB.match(first) or len(first) > 72:
        return ""
    first = re.sub(r"\bthe user's\b", "your", first)
    first = re.sub(r"\bthe user\b", "you", first)
    return first[0].lower() + first[1:]


def styled(text: str, rng: Random) -> str:
    """As it was dictated, or as it would be written."""
    style = rng.random()
    if style < 0.5:
        return text
    text = text[:1].upper() + text[1:]
    text = re.sub(r"\bi\b", "I", text)
    return text + ("?" if _ASKING.match(text) else "." if style < 0.8 else "")


def like(text: str, styled: str) -> str:
    """Another wording in the same style."""
    text = re.sub(r"\bi\b", "I", text[:1].upper() + text[1:])
    return text + (styled[-1] if styled[-1] in "?." else "")
