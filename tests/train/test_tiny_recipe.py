"""The tiny recipe, whole: every stage improves its own measure, and a kill changes nothing.

Margins leave room below what several seeds gave (docs/tiny.md).
"""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from botpsy.train.recipe import read_recipe
from botpsy.train.selection import Point, read_points
from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

RECIPE = Path(__file__).parents[2] / "recipes/tiny.toml"
MARGINS = {"sft": 0.1, "mopd": 0.25, "dapo1": 0.05, "dapo2": 0.02}
"""By which a stage must improve the suite that chooses its checkpoint."""


def start(out: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "botpsy", "train", str(RECIPE), "--out", str(out), *more]
    return subprocess.Popen(
        [*command, "--workers", "1"],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def chosen(run: Path, stage: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / stage / "selection.json").read_text("utf-8"))
    return found


def best(run: Path, stage: str) -> Point:
    step = chosen(run, stage)["step"]
    points = read_points(run / stage / "evals.jsonl")
    return next(point for point in points if point.step == step)


def every_stage_improves_its_own_measure(whole: Path) -> None:
    for stage, margin in MARGINS.items():
        found = chosen(whole, stage)
        assert found["value"] - found["start"] >= margin, (stage, found["reason"])


def each_stage_begins_where_the_one_before_ended(whole: Path) -> None:
    for before, stage in pairwise(MARGINS):
        first = read_points(whole / stage / "evals.jsonl")[0]
        assert first.suites == best(whole, before).suites


def each_teacher_knows_its_route_better_than_the_student(whole: Path) -> None:
    recipe = read_recipe(RECIPE)
    assert len(recipe.teacher) == 3
    student = best(whole, "sft").suites
    for teacher in recipe.teacher:
        mine = best(whole, f"teacher-{teacher.name}-sft").suites[teacher.name]
        assert mine >= student[teacher.name] + 0.1, teacher.name
        assert mine >= 0.8, teacher.name


def the_student_comes_nearer_to_each_teacher(whole: Path) -> None:
    lines = metrics(whole, "mopd")
    for teacher in read_recipe(RECIPE).teacher:
        gaps = [line[f"kl/{teacher.name}"] for line in lines]
        assert sum(gaps[-8:]) < 0.5 * sum(gaps[:8]), teacher.name


def metrics(run: Path, stage: str) -> list[dict[str, float]]:
    lines = (run / stage / "metrics.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if "loss" in line]


def what_is_logged_is_finite_and_the_report_has_every_stage(whole: Path) -> None:
    page = (whole / "report.html").read_text("utf-8")
    for stage in read_recipe(RECIPE).stages():
        lines = metrics(whole, stage)
        assert lines
        assert all(math.isfinite(value) for line in lines for value in line.values())
        assert f"<h2>{stage}</h2>" in page
        assert (whole / stage / "curves.png").is_file()
    logged = metrics(whole, "dapo1")[0].keys()
    assert {"groups/kept", "entropy", "all/loops", "all/limit/length", "time/sampled_s"} <= logged


def killed_and_gone_on_the_weights_are_the_same(whole: Path) -> None:
    out = whole.with_name("again")
    shutil.copytree(whole, out, ignore=shutil.ignore_patterns("dapo1", "dapo2"))
    running = start(out, "--stage", "dapo1")
    marker = out / "dapo1/checkpoints/checkpoint-8/whole.json"
    deadline = time.monotonic() + 600
    while not marker.exists():
        assert running.poll() is None, running.communicate()[0].decode("utf-8", "replace")[-4000:]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert not (out / "dapo1/selection.json").exists()
    again = start(out, "--stage", "dapo1")
    said, _ = again.communicate()
    assert again.returncode == 0, said.decode("utf-8", "replace")[-4000:]
    assert chosen(out, "dapo1") == chosen(whole, "dapo1")


@pytest.mark.timeout(1200)
def test_the_tiny_recipe(tmp_path: Path) -> None:
    """One test, since what it looks at takes minutes to make, and workers share nothing."""
    whole = tmp_path / "run"
    running = start(whole)
    said, _ = running.communicate()
    assert running.returncode == 0, said.decode("utf-8", "replace")[-4000:]
    every_stage_improves_its_own_measure(whole)
    each_stage_begins_where_the_one_before_ended(whole)
    each_teacher_knows_its_route_better_than_the_student(whole)
    the_student_comes_nearer_to_each_teacher(whole)
    what_is_logged_is_finite_and_the_report_has_every_stage(whole)
    killed_and_gone_on_the_weights_are_the_same(whole)
