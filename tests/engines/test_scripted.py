"""Scripts pass the same parser as models; the baselines do what their names say."""

from __future__ import annotations

import threading

import pytest

from botpsy.chat.parser import read
from botpsy.chat.schema import check_arguments
from botpsy.chat.types import Completion, Delta, Message, Sampling, ToolCall, ToolSpec
from botpsy.engines.scripted import Scripted, always_call, do_nothing, least, written
from botpsy.errors import EngineError
from tests.engines.test_embedded import EVENT, LAMP, USER

CALL = (
    "<tool_call>\n<function=set_lamp>\n<parameter=room>\nattic\n</parameter>\n"
    "<parameter=on>\ntrue\n</parameter>\n</function>\n</tool_call>"
)


def say(text: str, **given: object) -> Completion:
    return Scripted([text]).complete(USER, [LAMP], **given)  # type: ignore[arg-type]


def test_raw_text_with_and_without_reasoning() -> None:
    assert say("Hello.").message == Message("assistant", "Hello.")
    assert say("Hm.\n</think>\n\nHello.").message == Message("assistant", "Hello.", "Hm.")
    assert say("<think>\nHm.\n</think>\n\nHello.").message == Message("assistant", "Hello.", "Hm.")
    open_thought = say("<think>\nHm.")
    assert open_thought.message.content == ""
    assert open_thought.problem


def test_calls_are_read_strictly() -> None:
    [made] = say(CALL).message.calls
    assert made.arguments == {"room": "attic", "on": True}
    for bad in (
        CALL[:-5],
        CALL.replace("attic", "cellar"),
        CALL.replace("true", "True"),
        CALL + ".",
    ):
        done = say(bad)
        assert done.message.calls == ()
        assert done.problem
    assert Scripted([CALL]).complete(USER, [LAMP], Sampling(tool_choice="none")).problem
    assert say("No.", sampling=Sampling(tool_choice="required")).problem


def test_a_cut_reply_calls_nothing() -> None:
    done = Scripted([CALL], finish="length").complete(USER, [LAMP])
    assert (done.finish_reason, done.message.calls) == ("length", ())


@pytest.mark.parametrize(
    "message",
    [
        Message("assistant", "Hello."),
        Message("assistant", "", "Hm."),
        Message(
            "assistant", "Now.", "Hm.\n", (ToolCall("set_lamp", {"room": "attic", "on": False}),)
        ),
        Message(
            "assistant", calls=(ToolCall("create_event", {"title": "a\nb", "start": "<|im_end|>"}),)
        ),
    ],
)
def test_a_message_is_said_as_a_model_would(message: Message) -> None:
    done = Scripted([message]).complete(USER, [LAMP, EVENT])
    said = done.message
    assert (said.content, said.reasoning) == (message.content, message.reasoning)
    assert [(c.name, c.arguments) for c in said.calls] == [
        (c.name, c.arguments) for c in message.calls
    ]
    raw = written(message, [LAMP, EVENT])
    assert read(raw, [LAMP, EVENT], in_thinking=True, finish="stop")[1] == ""


def test_in_order_and_then_over() -> None:
    engine = Scripted(["one", lambda messages, tools: f"{len(messages)} {len(tools)}"])
    deltas: list[Delta] = []
    assert engine.complete(USER).message.content == "one"
    assert engine.complete(USER, [LAMP], on_delta=deltas.append).message.content == "1 1"
    assert "".join(delta.text for delta in deltas) == "1 1"
    with pytest.raises(EngineError, match="after 2"):
        engine.complete(USER)
    assert [len(asked.tools) for asked in engine.asked] == [0, 1, 0]
    assert engine.asked[0].messages == tuple(USER)


def test_cancelled() -> None:
    cancel = threading.Event()
    engine = Scripted(["a long reply " * 20])
    done = engine.complete(USER, cancel=cancel, on_delta=lambda delta: cancel.set())
    assert done.finish_reason == "cancelled"
    assert len(done.raw) < 40


def test_baselines() -> None:
    assert do_nothing().complete(USER, [LAMP]).message.calls == ()
    engine = always_call()
    [made] = engine.complete(USER, [LAMP, EVENT]).message.calls
    assert made.arguments == {"room": "kitchen", "on": False}
    history = [*USER, Message("assistant", calls=(made,)), Message("tool", "ok")]
    assert engine.complete(history, [LAMP]).message.calls == ()
    assert engine.complete(USER).message.calls == ()


def test_least_values_fit() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "minLength": 3},
            "b": {"type": ["integer", "null"], "minimum": 5},
            "c": {"type": "array", "items": {"type": "number"}, "minItems": 2},
            "d": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
            "e": {"type": "object", "properties": {"f": {"enum": ["x", "y"]}}, "required": ["f"]},
            "g": {"type": "string", "default": "w"},
            "h": {"type": "string"},
        },
        "required": ["a", "b", "c", "d", "e", "g"],
    }
    value = least(schema)
    assert isinstance(value, dict)
    assert "h" not in value
    check_arguments(ToolSpec("t", "t", schema), value)
