"""BFCL v4, single turns: one request, some functions, the calls that are right.

Functions are offered as tools ("FC" in BFCL's tables). Rules: ``rules``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from botpsy.chat.types import Message
from botpsy.evals.case import Case, Data, Leaf, Mean, Suite, Talk, Verdict, passed
from botpsy.evals.data import open_data
from botpsy.evals.suites.bfcl.functions import called, gold_calls, tools_of
from botpsy.evals.suites.bfcl.rules import Language, right

DATA = Data(
    "bfcl_v4",
    "the folder bfcl_eval/data of the Python package bfcl-eval 2026.3.23",
    "Apache-2.0",
)
NON_LIVE = (
    "simple_python", "simple_java", "simple_javascript", "multiple", "parallel",
    "parallel_multiple", "irrelevance",
)  # fmt: skip
LIVE = (
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance",
    "live_relevance",
)  # fmt: skip
IRRELEVANT = ("irrelevance", "live_irrelevance")
RELEVANT = "live_relevance"
_LANGUAGES: dict[str, Language] = {"simple_java": "java", "simple_javascript": "javascript"}


def cases(folder: Path) -> Iterator[Case]:
    """All cases, category by category."""
    place = open_data(folder, DATA)
    for category in (*NON_LIVE, *LIVE):
        answers = {}
        if category not in (*IRRELEVANT, RELEVANT):
            lines = _lines(place / "possible_answer" / f"BFCL_v4_{category}.json")
            answers = {each["id"]: each["ground_truth"] for each in lines}
        for each in _lines(place / f"BFCL_v4_{category}.json"):
            data = {"messages": each["question"][0], "functions": each["function"]}
            yield Case(each["id"], category, data | {"answer": answers.get(each["id"], [])})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    found = open_data(path.parent, Data(path.name, DATA.source, DATA.licence))
    with found.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def play(case: Case, talk: Talk) -> Verdict:
    """Ask once, and judge the calls.

    Measures of irrelevance: ``passed`` for no call in a reply that can be read; ``official`` for
    no call at all, be it that the reply is broken.
    """
    language = _LANGUAGES.get(case.category, "python")
    messages = [Message(each["role"], each["content"]) for each in case.data["messages"]]
    functions = case.data["functions"]
    reply = talk.ask(messages, tools_of(functions, language))
    calls = reply.message.calls
    if case.category in IRRELEVANT:
        note = reply.problem or (f"{calls[0].name} was called" if calls else "")
        return passed(not note, note, official=not calls)
    if case.category == RELEVANT:
        return passed(bool(calls), reply.problem or "no call")
    if reply.problem:
        return passed(False, reply.problem)
    why = right(functions, calls, case.data["answer"], language, called)
    return passed(not why, why)


def gold(case: Case) -> Sequence[Message | str]:
    """The answer's calls; a word where none is right; some call where any is."""
    if case.category in IRRELEVANT:
        return ["None of these functions can do that."]
    language = _LANGUAGES.get(case.category, "python")
    functions = case.data["functions"]
    if case.category == RELEVANT:
        return [Message("assistant", calls=_any_call(functions))]
    calls = gold_calls(functions, case.data["answer"], language)
    return [Message("assistant", calls=tuple(calls))]


def _any_call(functions: Sequence[Any]) -> Any:
    from botpsy.engines.scripted import always_call

    tools = tools_of(functions, "python")
    return always_call().complete([Message("user", "")], tools).message.calls


_IRRELEVANCE = "irrelevance"
SUITE = Suite(
    name="bfcl",
    title="BFCL v4, single turns",
    about=(
        "One request and some functions: the right calls with the right arguments, in Python, Java"
        " and JavaScript, made up and by users (live); and no call where none fits."
    ),
    cases=cases,
    play=play,
    gold=gold,
    scores=(
        Mean(
            "single turn",
            (
                Mean(
                    "non-live",
                    (
                        Mean("simple", tuple(map(Leaf, NON_LIVE[:3]))),
                        Leaf("multiple"),
                        Leaf("parallel"),
                        Leaf("parallel_multiple"),
                    ),
                ),
                Leaf("live", LIVE[:4]),
                Mean(
                    _IRRELEVANCE,
                    (Leaf("irrelevance, made up", ("irrelevance",)), Leaf("live_irrelevance")),
                ),
            ),
        ),
        *(Leaf(f"{name}, live", (name,)) for name in LIVE[:4]),
        Leaf(RELEVANT),
        Mean(
            "irrelevance, broken replies as abstentions",
            tuple(Leaf(f"{name}, official", (name,), "official") for name in IRRELEVANT),
        ),
    ),
    data=(DATA,),
    partial=(
        "the parts with several turns, memory and web search, so there is no overall score;"
        " `single turn` is the mean of three of its five parts and no number of BFCL's own"
    ),
)
SUITES = (SUITE,)
