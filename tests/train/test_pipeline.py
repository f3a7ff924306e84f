"""The stages in order, each from the best of the one before, in a folder of their own."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from botpsy.cli.main import app
from botpsy.data.files import LOCK, alone
from botpsy.errors import BotpsyError, UsageError
from tests.train.test_plan import more
from tests.train.toy import NEEDS_TORCH, recipe_text, toy_recipe, write_data

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from safetensors.torch import load_file  # noqa: E402

from botpsy.train import pipeline  # noqa: E402
from botpsy.train.model import bfloat16_cost, load, save  # noqa: E402
from botpsy.train.pipeline import Run, run, stage_of  # noqa: E402
from botpsy.train.recipe import TrainRecipe  # noqa: E402
from botpsy.train.selection import Point, write_points  # noqa: E402
from botpsy.train.stage import Stage  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


class FakeStages:
    """Stages that only write down what they were given; each checkpoint is the start, at step 2."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, value: float = 1.0) -> None:
        self.seen: list[Stage] = []
        self.value = value
        monkeypatch.setitem(sys.modules, "fake_stage", self)  # type: ignore[arg-type]
        names = dict.fromkeys(pipeline._MODULES, "fake_stage")
        monkeypatch.setattr(pipeline, "_MODULES", names)

    def train(self, stage: Stage) -> None:
        self.seen.append(stage)
        loaded = load(stage.start, stage.chat, "float32")
        save(loaded, stage.folder / "checkpoints/checkpoint-2")
        write_points(
            stage.folder / "evals.jsonl",
            [Point(0, {"loss": 2.0}), Point(2, {"loss": self.value})],
        )


@pytest.fixture
def whole(tmp_path: Path, toy_data: Path) -> TrainRecipe:
    return toy_recipe(tmp_path, toy_data, more=more(toy_data))


