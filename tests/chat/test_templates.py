"""The Jinja templates that ship with weights say the same as the code, byte for byte."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Template, TemplateError

from botpsy.chat.escape import JOINER, TAGS
from botpsy.chat.foreign import template_environment
from botpsy.chat.formats import POCKET, QWEN3_5, ChatFormat, openai_tool
from botpsy.chat.types import Message, ToolCall, ToolSpec

from .strategies import conversations, quick

FORMS = [QWEN3_5, POCKET]
TEMPLATES = {form.name: template_environment().from_string(form.template) for form in FORMS}


def openai_message(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.reasoning:
        found["reasoning_content"] = message.reasoning
    if message.calls:
        found["tool_calls"] = [
            {
                "id": f"call_{n}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for n, call in enumerate(message.calls)
        ]
    return found


def rendered(form: ChatFormat, messages: list[Any], tools: list[Any], **options: Any) -> str:
    template: Template = TEMPLATES[form.name]
    return template.render(messages=messages, tools=tools or None, **options)


@quick
@given(conversations(), st.sampled_from(FORMS), st.booleans(), st.booleans())
def test_the_same_text(
    conversation: tuple[list[Message], list[ToolSpec]],
    form: ChatFormat,
    prompt: bool,
    thinking: bool,
) -> None:
    messages, tools = conversation
    text = rendered(
        form,
        [openai_message(message) for message in messages],
        [openai_tool(spec) for spec in tools],
        add_generation_prompt=prompt,
        enable_thinking=thinking,
    )
    assert text == form.render(messages, tools, add_generation_prompt=prompt, thinking=thinking)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_what_chat_apis_leave_out_or_vary(form: ChatFormat) -> None:
    call = {"name": "f", "arguments": {"a": 1}}
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": call}]},
        {"role": "tool", "content": "ok", "tool_call_id": "call_0"},
        {"role": "assistant", "tool_calls": None, "content": "done"},
        {"role": "developer", "content": "Now slow."},
    ]
    same = [
        Message("system", "Be brief."),
        Message("user", "ab"),
        Message("assistant", calls=(ToolCall("f", {"a": 1}),)),
        Message("tool", "ok"),
        Message("assistant", "done"),
        Message("system", "Now slow."),
    ]
    spec = ToolSpec("f", "", {"type": "object", "properties": {}})
    for tool in ({"type": "function", "function": {"name": "f"}}, {"name": "f"}):
        text = rendered(form, messages, [tool], add_generation_prompt=True)
        assert text == form.render(same, [spec])


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"role": "function", "content": "x"}, "no role function"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}, "Only text"),
        (
            {
                "role": "assistant",
                "tool_calls": [{"function": {"name": "f", "arguments": '{"a": "x'}}],
            },
            "must be an object",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(
    form: ChatFormat, message: dict[str, Any], words: str
) -> None:
    with pytest.raises(TemplateError, match=words):
        rendered(form, [message], [])


def test_the_templates_differ_in_tools_alone() -> None:
    def shared(form: ChatFormat) -> str:
        text = re.sub(r"\{#- A tool as one line.*?(?=\{#- Leading)", "", form.template, flags=re.S)
        return re.sub(
            r"\{#- Tools.*?(?=\{%- if ns\.system)", "", text[text.index("\n") :], flags=re.S
        )

    assert shared(QWEN3_5) == shared(POCKET)
    assert shared(POCKET).count("endmacro") == 7


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_templates_neutralise_what_the_code_neutralises(form: ChatFormat) -> None:
    marks = re.search(r"set marks = \[(.*?)\]", form.template, re.S)
    assert marks
    assert re.findall(r"'(.+?)'", marks.group(1)) == [tag[1:] for tag in TAGS]
    assert f"set joiner = '{JOINER}'" in form.template


# llama.cpp has a Jinja of its own


@pytest.fixture(scope="module", params=FORMS, ids=lambda form: form.name)
def llama(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ChatFormat, str]]:
    import xllamacpp

    from tests.engines.tiny_gguf import build

    form: ChatFormat = request.param
    path: Path = tmp_path_factory.mktemp("llama") / "tiny.gguf"
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(build(path, template=form.template))
    parameters.n_ctx, parameters.use_jinja, parameters.port = 512, True, 0
    server = xllamacpp.Server(parameters)
    yield form, server.listening_address
    del server


def without_floats(value: Any) -> bool:
    match value:
        case float():
            return False
        case int():
            return abs(value) < 2**63
        case list():
            return all(map(without_floats, value))
        case dict():
            return all(map(without_floats, value.values()))
        case _:
            return True


@quick
@given(conversations())
def test_llama_cpp_renders_the_same(
    llama: tuple[ChatFormat, str], conversation: tuple[list[Message], list[ToolSpec]]
) -> None:
    form, url = llama
    messages, tools = conversation
    # Its number formatting is its own, and it has rules for how a request may end.
    said = [openai_message(message) for message in (*messages, Message("user", "go on"))]
    offered = [openai_tool(spec) for spec in tools]
    if not without_floats([said, offered]):
        return
    for message in said:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"])
    body = {"messages": said} | ({"tools": offered} if offered else {})
    request = urllib.request.Request(
        f"{url}/apply-template", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        prompt = json.load(response)["prompt"]
    assert prompt == form.render([*messages, Message("user", "go on")], tools)
