"""Rollouts: what is drawn, what is lived through, and what is told of it."""

from __future__ import annotations

import signal
import time
from dataclasses import replace
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from transformers.cache_utils import DynamicLayer  # noqa: E402

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.chat.types import Message  # noqa: E402
from botpsy.data.sources.worlds import task_of as world_row  # noqa: E402
from botpsy.errors import ConfigError, ModelError  # noqa: E402
from botpsy.rewards import FLOOR, Reward  # noqa: E402
from botpsy.train.mix import Mix  # noqa: E402
from botpsy.train.rollout import Limits, TimeLimit, time_limit  # noqa: E402
from botpsy.train.sample import Draw, Roomy, TorchSampler  # noqa: E402
from botpsy.train.score import score, seen, shortened, told  # noqa: E402
from botpsy.train.sections import MixRecipe  # noqa: E402
from botpsy.train.tasks import Task, task_of  # noqa: E402
from botpsy.worlds.episode import play  # noqa: E402
from botpsy.worlds.registry import scenario  # noqa: E402
from botpsy.worlds.scenario import Scenario  # noqa: E402
from botpsy.worlds.world import World, WorldFault  # noqa: E402
from tests.train import tiny  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


FAMILY = "calendar.book_appointment"


def world_task(seed: int = 7, family: str = FAMILY) -> tuple[Task, Scenario]:
    made = scenario(family, seed)
    part = MixRecipe(name="worlds", share=1, rows="x.jsonl")
    return task_of(world_row(made), part), made


def gold(made: Scenario) -> tuple[list[Message], list[list[int]]]:
    """A conversation that solves the scenario, and the replies in it as tokens."""
    messages = play(made, made.gold[0])[1].messages
    said = [each for each in messages if each.role == "assistant"]
    return messages, [tiny.ids(POCKET.reply(each, made.specs)) for each in said]


# --- drawing replies


def test_greedy_replies_are_those_of_transformers() -> None:
    loaded = tiny.model()
    prompts = [(5, 9, 40, 41), (7,), tuple(range(20, 40)), (7,)]
    drawn = tiny.sampler(loaded, temperature=0)([Draw(each, 0, 12) for each in prompts])
    for prompt, reply in zip(prompts, drawn, strict=True):
        with torch.no_grad():
            whole = loaded.model.generate(
                torch.tensor([prompt]), max_new_tokens=12, do_sample=False, eos_token_id=loaded.end
            )
        assert reply.ids == whole[0, len(prompt) :].tolist()
        assert reply.cut == (reply.ids[-1] != loaded.end)


def test_log_probabilities_are_those_of_training() -> None:
    loaded = tiny.model()
    draws = [Draw(tuple(range(10, 10 + n)), n, 3 * n) for n in range(1, 8)]
    for draw, reply in zip(
        draws, tiny.sampler(loaded, temperature=0.7, top_k=40, top_p=0.9)(draws), strict=True
    ):
        whole = torch.tensor([[*draw.prompt, *reply.ids]])
        with torch.no_grad():
            logps = (loaded.model(whole).logits[0] / 0.7).log_softmax(-1)
        wanted = logps[len(draw.prompt) - 1 : -1].gather(-1, whole[0, len(draw.prompt) :, None])
        torch.testing.assert_close(
            torch.tensor(reply.logps), wanted[:, 0], atol=2e-5, rtol=0, check_dtype=False
        )


def test_a_sample_does_not_depend_on_its_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = tiny.sampler(tiny.model())
    draws = [Draw(tuple(range(10, 11 + n % 5)), n, 4 + 3 * n) for n in range(12)]
    together = sampler(draws)
    assert [sampler([draw])[0].ids for draw in draws] == [each.ids for each in together]
    assert [each.ids for each in sampler(draws[::-1])][::-1] == [each.ids for each in together]
    monkeypatch.setattr("botpsy.train.sample.WAVE_TOKENS", 60)
    assert [each.ids for each in sampler(draws)] == [each.ids for each in together]
    assert all(len(each.ids) <= draw.limit for each, draw in zip(together, draws, strict=True))
    assert len({tuple(each.ids[:4]) for each in together}) > 6


