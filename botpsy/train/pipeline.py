"""The stages of a recipe in order, each from the best checkpoint of the one before.

    RUN/recipe.json           the resolved recipe
    RUN/run.json              what a run is known by: hashes of data and template; versions
    RUN/data/NAME/            data that the recipe builds
    RUN/base/                 the base model, where it is fresh or was a GGUF
    RUN/STAGE/metrics.jsonl   see ``botpsy.train.stage``
    RUN/STAGE/selection.json  the chosen checkpoint and why; written last: the stage is done
    RUN/STAGE/best/           the chosen model: safetensors, tokenizer and chat template
    RUN/report.html           curves and tables, with ``curves.png``

Killed anywhere and started again with the same recipe it goes on, to the same weights. With several
processes every one runs this; the first prepares what all need.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import platform
import shutil
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from botpsy import __version__
from botpsy.chat.formats import chat_format
from botpsy.chat.tokens import Tokens, tokenizer_of
from botpsy.data.build import build, code_hash
from botpsy.data.files import alone, data_files, write_whole
from botpsy.data.recipe import read_recipe as read_data_recipe
from botpsy.engines.fetch import sha256_of
from botpsy.errors import ConfigError, UsageError
from botpsy.train.base import size_of, tokens_of
from botpsy.train.fit import Fit, within
from botpsy.train.processes import meet
from botpsy.train.recipe import TrainRecipe, changed, resolved
from botpsy.train.report import write_report
from botpsy.train.sections import (
    FROM_SFT,
    DapoRecipe,
    MopdRecipe,
    SftRecipe,
    StageRecipe,
    TeacherRecipe,
)
from botpsy.train.selection import choose, read_points
from botpsy.train.stage import Stage, places

logger = logging.getLogger(__name__)
DONE = "selection.json"
RECIPE = "recipe.json"
SLOW = 2.0
"""Times as long as float32 that bfloat16 may take without a word."""
NAMED = 5
"""Keys that an error names."""
_MODULES: dict[type[StageRecipe], str] = {
    SftRecipe: "botpsy.train.sft",
    MopdRecipe: "botpsy.train.mopd",
    DapoRecipe: "botpsy.train.dapo",
}
_PACKAGES = ("torch", "transformers", "trl", "accelerate", "peft", "tokenizers")


@dataclass(frozen=True)
class Run:
    """One recipe in one folder.

    Attributes:
        corpora: where data recipes find public corpora.
        workers: processes that build data.
    """

    recipe: TrainRecipe
    folder: Path
    corpora: Path = Path("corpora")
    workers: int = 1

    def best(self, stage: str) -> Path:
        """The chosen model of a stage that is done."""
        return self.folder / stage / "best"

    def done(self, stage: str) -> bool:
        """Whether a stage has chosen."""
        return (self.folder / stage / DONE).is_file()


def run(this: Run, only: str = "") -> None:
    """Run the stages that are not done, or ``only`` the one of that name, and write the report.

    Raises:
        UsageError: the folder holds another run; there is no such stage; or one before it is not
            done; or the processes are not as many as the recipe says.
        BotpsyError: whatever stops a stage.
    """
    names = this.recipe.chosen(only)
    first, wait = meet(this.recipe)
    if this.recipe.launch.threads:
        import torch

        torch.set_num_threads(this.recipe.launch.threads)
    with alone(this.folder, "run", RECIPE) if first else nullcontext():
        if first:
            prepare(this)
            _warn(this.recipe)
        wait()
        try:
            for name in names:
                if not this.done(name):
                    _train(stage_of(this, name), first, wait)
        except BaseException:
            if first:
                with suppress(OSError):  # what went wrong is to be seen, not a full disk again
                    write_report(this.folder, this.recipe)
            raise


def _warn(recipe: TrainRecipe) -> None:
    """Say that the processor does not know the type that the recipe computes in."""
    import torch

    from botpsy.train.model import bfloat16_cost

    if recipe.model.dtype != "bfloat16" or torch.cuda.is_available():
        return
    cost = bfloat16_cost()
    if cost > SLOW:
        logger.warning(
            "bfloat16 takes %.0f times as long as float32 on this processor; with"
            ' dtype = "float32" in [model] the run is another one, and faster',
            cost,
        )


def _train(stage: Stage, first: bool, wait: Callable[[], None]) -> None:
    stage.folder.mkdir(parents=True, exist_ok=True)
    importlib.import_module(_MODULES[type(stage.section)]).train(stage)
    wait()
    if first:
        finish(stage)
        write_report(stage.folder.parent, stage.recipe)
    wait()


def prepare(this: Run) -> None:
    """Build the data, write the base models, and note what the run is known by.

    Raises:
        UsageError: the folder holds another run.
        ConfigError: data cannot be had.
        ModelError: a base cannot be had.
    """
    from botpsy.train.model import write_base

    recipe, folder = this.recipe, this.folder
    _hold(recipe, folder)
    write_whole(folder / RECIPE, recipe.model_dump_json(indent=1).encode())
    for name, place in places(recipe, folder).items():
        if name.endswith(".toml"):
            _build(this, recipe.file(name), place)
    _identify(this)
    tokens: Tokens | None = None
    for name, base in bases(recipe).items():
        if base.startswith("random:") and tokens is None:
            tokens = tokens_of(recipe, places(recipe, folder))
        write_base(base, recipe, folder / name, tokens)
    _check(this)


def _check(this: Run) -> None:
    """Hold all stages that are to come against their data.

    Raises:
        BotpsyError: one cannot work.
    """
    recipe = this.recipe
    own = this.folder / "base"
    base = own if own.exists() else recipe.file(recipe.model.base)
    fit = Fit(recipe, places(recipe, this.folder), tokenizer_of(base))
    fit.vocabulary(size_of(recipe.model.base, recipe))
    for suite in recipe.suite:
        fit.suite(suite)
    for name, section in recipe.stages().items():
        within(name, section, size_of(recipe.base_of(name), recipe))
        if not this.done(name):
            fit.stage(section)


def _hold(recipe: TrainRecipe, folder: Path) -> None:
    """Refuse to go on with what another recipe began.

    Raises:
        UsageError: names the keys that differ.
    """
    if not (folder / RECIPE).exists():
        return
    try:
        keys = changed(resolved((folder / RECIPE).read_text("utf-8")), recipe)
    except ConfigError as error:
        raise UsageError(f"{folder}: {error.message}", "Choose another folder.") from None
    if keys:
        more = f" and {len(keys) - NAMED} more" if len(keys) > NAMED else ""
        raise UsageError(
            f"{folder} holds the run of another recipe: {', '.join(keys[:NAMED])}{more} differ.",
            "Restore it, or choose another folder.",
        )


def bases(recipe: TrainRecipe) -> dict[str, str]:
    """The models that training starts from, by the folder of a run in which they may be."""
    found = {"base": recipe.model.base}
    own = [each for each in recipe.teacher if each.base not in ("", FROM_SFT)]
    return found | {f"base-{each.name}": each.base for each in own}


def stage_of(this: Run, name: str) -> Stage:
    """A stage with all that is handed to it.

    Raises:
        UsageError: a stage that it starts from, or a teacher, is not done.
    """
    recipe = this.recipe
    section = recipe.stages()[name]
    start = _start(this, name)
    teachers: dict[str, Path] = {}
    if isinstance(section, MopdRecipe):
        teachers = {each.name: _teacher(this, each) for each in recipe.teacher}
    where = places(recipe, this.folder)
    return Stage(name, recipe, section, this.folder / name, start, teachers, where)


def _start(this: Run, name: str) -> Path:
    """The folder of the model that a stage begins from."""
    recipe, before = this.recipe, this.recipe.before(name)
    if before and not this.done(before):
        raise UsageError(f"{name} starts from {before}, which is not done.", f"Run {before} first.")
    if before:
        return this.best(before)
    base = recipe.base_of(name)
    owner = name.removeprefix("teacher-").rpartition("-")[0]
    written = this.folder / (f"base-{owner}" if owner else "base")
    return written if written.exists() else recipe.file(base)


def _teacher(this: Run, teacher: TeacherRecipe) -> Path:
    if teacher.model:
        return this.recipe.file(teacher.model)
    last = f"teacher-{teacher.name}-{'dapo' if teacher.dapo else 'sft'}"
    if not this.done(last):
        raise UsageError(f"The teacher {teacher.name} is not trained.", f"Run the stage {last}.")
    return this.best(last)


def finish(stage: Stage) -> None:
    """Choose the stage's best checkpoint, keep it as ``best``, and say so."""
    from botpsy.train.model import keep

    select = stage.section.select
    choice = choose(read_points(stage.folder / "evals.jsonl"), stage.suites, select)
    checkpoints = stage.folder / "checkpoints"
    chosen = checkpoints / f"checkpoint-{choice.step}" if choice.step else stage.start
    best = stage.folder / "best"
    keep(chosen, best, stage)
    weights = {path.name: sha256_of(path) for path in sorted(best.glob("*.safetensors"))}
    said = {"stage": stage.name, "suite": select, **asdict(choice), "weights": weights}
    write_whole(stage.folder / DONE, json.dumps(said, indent=1).encode())
    shutil.rmtree(checkpoints)


