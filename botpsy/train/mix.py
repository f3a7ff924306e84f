"""An endless stream of tasks from the parts of a mix, each in its share.

The n-th task is the same on every process and in every run of the same seed. Rows come in an order
by chance, all of them once before any comes again. What the stream has given is all its state
(``state``), so a resumed run goes on where it was, nothing skipped.

Tasks whose prompt is too long are refused, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from botpsy.data.types import Row
from botpsy.errors import ConfigError
from botpsy.train.sections import MixRecipe
from botpsy.train.tasks import Task, rows_of, task_of

PATIENCE = 1_000
"""Refusals one after another, before a part is held to have no task that fits."""


@dataclass
class _Part:
    recipe: MixRecipe
    seed: int
    rows: list[Row]
    order: tuple[int, list[int]] = (-1, [])

    def task(self, n: int) -> Task:
        """The n-th task of this part."""
        around, at = divmod(n, len(self.rows))
        if self.order[0] != around:
            order = list(range(len(self.rows)))
            chance = f"{self.seed}:{self.recipe.name}:{around}"
            Random(chance).shuffle(order)  # noqa: S311 - chance, not secrets
            self.order = (around, order)
        return task_of(self.rows[self.order[1][at]], self.recipe)


class Mix:
    """See the module. ``state`` can be read and set; it is JSON.

    Args:
        recipes: the parts.
        files: where the rows of a part are.
        seed: of the order.
        fits: whether a task's prompt is short enough.
    """

    def __init__(
        self,
        recipes: Sequence[MixRecipe],
        files: Callable[[MixRecipe], Sequence[Path]],
        seed: int,
        fits: Callable[[Task], bool],
    ) -> None:
        self.seed = seed
        self._fits = fits
        self._parts = {each.name: _Part(each, seed, rows_of(each, files(each))) for each in recipes}
        self.state: dict[str, Any] = {
            "given": dict.fromkeys(self._parts, 0),
            "refused": dict.fromkeys(self._parts, 0),
        }

    @property
    def given(self) -> int:
        """Tasks that were given, so far."""
        return sum(self.state["given"].values())

    @property
    def refused(self) -> int:
        """Tasks that were too long, so far."""
        return sum(self.state["refused"].values())

    def take(self, count: int) -> list[Task]:
        """The next tasks.

        Raises:
            ConfigError: a part has no task that fits.
        """
        return [self._next(self._most_wanted()) for _ in range(count)]

    def _most_wanted(self) -> _Part:
        """The part that is furthest behind its share."""
        given = self.state["given"]
        whole = sum(part.recipe.share for part in self._parts.values())
        total = sum(given.values()) + 1

        def behind(part: _Part) -> float:
            return part.recipe.share / whole * total - given[part.recipe.name]

        return max(self._parts.values(), key=behind)

    def _next(self, part: _Part) -> Task:
        name = part.recipe.name
        given, refused = self.state["given"], self.state["refused"]
        for _ in range(PATIENCE):
            task = part.task(given[name] + refused[name])
            if self._fits(task):
                given[name] += 1
                return task
            refused[name] += 1
        raise ConfigError(
            f"mix.{name}: {PATIENCE} tasks one after another were longer than max_prompt_tokens.",
            "Raise it, or give shorter tasks.",
        )