def test_samples_follow_the_distribution() -> None:
    loaded = tiny.model()
    head = loaded.model.get_output_embeddings().weight
    with torch.no_grad():
        head.mul_(20)  # far from uniform
        wanted = (loaded.model(torch.tensor([[3, 4]])).logits[0, -1] / 1.5).softmax(-1)
    drawn = tiny.sampler(loaded, temperature=1.5)([Draw((3, 4), n, 1) for n in range(4000)])
    seen = torch.bincount(torch.tensor([each.ids[0] for each in drawn]), minlength=len(wanted))
    error = (seen / 4000 - wanted).abs()
    assert (error < 5 * (wanted * (1 - wanted) / 4000).sqrt() + 1e-3).all()
    likeliest = wanted.topk(3).indices.tolist()
    few = tiny.sampler(loaded, top_k=3)([Draw((3, 4), n, 1) for n in range(60)])
    assert {each.ids[0] for each in few} <= set(likeliest)
    one = tiny.sampler(loaded, top_p=1e-6)([Draw((3, 4), n, 1) for n in range(20)])
    assert {each.ids[0] for each in one} == {likeliest[0]}


def test_a_group_shares_one_prefill() -> None:
    loaded = tiny.model()
    seen: list[tuple[int, ...]] = []
    forward = loaded.model.forward

    def spy(**kwargs: Any) -> Any:
        seen.append(tuple(kwargs["input_ids"].shape))
        return forward(**kwargs)

    loaded.model.forward = spy
    draws = [Draw((10, 11, 12), n, 3) for n in range(8)] + [Draw((10, 11), 9, 3)]
    tiny.sampler(loaded)(draws)
    assert seen[0] == (2, 3)
    assert all(width == 1 for _, width in seen[1:])


def test_a_layer_with_room_holds_what_one_that_grows_does() -> None:
    grows = DynamicLayer()
    grows.update(torch.randn(3, 2, 5, 4), torch.randn(3, 2, 5, 4))
    rows = torch.tensor([0, 0, 2, 1])
    roomy = Roomy(grows, rows, more=3)
    grows.reorder_cache(rows)
    room = roomy._rooms[0].data_ptr()
    for n in range(3):
        if n == 2:
            rows = torch.tensor([3, 1])
            grows.reorder_cache(rows)
            roomy.reorder_cache(rows)
        states = torch.randn(len(rows), 2, 1, 4), torch.randn(len(rows), 2, 1, 4)
        for mine, wanted in zip(roomy.update(*states), grows.update(*states), strict=True):
            assert torch.equal(mine, wanted)
        assert roomy.get_mask_sizes(1) == grows.get_mask_sizes(1)
        assert n == 2 or roomy._rooms[0].data_ptr() == room  # nothing was copied


def test_sampling_leaves_the_model_in_its_mode() -> None:
    loaded = tiny.model()
    loaded.model.train()
    TorchSampler(loaded.model, loaded.end)([Draw((3,), 0, 1)])
    assert loaded.model.training


# --- rollouts


def test_a_text_task_is_one_reply() -> None:
    task = tiny.choice(1)
    [made] = tiny.roller(tiny.Said(tiny.ids("so\n</think>\n\nAnswer: B"))).roll([task], [3])
    prompt, _ = POCKET.encode(task.messages, (), tiny.tokens(), add_generation_prompt=True)
    assert made.prompt == tuple(prompt)
    assert made.turns == ["so\n</think>\n\nAnswer: B"]
    assert made.mask == [1] * len(made.ids)
    assert made.stopped == ""
    assert score([made], 5.0) == [Reward(1.0, {"format": 1.0, "correct": 1.0})]


