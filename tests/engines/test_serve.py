"""The endpoint over real HTTP: shapes, refusals, queue, disconnects, and our own client on it."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Completion, Delta, Message, Sampling, ToolSpec
from botpsy.engines import load
from botpsy.engines.api_request import RequestError, read_request
from botpsy.engines.base import Engine, EngineInfo
from botpsy.engines.embedded import Embedded
from botpsy.engines.reply import Reply
from botpsy.engines.scripted import Scripted
from botpsy.engines.serve import MAX_WAITING, app
from botpsy.errors import ContextOverflowError, EngineError
from tests.engines.test_embedded import EVENT, LAMP, USER

CALL = (
    "I turn it on.\n</think>\n\nSure.\n\n<tool_call>\n<function=set_lamp>\n"
    "<parameter=room>\nattic\n</parameter>\n<parameter=on>\ntrue\n</parameter>\n</function>\n</tool_call>"
)


def tool(spec: ToolSpec) -> dict[str, Any]:
    function = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    return {"type": "function", "function": function}


@contextlib.contextmanager
def serving(engine: Engine, **options: Any) -> Iterator[httpx.Client]:
    config = uvicorn.Config(app(engine, **options), port=0, log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=base, timeout=30, trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def script() -> Scripted:
    return Scripted([])


@pytest.fixture(scope="module")
def client(script: Scripted) -> Iterator[httpx.Client]:
    with serving(script) as client:
        yield client


def chat(client: httpx.Client, **body: Any) -> httpx.Response:
    body = {"messages": [{"role": "user", "content": "lamp"}], **body}
    return client.post("/v1/chat/completions", json=body)


def say(client: httpx.Client, script: Scripted, reply: Any, **body: Any) -> dict[str, Any]:
    script._replies[:] = [reply]
    answer = chat(client, **body)
    assert answer.status_code == 200, answer.text
    whole: dict[str, Any] = answer.json()
    return whole


def events(answer: httpx.Response) -> list[Any]:
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in answer.text.split("\n\n") if line]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


# Answers


def test_a_whole_answer(client: httpx.Client, script: Scripted) -> None:
    answer = say(client, script, CALL, tools=[tool(LAMP)], model="scripted")
    assert answer["object"] == "chat.completion"
    assert answer["id"].startswith("chatcmpl-")
    [choice] = answer["choices"]
    assert choice["finish_reason"] == "tool_calls"
    message = choice["message"]
    assert (message["role"], message["content"]) == ("assistant", "Sure.")
    assert message["reasoning_content"] == "I turn it on."
    [made] = message["tool_calls"]
    assert made["type"] == "function"
    assert made["function"]["name"] == "set_lamp"
    assert json.loads(made["function"]["arguments"]) == {"room": "attic", "on": True}
    used = answer["usage"]
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]
    assert used["prompt_tokens_details"] == {"cached_tokens": 0}
    again = say(client, script, CALL, tools=[tool(LAMP)])
    assert again["choices"][0]["message"]["tool_calls"][0]["id"] != made["id"]


def test_a_stream_says_the_same(client: httpx.Client, script: Scripted) -> None:
    script._replies[:] = [CALL]
    answer = chat(client, stream=True, stream_options={"include_usage": True}, tools=[tool(LAMP)])
    chunks = events(answer)
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in chunks}) == 1
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks if chunk["choices"]]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == "I turn it on."
    assert "".join(delta.get("content", "") for delta in deltas) == "Sure."
    [made] = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert made["index"] == 0
    assert json.loads(made["function"]["arguments"]) == {"room": "attic", "on": True}
    assert [c["choices"][0]["finish_reason"] for c in chunks if c["choices"]][-1] == "tool_calls"
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0
    script._replies[:] = ["Hello."]
    assert all(chunk["choices"] for chunk in events(chat(client, stream=True)))


def test_a_call_that_was_cut_is_none(client: httpx.Client, script: Scripted) -> None:
    script._finish = "length"
    try:
        [choice] = say(client, script, CALL, tools=[tool(LAMP)])["choices"]
    finally:
        script._finish = "stop"
    assert choice["finish_reason"] == "length"
    assert "tool_calls" not in choice["message"]


@pytest.mark.parametrize(
    "bad", [CALL[:-9], CALL.replace("attic", "cellar"), CALL.replace("set_lamp", "rm")]
)
def test_a_bad_call_is_said_and_not_made(client: httpx.Client, script: Scripted, bad: str) -> None:
    answer = say(client, script, bad, tools=[tool(LAMP)])
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert "tool_calls" not in answer["choices"][0]["message"]
    assert answer["botpsy_problem"]


def test_calls_fit_the_schema_as_it_came(client: httpx.Client, script: Scripted) -> None:
    strict = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a"],
        "not": {"required": ["a", "b"]},
    }
    spec = tool(ToolSpec("t", "t", strict))
    both = (
        "<tool_call>\n<function=t>\n<parameter=a>\n1\n</parameter>\n"
        "<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>"
    )
    answer = say(client, script, both, tools=[spec])
    assert answer["botpsy_problem"]
    one = both.replace("<parameter=b>\n2\n</parameter>\n", "")
    assert say(client, script, one, tools=[spec])["choices"][0]["message"]["tool_calls"]


def test_one_call_at_a_time(client: httpx.Client, script: Scripted) -> None:
    two = CALL + "\n" + CALL[CALL.index("<tool_call>") :].replace("attic", "kitchen")
    many = say(client, script, two, tools=[tool(LAMP)])["choices"][0]["message"]["tool_calls"]
    assert len({made["id"] for made in many}) == 2
    one = say(client, script, two, tools=[tool(LAMP)], parallel_tool_calls=False)
    assert len(one["choices"][0]["message"]["tool_calls"]) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_stop_texts(client: httpx.Client, script: Scripted, stream: bool) -> None:
    def content(reply: str, stop: Any) -> tuple[str, str]:
        script._replies[:] = [reply]
        answer = chat(client, stop=stop, stream=stream)
        if not stream:
            choice = answer.json()["choices"][0]
            return choice["message"]["content"], choice["finish_reason"]
        chunks = events(answer)
        text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)
        return text, chunks[-1]["choices"][0]["finish_reason"]

    assert content("one two three four five", "three") == ("one two ", "stop")
    assert content("one two three four five", ["x", "our f"]) == ("one two three f", "stop")
    assert content("one two thr", "three") == ("one two thr", "stop")
    assert content("thought three\n</think>\n\nanswer", "three") == ("answer", "stop")


# Requests


def asked(client: httpx.Client, script: Scripted, **body: Any) -> Any:
    script.asked.clear()
    say(client, script, "ok", **body)
    return script.asked[-1]


def test_defaults_are_the_models_own(client: httpx.Client, script: Scripted) -> None:
    assert asked(client, script).sampling == Sampling()


def test_overrides(client: httpx.Client, script: Scripted) -> None:
    given = asked(
        client,
        script,
        temperature=0,
        top_p=0.5,
        top_k=3,
        max_completion_tokens=7,
        seed=-1,
        presence_penalty=-0.5,
        reasoning_effort="none",
        response_format={"type": "text"},
        user="me",
        n=1,
    ).sampling
    assert given == Sampling(0.0, 0.5, 3, -0.5, 7, 2**32 - 1, thinking=False)
    assert asked(client, script, max_tokens=9).sampling.max_tokens == 9
    kwargs = {"enable_thinking": True}
    on = asked(client, script, reasoning_effort="none", chat_template_kwargs=kwargs)
    assert on.sampling.thinking
    assert asked(client, script, reasoning_effort="low").sampling.thinking


def test_tool_choice(client: httpx.Client, script: Scripted) -> None:
    tools = [tool(LAMP), tool(EVENT)]
    named = {"type": "function", "function": {"name": "create_event"}}
    given = asked(client, script, tools=tools, tool_choice=named)
    assert [spec.name for spec in given.tools] == ["create_event"]
    assert given.sampling.tool_choice == "required"
    for choice in ("auto", "none", "required"):
        given = asked(client, script, tools=tools, tool_choice=choice)
        assert (given.sampling.tool_choice, len(given.tools)) == (choice, 2)


def test_messages_of_all_kinds(client: httpx.Client, script: Scripted) -> None:
    history = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Hm.",
            "tool_calls": [
                {"id": "x", "type": "function", "function": {"name": "t", "arguments": '{"a": 1}'}},
                {"id": "y", "type": "function", "function": {"name": "t", "arguments": ""}},
                {"id": "z", "type": "function", "function": {"name": "t", "arguments": '{"a": "x'}},
            ],
        },
        {"role": "tool", "tool_call_id": "x", "content": [{"type": "text", "text": "done"}]},
        {"role": "system", "content": "Late."},
        {"role": "user", "content": "go on", "name": "Ann"},
    ]
    messages = asked(client, script, messages=history).messages
    assert [message.role for message in messages] == [
        "system", "user", "assistant", "tool", "system", "user",
    ]  # fmt: skip
    assert messages[1].content == "ab"
    assert [call.arguments for call in messages[2].calls] == [{"a": 1}, {}]
    assert messages[2].reasoning == "Hm."
    assert 'malformed call: t {"a": "x' in messages[2].content
    assert (messages[3].call_id, messages[3].content) == ("x", "done")


def test_refused_tools_are_reported(client: httpx.Client, script: Scripted) -> None:
    bad = tool(ToolSpec("bad", "b", {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}))
    answer = say(client, script, "ok", tools=[tool(LAMP), bad, tool(LAMP)])
    assert [refusal["name"] for refusal in answer["botpsy_refused_tools"]] == ["bad", "set_lamp"]
    assert "nowhere" in answer["botpsy_refused_tools"][0]["reason"]
    refused = chat(client, tools=[bad])
    assert refused.status_code == 400
    assert "bad" in refused.json()["error"]["message"]


BAD_REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({"messages": []}, "messages"),
    ({"messages": "hi"}, "messages"),
    ({"messages": [{"content": "hi"}]}, "messages[0]"),
    ({"messages": ["hi"]}, "messages[0]"),
    ({"messages": [{"role": "robot", "content": "hi"}]}, "messages[0]"),
    ({"messages": [{"role": ["user"], "content": "hi"}]}, "messages[0]"),
    ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages[0].content"),
    ({"messages": [{"role": "assistant", "content": "me"}]}, "messages"),
    ({"messages": [{"role": "assistant", "tool_calls": [{}]}]}, "messages[0].tool_calls"),
    ({"temperature": 3}, "temperature"),
    ({"temperature": "hot"}, "temperature"),
    ({"temperature": True}, "temperature"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"max_completion_tokens": 1.5}, "max_completion_tokens"),
    ({"seed": "a"}, "seed"),
    ({"n": 2}, "n"),
    ({"logprobs": True}, "logprobs"),
    ({"response_format": {"type": "json_object"}}, "response_format"),
    ({"frequency_penalty": 1}, "frequency_penalty"),
    ({"functions": [{}]}, "functions"),
    ({"grammar": "root ::= x"}, "grammar"),
    ({"stop": [1]}, "stop"),
    ({"stop": ["a"] * 9}, "stop"),
    ({"stream": "yes"}, "stream"),
    ({"stream_options": 1}, "stream_options"),
    ({"tools": {}}, "tools"),
    ({"tools": [{"type": "web"}]}, "tools[0]"),
    ({"tool_choice": "required"}, "tool_choice"),
    ({"tool_choice": {"type": "function", "function": {"name": "nope"}}}, "tool_choice"),
    ({"tool_choice": "sometimes"}, "tool_choice"),
    ({"reasoning_effort": "huge"}, "reasoning_effort"),
    ({"chat_template_kwargs": {"enable_thinking": "no"}}, "chat_template_kwargs"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "param"), BAD_REQUESTS, ids=[str(b)[:50] for b, _ in BAD_REQUESTS]
)
def test_what_cannot_be_honoured_is_refused(client: httpx.Client, body: Any, param: str) -> None:
    answer = chat(client, **body)
    assert answer.status_code == 400
    detail = answer.json()["error"]
    assert (detail["type"], detail["param"]) == ("invalid_request_error", param)
    assert detail["message"]


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_fields = sorted(
    {name for body, _ in BAD_REQUESTS for name in body}
    | {"model", "parallel_tool_calls", "top_k", "top_p", "presence_penalty", "top_logprobs"}
)
_messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", "system"]) | _values},
    optional=dict.fromkeys(["content", "tool_calls", "reasoning_content", "tool_call_id"], _values),
)


@settings(max_examples=300, deadline=None)
@given(
    body=st.dictionaries(st.sampled_from(_fields), _values, max_size=4),
    messages=st.lists(_messages, max_size=3),
)
def test_no_request_raises_anything_else(body: dict[str, Any], messages: list[Any]) -> None:
    with contextlib.suppress(RequestError):
        read_request({"messages": messages, **body}, ["m"])


def test_other_models_are_not_here(client: httpx.Client, script: Scripted) -> None:
    answer = chat(client, model="gpt-5")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "model_not_found"
    say(client, script, "ok", model="default")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b'{"a":1,"a":2}',
        b'{"temperature": NaN}',
        b"\xff",
        b"[" * 99,
    ],
)
def test_bodies_that_are_no_request(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/v1/chat/completions", content=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_too_large_a_body() -> None:
    with serving(Scripted(["ok"]), max_body=2000) as client:
        assert chat(client, user="x" * 3000).status_code == 413
        chunks = iter([b"{", b" " * 3000, b"}"])
        assert client.post("/v1/chat/completions", content=chunks).status_code == 413
        assert chat(client).status_code == 200


def test_models_health_and_unknown_pages(client: httpx.Client) -> None:
    [entry] = client.get("/v1/models").json()["data"]
    assert (entry["id"], entry["owned_by"]) == ("scripted", "botpsy")
    assert client.get("/health").json() == {"status": "ok"}
    for answer in (client.get("/v1/nothing"), client.get("/v1/chat/completions")):
        assert answer.status_code in (404, 405)
        assert "/v1/chat/completions" in answer.json()["error"]["message"]


# Who may ask


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "localhost:1234"}, 200),
        ({"host": "127.0.0.1"}, 200),
        ({"host": "[::1]:80"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "192.168.1.5"}, 403),
        ({"host": ""}, 403),
        ({"host": "a:b:c"}, 403),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"host": "localhost:1", "origin": "http://localhost:1"}, 200),
        ({"host": "localhost:1", "origin": "http://localhost:2"}, 403),
    ],
)
def test_this_machine_only(client: httpx.Client, headers: dict[str, str], status: int) -> None:
    for path in ("/v1/models", "/health"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == status
        assert not any(name.startswith("access-control") for name in answer.headers)
    assert client.options("/v1/models", headers=headers).status_code in (403, 405)


def test_the_key() -> None:
    with serving(Scripted(["ok"] * 9), api_key="s3cret") as client:
        assert client.get("/health", headers={"host": "example.org"}).status_code == 200
        for headers in (
            {},
            {"authorization": "Bearer wrong"},
            {"authorization": "s3cret"},
            {"authorization": "Bearer s3cret "[:-2]},
        ):
            answer = client.get("/v1/models", headers=headers)
            assert answer.status_code == 401
            assert answer.json()["error"]["code"] == "invalid_api_key"
            assert answer.headers["www-authenticate"] == "Bearer"
            assert (
                client.post("/v1/chat/completions", headers=headers, content=b"{").status_code
                == 401
            )
        client.headers["authorization"] = "Bearer s3cret"
        assert chat(client).status_code == 200
        assert client.get("/v1/models", headers={"host": "example.org"}).status_code == 200


# The engine behind it


class Slow:
    """Says one word after the other for as long as it may, and keeps count."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.inside = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.failure: Exception | None = None

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("slow", "slow", "1", "qwen3_5", 4096)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        sampling: Sampling = Sampling(),
        *,
        on_delta: Any = None,
        cancel: threading.Event | None = None,
        timeout_s: float | None = None,
    ) -> Completion:
        self.begun.append(messages[-1].content)
        reply = Reply(tools, in_thinking=False, on_delta=on_delta)
        reply.feed("word ")
        self.inside.release()
        while not self.go_on.wait(0.01):
            assert cancel is not None
            if cancel.is_set():
                self.ended.append(messages[-1].content)
                return reply.completion("cancelled")
        if self.failure:
            raise self.failure
        return reply.completion("stop")

    def close(self) -> None:
        pass


