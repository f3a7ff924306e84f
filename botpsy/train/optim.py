"""AdamW as recipes set it: float32 master copies for low-precision weights, and the schedule."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from botpsy.train.sections import OptimRecipe


class MasterAdamW(torch.optim.AdamW):
    """AdamW on float32 copies of bfloat16 weights.

    A step of a small learning rate is less than half the distance to the next bfloat16 number, so
    without the copies most weights would never move. The copies are the parameters of the groups
    and part of the state; gradients are read from the weights, and the weights are rounded from the
    copies after each step.
    """

    def __init__(self, groups: list[dict[str, Any]], **options: Any) -> None:
        self.weights: list[Tensor] = [weight for group in groups for weight in group["params"]]
        copied = [group | {"params": [_copy(each) for each in group["params"]]} for group in groups]
        super().__init__(copied, **options)

    @property
    def masters(self) -> list[Tensor]:
        """The copies, in the order of ``weights``."""
        return [master for group in self.param_groups for master in group["params"]]

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        """One step; the weights' gradients stay as they are."""
        assert closure is None, "a closure would see the weights, not their copies"
        for weight, master in zip(self.weights, self.masters, strict=True):
            master.grad = None if weight.grad is None else weight.grad.float()
        super().step()
        for weight, master in zip(self.weights, self.masters, strict=True):
            master.grad = None
            weight.copy_(master)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the weights' gradients."""
        for weight in self.weights:
            weight.grad = None

    def state_dict(self) -> dict[str, Any]:
        """With the copies, which are more exact than the weights."""
        return super().state_dict() | {"masters": [each.detach() for each in self.masters]}

    @torch.no_grad()
    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """The inverse of ``state_dict``; the weights are set too."""
        state = dict(state_dict)
        stored = state.pop("masters")
        super().load_state_dict(state)
        for weight, master, value in zip(self.weights, self.masters, stored, strict=True):
            master.copy_(value)
            weight.copy_(master)


def _copy(weight: Tensor) -> Tensor:
    return weight.detach().float().clone().requires_grad_()


def optimizer_of(model: Any, optim: OptimRecipe) -> torch.optim.Optimizer:
    """AdamW over all weights of a model that are trained."""
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    groups = [
        {
            "params": [weight for weight in trained if weight.ndim >= 2],
            "weight_decay": optim.weight_decay,
        },
        {"params": [weight for weight in trained if weight.ndim < 2], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    low = any(weight.dtype in (torch.bfloat16, torch.float16) for weight in trained)
    make: Any = MasterAdamW if low else torch.optim.AdamW
    made: torch.optim.Optimizer = make(
        groups, lr=optim.lr, betas=(optim.beta1, optim.beta2), fused=True
    )
    return made


def rate(optim: OptimRecipe, steps: int) -> Callable[[int], float]:
    """The share of the top learning rate at each step, counted from 0."""

    def share(step: int) -> float:
        if step < optim.warmup_steps:
            return (step + 1) / (optim.warmup_steps + 1)
        done = min(1.0, (step - optim.warmup_steps) / max(1, steps - optim.warmup_steps))
        match optim.schedule:
            case "constant":
                return 1.0
            case "linear":
                left = 1.0 - done
            case "cosine":
                left = (1.0 + math.cos(math.pi * done)) / 2
        return optim.final_lr + (1.0 - optim.final_lr) * left

    return share
