"""Suites measure what they say, on the same cases each time, and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.chat.types import Message, ToolCall  # noqa: E402
from botpsy.errors import ConfigError  # noqa: E402
from botpsy.train import suites  # noqa: E402
from botpsy.train.model import Loaded, load  # noqa: E402
from botpsy.train.sample import Draw, Drawn  # noqa: E402
from botpsy.train.sections import SuiteRecipe  # noqa: E402
from botpsy.train.stage import Stage  # noqa: E402
from botpsy.train.suites import Suites  # noqa: E402
from tests.train.toy import TOOL, lamp_row, toy_recipe  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def loaded(toy_base: Path) -> Loaded:
    return load(toy_base, POCKET, "float32")


@pytest.fixture
def stage(tmp_path: Path, toy_data: Path) -> Stage:
    kinds = (("loss", 3), ("calls", 9), ("tasks", 4))
    recipe = toy_recipe(tmp_path, toy_data)
    recipe = recipe.model_copy(
        update={
            "suite": tuple(
                SuiteRecipe(name=kind, kind=kind, rows=str(toy_data), limit=limit)  # type: ignore[arg-type]
                for kind, limit in kinds
            )
        }
    )
    assert recipe.sft
    return Stage("sft", recipe, recipe.sft, tmp_path, tmp_path, {}, {str(toy_data): toy_data})


def says(monkeypatch: pytest.MonkeyPatch, loaded: Loaded, replies: Sequence[Message | str]) -> None:
    """Let the model say these, in the order of the cases; nothing where they run out."""

    class Said:
        def __init__(self, model: object, end: int, temperature: float) -> None:
            assert temperature == 0

        def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
            made = []
            for n, draw in enumerate(draws):
                reply = replies[n % len(replies)]
                text = reply if isinstance(reply, str) else POCKET.reply(reply, (TOOL,))
                ids = [*loaded.tokens.encode(text), loaded.end][: draw.limit]
                made.append(Drawn(ids, [0.0] * len(ids), cut=ids[-1] != loaded.end))
            return made

    monkeypatch.setattr(suites, "TorchSampler", Said)


def gold(n: int, at: int) -> Message:
    """The assistant's message of a row that a case was cut before."""
    return [each for each in lamp_row(n).messages if each.role == "assistant"][at]


def test_the_loss_is_the_mean_over_supervised_tokens(
    stage: Stage, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = Suites(stage, loaded.tokens, loaded.end)
    says(monkeypatch, loaded, ["No."])
    value = measured.measure(loaded.model)["loss"]
    total, count = 0.0, 0
    for n in (100, 101, 102):
        row = lamp_row(n)
        ids, mask = POCKET.encode(row.messages, row.tools, loaded.tokens)
        with torch.no_grad():
            logits = loaded.model(torch.tensor([ids])).logits[0].log_softmax(-1)
        for at in range(1, len(ids)):
            if mask[at]:
                total -= logits[at - 1, ids[at]].item()
                count += 1
    assert value == pytest.approx(total / count, rel=1e-4)
    assert measured.measure(loaded.model)["loss"] == value


def test_calls_count_when_they_are_right_or_rightly_none(
    stage: Stage, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = Suites(stage, loaded.tokens, loaded.end)
    wanted = [message for _, message in measured.turns["calls"]]
    assert len(wanted) == 9
    assert {bool(message.calls) for message in wanted} == {True, False}
    says(monkeypatch, loaded, wanted)
    assert measured.measure(loaded.model)["calls"] == 1.0
    no_calls = sum(not message.calls for message in wanted) / len(wanted)
    says(monkeypatch, loaded, [Message("assistant", "No.")])
    assert measured.measure(loaded.model)["calls"] == pytest.approx(no_calls)
    wrong = [
        replace(
            each, calls=tuple(ToolCall(c.name, c.arguments | {"on": "yes"}) for c in each.calls)
        )
        for each in wanted
    ]
    says(monkeypatch, loaded, wrong)
    assert measured.measure(loaded.model)["calls"] == pytest.approx(no_calls)
    says(monkeypatch, loaded, ["never closed"])
    assert measured.measure(loaded.model)["calls"] == 0.0


def test_tasks_count_when_they_are_granted_in_full(
    stage: Stage, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = Suites(stage, loaded.tokens, loaded.end)
    right = [gold(300 + n, 0) for n in range(4)]
    says(monkeypatch, loaded, right)
    assert measured.measure(loaded.model)["tasks"] == 1.0
    half = ToolCall("set_lamp", {"room": "cellar", "on": True})
    says(monkeypatch, loaded, [right[0], replace(right[1], calls=(half,))])
    assert measured.measure(loaded.model)["tasks"] == pytest.approx(0.25)


def test_processes_share_the_cases(
    stage: Stage, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Suites(stage, loaded.tokens, loaded.end)
    says(monkeypatch, loaded, ["\n</think>\n\nNo."])
    alone = whole.measure(loaded.model)
    scores = []
    for rank in range(2):
        part = Suites(stage, loaded.tokens, loaded.end, (rank, 2))
        scores.append(part.scores(loaded.model))
    for name, value in alone.items():
        made, of = map(sum, zip(*(score[name] for score in scores), strict=True))
        assert made / of == pytest.approx(value, rel=1e-5)


def test_measuring_changes_nothing(stage: Stage, loaded: Loaded) -> None:
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    weights = {name: each.clone() for name, each in loaded.model.state_dict().items()}
    loaded.model.train()
    short = tuple(suite.model_copy(update={"max_reply_tokens": 9}) for suite in stage.suites)
    recipe = stage.recipe.model_copy(update={"suite": short})
    measured = Suites(replace(stage, recipe=recipe), loaded.tokens, loaded.end)
    values = measured.measure(loaded.model)
    assert set(values) == {"loss", "calls", "tasks"}
    assert loaded.model.training
    assert torch.equal(torch.random.get_rng_state(), before)
    assert all(torch.equal(weights[name], each) for name, each in loaded.model.state_dict().items())


def test_a_suite_without_cases_is_refused(stage: Stage, loaded: Loaded, toy_data: Path) -> None:
    nobody = SuiteRecipe(name="sums", kind="tasks", rows=str(toy_data), verifiers=("math",))
    recipe = stage.recipe.model_copy(update={"suite": (nobody,)})
    with pytest.raises(ConfigError, match="suite sums: it has no cases"):
        Suites(replace(stage, recipe=recipe), loaded.tokens, loaded.end).measure(loaded.model)
    wrong = SuiteRecipe(name="odd", kind="calls", rows=str(toy_data / "tasks.jsonl"))
    recipe = stage.recipe.model_copy(update={"suite": (wrong,)})
    with pytest.raises(ConfigError, match=r"suite odd: lamp/\d+ in .* is none of conversations"):
        Suites(replace(stage, recipe=recipe), loaded.tokens, loaded.end).measure(loaded.model)
