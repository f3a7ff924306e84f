"""The OpenAI-compatible endpoint: one engine behind ``/v1/chat/completions``.

Template, thinking and sampling are the model's own unless the request says otherwise. Calls in an
answer are complete, parsed strictly, and fit the client's schema; a reply that was cut off is never
a call. Nothing is executed here.

Requests take turns on the engine in the order they came. A client that hangs up ends its request.

Without a key the endpoint serves this machine only: a ``Host`` that is not loopback is refused
(a web page can make a browser resolve its own name to 127.0.0.1), and so is a browser's ``Origin``
other than the server itself. No CORS header is ever sent. With a key, the key is what counts.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from botpsy.chat.schema import check_arguments
from botpsy.chat.types import Completion, Delta
from botpsy.chat.wire import strict_json
from botpsy.engines.api_request import ChatRequest, RequestError, read_request
from botpsy.engines.api_response import Writer, error
from botpsy.engines.base import Engine
from botpsy.errors import (
    BotpsyError,
    ContextOverflowError,
    EngineTimeoutError,
    ParseError,
    SchemaError,
    UsageError,
)

MAX_BODY = 4 << 20
MAX_WAITING = 64
_POLL_S = 0.1
_LOG = logging.getLogger(__name__)
Handler = Callable[[Request], Awaitable[Response]]


def app(engine: Engine, *, api_key: str | None = None, max_body: int = MAX_BODY) -> Starlette:
    """The endpoint as an ASGI application. ``api_key`` is demanded from clients if given; without
    one, bind to loopback only."""
    endpoint = _Endpoint(engine, max_body)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        endpoint.close()

    def guarded(handler: Handler, *, with_key: bool = True) -> Handler:
        async def guard(request: Request) -> Response:
            try:
                _admit(request, api_key, with_key=with_key)
                return await handler(request)
            except BotpsyError as failure:
                return _failed(failure)
            except ClientDisconnect:
                return Response(status_code=499)  # nobody reads it
            except Exception:  # a fault of ours must not end the server
                _LOG.exception("A request failed.")
                body = error("The server has a fault; its log says more.", "server_error")
                return JSONResponse(body, 500)

        return guard

    return Starlette(
        routes=[
            Route("/v1/chat/completions", guarded(endpoint.chat), methods=["POST"]),
            Route("/v1/models", guarded(endpoint.models)),
            Route("/health", guarded(endpoint.health, with_key=False)),
        ],
        exception_handlers={HTTPException: _no_such_page},
        lifespan=lifespan,
    )


class _Endpoint:
    def __init__(self, engine: Engine, max_body: int) -> None:
        self.engine = engine
        self.max_body = max_body
        self.created = int(time.time())
        self.waiting = 0
        # One thread, so that requests take turns in the order they came.
        self.turns = ThreadPoolExecutor(1, thread_name_prefix="engine")
        self.running: set[threading.Event] = set()

    def names(self) -> list[str]:
        """What clients may call the model; the first is its name, without the user's folders."""
        name = self.engine.info.name
        public = PurePath(name).stem if name.endswith(".gguf") else name
        return list(dict.fromkeys([public, name, "default", "botpsy"]))

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def models(self, _: Request) -> Response:
        entry = {
            "id": self.names()[0],
            "object": "model",
            "created": self.created,
            "owned_by": "botpsy",
            "context_window": self.engine.info.window,
        }
        return JSONResponse({"object": "list", "data": [entry]})

    async def chat(self, request: Request) -> Response:
        asked = read_request(await self._json(request), self.names())
        if self.waiting >= MAX_WAITING:
            raise RequestError("Too many requests are waiting.", status=503, code="overloaded")
        writer = Writer(self.names()[0], asked.refused)
        events = self._run(request, asked)
        # Only an answer that began is a stream; what fails before has a status of its own.
        first = await anext(events)
        if asked.stream:
            chunks = _stream(first, events, writer, asked)
            return StreamingResponse(chunks, media_type="text/event-stream")
        while isinstance(first, Delta):
            first = await anext(events)
        return JSONResponse(writer.whole(first))

    async def _json(self, request: Request) -> Any:
        too_large = RequestError(
            f"The request has more than {self.max_body} bytes.", status=413, code="too_large"
        )
        size, parts = 0, []
        async for part in request.stream():
            size += len(part)
            if size > self.max_body:
                raise too_large
            parts.append(part)
        try:
            return strict_json(b"".join(parts).decode())
        except UnicodeDecodeError:
            raise RequestError("The request is not UTF-8.") from None
        except ParseError as broken:
            raise RequestError(broken.message) from None

    async def _run(
        self, request: Request, asked: ChatRequest
    ) -> AsyncGenerator[Delta | Completion, None]:
        """The engine's deltas and at last its completion, from the engine's thread."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Queue[Delta | Completion | BaseException] = asyncio.Queue()
        cancel, stops = threading.Event(), _Stops(asked.stop)

        def tell(item: Delta | Completion | BaseException) -> None:
            loop.call_soon_threadsafe(arrived.put_nowait, item)

        def show(delta: Delta) -> None:
            if delta.kind == "content":
                delta = replace(delta, text=stops.feed(delta.text))
            if stops.hit:
                cancel.set()
            if delta.text:
                tell(delta)

        def work() -> None:
            try:
                done = self.engine.complete(
                    asked.messages, asked.tools, asked.sampling, on_delta=show, cancel=cancel
                )
                if rest := stops.flush():
                    tell(Delta("content", rest))
                tell(_settled(done, asked, stops))
            except BaseException as failure:  # it belongs to the request, not to this thread
                tell(failure)

        async def watch() -> None:
            while not await request.is_disconnected():
                await asyncio.sleep(_POLL_S)
            cancel.set()
            tell(ClientDisconnect())

        self.waiting += 1
        self.running.add(cancel)
        future = self.turns.submit(work)
        watcher = asyncio.create_task(watch())
        try:
            while True:
                item = await arrived.get()
                if isinstance(item, BaseException):
                    raise item
                yield item
                if isinstance(item, Completion):
                    return
        finally:
            cancel.set()
            future.cancel()
            watcher.cancel()
            self.running.discard(cancel)
            self.waiting -= 1

    def close(self) -> None:
        """End what runs and what waits."""
        for cancel in tuple(self.running):
            cancel.set()
        self.turns.shutdown(wait=False, cancel_futures=True)


async def _stream(
    first: Delta | Completion,
    rest: AsyncGenerator[Delta | Completion, None],
    writer: Writer,
    asked: ChatRequest,
) -> AsyncIterator[str]:
    """Server-sent events. An error after the first one is an event itself."""
    yield _event(writer.opening())
    item = first
    try:
        async with aclosing(rest):
            while isinstance(item, Delta):
                yield _event(writer.piece(item))
                item = await anext(rest)
    except ClientDisconnect:
        return
    except BotpsyError as failure:
        yield _event(_described(failure)[1])
        return
    for chunk in writer.ending(item, with_usage=asked.stream_usage):
        yield _event(chunk)
    yield "data: [DONE]\n\n"


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"


def _settled(done: Completion, asked: ChatRequest, stops: _Stops) -> Completion:
    """The completion as the client asked for it."""
    if stops.hit:
        message = replace(done.message, content=stops.text, calls=())
        return replace(done, message=message, finish_reason="stop", problem="")
    if done.finish_reason in ("cancelled", "error"):
        raise RequestError("The model was stopped.", status=503, code="stopped")
    calls = done.message.calls if asked.parallel else done.message.calls[:1]
    try:
        for call in calls:
            check_arguments(asked.originals[call.name], call.arguments)
    except SchemaError as failure:
        message = replace(done.message, calls=())
        return replace(done, message=message, finish_reason="stop", problem=str(failure))
    return replace(done, message=replace(done.message, calls=calls))


class _Stops:
    """The client's own stop texts, looked for in the content; a beginning of one is held back."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self.stops = stops
        self.text = ""
        self.hit = False
        self._held = ""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        if self.hit:
            return ""
        text = self._held + piece
        found = [at for stop in self.stops if (at := text.find(stop)) >= 0]
        if found:
            self.hit, self._held = True, ""
            shown = text[: min(found)]
        else:
            held = max(
                (n for stop in self.stops for n in range(len(stop)) if text.endswith(stop[:n])),
                default=0,
            )
            shown = text[: len(text) - held]
            self._held = text[len(text) - held :]
        self.text += shown
        return shown

    def flush(self) -> str:
        """No more comes: what was held back."""
        rest, self._held = self._held, ""
        self.text += rest
        return rest