def test_a_gold_life_is_token_for_token_the_conversation() -> None:
    task, made = world_task()
    messages, replies = gold(made)
    sampler = tiny.Said(*replies)
    [rollout] = tiny.roller(sampler).roll([task], [3])
    ids, mask = POCKET.encode(messages, made.specs, tiny.tokens())
    assert [*rollout.prompt, *rollout.ids] == ids[: len(rollout.prompt) + len(rollout.ids)]
    assert rollout.mask == mask[len(rollout.prompt) :][: len(rollout.mask)]
    assert ids[len(rollout.prompt) + len(rollout.ids) :] == tiny.tokens().encode("\n")
    assert len(rollout.ids) == len(rollout.mask) == len(rollout.logps)
    assert rollout.stopped == ""
    [reward] = score([rollout], 5.0)
    assert reward is not None
    assert reward.value == 1.0
    assert reward.parts["format"] == 1.0
    assert list(rollout.spans) == replies
    # Each prompt is all that went before, as it was drawn.
    assert [draw.prompt for draw in sampler.draws] == [
        (*rollout.prompt, *rollout.ids[:at])
        for at, mine in enumerate(rollout.mask)
        if mine and not (at and rollout.mask[at - 1])
    ]


def test_sampled_ids_are_kept_though_they_are_not_what_a_tokenizer_writes() -> None:
    task, made = world_task()
    _, replies = gold(made)
    letters = [
        [n for letter in tiny.tokens().decode(reply[:-1]) for n in tiny.tokens().encode(letter)]
        + reply[-1:]
        for reply in replies
    ]
    assert letters != replies
    [rollout] = tiny.roller(tiny.Said(*letters), Limits(4000, 8000, 8, 5)).roll([task], [3])
    assert list(rollout.spans) == letters
    [reward] = score([rollout], 5.0)
    assert reward is not None
    assert reward.value == 1.0


@pytest.mark.parametrize("broken", ["cut", "unclosed", "bad value"])
def test_no_call_of_a_broken_reply_is_made(broken: str) -> None:
    task, made = world_task()
    _, replies = gold(made)
    at = next(n for n, each in enumerate(replies) if "<tool_call>" in tiny.tokens().decode(each))
    limits = Limits(reply=400, whole=4000, turns=8, call_s=5.0)
    text = tiny.tokens().decode(replies[at][:-1])
    if broken == "cut":  # all of the call is there, but the model did not end its turn
        limits = replace(limits, reply=sum(map(len, replies[: at + 1])) - 1)
    elif broken == "unclosed":
        replies[at] = tiny.ids(text.removesuffix("</tool_call>"))
    else:
        good = "\n</parameter>\n"
        bad = f"{good}<parameter=all_day>\nmaybe{good}"
        replies[at] = tiny.ids(text.replace(good, bad, 1))
    start = made.world.dump()
    [rollout] = tiny.roller(tiny.Said(*replies), limits).roll([task], [3])
    assert rollout.stopped == ("length" if broken == "cut" else "unreadable")
    assert rollout.life is not None
    assert len(rollout.life.episode.steps) == at
    if not at:
        assert rollout.life.world.dump() == start
    assert score([rollout], 5.0) == [Reward(FLOOR, {"format": 0.0})]


def test_a_readable_call_that_cannot_be_is_answered_by_the_world() -> None:
    task, _ = world_task()
    call = "</think>\n\n<tool_call>\n<function=fly>\n<parameter=to>\nMars\n</parameter>\n"
    replies = [tiny.ids(call + "</function>\n</tool_call>"), tiny.ids("</think>\n\nI cannot.")]
    [rollout] = tiny.roller(tiny.Said(*replies)).roll([task], [3])
    assert rollout.life is not None
    assert [step.status for step in rollout.life.episode.steps] == ["invalid"]
    assert "There is no tool fly" in rollout.life.episode.messages[3].content
    assert rollout.stopped == ""


def test_limits_on_turns_and_context() -> None:
    task, _ = world_task()
    look = tiny.ids("</think>\n\n<tool_call>\n<function=fly>\n</function>\n</tool_call>")
    [rollout] = tiny.roller(tiny.Said(*[look] * 3), Limits(4000, 8000, 3, 5)).roll([task], [3])
    assert rollout.stopped == "turns"
    assert len(rollout.turns) == 3
    assert rollout.mask[-1] == 1  # nothing comes back that is not answered
    [reward] = score([rollout], 5.0)
    assert reward is not None
    assert reward.value == 0.0
    prompt = len(rollout.prompt)
    limits = Limits(4000, prompt + len(look) + 5, 8, 5)
    [full] = tiny.roller(tiny.Said(look), limits).roll([task], [3])
    assert full.stopped == "context"
    assert full.cut
    [spent] = tiny.roller(tiny.Said(look), Limits(len(look), 8000, 8, 5)).roll([task], [3])
    assert spent.stopped == "length"
    nothing, other = tiny.roller(tiny.Said(look), Limits(4000, prompt, 8, 5)).roll(
        [task, replace(task, messages=task.messages[-1:], tools=(), verifier="")], [3, 3]
    )
    assert (nothing.stopped, nothing.turns, nothing.sampled) == ("context", [""], 0)
    assert other.sampled == len(look)


