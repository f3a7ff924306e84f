"""BFCL v4, memory: talk over several conversations, then questions about it, with only what was
written into a memory in between.

Source: Patil et al., Berkeley Function Calling Leaderboard (package ``bfcl-eval`` 2026.3.23,
Apache-2.0). Rules and memories are rebuilt; see docs/evals/bfcl_memory.md.

A case is one scenario with one memory: its conversations in order, then all its questions, each
with the memory as the conversations left it. It counts as many right answers as there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from botpsy.chat.types import Message
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Data, Leaf, Mean, Suite, Talk, Verdict
from botpsy.evals.data import open_data
from botpsy.evals.suites.bfcl_memory.stores import KeyValueMemory, Memory, TextMemory
from botpsy.evals.suites.bfcl_multi_turn import read_lines, read_tools
from botpsy.evals.suites.bfcl_multi_turn.rules import TOO_MANY, turn

MEMORIES: Mapping[str, type[KeyValueMemory] | type[TextMemory]] = {
    "kv": KeyValueMemory,
    "rec_sum": TextMemory,
}
SETTINGS = {
    "customer": "You help the customers of an online shop. Understand and remember what may matter"
    " for their later questions and wishes, so that help stays consistent over many contacts.",
    "healthcare": "You assist a patient from one appointment to the next. Keep what matters of"
    " their medical history, treatment and preferences, for guidance and reminders that fit.",
    "finance": "You are the executive assistant of a senior finance professional. Keep facts,"
    " goals, decisions and family matters, of work and private life, for guidance that knows the"
    " context.",
    "student": "You support a college student. Remember personal and academic details of all"
    " conversations, and use them to answer questions and to advise.",
    "notetaker": "You keep somebody's life organised. Write down tasks, deadlines and preferences,"
    " and use them for reliable reminders and answers later.",
}
_TWO_STORES = (
    " It has two parts. Core memory is small, and you always see it. Archival memory is much"
    " larger; you see it only by looking things up."
)
_SYSTEM = (
    "{setting}\n\nYou have a memory that lasts from one conversation with the user to the next."
    "{parts} Take care of it: write down what is important, keep it up to date and easy to find,"
    " so that you can give answers that fit this user later.\n\nThis is what is in your {seen} from"
    " earlier conversations:\n{content}\n"
)
_ANSWER = (
    "\nGive your final answer to the user in this form: {'answer': a short and precise answer,"
    " 'context': in a few words, how you know it}. If you do not know, give {'answer': 'I do not"
    " know', 'context': 'I do not know'}. If the question has no proper answer, give {'answer': 'I"
    " cannot answer this question', 'context': why not}.\n"
)
_PACKAGE = "the PyPI package bfcl-eval 2026.3.23, there bfcl_eval/data"


def _file(path: str) -> Data:
    return Data(f"bfcl_v4/{path}", f"{_PACKAGE}/{path}", "Apache-2.0")


_QUESTIONS = _file("BFCL_v4_memory.json")
_ANSWERS = _file("possible_answer/BFCL_v4_memory.json")
_TALK_FOLDER = _file("memory_prereq_conversation")
_TALKS = {name: _file(f"memory_prereq_conversation/memory_{name}.json") for name in SETTINGS}
_TOOLS = {name: _file(f"multi_turn_func_doc/memory_{name}.json") for name in MEMORIES}


def cases(folder: Path) -> Iterator[Case]:
    """Five scenarios with each memory.

    Raises:
        ConfigError: a file is missing or cannot be read.
    """
    questions = read_lines(open_data(folder, _QUESTIONS))
    answers = read_lines(open_data(folder, _ANSWERS))
    talks = {name: read_lines(open_data(folder, data)) for name, data in _TALKS.items()}
    try:
        right = {each["id"]: tuple(map(str, each["ground_truth"])) for each in answers}
        for memory, data in _TOOLS.items():
            tools = tuple(read_tools(open_data(folder, data)).values())
            for scenario, conversations in talks.items():
                found = {
                    "memory": memory,
                    "scenario": scenario,
                    "tools": tools,
                    "talks": [_turns(each) for each in conversations],
                    "questions": [
                        (each["id"], _turns(each)[0], right[each["id"]])
                        for each in questions
                        if each["scenario"] == scenario
                    ],
                }
                yield Case(f"memory_{memory}-{scenario}", f"memory_{memory}", found)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ConfigError(
            f"{folder / 'bfcl_v4'} has memory data that cannot be read: {error!r}."
        ) from None


def _turns(entry: Mapping[str, Any]) -> list[tuple[Message, ...]]:
    return [
        tuple(Message(each["role"], each["content"]) for each in said) for said in entry["question"]
    ]


def play(case: Case, talk: Talk) -> Verdict:
    """See the module. A reply that cannot be read ends a turn, too many steps a conversation; both
    make an answer wrong."""
    data = case.data
    memory: Memory = MEMORIES[data["memory"]]()
    for turns in data["talks"]:
        messages = [Message("system", instructions(data["scenario"], memory))]
        for said in turns:
            messages.extend(said)
            _, why = turn(memory.call, messages, data["tools"], talk)
            if why == TOO_MANY:
                break
    wrong = []
    for name, question, right in data["questions"]:
        own = memory.copy()
        messages = [Message("system", instructions(data["scenario"], own) + _ANSWER), *question]
        answer, why = turn(own.call, messages, data["tools"], talk)
        if why or not answers(answer, right):
            wrong.append(f"{name} ({why or answer[:80]!r})")
    total = len(data["questions"])
    note = f"{len(wrong)} of {total} wrong: {'; '.join(wrong)}" if wrong else ""
    return Verdict({"passed": (float(total - len(wrong)), float(total))}, note[:4000])


def instructions(scenario: str, memory: Memory) -> str:
    """The system message: who the model is, and what it remembers at once."""
    two = isinstance(memory, KeyValueMemory)
    return _SYSTEM.format(
        setting=SETTINGS[scenario],
        parts=_TWO_STORES if two else "",
        seen="core memory" if two else "memory",
        content=memory.shown(),
    )


def answers(text: str, right: Sequence[str]) -> bool:
    """Whether one of the right answers stands in a text as whole words, whatever the case and the
    marks ``,./-_*^()``; a single quote counts as a double one."""
    plain = _plain(text)
    return any(re.search(rf"\b{re.escape(_plain(each))}\b", plain) for each in right)


def _plain(text: str) -> str:
    return re.sub(r"[,./\-_*^()]", "", text).lower().replace("'", '"')


def gold(case: Case) -> Sequence[str]:
    """A word at each turn, and the right answers; the memory stays empty."""
    turns = sum(map(len, case.data["talks"]))
    return ["Noted."] * turns + [right[0] for _, _, right in case.data["questions"]]


SUITE = Suite(
    name="bfcl-memory",
    title="BFCL v4 Memory (kv, rec_sum)",
    about=(
        "37 conversations of five people; then 155 questions about them, asked anew with nothing"
        " but what was written into a memory: keys and values (kv), or one text (rec_sum). An"
        " answer is right when one of the accepted ones stands in it as whole words."
    ),
    cases=cases,
    play=play,
    gold=gold,
    scores=(Mean("memory_kv_rec_sum", (Leaf("memory_kv"), Leaf("memory_rec_sum"))),),
    data=(_QUESTIONS, _ANSWERS, _TALK_FOLDER, *_TOOLS.values()),
    partial=(
        "memory_vector, the third of the official memories, which needs the weights of an encoder"
        " and an index"
    ),
    success="",
)
SUITES = (SUITE,)
