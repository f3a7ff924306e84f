"""May this call run? ``policy.toml`` read once, then one pure function: ``Policy.decide``.

The answer is the strictest of what applies (``deny`` over ``ask`` over ``allow``):

1. *Rules* of the file. Every rule that matches counts. Where none does, ``[otherwise]`` may say
   ``ask`` for an effect; what it does not name is denied.
2. *Built in, and not to be loosened by any rule.* For calls that change something (``write``,
   ``send``, ``spend``, ``control``): a destination from untrusted content is denied; any other
   argument from it, or the call itself made after reading it, is asked. A read that leaves the
   machine with an argument from untrusted content is asked, since it could carry secrets out.
   What cannot be undone is allowed only by a rule that names the tool in full.
3. *Grants* turn ``ask`` into ``allow``, never a denial, and never a call that untrusted content
   had a part in.

A missing or broken file denies everything, and every decision says why and how to mend it.
Rules permit only on a clear match and restrict on any doubt (see ``conditions``).
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from botpsy.assistant.conditions import Condition, ConditionError, condition, glob, holds
from botpsy.assistant.grants import Grant
from botpsy.assistant.provenance import argument_sources, worst
from botpsy.assistant.types import Action, Decision, Source, Verdict
from botpsy.errors import PolicyError
from botpsy.tools.base import ToolDef

EFFECTS = ("read", "write", "send", "spend", "control")
VERDICTS = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}
LABELS = {source.name.lower(): source for source in Source}
OWN_SERVICES = frozenset(
    {
        *("", "calendar", "contacts", "device", "documents", "files", "home"),
        *("mail", "messages", "notes", "reminders"),
    }
)
"""Reads of these stay with the user; a read of any other service may carry its arguments out."""

RULE_KEYS = (
    *("name", "verdict", "reason", "service", "tool", "effect", "endpoint", "irreversible"),
    *("when", "destination", "label"),
)


@dataclass(frozen=True)
class Rule:
    """One ``[[rule]]``. What is not stated matches everything."""

    name: str
    verdict: Verdict
    reason: str = ""
    services: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    endpoint: str = ""
    irreversible: bool | None = None
    when: Mapping[str, Condition] = field(default_factory=dict)
    destination: Condition | None = None
    at_least: Source = Source.USER
    at_most: Source = Source.UNTRUSTED

    def names(self, tool: str) -> bool:
        """Whether the tool is named in full, not by a pattern."""
        return tool in self.tools

    def about(self, tool: ToolDef) -> bool:
        """Whether calls of this tool can fit the rule at all."""
        return (
            (not self.services or (tool.service or "none") in self.services)
            and (not self.effects or tool.effect in self.effects)
            and (not self.tools or any(_names(name, tool.name) for name in self.tools))
            and not (self.irreversible and tool.effect == "read")
            and not (self.irreversible is False and tool.irreversible)
        )

    def matches(self, action: Action) -> bool:
        """Whether the rule speaks of this call."""
        permit = self.verdict is Verdict.ALLOW
        tool, arguments = action.tool, action.bound.shown
        if not self.about(tool):
            return False
        if self.irreversible is not None and self.irreversible is not action.irreversible:
            return False
        # A permission is for this machine's own tools unless it says where else it holds.
        endpoint = self.endpoint or ("local" if permit else "*")
        if not glob(endpoint)(action.endpoint):
            return False
        if not self.at_least <= worst(action) <= self.at_most:
            return False
        for name, test in self.when.items():
            value = _lookup(arguments, name)
            if value is _ABSENT or not holds(test, value, permit=permit):
                return False
        if self.destination is not None:
            places = [arguments[name] for name in tool.destinations if name in arguments]
            if not holds(self.destination, places, permit=permit):
                return False
        return True


@dataclass(frozen=True)
class Policy:
    """The rules of one home. ``problem`` is set where the file could not be used."""

    rules: tuple[Rule, ...] = ()
    otherwise: Mapping[str, Verdict] = field(default_factory=dict)
    problem: str = ""

    @classmethod
    def load(cls, path: Path) -> Policy:
        """The policy in ``path``; one that denies everything if that cannot be read or is wrong."""
        try:
            return parse(read(path), str(path))
        except PolicyError as error:
            return cls(problem=str(error))

    def decide(self, action: Action, now: datetime, grants: Sequence[Grant] = ()) -> Decision:
        """Allow, ask or deny this call, and say why. Pure; ``now`` dates the grants."""
        if self.problem:
            return Decision(Verdict.DENY, (f"Everything is denied: {self.problem}",), "policy.toml")
        ruled = self._ruled(action)
        labelled = label_decision(action)
        decision = ruled
        if labelled.verdict >= ruled.verdict and labelled.verdict > Verdict.ALLOW:
            again = ruled.reasons if ruled.verdict is labelled.verdict else ()
            decision = Decision(labelled.verdict, (*labelled.reasons, *again), labelled.rule)
        if decision.verdict is not Verdict.ASK or worst(action) is Source.UNTRUSTED:
            return decision
        void: list[str] = []
        for grant in grants:
            covers, problem = grant.check(action, now)
            if covers:
                return Decision(Verdict.ALLOW, (grant.describe(),), f"grant:{grant.id}")
            if problem:
                void.append(problem)
        return Decision(Verdict.ASK, (*decision.reasons, *void), decision.rule)

    def _ruled(self, action: Action) -> Decision:
        tool = action.tool
        matching = [rule for rule in self.rules if rule.matches(action)]
        if not matching:
            verdict = self.otherwise.get(tool.effect, Verdict.DENY)
            if verdict is Verdict.ASK:
                return Decision(
                    verdict, (f"No rule speaks of {tool.name}, so you are asked.",), "otherwise"
                )
            return Decision(
                Verdict.DENY,
                (
                    f"No rule in policy.toml permits {tool.name} ({tool.effect}). "
                    "`botpsy policy add` can add one.",
                ),
                "otherwise",
            )
        strictest = max(rule.verdict for rule in matching)
        deciding = [rule for rule in matching if rule.verdict is strictest]
        if (
            strictest is Verdict.ALLOW
            and action.irreversible
            and not any(rule.names(tool.name) for rule in deciding)
        ):
            return Decision(
                Verdict.ASK,
                (f"{tool.name} cannot be undone, and no rule allows it by its full name.",),
                "irreversible",
            )
        word = {Verdict.ALLOW: "allows", Verdict.ASK: "asks about", Verdict.DENY: "denies"}
        reasons = tuple(
            rule.reason or f'Rule "{rule.name}" {word[strictest]} {tool.name}.' for rule in deciding
        )
        return Decision(strictest, reasons, deciding[0].name)


def label_decision(action: Action) -> Decision:
    """What the origin of the values demands, whatever the rules say."""
    tool = action.tool
    sources = argument_sources(action)
    untrusted = [name for name, source in sources.items() if source is Source.UNTRUSTED]
    if tool.effect == "read":
        leaves = tool.service not in OWN_SERVICES or action.endpoint != "local"
        if untrusted and leaves:
            what = _listed(untrusted)
            reason = f"{what} comes from text by others and would leave this machine."
            return Decision(Verdict.ASK, (reason,), "untrusted")
        return Decision(Verdict.ALLOW)
    places = [name for name in untrusted if name in tool.destinations]
    if places:
        reason = (
            f"{_listed(places)} says where this goes and comes from text by others. "
            "Say yourself where it should go."
        )
        return Decision(Verdict.DENY, (reason,), "untrusted destination")
    reasons = []
    if untrusted:
        reasons.append(f"{_listed(untrusted)} comes from text by others.")
    if action.labels.control is Source.UNTRUSTED:
        reasons.append("The assistant has read text by others in this conversation.")
    return Decision(Verdict.ASK if reasons else Verdict.ALLOW, tuple(reasons), "untrusted")


def read(path: Path) -> str:
    """The text of a policy file.

    Raises:
        PolicyError: it is missing, unreadable, or writable by everyone on this machine.
    """
    try:
        if path.stat().st_mode & 0o002:
            raise PolicyError(
                f"{path} can be written by anyone.", hint=f"Run `chmod o-w {path}` and check it."
            )
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PolicyError(
            f"{path} does not exist.", hint="Run `botpsy policy init` to write a starter policy."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"{path} cannot be read ({error}).",
            hint="Mend the file, or move it away and run `botpsy policy init`.",
        ) from None


def starter_policy() -> str:
    """The policy of a new home: own things are read, all else is asked, nothing more is allowed."""
    return (Path(__file__).parent / "starter_policy.toml").read_text(encoding="utf-8")


@lru_cache(maxsize=4)  # the file is read anew for every call, and rarely differs
def parse(text: str, file: str = "policy.toml", home: str = "") -> Policy:
    """Read a policy. ``home`` stands for ``~`` in conditions; the user's own by default.

    Raises:
        PolicyError: naming file, line and key.
    """
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PolicyError(
            f"{file} is not valid TOML: {error}.", hint="Mend that line; until then all is denied."
        ) from None
    reader = _Reader(text, file, home or str(Path.home()))
    reader.known(document, ("otherwise", "rule"), 0)
    otherwise = document.get("otherwise", {})
    if not isinstance(otherwise, dict):
        raise reader.error("`otherwise` is a table, such as [otherwise]", 0, "otherwise")
    reader.known(otherwise, EFFECTS, 0)
    for effect, verdict in otherwise.items():
        if verdict not in ("ask", "deny"):
            raise reader.error(
                f'`{effect}` is "ask" or "deny" here; to allow something, add a rule', 0, effect
            )
    rules = document.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise reader.error("rules are written as [[rule]]", 0, "rule")
    parsed = [reader.rule(raw, number) for number, raw in enumerate(rules, 1)]
    seen: set[str] = set()
    for number, rule in enumerate(parsed, 1):
        if rule.name in seen:
            raise reader.error(f'a second rule is named "{rule.name}"', number, "name")
        seen.add(rule.name)
    return Policy(tuple(parsed), {effect: VERDICTS[word] for effect, word in otherwise.items()})


@dataclass(frozen=True)
class _Reader:
    """Turns raw tables into rules and complaints into line numbers."""

    text: str
    file: str
    home: str

    def error(self, what: str, rule: int, key: str = "") -> PolicyError:
        place = f"line {self.line(rule, key)}" + (f", rule {rule}" if rule else "")
        return PolicyError(
            f"{self.file}, {place}: {what}.", hint="Mend that line; until then all is denied."
        )

    def line(self, rule: int, key: str) -> int:
        """The line of a key in the ``rule``-th rule (0: outside of rules); its best guess."""
        lines = self.text.splitlines()
        heads = [n for n, line in enumerate(lines, 1) if re.match(r"\s*\[\[\s*rule\s*\]\]", line)]
        start = heads[rule - 1] if 0 < rule <= len(heads) else 1
        end = heads[rule] - 1 if 0 < rule < len(heads) else len(lines)
        named = re.compile(rf"""\s*\[*\s*(when\.)?["']?{re.escape(key)}\b""")
        for number in range(start, end + 1):
            if key and named.match(lines[number - 1]):
                return number
        return start

    def known(self, table: Mapping[str, Any], keys: Sequence[str], rule: int) -> None:
        for key in table:
            if key not in keys:
                close = difflib.get_close_matches(key, keys, 1)
                guess = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(keys)}"
                raise self.error(f"unknown key `{key}` ({guess})", rule, key)

    def rule(self, raw: Mapping[str, Any], number: int) -> Rule:
        self.known(raw, RULE_KEYS, number)
        verdict = raw.get("verdict")
        if not isinstance(verdict, str) or verdict not in VERDICTS:
            raise self.error('`verdict` is "allow", "ask" or "deny"', number, "verdict")
        if verdict == "allow" and not {"service", "tool", "effect"} & set(raw):
            raise self.error("to allow, say what: `service`, `tool` or `effect`", number, "verdict")
        when = raw.get("when", {})
        if not isinstance(when, dict) or ("when" in raw and not when):
            raise self.error("`when` is a table of argument = condition", number, "when")
        label = self.label(raw, number)
        return Rule(
            name=self.word(raw, "name", number, str) or f"rule {number}",
            verdict=VERDICTS[verdict],
            reason=self.word(raw, "reason", number, str) or "",
            services=self.words(raw, "service", number),
            tools=self.words(raw, "tool", number, pattern=True),
            effects=self.words(raw, "effect", number, EFFECTS),
            endpoint=self.word(raw, "endpoint", number, str) or "",
            irreversible=self.word(raw, "irreversible", number, bool),
            when={name: self.condition(value, number, name) for name, value in when.items()},
            destination=self.condition(raw["destination"], number, "destination")
            if "destination" in raw
            else None,
            at_least=LABELS[label.get("at_least", "user")],
            at_most=LABELS[label.get("at_most", "untrusted")],
        )

    def label(self, raw: Mapping[str, Any], number: int) -> Mapping[str, str]:
        label = raw.get("label", {})
        if not isinstance(label, dict) or ("label" in raw and not label):
            raise self.error('`label` is a table, such as {at_most = "model"}', number, "label")
        self.known(label, ("at_least", "at_most"), number)
        for value in label.values():
            if not isinstance(value, str) or value not in LABELS:
                raise self.error(f"a label is one of {', '.join(LABELS)}", number, "label")
        return label

    def condition(self, raw: object, number: int, key: str) -> Condition:
        try:
            return condition(raw, self.home)
        except ConditionError as error:
            raise self.error(f"`{key}`: {error}", number, key) from None

    def word(self, raw: Mapping[str, Any], key: str, number: int, kind: type) -> Any:
        value = raw.get(key)
        if key in raw and (not isinstance(value, kind) or value == ""):
            name = "true or false" if kind is bool else "a text"
            raise self.error(f"`{key}` is {name}", number, key)
        return value

    def words(
        self,
        raw: Mapping[str, Any],
        key: str,
        number: int,
        known: Sequence[str] = (),
        *,
        pattern: bool = False,
    ) -> tuple[str, ...]:
        if key not in raw:
            return ()
        value = raw[key]
        words = value if isinstance(value, list) else [value]
        if not words or not all(isinstance(word, str) and word for word in words):
            raise self.error(f"`{key}` is a text or a list of texts", number, key)
        for word in words:
            if known and word not in known:
                raise self.error(f"`{key}` is one of {', '.join(known)}", number, key)
            if pattern:
                self.condition(word, number, key)
        return tuple(words)


def _names(pattern: str, tool: str) -> bool:
    """Tool names are exact; only a pattern ignores case."""
    return pattern == tool or (("*" in pattern or "?" in pattern) and glob(pattern)(tool))


class _Absent:
    pass


_ABSENT = _Absent()


def _lookup(arguments: Mapping[str, Any], name: str) -> Any:
    """An argument, or a value inside one by a dotted path."""
    if name in arguments:
        return arguments[name]
    value: Any = arguments
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return _ABSENT
        value = value[part]
    return value


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
