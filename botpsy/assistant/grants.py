"""Approvals that are remembered, exactly as narrowly as they were given.

A grant is bound to the tool's fingerprint and endpoint and to the resolved arguments of the call
that was approved; the approver may widen single arguments by a pattern, and nothing else widens
it. It holds for a conversation (and at most a day), until a date, or, with a pattern and no date,
until revoked. "Once" is never stored. A changed tool, another endpoint or a passed date voids it.

``GrantStore`` keeps them in one JSON file of the home: locked, replaced atomically, readable by
the user alone. A damaged file means no grants; ``problem`` says so.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from botpsy.assistant.conditions import ConditionError, condition, holds
from botpsy.assistant.ledger import canonical
from botpsy.assistant.provenance import worst
from botpsy.assistant.types import Action, Answer, Source
from botpsy.chat.types import JsonObject
from botpsy.errors import UsageError
from botpsy.services.storage import explained, locked, write_atomically

CONVERSATION_LIFETIME = timedelta(hours=24)


def action_digest(action: Action) -> str:
    """sha256 of what would run: tool definition, endpoint and resolved arguments.

    An approval is for this digest; the executor compares it again right before running.
    """
    text = canonical([action.tool.fingerprint, action.endpoint, action.bound.shown])
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Grant:
    """One remembered approval. Times are ISO 8601 with a zone; ``until`` is empty for no end."""

    id: str
    tool: str
    fingerprint: str
    endpoint: str
    arguments: JsonObject
    created: str
    conversation: str = ""
    until: str = ""
    pattern: Mapping[str, str] = field(default_factory=dict)
    by: str = "user"
    uses: int = 0
    last_used: str = ""

    def check(self, action: Action, now: datetime) -> tuple[bool, str]:
        """Whether this covers the call, and if it would but is void, why."""
        if self.tool != action.tool.name:
            return False, ""
        if self.conversation and self.conversation != action.conversation:
            return False, ""
        if self.endpoint != action.endpoint:
            return False, self._void(f"it was given for {self.endpoint}, not {action.endpoint}")
        if self.fingerprint != action.tool.fingerprint:
            return False, self._void("the tool's definition has changed since")
        if not self._fits(action.bound.shown):
            return False, ""
        if self.until and now >= datetime.fromisoformat(self.until):
            return False, self._void(f"it ran out on {self.until}")
        return True, ""

    def describe(self) -> str:
        """What was approved, for people."""
        span = "in this conversation" if self.conversation else ""
        span = span or (f"until {self.until}" if self.until else "until you revoke it")
        what = "calls of this pattern" if self.pattern else "exactly this"
        return f"You approved {what} on {self.created[:10]}, {span} (grant {self.id})."

    def _void(self, why: str) -> str:
        return f"Your earlier approval {self.id} no longer holds: {why}."

    def _fits(self, shown: JsonObject) -> bool:
        if shown.keys() != self.arguments.keys():
            return False
        exact = {name: value for name, value in shown.items() if name not in self.pattern}
        approved = {name: self.arguments[name] for name in exact}
        return canonical(exact) == canonical(approved) and all(
            holds(condition(pattern, ""), shown[name], permit=True)
            for name, pattern in self.pattern.items()
        )


class GrantStore:
    """The grants of one home, in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._seen: tuple[int, int, int] | None = None
        self._grants: tuple[Grant, ...] = ()

    def all(self) -> tuple[Grant, ...]:
        """Every grant, the void ones too; none, and ``problem`` set, where the file is damaged."""
        try:
            stat = self.path.stat()
        except OSError:
            self._seen, self._grants, self.problem = None, (), ""
            return ()
        seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if seen != self._seen:
            self._seen = seen
            self._grants, self.problem = _read(self.path, stat.st_mode)
        return self._grants

    def remember(self, action: Action, answer: Answer, now: datetime) -> Grant | None:
        """Keep an approval; None for "once".

        Raises:
            UsageError: it would be wider than what was shown, is undated where it must not be, or
                is about a call that untrusted content had a part in.
        """
        if not answer.approved or answer.grant == "once":
            return None
        grant = new_grant(action, answer, now)
        self._change(lambda grants: [*_current(grants, now), grant])
        return grant

    def used(self, grant_id: str, now: datetime) -> None:
        """Count one use."""

        def count(grants: list[Grant]) -> list[Grant]:
            return [
                replace(grant, uses=grant.uses + 1, last_used=now.isoformat(timespec="seconds"))
                if grant.id == grant_id
                else grant
                for grant in grants
            ]

        self._change(count)

    def revoke(self, grant_id: str) -> None:
        """Forget a grant.

        Raises:
            UsageError: there is none by that id.
        """
        if all(grant.id != grant_id for grant in self.all()):
            raise UsageError(
                f"There is no grant {grant_id}.", hint="`botpsy policy grants` lists them."
            )
        self._change(lambda grants: [grant for grant in grants if grant.id != grant_id])

    def _change(self, edit: Callable[[list[Grant]], list[Grant]]) -> None:
        with explained(f"{self.path} cannot be written"), locked(self.path):
            self._seen = None
            grants = list(self.all())
            if self.problem:  # never overwrite what cannot be read
                self.path.replace(self.path.with_name(self.path.name + ".broken"))
            text = json.dumps(
                {"version": 1, "grants": [asdict(grant) for grant in edit(grants)]}, indent=1
            )
            write_atomically(self.path, text.encode())
            self._seen = None


