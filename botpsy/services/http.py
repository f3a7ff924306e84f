"""One way to speak HTTP: no proxy, no netrc, no redirects, no cookies kept between requests."""

from __future__ import annotations

from functools import cache
from ssl import SSLContext

import httpx


@cache
def _trust() -> SSLContext:
    """The certificates trusted; reading them takes tens of milliseconds, so it is done once."""
    return httpx.create_ssl_context(trust_env=False)


def client(timeout_s: float, transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """A client for one request, each of whose steps may take ``timeout_s`` seconds."""
    return httpx.Client(timeout=timeout_s, trust_env=False, verify=_trust(), transport=transport)
