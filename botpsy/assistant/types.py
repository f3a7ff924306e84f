"""What the rooms of the assistant hand to one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, Protocol

from botpsy.chat.types import Json, JsonObject, ToolCall
from botpsy.tools.base import Bound, ToolDef


class Source(IntEnum):
    """Where a value comes from; the larger, the less it is trusted. Join is ``max``."""

    USER = 0
    """The user's own words."""
    TRUSTED = 1
    """A trusted store's output, a default, or a value resolved from either."""
    MODEL = 2
    """The model's own wording, nothing untrusted having been read."""
    UNTRUSTED = 3
    """Text by others, or the model's wording after it has read such text."""


class Verdict(IntEnum):
    """The policy's answer; the strictest wins. Join is ``max``."""

    ALLOW = 0
    ASK = 1
    DENY = 2


@dataclass(frozen=True, slots=True)
class Labels:
    """Provenance of one call.

    ``arguments`` maps each parameter to its source; ``control`` says whether untrusted text was in
    view when the model chose to make the call at all.
    """

    arguments: Mapping[str, Source] = field(default_factory=dict)
    control: Source = Source.USER


@dataclass(frozen=True, slots=True)
class Action:
    """A call that is ready to be judged: what would run, exactly.

    ``undoable`` is what the call itself says; None where only its tool is known.
    """

    id: str
    tool: ToolDef
    call: ToolCall
    bound: Bound
    labels: Labels
    conversation: str = ""
    endpoint: str = "local"
    undoable: bool | None = None

    @property
    def irreversible(self) -> bool:
        """This very call cannot be undone (a non-refundable ticket of a tool that has an undo)."""
        if self.undoable is None:
            return self.tool.irreversible
        return self.tool.effect != "read" and not self.undoable


@dataclass(frozen=True, slots=True)
class Decision:
    """The policy's answer, with the reasons in words that a user understands."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()
    rule: str = ""


GrantScope = Literal["once", "conversation", "until", "pattern"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the approver said. ``grant`` asks the policy to remember it, as narrowly as stated."""

    approved: bool
    grant: GrantScope = "once"
    until: str = ""
    pattern: Mapping[str, str] = field(default_factory=dict)
    by: str = "user"


class Approver(Protocol):
    """Asks a person. Absence of an approver means deny."""

    def ask(self, action: Action, decision: Decision) -> Answer: ...


Status = Literal["done", "failed", "denied", "invalid", "dry-run", "unknown", "undone"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one call."""

    id: str
    tool: str
    arguments: JsonObject
    decision: str
    status: Status
    result: Json = None
    error: str = ""
    undo: str = ""
