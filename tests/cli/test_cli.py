"""The commands as a person runs them, with a real (tiny, scripted-by-weights) model in process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botpsy.cli.main import main

NOW = "2026-12-01T10:00"  # a Tuesday


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def _run(*words: str | Path, own_home: bool = True) -> Ran:
        at = ["--home", str(home)] if own_home else []
        monkeypatch.setattr(sys, "argv", ["botpsy", *map(str, words), *at])
        code: Any = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code
        streams = capfd.readouterr()
        return Ran(code or 0, streams.out, streams.err)

    return _run


@pytest.fixture
def ask(run: Run, calling_gguf: Path) -> Run:
    """``botpsy ask`` with a model that puts "dentist" into the calendar whatever is asked."""

    def _ask(*options: str, text: str = "Put dentist on my calendar next Friday at 15:00") -> Ran:
        place = ("--model", str(calling_gguf), "--now", NOW, "--tz", "Europe/Paris")
        return run("ask", *options, *place, text)

    return _ask


def test_a_request_becomes_an_event_and_can_be_undone(ask: Run, run: Run, home: Path) -> None:
    ran = ask("--json", "--yes")
    made = ran.json["calls"][0]
    assert made["tool"] == "create_event"
    assert made["arguments"]["title"] == "dentist"
    assert made["arguments"]["start"] == "2026-12-04T15:00+01:00"
    assert (made["decision"], made["status"]) == ("approved by --yes", "done")
    calendar = (home / "calendar.ics").read_text()
    assert "SUMMARY:dentist" in calendar
    assert "DTSTART;TZID=Europe/Paris:20261204T150000" in calendar
    assert "BEGIN:VTIMEZONE" in calendar
    undone = run(*made["undo"].split()[1:])
    assert undone.code == 0
    assert "dentist" in undone.out
    assert "SUMMARY" not in (home / "calendar.ics").read_text()
    again = run("undo", made["id"])
    assert (again.code, "undone already" in again.err) == (1, True)


def test_this_model_never_stops_calling_and_is_stopped(ask: Run, home: Path) -> None:
    ran = ask("--json", "--yes")
    assert "same call of create_event 3 times" in ran.json["stopped"]
    assert (ran.code, ran.json["status"]) == (1, "failed")
    assert (home / "calendar.ics").read_text().count("SUMMARY:dentist") == 1


def test_without_a_yes_and_without_a_person_nothing_happens(ask: Run, home: Path) -> None:
    ran = ask("--json")
    assert (ran.code, ran.json["status"]) == (3, "denied")
    assert not (home / "calendar.ics").exists()


def test_dry_run_shows_and_does_nothing(ask: Run, home: Path) -> None:
    ran = ask("--json", "--dry-run")
    made = ran.json["calls"][0]
    assert (made["status"], made["decision"]) == ("dry-run", "ask")
    assert made["arguments"]["start"] == "2026-12-04T15:00+01:00"
    assert not (home / "calendar.ics").exists()


def test_a_person_sees_what_is_done(ask: Run) -> None:
    ran = ask("--yes")
    assert "create_event title: dentist · start: Fri 4 Dec 2026, 15:00" in ran.err
    assert "approved by --yes" in ran.err
    assert "undo: botpsy undo" in ran.err


@pytest.mark.parametrize("damage", ["", "[[rule]\n", 'verdict = "perhaps"\n', "\x00\xff"])
def test_a_missing_or_broken_policy_denies_and_says_so(
    ask: Run, run: Run, home: Path, damage: str
) -> None:
    run("tools")
    policy = home / "policy.toml"
    policy.unlink()
    if damage:
        policy.write_text(damage, encoding="latin-1")
    ran = ask("--json", "--yes")
    assert ran.code == 3
    assert "policy.toml" in ran.json["calls"][0]["error"]
    assert "policy.toml" in ran.err
    assert run("policy", "show").code == 3
    assert run("doctor", "--quick").code == 1
    assert run("policy", "init", "--force").code == 0
    assert run("policy", "show").code == 0


def test_a_deny_rule_wins_over_yes(ask: Run, run: Run) -> None:
    assert run("policy", "add", "verdict=deny", "tool=create_event", "name=never").code == 0
    ran = ask("--json", "--yes")
    assert ran.code == 3
    assert "never" in ran.json["calls"][0]["error"]
    assert run("policy", "remove", "never").code == 0
    assert ask("--json", "--yes").json["calls"][0]["status"] == "done"


def test_audit_shows_verifies_and_finds_a_change(ask: Run, run: Run, home: Path) -> None:
    action = ask("--json", "--yes").json["calls"][0]["id"]
    assert action in run("audit", "show").out
    entries = run("audit", "show", action, "--json").json["entries"]
    assert [entry["kind"] for entry in entries] == ["intent", "outcome"]
    assert entries[0]["body"]["request"].startswith("Put dentist")
    assert "definition" in run("audit", "show", action).out
    verified = run("audit", "verify")
    assert "2 entries, unbroken" in verified.out
    import sqlite3

    with sqlite3.connect(home / "ledger.sqlite") as ledger:
        ledger.execute("UPDATE entries SET body = replace(body, 'dentist', 'doctor')")
    broken = run("audit", "verify")
    assert (broken.code, "was changed" in broken.err) == (1, True)
    assert run("doctor", "--quick").code == 1


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("ask", "hi", "--tz", "Mars/Base"), 2, "no time zone"),
        (("ask", "hi", "--now", "later"), 2, "not a date"),
        (("ask", "hi", "--model", "/nowhere/m.gguf"), 1, "/nowhere/m.gguf"),
        (("ask", "hi", "--model", "nonsense"), 2, "nonsense"),
        (("ask", "hi", "--model", "http://127.0.0.1:9/v1"), 1, "127.0.0.1:9"),
        (("ask", "hi"), 1, "botpsy model pull default"),
        (("ask", " ", "--model", "http://127.0.0.1:9/v1"), 2, "empty"),
        (("undo",), 1, "nothing to undo"),
        (("undo", "zzzz"), 1, "no action begins"),
        (("tools", "fly"), 2, "no tool fly"),
        (("policy", "test", "fly"), 2, "no tool fly"),
        (("policy", "revoke", "x"), 2, "no grant"),
        (("serve", "--host", "0.0.0.0"), 2, "--api-key"),
    ],
)
def test_mistakes_are_told_in_words(run: Run, words: tuple[str, ...], code: int, says: str) -> None:
    ran = run(*words)
    assert (ran.code, says in ran.err) == (code, True), ran
    assert "Traceback" not in ran.err


def test_a_home_that_is_a_file(run: Run, home: Path) -> None:
    home.write_text("mine")
    ran = run("tools")
    assert (ran.code, "cannot be used" in ran.err) == (2, True)
    assert home.read_text() == "mine"


def test_a_wrong_config_names_file_and_key(run: Run, home: Path) -> None:
    run("tools")
    (home / "config.toml").write_text('timezon = "Europe/Paris"\n')
    ran = run("tools")
    assert ran.code == 2
    assert "config.toml: timezon" in ran.err


def test_policy_test_explains(run: Run) -> None:
    allowed = run("policy", "test", "find_events", "period=next week")
    assert (allowed.code, allowed.out.split(":")[0]) == (0, "allow")
    asked = run("policy", "test", "create_event", "title=x", "start=tomorrow at 9")
    assert (asked.code, asked.out.split(":")[0]) == (0, "ask")
    denied = run(
        *("policy", "test", "send_message", "to=+4915112345678", "text=x", "--source", "untrusted")
    )
    assert (denied.code, denied.out.split(":")[0]) == (3, "deny")


def test_tools_list(run: Run) -> None:
    rows = {row["name"]: row for row in run("tools", "--json").json["tools"]}
    assert rows["create_event"]["effect"] == "write"
    assert rows["create_event"]["undo"] is True
    assert rows["web_search"]["connected"] is False
    assert "Add a new event" in run("tools", "create_event").out
    assert "create_event" in run("tools").out


def test_doctor_says_what_works(run: Run, calling_gguf: Path) -> None:
    ran = run("doctor", "--json", "--model", str(calling_gguf))
    states = {check["name"]: check["state"] for check in ran.json["checks"]}
    assert ran.code == 0
    assert states["policy"] == states["ledger"] == states["calendar"] == states["speed"] == "ok"
    assert states["web"] == "warn"


def test_remind_rings_what_is_due(run: Run, home: Path) -> None:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from botpsy.services.bundle import Services
    from botpsy.services.reminders.local import LocalReminders
    from botpsy.tools.base import Context
    from botpsy.tools.reminders import set_reminder

    run("tools")
    store = LocalReminders(home / "reminders.json")
    from botpsy.clock import Clock

    zone = ZoneInfo("Europe/Paris")
    clock = Clock(zone, datetime(2026, 1, 1, 9, tzinfo=zone))
    context = Context(Services(reminders=store), clock, "a1")
    bound = set_reminder.bind({"text": "call [bold]mum[/]", "when": "2026-01-01T10:00"}, context)
    set_reminder.run(bound, context)
    ran = run("remind", "--once")
    assert "call [bold]mum[/]" in ran.out
    assert run("remind", "--once").out == ""


def test_every_command_has_help(run: Run) -> None:
    for words in (
        *[("ask",), ("chat",), ("serve",), ("tools",), ("undo",), ("remind",), ("doctor",)],
        *[("model", sub) for sub in ("list", "pull", "path", "remove")],
        *[("policy", s) for s in ("show", "init", "test", "add", "remove", "grants", "revoke")],
        *[("audit", sub) for sub in ("show", "verify")],
    ):
        ran = run(*words, "--help", own_home=False)
        assert (ran.code, "Usage" in ran.out) == (0, True), words


def test_help_loads_nothing_heavy() -> None:
    """What keeps ``botpsy --help`` under 0.4 s of processor time."""
    code = (
        "import sys; from botpsy.cli.main import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Exit codes" in done.stdout
    heavy = {"dateparser", "gguf", "httpx", "icalendar", "jinja2", "jsonschema", "numpy"}
    heavy |= {"pydantic", "starlette", "uvicorn", "xllamacpp"}
    assert not heavy & set(done.stdout.split())


def test_chat_from_a_pipe(calling_gguf: Path, home: Path) -> None:
    """A whole session in a process of its own: nobody can be asked, so nothing is done."""
    process = subprocess.run(
        [
            *(sys.executable, "-m", "botpsy", "chat", "--home", str(home)),
            *("--model", str(calling_gguf)),
        ],
        input="\nput dentist on my calendar\n/help\n/undo\n/reset\n/quit\nnever read\n",
        capture_output=True,
        text=True,
        check=False,
        env=os.environ.copy(),
    )
    assert process.returncode == 0, process.stderr
    assert "denied" in process.stderr
    assert "nothing to undo" in process.stderr
    assert "A new conversation" in process.stderr
    assert not (home / "calendar.ics").exists()


def test_no_value_passes_for_a_line_of_ours(run: Run, home: Path) -> None:
    """Neither while it happens nor in what the ledger shows of it."""
    from botpsy import Assistant
    from botpsy.chat.types import Message, ToolCall
    from botpsy.cli.show import Screen
    from botpsy.engines.scripted import Scripted

    run("tools")
    run("policy", "add", "verdict=allow", "tool=create_event")
    forged = "x\n9  outcome  2026-01-01\n  status: done"
    arguments = {"title": forged, "start": "Friday at 15:00", "location": "[red]\x1b[2J"}
    call = Message("assistant", calls=(ToolCall("create_event", arguments),))
    with Assistant(home, engine=Scripted([call, "Done."])) as assistant:
        screen = Screen()
        [outcome] = assistant.ask("put x on my calendar", on_event=screen.event).outcomes
    shown = [run("audit", "show"), run("audit", "show", outcome.id), run("undo", outcome.id)]
    lines = [line.strip() for ran in shown for line in (ran.err + ran.out).splitlines()]
    assert any("x<U+000A LINE FEED>9  outcome" in line for line in lines)
    assert not any(line.startswith(("9  outcome", "status: done\n")) for line in lines)
    assert "\x1b" not in "".join(lines)


def test_a_system_error_is_told_in_words(run: Run, home: Path) -> None:
    run("tools")
    (home / ".policy.toml.lock").mkdir()
    ran = run("policy", "add", "verdict=deny", "tool=create_event")
    assert ran.code == 1
    assert "Is a directory" in ran.err
    assert "policy.toml.lock" in ran.err
    assert "Traceback" not in ran.err


def test_a_first_start_that_was_cut_off_is_done_again(run: Run, home: Path) -> None:
    home.mkdir()
    (home / ".policy.toml.0123abcd.tmp").write_text("[otherw")
    assert run("policy", "show").code == 0
    assert (home / "config.toml").exists()


def test_a_file_in_a_folders_place_is_told_in_words(run: Run, home: Path) -> None:
    run("tools")
    (home / "files").rmdir()
    (home / "files").write_text("")
    ran = run("tools")
    assert (ran.code, "cannot be made" in ran.err) == (2, True)


def test_an_undo_that_was_cut_off_is_told_and_not_followed_by_another(
    ask: Run, run: Run, home: Path
) -> None:
    import sqlite3

    for _ in range(2):
        ask("--yes")
    assert run("undo").code == 0
    with sqlite3.connect(home / "ledger.sqlite") as db:  # killed before it could say so
        db.execute("DELETE FROM entries WHERE seq > (SELECT max(seq) - 2 FROM entries)")
    ran = run("undo")
    assert (ran.code, "cut off" in ran.err, "Undone: create_event" in ran.out) == (0, True, True)
    assert (home / "calendar.ics").read_text().count("SUMMARY:dentist") == 1
    assert run("undo").code == 0
    assert "SUMMARY" not in (home / "calendar.ics").read_text()
