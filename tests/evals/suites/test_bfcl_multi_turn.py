"""BFCL multi-turn: environments and verdicts like the official ones, and no reply that crashes it.

``bfcl_multi_turn_official.json`` has made-up states and tasks, with what the official package
(bfcl-eval 2026.3.23) answered to each call and judged of each list of calls.
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
from botpsy.evals.suites import bfcl_multi_turn as suite
from botpsy.evals.suites.bfcl_multi_turn.files import Directory
from botpsy.evals.suites.bfcl_multi_turn.long_context import _NAMES, read_long_context
from botpsy.evals.suites.bfcl_multi_turn.rules import MAX_STEPS, Match, play
from botpsy.evals.suites.bfcl_multi_turn.world import World, lacking, read_call
from botpsy.evals.talk import Live

OFFICIAL = json.loads(
    (Path(__file__).parent / "bfcl_multi_turn_official.json").read_text(encoding="utf-8")
)
FILES = {
    "root": {
        "home": {
            "type": "directory",
            "contents": {
                "plan": {"type": "file", "content": "dig\nsow"},
                "shed": {"type": "directory", "contents": {}},
            },
        }
    }
}


def plain(value: Any) -> Any:
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, Directory):
        return {
            name: plain(each) if isinstance(each, Directory) else each.content
            for name, each in value.contents.items()
        }
    return value


@pytest.mark.parametrize("known", OFFICIAL["environments"], ids=lambda known: known["classes"][0])
def test_each_call_gives_what_the_official_environment_gave(known: dict[str, Any]) -> None:
    world = World(known["classes"], known["config"])
    for name, arguments, result in known["calls"]:
        assert world.call(name, arguments) == result, (name, arguments)
    state = vars(world._instances[known["classes"][0]])
    public = {name: plain(each) for name, each in state.items() if not name.startswith("_")}
    assert json.loads(json.dumps(public)) == known["state"]


def test_each_verdict_is_the_official_one() -> None:
    for number, turns, valid in OFFICIAL["verdicts"]:
        task = OFFICIAL["tasks"][number]
        match = Match(task["classes"], task["config"])
        world = World(task["classes"], {})
        right = True
        for said, gold in zip(turns, task["gold"], strict=True):
            for text in said:
                match.call(*read_call(text, world))
            if match.end(gold):
                right = False
                break
        assert right == valid, turns
    assert {valid for _, _, valid in OFFICIAL["verdicts"]} == {True, False}


def write_data(folder: Path) -> Path:
    """The benchmark's files, made up: one case of each category."""
    root = folder / "bfcl_v4"
    (root / "multi_turn_func_doc").mkdir(parents=True)
    (root / "possible_answer").mkdir()
    docs = {name: [] for name in suite._DOCS.values()}
    text = {"type": "string", "description": "A name."}
    docs["gorilla_file_system"] = [
        {
            "name": name,
            "description": f"The tool {name}.",
            "parameters": {
                "type": "dict",
                "properties": dict.fromkeys(needs, text),
                "required": [*needs],
            },
            "response": {"type": "dict", "properties": {"result": {"description": "What it is."}}},
        }
        for name, needs in {
            "cat": ("file_name",),
            "touch": ("file_name",),
            "ls": (),
            "rm": ("file_name",),
        }.items()
    ]
    for name, found in docs.items():
        lines = "\n".join(map(json.dumps, found))
        (root / "multi_turn_func_doc" / f"{name}.json").write_text(lines, encoding="utf-8")
    for category in suite.CATEGORIES:
        name = f"multi_turn_{category}_0"
        held = category == "miss_func"
        turns = [
            [{"role": "user", "content": "Read plan."}],
            [{"role": "user", "content": "Make a."}],
        ]
        gold: list[list[str]] = [["cat('plan')"], ["touch(file_name='a')"]]
        entry: dict[str, Any] = {
            "id": name,
            "question": [turns[0], turns[1], *([[]] if held else [])],
            "initial_config": {"GorillaFileSystem": FILES},
            "involved_classes": ["GorillaFileSystem"],
            "excluded_function": ["rm"],
        }
        if held:
            entry["missed_function"] = {"2": ["touch"]}
            gold = [gold[0], [], gold[1]]
        (root / f"BFCL_v4_multi_turn_{category}.json").write_text(json.dumps(entry))
        answer = json.dumps({"id": name, "ground_truth": gold})
        (root / "possible_answer" / f"BFCL_v4_multi_turn_{category}.json").write_text(answer)
    constants: dict[str, Any] = {name: [] for name in _NAMES.values()}
    constants |= {"FILE_CONTENT_EXTENSION": " and much more", "POPULATE_FILE_EXTENSION": ["b.jpg"]}
    constants |= {"CREDIT_CARD_EXTENSION": {}, "BOOKING_RECORD_EXTENSION": {}}
    lines = "".join(f"{name} = {value!r}\n" for name, value in constants.items())
    (root / "long_context.py").write_text(lines)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = write_data(tmp_path_factory.mktemp("data"))
    return {case.category: case for case in suite.SUITE.cases(folder)}


