"""What the trainers of all stages share: settings, optimiser, guards, checkpoints, measuring.

A stage makes its trainer, ``class MyTrainer(Engine, SomeTrlTrainer)``, with ``arguments`` among its
settings, and hands it to ``run``. What then holds:

- A loss or a gradient that is not finite stops the run before the step is taken, and names the rows
  that were in it (``Engine.suspects``).
- A checkpoint counts from the moment its marker is written, last, once all else is on the disk. A
  kill or a full disk leaves the one before; ``run`` removes what is not whole, and goes on from the
  last that is.
- Suites are measured at the start and after each checkpoint, by the live model.
- Nothing is sent anywhere and nothing is fetched.

Private hooks of TRL 1.16 and transformers 5.24 that this rests on: ``_save_checkpoint``,
``_clip_grad_norm``, ``_send_telemetry``, ``create_model_card``. Tests hold them.
"""

from __future__ import annotations

import json
import logging
import math
import shutil
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import DistributedType
from torch.distributed.fsdp import MixedPrecisionPolicy
from transformers import PrinterCallback, Trainer, TrainerCallback

from botpsy.data.files import write_whole
from botpsy.errors import BotpsyError, ModelError
from botpsy.train.model import Loaded, load, settle
from botpsy.train.optim import optimizer_of, rate
from botpsy.train.sections import LoraRecipe
from botpsy.train.selection import Point, choose, read_points, write_points
from botpsy.train.stage import Stage
from botpsy.train.suites import Score, Suites

logger = logging.getLogger(__name__)
MARKER = "whole.json"
"""In a checkpoint that is whole."""
NAMED = 8
"""Rows that an error names."""
RECENT = 20
"""Steps that say how long the next ones will take."""


class NotFiniteError(ModelError):
    """The loss or its gradient is no number any more."""


def arguments(stage: Stage, *, steps: int, passes: int) -> dict[str, Any]:
    """Settings that every trainer of TRL takes.

    Args:
        steps: optimiser steps in all.
        passes: in one step, over all processes.
    """
    recipe, section = stage.recipe, stage.section
    gpu, sharded = torch.cuda.is_available(), recipe.launch.sharded
    return {
        "output_dir": str(stage.folder / "checkpoints"),
        "seed": recipe.seed,
        "data_seed": recipe.seed,
        "use_cpu": not gpu,
        "bf16": sharded and recipe.model.dtype == "bfloat16",
        "fsdp": sharded or None,
        "max_steps": steps,
        "gradient_accumulation_steps": passes // recipe.launch.processes,
        "max_grad_norm": section.optim.clip_norm,
        "learning_rate": section.optim.lr,
        "activation_checkpointing": section.checkpointing,
        "average_tokens_across_devices": True,
        "ddp_backend": "gloo" if not gpu and recipe.launch.processes > 1 else None,
        "accelerator_config": {"even_batches": False},
        "dataloader_pin_memory": gpu,
        "remove_unused_columns": False,
        "save_strategy": "no",  # ``_Keeper`` says when
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "report_to": "none",
        "log_level": "error",
        "log_level_replica": "error",
        "disable_tqdm": True,
    }


def lora(recipe: LoraRecipe | None) -> Any:
    """Adapters as PEFT wants them; None for all parameters."""
    if recipe is None:
        return None
    from peft import LoraConfig

    targets = list(recipe.targets) or "all-linear"
    return LoraConfig(
        task_type="CAUSAL_LM", r=recipe.rank, lora_alpha=recipe.alpha, target_modules=targets
    )


