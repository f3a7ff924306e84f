"""What a stage is given and what it leaves behind: the contract of ``sft``, ``mopd`` and ``dapo``.

Each of these modules has one public function

    def train(stage: Stage) -> None

which trains from ``stage.start`` and leaves, in ``stage.folder``:

    metrics.jsonl             one object a line: step, loss, learning rate, and the stage's own
    evals.jsonl               {"step": n, "suites": {name: value}}, step 0 first
    checkpoints/checkpoint-N  the last one (with the optimiser, to go on from) and the best one

Called again after a kill it goes on from the last whole checkpoint, to the same weights. Choosing
the best, copying it to ``best/`` and writing ``selection.json`` is the pipeline's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from botpsy.chat.formats import ChatFormat, chat_format
from botpsy.data.files import data_files
from botpsy.errors import ConfigError
from botpsy.train.recipe import TrainRecipe
from botpsy.train.sections import StageRecipe, SuiteRecipe

CONVERSATIONS, TASKS = "conversations", "tasks"
"""The two kinds of files of rows."""


@dataclass(frozen=True)
class Stage:
    """One stage of one run.

    Attributes:
        name: as in ``TrainRecipe.stages``.
        section: its part of the recipe; each stage module asserts its type.
        folder: ``RUN/NAME``.
        start: folder of the model that it begins from: the base, or the best of the stage before.
        teachers: folders with the teachers' weights, by name; of the distillation alone.
        data: where a name of data in the recipe is: a folder that was built, or a file of rows.
    """

    name: str
    recipe: TrainRecipe
    section: StageRecipe
    folder: Path
    start: Path
    teachers: Mapping[str, Path] = field(default_factory=dict)
    data: Mapping[str, Path] = field(default_factory=dict)

    @property
    def chat(self) -> ChatFormat:
        """The format of all of the run."""
        return chat_format(self.recipe.model.format)

    @property
    def dtype(self) -> str:
        """Of the weights. Sharding keeps float32 and computes in bfloat16 by itself."""
        return "float32" if self.recipe.launch.sharded else self.recipe.model.dtype

    @property
    def suites(self) -> tuple[SuiteRecipe, ...]:
        """All are measured, so that what a stage costs elsewhere is seen."""
        return self.recipe.suite

    def files(self, name: str, kind: str, *, held_out: bool = False) -> list[Path]:
        """The files of rows that a name of data stands for. See ``rows_files``."""
        return rows_files(self.data.get(name, self.recipe.file(name)), kind, held_out=held_out)


def places(recipe: TrainRecipe, folder: Path) -> dict[str, Path]:
    """Where each name of data in a recipe is, or will be once a run in ``folder`` has built it.

    Raises:
        ConfigError: two data recipes would be built in one place.
    """
    found: dict[str, Path] = {}
    for name in recipe.data():
        path = recipe.file(name)
        place = folder / "data" / path.stem if path.suffix == ".toml" else path
        if place in found.values():
            raise ConfigError(f"Two data recipes are named {path.name}.", "Rename one.")
        found[name] = place
    return found


def rows_files(place: Path, kind: str, *, held_out: bool = False) -> list[Path]:
    """The files of ``conversations`` or ``tasks`` in a place: training's, or those held out.

    A single file is itself, whatever is asked for.

    Raises:
        ConfigError: there is none.
    """
    if not place.is_dir():
        return data_files(place)
    wanted = f"{kind}.validation" if held_out else kind
    found = [each for each in data_files(place) if each.stem == wanted]
    if not found:
        raise ConfigError(
            f"{place} has no {wanted} file.",
            "Build the data with validation > 0." if held_out else "Build it with such a source.",
        )
    return found
