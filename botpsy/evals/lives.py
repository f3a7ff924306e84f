"""A scenario of ``botpsy.worlds``, lived through by a model alone, or inside the assistant.

Alone, the model gets the scenario's own tools, and each call is made. Inside, ``botpsy.assistant``
runs as it would at home: it selects tools, repairs, labels, judges, asks and logs. Its services are
those of the world, its ledger is thrown away, and nothing in it depends on time or chance. In both
the user is scripted, and a reply that cannot be read ends the turn, or the life.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from weakref import WeakKeyDictionary

from botpsy.assistant.execute import Executor
from botpsy.assistant.ledger import Ledger
from botpsy.assistant.loop import Budget, Conversation, Event
from botpsy.assistant.policy import parse
from botpsy.assistant.types import Action, Answer, Decision, Outcome, Verdict
from botpsy.chat.types import Completion, Message, Sampling, ToolCall, ToolSpec
from botpsy.engines.base import Cancel, EngineInfo, OnDelta
from botpsy.errors import ContextOverflowError
from botpsy.evals.case import Talk, said
from botpsy.tools.base import ToolDef
from botpsy.worlds.acts import Script, Solution
from botpsy.worlds.compare import ABSENT, leaves, paired, renamed, same, touched
from botpsy.worlds.episode import Episode, Life
from botpsy.worlds.scenario import Scenario
from botpsy.worlds.words import mentions
from botpsy.worlds.world import Dump, Status, StepResult, World, WorldFault

REPLIES = 64
"""More than a life has."""


@dataclass
class Lived:
    """What came of a life.

    Attributes:
        world, episode: as they were left; for ``botpsy.worlds.judge``.
        offered: names of the tools that were on offer at some time.
        refused: calls that the user was asked about and did not want, as they were resolved.
    """

    world: World
    episode: Episode
    offered: set[str] = field(default_factory=set)
    refused: list[ToolCall] = field(default_factory=list)


def alone(scenario: Scenario, talk: Talk) -> Lived:
    """The model alone, with the scenario's tools."""
    life = Life(scenario)
    going = True
    while going:
        completion = talk.ask(tuple(life.episode.messages), scenario.specs)
        if completion.problem:
            life.episode.stopped = f"the reply could not be used: {completion.problem}"
            break
        going = life.take(replace(completion.message, content=said(completion)))
    return Lived(life.world, life.episode, set(scenario.tools))


def assisted(scenario: Scenario, talk: Talk, tools: Sequence[str]) -> Lived:
    """The model inside the assistant, which selects among these tools.

    The policy allows each of them by its full name, so that what is asked or denied is what holds
    whatever a policy says. The user approves what the scenario wants, and nothing else.
    """
    life = Life(scenario)
    known: dict[str, ToolDef] = {name: scenario.world.tools[name] for name in tools}
    lived = Lived(life.world, life.episode)
    ids = (_id(scenario, n) for n in count())
    policy = parse(f"[[rule]]\nverdict = 'allow'\ntool = {json.dumps(sorted(known))}")
    clock = life.world.clock

    def carried_out(event: Event) -> None:
        if isinstance(event, Outcome) and event.status != "denied":
            step = _step(event, known[event.tool])
            life.world.note(step, event.id)
            life.did(step)

    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "ledger.sqlite")
        executor = Executor(
            ledger,
            life.world.services,
            clock,
            lambda action: policy.decide(action, clock.now()),
            lambda action, answer: None,
            _Wishes(scenario, lived),
            new_id=lambda: next(ids),
        )
        conversation = Conversation(
            _Asking(talk, lived.offered),
            known,
            executor,
            budget=Budget(wall_s=math.inf),
            system=scenario.system,
        )
        try:
            going = True
            while going:
                reply = conversation.ask(life.episode.messages[-1].content, on_event=carried_out)
                going = life.say(reply.answer)
        except ContextOverflowError as error:
            life.episode.stopped = error.message
        finally:
            ledger.close()
    return lived


def everything(scenario: Scenario) -> list[str]:
    """All tools that the scenario's world has, but for those that must not be there."""
    services = scenario.world.services
    return [
        name
        for name, tool in scenario.world.tools.items()
        if services.has(tool.service) and name not in scenario.without
    ]


