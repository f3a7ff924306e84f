"""BFCL's single turns: verdicts are the official checker's, and no reply breaks the scorer."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Message, Sampling, ToolCall
from botpsy.engines.scripted import Scripted
from botpsy.errors import ConfigError
from botpsy.evals.case import Case
from botpsy.evals.result import result_of
from botpsy.evals.run import bounds
from botpsy.evals.suites.bfcl import IRRELEVANT, LIVE, NON_LIVE, SUITE, cases, gold, play
from botpsy.evals.suites.bfcl.functions import called, gold_calls, tools_of
from botpsy.evals.suites.bfcl.literals import java_value, javascript_value
from botpsy.evals.suites.bfcl.rules import right
from botpsy.evals.talk import Live
from tests.evals.suites.bfcl_cases import BOIL, CASES, WEIGH

OFFICIAL = json.loads((Path(__file__).parent / "bfcl_official.json").read_text("utf-8"))
BENCHMARKS = os.environ.get("BOTPSY_BENCHMARKS")


@pytest.mark.parametrize("name", CASES)
def test_verdicts_are_the_official_checkers(name: str) -> None:
    language, functions, answer = CASES[name]
    mine = [(calls, verdict) for case, calls, verdict in OFFICIAL if case == name]
    assert {verdict for _, verdict in mine} == {True, False}
    for calls, verdict in mine:
        made = [ToolCall(called, arguments) for called, arguments in calls]
        why = right(functions, made, answer, language, called)  # type: ignore[arg-type]
        assert (not why) == verdict, (calls, why)


@pytest.mark.parametrize("name", CASES)
def test_what_the_answer_allows_is_right(name: str) -> None:
    language, functions, answer = CASES[name]
    made = gold_calls(functions, answer, language)  # type: ignore[arg-type]
    assert not right(functions, made, answer, language, called)  # type: ignore[arg-type]


def case(name: str, category: str = "simple_python") -> Case:
    _, functions, answer = CASES[name]
    messages = [{"role": "user", "content": "Please."}]
    data = {"messages": messages, "functions": functions, "answer": answer}
    return Case(name, category, data)


def said(mine: Case, reply: Any) -> dict[str, float]:
    verdict = play(mine, Live({"model": Scripted([reply])}, Sampling(), 0))
    return {name: made for name, (made, _) in verdict.measures.items()}


BROKEN = "<tool_call>\n<function=kitchen_boil>\n<parameter=what>\neggs\n</function>\n</tool_call>"


def test_no_call_where_none_fits() -> None:
    none = case("boil", "irrelevance")
    call = Message("assistant", calls=(ToolCall("kitchen_boil", {"what": "eggs"}),))
    assert said(none, "I cannot do that.") == {"passed": 1, "official": 1}
    assert said(none, call) == {"passed": 0, "official": 0}
    assert said(none, BROKEN) == {"passed": 0, "official": 1}  # a broken call is no abstention
    some = case("boil", "live_relevance")
    assert said(some, call) == {"passed": 1}
    assert said(some, BROKEN) == {"passed": 0}


def test_a_call_that_its_schema_refuses_is_wrong() -> None:
    call = Message("assistant", calls=(ToolCall("kitchen_boil", {"what": 5}),))
    assert said(case("boil"), call) == {"passed": 0}


def test_functions_become_tools() -> None:
    weigh, boil = tools_of([WEIGH, BOIL], "python")
    assert boil.name == "kitchen_boil"
    kinds = {name: part["type"] for name, part in weigh.parameters["properties"].items()}
    assert kinds == {
        "grams": "number", "tags": "array", "steps": "array", "pair": "array", "note": "string",
    }  # fmt: skip
    assert weigh.parameters["properties"]["tags"]["items"]["type"] == "string"
    assert weigh.parameters["required"] == ["grams"]
    [java] = tools_of(CASES["simple_java"][1], "java")
    assert {part["type"] for part in java.parameters["properties"].values()} == {"string"}
    assert (
        "type ArrayList, of items of type float"
        in (java.parameters["properties"]["sizes"]["description"])
    )


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80), st.sampled_from(sorted(CASES)))
def test_no_text_breaks_it(text: str, name: str) -> None:
    language = CASES[name][0]
    category = name if name.startswith("simple_") else "simple_python"
    assert said(case(name, category), text)["passed"] == 0
    [first, *_] = CASES[name][1]
    arguments: Any = dict.fromkeys(first["parameters"]["properties"], text)
    right([first], [ToolCall(called(first["name"]), arguments)], CASES[name][2][:1],
          language, called)  # type: ignore[arg-type]  # fmt: skip


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_no_arguments_break_it(data: st.DataObject) -> None:
    language, functions, answer = CASES[data.draw(st.sampled_from(sorted(CASES)))]
    function = data.draw(st.sampled_from(functions))
    keys = st.sampled_from([*function["parameters"]["properties"], "other"])
    values = data.draw(st.dictionaries(keys, JSON, max_size=4))
    calls = [ToolCall(called(function["name"]), values)] * len(answer)
    assert isinstance(right(functions, calls, answer, language, called), str)  # type: ignore[arg-type]


@given(st.text(alphabet="new Ary[]{}()<>,.\"'0123aLf:put", max_size=40))
def test_no_literal_breaks_it(text: str) -> None:
    for kind, inner in (
        ("Array", "integer"),
        ("ArrayList", "String"),
        ("HashMap", ""),
        ("long", ""),
    ):
        java_value(text, kind, inner)
    for kind, inner in (("array", "integer"), ("array", ""), ("dict", ""), ("Bigint", "")):
        javascript_value(text, kind, inner)


# The files


def written(folder: Path) -> Path:
    """A copy of the benchmark with a few cases of our own."""
    place = folder / "bfcl_v4"
    (place / "possible_answer").mkdir(parents=True)
    for category in (*NON_LIVE, *LIVE):
        _, functions, answer = CASES.get(category.removeprefix("live_"), CASES["boil"])
        question = [[{"role": "user", "content": "Please."}]]
        lines: list[dict[str, Any]] = [
            {"id": f"{category}_{n}", "question": question, "function": functions} for n in range(2)
        ]
        answers = [{"id": each["id"], "ground_truth": answer} for each in lines]
        name = f"BFCL_v4_{category}.json"
        (place / name).write_text("\n".join(map(json.dumps, lines)), "utf-8")
        if category not in (*IRRELEVANT, "live_relevance"):
            (place / "possible_answer" / name).write_text("\n".join(map(json.dumps, answers)))
    return folder


def values(found: Sequence[Any]) -> dict[str, float | None]:
    return {name: each.value for name, each in result_of(SUITE, found, {}).scores.items()}


def test_floor_and_ceiling(tmp_path: Path) -> None:
    mine = list(cases(written(tmp_path)))
    assert len(mine) == 26
    found = {name: values(some) for name, some in bounds(SUITE, mine).items()}
    assert found["gold"] == pytest.approx(dict.fromkeys(found["gold"], 1.0))
    assert found["do-nothing"]["non-live"] == found["do-nothing"]["live"] == 0
    assert found["do-nothing"]["irrelevance"] == 1
    assert found["always-call"]["irrelevance"] == 0
    assert found["always-call"]["live_relevance"] == 1


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"bfcl_v4 is not there \(licence: Apache-2.0\)"):
        list(cases(tmp_path))
    (written(tmp_path) / "bfcl_v4" / "BFCL_v4_parallel.json").unlink()
    with pytest.raises(ConfigError, match=r"BFCL_v4_parallel\.json is not there"):
        list(cases(tmp_path))


@pytest.mark.skipif(not BENCHMARKS, reason="BOTPSY_BENCHMARKS names no folder")
def test_the_benchmark_itself() -> None:
    mine = list(cases(Path(str(BENCHMARKS))))
    assert len(mine) == 3641
    wrong = [
        each.id
        for each in mine
        if not said(each, gold(each)[0])["passed"]
    ]  # fmt: skip
    assert len(wrong) == 25  # docs/evals/bfcl.md says which and why
