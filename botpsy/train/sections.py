"""The sections of a training recipe, each held to its own rules.

What can be wrong within one section is refused here; what sections must be to each other, in
``botpsy.train.recipe``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from botpsy.chat.formats import chat_format
from botpsy.rewards import VERIFIERS
from botpsy.train.shapes import SHAPES

NAME = r"^[a-z0-9][a-z0-9_.-]*$"
WORLD = "world"
"""The verifier of tasks that are worlds to live through."""
BYTES = 256
FROM_SFT = "sft"
"""As a teacher's base: the best of the student's first stage."""


class Section(BaseModel):
    """Frozen, and nothing but what is known."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ModelRecipe(Section):
    """What is trained, and in which language it talks."""

    base: str = Field(min_length=1)
    """``default`` (the default engine's weights), a ``.gguf`` file, a transformers folder, or
    ``random:SHAPE`` with a shape of ``botpsy.train.shapes``: fresh weights."""
    format: Literal["pocket", "qwen3_5"] = "pocket"
    dtype: Literal["bfloat16", "float32"] = "float32"
    """Of the weights while training. With bfloat16 the optimiser keeps float32 master copies."""
    vocabulary: int = Field(default=0, ge=0)
    """For ``random:`` alone: tokens of the byte-level BPE tokenizer trained on ``texts``."""
    texts: tuple[str, ...] = ()
    """For ``random:`` alone: data whose rendered rows the tokenizer is trained on."""

    @property
    def shape(self) -> str:
        """The shape of random weights; empty for others."""
        return self.base.removeprefix("random:") if self.base.startswith("random:") else ""

    @model_validator(mode="after")
    def _tokenizer(self) -> Self:
        if self.shape and not (self.vocabulary and self.texts):
            raise ValueError("random weights need vocabulary and texts, to train a tokenizer")
        if not self.shape and (self.vocabulary or self.texts):
            raise ValueError("vocabulary and texts are for random weights; this base has its own")
        shape_known("base", self.base)
        least = BYTES + 1 + len(chat_format(self.format).specials)
        if self.shape and self.vocabulary < least:
            raise ValueError(
                f"vocabulary = {self.vocabulary} has no room for the {least} bytes and special"
                " tokens that every text needs"
            )
        return self


class LaunchRecipe(Section):
    """Where it runs; ``botpsy train --plan`` says how several processes are started."""

    processes: int = Field(default=1, ge=1)
    strategy: Literal["ddp", "fsdp2"] = "ddp"
    """For several processes: whole copies, or parameters sharded."""
    rollouts: Literal["generate", "vllm"] = "generate"
    """What samples in stages 2 to 4."""
    threads: int = Field(default=0, ge=0)
    """Of a process on a CPU; 0: as many as torch chooses. One is best for tiny models, whose
    threads would wait for each other. With another number sums are made in another order."""

    @property
    def sharded(self) -> bool:
        """Whether weights, gradients and optimiser are split over processes."""
        return self.strategy == "fsdp2" and self.processes > 1


class OptimRecipe(Section):
    """AdamW and its schedule; steps are optimiser steps."""

    lr: float = Field(gt=0)
    """At the top of the schedule."""
    schedule: Literal["constant", "linear", "cosine"] = "cosine"
    warmup_steps: int = Field(default=0, ge=0)
    final_lr: float = Field(default=0.0, ge=0, le=1)
    """Where linear and cosine end, as a share of ``lr``."""
    weight_decay: float = Field(default=0.0, ge=0)
    """On matrices; never on biases and norms."""
    beta1: float = Field(default=0.9, ge=0, lt=1)
    beta2: float = Field(default=0.95, ge=0, lt=1)
    clip_norm: float = Field(default=1.0, gt=0)


class LoraRecipe(Section):
    """Low-rank adapters instead of all parameters; merged when a stage's best is kept."""

    rank: int = Field(default=16, ge=1)
    alpha: int = Field(default=32, ge=1)
    targets: tuple[str, ...] = ()
    """Names of linear layers; all but the output layer when empty."""


