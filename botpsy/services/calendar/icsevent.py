"""Between iCalendar's VEVENT components and ``Event``. A change touches only what changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from botpsy.services.calendar import Event, occurrence_of

if TYPE_CHECKING:
    from icalendar import Event as Component

_TIMED = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID")


def from_component(component: Component, tz: ZoneInfo, *, series: bool) -> Event:
    """What the component says. ``series``: the whole, not the occurrence it is expanded to.

    Times without a zone are the user's.

    Raises:
        ValueError: it has no usable start or end; the second argument names the property.
    """
    for name, problem in component.errors:
        if name in _TIMED:
            raise ValueError(str(problem), name)
    if "DTSTART" not in component:
        raise ValueError("the event has no start", "BEGIN")
    start = _local(when(component, "DTSTART"), tz)
    if "DTEND" in component:
        end = _local(when(component, "DTEND"), tz)
    elif "DURATION" in component:
        end = _later(start, when(component, "DURATION"))
    else:
        end = start if isinstance(start, datetime) else start + timedelta(days=1)
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise ValueError("start and end are not both days or both times", "DTEND")
    rule = component.get("RRULE")
    name = ""
    if "RECURRENCE-ID" in component and not series:
        name = occurrence_of(_local(when(component, "RECURRENCE-ID"), tz))
    return Event(
        uid=str(component.get("UID", "")),
        title=_text(component, "SUMMARY"),
        start=start,
        end=end,
        location=_text(component, "LOCATION"),
        notes=_text(component, "DESCRIPTION"),
        attendees=tuple(_attendee(one) for one in _list(component, "ATTENDEE")),
        repeat=rule.to_ical().decode() if rule else "",
        occurrence=name,
        busy=_text(component, "TRANSP").upper() != "TRANSPARENT",
        foreign="ORGANIZER" in component,
    )


def when(component: Component, name: str) -> Any:
    """The day, moment or length that a property holds."""
    value: Any = component[name]
    return value.dt


def is_cancelled(component: Component) -> bool:
    """It stands in the file, but does not take place."""
    return _text(component, "STATUS").upper() == "CANCELLED"


def new_component(event: Event, now: datetime) -> Component:
    """A fresh VEVENT for an event of ours."""
    from icalendar import Event as Component

    component = Component()
    component.add("UID", event.uid)
    component.add("DTSTAMP", now.astimezone(UTC).replace(microsecond=0))
    write_changes(component, None, event, now)
    return component


def write_changes(component: Component, before: Event | None, event: Event, now: datetime) -> None:
    """Write into a component what differs from ``before``; all else stays."""
    from icalendar import vRecur

    if before is None or (before.start, before.all_day) != (event.start, event.all_day):
        _set(component, "DTSTART", event.start)
    if before is None or (before.end, before.all_day) != (event.end, event.all_day):
        component.pop("DURATION", None)
        _set(component, "DTEND", event.end)
    texts = {"SUMMARY": "title", "LOCATION": "location", "DESCRIPTION": "notes"}
    for name, attribute in texts.items():
        value = getattr(event, attribute)
        if value != (getattr(before, attribute) if before else ""):
            _set(component, name, value or None)
    if event.attendees != (before.attendees if before else ()):
        component.pop("ATTENDEE", None)
        for attendee in event.attendees:
            component.add("ATTENDEE", _address(attendee))
    if event.repeat != (before.repeat if before else ""):
        component.pop("RRULE", None)
        if event.repeat:
            component.add("RRULE", vRecur.from_ical(event.repeat))
    if event.busy != (before.busy if before else True):
        _set(component, "TRANSP", "OPAQUE" if event.busy else "TRANSPARENT")
    if before is not None:
        _set(component, "SEQUENCE", int(component.get("SEQUENCE", 0)) + 1)
        for stamp in ("DTSTAMP", "LAST-MODIFIED"):
            _set(component, stamp, now.astimezone(UTC).replace(microsecond=0))


def as_override(master: Component, occurrence: datetime | date) -> Component:
    """A copy of the series for one occurrence, to be changed."""
    from icalendar import Event as Component

    copy = Component.from_ical(master.to_ical(sorted=False))
    assert isinstance(copy, Component)
    for name in ("RRULE", "RDATE", "EXDATE"):
        copy.pop(name, None)
    start = when(master, "DTSTART")
    copy.add("RECURRENCE-ID", like(occurrence, start))
    # The copy stands where the occurrence was, before the change is written over it.
    length = from_component(master, ZoneInfo("UTC"), series=True).length
    _set(copy, "DTSTART", like(occurrence, start))
    copy.pop("DURATION", None)
    _set(copy, "DTEND", _later(like(occurrence, start), length))
    return copy


def like(moment: datetime | date, start: datetime | date) -> datetime | date:
    """A moment in the form (date, zone, or floating) that the series' start has."""
    if not isinstance(start, datetime) or not isinstance(moment, datetime):
        return moment
    return moment.astimezone(start.tzinfo)


def shift_exceptions(component: Component, move: Any, tz: ZoneInfo) -> None:
    """Move EXDATE and RECURRENCE-ID along with a series; ``move`` maps a moment to its new one."""
    for name in ("EXDATE", "RECURRENCE-ID"):
        values = component.pop(name, None)
        if values is None:
            continue
        for value in values if isinstance(values, list) else [values]:
            moments = [one.dt for one in value.dts] if hasattr(value, "dts") else [value.dt]
            moved = [move(_local(moment, tz)) for moment in moments]
            component.add(name, moved if name == "EXDATE" else moved[0])


def _set(component: Component, name: str, value: Any) -> None:
    component.pop(name, None)
    if value is not None:
        component.add(name, value)


def _local(moment: Any, tz: ZoneInfo) -> datetime | date:
    if not isinstance(moment, datetime):
        assert isinstance(moment, date)
        return moment
    return moment.replace(tzinfo=tz) if moment.tzinfo is None else moment


def _later(start: datetime | date, length: timedelta) -> datetime | date:
    if isinstance(start, datetime) and start.tzinfo is not None:
        return (start.astimezone(UTC) + length).astimezone(start.tzinfo)
    return start + length


def _list(component: Component, name: str) -> list[Any]:
    value = component.get(name, [])
    return value if isinstance(value, list) else [value]


def _text(component: Component, name: str) -> str:
    values = _list(component, name)
    return str(values[0]) if values else ""


def _attendee(value: Any) -> str:
    name = getattr(value, "params", {}).get("CN", "")
    address = str(value)
    if address.lower().startswith("mailto:"):
        address = address[7:]
    return str(name) or address


def _address(attendee: str) -> Any:
    """``mailto:`` where it is an address; a name alone becomes CN of an unknown address."""
    from icalendar import vCalAddress

    if "@" in attendee and " " not in attendee:
        return vCalAddress(f"mailto:{attendee}")
    value = vCalAddress("invalid:nomail")
    value.params["CN"] = attendee
    return value


def localised(event: Event, tz: ZoneInfo) -> Event:
    """The event in the user's zone."""
    if isinstance(event.start, datetime) and isinstance(event.end, datetime):
        return replace(event, start=event.start.astimezone(tz), end=event.end.astimezone(tz))
    return event


def without_repeat(event: Event) -> Event:
    """One occurrence by itself: it has no rule of its own."""
    return replace(event, repeat="")
