"""The three kinds of stages, each from the same weights, as one process runs them or several.

python -m tests.train.two FOLDER RUN...   (RUN: one, ddp, fsdp2 or fsdp2-low)
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import torch

from botpsy.rewards import Reward
from botpsy.train import dapo, mopd, sft
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
evaluate_every = 2
select = "loss"
steps = 2
prompts = 6
max_prompt_tokens = 60
max_reply_tokens = 10
"""
DAPO = tiny.DAPO.replace("steps = 4", "steps = 4\nupdates = 2").replace("= 200", "= 120")
SECTIONS = {"sft": SFT, "mopd": MOPD, "dapo": DAPO}


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
    strategy, _, low = run.partition("-")
    launch = "" if run == ONE else f'[launch]\nprocesses = 2\nstrategy = "{strategy}"\n'
    section = SECTIONS[name]
    if low:
        launch = 'dtype = "bfloat16"\n' + launch
        section += "checkpointing = true\n"
    text = tiny.recipe_text(section, launch + SUITE)
    teacher = folder / name / "teacher"
    teachers = {"one": teacher, "two": teacher} if name == "mopd" else {}
    return replace(tiny.stage(folder / name, text, run), teachers=teachers)


def train(folder: Path, run: str) -> None:
    """All stages of one run."""
    sft.train(stage_of(folder, "sft", run))
    mopd.train(stage_of(folder, "mopd", run))
    dapo.train(stage_of(folder, "dapo", run))


if __name__ == "__main__":
    torch.set_num_threads(1)
    dapo.score = judge
    for name in sys.argv[2:]:
        train(Path(sys.argv[1]), name)
