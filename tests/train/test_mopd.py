"""Distillation: the divergence, who teaches what, and going on after a kill."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from trl import DistillationConfig, DistillationTrainer  # noqa: E402

from botpsy.data.sources.worlds import task_of as world_row  # noqa: E402
from botpsy.errors import ConfigError, ModelError  # noqa: E402
from botpsy.train import engine, mopd, onpolicy  # noqa: E402
from botpsy.train.model import save  # noqa: E402
from botpsy.train.mopd import MopdTrainer, check_teacher, reverse_kl  # noqa: E402
from botpsy.train.passes import Learnt  # noqa: E402
from botpsy.train.stage import Stage  # noqa: E402
from botpsy.worlds.registry import scenario  # noqa: E402
from tests.train import tiny  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


SECTION = """
[[teacher]]
name = "acting"
routes = ["tools"]
model = "acting"
[[teacher]]
name = "thinking"
routes = ["reasoning", "instructions"]
model = "thinking"
[mopd]
mix = [PARTS]
optim = {lr = 3e-3, schedule = "constant"}
batch_tokens = 200
evaluate_every = 2
select = "loss"
steps = 4
prompts = 6
max_prompt_tokens = 60
max_reply_tokens = 10
"""


PARTS = """{name = "a", share = 1, rows = "data.jsonl", route = "tools"}, \
{name = "b", share = 1, rows = "data.jsonl", route = "reasoning"}, \
{name = "c", share = 1, rows = "held.jsonl", route = "instructions"}"""


def mopd_stage(
    folder: Path, seeds: tuple[int, int] = (1, 2), run: str = "run", **changes: Any
) -> Stage:
    """Teachers of those seeds; the student has seed 0."""
    text = SECTION.replace("PARTS", PARTS)
    for key, value in changes.items():
        old = next((line for line in text.splitlines() if line.startswith(f"{key} = ")), None)
        new = f"{key} = {value if isinstance(value, str) else json.dumps(value)}"
        text = text.replace(old, new) if old else text + new + "\n"
    made = tiny.stage(folder, tiny.recipe_text(text), run)
    teachers = {}
    for name, seed in zip(("acting", "thinking"), seeds, strict=True):
        teachers[name] = folder / f"teacher{seed}"
        if not teachers[name].exists():
            save(
                tiny.model(seed, replace(tiny.SHAPE, hidden=48) if seed else tiny.SHAPE),
                teachers[name],
            )
    return replace(made, teachers=teachers)


def trainer_of(monkeypatch: pytest.MonkeyPatch, stage: Stage) -> MopdTrainer:
    """A trainer that was made and not run."""
    made: list[Any] = []
    with monkeypatch.context() as patched:
        patched.setattr(engine, "run", lambda trainer, stage, loaded: made.append(trainer))
        mopd.train(stage)
    trainer: MopdTrainer = made[0]
    trainer.current_gradient_accumulation_steps = 1
    trainer.spent = onpolicy.Spent()
    trainer.model.train()
    return trainer


def planned(trainer: MopdTrainer) -> list[dict[str, Any]]:
    [passes] = trainer._plan(trainer.generation())
    return [trainer._prepare_inputs(each) for each in passes]


# --- the divergence


def test_the_divergence_is_what_it_says_and_so_is_its_gradient() -> None:
    torch.manual_seed(0)
    student, teacher = (
        torch.randn(700, 5, dtype=torch.float64),
        torch.randn(700, 7, dtype=torch.float64),
    )
    weight, other = torch.randn(11, 5, dtype=torch.float64), torch.randn(11, 7, dtype=torch.float64)
    student.requires_grad_()
    weight.requires_grad_()
    factor = torch.rand(700, dtype=torch.float64)
    found, entropies = reverse_kl(student, weight, teacher, other)
    (found * factor).sum().backward()
    got = student.grad, weight.grad
    student.grad = weight.grad = None
    logp = (student @ weight.T).log_softmax(-1)
    logq = (teacher @ other.T).log_softmax(-1)
    plain = (logp.exp() * (logp - logq)).sum(-1)
    (plain * factor).sum().backward()
    torch.testing.assert_close(found.double(), plain, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(
        entropies.double(), -(logp.exp() * logp).sum(-1), atol=1e-5, rtol=1e-5
    )
    torch.testing.assert_close(got[0], student.grad, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(got[1], weight.grad, atol=1e-4, rtol=1e-5)
    assert (found >= -1e-6).all()


# --- the stage


def test_a_student_that_is_its_teacher_stays_as_it_is(tmp_path: Path) -> None:
    stage = mopd_stage(tmp_path, (0, 0))
    mopd.train(stage)
    before = tiny.weights(stage.start)
    after = tiny.weights(stage.folder / "checkpoints" / "checkpoint-4")
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert all(abs(line["loss"]) < 1e-7 for line in tiny.metrics(stage))


def test_a_student_comes_nearer_to_each_of_its_teachers(tmp_path: Path) -> None:
    # Teachers that are far from uniform; to be sure of itself is quickly learnt.
    stage = mopd_stage(tmp_path, steps=16, evaluate_every=16, optim="{lr = 2e-2}")
    for name, sure in (("acting", 8), ("thinking", 6)):
        teacher = tiny.model(0)
        with torch.no_grad():
            teacher.model.get_output_embeddings().weight.mul_(sure)
        save(teacher, stage.teachers[name])
    mopd.train(stage)
    lines = tiny.metrics(stage)
    for name in ("acting", "thinking"):
        divergences = [line[f"kl/{name}"] for line in lines]
        assert divergences[0] > 0.1
        assert fmean(divergences[-3:]) < 0.8 * fmean(divergences[:3])
    assert fmean(line["loss"] for line in lines[-3:]) < 0.8 * fmean(
        line["loss"] for line in lines[:3]
    )
    # A step's loss is the mean over all its tokens.
    for line in lines:
        each = [(line[f"kl/{name}"], line[f"tokens/{name}"]) for name in ("acting", "thinking")]
        mean = sum(kl * n for kl, n in each) / sum(n for _, n in each)
        assert line["loss"] == pytest.approx(mean, rel=1e-4)
    for name in ("entropy", "all/length/mean", "time/sampled_s", "tokens/sampled", "a/turns"):
        assert name in lines[0]


def test_adapters_learn_too(tmp_path: Path) -> None:
    stage = mopd_stage(tmp_path, steps=2, lora="{rank = 2}")
    mopd.train(stage)
    assert all(line["grad_norm"] > 0 for line in tiny.metrics(stage))


@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
def test_loss_and_gradient_are_stock_trls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seeds: tuple[int, int]
) -> None:
    """With identical teachers those of the one-teacher trainer; with two, of each on its rows."""
    trainer = trainer_of(monkeypatch, mopd_stage(tmp_path, seeds, temperature=0.9))
    passes = planned(trainer)
    assert {each["teacher"] for each in passes} == {"acting", "thinking"}
    trainer.model.zero_grad()
    losses = []
    for each in passes:
        loss = trainer.compute_loss(trainer.model, each)
        loss.backward()
        losses.append(loss.item())
    stock = DistillationTrainer(
        model=tiny.model(0).model,
        teacher_model=tiny.model(1).model,
        args=DistillationConfig(
            output_dir=str(tmp_path / "stock"), use_cpu=True, bf16=False, report_to="none",
            beta=1.0, temperature=0.9, max_completion_length=10,
        ),
        train_dataset=onpolicy.placeholder(),
        processing_class=tiny.model().tokenizer,
    )  # fmt: skip
    stock.model.load_state_dict(trainer.model.state_dict())
    stock.model.train()
    stock.model.zero_grad()
    wanted = []
    for each in passes:
        stock.teacher_model = trainer.teachers[each["teacher"]]
        loss = stock.compute_loss(stock.model, each)
        loss.backward()
        wanted.append(loss.item())
    assert losses == pytest.approx(wanted, abs=1e-6)
    ours = dict(trainer.model.named_parameters())
    for name, weight in stock.model.named_parameters():
        torch.testing.assert_close(ours[name].grad, weight.grad, atol=1e-6, rtol=1e-3)


def test_passes_hold_rows_of_one_teacher_by_route(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = trainer_of(monkeypatch, mopd_stage(tmp_path, prompts=12, batch_tokens=120))
    learnt = trainer.generation()
    assert sorted(each.place for each in learnt) == list(range(12))
    for each in learnt:
        wanted = "acting" if each.rollout.task.route == "tools" else "thinking"
        assert each.key == wanted
    [passes] = trainer._plan(learnt)
    counts = {"acting": 0, "thinking": 0}
    for each in passes:
        counts[each["teacher"]] += len(each["rows"])
        assert each["tool_mask"].numel() <= 120
    assert counts == {"acting": 4, "thinking": 8}
    assert all(
        float(each["num_items_in_batch"]) == sum(one.rollout.sampled for one in learnt)
        for each in passes
    )


def test_what_tools_said_is_read_and_not_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation with a world: its gradient is that of its own tokens, tool results masked."""
    stage = mopd_stage(tmp_path, max_prompt_tokens=2000, batch_tokens=4000)
    tiny.write(stage.recipe.file("data.jsonl"), [world_row(scenario("calendar.what_is_on", 3))])
    trainer = trainer_of(monkeypatch, stage)
    look = tiny.ids("</think>\n\n<tool_call>\n<function=fly>\n</function>\n</tool_call>")
    task = next(each for each in trainer.mix.take(3) if each.part == "a")
    roller = tiny.roller(tiny.Said(look, tiny.ids("</think>\n\nNo.")))
    [rollout] = roller.roll([task], [0])
    assert len(rollout.turns) == 2
    batch = trainer.batch([Learnt(rollout, 0, "acting")], torch.tensor(1.0))
    mask = batch["tool_mask"][0].bool()
    given = tiny.tokens().decode(batch["completion_ids"][0][~mask].tolist())
    mine = tiny.tokens().decode(batch["completion_ids"][0][mask].tolist())
    assert "There is no tool fly" in given
    assert "There is no tool" not in mine
    assert int(mask.sum()) == rollout.sampled == sum(rollout.mask)
    _, _, tokens = trainer._compute_loss(trainer.model, batch, torch.tensor(1.0))
    assert int(tokens) == rollout.sampled


