"""Both stages that learn from their own samples, on one process and on two."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.train.model import save  # noqa: E402
from tests.train import tiny, two  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both stages, by one process and by two."""
    folder = tmp_path_factory.mktemp("runs")
    for name in two.STAGES:
        tiny.stage(folder / name, tiny.recipe_text(tiny.DAPO), "made")
    save(tiny.model(3), folder / "mopd" / "teacher")
    one = [sys.executable, "-m"]
    both = [*one, "torch.distributed.run", "--nproc_per_node=2", "--standalone", "-m"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    for command, run in ((one, "one"), (both, "two")):
        made = subprocess.run(
            [*command, "tests.train.two", str(folder), run],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stderr[-4000:]
    return folder


@pytest.mark.parametrize("name", two.STAGES)
def test_two_processes_train_to_the_weights_of_one(runs: Path, name: str) -> None:
    last = "checkpoint-4" if name == "dapo" else "checkpoint-2"
    one, both = (tiny.weights(runs / name / run / "checkpoints" / last) for run in ("one", "two"))
    start = tiny.weights(runs / name / "start")
    moved = torch.cat([(one[weight] - start[weight]).abs().flatten() for weight in one])
    apart = torch.cat([(one[weight] - both[weight]).abs().flatten() for weight in one])
    # Adam makes much of a gradient that is next to nothing, so single weights may round apart.
    assert moved.mean() > 1e-3
    assert apart.mean() < 1e-3 * moved.mean()
    assert apart.max() < 0.1 * moved.max()


@pytest.mark.parametrize("name", two.STAGES)
def test_two_processes_tell_what_one_does(runs: Path, name: str) -> None:
    lines = []
    for run in ("one", "two"):
        text = (runs / name / run / "metrics.jsonl").read_text("utf-8")
        lines.append([each for each in map(json.loads, text.splitlines()) if "loss" in each])
    for one, both in zip(*lines, strict=True):
        assert both["loss"] == pytest.approx(one["loss"], abs=1e-5)
        assert both["grad_norm"] == pytest.approx(one["grad_norm"], rel=1e-3)
        for figure in one:
            if figure.startswith(("choice/", "a/", "b/", "all/", "groups/", "kl/", "prompts/")):
                assert both[figure] == pytest.approx(one[figure], rel=1e-4), figure
