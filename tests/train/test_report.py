"""The report of a run: whole, escaped, of what there is so far."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from botpsy.cli.main import app
from botpsy.errors import UsageError
from botpsy.train.recipe import TrainRecipe
from botpsy.train.report import write_report
from botpsy.train.selection import Point, choose, error_of, write_points
from tests.train.test_plan import more
from tests.train.toy import recipe_text, toy_recipe

pytest.importorskip("matplotlib", reason="needs the train extra: pip install 'botpsy[train]'")
PNG = b"\x89PNG\r\n"


def a_run(folder: Path, *, reason: str = "the best") -> None:
    """A run that died in its second stage."""
    (folder / "sft").mkdir(parents=True)
    (folder / "mopd").mkdir()
    about = {"botpsy": "1", "seed": 3, "recipe": "x", "packages": {"torch": "<b>2</b>"}}
    (folder / "run.json").write_text(json.dumps(about), "utf-8")
    steps = [{"step": n, "loss": 2.0 / n, "tokens": 10, "seconds": 0.5} for n in (1, 2, 3)]
    text = "".join(json.dumps(line) + "\n" for line in steps)
    (folder / "sft/metrics.jsonl").write_text(text, "utf-8")
    write_points(folder / "sft/evals.jsonl", [Point(0, {"loss": 2.5}), Point(2, {"loss": 1.25})])
    chosen = {"step": 2, "reason": reason}
    (folder / "sft/selection.json").write_text(json.dumps(chosen), "utf-8")
    figures = {"kl/big": 0.5, "time/sampled_s": 1.0, "time/learn_s": 2.0, "all/reward": 1.0}
    torn = json.dumps({"step": 1, "loss": 1.0} | figures) + '\n{"step": 2, "lo'
    (folder / "mopd/metrics.jsonl").write_text(torn, "utf-8")
    write_points(folder / "mopd/evals.jsonl", [Point(0, {"loss": 1.25}), Point(2, {"loss": 1.5})])


@pytest.fixture
def recipe(tmp_path: Path, toy_data: Path) -> TrainRecipe:
    return toy_recipe(tmp_path, toy_data, more=more(toy_data))


def test_what_each_stage_came_to(tmp_path: Path, recipe: TrainRecipe) -> None:
    a_run(tmp_path / "run")
    page = write_report(tmp_path / "run", recipe).read_text("utf-8")
    assert "Step 2 goes on: the best." in page
    assert re.search(r"2\.5 → 1\.25.*?better", page)
    assert re.search(r"1\.25 → 1\.5.*?worse", page)
    assert "30 tokens in 2 s" in page
    assert "Not done yet." in page
    assert page.count("data:image/png;base64,") == 3
    for name in ("", "sft", "mopd"):
        assert (tmp_path / "run" / name / "curves.png").read_bytes().startswith(PNG)


def test_nothing_is_loaded_from_elsewhere_and_all_words_are_escaped(
    tmp_path: Path, recipe: TrainRecipe
) -> None:
    a_run(tmp_path / "run", reason="<script>alert(1)</script>\ud800")
    page = write_report(tmp_path / "run", recipe).read_text("utf-8")
    assert "<script" not in page
    assert "<b>2" not in page
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "http" not in page


def test_a_folder_without_a_run(tmp_path: Path, recipe: TrainRecipe) -> None:
    with pytest.raises(UsageError, match="holds no run yet"):
        write_report(tmp_path, recipe)


def test_the_command_line_writes_it_anew(tmp_path: Path, toy_data: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_text(recipe_text(toy_data, more=more(toy_data)), "utf-8")
    a_run(tmp_path / "run")
    said = CliRunner().invoke(app, ["train", str(path), "--out", f"{tmp_path}/run", "--report"])
    assert said.exit_code == 0, said.exception
    assert (tmp_path / "run/report.html").is_file()


def test_noise_is_told(recipe: TrainRecipe) -> None:
    suite = recipe.suite[0].model_copy(update={"kind": "calls"})
    points = [Point(0, {"loss": 0.4}, {"loss": 100}), Point(2, {"loss": 0.5}, {"loss": 100})]
    assert error_of(points[1], suite) == pytest.approx(0.05)
    assert choose(points, [suite], "loss").reason.startswith("loss is 0.5 ± 0.05, at the start 0.4")
    assert error_of(Point(0, {"loss": 0.4}), suite) == 0.0
    assert error_of(points[1], recipe.suite[0]) == 0.0
