"""tau2-bench telecom without a user: made-up tasks in the official format, official verdicts."""

from __future__ import annotations

import json
import os
import re
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
from botpsy.evals.suites.tau2 import telecom
from botpsy.evals.suites.tau2.tasks import Gold, missing
from botpsy.evals.talk import Live
from tests.evals.suites.tau2_telecom_data import LINE, write_data

OFFICIAL = json.loads(Path(__file__).with_name("tau2_telecom_official.json").read_text())
"""What the official package (v1.0.1) answers to calls on the made-up tasks, and its verdicts. Ids
that it draws are ``B*``; texts of its argument checks are ``Error: *``."""
DONE = Message("assistant", calls=(ToolCall("done", {}),))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = write_data(tmp_path_factory.mktemp("data"))
    return {case.id.split("]")[1]: case for case in telecom.SUITE.cases(folder)}


def call(name: str, **arguments: Any) -> Message:
    return Message("assistant", calls=(ToolCall(name, arguments),))


def played(case: Case, *said: Any, always: Any = None) -> tuple[Verdict, Scripted]:
    engine = Scripted(always or list(said))
    return telecom.play(case, Live({MODEL: engine}, Sampling(), 0)), engine


def ok(verdict: Verdict) -> bool:
    return verdict.measures["passed"] == (1, 1)


def test_gold_is_right_and_doing_nothing_is_not(made: dict[str, Case]) -> None:
    assert len(made) == 4
    found = bounds(telecom.SUITE, list(made.values()))
    shares = {
        name: [record.verdict and record.verdict.measures["passed"][0] for record in some]
        for name, some in found.items()
    }
    assert shares == {"do-nothing": [0] * 4, "always-call": [0] * 4, "gold": [1] * 4}


def test_answers_and_verdicts_are_the_official_ones(made: dict[str, Case]) -> None:
    assert {verdict for *_, verdict in OFFICIAL["runs"]} == {True, False}
    for name, calls, answers, verdict in OFFICIAL["runs"]:
        case = made[name.split("]")[1]]
        world = telecom.world_of(case)
        for (tool, arguments), answer in zip(calls, answers, strict=True):
            text, failed = world.toolbox.call(tool, arguments)
            wanted = OFFICIAL["results"][answer]
            if wanted == "Error: *":
                assert failed
            else:
                assert re.sub(r"\bB[0-9a-f]{8}\b", "B*", text) == wanted, (tool, arguments)
        wrong = telecom.judge(world, case, [ToolCall(*each) for each in calls])
        assert (not wrong) == verdict, (name, calls)


def test_every_gold_call_is_needed(made: dict[str, Case]) -> None:
    for case in made.values():
        said = list(telecom.gold(case))
        for n in range(len(said) - 1):
            assert not ok(played(case, *said[:n], *said[n + 1 :])[0]), said[n]


def test_a_line_that_is_not_paid_stays_cut(made: dict[str, Case]) -> None:
    unpaid = [
        call("reseat_sim_card"),
        call("resume_line", **LINE),
        call("reset_apn_settings"),
        call("reboot_device"),
    ]
    verdict, engine = played(made["unpaid"], *unpaid, DONE)
    assert not ok(verdict) and "overdue" in verdict.note
    assert "📶⁴ Excellent | 5G" in engine.asked[-1].messages[-1].content


def test_done_ends_a_turn_before_its_other_calls(made: dict[str, Case]) -> None:
    *said, last = telecom.gold(made["pictures"])[:-1]
    both = Message("assistant", calls=(*last.calls, *DONE.calls))
    assert not ok(played(made["pictures"], *said, both)[0])
    assert ok(played(made["pictures"], *said, last, DONE)[0])


def test_several_calls_in_a_turn_are_carried_out_in_order(made: dict[str, Case]) -> None:
    calls = tuple(each.calls[0] for each in telecom.gold(made["abroad"])[:-1])
    assert ok(played(made["abroad"], Message("assistant", calls=calls), DONE)[0])


def test_words_instead_of_a_call_and_broken_calls_fail(made: dict[str, Case]) -> None:
    for said in ("Solved.", "", "<tool_call>\n<function=done>", '{"name": "done"}'):
        verdict, engine = played(made["locked"], call("transfer_to_human_agents", summary=""), said)
        assert not ok(verdict) and "no call" in verdict.note
        assert engine.asked[0].sampling.tool_choice == "required"


def test_a_call_that_does_not_fit_is_told_and_counts_as_a_failure(made: dict[str, Case]) -> None:
    case = made["pictures"]
    bad = call("grant_app_permission", app_name="messaging")
    verdict, engine = played(case, bad, *telecom.gold(case))
    assert ok(verdict) and "permission" in engine.asked[1].messages[-1].content
    missing_customer = call("get_customer_by_id", customer_id="C9")
    assert ok(played(case, *[missing_customer, bad] * 4, bad, *telecom.gold(case))[0])
    verdict, _ = played(case, *[missing_customer, bad] * 5, *telecom.gold(case))
    assert not ok(verdict) and "10 calls that failed" in verdict.note


def test_the_hundredth_reply_has_to_be_done(made: dict[str, Case]) -> None:
    case = made["locked"]
    said = [call("transfer_to_human_agents", summary="x"), *[call("check_sim_status")] * 98]
    assert ok(played(case, *said, DONE)[0])
    verdict, engine = played(case, call("check_sim_status"), *said, DONE)
    assert not ok(verdict) and len(engine.asked) == 100


