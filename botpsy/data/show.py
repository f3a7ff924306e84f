"""A row as a person would read it, with what is to be learnt from it marked.

The mask shown is the one that training uses (``ChatFormat.encode``), not what it should be: a turn
of the assistant is marked if the mask covers its text and its end, and no more than that. Anything
else that the mask covers is shown as it is, under a warning.

Text of rows may be hostile: what a terminal would act on, or what hides, is spelled out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from random import Random
from typing import TYPE_CHECKING, Protocol

from botpsy.chat.formats import ChatFormat, Tokenizer
from botpsy.chat.signature import signature
from botpsy.chat.types import Message, ToolCall
from botpsy.data.audit.masks import END
from botpsy.data.types import Row
from botpsy.services.text import visible, visible_line

if TYPE_CHECKING:
    from rich.text import Text

LEARNT, MARKS, STOP = "green", ("»", "«"), "■"


class Decoder(Tokenizer, Protocol):
    """A tokenizer that also gives back text."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens among it."""
        ...


def choose(
    rows: Iterable[Row],
    n: int,
    *,
    beginning: str = "",
    kind: str = "",
    domain: str = "",
    source: str = "",
    seed: int | None = None,
) -> list[Row]:
    """The first ``n`` rows that are as wished, or ``n`` of them by chance if there is a seed.

    ``beginning`` is of the row's id.
    """
    wished = (
        row
        for row in rows
        if row.id.startswith(beginning)
        and kind in ("", row.kind)
        and domain in ("", row.domain)
        and source in ("", row.source)
    )
    chosen = list(islice(wished, n))
    if seed is not None:
        rng = Random(f"show:{seed}")  # noqa: S311 - chance, not secrets
        for at, row in enumerate(wished, n):  # reservoir sampling (Vitter, algorithm R)
            if (place := rng.randint(0, at)) < n:
                chosen[place] = row
    return chosen


def show(row: Row, chat: ChatFormat, tokenizer: Decoder, unit: str, *, colour: bool) -> Text:
    """The whole row; ``unit`` names the tokenizer's tokens."""
    from rich.text import Text

    ids, mask = chat.encode(row.messages, row.tools, tokenizer)
    learnt = list(_learnt(ids, mask, tokenizer))
    text = Text()
    _head(text, row)
    said = "a task: judged by its verifier, nothing is imitated"
    if not row.is_task:
        said = f"{sum(mask):,} to be learnt ({STOP} is the end of a turn)"
    text.append(f"{len(ids):,} {unit}, {said}\n", "dim")
    if row.tools:
        text.append(f"\ntools ({len(row.tools)})\n", "bold magenta")
        for spec in row.tools:
            name, rest = visible_line(signature(spec)).split("(", 1)
            text.append(f"  {name}", "magenta").append(f"({rest}\n", "dim")
    pieces = list(learnt)
    for message in row.messages:
        if message.role != "assistant":
            _other(text, message)
            continue
        whole = chat.reply(message, row.tools) + END
        marked = bool(pieces) and pieces[0] == whole
        if marked:
            pieces.pop(0)
        _assistant(text, message, marked=marked and not row.is_task, colour=colour)
    if pieces and not row.is_task:
        text.append("\nThe mask covers something else than these turns:\n", "bold red")
        for piece in pieces:
            text.append(f"{_indented(MARKS[0] + visible(piece) + MARKS[1])}\n", LEARNT)
    if row.is_task:
        text.append(f"\nverifier: {visible_line(row.verifier)}\n", "bold yellow")
        reference = json.dumps(row.reference, ensure_ascii=False, indent=1)
        text.append(f"{_indented(visible(reference))}\n", "yellow")
    return text


def _learnt(ids: Sequence[int], mask: Sequence[int], tokenizer: Decoder) -> Iterator[str]:
    for bit, group in groupby(zip(mask, ids, strict=True), key=lambda pair: pair[0]):
        if bit:
            yield tokenizer.decode([each for _, each in group])


def _head(text: Text, row: Row) -> None:
    text.append(f"{visible_line(row.id)}\n", "bold")
    changes = f"changed: {', '.join(row.changes)}" if row.changes else ""
    facts = (
        row.domain, row.kind, row.difficulty, f"{row.source} ({row.licence})", f"group {row.group}",
        f"seed {row.seed}", f"proof: {row.proof}", changes,
    )  # fmt: skip
    text.append(f"{visible_line(' · '.join(each for each in facts if each))}\n", "dim")


def _other(text: Text, message: Message) -> None:
    title, style = {
        "user": ("user", "bold cyan"),
        "system": ("system", "bold blue"),
        "tool": (f"result {message.call_id} of {message.name}", "bold blue"),
    }[message.role]
    text.append(f"\n{visible_line(title)}\n", style)
    text.append(f"{_indented(visible(message.content))}\n")


def _assistant(text: Text, message: Message, *, marked: bool, colour: bool) -> None:
    text.append("\nassistant\n", "bold green" if marked else "bold")
    style = LEARNT if marked else "default"
    opens, closes = ("", "") if colour or not marked else MARKS
    parts: list[tuple[str, str]] = []
    if message.reasoning:
        parts.append((f"({visible(message.reasoning)})", f"dim {style}"))
    if message.content:
        parts.append((visible(message.content), style))
    parts += [(_call(call), style) for call in message.calls]
    for n, (part, shade) in enumerate(parts):
        before = opens if n == 0 else ""
        after = f" {STOP}{closes}" if marked and n == len(parts) - 1 else ""
        text.append(f"{_indented(f'{before}{part}{after}')}\n", shade)


def _call(call: ToolCall) -> str:
    arguments = ", ".join(
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items()
    )
    return visible(f"→ {call.name}({arguments})" + (f"  {call.id}" if call.id else ""))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
