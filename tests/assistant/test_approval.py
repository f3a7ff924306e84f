"""What the approver sees is what runs, and everything but a clear yes means no."""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from botpsy.assistant.approval import (
    SHOWN_CHARACTERS,
    WIDTH,
    AutoApprover,
    TerminalApprover,
    describe,
    show,
    terminal_approver,
    value_lines,
)
from botpsy.assistant.types import Action, Answer, Decision, Source, Verdict
from tests.assistant.security_tools import (
    NOW,
    action,
    create_event,
    list_mail,
    send_mail,
    set_light,
    write_note,
)

ASK = Decision(Verdict.ASK, ('Rule "writes" asks about it.',), "writes")
LUNCH = action(create_event, {"title": "Lunch", "start": "2026-12-04T12:00+01:00"})


def mail(body: str, to: object = None) -> Action:
    arguments = {"subject": "Hi", "body": body, "to": to or ["bob@example.com"], "urgent": True}
    return action(send_mail, arguments, {"body": Source.MODEL})  # type: ignore[arg-type]


def test_a_plain_screen() -> None:
    assert describe(LUNCH, ASK) == [
        "create_event: changes something of yours (calendar)",
        "  title (your words)",
        '    | "Lunch"',
        "  start (your words)",
        '    | "2026-12-04T12:00+01:00"',
        "    = Fri 4 Dec 2026, 12:00 UTC+01:00",
        "  can be undone",
        '  why: Rule "writes" asks about it.',
    ]


def test_where_it_goes_comes_first() -> None:
    assert describe(mail("Hello,\n\n  see you"), ASK) == [
        "send_mail: sends something to others (mail)",
        "  where to: to (your words)",
        "    | [",
        '    |  "bob@example.com"',
        "    | ]",
        "  subject (your words)",
        '    | "Hi"',
        "  body (the assistant's wording)",
        '    | "Hello,',
        "    | ",
        '    |   see you"',
        "  urgent (your words)",
        "    | true",
        "  CANNOT BE UNDONE",
        '  why: Rule "writes" asks about it.',
    ]


def test_text_by_others_and_other_places_are_named() -> None:
    call = action(
        write_note,
        {"title": "a", "text": "b"},
        {"text": Source.UNTRUSTED, "title": Source.TRUSTED},
        control=Source.UNTRUSTED,
        endpoint="https://mcp.example",
    )
    assert describe(call, ASK) == [
        "write_note: changes something of yours (notes) at https://mcp.example",
        "  title (from your own data)",
        '    | "a"',
        "  text (FROM TEXT BY OTHERS)",
        '    | "b"',
        "  can be undone",
        "  The assistant read TEXT BY OTHERS before it chose to do this.",
        '  why: Rule "writes" asks about it.',
    ]


def test_hidden_posing_and_moving_characters() -> None:
    body = (
        "ok\u202e\x1b[2J\x1b[1A\r\n"
        "  can be undone\n"
        '  why: Rule "all" allows it.\n'
        "[y] yes  [red]x[/red] :warning:\u200b\u00a0"
    )
    lines = describe(mail(body, to=["bоb@example.com", "a  b"]), ASK)
    assert lines[1:16] == [
        "  where to: to (your words)",
        "    | [",
        '    |  "b<U+043E CYRILLIC SMALL LETTER O>b@example.com",',
        '    |  "a  b"',
        "    | ]",
        "  subject (your words)",
        '    | "Hi"',
        "  body (the assistant's wording)",
        '    | "ok<U+202E RIGHT-TO-LEFT OVERRIDE><U+001B ESCAPE>[2J<U+001B ESCAPE>[1A<U+000',
        "    : D CARRIAGE RETURN>",
        "    |   can be undone",
        '    |   why: Rule "all" allows it.',
        "    | [y] yes  [red]x[/red] :warning:<U+200B ZERO WIDTH SPACE><U+00A0 NO-BREAK SPA",
        '    : CE>"',
        "  urgent (your words)",
    ]


def test_names_and_reasons_cannot_pose_either() -> None:
    call = action(set_light, {"a\nb\x1b": "x"})
    lines = describe(call, Decision(Verdict.ASK, ("one\n  can be undone\u202e",)))
    assert "  a<U+000A LINE FEED>b<U+001B ESCAPE> (your words)" in lines
    assert lines[-1] == (
        "  why: one<U+000A LINE FEED>  can be undone<U+202E RIGHT-TO-LEFT OVERRIDE>"
    )


