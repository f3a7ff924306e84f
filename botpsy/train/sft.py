"""Stage 1, supervised fine-tuning: on TRL's trainer, with rows that are tokens already.

The loss is the mean over all supervised tokens of an optimiser step, whatever passes and processes
it was made in: -log p of what the assistant wrote, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from datasets import Dataset
from torch import Tensor
from trl import SFTConfig, SFTTrainer

from botpsy.train import engine
from botpsy.train.model import load
from botpsy.train.rows import Example, sft_examples, sft_passes
from botpsy.train.sections import SftRecipe
from botpsy.train.stage import Stage
from botpsy.train.suites import padded


class SftTrainer(engine.Engine, SFTTrainer):
    """See the module."""

    examples: Sequence[Example]
    order: Sequence[Sequence[int]]

    def get_train_dataloader(self) -> Any:
        """All passes of the stage, as one epoch."""
        loader = torch.utils.data.DataLoader(
            range(len(self.examples)),
            batch_sampler=self.order,
            collate_fn=self._pass,
        )
        return self.accelerator.prepare(loader)

    def _pass(self, rows: Sequence[int]) -> dict[str, Tensor]:
        batch = padded([self.examples[n] for n in rows], self.processing_class.pad_token_id)
        return batch | {"rows": torch.tensor(rows)}

    def compute_loss(
        self, model: Any, inputs: dict[str, Tensor], return_outputs: bool = False, **kwargs: Any
    ) -> Tensor:
        """The pass's part of the step's mean."""
        assert not return_outputs, "suites measure, not the trainer"
        rows = inputs.pop("rows").tolist()
        labels = inputs.pop("labels")
        self.suspects = tuple(self.examples[n].id for n in rows)
        self.tokens_seen += int(inputs["attention_mask"].sum())
        losses = model(**inputs, supervised=labels)
        if not torch.isfinite(losses.detach()).all():
            self.suspects = _culprits(losses.detach(), labels, self.suspects)
        # Gradients of processes are averaged, so each gives its share times their number.
        return losses.sum() / kwargs["num_items_in_batch"] * self.accelerator.num_processes


def _culprits(losses: Tensor, labels: Tensor, ids: Sequence[str]) -> tuple[str, ...]:
    """The rows whose own losses are no numbers."""
    counts = (labels[:, 1:] != -100).sum(1).tolist()
    parts = zip(ids, losses.split(counts), strict=True)
    return tuple(name for name, part in parts if not torch.isfinite(part).all())


def train(stage: Stage) -> None:
    """See ``botpsy.train.stage``.

    Raises:
        ConfigError: the rows cannot be learnt from as they are.
        ModelError: the model cannot be read; or ``NotFiniteError``.
    """
    section = stage.section
    assert isinstance(section, SftRecipe)
    loaded = load(stage.start, stage.chat, stage.dtype)
    examples = sft_examples(stage, section, loaded.tokens)
    order = sft_passes(examples, section, stage.recipe.seed)
    settings = engine.arguments(stage, steps=len(order) // section.passes, passes=section.passes)
    trainer = SftTrainer(
        model=loaded.model,
        args=SFTConfig(**settings, dataset_kwargs={"skip_prepare_dataset": True}),
        train_dataset=Dataset.from_dict({"input_ids": [[0]], "labels": [[0]]}),  # it wants one
        processing_class=loaded.tokenizer,
        peft_config=engine.lora(section.lora),
    )
    trainer.examples, trainer.order = examples, order
    engine.run(trainer, stage, loaded)
