"""The proof of a scenario: gold passes; doing nothing, declining and near-misses fail.

Near-misses are derived from the gold solutions: a call left out, one too many, and each argument
that matters changed a little (an hour off, another person, another record, another number, another
choice). A change that leads to the very same state is no miss and is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from botpsy.chat.types import JsonObject, Schema, ToolCall
from botpsy.services.mail import handle_of
from botpsy.worlds.acts import Act, Ask, Calls, Got, Say, Solution
from botpsy.worlds.compare import Leaves, is_loose
from botpsy.worlds.episode import play
from botpsy.worlds.judge import Verdict, judge, sides
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.user import asks_for
from botpsy.worlds.words import questions
from botpsy.worlds.world import World, WorldFault


@dataclass(frozen=True, slots=True)
class Case:
    """One solution, and whether it is to pass."""

    name: str
    acts: Solution
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """What was tried, and what did not come out as it should."""

    tried: tuple[str, ...]
    wrong: tuple[str, ...]


_TABLES = frozenset({"bank", "business", "shop"})
"""Services whose records are kept by kind."""
_OTHER_WORDS = "something else entirely"


def prove(scenario: Scenario) -> Proof:
    """Try everything.

    Raises:
        WorldFault: a gold solution or an own near-miss cannot be played.
    """
    wrong = list(_form(scenario))
    tried: list[str] = []
    misses = 0
    for case in cases(scenario):
        verdict = _verdict(scenario, case)
        if verdict is None:
            continue
        tried.append(case.name)
        misses += not case.passes and not case.name.startswith("idle")
        if verdict.passed != case.passes:
            why = "; ".join(verdict.reasons) if case.passes else "it passes"
            wrong.append(f"{scenario.id}: {case.name}: {why}")
    if not misses:
        wrong.append(f"{scenario.id}: no near-miss could be made; give it one with near=")
    return Proof(tuple(tried), tuple(wrong))


def cases(scenario: Scenario) -> Iterator[Case]:
    """Everything to be tried, gold first."""
    for n, way in enumerate(scenario.gold, 1):
        yield Case(f"gold {n}", way, passes=True)
    turns = len(scenario.turns)
    yield Case("idle: nothing", ())
    yield Case("idle: claims", tuple([Say("Done!", literal=True)] * turns))
    if not scenario.declines:
        no = Say("Sorry, I can't do that.", literal=True)
        yield Case("idle: declines", tuple([no] * turns))
    for name, acts in scenario.near.items():
        yield Case(f"own: {name}", acts)
    first = scenario.gold[0]
    yield from _without_asking(first)
    yield from _calls_off(scenario, first)
    if scenario.answer:
        vague = tuple(Say("It is done.", literal=True) if isinstance(a, Say) else a for a in first)
        yield Case("vague answers", vague)


def _form(scenario: Scenario) -> Iterator[str]:
    """Whether the scenario is well made."""
    for way in scenario.gold:
        if not way or not isinstance(way[-1], Say) or questions(way[-1].text):
            yield f"{scenario.id}: a gold solution ends with an answer, which is no question"
        for act in way:
            if isinstance(act, Ask) and not asks_for(act.question, act.slot):
                yield f"{scenario.id}: the user does not take {act.question!r} for {act.slot}"
            if isinstance(act, Ask) and act.slot not in scenario.facts:
                yield f"{scenario.id}: no fact (not even None) for the slot {act.slot}"
    if len(scenario.tools) > 8:
        yield f"{scenario.id}: more than 8 tools are offered"


def _verdict(scenario: Scenario, case: Case) -> Verdict | None:
    """None: a derived case that is no miss at all, or cannot be played to the end."""
    derived = not case.passes and not case.name.startswith(("own", "idle"))
    try:
        world, episode = play(scenario, case.acts)
    except WorldFault:
        if not derived:
            raise
        # What follows builds on a result that is not there: that is how it fails.
        return Verdict(False, ("the rest cannot be done",), {})
    if derived and _same_state(scenario, world, case):
        return None
    return judge(scenario, world, episode)


def _same_state(scenario: Scenario, world: World, case: Case) -> bool:
    """Whether a derived near-miss of calls led where a gold solution leads."""
    if case.name == "vague answers" or case.name.startswith("without asking"):
        return False

    def strict(state: Leaves) -> Leaves:
        return {path: v for path, v in state.items() if not is_loose(path, scenario.loose)}

    return any(strict(end) == strict(now) for _, end, now in sides(scenario, world))


def _without_asking(way: Solution) -> Iterator[Case]:
    if any(isinstance(act, Ask) for act in way):
        yield Case("without asking", tuple(act for act in way if not isinstance(act, Ask)))


def _calls_off(scenario: Scenario, way: Solution) -> Iterator[Case]:
    """Calls left out, doubled, and with other arguments."""
    for at, act in enumerate(way):
        if not isinstance(act, Calls):
            continue
        for n, call in enumerate(act.calls):
            tool = scenario.world.tools[call.name]
            others = act.calls[:n] + act.calls[n + 1 :]
            less = (Calls(others),) if others else ()
            yield Case(f"without {call.name}", _with(way, at, less))
            if tool.effect == "read":
                continue
            yield Case(f"{call.name} twice", _with(way, at, (act, Calls((call,)))))
            for name, arguments in _other_arguments(scenario, call):
                changed = ToolCall(call.name, arguments)
                calls = (*act.calls[:n], changed, *act.calls[n + 1 :])
                yield Case(f"{call.name}: other {name}", _with(way, at, (Calls(calls),)))


def _with(way: Solution, at: int, acts: Sequence[Act]) -> Solution:
    return (*way[:at], *acts, *way[at + 1 :])


def _other_arguments(scenario: Scenario, call: ToolCall) -> Iterator[tuple[str, JsonObject]]:
    tool = scenario.world.tools[call.name]
    properties = tool.schema["properties"]
    for name, value in call.arguments.items():
        destination = name in tool.destinations
        for other in _others(scenario, value, properties[name], destination, tool.service):
            yield name, {**call.arguments, name: other}


def _others(
    scenario: Scenario, value: Any, schema: Schema, destination: bool, service: str
) -> Iterator[Any]:
    """Values near this one, all of its type."""
    if isinstance(value, Got):
        yield from _other_record(scenario, service, None)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
    elif isinstance(value, list):
        if len(value) > 1:
            yield value[:-1]
    elif "enum" in schema:
        yield from [each for each in schema["enum"] if each != value][:2]
    elif isinstance(value, str):
        yield from _other_text(scenario, value, schema, destination, service)


def _other_text(
    scenario: Scenario, value: str, schema: Schema, destination: bool, service: str
) -> Iterator[Any]:
    clock = scenario.world.clock
    match schema.get("format"):
        case "instant":
            try:
                at: datetime = clock.instant(value)
            except Exception:  # relative to an event: "an hour later"
                at = clock.now() + timedelta(days=3)
            yield (at + timedelta(hours=1)).isoformat()
            yield (at + timedelta(days=1)).isoformat()
        case "day":
            yield (clock.day(value) + timedelta(days=1)).isoformat()
        case "span":
            yield f"{int(clock.duration(value).total_seconds()) + 300} seconds"
        case "period":
            start, _ = clock.period(value)
            yield (start.date() + timedelta(days=1)).isoformat()
        case "event" | "reminder":
            yield from _other_record(scenario, service, value)
        case _ if destination:
            people = [contact.name for contact in scenario.world.services.contacts.all()]
            yield from [name for name in people if value.casefold() not in name.casefold()][:1]
            yield from _other_record(scenario, service, value)
        case _:
            yield from _other_record(scenario, service, value)
            yield _OTHER_WORDS


def _other_record(scenario: Scenario, service: str, value: str | None) -> Iterator[str]:
    """What other records of the service are called."""
    state = scenario.world.dump().state.get(service, {})
    names: list[str] = []
    for key, part in state.items():
        if service in _TABLES and isinstance(part, dict):
            names += part
        elif service == "mail":
            names.append(handle_of(key))
        else:
            names.append(key.partition("/")[2] if service == "notes" else key)
    yield from [name for name in names if name != value][:3]
