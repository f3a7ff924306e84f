"""One file from the network to the disk: resumed where it broke off, checked before it counts.

Contract: bytes collect in ``NAME.part``; the file gets its name only when it is whole and its
sha256 is the expected one. A break-off is resumed (RFC 9110 range requests) only if the server
shows by ETag or date that the file has not changed, else it starts anew. Plain http is used with
this machine alone; credentials go to the host they were meant for and nowhere else.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import ipaddress
import json
import os
import re
import shutil
import ssl
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from botpsy.errors import ModelError

if TYPE_CHECKING:
    import httpx

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all); 0 in all where that is not known."""
Announce = Callable[[str], None]
"""Called with a sentence for the user before each step that takes time, sizes included."""

ATTEMPTS = 5
"""Tries in a row that bring nothing new before giving up."""
PAUSE_S = 1.0
_CHUNK = 1 << 18
_REDIRECTS = 8
_PAGE_LIMIT = 32 << 20
_BUSY = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach servers: a CA file or a proxy where the user has set one, and a token."""

    cert: str = ""
    proxy: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: its sha256, its size in bytes, and the revision that the server named."""

    sha256: str
    size: int
    revision: str = ""


class _BrokenOffError(Exception):
    """The transfer ended early or the server is busy; trying again makes sense."""


def megabytes(size: int) -> str:
    """A size in bytes for people: ``92.9 MB``."""
    return f"{size / 1e6:.1f} MB"


