"""The guard that keeps the suite on loopback really guards."""

import socket

import pytest

from conftest import EgressError


@pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "example.org"])
def test_nothing_leaves_this_machine(host: str) -> None:
    with pytest.raises(EgressError):
        socket.create_connection((host, 80), timeout=1)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as datagram, pytest.raises(EgressError):
        datagram.sendto(b"x", (host, 53))


def test_loopback_works() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=1).close()
