"""Stages 3 and 4: reinforcement by rules and verifiers alone (DAPO, arXiv 2503.14476), on TRL.

- Clip-higher, a loss that weighs tokens alike, no KL term: the number of TRL's ``dapo`` loss.
- Advantages are relative to the group: (reward - mean) / (standard deviation + 1e-4).
- Dynamic sampling: groups whose rewards spread less than ``min_std`` teach nothing; they are left
  out and fresh prompts are tried, at most ``max_generations`` times. If that is not enough, what
  there is is learnt from, and ``groups/found`` says so.
- Overlong filtering: what was cut off at a limit on tokens is left out of the loss and, by choice,
  of the group's mean and deviation. Faults of worlds are left out in the same way.
- Soft punishment of length is part of the reward that advantages are made of. Figures show rewards
  without it.

Where a generation is learnt from in several steps, or vLLM sampled it, ratios are taken against the
log-probabilities at which tokens were drawn; else the ratio is 1, as it must be.

TRL's own loss gathers figures row by row, which passes of unlike size on several processes can't;
ours is the same number and gathers once a step. Private hook of TRL 1.16 that this rests on:
``compute_loss`` hands ``_compute_loss`` the model and the inputs. Tests hold hook and number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

import torch
from torch import Tensor
from trl import GRPOConfig, GRPOTrainer

from botpsy.rewards import Reward
from botpsy.train import engine
from botpsy.train.head import shares_prefix
from botpsy.train.model import Loaded, load
from botpsy.train.onpolicy import OnPolicy, placeholder, seats
from botpsy.train.passes import Batch, Learnt, joined, padded
from botpsy.train.rollout import Rollout
from botpsy.train.score import Seen, score, seen, shortened
from botpsy.train.sections import DapoRecipe
from botpsy.train.stage import Stage

SOFTEN = 1e-4
"""Added to the deviation, as TRL does."""
LEAST_HOPE = 0.25
"""A refill tries at most four prompts for each that is missing."""


@dataclass(frozen=True)
class Group:
    """The samples of one prompt, with what each is worth; None where it counts for nothing."""

    rollouts: Sequence[Rollout]
    values: Sequence[float | None]

    @property
    def counted(self) -> list[float]:
        """The rewards that count."""
        return [value for value in self.values if value is not None]

    @property
    def spread(self) -> float:
        """Standard deviation of the rewards; 0 where fewer than two count."""
        return stdev(self.counted) if len(self.counted) > 1 else 0.0

    def learnt(self, place: int) -> list[Learnt]:
        """What counts, with its advantage."""
        mean, scale = fmean(self.counted), self.spread + SOFTEN
        return [
            Learnt(rollout, place, advantage=(value - mean) / scale)
            for rollout, value in zip(self.rollouts, self.values, strict=True)
            if value is not None
        ]


class DapoTrainer(OnPolicy, GRPOTrainer):
    """See the module."""

    section: DapoRecipe
    _sums: Tensor
    """Over this step's tokens: entropy, distance from what was sampled, what clips held; tokens."""

    def set_up(self, stage: Stage, loaded: Loaded) -> None:
        """See ``OnPolicy``."""
        super().set_up(stage, loaded)
        self._sums = torch.zeros(5, device=self.accelerator.device)
        # A cache is what recomputing activations forbids, and sharded layers are called one by one.
        whole = not (stage.recipe.launch.sharded or stage.section.checkpointing)
        self._shares = whole and shares_prefix(loaded.model)

    def generation(self) -> list[Learnt]:
        """Groups that differ within, as many as the recipe wants if they can be found."""
        section, rank = self.section, self.accelerator.process_index
        figures: list[Seen] = []
        rolled: list[Rollout] = []
        kept: list[tuple[int, Group]] = []  # of this process, by place
        found = tried = rounds = 0
        while found < section.prompts and rounds < section.max_generations:
            hope = max(found / tried, LEAST_HOPE) if tried else 1.0
            count = min(section.prompts, math.ceil((section.prompts - found) / hope))
            groups, some = self._groups(count)
            figures += some
            rolled += [each for group in groups for each in group.rollouts]
            good = self.together([group.spread >= section.min_std for group in groups])
            # Place by task, as if one process had tried them all.
            order = [
                (n, of)
                for n in range(len(good[0]))
                for of in range(len(good))
                if n < len(good[of]) and good[of][n]
            ]
            for place, (n, of) in enumerate(order, found):
                if of == rank and place < section.prompts:
                    kept.append((place, groups[n]))
            found, tried, rounds = found + len(order), tried + count, rounds + 1
        self.tell(figures, rolled)
        self.note("groups/kept", found / tried)
        self.note("groups/found", min(1.0, found / section.prompts))
        self.note("groups/tried", tried)
        self.note("generations", rounds)
        return [each for place, group in kept for each in group.learnt(place)]

    def _groups(self, count: int) -> tuple[list[Group], list[Seen]]:
        section = self.section
        rolled = self.roll(count, section.group)
        began = time.perf_counter()
        rewards = score([each for some in rolled for each in some], section.turn_timeout_s)
        self.spent.judged_s += time.perf_counter() - began
        figures: list[Seen] = []
        groups = []
        for n, some in enumerate(rolled):
            mine = rewards[n * section.group : (n + 1) * section.group]
            figures += [seen(each, reward) for each, reward in zip(some, mine, strict=True)]
            values = [self._value(each, reward) for each, reward in zip(some, mine, strict=True)]
            groups.append(Group(some, values))
        return groups, figures

    def _value(self, rollout: Rollout, reward: Reward | None) -> float | None:
        section = self.section
        if reward is None or (rollout.cut and section.mask_truncated):
            return None
        return shortened(rollout, reward.value, section.max_reply_tokens, section.overlong_buffer)

    def batch(self, rows: Sequence[Learnt], weight: Tensor) -> Batch:
        """As TRL's loss reads it."""
        made = padded(rows, self.roller.end, share=self._shares)
        made["advantages"] = torch.tensor([each.advantage for each in rows])
        made["num_items_in_batch"] = weight
        return made

    def _compute_loss(self, model: Any, inputs: Batch) -> Tensor:
        ids, there, sampled = joined(inputs)
        wanted = torch.nn.functional.pad(sampled, (1, 0))
        logps, entropies = model(
            input_ids=ids,
            attention_mask=there,
            supervised=ids.masked_fill(~wanted, -100),
            temperature=self.temperature,
            prefix=inputs.get("prefix"),
        )
        drawn = inputs["old_per_token_logps"][sampled]
        before = drawn if self.section.updates > 1 or self.use_vllm else logps.detach()
        gain = inputs["advantages"][:, None].expand_as(sampled)[sampled]
        ratio = (logps - before).exp()
        low, high = 1 - self.epsilon_low, 1 + self.epsilon_high
        losses = -torch.minimum(ratio * gain, ratio.clamp(low, high) * gain)
        with torch.no_grad():
            held = (ratio < low) & (gain < 0), (ratio > high) & (gain > 0)
            drift = (logps - drawn).abs()
            sums = [each.sum() for each in (entropies, drift, *held, sampled)]
            self._sums += torch.stack([each.float() for each in sums])
        # Gradients of processes are averaged, so each gives its share times their number.
        return losses.sum() / inputs["num_items_in_batch"] * self.accelerator.num_processes

    def learnt(self) -> None:
        """Figures of the tokens of this step, over all processes."""
        *values, tokens = self.accelerator.reduce(self._sums, "sum").tolist()
        for name, value in zip(("entropy", "drift", "clip/low", "clip/high"), values, strict=True):
            if tokens:
                self.note(name, value / tokens)
        self._sums = torch.zeros(5, device=self.accelerator.device)


