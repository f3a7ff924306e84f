"""A web server on loopback that misbehaves on request, for tests of everything that fetches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Handle = Callable[["Request"], None]


@dataclass
class Site:
    """Routes by path, and what was asked for. ``hosts`` lists the Host header of each request."""

    url: str = ""
    routes: dict[str, Handle] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def headers(self, path: str) -> list[dict[str, str]]:
        """The headers of each request for ``path``, lower-case keys."""
        return [headers for asked, headers in self.seen if asked == path]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


class Request(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.site.seen.append((path, {key.lower(): value for key, value in self.headers.items()}))
        handle = self.site.routes.get(path, lambda request: request.reply(404))
        handle(self)

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serve() -> Iterator[Site]:
    """A site on a free port of 127.0.0.1."""
    site = Site()
    handler = type("Handler", (Request,), {"site": site})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def file(body: bytes, etag: str = '"one"', *, cut_after: tuple[int, ...] = ()) -> Handle:
    """Serve ``body`` with ranges; the n-th request breaks off after ``cut_after[n]`` bytes."""
    cuts = list(cut_after)

    def handle(request: Request) -> None:
        start = 0
        asked = request.headers.get("Range")
        if asked and request.headers.get("If-Range") == etag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
        if start > len(body):
            request.reply(416)
            return
        rest = body[start:]
        if cuts:
            sent = rest[: cuts.pop(0)]
            request.close_connection = True
        else:
            sent = rest
        headers = {"Content_Length": str(len(rest)), "ETag": etag}
        if start:
            headers["Content_Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        request.reply(206 if start else 200, sent, **headers)

    return handle


def redirect(to: str, status: int = 302, **headers: str) -> Handle:
    return lambda request: request.reply(status, Location=to, **headers)
