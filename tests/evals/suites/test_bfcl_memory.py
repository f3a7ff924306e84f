"""BFCL memory: memories and answers judged like the official ones, and what lasts how long.

``bfcl_memory_official.json`` has made-up calls and answers, with what the official package
(bfcl-eval 2026.3.23) answered to each call and judged of each answer.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Message, Sampling, ToolCall
from botpsy.engines.scripted import Scripted
from botpsy.errors import ConfigError
from botpsy.evals.case import MODEL, Case, Verdict
from botpsy.evals.run import bounds
from botpsy.evals.statistics import Judged, values
from botpsy.evals.suites import bfcl_memory as suite
from botpsy.evals.suites.bfcl_memory.stores import KeyValueMemory, TextMemory
from botpsy.evals.suites.bfcl_multi_turn.rules import MAX_STEPS
from botpsy.evals.talk import Live

OFFICIAL = json.loads(
    (Path(__file__).parent / "bfcl_memory_official.json").read_text(encoding="utf-8")
)


def test_each_call_gives_what_the_official_memory_gave() -> None:
    for known in OFFICIAL["memories"]:
        memory = suite.MEMORIES[known["memory"]]()
        for name, arguments, result in known["calls"]:
            assert memory.call(name, arguments) == result, (name, arguments)
        assert memory.shown() == known["shown"]


def test_each_answer_is_judged_as_officially() -> None:
    for text, right, valid in OFFICIAL["answers"]:
        assert suite.answers(text, right) == valid, (text, right)


def test_a_text_cannot_be_made_to_fill_the_machine() -> None:
    memory = TextMemory()
    memory.call("memory_update", {"text": "a" * 10_000})
    for _ in range(5):
        memory.call("memory_replace", {"old_text": "a", "new_text": "a" * 100})
    assert len(memory.shown()) <= 1_000_000


def tool(name: str, *needs: str) -> str:
    text = {"type": "string", "description": "A text."}
    parameters = {"type": "dict", "properties": dict.fromkeys(needs, text), "required": [*needs]}
    gives = {"type": "dict", "properties": {"status": {"description": "How it went."}}}
    return json.dumps(
        {"name": name, "description": "A tool.", "parameters": parameters, "response": gives}
    )


def write_data(folder: Path) -> Path:
    """The benchmark's files, made up: in each scenario one conversation and two questions."""
    root = folder / "bfcl_v4"
    for name in ("multi_turn_func_doc", "memory_prereq_conversation", "possible_answer"):
        (root / name).mkdir(parents=True)
    docs = root / "multi_turn_func_doc"
    kv = [tool("core_memory_add", "key", "value"), tool("archival_memory_retrieve", "key")]
    (docs / "memory_kv.json").write_text("\n".join(kv))
    text = [tool("memory_append", "text"), tool("memory_clear")]
    (docs / "memory_rec_sum.json").write_text("\n".join(text))
    questions, answers = [], []
    for scenario in suite.SETTINGS:
        said = [[{"role": "user", "content": "I am Ida."}], [{"role": "user", "content": "Bye."}]]
        talk = json.dumps({"id": f"p-{scenario}", "question": said})
        path = root / "memory_prereq_conversation" / f"memory_{scenario}.json"
        path.write_text(talk)
        for n, right in enumerate(("Ida", "12 bees")):
            name = f"memory_{n}-{scenario}-{n}"
            asked = [[{"role": "user", "content": f"Question {n}?"}]]
            questions.append(json.dumps({"id": name, "question": asked, "scenario": scenario}))
            answers.append(json.dumps({"id": name, "ground_truth": [right], "source": ""}))
    (root / "BFCL_v4_memory.json").write_text("\n".join(questions))
    (root / "possible_answer" / "BFCL_v4_memory.json").write_text("\n".join(answers))
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = write_data(tmp_path_factory.mktemp("data"))
    return {case.id: case for case in suite.SUITE.cases(folder)}


def call(name: str, **arguments: Any) -> Message:
    return Message("assistant", calls=(ToolCall(name, arguments),))


def played(case: Case, *said: Any, always: Any = None) -> tuple[Verdict, Scripted]:
    engine = Scripted(always or list(said))
    return suite.play(case, Live({MODEL: engine}, Sampling(), 0)), engine


def test_gold_is_right_everywhere_and_doing_nothing_nowhere(made: dict[str, Case]) -> None:
    found = bounds(suite.SUITE, list(made.values()))
    sums = {
        name: [record.verdict.measures["passed"] for record in some if record.verdict]
        for name, some in found.items()
    }
    assert sums == {
        "do-nothing": [(0, 2)] * 10,
        "always-call": [(0, 2)] * 10,
        "gold": [(2, 2)] * 10,
    }


