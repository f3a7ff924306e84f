"""What data is made of: rows that teach by example, and rows that are tasks to be verified.

One type for both, one JSON object a line on disk. ``messages`` and ``tools`` are stored as JSON
texts, so that a table library reads them as strings and cannot fill absent arguments with nulls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from botpsy.chat.types import JsonObject, Message, ToolCall, ToolSpec
from botpsy.errors import BotpsyError, ConfigError


class MissingDataError(ConfigError):
    """A corpus or package that a recipe names is not there; says which file, whose licence, and
    where it is to be had. The other sources still build."""


class UnusableError(BotpsyError):
    """An item of a source makes no row; the message is a short reason that is counted
    ("value not in the request")."""


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation that ends with the assistant, or one task that ends before it.

    Attributes:
        id: unique in all data: ``source/item``, with what was changed.
        messages, tools: as the model sees them. All that the assistant says is to be learnt.
        source, licence: where it is from, and its licence's SPDX name.
        domain, kind, difficulty: as in ``botpsy.worlds.scenario``; a corpus maps its own onto them.
        seed: what all chance in it was drawn from.
        group: what must not be split between training and validation (a family, a service).
        proof: the check that the row passed: ``world: gold``, ``schema``, ``verifier: choice``.
        changes: augmentations, in the order they were made.
        verifier, reference: of a task: a name in ``botpsy.rewards.VERIFIERS`` or ``world``,
            and what it compares with. Empty for a conversation.
        without: argument -> the first request worded without its value, where the source knows.
            For augmentation only; not stored.
    """

    id: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    source: str
    licence: str
    domain: str
    kind: str
    difficulty: str
    seed: int
    group: str
    proof: str
    changes: tuple[str, ...] = ()
    verifier: str = ""
    reference: JsonObject = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_task(self) -> bool:
        """Judged by a verifier, with nothing to imitate."""
        return bool(self.verifier)

    def to_json(self) -> dict[str, Any]:
        """Flat columns of strings, numbers and one list."""
        stored = {each.name: getattr(self, each.name) for each in fields(self)}
        del stored["without"]
        return stored | {
            "messages": dump([message_json(message) for message in self.messages]),
            "tools": dump([tool_json(tool) for tool in self.tools]),
            "changes": list(self.changes),
            "reference": dump(self.reference),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Row:
        """The row that ``to_json`` gave.

        Raises:
            ConfigError: it is no such thing.
        """
        try:
            known = {each.name: stored[each.name] for each in fields(cls) if each.name != "without"}
            messages = json.loads(known["messages"])
            tools = json.loads(known["tools"])
            return cls(
                **known
                | {
                    "messages": tuple(map(message_of, messages)),
                    "tools": tuple(ToolSpec(**tool) for tool in tools),
                    "changes": tuple(known["changes"]),
                    "reference": json.loads(known["reference"]),
                }
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(
                f"This is no row of data: {type(error).__name__}: {error}.",
                "Rows are written by `botpsy data build`.",
            ) from None


def dump(value: Any) -> str:
    """JSON in one canonical form but for the order of names, which is kept."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def message_json(message: Message) -> JsonObject:
    """A message with only the fields it has."""
    made: JsonObject = {"role": message.role, "content": message.content}
    if message.reasoning:
        made["reasoning"] = message.reasoning
    if message.calls:
        made["calls"] = [
            {"name": call.name, "arguments": call.arguments, "id": call.id}
            for call in message.calls
        ]
    if message.role == "tool":
        made |= {"call_id": message.call_id, "name": message.name}
    return made


def message_of(stored: Mapping[str, Any]) -> Message:
    """The message that ``message_json`` gave."""
    calls: Sequence[Any] = stored.get("calls", ())
    return Message(
        stored["role"],
        stored["content"],
        stored.get("reasoning", ""),
        tuple(ToolCall(call["name"], call["arguments"], call["id"]) for call in calls),
        stored.get("call_id", ""),
        stored.get("name", ""),
    )


def tool_json(tool: ToolSpec) -> JsonObject:
    """A tool's three parts."""
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
