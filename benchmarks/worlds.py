"""How fast worlds are on one core: tool steps, forks, dumps, scenes, judged episodes, proofs.

A step is what an agent's call costs: validation against the schema, binding (time phrases, people,
records), the tool, the log. The calls are those of the gold solutions, each in a fork of its world;
forking is not counted. No two worlds are alike, so that nothing is answered from a cache.

    python benchmarks/worlds.py [--seconds 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from botpsy.chat.types import ToolCall
from botpsy.worlds.episode import play
from botpsy.worlds.judge import judge
from botpsy.worlds.prove import prove
from botpsy.worlds.registry import families, scenario
from botpsy.worlds.scenario import Scenario


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    seconds = parser.parse_args().seconds
    tasks = [scenario(name, seed) for name in families() for seed in range(20)]
    plays = [(task, [step.call for step in play(task, task.gold[0])[1].steps]) for task in tasks]
    plays = [(task, calls) for task, calls in plays if calls]
    rows: list[tuple[str, Callable[[], int]]] = [
        ("forks", lambda: len([task.start() for task in tasks])),
        ("dumps", lambda: len([dumped(task) for task in tasks])),
        ("scenes", lambda: len([scenario(task.family, task.seed) for task in tasks])),
        ("judged gold episodes", lambda: len([judged(task) for task in tasks])),
        ("proofs", lambda: len([prove(task) for task in tasks])),
    ]
    print(f"{len(families())} families, {len(tasks)} scenarios\n")
    print("| what | per second | µs each |\n|---|---|---|")
    print(row("tool steps", steps_per_second(plays, seconds)))
    for name, work in rows:
        print(row(name, per_second(work, seconds)))


def steps_per_second(plays: list[tuple[Scenario, list[ToolCall]]], seconds: float) -> float:
    """Steps alone; the forks they run in are made off the clock."""
    done, spent = 0, 0.0
    while spent < seconds:
        worlds = [(task.start(), calls) for task, calls in plays]
        started = time.process_time()
        for world, calls in worlds:
            for call in calls:
                world.step(call)
        spent += time.process_time() - started
        done += sum(len(calls) for _, calls in worlds)
    return done / spent


def per_second(work: Callable[[], int], seconds: float) -> float:
    work()
    done, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        done += work()
    return done / (time.process_time() - started)


def dumped(task: Scenario) -> object:
    world = task.start()
    world._origin = None  # nothing to share with
    return world.dump()


def judged(task: Scenario) -> bool:
    return judge(task, *play(task, task.gold[0])).passed


def row(name: str, rate: float) -> str:
    return f"| {name} | {rate:,.0f} | {1e6 / rate:,.0f} |"


if __name__ == "__main__":
    main()
