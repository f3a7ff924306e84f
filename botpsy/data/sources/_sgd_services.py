"""Services of the Schema-Guided Dialogue corpus as tools: each intent is one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from botpsy.chat.types import Json, Schema, ToolSpec
from botpsy.data.types import UnusableError
from botpsy.worlds.scenario import Domain

NOUNS: dict[str, tuple[str, Domain]] = {
    "Alarm": ("alarms", "lifestyle"),
    "Banks": ("bank_accounts", "commerce"),
    "Buses": ("buses", "lifestyle"),
    "Calendar": ("calendar", "calendar"),
    "Events": ("events", "lifestyle"),
    "Flights": ("flights", "lifestyle"),
    "Homes": ("homes", "commerce"),
    "Hotels": ("hotels", "lifestyle"),
    "Media": ("films", "lifestyle"),
    "Movies": ("cinema", "lifestyle"),
    "Music": ("music", "home"),
    "RentalCars": ("rental_cars", "commerce"),
    "Restaurants": ("restaurants", "lifestyle"),
    "RideSharing": ("rides", "lifestyle"),
    "Services": ("appointments", "calendar"),
    "Services_1": ("hairdressers", "calendar"),
    "Services_2": ("dentists", "calendar"),
    "Services_3": ("doctors", "calendar"),
    "Travel": ("sights", "research"),
    "Weather": ("weather", "research"),
}
"""Family or service -> a word for names of its tools, and the domain nearest to it."""
ANYONE = "dontcare"
"""The corpus's word for a slot without a wish."""
# Slots whose values are numbers though the corpus lists none.
_WHOLE = frozenset({"number_of_days", "stay_length", "wait_time", "approximate_ride_duration",
                    "transfer_time"})  # fmt: skip
_AMOUNT = re.compile(
    r"amount|balance|price|price_per_night|rent|fare|rating|temperature|humidity|wind|precipitation"
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


@dataclass(frozen=True)
class Intent:
    """One thing a service does."""

    name: str
    description: str
    transactional: bool
    parameters: Schema


@dataclass(frozen=True)
class Service:
    """A service: its intents, and how values of its slots are typed."""

    name: str
    description: str
    slots: Mapping[str, Schema]
    intents: Mapping[str, Intent]

    @property
    def family(self) -> str:
        """``Hotels_1`` and ``Hotels_2`` are of one family."""
        return self.name.rpartition("_")[0] or self.name

    @property
    def noun(self) -> str:
        """A word for the names of its tools."""
        return self._entry()[0]

    @property
    def domain(self) -> Domain:
        """The domain nearest to it."""
        return self._entry()[1]

    def _entry(self) -> tuple[str, Domain]:
        named = NOUNS.get(self.name) or NOUNS.get(self.family)
        return named or (snake(self.family), "lifestyle")

    def typed(self, slot: str, value: str) -> Json:
        """A value as its slot's schema has it.

        Raises:
            UnusableError: it cannot be.
        """
        kind = self.slots.get(slot, {}).get("type", "string")
        if kind == "boolean" and value in ("True", "False"):
            return value == "True"
        if kind == "integer" and value.isdecimal():
            return int(value)
        if kind == "number" and _NUMBER.fullmatch(value):
            number = float(value)
            return int(number) if number.is_integer() else number
        if kind == "string":
            return value
        raise UnusableError("a value of another type than its slot's")


def read_service(stored: Mapping[str, Any]) -> Service:
    """A service from the corpus's schema."""
    slots = {each["name"]: _slot(each) for each in stored["slots"]}
    intents = {
        each["name"]: Intent(
            each["name"], each["description"], each["is_transactional"], _parameters(each, slots)
        )
        for each in stored["intents"]
    }
    return Service(stored["service_name"], stored["description"], slots, intents)


def _slot(stored: Mapping[str, Any]) -> Schema:
    name, values = stored["name"], stored["possible_values"]
    schema: Schema = {"type": "string", "description": stored["description"]}
    if not stored["is_categorical"]:
        if name in _WHOLE:
            schema["type"] = "integer"
        elif any(_AMOUNT.fullmatch(part) for part in (name, *name.split("_"))):
            schema["type"] = "number"
        elif name == "date" or name.endswith("_date"):
            schema["format"] = "date"
        elif name == "time" or name.endswith("_time"):
            schema["description"] += ", 24-hour HH:MM"
    elif set(values) == {"True", "False"}:
        schema["type"] = "boolean"
    elif all(value.isdecimal() for value in values):
        numbers = sorted(map(int, values))
        schema |= {"type": "integer", "minimum": numbers[0], "maximum": numbers[-1]}
    else:
        schema["enum"] = list(values)
    return schema


def _parameters(intent: Mapping[str, Any], slots: Mapping[str, Schema]) -> Schema:
    required = list(intent["required_slots"])
    properties = {name: dict(slots[name]) for name in required}
    for name, default in intent["optional_slots"].items():
        properties[name] = dict(slots[name])
        if default != ANYONE:
            properties[name]["default"] = _default(default, slots[name])
    return {"type": "object", "properties": properties, "required": required}


def _default(value: str, schema: Schema) -> Json:
    if schema.get("format") == "date":
        return "today"
    if schema["type"] == "boolean":
        return value == "True"
    return int(value) if schema["type"] == "integer" and value.isdecimal() else value


def snake(name: str) -> str:
    """``FindBus`` -> ``find_bus``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def tools_of(services: list[Service], rng: Random | None = None) -> dict[tuple[str, str], ToolSpec]:
    """(service, intent) -> tool, in an order and a style of names by chance, if any."""
    pairs = [(each, intent) for each in services for intent in each.intents.values()]
    style = rng.choice(("snake", "snake", "camel", "noun")) if rng else "snake"
    names = [_styled(service, intent, style) for service, intent in pairs]
    made = {}
    for (service, intent), short in zip(pairs, names, strict=True):
        long = f"{snake(service.name)}_{snake(intent.name)}"
        name = short if names.count(short) == 1 else long
        made[service.name, intent.name] = ToolSpec(name, intent.description, intent.parameters)
    keys = list(made)
    if rng:
        rng.shuffle(keys)
    return {key: made[key] for key in keys}


def _styled(service: Service, intent: Intent, style: str) -> str:
    if style == "camel":
        return intent.name
    # "find_provider" says nothing of whom it finds.
    if style == "noun" or service.family == "Services":
        return f"{service.noun}_{snake(intent.name)}"
    return snake(intent.name)
