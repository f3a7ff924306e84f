"""Run by two processes, or by one: both on-policy stages, from the same weights.

python -m tests.train.two FOLDER RUN
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import torch

from botpsy.rewards import Reward
from botpsy.train import dapo, mopd
from botpsy.train.rollout import Rollout
from tests.train import tiny

STAGES = ("dapo", "mopd")
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


def main(folder: Path, run: str) -> None:
    """Both stages."""
    torch.set_num_threads(1)
    dapo.score = judge
    launch = "[launch]\nprocesses = 2\n" if run == "two" else ""
    text = tiny.DAPO.replace("steps = 4", "steps = 4\nupdates = 2").replace("= 200", "= 120")
    dapo.train(tiny.stage(folder / "dapo", tiny.recipe_text(text, launch), run))
    stage = tiny.stage(folder / "mopd", tiny.recipe_text(MOPD, launch), run)
    teacher = folder / "mopd" / "teacher"
    mopd.train(replace(stage, teachers={"one": teacher, "two": teacher}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
