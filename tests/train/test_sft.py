"""Supervised fine-tuning: what the loss is, and that stopping and going on changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from safetensors.torch import load_file  # noqa: E402
from trl import SFTTrainer  # noqa: E402
from trl.trainer import base_trainer  # noqa: E402

from botpsy.errors import BotpsyError  # noqa: E402
from botpsy.train import sft  # noqa: E402
from botpsy.train.engine import Engine, NotFiniteError, spoken, whole  # noqa: E402
from botpsy.train.model import Loaded, load  # noqa: E402
from botpsy.train.rows import Example  # noqa: E402
from botpsy.train.selection import read_points  # noqa: E402
from botpsy.train.stage import Stage, places  # noqa: E402
from tests.train.toy import toy_recipe  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


class Stopped(BaseException):
    """The process is gone."""


@pytest.fixture
def stage(tmp_path: Path, toy_data: Path, toy_base: Path) -> Callable[..., Stage]:
    """A stage in a folder of its own, with changes to its section or model."""

    def make(name: str = "one", **changes: Any) -> Stage:
        recipe = toy_recipe(tmp_path, toy_data, **changes)
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        assert recipe.sft
        return Stage("sft", recipe, recipe.sft, folder, toy_base, {}, places(recipe, tmp_path))

    return make


def weights(stage: Stage, step: int = 4) -> dict[str, Any]:
    """Those of a checkpoint."""
    return dict(load_file(stage.folder / f"checkpoints/checkpoint-{step}/model.safetensors"))


def same(one: dict[str, Any], two: dict[str, Any]) -> bool:
    return one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


def losses(stage: Stage) -> list[float]:
    lines = (stage.folder / "metrics.jsonl").read_text("utf-8").splitlines()
    return [line["loss"] for line in map(json.loads, lines) if "loss" in line]


def stop_when(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, step: int) -> None:
    """Let the process be gone at a step, where a method begins."""
    original = getattr(owner, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.state.global_step == step:
            raise Stopped
        return original(self, *args, **kwargs)

    monkeypatch.setattr(owner, name, method)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_stopped_and_gone_on_is_the_same(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    one, two = (stage(name, model=f'dtype = "{dtype}"') for name in ("one", "two"))
    sft.train(one)
    with monkeypatch.context() as patch:
        stop_when(patch, Engine, "training_step", 3)
        with pytest.raises(Stopped):
            sft.train(two)
    # What a kill in the middle of a write leaves.
    torn = two.folder / "checkpoints/checkpoint-3"
    torn.mkdir()
    (torn / "model.safetensors").write_bytes(b"torn")
    sft.train(two)
    assert same(weights(one), weights(two))
    assert losses(one) == losses(two)
    assert read_points(one.folder / "evals.jsonl") == read_points(two.folder / "evals.jsonl")
    assert not torn.exists()


def test_gone_between_a_checkpoint_and_its_measure(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = stage()
    with monkeypatch.context() as patch:
        stop_when(patch, Engine, "measure", 2)
        with pytest.raises(Stopped):
            sft.train(one)
    assert [point.step for point in read_points(one.folder / "evals.jsonl")] == [0]
    sft.train(one)
    assert [point.step for point in read_points(one.folder / "evals.jsonl")] == [0, 2, 4]
    sft.train(one)  # all is done
    assert [point.step for point in read_points(one.folder / "evals.jsonl")] == [0, 2, 4]


def test_a_full_disk_leaves_the_last_good_checkpoint(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = stage()

    def full(self: Any, folder: str) -> None:
        if self.state.global_step == 4:
            raise OSError(28, "No space left on device")
        return original(self, folder)

    original = SFTTrainer._save_rng_state
    with monkeypatch.context() as patch:
        patch.setattr(SFTTrainer, "_save_rng_state", full)
        with pytest.raises(BotpsyError, match=r"checkpoint-4 could not be written.*No space left"):
            sft.train(one)
    assert [path.name for path in whole(one.folder / "checkpoints")] == ["checkpoint-2"]
    assert not (one.folder / "checkpoints/checkpoint-4").exists()
    sft.train(one)
    assert whole(one.folder / "checkpoints")[-1].name == "checkpoint-4"


def test_a_loss_that_is_no_number_names_its_row(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, model = sft.sft_examples, sft.load
    bad = model(stage().start, stage().chat, "float32").tokens.token_id("~")  # no row has it

    def with_bad_row(*args: Any) -> list[Example]:
        return [
            replace(each, ids=(*each.ids[:-1], bad)) if each.id == "lamp/7" else each
            for each in rows(*args)
        ]

    def with_bad_token(*args: Any) -> Loaded:
        loaded = model(*args)
        loaded.model.get_input_embeddings().register_forward_hook(
            lambda _, ids, out: out.masked_fill((ids[0] == bad)[..., None], float("nan"))
        )
        return loaded

    monkeypatch.setattr(sft, "sft_examples", with_bad_row)
    monkeypatch.setattr(sft, "load", with_bad_token)
    one = stage(batch_tokens=2048, limit_steps=0, epochs=3)
    with pytest.raises(NotFiniteError, match=r"the loss is nan in step \d+, .* rows lamp/7\."):
        sft.train(one)


def test_only_the_rows_at_fault_are_named() -> None:
    labels = torch.tensor([[-100, 5, 5], [-100, -100, 5], [-100, 5, -100]])
    found = torch.tensor([1.0, 2.0, float("inf"), 3.0])
    assert sft._culprits(found, labels, ("a", "b", "c")) == ("b",)


def test_a_gradient_that_is_no_number_stops_before_the_step(
    stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = stage()
    real = SFTTrainer._clip_grad_norm

    def clip(self: Any, model: Any) -> Any:
        norm = real(self, model)
        return norm * float("nan") if self.state.global_step == 2 else norm

    monkeypatch.setattr(SFTTrainer, "_clip_grad_norm", clip)
    with pytest.raises(NotFiniteError, match=r"the gradient is nan in step 3, with the rows lamp/"):
        sft.train(one)
    assert [path.name for path in whole(one.folder / "checkpoints")] == ["checkpoint-2"]


def test_passes_do_not_matter_only_steps_do(stage: Callable[..., Stage]) -> None:
    """The loss is a mean over a step's tokens, however it is cut up."""
    one = stage("one", limit_steps=1, evaluate_every=1, passes=2, batch_tokens=65_536)
    two = stage("two", limit_steps=1, evaluate_every=1, passes=8, batch_tokens=65_536)
    loaded = load(one.start, one.chat, "float32")
    rows = sft.sft_examples(one, one.section, loaded.tokens)
    for each in (one, two):
        sft.train(each)
        order = sft.sft_passes(rows, each.section, 3)
        assert sorted(n for some in order for n in some) == list(range(48))  # all rows, one step
    for name, tensor in weights(one, 1).items():
        torch.testing.assert_close(tensor, weights(two, 1)[name], rtol=1e-4, atol=1e-5)
    assert losses(one) == pytest.approx(losses(two), rel=1e-5)


