"""Reminder tools, bound and run as the assistant does."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from botpsy.clock import Clock
from botpsy.errors import SchemaError, ToolError
from botpsy.services.bundle import Services
from botpsy.services.reminders.memory import MemoryReminders
from botpsy.tools import reminders as tools
from botpsy.tools.base import Context, ToolDef

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 2, 10, 0, tzinfo=PARIS)


@pytest.fixture
def ctx() -> Context:
    return Context(Services(reminders=MemoryReminders()), Clock(PARIS, NOW), "a1")


def run(ctx: Context, tool: ToolDef, action: str = "a1", **arguments: Any) -> Any:
    here = Context(ctx.services, ctx.clock, action)
    return tool.run(tool.bind(arguments, here), here)


def test_a_reminder(ctx: Context) -> None:
    bound = tools.set_reminder.bind({"text": "call the bank", "when": "tomorrow at nine"}, ctx)
    assert bound.shown["when"] == "2026-12-03T09:00+01:00"
    result = tools.set_reminder.run(bound, ctx)
    assert result == {
        "id": "a1", "rings": "Thu 3 Dec 2026, 09:00 CET", "text": "call the bank"
    }  # fmt: skip
    assert tools.set_reminder.run(bound, ctx) == result
    assert len(ctx.services.reminders.pending()) == 1


def test_repeats(ctx: Context) -> None:
    assert run(
        ctx, tools.set_reminder, text="bins", when="Monday 7 pm", repeat="weekly"
    ) == {
        "id": "a1", "rings": "Mon 7 Dec 2026, 19:00 CET", "text": "bins", "repeats": "weekly"
    }  # fmt: skip
    alarm = run(ctx, tools.set_alarm, "a2", time="6:30", days=["mon", "tue"])
    assert (alarm["rings"], alarm["repeats"]) == ("Mon 7 Dec 2026, 06:30 CET", "every Mon, Tue")


def test_a_timer_counts_real_time_and_is_set_once(ctx: Context) -> None:
    result = run(ctx, tools.set_timer, duration="an hour and a half", label="roast")
    assert result["rings"] == "Wed 2 Dec 2026, 11:30 CET"
    later = Context(ctx.services, Clock(PARIS, NOW + timedelta(minutes=5)), "a1")
    assert run(later, tools.set_timer, duration="an hour and a half", label="roast") == result
    [timer] = run(later, tools.list_reminders, kind="timer")["set"]
    assert timer["left"] == "85 min 0 s"
    night = Context(
        Services(reminders=MemoryReminders()),
        Clock(PARIS, datetime(2027, 3, 28, 1, 30, tzinfo=PARIS)),
        "a1",
    )
    rings = run(night, tools.set_timer, duration="1 hour")["rings"]
    assert rings == "Sun 28 Mar 2027, 03:30 CEST"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (tools.set_reminder, {"text": "", "when": "tomorrow"}),
        (tools.set_reminder, {"text": "x", "when": "yesterday"}),
        (tools.set_reminder, {"text": "x", "when": "2026-12-02T10:00"}),
        (tools.set_reminder, {"text": "x", "when": "whenever"}),
        (tools.set_timer, {"duration": "8 days"}),
        (tools.set_timer, {"duration": "0 seconds"}),
        (tools.set_alarm, {"time": "25:00"}),
        (tools.set_alarm, {"time": "9999-12-31T07:00", "days": ["mon"]}),
        (tools.cancel_reminder, {"which": "timer"}),
    ],
)
def test_what_cannot_be_set(ctx: Context, tool: ToolDef, arguments: dict[str, Any]) -> None:
    with pytest.raises(ToolError):
        run(ctx, tool, **arguments)
    assert ctx.services.reminders.pending() == []


def test_an_unknown_weekday_is_a_schema_error(ctx: Context) -> None:
    with pytest.raises(SchemaError, match="days"):
        run(ctx, tools.set_alarm, time="7 am", days=["someday"])


@pytest.mark.parametrize(
    ("words", "identifier"),
    [
        ("timer", "t"), ("the timer", "t"), ("pasta", "t"), ("my pasta timer", "t"),
        ("the bank reminder", "b"), ("call the bank", "b"), ("b", "b"), ("alarm at 7", "w"),
        ("wake up", "w"), ("Friday's alarm", "w"), ("alarm: wake up, Fri 4 (w)", "w"),
        ("alarm for 6", "w2"),
    ],
)  # fmt: skip
def test_which_one_is_meant(ctx: Context, words: str, identifier: str) -> None:
    run(ctx, tools.set_timer, "t", duration="9 minutes", label="pasta")
    run(ctx, tools.set_reminder, "b", text="call the bank", when="tomorrow 3 pm")
    run(ctx, tools.set_alarm, "w", time="Friday 7 am", label="wake up")
    run(ctx, tools.set_alarm, "w2", time="Monday 6 am")
    bound = tools.cancel_reminder.bind({"which": words}, ctx)
    assert bound.values["which"].id == identifier


def test_several_or_none_is_a_question(ctx: Context) -> None:
    run(ctx, tools.set_alarm, "w", time="Friday 7 am")
    run(ctx, tools.set_alarm, "w2", time="Monday 6 am")
    with pytest.raises(ToolError, match=r"\(w\).*\(w2\)"):
        run(ctx, tools.cancel_reminder, which="alarm")
    for words in ("dentist", "the", "()", " ", "timer"):
        with pytest.raises(ToolError):
            run(ctx, tools.cancel_reminder, which=words)


def test_undo(ctx: Context) -> None:
    run(ctx, tools.set_timer, "t", duration="9 minutes")
    before = ctx.services.reminders.pending()
    for tool, arguments in (
        (tools.set_reminder, {"text": "x", "when": "tomorrow"}),
        (tools.set_timer, {"duration": "1 min"}),
        (tools.set_alarm, {"time": "7 am"}),
        (tools.cancel_reminder, {"which": "timer"}),
    ):
        bound = tool.bind(arguments, ctx)
        [ref] = tool.touches(bound, ctx)
        state = ctx.services.get(ref.service).snapshot(ref.key)
        tool.run(bound, ctx)
        assert ctx.services.reminders.pending() != before
        ctx.services.get(ref.service).restore(ref.key, state)
        assert ctx.services.reminders.pending() == before


def test_what_a_reminder_says_is_text_by_others() -> None:
    assert {tool.name for tool in tools.TOOLS if tool.untrusted_output} == {"list_reminders"}


def test_definitions_are_sound() -> None:
    for tool in tools.TOOLS:
        assert 5 <= len(tool.examples) <= 10
        assert not tool.irreversible
        assert all("description" in p for p in tool.schema["properties"].values()), tool.name
