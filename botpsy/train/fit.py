"""Whether stages can work with their model and their data: found out before hours are spent.

Data that is not built yet is left out, and looked at once it is. Needs no torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from botpsy.chat.formats import chat_format
from botpsy.chat.tokens import Tokens
from botpsy.data.files import read_rows
from botpsy.data.types import Row
from botpsy.errors import ConfigError
from botpsy.rewards import expression
from botpsy.train.base import Size
from botpsy.train.recipe import TrainRecipe
from botpsy.train.sections import (
    DapoRecipe,
    MixRecipe,
    OnPolicyRecipe,
    SftRecipe,
    StageRecipe,
    SuiteRecipe,
)
from botpsy.train.stage import CONVERSATIONS, TASKS, rows_files
from botpsy.train.tasks import prompt_of, rows_of, task_of

Notes = tuple[str, ...]


def within(name: str, section: StageRecipe, size: Size) -> None:
    """Refuse rows and episodes that a model was not made for.

    Raises:
        ConfigError: they may be longer than its window.
    """
    longest, key = 0, ""
    if isinstance(section, SftRecipe):
        longest, key = section.max_tokens, "max_tokens"
    elif isinstance(section, OnPolicyRecipe):
        longest = section.max_prompt_tokens + section.max_reply_tokens
        key = "max_prompt_tokens + max_reply_tokens"
    if size.window and longest > size.window:
        raise ConfigError(
            f"{name}: {key} = {longest} is more than the {size.window} tokens of the model's"
            " window.",
            "Make them shorter, or choose a model with a longer window.",
        )


@dataclass
class Fit:
    """Holds the data of a recipe against its model; each row's prompt is measured once.

    Attributes:
        places: where data is, or will be; see ``botpsy.train.stage.places``.
        lengths: tokens of the prompts, by row and file.
    """

    recipe: TrainRecipe
    places: Mapping[str, Path]
    tokens: Tokens
    lengths: dict[tuple[str, str], int] = field(default_factory=dict)

    def vocabulary(self, size: Size) -> None:
        """Refuse a tokenizer that has more tokens than the model.

        Raises:
            ConfigError: it has.
        """
        own = self.tokens.inner.get_vocab_size()
        if own > size.vocabulary:
            raise ConfigError(
                f"model.base: its tokenizer has {own} tokens, its weights {size.vocabulary}.",
                "Take tokenizer and weights from one release.",
            )

    def stage(self, section: StageRecipe) -> Notes:
        """What is to be known of a stage's mix.

        Raises:
            ConfigError: a part of it has no task that can be given.
            UsageError: a package is missing that judges.
        """
        if not isinstance(section, OnPolicyRecipe):
            return ()
        tries = section.steps // section.updates * section.prompts
        if isinstance(section, DapoRecipe):
            tries *= section.max_generations
        whole = sum(part.share for part in section.mix)
        return tuple(
            self._part(part, section, round(tries * part.share / whole))
            for part in section.mix
            if self.places[part.rows].exists()
        )

    def suite(self, suite: SuiteRecipe) -> None:
        """Refuse a suite without cases.

        Raises:
            ConfigError: it has none.
            UsageError: a package is missing that judges.
        """
        place = self.places[suite.rows]
        if not place.exists():
            return
        kind = TASKS if suite.kind == TASKS else CONVERSATIONS
        cases = [
            row
            for path in rows_files(place, kind, held_out=True)
            for row in read_rows(path)
            if row.is_task == (kind == TASKS)
            and (not suite.verifiers or row.verifier in suite.verifiers)
        ]
        if not cases:
            raise ConfigError(
                f"suite {suite.name}: there are no such {kind} in {place}.",
                "Build the data with more rows, or with validation > 0.",
            )
        _judged(cases)

    def _part(self, part: MixRecipe, section: OnPolicyRecipe, wanted: int) -> str:
        rows = rows_of(part, rows_files(self.places[part.rows], TASKS))
        _judged(rows)
        lengths = [self._length(row, part) for row in rows]
        fit = sum(length <= section.max_prompt_tokens for length in lengths)
        if not fit:
            raise ConfigError(
                f"mix.{part.name}: the shortest of its {len(rows)} prompts has {min(lengths)}"
                f" tokens, max_prompt_tokens = {section.max_prompt_tokens}.",
                "Raise it, or give shorter tasks.",
            )
        most = "at most " if isinstance(section, DapoRecipe) else ""
        long = f", {len(rows) - fit:,} are longer than max_prompt_tokens" if fit < len(rows) else ""
        return f"mix.{part.name}: {fit:,} tasks, {most}{wanted:,} are tried{long}"

    def _length(self, row: Row, part: MixRecipe) -> int:
        key = part.rows, row.id
        if key not in self.lengths:
            chat = chat_format(self.recipe.model.format)
            self.lengths[key] = len(prompt_of(task_of(row, part), chat, self.tokens))
        return self.lengths[key]


def _judged(rows: Iterable[Row]) -> None:
    if any(row.verifier == "math" and row.reference.get("form") == "expression" for row in rows):
        expression.ready()
