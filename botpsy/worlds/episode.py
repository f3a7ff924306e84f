"""An agent lives through a scenario: user turns, calls, results, answers.

An agent is any function from the conversation so far and the tools offered to the next assistant
message, so an engine is one: ``lambda messages, tools: engine.complete(messages, tools).message``.
Whatever the agent does is recorded; only its own exceptions and ``WorldFault`` come out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.worlds.acts import Act, Script
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.user import User
from botpsy.worlds.world import StepResult, World

Agent = Callable[[Sequence[Message], Sequence[ToolSpec]], Message]

MAX_MESSAGES = 24
MAX_CALLS = 32
RESULT_CHARS = 8000


@dataclass
class Episode:
    """What happened.

    Attributes:
        messages: the conversation, system message first.
        steps: every call and what became of it, in order.
        answers: the agent's messages without calls since the user last said something new.
        said: all of the agent's messages without calls.
        asked: slots asked for, each with the number of changes made before.
        finished: the conversation came to its end; ``stopped`` says why not.
    """

    messages: list[Message]
    steps: list[StepResult] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    asked: list[tuple[str, int]] = field(default_factory=list)
    finished: bool = False
    stopped: str = ""


def system_text(scenario: Scenario) -> str:
    """What the model is told first: word for word as the assistant says it."""
    clock = scenario.world.clock
    now = clock.now()
    today = f"Today is {now:%A}, {now.day} {now:%B %Y}. Time zone: {clock.tz.key}."
    return f"{scenario.system}\n{today}" if scenario.system else today


class Life:
    """A scenario that is lived through one message of the agent at a time.

    Whoever has many agents at once, or an agent that may break off, drives it by ``take``.
    """

    def __init__(self, scenario: Scenario, world: World | None = None) -> None:
        self.scenario = scenario
        self.world = world or scenario.start()
        self._user = User(scenario.turns, scenario.facts, content=scenario.declines)
        self._changes = self._taken = 0
        text = self._user.next_turn()
        assert text is not None, "a scenario has a turn"
        system = Message("system", system_text(scenario))
        self.episode = Episode([system, Message("user", text)])

    def take(self, message: Message) -> bool:
        """Let the agent's next message have its effect; whether the agent goes on after it.

        Raises:
            WorldFault: the world or the scenario broke.
        """
        self._taken += 1
        self.episode.messages.append(message)
        going = self._act(message.calls) if message.calls else self.say(message.content)
        if going and self._taken == MAX_MESSAGES:
            self.episode.stopped = f"more than {MAX_MESSAGES} messages"
            return False
        return going

    def _act(self, calls: Sequence[ToolCall]) -> bool:
        episode = self.episode
        if len(episode.steps) + len(calls) > MAX_CALLS:
            episode.stopped = f"more than {MAX_CALLS} calls"
            return False
        for call in calls:
            step = _step(self.world, self.scenario, call)
            self.did(step)
            episode.messages.append(_result(step))
        return True

    def did(self, step: StepResult) -> None:
        """A call was carried out in the world."""
        self._changes += step.status == "done" and step.effect != "read"
        self.episode.steps.append(step)

    def say(self, text: str) -> bool:
        """The agent has spoken; whether the user says something to it, as the last message."""
        episode, user = self.episode, self._user
        episode.said.append(text)
        episode.answers.append(text)
        seen, turn = len(user.asked), user.turn
        reply = user.reply(text)
        episode.asked += [(slot, self._changes) for slot in user.asked[seen:]]
        if reply is None:
            episode.finished = True
            return False
        if user.turn != turn:
            episode.answers.clear()
        episode.messages.append(Message("user", reply))
        return True


def run(scenario: Scenario, agent: Agent, world: World | None = None) -> tuple[World, Episode]:
    """Let the agent live through the scenario, in ``world`` or a fresh copy of its start.

    Raises:
        WorldFault: the world or the scenario broke.
    """
    life = Life(scenario, world)
    while life.take(agent(tuple(life.episode.messages), scenario.specs)):
        pass
    return life.world, life.episode


def play(scenario: Scenario, acts: Sequence[Act]) -> tuple[World, Episode]:
    """The scenario with acts that are known beforehand."""
    return run(scenario, Script(acts))


def _step(world: World, scenario: Scenario, call: ToolCall) -> StepResult:
    if call.name in scenario.tools:
        return world.step(call)
    return StepResult(call, "invalid", error=f"There is no tool {call.name}.")


def _result(step: StepResult) -> Message:
    text = step.text
    if len(text) > RESULT_CHARS:
        left = len(text) - RESULT_CHARS
        text = f"{text[:RESULT_CHARS]}\n[{left} more characters were left out.]"
    return Message("tool", text, call_id=step.call.id, name=step.call.name)