def new_grant(action: Action, answer: Answer, now: datetime) -> Grant:
    """The grant that an answer asks for.

    Raises:
        UsageError: see ``GrantStore.remember``.
    """
    if worst(action) is Source.UNTRUSTED:
        raise UsageError(
            "An approval cannot be remembered for a call that text by others had a part in.",
            hint="Approve it once.",
        )
    if answer.grant == "conversation" and not action.conversation:
        raise UsageError("There is no conversation to remember this approval in.")
    if answer.grant == "until" and not answer.until:
        raise UsageError("Until when the approval holds must be said.")
    if answer.pattern and answer.grant != "pattern":
        raise UsageError("Only a pattern grant has a pattern.")
    if answer.grant == "pattern":
        _check_pattern(action, answer.pattern)
    until = parse_until(answer.until, now) if answer.until else ""
    if answer.grant == "conversation":
        limit = (now + CONVERSATION_LIFETIME).isoformat(timespec="seconds")
        until = min((until or limit, limit), key=datetime.fromisoformat)
    return Grant(
        id=secrets.token_hex(4),
        tool=action.tool.name,
        fingerprint=action.tool.fingerprint,
        endpoint=action.endpoint,
        arguments=json.loads(json.dumps(action.bound.shown)),
        created=now.isoformat(timespec="seconds"),
        conversation=action.conversation if answer.grant == "conversation" else "",
        until=until,
        pattern=dict(answer.pattern),
        by=answer.by,
    )


def parse_until(text: str, now: datetime) -> str:
    """An ISO date (its whole day counts) or time, as a zoned ISO time in the future.

    Raises:
        UsageError: it is neither, or has passed.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is not a date.", hint="Write it as 2030-12-31 or 2030-12-31T18:00."
        ) from None
    if len(text) <= len("2030-12-31"):
        moment = datetime.combine(moment.date() + timedelta(days=1), time())
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    if moment <= now:
        raise UsageError(f"{text} has already passed.")
    return moment.isoformat(timespec="seconds")


def _check_pattern(action: Action, pattern: Mapping[str, str]) -> None:
    if not pattern:
        raise UsageError("A pattern grant says which argument may vary, and how.")
    for name, text in pattern.items():
        if name not in action.bound.shown:
            raise UsageError(f"{action.tool.name} has no argument {name} in this call.")
        try:
            test = condition(text, "")
        except ConditionError as error:
            raise UsageError(f"{name}: {error}.") from None
        if not holds(test, action.bound.shown[name], permit=True):
            raise UsageError(f"The pattern for {name} does not fit the call that was shown.")
        if name in action.tool.destinations and not text.strip("*? "):
            raise UsageError(
                f"A pattern for {name} must say something of where it goes.",
                hint='For example "*@example.org".',
            )


def _current(grants: list[Grant], now: datetime) -> list[Grant]:
    """Without those that ran out over a month ago; until then they explain themselves."""
    month = timedelta(days=30)
    return [g for g in grants if not g.until or datetime.fromisoformat(g.until) + month > now]


def _read(path: Path, mode: int) -> tuple[tuple[Grant, ...], str]:
    if mode & 0o002:
        return (), f"{path} can be written by anyone, so no approval in it counts."
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["version"] == 1, "unknown version"
        return tuple(_grant(raw) for raw in document["grants"]), ""
    except (OSError, ValueError, KeyError, TypeError, RecursionError, AssertionError) as error:
        return (), f"{path} is damaged ({error}), so no approval in it counts."


def _grant(raw: dict[str, Any]) -> Grant:
    kinds = {"arguments": dict, "pattern": dict, "uses": int}
    for entry in fields(Grant):
        if not isinstance(raw[entry.name], kinds.get(entry.name, str)):
            raise ValueError(f"{entry.name} has the wrong type")  # noqa: TRY004
    if not all(isinstance(text, str) for text in raw["pattern"].values()):
        raise ValueError("pattern has the wrong type")
    for text in raw["pattern"].values():
        condition(text, "")
    if not raw["pattern"].keys() <= raw["arguments"].keys():
        raise ValueError("pattern speaks of an unknown argument")
    for moment in (raw["created"], raw["until"] or raw["created"]):
        if datetime.fromisoformat(moment).tzinfo is None:
            raise ValueError("a time has no zone")
    return Grant(**raw)
