"""Editing policy.toml by command: exact, and nothing else in the file changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.assistant.grants import GrantStore
from botpsy.assistant.policy import Policy, parse, starter_policy
from botpsy.assistant.policy_edit import (
    add_rule,
    check,
    explain,
    grant_rows,
    hypothetical,
    names,
    remove_rule,
    rows,
)
from botpsy.assistant.types import Answer, Source, Verdict
from botpsy.clock import Clock
from botpsy.errors import PolicyError, SchemaError, UsageError
from botpsy.services.bundle import Services
from botpsy.tools.base import Context
from tests.assistant.security_tools import NOW, TOOLS, action, create_event, pay, send_mail

CONTEXT = Context(Services(), Clock(ZoneInfo("UTC"), NOW))
RULE = {"name": "my calendar", "verdict": "allow", "tool": ["create_event"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "policy.toml"
    file.write_text(starter_policy())
    return file


def test_rows_of_the_starter_policy() -> None:
    table = rows(parse(starter_policy()))
    assert [row[:2] for row in table] == [
        ("read what is mine", "allow"),
        ("look things up on the web", "ask"),
        ("delete or unlock", "ask"),
        *[("otherwise", "ask")] * 4,
        ("otherwise", "deny"),
    ]
    assert table[1] == ("look things up on the web", "ask", "read, of web", "")
    assert table[2][2].startswith("tool *delete* or *remove*")
    assert table[3] == ("otherwise", "ask", "write", "where no rule fits")


def test_rows_spell_out_conditions() -> None:
    text = """[[rule]]
verdict = "allow"
effect = "spend"
irreversible = true
endpoint = "https://*"
when.amount = { min = 1, max = 50 }
when.note = ["rent*", "food"]
destination = { not = { domain = "evil.io" } }
label = { at_least = "trusted", at_most = "model" }
"""
    assert rows(parse(text))[0] == (
        "rule 1",
        "allow",
        "spend, at https://*, cannot be undone",
        'amount at least 1 and at most 50; note "rent*" or "food"; '
        "destination not (at evil.io); label at least trusted; label at most model",
    )


def test_a_rule_is_added_at_the_end_and_removed_without_a_trace(path: Path) -> None:
    added = add_rule(path, RULE)
    assert added.name == "my calendar"
    assert path.read_text().startswith(starter_policy())
    call = action(create_event, {"title": "a", "start": "b"})
    assert Policy.load(path).decide(call, NOW).verdict is Verdict.ALLOW
    remove_rule(path, "my calendar")
    assert path.read_text().rstrip("\n") == starter_policy().rstrip("\n")


def test_removal_takes_the_comment_above_and_leaves_every_other_word(path: Path) -> None:
    path.write_text(
        '# top\n\n[[rule]]\nverdict = "deny" # one\ntool = "a"\n\n'
        '# about two\n# more about two\n[[rule]]\nverdict = "deny"\ntool = "b"\n'
        'reason = """\nlong\n"""\n\n# about three\n[[rule]]\nverdict = "ask"\ntool = "c"\n'
        '\n[otherwise]\nwrite = "ask"\n'
    )
    remove_rule(path, "rule 2")
    assert path.read_text() == (
        '# top\n\n[[rule]]\nverdict = "deny" # one\ntool = "a"\n\n'
        '# about three\n[[rule]]\nverdict = "ask"\ntool = "c"\n'
        '\n[otherwise]\nwrite = "ask"\n'
    )
    remove_rule(path, "rule 2")
    assert path.read_text() == (
        '# top\n\n[[rule]]\nverdict = "deny" # one\ntool = "a"\n\n[otherwise]\nwrite = "ask"\n'
    )


@pytest.mark.parametrize("name", ["read what is mine", "look things up on the web"])
def test_removing_from_the_middle_keeps_the_rest(path: Path, name: str) -> None:
    remove_rule(path, name)
    left = names(Policy.load(path))
    assert name not in left
    assert len(left) == 2
    assert "Examples to make your own" in path.read_text()
    assert "[otherwise]" in path.read_text()


@pytest.mark.parametrize(
    "text",
    [
        'rule = [{ verdict = "deny", tool = "a" }]\n',
        '[[rule]]\nverdict = "deny"\nreason = """\n[[rule]]\n"""\n',
        '[["rule"]]\nverdict = "deny"\n',
    ],
)
def test_what_cannot_be_edited_safely_is_left_to_a_person(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(PolicyError) as error:
        remove_rule(path, "rule 1")
    assert "by hand" in error.value.hint
    assert path.read_text() == text


def test_unknown_rules_and_bad_rules_change_nothing(path: Path) -> None:
    with pytest.raises(UsageError):
        remove_rule(path, "nosuch")
    for fields in (
        {"verdict": "allow"},
        {"verdict": "alow", "tool": "x"},
        {"verdict": "deny", "tol": "x"},
        {"verdict": "deny", "name": "read what is mine"},
        {"verdict": "deny", "when": {"to": {"domain": "no domain"}}},
        {"verdict": "deny", "tool": object()},
        {"verdict": "deny", "tool": "\udcff"},
    ):
        with pytest.raises(PolicyError):
            add_rule(path, fields)
    assert path.read_text() == starter_policy()


def test_a_broken_or_missing_file_is_not_edited(path: Path) -> None:
    path.write_text("[[rule]\n")
    for edit in (lambda: add_rule(path, RULE), lambda: remove_rule(path, "x")):
        with pytest.raises(PolicyError):
            edit()
    assert path.read_text() == "[[rule]\n"
    path.unlink()
    with pytest.raises(PolicyError):
        add_rule(path, RULE)
    assert not path.exists()


plain = st.text(max_size=20)


@settings(max_examples=40, deadline=None)
@given(plain.filter(bool), plain.filter(bool), st.integers(), st.booleans())
def test_any_text_survives_being_written(
    name: str, title: str, most: int, reversible: bool
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "policy.toml"
        file.write_text("")
        fields: dict[str, Any] = {
            "name": name,
            "verdict": "allow",
            "effect": ["write"],
            "irreversible": reversible,
            "when": {title: {"is": title}, "n": {"max": most}},
        }
        added = add_rule(file, fields)
        assert added.name == name
        assert set(added.when) == {title, "n"}
        assert title == "n" or added.when[title].test(title) is True


def test_checking_for_slips() -> None:
    tools = list(TOOLS.values())
    assert check(parse(starter_policy()), tools) == []
    text = """[[rule]]
