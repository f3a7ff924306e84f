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
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import gather_object
from datasets import Dataset
from torch import Tensor

from botpsy.data.files import write_whole
from botpsy.errors import ModelError
from botpsy.train.engine import Engine
from botpsy.train.mix import Mix
from botpsy.train.model import Loaded, window_of
from botpsy.train.passes import Batch, Learnt, cut, joined, padded, spread
from botpsy.train.rollout import Limits, Roller, Rollout, Spent, number
from botpsy.train.sample import Sampler, TorchSampler, VllmSampler
from botpsy.train.score import Seen, told
from botpsy.train.sections import OnPolicyRecipe
from botpsy.train.stage import Stage
from botpsy.train.tasks import Task

logger = logging.getLogger(__name__)
STATE = "mix.json"
"""In a checkpoint: how far the mix was read."""
DRIFT = 0.2
"""Nats between the log-probabilities of vLLM and the model, on average, that stop a run. Bfloat16
makes about 0.05."""
SEATS = 256
"""Sequences that vLLM samples at once at most; each takes memory for its state."""
NAMED_FAULTS = 3
"""Faults of worlds that are named in the log of a generation."""


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
                min(section.batch_tokens, window_of(loaded.model)),
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
            self.vllm_generation.logprobs = 0  # of what was sampled; TRL's distillation asks none
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
        model.train()  # also where there is nothing to learn: figures are kept by mode
        if not self._steps:
            self.spent = Spent()
            began = time.perf_counter()
            self._sync()
            learnt = self.generation()
            if isinstance(self.roller.sampler, VllmSampler):
                self._compare(model, learnt)
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

    def _compare(self, model: Any, learnt: Sequence[Learnt]) -> None:
        """Hold vLLM to the model, by a row of each process.

        Weights that it did not take over make no error by themselves, and rewards only slowly
        tell (https://github.com/vllm-project/vllm/issues/39369).

        Raises:
            ModelError: it samples from other weights than those that are trained.
        """
        row = learnt[0] if learnt else self._nothing()
        device = self.accelerator.device
        made = padded([row], self.roller.end).items()
        rows = {name: value.to(device) for name, value in made if isinstance(value, Tensor)}
        ids, there, sampled = joined(rows)
        wanted = torch.nn.functional.pad(sampled, (1, 0))
        labels = ids.masked_fill(~wanted, -100)
        with torch.no_grad():
            logps, _ = model(
                input_ids=ids,
                attention_mask=there,
                supervised=labels,
                temperature=self.section.temperature,
            )
        apart = (logps - rows["old_per_token_logps"][sampled]).abs().sum()
        sums = torch.stack([apart, sampled.sum().to(apart)])
        total, tokens = self.accelerator.reduce(sums, "sum").tolist()
        if tokens and not total / tokens <= DRIFT:
            raise ModelError(
                f"{self.stage.name}: vLLM's log-probabilities are {total / tokens:.3g} nats away"
                f" from the model's, so it samples from other weights ({tokens:.0f} tokens).",
                'Use a version of vLLM that TRL names, or launch.rollouts = "generate".',
            )

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
        return self.batch([replace(self._nothing(), key=key)], weight)

    def _nothing(self) -> Learnt:
        """A row in which nothing was sampled."""
        end = self.roller.end
        return Learnt(Rollout(Task("", "", (), ()), (end,), 0, [end], [0], [0.0]), -1)

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


def seats(section: OnPolicyRecipe, processes: int, group: int = 1) -> int:
    """Sequences that a process samples at once with vLLM; TRL takes its batch size for that."""
    return group * max(1, min(section.prompts // processes, SEATS // group))


def placeholder() -> Dataset:
    """TRL's trainers want a data set."""
    return Dataset.from_dict({"prompt": [""]})
