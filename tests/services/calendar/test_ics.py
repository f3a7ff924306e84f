"""The .ics file: what others wrote stays, what is broken is named, nothing is lost."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from botpsy.errors import ServiceError
from botpsy.services.calendar import Event, icsfile
from botpsy.services.calendar.ics import IcsCalendar
from botpsy.services.calendar.vtimezone import vtimezone
from botpsy.services.recurrence import rule_of

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 2, 10, 0, tzinfo=PARIS)
SOON = (NOW, NOW + timedelta(days=30))
DENTIST = Event("dentist", "Dentist", NOW + timedelta(days=2), NOW + timedelta(days=2, hours=1))

FOREIGN = """BEGIN:VCALENDAR
PRODID:-//Other//Program//EN
VERSION:2.0
X-WR-CALNAME:Family\\, home
BEGIN:VTIMEZONE
TZID:Custom/Zone
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0530
TZOFFSETTO:+0530
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:foreign-uid-that-is-so-long-that-the-other-program-had-to-fold-it-before-t
 he-end@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=Custom/Zone:20261204T090000
DURATION:PT45M
SUMMARY;LANGUAGE=en:Team  call\\; weekly
X-OTHER-THING;X-P="a;b":kept, exactly
ORGANIZER;CN=Boss:mailto:boss@example.org
ATTENDEE;CN="Bee, Ann";PARTSTAT=ACCEPTED:mailto:ann@example.org
CATEGORIES:WORK,CALL
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT15M
UID:alarm-uid
DESCRIPTION:ring
END:VALARM
END:VEVENT
BEGIN:VTODO
UID:todo
SUMMARY:not an event
END:VTODO
BEGIN:VEVENT
UID:floating
DTSTART:20261205T080000
SUMMARY:no zone\\, no end
END:VEVENT
BEGIN:VEVENT
UID:gone
DTSTART;VALUE=DATE:20261206
STATUS:CANCELLED
SUMMARY:cancelled
END:VEVENT
BEGIN:X-UNKNOWN
ANY:thing
END:X-UNKNOWN
END:VCALENDAR
"""


@pytest.fixture
def calendar(tmp_path: Path) -> IcsCalendar:
    return IcsCalendar(tmp_path / "sub" / "calendar.ics", PARIS, now=lambda: NOW)


def given_file(calendar: IcsCalendar, text: str | bytes) -> None:
    calendar.path.parent.mkdir(exist_ok=True)
    calendar.path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_a_new_file_is_one_that_others_open(calendar: IcsCalendar) -> None:
    calendar.add(DENTIST)
    parsed = Calendar.from_ical(calendar.path.read_bytes())
    assert [c.name for c in parsed.subcomponents] == ["VTIMEZONE", "VEVENT"]
    assert parsed["VERSION"] == "2.0"
    assert parsed["PRODID"]
    assert parsed.get_missing_tzids() == set()
    event = parsed.walk("VEVENT")[0]
    assert event["DTSTAMP"].dt == NOW
    assert event["DTSTART"].params["TZID"] == "Europe/Paris"
    assert calendar.path.read_bytes().count(b"\n") == calendar.path.read_bytes().count(b"\r\n")
    assert max(len(line) for line in calendar.path.read_bytes().split(b"\r\n")) <= 75
    assert (calendar.path.stat().st_mode & 0o777) == 0o600


def test_until_is_utc_for_times_and_a_date_for_days(calendar: IcsCalendar) -> None:
    rule = rule_of("daily", date(2026, 12, 10), DENTIST.start)
    calendar.add(replace(DENTIST, repeat=rule))
    days = Event("d", "d", date(2026, 12, 4), date(2026, 12, 5))
    calendar.add(replace(days, repeat=rule_of("daily", date(2026, 12, 10), days.start)))
    text = calendar.path.read_text()
    assert "RRULE:FREQ=DAILY;UNTIL=20261210T225959Z" in text
    assert "RRULE:FREQ=DAILY;UNTIL=20261210\n" in text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_what_others_wrote_keeps_its_bytes(calendar: IcsCalendar, newline: str, bom: str) -> None:
    before = bom + FOREIGN.replace("\n", newline)
    given_file(calendar, before)
    calendar.add(DENTIST)
    after = calendar.path.read_bytes().decode()
    assert after.count("\n") == after.count(newline)
    calendar.remove("dentist")
    zone = vtimezone(PARIS, 2026).replace("\r\n", newline)
    assert calendar.path.read_bytes().decode() == before.replace(
        f"BEGIN:VTIMEZONE{newline}TZID:Custom", f"{zone}BEGIN:VTIMEZONE{newline}TZID:Custom"
    )


def test_reading_what_others_wrote(calendar: IcsCalendar) -> None:
    given_file(calendar, FOREIGN)
    call, floating = calendar.find(*SOON)
    assert call.title == "Team  call; weekly"
    assert call.start == datetime(2026, 12, 4, 3, 30, tzinfo=UTC)
    assert call.length == timedelta(minutes=45)
    assert call.foreign
    assert call.attendees == ("Bee, Ann",)
    assert call.uid.endswith("-before-the-end@example.org")
    assert floating.start == datetime(2026, 12, 5, 8, 0, tzinfo=PARIS)
    assert floating.end == floating.start
    assert not floating.foreign


def test_changing_what_others_wrote_keeps_the_rest_of_it(calendar: IcsCalendar) -> None:
    given_file(calendar, FOREIGN)
    call = calendar.find(*SOON)[0]
    moved = replace(call, start=call.start + timedelta(hours=1), end=call.end + timedelta(hours=1))
    calendar.replace(moved)
    assert calendar.find(*SOON)[0] == moved
    text = calendar.path.read_text()
    for line in (
        'X-OTHER-THING;X-P="a;b":kept, exactly', "SUMMARY;LANGUAGE=en:Team  call\\; weekly",
        "TRIGGER:-PT15M", "UID:alarm-uid", "X-WR-CALNAME:Family\\, home", "ANY:thing",
        "CATEGORIES:WORK,CALL", "PARTSTAT=ACCEPTED", "SEQUENCE:1",
    ):  # fmt: skip
        assert line in text
    assert "DURATION:PT45M" not in text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("hello", 1),
        ("BEGIN:VEVENT\nEND:VEVENT\n", 1),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nEND:VCALENDAR\n", 4),
        ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\n", 3),
        ("BEGIN:VCALENDAR\nEND:VCALENDAR\nrubbish\n", 3),
        ("BEGIN:VCALENDAR\nEND:VEVENT\n", 2),
        (b"BEGIN:VCALENDAR\nX-A:\xff\xfe\nEND:VCALENDAR\n", 2),
        (b"\x00" * 100, 1),
        ("<html><body>Log in</body></html>", 1),
        ("END:VCALENDAR\n", 1),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_kept(
    calendar: IcsCalendar, text: str | bytes, line: int
) -> None:
    given_file(calendar, text)
    before = calendar.path.read_bytes()
    for act in (
        lambda: calendar.find(*SOON),
        lambda: calendar.get("x"),
        lambda: calendar.add(DENTIST),
        lambda: calendar.remove("x"),
        lambda: calendar.restore("x", None),
    ):
        with pytest.raises(ServiceError, match=rf"calendar\.ics.*line {line}:"):
            act()
    assert calendar.path.read_bytes() == before


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("UID:x\nDTSTART:tomorrow\nSUMMARY:a", 4),
        ("UID:x\nSUMMARY:no start", 2),
        ("UID:x\nDTSTART:20261204T090000Z\nDTEND;VALUE=DATE:20261205", 5),
        ("UID:x\nDTSTART:20261204T090000Z\nRRULE:FREQ=SECONDLY", 2),
        ("UID:x\nDTSTART:20261204T090000Z\nRRULE:FREQ=NEVER", 5),
        ("UID:x\nDTSTART:20261304T090000Z", 4),
    ],
)
def test_a_broken_event_is_named_with_its_line(calendar: IcsCalendar, body: str, line: int) -> None:
    given_file(calendar, f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{body}\nEND:VEVENT\nEND:VCALENDAR\n")
    with pytest.raises(ServiceError, match=rf"calendar\.ics.*line {line}:"):
        calendar.find(*SOON)
    calendar.add(DENTIST)  # what we do not touch stays, broken or not
    assert body in calendar.path.read_text()


def test_an_empty_file_is_an_empty_calendar(calendar: IcsCalendar) -> None:
    assert calendar.find(*SOON) == []
    given_file(calendar, "")
    assert calendar.find(*SOON) == []
    calendar.add(DENTIST)
    assert len(calendar.find(*SOON)) == 1


def test_several_calendars_in_one_file(calendar: IcsCalendar) -> None:
    one = "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n"
    given_file(calendar, one + FOREIGN)
    calendar.add(DENTIST)
    assert len(calendar.find(*SOON)) == 3
    assert len(Calendar.from_ical(calendar.path.read_bytes(), multiple=True)) == 2


def test_a_change_by_another_program_is_seen(calendar: IcsCalendar) -> None:
    calendar.add(DENTIST)
    assert len(calendar.find(*SOON)) == 1
    other = IcsCalendar(calendar.path, PARIS)
    other.replace(replace(DENTIST, title="Changed"))
    assert calendar.find(*SOON)[0].title == "Changed"


def test_a_change_while_we_write_is_not_lost(
    calendar: IcsCalendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    calendar.add(DENTIST)
    saves = iter([FOREIGN])
    put = IcsCalendar._put

    def meanwhile(self: IcsCalendar, *args: object) -> object:
        done = put(self, *args)  # type: ignore[arg-type]
        if (text := next(saves, None)) is not None:  # the other program saves without our lock
            calendar.path.write_text(text)
        return done

    monkeypatch.setattr(IcsCalendar, "_put", meanwhile)
    calendar.add(replace(DENTIST, uid="second"))
    text = calendar.path.read_text()
    assert "X-OTHER-THING" in text
    assert "UID:second" in text


def test_a_file_that_never_rests_is_left_alone(
    calendar: IcsCalendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = IcsCalendar._put
    count = iter(range(100))

    def meanwhile(self: IcsCalendar, *args: object) -> object:
        calendar.path.write_text(FOREIGN + "\n" * next(count))
        return put(self, *args)  # type: ignore[arg-type]

    given_file(calendar, FOREIGN)
    monkeypatch.setattr(IcsCalendar, "_put", meanwhile)
    with pytest.raises(ServiceError, match="another program"):
        calendar.add(DENTIST)
    assert "dentist" not in calendar.path.read_text()


def test_a_full_disk_and_a_forbidden_folder(
    calendar: IcsCalendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    calendar.add(DENTIST)
    before = calendar.path.read_bytes()
    for error, said in ((OSError(28, ""), "disk is full"), (PermissionError(13, ""), "permission")):

        def fail(_: int, error: OSError = error) -> None:
            raise error

        monkeypatch.setattr("os.fsync", fail)
        with pytest.raises(ServiceError, match=said):
            calendar.remove("dentist")
        monkeypatch.undo()
    assert calendar.path.read_bytes() == before
    folder = IcsCalendar(calendar.path.parent, PARIS)
    with pytest.raises(ServiceError, match="folder"):
        folder.find(*SOON)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real = tmp_path / "cloud" / "real.ics"
    real.parent.mkdir()
    real.write_text(FOREIGN)
    link = tmp_path / "link.ics"
    link.symlink_to(real)
    IcsCalendar(link, PARIS).add(DENTIST)
    assert link.is_symlink()
    assert "dentist" in real.read_text()


def _add_many(path: Path, start: int) -> None:
    calendar = IcsCalendar(path, PARIS)
    for i in range(start, start + 8):
        calendar.add(replace(DENTIST, uid=f"e{i}"))


def test_two_processes_lose_nothing(calendar: IcsCalendar) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_many, args=(calendar.path, 8 * k)) for k in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    assert len(calendar.find(*SOON)) == 16


def test_of_a_big_file_only_what_is_asked_for_is_parsed(
    calendar: IcsCalendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = datetime(2020, 1, 1, 9, 0)
    starts = [start + timedelta(hours=12 * i) for i in range(5000)]
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:e{i}\r\nDTSTART;TZID=Europe/Paris:{at:%Y%m%dT%H%M%S}\r\n"
        f"DTEND;TZID=Europe/Paris:{at + timedelta(hours=1):%Y%m%dT%H%M%S}\r\nEND:VEVENT\r\n"
        for i, at in enumerate(starts)
    )
    given_file(calendar, f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
    parsed = 0
    parse = IcsCalendar._parse

    def counted(self: IcsCalendar, *args: object) -> object:
        nonlocal parsed
        parsed += 1
        return parse(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(IcsCalendar, "_parse", counted)
    day = datetime(2026, 3, 1, tzinfo=PARIS)
    assert len(calendar.find(day, day + timedelta(days=1))) == 2
    assert len(calendar.find(day, day + timedelta(days=1))) == 2
    assert parsed <= 8


def test_moving_an_event_elsewhere_adds_its_zone(calendar: IcsCalendar) -> None:
    calendar.add(DENTIST)
    york = ZoneInfo("America/New_York")
    calendar.replace(
        replace(DENTIST, start=DENTIST.start.astimezone(york), end=DENTIST.end.astimezone(york))  # type: ignore[union-attr]
    )
    assert Calendar.from_ical(calendar.path.read_bytes()).get_missing_tzids() == set()


ZONES = (
    "Europe/Paris", "America/New_York", "Asia/Kolkata", "Africa/Casablanca", "Africa/Cairo",
    "Australia/Lord_Howe", "Asia/Jerusalem", "America/Santiago", "Europe/Dublin", "UTC",
)  # fmt: skip


@pytest.mark.parametrize("name", ZONES)
def test_zones_say_what_the_database_says(name: str) -> None:
    zone = ZoneInfo(name)
    text = vtimezone(zone, 2026).replace(f"TZID:{name}", "TZID:Copy/Of")
    data = f"BEGIN:VCALENDAR\r\n{text}END:VCALENDAR\r\n"
    copy = Calendar.from_ical(data).walk("VTIMEZONE")[0].to_tz(lookup_tzid=False)
    for hours in range(0, 24 * 366 * 3, 7):
        wall = datetime(2026, 1, 1) + timedelta(hours=hours)
        ours = wall.replace(tzinfo=zone)
        if ours.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
            continue  # skipped by the clocks
        if ours.utcoffset() != ours.replace(fold=1).utcoffset():
            continue  # shown twice
        assert wall.replace(tzinfo=copy).utcoffset() == ours.utcoffset(), wall


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
def test_any_bytes_are_a_calendar_or_a_clear_error(text: str) -> None:
    path = Path("x.ics")
    for data in (text.encode(), f"BEGIN:VCALENDAR\n{text}\nEND:VCALENDAR\n".encode()):
        try:
            found = icsfile.read(path, data)
        except ServiceError as error:
            assert "line " in error.message
        else:
            assert not data.strip() or found.to_bytes() == data


def test_the_umask_of_an_existing_file_stays(calendar: IcsCalendar) -> None:
    given_file(calendar, FOREIGN)
    calendar.path.chmod(0o644)
    calendar.add(DENTIST)
    assert (calendar.path.stat().st_mode & 0o777) == 0o644
