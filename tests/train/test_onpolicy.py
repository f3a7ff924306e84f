"""vLLM as both stages use it: through TRL's own class, which stands in here without an engine.

Calls are held against the signatures of that class, so a TRL that changed them fails here.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from trl.generation import vllm_generation  # noqa: E402
from trl.generation.vllm_generation import VLLMGeneration  # noqa: E402
from trl.trainer import distillation_trainer, grpo_trainer  # noqa: E402

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.errors import ConfigError, ModelError  # noqa: E402
from botpsy.train import dapo, mopd  # noqa: E402
from botpsy.train.model import load, save  # noqa: E402
from botpsy.train.onpolicy import SEATS, seats  # noqa: E402
from botpsy.train.sample import Draw, TorchSampler, VllmSampler  # noqa: E402
from botpsy.train.stage import Stage  # noqa: E402
from tests.train import tiny, two  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")
VLLM = '[launch]\nrollouts = "vllm"\n'
Takes = Callable[["FakeVllm"], None]


def takes_over(engine: FakeVllm) -> None:
    """The weights of the model, as ``sync_weights`` does it."""
    engine.own.load_state_dict(engine.settings["model"].state_dict())


def takes_nothing(engine: FakeVllm) -> None:
    """As an engine does whose names of weights are others."""


class FakeVllm:
    """``VLLMGeneration`` with transformers for its engine."""

    made: list[FakeVllm]
    takes: Takes

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = inspect.signature(VLLMGeneration.__init__).bind(self, *args, **kwargs)
        bound.apply_defaults()
        self.settings = bound.arguments
        self.logprobs = bound.arguments["logprobs"]
        self.own = load(Path(self.settings["model"].name_or_path), POCKET, "float32").model
        self.synced = self.rows = 0
        self.made.append(self)

    def sync_weights(self) -> None:
        """See ``VLLMGeneration``."""
        inspect.signature(VLLMGeneration.sync_weights).bind(self)
        self.synced += 1
        type(self).takes(self)

    def generate(self, *args: Any, **kwargs: Any) -> Any:
        """See ``VLLMGeneration``."""
        bound = inspect.signature(VLLMGeneration.generate).bind(self, *args, **kwargs)
        prompts, limit = bound.arguments["prompts"], self.settings["max_completion_length"]
        assert bound.arguments["images"] is None
        assert bound.arguments["num_generations"] == 1
        end = self.own.config.eos_token_id
        draws = [Draw(tuple(prompt), n + self.rows, limit) for n, prompt in enumerate(prompts)]
        self.rows += len(prompts)
        drawn = TorchSampler(self.own, end, self.settings["temperature"])(draws)
        ids = [each.ids for each in drawn]
        tokens = [[[token] for token in each.ids] for each in drawn]
        if self.logprobs is None:
            return prompts, ids, None, None
        return prompts, ids, [[[logp] for logp in each.logps] for each in drawn], tokens


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> type[FakeVllm]:
    """TRL's class is replaced where its trainers make it."""
    monkeypatch.setattr(FakeVllm, "made", [], raising=False)
    monkeypatch.setattr(FakeVllm, "takes", takes_over, raising=False)
    monkeypatch.setattr(grpo_trainer, "VLLMGeneration", FakeVllm)
    monkeypatch.setattr(distillation_trainer, "VLLMGeneration", FakeVllm)
    monkeypatch.setattr(distillation_trainer, "is_vllm_available", lambda: True)
    monkeypatch.setattr(dapo, "score", two.judge)
    return FakeVllm


def stage_of(folder: Path, name: str) -> Stage:
    """A stage that samples with vLLM."""
    text = tiny.recipe_text({"dapo": two.DAPO, "mopd": two.MOPD}[name], VLLM)
    made = tiny.stage(folder, text)
    teacher = folder / "teacher"
    if not teacher.exists():
        save(tiny.model(3), teacher)
    return replace(made, teachers={"one": teacher, "two": teacher} if name == "mopd" else {})