def test_an_unknown_route_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = mopd_stage(tmp_path)
    trainer = trainer_of(monkeypatch, stage)
    take = trainer.mix.take

    def lost(count: int) -> Sequence[Any]:
        return [replace(each, route="cooking") for each in take(count)]

    monkeypatch.setattr(trainer.mix, "take", lost)
    with pytest.raises(ConfigError, match="cooking"):
        trainer.generation()
    with pytest.raises(ConfigError, match="cooking"):
        mopd_stage(
            tmp_path / "other", mix='[{name = "a", share = 1, rows = "x", route = "cooking"}]'
        )


def test_a_teacher_with_other_tokens_is_refused() -> None:
    student, teacher = tiny.model(0), tiny.model(1)
    check_teacher("same", teacher, student)
    teacher.model.config.vocab_size += 1
    with pytest.raises(ModelError, match="teacher wide has other tokens"):
        check_teacher("wide", teacher, student)
    teacher = tiny.model(1)
    teacher.tokenizer.add_tokens(["<|more|>"])
    with pytest.raises(ModelError, match="other tokens"):
        check_teacher("more", teacher, student)


def test_a_distillation_that_was_killed_goes_on_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = mopd_stage(tmp_path, run="whole")
    mopd.train(whole)
    killed = mopd_stage(tmp_path, run="killed")
    calls: list[int] = []
    generation = MopdTrainer.generation

    def dies(self: MopdTrainer) -> list[Learnt]:
        calls.append(0)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return generation(self)

    with monkeypatch.context() as patched:
        patched.setattr(MopdTrainer, "generation", dies)
        with pytest.raises(KeyboardInterrupt):
            mopd.train(killed)
    mopd.train(killed)
    one, other = (
        tiny.weights(each.folder / "checkpoints" / "checkpoint-4") for each in (whole, killed)
    )
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_hooks_of_trl_are_as_they_were() -> None:
    """These fail when TRL changes what the stage rests on, before anything is trained wrongly."""
    outer = inspect.getsource(DistillationTrainer.compute_loss)
    assert (
        "model, unwrapped_student, self._compute_loss, unwrapped_student, inputs, num_items"
        in outer
    )
    assert 'inputs["num_items_in_batch"].clamp(min=1.0) / self.accelerator.num_processes' in outer
    assert list(inspect.signature(DistillationTrainer._compute_loss).parameters) == [
        "self", "unwrapped_student", "inputs", "num_items_in_batch"
    ]  # fmt: skip
    last = inspect.signature(DistillationTrainer._get_last_hidden_state).parameters
    assert list(last)[:5] == [
        "self",
        "unwrapped_model",
        "input_ids",
        "attention_mask",
        "logits_to_keep",
    ]
    assert "self._forward_redirection(" in inspect.getsource(DistillationTrainer._compute_loss)
