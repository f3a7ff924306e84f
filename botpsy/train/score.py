"""Rewards of rollouts, and what a batch of them has to tell.

A text is judged by its task's verifier, a life in a world by ``botpsy.rewards.world``; what cannot
be read, or was cut off, gets the floor of whoever judges. A fault of a world is no reward at all:
None, which is counted apart and left out of everything.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import fmean

from botpsy.chat.loops import loops
from botpsy.errors import ModelError
from botpsy.rewards import FLOOR, Reward, verifier, world
from botpsy.rewards.overlong import punishment
from botpsy.train.rollout import Rollout, Stop, TimeLimit, time_limit
from botpsy.worlds.world import WorldFault

OUTSIDE = frozenset({"code"})
"""Verifiers that wait for processes of their own, so several run at once."""


def score(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
    """A reward for each, or None for a world's fault. ``judge_s``: seconds to judge one world.

    Raises:
        ModelError: a reward is no finite number; names the task.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            n: pool.submit(_judged, each)
            for n, each in enumerate(rollouts)
            if each.task.verifier in OUTSIDE
        }
        rewards = [
            waiting[n].result() if n in waiting else _reward(each, judge_s)
            for n, each in enumerate(rollouts)
        ]
    for each, reward in zip(rollouts, rewards, strict=True):
        if reward and not math.isfinite(reward.value):
            raise ModelError(
                f"{each.task.id} got the reward {reward.value}.", "A verifier is at fault."
            )
    return rewards


def _reward(rollout: Rollout, judge_s: float) -> Reward | None:
    life = rollout.life
    if life is None:
        return _judged(rollout)
    if rollout.fault:
        return None
    if rollout.cut or rollout.stopped == "unreadable":
        return Reward(FLOOR, {"format": 0.0})
    try:
        with time_limit(judge_s):
            found = world.reward(life.scenario, life.world, life.episode)
    except (WorldFault, TimeLimit) as error:
        rollout.stopped, rollout.fault = "fault", f"{rollout.task.id}: {error}"
        return None
    return Reward(found.value, {"format": 1.0, **found.parts})


def _judged(rollout: Rollout) -> Reward:
    """Of a text; one that was cut off is judged as if nothing had been said."""
    task = rollout.task
    return verifier(task.verifier)(task.reference, "" if rollout.cut else rollout.turns[0])


def shortened(rollout: Rollout, value: float, limit: int, margin: int) -> float:
    """A reward with the soft punishment of length; a margin of 0 is none."""
    return value + punishment(rollout.sampled, limit, margin) if margin else value


@dataclass(frozen=True, slots=True)
class Seen:
    """What is told of one rollout, on whatever process it was made."""

    part: str
    judge: str
    sampled: int
    turns: int
    stopped: Stop
    looped: bool
    reward: Reward | None = None


def seen(rollout: Rollout, reward: Reward | None = None) -> Seen:
    """The figures of a rollout; ``reward`` where there is one."""
    return Seen(
        rollout.task.part,
        rollout.task.verifier,
        rollout.sampled,
        len(rollout.turns),
        rollout.stopped,
        any(map(loops, rollout.spans)),
        reward,
    )


def told(rollouts: Sequence[Seen]) -> dict[str, float]:
    """Means and shares of all and by part of the mix: ``choice/limit/length``, ``choice/reward``.

    Parts of rewards go by who judged: ``choice/reward/tool_call/names``.
    """
    by_part: defaultdict[str, list[Seen]] = defaultdict(list)
    for each in rollouts:
        by_part["all"].append(each)
        by_part[each.part].append(each)
    return {
        f"{part}/{name}": value
        for part, some in by_part.items()
        for name, value in {**_told(some), **(_rewards(some) if part != "all" else {})}.items()
    }


def _told(rollouts: Sequence[Seen]) -> dict[str, float]:
    lengths = [each.sampled for each in rollouts]
    stops = [each.stopped for each in rollouts]
    return {
        "length/mean": fmean(lengths),
        "length/max": max(lengths),
        "turns": fmean(each.turns for each in rollouts),
        "limit/length": _share(each == "length" for each in stops),
        "limit/context": _share(each == "context" for each in stops),
        "limit/turns": _share(each == "turns" for each in stops),
        "unreadable": _share(each == "unreadable" for each in stops),
        "fault": _share(each == "fault" for each in stops),
        "loops": _share(each.looped for each in rollouts),
    }


def _rewards(rollouts: Sequence[Seen]) -> dict[str, float]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for each in rollouts:
        if each.reward:
            found["reward"].append(each.reward.value)
            for name, value in each.reward.parts.items():
                found[f"reward/{each.judge}/{name}"].append(value)
    return {name: fmean(values) for name, values in sorted(found.items())}


def _share(flags: Iterable[bool]) -> float:
    listed = list(flags)
    return sum(listed) / len(listed)
