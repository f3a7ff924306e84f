"""What distillation and reinforcement share: generations of rollouts, and steps that learn.

A generation is ``prompts`` tasks from the mix, tried; it is learnt from in ``updates`` optimiser
steps. Each step is made in passes of at most ``batch_tokens`` tokens, padding included, of rows of
like length. Only sampled tokens are projected through the output layer.

- One step weighs all its tokens alike, whatever passes and processes they were in: processes give
  the same weights as one. What is tried, and by which chance, does not depend on them either.
- Checkpoints fall between generations, and hold how far the mix was read. So a run that was killed
  goes on to the same weights.
- A step with nothing to learn from changes nothing, not even by momentum.

Private hooks of TRL 1.16 and transformers 5.24 that this rests on: ``training_step`` calls
``_prepare_inputs`` and then ``compute_loss``; ``_metrics`` is what ``log`` averages;
``_save_optimizer_and_scheduler`` and ``_load_optimizer_and_scheduler``. Tests hold them.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from accelerate.utils import gather_object
from datasets import Dataset
from torch import Tensor

from botpsy.data.files import write_whole
from botpsy.train.engine import Engine
from botpsy.train.mix import Mix
from botpsy.train.model import Loaded
from botpsy.train.rollout import Limits, Roller, Rollout, Spent, Task, number
from botpsy.train.sample import Sampler, TorchSampler, VllmSampler
from botpsy.train.score import Seen, told
from botpsy.train.sections import OnPolicyRecipe
from botpsy.train.stage import Stage

logger = logging.getLogger(__name__)
STATE = "mix.json"
"""In a checkpoint: how far the mix was read."""
NAMED_FAULTS = 3
"""Faults of worlds that are named in the log of a generation."""

Batch = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Learnt:
    """A rollout that is learnt from.

    Attributes:
        place: among all that the generation keeps, over all processes.
        key: rows of different keys never share a pass.
        advantage: of reinforcement.
    """

    rollout: Rollout
    place: int
    key: str = ""
    advantage: float = 0.0

    def __len__(self) -> int:
        return len(self.rollout.prompt) + len(self.rollout.ids)


class OnPolicy(Engine):
    """Put before a TRL trainer among the bases; ``set_up`` before training."""

    section: OnPolicyRecipe
    mix: Mix
    roller: Roller
    spent: Spent
    _shares = False
    """Whether the samples of a prompt go through the model with one copy of it."""

    def set_up(self, stage: Stage, loaded: Loaded) -> None:
        """What is tried and how.

        Raises:
            ConfigError: the rows of a part are not there.
        """
        section = stage.section
        assert isinstance(section, OnPolicyRecipe)
        self.stage, self.section = stage, section
        self.roller = Roller(
            self._sampler(loaded),
            stage.chat,
            loaded.tokens,
            loaded.end,
            Limits(
                section.max_reply_tokens,
                section.batch_tokens,
                section.max_turns,
                section.turn_timeout_s,
            ),
        )
        self.mix = Mix(
            section.mix,
            lambda part: stage.files(part.rows, "tasks"),
            number(f"{stage.recipe.seed}:{stage.name}"),
            lambda task: len(self.roller.prompt(task)) <= section.max_prompt_tokens,
        )
        self._steps: list[list[Batch]] = []

    def _sampler(self, loaded: Loaded) -> Sampler:
        section = self.section
        if self.stage.recipe.launch.rollouts == "vllm":
            return VllmSampler(self.vllm_generation, loaded.end)
        return TorchSampler(
            self.reader, loaded.end, section.temperature, section.top_p, section.top_k
        )

    # --- what stages give

    def generation(self) -> list[Learnt]:
        """Try tasks; what is learnt from, of this process."""
        raise NotImplementedError

    def batch(self, rows: Sequence[Learnt], weight: Tensor) -> Batch:
        """The tensors of a pass; ``weight``: sampled tokens in the step, over all processes."""
        raise NotImplementedError

    # --- rolling

    def roll(self, count: int, group: int) -> list[list[Rollout]]:
        """Try the next tasks of the mix, ``group`` times each; this process's share of them.

        Task n of a call is tried by process n modulo their number.
        """
        rank, processes = self.accelerator.process_index, self.accelerator.num_processes
        at = self.mix.given
        tasks = list(enumerate(self.mix.take(count), at))[rank::processes]
        rows: list[Task] = []
        seeds: list[int] = []
        for n, task in tasks:
            rows += [task] * group
            seeds += [number(f"{self.mix.seed}:{n}:{k}") for k in range(group)]
        rolled = self.roller.roll(rows, seeds, self.spent)
        return [rolled[n : n + group] for n in range(0, len(rolled), group)]

    def together(self, mine: Sequence[Any]) -> list[list[Any]]:
        """What each process has, process by process."""
        found: list[list[Any]] = gather_object([list(mine)])
        return found

    def note(self, name: str, value: float) -> None:
        """A figure of this step."""
        self._metrics["train"][name].append(value)

    def tell(self, mine: Sequence[Seen], rolled: Sequence[Rollout]) -> None:
        """The figures of a generation."""
        everything = [each for some in self.together(mine) for each in some]
        for name, value in told(everything).items():
            self.note(name, value)
        for fault in [each.fault for each in rolled if each.fault][:NAMED_FAULTS]:
            logger.warning("%s: a world is at fault: %s", self.stage.name, fault)
        self.note("prompts/given", self.mix.given)
        self.note("prompts/refused", self.mix.refused)

    # --- learning

    def training_step(self, model: Any, inputs: Any, num_items_in_batch: Any = None) -> Tensor:
        """One optimiser step's gradients, in passes."""
        if not self._steps:
            self.spent = Spent()
            began = time.perf_counter()
            self._sync()
            learnt = self.generation()
            self._steps = self._plan(learnt)
            self._spent(time.perf_counter() - began)
        passes = self._steps.pop(0)
        began = time.perf_counter()
        loss = torch.zeros((), device=self.accelerator.device)
        for n, each in enumerate(passes, 1):
            with self._between(model, last=n == len(passes)):
                loss += super().training_step(model, each, num_items_in_batch)
        self.note("time/learn_s", time.perf_counter() - began)
        self.note("tokens/learnt", sum(int(each["there"]) for each in passes))
        self.learnt()
        return loss

    def learnt(self) -> None:
        """After the passes of a step."""

    def _prepare_inputs(self, inputs: Batch) -> Batch:
        """A pass as it was planned."""
        self.suspects = inputs["rows"]
        self.tokens_seen += inputs["there"]
        device = self.accelerator.device
        return {
            name: value.to(device) if isinstance(value, Tensor) else value
            for name, value in inputs.items()
        }

    def _between(self, model: Any, last: bool) -> AbstractContextManager[Any]:
        """Whole copies exchange gradients after the last pass of a step only."""
        whole = self.stage.recipe.launch.strategy == "ddp" and self.accelerator.num_processes > 1
        if last or not whole:
            return nullcontext()
        context: AbstractContextManager[Any] = self.accelerator.no_sync(model)
        return context

    def _sync(self) -> None:
        """Show the weights to a sampler that has its own copy."""
        if isinstance(self.roller.sampler, VllmSampler):
            self.vllm_generation.sync_weights()
        else:
            self.refreshed()

    def _spent(self, seconds: float) -> None:
        spent = self.spent
        for name in ("sampled_s", "acted_s", "judged_s"):
            self.note(f"time/{name}", getattr(spent, name))
        self.note("time/generation_s", seconds)
        self.note("tokens/prompt", spent.prompt_tokens)
        self.note("tokens/sampled", spent.sampled_tokens)

    def _plan(self, learnt: Sequence[Learnt]) -> list[list[Batch]]:
        """The passes of each step; as many of each key on every process."""
        updates = self.section.updates
        tops = self.together([each.place for each in learnt])
        count = 1 + max((place for some in tops for place in some), default=-1)
        mine: dict[tuple[int, str], list[list[Learnt]]] = {}
        for update in range(updates):
            rows = [each for each in learnt if each.place * updates // count == update]
            for key in sorted({each.key for each in rows}):
                mine[update, key] = self._cut([each for each in rows if each.key == key])
        figures = [
            (at, len(parts), sum(each.rollout.sampled for part in parts for each in part))
            for at, parts in mine.items()
        ]
        shared = [each for some in self.together(figures) for each in some]
        planned: list[list[Batch]] = []
        for update in range(updates):
            weight = torch.tensor(float(sum(n for (at, _), _, n in shared if at == update)))
            passes: list[Batch] = []
            for key in sorted({key for (at, key), _, _ in shared if at == update}):
                need = max(parts for at, parts, _ in shared if at == (update, key))
                passes += [
                    self.batch(part, weight) if part else self._empty(key, weight)
                    for part in spread(mine.get((update, key), []), need)
                ]
            planned.append(passes)
        return planned

    def _cut(self, rows: Sequence[Learnt]) -> list[list[Learnt]]:
        """Rows of one key in passes; where prefixes are shared, those of one prompt."""
        budget = self.section.batch_tokens
        if not self._shares:
            return [[rows[n] for n in part] for part in cut([len(each) for each in rows], budget)]
        parts: list[list[Learnt]] = []
        for prompt in dict.fromkeys(each.rollout.prompt for each in rows):
            some = [each for each in rows if each.rollout.prompt == prompt]
            rest = [len(each.rollout.ids) + 1 for each in some]
            parts += [[some[n] for n in part] for part in cut(rest, budget - len(prompt) + 1)]
        return parts

    def _empty(self, key: str, weight: Tensor) -> Batch:
        """A pass without anything, for a process that has no more rows when others have."""
        end = self.roller.end
        rollout = Rollout(Task("", "", (), ()), (end,), 0, [end], [0], [0.0])
        return self.batch([Learnt(rollout, -1, key)], weight)

    # --- what the trainer is made of

    def get_train_dataloader(self) -> Any:
        """A generation brings its own data; here are only the steps."""
        steps: Any = range(self.args.max_steps)
        return torch.utils.data.DataLoader(steps, collate_fn=lambda step: {"step": step})

    def _save_optimizer_and_scheduler(self, output_dir: str) -> None:
        assert not self._steps, "checkpoints fall between generations"
        super()._save_optimizer_and_scheduler(output_dir)
        if self.is_world_process_zero():
            write_whole(Path(output_dir) / STATE, json.dumps(self.mix.state).encode())

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        super()._load_optimizer_and_scheduler(checkpoint)
        if checkpoint is not None:
            self.mix.state = json.loads((Path(checkpoint) / STATE).read_text("utf-8"))


def cut(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Rows from long to short, as many in a pass as fit when padded to its first."""
    made: list[list[int]] = []
    for n in sorted(range(len(lengths)), key=lambda n: (-lengths[n], n)):
        assert lengths[n] <= budget, "a rollout is no longer than its limits"
        if made and lengths[made[-1][0]] * (len(made[-1]) + 1) <= budget:
            made[-1].append(n)
        else:
            made.append([n])
    return made


def spread(parts: Sequence[Sequence[T]], count: int) -> list[list[T]]:
    """The same rows in exactly ``count`` passes, none larger than before; empty ones if need be."""
    made = [list(part) for part in parts]
    assert len(made) <= count
    while len(made) < count:
        largest = max(made, key=len, default=[])
        half = len(largest) // 2
        made.append(largest[len(largest) - half :] if half else [])
        if half:
            del largest[len(largest) - half :]
    return made


def padded(rows: Sequence[Learnt], pad: int, *, share: bool = False) -> Batch:
    """Rollouts side by side, padded on the right.

    The prompt is the first token alone, everything else counts as completion: so no row is padded
    in the middle. ``tool_mask`` is 1 on what was sampled, ``old_per_token_logps`` has the
    log-probabilities at which it was.

    Args:
        rows: of one prompt, if its tokens but the last are to be shared, as ``prefix``.
        pad: a token for where there is none.
        share: see ``botpsy.train.head.shares_prefix``.
    """
    prefix = rows[0].rollout.prompt[:-1] if share else ()
    width = max(map(len, rows)) - len(prefix)
    ids = torch.full((len(rows), width), pad)
    there = torch.zeros(len(rows), width, dtype=torch.long)
    mine = torch.zeros(len(rows), width, dtype=torch.long)
    logps = torch.zeros(len(rows), width)
    for n, each in enumerate(rows):
        rollout = each.rollout
        assert len(rollout.ids) == len(rollout.mask) == len(rollout.logps), rollout.task.id
        assert rollout.prompt[: len(prefix)] == prefix, "rows share their prompt"
        at, end = len(rollout.prompt) - len(prefix), len(each) - len(prefix)
        ids[n, :end] = torch.tensor([*rollout.prompt[len(prefix) :], *rollout.ids])
        there[n, :end] = 1
        mine[n, at:end] = torch.tensor(rollout.mask)
        logps[n, at:end] = torch.tensor(rollout.logps)
    made: Batch = {"prefix": torch.tensor([prefix])} if prefix else {}
    return made | {
        "rows": tuple(each.rollout.task.id for each in rows),
        "there": int(there.sum()) + len(prefix),
        "prompt_ids": ids[:, :1],
        "prompt_mask": there[:, :1],
        "completion_ids": ids[:, 1:],
        "completion_mask": there[:, 1:],
        "tool_mask": mine[:, 1:],
        "old_per_token_logps": logps[:, 1:],
    }


def placeholder() -> Dataset:
    """TRL's trainers want a data set."""
    return Dataset.from_dict({"prompt": [""]})
