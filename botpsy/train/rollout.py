"""What a model does when it is let loose on tasks: one reply to a text, or a life in a world.

All rollouts of a batch go on turn by turn together. What holds for each:

- Token in, token out: sampled ids are kept as they were drawn. Of what comes back, a tool's result
  or a user's turn, only the new suffix is tokenized, by ``ChatFormat.encode``. ``mask`` is 1 on
  what was sampled and 0 on the rest.
- The raw text is read by the strict parser that the assistant runs on. A reply that was cut off or
  cannot be read ends the rollout, and no call in it is made. A call that can be read but breaks its
  schema, or whose tool is not there, is answered by the world with an error, as it would be in use.
- There are limits on sampled tokens, on tokens in all, on turns, and on the wall time of a turn in
  the world. ``stopped`` says which one was met.
- A world that breaks or hangs is at fault itself. That is in ``fault``, and is no behaviour.
"""

from __future__ import annotations

import hashlib
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from botpsy.chat.formats import ChatFormat
from botpsy.chat.parser import Parsed, parse, typed
from botpsy.chat.tokens import Tokens
from botpsy.chat.types import JsonObject, Message, ToolCall, ToolSpec
from botpsy.errors import ConfigError, ParseError, SchemaError
from botpsy.rewards import world
from botpsy.train.sample import Draw, Drawn, Sampler
from botpsy.train.tasks import Task, prompt_of
from botpsy.worlds.episode import Life
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.world import WorldFault

Stop = Literal["", "length", "context", "turns", "unreadable", "fault"]
"""Why a rollout broke off. Empty: it came to its own end."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one rollout.

    Attributes:
        reply: sampled tokens, over all turns.
        whole: tokens, prompt and everything that comes back included.
        turns: turns of the assistant.
        call_s: seconds for one call in a world.
    """

    reply: int
    whole: int
    turns: int
    call_s: float


@dataclass
class Rollout:
    """One try at a task: see the module.

    Attributes:
        prompt: ids.
        ids, mask, logps: what follows the prompt; log-probabilities are 0 where nothing was drawn.
        turns: the raw text of each sampled turn, without its end token.
        life: of a task in a world: the world as it was left, and what happened.
    """

    task: Task
    prompt: tuple[int, ...]
    seed: int
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    stopped: Stop = ""
    fault: str = ""
    life: Life | None = None

    @property
    def sampled(self) -> int:
        """Tokens that the model wrote."""
        return sum(self.mask)

    @property
    def cut(self) -> bool:
        """Broken off at a limit on tokens: there is no whole reply to be judged."""
        return self.stopped in ("length", "context")

    @property
    def spans(self) -> Iterator[list[int]]:
        """The sampled ids of each turn."""
        span: list[int] = []
        for token, mine in zip([*self.ids, 0], [*self.mask, 0], strict=True):
            if mine:
                span.append(token)
            elif span:
                yield span
                span = []


