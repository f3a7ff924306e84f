"""AdamW with float32 copies, and the schedule."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.train.optim import MasterAdamW, optimizer_of, rate  # noqa: E402
from botpsy.train.sections import OptimRecipe  # noqa: E402


def layer(dtype: torch.dtype) -> torch.nn.Linear:
    made = torch.nn.Linear(4, 4, dtype=dtype)
    torch.nn.init.constant_(made.weight, 1.0)
    return made


def learn(model: torch.nn.Linear, optimizer: torch.optim.Optimizer, steps: int) -> None:
    for step in range(steps):
        model.weight.grad = torch.full_like(model.weight, 1.0 + step % 3)
        model.bias.grad = torch.full_like(model.bias, -1.0)
        optimizer.step()
        optimizer.zero_grad()


def test_small_steps_are_not_lost() -> None:
    optim = OptimRecipe(lr=1e-4)
    low, exact, plain = layer(torch.bfloat16), layer(torch.float32), layer(torch.bfloat16)
    ours = optimizer_of(low, optim)
    assert isinstance(ours, MasterAdamW)
    reference = optimizer_of(exact, optim)
    assert type(reference) is torch.optim.AdamW
    learn(low, ours, 40)
    learn(exact, reference, 40)
    learn(plain, torch.optim.AdamW(plain.parameters(), lr=1e-4), 40)
    assert (plain.weight == 1.0).all()  # each step is less than bfloat16 can hold
    torch.testing.assert_close(ours.masters[0].detach(), exact.weight.detach())
    torch.testing.assert_close(low.weight, exact.weight.bfloat16())
    assert (low.weight < 1.0).all()


def test_its_state_is_exact() -> None:
    optim = OptimRecipe(lr=1e-4, weight_decay=0.1)
    one, two = layer(torch.bfloat16), layer(torch.bfloat16)
    two.load_state_dict(one.state_dict())
    first, second = optimizer_of(one, optim), optimizer_of(two, optim)
    learn(one, first, 7)
    second.load_state_dict(deepcopy(first.state_dict()))
    torch.testing.assert_close(two.weight, one.weight, rtol=0, atol=0)
    learn(one, first, 7)
    learn(two, second, 7)
    for a, b in zip(first.masters, second.masters, strict=True):
        torch.testing.assert_close(a, b, rtol=0, atol=0)
    assert all(master.dtype is torch.float32 for master in second.masters)


def test_decay_is_for_matrices() -> None:
    groups = optimizer_of(layer(torch.float32), OptimRecipe(lr=1e-3, weight_decay=0.1)).param_groups
    assert [(group["params"][0].ndim, group["weight_decay"]) for group in groups] == [
        (2, 0.1),
        (1, 0.0),
    ]


def test_schedules() -> None:
    cosine = rate(OptimRecipe(lr=1, warmup_steps=3, final_lr=0.1), 13)
    assert [cosine(n) for n in (0, 1, 2)] == [0.25, 0.5, 0.75]
    assert [cosine(n) for n in (3, 8, 13, 99)] == pytest.approx([1.0, 0.55, 0.1, 0.1])
    linear = rate(OptimRecipe(lr=1, schedule="linear"), 10)
    assert [linear(n) for n in (0, 5, 10)] == pytest.approx([1.0, 0.5, 0.0])
    constant = rate(OptimRecipe(lr=1, schedule="constant", warmup_steps=1), 10)
    assert [constant(n) for n in (0, 1, 9)] == [0.5, 1.0, 1.0]