def call(name: str, **arguments: Any) -> Message:
    return Message("assistant", calls=(ToolCall(name, arguments),))


def played(case: Case, *said: Any, always: Any = None) -> tuple[Verdict, Scripted]:
    engine = Scripted(always or list(said))
    return play(case, Live({MODEL: engine}, Sampling(), 0)), engine


def test_gold_is_right_everywhere_and_doing_nothing_nowhere(made: dict[str, Case]) -> None:
    found = bounds(suite.SUITE, list(made.values()))
    shares = {
        name: [record.verdict.measures["passed"][0] for record in some if record.verdict]
        for name, some in found.items()
    }
    assert shares == {"do-nothing": [0] * 4, "always-call": [0] * 4, "gold": [1] * 4}


def test_a_held_back_tool_comes_with_its_turn(made: dict[str, Case]) -> None:
    case = made["miss_func"]
    verdict, engine = played(case, *suite.gold(case))
    assert verdict.measures["passed"] == (1, 1)
    offered = [{spec.name for spec in asked.tools} for asked in engine.asked]
    assert "touch" not in offered[0] | offered[2] and "touch" in offered[-1]
    assert not any("rm" in names for names in offered)
    assert (
        "functions"
        in [each for each in engine.asked[-1].messages if each.role == "user"][-1].content
    )


def test_what_is_done_in_a_turn_without_gold_calls_is_not_looked_at(made: dict[str, Case]) -> None:
    verdict, _ = played(
        made["miss_func"],
        call("cat", file_name="plan"), "Done.",
        call("ls"), "I cannot.",
        call("touch", file_name="a"), "Done.",
    )  # fmt: skip
    assert verdict.measures["passed"] == (1, 1)


def test_long_context_changes_what_is_read(made: dict[str, Case]) -> None:
    case = made["long_context"]
    _, engine = played(case, *suite.gold(case))
    results = [each.content for each in engine.asked[-1].messages if each.role == "tool"]
    assert "sow and much more" in results[0]


def test_wrong_arguments_are_told_and_cost_a_step(made: dict[str, Case]) -> None:
    case = made["base"]
    verdict, engine = played(case, call("cat"), call("nothing", x=1), *suite.gold(case))
    assert verdict.measures["passed"] == (1, 1)
    assert "file_name" in engine.asked[1].messages[-1].content
    verdict, engine = played(case, always=lambda _m, _t: call("cat"))
    assert verdict.measures["passed"] == (0, 1) and len(engine.asked) == MAX_STEPS + 1


def test_a_broken_reply_is_a_failure_even_where_nothing_is_checked(made: dict[str, Case]) -> None:
    start = [call("cat", file_name="plan"), "Done."]
    for broken in (
        "<tool_call>\n<function=ls>",
        "<think>\nhm",
        '<tool_call>{"name": "ls"}</tool_call>',
    ):
        verdict, _ = played(made["miss_func"], *start, broken)
        assert verdict.measures["passed"] == (0, 1) and "turn 2: unreadable" in verdict.note


def test_twenty_steps_are_enough_and_twenty_one_are_not(made: dict[str, Case]) -> None:
    case = made["base"]
    rest = ["Done.", call("touch", file_name="a"), "Done."]
    reads = [call("cat", file_name="plan")] * MAX_STEPS
    assert played(case, *reads, *rest)[0].measures["passed"] == (1, 1)
    verdict, _ = played(case, *reads, call("ls"), *rest)
    assert verdict.measures["passed"] == (0, 1) and "steps" in verdict.note


