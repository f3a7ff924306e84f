"""Execution control: every call goes bind -> judge -> (ask) -> intent -> run -> outcome.

Invariants:

- Nothing runs unless the policy allowed it, or a person approved exactly what runs (the digest of
  what was approved is compared again before it runs).
- Nothing runs before its intent is in the ledger, together with the state of every record it will
  touch. Undo and crash recovery need no more than that.
- One action at a time changes the world from one home (``Ledger.exclusive``).
- A crash is never followed by running again: it is looked at and reported, and the user decides.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from botpsy.assistant.grants import action_digest
from botpsy.assistant.ledger import Ledger, new_action_id
from botpsy.assistant.types import (
    Action,
    Answer,
    Approver,
    Decision,
    Labels,
    Outcome,
    Status,
    Verdict,
)
from botpsy.chat.types import Json, JsonObject, ToolCall
from botpsy.clock import Clock
from botpsy.errors import BotpsyError, SchemaError, ToolError, UndoError
from botpsy.services.base import Ref
from botpsy.services.bundle import Services
from botpsy.tools.base import Context, ToolDef

Judge = Callable[[Action], Decision]
Remember = Callable[[Action, Answer], None]

# A ledger line keeps this many characters of a result; the rest is kept as a hash.
LOGGED_RESULT_CHARS = 20_000
ERROR_CHARS = 2_000


@dataclass(frozen=True)
class Executor:
    """Carries out calls for one home.

    Attributes:
        judge: the policy with the grants, as a function of the action.
        remember: stores a grant the approver gave.
        approver: asks a person; None means that nobody can be asked, so ``ask`` becomes ``deny``.
        dry_run: judge and show, touch nothing.
        new_id: names actions, and what they create.
    """

    ledger: Ledger
    services: Services
    clock: Clock
    judge: Judge
    remember: Remember
    approver: Approver | None = None
    dry_run: bool = False
    new_id: Callable[[], str] = new_action_id

    def perform(
        self,
        tool: ToolDef,
        call: ToolCall,
        labels: Labels,
        *,
        conversation: str = "",
        request: str = "",
    ) -> Outcome:
        """Carry out one call, or say why not. Trouble with it is an outcome, not an exception.

        Raises:
            LedgerError: the ledger cannot be written; nothing was run.
        """
        action_id = self.new_id()
        context = Context(self.services, self.clock, action_id)
        try:
            bound = tool.bind(call.arguments, context)
            undoable = bool(tool.touches(bound, context))
        except SchemaError as error:
            return _not_run(action_id, call, "invalid", _fault(error))
        except Exception as error:  # a user's own tool may raise anything
            return _not_run(action_id, call, "failed", _fault(error))
        action = Action(action_id, tool, call, bound, labels, conversation, undoable=undoable)
        decision = self.judge(action)
        if self.dry_run:
            verdict = decision.verdict.name.lower()
            return Outcome(action_id, tool.name, bound.shown, verdict, "dry-run")
        how, refusal = self._authorise(action, decision)
        body = _intent_body(action, decision, how, request)
        if refusal:
            self.ledger.append("denied", action_id, {**body, "why": refusal})
            return Outcome(action_id, tool.name, bound.shown, "deny", "denied", error=refusal)
        if tool.effect == "read":
            self.ledger.append("intent", action_id, body)
            return self._run(action, context, how, ())
        with self.ledger.exclusive():
            try:
                refs = tuple(dict.fromkeys(tool.touches(bound, context)))
                before = [[ref.service, ref.key, self._snapshot(ref)] for ref in refs]
            except Exception as error:
                return _not_run(action_id, call, "failed", _fault(error), bound.shown)
            self.ledger.append("intent", action_id, {**body, "before": cast("Json", before)})
            return self._run(action, context, how, refs)

    def undo(self, action_id: str = "", *, force: bool = False) -> Outcome:
        """Put back what an action changed: the given one, or the latest that can be undone.

        Undoing is an action of its own with its own intent, so an undo can be undone too.

        Args:
            action_id: the id or its beginning.
            force: also when a record was changed by something else since.

        Raises:
            UndoError: there is nothing to undo, or it would destroy a later change.
        """
        with self.ledger.exclusive():
            target = self.ledger.find(action_id) if action_id else self._latest_undoable()
            intent, outcome = self.ledger.intent(target), self.ledger.outcome(target)
            if intent is None:
                raise UndoError(f"Action {target} never ran, so there is nothing to undo.")
            if outcome is not None and outcome.body.get("status") == "undone":
                raise UndoError(f"Action {target} is undone already.")
            before = _before(intent.body)
            if not before:
                raise UndoError(
                    f"{intent.body['tool']} ({target}) cannot be undone.",
                    hint="`botpsy tools` shows which tools can.",
                )
            now = {ref: self._snapshot(ref) for ref in before}
            if all(now[ref] == state for ref, state in before.items()):
                raise UndoError(f"Action {target} changed nothing that is not already as before.")
            after = cast("list[str]", outcome.body.get("after", [])) if outcome else []
            changed = [r for r, mark in zip(before, after, strict=False) if _mark(now[r]) != mark]
            if changed and not force:
                what = ", ".join(f"{ref.service} {ref.key}" for ref in changed)
                raise UndoError(
                    f"Since action {target} something else changed {what}.",
                    hint="`botpsy undo --force` restores the earlier state all the same.",
                )
            return self._restore(target, before, now)

    def recover(self) -> list[Outcome]:
        """Look at actions that a crash cut off, and log what became of them. Nothing is run again.

        What happened is told by the records themselves: all as before means that it did not
        happen. Does nothing while another process is at work.
        """
        with self.ledger.exclusive(wait=False) as got:
            if not got:
                return []
            found = []
            for intent in self.ledger.pending():
                if intent.body["effect"] == "read":
                    continue
                before = _before(intent.body)
                after: list[str]
                try:
                    now = {ref: self._snapshot(ref) for ref in before}
                except ToolError as error:
                    after = []
                    status, error_text = "unknown", str(error)
                else:
                    same = [now[ref] == state for ref, state in before.items()]
                    after = [_mark(state) for state in now.values()]
                    status, error_text = _judge_crash(same)
                if intent.body["tool"] == "undo" and status == "done":
                    self._mark_undone(_undone(intent.body), intent.action, after)
                body: JsonObject = {"status": status, "error": error_text, "recovered": True}
                body["after"] = cast("Json", after)
                self.ledger.append("outcome", intent.action, body)
                found.append(
                    Outcome(
                        intent.action,
                        str(intent.body["tool"]),
                        cast("JsonObject", intent.body["arguments"]),
                        str(intent.body["decision"]),
                        cast("Status", status),
                        error=error_text,
                        undo=intent.action if before and status != "failed" else "",
                    )
                )
            return found

    def _authorise(self, action: Action, decision: Decision) -> tuple[str, str]:
        """How it was allowed, and else why not."""
        if decision.verdict is Verdict.ALLOW:
            return "allow", ""
        if decision.verdict is Verdict.DENY:
            return "deny", " ".join(decision.reasons) or "The policy does not allow it."
        if self.approver is None:
            return "deny", "It needs your approval, and there is nobody to ask here."
        digest = action_digest(action)
        answer = self.approver.ask(action, decision)
        if not answer.approved:
            return "deny", "You did not approve it."
        if action_digest(action) != digest:
            return "deny", "It was changed after it was approved."
        if answer.grant != "once":
            self.remember(action, answer)
        return f"approved by {answer.by}", ""

    def _run(self, action: Action, context: Context, how: str, refs: Sequence[Ref]) -> Outcome:
        status: Status = "done"
        result: Json = None
        problem = ""
        try:
            result = jsonable(action.tool.run(action.bound, context))
        except Exception as error:
            status, problem = "failed", _fault(error)
        except BaseException:
            self._close(action, "unknown", None, "It was interrupted while it ran.", refs)
            raise
        changed = self._close(action, status, result, problem, refs)
        undo = action.id if changed else ""
        return Outcome(
            action.id, action.tool.name, action.bound.shown, how, status, result, problem, undo
        )

    def _close(
        self, action: Action, status: Status, result: Json, error: str, refs: Sequence[Ref]
    ) -> bool:
        """Log the outcome; whether there is something that undo could put back."""
        try:
            after = [_mark(self._snapshot(ref)) for ref in refs]
        except ToolError:
            after = []
        body: JsonObject = {"status": status, "error": error, "after": cast("Json", after)}
        body["result"] = _logged(result)
        self.ledger.append("outcome", action.id, body)
        intent = self.ledger.intent(action.id)
        assert intent is not None
        before = [_mark(state) for state in _before(intent.body).values()]
        return bool(refs) and before != after

    def _restore(
        self, target: str, before: Mapping[Ref, str | None], now: Mapping[Ref, str | None]
    ) -> Outcome:
        undo_id = new_action_id()
        arguments: JsonObject = {"action": target}
        kept = [[ref.service, ref.key, state] for ref, state in now.items()]
        self.ledger.append(
            "intent",
            undo_id,
            {
                "tool": "undo",
                "effect": "write",
                "arguments": arguments,
                "decision": "approved by user",
                "before": cast("Json", kept),
            },
        )
        try:
            for ref, state in before.items():
                self.services.get(ref.service).restore(ref.key, state)
        except ToolError as error:
            self.ledger.append("outcome", undo_id, {"status": "failed", "error": str(error)})
            raise UndoError(f"Action {target} was not undone: {error}", error.hint) from None
        after = [_mark(self._snapshot(ref)) for ref in before]
        # Its own outcome comes last: a crash in between leaves it for ``recover``.
        self._mark_undone(target, undo_id, after)
        self.ledger.append("outcome", undo_id, {"status": "done", "after": cast("Json", after)})
        return Outcome(undo_id, "undo", arguments, "approved by user", "done", undo=undo_id)

    def _mark_undone(self, target: str, undo_id: str, after: Sequence[str]) -> None:
        self.ledger.append("outcome", target, {"status": "undone", "by": undo_id})
        redone = self.ledger.intent(target)
        if redone is not None and redone.body["tool"] == "undo":
            # Undoing an undo brings the original back to life: it can be undone again.
            self.ledger.append(
                "outcome", _undone(redone.body), {"status": "done", "after": cast("Json", after)}
            )

    def _latest_undoable(self) -> str:
        seen: set[str] = set()
        for entry in reversed(self.ledger.entries()):
            if entry.kind == "denied" or entry.action in seen:
                continue
            seen.add(entry.action)
            intent = self.ledger.intent(entry.action)
            before = _before(intent.body) if intent and intent.body["tool"] != "undo" else {}
            over = entry.kind == "outcome" and (
                entry.body["status"] in ("undone", "failed")
                or entry.body.get("after") == [_mark(state) for state in before.values()]
            )
            if before and not over:
                return entry.action
        raise UndoError(
            "There is nothing to undo.", hint="`botpsy audit show` lists what was done."
        )

    def _snapshot(self, ref: Ref) -> str | None:
        return self.services.get(ref.service).snapshot(ref.key)


def jsonable(value: Any) -> Json:
    """Any Python value as JSON; what JSON has no word for becomes its text."""
    from pydantic_core import to_jsonable_python

    return cast("Json", to_jsonable_python(value, fallback=str, inf_nan_mode="strings"))


def _fault(error: Exception) -> str:
    """What went wrong, for the user and the model; at most ``ERROR_CHARS``."""
    text = str(error) if isinstance(error, BotpsyError) else f"{type(error).__name__}: {error}"
    return text if len(text) <= ERROR_CHARS else f"{text[:ERROR_CHARS]}…"


def undo_hint(outcome: Outcome) -> str:
    """How the user takes it back."""
    return f"botpsy undo {outcome.undo}" if outcome.undo else ""


def _judge_crash(same: list[bool]) -> tuple[str, str]:
    if not same:
        return (
            "unknown",
            "It was cut off while it ran; whether it happened cannot be told from here.",
        )
    if all(same):
        return "failed", "It was cut off before it changed anything."
    if any(same):
        return "unknown", "It was cut off halfway; undo puts back what it changed."
    return "done", "It was cut off after it was done."


def _intent_body(action: Action, decision: Decision, how: str, request: str) -> JsonObject:
    sources: JsonObject = {name: s.name.lower() for name, s in action.labels.arguments.items()}
    return {
        "tool": action.tool.name,
        "effect": action.tool.effect,
        "service": action.tool.service,
        "definition": action.tool.fingerprint,
        "endpoint": action.endpoint,
        "arguments": action.bound.shown,
        "called_with": action.call.arguments,
        "sources": sources,
        "control": action.labels.control.name.lower(),
        "decision": how,
        "rule": decision.rule,
        "reasons": list(decision.reasons),
        "conversation": action.conversation,
        "request": request,
    }


def _before(body: JsonObject) -> dict[Ref, str | None]:
    rows = cast("list[list[str | None]]", body.get("before", []))
    return {Ref(str(service), str(key)): state for service, key, state in rows}


def _undone(body: JsonObject) -> str:
    """The action that an undo was about."""
    return str(cast("JsonObject", body["arguments"])["action"])


def _mark(state: str | None) -> str:
    return "" if state is None else hashlib.sha256(state.encode("utf-8", "replace")).hexdigest()


def _logged(result: Json) -> Json:
    text = json.dumps(result, ensure_ascii=False)
    if len(text) <= LOGGED_RESULT_CHARS:
        return result
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    return {"cut": text[:LOGGED_RESULT_CHARS], "characters": len(text), "sha256": digest}


def _not_run(
    action_id: str, call: ToolCall, status: Status, error: str, arguments: JsonObject | None = None
) -> Outcome:
    shown = call.arguments if arguments is None else arguments
    return Outcome(action_id, call.name, shown, "none", status, error=error)