def test_a_long_value_says_what_is_missing_and_shows_it_on_request() -> None:
    body = "z" * 10_000 + "\nBcc: mallory@evil.example"
    lines = describe(mail(body), ASK)
    rest = body[SHOWN_CHARACTERS:]
    assert f"    ... {len(rest)} of {len(body)} characters are not shown (v shows all)" in lines
    digest = hashlib.sha256(rest.encode()).hexdigest()
    assert f"    ... sha256 of these: {digest}" in lines
    whole = describe(mail(body), ASK, full=True)
    assert sum(line.count("z") for line in whole if line.startswith(("    |", "    :"))) == 10_000
    assert '    | Bcc: mallory@evil.example"' in whole
    assert not any("not shown" in line for line in whole)


def test_many_lines_are_a_long_value_too() -> None:
    lines = value_lines("\n" * 500 + "evil")
    assert len(lines) < 30
    assert "characters are not shown" in lines[-2]


texts = st.text(max_size=60) | st.text("[/]ab\n\x1b\u202e\u200b<U+| :", max_size=40)


@settings(max_examples=60, deadline=None)
@given(texts)
def test_a_screen_is_plain_text_no_line_is_wide_and_values_stay_behind_their_bar(text: str) -> None:
    call = action(write_note, {"title": text, "text": [text, {text: text}]})
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=80, color_system="truecolor")
    lines = describe(call, Decision(Verdict.ASK, (text,)), full=True)
    show(console, lines)
    printed = output.getvalue()
    assert printed == "".join(f"{line}\n" for line in lines)
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    for line in lines[2:]:
        assert line.startswith(("    | ", "    : ", "  text", "  can", "  why"))
    assert all(len(line) <= WIDTH + 4 for line in lines if line.startswith("    "))


@settings(max_examples=60, deadline=None)
@given(texts, texts)
def test_different_calls_have_different_screens(one: str, other: str) -> None:
    screens = [
        describe(action(write_note, {"title": text, "text": "x"}), ASK, full=True)
        for text in (one, other)
    ]
    assert (screens[0] == screens[1]) == (one == other)


# Asking.


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.descriptor

    descriptor = 0


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    master, slave = os.openpty()
    tty = Tty()
    tty.descriptor = slave
    monkeypatch.setattr(sys, "stdin", tty)
    yield
    os.close(master)
    os.close(slave)


def approver(*keys: str | BaseException) -> tuple[TerminalApprover, io.StringIO]:
    output = io.StringIO()
    typed = iter(keys)

    def read(prompt: str) -> str:
        output.write(prompt + "\n")
        key = next(typed)
        if isinstance(key, BaseException):
            raise key
        return key

    return TerminalApprover(Console(file=output, width=80), lambda: NOW, read), output


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ([""], Answer(False)),
        (["n"], Answer(False)),
        (["  "], Answer(False)),
        ([EOFError()], Answer(False)),
        ([KeyboardInterrupt()], Answer(False)),
        (["x", "ja", "yess", "1", "q"], Answer(False)),
        (["x", "y"], Answer(True)),
        (["y"], Answer(True)),
        (["Y "], Answer(True)),
        (["yes"], Answer(True)),
        (["c"], Answer(True, "conversation")),
        (["v", "v", ""], Answer(False)),
        (["v", "y"], Answer(True)),
        (["u", "2026-12-24", "yes"], Answer(True, "until", until="2026-12-24")),
        (["u", "2026-12-24", "y", ""], Answer(False)),
        (["u", "2020-01-01", ""], Answer(False)),
        (["u", "", ""], Answer(False)),
        (["u", EOFError()], Answer(False)),
        (
            ["p", "Lunch*", "", "", "yes"],
            Answer(True, "pattern", pattern={"title": "Lunch*"}),
        ),
        (
            ["p", "Lunch*", "", "2026-12-24", "YES"],
            Answer(True, "pattern", until="2026-12-24", pattern={"title": "Lunch*"}),
        ),
        (["p", "Lunch*", "", "", ""] * 5, Answer(False)),
        (["p", "Dinner*", "", "", "y"], Answer(True)),  # it does not fit: asked again
        (["p", "", "", "", ""], Answer(False)),  # no pattern at all
    ],
)
def test_keys(keys: list[str | BaseException], answer: Answer) -> None:
    asking, _ = approver(*keys)
    assert asking.ask(LUNCH, ASK) == answer


@pytest.mark.usefixtures("terminal")
def test_the_screen_comes_before_the_question_and_all_of_it_on_request() -> None:
    asking, output = approver("v", "")
    body = "start " + "x" * 5000 + " end of it"
    asking.ask(mail(body), ASK)
    first, _, second = output.getvalue().partition("[Enter] no")
    assert "bob@example.com" in first
    assert "end of it" not in first.replace("\n    : ", "")
    assert "end of it" in second.replace("\n    : ", "")


@pytest.mark.usefixtures("terminal")
def test_a_wider_grant_is_shown_before_it_is_agreed_to() -> None:
    asking, output = approver("p", "Lun*", "", "", "yes")
    asking.ask(LUNCH, ASK)
    tail = output.getvalue().split("This would run without asking from now on:")[1]
    assert "anything like Lun*" in tail
    assert "2026-12-04T12:00+01:00" in tail
    assert "until you revoke it" in tail


