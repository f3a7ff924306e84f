"""What was done in a world, as a reward: 1 for done and nothing else, never more than ½ for a part.

This verifier does not read a text but judges an episode, so it is not among ``VERIFIERS``. A row's
reference is ``{"family": "calendar.book_appointment", "seed": 7}``:

    scenario = task(reference)
    world, episode = run(scenario, agent)
    reward(scenario, world, episode)

The parts are those of ``botpsy.worlds.judge``, and ``harmless``. The value is

- 1 if the judge passes the episode,
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
from weakref import WeakKeyDictionary

from botpsy.chat.types import JsonObject
from botpsy.rewards.base import Reward
from botpsy.worlds.episode import Episode, play
from botpsy.worlds.judge import judge
from botpsy.worlds.registry import scenario as make
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.world import StepResult, World

LASTING = frozenset({"send", "spend"})
"""Effects that no later call undoes: the mail is read, the money is gone."""

_admitted: WeakKeyDictionary[World, Counter[str]] = WeakKeyDictionary()
"""Effect -> the most often that any gold solution has it."""


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
    harmless = all(made[effect] <= admitted[effect] for effect in LASTING)
    parts = {**verdict.parts, "passed": float(verdict.passed), "harmless": float(harmless)}
    if not harmless or (not made and verdict.parts["state"] < 1):
        return Reward(0.0, parts)
    if verdict.passed:
        return Reward(1.0, parts)
    surplus = max(made.total(), 1) / max(admitted.total(), 1)
    return Reward(math.prod(verdict.parts.values()) / 2 / max(1.0, surplus), parts)


def _effects(steps: Iterable[StepResult]) -> Counter[str]:
    """What was changed, by effect."""
    return Counter(step.effect for step in steps if step.status == "done" and step.effect != "read")


def _admitted_by(scenario: Scenario) -> Counter[str]:
    known = _admitted.get(scenario.world)
    if known is None:
        known = Counter()
        for solution in scenario.gold:
            known |= _effects(play(scenario, solution)[1].steps)
        _admitted[scenario.world] = known
    return known