def post(client: httpx.Client, text: str, stream: bool = False) -> socket.socket:
    """A request on a bare connection, which can be dropped."""
    body = json.dumps({"messages": [{"role": "user", "content": text}], "stream": stream}).encode()
    connection = socket.create_connection(("127.0.0.1", client.base_url.port or 0), timeout=30)
    connection.sendall(
        b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )
    return connection


@pytest.mark.parametrize("stream", [False, True])
def test_who_hangs_up_stops_the_model(stream: bool) -> None:
    engine = Slow()
    with serving(engine) as client:
        connection = post(client, "first", stream)
        assert engine.inside.acquire(timeout=30)
        waiting = post(client, "gone before its turn", stream)
        waiting.close()
        connection.close()
        engine_free = post(client, "last", stream)
        assert engine.inside.acquire(timeout=30)
        while engine.begun[-1] != "last":
            assert engine.inside.acquire(timeout=30)
        engine.go_on.set()
        assert engine_free.recv(12) == b"HTTP/1.1 200"
        engine_free.close()
    assert engine.ended[0] == "first"
    assert "last" not in engine.ended


def test_requests_take_turns_in_order() -> None:
    engine = Slow()
    with serving(engine) as client:
        first = post(client, "0")
        assert engine.inside.acquire(timeout=30)
        others = []
        for number in range(1, 6):
            others.append(post(client, str(number)))
            client.get("/health")  # by its answer, the request before it was taken in
        engine.go_on.set()
        for connection in (first, *others):
            assert connection.recv(12) == b"HTTP/1.1 200"
            connection.close()
    assert engine.begun == [str(number) for number in range(6)]


