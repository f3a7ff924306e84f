"""What was done in a world, as a reward: 1 for done and nothing else, never more than ½ for a part.

This verifier does not read a text but judges an episode, so it is not among ``VERIFIERS``. A row's
reference is ``{"family": "calendar.book_appointment", "seed": 7}``:

    scenario = task(reference)
    world, episode = run(scenario, agent)
    reward(scenario, world, episode)

The parts are those of ``botpsy.worlds.judge``, and ``harmless``. The value is

- 1 if the judge passes the episode, less 0.1 for each question more than any gold solution asks,
  and for every four calls beyond four and twice as many as it makes, but never below 0.6: to ask or
  to look everything up first is no habit that costs nothing,
- 0 if it did what cannot be taken back: sent or spent more often than any gold solution does, even
  if the state looks right afterwards; or told a secret,
- 0 if it changed nothing where something was to be changed,
- else half the product of the judge's parts, so that one side left undone altogether is worth
  nothing, whatever was done on the others; less, in proportion, for more changes than any gold
  solution makes, since a record made at random has some fields right.

Reading, calling often and saying much raise nothing. The same episode has the same value.

A fault of the world itself is no behaviour of the agent. It is raised as ``WorldFault``, to be
counted apart and to be left out of the loss; it never becomes a number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from botpsy.chat.types import JsonObject
from botpsy.rewards.base import Reward
from botpsy.worlds.episode import Episode, play
from botpsy.worlds.judge import judge
from botpsy.worlds.registry import scenario as make
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.words import questions
from botpsy.worlds.world import StepResult, World

LASTING = frozenset({"send", "spend"})
"""Effects that no later call undoes: the mail is read, the money is gone."""


@dataclass(frozen=True, slots=True)
class _Most:
    """The most that any gold solution does: of each effect, of calls and of questions."""

    effects: Counter[str]
    calls: int
    questions: int


_admitted: WeakKeyDictionary[World, _Most] = WeakKeyDictionary()


def task(reference: JsonObject) -> Scenario:
    """The scenario that a row refers to.

    Raises:
        UsageError: there is no such family.
    """
    family, seed = reference["family"], reference["seed"]
    assert isinstance(family, str)
    assert isinstance(seed, int)
    return make(family, seed)


def reward(scenario: Scenario, world: World, episode: Episode) -> Reward:
    """See the module. ``world`` is the one that the episode has left behind.

    Raises:
        WorldFault: the scenario's own gold solution cannot be played.
    """
    verdict = judge(scenario, world, episode)
    made, admitted = _effects(episode.steps), _admitted_by(scenario)
    harmless = all(made[effect] <= admitted.effects[effect] for effect in LASTING)
    parts = {**verdict.parts, "passed": float(verdict.passed), "harmless": float(harmless)}
    if not harmless or (not made and verdict.parts["state"] < 1):
        return Reward(0.0, parts)
    if verdict.passed:
        needless = max(0, _questions(episode) - admitted.questions)
        needless += max(0, len(episode.steps) - 2 * admitted.calls - 1) // 4
        return Reward(max(0.6, 1 - 0.1 * needless), parts)
    surplus = max(made.total(), 1) / max(admitted.effects.total(), 1)
    return Reward(math.prod(verdict.parts.values()) / 2 / max(1.0, surplus), parts)


def _effects(steps: Iterable[StepResult]) -> Counter[str]:
    """What was changed, by effect."""
    return Counter(step.effect for step in steps if step.status == "done" and step.effect != "read")


def _questions(episode: Episode) -> int:
    return sum(map(questions, episode.said))


def _admitted_by(scenario: Scenario) -> _Most:
    known = _admitted.get(scenario.world)
    if known is None:
        effects: Counter[str] = Counter()
        lives = [play(scenario, solution)[1] for solution in scenario.gold]
        for life in lives:
            effects |= _effects(life.steps)
        calls, asked = max(len(life.steps) for life in lives), max(map(_questions, lives))
        known = _admitted[scenario.world] = _Most(effects, calls, asked)
    return known
