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


def run(scenario: Scenario, agent: Agent, world: World | None = None) -> tuple[World, Episode]:
    """Let the agent live through the scenario, in ``world`` or a fresh copy of its start.

    Raises:
        WorldFault: the world or the scenario broke.
    """
    world = world or scenario.start()
    user = User(scenario.turns, scenario.facts, content=scenario.declines)
    episode = Episode([Message("system", system_text(scenario))])
    text = user.next_turn()
    assert text is not None, "a scenario has a turn"
    episode.messages.append(Message("user", text))
    changes = 0
    for _ in range(MAX_MESSAGES):
        message = agent(tuple(episode.messages), scenario.specs)
        episode.messages.append(message)
        if message.calls:
            if len(episode.steps) + len(message.calls) > MAX_CALLS:
                episode.stopped = f"more than {MAX_CALLS} calls"
                return world, episode
            for call in message.calls:
                step = _step(world, scenario, call)
                changes += step.status == "done" and step.effect != "read"
                episode.steps.append(step)
                episode.messages.append(_result(step))
            continue
        episode.said.append(message.content)
        episode.answers.append(message.content)
        seen, turn = len(user.asked), user.turn
        reply = user.reply(message.content)
        episode.asked += [(slot, changes) for slot in user.asked[seen:]]
        if reply is None:
            episode.finished = True
            return world, episode
        if user.turn != turn:
            episode.answers.clear()
        episode.messages.append(Message("user", reply))
    episode.stopped = f"more than {MAX_MESSAGES} messages"
    return world, episode


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