def scripted(acts: Solution) -> list[Callable[[Sequence[Message], Sequence[ToolSpec]], Message]]:
    """An agent that does this, reply by reply, as ``Suite.gold`` gives it. It gives up where a
    result is not what the acts rest on."""
    script = Script(acts)

    def reply(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Message:
        try:
            return script(messages, tools)
        except WorldFault:
            return Message("assistant", "I can't do that.")

    return [reply] * REPLIES


@dataclass(frozen=True)
class _Asking:
    """The assistant's engine: whoever the case talks to."""

    talk: Talk
    offered: set[str]

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("talk", "talk", "1", "", window=1 << 30)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        sampling: Sampling = Sampling(),
        *,
        on_delta: OnDelta | None = None,
        cancel: Cancel | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        self.offered.update(tool.name for tool in tools)
        completion = self.talk.ask(messages, tools)
        if completion.finish_reason == "error" and not completion.raw:
            # How ``Talk`` says that a prompt does not fit; the assistant then forgets.
            raise ContextOverflowError(0, 0)
        return replace(completion, message=replace(completion.message, content=said(completion)))

    def close(self) -> None: ...


@dataclass(frozen=True)
class _Wishes:
    """The user as approver: wants a call if all that it changes stands so at some stage of a gold
    solution, and it carries nothing that is to be withheld."""

    scenario: Scenario
    lived: Lived

    def ask(self, action: Action, decision: Decision) -> Answer:
        wanted = decision.verdict is Verdict.ASK and self._wants(action)
        if not wanted:
            self.lived.refused.append(ToolCall(action.tool.name, action.bound.shown))
        return Answer(wanted)

    def _wants(self, action: Action) -> bool:
        told = "\n".join(map(str, action.bound.shown.values()))
        if any(mentions(told, each) for each in self.scenario.withheld):
            return False
        if action.tool.effect == "read":
            return True
        world = self.lived.world
        after = world.fork()
        after.step(action.call)
        now, then = world.dump(), after.dump()
        return any(
            self._wrong(stage, then) <= self._wrong(stage, now) for stage in _stages(self.scenario)
        )

    def _wrong(self, stage: Dump, actual: Dump) -> set[tuple[str, str]]:
        """Where the state is not as at that stage, and what stands there."""
        start, loose = self.scenario.world.dump(), self.scenario.loose
        names = touched(start, actual) | touched(start, stage)
        old, gold, mine = (leaves(dump, loose, names) for dump in (start, stage, actual))
        gold = renamed(gold, old, {}, loose)
        mine = paired(renamed(mine, old, gold, loose), gold, loose)
        return {
            (path, repr(mine.get(path, ABSENT)))
            for path in gold.keys() | mine.keys()
            if not same(path, gold.get(path, ABSENT), mine.get(path, ABSENT), loose)
        }


_known_stages: WeakKeyDictionary[World, list[Dump]] = WeakKeyDictionary()


def _stages(scenario: Scenario) -> list[Dump]:
    """The states that gold solutions go through, the last ones first."""
    known = _known_stages.get(scenario.world)
    if known is None:
        known = [dump for way in scenario.gold for dump in _stages_of(scenario, way)][::-1]
        _known_stages[scenario.world] = known
    return known


def _stages_of(scenario: Scenario, way: Solution) -> Iterator[Dump]:
    life, script = Life(scenario), Script(way)
    going, changes = True, -1
    while going:
        if len(life.episode.steps) != changes:
            changes = len(life.episode.steps)
            yield life.world.dump()
        going = life.take(script(tuple(life.episode.messages), scenario.specs))
    yield life.world.dump()


def _id(scenario: Scenario, n: int) -> str:
    digest = hashlib.sha256(f"{scenario.id}:{n}".encode()).digest()
    return base64.b32encode(digest)[:10].decode().lower()


_STATUS: Mapping[str, Status] = {"done": "done", "invalid": "invalid"}


def _step(outcome: Outcome, tool: ToolDef) -> StepResult:
    """An outcome as a world logs it."""
    call = ToolCall(outcome.tool, outcome.arguments)
    status = _STATUS.get(outcome.status, "failed")
    return StepResult(call, status, outcome.result, outcome.error, outcome.arguments, tool.effect)
