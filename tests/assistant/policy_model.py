"""What the policy promises, as a small model and properties that any build of it must satisfy.

``Build`` is a set of the modules under test. The real one must satisfy every property; each mutant
(``mutants``) must break at least one. The model restates the rules of the design, not the code.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from botpsy.assistant.types import Action, Answer, Labels, Source, Verdict
from botpsy.chat.types import Json
from botpsy.errors import PolicyError, UsageError
from tests.assistant.security_tools import NOW, TOOLS, action

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
NAMES = ("conditions", "provenance", "grants", "policy")
SETTINGS = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Build:
    conditions: Any
    provenance: Any
    grants: Any
    policy: Any


@contextmanager
def _installed(modules: dict[str, ModuleType]) -> Iterator[None]:
    before = {name: sys.modules[name] for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        sys.modules.update(before)


def build(module: str = "", old: str = "", new: str = "") -> Build:
    """The modules compiled afresh, with ``new`` in place of the one ``old`` in one of them."""
    import botpsy.assistant.policy as real

    folder = Path(real.__file__).parent
    made = {name: ModuleType(f"botpsy.assistant.{name}") for name in NAMES}
    with _installed({made[name].__name__: made[name] for name in NAMES}):
        for name, fresh in made.items():
            path = folder / f"{name}.py"
            source = path.read_text(encoding="utf-8")
            if name == module:
                assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times"
                source = source.replace(old, new)
            fresh.__file__ = str(path)
            exec(compile(source, str(path), "exec"), fresh.__dict__)
    return Build(*made.values())


# Calls and rules of a small universe, where everything collides with everything.

SENDERS: dict[str, dict[str, list[Json]]] = {
    "list_events": {"day": ["today"]},
    "search_web": {"query": ["cake", "secret"]},
    "create_event": {"title": ["a", "b"], "start": ["1"]},
    "write_file": {"path": ["/home/me/a", "/home/me/../etc"], "content": ["a"]},
    "delete_file": {"path": ["/home/me/a"]},
    "send_mail": {
        "to": [["a@x.org"], ["a@x.org", "b@evil.io"], "a@x.org,b@evil.io"],
        "subject": ["a", "b"],
        "body": ["a"],
    },
    "pay": {"payee": ["Bob"], "amount": [5, 50, "5"]},
}
CHANGED = {name: replace(TOOLS[name], description="Changed overnight.") for name in SENDERS}
MATCHERS = [
    *('effect = "read"', 'effect = ["write", "send"]', 'tool = "*"', 'tool = "*_file"'),
    *(f'tool = "{name}"' for name in SENDERS),
    'service = ["calendar", "files", "mail"]',
    'effect = "write"\nwhen.title = "a"',
    'tool = ["pay"]\nwhen.amount = { max = 10 }',
    'tool = ["pay", "x"]\nwhen.amount = { min = 10 }',
    'tool = "send_mail"\ndestination = { domain = "x.org" }',
    'service = "mail"\ndestination = { domain = "evil.io" }',
    'effect = "write"\ndestination = { under = "/home/me" }',
    'effect = ["send", "spend"]\nlabel = { at_most = "user" }',
]


@st.composite
def calls(draw: Any, *, clean: bool = False) -> Action:
    name = draw(st.sampled_from(sorted(SENDERS)))
    arguments = {key: draw(st.sampled_from(values)) for key, values in SENDERS[name].items()}
    sources = st.sampled_from(list(Source)[: 3 if clean else 4])
    labels = {key: draw(sources) for key in arguments}
    tool = draw(st.sampled_from([TOOLS[name], TOOLS[name], CHANGED[name]]))
    return action(
        tool,
        arguments,
        labels,
        control=draw(st.sampled_from([Source.USER, Source.USER if clean else Source.UNTRUSTED])),
        conversation=draw(st.sampled_from(["c1", "c1", "c2"])),
        endpoint=draw(st.sampled_from(["local", "local", "local", "https://far.example"])),
    )


rules = st.tuples(st.sampled_from(["allow", "allow", "ask", "deny"]), st.sampled_from(MATCHERS))


def text_of(some: list[tuple[str, str]], otherwise: str = "") -> str:
    blocks = [f'[[rule]]\nverdict = "{verdict}"\n{matcher}\n' for verdict, matcher in some]
    return (f'[otherwise]\n{otherwise} = "ask"\n' if otherwise else "") + "".join(blocks)


def origins(call: Action) -> dict[str, Source]:
    """What nobody vouched for is untrusted."""
    return {name: call.labels.arguments.get(name, Source.UNTRUSTED) for name in call.bound.shown}


def tainted(call: Action) -> bool:
    return Source.UNTRUSTED in (*origins(call).values(), call.labels.control)


def fits(verdict: str, matcher: str, call: Action) -> bool:
    """The model of one rule."""
    tool, shown = call.tool, call.bound.shown
    permit = verdict == "allow"
    if permit and call.endpoint != "local":
        return False
    first, _, second = matcher.partition("\n")
    key, _, listed = first.partition(" = ")
    words = [word.strip('[]" ') for word in listed.split(",")]
    value = {"effect": tool.effect, "tool": tool.name, "service": tool.service}[key]
    if not any(
        word in (value, "*") or (word == "*_file" and value.endswith("_file")) for word in words
    ):
        return False
    if second == 'when.title = "a"':
        return shown.get("title") == "a"
    if "amount" in second:
        amount = float(str(shown["amount"]))
        return amount <= 10 if "max" in second else amount >= 10
    if "domain" in second:
        to = shown.get("to")
        if to is None:
            return False
        hosts = ["doubt"] if isinstance(to, str) else [str(a).split("@")[1] for a in to]
        wanted = "x.org" if "x.org" in second else "evil.io"
        if permit:
            return all(host == wanted for host in hosts)
        return any(host in (wanted, "doubt") for host in hosts)
    if "under" in second:
        path = str(shown.get("path", ""))
        if not path:
            return False
        return ".." not in path or not permit
    if "label" in second:
        return max((*origins(call).values(), call.labels.control)) is Source.USER
    return True


def expected(some: list[tuple[str, str]], otherwise: str, call: Action, granted: bool) -> Verdict:
    """The model of a decision."""
    tool = call.tool
    matching = [(v, m) for v, m in some if fits(v, m, call)]
    verdicts = {"allow": ALLOW, "ask": ASK, "deny": DENY}
    if matching:
        verdict = max(verdicts[v] for v, _ in matching)
        named = any(f'"{tool.name}"' in m for v, m in matching if v == "allow")
        if verdict is ALLOW and tool.effect != "read" and tool.undo is None and not named:
            verdict = ASK
    else:
        verdict = ASK if otherwise == tool.effect else DENY
    untrusted = [n for n, s in origins(call).items() if s is Source.UNTRUSTED]
    if tool.effect == "read":
        if untrusted and (tool.service == "web" or call.endpoint != "local"):
            verdict = max(verdict, ASK)
    elif any(name in tool.destinations for name in untrusted):
        verdict = DENY
    elif tainted(call):
        verdict = max(verdict, ASK)
    if verdict is ASK and granted and not tainted(call):
        return ALLOW
    return verdict


def every_call() -> list[Action]:
    """Each call of the universe, from here and afar, with each argument of each origin."""
    made = []
    for name, values in SENDERS.items():
        for chosen in product(*values.values()):
            arguments = dict(zip(values, chosen, strict=True))
            made += [
                action(TOOLS[name], arguments, {argument: source}, endpoint=endpoint)
                for argument in arguments
                for source in (Source.USER, Source.MODEL, Source.UNTRUSTED)
                for endpoint in ("local", "https://far.example")
            ]
            made.append(action(TOOLS[name], arguments, control=Source.UNTRUSTED))
            made.append(action(TOOLS[name], arguments, Labels()))
    return made


EVERY_CALL = every_call()


def each_rule(b: Build) -> None:
    """Every rule alone, on every call."""
    for verdict, matcher in product(("allow", "ask", "deny"), MATCHERS):
        one = [(verdict, matcher)]
        policy = b.policy.parse(text_of(one, "send"), home="/home/me")
        for call in EVERY_CALL:
            decision = policy.decide(call, NOW)
            assert decision.verdict is expected(one, "send", call, False), (one, call)
            assert decision.reasons or decision.verdict is ALLOW


def rule_pairs(b: Build) -> None:
    """Two rules: the strictest wins, in any order, and a second one loosens nothing spoken of."""
    some = list(product(("allow", "ask", "deny"), (*MATCHERS[2:4], *MATCHERS[6:9], MATCHERS[-4])))
    clean = [c for c in EVERY_CALL if not tainted(c) and c.endpoint == "local"][::2]
    single = {one: b.policy.parse(text_of([one]), home="/home/me") for one in some}
    for pair in product(some, some):
        policy = b.policy.parse(text_of(list(pair)), home="/home/me")
        for call in clean:
            verdict = policy.decide(call, NOW).verdict
            assert verdict is expected(list(pair), "", call, False), (pair, call)
            before = single[pair[0]].decide(call, NOW).verdict
            assert verdict >= before or not fits(*pair[0], call) or names_it(pair[1], call)


def names_it(one: tuple[str, str], call: Action) -> bool:
    """A rule that names an irreversible tool in full lifts the doubt that a broad one leaves."""
    return one[0] == "allow" and call.tool.irreversible and f'"{call.tool.name}"' in one[1]


def decisions(b: Build) -> None:
    """Any number of rules, any call; and a less trusted value never leads to a milder verdict."""

    @SETTINGS
    @given(st.lists(rules, max_size=4), st.sampled_from(["", "write", "send"]), calls(), st.data())
    def check(some: list[tuple[str, str]], otherwise: str, call: Action, data: Any) -> None:
        policy = b.policy.parse(text_of(some, otherwise), home="/home/me")
        verdict = policy.decide(call, NOW).verdict
        assert verdict is expected(some, otherwise, call, False)
        shuffled = b.policy.parse(text_of(some[::-1], otherwise), home="/home/me")
        assert shuffled.decide(call, NOW).verdict is verdict
        if any("label" in matcher for _, matcher in some):
            return
        name = data.draw(st.sampled_from(sorted(call.bound.shown)))
        worse = {**call.labels.arguments, name: Source.UNTRUSTED}
        dirty = replace(call, labels=replace(call.labels, arguments=worse))
        chosen = replace(call, labels=replace(call.labels, control=Source.UNTRUSTED))
        assert policy.decide(dirty, NOW).verdict >= verdict
        assert policy.decide(chosen, NOW).verdict >= verdict

    check()


def files(b: Build) -> None:
    """No policy, no permission; and the reason names the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.toml"
        call = action(TOOLS["list_events"], {"day": "today"})
        grant = b.grants.new_grant(call, Answer(True, "conversation"), NOW)
        for content in (None, "", "[[rule]", "[[rule]]\nverdict = 'allow'", "\0", "x = 1"):
            if content is not None:
                path.write_text(content)
            decision = b.policy.Policy.load(path).decide(call, NOW, [grant])
            assert decision.verdict is DENY
            assert content == "" or str(path) in decision.reasons[0]
        path.write_text('[[rule]]\nverdict = "allow"\ntool = "*"\n')
        assert b.policy.Policy.load(path).decide(call, NOW).verdict is ALLOW
        path.chmod(0o606)
        assert b.policy.Policy.load(path).decide(call, NOW).verdict is DENY


