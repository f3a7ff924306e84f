"""Policy for people: shown as a table, tried on a call, checked, and edited without losing a word.

Edits are made in the text. A rule is added as a block at the end, and removed with the comment
lines that stand directly above it; the rest of the file stays byte for byte. The outcome is parsed
and compared before it replaces the file, so an edit that would do anything else is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from botpsy.assistant.grants import Grant
from botpsy.assistant.policy import Policy, Rule, parse, read
from botpsy.assistant.types import Action, Labels, Source
from botpsy.chat.types import Json, JsonObject, ToolCall
from botpsy.errors import PolicyError, UsageError
from botpsy.services.storage import locked, write_atomically
from botpsy.tools.base import Context, ToolDef

_HEAD = re.compile(r"[ \t]*\[\[[ \t]*rule[ \t]*\]\]")


def rows(policy: Policy) -> list[tuple[str, str, str, str]]:
    """One row for each rule and default: name, verdict, what it is about, under which conditions.

    The texts are the file's own; a terminal must show them through ``visible``.
    """
    table = [
        (rule.name, rule.verdict.name.lower(), _subject(rule), _conditions(rule))
        for rule in policy.rules
    ]
    for effect, verdict in policy.otherwise.items():
        table.append(("otherwise", verdict.name.lower(), effect, "where no rule fits"))
    return [*table, ("otherwise", "deny", "everything else", "")]


def grant_rows(grants: Iterable[Grant]) -> list[tuple[str, str, str, str, str]]:
    """One row for each grant: id, tool, arguments, how long it holds, uses."""
    table = []
    for grant in grants:
        arguments = {
            name: f"like {grant.pattern[name]}" if name in grant.pattern else value
            for name, value in grant.arguments.items()
        }
        span = f"until {grant.until}" if grant.until else "until revoked"
        if grant.conversation:
            span = f"conversation {grant.conversation}, {span}"
        last = f", last {grant.last_used}" if grant.last_used else ""
        text = json.dumps(arguments, ensure_ascii=False)
        table.append((grant.id, grant.tool, text, span, f"{grant.uses}{last}"))
    return table


def add_rule(path: Path, fields: Mapping[str, Any]) -> Rule:
    """Append a rule and return it as read back.

    Raises:
        PolicyError: the file is missing or broken, or the rule is not valid; nothing was changed.
    """
    block = "[[rule]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items())
    with locked(path):
        text = read(path)
        old = parse(text, str(path))
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        new_text = f"{text}{gap}{block}"
        new = parse(new_text, str(path))
        if len(new.rules) != len(old.rules) + 1 or names(new)[:-1] != names(old):
            raise _by_hand(path)
        write_atomically(path, new_text.encode())
    return new.rules[-1]


def remove_rule(path: Path, name: str) -> None:
    """Take out one rule, by its name ("rule 3" for the third, where it has none).

    Raises:
        PolicyError: the file is missing or broken, or its text cannot be edited safely.
        UsageError: there is no such rule.
    """
    with locked(path):
        text = read(path)
        before = names(parse(text, str(path)))
        if name not in before:
            raise UsageError(
                f'There is no rule "{name}".', hint="`botpsy policy show` lists the rules."
            )
        number = before.index(name)
        lines = text.splitlines(keepends=True)
        heads = [n for n, line in enumerate(lines) if _HEAD.match(line)]
        if len(heads) != len(before):
            raise _by_hand(path)
        start = _with_comments(lines, heads[number])
        end = len(lines)
        if number + 1 < len(heads):
            end = _with_comments(lines, heads[number + 1])
        else:
            end = _body_end(lines, heads[number])
        new_text = "".join(lines[:start] + lines[end:])
        # Nameless rules are renumbered by a removal; what counts is what the others say.
        left = [row[1:] for row in rows(parse(text, str(path)))]
        del left[number]
        if [row[1:] for row in rows(parse(new_text, str(path)))] != left:
            raise _by_hand(path)
        write_atomically(path, new_text.encode())


def names(policy: Policy) -> list[str]:
    """The names of the rules, in order."""
    return [rule.name for rule in policy.rules]


def check(policy: Policy, tools: Sequence[ToolDef]) -> list[str]:
    """What looks like a slip: rules that fit no tool, conditions on arguments no tool has."""
    found = [policy.problem] if policy.problem else []
    for rule in policy.rules:
        about = [tool for tool in tools if rule.about(tool)]
        if not about:
            found.append(f'Rule "{rule.name}" fits no tool.')
            continue
        known = {name for tool in about for name in tool.schema["properties"]}
        found += [
            f'Rule "{rule.name}": none of its tools has an argument {name}.'
            for name in rule.when
            if name.split(".")[0] not in known
        ]
        if rule.destination and not any(tool.destinations for tool in about):
            found.append(f'Rule "{rule.name}": none of its tools has a destination.')
    return found


def hypothetical(
    tool: ToolDef,
    pairs: Sequence[str],
    context: Context,
    *,
    source: Source = Source.USER,
    conversation: str = "",
) -> Action:
    """The call that ``botpsy policy test TOOL name=value ...`` is about, all of it from ``source``.

    Raises:
        UsageError: a pair is not name=value.
        SchemaError, ToolError: the arguments do not fit the tool.
    """
    arguments: JsonObject = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"{pair!r} is not name=value.")
        if name in arguments:
            raise UsageError(f"{name} is given twice.")
        arguments[name] = _value(text, tool.schema["properties"].get(name, {}))
    bound = tool.bind(arguments, context)
    control = Source.UNTRUSTED if source is Source.UNTRUSTED else Source.USER
    labels = Labels(dict.fromkeys(arguments, source), control)
    call = ToolCall(tool.name, arguments)
    return Action(context.action_id, tool, call, bound, labels, conversation)


def explain(policy: Policy, action: Action, now: datetime, grants: Sequence[Grant]) -> list[str]:
    """The verdict on a call and every reason, for ``botpsy policy test``."""
    decision = policy.decide(action, now, grants)
    fitting = [rule for rule in policy.rules if rule.matches(action)]
    return [
        f"{decision.verdict.name.lower()}: {action.tool.name}",
        *decision.reasons,
        *(f'fits: rule "{rule.name}" ({rule.verdict.name.lower()})' for rule in fitting),
    ]


def _value(text: str, schema: Mapping[str, Any]) -> Json:
    if schema.get("type") == "string":
        return text
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value


def _subject(rule: Rule) -> str:
    parts = [
        " or ".join(rule.effects),
        "tool " + " or ".join(rule.tools) if rule.tools else "",
        "of " + " or ".join(rule.services) if rule.services else "",
        f"at {rule.endpoint}" if rule.endpoint else "",
        "" if rule.irreversible is None else "can be undone",
    ]
    if rule.irreversible:
        parts[-1] = "cannot be undone"
    return ", ".join(part for part in parts if part) or "everything"


def _conditions(rule: Rule) -> str:
    parts = [f"{name} {test.text}" for name, test in rule.when.items()]
    if rule.destination:
        parts.append(f"destination {rule.destination.text}")
    if rule.at_least > Source.USER:
        parts.append(f"label at least {rule.at_least.name.lower()}")
    if rule.at_most < Source.UNTRUSTED:
        parts.append(f"label at most {rule.at_most.name.lower()}")
    return "; ".join(parts)


def _with_comments(lines: Sequence[str], head: int) -> int:
    """Where a rule's block begins: comments directly above its head belong to it."""
    while head > 0 and lines[head - 1].lstrip().startswith("#"):
        head -= 1
    return head


def _body_end(lines: Sequence[str], head: int) -> int:
    """Where the last rule's block ends: before another table, or before what follows a gap."""
    for number in range(head + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith("[") and not _HEAD.match(line):
            return _with_comments(lines, number)
        if not line and all(
            not rest.strip() or rest.lstrip().startswith("#") for rest in lines[number:]
        ):
            return number + 1
    return len(lines)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    raise PolicyError(f"{value!r} cannot stand in a policy file.")


def _by_hand(path: Path) -> PolicyError:
    return PolicyError(
        f"{path} is written in a way that this edit would damage.", hint="Edit it by hand."
    )
