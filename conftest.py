"""What holds for every test: no network beyond loopback, and never the user's own home."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no failure: no property of ours is about time.
settings.register_profile("botpsy", deadline=None)
settings.load_profile("botpsy")


class EgressError(AssertionError):
    """A test tried to leave this machine."""


def _check(address: Any) -> None:
    if not isinstance(address, tuple):
        return  # a Unix socket stays on this machine
    host = str(address[0]).split("%")[0]
    try:
        loopback = host in ("", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise EgressError(f"connection to {address} refused: tests stay on loopback")


@pytest.fixture(autouse=True, scope="session")
def no_egress() -> Iterator[None]:
    """Refuse every connection and datagram beyond loopback, and every name but localhost."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex", "sendto"):
        original = getattr(socket.socket, name)

        def guarded(self: socket.socket, *args: Any, _original: Any = original) -> Any:
            _check(args[-1])
            return _original(self, *args)

        patch.setattr(socket.socket, name, guarded)
    resolve = socket.getaddrinfo

    def guarded_resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host is not None:
            _check((host.decode() if isinstance(host, bytes) else host,))
        return resolve(host, *args, **kwargs)

    patch.setattr(socket, "getaddrinfo", guarded_resolve)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test gets a cache and a user's folder of its own."""
    place = tmp_path_factory.mktemp("places")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "BOTPSY_HOME", "BOTPSY_API_KEY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("BOTPSY_CACHE", str(place / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))
    return place
