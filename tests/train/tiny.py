"""A tiny model with its own tokenizer, and replies that are known beforehand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file

from botpsy.chat.formats import POCKET
from botpsy.chat.tokens import Tokens
from botpsy.chat.types import JsonObject, Message
from botpsy.data.files import write_whole
from botpsy.data.types import Row, dump
from botpsy.train.base import train_tokenizer
from botpsy.train.model import Loaded, fresh, save
from botpsy.train.recipe import read_recipe
from botpsy.train.rollout import Limits, Roller
from botpsy.train.sample import Draw, Drawn, Sampler, TorchSampler
from botpsy.train.shapes import Shape
from botpsy.train.stage import Stage
from botpsy.train.tasks import Task

SHAPE = Shape(4, 32, 64, 2, 1, 16, 1, 2, 16)
"""One layer of full attention after three of linear attention."""
WORDS = "Answer: The letter is A B C D. one two three four five what is the right one? "


@cache
def tokens() -> Tokens:
    """A small vocabulary, the same for all."""
    return train_tokenizer([WORDS] * 4, POCKET, 300)


def model(seed: int = 0, shape: Shape = SHAPE) -> Loaded:
    """Fresh random weights, small ones: bounds on rounding are for models near to uniform."""
    made = fresh(shape, tokens(), POCKET, "float32", seed)
    with torch.no_grad():
        for weight in made.model.parameters():
            if weight.ndim == 2:
                weight.mul_(0.02 * shape.hidden**0.5)
    return made


def choice(n: int, right: str = "B", part: str = "choice") -> Task:
    """A task with one reply."""
    messages = (Message("user", f"what is the right one? {n}"),)
    reference = {"answer": right, "options": ["one", "two", "three", "four"]}
    return Task(f"choice/{n}", part, messages, (), "", "choice", reference)  # type: ignore[arg-type]


def ids(text: str, end: bool = True) -> list[int]:
    """A reply's tokens."""
    return [*tokens().encode(text), *([tokens().token_id("<|im_end|>")] if end else [])]


class Said:
    """A sampler that says what it was told to, reply by reply; what is too long is cut off."""

    def __init__(self, *replies: Sequence[int]) -> None:
        self.replies = [list(reply) for reply in replies]
        self.draws: list[Draw] = []

    def __call__(self, draws: Sequence[Draw]) -> list[Drawn]:
        """The next replies."""
        self.draws += draws
        made = []
        for draw in draws:
            reply = self.replies.pop(0)
            part = reply[: draw.limit]
            ended = part[-1:] == [tokens().token_id("<|im_end|>")]
            made.append(Drawn(part, [-0.5] * len(part), cut=not ended))
        return made


def roller(sampler: Sampler, limits: Limits | None = None) -> Roller:
    """Over that sampler."""
    limits = limits or Limits(reply=400, whole=4000, turns=8, call_s=5.0)
    return Roller(sampler, POCKET, tokens(), tokens().token_id("<|im_end|>"), limits)


def sampler(loaded: Loaded, **options: float) -> TorchSampler:
    """Of that model."""
    return TorchSampler(loaded.model, loaded.end, **options)  # type: ignore[arg-type]


def recipe_text(section: str, more: str = "") -> str:
    """A recipe whose one stage is ``section``; its data are ``data`` and ``held``."""
    return f"""
name = "tiny"
seed = 5
[model]
base = "start"
format = "pocket"
{more}
[[suite]]
name = "loss"
kind = "loss"
rows = "held.jsonl"
limit = 2
{section}
"""


DAPO = """
[[dapo]]
mix = [{name = "choice", share = 1, rows = "data.jsonl"}]
optim = {lr = 3e-3, schedule = "constant"}
batch_tokens = 200
evaluate_every = 2
select = "loss"
steps = 4
prompts = 4
group = 4
max_prompt_tokens = 60
max_reply_tokens = 10
mask_truncated = false
"""


def row(n: int) -> Row:
    """A task of one reply."""
    task = choice(n)
    reference: JsonObject = task.reference
    return Row(
        id=task.id,
        messages=task.messages,
        tools=(),
        source="choice",
        licence="Apache-2.0",
        domain="home",
        kind="single",
        difficulty="simple",
        seed=n,
        group=f"g{n}",
        proof="verifier: choice",
        verifier="choice",
        reference=reference,
    )


def conversation(n: int) -> Row:
    """The same with its answer."""
    answer = Message("assistant", "Answer: B")
    task = row(n)
    return replace(task, messages=(*task.messages, answer), verifier="", reference={})


def write(path: Path, rows: Iterable[Row]) -> None:
    """A file of rows."""
    path.write_text("".join(dump(each.to_json()) + "\n" for each in rows), "utf-8")


def stage(folder: Path, text: str, run: str = "run", seed: int = 0) -> Stage:
    """The one stage of a recipe, from random weights."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "start").exists():
        save(model(seed), folder / "start")
        write(folder / "held.jsonl", [conversation(n) for n in range(100, 103)])
        write(folder / "data.jsonl", [row(n) for n in range(40)])
    write_whole(folder / f"{run}.toml", text.encode())  # several processes may be at it
    recipe = read_recipe(folder / f"{run}.toml")
    [name] = recipe.stages()
    (folder / run).mkdir(exist_ok=True)
    return Stage(name, recipe, recipe.stages()[name], folder / run, folder / "start")


def metrics(made: Stage) -> list[dict[str, float]]:
    """The lines of its metrics that are of steps."""
    lines = (made.folder / "metrics.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if "loss" in line]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """Of a checkpoint."""
    return load_file(folder / "model.safetensors")
