"""Tasks out of conversations: what is to be called next, or that nothing is.

A conversation is cut before one of the assistant's decisions: a turn that calls, or that answers
the user without a call (asks, declines, or simply knows). Answers that only put a result into words
are none. The verifier is ``tool_call``, and values count word for word: so this is for sources
whose values stand in the request, not for those where the model writes freely.
"""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

from botpsy.data.types import Row, UnusableError, tool_json
from botpsy.errors import ConfigError, UsageError
from botpsy.rewards import tool_call


def call_task(row: Row) -> Row:
    """The task in a conversation; which of its decisions, its id says.

    Raises:
        ConfigError: it is a task already.
        UnusableError: no tools are offered, or the verifier cannot judge it.
    """
    if row.is_task:
        raise ConfigError(f"as_calls: {row.source} makes tasks already.", "Leave it out there.")
    if not row.tools:
        raise UnusableError("no tools to choose from")
    decisions = [
        n
        for n, message in enumerate(row.messages)
        if message.role == "assistant" and (message.calls or row.messages[n - 1].role == "user")
    ]
    at = decisions[crc32(row.id.encode()) % len(decisions)]
    calls = row.messages[at].calls
    made = replace(
        row,
        messages=row.messages[:at],
        verifier="tool_call",
        reference={
            "tools": [tool_json(tool) for tool in row.tools],
            "calls": [{"name": call.name, "arguments": call.arguments} for call in calls],
        },
    )
    try:
        tool_call.prepare(made.reference)
    except UsageError as error:
        raise UnusableError("calls that the verifier cannot judge", str(error)) from None
    return made
