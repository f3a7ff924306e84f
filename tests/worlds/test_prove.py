"""The prover finds scenarios that prove nothing."""

from __future__ import annotations

from botpsy.worlds.acts import ask, call, say, says
from botpsy.worlds.prove import prove
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.scene import Scene
from tests.worlds.scenes import made


def test_a_good_one() -> None:
    def fine(s: Scene) -> Scenario:
        return s.scenario(
            "set a timer for 10 minutes",
            [call("set_timer", duration="10 minutes"), say("Until {rings}.")],
        )

    proof = prove(made(fine))
    assert proof.wrong == ()
    assert {"gold 1", "without set_timer", "set_timer twice", "set_timer: other duration"} <= set(
        proof.tried
    )


def test_reads_without_a_wanted_answer() -> None:
    def vague(s: Scene) -> Scenario:
        return s.scenario("my reminders?", [call("list_reminders"), says("None.")])

    assert any("idle: claims: it passes" in each for each in prove(made(vague)).wrong)


def test_gold_that_does_not_reach_its_own_goal() -> None:
    def wrong(s: Scene) -> Scenario:
        return s.scenario(
            "my reminders?", [call("list_reminders"), says("None.")], answer=["the moon"]
        )

    assert any("gold 1" in each and "moon" in each for each in prove(made(wrong)).wrong)


def test_gold_that_ends_in_a_question_or_asks_past_the_user() -> None:
    def open_end(s: Scene) -> Scenario:
        return s.scenario(
            "set a timer",
            [ask("Blue or green?", "duration"), call("set_timer", duration="1 hour"), says("Ok?")],
        )

    wrong = prove(made(open_end, "missing")).wrong
    assert any("is no question" in each for each in wrong)
    assert any("does not take" in each for each in wrong)
    assert any("no fact" in each for each in wrong)


def test_a_loosened_goal_lets_near_misses_through() -> None:
    def loosened(s: Scene) -> Scenario:
        return s.scenario(
            "set a timer for 10 minutes",
            [call("set_timer", duration="10 minutes"), says("Set.")],
            loose=["reminders/*"],
        )

    # What the family declares to be of no matter is no near-miss; then too few are left.
    proof = prove(made(loosened))
    assert "set_timer: other duration" not in proof.tried


def test_own_near_misses_are_tried() -> None:
    def near(s: Scene) -> Scenario:
        return s.scenario(
            "set a timer for 10 minutes",
            [call("set_timer", duration="10 minutes"), says("Set.")],
            near={"the same": [call("set_timer", duration="600 seconds"), says("Set.")]},
        )

    assert any("own: the same: it passes" in each for each in prove(made(near)).wrong)