def test_the_score_is_the_mean_of_both_memories_by_questions(made: dict[str, Case]) -> None:
    judged = [
        Judged(case.id, case.category, "", (Verdict({"passed": (n % 3, 2.0)}),))
        for n, case in enumerate(made.values())
    ]
    score = values(suite.SUITE.scores, judged)["memory_kv_rec_sum"]
    assert score.value == pytest.approx((4 / 10 + 5 / 10) / 2)
    only = [each for each in judged if each.category == "memory_kv"]
    assert values(suite.SUITE.scores, only)["memory_kv_rec_sum"].value is None


def test_only_the_memory_lasts_and_questions_do_not_see_each_other(made: dict[str, Case]) -> None:
    case = made["memory_rec_sum-customer"]
    verdict, engine = played(
        case,
        call("memory_append", text="The user is Ida."), "Hello.", "Bye.",
        call("memory_clear"), call("memory_append", text="12 bees"), "It is Ida.",
        "I do not know.",
    )  # fmt: skip
    assert verdict.measures["passed"] == (1, 2)
    assert "memory_1-customer-1" in verdict.note and "memory_0" not in verdict.note
    first, last = engine.asked[3].messages, engine.asked[-1].messages
    assert [message.role for message in first] == ["system", "user"]
    assert "The user is Ida." in first[0].content and "The user is Ida." in last[0].content
    assert "12 bees" not in last[0].content and "no content" in engine.asked[0].messages[0].content
    assert "'answer'" in last[0].content and "'answer'" not in engine.asked[0].messages[0].content


def test_core_memory_is_shown_and_archival_is_not() -> None:
    memory = KeyValueMemory()
    memory.call("core_memory_add", {"key": "name", "value": "Ida"})
    memory.call("archival_memory_add", {"key": "pet", "value": "bees"})
    shown = suite.instructions("customer", memory)
    assert "Ida" in shown and "bees" not in shown


def test_an_unreadable_answer_is_wrong_and_the_next_question_is_asked(
    made: dict[str, Case],
) -> None:
    case = made["memory_kv-student"]
    broken = "Ida <tool_call>\n<function=core_memory_add>"
    verdict, engine = played(case, broken, "Bye.", broken, "12 bees")
    assert verdict.measures["passed"] == (1, 2) and len(engine.asked) == 4
    assert "unreadable" in verdict.note


def test_too_many_steps_end_a_conversation_and_make_an_answer_wrong(made: dict[str, Case]) -> None:
    case = made["memory_kv-student"]
    verdict, engine = played(
        case, always=lambda _m, _t: call("core_memory_add", key="a", value="b")
    )
    assert verdict.measures["passed"] == (0, 2)
    assert len(engine.asked) == 3 * (MAX_STEPS + 1)  # the second turn of the conversation is not


def test_a_missing_file_is_named_with_its_source(tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    (folder / "bfcl_v4/memory_prereq_conversation/memory_finance.json").unlink()
    with pytest.raises(ConfigError, match=r"memory_finance.json.*Apache-2.0.*bfcl-eval"):
        list(suite.SUITE.cases(folder))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_is_said_gets_a_verdict(made: dict[str, Case], data: st.DataObject) -> None:
    case = made[data.draw(st.sampled_from(("memory_kv-customer", "memory_rec_sum-customer")))]
    names = [spec.name for spec in case.data["tools"]]
    calls = st.builds(
        lambda name, given: Message("assistant", calls=(ToolCall(name, given),)),
        st.sampled_from([*names, "no"]),
        st.dictionaries(st.sampled_from(("key", "value", "text")), st.text(max_size=6)),
    )
    tags = st.sampled_from(("<tool_call>", "</tool_call>", "<think>", "</think>", "<function="))
    pieces = st.lists(tags | st.text(max_size=6), max_size=6).map("".join)
    said = iter(data.draw(st.lists(calls | pieces, min_size=1, max_size=6)) * 9)
    verdict, _ = played(case, always=lambda _m, _t: next(said, "Done."))
    assert verdict.measures["passed"][1] == 2


JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)


@given(st.lists(st.tuples(st.sampled_from(OFFICIAL["memories"]), JSON, JSON), max_size=9))
def test_no_call_crashes_a_memory(drawn: list[tuple[dict[str, Any], Any, Any]]) -> None:
    for known, one, other in drawn:
        memory = suite.MEMORIES[known["memory"]]()
        for name, arguments, _ in known["calls"][:12]:
            given_instead = dict(zip(arguments, (one, other), strict=False))
            assert isinstance(memory.call(name, given_instead), str)


@pytest.mark.skipif("BOTPSY_BENCHMARKS" not in os.environ, reason="needs the benchmark's data")
def test_gold_is_right_on_the_real_cases() -> None:
    cases = list(suite.SUITE.cases(Path(os.environ["BOTPSY_BENCHMARKS"])))
    assert [len(case.data["questions"]) for case in cases] == [30, 25, 25, 50, 25] * 2
    assert sum(len(case.data["talks"]) for case in cases) == 2 * 37
    for case in cases:
        right, of = played(case, *suite.gold(case))[0].measures["passed"]
        assert right == of