def test_each_stage_begins_from_the_best_before_it(
    tmp_path: Path, whole: TrainRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeStages(monkeypatch)
    folder = tmp_path / "run"
    run(Run(whole, folder))
    assert [stage.name for stage in fake.seen] == ["sft", "teacher-big-dapo", "mopd", "dapo1"]
    assert [stage.start for stage in fake.seen] == [
        folder / "base",
        folder / "base-big",
        folder / "sft/best",
        folder / "mopd/best",
    ]
    assert fake.seen[2].teachers == {"big": folder / "teacher-big-dapo/best"}
    assert load(folder / "base-big", fake.seen[0].chat, "float32").model.config.hidden_size == 160
    chosen = json.loads((folder / "mopd/selection.json").read_text())
    assert (chosen["step"], chosen["suite"]) == (2, "loss")
    assert chosen["reason"] == "loss is 1, at the start 2; best of 2 checkpoints"
    assert set(chosen["weights"]) == {"model.safetensors"}
    assert not (folder / "mopd/checkpoints").exists()
    page = (folder / "report.html").read_text("utf-8")
    assert "Step 2 goes on: loss is 1" in page
    assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
    run(Run(whole, folder))  # all is done
    assert len(fake.seen) == 4


def test_a_stage_that_only_harms_hands_on_its_start(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeStages(monkeypatch, value=3.0)
    folder = tmp_path / "run"
    run(Run(toy_recipe(tmp_path, toy_data), folder))
    assert json.loads((folder / "sft/selection.json").read_text())["step"] == 0
    begun, kept = (load_file(folder / each / "model.safetensors") for each in ("base", "sft/best"))
    assert all(torch.equal(begun[name], kept[name]) for name in begun)


def test_one_stage_alone(
    tmp_path: Path, whole: TrainRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeStages(monkeypatch)
    this = Run(whole, tmp_path / "run")
    with pytest.raises(UsageError, match=r"There is no stage 'rl'.*sft, teacher-big-dapo, mopd"):
        run(this, "rl")
    assert not this.folder.exists()
    with pytest.raises(UsageError, match="mopd starts from sft, which is not done"):
        run(this, "mopd")
    run(this, "sft")
    with pytest.raises(UsageError, match="The teacher big is not trained"):
        run(this, "mopd")
    run(this, "teacher-big-dapo")
    run(this, "mopd")
    assert [stage.name for stage in fake.seen] == ["sft", "teacher-big-dapo", "mopd"]


def test_a_ready_teacher(tmp_path: Path, toy_data: Path, toy_base: Path) -> None:
    text = more(toy_data).split("[mopd]")
    ready = (
        f'\n[[teacher]]\nname = "big"\nroutes = ["tools"]\nmodel = "{toy_base}"\n[mopd]{text[1]}'
    )
    this = Run(toy_recipe(tmp_path, toy_data, more=ready), tmp_path / "run")
    (tmp_path / "run/sft").mkdir(parents=True)
    (tmp_path / "run/sft/selection.json").write_text("{}")
    assert stage_of(this, "mopd").teachers == {"big": toy_base}


@pytest.mark.parametrize(("dtype", "cost"), [("bfloat16", 1.9), ("bfloat16", 60), ("float32", 60)])
def test_a_type_that_the_processor_does_not_know_is_told(
    tmp_path: Path,
    toy_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    dtype: str,
    cost: float,
) -> None:
    assert 0 < bfloat16_cost() < math.inf
    monkeypatch.setattr("botpsy.train.model.bfloat16_cost", lambda: cost)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    FakeStages(monkeypatch)
    run(Run(toy_recipe(tmp_path, toy_data, model=f'dtype = "{dtype}"'), tmp_path / "run"))
    told = "bfloat16 takes 60 times as long" in caplog.text
    assert told == (dtype == "bfloat16" and cost == 60)


def test_a_folder_holds_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeStages(monkeypatch)
    data = write_data(tmp_path / "data")
    folder = tmp_path / "run"
    run(Run(toy_recipe(tmp_path, data), folder))
    another = r"the run of another recipe: sft\.limit_steps differ"
    with pytest.raises(UsageError, match=another):
        run(Run(toy_recipe(tmp_path, data, limit_steps=5), folder))
    kept = folder / "recipe.json"
    older = json.loads(kept.read_text())
    del older["sft"]["checkpointing"]  # as if that key had come with a later version
    kept.write_text(json.dumps(older))
    run(Run(toy_recipe(tmp_path, data), folder))
    with pytest.raises(UsageError, match=r"sft\.checkpointing differ"):
        run(Run(toy_recipe(tmp_path, data, checkpointing=True), folder))
    kept.write_text(json.dumps({**older, "sugar": 1}))
    with pytest.raises(UsageError, match="does not read the recipe that was kept: sugar"):
        run(Run(toy_recipe(tmp_path, data), folder))
    kept.write_text(json.dumps(older))
    rows = data / "conversations.jsonl"
    rows.write_text("".join(rows.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(UsageError, match="begun with other files; these differ: data"):
        run(Run(toy_recipe(tmp_path, data), folder))
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("precious")
    with pytest.raises(UsageError, match="is not empty and holds no run"):
        run(Run(toy_recipe(tmp_path, data), other))
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


def test_data_is_built_first(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeStages(monkeypatch)
    (tmp_path / "rows.toml").write_text(
        'name = "rows"\nvalidation = 0.3\n[[source]]\nname = "worlds"\nrows = 12\n'
    )
    recipe = toy_recipe(tmp_path, toy_data, rows=["rows.toml"])
    run(Run(recipe, tmp_path / "run"))
    (stage,) = fake.seen
    assert stage.files("rows.toml", "conversations") == [
        tmp_path / "run/data/rows/conversations.jsonl"
    ]


def test_the_number_of_processes_is_the_recipes(tmp_path: Path, toy_data: Path) -> None:
    two = toy_recipe(tmp_path, toy_data, model="[launch]\nprocesses = 2")
    with pytest.raises(UsageError, match=r"for 2 processes, and there are 1.*--nproc_per_node 2"):
        run(Run(two, tmp_path / "run"))


def test_the_number_of_threads_is_the_recipes(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeStages(monkeypatch)
    asked: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    run(Run(toy_recipe(tmp_path, toy_data), tmp_path / "one"))
    assert asked == []
    run(Run(toy_recipe(tmp_path, toy_data, model="[launch]\nthreads = 3"), tmp_path / "two"))
    assert asked == [3]


def test_two_trainings_in_one_folder_do_not_meet(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeStages(monkeypatch)
    this = Run(toy_recipe(tmp_path, toy_data), tmp_path / "run")
    this.folder.mkdir()
    with alone(this.folder, "run", "recipe.json"), pytest.raises(UsageError, match="Another run"):
        run(this)
    run(this)
    assert this.done("sft")
    assert not (this.folder / LOCK).exists()


def test_what_stops_a_stage_is_said_and_the_report_is_there(
    tmp_path: Path, whole: TrainRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeStages(monkeypatch)
    train = fake.train

    def fails_in_the_second(stage: Stage) -> None:
        if stage.name != "sft":
            raise BotpsyError("The disk is full.")
        train(stage)

    monkeypatch.setattr(fake, "train", fails_in_the_second)
    this = Run(whole, tmp_path / "run")
    with pytest.raises(BotpsyError, match="The disk is full"):
        run(this)
    assert "goes on" in (this.folder / "report.html").read_text("utf-8")
    monkeypatch.setattr(pipeline, "write_report", full_disk)
    with pytest.raises(BotpsyError, match="The disk is full"):
        run(this)


def full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_stopped_by_hand_it_says_how_to_go_on(
    tmp_path: Path, toy_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "run", stopped)
    path = tmp_path / "toy.toml"
    path.write_text(recipe_text(toy_data), "utf-8")
    said = CliRunner().invoke(app, ["train", str(path), "--out", str(tmp_path / "run")])
    assert said.exit_code == 130
    assert "The same command goes on from the last checkpoint" in said.stderr


def test_the_command_line_trains(tmp_path: Path, toy_data: Path, toy_base: Path) -> None:
    path = tmp_path / "toy.toml"
    text = recipe_text(toy_data, limit_steps=2)
    text = text.replace('base = "random:tiny"', f'base = "{toy_base}"')
    text = text.replace("vocabulary = 384\n", "").replace(f'texts = ["{toy_data}"]\n', "")
    path.write_text(text, "utf-8")
    said = CliRunner().invoke(app, ["train", str(path), "--out", str(tmp_path / "run"), "--json"])
    assert said.exit_code == 0, said.output
    made: dict[str, Any] = json.loads(said.stdout[said.stdout.index("{") :])
    assert made["stages"][0]["step"] == 2
    assert made["stages"][0]["value"] < made["stages"][0]["start"]
    run_file = json.loads((tmp_path / "run/run.json").read_text())
    assert run_file["seed"] == 3
    assert run_file["packages"]["trl"] == "1.16.0"
