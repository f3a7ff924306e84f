"""BFCL v4, multi-turn: eight stateful environments, tasks of several turns, checked by state and
by results.

Source: Patil et al., Berkeley Function Calling Leaderboard (package ``bfcl-eval`` 2026.3.23,
Apache-2.0). Rules and environments are rebuilt; see docs/evals/bfcl_multi_turn.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from botpsy.chat.schema import gate
from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Data, Leaf, Mean, Suite
from botpsy.evals.data import open_data
from botpsy.evals.suites.bfcl_multi_turn.long_context import read_long_context
from botpsy.evals.suites.bfcl_multi_turn.rules import play
from botpsy.evals.suites.bfcl_multi_turn.world import World, read_call

CATEGORIES = ("base", "miss_func", "miss_param", "long_context")
_DOCS = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
_PACKAGE = "the PyPI package bfcl-eval 2026.3.23"
_LICENCE = "Apache-2.0"


def _file(path: str, where: str) -> Data:
    return Data(f"bfcl_v4/{path}", f"{_PACKAGE}, there bfcl_eval/{where}", _LICENCE)


_QUESTIONS = {
    each: _file(f"BFCL_v4_multi_turn_{each}.json", f"data/BFCL_v4_multi_turn_{each}.json")
    for each in CATEGORIES
}
_ANSWERS = {
    each: _file(
        f"possible_answer/BFCL_v4_multi_turn_{each}.json",
        f"data/possible_answer/BFCL_v4_multi_turn_{each}.json",
    )
    for each in CATEGORIES
}
_TOOLS = {
    name: _file(f"multi_turn_func_doc/{doc}.json", f"data/multi_turn_func_doc/{doc}.json")
    for name, doc in _DOCS.items()
}
_TOOL_FOLDER = _file("multi_turn_func_doc", "data/multi_turn_func_doc")
_LONG = _file("long_context.py", "eval_checker/multi_turn_eval/func_source_code/long_context.py")


def cases(folder: Path) -> Iterator[Case]:
    """Eight hundred, category by category.

    Raises:
        ConfigError: a file is missing or cannot be read.
    """
    tools = {name: read_tools(open_data(folder, data)) for name, data in _TOOLS.items()}
    extended = read_long_context(open_data(folder, _LONG))
    for category in CATEGORIES:
        gold = {
            each["id"]: each["ground_truth"]
            for each in read_lines(open_data(folder, _ANSWERS[category]))
        }
        long = extended if category == "long_context" else None
        for entry in read_lines(open_data(folder, _QUESTIONS[category])):
            try:
                data = _data(entry, gold[entry["id"]], tools) | {"long": long}
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                where = f"{_QUESTIONS[category].path}, {entry.get('id')}"
                raise ConfigError(f"{where} cannot be read: {error!r}.") from None
            yield Case(entry["id"], category, data)


def _data(
    entry: dict[str, Any], gold: list[list[str]], tools: dict[str, dict[str, ToolSpec]]
) -> dict[str, Any]:
    """What ``play`` and ``gold`` need of a case."""
    classes = entry["involved_classes"]
    offered: dict[str, ToolSpec] = {}
    for each in classes:
        offered |= tools[each]
    for name in entry.get("excluded_function", ()):
        offered.pop(name, None)
    held = {
        int(turn): tuple(offered.pop(name) for name in names if name in offered)
        for turn, names in entry.get("missed_function", {}).items()
    }
    if len(gold) != len(entry["question"]):
        raise ValueError("as many turns as gold turns are needed")
    return {
        "classes": classes,
        "config": entry["initial_config"],
        "turns": [
            tuple(Message(each["role"], each["content"]) for each in turn)
            for turn in entry["question"]
        ],
        "gold": gold,
        "tools": tuple(offered.values()),
        "held": held,
    }


def gold(case: Case) -> Sequence[Message]:
    """The gold calls of a turn, all in one reply (some turns have more than there may be steps),
    and a word at its end."""
    world = World(case.data["classes"], {})
    said = []
    for turn in case.data["gold"]:
        calls = tuple(ToolCall(*read_call(text, world)) for text in turn)
        if calls:
            said.append(Message("assistant", calls=calls))
        said.append(Message("assistant", "Done."))
    return said


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line.

    Raises:
        ConfigError: it is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None
    if not all(isinstance(each, dict) for each in found):
        raise ConfigError(f"{path} has lines that are no objects.")
    return found


@lru_cache(maxsize=64)
def read_tools(path: Path) -> dict[str, ToolSpec]:
    """The tools of a file of function documents, by name; what a tool gives is told with it.

    Raises:
        ConfigError: it cannot be read.
    """
    specs = []
    for doc in read_lines(path):
        try:
            gives = doc["response"].get("properties", {})
            words = "; ".join(f"{name}: {each['description']}" for name, each in gives.items())
            about = f"{doc['description']} Gives {words}" if words else doc["description"]
            specs.append(ToolSpec(doc["name"], about, doc["parameters"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise ConfigError(f"{path} has a tool that cannot be read: {error!r}.") from None
    gated = gate(specs)
    if gated.refused:
        first = gated.refused[0]
        raise ConfigError(f"{path}: {first.tool}, {first.path}: {first.reason}")
    return {spec.name: spec for spec in gated.tools}


SUITE = Suite(
    name="bfcl-multi-turn",
    title="BFCL v4 Multi Turn",
    about=(
        "Tasks of several turns in eight simulated environments (files, car, trading, travel,"
        " posts, messages, tickets, arithmetic), with function calling. After each turn the states"
        " must be those of the gold calls, and the gold results must be among the model's. A"
        " quarter each: plain, with a tool missing for a turn, with a value missing, and with long"
        " results. Turns without gold calls are not checked, so holding back earns nothing, and"
        " one of several right ways may count as wrong."
    ),
    cases=cases,
    play=play,
    gold=gold,
    scores=(Mean("multi_turn", tuple(Leaf(each) for each in CATEGORIES)),),
    data=(*_QUESTIONS.values(), *_ANSWERS.values(), _TOOL_FOLDER, _LONG),
)
SUITES = (SUITE,)
