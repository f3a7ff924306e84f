"""Rows of data as tokens: ids and loss mask by ``ChatFormat.encode``, the one maker of masks.

Nothing is cut: a row that is too long stops the run before it begins. So does a row of which
nothing, or everything, would be learnt. Needs no torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from botpsy.chat.formats import ChatFormat, Tokenizer
from botpsy.data.files import read_rows
from botpsy.data.types import Row
from botpsy.errors import ConfigError
from botpsy.train.sections import SftRecipe
from botpsy.train.stage import CONVERSATIONS, Stage

WINDOW = 64
"""Passes' worth of rows that are sorted by length together: little padding, still by chance."""
NAMED = 3
"""Rows that an error names."""


@dataclass(frozen=True, slots=True)
class Example:
    """A conversation as the model is trained on it.

    Attributes:
        id: the row's.
        ids: tokens.
        mask: 1 where the token is to be learnt.
    """

    id: str
    ids: tuple[int, ...]
    mask: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def supervised(self) -> int:
        """Tokens to be learnt. The first token has nothing to be predicted from."""
        return sum(self.mask[1:])


@dataclass(frozen=True, slots=True)
class Count:
    """What examples amount to. ``longest`` in tokens."""

    rows: int
    tokens: int
    supervised: int
    longest: int


def encode_row(row: Row, chat: ChatFormat, tokenizer: Tokenizer) -> Example:
    """A conversation as tokens, whole."""
    ids, mask = chat.encode(row.messages, row.tools, tokenizer)
    assert len(ids) == len(mask), f"{row.id}: ids and mask differ in length"
    return Example(row.id, tuple(ids), tuple(mask))


def read_examples(
    files: Iterable[Path], chat: ChatFormat, tokenizer: Tokenizer, max_tokens: int
) -> list[Example]:
    """All conversations in files of rows, each held against the rules of the module.

    Raises:
        ConfigError: a row is too long, is a task, or has nothing or everything to be learnt; or
            there is no row. Names rows.
    """
    files = list(files)
    found: list[Example] = []
    for path in files:
        for row in read_rows(path):
            if row.is_task:
                raise ConfigError(
                    f"{path}: {row.id} is a task, with nothing to imitate.",
                    "Name data with conversations.",
                )
            found.append(encode_row(row, chat, tokenizer))
    if not found:
        raise ConfigError(f"There are no rows in {', '.join(map(str, files))}.")
    _refuse(
        [each for each in found if len(each) > max_tokens],
        f"more than max_tokens = {max_tokens} tokens"
        f" (the longest has {max(map(len, found))}); rows are never cut",
        "Raise max_tokens and batch_tokens, or build the data with a limit of its own.",
    )
    _refuse(
        [each for each in found if not 0 < each.supervised < len(each) - 1],
        "nothing, or everything, to be learnt",
        "Every conversation needs a request and an answer; see `botpsy data show`.",
    )
    return found


def _refuse(bad: Sequence[Example], what: str, hint: str) -> None:
    if bad:
        named = ", ".join(each.id for each in bad[:NAMED]) + (", …" if len(bad) > NAMED else "")
        rows = "1 row has" if len(bad) == 1 else f"{len(bad)} rows have"
        raise ConfigError(f"{rows} {what}: {named}.", hint)


def count(examples: Sequence[Example]) -> Count:
    """Rows and tokens in all."""
    return Count(
        len(examples),
        sum(map(len, examples)),
        sum(each.supervised for each in examples),
        max(map(len, examples), default=0),
    )


def passes(
    lengths: Sequence[int], *, budget: int, multiple: int, epochs: int, seed: int
) -> list[list[int]]:
    """All forward and backward passes of a training, in order: indices of the rows in each.

    A pass holds rows of like length, at most ``budget`` tokens with padding. Every row comes once
    in an epoch, and the passes of an epoch are a multiple of ``multiple``: some are split to fill
    the last step. Only where all are single rows already do fewer than ``multiple`` come twice.
    The same arguments give the same list.

    Raises:
        ConfigError: there are fewer rows than ``multiple``.
    """
    if len(lengths) < multiple:
        raise ConfigError(
            f"{len(lengths)} rows cannot fill one step of {multiple} passes.",
            "Give more rows, or fewer passes or processes.",
        )
    assert max(lengths) <= budget, "rows were held against the budget"
    made: list[list[int]] = []
    for epoch in range(epochs):
        rng = Random(f"passes:{seed}:{epoch}")  # noqa: S311 - chance, not secrets
        made += _epoch(lengths, budget, multiple, rng)
    return made


def sft_examples(stage: Stage, section: SftRecipe, tokenizer: Tokenizer) -> list[Example]:
    """All that a stage of imitation learns from.

    Raises:
        ConfigError: as ``read_examples``.
    """
    files = [path for name in section.rows for path in stage.files(name, CONVERSATIONS)]
    return read_examples(files, stage.chat, tokenizer, section.max_tokens)


def sft_passes(examples: Sequence[Example], section: SftRecipe, seed: int) -> list[list[int]]:
    """Its passes, in order; ``section.passes`` of them make a step.

    Raises:
        ConfigError: there are fewer rows than passes in a step.
    """
    made = passes(
        list(map(len, examples)),
        budget=section.batch_tokens,
        multiple=section.passes,
        epochs=section.epochs,
        seed=seed,
    )
    return made[: section.limit_steps * section.passes] if section.limit_steps else made


def _epoch(lengths: Sequence[int], budget: int, multiple: int, rng: Random) -> list[list[int]]:
    order = list(range(len(lengths)))
    rng.shuffle(order)
    window = max(1, WINDOW * budget * len(lengths) // max(1, sum(lengths)))
    made: list[list[int]] = []
    for at in range(0, len(order), window):
        made += _cut(sorted(order[at : at + window], key=lambda n: -lengths[n]), lengths, budget)
    while len(made) % multiple:
        largest = max(range(len(made)), key=lambda n: len(made[n]))
        rows = made[largest]
        if len(rows) == 1:
            made += made[: multiple - len(made) % multiple]
            break
        made[largest] = rows[: len(rows) // 2]
        made.append(rows[len(rows) // 2 :])
    rng.shuffle(made)
    return made


def _cut(order: Sequence[int], lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Rows from long to short, as many in a pass as fit when padded to its first."""
    made: list[list[int]] = []
    for n in order:
        if made and lengths[made[-1][0]] * (len(made[-1]) + 1) <= budget:
            made[-1].append(n)
        else:
            made.append([n])
    return made
