"""Tasks with a verifier: questions made here, each proven before it is given.

``task`` is how every source makes its rows: the right answer must get 1 and every wrong one less,
from the very verifier that will judge the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from botpsy.chat.escape import escape
from botpsy.chat.types import JsonObject, Message
from botpsy.data.types import Row, UnusableError
from botpsy.rewards import verifier


class TaskOptions(BaseModel):
    """``solved``: rows end with the right answer, to be imitated, and are no tasks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    solved: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A task before it is proven.

    Attributes:
        messages: what the model sees; ends with the user.
        reference: the verifier's.
        right, wrong: contents of replies.
        why: the reasoning that leads to the right one, in a sentence or two.
        group, domain, difficulty: the row's.
    """

    messages: tuple[Message, ...]
    reference: JsonObject
    right: str
    wrong: Sequence[str]
    why: str
    group: str
    domain: str
    difficulty: str = "simple"


def task(source: str, name: str, number: int, seed: int, asked: Asked, *, solved: bool,
         licence: str = "Apache-2.0") -> Row:  # fmt: skip
    """The row of a task, or of a solved one, after the proof.

    Args:
        name: of the verifier.

    Raises:
        UnusableError: the verifier does not bear it out.
    """
    verify = verifier(name)
    if verify(asked.reference, reply(asked.right)).value != 1:
        raise UnusableError("the right answer does not pass")
    if any(verify(asked.reference, reply(wrong)).value >= 1 for wrong in asked.wrong):
        raise UnusableError("a wrong answer passes")
    answer = (Message("assistant", asked.right, asked.why),) if solved else ()
    return Row(
        id=f"{source}/{number}",
        messages=asked.messages + answer,
        tools=(),
        source=source,
        licence=licence,
        domain=asked.domain,
        kind=name,
        difficulty=asked.difficulty,
        seed=seed,
        group=f"{source}/{asked.group}",
        proof=f"verifier: {name}",
        verifier="" if solved else name,
        reference={} if solved else asked.reference,
    )


def reply(content: str) -> str:
    """A raw reply with that content."""
    return f"</think>\n\n{escape(content)}"