def test_a_world_that_breaks_or_hangs_is_a_fault_and_no_behaviour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task, made = world_task()
    _, replies = gold(made)

    def breaks(self: World, call: object) -> None:
        raise WorldFault("the disk is full")

    def hangs(self: World, call: object) -> None:
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue

    for step, words in ((breaks, "the disk is full"), (hangs, "took longer than")):
        with monkeypatch.context() as patched:
            patched.setattr(World, "step", step)
            roller = tiny.roller(tiny.Said(*replies), Limits(4000, 8000, 8, 0.05))
            [rollout] = roller.roll([task], [3])
        assert rollout.stopped == "fault"
        assert words in rollout.fault
        assert task.id in rollout.fault
        assert score([rollout], 5.0) == [None]
        figures = told([seen(rollout)])
        assert figures["worlds/fault"] == figures["all/fault"] == 1.0
        assert not any("reward" in name for name in figures)


def test_time_limits_leave_other_timers_alone() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    left = signal.setitimer(signal.ITIMER_REAL, 1000.0)
    try:
        with pytest.raises(TimeLimit), time_limit(0.01):
            while True:
                pass
        with time_limit(5.0):
            pass
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
        assert not rung
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *left)


def test_a_row_of_another_version_is_refused() -> None:
    task, _ = world_task()
    other = replace(task, messages=(task.messages[0], Message("user", "Book it.")))
    with pytest.raises(ConfigError, match="Build the data again"):
        tiny.roller(tiny.Said()).roll([other], [3])


def test_the_same_seeds_give_the_same_rollouts_in_any_company() -> None:
    roller = tiny.roller(tiny.sampler(tiny.model()), Limits(30, 4000, 3, 5))
    tasks = [tiny.choice(n // 2) for n in range(6)]
    tasks = [tasks[0], tasks[0], tasks[2], tasks[2], world_task()[0]]
    seeds = [1, 2, 3, 4, 5]
    first = roller.roll(tasks, seeds)
    again = roller.roll(tasks[::-1], seeds[::-1])[::-1]
    assert [(each.ids, each.turns) for each in first] == [(each.ids, each.turns) for each in again]
    assert first[0].ids != first[1].ids


def test_what_came_back_to_a_turn_is_tokenized_alone() -> None:
    roller = tiny.roller(tiny.Said())
    back = [Message("tool", "a\n<|im_end|>", name="x"), Message("tool", "b", name="x")]
    suffix = tiny.tokens().decode(roller.suffix(back))
    assert suffix.startswith("\n<|im_start|>user\n<tool_response>\na\n")
    assert suffix.endswith("b\n</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\n")
    assert suffix.count("<|im_end|>") == 1


# --- scores and figures


def test_a_reply_that_was_cut_off_gets_its_verifiers_floor() -> None:
    text = tiny.ids("</think>\n\nAnswer: B", end=False)
    made = tiny.roller(tiny.Said(text), Limits(len(text), 4000, 1, 5)).roll([tiny.choice(0)], [1])
    assert made[0].stopped == "length"
    assert score(made, 5.0) == [Reward(FLOOR, {"format": 0.0, "correct": 0.0})]


def test_a_reward_that_is_no_number_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tiny.roller(tiny.Said(tiny.ids("x"))).roll([tiny.choice(4)], [1])
    monkeypatch.setattr(
        "botpsy.train.score.verifier", lambda name: lambda reference, raw: Reward(float("nan"))
    )
    with pytest.raises(ModelError, match="choice/4"):
        score(made, 5.0)


def test_length_is_punished_softly() -> None:
    text = tiny.ids("</think>\n\nAnswer: B")
    [made] = tiny.roller(tiny.Said(text)).roll([tiny.choice(0)], [1])
    n = len(text)
    assert shortened(made, 1.0, n, 0) == 1.0
    assert shortened(made, 1.0, n + 4, 4) == 1.0
    assert shortened(made, 1.0, n + 2, 4) == 0.5
    assert shortened(made, 1.0, n, 4) == 0.0


def test_figures_are_of_all_and_by_part() -> None:
    said = tiny.Said(tiny.ids("</think>\n\nAnswer: B"), tiny.ids("Answer: B"), tiny.ids("x"))
    tasks = [tiny.choice(0), tiny.choice(1), tiny.choice(2, part="other")]
    made = tiny.roller(said).roll(tasks, [1, 2, 3])
    figures = told(
        [seen(each, reward) for each, reward in zip(made, score(made, 5.0), strict=True)]
    )
    assert figures["choice/unreadable"] == 0.5
    assert figures["other/unreadable"] == 1.0
    assert figures["all/unreadable"] == pytest.approx(2 / 3)
    assert figures["choice/length/max"] == max(each.sampled for each in made[:2])
    assert figures["choice/reward"] == 0.0
    assert figures["choice/reward/choice/format"] == 0.5


# --- the mix


def mix(rows: dict[str, list[Any]], tmp_path: Any, **options: Any) -> Mix:
    import json

    parts = []
    for name, some in rows.items():
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps(each.to_json()) + "\n" for each in some), "utf-8"
        )
        share = options.get("shares", {}).get(name, 1.0)
        parts.append(MixRecipe(name=name, share=share, rows=f"{name}.jsonl"))
    fits = options.get("fits", lambda task: True)
    return Mix(parts, lambda part: [tmp_path / part.rows], options.get("seed", 1), fits)


