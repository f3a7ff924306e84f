"""Conversations from the Schema-Guided Dialogue corpus (CC-BY-SA-4.0): services as tools.

The folder holds ``train.jsonl.gz`` and ``dev.jsonl.gz``, a dialogue a line, and for each its
``*_schema.json``, a list of services, as in the corpus's own repository.

What a dialogue becomes: the system's turns are the assistant's; where it called a service, the call
comes before the turn, with the slots that the user gave, and the first results that matter. A value
stands as it was said, unless the schema or an earlier message has a form for it: ``SF`` stays
``SF``, "the 3rd" becomes a date. Every fact in an answer is in a result that is shown.

The dialogues' one day, 1 March 2019, is moved to other Fridays that leave all they say true.

Options: ``turns`` of the user at most; ``services`` to take dialogues from (all by default;
``KEPT_OUT`` never); ``missing`` and ``no_tool`` are the shares of conversations that end with the
question for a value, and of first requests without a tool for them.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from botpsy.chat.types import Json, JsonObject, Message, ToolCall, ToolSpec
from botpsy.data import reasoning
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of, reading
from botpsy.data.sources._sgd_services import Service, read_service, tools_of
from botpsy.data.sources._sgd_words import (
    ASK_FIRST,
    DECLINES,
    NAMED,
    OFFERS,
    thought_of_results,
    thought_of_turn,
)
from botpsy.data.sources._spoken import without
from botpsy.data.types import MissingDataError, Row, UnusableError, dump
from botpsy.errors import ConfigError

CORPUS = "the Schema-Guided Dialogue corpus"
LICENCE = "CC-BY-SA-4.0"
PARTS = ("train", "dev")
HELD_OUT = frozenset({
    "Alarm_1", "Banks_2", "Flights_3", "Homes_1", "Hotels_4", "Media_2", "Movies_2",
    "Restaurants_2", "Services_4",
})  # fmt: skip
"""Services that are never trained on: those that only the corpus's own evaluation part has, and
one whose like is nowhere else (homes)."""
IN_A_BENCHMARK = frozenset({
    "Events_2", "Hotels_2", "Movies_1", "Music_2", "RideSharing_2", "Services_1", "Travel_1",
    "Weather_1",
})  # fmt: skip
"""Services whose schemas, or those of a later version of theirs, are in BFCL v4 (its live part has
tools of this very corpus). Training on them would teach the test."""
KEPT_OUT = HELD_OUT | IN_A_BENCHMARK
QUOTED = b'"105_00035"'
"""A dialogue of which a benchmark has a turn."""
SHOWN = 3
"""Results shown of a search; more only if the dialogue speaks of more."""
FRIDAYS = tuple((year, month) for year in (2013, 2019, 2024, 2030) for month in (3, 11))
"""Years and months that begin as March 2019 does."""
_MONTHS = {3: "March", 11: "November"}


class Options(BaseModel):
    """See the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: int = Field(default=4, ge=1)
    services: tuple[str, ...] = ()
    missing: float = Field(default=0.15, ge=0.0, le=1.0)
    no_tool: float = Field(default=0.08, ge=0.0, le=1.0)


@dataclass(frozen=True)
class Pair:
    """A user's turn and the system's turn after it, as the corpus has them."""

    user: Mapping[str, Any]
    system: Mapping[str, Any]

    @property
    def frame(self) -> Mapping[str, Any]:
        """The system's one frame."""
        frame: Mapping[str, Any] = self.system["frames"][0]
        return frame

    @property
    def acts(self) -> set[str]:
        """What the system does in its turn."""
        return {each["act"] for each in self.frame["actions"]}

    @property
    def calls(self) -> bool:
        """A service is called."""
        return "service_call" in self.frame


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)
    folder = corpora / (recipe.path or "sgd")
    services, lines = _read(folder, set(options.services))
    if not lines:
        raise ConfigError("source sgd: options.services leave no dialogue.")
    order = list(range(len(lines)))
    Random(f"sgd:{seed}").shuffle(order)  # noqa: S311 - chance, not secrets

    def make(number: int) -> Row:
        rng = Random(f"sgd:{seed}:{number}")  # noqa: S311
        lap, at = divmod(number, len(order))
        # Another order each time round: a second try must not meet the same dialogue.
        line = lines[order[(at + lap * 7919) % len(order)]].decode()
        year, month = rng.choice(FRIDAYS)
        with reading(folder, CORPUS):
            dialogue = json.loads(moved(line, year, month))
            maker = _Maker(dialogue, services, rng, f"{_MONTHS[month]} {year}", seed)
        return maker.declined() if rng.random() < options.no_tool else maker.row(options)

    open_to_all = [each for each in services.values() if each.name not in KEPT_OUT]
    return Source(make, len(lines), list(tools_of(open_to_all).values()))