def test_another_state_and_a_missing_result_fail(made: dict[str, Case]) -> None:
    case = made["base"]
    read, done = call("cat", file_name="plan"), "Done."
    also = played(
        case, read, done, call("touch", file_name="a"), call("touch", file_name="b"), done
    )
    assert "another state" in also[0].note
    never = played(case, call("ls"), done)
    assert "turn 1: never saw" in never[0].note
    early = played(case, read, done, done)
    assert "turn 2: no call" in early[0].note


def test_a_result_wanted_twice_has_to_come_twice() -> None:
    assert lacking(["a", "a", "b"], ["b", "a"]) == ["a"]
    assert not lacking(["a"], ["b", "a", "a"])


def test_a_folder_in_itself_is_a_state_like_no_other() -> None:
    one, other = (World(["GorillaFileSystem"], {"GorillaFileSystem": FILES}) for _ in range(2))
    for world in (one, other):
        assert "copied" in world.call("cp", {"source": "shed", "destination": "shed"})
        assert world.call("find", {}).startswith("Error during execution")
    assert one.differs(other) == "GorillaFileSystem"


def test_a_number_too_large_to_write_is_an_error_at_once() -> None:
    world = World(["MathAPI"], {})
    for name, arguments in (
        ("power", {"base": 10, "exponent": 10**12}),
        ("square_root", {"number": 2, "precision": 10**12}),
        ("logarithm", {"value": 2, "base": 3, "precision": 10**12}),
    ):
        assert "rror" in world.call(name, arguments)
    rounded = world.call("round_number", {"number": 7, "decimal_places": -(10**12)})
    assert rounded == '{"result": 0}'


def test_gold_calls_are_read_and_never_run() -> None:
    world = World(["GorillaFileSystem"], {})
    assert read_call("wc('f', mode='w')", world) == ("wc", {"file_name": "f", "mode": "w"})
    for text in ("__import__('os').getcwd()", "cat(open('f'))", "cat(", "1"):
        with pytest.raises(ValueError):
            read_call(text, world)


def test_a_missing_file_is_named_with_its_source(tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    constants = folder / "bfcl_v4/long_context.py"
    constants.write_text("FILE_CONTENT_EXTENSION = open('x').read()\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_long_context(constants)
    constants.unlink()
    with pytest.raises(ConfigError, match=r"long_context.py.*Apache-2.0.*bfcl-eval"):
        list(suite.SUITE.cases(folder))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
TAGS = "<tool_call> </tool_call> <function= > </function> <parameter= </parameter> <think> </think>"


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_is_said_gets_a_verdict(made: dict[str, Case], data: st.DataObject) -> None:
    names = st.sampled_from(("cat", "touch", "ls", "rm", "no"))
    calls = st.builds(
        lambda name, given: Message("assistant", calls=(ToolCall(name, given),)),
        names,
        st.dictionaries(st.sampled_from(("file_name", "x")), st.text(max_size=6), max_size=2),
    )
    pieces = st.lists(st.sampled_from(TAGS.split()) | st.text(max_size=6), max_size=8).map("".join)
    script = data.draw(st.lists(calls | pieces, min_size=1, max_size=6))
    said = iter(script * 40)
    for case in made.values():
        verdict, _ = played(case, always=lambda _m, _t: next(said, "Done."))
        assert set(verdict.measures) == {"passed"}


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_call_crashes_an_environment(data: st.DataObject) -> None:
    known = data.draw(st.sampled_from(OFFICIAL["environments"]))
    world = World(known["classes"], known["config"])
    other = World(known["classes"], known["config"])
    for _ in range(5):
        name = data.draw(st.sampled_from([name for name, _, _ in known["calls"]]))
        arguments = {each: data.draw(JSON) for each in world.parameters(name)}
        assert isinstance(world.call(name, arguments), str)
        world.differs(other)


@pytest.mark.skipif("BOTPSY_BENCHMARKS" not in os.environ, reason="needs the benchmark's data")
def test_gold_is_right_on_the_real_cases() -> None:
    """All but five: see docs/evals/bfcl_multi_turn.md."""
    cases = list(suite.SUITE.cases(Path(os.environ["BOTPSY_BENCHMARKS"])))
    assert len(cases) == 800
    wrong = []
    for case in cases:
        verdict, _ = played(case, *suite.gold(case), always=None)
        wrong += [case.id] if not verdict.measures["passed"][0] else []
    assert wrong == [
        "multi_turn_base_173",
        "multi_turn_miss_func_49",
        "multi_turn_miss_func_173",
        "multi_turn_miss_param_173",
        "multi_turn_long_context_173",
    ]
