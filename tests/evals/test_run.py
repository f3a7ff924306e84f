"""Runs go on where they stopped; failures of the engine and of ours are no wrong answers."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.chat.types import Message, Sampling, ToolSpec
from botpsy.engines.scripted import Scripted
from botpsy.errors import ContextOverflowError, EngineError, UsageError
from botpsy.evals import run as running
from botpsy.evals.case import Case, Suite, Verdict, passed
from botpsy.evals.record import RECORDS, Record, Records
from botpsy.evals.result import result_of
from botpsy.evals.run import Settings, again, bounds, chosen, run
from tests.evals.made_up import SUITE, cases

CASES = list(cases(Path()))


def knows(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> str:
    if messages[0].content == "Hello.":
        return "Hello."
    a, b = messages[0].content.rstrip("?").split(" + ")
    return str(int(a) + int(b))


class Failing(Scripted):
    """Fails so many times before it answers; counts what it answered."""

    def __init__(self, failures: int, error: Exception) -> None:
        super().__init__(knows)
        self.failures, self.error, self.lock = failures, error, threading.Lock()

    def complete(self, *args: Any, **kwargs: Any) -> Any:
        with self.lock:
            if self.failures:
                self.failures -= 1
                raise self.error
        return super().complete(*args, **kwargs)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "FIRST_WAIT_S", 0.001)
    monkeypatch.setattr(running, "LONGEST_WAIT_S", 0.002)


def made(folder: Path, engine: Any = None, suite: Suite = SUITE, **settings: Any) -> Records:
    folder.mkdir(exist_ok=True)
    records = Records(folder)
    engines = {"model": [engine or Scripted(knows)]}
    run(suite, CASES, engines, records, Settings(**settings))
    return records


def verdicts(records: Records) -> dict[tuple[str, int], Any]:
    return {
        (each.case, each.trial): each.verdict and each.verdict.measures for each in records.last()
    }


def test_every_case_once_whatever_is_in_flight(tmp_path: Path) -> None:
    one = made(tmp_path / "one")
    eight = made(tmp_path / "eight", concurrency=8)
    assert len(one.found) == len(eight.found) == 30
    assert verdicts(one) == verdicts(eight)
    assert all(measures["passed"] == (1.0, 1.0) for measures in verdicts(one).values())


def test_seeds_are_the_cases_own(tmp_path: Path) -> None:
    engines = [Scripted(knows), Scripted(knows)]
    made(tmp_path / "a", engines[0], trials=2, seed=5)
    made(tmp_path / "b", engines[1], trials=2, seed=5, concurrency=4)
    seeds = [sorted((each.messages[0].content, each.sampling.seed) for each in engine.asked)
             for engine in engines]  # fmt: skip
    assert seeds[0] == seeds[1]
    assert len({seed for _, seed in seeds[0]}) > 55


def test_stopped_and_gone_on(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole")
    records = Records(tmp_path / "whole")
    lines = (tmp_path / "whole" / RECORDS).read_bytes().splitlines(keepends=True)
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / RECORDS).write_bytes(b"".join(lines[:9]) + lines[9][:40])
    engine = Scripted(knows)
    half = made(tmp_path / "half", engine)
    assert verdicts(half) == verdicts(whole) == verdicts(records)
    assert len(half.found) == 30
    assert len({each.messages[0].content for each in engine.asked}) == 21


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / RECORDS).write_text('{"hello": 1}\n', "utf-8")
    with pytest.raises(UsageError, match="holds no records"):
        Records(tmp_path)
    assert (tmp_path / RECORDS).read_text("utf-8") == '{"hello": 1}\n'


def test_a_failure_of_the_engine_is_tried_again(tmp_path: Path) -> None:
    records = made(tmp_path / "run", Failing(2, EngineError("busy")))
    assert all(each.verdict for each in records.found)


def test_a_dead_engine_is_waited_for(tmp_path: Path) -> None:
    said: list[str] = []
    records = Records(tmp_path)
    engines = {"model": [Failing(40, EngineError("no route"))]}
    run(SUITE, CASES, engines, records, Settings(concurrency=4), say=said.append)
    assert len(records.found) == 30
    assert all(each.verdict for each in records.found)
    assert len(said) >= 2
    assert "Waiting for the engine: no route" in said[0]


def test_what_fails_for_good_is_an_error_and_tried_in_the_next_run(tmp_path: Path) -> None:
    class Picky(Scripted):
        def complete(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            if messages[0].content.startswith("3 "):
                raise EngineError("I do not like threes")
            return super().complete(messages, *args, **kwargs)

    records = made(tmp_path / "run", Picky(knows))
    bad = [each for each in records.found if each.error]
    assert {each.case for each in bad} == {"small/3", "twice/3"}
    result = result_of(SUITE, records.last(), {})
    assert (result.errors, result.cases, result.whole) == (2, 28, False)
    assert result.scores["overall"].value == 1.0
    again_ = made(tmp_path / "run")
    assert result_of(SUITE, again_.last(), {}).whole


def test_a_fault_of_ours_is_kept_and_no_wrong_answer(tmp_path: Path) -> None:
    def breaks(case: Case, talk: Any) -> Verdict:
        if case.id == "small/4":
            raise ZeroDivisionError
        return passed(True)

    records = made(tmp_path / "run", suite=replace(SUITE, play=breaks))
    [bad] = [each for each in records.found if each.fault]
    assert "ZeroDivisionError" in bad.fault
    assert result_of(SUITE, records.last(), {}).faults == 1


def test_a_prompt_beyond_the_window_is_the_models_failure(tmp_path: Path) -> None:
    records = made(tmp_path / "run", Failing(1000, ContextOverflowError(9, 5)))
    result = result_of(SUITE, records.last(), {})
    assert (result.whole, result.overflows, result.parse_failures) == (True, 1.0, 0.0)
    assert result.scores["overall"].value == 0.0


def test_a_record_can_be_played_again(tmp_path: Path) -> None:
    records = made(tmp_path / "run")
    by_id = {case.id: case for case in CASES}
    for each in Records(tmp_path / "run").found:
        assert again(SUITE, by_id[each.case], each).verdict == each.verdict
    changed = replace(SUITE, play=lambda case, talk: SUITE.play(CASES[0], talk))
    [record] = [each for each in records.found if each.case == "large/1"]
    assert "another than was recorded" in again(changed, by_id["large/1"], record).fault


def test_floor_and_ceiling() -> None:
    found = bounds(SUITE, CASES)
    values = {
        name: result_of(SUITE, some, {}).scores["overall"].value for name, some in found.items()
    }
    assert values == {"do-nothing": 0.0, "always-call": 0.0, "gold": 1.0}
    assert bounds(replace(SUITE, roles=("user",)), CASES) == {}


def test_a_sample_has_its_share_of_every_category() -> None:
    ten = chosen(CASES, 10, seed=1)
    assert len(ten) == 10
    counts = Counter(case.category for case in ten)
    assert counts["small"] > counts["large"] >= 1
    assert counts["twice"] >= 1
    assert chosen(CASES, 10, seed=1) == ten
    assert chosen(CASES, 10, seed=2) != ten
    assert {case.id for case in ten} <= {case.id for case in chosen(CASES, 15, seed=1)}
    assert chosen(CASES, 0, seed=1) == chosen(CASES, 99, seed=1) == CASES
    assert len({case.category for case in chosen(CASES, 3, seed=1)}) == 3


@given(st.text(max_size=200))
def test_whatever_is_said_is_kept_as_it_was(text: str) -> None:
    engine = Scripted(lambda messages, tools: text)
    talk = running.Live({"model": engine}, Sampling(), 1)
    verdict = SUITE.play(CASES[0], talk)
    record = Record("c", 0, "small", "", "", tuple(talk.turns), verdict)
    import json

    from botpsy.evals.record import record_of

    assert record_of(json.loads(record.line())) == record
