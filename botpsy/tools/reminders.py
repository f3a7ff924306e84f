"""Tools for reminders, timers and alarms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.chat.types import JsonObject
from botpsy.clock import show_instant
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.recurrence import (
    Repeat,
    Weekday,
    first_on,
    rule_of,
    rule_of_days,
    show_rule,
)
from botpsy.services.reminders import Kind, Reminder
from botpsy.services.text import plain_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.events import words_of
from botpsy.tools.values import Duration, Instant, context_of

_LONGEST_TIMER = timedelta(days=7)
_SHOWN = 20
_FILLER = {"my", "the", "a", "to", "for", "at", "reminder", "timer", "alarm", "that", "me"}


def _ringing(value: Any, info: ValidationInfo) -> Any:
    """Alarms are for the morning: "6:30" is not the evening."""
    if isinstance(value, str) and value.strip():
        return context_of(info).clock.instant(value.strip(), rising=True)
    return value


_Ringing: TypeAlias = Annotated[Instant, BeforeValidator(_ringing)]


def show_reminder(reminder: Reminder) -> str:
    """``alarm: wake up, Fri 4 Dec 2026, 07:00 CET, weekdays (id)``."""
    text = f"{reminder.kind}: {reminder.text}" if reminder.text else reminder.kind
    repeat = f", {show_rule(reminder.repeat)}" if reminder.repeat else ""
    return f"{text}, {show_instant(reminder.due)}{repeat} ({reminder.id})"


def _reminder(value: Any, info: ValidationInfo) -> Reminder:
    if isinstance(value, Reminder):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ToolError("Say which one: its id, its kind or words of it.")
    return resolve(value.strip(), context_of(info))


def resolve(text: str, ctx: Context) -> Reminder:
    """The one that an id, a kind ("the timer") or words name.

    Raises:
        ToolError: none or several; lists what there is, with ids.
    """
    pending = ctx.services.reminders.pending()
    for each in pending:
        if text == each.id or text.endswith(f"({each.id})"):
            return each
    said = words_of(text)
    kinds = [kind for kind in ("reminder", "timer", "alarm") if kind in said]
    words = [word for word in said if word not in _FILLER]
    found = [
        each
        for each in pending
        if (not kinds or each.kind in kinds) and all(_has(each, word) for word in words)
    ]
    if not kinds and not words:
        found = []
    if len(found) == 1:
        return found[0]
    listed = "; ".join(show_reminder(each) for each in (found or pending)[:6])
    if found:
        raise ToolError(f"Several match {text[:80]!r}: {listed}.", hint="Use the id.")
    raise ToolError(f"Nothing matches {text[:80]!r}. There is: {listed or 'nothing set'}.")


def _has(reminder: Reminder, word: str) -> bool:
    """Whether a word is of its text, its day ("Friday", "Dec") or its time (7, 07:00)."""
    due = reminder.due
    if word.isdigit():
        return int(word) in (due.hour, due.hour % 12 or 12, due.minute) or word in words_of(
            reminder.text
        )
    day = [f"{due:%A}".lower(), f"{due:%B}".lower()]
    return any(own.startswith(word) for own in [*words_of(reminder.text), *day])


ReminderRef = Annotated[
    Reminder,
    BeforeValidator(_reminder),
    PlainSerializer(show_reminder, return_type=str),
    WithJsonSchema({"type": "string", "format": "reminder"}),
]
"""A reminder, timer or alarm: its id, its kind, or words of it."""


def _text(text: str) -> str:
    return plain_line(text)


def _ahead(ctx: Context, when: datetime) -> datetime:
    if when.astimezone(UTC) <= ctx.clock.now().astimezone(UTC):
        raise ToolError(
            f"{ctx.clock.show(when)} has passed. It is {ctx.clock.show(ctx.clock.now())}.",
            hint="Give a time to come.",
        )
    return when


def _set(ctx: Context, reminder: Reminder) -> JsonObject:
    ctx.services.reminders.add(reminder)
    # Run again after a crash, the first one stands.
    reminder = ctx.services.reminders.get(reminder.id) or reminder
    result: JsonObject = {"id": reminder.id, "rings": ctx.clock.show(reminder.due)}
    if reminder.text:
        result["text"] = reminder.text
    if reminder.repeat:
        result["repeats"] = show_rule(reminder.repeat)
    return result


@tool(
    effect="write",
    service="reminders",
    domain="lifestyle",
    undo=lambda ctx, _: [Ref("reminders", ctx.action_id)],
    examples=(
        "remind me to call the bank tomorrow at nine",
        "don't let me forget the laundry in an hour",
        "remind me about Lea's birthday on the 12th",
        "every Monday remind me to put the bins out",
        "give me a nudge to stretch at half past three",
        "I need to remember to pay the rent on the first of every month",
        "ping me tonight to water the plants",
    ),
)
def set_reminder(
    ctx: Context,
    text: Annotated[str, "What to be reminded of"],
    when: Annotated[Instant, "When to be reminded"],
    repeat: Annotated[Repeat | None, "How often it comes again"] = None,
) -> JsonObject:
    """Remind the user of something at a time."""
    what = _text(text)
    if not what:
        raise ToolError("A reminder needs a text.")
    rule = rule_of(repeat) if repeat else ""
    start = _ahead(ctx, first_on(rule, when))
    return _set(ctx, Reminder(ctx.action_id, "reminder", what, start, rule, start))


@tool(
    effect="write",
    service="reminders",
    domain="lifestyle",
    undo=lambda ctx, _: [Ref("reminders", ctx.action_id)],
    examples=(
        "set a timer for ten minutes",
        "start a pasta timer, nine minutes",
        "count down an hour and a half",
        "timer for thirty seconds please",
        "let me know when 20 minutes are up",
        "egg timer, five and a half minutes",
    ),
)
def set_timer(
    ctx: Context,
    duration: Annotated[Duration, "How long, for example 10 minutes"],
    label: Annotated[str | None, "What it is for"] = None,
) -> JsonObject:
    """Start a countdown timer that rings when the time is up."""
    if duration > _LONGEST_TIMER:
        raise ToolError("A timer runs at most 7 days.", hint="Use set_reminder for later.")
    now = ctx.clock.now()
    due = (now.astimezone(UTC) + duration).astimezone(now.tzinfo)
    return _set(ctx, Reminder(ctx.action_id, "timer", _text(label or ""), due))


@tool(
    effect="write",
    service="reminders",
    domain="lifestyle",
    undo=lambda ctx, _: [Ref("reminders", ctx.action_id)],
    examples=(
        "wake me up at seven",
        "set an alarm for 6:30 tomorrow",
        "alarm at half past five on weekdays",
        "I have to get up at 8 on Saturday",
        "put the alarm on for quarter to seven every morning",
        "get me up in time for the 5 am train, say four",
        "tell me when it is eight o'clock",
    ),
)
def set_alarm(
    ctx: Context,
    time: Annotated[_Ringing, "When it rings, for example 7 am"],
    label: Annotated[str | None, "What it is for"] = None,
    days: Annotated[list[Weekday] | None, "Weekdays it rings on, every week"] = None,
) -> JsonObject:
    """Set an alarm clock, for example to wake up."""
    rule = rule_of_days(days) if days else ""
    start = _ahead(ctx, first_on(rule, time))
    return _set(ctx, Reminder(ctx.action_id, "alarm", _text(label or ""), start, rule, start))


@tool(
    service="reminders",
    domain="lifestyle",
    untrusted_output=True,  # a reminder may hold what a mail said
    examples=(
        "what reminders do I have",
        "how long is left on the timer",
        "which alarms are set",
        "is my alarm on for tomorrow",
        "show me everything you'll remind me of",
        "when does the pasta timer go off",
    ),
)
def list_reminders(
    ctx: Context,
    kind: Annotated[Kind | None, "Only this kind; all if left out"] = None,
) -> JsonObject:
    """Show the reminders, timers and alarms that are set."""
    pending = [
        each for each in ctx.services.reminders.pending() if kind is None or each.kind == kind
    ]
    now = ctx.clock.now().astimezone(UTC)
    entries: list[JsonObject] = []
    for each in pending[:_SHOWN]:
        entry: JsonObject = {"id": each.id, "kind": each.kind, "rings": ctx.clock.show(each.due)}
        if each.text:
            entry["text"] = each.text
        if each.repeat:
            entry["repeats"] = show_rule(each.repeat)
        if each.kind == "timer":
            left = max(0, round((each.due.astimezone(UTC) - now).total_seconds()))
            entry["left"] = f"{left // 60} min {left % 60} s"
        entries.append(entry)
    result: JsonObject = {"set": list(entries)}
    if len(pending) > _SHOWN:
        result["more"] = len(pending) - _SHOWN
    return result


@tool(
    effect="write",
    service="reminders",
    domain="lifestyle",
    undo=lambda _, arguments: [Ref("reminders", arguments["which"].id)],
    examples=(
        "cancel the timer",
        "turn off tomorrow's alarm",
        "you don't need to remind me about the bank any more",
        "delete the bins reminder",
        "stop the pasta countdown",
        "scrap my seven o'clock alarm",
        "the alarm can go now",
    ),
)
def cancel_reminder(
    ctx: Context,
    which: Annotated[ReminderRef, "Its id, kind or words, for example timer"],
) -> JsonObject:
    """Cancel a reminder, a timer or an alarm."""
    ctx.services.reminders.remove(which.id)
    return {"cancelled": show_reminder(which)}


TOOLS: tuple[ToolDef, ...] = (
    set_reminder,
    set_timer,
    set_alarm,
    list_reminders,
    cancel_reminder,
)
