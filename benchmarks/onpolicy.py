"""Stages that learn from their own samples: our trainers against TRL's, on the same prompts.

    python benchmarks/onpolicy.py dapo --base MODEL.gguf --rows tasks.jsonl [--steps 3]

Ways, each in a process of its own, one after the other:

- ``trl``: the stock trainer: weights of the same type, ``generate``, prompts and replies padded to
  the longest, the output layer at every position;
- ``ours``: one prefill for a group, rows that leave when they end, passes of a token budget, the
  output layer where it teaches.

Every reply is drawn at temperature 1, ends where the model ends it or at ``--reply`` tokens, and is
rewarded by the share of even ids. For distillation the teacher is the model itself. The first step
is warm-up. Printed: seconds of a step, on the clock and of the processor; sampled tokens a second
of processor time; the peak of memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

WAYS = ("trl", "ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stage", choices=("dapo", "mopd"))
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--prompts", type=int, default=4)
    parser.add_argument("--group", type=int, default=8)
    parser.add_argument("--reply", type=int, default=64)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dtype", choices=("bfloat16", "float32"), default="bfloat16")
    parser.add_argument("--way", choices=WAYS)
    asked = parser.parse_args()
    if asked.way:
        print(json.dumps(measure(asked)))
        return
    for way in WAYS:
        command = [sys.executable, __file__, *sys.argv[1:], "--way", way]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(out.splitlines()[-1])
        print(
            f"{way:5} {found['wall_s']:6.1f} s {found['cpu_s']:6.1f} s of processor"
            f" {found['tokens_per_s']:6.1f} tokens/s {found['peak_gb']:5.2f} GB",
            flush=True,
        )


def even(ids: Sequence[int]) -> float:
    return fmean(token % 2 == 0 for token in ids)


def measure(asked: argparse.Namespace) -> dict[str, float]:
    import torch

    from botpsy.chat.formats import POCKET
    from botpsy.data.files import read_rows
    from botpsy.train import dapo, engine
    from botpsy.train.model import load_gguf

    torch.set_num_threads(asked.threads)
    loaded = load_gguf(asked.base, POCKET, asked.dtype)
    fits = []
    for row in read_rows(asked.rows):
        text = POCKET.render(row.messages, row.tools)
        if (
            row.is_task
            and row.verifier != "world"
            and len(loaded.tokens.encode(text)) < asked.prompt
        ):
            fits.append((row, text))
        if len(fits) == asked.prompts * asked.steps:
            break
    ends: list[tuple[float, float]] = []
    sampled: list[int] = []

    class Clock(engine.TrainerCallback):
        def on_step_end(self, *args: Any, **kwargs: Any) -> None:
            ends.append((time.perf_counter(), time.process_time()))

    def judge(rollouts: Sequence[Any], judge_s: float) -> list[Any]:
        return [dapo.Reward(even(each.ids)) for each in rollouts]

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dapo.score = judge
        make: Any = ours if asked.way == "ours" else stock
        trainer = make(asked, loaded, fits, folder)
        trainer.add_callback(Clock())
        keep = trainer.log

        def log(logs: dict[str, float], *more: Any) -> None:
            keep(logs, *more)
            if "loss" in logs:
                count = asked.prompts * (asked.group if asked.stage == "dapo" else 1)
                mean = logs.get("all/length/mean", logs.get("completions/mean_length"))
                sampled.append(mean * count)

        trainer.log = log
        trainer.train()
    steps = len(ends) - 1
    wall, cpu = ((ends[-1][n] - ends[0][n]) / steps for n in (0, 1))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    tokens = fmean(islice(sampled, 1, None))
    return {"wall_s": wall, "cpu_s": cpu, "tokens_per_s": tokens / cpu, "peak_gb": peak}


def ours(asked: argparse.Namespace, loaded: Any, fits: Sequence[Any], folder: Path) -> Any:
    from botpsy.data.types import dump
    from botpsy.train import engine, stage
    from botpsy.train.dapo import DapoTrainer
    from botpsy.train.mopd import MopdTrainer
    from botpsy.train.onpolicy import placeholder
    from botpsy.train.recipe import TrainRecipe

    rows = folder / "rows.jsonl"
    rows.write_text("".join(dump(row.to_json()) + "\n" for row, _ in fits), "utf-8")
    part = {"name": "all", "share": 1, "rows": str(rows)}
    if asked.stage == "mopd":
        part["route"] = "all"
    section = {
        "mix": [part], "optim": {"lr": 1e-6}, "batch_tokens": asked.batch_tokens, "select": "loss",
        "evaluate_every": asked.steps, "steps": asked.steps, "prompts": asked.prompts,
        "max_prompt_tokens": asked.prompt, "max_reply_tokens": asked.reply,
    }  # fmt: skip
    more: dict[str, Any] = {"dapo": [section | {"group": asked.group, "mask_truncated": False}]}
    if asked.stage == "mopd":
        teacher = {"name": "all", "routes": ["all"], "model": "-"}
        more = {"mopd": section, "teacher": [teacher]}
    recipe = TrainRecipe.model_validate(
        {
            "name": "benchmark",
            "model": {"base": "-", "dtype": asked.dtype},
            "suite": [{"name": "loss", "kind": "loss", "rows": "-"}],
            **more,
        }
    )
    [name] = recipe.stages()
    this = stage.Stage(name, recipe, recipe.stages()[name], folder, folder)
    settings = engine.arguments(this, steps=asked.steps, passes=1)
    kind: Any = DapoTrainer if asked.stage == "dapo" else MopdTrainer
    trainer = kind(
        model=loaded.model,
        train_dataset=placeholder(),
        processing_class=loaded.tokenizer,
        **of_trl(asked, settings),
    )
    trainer.set_up(this, loaded)
    if asked.stage == "mopd":
        trainer.set_teachers({"all": teacher_of(asked)})
    return trainer


def stock(asked: argparse.Namespace, loaded: Any, fits: Sequence[Any], folder: Path) -> Any:
    from datasets import Dataset
    from trl import DistillationTrainer, GRPOTrainer

    settings = {
        "output_dir": str(folder), "use_cpu": True, "bf16": False, "report_to": "none",
        "max_steps": asked.steps, "logging_steps": 1, "save_strategy": "no", "learning_rate": 1e-6,
        "activation_checkpointing": False, "disable_tqdm": True,
    }  # fmt: skip
    more: dict[str, Any] = {"teacher_model": teacher_of(asked)} if asked.stage == "mopd" else {}
    kind: Any = GRPOTrainer if asked.stage == "dapo" else DistillationTrainer
    return kind(
        model=loaded.model,
        train_dataset=Dataset.from_dict({"prompt": [text for _, text in fits]}),
        processing_class=loaded.tokenizer,
        **of_trl(asked, settings),
        **more,
    )


def of_trl(asked: argparse.Namespace, settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings for both: TRL's passes have as many rows as ``--batch-tokens`` admits."""
    from trl import DistillationConfig, GRPOConfig

    rows = asked.prompts * (asked.group if asked.stage == "dapo" else 1)
    fit = max(1, asked.batch_tokens // (asked.prompt + asked.reply))
    size = max(n for n in range(1, fit + 1) if rows % n == 0)
    if asked.way == "trl":
        settings |= {"gradient_accumulation_steps": rows // size}
    else:
        size = rows
    settings |= {"per_device_train_batch_size": size, "max_completion_length": asked.reply}
    if asked.stage == "mopd":
        return {"args": DistillationConfig(**settings, beta=1.0, temperature=1.0, top_k=0)}
    settings |= {"num_generations": asked.group, "beta": 0.0, "loss_type": "dapo"}
    return {
        "args": GRPOConfig(**settings, epsilon_high=0.28),
        "reward_funcs": [lambda completion_ids, **_: [even(ids) for ids in completion_ids]],
    }


def teacher_of(asked: argparse.Namespace) -> Any:
    from botpsy.chat.formats import POCKET
    from botpsy.train.model import load_gguf

    return load_gguf(asked.base, POCKET, asked.dtype).model


if __name__ == "__main__":
    main()
