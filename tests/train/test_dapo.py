"""Reinforcement: the loss, the groups that teach, and going on after a kill."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from trl import GRPOConfig, GRPOTrainer  # noqa: E402

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.data.sources.worlds import task_of as world_row  # noqa: E402
from botpsy.rewards import Reward  # noqa: E402
from botpsy.train import dapo, engine, onpolicy  # noqa: E402
from botpsy.train.dapo import DapoTrainer, Group  # noqa: E402
from botpsy.train.engine import NotFiniteError  # noqa: E402
from botpsy.train.model import Loaded, save  # noqa: E402
from botpsy.train.model import _with as ready  # noqa: E402
from botpsy.train.passes import Learnt, cut, spread  # noqa: E402
from botpsy.train.rollout import Rollout  # noqa: E402
from botpsy.train.sample import Draw, Drawn, VllmSampler  # noqa: E402
from botpsy.train.selection import read_points  # noqa: E402
from botpsy.worlds.registry import scenario  # noqa: E402
from tests.train import tiny  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


Judge = Callable[[Sequence[Rollout], float], list[Reward | None]]


def even(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
    """What a small model learns quickly: the share of even ids."""
    return [Reward(fmean(token % 2 == 0 for token in each.ids)) for each in rollouts]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Judge], None]:
    return lambda judge: monkeypatch.setattr(dapo, "score", judge)


def section(**changes: Any) -> str:
    lines = tiny.DAPO.splitlines()
    known = {line.split(" = ")[0] for line in lines}
    kept = [line for line in lines if line.split(" = ")[0] not in changes]
    assert set(changes) <= known | {
        "updates", "max_generations", "overlong_buffer", "turn_timeout_s", "min_std", "temperature"
    }  # fmt: skip
    more = [f"{key} = {json.dumps(value)}" for key, value in changes.items() if key != "lr"]
    text = "\n".join([*kept, *more])
    return tiny.recipe_text(text)


def trainer_of(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> DapoTrainer:
    """A trainer that was made and not run."""
    made: list[Any] = []
    with monkeypatch.context() as patched:
        patched.setattr(engine, "run", lambda trainer, stage, loaded: made.append(trainer))
        dapo.train(tiny.stage(folder, text))
    trainer: DapoTrainer = made[0]
    trainer.current_gradient_accumulation_steps = 1
    trainer.spent = onpolicy.Spent()
    trainer.model.train()
    return trainer


def gradients(trainer: DapoTrainer, passes: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
    trainer.model.zero_grad()
    for each in passes:
        trainer.compute_loss(trainer.model, trainer._prepare_inputs(each)).backward()
    return {name: each.grad.clone() for name, each in trainer.model.named_parameters()}


# --- learning


def test_rewards_rise(tmp_path: Path, judged: Callable[[Judge], None]) -> None:
    judged(even)
    text = section(steps=20, evaluate_every=20, group=8).replace("lr = 3e-3", "lr = 2e-2")
    stage = tiny.stage(tmp_path, text)
    dapo.train(stage)
    rewards = [line["choice/reward"] for line in tiny.metrics(stage)]
    assert len(rewards) == 20
    assert fmean(rewards[-3:]) > fmean(rewards[:3]) + 0.15
    line = tiny.metrics(stage)[0]
    for name in (
        "entropy", "all/length/mean", "all/loops", "all/limit/length", "all/unreadable",
        "all/fault", "groups/kept", "time/sampled_s", "time/judged_s", "time/learn_s",
        "tokens/prompt", "tokens/sampled", "tokens/learnt", "clip/high", "drift",
    ):  # fmt: skip
        assert name in line


def test_the_loss_is_dapos_and_stock_trls(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clip-higher, token-level, no KL: against the formula, and against the unchanged trainer."""
    judged(even)
    ours = trainer_of(monkeypatch, tmp_path, section(updates=2, temperature=0.8))
    stock = GRPOTrainer(
        model=copy.deepcopy(tiny.model().model),
        reward_funcs=[lambda **_: [0.0]],
        args=GRPOConfig(
            output_dir=str(tmp_path / "stock"), use_cpu=True, bf16=False, report_to="none",
            loss_type="dapo", beta=0.0, epsilon=0.2, epsilon_high=0.28, temperature=0.8,
            per_device_train_batch_size=4, num_generations=4, max_completion_length=10,
        ),
        train_dataset=onpolicy.placeholder(),
        processing_class=tiny.model().tokenizer,
    )  # fmt: skip
    stock.current_gradient_accumulation_steps = 1
    stock.model.load_state_dict(ours.model.state_dict())
    stock.model.train()
    [batch, *_], _ = ours._plan(ours.generation())
    noise = torch.rand(batch["old_per_token_logps"].shape, generator=torch.manual_seed(0)) - 0.5
    batch["old_per_token_logps"] = batch["old_per_token_logps"] + noise * 1.5
    found = gradients(ours, [batch])
    loss = stock._compute_loss(stock.model, batch)
    loss.backward()
    for name, weight in stock.model.named_parameters():
        torch.testing.assert_close(found[name], weight.grad, atol=1e-6, rtol=1e-4)
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    there = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1)
    logits = tiny.model().model(ids, attention_mask=there).logits[:, :-1] / 0.8
    logps = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    ratio = (logps - batch["old_per_token_logps"]).exp()
    gain = batch["advantages"][:, None]
    each = -torch.minimum(ratio * gain, ratio.clamp(0.8, 1.28) * gain) * batch["tool_mask"]
    wanted = each.sum() / batch["num_items_in_batch"]
    torch.testing.assert_close(loss, wanted, atol=1e-6, rtol=1e-4)
    outside = (ratio < 0.8) | (ratio > 1.28)
    assert (outside & batch["tool_mask"].bool()).any()  # the clip had something to do