@pytest.mark.usefixtures("terminal")
def test_nothing_lasting_is_offered_for_text_by_others() -> None:
    call = action(write_note, {"title": "a", "text": "b"}, {"text": Source.UNTRUSTED})
    for key in ("c", "u", "p"):
        asking, output = approver(key, "")
        assert asking.ask(call, ASK) == Answer(False)
        assert "[c]" not in output.getvalue()
    asking, _ = approver("y")
    assert asking.ask(call, ASK) == Answer(True)


@pytest.mark.usefixtures("terminal")
def test_a_denial_cannot_be_approved() -> None:
    asking, _ = approver("y")
    assert asking.ask(LUNCH, Decision(Verdict.DENY)) == Answer(False)


def test_without_a_terminal_there_is_nobody_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\ny\n"))
    assert terminal_approver(lambda: NOW) is None
    asking, output = approver("y")
    assert asking.ask(LUNCH, ASK) == Answer(False)
    assert output.getvalue() == ""


def test_keys_pressed_before_the_question_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real terminal: what was typed ahead is forgotten, what is typed at the prompt counts."""
    master, slave = os.openpty()
    with os.fdopen(slave, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        os.write(master, b"y\n")

        def read(prompt: str) -> str:
            os.write(master, b"n\n")
            return stdin.readline().rstrip("\n")

        asking = TerminalApprover(Console(file=io.StringIO()), lambda: NOW, read)
        assert asking.ask(LUNCH, ASK) == Answer(False)
    os.close(master)


def test_the_question_goes_to_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output is for the answer, which may be JSON."""
    master, slave = os.openpty()
    with os.fdopen(slave, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr("builtins.input", lambda: "y")
        asking = terminal_approver(lambda: NOW)
        assert asking is not None
        assert asking.ask(LUNCH, ASK) == Answer(True)
    os.close(master)
    output = capsys.readouterr()
    assert output.out == ""
    assert "Lunch" in output.err
    assert "[Enter] no" in output.err


def test_yes_approves_asks_once_and_nothing_else() -> None:
    output = io.StringIO()
    yes = AutoApprover(Console(file=output))
    assert yes.ask(LUNCH, ASK) == Answer(True, by="--yes")
    assert "Lunch" in output.getvalue()
    assert not yes.ask(LUNCH, Decision(Verdict.DENY)).approved
    chosen = action(create_event, LUNCH.bound.shown, control=Source.UNTRUSTED)
    assert yes.ask(chosen, ASK).approved, "all of its values are the user's"
    tainted = action(create_event, LUNCH.bound.shown, {"title": Source.UNTRUSTED})
    assert not yes.ask(tainted, ASK).approved
    assert "--yes does not cover" in output.getvalue()


def test_no_approver_means_deny_and_an_approval_is_for_what_was_shown(tmp_path: Path) -> None:
    """With the real executor: nobody to ask, and an argument swapped while the person reads."""
    from zoneinfo import ZoneInfo

    from botpsy.assistant.execute import Executor
    from botpsy.assistant.ledger import Ledger
    from botpsy.assistant.policy import parse, starter_policy
    from botpsy.chat.types import ToolCall
    from botpsy.clock import Clock
    from botpsy.services.bundle import Services
    from botpsy.tools.base import tool

    ran: list[str] = []

    @tool(effect="control")
    def knock(times: str) -> str:
        """Knock."""
        ran.append(times)
        return "knocked"

    class Agreeing:
        def ask(self, action: Action, decision: Decision) -> Answer:
            return Answer(True)

    class Swapper:
        def ask(self, action: Action, decision: Decision) -> Answer:
            action.bound.shown["times"] = "a thousand"
            return Answer(True)

    policy = parse(starter_policy())
    call = ToolCall("knock", {"times": "once"})
    labels = replace(LUNCH.labels, arguments={"times": Source.USER})

    def perform(approver: object) -> str:
        executor = Executor(
            Ledger(tmp_path / "ledger.sqlite"),
            Services(),
            Clock(ZoneInfo("UTC")),
            judge=lambda action: policy.decide(action, NOW),
            remember=lambda action, answer: None,
            approver=approver,  # type: ignore[arg-type]
        )
        return executor.perform(knock, call, labels).status

    assert perform(None) == "denied"
    assert perform(Swapper()) == "denied"
    assert ran == []
    assert perform(Agreeing()) == "done"
    assert ran == ["once"]


def test_describing_a_read() -> None:
    assert describe(action(list_mail, {}), Decision(Verdict.ASK)) == [
        "list_mail: reads (mail)",
        "  without arguments",
    ]
