"""Held-out measures of a model in training: the same cases each time, the likeliest reply to each.

A world that breaks counts as a goal that was not reached.
Sampling takes no chance and no state of the trainer, so that measuring changes nothing in a run.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from botpsy.chat.parser import read
from botpsy.chat.tokens import Tokens
from botpsy.chat.types import Message, ToolCall
from botpsy.data.files import read_rows
from botpsy.data.types import Row
from botpsy.errors import ConfigError
from botpsy.rewards import tool_call
from botpsy.train.model import window_of
from botpsy.train.rollout import Limits, Roller, Rollout, number
from botpsy.train.rows import Example, passes, read_examples
from botpsy.train.sample import TorchSampler
from botpsy.train.score import score
from botpsy.train.sections import SuiteRecipe
from botpsy.train.stage import Stage
from botpsy.train.tasks import Task

FULL = {"tool_call": tool_call.TOP}
"""What a verifier grants in full, where that is not 1."""
PROMPT_TOKENS = 4096
"""A suite's case may have so many before the model's first word."""
MAX_TURNS = 8
TURN_S = 30.0

Measures = dict[str, float]
Score = tuple[float, int]
"""A sum, and of how many it is."""


@dataclass
class Suites:
    """The suites of a stage, read once.

    Attributes:
        tokens, end: of the model.
        share: this process's part of the cases: (rank, processes).
        total: sums over processes.
        cases: of each suite, over all processes; known once it was measured.
    """

    stage: Stage
    tokens: Tokens
    end: int
    share: tuple[int, int] = (0, 1)
    total: Callable[[Score], Score] = lambda score: score
    cases: dict[str, int] = field(default_factory=dict)

    def measure(self, model: Any) -> Measures:
        """Every suite's value. ``model`` comes back in the mode it was in.

        Raises:
            ConfigError: a suite has no cases.
        """
        training = model.training
        model.eval()
        try:
            with torch.no_grad():
                scores = self.scores(model)
        finally:
            model.train(training)
        return {suite.name: self._value(suite.name, scores) for suite in self.stage.suites}

    def _value(self, name: str, scores: Mapping[str, Score]) -> float:
        made, of = self.total(scores[name])
        if not of:
            raise ConfigError(f"suite {name}: it has no cases.", "Build data with more rows.")
        self.cases[name] = of
        return made / of

    def scores(self, model: Any) -> dict[str, Score]:
        """Of every suite, this process's part. A task that several have is tried once."""
        found: dict[str, Score] = {}
        by_limit: defaultdict[int, list[SuiteRecipe]] = defaultdict(list)
        for suite in self.stage.suites:
            match suite.kind:
                case "loss":
                    found[suite.name] = self._loss(model, self._mine(self.examples[suite.name]))
                case "calls":
                    found[suite.name] = self._calls(suite, model)
                case "tasks":
                    by_limit[suite.max_reply_tokens].append(suite)
        for limit, suites in by_limit.items():
            found |= self._granted(suites, limit, model)
        return found

    def _mine(self, cases: Sequence[Any]) -> Sequence[Any]:
        rank, processes = self.share
        return cases[rank::processes]

    @cached_property
    def examples(self) -> dict[str, list[Example]]:
        """The cases of suites of loss."""
        budget = self.stage.section.batch_tokens
        return {
            suite.name: read_examples(
                self.stage.files(suite.rows, "conversations", held_out=True),
                self.stage.chat,
                self.tokens,
                budget,
            )[: suite.limit]
            for suite in self.stage.suites
            if suite.kind == "loss"
        }

    @cached_property
    def turns(self) -> dict[str, list[tuple[Task, Message]]]:
        """The cases of suites of calls: what was asked, and what was right."""
        return {
            suite.name: list(islice(self._turns(suite), suite.limit))
            for suite in self.stage.suites
            if suite.kind == "calls"
        }

    @cached_property
    def tasks(self) -> dict[str, list[Task]]:
        """The cases of suites of tasks."""
        return {
            suite.name: list(islice(self._tasks(suite), suite.limit))
            for suite in self.stage.suites
            if suite.kind == "tasks"
        }

    def _turns(self, suite: SuiteRecipe) -> Iterator[tuple[Task, Message]]:
        for row in _rows(self.stage, suite, "conversations"):
            turns = [n for n, each in enumerate(row.messages) if each.role == "assistant"]
            at = turns[number(row.id) % len(turns)]
            yield Task(row.id, suite.name, row.messages[:at], row.tools), row.messages[at]

    def _tasks(self, suite: SuiteRecipe) -> Iterator[Task]:
        for row in _rows(self.stage, suite, "tasks"):
            if not suite.verifiers or row.verifier in suite.verifiers:
                reference = row.reference
                name = f"{suite.rows}:{row.id}"
                yield Task(name, "", row.messages, row.tools, "", row.verifier, reference)

    def _loss(self, model: Any, examples: Sequence[Example]) -> Score:
        if not examples:
            return 0.0, 0
        made, of = 0.0, 0
        budget = self.stage.section.batch_tokens
        for rows in passes(list(map(len, examples)), budget=budget, multiple=1, epochs=1, seed=0):
            batch = padded([examples[n] for n in rows], self.end, model.device)
            labels = batch.pop("labels")
            losses = model(**batch, supervised=labels)
            made += losses.double().sum().item()
            of += len(losses)
        return made, of

    def _calls(self, suite: SuiteRecipe, model: Any) -> Score:
        cases = self._mine(self.turns[suite.name])
        rolled = self._roll(suite.max_reply_tokens, model, [task for task, _ in cases])
        right = 0
        for rollout, (task, wanted) in zip(rolled, cases, strict=True):
            message, problem = read(
                rollout.turns[0],
                task.tools,
                in_thinking=True,
                finish="length" if rollout.cut else "stop",
            )
            right += not problem and _calls(message.calls) == _calls(wanted.calls)
        return right, len(cases)

    def _granted(self, suites: Sequence[SuiteRecipe], limit: int, model: Any) -> dict[str, Score]:
        cases = {task.id: task for suite in suites for task in self.tasks[suite.name]}
        rolled = self._roll(limit, model, self._mine(list(cases.values())))
        done = {
            each.task.id: reward is not None and reward.value >= FULL.get(each.task.verifier, 1.0)
            for each, reward in zip(rolled, score(rolled, TURN_S), strict=True)
        }
        mine = {
            suite.name: [done[task.id] for task in self.tasks[suite.name] if task.id in done]
            for suite in suites
        }
        return {name: (sum(some), len(some)) for name, some in mine.items()}

    def _roll(self, limit: int, model: Any, tasks: Sequence[Task]) -> list[Rollout]:
        whole = min(PROMPT_TOKENS + limit, window_of(model))
        limits = Limits(limit, whole, MAX_TURNS, TURN_S)
        sampler = TorchSampler(model, self.end, temperature=0.0)
        roller = Roller(sampler, self.stage.chat, self.tokens, self.end, limits)
        return roller.roll(tasks, [0] * len(tasks)) if tasks else []


