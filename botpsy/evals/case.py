"""What a suite is made of.

A suite is data files, cases made of them, and one function that plays a case:

    def play(case: Case, talk: Talk) -> Verdict

It asks the model through ``talk`` as often as the case needs, and judges. Nothing else decides: no
clock, no network, no chance but what ``Random(case.id)`` gives. So a record of what the model said
can be played again without the model, and must give the same verdict (``botpsy eval verify``), and
an agent that does nothing, or knows the answers, is a model like any other: these give each suite
its floor and its ceiling.

Whatever a model says, ``play`` gives a verdict; an exception in it is our fault and shown as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from botpsy.chat.types import Completion, Message, ToolSpec

MODEL, USER, JUDGE = "model", "user", "judge"
"""Roles: who is measured, who plays a user, who judges."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to be done.

    Attributes:
        id: unique in its suite, and the same for everybody.
        category: where it counts; see ``Leaf``.
        data: what ``play`` and ``gold`` need.
        group: cases of one group (turns of a dialogue, versions of a task) are drawn together when
            intervals are made; the case itself by default.
        domain: one of the eight domains, for the scenario radar; or empty.
    """

    id: str
    category: str
    data: Mapping[str, Any] = field(default_factory=dict)
    group: str = ""
    domain: str = ""


Measured = tuple[float, float]
"""A sum and of how many: a case that passes is (1, 1); three of four instructions are (3, 4)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a case.

    Attributes:
        measures: by name. A leaf's value is the sum over its cases of the first by that of the
            second, so (0, 0) does not count.
        note: why it failed, in words, for people who look at single cases.
    """

    measures: Mapping[str, Measured]
    note: str = ""


def passed(ok: bool, note: str = "", **more: bool) -> Verdict:
    """The verdict of a suite whose cases pass or fail, under the measure ``passed``."""
    measures = {name: (float(value), 1.0) for name, value in {"passed": ok, **more}.items()}
    return Verdict(measures, "" if ok else note)


class Talk(Protocol):
    """Whom a case talks to."""

    def ask(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        role: str = MODEL,
        required: bool = False,
    ) -> Completion:
        """The next reply. Calls are there only when they are whole and fit the tools' schemas.

        A prompt that does not fit the window is an empty reply with a ``problem``: it is the
        model's limit.

        Args:
            role: who is asked; only those that the suite names.
            required: a call has to be made.
        """
        ...


def said(completion: Completion) -> str:
    """What a reply says: without reasoning, and nothing if the reasoning was not closed or the
    reply cannot be read. One policy for all suites."""
    return "" if completion.problem else completion.message.content.strip()


@dataclass(frozen=True, slots=True)
class Data:
    """Files that a suite reads, below the folder of ``--data``.

    Attributes:
        path: a file, or a folder of which every file counts.
        source: where to get it, in words.
        licence: of the data.
    """

    path: str
    source: str
    licence: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A score over cases: a measure's sum over all cases of its categories, by their number.

    Args:
        categories: those that it pools; one of its own name when empty.
    """

    name: str
    categories: tuple[str, ...] = ()
    measure: str = "passed"

    @property
    def counted(self) -> tuple[str, ...]:
        """The categories that it pools."""
        return self.categories or (self.name,)


@dataclass(frozen=True, slots=True)
class Mean:
    """A score over scores: their weighted mean, equal weights when none are given.

    Where a part was not run there is no value: a part is never printed as the whole.
    """

    name: str
    parts: tuple[Leaf | Mean, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        assert not self.weights or len(self.weights) == len(self.parts), self.name


Score = Leaf | Mean


@dataclass(frozen=True, slots=True)
class Suite:
    """One suite.

    Attributes:
        name: as on the command line, ``bfcl``, ``ifeval``.
        title: as its makers call it, with version.
        about: what it measures and how, in a few plain sentences, with known defects.
        cases: all cases, in the order of the data; given the folder of ``--data``. Raises
            ``ConfigError`` for files that cannot be read.
        play: see the module.
        gold: what an agent that knows the answer would say, reply by reply: raw text or messages,
            or functions of messages and tools; None where nobody can say.
        scores: the first is the suite's own number; others stand beside it.
        data: what it needs; nothing for suites of our own.
        partial: what of the official suite is left out, in words. Shown with every number.
        roles: other models that it needs (``user``, ``judge``); without them it does not run.
        success: the measure of a whole success, of which pass^k is made; empty for none.
    """

    name: str
    title: str
    about: str
    cases: Callable[[Path], Iterable[Case]]
    play: Callable[[Case, Talk], Verdict]
    gold: Callable[[Case], Sequence[Any] | None]
    scores: tuple[Score, ...]
    data: tuple[Data, ...] = ()
    partial: str = ""
    roles: tuple[str, ...] = ()
    success: str = "passed"
