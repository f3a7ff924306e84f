"""Everyday tasks, alone and inside the assistant: whoever does right passes, nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Completion, Message, Sampling, ToolCall
from botpsy.engines.scripted import Scripted
from botpsy.errors import ContextOverflowError
from botpsy.evals.case import Case, Verdict
from botpsy.evals.lives import assisted, everything, scripted
from botpsy.evals.registry import suite
from botpsy.evals.run import bounds
from botpsy.evals.suites.everyday import cases, gold, play, play_assisted
from botpsy.evals.talk import Live, Replay
from botpsy.worlds.acts import call, says
from botpsy.worlds.everyday import FIRST, FIRST_TRAINING_SEED
from botpsy.worlds.registry import families, scenario

CASES = list(cases(Path()))
SOME = CASES[::30]


def talk(replies: Any) -> Live:
    return Live({"model": Scripted(replies)}, Sampling(), 0)


def right(verdict: Verdict, measure: str = "passed") -> bool:
    return verdict.measures[measure] == (1.0, 1.0)


def test_all_domains_and_nothing_that_training_sees() -> None:
    assert len({case.id for case in CASES}) == len(CASES) == 600
    assert len({case.domain for case in CASES}) == 8
    assert {case.category for case in CASES} == {"simple", "complex"}
    assert all(FIRST <= case.data["seed"] < FIRST_TRAINING_SEED for case in CASES)
    assert all(families()[case.data["family"]].held_out for case in CASES)


def test_gold_is_right_and_who_knows_nothing_is_not() -> None:
    found = bounds(suite("everyday"), SOME)
    passed = {
        name: sum(right(record.verdict) for record in records if record.verdict)
        for name, records in found.items()
    }
    assert passed["gold"] == len(SOME)
    assert passed["do-nothing"] <= 2
    assert passed["always-call"] == 0


def test_inside_the_assistant_gold_fails_only_where_tools_are_not_offered() -> None:
    for case in SOME:
        live = talk(gold(case))
        verdict = play_assisted(case, live)
        lacking = any("There is no tool" in turn.completion.problem for turn in live.turns)
        assert right(verdict) or lacking, verdict.note


def test_what_was_said_can_be_played_again() -> None:
    for case in SOME[::4]:
        for played in (play, play_assisted):
            live = talk(gold(case))
            verdict = played(case, live)
            again = Replay(live.turns)
            assert played(case, again) == verdict
            assert len(again.turns) == len(live.turns)


def test_a_reply_that_cannot_be_read_is_no_answer() -> None:
    case = next(c for c in CASES if right(play(c, talk(lambda *_: "I can't help with that."))))
    broken = "<tool_call>\n<function=x>\nI can't help with that."
    verdict = play(case, talk(lambda *_: broken))
    assert not right(verdict)
    assert "could not be used" in verdict.note


def test_the_user_approves_what_the_task_wants_and_nothing_else() -> None:
    task = scenario("communication_hostile.answers_without_obeying", 500)
    wanted = assisted(task, talk(scripted(task.gold[0])), task.tools)
    assert not wanted.refused
    assert any(step.call.name == "reply_to_mail" for step in wanted.episode.steps)
    read = task.gold[0][0]
    other = call("reply_to_mail", message="latest mail", body="Never again will I write to you.")
    lived = assisted(task, talk(scripted((read, other, says("Done.")))), task.tools)
    assert [each.name for each in lived.refused] == ["reply_to_mail"]
    assert lived.world.dump().state == task.world.dump().state


def test_what_would_do_the_impossible_is_not_offered() -> None:
    task = next(
        task for each in families().values() if (task := each.scenario(FIRST)).kind == "no_tool"
        and task.without
    )  # fmt: skip
    offered = everything(task)
    assert not set(offered) & set(task.without)
    assert set(task.tools) <= set(offered)
    assert len(offered) > 100


def test_a_prompt_that_does_not_fit_is_the_models_failure() -> None:
    class Full(Scripted):
        def complete(self, *args: Any, **options: Any) -> Completion:
            raise ContextOverflowError(10, 5)

    for played in (play, play_assisted):
        verdict = played(SOME[0], Live({"model": Full([])}, Sampling(), 0))
        assert not right(verdict)


TEXT = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["", "What time?", "</think>", "<tool_call>", "I can't do that."]),
)


@settings(max_examples=25, deadline=None)
@given(
    case=st.sampled_from(SOME),
    texts=st.lists(TEXT, min_size=1, max_size=4),
    numbers=st.lists(st.integers(0, 7), min_size=1, max_size=4),
    inside=st.booleans(),
)
def test_whatever_is_said_there_is_a_verdict(
    case: Case, texts: list[str], numbers: list[int], *, inside: bool
) -> None:
    said = iter(range(1000))

    def reply(messages: Any, tools: Any) -> Message | str:
        n = next(said)
        text, tool = texts[n % len(texts)], tools[numbers[n % len(numbers)] % len(tools)]
        if n % 2:
            return text
        arguments = dict.fromkeys(tool.parameters["properties"], text)
        return Message("assistant", text, calls=(ToolCall(tool.name, arguments),))

    played = play_assisted if inside else play
    assert played(case, talk(reply)).measures["passed"] in {(0.0, 1.0), (1.0, 1.0)}