def padded(examples: Sequence[Example], pad: int, device: Any = "cpu") -> dict[str, Tensor]:
    """Examples side by side: ids padded on the right, and labels, -100 where nothing is learnt."""
    width = max(map(len, examples))
    ids = torch.full((len(examples), width), pad)
    labels = torch.full((len(examples), width), -100)
    there = torch.zeros(len(examples), width, dtype=torch.long)
    for row, example in enumerate(examples):
        size = len(example)
        ids[row, :size] = torch.tensor(example.ids)
        mask = torch.tensor(example.mask, dtype=torch.bool)
        labels[row, :size][mask] = ids[row, :size][mask]
        there[row, :size] = 1
    batch = {"input_ids": ids, "attention_mask": there, "labels": labels}
    return {name: tensor.to(device) for name, tensor in batch.items()}


def _rows(stage: Stage, suite: SuiteRecipe, kind: str) -> Iterator[Row]:
    for path in stage.files(suite.rows, kind, held_out=True):
        for row in read_rows(path):
            if row.is_task != (kind == "tasks"):
                raise ConfigError(f"suite {suite.name}: {row.id} in {path} is none of {kind}.")
            yield row


def _calls(calls: Iterable[ToolCall]) -> list[str]:
    """Calls as they can be compared, whatever their order and that of their arguments."""
    return sorted(json.dumps([call.name, call.arguments], sort_keys=True) for call in calls)