def public(url: str) -> str:
    """The URL without user name, password and query, fit for a message."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return "The address"
    host = parts.netloc.rpartition("@")[2]
    return urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", ""))


def disk_error(error: OSError, folder: Path) -> ModelError:
    """A failure to write, in words."""
    # numpy reports a write that came up short without an error number.
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, None):
        return ModelError(
            f"There is no room left in {folder}.",
            "Free some space, or set BOTPSY_CACHE to a folder on another disk, and run the same "
            "command again; what was fetched so far is kept.",
        )
    return ModelError(
        f"{folder} cannot be written: {error.strerror or error}.",
        "Set BOTPSY_CACHE to a folder that can be.",
    )


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_page(url: str, accept: str, access: Access = Access()) -> tuple[str, str, str]:
    """A page's (address after redirects, content type, text).

    Raises:
        ModelError: it cannot be had.
    """
    with _client(access) as client, _errors(url), _open(client, url, {"Accept": accept}) as opened:
        response = opened[0]
        body = b""
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _PAGE_LIMIT:
                raise ModelError(f"{public(url)} is larger than any page should be.")
        kind = response.headers.get("content-type", "")
        return str(response.url), kind, body.decode(errors="replace")


def fetch(
    url: str,
    target: Path,
    *,
    sha256: str = "",
    access: Access = Access(),
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> Fetched:
    """Bring ``url`` (https, http on this machine, or file) to ``target``.

    Without ``sha256`` the one that the server states (``x-linked-etag``) is held to.

    Raises:
        ModelError: not found, not allowed, unreachable, not the expected bytes, or no room.
    """
    part = target.with_name(target.name + ".part")
    if url.startswith("file:"):
        local = Path(urllib.request.url2pathname(urllib.parse.urlsplit(url).path))
        return copy(local, target, sha256=sha256, progress=progress, announce=announce)
    idle, told = 0, False
    with _client(access) as client, _errors(url):
        while True:
            before = _size(part)
            try:
                with _open(client, url, _resume_headers(part)) as (response, stated, revision):
                    expected = sha256 or stated
                    start, total = _extent(response, part)
                    if announce and not told:
                        told = True
                        kept = f", {megabytes(start)} of it already here" if start else ""
                        size = megabytes(total) if total else "of unknown size"
                        host = response.url.host
                        announce(f"Fetching {target.name}, {size}{kept}, from {host}.")
                    try:
                        _room(target.parent, total - start)
                    except OSError as error:
                        raise disk_error(error, target.parent) from error
                    _receive(response, part, start, total, progress)
                break
            except _BrokenOffError as error:
                idle = 0 if _size(part) > before else idle + 1
                if idle >= ATTEMPTS:
                    raise ModelError(
                        f"The transfer of {public(url)} keeps breaking off: {error}.",
                        "Run the same command again later; it goes on where it stopped.",
                    ) from error
                time.sleep(PAUSE_S * idle)
        return _finish(part, target, expected, revision, public(url))


def copy(
    source: Path,
    target: Path,
    *,
    sha256: str = "",
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> Fetched:
    """Copy a local file to ``target``, with the same guarantees as ``fetch``."""
    part = target.with_name(target.name + ".part")
    try:
        file = source.open("rb")
    except OSError as error:
        raise ModelError(f"{source} cannot be read: {error.strerror or error}.") from error
    with file:
        total = os.fstat(file.fileno()).st_size
        if announce:
            announce(f"Copying {source}, {megabytes(total)}.")
        try:
            _room(target.parent, total)
            with part.open("wb") as out:
                done = 0
                while chunk := file.read(_CHUNK):
                    out.write(chunk)
                    done += len(chunk)
                    if progress:
                        progress(done, total)
                _sync(out)
            return _finish(part, target, sha256, "", str(source))
        except OSError as error:
            raise disk_error(error, target.parent) from error


@functools.cache
def _authorities(cert: str) -> ssl.SSLContext:
    import certifi

    try:
        context = ssl.create_default_context(cafile=cert or None)
    except OSError as error:
        raise ModelError(
            f"The certificates in {cert} cannot be read: {error.strerror or error}.",
            "Correct pip's `cert` setting.",
        ) from error
    if not cert:
        # Python builds without a system store still know the usual authorities.
        context.load_verify_locations(certifi.where())
    return context


def _client(access: Access) -> httpx.Client:
    import httpx

    return httpx.Client(
        verify=_authorities(access.cert),
        proxy=access.proxy or None,
        timeout=httpx.Timeout(60, connect=15),
        headers={"Accept-Encoding": "identity", "User-Agent": "botpsy"}
        | ({"Authorization": f"Bearer {access.token}"} if access.token else {}),
    )


@contextlib.contextmanager
def _errors(url: str) -> Iterator[None]:
    import httpx

    try:
        yield
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, ValueError) as error:
        raise ModelError(
            f"{public(url)} is not an address that can be fetched: {error}."
        ) from error
    except (httpx.HTTPError, _BrokenOffError) as error:
        raise ModelError(
            f"{public(url)} cannot be reached: {error or type(error).__name__}.",
            "Check the network connection and any proxy settings.",
        ) from error


def _allowed(url: httpx.URL) -> None:
    if url.scheme == "https":
        return
    if url.scheme == "http":
        if url.host == "localhost":
            return
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(url.host).is_loopback:
                return
    raise ModelError(
        f"{public(str(url))} would be fetched without encryption.", "Use an https address."
    )


@contextlib.contextmanager
def _open(
    client: httpx.Client, url: str, headers: Mapping[str, str]
) -> Iterator[tuple[httpx.Response, str, str]]:
    """The response after redirects, with the sha256 and the revision that were stated on the way.

    Connection failures count as broken off only once a response has begun; a host that cannot be
    reached at all is reported at once.
    """
    import httpx

    here = httpx.URL(url)
    origin = _origin(here)
    stated = revision = ""
    for _ in range(_REDIRECTS):
        _allowed(here)
        request = client.build_request("GET", here, headers=dict(headers))
        if _origin(here) != origin:
            request.headers.pop("Authorization", None)
        try:
            response = client.send(request, stream=True)
        except (httpx.ReadError, httpx.ReadTimeout, httpx.RemoteProtocolError) as error:
            raise _BrokenOffError(error or type(error).__name__) from error
        try:
            stated = stated or _stated_sha256(response)
            revision = revision or response.headers.get("x-repo-commit", "")
            if response.has_redirect_location:
                here = here.join(response.headers["location"])
                continue
            _check_status(response, url)
            yield response, stated, revision
            return
        finally:
            response.close()
    raise ModelError(f"{public(url)} redirects in circles.")


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _stated_sha256(response: httpx.Response) -> str:
    found = re.fullmatch(r'"?([0-9a-f]{64})"?', response.headers.get("x-linked-etag", ""))
    return found[1] if found else ""


def _check_status(response: httpx.Response, url: str) -> None:
    status = response.status_code
    if status in (200, 206, 416):
        return
    if status in _BUSY:
        raise _BrokenOffError(f"the server answers {status}")
    if status in (401, 403):
        raise ModelError(
            f"{public(url)} may not be read ({status}).",
            "It may be private or need its licence accepted; set HF_TOKEN to a token that may "
            "read it.",
        )
    if status in (404, 410):
        raise ModelError(f"{public(url)} does not exist.", "Check the name and the revision.")
    raise ModelError(f"{public(url)} cannot be fetched: the server answers {status}.")


def _meta(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _resume_headers(part: Path) -> dict[str, str]:
    have = _size(part)
    if not have:
        return {}
    try:
        validator = json.loads(_meta(part).read_text())["validator"]
    except (OSError, ValueError, KeyError, TypeError):
        validator = ""
    if not isinstance(validator, str) or not validator:
        part.unlink(missing_ok=True)
        return {}
    return {"Range": f"bytes={have}-", "If-Range": validator}


def _extent(response: httpx.Response, part: Path) -> tuple[int, int]:
    """(where this response starts, the file's full size or 0), the part file made ready for it."""
    if response.status_code == 206:
        found = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("content-range", ""))
        if found and int(found[1]) == _size(part):
            return int(found[1]), 0 if found[2] == "*" else int(found[2])
    if response.status_code != 200:
        # A range that the server does not have, or another one than was asked for.
        discard(part)
        raise _BrokenOffError("the server cannot resume this file")
    etag = response.headers.get("etag", "")
    # A weak ETag does not promise equal bytes (RFC 9110, 8.8.1).
    validator = etag if etag and not etag.startswith("W/") else ""
    validator = validator or response.headers.get("last-modified", "")
    try:
        part.write_bytes(b"")
        _meta(part).write_text(json.dumps({"validator": validator}))
    except OSError as error:
        raise disk_error(error, part.parent) from error
    return 0, int(response.headers.get("content-length", 0))


