"""What an audit needs to know of one row, and no more: 20,000 rows fit in memory as facts.

A worker turns stored rows into facts; comparing rows with each other and with benchmarks is done
afterwards, on facts alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from botpsy.chat.formats import Tokenizer, chat_format
from botpsy.chat.tokens import Characters, tokenizer_of
from botpsy.chat.types import ToolSpec
from botpsy.chat.wire import properties_of
from botpsy.data.audit.grounding import Grounding, ground
from botpsy.data.audit.masks import look
from botpsy.data.audit.words import Hashes, shingles
from botpsy.data.check import check_row
from botpsy.data.types import Row, UnusableError, dump
from botpsy.worlds.scenario import DECLINING

SHINGLE = 3
"""Words in a run, for near-duplicates: requests of ten words have a handful, and one changed word
of them already tells two requests apart."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as rows offer it."""

    name: str
    description: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """One row, looked at.

    Attributes:
        kept: it is in a file of validation rows.
        size, learnt: in tokens, or characters where no tokenizer was given.
        mask, schema: what is wrong; empty if nothing is.
        texts: what the system and the user say, in order.
        shingles: of the user's turns and the calls.
        tools: keys of the tools offered, into the table that came with the facts.
    """

    id: str
    source: str
    domain: str
    kind: str
    group: str
    kept: bool
    is_task: bool
    changes: tuple[str, ...]
    size: int
    learnt: int
    mask: str
    schema: str
    no_call: bool
    asks: bool
    declines: bool
    grounding: Grounding | None
    texts: tuple[str, ...]
    shingles: Hashes
    tools: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """Facts of some rows, and the tools that they offer."""

    facts: list[Facts]
    tools: dict[bytes, Tool]


def look_at(
    stored: Sequence[Mapping[str, Any]], kept: bool, format_name: str, tokenizer: Path | None
) -> Looked:
    """Facts of stored rows.

    Raises:
        ConfigError: one of them is no row.
    """
    tools: dict[bytes, Tool] = {}
    return Looked(
        [_look(Row.from_json(each), kept, format_name, tokenizer, tools) for each in stored], tools
    )


def _look(
    row: Row, kept: bool, format_name: str, tokenizer: Path | None, tools: dict[bytes, Tool]
) -> Facts:
    chat = chat_format(format_name)
    try:
        check_row(row, chat)
        schema = ""
    except UnusableError as error:
        schema = str(error)
    seen = look(row, chat, _tokens(tokenizer, chat.specials))
    offered = []
    for spec in row.tools:
        key = _key(spec)
        if key not in tools:
            tools[key] = Tool(spec.name, spec.description, tuple(properties_of(spec)))
        offered.append(key)
    calls = [call for message in row.messages for call in message.calls]
    said = [message.content for message in row.messages if message.role == "user"]
    return Facts(
        row.id,
        row.source,
        row.domain,
        row.kind,
        row.group,
        kept,
        row.is_task,
        row.changes,
        seen.tokens,
        seen.learnt,
        seen.problem,
        schema,
        no_call=not calls,
        asks=_asks(row),
        declines=_declines(row),
        grounding=None if schema else ground(row),
        texts=tuple(each.content for each in row.messages if each.role in ("system", "user")),
        shingles=shingles(
            [*said, *(f"{call.name} {dump(call.arguments)}" for call in calls)], SHINGLE
        ),
        tools=tuple(offered),
    )


def _asks(row: Row) -> bool:
    """A turn of the assistant is a question to the user."""
    return any(
        message.role == "assistant" and not message.calls and message.content.rstrip().endswith("?")
        for message in row.messages
    )


def _declines(row: Row) -> bool:
    """The last request is answered by saying that it cannot or must not be done."""
    if row.kind not in DECLINING:
        return False
    last = max((n for n, each in enumerate(row.messages) if each.role == "user"), default=0)
    return not any(message.calls for message in row.messages[last:])


def _key(spec: ToolSpec) -> bytes:
    text = json.dumps([spec.name, spec.description, spec.parameters])
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


@cache
def _tokens(path: Path | None, specials: tuple[str, ...]) -> Tokenizer:
    return tokenizer_of(path) if path else Characters(specials)