def _build(this: Run, path: Path, place: Path) -> None:
    from botpsy.engines.store import resolve

    data = read_data_recipe(path)
    tokenizer = None
    if data.max_tokens:
        named = Path(data.tokenizer)
        tokenizer = named if named.exists() else resolve(data.tokenizer).path
    logger.info("building %s", place)
    build(data, place, corpora=this.corpora, tokenizer=tokenizer, workers=this.workers)


def _identify(this: Run) -> None:
    """Hold a run that goes on to the data and the template it began with."""
    recipe, path = this.recipe, this.folder / "run.json"
    known = {
        "template": _hash(chat_format(recipe.model.format).template.encode()),
        "data": {
            name: {file.name: sha256_of(file) for file in data_files(place)}
            for name, place in places(recipe, this.folder).items()
        },
    }
    if path.exists():
        before = json.loads(path.read_text("utf-8"))
        if changed := [name for name in known if before.get(name) != known[name]]:
            raise UsageError(
                f"{this.folder} was begun with other files; these differ: {', '.join(changed)}.",
                "Restore them, or choose another folder.",
            )
        return
    about = {
        "name": recipe.name,
        "recipe": recipe.hash,
        "seed": recipe.seed,
        "botpsy": __version__,
        "code": code_hash(),
        "python": platform.python_version(),
        "packages": {name: metadata.version(name) for name in _PACKAGES},
    }
    write_whole(path, json.dumps(known | about, indent=1).encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
