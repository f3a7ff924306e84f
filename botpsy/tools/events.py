"""Argument types for calendar tools: which event is meant, and times relative to it.

``EventRef`` takes an id from ``find_events`` or words ("dentist", "Friday's standup", "my 3 pm")
and becomes the one event they name; several or none is a ``ToolError`` that lists what there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo, WithJsonSchema

from botpsy.clock import Clock, show_day, show_instant
from botpsy.clock.words import WEEKDAYS
from botpsy.errors import TimePhraseError, ToolError
from botpsy.services.calendar import Event, split_id
from botpsy.services.text import plain_line
from botpsy.tools.base import Context
from botpsy.tools.values import context_of

AHEAD = timedelta(days=400)
_LISTED = 6
_SMALL = {"my", "the", "a", "an", "with", "at", "on", "for", "in", "of", "to", "that", "this"}
_GENERIC = {"appointment", "appointments", "event", "events", "meeting", "meetings", "entry"}


def title_of(event: Event) -> str:
    """The title on one line, hidden characters visible, not too long."""
    text = plain_line(event.title) or "(no title)"
    return text if len(text) <= 120 else text[:119] + "…"


def show_start(event: Event) -> str:
    """When it starts; days for an all-day event."""
    if isinstance(event.start, datetime):
        return show_instant(event.start)
    last = event.end - timedelta(days=1)
    return show_day(event.start) + (f" to {show_day(last)}" if last > event.start else "")


def show_event(event: Event) -> str:
    """``Dentist, Fri 4 Dec 2026, 15:00 CET (id)``."""
    return f"{title_of(event)}, {show_start(event)} ({event.id})"


def words_of(text: str) -> list[str]:
    """Its words, folded for comparison."""
    return re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))


def matches(event: Event, words: Iterable[str]) -> bool:
    """Whether every word begins one in the event's title, place, people or notes."""
    texts = words_of(" ".join((event.title, event.location, *event.attendees, event.notes)))
    return all(any(text.startswith(word) for text in texts) for word in words)


def start_of(day: date, clock: Clock) -> datetime:
    """The first moment of a day."""
    return clock.period(day.isoformat())[0]


def _event(value: Any, info: ValidationInfo) -> Event:
    if isinstance(value, Event):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ToolError("Say which event: its id or a few words of its title.")
    return resolve(value.strip(), context_of(info))


def resolve(text: str, ctx: Context) -> Event:
    """The one event that an id or words name; of a repeating one, the next occurrence.

    Raises:
        ToolError: none or several; lists what there is, with ids.
    """
    calendar = ctx.services.calendar
    shown = re.search(r"\(([^()\s]+)\)$", text)
    for identifier in (text, shown[1] if shown else ""):
        found = calendar.get(*split_id(identifier)) if identifier else None
        if found is not None:
            return _next_of(found, ctx)
    now = ctx.clock.now()
    events = calendar.find(start_of(now.date(), ctx.clock), now + AHEAD)
    named = _named(text, events, ctx.clock)
    if not named:
        raise ToolError(
            f"No coming event matches {text[:80]!r}.",
            hint="Look with find_events, then use the id.",
        )
    if len({event.uid for event in named}) > 1:
        listed = "; ".join(show_event(event) for event in named[:_LISTED])
        more = f"; and {len(named) - _LISTED} more" if len(named) > _LISTED else ""
        raise ToolError(f"Several events match {text[:80]!r}: {listed}{more}.", hint="Use the id.")
    ahead = [event for event in named if event.bounds(ctx.clock.tz)[1] > now]
    return (ahead or named)[0]


def _next_of(found: Event, ctx: Context) -> Event:
    """Of a series named as a whole, its next occurrence."""
    if not found.repeat or found.occurrence:
        return found
    now = ctx.clock.now()
    coming = [e for e in ctx.services.calendar.find(now, now + AHEAD) if e.uid == found.uid]
    return coming[0] if coming else found


def _named(text: str, events: list[Event], clock: Clock) -> list[Event]:
    """Events that the text names: by title, by words, by words and a time, by a time alone."""
    words = [word for word in words_of(text) if word not in _SMALL]
    exact = [event for event in events if words and words_of(event.title) == words_of(text)]
    if exact:
        return exact
    if words and (found := [event for event in events if matches(event, words)]):
        return found
    if (content := [word for word in words if word not in _GENERIC]) and (
        found := [event for event in events if matches(event, content)]
    ):
        return found
    parts = [part for part in text.split() if part.casefold() not in _GENERIC | {"my"}]
    for size in range(1, len(parts) + 1):  # the shortest time leaves most words to the event
        for phrase, rest in ((parts[-size:], parts[:-size]), (parts[:size], parts[size:])):
            if found := _at_time(" ".join(phrase), " ".join(rest), events, clock):
                return found
    return []


def _at_time(phrase: str, rest: str, events: list[Event], clock: Clock) -> list[Event]:
    """Events with these words in the stretch the phrase names; those that start in it first."""
    try:
        start, end = clock.period(phrase)
    except TimePhraseError:
        return []
    words = [word for word in words_of(rest) if word not in _SMALL | _GENERIC]
    found = [e for e in events if matches(e, words) and e.overlaps(start, end, clock.tz)]
    return [e for e in found if start <= e.bounds(clock.tz)[0] < end] or found


EventRef = Annotated[
    Event,
    BeforeValidator(_event),
    PlainSerializer(show_event, return_type=str),
    WithJsonSchema({"type": "string", "format": "event"}),
]
"""An event: its id, or words that name one coming event."""


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"A time must be given in words, not {value!r}.")
    return value.strip()


def _end(value: Any, info: ValidationInfo) -> datetime:
    """An end: without a day it follows the start, and so does a weekday."""
    if isinstance(value, datetime):
        return value
    text, clock = _text(value), context_of(info).clock
    start = info.data.get("start") or _start_of_event(info)
    if start is None:
        return clock.instant(text)
    found = clock.instant(text, after=start)
    if found <= start and WEEKDAYS.keys() & set(words_of(text)):
        found = Clock(clock.tz, start).instant(text)
    return found


def _start_of_event(info: ValidationInfo) -> datetime | None:
    event = info.data.get("event")
    if event is None:
        return None
    assert isinstance(event, Event)
    return event.bounds(context_of(info).clock.tz)[0]


def _new_start(value: Any, info: ValidationInfo) -> datetime:
    """A new start: without a day it is on the event's day; ``an hour later`` counts from it."""
    if isinstance(value, datetime):
        return value
    text, clock = _text(value), context_of(info).clock
    now = _start_of_event(info)
    if now is None:
        return clock.instant(text)
    shift = re.fullmatch(r"(?:by )?(.+) (later|earlier)", text.lower())
    if shift:
        length = clock.duration(shift[1])
        return now + length if shift[2] == "later" else now - length
    return clock.instant(text, day=now.date())


_instant_schema = WithJsonSchema({"type": "string", "format": "instant"})
_instant_shown = PlainSerializer(lambda v: v.isoformat(timespec="minutes"), return_type=str)

End = Annotated[datetime, BeforeValidator(_end), _instant_shown, _instant_schema]
"""When something ends, read from its start."""

NewStart = Annotated[datetime, BeforeValidator(_new_start), _instant_shown, _instant_schema]
"""When an event is moved to, read from where it is."""
