"""The assistant: a request in plain words becomes checked, permitted, logged actions and an answer.

One turn: select tools -> complete -> parse and validate (in the engine) -> label -> execute -> feed
the result back -> ... -> answer. What a model must not decide is decided here in code: how often,
how long, how much, and whether at all.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from botpsy.assistant.execute import Executor, jsonable, undo_hint
from botpsy.assistant.ledger import canonical, new_action_id
from botpsy.assistant.provenance import Tracker
from botpsy.assistant.selection import select
from botpsy.assistant.types import Outcome
from botpsy.chat.schema import gate
from botpsy.chat.types import (
    Completion,
    Delta,
    JsonObject,
    Message,
    Sampling,
    Timings,
    ToolCall,
    Usage,
)
from botpsy.engines.base import Engine
from botpsy.errors import ContextOverflowError
from botpsy.tools.base import ToolDef

Event = Delta | Outcome
OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one turn. Result size is in characters, wall time in seconds."""

    steps: int = 8
    calls: int = 16
    identical_calls: int = 3
    result_chars: int = 4_000
    wall_s: float = 300.0
    tools: int = 8


@dataclass(frozen=True, slots=True)
class Reply:
    """What one turn came to. ``stopped`` says which limit ended it, if one did."""

    answer: str
    outcomes: tuple[Outcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    timings: Timings = field(default_factory=Timings)
    stopped: str = ""

    @property
    def status(self) -> str:
        """``done``, ``denied`` (something was not permitted) or ``failed``."""
        states = {outcome.status for outcome in self.outcomes}
        if "denied" in states:
            return "denied"
        # A call that failed and was then put right is no failure; the last word counts.
        if self.stopped or (self.outcomes and self.outcomes[-1].status in ("failed", "invalid")):
            return "failed"
        return "done"

    def to_json(self) -> JsonObject:
        """The documented object of ``botpsy ask --json``."""
        calls = [
            {
                "id": outcome.id,
                "tool": outcome.tool,
                "arguments": outcome.arguments,
                "decision": outcome.decision,
                "status": outcome.status,
                "result": outcome.result,
                "error": outcome.error,
                "undo": undo_hint(outcome),
            }
            for outcome in self.outcomes
        ]
        document = jsonable(
            {
                "answer": self.answer,
                "status": self.status,
                "stopped": self.stopped,
                "calls": calls,
                "usage": self.usage,
                "timings": self.timings,
            }
        )
        assert isinstance(document, dict)
        return document


class Conversation:
    """A multi-turn conversation over one engine, one set of tools and one executor."""

    def __init__(
        self,
        engine: Engine,
        tools: Mapping[str, ToolDef],
        executor: Executor,
        *,
        budget: Budget | None = None,
        sampling: Sampling | None = None,
        system: str = "",
    ) -> None:
        self.id = new_action_id()
        self.engine = engine
        self.tools = tools
        self.executor = executor
        self.budget = budget or Budget()
        self.sampling = sampling or Sampling(max_tokens=1024)
        self.history: list[Message] = []
        self.tracker = Tracker()
        self._system = system
        self._recent: list[str] = []

    def ask(self, text: str, *, on_event: OnEvent | None = None) -> Reply:
        """Carry out one request.

        Raises:
            EngineError: the model failed or cannot be reached; what was done before that is in the
                ledger.
            LedgerError: the ledger cannot be written; nothing more was run.
        """
        before = list(self.history)
        turn = _Turn(self, text, on_event)
        try:
            return turn.run()
        except BaseException:
            if turn.outcomes:
                turn.close()
            else:
                self.history[:] = before
            raise

    def system(self) -> str:
        """What the model is told first. The date only, so that the prompt's prefix lasts a day."""
        now = self.executor.clock.now()
        today = (
            f"Today is {now:%A}, {now.day} {now:%B %Y}. Time zone: {self.executor.clock.tz.key}."
        )
        return f"{self._system}\n{today}" if self._system else today


class _Turn:
    """The state of one request while it is carried out."""

    def __init__(self, conversation: Conversation, text: str, on_event: OnEvent | None) -> None:
        self.talk = conversation
        self.text = text
        self.emit: OnEvent = on_event or (lambda event: None)
        self.outcomes: list[Outcome] = []
        self.usage = Usage()
        self.timings = Timings()
        self._made: Counter[str] = Counter()
        self._results: dict[str, str] = {}
        self._started = time.monotonic()

    def run(self) -> Reply:
        talk = self.talk
        talk.tracker.user(self.text)
        talk.history.append(Message("user", self.text))
        tools = select(
            self.text, list(talk.tools.values()), recent=talk._recent, limit=talk.budget.tools
        )
        # What was offered stays on offer while it fits, so that the prompt's prefix lasts.
        talk._recent = [tool.name for tool in tools]
        repaired = False
        for _ in range(talk.budget.steps):
            left = talk.budget.wall_s - (time.monotonic() - self._started)
            if left <= 0:
                return self._stop("the time for one request was used up")
            completion = self._complete(tools, (), left)
            if completion.problem and not repaired:
                repaired = True
                completion = self._complete(tools, (_repair(completion),), left)
            if completion.problem:
                return self._stop(f"the model's reply could not be used ({completion.problem})")
            talk.history.append(completion.message)
            if not completion.message.calls:
                return self._reply(completion.message.content)
            for call in completion.message.calls:
                if stop := self._carry_out(call):
                    return self._stop(stop)
        return self._stop(f"{talk.budget.steps} steps did not finish it")

    def _carry_out(self, call: ToolCall) -> str:
        """Execute one call and feed back its result; why to stop, if to stop."""
        key = canonical([call.name, call.arguments])
        self._made[key] += 1
        if self._made[key] >= self.talk.budget.identical_calls:
            return f"the model made the same call of {call.name} {self._made[key]} times"
        if self._made.total() > self.talk.budget.calls:
            return f"more than {self.talk.budget.calls} calls in one request"
        tool = self.talk.tools.get(call.name)
        if tool is None:
            self._feed(call, f"error: There is no tool {call.name}.")
            return ""
        if key in self._results and tool.effect != "read":
            # Said once, done (or refused) once: a repeated call is a confused model, not a second
            # wish, and nobody is asked the same thing twice.
            self._feed(call, f"Not repeated. The first time it gave: {self._results[key]}")
            return ""
        labels = self.talk.tracker.label(tool, call.arguments)
        outcome = self.talk.executor.perform(
            tool, call, labels, conversation=self.talk.id, request=self.text
        )
        self.outcomes.append(outcome)
        self.emit(outcome)
        result = self._result_text(outcome)
        if outcome.status == "done":
            self._results[key] = result
            self.talk.tracker.result(tool, outcome.result, labels)
        elif outcome.status == "denied":
            self._results[key] = result
        elif outcome.status == "failed":
            self.talk.tracker.result(tool, outcome.error, labels)
        self._feed(call, result)
        return ""

    def _result_text(self, outcome: Outcome) -> str:
        if outcome.status == "denied":
            return f"denied: {outcome.error}"
        if outcome.status == "dry-run":
            return "dry run: nothing was done."
        if outcome.status != "done":
            return f"error: {outcome.error}"
        result = outcome.result
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return _capped(text, self.talk.budget.result_chars)

    def _feed(self, call: ToolCall, text: str) -> None:
        self.talk.history.append(Message("tool", text, call_id=call.id, name=call.name))

    def _complete(
        self, tools: Sequence[ToolDef], extra: tuple[Message, ...], timeout_s: float
    ) -> Completion:
        """One completion; when the window is full, the oldest turns go first."""
        talk = self.talk
        specs = gate([tool.spec for tool in tools]).tools
        while True:
            messages = [Message("system", talk.system()), *talk.history, *extra]
            try:
                completion = talk.engine.complete(
                    messages,
                    specs,
                    talk.sampling,
                    on_delta=self.emit,
                    timeout_s=timeout_s,
                )
            except ContextOverflowError:
                if not _forget_oldest(talk.history):
                    raise
                continue
            self._count(completion)
            return completion

    def _count(self, completion: Completion) -> None:
        use, more = self.usage, completion.usage
        self.usage = Usage(
            use.prompt_tokens + more.prompt_tokens,
            use.completion_tokens + more.completion_tokens,
            use.cached_tokens + more.cached_tokens,
            use.reasoning_tokens + more.reasoning_tokens,
        )
        spent = completion.timings
        self.timings = replace(
            self.timings,
            prefill_s=self.timings.prefill_s + spent.prefill_s,
            decode_s=self.timings.decode_s + spent.decode_s,
        )

    def _reply(self, answer: str, stopped: str = "") -> Reply:
        total = time.monotonic() - self._started
        timings = replace(self.timings, total_s=total)
        return Reply(answer, tuple(self.outcomes), self.usage, timings, stopped)

    def _stop(self, why: str) -> Reply:
        self.close()
        answer = f"Stopped: {why}."
        self.talk.history[-1] = Message("assistant", answer)
        return self._reply(answer, why)

    def close(self) -> None:
        """Leave a history that the next turn can be rendered from: every call has its result."""
        history = self.talk.history
        last = max(i for i, message in enumerate(history) if message.role in ("assistant", "user"))
        for call in history[last].calls[len(history) - last - 1 :]:
            self._feed(call, "error: not carried out.")
        history.append(Message("assistant", "Stopped: it was interrupted."))


def _repair(completion: Completion) -> Message:
    """Hands the fault back, once. The broken reply itself is never shown again: it would teach."""
    return Message(
        "user", f"[Your last reply could not be used: {completion.problem} Please write it again.]"
    )


def _capped(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[{len(text) - limit} more characters were left out.]"


def _forget_oldest(history: list[Message]) -> bool:
    """Drop the oldest whole turn; within the last one, halve its largest result. False: no more."""
    starts = [i for i, message in enumerate(history) if message.role == "user"]
    if len(starts) > 1:
        del history[: starts[1]]
        return True
    results = [i for i, message in enumerate(history) if message.role == "tool"]
    largest = max(results, key=lambda i: len(history[i].content), default=None)
    if largest is None or len(history[largest].content) < 400:
        return False
    text = history[largest].content
    history[largest] = replace(history[largest], content=_capped(text, len(text) // 2))
    return True
