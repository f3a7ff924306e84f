"""Instructions that a program can check: IFEval, IFBench, Multi-IF.

English is read with NLTK's data, which is not ours to pass on: tests that need it, and those on the
benchmarks themselves, run where ``BOTPSY_BENCHMARKS`` names the folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.errors import ConfigError
from botpsy.evals.registry import suite
from botpsy.evals.result import result_of
from botpsy.evals.run import bounds
from botpsy.evals.suites.instructions.classic import CLASSIC
from botpsy.evals.suites.instructions.english import English, load_english
from botpsy.evals.suites.instructions.following import followed, instructions_of, variants
from botpsy.evals.suites.instructions.ifbench import CHECKS

BENCHMARKS = os.environ.get("BOTPSY_BENCHMARKS")
real = pytest.mark.skipif(not BENCHMARKS, reason="BOTPSY_BENCHMARKS names no folder")
PLAIN = English(frozenset(), frozenset(), frozenset(), {})


def checked(name: str, text: str, **stated: Any) -> tuple[bool, bool]:
    """Whether it is followed, strictly and loosely."""
    checks = CLASSIC if name in CLASSIC else CHECKS
    asked = instructions_of([name], [stated], checks, "here")
    [strict], [loose] = followed(asked, text, PLAIN)
    return strict, loose


@pytest.mark.parametrize(
    ("name", "stated", "good", "bad"),
    [
        ("punctuation:no_comma", {}, "One two", "One, two"),
        ("change_case:english_lowercase", {}, "all is small here", "All is not"),
        ("startend:quotation", {}, '"so it is"', '"so it'),
        ("startend:end_checker", {"end_phrase": "That is all."}, "So. That is all.", "That is"),
        ("detectable_format:title", {}, "<<Title>>\nText", "<Title>\nText"),
        ("detectable_format:json_format", {}, '{"a": 1}', "{a: 1}"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n* b", "* a\n* b\n* c"),
        ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a] [b]", "[a] b"),
        ("keywords:existence", {"keywords": ["tea", "cup"]}, "A cup of tea", "A cup"),
        ("keywords:forbidden_words", {"forbidden_words": ["tea"]}, "A team", "A tea"),
        ("keywords:frequency", {"keyword": "tea", "frequency": 2, "relation": "at least"},
         "tea and tea", "tea"),
        ("length_constraints:number_words", {"num_words": 3, "relation": "less than"},
         "one two", "one two three"),
        ("combination:two_responses", {}, "one\n******\ntwo", "one\n******\none"),
    ],
)  # fmt: skip
def test_a_check(name: str, stated: dict[str, Any], good: str, bad: str) -> None:
    assert checked(name, good, **stated)[0]
    assert not checked(name, bad, **stated)[0]
    assert checked(name, "", **stated) == (False, False)  # nothing follows nothing


def test_loose_forgives_a_preamble_an_ending_and_stars() -> None:
    assert checked("punctuation:no_comma", "Sure, here:\nOne two") == (False, True)
    assert checked("startend:quotation", '"so"\nHope it helps') == (False, True)
    assert checked("detectable_format:title", "**<**<Title>>") == (False, True)
    assert set(variants("a\n*b*\nc")) == {
        "a\n*b*\nc", "*b*\nc", "a\n*b*", "*b*", "a\nb\nc", "b\nc", "a\nb", "b",
    }  # fmt: skip


def test_an_instruction_that_there_is_not() -> None:
    with pytest.raises(ConfigError, match="no instruction 'x:y'"):
        instructions_of(["x:y"], [{}], CLASSIC, "prompt 7")


@pytest.mark.parametrize("name", ["ifeval", "ifbench", "multi_if"])
def test_files_that_are_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="is not there"):
        list(suite(name).cases(tmp_path))


@real
@pytest.mark.parametrize(("name", "count", "known"), [("ifeval", 541, 535), ("ifbench", 300, 286)])
def test_texts_that_follow_everything(name: str, count: int, known: int) -> None:
    mine = suite(name)
    cases = list(mine.cases(Path(str(BENCHMARKS))))
    found = bounds(mine, cases)
    assert (len(cases), len(found["gold"])) == (count, known)
    gold = result_of(mine, found["gold"], {}).scores[mine.scores[0].name]
    assert gold.value == 1.0


@real
@settings(deadline=None, max_examples=30)
@given(st.text(max_size=200))
def test_no_text_breaks_a_check(text: str) -> None:
    folder = Path(str(BENCHMARKS))
    english = load_english(folder, whole=True)
    for line in (folder / "ifbench" / "IFBench_test.jsonl").open(encoding="utf-8"):
        row = json.loads(line)
        asked = instructions_of(row["instruction_id_list"], row["kwargs"], CHECKS, "here")
        followed(asked, text, english)


@real
@pytest.mark.parametrize("way", ["strict", "loose"])
def test_verdicts_that_ifbench_ships(way: str) -> None:
    """One of 331 differs (docs/evals/instructions.md)."""
    folder = Path(str(BENCHMARKS)) / "ifbench"
    english = load_english(Path(str(BENCHMARKS)), whole=True)
    rows = {row["prompt"]: row for row in map(json.loads, (folder / "IFBench_test.jsonl").open())}
    said = {row["prompt"]: row["response"]
            for row in map(json.loads, (folder / "sample_output.jsonl").open())}  # fmt: skip
    same = apart = 0
    for line in (folder / f"eval_results_{way}.jsonl").open():
        shipped = json.loads(line)
        row = rows.get(shipped["prompt"])
        if row is None or row["instruction_id_list"] != shipped["instruction_id_list"]:
            continue  # of an older edition
        asked = instructions_of(row["instruction_id_list"], row["kwargs"], CHECKS, "here")
        mine = followed(asked, said[row["prompt"]], english)[way == "loose"]
        for one, other in zip(mine, shipped["follow_instruction_list"], strict=True):
            same, apart = same + (one == other), apart + (one != other)
    assert (same, apart) == (330, 1)
