"""A suite of sums: small ones, large ones, and asking twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from botpsy.chat.types import Message
from botpsy.evals.case import Case, Leaf, Mean, Suite, Talk, Verdict, passed, said


def cases(_: Path) -> Iterable[Case]:
    for n in range(20):
        yield Case(f"small/{n}", "small", {"a": n, "b": 1}, domain="files")
    for n in range(6):
        yield Case(f"large/{n}", "large", {"a": 1000 * n, "b": 7}, group=f"g{n // 2}")
    for n in range(4):
        yield Case(f"twice/{n}", "twice", {"a": n, "b": n})


def play(case: Case, talk: Talk) -> Verdict:
    a, b = case.data["a"], case.data["b"]
    messages = [Message("user", f"{a} + {b}?")]
    first = said(talk.ask(messages))
    if case.category == "twice":
        first = said(talk.ask([*messages, Message("assistant", first), Message("user", "Sure?")]))
    return passed(first == str(a + b), f"said {first!r}", short=len(first) < 3)


def gold(case: Case) -> Sequence[str]:
    return [str(case.data["a"] + case.data["b"])] * (1 + (case.category == "twice"))


SUITE = Suite(
    name="sums",
    title="Sums",
    about="Sums of two numbers.",
    cases=cases,
    play=play,
    gold=gold,
    scores=(
        Mean("overall", (Leaf("single", ("small", "large")), Leaf("twice"))),
        Leaf("short", ("small", "large", "twice"), "short"),
    ),
)
SUITES = (SUITE,)