verdict = "deny"
tool = "send_emial"
[[rule]]
verdict = "deny"
tool = "pay"
when.ammount = { min = 5 }
when.amount = { min = 5 }
[[rule]]
verdict = "deny"
tool = "order"
destination = "*"
"""
    assert check(parse(text), tools) == [
        'Rule "rule 1" fits no tool.',
        'Rule "rule 2": none of its tools has an argument ammount.',
        'Rule "rule 3": none of its tools has a destination.',
    ]
    assert check(Policy(problem="gone"), tools) == ["gone"]


def test_trying_a_call() -> None:
    call = hypothetical(pay, ["payee=Bob", "amount=50", "note=5"], CONTEXT)
    assert call.bound.shown == {"payee": "Bob", "amount": 50.0, "note": "5"}
    policy = parse(starter_policy())
    assert explain(policy, call, NOW, []) == [
        "ask: pay",
        "No rule speaks of pay, so you are asked.",
    ]
    tainted = hypothetical(pay, ["payee=Bob", "amount=50"], CONTEXT, source=Source.UNTRUSTED)
    assert explain(policy, tainted, NOW, [])[0] == "deny: pay"
    many = hypothetical(send_mail, ['to=["a@x.org"]', "subject=a=b", "body="], CONTEXT)
    assert many.call.arguments == {"to": ["a@x.org"], "subject": "a=b", "body": ""}


@pytest.mark.parametrize("pairs", [["payee"], ["=x"], ["payee=a", "payee=b"]])
def test_what_is_not_a_pair(pairs: list[str]) -> None:
    with pytest.raises(UsageError):
        hypothetical(pay, pairs, CONTEXT)


def test_what_does_not_fit_the_tool() -> None:
    with pytest.raises(SchemaError):
        hypothetical(pay, ["payee=Bob", "amount=lots"], CONTEXT)


def test_grants_as_rows(tmp_path: Path) -> None:
    store = GrantStore(tmp_path / "grants.json")
    call = action(pay, {"payee": "Bob", "amount": 5})
    one = store.remember(call, Answer(True, "pattern", pattern={"payee": "B*"}), NOW)
    two = store.remember(call, Answer(True, "conversation"), NOW)
    assert one
    assert two
    store.used(one.id, NOW)
    assert grant_rows(store.all()) == [
        (
            one.id,
            "pay",
            '{"payee": "like B*", "amount": 5}',
            "until revoked",
            "1, last 2026-12-01T09:00:00+00:00",
        ),
        (
            two.id,
            "pay",
            '{"payee": "Bob", "amount": 5}',
            "conversation c1, until 2026-12-02T09:00:00+00:00",
            "0",
        ),
    ]