def train(stage: Stage) -> None:
    """See ``botpsy.train.stage``.

    Raises:
        ConfigError: the mix or the launch cannot be as the recipe says.
        ModelError: the model cannot be read; or ``NotFiniteError``.
    """
    section = stage.section
    assert isinstance(section, DapoRecipe)
    loaded = load(stage.start, stage.chat, stage.dtype)
    launch = stage.recipe.launch
    settings = engine.arguments(stage, steps=section.steps, passes=launch.processes)
    trainer = DapoTrainer(
        model=loaded.model,
        reward_funcs=[_judged_elsewhere],
        args=GRPOConfig(
            **settings,
            per_device_train_batch_size=seats(section, launch.processes, section.group),
            num_generations=section.group,
            loss_type="dapo",
            beta=0.0,
            epsilon=section.clip_low,
            epsilon_high=section.clip_high,
            temperature=section.temperature,
            top_p=section.top_p,
            top_k=section.top_k,
            max_completion_length=section.max_reply_tokens,
            disable_dropout=True,
            ddp_find_unused_parameters=False,
            use_vllm=launch.rollouts == "vllm",
            vllm_mode="colocate",
            vllm_max_model_length=section.batch_tokens,
            vllm_importance_sampling_correction=False,
        ),
        train_dataset=placeholder(),
        processing_class=loaded.tokenizer,
        peft_config=engine.lora(section.lora),
    )
    trainer.set_up(stage, loaded)
    engine.run(trainer, stage, loaded)


def _judged_elsewhere(**_: Any) -> list[float]:
    raise AssertionError("rewards are given in a generation")
