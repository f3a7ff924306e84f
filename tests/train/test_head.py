"""The output layer at supervised positions: the same losses and gradients as in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.train.head import CHUNK, token_losses  # noqa: E402


@pytest.mark.parametrize("count", [1, CHUNK, CHUNK + 3, 3 * CHUNK])
def test_losses_and_gradients_are_those_of_cross_entropy(count: int) -> None:
    torch.manual_seed(0)
    hidden = torch.randn(count, 8, requires_grad=True)
    weight = torch.randn(50, 8, requires_grad=True)
    targets = torch.randint(0, 50, (count,))
    factor = torch.rand(count)
    ours = token_losses(hidden, weight, targets)
    (ours * factor).sum().backward()
    found = hidden.grad.clone(), weight.grad.clone()
    hidden.grad = weight.grad = None
    theirs = torch.nn.functional.cross_entropy(hidden @ weight.t(), targets, reduction="none")
    (theirs * factor).sum().backward()
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(found, (hidden.grad, weight.grad), rtol=1e-4, atol=1e-5)


def test_extreme_logits_stay_finite() -> None:
    weight = torch.eye(3) * 1e4
    hidden = torch.eye(3, requires_grad=True)
    losses = token_losses(hidden, weight, torch.tensor([0, 2, 2]))
    losses.sum().backward()
    assert losses.tolist() == [0.0, 1e4, 0.0]
    assert torch.isfinite(hidden.grad).all()


def test_the_model_gives_the_losses_of_its_own_logits(toy_base: Path) -> None:
    from botpsy.train.model import load

    model = load(toy_base, POCKET, "float32").model
    torch.manual_seed(0)
    ids = torch.randint(5, 300, (3, 12))
    labels = torch.where(torch.rand(3, 12) < 0.5, ids, -100)
    labels[0] = -100
    logits = model(input_ids=ids).logits[:, :-1]
    wanted = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), labels[:, 1:].flatten(), reduction="none", ignore_index=-100
    )
    found = model(input_ids=ids, supervised=labels)
    torch.testing.assert_close(found, wanted[labels[:, 1:].flatten() != -100], rtol=1e-4, atol=1e-5)
    assert model.generate(ids[:1], max_new_tokens=2, do_sample=False).shape[1] <= 14
