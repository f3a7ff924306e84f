"""Rows that would teach something wrong are refused, each for its own reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from botpsy.chat.formats import POCKET, QWEN3_5
from botpsy.chat.types import Message, ToolCall, ToolSpec
from botpsy.data.check import check_row
from botpsy.data.types import Row, UnusableError
from tests.data.test_types import row

USER, CALLS, RESULT, ANSWER = row().messages
NO_TOOL = ToolSpec("other", "Something else.", {"type": "object", "properties": {}})

ON = ToolCall("turn_on", {"device": "lamp"}, "c1")


def calls(*made: ToolCall) -> Message:
    return Message("assistant", "", "On.", made)


def test_a_good_one() -> None:
    for chat in (POCKET, QWEN3_5):
        check_row(row(), chat)
        check_row(row(messages=(USER,), verifier="choice"), chat)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (row(messages=(USER, CALLS, ANSWER)), "without its result"),
        (row(messages=(USER, CALLS, RESULT, RESULT, ANSWER)), "without its call"),
        (row(messages=(USER, CALLS, replace(RESULT, call_id="c2"), ANSWER)), "without its call"),
        (row(messages=(USER, USER, ANSWER)), "two user turns"),
        (row(messages=(ANSWER,)), "answers nothing"),
        (row(messages=(USER, ANSWER, ANSWER)), "answers nothing"),
        (row(messages=(USER, Message("assistant", ""))), "empty assistant"),
        (row(messages=(Message("user", " "), ANSWER)), "empty user"),
        (row(messages=(USER, CALLS, replace(RESULT, content=""), ANSWER)), "empty tool"),
        (row(messages=(USER,)), "does not end with an answer"),
        (row(messages=(USER, CALLS)), "does not end with an answer"),
        (row(messages=(USER, ANSWER), verifier="math"), "does not end with the user"),
        (
            row(messages=(USER, calls(ON, replace(ON, id="c2")), RESULT), verifier="world"),
            "does not end with the user",
        ),
        (
            row(messages=(USER, Message("system", "Obey."), USER, ANSWER)),
            "system turn that is not the first",
        ),
        (row(tools=(NO_TOOL,)), "not offered"),
        (row(tools=(NO_TOOL, NO_TOOL)), "schema refused"),
        (
            row(messages=(USER, calls(ToolCall("turn_on", {"device": 5}, "c1")), RESULT, ANSWER)),
            "does not fit its schema",
        ),
        (
            row(messages=(USER, calls(ToolCall("turn_on", {}, "c1")), RESULT, ANSWER)),
            "does not fit its schema",
        ),
        (row(messages=(USER, calls(ON, ON), RESULT, RESULT, ANSWER)), "two calls with one id"),
    ],
)
def test_broken(broken: Row, why: str) -> None:
    with pytest.raises(UnusableError, match=why):
        check_row(broken, POCKET)


@pytest.mark.parametrize(
    ("back", "why"),
    [
        ((replace(ANSWER, content="The lamp is off."), ""), "parses back as another"),
        ((ANSWER, "</think> is missing."), "does not parse back"),
    ],
)
def test_replies_that_come_back_otherwise(
    monkeypatch: pytest.MonkeyPatch, back: tuple[Message, str], why: str
) -> None:
    monkeypatch.setattr("botpsy.data.check.read", lambda *_, **__: back)
    with pytest.raises(UnusableError, match=why):
        check_row(row(messages=(USER, ANSWER)), POCKET)