@pytest.mark.parametrize(("name", "train"), [("dapo", dapo.train), ("mopd", mopd.train)])
def test_the_engine_is_shown_the_weights_and_asked_as_trl_has_it(
    tmp_path: Path, vllm: type[FakeVllm], name: str, train: Callable[[Stage], None]
) -> None:
    stage = stage_of(tmp_path, name)
    train(stage)
    [engine] = vllm.made
    section: Any = stage.section
    assert engine.synced == section.steps // section.updates
    group = getattr(section, "group", 1)
    wanted = {
        "mode": "colocate",
        "tensor_parallel_size": 1,
        "enable_sleep_mode": False,
        "max_model_length": section.batch_tokens,
        "max_num_seqs": section.prompts * group,
        "max_completion_length": section.max_reply_tokens,
        "temperature": section.temperature,
        "top_p": 1.0,
        "top_k": 0,
        "repetition_penalty": 1.0,
    }
    assert {key: engine.settings[key] for key in wanted} == wanted
    assert engine.logprobs == 0
    assert all(math.isfinite(line["loss"]) for line in tiny.metrics(stage))
    if name == "dapo":
        drift = [line["drift"] for line in tiny.metrics(stage)]
        assert max(drift[:: section.updates]) < 1e-4  # right after the weights were shown


@pytest.mark.parametrize(("name", "train"), [("dapo", dapo.train), ("mopd", mopd.train)])
def test_an_engine_with_other_weights_stops_the_run(
    tmp_path: Path,
    vllm: type[FakeVllm],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    train: Callable[[Stage], None],
) -> None:
    def takes_others(engine: FakeVllm) -> None:
        torch.manual_seed(1)
        for weight in engine.own.parameters():
            weight.data.normal_(std=0.1)

    monkeypatch.setattr(vllm, "takes", takes_others)
    with pytest.raises(ModelError, match=rf"{name}1?: vLLM's log-probabilities are .* nats away"):
        train(stage_of(tmp_path, name))


def test_an_engine_that_takes_nothing_over_stops_the_run_in_time(
    tmp_path: Path, vllm: type[FakeVllm], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with the right weights; the more the model learns, the further it is away."""
    monkeypatch.setattr(vllm, "takes", takes_nothing)
    stage = stage_of(tmp_path, "dapo")
    learns = stage.section.optim.model_copy(update={"lr": 0.05})
    with pytest.raises(ModelError, match="samples from other weights"):
        dapo.train(replace(stage, section=stage.section.model_copy(update={"optim": learns})))


def test_probabilities_that_vllm_does_not_know_are_not_taken_for_known(vllm: Any) -> None:
    class Engine:
        def generate(self, *_: Any) -> Any:
            return None, [[5, 9]], [[[None], [-1.0]]], None

    [drawn] = VllmSampler(Engine(), 9)([Draw((1,), 0, 4)])
    assert math.isnan(drawn.logps[0])
    assert drawn.logps[1] == -1.0


@pytest.mark.parametrize("more", ["top_p = 0.9", "top_k = 20"])
def test_what_vllm_leaves_out_of_its_probabilities_is_refused(tmp_path: Path, more: str) -> None:
    with pytest.raises(ConfigError, match=r"dapo1: vllm gives log-probabilities after top_p"):
        tiny.stage(tmp_path, tiny.recipe_text(two.DAPO + more, VLLM))


def test_places_at_the_engine(tmp_path: Path) -> None:
    section: Any = stage_of(tmp_path, "dapo").section.model_copy(update={"prompts": 64})
    assert seats(section, 4, 8) == 128
    assert seats(section, 1, 8) == SEATS
    assert seats(section, 64, 6) == 6


def test_what_trl_gives_back_is_as_it_was() -> None:
    """The class can't be tried without an engine; what is read of it is its own text."""
    source = inspect.getsource(VLLMGeneration.generate)
    assert "return prompt_ids, completion_ids, logprobs, logprob_token_ids" in source
    assert '"logprobs": self.logprobs' in source
    made = inspect.getsource(VLLMGeneration._init_vllm)
    assert "model=model.name_or_path" in made
    assert 'logprobs_mode="processed_logprobs"' in made
    known = inspect.getsource(vllm_generation.extract_logprobs)
    assert "None if math.isnan(item.logprob) else item.logprob" in known
    assert "full_tensor()" in inspect.getsource(VLLMGeneration._iter_fsdp2_params)
