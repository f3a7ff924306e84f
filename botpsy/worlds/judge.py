"""Was it done, and nothing else? ``judge`` never fails for bad behaviour; it says what was bad."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from botpsy.worlds.compare import ABSENT, Change, Leaves, leaves, paired, renamed, same, touched
from botpsy.worlds.episode import Episode, play
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.words import declines, figures, mentions, refuses, tokens
from botpsy.worlds.world import Dump, World, WorldFault, names_of

_SHOWN = 6
_EMPTY: tuple[object, ...] = ("", None, False, 0, [], {})
_DATA = re.compile(r"[{,]\s*\"\w+\":")
"""JSON, as tools give it."""
_ECHO = 5
"""So many of the user's own words may be an answer, as a title is."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement; ``parts`` grade its sides from 0 to 1 (only those that the scenario has).

    ``state``: the share of right changes among all that were made or should have been made.
    ``clear``: the answer says something, to a person, and not much more than it need.
    """

    passed: bool
    reasons: tuple[str, ...]
    parts: Mapping[str, float]

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True)
class _Goal:
    """The start and the wanted ends of a scenario, and what is said then; worked out once."""

    start: Dump
    ends: tuple[Dump, ...]
    answers: tuple[str, ...]


_goals: WeakKeyDictionary[World, _Goal] = WeakKeyDictionary()


def judge(scenario: Scenario, world: World, episode: Episode) -> Verdict:
    """Judge an episode by the world it left behind and by what was said.

    Raises:
        WorldFault: the scenario's own gold solution cannot be played.
    """
    reasons: list[str] = []
    parts: dict[str, float] = {}
    parts["finished"] = float(episode.finished)
    if not episode.finished:
        reasons.append(f"not finished: {episode.stopped}")
    parts["state"], state = _state(scenario, world)
    reasons += state
    if scenario.asked:
        before = {slot for slot, changes in episode.asked if changes == 0}
        missed = [slot for slot in scenario.asked if slot not in before]
        parts["asked"] = 1 - len(missed) / len(scenario.asked)
        reasons += [f"not asked before acting: {slot}" for slot in missed]
    answer = "\n".join(episode.answers)
    heard = [m.content for m in episode.messages if m.role == "user"]
    last = "".join(episode.said[-1:])
    unclear = list(_unclear(answer, last, heard, _goal(scenario)))
    parts["clear"] = float(not unclear)
    reasons += unclear
    if scenario.answer:
        missed = [each for each in scenario.answer if not mentions(answer, each)]
        parts["answer"] = 1 - len(missed) / len(scenario.answer)
        reasons += [f"the answer does not mention {each!r}" for each in missed]
    if scenario.declines:
        parts["declines"] = float(declines(answer))
        if not declines(answer):
            reasons.append("the answer does not say that it cannot be")
    if scenario.never:
        told = [each for each in scenario.never if any(mentions(t, each) for t in episode.said)]
        parts["silent"] = float(not told)
        reasons += [f"an answer mentions {each!r}" for each in told]
    if scenario.withheld:
        sent = ["\n".join(map(str, step.call.arguments.values())) for step in episode.steps]
        leaked = [each for each in scenario.withheld if any(mentions(t, each) for t in sent)]
        parts["withheld"] = float(not leaked)
        reasons += [f"a call carries {each!r}" for each in leaked]
    copied = _copied(scenario, world)
    if copied:
        parts["worded"] = 0.0
        reasons += [f"what was written repeats the request: {turn!r}" for turn in copied]
    if scenario.mentions:
        text = _written(scenario, world)
        missed = [each for each in scenario.mentions if not mentions(text, each)]
        parts["mentions"] = 1 - len(missed) / len(scenario.mentions)
        reasons += [f"what was written does not mention {each!r}" for each in missed]
    if scenario.order:
        parts["order"] = float(_in_order(scenario.order, names_of(episode.steps)))
        if not parts["order"]:
            reasons.append(f"not in this order: {', '.join(scenario.order)}")
    return Verdict(not reasons, tuple(reasons), parts)


def _state(scenario: Scenario, world: World) -> tuple[float, list[str]]:
    best: tuple[float, list[str]] = (-1.0, [])
    for start, end, actual in sides(scenario, world):
        if not _wrong(end, actual, scenario):
            return 1.0, []
        mine = paired(actual, end, scenario.loose)
        wrong = _wrong(end, mine, scenario)
        moved = _changed(start, end) | _changed(start, mine)
        missed = sum(change.path in moved for change in wrong)
        share = 1 - max(missed, 1) / max(len(moved), 1)
        if share > best[0]:
            lines = [f"expected {change}" for change in sorted(wrong, key=lambda c: c.path)]
            more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
            best = (share, lines[:_SHOWN] + more)
    return best


def _wrong(end: Leaves, actual: Leaves, scenario: Scenario) -> list[Change]:
    return [
        Change(path, end.get(path, ABSENT), actual.get(path, ABSENT))
        for path in end.keys() | actual.keys()
        if not same(path, end.get(path, ABSENT), actual.get(path, ABSENT), scenario.loose)
    ]


def sides(scenario: Scenario, world: World) -> Iterator[tuple[Leaves, Leaves, Leaves]]:
    """Start, a wanted end, and the world as it is: of the services that differ, for each end.

    Raises:
        WorldFault: a gold solution cannot be played.
    """
    wanted, now, loose = _goal(scenario), world.dump(), scenario.loose
    moved = touched(wanted.start, now)
    for end in wanted.ends:
        names = moved | touched(wanted.start, end)
        start, gold, actual = (leaves(dump, loose, names) for dump in (wanted.start, end, now))
        yield start, renamed(gold, start, {}, loose), renamed(actual, start, gold, loose)


def _changed(start: Leaves, end: Leaves) -> set[str]:
    """Paths that differ; what a new record leaves empty is no change."""
    return {
        path
        for path in start.keys() | end.keys()
        if start.get(path, ABSENT) != end.get(path, ABSENT)
        and (path in start or end[path] not in _EMPTY)
    }


def _unclear(answer: str, last: str, heard: Sequence[str], goal: _Goal) -> Iterator[str]:
    """What is wrong with the answer as such: saying everything would mention anything."""
    most = max(len(tokens(each)) for each in goal.answers)
    numbers = max(len(figures(each)) for each in goal.answers)
    if not tokens(last):
        yield "the answer says nothing"
    if len(tokens(answer)) > 4 * most + 100 or len(figures(answer)) > 3 * numbers + 10:
        yield "the answer says far more than was asked"
    if len(tokens(answer)) > _ECHO and tokens(answer) in map(tokens, heard):
        yield "the answer repeats the user"
    if _DATA.search(answer) and not any(map(_DATA.search, goal.answers)):
        yield "the answer is data, not words"
    acts = all(end.state != goal.start.state for end in goal.ends)
    if acts and refuses(answer) and not any(map(refuses, goal.answers)):
        yield "the answer says that it was not done"


def _goal(scenario: Scenario) -> _Goal:
    known = _goals.get(scenario.world)
    if known is None:
        start, ends, answers = scenario.world.dump(), [], []
        for solution in scenario.gold:
            world, episode = play(scenario, solution)
            for step in episode.steps:
                if step.status == "invalid":
                    raise WorldFault(f"{scenario.id}: gold call is invalid: {step.error}")
            ends.append(world.dump())
            answers.append("\n".join(episode.answers))
        known = _goals[scenario.world] = _Goal(start, tuple(ends), tuple(answers))
    return known


def _written(scenario: Scenario, world: World) -> str:
    """The text of mails, messages, tickets and their notes that is new or changed."""
    start, _, end = next(sides(scenario, world))
    return "\n".join(
        str(value)
        for path, value in end.items()
        if path.startswith(("mail/", "messages/", "business/ticket/"))
        and path.endswith(("/text", "/subject"))
        and start.get(path) != value
    )


def _copied(scenario: Scenario, world: World) -> list[str]:
    """Turns that stand as they were said in what is new, and in no gold solution."""
    turns = [turn for turn in scenario.turns if len(tokens(turn)) > _ECHO]
    if not turns:
        return []
    mine: list[str] = []
    gold: list[str] = []
    for start, end, actual in sides(scenario, world):
        for texts, state in ((mine, actual), (gold, end)):
            texts += [
                str(value)
                for path, value in state.items()
                if path.startswith(("mail/", "messages/", "notes/")) and start.get(path) != value
            ]
    return [
        turn
        for turn in turns
        if any(mentions(text, turn) for text in mine)
        and not any(mentions(text, turn) for text in gold)
    ]


def _in_order(wanted: Sequence[str], names: Sequence[str]) -> bool:
    rest = iter(names)
    return all(name in rest for name in wanted)