def _admit(request: Request, api_key: str | None, *, with_key: bool) -> None:
    """Let in whom this endpoint is for.

    Raises:
        RequestError: somebody else asks.
    """
    if api_key is None:
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        if not _is_loopback(host):
            raise RequestError(
                "This server answers to localhost and 127.0.0.1 only.", status=403, code="host"
            )
        if origin is not None and urlsplit(origin).netloc != host:
            raise RequestError("Web pages may not use this server.", status=403, code="origin")
    elif with_key:
        shown = request.headers.get("authorization", "")
        expected = f"Bearer {api_key}"
        if not hmac.compare_digest(shown.encode(), expected.encode()):
            raise RequestError(
                "The API key is missing or wrong.", status=401, code="invalid_api_key"
            )


def _is_loopback(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _described(failure: BotpsyError) -> tuple[int, dict[str, Any]]:
    """(status, error in OpenAI's form)."""
    match failure:
        case RequestError():
            status, code, param = failure.status, failure.code, failure.param
        case ContextOverflowError():
            status, code, param = 400, "context_length_exceeded", "messages"
        case UsageError() | SchemaError():
            status, code, param = 400, "invalid_value", ""
        case EngineTimeoutError():
            status, code, param = 504, "timeout", ""
        case _:
            status, code, param = 500, "engine_error", ""
    kind = "server_error" if status >= 500 else "invalid_request_error"
    body = error(str(failure), kind, param=param, code=code)
    if isinstance(failure, ContextOverflowError):
        body["error"] |= {"n_prompt_tokens": failure.prompt_tokens, "n_ctx": failure.window}
    return status, body


def _failed(failure: BotpsyError) -> Response:
    status, body = _described(failure)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}.get(status)
    return JSONResponse(body, status, headers)


async def _no_such_page(_: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    body = error(
        f"{failure.detail}. There are /v1/chat/completions, /v1/models and /health.",
        "invalid_request_error",
    )
    return JSONResponse(body, failure.status_code, failure.headers)