def test_what_is_shown(made: dict[str, Case]) -> None:
    """Records as JSON with all their fields; numbers outside of records as text."""
    world = telecom.world_of(made["abroad"])
    shown, failed = world.toolbox.call("get_details_by_id", {"id": "D1"})
    assert json.loads(shown) == {
        "device_id": "D1",
        "device_type": "phone",
        "model": "Brick",
        "imei": None,
        "is_esim_capable": False,
        "activated": False,
        "activation_date": "2024-05-06 07:08:09",
        "last_esim_transfer_date": None,
    }
    usage, _ = world.toolbox.call("get_data_usage", LINE)
    assert json.loads(usage) == {
        "line_id": "L1",
        "data_used_gb": "2.1",
        "data_limit_gb": "2.0",
        "data_refueling_gb": "0.0",
        "cycle_end_date": "2025-02-28",
    }
    assert not failed
    assert world.toolbox.call("get_details_by_id", {"id": "L2"}) == (
        "Error: Line with ID L2 not found",
        True,
    )


def test_refueled_data_is_on_the_next_bill(made: dict[str, Case]) -> None:
    world = telecom.world_of(made["abroad"])
    for amount in (1.0, 0.5):
        world.toolbox.call("refuel_data", {**LINE, "gb_amount": amount})
    assert world.toolbox.call("refuel_data", {**LINE, "gb_amount": 0})[1]
    latest = json.loads(world.toolbox.call("get_bills_for_customer", {"customer_id": "C1"})[0])[0]
    assert (latest["status"], latest["total_due"], latest["due_date"]) == (
        "Draft",
        2.25,
        "2025-03-15",
    )
    assert [each["amount"] for each in latest["line_items"]] == [1.5, 0.75]


def test_a_vpn_that_was_poor_is_poor_again(made: dict[str, Case]) -> None:
    world = telecom.world_of(made["abroad"])
    for name in ("disconnect_vpn", "connect_vpn"):
        world.toolbox.call(name, {})
    assert "POOR" in world.toolbox.call("check_vpn_status", {})[0]
    fresh = telecom.world_of(made["locked"])
    fresh.toolbox.call("connect_vpn", {})
    assert "EXCELLENT" in fresh.toolbox.call("check_vpn_status", {})[0]


def test_playing_a_case_leaves_the_next_one_as_it_was(made: dict[str, Case]) -> None:
    for _ in range(2):
        assert ok(played(made["unpaid"], *telecom.gold(made["unpaid"]))[0])
    assert [each.bill_id for each in made["unpaid"].data["company"].bills] == ["B1"]


def test_how_calls_are_compared() -> None:
    free = Gold(ToolCall("f", {"a": 1, "b": 2}), None)
    assert free.matches(ToolCall("f", {"a": 1})) and free.matches(ToolCall("f", {}))
    assert not free.matches(ToolCall("f", {"a": 2})) and not free.matches(ToolCall("g", {}))
    only = Gold(ToolCall("f", {"a": 1, "b": 2}), ("a",))
    assert only.matches(ToolCall("f", {"a": 1, "b": 9})) and not only.matches(ToolCall("f", {}))
    assert missing([free, free], [ToolCall("f", {"a": 1})]) == ""
    assert missing([free], []) == "f"


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    tasks = folder / "tau2/domains/telecom/tasks.json"
    listed = json.loads(tasks.read_text())
    listed[0]["initial_state"]["initialization_actions"][1]["func_name"] = "explode"
    tasks.write_text(json.dumps(listed))
    with pytest.raises(ConfigError, match="explode"):
        list(telecom.SUITE.cases(folder))
    tasks.unlink()
    with pytest.raises(ConfigError, match=r"tasks.json.*MIT.*tau2-bench"):
        list(telecom.SUITE.cases(folder))


TAGS = "<tool_call> </tool_call> <function= > </function> <parameter= </parameter> <think> </think>"
JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_is_said_gets_a_verdict(made: dict[str, Case], data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(sorted(made.items())))[1]
    specs = {spec.name: spec for spec in case.data["tools"]}
    tools = st.sampled_from(sorted(set(specs) - {"done"}))
    pieces = st.lists(st.sampled_from(TAGS.split()) | st.text(max_size=6), max_size=8).map("".join)
    script: list[Any] = []
    for name in data.draw(st.lists(tools, max_size=5)):
        wanted = specs[name].parameters.get("properties", {})
        script.append(call(name, **{each: data.draw(JSON) for each in wanted}))
    script.insert(data.draw(st.integers(0, len(script))), data.draw(pieces))
    rest = iter(script)
    verdict, _ = played(case, always=lambda _m, _t: next(rest, DONE))
    assert set(verdict.measures) == {"passed"}


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_call_crashes_the_world(made: dict[str, Case], data: st.DataObject) -> None:
    case = made["abroad"]
    world = telecom.world_of(case)
    keys = st.sampled_from(("apn_name", "mms_port", "reset_at_reboot", "x"))
    for spec in data.draw(st.lists(st.sampled_from(case.data["tools"][:-1]), max_size=5)):
        known = spec.parameters.get("properties", {})
        values = JSON | st.dictionaries(keys, JSON, max_size=2)
        text, failed = world.toolbox.call(spec.name, {each: data.draw(values) for each in known})
        assert isinstance(text, str) and failed == text.startswith("Error: ")
    telecom.judge(world, case, [])


@pytest.mark.skipif("BOTPSY_BENCHMARKS" not in os.environ, reason="needs the benchmark's data")
def test_the_real_tasks_are_solved_by_their_gold_calls() -> None:
    cases = list(telecom.SUITE.cases(Path(os.environ["BOTPSY_BENCHMARKS"])))
    assert len(cases) == 114
    assert all(ok(played(case, *telecom.gold(case))[0]) for case in cases)
