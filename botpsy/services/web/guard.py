"""Fetching an address that someone else may have chosen, without being led astray.

Only http and https, only ports 80 and 443, no user names in the address. The host is resolved
once; every address it has must be a public one; the connection goes to that very address, so that a
name cannot mean one thing when checked and another when used (DNS rebinding). Each redirect is
checked anew. Size and time are bounded, compressed or not. No cookies, no proxy, no netrc.

Hosts in ``allow`` are exempt from the address and port rules (a wiki on the home network; tests).
"""

from __future__ import annotations

import ipaddress
import socket
import time
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import httpx

from botpsy.errors import ServiceError
from botpsy.services.http import client

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve: TypeAlias = Callable[[str], Sequence[str]]

MAX_BYTES = 2_000_000
MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# What Python's is_global has called public in some releases, or that reaches the local network.
_NEVER = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "224.0.0.0/3",
        "::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back: the last address, the type without parameters, the declared charset."""

    url: str
    content_type: str
    charset: str
    body: bytes


def is_public(text: str) -> bool:
    """Whether an IP address is on the public internet, also once unwrapped from IPv6."""
    try:
        address: Address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address.teredo is not None:
            inner = address.teredo[1]
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return address.is_global and not any(
        address.version == network.version and address in network for network in _NEVER
    )


def resolve(host: str) -> Sequence[str]:
    """Every IP address of a host name, by the system's resolver.

    Raises:
        ServiceError: it has none.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ServiceError(f"There is no host {host}.", hint="Check the address.") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def fetch(
    url: str,
    *,
    allow: Collection[str] = (),
    timeout_s: float = 15.0,
    max_bytes: int = MAX_BYTES,
    resolve: Resolve = resolve,
    transport: httpx.BaseTransport | None = None,
) -> Fetched:
    """GET an address under the rules above.

    Raises:
        ServiceError: the address is refused, or it does not answer in time, well, or in size.
    """
    deadline = time.monotonic() + timeout_s
    here = _parse(url)
    for _ in range(MAX_REDIRECTS + 1):
        addresses = _checked(here, allow, resolve)
        outcome = _get(here, addresses, deadline, max_bytes, transport)
        if isinstance(outcome, Fetched):
            return outcome
        here = _parse(outcome, here)
    raise ServiceError(f"{url} redirects too often.")


def _parse(url: str, base: httpx.URL | None = None) -> httpx.URL:
    try:
        parsed = base.join(url) if base is not None else httpx.URL(url.strip())
        host = parsed.raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
        raise ServiceError(f"{url!r:.200} is not a web address.") from None
    if parsed.scheme not in _PORTS or not host:
        raise ServiceError(
            f"{url!r:.200} is not a web address.", hint="It must start with http:// or https://."
        )
    if parsed.userinfo:
        raise ServiceError("A web address with a user name in it is refused.")
    return parsed.copy_with(fragment=None)


def _checked(url: httpx.URL, allow: Collection[str], resolve: Resolve) -> Sequence[str]:
    """The IP addresses that may be connected to."""
    host = url.raw_host.decode("ascii").strip("[]")
    addresses = [host] if _is_ip(host) else list(resolve(host))
    if host in allow:
        return addresses
    if url.port not in (None, _PORTS[url.scheme]):
        raise ServiceError(f"{url} is refused: only the usual web ports are open.")
    if not addresses or not all(is_public(address) for address in addresses):
        raise ServiceError(
            f"{url.scheme}://{host} is refused: it is not on the public internet.",
            hint="A host of your own network can be allowed in botpsy's settings.",
        )
    return addresses


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _get(
    url: httpx.URL,
    addresses: Sequence[str],
    deadline: float,
    max_bytes: int,
    transport: httpx.BaseTransport | None,
) -> Fetched | str:
    """The page, or where it redirects to. Tries the addresses in turn until one can be reached."""
    host = url.raw_host.decode("ascii")
    port = "" if url.port is None else f":{url.port}"
    name = f"[{host}]" if ":" in host else host
    problem = "it has no address"
    for address in addresses:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ServiceError(f"{url} did not answer in time.")
        pinned = url.copy_with(host=address)
        try:
            with (
                client(left, transport) as session,
                session.stream(
                    "GET",
                    pinned,
                    headers={
                        "Host": f"{name}{port}",
                        "User-Agent": "botpsy",
                        "Accept": "text/html, text/plain;q=0.9, */*;q=0.1",
                        "Accept-Encoding": "gzip",
                    },
                    extensions={"sni_hostname": host},
                ) as response,
            ):
                if response.status_code in _REDIRECTS and "location" in response.headers:
                    return str(response.headers["location"])
                if response.status_code != 200:
                    raise ServiceError(f"{url} answered {response.status_code}.")
                body = _body(url, response, deadline, max_bytes)
                declared = response.headers.get("content-type", "")
                kind = declared.split(";")[0].strip().lower()
                return Fetched(str(url), kind, response.charset_encoding or "", body)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            problem = type(error).__name__
        except httpx.TimeoutException:
            raise ServiceError(f"{url} did not answer in time.") from None
        except httpx.HTTPError as error:
            raise ServiceError(f"{url} did not answer well ({type(error).__name__}).") from None
    raise ServiceError(f"{url} cannot be reached ({problem}).")


def _body(url: httpx.URL, response: httpx.Response, deadline: float, max_bytes: int) -> bytes:
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip", ""):
        raise ServiceError(f"{url} came in an encoding that was not asked for ({encoding}).")
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if "gzip" in encoding else None
    body = bytearray()
    for chunk in response.iter_raw():
        if time.monotonic() > deadline:
            raise ServiceError(f"{url} did not finish in time.")
        try:
            body += unzip.decompress(chunk, max_bytes + 1 - len(body)) if unzip else chunk
        except zlib.error:
            raise ServiceError(f"{url} came damaged.") from None
        if len(body) > max_bytes:
            raise ServiceError(f"{url} is larger than {max_bytes:,} bytes.")
    return bytes(body)