def moved(line: str, year: int, month: int) -> str:
    """A dialogue's line on another day. All that it says of days is said by week and day of the
    month, so the weekday must stay and the month's name may change."""
    name = _MONTHS[month]
    line = line.replace("2019-03-", f"{year}-{month:02}-")
    line = re.sub(r"\bMarch\b|\bMar\b(?=\.? \d)", name, line)
    return re.sub(r"\bmarch\b", name.lower(), line)


def _read(folder: Path, wanted: set[str]) -> tuple[dict[str, Service], list[bytes]]:
    """Services by name, and the lines of dialogues that need none that is held out."""
    services: dict[str, Service] = {}
    lines: list[bytes] = []
    head = re.compile(rb'"services": ?\[([^\]]*)\]')
    try:
        for part in PARTS:
            schema, dialogues = folder / f"{part}_schema.json", folder / f"{part}.jsonl.gz"
            with reading(schema, CORPUS):
                for stored in json.loads(schema.read_text("utf-8")):
                    services[stored["service_name"]] = read_service(stored)
            with reading(dialogues, CORPUS), gzip.open(dialogues) as file:
                said = file.read().splitlines()
                if not said:
                    raise ValueError("there is no dialogue in it")
                for line in said:
                    found = head.search(line)
                    names = set(json.loads(b"[%s]" % found[1])) if found else KEPT_OUT
                    if QUOTED in line[:200] or names & KEPT_OUT:
                        continue
                    if not wanted or names <= wanted:
                        lines.append(line)
    except FileNotFoundError as error:
        raise MissingDataError(
            f"The Schema-Guided Dialogue corpus is not there: {error.filename} is missing.",
            f"It is licensed {LICENCE}. Get the project "
            "google-research-datasets/dstc8-schema-guided-dialogue, and write the dialogues of its "
            "parts train and dev a line each into train.jsonl.gz and dev.jsonl.gz, beside their "
            "schemas as train_schema.json and dev_schema.json.",
        ) from None
    return services, lines