def discard(part: Path) -> None:
    """Forget an unfinished transfer."""
    part.unlink(missing_ok=True)
    _meta(part).unlink(missing_ok=True)


def _receive(
    response: httpx.Response, part: Path, start: int, total: int, progress: Progress | None
) -> None:
    import httpx

    done = start
    try:
        with part.open("ab") as file:
            try:
                for chunk in response.iter_raw():
                    file.write(chunk)
                    done += len(chunk)
                    if progress:
                        progress(done, total)
            finally:
                _sync(file)
    except httpx.TransportError as error:
        raise _BrokenOffError(str(error) or type(error).__name__) from error
    except OSError as error:
        raise disk_error(error, part.parent) from error
    if total and done < total:
        raise _BrokenOffError(f"{done} of {total} bytes came")


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _room(folder: Path, needed: int) -> None:
    if shutil.disk_usage(folder).free < needed:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _finish(part: Path, target: Path, expected: str, revision: str, origin: str) -> Fetched:
    found = sha256_of(part)
    if expected and found != expected:
        discard(part)
        raise ModelError(
            f"{origin} is not the expected file: its sha256 is {found}, not {expected}.",
            "It was thrown away. The source is damaged or was changed; do not use it.",
        )
    size = _size(part)
    part.replace(target)
    discard(part)
    return Fetched(found, size, revision)