@dataclass(frozen=True)
class Roller:
    """Lets a model loose on tasks, many at once."""

    sampler: Sampler
    chat: ChatFormat
    tokens: Tokens
    end: int
    limits: Limits

    def prompt(self, task: Task) -> tuple[int, ...]:
        """The ids after which the model is to write."""
        return prompt_of(task, self.chat, self.tokens)

    def roll(
        self, tasks: Sequence[Task], seeds: Sequence[int], spent: Spent | None = None
    ) -> list[Rollout]:
        """One rollout for each task, in order. The same tasks and seeds give the same rollouts.

        Args:
            tasks: the same object several times for a group of samples.
            seeds: of the chance in each rollout.
            spent: is added to.
        """
        spent = spent or Spent()
        distinct = {id(task): task for task in tasks}
        prompts = {key: self.prompt(task) for key, task in distinct.items()}
        scenarios = {key: scenario_of(task) for key, task in distinct.items()}
        made = []
        for task, seed in zip(tasks, seeds, strict=True):
            scenario = scenarios[id(task)]
            life = Life(scenario) if scenario else None
            made.append(Rollout(task, prompts[id(task)], seed, life=life))
        going = [each for each in made if self._begins(each)]
        while going:
            began = time.perf_counter()
            drawn = self.sampler([self._draw(each) for each in going])
            spent.sampled_s += time.perf_counter() - began
            began = time.perf_counter()
            going = [
                each for each, reply in zip(going, drawn, strict=True) if self._take(each, reply)
            ]
            spent.acted_s += time.perf_counter() - began
        spent.prompt_tokens += sum(len(each.prompt) for each in made)
        spent.sampled_tokens += sum(each.sampled for each in made)
        return made

    def _begins(self, rollout: Rollout) -> bool:
        """Whether there is room for a reply at all; without it nothing is said."""
        room, limit = self._room(rollout)
        if room <= 0:
            rollout.stopped = limit
            rollout.turns.append("")
        return room > 0

    def _draw(self, rollout: Rollout) -> Draw:
        sequence = (*rollout.prompt, *rollout.ids)
        turn = f"{rollout.seed}:{len(rollout.turns)}"
        return Draw(sequence, number(turn), self._room(rollout)[0])

    def _room(self, rollout: Rollout, more: int = 0) -> tuple[int, Stop]:
        """How many tokens may follow ``more`` that come first, and which limit that is."""
        reply = self.limits.reply - rollout.sampled
        whole = self.limits.whole - len(rollout.prompt) - len(rollout.ids) - more
        return (reply, "length") if reply <= whole else (whole, "context")

    def _take(self, rollout: Rollout, drawn: Drawn) -> bool:
        """Let the next turn have its effect; whether another one follows."""
        limit = self._room(rollout)[1]
        rollout.ids += drawn.ids
        rollout.mask += [1] * len(drawn.ids)
        rollout.logps += drawn.logps
        ids = drawn.ids if drawn.cut else drawn.ids[:-1]
        rollout.turns.append(self.tokens.decode(ids))
        if drawn.cut:
            rollout.stopped = limit
            return False
        try:
            parsed = parse(rollout.turns[-1], in_thinking=True)
            message = as_message(parsed, rollout.task.tools)
        except ParseError:
            rollout.stopped = "unreadable"
            return False
        return rollout.life is not None and self._live(rollout, rollout.life, message)

    def _live(self, rollout: Rollout, life: Life, message: Message) -> bool:
        known = len(life.episode.messages) + 1
        try:
            with time_limit(self.limits.call_s * max(1, len(message.calls))):
                going = life.take(message)
        except (WorldFault, TimeLimit) as error:
            rollout.stopped, rollout.fault = "fault", f"{rollout.task.id}: {error}"
            return False
        if not going:
            rollout.stopped = "" if life.episode.finished else "turns"
            return False
        if len(rollout.turns) == self.limits.turns:
            life.episode.stopped = f"more than {self.limits.turns} turns"
            rollout.stopped = "turns"
            return False
        suffix = self.suffix(life.episode.messages[known:])
        room, limit = self._room(rollout, len(suffix))
        if room <= 0:
            rollout.stopped = limit
            return False
        rollout.ids += suffix
        rollout.mask += [0] * len(suffix)
        rollout.logps += [0.0] * len(suffix)
        return True

    def suffix(self, messages: Sequence[Message]) -> list[int]:
        """The ids between the end token of a turn and the model's next word."""
        ids, mask = self.chat.encode(
            [Message("assistant"), *messages], (), self.tokens, add_generation_prompt=True
        )
        return ids[len(mask) - mask[::-1].index(1) :]


@dataclass
class Spent:
    """What rollouts have cost."""

    prompt_tokens: int = 0
    sampled_tokens: int = 0
    sampled_s: float = 0.0
    acted_s: float = 0.0
    judged_s: float = 0.0


def scenario_of(task: Task) -> Scenario | None:
    """The scenario of a task that is lived through.

    Raises:
        ConfigError: the family says something else by now than when the data was built.
    """
    if task.verifier != "world":
        return None
    scenario = world.task(task.reference)
    if task.messages[-1].content != scenario.turns[0] or task.tools != scenario.specs:
        raise ConfigError(f"{task.id} is no longer what its family makes.", "Build the data again.")
    return scenario


def as_message(parsed: Parsed, tools: Sequence[ToolSpec]) -> Message:
    """What a world is told. A call of a tool that is not there keeps its arguments as texts.

    Raises:
        ParseError: an argument is not the JSON that its schema asks for.
    """
    calls = []
    for call in parsed.calls:
        try:
            calls.append(typed(call, tools))
        except SchemaError:
            texts: JsonObject = {each.name: each.text for each in call.parameters}
            calls.append(ToolCall(call.name, texts))
    return Message("assistant", parsed.content, parsed.reasoning, tuple(calls))


def number(text: str) -> int:
    """A seed that depends on nothing but the text; fits 63 bits."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


class TimeLimit(BaseException):
    """Time is up. A signal, not an error: no tool may swallow it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Break off what takes longer, be it a loop, a sleep or a regular expression.

    For the main thread, where signals arrive. A timer that was running goes on afterwards.

    Raises:
        TimeLimit: it took longer.
    """
    assert threading.current_thread() is threading.main_thread()

    def ring(number: int, frame: Any) -> None:
        raise TimeLimit(f"took longer than {seconds:g} s")

    began = time.monotonic()
    handler = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            left = max(left - (time.monotonic() - began), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, interval)