def rows(count: int, family: str = FAMILY) -> list[Any]:
    return [world_row(scenario(family, seed)) for seed in range(count)]


def test_a_mix_keeps_shares_and_goes_on_where_it_was(tmp_path: Any) -> None:
    given = {"a": rows(5), "b": rows(3, "calendar.what_is_on")}
    one = mix(given, tmp_path, shares={"a": 3.0})
    first = [task.id for task in one.take(20)]
    parts = [task.part for task in mix(given, tmp_path, shares={"a": 3.0}).take(20)]
    assert parts.count("a") == 15
    assert set(parts[:4]) == {"a", "b"}
    # All rows of a part before any again.
    mine = [each for each, part in zip(first, parts, strict=True) if part == "a"]
    assert len(set(mine[:5])) == 5
    assert set(mine[5:10]) == set(mine[:5])
    assert mine[5:10] != mine[:5] or mine[10:15] != mine[:5]
    other = mix(given, tmp_path, shares={"a": 3.0})
    other.take(7)
    later = mix(given, tmp_path, shares={"a": 3.0})
    later.state = other.state
    assert [task.id for task in later.take(13)] == first[7:]
    assert [task.id for task in mix(given, tmp_path, seed=2).take(5)] != first[:5]


def test_long_prompts_are_refused_and_counted(tmp_path: Any) -> None:
    given = {"a": rows(4)}
    long = {"worlds/calendar.book_appointment/1", given["a"][1].id}
    one = mix(given, tmp_path, fits=lambda task: task.id not in long)
    assert given["a"][1].id not in {task.id for task in one.take(6)}
    assert one.refused == 2
    with pytest.raises(ConfigError, match=r"mix\.a.*max_prompt_tokens"):
        mix(given, tmp_path, fits=lambda task: False).take(1)


def test_a_conversation_is_no_task_to_be_judged(tmp_path: Any) -> None:
    row = replace(rows(1)[0], verifier="", reference={})
    with pytest.raises(ConfigError, match="nothing judges it"):
        mix({"a": [row]}, tmp_path)


def test_distillation_cuts_a_conversation_before_its_last_answer() -> None:
    made = scenario(FAMILY, 3)
    row = replace(rows(1)[0], verifier="", messages=tuple(gold(made)[0]))
    part = MixRecipe(name="a", share=1, rows="x", route="tools")
    task = task_of(row, part)
    assert task.messages == row.messages[:-1]
    assert task.route == "tools"