def test_the_loss_is_that_of_supervised_tokens(stage: Callable[..., Stage]) -> None:
    one = stage(limit_steps=1, evaluate_every=1, passes=1, batch_tokens=65_536)
    loaded = load(one.start, one.chat, "float32")
    total, count = 0.0, 0
    for example in sft.sft_examples(one, one.section, loaded.tokens):
        with torch.no_grad():
            logits = loaded.model(torch.tensor([example.ids])).logits[0].log_softmax(-1)
        for at in range(1, len(example)):
            if example.mask[at]:
                total -= logits[at - 1, example.ids[at]].item()
                count += 1
    sft.train(one)
    assert losses(one)[0] == pytest.approx(total / count, rel=1e-4)


def test_adapters_are_merged_into_the_best(stage: Callable[..., Stage]) -> None:
    from botpsy.train.pipeline import finish

    one = stage(more="lora = { rank = 2 }")
    sft.train(one)
    saved = one.folder / "checkpoints/checkpoint-4"
    assert (saved / "adapter_config.json").is_file()
    assert not (saved / "model.safetensors").exists()
    finish(one)
    best = load(one.folder / "best", one.chat, "float32").model.state_dict()
    base = load(one.start, one.chat, "float32").model.state_dict()
    assert best.keys() == base.keys()
    changed = {name for name in best if not torch.equal(best[name], base[name])}
    assert "model.layers.0.mlp.up_proj.weight" in changed
    assert "model.embed_tokens.weight" not in changed


def test_nothing_is_sent(stage: Callable[..., Stage], monkeypatch: pytest.MonkeyPatch) -> None:
    def send(**kwargs: Any) -> None:
        raise AssertionError("telemetry")

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(base_trainer, "send_telemetry", send)
    one = stage(limit_steps=1, evaluate_every=1)
    sft.train(one)
    assert not list(one.folder.rglob("README.md"))


def test_the_hooks_that_this_rests_on_are_there() -> None:
    for name in ("_save_checkpoint", "_clip_grad_norm", "_send_telemetry", "create_model_card"):
        assert callable(getattr(SFTTrainer, name)), name
        assert getattr(sft.SftTrainer, name) is getattr(Engine, name), name


def test_a_step_is_spoken_of_in_words() -> None:
    line = {"step": 3, "loss": 0.5, "seconds": 2.0}
    assert spoken(line, 10, [1.0, 3.0]) == "3/10 loss 0.5000; 2.0 s, 0:00:14 left"
    rewards = {"calls/reward": 1.5, "texts/reward": -0.25, "groups/kept": 0.5}
    said = spoken(line | rewards, 10, [60.0])
    assert (
        said == "3/10 reward: calls 1.500, texts -0.250, 50% of groups teach; 2.0 s, 0:07:00 left"
    )