class SuiteRecipe(Section):
    """A held-out measure. Never the training reward, never a benchmark's test set."""

    name: str = Field(pattern=NAME)
    kind: Literal["loss", "calls", "tasks"]
    """``loss``: mean negative log-likelihood per supervised token (lower is better).
    ``calls``: share of held-out assistant turns whose calls are exactly right, or rightly none.
    ``tasks``: share of held-out tasks that their verifier grants in full; those with the verifier
    ``world`` are lived through, and count when they reach their goal."""
    rows: str
    """Data: conversations for the first two, else tasks. Of a folder the validation part."""
    verifiers: tuple[str, ...] = ()
    """Of tasks: only those with these verifiers; all when empty."""
    limit: int = Field(default=200, ge=1)
    """Cases; the same ones each time."""
    max_reply_tokens: int = Field(default=256, ge=1)
    guard: float | None = Field(default=None, ge=0)
    """Guarded: it may get worse by at most this much against the stage's start. A checkpoint that
    breaks it is passed over, and the reason says so."""

    @property
    def lower_is_better(self) -> bool:
        """Whether small values are good."""
        return self.kind == "loss"

    @model_validator(mode="after")
    def _verifiers(self) -> Self:
        _known(self.verifiers)
        if self.verifiers and self.kind != "tasks":
            raise ValueError(f"verifiers choose among tasks; this suite's kind is {self.kind}")
        return self


class StageRecipe(Section):
    """What all stages have."""

    optim: OptimRecipe
    lora: LoraRecipe | None = None
    batch_tokens: int = Field(ge=16)
    """Most tokens, padding included, that one forward and backward pass may take."""
    checkpointing: bool = False
    """Recompute activations in the backward pass: a third slower, far less memory."""
    evaluate_every: int = Field(ge=1)
    """Optimiser steps between checkpoints; each is measured on the suites."""
    select: str
    """The suite whose best value chooses the checkpoint."""

    def within(self, key: str, steps: int) -> None:
        """Refuse a first checkpoint after the last step.

        Raises:
            ValueError: names ``key``, which says how many steps there are.
        """
        if self.evaluate_every > steps:
            raise ValueError(f"evaluate_every = {self.evaluate_every} is beyond {key} = {steps}")


class SftRecipe(StageRecipe):
    """Stage 1: imitate. The loss is on what the assistant wrote, and on nothing else."""

    rows: tuple[str, ...] = Field(min_length=1)
    """Data, conversations."""
    epochs: int = Field(default=1, ge=1)
    limit_steps: int = Field(default=0, ge=0)
    """Stop after so many steps; 0: after all epochs."""
    max_tokens: int = Field(ge=16)
    """A longer row is refused: it is never cut."""
    passes: int = Field(default=1, ge=1)
    """Passes (``batch_tokens`` each) in one optimiser step, over all processes."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.max_tokens > self.batch_tokens:
            raise ValueError(
                f"a row of max_tokens = {self.max_tokens} does not fit batch_tokens ="
                f" {self.batch_tokens}"
            )
        if self.limit_steps:
            self.within("limit_steps", self.limit_steps)
        return self


class MixRecipe(Section):
    """One part of what is practised on. Tasks whose verifier is ``world`` are lived through."""

    name: str = Field(pattern=NAME)
    """For metrics: rewards and lengths are logged by part."""
    share: float = Field(gt=0)
    """Of the prompts, in proportion to the other parts'."""
    rows: str
    """Data: tasks; for distillation a file of conversations as well, each cut before its last
    answer."""
    verifiers: tuple[str, ...] = ()
    """Of the rows only tasks with these verifiers; all when empty."""
    route: str = ""
    """Distillation: what kind of skill it is, which chooses the teacher."""

    @model_validator(mode="after")
    def _verifiers(self) -> Self:
        _known(self.verifiers)
        return self


class OnPolicyRecipe(StageRecipe):
    """What stages have in which the model learns from its own samples.

    One generation samples ``prompts`` prompts and is learnt from in ``updates`` optimiser steps.
    Checkpoints fall between generations only: elsewhere a resumed run would not be the same.
    """

    mix: tuple[MixRecipe, ...] = Field(min_length=1)
    steps: int = Field(ge=1)
    """Optimiser steps in all."""
    prompts: int = Field(ge=1)
    """Distinct prompts in a generation, over all processes."""
    updates: int = Field(default=1, ge=1)
    """Optimiser steps on one generation."""
    max_prompt_tokens: int = Field(ge=16)
    """Tasks with a longer prompt are refused."""
    max_reply_tokens: int = Field(ge=8)
    """Sampled tokens in an episode, over all its turns."""
    max_turns: int = Field(default=8, ge=1)
    """Assistant turns in an episode of a world."""
    turn_timeout_s: float = Field(default=30.0, gt=0)
    """For one tool call of a world; beyond it the world is at fault, not the model."""
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    top_k: int = Field(default=0, ge=0)
    """0: all."""

    @model_validator(mode="after")
    def _boundaries(self) -> Self:
        distinct("mix", (part.name for part in self.mix))
        if self.prompts % self.updates:
            raise ValueError(
                f"prompts = {self.prompts} cannot be split into {self.updates} updates"
            )
        for key, value in (("steps", self.steps), ("evaluate_every", self.evaluate_every)):
            if value % self.updates:
                raise ValueError(
                    f"{key} = {value} is no multiple of updates = {self.updates}: checkpoints must"
                    " fall between generations"
                )
        self.within("steps", self.steps)
        if self.max_prompt_tokens + self.max_reply_tokens > self.batch_tokens:
            raise ValueError(
                "one episode (max_prompt_tokens + max_reply_tokens ="
                f" {self.max_prompt_tokens + self.max_reply_tokens}) does not fit batch_tokens ="
                f" {self.batch_tokens}"
            )
        return self


