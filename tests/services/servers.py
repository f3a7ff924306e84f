"""Small HTTP servers on loopback that stand in for real ones, and keep what they were asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Response:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def serving(answer: Callable[[Request], Response]) -> Iterator[str]:
    """Serve on a free loopback port; gives the base address."""

    class Handler(BaseHTTPRequestHandler):
        def _handle(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            response = answer(
                Request(self.command, self.path, dict(self.headers), self.rfile.read(size))
            )
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = _handle  # noqa: N815
        do_POST = _handle  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def as_json(value: Any, status: int = 200) -> Response:
    return Response(status, json.dumps(value).encode(), {"content-type": "application/json"})


class FakeHomeAssistant:
    """Keeps states, checks the token, and knows the services of the domains we use."""

    def __init__(self, token: str, states: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        self.token = token
        self.states = {
            key: {"entity_id": key, "state": state, "attributes": dict(attributes)}
            for key, (state, attributes) in states.items()
        }
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, request: Request) -> Response:
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return Response(401, b"401: Unauthorized")
        if request.path == "/api/states":
            return as_json(list(self.states.values()))
        if request.path.startswith("/api/states/"):
            state = self.states.get(request.path.removeprefix("/api/states/"))
            return as_json(state) if state else as_json({"message": "Entity not found."}, 404)
        _, _, _, domain, service = request.path.split("/")
        data = json.loads(request.body)
        self.calls.append((f"{domain}.{service}", data))
        return self._serve(domain, service, data)

    def _serve(self, domain: str, service: str, data: dict[str, Any]) -> Response:
        entity = self.states[data["entity_id"]]
        if not entity["entity_id"].startswith(f"{domain}."):
            return Response(400)
        attributes = entity["attributes"]
        after = {
            "turn_on": {"climate": "heat"}.get(domain, "on"),
            "turn_off": "off",
            "lock": "locked",
            "unlock": "unlocked",
            "open_cover": "open",
            "close_cover": "closed",
            "start": "cleaning",
            "return_to_base": "docked",
            "press": "2026-01-01T00:00:00+00:00",
        }
        if service in after:
            entity["state"] = after[service]
        if domain == "light" and service == "turn_off":
            attributes.pop("brightness", None)
        if service == "open_cover" or service == "close_cover":
            attributes["current_position"] = 100 if service == "open_cover" else 0
        if "brightness_pct" in data:
            attributes["brightness"] = round(data["brightness_pct"] * 255 / 100)
        if "rgb_color" in data:
            attributes |= {"rgb_color": data["rgb_color"], "color_mode": "rgb"}
        if "color_temp_kelvin" in data:
            attributes |= {"color_temp_kelvin": data["color_temp_kelvin"]}
            attributes |= {"color_mode": "color_temp"}
        if service == "set_temperature":
            attributes["temperature"] = data["temperature"]
        if "hvac_mode" in data:
            entity["state"] = data["hvac_mode"]
        if service == "set_cover_position":
            attributes["current_position"] = data["position"]
            entity["state"] = "open" if data["position"] else "closed"
        return as_json([entity])