def test_too_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botpsy.engines.serve.MAX_WAITING", 2)
    assert MAX_WAITING > 2
    engine = Slow()
    with serving(engine) as client:
        first = post(client, "0")
        assert engine.inside.acquire(timeout=30)
        second = post(client, "1")
        client.get("/health")
        refused = chat(client)
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        engine.go_on.set()
        for connection in (first, second):
            assert connection.recv(12) == b"HTTP/1.1 200"
            connection.close()


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (ContextOverflowError(9000, 4096), 400, "context_length_exceeded"),
        (EngineError("out of memory"), 500, "engine_error"),
        (RuntimeError("a bug of ours, with /home/me in it"), 500, None),
    ],
)
def test_failures_have_a_status(failure: Exception, status: int, code: str | None) -> None:
    class Failing(Slow):
        def complete(self, *args: Any, **given: Any) -> Completion:
            raise failure

    with serving(Failing()) as client:
        for stream in (False, True):
            answer = chat(client, stream=stream)
            assert answer.status_code == status
            assert answer.json()["error"]["code"] == code
            assert "/home/me" not in answer.text


def test_a_failure_in_the_middle_is_an_event() -> None:
    engine = Slow()
    engine.failure = EngineError("out of memory")
    engine.go_on.set()
    with serving(engine) as client:
        answer = chat(client, stream=True)
        assert answer.status_code == 200
        last = answer.text.strip().split("\n\n")[-1]
        assert json.loads(last.removeprefix("data: "))["error"]["message"] == "out of memory"
        with pytest.raises(EngineError, match="out of memory"):
            load(f"{client.base_url}/v1").complete(USER)