class _Maker:
    """One dialogue on its way to a row."""

    def __init__(
        self, dialogue: Any, services: Mapping[str, Service], rng: Random, month: str, seed: int
    ) -> None:
        self.id: str = dialogue["dialogue_id"]
        turns = dialogue["turns"]
        self.pairs = [Pair(*turns[n : n + 2]) for n in range(0, len(turns) - 1, 2)]
        self.services = services
        self.rng = rng
        self.month = month
        self.seed = seed
        self.messages: list[Message] = []
        self.spoken: dict[str, str] = {}  # canonical value -> as last said

    def row(self, options: Options) -> Row:
        """The dialogue up to a turn by chance.

        Raises:
            UnusableError: what it says does not follow from what is shown.
        """
        cut = self._cut(options)
        pairs = self.pairs[:cut]
        named = dict.fromkeys(
            frame["service"] for pair in pairs for frame in pair.user["frames"] + [pair.frame]
        )
        own = [self.services[name] for name in named]
        tools = tools_of(self._with_others(own), self.rng)
        self._begin(tools)
        for n in range(cut):
            self._turn(n, cut, tools)
        calls = [pair.frame for pair in pairs if pair.calls]
        kind = "missing"
        if calls:
            kind = "single" if cut == 1 else "multi_turn"
        elif "REQUEST" not in pairs[-1].acts:
            kind = "multi_turn"
        main = self.services[calls[-1]["service"]] if calls else own[0]
        return self._made(kind, main, tools.values(), sorted(named), f"{cut}")

    def declined(self) -> Row:
        """The first request alone, among tools for other things.

        Raises:
            UnusableError: it does not name what it is about.
        """
        user = self.pairs[0].user
        own = self.services[user["frames"][0]["service"]]
        text = user["utterance"].strip()
        if len(user["frames"]) > 1 or not re.search(NAMED.get(own.family, "$^"), text.lower()):
            raise UnusableError("a request that does not name what it is about")
        tools = tools_of(
            self._with_others([], avoid=own, at_least=self.rng.randint(2, 6)), self.rng
        )
        self._begin(tools)
        can = self.rng.sample([_lower(tool.description) for tool in tools.values()], 2)
        answer = self.rng.choice(DECLINES).format(
            thing=own.noun.replace("_", " "), can=f"{can[0]} or {can[1]}"
        )
        thought = reasoning.for_decline(self.rng)
        self.messages += [Message("user", text), Message("assistant", answer, thought)]
        return self._made("no_tool", own, tools.values(), [own.name], "no_tool")

    def _made(
        self, kind: str, main: Service, tools: Iterable[ToolSpec], named: list[str], part: str
    ) -> Row:
        return Row(
            id=f"sgd/{self.id}:{part}",
            messages=tuple(self.messages),
            tools=tuple(tools),
            source="sgd",
            licence=LICENCE,
            domain=main.domain,
            kind=kind,
            difficulty="simple" if kind == "single" else "complex",
            seed=self.seed,
            group="+".join(named),
            proof="schema",
            without=self._without() if kind == "single" else {},
        )

    def _cut(self, options: Options) -> int:
        """After how many turns to stop: with a question, or after a call."""
        most = min(len(self.pairs), options.turns)
        first = next((n for n, pair in enumerate(self.pairs) if pair.calls), most)
        questions = [n + 1 for n in range(min(first, most)) if "REQUEST" in self.pairs[n].acts]
        answers = list(range(first + 1, most + 1))
        if questions and (not answers or self.rng.random() < options.missing):
            return self.rng.choice(questions)
        if not answers:
            raise UnusableError("no call within the turns admitted")
        return self.rng.choice(answers)

    def _with_others(
        self, own: list[Service], avoid: Service | None = None, at_least: int = 3
    ) -> list[Service]:
        """The services, and others until there are enough tools to choose from."""
        families = {each.family for each in own} | ({avoid.family} if avoid else set())
        others = [each for each in self.services.values() if each.name not in KEPT_OUT]
        self.rng.shuffle(others)
        chosen = list(own)
        for other in others:
            if sum(len(each.intents) for each in chosen) >= at_least:
                break
            if (
                other.family not in families
                and not OFFERS.get(other.family, frozenset()) & families
            ):
                chosen.append(other)
                families.add(other.family)
        return chosen

    def _begin(self, tools: Mapping[tuple[str, str], ToolSpec]) -> None:
        lines = [f"Today is Friday, 1 {self.month}. Time zone: America/Los_Angeles."]
        if any(self.services[service].intents[name].transactional for service, name in tools):
            lines.insert(0, self.rng.choice(ASK_FIRST))
        self.messages.append(Message("system", "\n".join(lines)))

    def _turn(self, n: int, cut: int, tools: Mapping[tuple[str, str], ToolSpec]) -> None:
        pair = self.pairs[n]
        self.messages.append(Message("user", pair.user["utterance"].strip()))
        for frame in pair.user["frames"]:
            self._hear(frame)
        thought = ""
        if pair.calls:
            self._call(n, cut, tools)
            thought = thought_of_results(self.rng, pair.frame, self.messages[-1])
        self._check_facts(pair)
        thought = thought or thought_of_turn(self.rng, pair.frame)
        self.messages.append(Message("assistant", pair.system["utterance"].strip(), thought))
        self._hear(pair.frame)

    def _hear(self, frame: Mapping[str, Any]) -> None:
        for act in frame["actions"]:
            for canonical, said in zip(act["canonical_values"], act["values"], strict=False):
                self.spoken[canonical] = said

    def _call(self, n: int, cut: int, tools: Mapping[tuple[str, str], ToolSpec]) -> None:
        frame = self.pairs[n].frame
        service = self.services[frame["service"]]
        method = frame["service_call"]["method"]
        spec = tools[service.name, method]
        said: Mapping[str, Any] = next(
            (f["state"]["slot_values"] for f in self.pairs[n].user["frames"]
             if f["service"] == service.name), {})  # fmt: skip
        given = frame["service_call"]["parameters"]
        arguments: JsonObject = {}
        whys: list[str] = []
        before = "\n".join(message.content for message in self.messages[1:]).casefold()
        for name in spec.parameters["properties"]:
            if name in given:
                if name not in said:
                    raise UnusableError("an argument that was not said")
                arguments[name] = self._value(service, name, given[name], before, whys)
        if set(spec.parameters["required"]) - set(arguments):
            raise UnusableError("a call without a required argument")
        call = ToolCall(spec.name, arguments, f"c{sum(p.calls for p in self.pairs[: n + 1])}")
        thought = reasoning.for_calls(self.rng, [call], self.messages, ", ".join(whys[:3]))
        self.messages.append(Message("assistant", "", thought, (call,)))
        content = dump(self._result(n, cut, service, arguments))
        self.messages.append(Message("tool", content, call_id=call.id, name=spec.name))

    def _value(self, service: Service, slot: str, value: str, before: str, whys: list[str]) -> Json:
        """A slot's value as the call has it; how it follows is added to ``whys``."""
        schema = service.slots[slot]
        if schema["type"] != "string" or "enum" in schema or value.casefold() in before:
            return service.typed(slot, value)
        said = self.spoken.get(value, "")
        if not said or said.casefold() not in before:
            raise UnusableError("a value that was not said")
        if schema.get("format") == "date" or re.fullmatch(r"\d\d:\d\d", value):
            whys.append(f"{said} → {value}")
            return value
        return said

    def _result(self, n: int, cut: int, service: Service, arguments: JsonObject) -> JsonObject:
        """What the call gave: the first rows, and those that the turns up to the cut speak of."""
        frame = self.pairs[n].frame
        rows: list[dict[str, str]] = frame["service_results"]
        intent = service.intents[frame["service_call"]["method"]]
        if intent.transactional:
            failed = "NOTIFY_FAILURE" in self.pairs[n].acts
            made = self._typed(service, rows[0], {}) if rows else {}
            if not failed:
                return {"status": "success"} | made
            # A failure that nothing is offered after has no better way to show.
            offered = "OFFER" in self.pairs[n].acts
            return {"status": "failed"} | ({"alternative": made} if offered and made else {})
        shown: set[int] = set()
        for later in self.pairs[n:cut]:
            if _service(later) != service.name:
                continue
            if later.calls and later is not self.pairs[n]:
                break
            if offered_now := _offered(later.frame):
                fits = [at for at, row in enumerate(rows) if _fits(row, offered_now)]
                if not fits:
                    raise UnusableError("an offer that is in no result")
                shown.add(fits[0])
        others = [at for at in range(len(rows)) if at not in shown]
        shown.update(others[: max(0, SHOWN - len(shown))])
        return {
            "count": len(rows),
            "results": [self._typed(service, rows[at], arguments) for at in sorted(shown)],
        }

    def _typed(
        self, service: Service, row: Mapping[str, str], asked: Mapping[str, Json]
    ) -> JsonObject:
        """A result with types, without what only repeats the question."""
        typed = {name: service.typed(name, value) for name, value in row.items()}
        return {name: value for name, value in typed.items() if asked.get(name) != value}

    def _check_facts(self, pair: Pair) -> None:
        """What is told is in a result, an argument or something said before."""
        known = "\n".join(message.content for message in self.messages).casefold()
        known += "\n".join(
            dump(call.arguments) for message in self.messages for call in message.calls
        ).casefold()
        service = self.services[_service(pair)]
        for act in pair.frame["actions"]:
            if act["act"] not in ("OFFER", "INFORM"):
                continue
            for value in act["canonical_values"]:
                fact = service.typed(act["slot"], value)
                text = dump(fact).strip('"') if not isinstance(fact, str) else fact
                if isinstance(fact, bool):
                    text = f'"{act["slot"]}":{text}'
                if text.casefold() not in known and dump(text)[1:-1].casefold() not in known:
                    raise UnusableError("an answer that no result bears out")

    def _without(self) -> dict[str, str]:
        """Argument -> the first request without its value, for the required ones."""
        text = self.messages[1].content
        call = next(message.calls[0] for message in self.messages if message.calls)
        frame = self.pairs[0].frame
        service = self.services[frame["service"]]
        required = service.intents[frame["service_call"]["method"]].parameters["required"]
        made = {}
        for name in required:
            value = str(call.arguments[name])
            said = value if value in text else self.spoken.get(value, value)
            if rest := without(text, said):
                made[name] = rest
        return made


def _service(pair: Pair) -> str:
    name: str = pair.frame["service"]
    return name


def _offered(frame: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    return {each["slot"]: each["canonical_values"]
            for each in frame["actions"] if each["act"] == "OFFER"}  # fmt: skip


def _fits(row: Mapping[str, str], offered: Mapping[str, Sequence[str]]) -> bool:
    return all(row.get(slot) in values for slot, values in offered.items())


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
