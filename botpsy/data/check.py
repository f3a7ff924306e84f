"""What every row must hold before it is written, whoever made it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from botpsy.chat.formats import ChatFormat
from botpsy.chat.parser import read
from botpsy.chat.schema import check_arguments, gate
from botpsy.chat.types import Message, ToolSpec
from botpsy.data.types import Row, UnusableError
from botpsy.errors import SchemaError


def check_row(row: Row, chat: ChatFormat) -> None:
    """Hold a row against the rules.

    Turns alternate as a model meets them; every call names a tool on offer, fits its schema and has
    its own result next; a conversation ends with an answer; and each of the assistant's turns
    parses back from its rendering to the very same message, with the strict parser.

    Raises:
        UnusableError: it breaks one of them.
    """
    refused = gate(row.tools).refused
    if refused:
        raise UnusableError(f"schema refused: {refused[0].reason}")
    specs = {tool.name: tool for tool in row.tools}
    _turns(row)
    for message in row.messages:
        if message.role != "assistant":
            continue
        for call in message.calls:
            if call.name not in specs:
                raise UnusableError("a call of a tool that is not offered")
            try:
                check_arguments(specs[call.name], call.arguments)
            except SchemaError as error:
                raise UnusableError("a call does not fit its schema", str(error)) from None
        _parses_back(message, row.tools, chat)


def _turns(row: Row) -> None:
    """Raise UnusableError where the order of turns is broken."""
    before = "system"
    waiting: list[str] = []
    for n, message in enumerate(row.messages):
        if n and message.role == "system":
            raise UnusableError("a system turn that is not the first")
        if message.role == "tool":
            if not waiting or message.call_id != waiting.pop(0):
                raise UnusableError("a result without its call")
        elif waiting:
            raise UnusableError("a call without its result")
        if message.role == "user" and before == "user":
            raise UnusableError("two user turns in a row")
        if message.role == "assistant" and before in ("system", "assistant"):
            raise UnusableError("an assistant turn that answers nothing")
        if message.role == "assistant" and not (message.content or message.calls):
            raise UnusableError("an empty assistant turn")
        if message.role != "assistant" and not message.content.strip() and message.role != "system":
            raise UnusableError(f"an empty {message.role} turn")
        waiting += [call.id for call in message.calls]
        if len(set(waiting)) != len(waiting):
            raise UnusableError("two calls with one id")
        before = message.role
    if row.is_task and (before not in ("user", "tool") or waiting):
        raise UnusableError("a task that does not end with the user")
    if not row.is_task and (before != "assistant" or waiting):
        raise UnusableError("a conversation that does not end with an answer")


def _parses_back(message: Message, tools: Sequence[ToolSpec], chat: ChatFormat) -> None:
    back, problem = read(chat.reply(message, tools), tools, in_thinking=True, finish="stop")
    if problem:
        raise UnusableError("a reply does not parse back", problem)
    same = [(call.name, json.dumps(call.arguments)) for call in back.calls] == [
        (call.name, json.dumps(call.arguments)) for call in message.calls
    ]
    if not same or back.content != message.content or back.reasoning != message.reasoning:
        raise UnusableError("a reply parses back as another")
