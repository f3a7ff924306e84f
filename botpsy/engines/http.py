"""JSON over HTTP to a model server: deadlines, cancellation, safe retries, server-sent events.

``Connection.events`` posts a body and yields the JSON events of the stream. A request is sent
again only while nothing of the answer has arrived: the connection was refused or reset, or the
server said 429 or 503. Environment proxies and ``.netrc`` are not used and redirects are not
followed: what is sent goes to the address that was given, or nowhere.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from botpsy.engines.base import Cancel
from botpsy.errors import EngineError, EngineTimeoutError, UsageError

if TYPE_CHECKING:
    import httpx

CONNECT_S = 10.0
PAUSES_S = (0.2, 1.0)
"""Waits before the second and the third attempt."""
MAX_RETRY_AFTER_S = 10.0
MAX_BYTES = 32 << 20
"""Of one answer."""
_POLL_S = 0.05


class RefusedError(EngineError):
    """The server answered with an error; ``status`` 0 when it came inside a stream."""

    def __init__(self, status: int, body: str, error: dict[str, Any]) -> None:
        super().__init__(str(error.get("message") or body)[:300])
        self.status, self.body, self.error = status, body, error


class CancelledError(Exception):
    """The caller's cancel flag was set."""


class Connection:
    """Where requests go."""

    def __init__(self, base_url: str, api_key: str | None = None) -> None:
        parts = urlsplit(base_url if "//" in base_url else f"http://{base_url}")
        try:
            usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
        except ValueError:
            usable = False
        if not usable or parts.query or parts.fragment or parts.username:
            raise UsageError(
                f"{base_url} is not the address of a model server.",
                hint="Give for example http://127.0.0.1:8080/v1.",
            )
        self.root = f"{parts.scheme}://{parts.netloc}"
        self.base = self.root + (parts.path.rstrip("/") or "/v1")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def get(self, url: str, timeout_s: float = CONNECT_S) -> tuple[Any, str] | None:
        """The JSON at ``url`` and the ``Server`` header; None when there is no JSON there.

        Raises:
            EngineError: nothing answers, or the server refuses the key.
        """
        import httpx

        try:
            with self._client(timeout_s) as client:
                answer = client.get(url)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if answer.status_code in (401, 403):
            raise self.refusal(answer.status_code, answer.text)
        if answer.status_code != httpx.codes.OK:
            return None
        try:
            return answer.json(), answer.headers.get("server", "")
        except ValueError:
            return None

    def events(
        self, path: str, body: dict[str, Any], cancel: Cancel | None, timeout_s: float | None
    ) -> Iterator[dict[str, Any]]:
        """Post ``body`` and yield the events of the answer; an answer that is no stream is one.

        Raises:
            RefusedError: the server answered with an error.
            EngineError: it cannot be reached, or stopped in the middle.
            EngineTimeoutError: time is up.
            CancelledError: the flag was set.
        """
        import httpx

        watch = _Watch(cancel, timeout_s)
        with watch.running(), self._client(timeout_s) as client:
            for pause in (*PAUSES_S, None):
                begun = False
                try:
                    with client.stream(
                        "POST", f"{self.base}{path}", json=body, extensions={"trace": watch.trace}
                    ) as answer:
                        wait = _retry_after(answer, pause)
                        if wait is None:
                            begun = True
                            yield from self._read(answer)
                            watch.check()
                            return
                except httpx.HTTPError as error:
                    watch.check()
                    if begun:
                        raise EngineError(
                            f"{self.root} stopped in the middle of its answer."
                        ) from error
                    if pause is None or not isinstance(
                        error, (httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError)
                    ):
                        raise self._unreachable(error) from error
                    wait = pause
                watch.sleep(wait)

    def _client(self, timeout_s: float | None) -> httpx.Client:
        import httpx

        limit = httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s or CONNECT_S))
        # A connection of its own for each request, so that cutting it cuts nothing else.
        limits = httpx.Limits(max_keepalive_connections=0)
        return httpx.Client(
            timeout=limit,
            limits=limits,
            headers=self._headers,
            verify=self._trusted,
            trust_env=False,
        )

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        """Whose certificates count; read once, since that takes longer than a small request.

        An address without TLS needs none, and nobody is trusted there.
        """
        import httpx

        if self.root.startswith("https:"):
            return httpx.create_ssl_context(trust_env=False)
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    def _read(self, answer: httpx.Response) -> Iterator[dict[str, Any]]:
        if answer.is_redirect:
            raise EngineError(
                f"{self.root} redirects to {answer.headers.get('location', 'another address')}.",
                hint="Redirects are not followed; give that address if you trust it.",
            )
        kind = answer.headers.get("content-type", "")
        if answer.status_code != 200 or "event-stream" not in kind:
            text = b"".join(_capped(answer)).decode(errors="replace")
            if answer.status_code != 200:
                raise self.refusal(answer.status_code, text)
            yield self._event(text)
            return
        for data in _sse(_capped(answer)):
            if data == "[DONE]":
                return
            yield self._event(data)

    def _event(self, data: str) -> dict[str, Any]:
        try:
            event = json.loads(data)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise EngineError(
                f"{self.root} answers with something that is not the OpenAI protocol: "
                f"{data[:80]!r}.",
                hint="Is it a model server, and the path right? It is usually /v1.",
            )
        if event.get("error"):
            raise self.refusal(0, data)
        return event

    def refusal(self, status: int, text: str) -> RefusedError:
        """An error answer, taken apart."""
        try:
            body = json.loads(text)
        except ValueError:
            body = {}
        error = body.get("error", body) if isinstance(body, dict) else {}
        return RefusedError(status, text, error if isinstance(error, dict) else {"message": error})

    def _unreachable(self, error: httpx.HTTPError) -> EngineError:
        import httpx

        if isinstance(error, httpx.TimeoutException):
            return EngineTimeoutError(f"{self.root} did not answer in time.")
        return EngineError(
            f"Nothing answers at {self.root} ({error}).",
            hint="Start a model server there, for example `llama-server -m model.gguf --jinja "
            "--port 8080`, `ollama serve` or `botpsy serve`, or check the address.",
        )


