"""What the tools for CLINC150 are written with: one line of a table for each intent.

A tool's result and answers are templates. ``{name}`` is an argument, or else something drawn by
the name's letters (``{money}``, ``{date2}``): the same in the result and in the answer, so that
answers rest on results. An argument is what its pattern's first group finds in the request, word
for word; one whose pattern finds nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from botpsy.chat.types import Json, JsonObject, Schema, ToolSpec


@dataclass(frozen=True, slots=True)
class Parameter:
    """A string. ``needed``: without it the request is asked about, or not used."""

    description: str
    pattern: re.Pattern[str]
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked when a needed argument is not in the request (``bare`` is such a request), and
    what the user says then."""

    parameter: str
    text: str
    replies: tuple[str, ...]
    bare: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Tool:
    """A line of the table. ``never``: words of requests that want something else."""

    name: str
    description: str
    result: Mapping[str, str]
    answers: tuple[str, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    never: str = r"^$"
    question: Question | None = None

    @property
    def spec(self) -> ToolSpec:
        """What the model is told."""
        schema: Schema = {
            "type": "object",
            "properties": {
                name: {"type": "string", "description": each.description}
                for name, each in self.parameters.items()
            },
        }
        if needed := [name for name, each in self.parameters.items() if each.needed]:
            schema["required"] = needed
        return ToolSpec(self.name, self.description, schema)


TOOLS: dict[str, Tool] = {}
"""By intent."""


def tool(
    intent: str,
    name: str,
    description: str,
    result: str,
    *answers: str,
    never: str = r"^$",
    question: Question | None = None,
    **parameters: Parameter,
) -> None:
    """Add a line. ``result`` is written ``status: frozen; reference: {code}``."""
    assert intent not in TOOLS, intent
    parts = (part.partition(":") for part in result.split(";"))
    fields = {key.strip(): value.strip() for key, _, value in parts}
    TOOLS[intent] = Tool(name, description, fields, answers, parameters, never, question)


def given(description: str, pattern: str, *, needed: bool = False) -> Parameter:
    """A parameter."""
    return Parameter(description, re.compile(pattern, re.IGNORECASE), needed)


def needed(description: str, pattern: str) -> Parameter:
    """A parameter that the tool cannot do without."""
    return given(description, pattern, needed=True)


def asking(parameter: str, text: str, bare: str, *replies: str) -> Question:
    """A question."""
    return Question(parameter, text, replies, re.compile(bare, re.IGNORECASE))


HOW = r"^(how|where|what|who|explain|tell me how|is there|walk me|show me how)\b|\b(how|steps)\b"
"""Asks how something is done, where the tool does it."""
ACCOUNT = given("Kind of account", r"\b(checking|savings|money market)\b")
CARD = given("Kind of card", r"\b(visa|mastercard|american express|amex|discover)\b")
BANK = given(
    "Name of the bank",
    r"\b(chase|bank of america|wells fargo|capital one|citibank|usaa|pnc|td bank|us bank)\b",
)


class Values(dict[str, str]):
    """Arguments, and values drawn when they are first asked for."""

    def __init__(self, rng: Random, arguments: Mapping[str, str]) -> None:
        super().__init__(arguments)
        self._rng = rng

    def __missing__(self, name: str) -> str:
        if name.endswith("_letters"):
            return "-".join(self[name.removesuffix("_letters")]).upper()
        kind = name.rstrip("0123456789")
        same = {value for key, value in self.items() if key.rstrip("0123456789") == kind}
        drawn = (_DRAWN[kind](self._rng) for _ in range(9))
        value = next(value for value in drawn if value not in same)
        self[name] = value
        return value


def filled(text: str, values: Values) -> str:
    """The template with its values."""
    return text.format_map(values)


def result_of(tool_: Tool, values: Values) -> JsonObject:
    """What the tool gives back; whole numbers are numbers, ``[a, b]`` is a list."""
    return {key: _typed(filled(value, values)) for key, value in tool_.result.items()}


def _typed(text: str) -> Json:
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("[") and text.endswith("]"):
        return [part.strip() for part in text[1:-1].split(",")]
    return text


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_PLACES = ("Mill Lane", "Harbour Street", "Station Road", "Elm Avenue", "Market Square")
_NAMES = ("Kora", "Tamsin", "Idris", "Mateo", "Yuna", "Soren", "Ayla", "Bruno")


def _date(rng: Random) -> str:
    return f"{rng.randint(1, 28)} {rng.choice(_MONTHS)}"


def _time(rng: Random) -> str:
    hour, half = rng.choice(
        [(hour, "am") for hour in range(8, 12)] + [(n, "pm") for n in range(1, 8)]
    )
    return f"{hour}:{rng.choice(('00', '10', '15', '30', '45'))} {half}"


_DRAWN: Mapping[str, Callable[[Random], str]] = {
    "money": lambda rng: f"${rng.randint(12, 480)}.{rng.randint(0, 99):02}",
    "sum": lambda rng: f"${rng.randint(11, 97) * 100:,}",
    "date": _date,
    "month": lambda rng: rng.choice(_MONTHS),
    "year": lambda rng: str(rng.randint(2027, 2031)),
    "time": _time,
    "days": lambda rng: str(rng.randint(3, 14)),
    "few": lambda rng: str(rng.randint(2, 6)),
    "many": lambda rng: str(rng.randint(15, 60)),
    "points": lambda rng: str(rng.randint(8, 240) * 100),
    "score": lambda rng: str(rng.randint(610, 800)),
    "percent": lambda rng: f"{rng.randint(1, 24)}.{rng.randint(0, 9)}%",
    "code": lambda rng: f"{rng.choice(_LETTERS)}{rng.choice(_LETTERS)}-{rng.randint(1000, 9999)}",
    "routing": lambda rng: str(rng.randint(100_000_000, 999_999_999)),
    "phone": lambda rng: f"+1 202 555 0{rng.randint(100, 199)}",
    "place": lambda rng: f"{rng.randint(2, 90)} {rng.choice(_PLACES)}",
    "person": lambda rng: rng.choice(_NAMES),
    "fit": lambda rng: rng.choice(("a good match", "a fair match", "a poor match")),
    "plug": lambda rng: rng.choice(("C", "D", "F", "G", "I", "J", "L", "N")),
    "visa": lambda rng: rng.choice(("needed", "not needed")),
    "coin": lambda rng: rng.choice(("heads", "tails")),
    "die": lambda rng: str(rng.randint(1, 6)),
    "shop": lambda rng: rng.choice(("Corner Grocer", "Metro Books", "Blue Kiosk", "Fern Pharmacy")),
    "song": lambda rng: rng.choice(("Slow Tide by Marla Quist", "Neon Orchard by Kilo Kilo",
                                    "Wild Thyme by Ona Bell", "Polaris by Nadir Trio")),
    "dish": lambda rng: rng.choice(("lentil soup", "mushroom risotto", "baked salmon",
                                    "bean chili", "chickpea curry", "vegetable lasagne")),
    "diner": lambda rng: rng.choice(("Trattoria Nonna", "Saffron House", "Kaze", "The Anchor")),
    "item": lambda rng: rng.choice(("milk", "rye bread", "apples", "olive oil", "coffee")),
    "chore": lambda rng: rng.choice(("water the plants", "call the plumber", "pay the rent",
                                     "return the books", "wash the car")),
    "meeting": lambda rng: rng.choice(("budget review", "design review", "team meeting")),
    "holiday": lambda rng: rng.choice(("Labor Day", "Thanksgiving", "Memorial Day")),
    "weekday": lambda rng: rng.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    "city": lambda rng: rng.choice(("Lisbon", "Ghent", "Kyoto", "Galway", "Graz", "Seville")),
    "sky": lambda rng: rng.choice(("sunny", "cloudy", "rainy", "partly cloudy")),
    "degrees": lambda rng: str(rng.randint(48, 88)),
    "miles": lambda rng: f"{rng.randint(2, 40)} miles",
    "minutes": lambda rng: f"{rng.randint(8, 55)} minutes",
    "psi": lambda rng: str(rng.randint(29, 36)),
    "town_mpg": lambda rng: str(rng.randint(18, 26)),
    "road_mpg": lambda rng: str(rng.randint(28, 38)),
    "busy": lambda rng: rng.choice(("quiet", "moderately busy", "very busy")),
    "rating": lambda rng: f"{rng.randint(3, 4)}.{rng.randint(0, 9)}",
    "track": lambda rng: rng.choice(("out for delivery", "on its way", "being packed")),
}  # fmt: skip
