"""The output layer where it teaches: projected at supervised positions and nowhere else.

Four tokens in five of a training row are prompt, and the vocabulary is the widest layer of a small
model. TRL's fused head skips unsupervised positions on GPUs only; this one does so everywhere, and
makes the logits once, not again for their gradient.
"""

from __future__ import annotations

from functools import wraps
from types import MethodType
from typing import Any

import torch
from torch import Tensor

CHUNK = 256
"""Positions whose logits exist as float32 at a time."""


class _Nll(torch.autograd.Function):
    """-log p(target) at each position, as float32; hidden [N, H], weight [V, H], targets [N].

    The gradient with respect to the logits is known in the forward pass (softmax minus one-hot), so
    it is kept instead of the logits. It holds for a common factor on all positions, which is what a
    mean or a sum has.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        nll = hidden.new_empty(len(hidden), dtype=torch.float32)
        wanted = any(ctx.needs_input_grad)
        slopes = hidden.new_empty(len(hidden) if wanted else 0, len(weight))
        for at in range(0, len(hidden), CHUNK):
            part = slice(at, at + CHUNK)
            logits = (hidden[part] @ weight.t()).float()
            total = logits.logsumexp(-1, keepdim=True)
            index = targets[part, None]
            nll[part] = (total - logits.gather(-1, index)).squeeze(-1)
            if wanted:
                slope = logits.sub_(total).exp_()
                slope.scatter_add_(-1, index, slope.new_full(index.shape, -1.0))
                slopes[part] = slope.to(hidden.dtype)
        ctx.save_for_backward(hidden, weight, slopes)
        return nll

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        hidden, weight, slopes = ctx.saved_tensors
        scaled = slopes * grad.to(slopes.dtype)[:, None]
        return scaled @ weight, scaled.t() @ hidden, None


def token_losses(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """-log p(target) in nats at each of N positions, differentiable."""
    result: Tensor = _Nll.apply(hidden, weight, targets)
    return result


def add_head(model: Any) -> None:
    """Let ``model(input_ids, attention_mask, supervised=labels)`` give the losses.

    ``labels`` are ids as in ``input_ids``, -100 where nothing is to be learnt; the result has one
    loss for each label from the second position on that is not -100, row by row. It stays a call of
    the model itself, so that wrappers of distributed training see it.
    """
    whole = model.forward

    @wraps(type(model).forward)  # ``generate`` reads the signature
    def forward(self: Any, *args: Any, supervised: Tensor | None = None, **kwargs: Any) -> Any:
        if supervised is None:
            return whole(*args, **kwargs)
        hidden = self.base_model(*args, use_cache=False, **kwargs).last_hidden_state
        mask = supervised[:, 1:] != -100
        head = self.get_output_embeddings()
        return token_losses(hidden[:, :-1][mask], head.weight, supervised[:, 1:][mask])

    model.forward = MethodType(forward, model)
