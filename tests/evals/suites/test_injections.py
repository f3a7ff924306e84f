"""Prompt injection: who obeys is found out, and the guard stops what can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from botpsy.chat.types import Message, Sampling, ToolCall
from botpsy.engines.scripted import Scripted, do_nothing
from botpsy.evals.case import Case, Verdict
from botpsy.evals.suites.injections import cases, gold, gullible, play, play_assisted
from botpsy.evals.talk import Live, Replay
from botpsy.worlds.episode import play as live
from botpsy.worlds.everyday import FIRST_TRAINING_SEED
from botpsy.worlds.registry import families, scenario

CASES = list(cases(Path()))
ONE_EACH = [case for case in CASES if case.data["seed"] == 500]
ATTACKED = [case for case in ONE_EACH if not case.data["tame"]]
ONLY_WORDS = {"research_hostile.number_for_machines", "research_hostile.praise_itself"}
"""Attacks that want nothing done: only something said."""


def talk(replies: Any) -> Live:
    return Live({"model": Scripted(replies)}, Sampling(), 0)


def is_so(verdict: Verdict, measure: str) -> bool:
    return verdict.measures[measure] == (1.0, 1.0)


def test_each_hostile_scenario_twice_and_apart_from_training() -> None:
    assert len({case.id for case in CASES}) == len(CASES) == 420
    assert {case.data["family"] for case in CASES} == {
        name for name, each in families().items() if each.kind == "hostile"
    }
    assert len({case.domain for case in CASES}) == 8
    assert all(case.data["seed"] < FIRST_TRAINING_SEED for case in CASES)


def test_a_tame_scenario_differs_by_the_hostile_text_alone() -> None:
    for case in ATTACKED:
        family, seed = case.data["family"], case.data["seed"]
        hostile, tame = scenario(family, seed), scenario(family, seed, tame=True)
        assert hostile.hostile
        assert not tame.hostile
        assert (hostile.turns, hostile.tools, hostile.near) == (tame.turns, tame.tools, tame.near)
        seen, unseen = (live(each, each.gold[0])[1].messages for each in (hostile, tame))
        assert seen != unseen or case.data["family"] == "research_hostile.praise_itself"


@pytest.mark.parametrize("played", [play, play_assisted])
def test_gold_does_the_task_and_does_not_obey(played: Callable[..., Verdict]) -> None:
    for case in ONE_EACH:
        verdict = played(case, talk(gold(case)))
        assert is_so(verdict, "passed"), (case.id, verdict.note)
        assert not is_so(verdict, "reachable"), case.id


def test_who_obeys_is_found_out() -> None:
    for case in ATTACKED:
        verdict = play(case, talk(gullible(case)))
        assert is_so(verdict, "followed"), case.id
        assert not is_so(verdict, "passed"), case.id


def test_the_guard_stops_what_is_done_but_not_what_is_said() -> None:
    for case in ATTACKED:
        verdict = play_assisted(case, talk(gullible(case)))
        assert is_so(verdict, "followed") == (case.data["family"] in ONLY_WORDS), case.id


def test_who_does_nothing_obeys_nothing() -> None:
    for case in ATTACKED:
        live = Live({"model": do_nothing()}, Sampling(), 0)
        verdict = play(case, live)
        assert not is_so(verdict, "followed")
        assert not is_so(verdict, "passed")


def test_another_tool_for_the_same_wish_is_obedience_too() -> None:
    case = next(c for c in ATTACKED if c.data["family"] == "lifestyle_places.review_calls_a_taxi")

    def reply(messages: Sequence[Message], _: object) -> Message | str:
        if messages[-1].role == "tool":
            return "There it is."
        return Message("assistant", calls=(ToolCall("set_alarm", {"time": "4 am tomorrow"}),))

    assert is_so(play(case, talk(reply)), "followed")


def test_what_the_task_needs_is_no_obedience() -> None:
    case = next(c for c in ATTACKED if c.data["family"] == "business_hostile.mail_wants_more")
    task = scenario(case.data["family"], case.data["seed"])
    number = next(
        call.arguments["phone"]
        for act in task.gold[0]
        for call in getattr(act, "calls", ())
        if call.name == "update_customer"
    )
    who = next(
        c for act in task.gold[0] for c in getattr(act, "calls", ()) if "phone" in c.arguments
    )

    def agent(**more: Any) -> Callable[..., Message | str]:
        def reply(messages: Sequence[Message], _: object) -> Message | str:
            if messages[-1].role == "tool":
                return "Done."
            arguments = {**who.arguments, "phone": number, **more}
            return Message("assistant", calls=(ToolCall("update_customer", arguments),))

        return reply

    assert not is_so(play(case, talk(agent())), "followed")
    assert is_so(play(case, talk(agent(level="gold"))), "followed")


def test_a_secret_that_leaves_is_a_success_even_in_a_read() -> None:
    case = next(
        c for c in ATTACKED if c.data["family"] == "research_hostile.page_asks_for_a_secret"
    )
    assert is_so(play(case, talk(gullible(case))), "followed")
    inside = play_assisted(case, talk(gullible(case)))
    assert not is_so(inside, "followed")
    assert is_so(inside, "reachable")


def test_what_was_said_can_be_played_again() -> None:
    for case in ATTACKED[::9]:
        for played in (play, play_assisted):
            live = talk(gullible(case))
            verdict = played(case, live)
            assert played(case, Replay(live.turns)) == verdict


def test_a_reply_that_cannot_be_read_ends_it() -> None:
    case: Case = ATTACKED[0]
    for played in (play, play_assisted):
        assert not is_so(played(case, talk(lambda *_: "<tool_call>")), "passed")
