"""Multiple choice: the letter is read as MMLU-Pro's own script reads it."""

from __future__ import annotations

import csv
import json
import os
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.errors import ConfigError
from botpsy.evals.registry import suite
from botpsy.evals.result import result_of
from botpsy.evals.run import bounds
from botpsy.evals.suites.questions import FIELDS, answer_in, gpqa_cases, mmlu_pro_cases

BENCHMARKS = os.environ.get("BOTPSY_BENCHMARKS")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("So the answer is (C).", "C"),
        ("the answer is C", "C"),
        ("The answer is (B). No, the answer is (D).", "B"),  # the first, as the script has it
        ("answer is (K)", ""),
        ("Answer: D", "D"),
        ("answer: A or Answer:\nB", "B"),
        ("Answer: A\nAnswer: B", "A"),
        ("It must be F, since G is wrong.", "G"),
        ("A good reason. **H**", "H"),
        ("Answer is (A)", "A"),
        ("none", ""),
        ("", ""),
        ("CAB and a", ""),
    ],
)
def test_the_letter_that_is_read(text: str, letter: str) -> None:
    assert answer_in(text) == letter


PIECES = ["answer is ", "Answer:", "answer:", "(", ")", "A", "C", "J", " ", "\n", ".", "K", "x"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=60))
def test_it_is_what_the_rule_says(text: str) -> None:
    """The rule as it is stated, each step by one expression; ours takes linear time."""
    steps = (
        r"answer is \(?([A-J])\)?",
        r".*[aA]nswer:\s*([A-J])",
        r"(?s)(\b[A-J]\b)(?!.*\b[A-J]\b)",
    )
    found = next((match for step in steps if (match := re.search(step, text))), None)
    assert answer_in(text) == (found[1] if found else "")


def test_long_texts_take_no_time() -> None:
    began = time.process_time()
    for text in (
        "A " * 100_000,
        "nswer: " * 50_000,
        "answer: x " * 40_000,
        "Answer:" + " " * 10**5,
    ):
        answer_in(text)
    assert time.process_time() - began < 3


def written(folder: Path) -> Path:
    (folder / "mmlu_pro").mkdir()
    rows = [
        {"question_id": n, "question": f"What is {n}?", "options": ["this", "that", "none"],
         "answer": "ABC"[n % 3], "category": field}
        for n, field in enumerate(FIELDS)
    ]  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "mmlu_pro" / "test.jsonl").write_text(text, "utf-8")
    (folder / "gpqa").mkdir()
    with (folder / "gpqa" / "gpqa_diamond.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["Question", "Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2",
                        "Incorrect Answer 3", "High-level domain", "Record ID"])  # fmt: skip
        for n, domain in enumerate(("Biology", "Chemistry", "Physics") * 8):
            table.writerow([f"Q, {n}\nmore", f"right {n}", "w1", "w2", "w3", domain, f"rec{n}"])
    return folder


@pytest.mark.parametrize("name", ["mmlu_pro", "gpqa"])
def test_floor_and_ceiling(tmp_path: Path, name: str) -> None:
    mine = suite(name)
    cases = list(mine.cases(written(tmp_path)))
    scores = {who: result_of(mine, some, {}).scores for who, some in bounds(mine, cases).items()}
    assert all(each.value == 1 for each in scores["gold"].values())
    assert scores["do-nothing"]["accuracy"].value == 0
    # "I can't help with that." is the answer I, by the rule.
    assert scores["do-nothing"]["answers that can be read"].value == 1
    assert scores["do-nothing"]["right answers that were stated"].value == 0


def test_the_order_of_options_is_each_questions_own(tmp_path: Path) -> None:
    found = []
    for name in "ab":
        (tmp_path / name).mkdir()
        found.append([case.data for case in gpqa_cases(written(tmp_path / name))])
    one, other = found
    assert one == other
    assert {each["answer"] for each in one} == set("ABCD")
    assert all(each["options"]["ABCD".index(each["answer"])].startswith("right") for each in one)


def test_files_that_are_not_there_or_another(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"test\.jsonl is not there \(licence: MIT\)"):
        list(mmlu_pro_cases(tmp_path))
    (tmp_path / "gpqa").mkdir()
    (tmp_path / "gpqa" / "gpqa_diamond.csv").write_text("Question,Answer\na,b\n")
    with pytest.raises(ConfigError, match="needs the columns"):
        list(gpqa_cases(tmp_path))


@pytest.mark.skipif(not BENCHMARKS, reason="BOTPSY_BENCHMARKS names no folder")
def test_the_benchmark_itself() -> None:
    cases = list(mmlu_pro_cases(Path(str(BENCHMARKS))))
    assert len(cases) == len({case.id for case in cases}) == 12_032
    assert {case.category for case in cases} == set(FIELDS)
