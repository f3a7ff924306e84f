"""What every reminder service does, in memory and in a file alike."""

from __future__ import annotations

import json
import multiprocessing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from botpsy.errors import ServiceError
from botpsy.services.reminders import Reminder, ReminderService
from botpsy.services.reminders.local import LocalReminders
from botpsy.services.reminders.memory import MemoryReminders

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 2, 10, 0, tzinfo=PARIS)
BINS = Reminder("bins", "reminder", "bins out 🗑 \n\u202e", NOW + timedelta(hours=1))
ALARM = Reminder(
    "alarm",
    "alarm",
    "",
    datetime(2027, 3, 27, 2, 30, tzinfo=PARIS),
    "FREQ=DAILY",
    datetime(2027, 3, 27, 2, 30, tzinfo=PARIS),
)


@pytest.fixture(params=["memory", "local"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> ReminderService:
    if request.param == "memory":
        return MemoryReminders()
    return LocalReminders(tmp_path / "sub" / "reminders.json")


def test_is_a_service(service: ReminderService) -> None:
    assert isinstance(service, ReminderService)
    assert service.pending() == []
    assert service.due(NOW) == []
    assert service.get("x") is None


def test_what_is_added_comes_back_once(service: ReminderService) -> None:
    service.add(ALARM)
    service.add(BINS)
    service.add(Reminder("bins", "timer", "other", NOW))
    assert service.pending() == [BINS, ALARM]
    assert service.get("bins") == BINS


def test_one_time_reminders_ring_once(service: ReminderService) -> None:
    service.add(BINS)
    assert service.due(NOW) == []
    service.mark_rung("bins", NOW)  # not due yet: nothing happens
    assert service.pending() == [BINS]
    later = NOW + timedelta(hours=2)
    assert service.due(later) == [BINS]
    service.mark_rung("bins", later)
    service.mark_rung("bins", later)
    service.mark_rung("nothing", later)
    assert service.due(later + timedelta(days=9)) == service.pending() == []


def test_repeats_keep_the_wall_clock_and_skip_what_was_missed(service: ReminderService) -> None:
    service.add(ALARM)
    service.mark_rung("alarm", ALARM.due)
    [changed] = service.pending()  # 02:30 does not exist on the 28th
    assert changed.due.isoformat() == "2027-03-28T03:30:00+02:00"
    service.mark_rung("alarm", changed.due)
    service.mark_rung("alarm", changed.due)  # twice for one ringing
    [after] = service.pending()
    assert after.due.isoformat() == "2027-03-29T02:30:00+02:00"
    service.mark_rung("alarm", datetime(2027, 4, 10, 12, 0, tzinfo=UTC))
    [late] = service.pending()
    assert late.due.isoformat() == "2027-04-11T02:30:00+02:00"


def test_a_repeat_ends(service: ReminderService) -> None:
    service.add(Reminder("x", "alarm", "", NOW, "FREQ=DAILY;COUNT=2", NOW))
    service.mark_rung("x", NOW)
    service.mark_rung("x", NOW + timedelta(days=1))
    assert service.pending() == []


def test_undo_by_snapshot(service: ReminderService) -> None:
    service.restore("bins", None)
    assert service.snapshot("bins") is None
    service.add(BINS)
    before = service.snapshot("bins")
    service.mark_rung("bins", BINS.due)
    rung = service.snapshot("bins")
    service.remove("bins")
    service.remove("bins")
    for state in (before, rung, None, before):
        for _ in range(2):
            service.restore("bins", state)
            assert service.snapshot("bins") == state
    assert service.pending() == [BINS]


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "{}", '{"reminders": 3}', '{"reminders": [{"id": "x"}]}',
        "\xff\xfe", "[" * 99999,
        '{"reminders": [{"id":"x","kind":"bomb","text":"","due":"2026-12-02T10:00:00+01:00",'
        '"zone":"Europe/Paris","repeat":"","start":null,"rung":null}]}',
        '{"reminders": [{"id":"x","kind":"alarm","text":"","due":"2026-12-02T10:00:00+01:00",'
        '"zone":"../../etc/passwd","repeat":"","start":null,"rung":null}]}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_named_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "reminders.json"
    path.write_bytes(text.encode("latin-1"))
    service = LocalReminders(path)
    for act in (service.pending, lambda: service.add(BINS), lambda: service.remove("x")):
        with pytest.raises(ServiceError, match=r"reminders\.json"):
            act()
    assert path.read_bytes() == text.encode("latin-1")


def test_a_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = LocalReminders(tmp_path / "r.json")
    service.add(BINS)
    before = service.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ServiceError, match="disk is full"):
        service.add(ALARM)
    assert service.path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def _add_many(path: Path, start: int) -> None:
    service = LocalReminders(path)
    for i in range(start, start + 10):
        service.add(Reminder(f"r{i}", "timer", "", NOW))


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_many, args=(path, 10 * k)) for k in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    assert len(json.loads(path.read_bytes())["reminders"]) == 20
