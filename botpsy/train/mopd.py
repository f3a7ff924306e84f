"""Stage 2: on-policy distillation from several teachers, on TRL's trainer for one.

The student writes; of every token that it wrote, the teacher to whom the task's route leads gives
its whole next-token distribution. The loss is the reverse Kullback-Leibler divergence

    sum over the vocabulary of p_student (log p_student - log p_teacher)

a mean over all sampled tokens of the step, at the sampling temperature. What tools and users said
in a conversation is read and not learnt. Rollouts need no reward: what was cut off teaches too.

Each pass has the rows of one teacher, so no teacher reads what is not its own; every process makes
the same number of passes with each, so sharded teachers stay in step.

Private hooks of TRL 1.16 that this rests on: ``compute_loss`` hands ``_compute_loss`` the bare
student, the inputs and the number of tokens, inside the wrapper's forward pass;
``_get_last_hidden_state``; ``_forward_redirection``. Tests hold them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from trl import DistillationConfig, DistillationTrainer
from trl.models import prepare_fsdp

from botpsy.errors import ModelError
from botpsy.train import engine
from botpsy.train.head import CHUNK
from botpsy.train.model import Loaded, load
from botpsy.train.onpolicy import OnPolicy, placeholder, seats
from botpsy.train.passes import Batch, Learnt, joined, padded
from botpsy.train.score import seen
from botpsy.train.sections import MopdRecipe
from botpsy.train.stage import Stage


class MopdTrainer(OnPolicy, DistillationTrainer):
    """See the module."""

    section: MopdRecipe
    teachers: dict[str, Any]
    _diverged: dict[str, Tensor]
    """By teacher: the sum of divergences in this step, and of how many tokens."""

    def set_teachers(self, teachers: dict[str, Any]) -> None:
        """The models that teach, by name; they are frozen, and sharded where the student is."""
        sharded = self.stage.recipe.launch.sharded
        self.teachers = {}
        for name, model in teachers.items():
            model.requires_grad_(False).eval()
            self.teachers[name] = (
                prepare_fsdp(model, self.accelerator)
                if sharded
                else self.accelerator.prepare_model(model, evaluation_mode=True)
            )
        self._forget()

    def _forget(self) -> None:
        device = self.accelerator.device
        self._diverged = {name: torch.zeros(2, device=device) for name in sorted(self.teachers)}

    def generation(self) -> list[Learnt]:
        """One rollout of each prompt, each for its teacher.

        Raises:
            ConfigError: a task's route leads to nobody.
        """
        rolled = [rollout for [rollout] in self.roll(self.section.prompts, 1)]
        self.tell([seen(each) for each in rolled], rolled)
        rank, processes = self.accelerator.process_index, self.accelerator.num_processes
        teacher_of = self.stage.recipe.teacher_of
        return [
            Learnt(each, n * processes + rank, teacher_of(each.task.route).name)
            for n, each in enumerate(rolled)
        ]

    def batch(self, rows: Sequence[Learnt], weight: Tensor) -> Batch:
        """As TRL's loss reads it, and the teacher's name."""
        made = padded(rows, self.roller.end)
        return made | {"teacher": rows[0].key, "num_items_in_batch": weight}

    def _compute_loss(
        self, unwrapped_student: Any, inputs: Batch, num_items_in_batch: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        ids, there, sampled = joined(inputs)
        width = sampled.shape[1]
        student = self._get_last_hidden_state(unwrapped_student, ids, there, width)
        wrapped = self.teachers[inputs["teacher"]]
        bare = self.accelerator.unwrap_model(wrapped)
        with torch.no_grad():
            teacher = self._forward_redirection(
                wrapped, bare, self._get_last_hidden_state, bare, ids, there, width
            )
        divergences, entropies = reverse_kl(
            student[sampled] / self.temperature,
            _head(unwrapped_student),
            teacher[sampled] / self.temperature,
            _head(bare),
        )
        total = divergences.sum()
        self._diverged[inputs["teacher"]] += torch.stack([total.detach(), sampled.sum()])
        return total / num_items_in_batch, entropies.sum(), sampled.sum()

    def learnt(self) -> None:
        """Figures of each teacher, over all processes."""
        for name, mine in self._diverged.items():
            total, tokens = self.accelerator.reduce(mine, "sum").tolist()
            if tokens:
                self.note(f"kl/{name}", total / tokens)
            self.note(f"tokens/{name}", tokens)
        self._forget()


class _ReverseKl(torch.autograd.Function):
    """Divergence and the student's entropy at each position, as float32.

    Hidden [N, H] and weight [V, H] of each model; H may differ, V not. The gradient with respect to
    the student's logits is p (log p - log q - divergence); it is kept instead of the logits.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, other: Tensor, other_weight: Tensor
    ) -> tuple[Tensor, Tensor]:
        found = hidden.new_empty(2, len(hidden), dtype=torch.float32)
        wanted = any(ctx.needs_input_grad)
        slopes = hidden.new_empty(len(hidden) if wanted else 0, len(weight))
        for at in range(0, len(hidden), CHUNK):
            part = slice(at, at + CHUNK)
            logp = (hidden[part] @ weight.t()).float().log_softmax(-1)
            gap = logp - (other[part] @ other_weight.t()).float().log_softmax(-1)
            p = logp.exp()
            divergence = (p * gap).sum(-1, keepdim=True)
            found[0, part] = divergence[:, 0]
            found[1, part] = -(p * logp).sum(-1)
            if wanted:
                slopes[part] = gap.sub_(divergence).mul_(p).to(hidden.dtype)
        ctx.save_for_backward(hidden, weight, slopes)
        divergences, entropies = found
        ctx.mark_non_differentiable(entropies)
        return divergences, entropies

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor, Tensor, None, None]:
        hidden, weight, slopes = ctx.saved_tensors
        scaled = slopes * grad.to(slopes.dtype)[:, None]
        return scaled @ weight, scaled.t() @ hidden, None, None


