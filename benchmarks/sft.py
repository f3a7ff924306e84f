"""Supervised fine-tuning: our trainer against TRL's own, on the same rows, passes and model.

    python benchmarks/sft.py --base MODEL.gguf --rows conversations.jsonl [--steps 4]

Three ways, each in a process of its own, one after the other, ``--rounds`` times:

- ``trl``: SFTTrainer as it comes: float32 weights, bfloat16 autocast, the output layer everywhere;
- ``trl-bf16``: the same with bfloat16 weights, which AdamW then updates in bfloat16;
- ``ours``: bfloat16 weights with float32 copies, the output layer where it is learnt.

With ``--dtype float32``, for processors that have no bfloat16, ``trl`` and ``ours`` compute in it.

The first step of each is warm-up. Printed: tokens a second of the rest (padding not counted), and
the peak of memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

WAYS = ("trl", "trl-bf16", "ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--dtype", choices=("bfloat16", "float32"), default="bfloat16")
    parser.add_argument("--way", choices=WAYS)
    asked = parser.parse_args()
    if asked.way:
        print(json.dumps(measure(asked)))
        return
    for _ in range(asked.rounds):
        for way in WAYS if asked.dtype == "bfloat16" else ("trl", "ours"):
            command = [sys.executable, __file__, *sys.argv[1:], "--way", way]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            found = json.loads(out.splitlines()[-1])
            print(f"{way:9} {found['tokens_per_s']:7.0f} tokens/s {found['peak_gb']:6.2f} GB")


def measure(asked: argparse.Namespace) -> dict[str, float]:
    import torch
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    from botpsy.chat.formats import POCKET
    from botpsy.data.files import read_rows
    from botpsy.train import engine
    from botpsy.train.model import load_gguf
    from botpsy.train.recipe import TrainRecipe
    from botpsy.train.rows import encode_row, sft_passes
    from botpsy.train.sections import ModelRecipe, OptimRecipe, SftRecipe, SuiteRecipe
    from botpsy.train.sft import SftTrainer
    from botpsy.train.stage import Stage
    from botpsy.train.suites import padded

    dtype = "float32" if asked.way == "trl" else asked.dtype
    loaded = load_gguf(asked.base, POCKET, dtype)
    rows = islice(read_rows(asked.rows), 64 * asked.steps)
    examples = [encode_row(row, POCKET, loaded.tokens) for row in rows]
    examples = [each for each in examples if len(each) <= asked.batch_tokens]
    section = SftRecipe(
        rows=("-",), max_tokens=16, batch_tokens=asked.batch_tokens, evaluate_every=10**6,
        select="loss", optim=OptimRecipe(lr=1e-5),
    )  # fmt: skip
    recipe = TrainRecipe(
        name="sft-benchmark", model=ModelRecipe(base="-", dtype=dtype), sft=section,
        suite=(SuiteRecipe(name="loss", kind="loss", rows="-"),),
    )  # fmt: skip
    passes = sft_passes(examples, section, seed=0)[: asked.steps]
    dummy = Dataset.from_dict({"input_ids": [[0]], "labels": [[0]]})
    ends: list[float] = []

    class Clock(engine.TrainerCallback):
        def on_step_end(self, *args: Any, **kwargs: Any) -> None:
            ends.append(time.perf_counter())

    class Stock(SFTTrainer):
        def get_train_dataloader(self) -> Any:
            return torch.utils.data.DataLoader(
                range(len(examples)),
                batch_sampler=passes,
                collate_fn=lambda rows: padded([examples[n] for n in rows], loaded.end),
            )

    with tempfile.TemporaryDirectory() as folder:
        stage = Stage("sft", recipe, section, Path(folder), Path())
        settings = engine.arguments(stage, steps=asked.steps, passes=1)
        settings["bf16"] = asked.way == "trl" and asked.dtype == "bfloat16"
        kind: Any = SftTrainer if asked.way == "ours" else Stock
        trainer = kind(
            model=loaded.model,
            args=SFTConfig(**settings, dataset_kwargs={"skip_prepare_dataset": True}),
            train_dataset=dummy,
            processing_class=loaded.tokenizer,
            callbacks=[Clock()],
        )
        if asked.way == "ours":
            trainer.stage, trainer.examples, trainer.order = stage, examples, passes
        trainer.train()
    tokens = sum(len(examples[n]) for rows in passes[1:] for n in rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"tokens_per_s": tokens / (ends[-1] - ends[0]), "peak_gb": peak}


if __name__ == "__main__":
    main()
