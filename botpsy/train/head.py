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
    it is kept instead of the logits. The entropy of each distribution comes along where it is asked
    for, without a gradient.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, entropy: bool
    ) -> tuple[Tensor, Tensor]:
        nll = hidden.new_empty(len(hidden), dtype=torch.float32)
        entropies = nll.new_empty(len(hidden) if entropy else 0)
        wanted = any(ctx.needs_input_grad)
        slopes = hidden.new_empty(len(hidden) if wanted else 0, len(weight))
        for at in range(0, len(hidden), CHUNK):
            part = slice(at, at + CHUNK)
            logits = (hidden[part] @ weight.t()).float()
            total = logits.logsumexp(-1, keepdim=True)
            index = targets[part, None]
            nll[part] = (total - logits.gather(-1, index)).squeeze(-1)
            if not (wanted or entropy):
                continue
            logps = logits.sub_(total)
            slope = logps.exp() if entropy else logps.exp_()
            if entropy:
                entropies[part] = -(slope * logps).sum(-1)
            if wanted:
                slope.scatter_add_(-1, index, slope.new_full(index.shape, -1.0))
                slopes[part] = slope.to(hidden.dtype)
        ctx.save_for_backward(hidden, weight, slopes)
        ctx.mark_non_differentiable(entropies)
        return nll, entropies

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: Tensor) -> tuple[Tensor, Tensor, None, None]:
        hidden, weight, slopes = ctx.saved_tensors
        scaled = slopes * grad.to(slopes.dtype)[:, None]
        return scaled @ weight, scaled.t() @ hidden, None, None


def token_losses(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """-log p(target) in nats at each of N positions, differentiable."""
    result: Tensor = _Nll.apply(hidden, weight, targets, False)[0]
    return result


def token_scores(hidden: Tensor, weight: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """log p(target), differentiable, and the entropy in nats, without a gradient."""
    nll, entropies = _Nll.apply(hidden, weight, targets, True)
    return -nll, entropies


def shares_prefix(model: Any) -> bool:
    """Whether rows can go on from one prefix with a gradient.

    Layers of linear attention write their state in place, which a gradient does not survive.
    """
    kinds = getattr(model.config.get_text_config(), "layer_types", None) or ["full_attention"]
    return set(kinds) == {"full_attention"}


def _after(model: Any, prefix: Tensor, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
    """Hidden states of rows that go on from one prefix, which is computed once for all."""
    from transformers import DynamicCache

    rows, width = input_ids.shape
    cache = DynamicCache(config=model.config)
    model.base_model(prefix, cache=cache, use_cache=True)
    cache.reorder_cache(prefix.new_zeros(rows))
    size = prefix.shape[1]
    hidden: Tensor = model.base_model(
        input_ids,
        attention_mask=torch.cat([attention_mask.new_ones(rows, size), attention_mask], 1),
        position_ids=torch.arange(size, size + width, device=prefix.device).expand(rows, -1),
        cache=cache,
        use_cache=True,
    ).last_hidden_state
    return hidden


def add_head(model: Any) -> None:
    """Let ``model(input_ids, attention_mask, supervised=labels)`` give the losses.

    ``labels`` are ids as in ``input_ids``, -100 where nothing is to be learnt; the result has one
    loss for each label from the second position on that is not -100, row by row. It stays a call of
    the model itself, so that wrappers of distributed training see it. With a ``temperature`` it
    gives log-probabilities at it, and entropies, as ``token_scores`` does. A ``prefix`` [1, P] is
    what stands before every row: it goes through the model once (see ``shares_prefix``).
    """
    whole = model.forward

    @wraps(type(model).forward)  # ``generate`` reads the signature
    def forward(
        self: Any,
        *args: Any,
        supervised: Tensor | None = None,
        temperature: float | None = None,
        prefix: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if supervised is None:
            return whole(*args, **kwargs)
        if prefix is None:
            hidden = self.base_model(*args, use_cache=False, **kwargs).last_hidden_state
        else:
            hidden = _after(self, prefix, *args, **kwargs)
        mask = supervised[:, 1:] != -100
        hidden, targets = hidden[:, :-1][mask], supervised[:, 1:][mask]
        head = self.get_output_embeddings()
        if temperature is not None:
            return token_scores(hidden / temperature, head.weight, targets)
        return token_losses(hidden, head.weight, targets)

    model.forward = MethodType(forward, model)
