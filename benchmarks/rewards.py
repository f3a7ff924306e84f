"""How many rewards one core gives in a second: of tool calls, by kind of reply, and of worlds.

Replies are the gold calls of worlds, with their reasoning, written out as a model writes them; and
the same spoiled in several ways: an argument wrong, left out or too much, a call too much, words
only, a call inside the reasoning, a broken tag. "mixed" is all of them in equal parts. References
are prepared once, since a task has many replies; nothing else is kept between two replies.
"reference looked up" is ``verify``, which finds the prepared reference by its text.

    python benchmarks/rewards.py [--seconds 3]
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from botpsy.chat.formats import QWEN3_5
from botpsy.chat.parser import parse
from botpsy.chat.types import JsonObject, Message, ToolCall, ToolSpec
from botpsy.data.types import tool_json
from botpsy.errors import ParseError
from botpsy.rewards.matching import assign
from botpsy.rewards.tool_call import Gold, prepare, score, verify
from botpsy.rewards.world import reward
from botpsy.worlds.acts import Calls
from botpsy.worlds.episode import play
from botpsy.worlds.registry import families, scenario

Case = tuple[JsonObject, Gold, str]
REASONING = "The request is clear and {0} fits it. Its values are in the request itself."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    seconds = parser.parse_args().seconds
    cases = made_cases()
    mixed = [case for some in cases.values() for case in some]
    length = sum(len(raw) for _, _, raw in mixed) / len(mixed)
    print(f"{len(mixed)} replies, {length:.0f} characters each on average\n")
    print("| what | per second | µs each |\n|---|---|---|")
    for name, some in {**cases, "mixed": mixed}.items():
        row(name, lambda some=some: scored(some), len(some), seconds)  # type: ignore[misc]
    grouped = sorted(mixed, key=lambda case: id(case[1]))  # a task's replies come together
    row("mixed, reference looked up", lambda: verified(grouped), len(mixed), seconds)
    row("of this, parsing alone", lambda: parsed(mixed), len(mixed), seconds)
    table = [[((7 * x) % 16 == y % 16) / 2 + y / 99 for y in range(32)] for x in range(16)]
    row("assignment, 16 gold and 32 made", lambda: assign(table), 1, seconds)
    plays = [(s, *play(s, s.gold[0])) for s in (scenario(name, 0) for name in families())]
    row("episodes in worlds", lambda: [reward(*each) for each in plays], len(plays), seconds)


def made_cases() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = defaultdict(list)
    for name in families():
        task = scenario(name, 0)
        first = next((act for act in task.gold[0] if isinstance(act, Calls)), None)
        if first is None or "Got(" in repr(first):
            continue
        calls = first.calls
        reference: JsonObject = {
            "tools": [tool_json(spec) for spec in task.specs],
            "calls": [{"name": each.name, "arguments": each.arguments} for each in calls],
        }
        gold = prepare(reference)
        for kind, raw in replies(calls, task.specs).items():
            cases[kind].append((reference, gold, raw))
    return cases


def replies(calls: tuple[ToolCall, ...], tools: tuple[ToolSpec, ...]) -> dict[str, str]:
    def written(*made: ToolCall, content: str = "") -> str:
        reasoning = REASONING.format(calls[0].name)
        return QWEN3_5.reply(Message("assistant", content, reasoning, made), tools)

    first, *others = calls
    arguments = dict(first.arguments)
    name = next(reversed(arguments), "")
    less = {key: value for key, value in arguments.items() if key != name}
    right = written(*calls)
    kind = "right, one call" if not others else "right, several calls"
    return {
        kind: right,
        "an argument wrong": written(replace(first, arguments={**less, name: "?"}), *others)
        if isinstance(arguments.get(name), str)
        else written(replace(first, arguments=less), *others),
        "an argument left out": written(replace(first, arguments=less), *others),
        "an argument too much": written(
            replace(first, arguments={**arguments, "note": "as soon as you can"}), *others
        ),
        "a call too much": written(*calls, first),
        "words only": written(content="I have put it in; is there anything else I can do?"),
        "a call in the reasoning": right.replace("</think>\n\n", "") + "\n</think>\n\n",
        "a broken tag": right.replace("</function>", ""),
    }


def scored(cases: list[Case]) -> None:
    for _, gold, raw in cases:
        score(gold, raw)


def verified(cases: list[Case]) -> None:
    for reference, _, raw in cases:
        verify(reference, raw)


def parsed(cases: list[Case]) -> None:
    for _, _, raw in cases:
        try:
            parse(raw, in_thinking=True)
        except ParseError:
            continue


def row(name: str, work: Callable[[], object], count: int, seconds: float) -> None:
    work()
    done, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        work()
        done += count
    rate = done / spent
    print(f"| {name} | {rate:,.0f} | {1e6 / rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
