"""What every calendar does, in memory and in a file alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy.errors import ServiceError
from botpsy.services.calendar import CalendarService, Event, split_id
from botpsy.services.calendar.ics import IcsCalendar
from botpsy.services.calendar.memory import MemoryCalendar
from botpsy.services.recurrence import rule_of

PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture(params=["memory", "ics"])
def calendar(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CalendarService]:
    yield make(request.param, tmp_path)


def make(kind: str, folder: Path) -> CalendarService:
    return MemoryCalendar(PARIS) if kind == "memory" else IcsCalendar(folder / "c.ics", PARIS)


def at(day: int, hour: int, minute: int = 0, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=PARIS)


def event(uid: str, start: datetime, hours: float = 1, **more: object) -> Event:
    return Event(uid, uid, start, start + timedelta(hours=hours), **more)  # type: ignore[arg-type]


DENTIST = event("dentist", at(4, 15), location="12 rue X; 2e, \\ étage\nporte", notes="a\nb, c")
STANDUP = event("standup", datetime(2026, 10, 20, 14, 10, tzinfo=PARIS), 0.5, repeat="FREQ=WEEKLY")


def titles(calendar: CalendarService, start: datetime, end: datetime) -> list[str]:
    return [found.title for found in calendar.find(start, end)]


def test_is_a_service(calendar: CalendarService) -> None:
    assert isinstance(calendar, CalendarService)


def test_what_is_added_comes_back(calendar: CalendarService) -> None:
    full = replace(
        DENTIST, attendees=("Ann Bee", "bob@example.org"), busy=False, title='Dr. "X": 1, 2; 3 🦷'
    )
    calendar.add(full)
    assert calendar.get("dentist") == full
    assert calendar.find(at(4, 0), at(5, 0)) == [full]
    assert calendar.get("other") is None


def test_adding_twice_adds_once(calendar: CalendarService) -> None:
    calendar.add(DENTIST)
    calendar.add(replace(DENTIST, title="again"))
    assert calendar.find(at(1, 0), at(30, 0)) == [DENTIST]


def test_overlap_has_an_exclusive_end(calendar: CalendarService) -> None:
    calendar.add(DENTIST)
    calendar.add(event("point", at(4, 12), 0))
    assert titles(calendar, at(4, 14), at(4, 15)) == []
    assert titles(calendar, at(4, 14), at(4, 15, 1)) == ["dentist"]
    assert titles(calendar, at(4, 15, 59), at(4, 17)) == ["dentist"]
    assert titles(calendar, at(4, 16), at(4, 17)) == []
    assert titles(calendar, at(4, 12), at(4, 13)) == ["point"]


def test_all_day_events_stay_on_their_days(calendar: CalendarService) -> None:
    calendar.add(Event("sunday", "sunday", date(2026, 12, 6), date(2026, 12, 7)))
    assert titles(calendar, at(5, 0), at(6, 0)) == []
    assert titles(calendar, at(6, 0), at(7, 0)) == ["sunday"]
    assert titles(calendar, at(7, 0), at(8, 0)) == []
    found = calendar.get("sunday")
    assert found is not None
    assert (found.start, found.end, found.all_day) == (date(2026, 12, 6), date(2026, 12, 7), True)


def test_a_repeat_keeps_the_wall_clock_over_the_change(calendar: CalendarService) -> None:
    calendar.add(STANDUP)
    found = calendar.find(at(20, 0, month=10), at(5, 0, month=11))
    assert [f"{e.start:%m-%d %H:%M%z}" for e in found] == [
        "10-20 14:10+0200", "10-27 14:10+0100", "11-03 14:10+0100",
    ]  # fmt: skip
    assert all(e.length == timedelta(minutes=30) for e in found)
    assert [e.occurrence for e in found] == [
        "20261020T121000Z", "20261027T131000Z", "20261103T131000Z",
    ]  # fmt: skip
    for each in found:
        assert split_id(each.id) == ("standup", each.occurrence)
        assert calendar.get("standup", each.occurrence) == each
    assert calendar.get("standup", "20261028T131000Z") is None
    assert calendar.get("standup") == STANDUP


def test_until_is_the_last_day_in_the_users_zone(calendar: CalendarService) -> None:
    late = event("late", at(1, 23, 30), 0.25)
    calendar.add(replace(late, repeat=rule_of("daily", date(2026, 12, 3), late.start)))
    allday = Event("days", "days", date(2026, 12, 1), date(2026, 12, 2))
    calendar.add(replace(allday, repeat=rule_of("daily", date(2026, 12, 3), allday.start)))
    found = calendar.find(at(1, 0), at(20, 0))
    assert [e.title for e in found] == ["days", "late"] * 3


def test_all_day_repeats(calendar: CalendarService) -> None:
    birthday = Event("b", "b", date(2020, 12, 6), date(2020, 12, 7), repeat="FREQ=YEARLY")
    calendar.add(birthday)
    [found] = calendar.find(at(6, 23), at(7, 0))
    assert (found.start, found.occurrence) == (date(2026, 12, 6), "20261206")
    assert calendar.find(at(7, 0), at(20, 0)) == []


def test_an_event_over_several_days_is_found_on_each(calendar: CalendarService) -> None:
    calendar.add(event("trip", at(4, 18), 60))
    calendar.add(event("night", at(1, 22), 9, repeat="FREQ=DAILY"))
    assert titles(calendar, at(7, 12), at(7, 13)) == []
    assert titles(calendar, at(6, 5), at(6, 5, 30)) == ["trip", "night"]


def test_changing_an_event(calendar: CalendarService) -> None:
    calendar.add(DENTIST)
    moved = replace(DENTIST, start=at(5, 9), end=at(5, 10), title="dentist!", location="")
    calendar.replace(moved)
    assert calendar.get("dentist") == moved
    assert titles(calendar, at(4, 0), at(5, 0)) == []
    allday = replace(moved, start=date(2026, 12, 8), end=date(2026, 12, 10))
    calendar.replace(allday)
    assert calendar.find(at(9, 0), at(10, 0)) == [allday]


def test_changing_one_occurrence(calendar: CalendarService) -> None:
    calendar.add(STANDUP)
    [second] = calendar.find(at(27, 0, month=10), at(28, 0, month=10))
    moved = replace(
        second, start=at(28, 9, month=10), end=at(28, 10, month=10), title="moved", location="room"
    )
    calendar.replace(moved)
    found = calendar.find(at(20, 0, month=10), at(5, 0, month=11))
    assert [(e.title, f"{e.start:%d %H}") for e in found] == [
        ("standup", "20 14"), ("moved", "28 09"), ("standup", "03 14"),
    ]  # fmt: skip
    assert found[1].occurrence == second.occurrence
    again = calendar.get("standup", second.occurrence)
    assert again is not None
    assert (again.title, again.start) == ("moved", moved.start)
    calendar.replace(replace(again, title="twice"))
    assert titles(calendar, at(28, 0, month=10), at(29, 0, month=10)) == ["twice"]
    calendar.remove("standup", second.occurrence)
    assert titles(calendar, at(20, 0, month=10), at(5, 0, month=11)) == ["standup"] * 2
    assert calendar.get("standup", second.occurrence) is None


def test_removing_one_occurrence(calendar: CalendarService) -> None:
    calendar.add(STANDUP)
    calendar.remove("standup", "20261027T131000Z")
    found = calendar.find(at(20, 0, month=10), at(5, 0, month=11))
    assert [e.start.day for e in found] == [20, 3]
    assert calendar.get("standup", "20261027T131000Z") is None
    with pytest.raises(ServiceError):
        calendar.remove("standup", "20261027T131000Z")
    allday = Event("b", "b", date(2026, 12, 6), date(2026, 12, 7), repeat="FREQ=DAILY")
    calendar.add(allday)
    calendar.remove("b", "20261207")
    assert [e.start.day for e in calendar.find(at(6, 0), at(9, 0)) if e.uid == "b"] == [6, 8]


def test_moving_a_series_moves_its_exceptions(calendar: CalendarService) -> None:
    calendar.add(STANDUP)
    calendar.remove("standup", "20261027T131000Z")
    [third] = calendar.find(at(3, 0, month=11), at(4, 0, month=11))
    calendar.replace(replace(third, title="special"))
    whole = calendar.get("standup")
    assert whole is not None
    calendar.replace(
        replace(
            whole,
            start=datetime(2026, 10, 20, 16, 0, tzinfo=PARIS),
            end=datetime(2026, 10, 20, 17, 0, tzinfo=PARIS),
        )
    )
    found = calendar.find(at(20, 0, month=10), at(12, 0, month=11))
    assert [(e.title, f"{e.start:%d %H:%M}") for e in found] == [
        ("standup", "20 16:00"), ("special", "03 14:10"), ("standup", "10 16:00"),
    ]  # fmt: skip


def test_removing(calendar: CalendarService) -> None:
    calendar.add(DENTIST)
    calendar.add(STANDUP)
    calendar.remove("dentist")
    calendar.remove("standup")
    assert calendar.find(at(1, 0, month=10), at(30, 0)) == []


def test_what_is_not_there(calendar: CalendarService) -> None:
    calendar.add(STANDUP)
    for act in (
        lambda: calendar.remove("no"),
        lambda: calendar.replace(DENTIST),
        lambda: calendar.remove("standup", "20261028T131000Z"),
        lambda: calendar.replace(replace(STANDUP, occurrence="20261028T131000Z")),
    ):
        with pytest.raises(ServiceError, match="no event"):
            act()


def test_undo_by_snapshot(calendar: CalendarService) -> None:
    calendar.restore("dentist", None)  # nothing there, nothing to do
    assert calendar.snapshot("standup") is None
    calendar.add(STANDUP)
    before = calendar.snapshot("standup")
    calendar.remove("standup", "20261027T131000Z")
    [third] = calendar.find(at(3, 0, month=11), at(4, 0, month=11))
    calendar.replace(replace(third, title="special"))
    after = calendar.snapshot("standup")
    assert before != after
    for state in (before, after, None, after, before):
        for _ in range(2):
            calendar.restore("standup", state)
            assert calendar.snapshot("standup") == state
    assert len(calendar.find(at(20, 0, month=10), at(5, 0, month=11))) == 3
    calendar.restore("standup", after)
    assert titles(calendar, at(20, 0, month=10), at(5, 0, month=11)) == ["standup", "special"]


starts = st.datetimes(datetime(2026, 10, 20), datetime(2026, 11, 5)).map(
    lambda t: t.replace(second=0, microsecond=0, tzinfo=UTC).astimezone(PARIS)
)
rules = st.sampled_from(
    ["", "", "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=MONTHLY",
     "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;UNTIL=20261101T235959Z"]
)  # fmt: skip


@given(
    st.lists(st.tuples(starts, st.integers(0, 50), rules, st.booleans()), max_size=4),
    starts,
    st.integers(1, 400),
)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_both_find_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    specs: list[tuple[datetime, int, str, bool]],
    start: datetime,
    hours: int,
) -> None:
    folder = tmp_path_factory.mktemp("c")
    both = [make("memory", folder), make("ics", folder)]
    for number, (begin, length, rule, allday) in enumerate(specs):
        if rule.startswith("FREQ=WEEKLY;BYDAY") and begin.weekday() > 4:
            continue
        if allday:
            day = begin.date()
            dated = rule.replace("T235959Z", "")
            last = day + timedelta(days=1 + length // 24)
            one = Event(f"e{number}", "x", day, last, repeat=dated)
        else:
            finish = (begin.astimezone(UTC) + timedelta(hours=length)).astimezone(PARIS)
            one = Event(f"e{number}", "x", begin, finish, repeat=rule)
        for each in both:
            each.add(one)
    end = start + timedelta(hours=hours)
    memory, ics = (each.find(start, end) for each in both)
    assert memory == ics