class Engine(Trainer):
    """Put before a TRL trainer among the bases."""

    stage: Stage
    suites: Suites
    model: Any
    optimizer: Any
    lr_scheduler: Any
    suspects: tuple[str, ...] = ()
    """Ids of the rows in the pass that is being learnt from; trainers set it."""
    tokens_seen = 0
    """By this process since the last line of metrics; trainers add to it."""
    _since = 0.0

    @cached_property
    def _steps_s(self) -> deque[float]:
        """Seconds of the last steps."""
        return deque(maxlen=RECENT)

    def create_accelerator_and_postprocess(self) -> None:
        """Sharded as the recipe says, on CPUs too, which accelerate leaves out."""
        state = PartialState()
        if self.args.fsdp and state.distributed_type == DistributedType.MULTI_CPU:
            state.distributed_type = DistributedType.MULTI_GPU
        if self.args.fsdp and self.args.bf16:
            # Left to accelerate, losses, log-probabilities and sums of gradients would be rounded.
            self.args.fsdp_plugin_args["mixed_precision_policy"] = MixedPrecisionPolicy(
                torch.bfloat16, torch.float32, cast_forward_inputs=False
            )
        super().create_accelerator_and_postprocess()
        assert self.is_fsdp_enabled == bool(self.args.fsdp)

    @cached_property
    def reader(self) -> Any:
        """What samples and is measured: the model itself, or a whole copy where it is sharded.

        A layer at a time could be gathered for each token instead; that would be far slower, and
        processes would have to sample in step.
        """
        if not self.stage.recipe.launch.sharded:
            return self.accelerator.unwrap_model(self.model)
        copy = load(self.stage.start, self.stage.chat, self.stage.recipe.model.dtype).model
        return copy.requires_grad_(False).eval().to(self.accelerator.device)

    @torch.no_grad()
    def refreshed(self) -> Any:
        """``reader`` with the weights of now; where they are sharded, all processes call this."""
        if self.stage.recipe.launch.sharded:
            pairs = zip(self.reader.named_parameters(), self.model.named_parameters(), strict=True)
            for (name, mine), (other, shard) in pairs:
                assert name == other
                mine.copy_(shard.to(mine.dtype).full_tensor())
        return self.reader

    def create_optimizer(self, model: Any = None) -> Any:
        """AdamW of the recipe."""
        if self.optimizer is None:
            self.optimizer = optimizer_of(model or self.model, self.stage.section.optim)
        return self.optimizer

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        """The recipe's schedule."""
        if self.lr_scheduler is None:
            share = rate(self.stage.section.optim, num_training_steps)
            self.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(
                optimizer or self.optimizer, share
            )
            self._created_lr_scheduler = True
        return self.lr_scheduler

    def training_step(self, *args: Any, **kwargs: Any) -> Any:
        """One pass, held against the rule that losses are finite."""
        loss = super().training_step(*args, **kwargs)
        self.check(loss, "loss")
        return loss

    def _clip_grad_norm(self, model: Any) -> Any:
        norm = super()._clip_grad_norm(model)
        self.check(norm, "gradient")
        return norm

    def check(self, value: Any, what: str) -> None:
        """Stop the run on a value that is no number.

        Raises:
            NotFiniteError: names the step and the rows.
        """
        if not math.isfinite(value):
            rows = ", ".join(self.suspects[:NAMED]) + (", …" if len(self.suspects) > NAMED else "")
            raise NotFiniteError(
                f"{self.stage.name}: the {what} is {float(value)} in step"
                f" {self.state.global_step + 1}, with the rows {rows or '(not known)'}.",
                "Lower the learning rate or look at these rows; the last checkpoint is good.",
            )

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Also a line of ``metrics.jsonl``, with a process's seconds and tokens since the last."""
        super().log(logs, start_time)
        seconds = time.monotonic() - self._since
        line = {"step": self.state.global_step, "seconds": round(seconds, 3), **logs}
        if self.tokens_seen:
            line |= {"tokens": self.tokens_seen, "tokens_per_s": round(self.tokens_seen / seconds)}
        if self.is_world_process_zero():
            with (self.stage.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            if "loss" in logs:
                self._steps_s.append(seconds)
                logger.info(
                    "%s %s", self.stage.name, spoken(line, self.state.max_steps, self._steps_s)
                )
        self._mark()

    def _mark(self) -> None:
        self._since, self.tokens_seen = time.monotonic(), 0

    def save_model(self, output_dir: str | None = None, _internal_call: bool = False) -> None:
        """Sharded weights are saved as they are measured: whole, in the recipe's type."""
        if not self.stage.recipe.launch.sharded:
            super().save_model(output_dir, _internal_call)
            return
        model, self.model = self.model, self.refreshed()
        try:
            self._save(output_dir)
        finally:
            self.model = model

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        folder = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
        try:
            super()._save_checkpoint(model, trial)
            self.accelerator.wait_for_everyone()
            if self.is_world_process_zero():
                settle(folder)
                step = json.dumps({"step": self.state.global_step})
                write_whole(folder / MARKER, step.encode())
                settle(folder.parent)
        except Exception as error:  # safetensors and torch have errors of their own for full disks
            shutil.rmtree(folder, ignore_errors=True)
            raise BotpsyError(
                f"The checkpoint {folder} could not be written: {error}",
                "The one before is whole. Make room and run the same command again.",
            ) from error
        self.accelerator.wait_for_everyone()

    def measure(self) -> None:
        """Measure the suites, unless that was done; keep the best and the last checkpoint."""
        path = self.stage.folder / "evals.jsonl"
        points = [each for each in read_points(path) if each.step <= self.state.global_step]
        if not points or points[-1].step < self.state.global_step:
            names = ", ".join(suite.name for suite in self.stage.suites)
            logger.info("%s %d: measuring %s", self.stage.name, self.state.global_step, names)
            values = self.suites.measure(self.refreshed())
            points.append(Point(self.state.global_step, values, dict(self.suites.cases)))
            said = ", ".join(f"{name} {value:.4g}" for name, value in values.items())
            logger.info("%s %d: %s", self.stage.name, self.state.global_step, said)
        best = choose(points, self.stage.suites, self.stage.section.select).step
        self.accelerator.wait_for_everyone()
        if self.is_world_process_zero():
            write_points(path, points)
            for folder in whole(Path(self.args.output_dir)):
                if step_of(folder) not in (best, self.state.global_step):
                    shutil.rmtree(folder)
        self.accelerator.wait_for_everyone()
        self._mark()

    def _send_telemetry(self) -> None:
        """Nothing is sent."""

    def create_model_card(self, *args: Any, **kwargs: Any) -> None:
        """Cards are written with a release."""


class _Keeper(TrainerCallback):
    """Says when there is a checkpoint, and has it measured."""

    def __init__(self, trainer: Engine) -> None:
        self.trainer = trainer

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Measure the start, or what was saved and not measured before a kill."""
        self.trainer.measure()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Every so many steps, and at the end."""
        every = self.trainer.stage.section.evaluate_every
        step = state.global_step
        control.should_save = step % every == 0 or step == state.max_steps

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """The checkpoint is whole."""
        self.trainer.measure()


def run(trainer: Engine, stage: Stage, loaded: Loaded) -> None:
    """Train to the end, from the last whole checkpoint if there is one.

    Raises:
        NotFiniteError: a loss or gradient is no number.
        BotpsyError: a checkpoint could not be written.
    """
    trainer.stage = stage
    accelerator = trainer.accelerator
    processes = accelerator.num_processes

    def total(score: Score) -> Score:
        if processes == 1:
            return score
        sums = torch.tensor(score, dtype=torch.float64, device=accelerator.device)
        made, of = accelerator.reduce(sums, "sum").tolist()
        return made, int(of)

    share = accelerator.process_index, processes
    trainer.suites = Suites(stage, loaded.tokens, loaded.end, share, total)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_Keeper(trainer))
    checkpoints = Path(trainer.args.output_dir)
    found = whole(checkpoints)
    last = found[-1] if found else None
    if trainer.is_world_process_zero():
        checkpoints.mkdir(parents=True, exist_ok=True)
        _clean(stage.folder, checkpoints, found)
    accelerator.wait_for_everyone()
    trainer.train(resume_from_checkpoint=str(last) if last else None)


