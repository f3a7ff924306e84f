"""What is evaluated on is not what is trained on."""

from __future__ import annotations

from botpsy.worlds.everyday import FIRST_TRAINING_SEED, everyday
from botpsy.worlds.registry import HELD_OUT_TOOLS, families


def test_held_out_families_of_every_domain() -> None:
    tasks = list(everyday("held_out", per_family=1))
    assert {task.family for task in tasks} == {
        name for name, each in families().items() if each.held_out
    }
    assert len({task.domain for task in tasks}) == 8
    assert len({task.kind for task in tasks}) >= 11
    assert all(task.seed < FIRST_TRAINING_SEED for task in tasks)


def test_held_out_tools_are_asked_of_the_held_out_part_alone() -> None:
    held = [call.name for task in everyday("held_out", per_family=1) for call in gold_calls(task)]
    assert set(held) >= HELD_OUT_TOOLS
    for task in everyday("seen", per_family=1):
        assert not HELD_OUT_TOOLS & set(task.tools), task.id


def gold_calls(task):  # type: ignore[no-untyped-def]
    from botpsy.worlds.acts import Calls

    return [call for act in task.gold[0] if isinstance(act, Calls) for call in act.calls]
