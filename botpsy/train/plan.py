"""What a recipe amounts to before anything is loaded: rows, steps, samples, memory. Needs no torch.

Memory is an estimate for one process, from what has to be held at once (weights, gradients,
optimiser, activations of one pass, the output layer's share). For imitation it was up to a fifth
above what was measured; suites that sample are not counted (docs/recipes.md). Leave room.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from botpsy.chat.tokens import Tokens
from botpsy.data.recipe import read_recipe as read_data_recipe
from botpsy.errors import ConfigError
from botpsy.train.base import Size, absent, size_of, tokens_of
from botpsy.train.fit import Fit, within
from botpsy.train.recipe import TrainRecipe
from botpsy.train.rows import Example, count, sft_examples, sft_passes
from botpsy.train.sections import (
    DapoRecipe,
    MopdRecipe,
    OnPolicyRecipe,
    SftRecipe,
    StageRecipe,
)
from botpsy.train.stage import CONVERSATIONS, TASKS, Stage, places

SUPERVISED = 0.25
"""Share of a pass that is learnt from, where the rows are not there to be counted."""
ADAM = 8
"""Bytes a weight: two moments."""
MASTER = 8
"""More of them for bfloat16: a float32 copy, and its gradient during a step."""
HIDDEN, FORWARD = 18, 4
"""Values that are kept for the backward pass, a token and layer, in units of the hidden size and of
the feed-forward size."""


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage, in figures.

    Attributes:
        rows, tokens, supervised, longest: of the data of imitation; 0 where it is not built yet.
        steps: of the optimiser. 0 where that depends on data that is not built yet.
        passes: in a step, over all processes; 0 in stages that sample, where lengths decide.
        prompts, samples: in a generation; 0 for imitation.
        generations: at least; dynamic sampling may need more for each.
        checkpoints: that are measured, the start among them.
        bytes: estimated memory of one process.
        notes: what else is to be known.
    """

    name: str
    start: str
    rows: int = 0
    tokens: int = 0
    supervised: int = 0
    longest: int = 0
    steps: int = 0
    passes: int = 0
    prompts: int = 0
    samples: int = 0
    generations: int = 0
    checkpoints: int = 0
    bytes: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages; what is to be fetched first; the command that starts them; and a row as it is
    learnt, to be looked at."""

    stages: tuple[StagePlan, ...]
    missing: tuple[str, ...]
    command: str
    sample: Example | None = None
    tokens: Tokens | None = None


def make_plan(recipe: TrainRecipe, folder: Path, shown: str, only: str = "") -> Plan:
    """The plan of a run in ``folder``. Data that is built is read whole and held to its rules.

    Args:
        shown: what the command says of the recipe.
        only: the one stage that is planned; all when empty.

    Raises:
        UsageError: there is no such stage.
        ConfigError: data or a combination cannot work.
        ModelError: a base is not there.
    """
    where = places(recipe, folder)
    tokens = _tokens(recipe, where)
    fit = Fit(recipe, where, tokens) if tokens else None
    if fit:
        for suite in recipe.suite:
            fit.suite(suite)
    made: list[StagePlan] = []
    sample = None
    for name in recipe.chosen(only):
        section = recipe.stages()[name]
        stage = Stage(name, recipe, section, folder / name, Path(), {}, where)
        before = recipe.before(name)
        start = f"best of {before}" if before else recipe.base_of(name)
        size = size_of(recipe.base_of(name), recipe)
        within(name, section, size)
        if isinstance(section, SftRecipe):
            examples = []
            if tokens and all(where[each].exists() for each in section.rows):
                examples = sft_examples(stage, section, tokens)
                _apart(stage, section)
            sample = sample or next(iter(examples), None)
            made.append(_imitation(stage, section, size, start, examples))
        else:
            assert isinstance(section, OnPolicyRecipe)
            told = fit.stage(section) if fit else ()
            made.append(_practice(stage, section, size, start, told))
    named = dict.fromkeys([recipe.model.base, *map(recipe.origin_of, recipe.teacher)])
    missing = tuple(filter(None, (absent(base, recipe) for base in named)))
    return Plan(tuple(made), missing, launch_command(recipe, shown), sample, tokens)


def launch_command(recipe: TrainRecipe, shown: str) -> str:
    """The command that starts a recipe with its processes; all else is in the recipe."""
    many = recipe.launch.processes
    if many == 1:
        return f"botpsy train {shown}"
    return (
        f"python -m torch.distributed.run --standalone --nproc_per_node {many}"
        f" -m botpsy train {shown}"
    )


def memory(
    size: Size, recipe: TrainRecipe, section: StageRecipe, supervised: float, held: int = 0
) -> int:
    """Bytes that one process needs to train.

    Args:
        supervised: share of a pass that is learnt from.
        held: parameters of models that are only read (teachers).
    """
    low = recipe.model.dtype == "bfloat16"
    width = 2 if low else 4
    sharded = recipe.launch.sharded
    # Sharding keeps float32 weights in parts, and one whole copy to sample from and to measure.
    each = 4 + 4 + ADAM if sharded else 2 * width + ADAM + MASTER * low
    share = recipe.launch.processes if sharded else 1
    trained = size.parameters * 0.02 if section.lora else size.parameters
    frozen = size.parameters * width if section.lora or sharded else 0
    kept = section.batch_tokens * size.hidden * HIDDEN + section.batch_tokens * (
        size.feed_forward * FORWARD
    )
    activations = kept * width * (3 if section.checkpointing else size.layers)
    learnt = section.batch_tokens * supervised
    head = learnt * size.vocabulary * 2 * width
    return math.ceil(
        trained * each / share + frozen + held * width / share + activations + head + 300e6
    )


def _imitation(
    stage: Stage, section: SftRecipe, size: Size, start: str, examples: list[Example]
) -> StagePlan:
    counted = count(examples)
    steps = 0
    if examples:
        steps = len(sft_passes(examples, section, stage.recipe.seed)) // section.passes
    share = counted.supervised / counted.tokens if examples else SUPERVISED
    return StagePlan(
        stage.name,
        start,
        rows=counted.rows,
        tokens=counted.tokens,
        supervised=counted.supervised,
        longest=counted.longest,
        steps=steps,
        passes=section.passes,
        checkpoints=_checkpoints(steps, section),
        bytes=memory(size, stage.recipe, section, share),
        notes=_not_built(stage, section.rows),
    )


def _practice(
    stage: Stage, section: OnPolicyRecipe, size: Size, start: str, told: tuple[str, ...]
) -> StagePlan:
    recipe = stage.recipe
    group = section.group if isinstance(section, DapoRecipe) else 1
    generations = section.steps // section.updates
    notes = [*_not_built(stage, [part.rows for part in section.mix]), *told]
    held = 0
    if isinstance(section, MopdRecipe):
        for teacher in recipe.teacher:
            held += size_of(recipe.origin_of(teacher), recipe).parameters
        notes.append(
            "teachers: "
            + ", ".join(f"{each.name} ({', '.join(each.routes)})" for each in recipe.teacher)
        )
    if isinstance(section, DapoRecipe) and section.max_generations > 1:
        notes.append(f"at most {section.max_generations} tries for each generation")
    reply = section.max_reply_tokens / (section.max_prompt_tokens + section.max_reply_tokens)
    return StagePlan(
        stage.name,
        start,
        steps=section.steps,
        prompts=section.prompts,
        samples=section.prompts * group,
        generations=generations,
        checkpoints=_checkpoints(section.steps, section),
        bytes=memory(size, recipe, section, reply, held),
        notes=tuple(notes),
    )


def _checkpoints(steps: int, section: StageRecipe) -> int:
    return 1 + math.ceil(steps / section.evaluate_every)


def _not_built(stage: Stage, names: Iterable[str]) -> tuple[str, ...]:
    """What is said of data that is not there yet.

    Raises:
        ConfigError: it is not there, and nothing says how to build it.
    """
    said = []
    for name in dict.fromkeys(names):
        path = stage.recipe.file(name)
        if stage.data[name].exists():
            continue
        if path.suffix != ".toml" or not path.is_file():
            raise ConfigError(f"There is no data in {path}.", "Build it with `botpsy data build`.")
        rows = sum(source.rows for source in read_data_recipe(path).source)
        said.append(f"{name} is built first, up to {rows:,} rows")
    return tuple(said)


def _tokens(recipe: TrainRecipe, where: dict[str, Path]) -> Tokens | None:
    """The tokenizer; None where it is trained on data that is not built yet, or will be fetched."""
    built = all(where[name].exists() for name in recipe.model.texts)
    if not built or absent(recipe.model.base, recipe):
        return None
    return tokens_of(recipe, where)


def _apart(stage: Stage, section: SftRecipe) -> None:
    """Refuse to learn from the very file that chooses the checkpoint."""
    learnt = {file for name in section.rows for file in stage.files(name, CONVERSATIONS)}
    for suite in stage.suites:
        if not suite.rows or not stage.data[suite.rows].exists():
            continue
        kind = TASKS if suite.kind == TASKS else CONVERSATIONS
        for file in stage.files(suite.rows, kind, held_out=True):
            if file in learnt:
                raise ConfigError(f"suite {suite.name}: {file} is trained on in {stage.name}.")
