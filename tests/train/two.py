"""The three kinds of stages, each from the same weights, as one process runs them or several.

python -m tests.train.two FOLDER RUN...   (RUN: one, ddp, fsdp2; with -low: in bfloat16 and with
                                           activations made again; with -again: stopped, gone on)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from accelerate.state import GradientState

from botpsy.rewards import Reward
from botpsy.train import dapo, mopd, sft
from botpsy.train.engine import Engine
from botpsy.train.model import save
from botpsy.train.rollout import Rollout
from botpsy.train.shapes import SHAPES
from botpsy.train.stage import Stage
from tests.train import tiny

ONE = "one"
STRATEGIES = ("ddp", "fsdp2")
SUITE = """
[[suite]]
name = "calls"
kind = "calls"
rows = "held.jsonl"
limit = 3
max_reply_tokens = 8
"""
STEPS = {"sft": 4, "mopd": 2, "dapo": 4}
SFT = """
[sft]
rows = ["talk.jsonl"]
optim = {lr = 3e-3, schedule = "constant"}
max_tokens = 60
batch_tokens = 120
passes = 4
epochs = 3
limit_steps = 4
evaluate_every = 2
select = "loss"
"""
MOPD = """
[[teacher]]
name = "one"
routes = ["tools"]
model = "teacher"
[[teacher]]
name = "two"
routes = ["words"]
model = "teacher"
[mopd]
mix = [{name = "a", share = 2, rows = "data.jsonl", route = "tools"}, \
{name = "b", share = 1, rows = "held.jsonl", route = "words"}]
optim = {lr = 3e-3, schedule = "constant"}
batch_tokens = 120
evaluate_every = 1
select = "loss"
steps = 2
prompts = 6
max_prompt_tokens = 60
max_reply_tokens = 10
"""
DAPO = tiny.DAPO.replace("steps = 4", "steps = 4\nupdates = 2").replace("= 200", "= 120")
SECTIONS = {"sft": SFT, "mopd": MOPD, "dapo": DAPO}


class Stopped(BaseException):
    """As if the process were gone."""


def judge(rollouts: Sequence[Rollout], judge_s: float) -> list[Reward | None]:
    """Some prompts teach nothing; others the share of even ids."""
    return [
        Reward(
            0.5
            if int(each.task.id.split("/")[1]) % 3 == 0
            else fmean(token % 2 == 0 for token in each.ids)
        )
        for each in rollouts
    ]


def prepare(folder: Path) -> None:
    """Data, a student in the shape of the 0.8B model made small, and a teacher."""
    shape = replace(SHAPES["0.8b-small"], layers=4)
    for name in SECTIONS:
        stage_of(folder, name, ONE)
        save(tiny.model(0, shape), folder / name / "start")
    tiny.write(folder / "sft" / "talk.jsonl", [tiny.conversation(n) for n in range(24)])
    save(tiny.model(3), folder / "mopd" / "teacher")


def stage_of(folder: Path, name: str, run: str) -> Stage:
    """The stage of one run."""
    strategy, _, how = run.partition("-")
    launch = "" if strategy == ONE else f'[launch]\nprocesses = 2\nstrategy = "{strategy}"\n'
    section = SECTIONS[name]
    if how == "low":
        launch = 'dtype = "bfloat16"\n' + launch
        section += "checkpointing = true\n"
    text = tiny.recipe_text(section, launch + SUITE)
    teacher = folder / name / "teacher"
    teachers = {"one": teacher, "two": teacher} if name == "mopd" else {}
    return replace(tiny.stage(folder / name, text, run), teachers=teachers)


def train(folder: Path, run: str) -> None:
    """All stages of one run."""
    for name, made in (("sft", sft), ("mopd", mopd), ("dapo", dapo)):
        stage = stage_of(folder, name, run)
        if run.endswith("-again"):
            _stop(stage, made.train, STEPS[name] - 1)
        made.train(stage)


def _stop(stage: Stage, train: Callable[[Stage], None], step: int) -> None:
    """Train up to a step."""
    learn = Engine.training_step

    def training_step(self: Engine, *args: Any, **kwargs: Any) -> Any:
        if self.state.global_step == step:
            raise Stopped
        return learn(self, *args, **kwargs)

    Engine.training_step = training_step  # type: ignore[method-assign]
    try:
        train(stage)
    except Stopped:
        return
    finally:
        Engine.training_step = learn  # type: ignore[method-assign]
        GradientState._reset_state()
    raise AssertionError("it was to stop")


if __name__ == "__main__":
    torch.set_num_threads(1)
    dapo.score = judge
    for name in sys.argv[2:]:
        train(Path(sys.argv[1]), name)
