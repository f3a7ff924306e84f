"""Rows and tools that a benchmark has are found, whatever form its files have."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from botpsy.chat.types import ToolSpec
from botpsy.data.audit import benchmarks
from botpsy.data.audit.contamination import Contamination, contamination
from botpsy.data.audit.facts import Tool, look_at
from botpsy.data.types import Row
from botpsy.errors import ConfigError
from tests.data.test_audit import WORDS, said

LONG = (
    "could you water the lemon trees behind the old greenhouse before the guests arrive on sunday"
)
OTHER = "my bicycle has a flat tyre again so bring the small pump and two patches to the station"

EVERYDAY = "what is the weather going to be like in the bay"


def hold(tmp_path: Path, *rows: Row, **files: Any) -> Contamination:
    """Rows against benchmarks: ``folder__file`` = texts, in JSON."""
    for name, value in files.items():
        path = tmp_path / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    looked = look_at([each.to_json() for each in rows], False, "pocket", None)
    steps: list[tuple[int, int]] = []
    found = contamination(looked.facts, looked.tools, tmp_path, lambda *at: steps.append(at))
    assert steps[-1] == (len(files), len(files))
    return found


# --- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "mine", "why"),
    [
        (LONG, LONG, "13 words"),
        (LONG, f"Hello! {LONG.title()}; thanks. {OTHER} {OTHER}", "13 words"),
        (f"Well, {LONG}", f"Case 7: {LONG.replace(' ', ', ')}?", "13 words"),
        # a name changed in the middle: eight words on each side, no thirteen
        (LONG, LONG.replace("greenhouse", "shed"), "of a turn"),
    ],
)
def test_planted(tmp_path: Path, theirs: str, mine: str, why: str) -> None:
    found = hold(tmp_path, said(OTHER, 1), said(mine, 2), bench__cases=[{"prompt": theirs}])
    assert [(each.row, each.file) for each in found.rows] == [("test/2", "bench/cases.json")]
    assert why in found.rows[0].why
    assert found.rows[0].shared in " ".join(mine.lower().replace(",", "").split()) or "of" in why


def test_any_turn_and_the_system(tmp_path: Path) -> None:
    from botpsy.chat.types import Message

    later = (Message("user", "hello there"), Message("assistant", "Yes?"), Message("user", LONG))
    rows = [
        said("", 1, messages=(*later, Message("assistant", "Fine."))),
        said("", 2, messages=(Message("system", LONG), *later[:2])),
        said("", 3, messages=(*later[:1], Message("assistant", LONG))),
    ]
    found = hold(tmp_path, *rows, bench__a=LONG)
    assert [each.row for each in found.rows] == ["test/1", "test/2"]


@pytest.mark.parametrize(
    "mine",
    [
        "could you water the lemon trees behind, please?",  # seven words of it
        # a phrase of eight words that anyone would use, though it is most of the turn
        "what is the weather going to be like in it, dear",
        # a telling phrase of nine words in a longer request
        f"could you water the lemon trees behind the old barn, and {' '.join(WORDS)}",
        # two texts may not meet in one run
        "trees and then many more things to do my bicycle has",
    ],
)
def test_too_little(tmp_path: Path, mine: str) -> None:
    found = hold(tmp_path, said(mine), bench__a=[LONG, OTHER[:40], EVERYDAY])
    assert not found.rows
    assert not found.noted


def test_runs_do_not_cross_texts(tmp_path: Path) -> None:
    words = LONG.split()
    halves = [" ".join(words[:7]), " ".join(words[7:14])]
    found = hold(tmp_path, said(LONG), bench__a=halves)
    assert (found.rows, found.phrases) == ([], {})


def test_what_says_nothing(tmp_path: Path) -> None:
    count = " ".join(map(str, range(40)))
    letters = " ".join("abcdefghijklmnopqrstuvwxyz")
    song = "la la la la la la la la la la la la la la la"
    for text in (count, letters, song):
        found = hold(tmp_path, said(text), bench__a=[count, letters, song])
        assert not found.rows


def test_common_property(tmp_path: Path) -> None:
    two = {"a__1": LONG, "b__1": LONG, "b__2": LONG}
    assert len(hold(tmp_path, said(LONG), **two).rows) == 1
    assert hold(tmp_path, said(LONG), **two, c__1=LONG).rows == []


def test_loose_files_are_one_benchmark(tmp_path: Path) -> None:
    found = hold(tmp_path, said(LONG), one=LONG, two=LONG, three=LONG)
    assert len(found.rows) == 1


def test_brief_requests_are_noted(tmp_path: Path) -> None:
    rows = [said("Turn the lights off, please!", 1), said("Lights off", 2), said(EVERYDAY, 3)]
    found = hold(tmp_path, *rows, bench__a=["turn the lights off please", "lights off", EVERYDAY])
    assert found.rows == []
    assert [each.row for each in found.noted] == ["test/1", "test/3"]


# --- tools ----------------------------------------------------------------------------------------

DESCRIPTION = "Bake a cake of the given kind and have it brought to a door by a rider"


def spec(name: str, description: str, *parameters: str) -> ToolSpec:
    properties = {each: {"type": "string"} for each in parameters}
    return ToolSpec(name, description, {"type": "object", "properties": properties})


THEIRS = {
    "name": "Cakes_2_OrderCake",
    "description": DESCRIPTION,
    "parameters": {"type": "object", "properties": {"kind": {}, "doorNumber": {}, "rider": {}}},
}
BRIEF = {"name": "box_it", "description": "Put the cake in the box.", "parameters": {}}


@pytest.mark.parametrize(
    ("mine", "counts"),
    [
        (spec("order_cake", "Cake.", "kind", "door_number", "rider"), True),
        (spec("cakes.order-cake", "Cake.", "kind", "door_number", "rider"), True),
        (spec("order_cake", "Cake.", "kind", "door_number", "rider", "day"), True),
        (spec("bakery_order_cake", "Cake.", "rider", "kind", "door_number"), True),
        (spec("xyzzy", DESCRIPTION.lower() + "."), True),
        (spec("xyzzy", DESCRIPTION.replace("rider", "bicycle")), True),
        (spec("order_cake", "Cake.", "kind", "door_number"), False),
        (spec("order_pie", "Pie.", "kind", "door_number", "rider"), False),
        (spec("order_cake", "Cake.", "kind", "door_number", "rider", "day", "town"), False),
        (spec("xyzzy", "Bake a cake of the kind that the customer has asked for"), False),
        (spec("cake", "", "kind"), False),
        (spec("mail", "Put the cake in the box"), False),  # theirs word for word, but brief
    ],
)
def test_tools(tmp_path: Path, mine: ToolSpec, counts: bool) -> None:
    found = hold(tmp_path, said("hello there", 1, tools=(mine,)), bench__tools=[THEIRS, BRIEF])
    assert bool(found.tools) == counts
    if counts:
        assert found.tools[0].theirs == "Cakes_2_OrderCake"
        assert found.tools[0].rows == {"test": 1}


def test_a_tool_is_named_once(tmp_path: Path) -> None:
    short = spec("order_cake", "Cake.", "kind", "door_number", "rider")
    bare = spec("order_cake", "", "kind", "door_number", "rider")
    rows = [said("hello there", n, tools=(each,)) for n, each in enumerate((short, bare, short))]
    found = hold(tmp_path, *rows, bench__tools=[THEIRS])
    assert [each.rows for each in found.tools] == [{"test": 3}]


def test_tools_that_are_noted(tmp_path: Path) -> None:
    theirs = [
        {"name": "sum_up", "parameters": {"type": "object", "properties": {"text": {}}}},
        {"name": "place_of", "input_schema": {"properties": {p: {} for p in "abcd"}}},
    ]
    tools = (spec("sumUp", "", "text"), spec("elsewhere", "", *"abcd"))
    found = hold(tmp_path, said("hello there", tools=tools), bench__tools=theirs)
    assert found.tools == []
    assert [each.theirs for each in found.noted_tools] == ["sum_up", "place_of"]


# --- files ----------------------------------------------------------------------------------------


def test_forms(tmp_path: Path) -> None:
    big = "word " * 60_000
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "say"], ["1", '["deep", {"in": "a cell"}]'], ["2", big]])
    (tmp_path / "lines.json").write_text('{"q": "one\u2028two"}\n\n{"q": ["three"]}\n')
    (tmp_path / "a.yaml").write_text("prompt: {text: four}\ntools:\n- {name: f, arguments: {x: 1}}")
    (tmp_path / "a.toml").write_text('[a]\nb = "five"')
    (tmp_path / "a.md").write_text("# six\n\nseven\nand more\n")
    (tmp_path / "broken.json").write_text('{"q": "eight')
    (tmp_path / "broken.yml").write_text("a: [nine")
    (tmp_path / "broken.toml").write_text("ten")
    (tmp_path / "bytes.txt").write_bytes(b"eleven \xff")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8")
    readable, others = benchmarks.files_of(tmp_path)
    assert [path.name for path in others] == ["picture.jpg"]
    said_ = {path.name: benchmarks.read(path) for path in readable}
    texts = {name: list(each.texts) for name, each in said_.items()}
    assert texts["a.csv"] == ["id", "say", "1", "deep", "a cell", "2", big]
    assert texts["lines.json"] == ["one\u2028two", "three"]
    assert "four" in texts["a.yaml"]
    assert list(said_["a.yaml"].tools) == [Tool("f", "", ("x",))]
    assert texts["a.toml"] == ["five"]
    assert texts["a.md"] == ["# six", "seven\nand more\n"]
    assert texts["broken.json"] == ['{"q": "eight']
    assert texts["broken.yml"] == ["a: [nine"]
    assert texts["broken.toml"] == ["ten"]
    assert texts["bytes.txt"] == ["eleven \ufffd"]
    assert len(texts["deep.json"]) == 1


def test_no_benchmark(tmp_path: Path) -> None:
    (tmp_path / "picture.jpg").write_bytes(b"")
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match="No benchmark"):
            benchmarks.files_of(folder)
