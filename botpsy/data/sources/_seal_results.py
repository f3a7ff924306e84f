"""Invented results of tools that are known by their schema alone, and answers that tell them.

A result has the type, the name and, where the description gives one, an example of what the tool
says it returns. Nothing in it is meant to be true; it is there to be read and told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from botpsy.chat.types import Json, JsonObject

_PEOPLE = ("Mara Lindqvist", "Tobias Okafor", "Irene Castellan", "Yusuf Demir", "Hana Kowalski",
           "Pavel Novotny", "Leila Haddad", "Owen Fairweather")  # fmt: skip
_PLACES = ("12 Harbour Road, Ostby", "Hall 3, Mill Lane 40", "Westgate 7, Larkfield",
           "North Pier, Calder", "88 Orchard Street, Penhallow")  # fmt: skip
_TITLES = ("A Quiet Season", "Notes from the North", "The Copper Door", "Field Guide, part two")
_BAD = re.compile(r"violat|infring|fraud|intru|contamin|error|fault|outbreak|virus|pathogen|breach")
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"status|outcome", ("completed", "confirmed", "ok", "done")),
    (r"message|confirmation|response", ("request accepted", "saved without errors",
                                        "processed as asked")),
    (r"(author|artist|director|manager|owner|composer|critic|contact|assignee|expert|doctor)s?",
     _PEOPLE),
    (r"names?", ("Northgate", "Blue Heron", "Atlas Two", "Fernhill", "Red Maple")),
    (r"title|book|film|song|album|game", _TITLES),
    (r"location|address|venue|place|habitat|origin", _PLACES),
    (r"level|risk|severity|priority|intensity", ("low", "moderate", "high")),
    (r"unit", ("units", "points")),
    (r"currency", ("EUR", "USD", "SEK")),
    (r"gender", ("female", "male")),
    (r"language", ("English", "Swahili", "Finnish")),
    (r"country|nationality", ("Finland", "Chile", "Ghana")),
    (r"sentiment|emotion", ("mostly positive", "neutral")),
    (r"quality|condition", ("good", "fair")),
)  # fmt: skip
_TEXTS = (
    "two main points, filed as {code}",
    "on file as {code}, last checked this week",
    "summary {code}, nothing unusual",
    "overview {code}, four sections",
    "document {code}, four pages",
    "entry {code}, complete",
)
_EXAMPLES = re.compile(r"\(?(?:e\.g\.?|such as|for example),?:?\s*([^()]+)\)?", re.IGNORECASE)


def invent(rng: Random, name: str, kind: str, description: str = "") -> Json:
    """A value of the JSON type ``kind`` for a result of that name."""
    words = name.casefold()
    last = re.split(r"[_\W]+", words)[-1]
    match kind:
        case "boolean":
            return not _BAD.search(words)
        case "integer":
            return _whole(rng, words, last)
        case "number":
            return _number(rng, words, last)
        case _:
            return _text(rng, words, last, description)


def code(rng: Random) -> str:
    """Such as ``KV-4821``."""
    letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXZ") for _ in range(2))
    return f"{letters}-{rng.randint(1000, 9999)}"


def _whole(rng: Random, words: str, last: str) -> int:
    if last in ("id", "number", "identifier"):
        return rng.randint(1_000, 99_999)
    if "year" in words:
        return rng.randint(1985, 2024)
    if re.search(r"rank|position|level|age|score|index|percent|capacity|rating|week", words):
        return rng.randint(1, 95)
    return rng.randint(3, 900) if rng.random() < 0.7 else rng.randint(1_000, 60_000)


def _number(rng: Random, words: str, last: str) -> float:
    if last == "latitude":
        return round(rng.uniform(-60, 60), 4)
    if last == "longitude":
        return round(rng.uniform(-170, 170), 4)
    if re.search(r"rating|score|index|factor", words):
        return round(rng.uniform(1, 10), 1)
    if re.search(r"probab|ratio|coefficient|confidence|accuracy|p_value", words):
        return round(rng.uniform(0.05, 0.99), 2)
    if re.search(r"rate|percent|efficien|humidity|progress|growth", words):
        return round(rng.uniform(2, 97), 1)
    if re.search(r"price|cost|amount|revenue|budget|salary|profit|premium|fee|balance", words):
        return round(rng.uniform(20, 5_000), 2)
    return round(rng.uniform(1, 400), 1)


def _text(rng: Random, words: str, last: str, description: str) -> str:
    if "phone" in words or last in ("contact", "fax"):
        return f"+358 40 555 {rng.randint(1000, 9999)}"
    if last in ("sum", "product", "difference", "value", "count", "amount", "size"):
        return str(_number(rng, words, last))
    if last in ("id", "code", "number", "identifier", "reference", "key", "token"):
        return code(rng)
    if last in ("date", "deadline"):
        return f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    if last in ("time", "timestamp"):
        return f"{rng.randint(8, 19):02}:{rng.choice(('00', '15', '30', '45'))}"
    if last in ("url", "link", "path", "file", "image", "website", "video", "audio"):
        return f"https://files.example.org/{code(rng).lower()}"
    if last == "email":
        return f"{rng.choice(_PEOPLE).split()[0].lower()}@example.org"
    if listed := examples(description):
        return listed[0]
    for pattern, values in _WORDS:
        if re.fullmatch(pattern, last):
            return rng.choice(values)
    return rng.choice(_TEXTS).format(code=code(rng))


def examples(description: str) -> list[str]:
    """What a description gives as examples: ``(e.g., success, error)``."""
    found = _EXAMPLES.search(description)
    parts = re.split(r",\s*(?:or\s+|and\s+)?|\s+or\s+", found[1]) if found else []
    return [part.strip(" '\".") for part in parts if 1 < len(part.strip(" '\".")) <= 40]


def answer(rng: Random, told: Sequence[tuple[str, JsonObject]]) -> str:
    """What came out, in a sentence or a line for each call.

    Args:
        told: what each call was about, and its result.
    """
    if len(told) == 1:
        about, result = told[0]
        facts = _facts(result)
        if not facts:
            return rng.choice(("Done.", f"Done: {about}.", "That worked.", "It is done."))
        if len(facts) == 1:
            name, value = facts[0]
            forms = ["{Name}: {value}.", "Here is the {name}: {value}.", "Found: {name} {value}."]
            forms += [] if name.endswith("s") else ["The {name} is {value}."]
            return rng.choice(forms).format(Name=_capital(name), name=name, value=value)
        listed = rng.choice(("; ", ", ")).join(f"{name} {value}" for name, value in facts)
        return rng.choice((f"For the {about}: {listed}.", f"{_capital(listed)}.",
                           f"Here is what I found: {listed}."))  # fmt: skip
    mark = rng.choice(("- ", "", "* "))
    lines = []
    for about, result in told:
        facts = _facts(result)
        if len(facts) == 1 and facts[0][0] in (about, "result", "status", "message"):
            facts = [("", facts[0][1])]
        listed = ", ".join(f"{name} {value}".strip() for name, value in facts) or "done"
        lines.append(f"{mark}{_capital(about)}: {listed}.")
    opening = rng.choice(("", "All done.\n", "Here is what came out:\n", "Done:\n"))
    return opening + "\n".join(lines)


def _facts(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names and values to be told, but for a plain success."""
    facts = []
    for name, value in result.items():
        if value is True and re.search(r"success|valid|confirm|status|result", name):
            continue
        shown = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        facts.append((label(name), shown))
    return facts


def label(name: str) -> str:
    """``analysis_results`` -> ``analysis results``; ``searchDNAData`` -> ``search DNA data``."""
    words = re.sub(r"[_\W]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).split()
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