class _Watch:
    """Cuts the connection when the flag is set or time is up, from a thread of its own."""

    def __init__(self, cancel: Cancel | None, timeout_s: float | None) -> None:
        self.cancel, self.timeout_s = cancel, timeout_s
        self.deadline = None if timeout_s is None else time.monotonic() + timeout_s
        self.socket: socket.socket | None = None
        self.done = threading.Event()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        self.check()
        if self.cancel is None and self.deadline is None:
            yield
            return
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.done.set()
            thread.join()

    def trace(self, name: str, info: dict[str, Any]) -> None:
        """httpx tells here which socket carries the request."""
        if name in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self.socket = info["return_value"].get_extra_info("socket")

    def sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.check()
            time.sleep(min(_POLL_S, max(0.0, end - time.monotonic())))
        self.check()

    def check(self) -> None:
        if self.cancel is not None and self.cancel.is_set():
            raise CancelledError
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise EngineTimeoutError(f"The model did not finish within {self.timeout_s:g} s.")

    def _run(self) -> None:
        while not self.done.wait(_POLL_S):
            try:
                self.check()
            except (CancelledError, EngineTimeoutError):
                self._cut()

    def _cut(self) -> None:
        if self.socket is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                self.socket.shutdown(socket.SHUT_RDWR)


def _retry_after(answer: httpx.Response, pause: float | None) -> float | None:
    """Seconds to wait before asking again; None when the answer is to be read."""
    if answer.status_code not in (429, 503) or pause is None:
        return None
    try:
        wait = float(answer.headers.get("retry-after", pause))
    except ValueError:
        wait = pause
    return wait if 0 <= wait <= MAX_RETRY_AFTER_S else None


def _capped(answer: httpx.Response) -> Iterator[bytes]:
    total = 0
    for chunk in answer.iter_bytes():
        total += len(chunk)
        if total > MAX_BYTES:
            raise EngineError(f"The server's answer is larger than {MAX_BYTES >> 20} MB.")
        yield chunk


def _sse(chunks: Iterator[bytes]) -> Iterator[str]:
    """The data of each event. Lines are decoded whole, so no character is torn.

    Source: WHATWG HTML, server-sent events.
    """
    rest, data = b"", []
    for chunk in chunks:
        *lines, rest = (rest + chunk).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
            elif not line and data:
                yield b"\n".join(data).decode(errors="replace")
                data = []
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip())
    if data:
        yield b"\n".join(data).decode(errors="replace")