def whole(checkpoints: Path) -> list[Path]:
    """The checkpoints that are whole, by step."""
    return sorted(
        (marker.parent for marker in checkpoints.glob(f"checkpoint-*/{MARKER}")), key=step_of
    )


def spoken(line: Mapping[str, float], steps: int, seconds: Sequence[float]) -> str:
    """A step for people: rewards where there are some, else the loss; and the time that is left.

    Args:
        seconds: of the last steps, measuring left out.
    """
    rewards = {name.removesuffix("/reward"): name for name in line if name.endswith("/reward")}
    figures = [f"{part} {line[name]:.3f}" for part, name in rewards.items()]
    if "groups/kept" in line:
        figures.append(f"{line['groups/kept']:.0%} of groups teach")
    said = "reward: " + ", ".join(figures) if rewards else f"loss {line['loss']:.4f}"
    step = int(line["step"])
    left = timedelta(seconds=round(fmean(seconds) * (steps - step)))
    return f"{step}/{steps} {said}; {line['seconds']:.1f} s, {left} left"


def step_of(checkpoint: Path) -> int:
    """The optimiser steps behind a checkpoint."""
    return int(checkpoint.name.removeprefix("checkpoint-"))


def _clean(folder: Path, checkpoints: Path, found: list[Path]) -> None:
    """Remove what a kill left: checkpoints that are not whole, metrics of steps done again."""
    for each in checkpoints.glob("checkpoint-*"):
        if each not in found:
            shutil.rmtree(each)
    metrics = folder / "metrics.jsonl"
    if metrics.exists():
        step = step_of(found[-1]) if found else 0
        kept = [line for line in metrics.read_text("utf-8").splitlines() if _up_to(line, step)]
        write_whole(metrics, "".join(line + "\n" for line in kept).encode())


def _up_to(line: str, step: int) -> bool:
    try:
        return bool(json.loads(line)["step"] <= step)
    except (ValueError, KeyError):
        return False
