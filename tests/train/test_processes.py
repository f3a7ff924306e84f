"""Two processes train to the weights of one: each kind of stage, with whole copies and sharded.

Weights agree to rounding, not to the bit: two processes add up the same gradients in another order,
in float32 a relative difference of 1e-7, and Adam divides each by its own size, so a weight whose
gradient is next to nothing may move apart by a part of a step.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.train import dapo  # noqa: E402
from botpsy.train.selection import read_points  # noqa: E402
from tests.train import tiny, two  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")
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