# Our own client, the real engine


def test_our_client_sees_what_the_engine_says(calling_gguf: Path) -> None:
    with Embedded(calling_gguf, window=2048, threads=1) as engine, serving(engine) as client:
        direct = engine.complete(USER, [EVENT])
        remote = load(f"{client.base_url}/v1")
        assert (remote.info.engine, remote.info.window) == ("botpsy", 2048)
        deltas: list[Delta] = []
        done = remote.complete(USER, [EVENT], on_delta=deltas.append)
        assert done.problem == ""
        assert done.finish_reason == "tool_calls"
        assert done.message.reasoning == direct.message.reasoning
        assert [c.arguments for c in done.message.calls] == [
            c.arguments for c in direct.message.calls
        ]
        assert done.usage.prompt_tokens == direct.usage.prompt_tokens
        assert done.usage.cached_tokens > 0
        assert done.usage.reasoning_tokens == direct.usage.reasoning_tokens
        assert "".join(delta.text for delta in deltas) == direct.message.reasoning
        cut = remote.complete(USER, [EVENT], Sampling(max_tokens=4))
        assert (cut.finish_reason, cut.message.calls) == ("length", ())
        with pytest.raises(ContextOverflowError) as caught:
            remote.complete([Message("user", "a" * 3000)])
        assert caught.value.window == 2048


