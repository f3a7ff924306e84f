import os
import sqlite3
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from botpsy.assistant.execute import Executor
from botpsy.assistant.ledger import Ledger
from botpsy.assistant.types import Action, Answer, Decision, Labels, Outcome, Source, Verdict
from botpsy.chat.types import ToolCall
from botpsy.clock import Clock
from botpsy.errors import LedgerError, UndoError
from botpsy.services.bundle import Services
from botpsy.tools.base import ToolDef
from tests.assistant import fakes


def allow(action: Action) -> Decision:
    return Decision(Verdict.ALLOW)


def ask(action: Action) -> Decision:
    return Decision(Verdict.ASK, ("Writes are asked about.",))


class Person:
    """An approver with a fixed answer who remembers what was shown."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.shown: list[Action] = []

    def ask(self, action: Action, decision: Decision) -> Answer:
        self.shown.append(action)
        return self.answer


def executor_at(folder: Path, **changes: object) -> Executor:
    services = Services(notes=fakes.Store(folder / "store.json"))  # type: ignore[arg-type]
    executor = Executor(
        Ledger(folder / "ledger.sqlite"),
        services,
        Clock(ZoneInfo("Europe/Paris")),
        judge=allow,
        remember=lambda action, answer: None,
    )
    return replace(executor, **changes)  # type: ignore[arg-type]


def records(folder: Path) -> dict[str, str]:
    return fakes.Store(folder / "store.json").read()


def perform(executor: Executor, tool: ToolDef, **arguments: object) -> Outcome:
    call = ToolCall(tool.name, arguments)  # type: ignore[arg-type]
    return executor.perform(tool, call, Labels({"text": Source.USER}), request="please")


def test_allowed_runs_and_is_logged_before_and_after(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    outcome = perform(executor, fakes.keep, text="milk")
    assert (outcome.status, outcome.decision, outcome.undo) == ("done", "allow", outcome.id)
    assert records(tmp_path) == {outcome.id: "milk"}
    intent, result = executor.ledger.entries(action=outcome.id)
    assert (intent.kind, result.kind) == ("intent", "outcome")
    assert intent.body["arguments"] == {"text": "milk"}
    assert intent.body["before"] == [["notes", outcome.id, None]]
    assert intent.body["sources"] == {"text": "user"}
    assert intent.body["request"] == "please"
    assert result.body["status"] == "done"


def test_denied_touches_nothing_and_is_logged(tmp_path: Path) -> None:
    executor = executor_at(tmp_path, judge=lambda a: Decision(Verdict.DENY, ("Not that.",)))
    outcome = perform(executor, fakes.keep, text="milk")
    assert (outcome.status, outcome.error) == ("denied", "Not that.")
    assert records(tmp_path) == {}
    assert [entry.kind for entry in executor.ledger.entries()] == ["denied"]


def test_ask_with_nobody_there_is_deny(tmp_path: Path) -> None:
    outcome = perform(executor_at(tmp_path, judge=ask), fakes.keep, text="milk")
    assert outcome.status == "denied"
    assert "nobody to ask" in outcome.error
    assert records(tmp_path) == {}


@pytest.mark.parametrize("approved", [True, False])
def test_the_answer_decides(tmp_path: Path, approved: bool) -> None:
    person = Person(Answer(approved))
    outcome = perform(executor_at(tmp_path, judge=ask, approver=person), fakes.keep, text="milk")
    assert (outcome.status == "done") is approved
    assert bool(records(tmp_path)) is approved
    assert person.shown[0].bound.shown == {"text": "milk"}


def test_what_changes_after_approval_does_not_run(tmp_path: Path) -> None:
    class Swapper(Person):
        def ask(self, action: Action, decision: Decision) -> Answer:
            action.bound.shown["text"] = "poison"
            return super().ask(action, decision)

    executor = executor_at(tmp_path, judge=ask, approver=Swapper(Answer(True)))
    outcome = perform(executor, fakes.keep, text="milk")
    assert outcome.status == "denied"
    assert records(tmp_path) == {}


def test_a_grant_is_remembered_only_when_given(tmp_path: Path) -> None:
    kept: list[Answer] = []
    for grant in ("once", "conversation"):
        person = Person(Answer(True, grant=grant))  # type: ignore[arg-type]
        executor = executor_at(
            tmp_path,
            judge=ask,
            approver=person,
            remember=lambda action, answer: kept.append(answer),
        )
        perform(executor, fakes.keep, text="milk")
    assert [answer.grant for answer in kept] == ["conversation"]


def test_dry_run_touches_nothing_and_asks_nobody(tmp_path: Path) -> None:
    person = Person(Answer(True))
    executor = executor_at(tmp_path, judge=ask, approver=person, dry_run=True)
    outcome = perform(executor, fakes.keep, text="milk")
    assert (outcome.status, outcome.decision) == ("dry-run", "ask")
    assert not person.shown
    assert records(tmp_path) == {}
    assert executor.ledger.entries() == []


def test_bad_arguments_never_reach_the_policy(tmp_path: Path) -> None:
    outcome = perform(executor_at(tmp_path, judge=None), fakes.keep, texts="milk")
    assert outcome.status == "invalid"
    assert "text" in outcome.error


def test_a_faulty_tool_is_a_failure_not_a_crash(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    outcome = perform(executor, fakes.broken, text="x")
    assert (outcome.status, outcome.error) == ("failed", "KeyError: 'x'")
    assert executor.ledger.pending() == []


def test_an_absent_service_is_a_failure_in_words(tmp_path: Path) -> None:
    outcome = perform(executor_at(tmp_path, services=Services()), fakes.keep, text="x")
    assert outcome.status == "failed"
    assert "No notes is connected" in outcome.error


def test_a_ledger_that_cannot_be_written_stops_everything(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    executor.ledger._db.execute("PRAGMA query_only = ON")
    with pytest.raises(LedgerError, match="cannot be written"):
        perform(executor, fakes.keep, text="milk")
    assert records(tmp_path) == {}


def test_a_huge_result_is_logged_as_a_hash(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    executor.services.notes.put("big", "x" * 5_000_000)  # type: ignore[attr-defined]
    outcome = perform(executor, fakes.look, key="big")
    logged = executor.ledger.outcome(outcome.id)
    assert logged is not None
    assert len(str(logged.body)) < 30_000
    assert "sha256" in logged.body["result"]  # type: ignore[operator]


def test_ctrl_c_in_a_tool_is_logged_as_unknown(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)

    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    tool = replace(fakes.keep, function=interrupted, _context_parameter="ctx")
    tool.__dict__["_model"] = fakes.keep._model
    with pytest.raises(KeyboardInterrupt):
        perform(executor, tool, text="x")
    assert [e.body.get("status") for e in executor.ledger.entries()] == [None, "unknown"]


# Undo


def test_undo_and_redo(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    executor.services.notes.put("k", "old")  # type: ignore[attr-defined]
    done = perform(executor, fakes.change, key="k", text="new")
    undone = executor.undo()
    assert records(tmp_path) == {"k": "old"}
    assert undone.arguments == {"action": done.id}
    redone = executor.undo(undone.id)
    assert records(tmp_path) == {"k": "new"}
    executor.undo(done.id)
    assert records(tmp_path) == {"k": "old"}
    assert redone.id != undone.id
    executor.ledger.verify()


def test_undo_takes_the_latest_first_and_never_twice(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    first = perform(executor, fakes.keep, text="1")
    perform(executor, fakes.look, key="k")
    second = perform(executor, fakes.keep, text="2")
    assert executor.undo().arguments == {"action": second.id}
    assert executor.undo().arguments == {"action": first.id}
    with pytest.raises(UndoError, match="nothing to undo"):
        executor.undo()
    with pytest.raises(UndoError, match="undone already"):
        executor.undo(first.id)


def test_undo_passes_over_what_changed_nothing(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    changed = perform(executor, fakes.change, key="k", text="new")
    same = perform(executor, fakes.change, key="k", text="new")
    assert (same.status, same.undo) == ("done", "")
    assert executor.undo().arguments == {"action": changed.id}
    assert records(tmp_path) == {}


def test_undo_never_destroys_a_later_change(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    done = perform(executor, fakes.change, key="k", text="mine")
    executor.services.notes.put("k", "the user's own edit")  # type: ignore[attr-defined]
    with pytest.raises(UndoError, match="something else changed notes k"):
        executor.undo(done.id)
    assert records(tmp_path) == {"k": "the user's own edit"}
    executor.undo(done.id, force=True)
    assert records(tmp_path) == {}


def test_what_cannot_be_undone_says_so(tmp_path: Path) -> None:
    executor = executor_at(tmp_path)
    told = perform(executor, fakes.tell, to="Anna", text="hi")
    assert told.undo == ""
    with pytest.raises(UndoError, match="cannot be undone"):
        executor.undo(told.id)


# Crashes: a real process, killed for real


def in_child(work: Callable[[], None]) -> bool:
    """Do the work in a process of its own; whether it was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside the runner's threads
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def killed_at(folder: Path, job: str, at: int) -> bool:
    """Whether a process at this job was killed at its ``at``-th step of file or database work."""

    def work() -> None:
        count = 0

        def step() -> None:
            nonlocal count
            count += 1
            if count == at:
                fakes.die()

        class Connection(sqlite3.Connection):
            def execute(self, *args: Any) -> sqlite3.Cursor:
                step()
                try:
                    return super().execute(*args)
                finally:
                    step()

        class Stepping(fakes.Store):
            def write(self, records: dict[str, str]) -> None:
                step()
                super().write(records)
                step()

        executor = executor_at(folder, services=Services(notes=Stepping(folder / "store.json")))  # type: ignore[arg-type]
        database = sqlite3.connect(
            folder / "ledger.sqlite", isolation_level=None, factory=Connection
        )
        executor.ledger._db = database
        if job == "keep":
            perform(executor, fakes.keep, text="milk")
        elif job == "both":
            perform(executor, fakes.change_both, text="new")
        else:
            executor.undo()

    return in_child(work)


