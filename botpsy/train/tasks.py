"""What is tried: rows as tasks. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from botpsy.chat.formats import ChatFormat, Tokenizer
from botpsy.chat.types import JsonObject, Message, ToolSpec
from botpsy.data.files import read_rows
from botpsy.data.types import Row
from botpsy.errors import ConfigError
from botpsy.train.sections import MixRecipe


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be tried.

    Attributes:
        id: of the row or the scenario.
        part: of the mix, for metrics.
        messages, tools: the prompt.
        route: of distillation, the kind of skill.
        verifier, reference: as in ``botpsy.data.types.Row``. ``world`` is lived through, everything
            else is one reply; distillation needs neither.
    """

    id: str
    part: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    route: str = ""
    verifier: str = ""
    reference: JsonObject = field(default_factory=dict)


def task_of(row: Row, part: MixRecipe) -> Task:
    """A row as a task; a conversation is cut before its last answer."""
    messages = row.messages if row.is_task else row.messages[:-1]
    return Task(row.id, part.name, messages, row.tools, part.route, row.verifier, row.reference)


def prompt_of(task: Task, chat: ChatFormat, tokens: Tokenizer) -> tuple[int, ...]:
    """The ids after which the model is to write."""
    ids, _ = chat.encode(task.messages, task.tools, tokens, add_generation_prompt=True)
    return tuple(ids)


def rows_of(part: MixRecipe, files: Sequence[Path]) -> list[Row]:
    """The rows of a part; those of distillation may be conversations.

    Raises:
        ConfigError: there are none, or nothing judges one; names the part.
    """
    found = []
    for row in _rows(files):
        if not row.is_task and not part.route:
            raise ConfigError(
                f"mix.{part.name}: {row.id} in {part.rows} is a conversation; nothing judges it.",
                "Name data with tasks.",
            )
        if not part.verifiers or row.verifier in part.verifiers:
            found.append(row)
    if not found:
        raise ConfigError(
            f"mix.{part.name}: there are no such rows in {', '.join(map(str, files))}."
        )
    return found


def _rows(files: Iterable[Path]) -> Iterable[Row]:
    for path in files:
        yield from read_rows(path)