@pytest.mark.skipif(importlib.util.find_spec("openai") is None, reason="openai is not installed")
def test_the_official_client(client: httpx.Client, script: Scripted) -> None:
    import openai  # type: ignore[import-not-found]

    official = openai.OpenAI(base_url=f"{client.base_url}/v1", api_key="none", max_retries=0)
    script._replies[:] = [CALL, CALL, "Hello."]
    ask = {
        "model": "scripted",
        "messages": [{"role": "user", "content": "x"}],
        "tools": [tool(LAMP)],
    }
    done = official.chat.completions.create(**ask)
    assert done.choices[0].finish_reason == "tool_calls"
    assert json.loads(done.choices[0].message.tool_calls[0].function.arguments)["room"] == "attic"
    assert done.choices[0].message.reasoning_content == "I turn it on."
    with official.chat.completions.stream(**ask, stream_options={"include_usage": True}) as stream:
        final = stream.get_final_completion()
    assert final.choices[0].message.tool_calls[0].function.name == "set_lamp"
    assert final.usage.total_tokens > 0
    text = "".join(
        chunk.choices[0].delta.content or ""
        for chunk in official.chat.completions.create(**ask, stream=True)
    )
    assert text == "Hello."
    assert [model.id for model in official.models.list()] == ["scripted"]
    with pytest.raises(openai.NotFoundError, match="gpt-5"):
        official.chat.completions.create(**ask | {"model": "gpt-5"})
    with pytest.raises(openai.BadRequestError) as caught:
        official.chat.completions.create(**ask, n=2)
    assert caught.value.param == "n"