@pytest.mark.parametrize("job", ["keep", "both"])
def test_kill_at_any_step_loses_nothing_and_runs_nothing_twice(tmp_path: Path, job: str) -> None:
    at, states = 1, set()
    while True:
        folder = tmp_path / f"{job}{at}"
        folder.mkdir()
        start = {"a": "old", "b": "old"} if job == "both" else {}
        fakes.Store(folder / "store.json").write(start)
        killed = killed_at(folder, job, at)
        after_kill = records(folder)
        executor = executor_at(folder)
        executor.ledger.verify()
        found = executor.recover()
        assert records(folder) == after_kill, "recovery looks, and runs nothing"
        assert executor.recover() == [], "and reports once"
        intents = [e for e in executor.ledger.entries() if e.kind == "intent"]
        if after_kill != start:
            assert intents, "nothing happens that was not logged first"
        for outcome in found:
            happened = [after_kill.get(key) != start.get(key) for key in {*start, *after_kill}]
            expected = "failed" if not any(happened) else "done" if all(happened) else "unknown"
            assert outcome.status == expected
            states.add(expected)
        if after_kill != start:
            executor.undo(intents[0].action)
            assert records(folder) == start
        executor.ledger.close()
        if not killed:
            break
        at += 1
    assert at > 8, "the steps were really gone through"
    assert {"failed", "done"} <= states
    assert ("unknown" in states) == (job == "both")


