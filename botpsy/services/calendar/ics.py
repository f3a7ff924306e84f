"""A calendar in an ``.ics`` file (RFC 5545), shared with the user's own calendar program.

- What we do not change keeps its bytes: other components, unknown properties, alarms.
- A file that is not a calendar is reported with its line and never written.
- Writes are whole or not at all, under a lock among our processes. The file is read afresh for
  every change and looked at again just before it is replaced, so that what another program saved
  meanwhile is changed upon, not lost.
- Reading is cached by the file's time, size and inode. Only events that can lie in the asked
  stretch are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

from botpsy.errors import ServiceError
from botpsy.services import storage
from botpsy.services.calendar import (
    Event,
    icsevent,
    in_order,
    occurrence_mover,
    occurrence_of,
    occurrence_start,
    with_length,
)
from botpsy.services.calendar.icsfile import IcsText, Piece, broken, read, unfolded
from botpsy.services.calendar.vtimezone import vtimezone

if TYPE_CHECKING:
    from icalendar import Event as Component

_TRIES = 5
_TOO_OFTEN = re.compile(r"^(RRULE[^\n]*FREQ=(SECONDLY|MINUTELY))", re.MULTILINE | re.IGNORECASE)
_TZID = re.compile(r"^[^:\n]*;TZID=\"?([^\":;,\n]+)", re.MULTILINE)


@dataclass
class _Loaded:
    """One state of the file, with what was parsed of it so far."""

    stamp: tuple[int, ...]
    text: IcsText
    parsed: dict[str, list[Component]] = field(default_factory=dict)


class IcsCalendar:
    """See ``CalendarService``. The file is made with the first event.

    Every method raises ``ServiceError`` when the file cannot be read, parsed or written.
    """

    def __init__(
        self, path: Path, tz: ZoneInfo, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.path = path
        self._tz = tz
        self._now = now
        self._loaded: _Loaded | None = None

    # --- reading -------------------------------------------------------------------------------

    def get(self, uid: str, occurrence: str = "") -> Event | None:
        loaded = self._load()
        pieces = loaded.text.of(uid)
        if not pieces:
            return None
        if not occurrence:
            return self._event(pieces[0], self._components(loaded, uid, pieces)[0], series=True)
        original = occurrence_start(occurrence)
        events = self._group(loaded, uid, pieces, *_around(original))
        if found := [event for event in events if event.occurrence == occurrence]:
            return found[0]
        # A changed occurrence may have been moved far away.
        for component in self._components(loaded, uid, pieces):
            if "RECURRENCE-ID" in component and not icsevent.is_cancelled(component):
                event = self._event(pieces[0], component, series=False)
                if event.occurrence == occurrence:
                    series = self._components(loaded, uid, pieces)[0]
                    rule = self._event(pieces[0], series, series=True).repeat
                    return replace(event, repeat=rule)
        return None

    def find(self, start: datetime, end: datetime) -> list[Event]:
        loaded = self._load()
        day = timedelta(days=1)
        first, last = f"{start - day:%Y%m%d}", f"{end + day:%Y%m%d}"
        groups: dict[str, list[Piece]] = {}
        for number, piece in enumerate(loaded.text.pieces):
            if piece.name == "VEVENT":
                groups.setdefault(piece.uid or f"\0{number}", []).append(piece)
        events: list[Event] = []
        for uid, pieces in groups.items():
            if len(pieces) == 1 and (one := pieces[0]).first:
                if one.first > last or one.last < first:
                    continue
                component = self._components(loaded, uid, pieces)[0]
                if not icsevent.is_cancelled(component):
                    events.append(self._event(one, component, series=True))
            else:
                events += self._group(loaded, uid, pieces, start, end)
        return in_order([e for e in events if e.overlaps(start, end, self._tz)], self._tz)

    def snapshot(self, key: str) -> str | None:
        pieces = self._load().text.of(key)
        return "".join(piece.text for piece in pieces) or None

    # --- writing -------------------------------------------------------------------------------

    def add(self, event: Event) -> None:
        def change(text: IcsText) -> IcsText | None:
            if text.of(event.uid):
                return None
            component = icsevent.new_component(event, self._now())
            return self._put(text, event.uid, [component])

        self._edit(change)

    def replace(self, event: Event) -> None:
        def change(text: IcsText) -> IcsText:
            loaded, pieces = self._fresh(text, event.uid)
            components = self._components(loaded, event.uid, pieces)
            if event.occurrence:
                return self._replace_occurrence(text, loaded, pieces, components, event)
            before = self._event(pieces[0], components[0], series=True)
            if before.repeat and before.start != event.start:
                mover = occurrence_mover(before.start, event.start)
                for component in components:
                    icsevent.shift_exceptions(
                        component,
                        lambda moment: icsevent.like(
                            occurrence_start(mover(occurrence_of(moment))), event.start
                        ),
                        self._tz,
                    )
            icsevent.write_changes(components[0], before, event, self._now())
            return self._put(text, event.uid, components)

        self._edit(change)

    def _replace_occurrence(
        self,
        text: IcsText,
        loaded: _Loaded,
        pieces: tuple[Piece, ...],
        components: list[Component],
        event: Event,
    ) -> IcsText:
        index = self._override(pieces, components, event.occurrence)
        if index is None:
            original = occurrence_start(event.occurrence)
            events = self._group(loaded, event.uid, pieces, *_around(original))
            if event.occurrence not in [one.occurrence for one in events]:
                raise _missing(event.id)
            components.append(icsevent.as_override(components[0], original))
            index = len(components) - 1
        target = components[index]
        before = self._event(pieces[0], target, series=False)
        changed = icsevent.without_repeat(event)
        icsevent.write_changes(target, icsevent.without_repeat(before), changed, self._now())
        return self._put(text, event.uid, components)

    def remove(self, uid: str, occurrence: str = "") -> None:
        def change(text: IcsText) -> IcsText:
            loaded, pieces = self._fresh(text, uid)
            if not occurrence:
                return text.with_event(uid, [])
            components = self._components(loaded, uid, pieces)
            original = occurrence_start(occurrence)
            index = self._override(pieces, components, occurrence)
            if index is not None:
                del components[index]
            elif occurrence not in [
                event.occurrence for event in self._group(loaded, uid, pieces, *_around(original))
            ]:
                raise _missing(f"{uid}@{occurrence}")
            master = components[0]
            master.add("EXDATE", [icsevent.like(original, icsevent.when(master, "DTSTART"))])
            return self._put(text, uid, components)

        self._edit(change)

    def restore(self, key: str, state: str | None) -> None:
        def change(text: IcsText) -> IcsText | None:
            present = "".join(piece.text for piece in text.of(key))
            if present == (state or ""):
                return None
            return text.with_event(key, [state] if state else [])

        self._edit(change)

    # --- how -----------------------------------------------------------------------------------

    def _override(
        self, pieces: tuple[Piece, ...], components: list[Component], occurrence: str
    ) -> int | None:
        for index, component in enumerate(components):
            if "RECURRENCE-ID" in component:
                event = self._event(pieces[0], component, series=False)
                if event.occurrence == occurrence:
                    return index
        return None

    def _fresh(self, text: IcsText, uid: str) -> tuple[_Loaded, tuple[Piece, ...]]:
        """Components that may be changed: parsed anew, not those of the cache."""
        pieces = text.of(uid)
        if not pieces:
            raise _missing(uid)
        return _Loaded((), text), pieces

    def _put(self, text: IcsText, uid: str, components: Iterable[Component]) -> IcsText:
        """The event's components written, with the zones they need."""
        texts = [component.to_ical(sorted=False).decode() for component in components]
        named = {zone for one in texts for zone in _TZID.findall(unfolded(one))}
        known = {piece.uid for piece in text.pieces if piece.name == "VTIMEZONE"}
        for zone in sorted(named - known):
            if _is_named(zone):
                text = text.with_zone(vtimezone(ZoneInfo(zone), self._now().year))
        return text.with_event(uid, texts)

    def _stamp(self) -> tuple[int, ...]:
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return ()
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _load(self) -> _Loaded:
        with storage.explained(f"{self.path} cannot be read"):
            stamp = self._stamp()
            if self._loaded is None or self._loaded.stamp != stamp or not stamp:
                data = self.path.read_bytes() if stamp else b""
                self._loaded = _Loaded(stamp, read(self.path, data))
        return self._loaded

    def _edit(self, change: Callable[[IcsText], IcsText | None]) -> None:
        with storage.explained(f"{self.path} cannot be written"), storage.locked(self.path):
            for _ in range(_TRIES):
                stamp = self._stamp()
                text = read(self.path, self.path.read_bytes() if stamp else b"")
                changed = change(text)
                if changed is None:
                    return
                if self._stamp() == stamp:
                    storage.write_atomically(self.path, changed.to_bytes())
                    self._loaded = None
                    return
        raise ServiceError(
            f"{self.path} is being changed by another program all the time.",
            hint="Nothing was changed. Try again in a moment.",
        )

    def _components(self, loaded: _Loaded, uid: str, pieces: Iterable[Piece]) -> list[Component]:
        """The parsed components of one event, the series first, its changed occurrences after."""
        if uid not in loaded.parsed:
            loaded.parsed[uid] = self._parse(loaded.text, list(pieces))
        return loaded.parsed[uid]

    def _parse(self, text: IcsText, pieces: list[Piece]) -> list[Component]:
        from icalendar import Calendar

        body = "".join(piece.text for piece in pieces)
        if _TOO_OFTEN.search(body):
            raise broken(self.path, pieces[0].line, "an event repeats every second or minute")
        zones = "".join(
            piece.text
            for piece in text.pieces
            if piece.name == "VTIMEZONE" and not _is_named(piece.uid)
        )
        try:
            calendar = Calendar.from_ical(f"BEGIN:VCALENDAR\r\n{zones}{body}END:VCALENDAR\r\n")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise broken(self.path, pieces[0].line, f"this event: {error}") from None
        components = cast("list[Component]", calendar.walk("VEVENT"))
        return sorted(components, key=lambda component: "RECURRENCE-ID" in component)

    def _event(self, piece: Piece, component: Component, *, series: bool) -> Event:
        try:
            event = icsevent.from_component(component, self._tz, series=series)
        except ValueError as error:
            raise self._at_fault(piece, error) from None
        return icsevent.localised(event, self._tz)

    def _at_fault(self, piece: Piece, error: ValueError) -> ServiceError:
        name = str(error.args[1]) if len(error.args) > 1 else ""
        lines = piece.text.split("\n")
        offset = next((i for i, line in enumerate(lines) if line.upper().startswith(name)), 0)
        return broken(self.path, piece.line + offset, str(error.args[0] if error.args else error))

    def _group(
        self,
        loaded: _Loaded,
        uid: str,
        pieces: Iterable[Piece],
        start: datetime,
        end: datetime,
    ) -> list[Event]:
        """Occurrences of a repeating event (or one we only know after a full look)."""
        pieces = list(pieces)
        components = self._components(loaded, uid, pieces)
        for component in components:
            self._event(pieces[0], component, series=False)
        if not any(name in one for one in components for name in _REPEATING):
            return [
                self._event(pieces[0], one, series=True)
                for one in components
                if not icsevent.is_cancelled(one)
            ]
        series = self._event(pieces[0], components[0], series=True)
        changed = {
            self._event(pieces[0], one, series=False).occurrence
            for one in components
            if "RECURRENCE-ID" in one
        }
        events = []
        for one in self._expanded(pieces[0], components, start, end):
            event = self._event(pieces[0], one, series=False)
            if event.occurrence not in changed:
                event = with_length(event, series.length)
            if not icsevent.is_cancelled(one):
                events.append(replace(event, repeat=series.repeat))
        return events

    def _expanded(
        self, piece: Piece, components: list[Component], start: datetime, end: datetime
    ) -> list[Component]:
        import recurring_ical_events
        from icalendar import Calendar

        calendar = Calendar()
        for component in components:
            calendar.add_component(component)
        try:
            found: Any = recurring_ical_events.of(calendar).between(start, end)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise broken(self.path, piece.line, f"this event: {error}") from None
        return cast("list[Component]", found)


_REPEATING = ("RRULE", "RDATE", "RECURRENCE-ID")


def _is_named(zone: str) -> bool:
    """Whether the zone database has it, so that no definition in the file is needed."""
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _around(original: Any) -> tuple[datetime, datetime]:
    """A stretch that holds an occurrence's original time in any zone."""
    at = (
        original
        if isinstance(original, datetime)
        else datetime(original.year, original.month, original.day, tzinfo=UTC)
    )
    return at - timedelta(days=1), at + timedelta(days=2)


def _missing(name: str) -> ServiceError:
    return ServiceError(f"There is no event {name}.", hint="Find it first, then use its id.")
