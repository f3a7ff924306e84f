"""``botpsy eval``: run, go on, verify, compare; as a user would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from botpsy import engines
from botpsy.cli.main import app
from botpsy.engines.scripted import Scripted
from botpsy.errors import UsageError
from botpsy.evals import registry
from botpsy.evals.record import RECORDS
from botpsy.evals.runs import load_runs
from tests.evals import made_up
from tests.evals.test_run import knows


@pytest.fixture(autouse=True)
def sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.MODULES, "made_up", ("sums",))
    monkeypatch.setitem(sys.modules, "botpsy.evals.suites.made_up", made_up)


def load(name: str, **_: Any) -> Scripted:
    """``good`` knows all, ``bad`` is off by one for even numbers."""

    def slips(messages: Any, tools: Any) -> str:
        right = int(knows(messages, tools)) if messages[0].content != "Hello." else 0
        return str(right + 1) if right % 2 == 0 else str(right)

    return Scripted({"good": knows, "bad": slips}[name], name=name)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "load", load)


def call(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


def test_the_list_says_what_there_is() -> None:
    said = call("list")
    assert said.exit_code == 0, said.exception
    assert "sums  Sums" in said.stdout
    listed = json.loads(call("list", "--json").stdout)
    assert {"name", "title", "about", "without", "data", "roles"} <= listed[-1].keys()


@pytest.mark.usefixtures("models")
def test_run_verify_and_compare(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        said = call("run", "sums", "--model", name, "--out", tmp_path / name, "--concurrency", 4)
        assert said.exit_code == 0, said.exception
    assert "| overall | 100.0% (100.0% to 100.0%) | 30 |" in call(
        "run", "sums", "--model", "good", "--out", tmp_path / "good"
    ).stdout  # fmt: skip
    page = (tmp_path / "bad/sums/report.html").read_text("utf-8")
    assert "gold 100.0%" in page
    assert "do-nothing 0.0%" in page
    assert "large/1" not in page.partition("Cases without success")[2]
    assert "small/1" in page.partition("Cases without success")[2]
    assert call("verify", tmp_path / "good/sums").exit_code == 0
    made = call("compare", tmp_path / "good", tmp_path / "bad", "--out", tmp_path / "both")
    assert made.exit_code == 0, made.exception
    assert "sums" not in made.stdout.partition("| Suite |")[0]
    assert "0 won, 14 lost" in made.stdout
    assert (tmp_path / "both/report.html").is_file()
    as_json = json.loads(call("compare", tmp_path / "good", tmp_path / "bad", "--json").stdout)
    [pair] = as_json["pairs"]
    assert pair["p"] < 1e-3
    assert pair["gain"]["value"] < -0.4


@pytest.mark.usefixtures("models")
def test_a_verdict_that_differs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("run", "sums", "--model", "good", "--out", tmp_path)
    lines = (tmp_path / "sums" / RECORDS).read_text("utf-8").splitlines()
    changed = [
        line.replace('"passed": [1.0, 1.0]', '"passed": [0.0, 1.0]', 1) for line in lines[:1]
    ]
    (tmp_path / "sums" / RECORDS).write_text("\n".join(changed + lines[1:]) + "\n", "utf-8")
    said = call("verify", tmp_path / "sums", "--workers", 1)
    assert said.exit_code == 1
    assert "differs in 1 cases" in said.stdout


@pytest.mark.usefixtures("models")
def test_a_sample_is_called_one_and_a_run_holds_to_what_it_began_with(tmp_path: Path) -> None:
    said = call("run", "sums", "--model", "good", "--out", tmp_path, "--limit", 6)
    assert "## Sums, a sample of 6 cases" in said.stdout
    other = call("run", "sums", "--model", "good", "--out", tmp_path, "--limit", 8)
    assert isinstance(other.exception, UsageError)
    assert "another limit" in str(other.exception)
    more = call("run", "sums", "--model", "good", "--out", tmp_path, "--limit", 6, "--trials", 3)
    assert "pass^3 100.0%" in more.stdout
    [loaded] = load_runs([tmp_path])
    assert loaded.result.trials == 18


@pytest.mark.usefixtures("models")
def test_mistakes_are_told(tmp_path: Path) -> None:
    assert "Did you mean sums?" in str(
        call("run", "sum", "--model", "good", "--out", tmp_path).exception
    )
    (tmp_path / "sums").mkdir()
    (tmp_path / "sums/letter.txt").write_text("dear", "utf-8")
    said = call("run", "sums", "--model", "good", "--out", tmp_path)
    assert "holds no run" in str(said.exception)
    assert "There is no run in" in str(call("compare", tmp_path / "nowhere").exception)
    for text in ("{", "[]", '{"name": "tiny", "seed": 1}'):
        (tmp_path / "run.json").write_text(text, "utf-8")
        for command in ("compare", "verify"):
            assert "is of no evaluation" in str(call(command, tmp_path).exception)


SCRIPT = """
import sys, time
sys.path.insert(0, {root!r})
from botpsy import engines
from botpsy.cli.main import app
from botpsy.evals import registry
from tests.evals import made_up
from tests.evals.test_cli import load
registry.MODULES["made_up"] = ("sums",)
sys.modules["botpsy.evals.suites.made_up"] = made_up
def slow(name, **more):
    engine = load(name)
    keep = engine.complete
    def complete(*args, **kwargs):
        time.sleep(0.02)
        return keep(*args, **kwargs)
    engine.complete = complete
    return engine
engines.load = slow
app(["eval", "run", "sums", "--model", "bad", "--out", {out!r}])
"""


def test_killed_and_gone_on_it_is_the_same(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])

    def start(out: Path) -> subprocess.Popen[bytes]:
        code = SCRIPT.format(root=root, out=str(out))
        return subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    assert start(tmp_path / "whole").wait(60) == 0
    broken = start(tmp_path / "broken")
    records = tmp_path / "broken/sums" / RECORDS
    deadline = time.monotonic() + 60
    while not (records.exists() and records.read_bytes().count(b"\n") > 5):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    broken.send_signal(signal.SIGKILL)
    broken.wait()
    assert records.read_bytes().count(b"\n") < 30
    with records.open("ab") as file:  # as if the kill had met a write
        file.write(b'{"case": "small/1')
    assert start(tmp_path / "broken").wait(60) == 0
    whole, again = (load_runs([tmp_path / name])[0].result for name in ("whole", "broken"))
    assert whole.scores == again.scores
    assert again.trials == 30
    assert not os.path.exists(tmp_path / "broken/sums/.lock")  # noqa: PTH110