def covers(
    approved: Action, answer: Answer, given_at: datetime, call: Action, now: datetime
) -> bool:
    """The model of a grant."""
    if answer.grant == "conversation" and (
        call.conversation != approved.conversation or now >= given_at + timedelta(hours=24)
    ):
        return False
    if answer.until and now.date() > datetime.fromisoformat(answer.until).date():
        return False
    if call.tool != approved.tool or call.endpoint != approved.endpoint:
        return False
    shown, before = call.bound.shown, approved.bound.shown
    if shown.keys() != before.keys():
        return False
    return {key for key in shown if repr(shown[key]) != repr(before[key])} <= answer.pattern.keys()


def remembered(b: Build) -> None:
    """Every way of remembering, on every neighbour of what was approved, at every age."""
    for call in EVERY_CALL:
        if tainted(call):
            try:
                b.grants.new_grant(call, Answer(True, "conversation"), NOW)
            except UsageError:
                continue
            raise AssertionError("it was remembered")
    clean = [c for c in EVERY_CALL if not tainted(c) and c.endpoint == "local"]
    approved = [*{repr(c.bound.shown): c for c in clean}.values()]
    day = NOW.date().isoformat()
    for call in approved:
        answers = [Answer(True, "conversation"), Answer(True, "until", until=day)]
        free = next((k for k, v in call.bound.shown.items() if v in ("a", "b")), "")
        if free and free not in call.tool.destinations:
            answers.append(Answer(True, "pattern", pattern={free: "?"}))
        near = [c for c in EVERY_CALL if c.tool.name == call.tool.name]
        near = [c for c in near if Source.MODEL not in c.labels.arguments.values()]
        near += [replace(c, tool=CHANGED[c.tool.name]) for c in near[:3]]
        near += [replace(c, conversation="c2") for c in near]
        near.append(action(TOOLS["read_note"], call.bound.shown))
        ask = '[[rule]]\nverdict = "ask"\ntool = "*"\n'
        policies = [b.policy.parse(ask), b.policy.parse(ask.replace('"ask"', '"deny"'))]
        for answer in answers:
            grant = b.grants.new_grant(call, answer, NOW)
            for other, age in product(near, (0, 15, 24)):
                now = NOW + timedelta(hours=age)
                held = covers(call, answer, NOW, other, now)
                asked, denied = (policy.decide(other, now, [grant]) for policy in policies)
                want = policies[0].decide(other, now).verdict
                if want is ASK and held and not tainted(other):
                    want = ALLOW
                assert asked.verdict is want, (call, answer, other, age)
                assert denied.verdict is DENY
                if asked.verdict is ASK and not tainted(other) and same_place(call, answer, other):
                    told = "no longer holds" in " ".join(asked.reasons)
                    assert told or (other.tool == call.tool and other.endpoint == call.endpoint)