class MopdRecipe(OnPolicyRecipe):
    """Stage 2: on its own samples, match the full next-token distribution of the route's teacher.

    Reverse KL per token, summed over the vocabulary. Every part of the mix has a route.
    """

    @model_validator(mode="after")
    def _routes(self) -> Self:
        for part in self.mix:
            if not part.route:
                raise ValueError(f"part {part.name!r} of the mix has no route to a teacher")
        return self


class DapoRecipe(OnPolicyRecipe):
    """Stages 3 and 4: rules and verifiers only (DAPO, arXiv 2503.14476). No KL term."""

    group: int = Field(default=8, ge=2)
    """Samples per prompt; the advantage is relative to their mean."""
    clip_low: float = Field(default=0.2, gt=0, lt=1)
    clip_high: float = Field(default=0.28, gt=0)
    overlong_buffer: int = Field(default=0, ge=0)
    """The last so many of ``max_reply_tokens`` cost up to 1 (soft punishment); 0: off."""
    mask_truncated: bool = True
    """Samples cut at the limit are left out of the loss (overlong filtering)."""
    max_generations: int = Field(default=4, ge=1)
    """Dynamic sampling: at most so many generations to find ``prompts`` groups that differ within;
    then what there is is used and logged."""
    min_std: float = Field(default=1e-4, gt=0)
    """Groups whose rewards spread less teach nothing and are replaced."""

    @model_validator(mode="after")
    def _lengths(self) -> Self:
        if self.clip_low > self.clip_high:
            raise ValueError("clip_low is above clip_high; clip-higher wants it below")
        if self.overlong_buffer >= self.max_reply_tokens:
            raise ValueError("overlong_buffer must be shorter than max_reply_tokens")
        for part in self.mix:
            if part.route:
                raise ValueError(
                    f"part {part.name!r} of the mix has a route, and nobody teaches here"
                )
        return self


class TeacherRecipe(Section):
    """A specialist: ready made, or trained here from a larger base. Shares the student's tokens."""

    name: str = Field(pattern=NAME)
    routes: tuple[str, ...] = Field(min_length=1)
    """Parts of the distillation mix that it teaches."""
    model: str = ""
    """A transformers folder; nothing is trained."""
    base: str = ""
    """From which ``sft`` and ``dapo`` start: as ``model.base``; or ``sft``, the best of the
    student's first stage. Random weights take the student's tokenizer."""
    sft: SftRecipe | None = None
    dapo: DapoRecipe | None = None

    @model_validator(mode="after")
    def _origin(self) -> Self:
        if bool(self.model) == bool(self.base):
            raise ValueError("a teacher has either a model (ready) or a base (to be trained)")
        if bool(self.base) != bool(self.sft or self.dapo):
            raise ValueError("a base is trained by sft, dapo or both; a ready model by neither")
        shape_known("base", self.base)
        return self


def shape_known(key: str, base: str) -> None:
    """Refuse random weights of a shape that is not there.

    Raises:
        ValueError: names ``key``.
    """
    kind, _, shape = base.partition(":")
    if kind == "random" and shape not in SHAPES:
        raise ValueError(f"{key}: there is no shape {shape!r}; known: {', '.join(SHAPES)}")


def _known(verifiers: Iterable[str]) -> None:
    for name in verifiers:
        if name not in (*VERIFIERS, WORLD):
            raise ValueError(f"no verifier {name!r}; known: {', '.join((*VERIFIERS, WORLD))}")


def distinct(what: str, names: Iterable[str]) -> list[str]:
    """The names, none of them twice.

    Raises:
        ValueError: one is.
    """
    listed = list(names)
    for name, count in Counter(listed).items():
        if count > 1:
            raise ValueError(f"{what} {name!r} is there {count} times")
    return listed