def reverse_kl(
    student: Tensor, student_weight: Tensor, teacher: Tensor, teacher_weight: Tensor
) -> tuple[Tensor, Tensor]:
    """KL(student || teacher) in nats at each position, differentiable in the student; its entropy.

    Args:
        student, teacher: hidden states [N, H] before the output layer.
        student_weight, teacher_weight: of the output layers [V, H].
    """
    found: tuple[Tensor, Tensor] = _ReverseKl.apply(
        student, student_weight, teacher.detach(), teacher_weight.detach()
    )
    return found


def _head(model: Any) -> Tensor:
    """The weight of the output layer, whole."""
    head = model.get_output_embeddings()
    assert head.bias is None, "no model that is trained here has one"
    weight: Tensor = head.weight
    return weight.full_tensor() if hasattr(weight, "full_tensor") else weight


def check_teacher(name: str, teacher: Loaded, student: Loaded) -> None:
    """Hold a teacher against the rule that it has the student's tokens.

    Raises:
        ModelError: it has others.
    """
    sizes = [each.model.config.get_text_config().vocab_size for each in (teacher, student)]
    if sizes[0] != sizes[1] or teacher.tokenizer.get_vocab() != student.tokenizer.get_vocab():
        raise ModelError(
            f"The teacher {name} has other tokens than the student ({sizes[0]} and {sizes[1]}).",
            "A teacher's whole distribution is matched, so both need the same tokenizer.",
        )


def train(stage: Stage) -> None:
    """See ``botpsy.train.stage``.

    Raises:
        ConfigError: the mix or the launch cannot be as the recipe says, or a route leads to nobody.
        ModelError: a model cannot be read, or a teacher has other tokens; or ``NotFiniteError``.
    """
    section = stage.section
    assert isinstance(section, MopdRecipe)
    for part in section.mix:
        stage.recipe.teacher_of(part.route)
    loaded = load(stage.start, stage.chat, stage.dtype)
    teachers = {name: _teacher(name, path, stage, loaded) for name, path in stage.teachers.items()}
    launch = stage.recipe.launch
    settings = engine.arguments(stage, steps=section.steps, passes=launch.processes)
    trainer = MopdTrainer(
        model=loaded.model,
        args=DistillationConfig(
            **settings,
            per_device_train_batch_size=seats(section, launch.processes),
            beta=1.0,
            temperature=section.temperature,
            top_p=section.top_p,
            top_k=section.top_k,
            max_completion_length=section.max_reply_tokens,
            disable_dropout=True,
            ddp_find_unused_parameters=False,
            use_vllm=launch.rollouts == "vllm",
            vllm_mode="colocate",
            vllm_max_model_length=section.batch_tokens,
        ),
        train_dataset=placeholder(),
        processing_class=loaded.tokenizer,
        peft_config=engine.lora(section.lora),
    )
    trainer.set_up(stage, loaded)
    trainer.set_teachers(teachers)
    engine.run(trainer, stage, loaded)


def _teacher(name: str, path: Path, stage: Stage, student: Loaded) -> Any:
    teacher = load(path, stage.chat, stage.recipe.model.dtype)
    check_teacher(name, teacher, student)
    return teacher.model