def test_a_step_is_the_same_in_few_passes_or_many(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(even)
    found = []
    for tokens in (2000, 70):
        trainer = trainer_of(monkeypatch, tmp_path, section(batch_tokens=tokens))
        [passes] = trainer._plan(trainer.generation())
        assert (len(passes) == 1) == (tokens == 2000)
        assert all(each["tool_mask"].numel() <= tokens for each in passes)
        assert sum(int(each["tool_mask"].sum()) for each in passes) == int(
            passes[0]["num_items_in_batch"]
        )
        found.append(gradients(trainer, passes))
    for name, value in found[0].items():
        torch.testing.assert_close(value, found[1][name], atol=1e-7, rtol=1e-4)


def test_sampled_log_probabilities_are_those_of_the_loss(
    tmp_path: Path, judged: Callable[[Judge], None]
) -> None:
    """In the first of two updates nothing has drifted but by rounding; in the second it has."""
    judged(even)
    stage = tiny.stage(tmp_path, section(updates=2, steps=2))
    dapo.train(stage)
    first, second = tiny.metrics(stage)
    assert first["drift"] < 2e-5
    assert second["drift"] > 1e-3


def attending() -> Loaded:
    """A model of full attention alone."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=tiny.tokens().inner.get_vocab_size(), hidden_size=32, intermediate_size=64,
        num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return ready(LlamaForCausalLM(config), tiny.tokens(), POCKET, "tiny")


def test_samples_of_a_prompt_share_it_in_learning_too(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(even)
    text = section(updates=2)
    assert not trainer_of(monkeypatch, tmp_path / "hybrid", text)._shares
    tiny.stage(tmp_path / "full", text)
    save(attending(), tmp_path / "full" / "start")
    found = []
    tokens = []
    for shares in (True, False):
        trainer = trainer_of(monkeypatch, tmp_path / "full", text)
        assert trainer._shares
        trainer._shares = shares
        passes, _ = trainer._plan(trainer.generation())
        assert all(("prefix" in each) == shares for each in passes)
        tokens.append(sum(each["there"] for each in passes))
        found.append(gradients(trainer, passes))
        assert float(trainer._sums[1] / trainer._sums[4]) < 2e-5  # drift: the same numbers
    for name, value in found[0].items():
        torch.testing.assert_close(value, found[1][name], atol=1e-6, rtol=1e-4)
    assert tokens[0] < 0.6 * tokens[1]
    assert not trainer_of(monkeypatch, tmp_path / "full", text + "checkpointing = true\n")._shares


# --- dynamic sampling


def test_uniform_groups_are_replaced_by_fresh_prompts(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def some(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
        tried.extend(dict.fromkeys(each.task.id for each in rollouts))
        return [
            Reward(float(n % 2) if int(each.task.id.split("/")[1]) % 3 else 0.5)
            for n, each in enumerate(rollouts)
        ]

    judged(some)
    trainer = trainer_of(monkeypatch, tmp_path, section())
    learnt = trainer.generation()
    ids = {each.rollout.task.id for each in learnt}
    assert len(ids) == 4
    assert not any(int(each.split("/")[1]) % 3 == 0 for each in ids)
    assert sorted({each.place for each in learnt}) == [0, 1, 2, 3]
    assert len(set(tried)) == len(tried) > 4  # every refill is of fresh prompts
    assert trainer.mix.given == len(tried)
    figures = trainer._metrics["train"]
    assert figures["groups/found"] == [1.0]
    assert figures["groups/tried"] == [len(tried)]
    assert figures["groups/kept"][0] < 1.0
    assert figures["generations"][0] > 1


def test_what_there_is_is_learnt_from_when_too_little_is_found(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
        first = rollouts[0].task.id if not seen else ""
        seen.append(first)
        return [Reward(float(n == 0 and each.task.id == first)) for n, each in enumerate(rollouts)]

    seen: list[str] = []
    judged(one)
    trainer = trainer_of(monkeypatch, tmp_path, section(max_generations=3))
    learnt = trainer.generation()
    assert len(seen) == 3
    assert len(learnt) == 4
    figures = trainer._metrics["train"]
    assert figures["groups/found"] == [0.25]
    [passes] = trainer._plan(learnt)
    # The loss weighs the tokens that are left, not those that were dropped.
    assert int(passes[0]["num_items_in_batch"]) == sum(each.rollout.sampled for each in learnt)
    assert [each.advantage for each in learnt] == pytest.approx([1.5, -0.5, -0.5, -0.5], abs=1e-3)


def test_a_step_with_nothing_to_learn_changes_nothing(
    tmp_path: Path, judged: Callable[[Judge], None]
) -> None:
    steps: list[int] = []

    def then_nothing(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
        steps.append(0)
        return even(rollouts, judge_s) if len(steps) == 1 else [Reward(0.5)] * len(rollouts)

    judged(then_nothing)
    text = section(steps=3, evaluate_every=1, max_generations=1)
    stage = tiny.stage(tmp_path, text.replace("lr = 3e-3", "lr = 3e-3, weight_decay = 0.1"))
    kept = []
    saved = engine.Engine.measure

    def keep(self: engine.Engine) -> None:
        saved(self)
        kept.append({name: each.clone() for name, each in self.model.state_dict().items()})

    engine.Engine.measure = keep  # type: ignore[method-assign]
    try:
        dapo.train(stage)
    finally:
        engine.Engine.measure = saved  # type: ignore[method-assign]
    start, first, second, third = kept
    assert any(not torch.equal(start[name], first[name]) for name in start)
    assert all(torch.equal(first[name], second[name]) for name in start)
    assert all(torch.equal(first[name], third[name]) for name in start)
    lines = tiny.metrics(stage)
    assert [line["groups/kept"] for line in lines] == [1.0, 0.0, 0.0]


def test_where_no_group_ever_teaches_the_figures_are_there(
    tmp_path: Path, judged: Callable[[Judge], None]
) -> None:
    judged(lambda rollouts, judge_s: [Reward(0.5)] * len(rollouts))
    stage = tiny.stage(tmp_path, section(steps=2, evaluate_every=2, max_generations=1))
    dapo.train(stage)
    for line in tiny.metrics(stage):
        assert line["groups/kept"] == 0.0
        assert line["choice/reward"] == 0.5


def test_what_was_cut_off_or_had_a_broken_world_counts_for_nothing() -> None:
    task = tiny.choice(0)
    rollouts = [Rollout(task, (1,), n, [2], [1], [-1.0]) for n in range(4)]
    group = Group(rollouts, [1.0, None, 0.0, None])
    assert group.spread == pytest.approx(0.5**0.5)
    learnt = group.learnt(3)
    assert [each.rollout.seed for each in learnt] == [0, 2]
    assert [each.advantage for each in learnt] == pytest.approx([0.7071, -0.7071], abs=1e-3)
    assert Group(rollouts, [None, None, 1.0, None]).spread == 0.0


def test_overlong_filtering_and_punishment(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(even)
    trainer = trainer_of(monkeypatch, tmp_path, section(overlong_buffer=4, mask_truncated=True))
    made = [tiny.ids("x" * n, end=n < 10) for n in range(6, 12)]
    rolled = tiny.roller(tiny.Said(*made), tiny.Limits(10, 100, 1, 5)).roll(
        [tiny.choice(0)] * 6, [0] * 6
    )
    assert [each.cut for each in rolled] == [False] * 4 + [True] * 2
    values = [trainer._value(each, Reward(1.0)) for each in rolled]
    assert values == [0.75, 0.5, 0.25, 0.0, None, None]
    assert trainer._value(rolled[0], None) is None
    plain = trainer_of(monkeypatch, tmp_path, section())
    assert plain._value(rolled[5], Reward(-1.0)) == -1.0


def test_texts_and_worlds_are_judged_by_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No stand-in for the verifiers here; the sampler is right or wrong by chance."""
    parts = """[{name = "choice", share = 1, rows = "data.jsonl"}, \
{name = "worlds", share = 1, rows = "worlds.jsonl"}]"""
    text = section(batch_tokens=4000, max_prompt_tokens=3000, max_reply_tokens=40)
    lines = [f"mix = {parts}" if line.startswith("mix") else line for line in text.splitlines()]
    rows = [world_row(scenario("calendar.what_is_on", seed)) for seed in range(4)]
    tmp_path.mkdir(exist_ok=True)
    tiny.write(tmp_path / "worlds.jsonl", rows)
    trainer = trainer_of(monkeypatch, tmp_path, "\n".join(lines))

    def draw(draws: Sequence[Draw]) -> list[Drawn]:
        made = []
        for each in draws:
            choice = "right one?" in tiny.tokens().decode(each.prompt)
            right, wrong = ("Answer: B", "Answer: C") if choice else ("Done.", "<tool_call>")
            made.append(tiny.ids("</think>\n\n" + (right if each.seed % 2 else wrong)))
        return [Drawn(ids, [-1.0] * len(ids), cut=False) for ids in made]

    trainer.roller = replace(trainer.roller, sampler=draw)
    learnt = trainer.generation()
    assert {each.rollout.task.part for each in learnt} == {"choice", "worlds"}
    for each in learnt:
        good = each.rollout.turns[0].endswith(("B", "Done."))
        assert (each.advantage > 0) == good
    figures = {name: value[0] for name, value in trainer._metrics["train"].items()}
    assert 0 < figures["choice/reward"] < 1
    assert -1 < figures["worlds/reward"] < 0
    assert figures["worlds/unreadable"] == pytest.approx(1 - figures["worlds/reward/world/format"])
    assert figures["choice/reward/choice/format"] == 1.0
    assert figures["worlds/fault"] == 0.0


# --- going on


def test_a_run_that_was_killed_goes_on_to_the_same_weights(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(even)
    text = section(steps=8, evaluate_every=4, updates=2, min_std=0.05)
    whole = tiny.stage(tmp_path, text, "whole")
    dapo.train(whole)
    killed = tiny.stage(tmp_path, text, "killed")
    calls: list[int] = []

    def dies(self: DapoTrainer) -> list[Learnt]:
        calls.append(0)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return generation(self)

    generation = DapoTrainer.generation
    with monkeypatch.context() as patched:
        patched.setattr(DapoTrainer, "generation", dies)
        with pytest.raises(KeyboardInterrupt):
            dapo.train(killed)
    folder = killed.folder / "checkpoints"
    assert [each.name for each in engine.whole(folder)] == ["checkpoint-4"]
    read = json.loads((folder / "checkpoint-4" / onpolicy.STATE).read_text())
    assert read["given"]["choice"] == tiny.metrics(killed)[2]["prompts/given"]
    dapo.train(killed)
    one, other = (
        tiny.weights(each.folder / "checkpoints" / "checkpoint-8") for each in (whole, killed)
    )
    assert all(torch.equal(one[name], other[name]) for name in one)
    for a, b in zip(tiny.metrics(whole), tiny.metrics(killed), strict=True):
        assert a["loss"] == b["loss"]
        assert a["grad_norm"] == b["grad_norm"]


@pytest.mark.parametrize("more", ["lora = {rank = 2}", "checkpointing = true"])
def test_adapters_and_checkpointing_learn_too(
    tmp_path: Path, judged: Callable[[Judge], None], more: str
) -> None:
    judged(even)
    stage = tiny.stage(tmp_path, section(steps=2) + more + "\n")
    dapo.train(stage)
    lines = tiny.metrics(stage)
    assert all(line["grad_norm"] > 0 for line in lines)
    # What is sampled from is what was learnt.
    assert all(0 < line["drift"] < 1e-4 for line in lines)
    values = [point.suites["loss"] for point in read_points(stage.folder / "evals.jsonl")]
    assert len(values) == 2
    assert values[0] != values[1]


def test_a_loss_that_is_no_number_stops_the_run_and_names_the_rows(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(even)
    stage = tiny.stage(tmp_path, section())
    batch = DapoTrainer.batch

    def bad(self: DapoTrainer, rows: Sequence[Learnt], weight: torch.Tensor) -> Any:
        made = batch(self, rows, weight)
        return made | {"advantages": made["advantages"] * float("nan")}

    monkeypatch.setattr(DapoTrainer, "batch", bad)
    with pytest.raises(NotFiniteError, match=r"choice/\d+"):
        dapo.train(stage)


# --- passes


def test_rows_are_cut_into_passes_within_the_budget() -> None:
    lengths = [3, 9, 5, 5, 2, 10]
    parts = cut(lengths, 20)
    assert sorted(n for part in parts for n in part) == list(range(6))
    assert all(max(lengths[n] for n in part) * len(part) <= 20 for part in parts)
    assert cut([], 5) == []


def test_passes_are_spread_without_losing_a_row() -> None:
    for count in range(2, 9):
        made = spread([[0, 1, 2], [3, 4]], count)
        assert len(made) == count
        assert sorted(n for part in made for n in part) == list(range(5))
        assert max(map(len, made)) <= 3
    assert spread([], 2) == [[], []]


def test_an_empty_pass_gives_no_gradient(
    tmp_path: Path, judged: Callable[[Judge], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    trainer = trainer_of(monkeypatch, tmp_path, section())
    found = gradients(trainer, [trainer._empty("", torch.tensor(7.0))])
    assert all(not value.any() for value in found.values())


# --- what is private in others' code


def test_hooks_of_trl_are_as_they_were() -> None:
    """These fail when TRL changes what the stage rests on, before anything is trained wrongly."""
    assert "self._compute_loss(model, inputs)" in inspect.getsource(GRPOTrainer.compute_loss)
    assert 'self._metrics["train"]' in inspect.getsource(GRPOTrainer.training_step)


def test_vllm_replies_are_cut_at_their_own_limits() -> None:
    class Engine:
        def generate(self, prompts: Any, images: None, count: int) -> Any:
            assert prompts == [[1, 2], [3]]
            assert count == 1
            return None, [[5, 6, 9], [5, 6, 9]], [[[-1.0], [-2.0], [-3.0]]] * 2, None

    sampler = VllmSampler(Engine(), 9)
    one, other = sampler([Draw((1, 2), 0, 3), Draw((3,), 0, 2)])
    assert (one.ids, one.logps, one.cut) == ([5, 6, 9], [-1.0, -2.0, -3.0], False)
    assert (other.ids, other.logps, other.cut) == ([5, 6], [-1.0, -2.0], True)
    assert sampler([]) == []