def test_kill_in_the_middle_of_an_undo(tmp_path: Path) -> None:
    for at in range(1, 60):
        folder = tmp_path / str(at)
        folder.mkdir()
        fakes.Store(folder / "store.json").write({"k": "old"})
        first = executor_at(folder)
        earlier = perform(first, fakes.keep, text="earlier")
        done = perform(first, fakes.change, key="k", text="new")
        first.ledger.close()
        killed = killed_at(folder, "undo", at)
        executor = executor_at(folder)
        executor.recover()
        assert records(folder)["k"] in ("old", "new")
        if records(folder)["k"] == "new":
            assert executor.undo().arguments == {"action": done.id}
        assert records(folder) == {"k": "old", earlier.id: "earlier"}
        assert executor.undo().arguments == {"action": earlier.id}, "not the same one for ever"
        assert records(folder) == {"k": "old"}
        executor.ledger.verify()
        executor.ledger.close()
        if not killed:
            return
    pytest.fail("the undo never came to its end")


@pytest.mark.parametrize(
    ("tool", "status"), [("crash_before", "failed"), ("crash_after", "done"), ("tell", "unknown")]
)
def test_a_crash_inside_the_tool(tmp_path: Path, tool: str, status: str) -> None:
    class Deadly(fakes.Store):
        def put(self, key: str, value: str) -> None:
            super().put(key, value)
            if tool == "tell":
                fakes.die()

    def work() -> None:
        executor = executor_at(tmp_path, services=Services(notes=Deadly(tmp_path / "store.json")))  # type: ignore[arg-type]
        to = {"to": "Anna"} if tool == "tell" else {}
        perform(executor, getattr(fakes, tool), text="x", **to)

    assert in_child(work)
    [outcome] = executor_at(tmp_path).recover()
    assert (outcome.tool, outcome.status) == (tool, status)


def test_an_action_under_way_elsewhere_is_not_a_crash(tmp_path: Path) -> None:
    mine, theirs = executor_at(tmp_path), executor_at(tmp_path)
    with theirs.ledger.exclusive():
        theirs.ledger.append(
            "intent", "busy", {"tool": "keep", "effect": "write", "arguments": {}, "decision": "a"}
        )
        assert mine.recover() == []
    assert [outcome.id for outcome in mine.recover()] == ["busy"]


def test_the_environment_is_ours() -> None:
    assert os.environ.get("BOTPSY_HOME") is None, "tests never see the user's own home"


def test_a_call_that_cannot_be_undone_is_judged_as_such(tmp_path: Path) -> None:
    """The tool has an undo, this call of it has none: a ticket that is not refundable."""
    seen: list[Action] = []

    def judge(action: Action) -> Decision:
        seen.append(action)
        return Decision(Verdict.ALLOW)

    executor = executor_at(tmp_path, judge=judge)
    final = replace(fakes.keep, undo=lambda ctx, arguments: [])
    final.__dict__["_model"] = fakes.keep._model
    assert perform(executor, final, text="x").undo == ""
    assert perform(executor, fakes.keep, text="x").undo
    perform(executor, fakes.look, key="k")
    assert [action.irreversible for action in seen] == [True, False, False]
