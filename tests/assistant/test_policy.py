"""The policy by example: files good and bad, rules, what is built in, and grants in decisions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.assistant.grants import new_grant
from botpsy.assistant.policy import Policy, label_decision, parse, starter_policy
from botpsy.assistant.types import Answer, Labels, Source, Verdict
from botpsy.chat.types import Json
from botpsy.errors import PolicyError
from tests.assistant.security_tools import (
    NOW,
    TOOLS,
    action,
    create_event,
    delete_file,
    list_mail,
    pay,
    read_page,
    search_web,
    send_mail,
    set_light,
    unlock,
    write_file,
    write_note,
)

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
EVENT = action(create_event, {"title": "Dentist", "start": "2026-12-04T15:00+00:00"})


def rule(verdict: str, **keys: str) -> str:
    return f'[[rule]]\nverdict = "{verdict}"\n' + "".join(f"{k} = {v}\n" for k, v in keys.items())


def decide(text: str, call: object = EVENT) -> Verdict:
    return parse(text, home="/home/me").decide(call, NOW).verdict  # type: ignore[arg-type]


def test_nothing_is_permitted_by_an_empty_file() -> None:
    decision = Policy().decide(EVENT, NOW)
    assert decision.verdict is DENY
    assert "create_event" in decision.reasons[0]
    assert decide("") is DENY


def test_a_missing_file_denies_everything_and_says_how_to_mend_it(tmp_path: Path) -> None:
    policy = Policy.load(tmp_path / "policy.toml")
    for tool in TOOLS.values():
        decision = policy.decide(action(tool, {}), NOW)
        assert decision.verdict is DENY
        assert "policy.toml does not exist" in decision.reasons[0]
        assert "botpsy policy init" in decision.reasons[0]


@pytest.mark.parametrize(
    "content",
    [
        b"[[rule]\n",
        b"\xff\xfe",
        b"\0",
        b"verdict = 'allow'",
        b"[[rule]]\nverdict = 'allow'",
        starter_policy().encode()[:900],
        starter_policy().replace("verdict", "verdikt").encode(),
    ],
)
def test_a_broken_file_denies_everything_even_with_a_grant(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "policy.toml"
    path.write_bytes(content)
    policy = Policy.load(path)
    grant = new_grant(EVENT, Answer(True, "conversation"), NOW)
    decision = policy.decide(EVENT, NOW, [grant])
    assert decision.verdict is DENY
    assert str(path) in decision.reasons[0]


def test_a_file_that_anyone_can_write_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(starter_policy())
    assert Policy.load(path).decide(EVENT, NOW).verdict is ASK
    path.chmod(0o666)
    decision = Policy.load(path).decide(EVENT, NOW)
    assert decision.verdict is DENY
    assert "chmod o-w" in decision.reasons[0]


def test_a_folder_in_its_place_denies(tmp_path: Path) -> None:
    assert Policy.load(tmp_path).decide(EVENT, NOW).verdict is DENY


def test_a_changed_file_counts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(rule("allow", tool='"create_event"'))
    assert Policy.load(path).decide(EVENT, NOW).verdict is ALLOW
    path.write_text(rule("deny", tool='"create_event"'))
    assert Policy.load(path).decide(EVENT, NOW).verdict is DENY


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", ["line 1", "unknown key `x`"]),
        ("\n\n[otherwize]\nsend = 'ask'", ["line 3", "did you mean `otherwise`"]),
        ("[otherwise]\nwrite = 'ask'\nsend = 'allow'", ["line 3", "`send`", "add a rule"]),
        ("[otherwise]\nmail = 'ask'", ["line 2", "`mail`"]),
        ("otherwise = 'ask'", ["line 1", "table"]),
        ("rule = 'x'", ["line 1", "[[rule]]"]),
        ("[rule]\nverdict = 'deny'", ["[[rule]]"]),
        ("[[rule]]\ntool = 'x'", ["rule 1", "`verdict`"]),
        ("[[rule]]\nverdict = 'maybe'", ["line 2", "`verdict`"]),
        ("[[rule]]\nverdict = true", ["line 2", "`verdict`"]),
        ("[[rule]]\nverdict = 'allow'\nname = 'all'", ["line 2", "say what"]),
        ("[[rule]]\nverdict = 'allow'\nwhen.to = 'x'", ["say what"]),
        ("[[rule]]\nverdict = 'deny'\neffect = 'delete'", ["line 3", "`effect`", "read"]),
        ("[[rule]]\nverdict = 'deny'\ntool = []", ["line 3", "`tool`"]),
        ("[[rule]]\nverdict = 'deny'\ntool = ['a', 1]", ["`tool`"]),
        ("[[rule]]\nverdict = 'deny'\nname = ''", ["line 3", "`name`"]),
        ("[[rule]]\nverdict = 'deny'\nirreversible = 'yes'", ["line 3", "true or false"]),
        ("[[rule]]\nverdict = 'deny'\nwhen = {}", ["line 3", "`when`"]),
        ("[[rule]]\nverdict = 'deny'\nwhen.to = {domian = 'x.org'}", ["line 3", "`domian`"]),
        ("[[rule]]\nverdict = 'deny'\n[rule.when]\nto = {regex = '.'}", ["line 4", "`regex`"]),
        ("[[rule]]\nverdict = 'deny'\ndestination = {under = 'x'}", ["line 3", "absolute"]),
        ("[[rule]]\nverdict = 'deny'\nlabel = 'user'", ["line 3", "`label`"]),
        ("[[rule]]\nverdict = 'deny'\nlabel = {at_most = 'nobody'}", ["line 3", "untrusted"]),
        ("[[rule]]\nverdict = 'deny'\nlabel = {under = 'user'}", ["`under`"]),
        (
            "# first\n[[rule]]\nverdict = 'deny'\n\n[[rule]]\nverdict = 'deny'\ntoool = 'x'",
            ["line 7", "rule 2", "did you mean `tool`"],
        ),
        (
            "[[rule]]\nname = 'a'\nverdict = 'deny'\n[[rule]]\nname = 'a'\nverdict = 'ask'",
            ["line 5", 'named "a"'],
        ),
        ("a = = 1", ["not valid TOML", "line 1"]),
        ("a = [", ["not valid TOML"]),
        ("a = " + "[" * 5000, ["not valid TOML"]),
    ],
)
def test_mistakes_are_named_with_their_line(text: str, says: list[str]) -> None:
    with pytest.raises(PolicyError) as error:
        parse(text, "my.toml")
    assert "my.toml" in error.value.message
    for word in says:
        assert word in str(error.value)
    assert error.value.exit_code == 3


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet='[]rule=\n"{}.verdictaskny ', max_size=60))
def test_no_text_makes_anything_but_a_policy_or_a_policy_error(text: str) -> None:
    try:
        policy = parse(text)
    except PolicyError:
        return
    assert policy.decide(EVENT, NOW).verdict is not ALLOW


def test_the_starter_policy() -> None:
    policy = parse(starter_policy())

    def verdict(name: str, **arguments: Json) -> Verdict:
        return policy.decide(action(TOOLS[name], arguments), NOW).verdict

    own = ("read_mail", "list_mail", "find_contact", "read_note", "list_events")
    assert {verdict(name) for name in own} == {ALLOW}
    others = TOOLS.keys() - set(own)
    assert {verdict(name) for name in others} == {ASK}
    assert policy.decide(action(list_mail, {}, endpoint="https://mcp.example"), NOW).verdict is DENY


def test_the_starter_policy_keeps_asking_about_deleting_and_unlocking() -> None:
    text = starter_policy() + rule("allow", effect='["write", "control"]')
    assert decide(text) is ALLOW
    assert decide(text, action(delete_file, {"path": "/a"})) is ASK
    assert decide(text, action(unlock, {"entity": "door"})) is ASK


def test_the_examples_in_the_starter_policy_are_valid() -> None:
    head, examples = starter_policy().split("# Examples to make your own.")
    blocks = [b for b in examples.split("\n#\n") if "[[rule]]" in b]
    live = "\n".join(
        line.removeprefix("# ")
        for block in blocks
        for line in block.splitlines()
        if line.startswith("# ")
    )
    live = live[live.index("[[rule]]") :]
    policy = parse(head + live)
    assert len(policy.rules) == 7

    def verdict(name: str, **arguments: Json) -> Verdict:
        return policy.decide(action(TOOLS[name], arguments), NOW).verdict

    assert verdict("create_event", title="a", start="b") is ALLOW
    home = str(Path.home())
    assert verdict("write_file", path=f"{home}/Documents/project/a", content="") is ALLOW
    assert verdict("write_file", path=f"{home}/Documents/a", content="") is ASK


@pytest.mark.parametrize(
    ("keys", "fits"),
    [
        ({"tool": '"create_event"'}, True),
        ({"tool": '"create_*"'}, True),
        ({"tool": '["x", "*event"]'}, True),
        ({"tool": '"event"'}, False),
        ({"tool": '"Create_Event"'}, False),
        ({"service": '"calendar"'}, True),
        ({"service": '["mail", "notes"]'}, False),
        ({"service": '"none"'}, False),
        ({"effect": '"write"'}, True),
        ({"effect": '["read", "send"]'}, False),
        ({"effect": '"write"', "irreversible": "true"}, False),
        ({"effect": '"write"', "irreversible": "false"}, True),
        ({"effect": '"write"', "when.title": '"dentist"'}, True),
        ({"effect": '"write"', "when.title": '{ is = "dentist" }'}, False),
        ({"effect": '"write"', "when.end": '"*"'}, False),
        ({"effect": '"write"', "destination": '"*"'}, False),
        ({"effect": '"write"', "label": '{ at_most = "user" }'}, True),
        ({"effect": '"write"', "label": '{ at_least = "trusted" }'}, False),
        ({"effect": '"write"', "endpoint": '"local"'}, True),
        ({"effect": '"write"', "endpoint": '"https://*"'}, False),
    ],
)
def test_what_a_rule_speaks_of(keys: dict[str, str], fits: bool) -> None:
    assert decide(rule("allow", **keys)) is (ALLOW if fits else DENY)
    assert decide("[otherwise]\nwrite = 'ask'\n" + rule("deny", **keys)) is (DENY if fits else ASK)


def test_a_value_inside_an_argument_has_a_dotted_name() -> None:
    call = action(create_event, {"title": "x", "start": {"day": "Friday", "at": {"hour": 15}}})
    assert decide(rule("allow", effect='"write"', **{"when.'start.at.hour'": "15"}), call) is ALLOW
    assert decide(rule("allow", effect='"write"', **{"when.'start.at.min'": "15"}), call) is DENY


def test_the_strictest_rule_wins_in_any_order() -> None:
    rules = [rule(verdict, effect='"write"') for verdict in ("allow", "ask", "deny")]
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        assert decide("".join(rules[i] for i in order)) is DENY
    assert decide(rules[0] + rules[1]) is decide(rules[1] + rules[0]) is ASK


def test_a_permission_needs_every_recipient_and_a_restriction_only_one() -> None:
    both = action(send_mail, {"to": ["a@x.org", "b@evil.io"], "subject": "s", "body": "b"})
    one = action(send_mail, {"to": ["a@x.org"], "subject": "s", "body": "b"})
    hidden = action(
        send_mail, {"to": ["a@x.org"], "cc": ["b@evil.io"], "subject": "s", "body": "b"}
    )
    family = rule("allow", tool='"send_mail"', destination='{ domain = "x.org" }')
    assert [decide(family, call) for call in (one, both, hidden)] == [ALLOW, DENY, DENY]
    block = "[otherwise]\nsend = 'ask'\n" + rule("deny", destination='{ domain = "evil.io" }')
    assert [decide(block, call) for call in (one, both, hidden)] == [ASK, DENY, DENY]


def test_what_cannot_be_undone_is_allowed_only_by_its_full_name() -> None:
    call = action(delete_file, {"path": "/tmp/a"})
    assert decide(rule("allow", effect='"write"'), call) is ASK
    assert decide(rule("allow", tool='"delete_*"'), call) is ASK
    assert decide(rule("allow", service='"files"'), call) is ASK
    assert decide(rule("allow", tool='"delete_file"'), call) is ALLOW
    assert decide(rule("allow", tool='["*", "delete_file"]'), call) is ALLOW
    assert decide(rule("allow", effect='"write"') + rule("deny", tool='"*"'), call) is DENY


def test_permissions_are_for_this_machine_unless_they_say_otherwise() -> None:
    call = action(create_event, {"title": "x", "start": "y"}, endpoint="https://mcp.example")
    assert decide(rule("allow", tool='"create_event"'), call) is DENY
    named = rule("allow", tool='"create_event"', endpoint='"https://mcp.example"')
    assert decide(named, call) is ALLOW
    assert decide(named + rule("deny", tool='"create_event"'), call) is DENY
    assert decide(named + rule("ask", tool='"create_event"'), call) is ASK


EVERYTHING = "".join(rule("allow", tool=f'"{name}"') for name in TOOLS)
CALLS: dict[str, dict[str, Json]] = {
    "create_event": {"title": "a", "start": "b"},
    "write_file": {"path": "/a", "content": "b"},
    "send_mail": {"to": ["a"], "subject": "b", "body": "c"},
    "pay": {"payee": "a", "amount": 5},
    "set_light": {"entity": "a", "brightness": 5},
}


@pytest.mark.parametrize("name", CALLS)
def test_text_by_others_is_asked_about_and_never_says_where(name: str) -> None:
    tool, arguments = TOOLS[name], CALLS[name]
    assert decide(EVERYTHING, action(tool, arguments)) is ALLOW
    assert decide(EVERYTHING, action(tool, arguments, control=Source.UNTRUSTED)) is ASK
    for argument in arguments:
        call = action(tool, arguments, {argument: Source.UNTRUSTED})
        expected = DENY if argument in tool.destinations else ASK
        assert decide(EVERYTHING, call) is expected
        assert decide(starter_policy(), call) is expected
        assert f"`{argument}`" in " ".join(parse(EVERYTHING).decide(call, NOW).reasons)
        for source in (Source.TRUSTED, Source.MODEL):
            assert decide(EVERYTHING, action(tool, arguments, {argument: source})) is ALLOW


def test_an_unlabelled_argument_is_untrusted() -> None:
    call = action(send_mail, {"to": ["a"], "subject": "b", "body": "c"}, Labels())
    assert decide(EVERYTHING, call) is DENY
    call = action(write_note, {"title": "a", "text": "b"}, Labels({"title": Source.USER}))
    assert decide(EVERYTHING, call) is ASK


def test_reads_that_leave_the_machine_carry_nothing_out_unasked() -> None:
    query = action(search_web, {"query": "secret"}, {"query": Source.UNTRUSTED})
    page = action(read_page, {"url": "https://evil.example"}, {"url": Source.UNTRUSTED})
    own = action(list_mail, {"folder": "x"}, {"folder": Source.UNTRUSTED})
    far = action(list_mail, {"folder": "x"}, {"folder": Source.UNTRUSTED}, endpoint="https://a.b")
    assert [label_decision(call).verdict for call in (query, page, own, far)] == [
        *(ASK, ASK),
        *(ALLOW, ASK),
    ]
    assert decide(EVERYTHING, action(search_web, {"query": "x"}, control=Source.UNTRUSTED)) is ALLOW


def test_a_grant_answers_an_ask_and_is_named() -> None:
    policy = parse(starter_policy())
    grant = new_grant(EVENT, Answer(True, "conversation"), NOW)
    decision = policy.decide(EVENT, NOW, [grant])
    assert (decision.verdict, decision.rule) == (ALLOW, f"grant:{grant.id}")


def test_a_grant_never_answers_a_denial_nor_for_text_by_others() -> None:
    grant = new_grant(EVENT, Answer(True, "conversation"), NOW)
    arguments = EVENT.call.arguments
    tainted = action(create_event, arguments, {"title": Source.UNTRUSTED})
    chosen = action(create_event, arguments, control=Source.UNTRUSTED)
    for text in (starter_policy(), EVERYTHING):
        policy = parse(text)
        assert policy.decide(tainted, NOW, [grant]).verdict is ASK
        assert policy.decide(chosen, NOW, [grant]).verdict is ASK
    assert parse(rule("deny", tool='"*"')).decide(EVENT, NOW, [grant]).verdict is DENY
    assert parse("").decide(EVENT, NOW, [grant]).verdict is DENY


def test_a_grant_covers_what_cannot_be_undone() -> None:
    call = action(pay, {"payee": "Bob", "amount": 5})
    grant = new_grant(call, Answer(True, "until", until="2026-12-24"), NOW)
    assert parse(starter_policy()).decide(call, NOW, [grant]).verdict is ALLOW


def test_reasons_and_rule_names_are_the_users_own() -> None:
    text = rule("deny", tool='"write_file"', name='"no files"', reason='"I do that myself."')
    decision = parse(text).decide(action(write_file, {"path": "/a"}), NOW)
    assert (decision.reasons, decision.rule) == (("I do that myself.",), "no files")
    decision = parse(rule("ask", tool='"set_light"')).decide(action(set_light, {}), NOW)
    assert decision.reasons == ('Rule "rule 1" asks about set_light.',)