def same_place(approved: Action, answer: Answer, call: Action) -> bool:
    return approved.tool.name == call.tool.name and (
        answer.grant != "conversation" or approved.conversation == call.conversation
    )


class PolicyMachine(RuleBasedStateMachine):
    """A home over time: rules come and go, approvals are given, tools change, days pass."""

    build: Build

    def __init__(self) -> None:
        super().__init__()
        self.rules: list[tuple[str, str]] = []
        self.now = NOW
        self.grants: list[tuple[Any, Action, Answer, datetime]] = []
        self.broken = False
        self.last: tuple[Action, Verdict] | None = None

    def policy(self) -> Any:
        if self.broken:
            return self.build.policy.Policy(problem="policy.toml is gone")
        return self.build.policy.parse(text_of(self.rules, "send"), home="/home/me")

    @rule(extra=rules)
    def add_rule(self, extra: tuple[str, str]) -> None:
        self.rules.append(extra)

    @precondition(lambda self: self.rules)
    @rule(data=st.data())
    def remove_rule(self, data: Any) -> None:
        self.rules.pop(data.draw(st.integers(0, len(self.rules) - 1)))

    @rule(hours=st.sampled_from([1, 25, 24 * 8]))
    def time_passes(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    @rule(broken=st.booleans())
    def file_breaks_or_is_mended(self, broken: bool) -> None:
        self.broken = broken

    @rule(call=calls(clean=True), days=st.integers(0, 7), widen=st.booleans())
    def approve(self, call: Action, days: int, widen: bool) -> None:
        until = (self.now + timedelta(days=days)).date().isoformat() if days else ""
        text = next((k for k, v in call.bound.shown.items() if v in ("a", "b")), "")
        if widen and text:
            answer = Answer(True, "pattern", until=until, pattern={text: "?"})
        elif until:
            answer = Answer(True, "until", until=until)
        else:
            answer = Answer(True, "conversation")
        grant = self.build.grants.new_grant(call, answer, self.now)
        self.grants.append((grant, call, answer, self.now))
        self.judge(call)

    @rule(call=calls())
    def judge(self, call: Action) -> None:
        grants = [grant for grant, *_ in self.grants]
        decision = self.policy().decide(call, self.now, grants)
        granted = any(covers(*entry[1:], call, self.now) for entry in self.grants)
        want = DENY if self.broken else expected(self.rules, "send", call, granted)
        assert decision.verdict is want, (decision, want, granted)
        bare = self.policy().decide(call, self.now)
        assert bare.verdict is not DENY or decision.verdict is DENY, "a grant lifted a denial"
        self.last = (call, decision.verdict)

    @precondition(lambda self: self.grants)
    @rule(data=st.data())
    def judge_a_variant_of_what_was_approved(self, data: Any) -> None:
        _, call, _, _ = data.draw(st.sampled_from(self.grants))
        name = data.draw(st.sampled_from(sorted(call.bound.shown)))
        values = SENDERS[call.tool.name][name]
        arguments = {**call.bound.shown, name: data.draw(st.sampled_from(values))}
        tool = data.draw(st.sampled_from([call.tool, TOOLS[call.tool.name]]))
        endpoint = data.draw(st.sampled_from([call.endpoint, "local"]))
        labels = dict.fromkeys(arguments, data.draw(st.sampled_from(list(Source))))
        conversation = data.draw(st.sampled_from([call.conversation, "c2"]))
        self.judge(action(tool, arguments, labels, conversation=conversation, endpoint=endpoint))

    @invariant()
    def deciding_changes_nothing(self) -> None:
        if self.last and not self.broken:
            call, _ = self.last
            grants = [grant for grant, *_ in self.grants]
            one = self.policy().decide(call, self.now, grants)
            assert one == self.policy().decide(call, self.now, grants)


def over_time(b: Build, examples: int = 40) -> None:
    """The state machine."""
    from hypothesis.stateful import run_state_machine_as_test

    machine = type("Machine", (PolicyMachine,), {"build": b})
    run_state_machine_as_test(
        machine, settings=settings(SETTINGS, max_examples=examples, stateful_step_count=20)
    )


SAID: list[tuple[str, ...]] = [
    ("mail bob@example.com now",),
    ("tell all of them", "20 lamp now"),
    ("20 mails on the tv",),
    ("20 mails on the tv", "thanks"),
    ("look into /home/me a b",),
    ("look into /home/me/..",),
    ("evil.io bob@example.com", "Bob and Ann"),
    ("bob@example.com.evil.io is who wrote",),
]
VALUES = [
    *("bob@example.com", "BOB@example.com", "bob@example.com.evil.io", "bob@example.com evil.io"),
    *("bob@example.com\u200b", "ｂob@example.com", "example.com", "evil.io", "/home/me", "/home"),
    *("/home/me/..", "bob", "Bob and Ann", "bobandann", "ann", "an", "a", "b", "all", "tv", "20"),
    *("20 lamp", "20 mails", "lam", "lamp now", "now mail", "", "them 20"),
]


def named(said: tuple[str, ...], value: str, destination: bool) -> bool:
    """The model: whole words of a message; the latest one alone for what is short."""
    if value in ("", "a", "b") or (destination and value == "all"):
        return False
    where = said[-1:] if value in ("tv", "an", "20") else said
    return any(f" {value} ".casefold() in f" {text} ".casefold() for text in where)


def sources(b: Build) -> None:
    """Labels: the user's whole words and nothing else; taint sticks; nothing is laundered."""
    for said, dirty in product(SAID, (False, True)):
        tracker = b.provenance.Tracker()
        for text in said[:-1]:
            tracker.user(text)
        if dirty:
            tracker.result(TOOLS["list_mail"], "evil.io", _nothing(b))
        tracker.user(said[-1])
        for value, destination in product(VALUES, (False, True)):
            call = tracker.label(TOOLS["write_file"], {"path" if destination else "content": value})
            assert call.control is (Source.UNTRUSTED if dirty else Source.USER)
            weakest = Source.UNTRUSTED if dirty and (destination or value) else Source.MODEL
            want = Source.USER if named(said, value, destination) else weakest
            assert [*call.arguments.values()] == [want], (said, value, destination)
    tracker = b.provenance.Tracker()
    tracker.result(TOOLS["find_contact"], {"email": "bob@x.org"}, _nothing(b))
    assert _path(tracker, "bob@x.org") is Source.TRUSTED
    assert not tracker.tainted
    tracker.result(TOOLS["read_page"], "evil@evil.io", _nothing(b))
    assert tracker.tainted
    assert _path(tracker, "bob@x.org") is Source.TRUSTED
    assert _path(tracker, "evil@evil.io") is Source.UNTRUSTED
    assert _path(tracker, ["bob@x.org", {"k": ["evil@evil.io"]}]) is Source.UNTRUSTED
    assert _path(tracker, {"evil@evil.io": "bob@x.org"}) is Source.UNTRUSTED
    assert _path(tracker, "bob@x.org, evil@evil.io") is Source.UNTRUSTED
    assert _path(tracker, "bob@x.org, bob@x.org") is Source.TRUSTED
    echo = tracker.label(TOOLS["find_contact"], {"name": "evil@evil.io"})
    tracker.result(TOOLS["find_contact"], "evil@evil.io", echo)
    assert _path(tracker, "evil@evil.io") is Source.UNTRUSTED
    note = tracker.label(TOOLS["write_note"], {"title": "x", "text": "e"})
    tracker.result(TOOLS["write_note"], {}, note)
    tracker.result(TOOLS["read_note"], "evil@evil.io", _nothing(b))
    assert _path(tracker, "evil@evil.io") is Source.UNTRUSTED


def _nothing(b: Build) -> Any:
    return b.provenance.Labels()


def _path(tracker: Any, value: Json) -> Source:
    source: Source = tracker.label(TOOLS["write_file"], {"path": value}).arguments["path"]
    return source


PROPERTIES: tuple[Callable[[Build], None], ...] = (
    *(files, each_rule, rule_pairs, remembered, sources, decisions, over_time),
)
FIRST = {"grants": remembered, "provenance": sources}


def caught(b: Build, module: str) -> str:
    """The first property that the build breaks; "" for none."""
    for check in sorted(PROPERTIES, key=lambda check: check is not FIRST.get(module)):
        try:
            check(b)
        except (AssertionError, PolicyError, UsageError) as error:
            return f"{check.__name__}: {type(error).__name__}"
        except BaseExceptionGroup:
            return check.__name__
    return ""
