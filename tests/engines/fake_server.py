"""A model server on loopback that answers exactly as it is told, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Fake:
    """``answers`` to chat requests, in order; the last one stays. ``requests`` are their bodies."""

    answers: list[Answer] = field(default_factory=list)
    pages: dict[str, Any] = field(default_factory=dict)
    server: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def serving(*answers: Answer, owner: str = "", model: str = "m") -> Iterator[Fake]:
    """A fake server; ``owner`` is what its list of models says."""
    listed = {"object": "list", "data": [{"id": model, "object": "model", "owned_by": owner}]}
    fake = Fake(list(answers), {"/v1/models": listed})

    class Handler(BaseHTTPRequestHandler):
        def version_string(self) -> str:
            return fake.server

        def do_GET(self) -> None:
            page = fake.pages.get(self.path)
            if page is None:
                error(404, {"error": {"message": "no such page"}})(self)
            elif callable(page):
                page(self)
            else:
                error(200, page)(self)

        def do_POST(self) -> None:
            fake.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            fake.headers.append(dict(self.headers))
            answer = fake.answers[0] if len(fake.answers) == 1 else fake.answers.pop(0)
            answer(self)

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *args: Any) -> None:
            pass  # clients hang up on purpose

    server = Server(("127.0.0.1", 0), Handler)
    fake.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def error(status: int, body: Any, **headers: str) -> Answer:
    """One JSON document, or a text, with a status."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        text = body if isinstance(body, str) else json.dumps(body)
        handler.send_response(status)
        kind = "text/html" if isinstance(body, str) else "application/json"
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(text.encode())))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(text.encode())

    return answer


def raw_stream(*pieces: bytes, done: bool = True) -> Answer:
    """Bytes of an event stream, one write each; without ``done`` the connection just closes."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
        if done:
            handler.wfile.write(b"data: [DONE]\n\n")

    return answer


def stream(*deltas: dict[str, Any], finish: str | None = "stop", usage: Any = None) -> Answer:
    """The usual stream: one delta per event, then the finish reason, then the usage."""
    events: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    if finish is not None:
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage is not None:
        events.append({"choices": [], "usage": usage})
    return raw_stream(*(sse(event) for event in events))


def sse(event: Any) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


def call(arguments: Any, *, name: str | None = "set_lamp", **fields: Any) -> dict[str, Any]:
    """A delta with one piece of a call."""
    function: dict[str, Any] = {"arguments": arguments}
    if name is not None:
        function["name"] = name
    return {"tool_calls": [{"type": "function", "function": function, **fields}]}


def hang(waiting: threading.Event, gone: threading.Event, before: Iterable[bytes] = ()) -> Answer:
    """Say ``before``, then nothing; ``gone`` is set once the client has hung up."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        for piece in before:
            handler.wfile.write(piece)
        handler.wfile.flush()
        waiting.set()
        handler.connection.settimeout(30)
        if handler.connection.recv(1) == b"":
            gone.set()

    return answer


def drop(handler: BaseHTTPRequestHandler) -> None:
    """Close without a word."""
    handler.close_connection = True
