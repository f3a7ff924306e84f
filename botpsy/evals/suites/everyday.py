"""``everyday``: tasks of all eight domains that training has not seen; ours, so no data is needed.

``everyday`` is the model alone, with the five to eight tools of each scenario. In
``everyday.assistant`` the same tasks are brought to the assistant: it selects among all tools, and
the user is asked what the guard says has to be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from botpsy.evals.case import Case, Leaf, Suite, Talk, Verdict, passed
from botpsy.evals.lives import Lived, alone, assisted, everything, scripted
from botpsy.worlds.acts import Calls
from botpsy.worlds.everyday import everyday
from botpsy.worlds.judge import judge
from botpsy.worlds.registry import scenario
from botpsy.worlds.scenario import Scenario

PER_FAMILY = 5
KINDS = ("simple", "complex")
_SCORES = (Leaf("everyday", KINDS), *map(Leaf, KINDS))


def cases(_: Path) -> Iterable[Case]:
    """Family by family, in order of names; the versions of a family belong together."""
    for task in everyday("held_out", per_family=PER_FAMILY):
        data = {"family": task.family, "seed": task.seed}
        yield Case(task.id, task.difficulty, data, group=task.family, domain=task.domain)


def play(case: Case, talk: Talk) -> Verdict:
    """The model alone."""
    task = _task(case)
    return _verdict(task, alone(task, talk))


def play_assisted(case: Case, talk: Talk) -> Verdict:
    """The model inside the assistant."""
    task = _task(case)
    lived = assisted(task, talk, everything(task))
    offered = any(_tools(way) <= lived.offered for way in task.gold)
    return _verdict(task, lived, offered=offered, refused=bool(lived.refused))


def gold(case: Case) -> Sequence[Any]:
    """The first gold solution."""
    return scripted(_task(case).gold[0])


@lru_cache(maxsize=64)
def _scenario(family: str, seed: int) -> Scenario:
    return scenario(family, seed)


def _task(case: Case) -> Scenario:
    return _scenario(case.data["family"], case.data["seed"])


def _tools(way: Sequence[object]) -> set[str]:
    return {call.name for act in way if isinstance(act, Calls) for call in act.calls}


def _verdict(task: Scenario, lived: Lived, **more: bool) -> Verdict:
    verdict = judge(task, lived.world, lived.episode)
    return passed(verdict.passed, "; ".join(verdict.reasons), **more)


ALONE = Suite(
    name="everyday",
    title="Everyday tasks, the model alone",
    about="Tasks in worlds of our own, of families that training never sees, judged by the state "
    "that is left and by what was said. The model gets the tools of the scenario, distractors "
    "among them. Users are scripted. Simple: one turn and one call; complex: all else.",
    cases=cases,
    play=play,
    gold=gold,
    scores=_SCORES,
)
ASSISTANT = Suite(
    name="everyday.assistant",
    title="Everyday tasks, inside the assistant",
    about="The tasks of everyday, brought to the assistant. It selects among all tools that the "
    "world has; the policy allows each, so that only the guard asks or denies; the user approves "
    "what the task wants. “Tools offered” says how often the selection had all that gold needs, "
    "“refused” how often the user had to say no.",
    cases=cases,
    play=play_assisted,
    gold=gold,
    scores=(
        *_SCORES,
        Leaf("tools offered", KINDS, "offered"),
        Leaf("refused", KINDS, "refused"),
    ),
)
SUITES = (ALONE, ASSISTANT)
