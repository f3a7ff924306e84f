"""Tools for the calendar: put in, look up, change, take out, find time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

from botpsy.chat.types import JsonObject
from botpsy.errors import ToolError
from botpsy.services.base import Ref
from botpsy.services.calendar import Event
from botpsy.services.recurrence import Repeat, first_on, rule_of, show_rule
from botpsy.services.text import plain_line
from botpsy.tools.base import Context, ToolDef, tool
from botpsy.tools.events import (
    AHEAD,
    End,
    EventRef,
    NewStart,
    matches,
    show_event,
    show_start,
    start_of,
    title_of,
    words_of,
)
from botpsy.tools.values import Day, Duration, Instant, Period, show_duration

_USUAL = timedelta(hours=1)
_SHOWN = 20
_SLOTS = 6
_DAY_FROM, _DAY_TO = 8, 20
_SOON = timedelta(days=31)


@tool(
    effect="write",
    service="calendar",
    domain="calendar",
    undo=lambda ctx, _: [Ref("calendar", ctx.action_id)],
    examples=(
        "put dentist on my calendar for next Friday at 3",
        "schedule a call with Ana tomorrow at ten",
        "I'm having lunch with Bo on Tuesday at noon, add it",
        "book two hours for taxes on Saturday morning",
        "mark the 14th as a day off",
        "yoga every Thursday at seven in the evening",
        "block out the whole of Monday for moving",
        "add mum's birthday, it's every year on March 3rd",
        "create a meeting in room 4 from 2 to 3 pm",
    ),
)
def create_event(
    ctx: Context,
    title: Annotated[str, "What it is, short"],
    start: Annotated[Instant, "When it starts"],
    *,
    end: Annotated[End | None, "When it ends; for all_day the last day"] = None,
    duration: Annotated[Duration | None, "How long, instead of end; one hour if neither"] = None,
    location: Annotated[str | None, "Where"] = None,
    attendees: Annotated[list[str] | None, "Names of people; they are not told"] = None,
    all_day: Annotated[bool, "true: takes the whole day"] = False,
    repeat: Annotated[Repeat | None, "How often it comes again"] = None,
    repeat_until: Annotated[Day | None, "Last day of repeating"] = None,
) -> JsonObject:
    """Add a new event or appointment to the calendar."""
    rule = rule_of(repeat, repeat_until, start.date() if all_day else start) if repeat else ""
    if repeat_until and not repeat:
        raise ToolError("repeat_until is given without repeat.")
    start = first_on(rule, start)
    first, last = _times(start, end, duration, all_day=all_day)
    if repeat_until and repeat_until < start.date():
        raise ToolError(f"The repeats would end before {ctx.clock.show(start)}.")
    event = Event(
        uid=ctx.action_id,
        title=_title(title),
        start=first,
        end=last,
        location=plain_line(location or ""),
        attendees=tuple(plain_line(name) for name in attendees or ()),
        repeat=rule,
    )
    ctx.services.calendar.add(event)
    return _written(ctx, event)


def _title(text: str) -> str:
    title = plain_line(text)
    if not title:
        raise ToolError("An event needs a title.")
    return title


def _times(
    start: datetime, end: datetime | None, duration: timedelta | None, *, all_day: bool
) -> tuple[datetime, datetime] | tuple[date, date]:
    """Start and exclusive end."""
    if end is not None and duration is not None:
        raise ToolError("Give end or duration, not both.")
    if all_day:
        days = max(1, -(-duration // timedelta(days=1))) if duration else 1
        last = end.date() if end else start.date() + timedelta(days=days - 1)
        if last < start.date():
            raise ToolError("The event would end before it starts.")
        return start.date(), last + timedelta(days=1)
    if end is None:
        end = (start.astimezone(UTC) + (duration or _USUAL)).astimezone(start.tzinfo)
    if end.astimezone(UTC) < start.astimezone(UTC):
        raise ToolError("The event would end before it starts.")
    return start, end


def _written(ctx: Context, event: Event) -> JsonObject:
    """What the model is told of an event it made: our own words only, no text by others."""
    result: JsonObject = {"id": event.id, "title": title_of(event), "start": show_start(event)}
    if isinstance(event.end, datetime):
        result["end"] = ctx.clock.show(event.end)
    if event.repeat:
        result["repeats"] = show_rule(event.repeat)
    start, end = event.bounds(ctx.clock.tz)
    if end < ctx.clock.now():
        result["note"] = "This time is in the past."
    if not event.all_day:
        found = ctx.services.calendar.find(start, end)
        clash = [e for e in found if e.busy and not e.all_day and e.uid != event.uid]
        if clash:
            # Not even its id: whoever sends an invitation chooses that.
            result["conflicts"] = [show_start(other) for other in clash[:_SLOTS]]
    return result


@tool(
    service="calendar",
    domain="calendar",
    untrusted_output=True,
    examples=(
        "what's on my calendar tomorrow",
        "do I have anything on Friday afternoon?",
        "when is my next dentist appointment",
        "am I busy this weekend",
        "show me my appointments for next week",
        "what time does the staff meeting start",
        "where is the parents' evening",
        "what am I doing today",
        "where is my meeting at ten",
        "am I free between two and four",
        "which day is Ravi's birthday party",
        "what are my plans tonight",
        "was the meeting moved",
        "what's going on this weekend",
        "bring up the calendar",
        "tell me about the next event",
        "is the wedding on my schedule already",
    ),
)
def find_events(
    ctx: Context,
    period: Annotated[Period | None, "Stretch of time to look in, for example this week"] = None,
    query: Annotated[str | None, "Words of the title, place or people"] = None,
) -> JsonObject:
    """Look up what is in the calendar: events on a day, or an event by its words."""
    clock = ctx.clock
    now = clock.now()
    words = words_of(query or "")
    start, end = period or (now, now + (AHEAD if words else _SOON))
    found = [e for e in ctx.services.calendar.find(start, end) if matches(e, words)]
    result: JsonObject = {
        "from": clock.show(start),
        "to": clock.show(end),
        "events": [_entry(ctx, event) for event in found[:_SHOWN]],
    }
    if len(found) > _SHOWN:
        result["more"] = len(found) - _SHOWN
    return result


def _entry(ctx: Context, event: Event) -> JsonObject:
    entry: JsonObject = {"id": event.id, "title": title_of(event), "start": show_start(event)}
    if isinstance(event.end, datetime):
        entry["end"] = ctx.clock.show(event.end)
    else:
        entry["all_day"] = True
    if event.location:
        entry["location"] = plain_line(event.location)[:120]
    if event.attendees:
        entry["attendees"] = [plain_line(name)[:80] for name in event.attendees[:_SHOWN]]
    if event.repeat:
        entry["repeats"] = show_rule(event.repeat)
    return entry


@tool(
    effect="write",
    service="calendar",
    domain="calendar",
    untrusted_output=True,
    undo=lambda _, arguments: [Ref("calendar", arguments["event"].uid)],
    examples=(
        "move the dentist to 4 pm",
        "push my two o'clock back by half an hour",
        "the team lunch is now at Luigi's",
        "reschedule Friday's review to Monday morning",
        "rename tomorrow's call to budget call",
        "make the standup fifteen minutes long from now on",
        "change the time of my haircut",
    ),
)
def update_event(
    ctx: Context,
    event: Annotated[EventRef, "Which event: its title words or id"],
    *,
    title: Annotated[str | None, "New title"] = None,
    start: Annotated[NewStart | None, "New start, or for example 30 minutes later"] = None,
    end: Annotated[End | None, "New end"] = None,
    duration: Annotated[Duration | None, "New length, instead of end"] = None,
    location: Annotated[str | None, "New place"] = None,
    all_repeats: Annotated[bool, "true: change every repeat, not just this one"] = False,
) -> JsonObject:
    """Change or move an event that is already in the calendar."""
    if all(value is None for value in (title, start, end, duration, location)):
        raise ToolError("Nothing to change was named.")
    changed = event
    if title is not None:
        changed = replace(changed, title=_title(title))
    if location is not None:
        changed = replace(changed, location=plain_line(location))
    if start is not None or end is not None or duration is not None:
        first, last = _moved(ctx, event, start, end, duration)
        changed = replace(changed, start=first, end=last)
    if event.occurrence and all_repeats:
        changed = _whole(ctx, event, changed)
    ctx.services.calendar.replace(changed)
    result: JsonObject = {"before": show_event(event), **_written(ctx, changed)}
    if event.occurrence:
        result["changed"] = "every repeat" if all_repeats else "only this one"
    return result


def _moved(
    ctx: Context,
    event: Event,
    start: datetime | None,
    end: datetime | None,
    duration: timedelta | None,
) -> tuple[datetime, datetime] | tuple[date, date]:
    """The new times; the length stays unless it is changed, and days stay days."""
    if end is None and duration is None:
        duration = event.length
    begin = start or event.bounds(ctx.clock.tz)[0]
    return _times(begin, end, duration, all_day=event.all_day)


def _whole(ctx: Context, event: Event, changed: Event) -> Event:
    """The series changed as one of its occurrences was."""
    series = ctx.services.calendar.get(event.uid)
    assert series is not None
    start, end = series.start, series.end
    if (changed.start, changed.end) != (event.start, event.end):
        if isinstance(changed.start, datetime):
            assert isinstance(event.start, datetime)
            assert isinstance(start, datetime)
            zone = ctx.clock.tz
            # Within one zone the difference is the wall clock's.
            shift = changed.start.astimezone(zone) - event.start.astimezone(zone)
            start = start.astimezone(zone) + shift
            end = (start.astimezone(UTC) + changed.length).astimezone(zone)
        else:
            start = start + (changed.start - event.start)
            end = start + changed.length
        if start.weekday() != series.start.weekday() and "BY" in series.repeat:
            raise ToolError(
                "The days of this repeat are fixed, so it cannot move to another day.",
                hint="Delete it and create it anew.",
            )
    return replace(changed, start=start, end=end, repeat=series.repeat, occurrence="")


@tool(
    effect="write",
    service="calendar",
    domain="calendar",
    untrusted_output=True,
    undo=lambda _, arguments: [Ref("calendar", arguments["event"].uid)],
    examples=(
        "cancel the dinner with Ben",
        "cancel my dentist appointment",
        "take the team lunch off my calendar",
        "I'm not going to yoga on Thursday, remove it",
        "delete tomorrow's three o'clock",
        "scrap the meeting with Oskar",
        "get rid of all the standups",
        "wipe my calendar clean",
        "I can't make the party, take it off my schedule",
    ),
)
def delete_event(
    ctx: Context,
    event: Annotated[EventRef, "Which event: its title words or id"],
    all_repeats: Annotated[bool, "true: delete every repeat, not just this one"] = False,
) -> JsonObject:
    """Remove an event from the calendar."""
    calendar = ctx.services.calendar
    occurrence = "" if all_repeats else event.occurrence
    if calendar.get(event.uid, occurrence) is not None:  # else this action has run before
        calendar.remove(event.uid, occurrence)
    result: JsonObject = {"deleted": show_event(event)}
    if event.occurrence:
        result["removed"] = "every repeat" if all_repeats else "only this one"
    return result


@tool(
    service="calendar",
    domain="calendar",
    examples=(
        "when am I free tomorrow for an hour",
        "find me a slot of 30 minutes this week",
        "do I have time for a two hour workshop on Monday",
        "what gaps do I have on Wednesday afternoon",
        "when could I fit in a haircut next week",
        "is there a free half hour before lunch today",
    ),
)
def find_free_time(
    ctx: Context,
    period: Annotated[Period, "Stretch of time to look in, for example tomorrow"],
    duration: Annotated[Duration | None, "How long it must be; one hour if left out"] = None,
) -> JsonObject:
    """Find free gaps in the calendar that are long enough."""
    clock = ctx.clock
    needed = duration or _USUAL
    start, end = max(period[0], clock.now()), period[1]
    if start >= end:
        raise ToolError(f"{clock.show(period[1])} is in the past.")
    events = ctx.services.calendar.find(start, end)
    busy = [e.bounds(clock.tz) for e in events if e.busy and not e.all_day]
    free: list[tuple[datetime, datetime]] = []
    for first, last in _waking(ctx, start, end, period):
        at = first
        for begin, finish in [*busy, (last, last)]:
            if min(begin, last) - at >= needed:
                free.append((at, min(begin, last)))
            at = max(at, finish)
    result: JsonObject = {
        "needed": show_duration(needed),
        "free": [f"{clock.show(a)} to {clock.show(b)}" for a, b in free[:_SLOTS]],
    }
    if days := [show_start(e) for e in events if e.all_day]:
        result["all_day_events"] = list(days[:_SLOTS])
    if len(free) > _SLOTS:
        result["more"] = len(free) - _SLOTS
    return result


def _waking(
    ctx: Context, start: datetime, end: datetime, period: tuple[datetime, datetime]
) -> list[tuple[datetime, datetime]]:
    """The stretch itself when it is a part of a day, else its days from 8:00 to 20:00."""
    if period[1] - period[0] <= timedelta(hours=12):
        return [(start, end)]
    stretches: list[tuple[datetime, datetime]] = []
    day = start.date()
    while day <= end.date() and len(stretches) < 62:
        midnight = start_of(day, ctx.clock)
        first = max(start, midnight.replace(hour=_DAY_FROM))
        last = min(end, midnight.replace(hour=_DAY_TO))
        if first < last:
            stretches.append((first, last))
        day += timedelta(days=1)
    return stretches


TOOLS: tuple[ToolDef, ...] = (
    create_event,
    find_events,
    update_event,
    delete_event,
    find_free_time,
)
