"""Two processes train to the weights of one: each kind of stage, with whole copies and sharded.

Weights agree to rounding, not to the bit: two processes add up the same gradients in another order,
in float32 a relative difference of 1e-7, and Adam divides each by its own size, so a weight whose
gradient is next to nothing may move apart by a part of a step.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.train.toy import NEEDS_TORCH, recipe_text

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.chat.formats import POCKET  # noqa: E402
from botpsy.train import dapo  # noqa: E402
from botpsy.train.model import load  # noqa: E402
from botpsy.train.selection import read_points  # noqa: E402
from tests.train import tiny, two  # noqa: E402
from tests.train.test_plan import more  # noqa: E402

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.timeout(600)]
STAGES = tuple(two.SECTIONS)
LAUNCH = (sys.executable, "-m", "torch.distributed.run", "--standalone")


def start(count: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module in so many processes, on CPUs."""
    return subprocess.run(
        [*LAUNCH, f"--nproc_per_node={count}", "-m", *command],
        env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def last(folder: Path, name: str, run: str) -> Path:
    """The last checkpoint of a run."""
    return folder / name / run / "checkpoints" / f"checkpoint-{two.STEPS[name]}"


def lines(folder: Path, name: str, run: str) -> list[dict[str, float]]:
    """Its steps."""
    return tiny.metrics(two.stage_of(folder, name, run))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Path:
    """All kinds of stages, by this process alone and by two others, each strategy."""
    folder = tmp_path_factory.mktemp("runs")
    two.prepare(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dapo, "score", two.judge)
        two.train(folder, two.ONE)
    made = start(2, "tests.train.two", str(folder), *two.STRATEGIES)
    assert made.returncode == 0, made.stderr[-4000:]
    return folder


@pytest.mark.parametrize("run", two.STRATEGIES)
@pytest.mark.parametrize("name", STAGES)
def test_two_processes_train_to_the_weights_of_one(runs: Path, name: str, run: str) -> None:
    one, both = (tiny.weights(last(runs, name, each)) for each in (two.ONE, run))
    begun = tiny.weights(runs / name / "start")
    assert both.keys() == one.keys()
    moved = torch.cat([(one[weight] - begun[weight]).abs().flatten() for weight in one])
    apart = torch.cat([(one[weight] - both[weight]).abs().flatten() for weight in one])
    assert moved.mean() > 1e-3
    assert apart.mean() < 3e-4 * moved.mean()
    assert apart.max() < 0.05 * moved.max()


@pytest.mark.parametrize("run", two.STRATEGIES)
@pytest.mark.parametrize("name", STAGES)
def test_two_processes_tell_what_one_does(runs: Path, name: str, run: str) -> None:
    for one, both in zip(*(lines(runs, name, each) for each in (two.ONE, run)), strict=True):
        assert both["loss"] == pytest.approx(one["loss"], abs=1e-5)
        assert both["grad_norm"] == pytest.approx(one["grad_norm"], rel=1e-3)
        for figure in one:
            if figure.startswith(("choice/", "a/", "b/", "all/", "groups/", "kl/", "prompts/")):
                assert both[figure] == pytest.approx(one[figure], rel=1e-4), figure


@pytest.mark.parametrize("run", two.STRATEGIES)
@pytest.mark.parametrize("name", STAGES)
def test_two_processes_measure_what_one_does(runs: Path, name: str, run: str) -> None:
    one, both = (read_points(runs / name / each / "evals.jsonl") for each in (two.ONE, run))
    assert [point.step for point in one] == [point.step for point in both]
    for mine, other in zip(one, both, strict=True):
        assert other.suites == pytest.approx(mine.suites, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", two.STRATEGIES)
def test_stopped_and_gone_on_is_the_same(runs: Path, strategy: str) -> None:
    again = f"{strategy}-again"
    made = start(2, "tests.train.two", str(runs), again)
    assert made.returncode == 0, made.stderr[-4000:]
    for name in STAGES:
        one, both = (tiny.weights(last(runs, name, each)) for each in (strategy, again))
        assert all(torch.equal(one[weight], both[weight]) for weight in one), name
        for mine, other in zip(
            *(lines(runs, name, each) for each in (strategy, again)), strict=True
        ):
            assert (mine["loss"], mine["grad_norm"]) == (other["loss"], other["grad_norm"])


@pytest.mark.slow
def test_sharded_in_bfloat16_is_what_one_process_does_in_it(runs: Path) -> None:
    """To bfloat16's rounding, 0.4 %; what is chosen is in it too, and one process reads it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dapo, "score", two.judge)
        two.train(runs, "one-low")
    made = start(2, "tests.train.two", str(runs), "fsdp2-low")
    assert made.returncode == 0, made.stderr[-4000:]
    for name in STAGES:
        one, both = (lines(runs, name, each) for each in ("one-low", "fsdp2-low"))
        assert both[0]["loss"] == pytest.approx(one[0]["loss"], rel=4e-3, abs=1e-6), name
        assert both[0]["grad_norm"] == pytest.approx(one[0]["grad_norm"], rel=0.02), name
        saved = load(last(runs, name, "fsdp2-low"), POCKET, "bfloat16").model
        assert saved.config.dtype == torch.bfloat16
        stored = tiny.weights(last(runs, name, "fsdp2-low"))
        assert {each.dtype for each in stored.values()} == {torch.bfloat16}
        assert stored.keys() == tiny.weights(runs / name / "start").keys()
    drift = lines(runs, "dapo", "fsdp2-low")[0]["drift"]
    assert drift < 1e-3  # log-probabilities are not rounded on their way


def toy(folder: Path, data: Path, strategy: str) -> Path:
    """A recipe of all kinds of stages, for two processes."""
    path = folder / "toy.toml"
    launch = f'[launch]\nprocesses = 2\nthreads = 1\nstrategy = "{strategy}"\n'
    path.write_text(recipe_text(data, model=launch, more=more(data)), "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("rank", ["0", "1"])
def test_an_error_of_one_process_is_told_once_and_ends_all(
    tmp_path: Path, toy_data: Path, rank: str
) -> None:
    command = ("train", str(toy(tmp_path, toy_data, "ddp")), "--out", str(tmp_path / "run"))
    made = start(2, "tests.train.fails", rank, "sft", "2", "error", *command)
    assert made.returncode == 1
    assert made.stderr.count("botpsy: The lamp is out.\n  Change the lamp.") == 1
    assert made.stderr.count("Traceback") == 1  # the launcher's own
    assert "Connection" not in made.stderr


@pytest.mark.slow
def test_a_wrong_recipe_is_told_once(tmp_path: Path, toy_data: Path) -> None:
    path = toy(tmp_path, toy_data, "ddp")
    path.write_text(path.read_text("utf-8").replace("seed = 3", "sead = 3"), "utf-8")
    made = start(2, "botpsy", "train", str(path), "--out", str(tmp_path / "run"))
    assert made.returncode == 1
    assert made.stderr.count("Did you mean seed?") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_the_command_line_goes_on_after_kills_to_the_same_models(
    tmp_path: Path, toy_data: Path
) -> None:
    command = ["train", str(toy(tmp_path, toy_data, "fsdp2")), "--json", "--out"]
    plain, killed = str(tmp_path / "plain"), str(tmp_path / "killed")
    for *where, step in (("1", "sft", "3"), ("0", "mopd", "6"), ("1", "dapo1", "7")):
        made = start(2, "tests.train.fails", *where, step, "gone", *command, killed)
        assert made.returncode == 1
        assert "SIGKILL" in made.stderr, made.stderr[-8000:]
    stages = []
    for out in (killed, plain):
        made = start(2, "botpsy", *command, out)
        assert made.returncode == 0, made.stderr[-4000:]
        stages.append(json.loads(made.stdout)["stages"])  # said by one process alone
    assert [each["stage"] for each in stages[0]] == ["sft", "teacher-big-dapo", "mopd", "dapo1"]
    assert stages[0] == stages[1]  # the hashes of the chosen weights too
    for each in stages[0]:
        one, two_ = (
            [line for line in told.read_text("utf-8").splitlines() if '"loss"' in line]
            for told in (Path(out) / each["stage"] / "metrics.jsonl" for out in (killed, plain))
        )
        assert [json.loads(line)["loss"] for line in one] == [
            json.loads(line)["loss"] for line in two_
        ]
