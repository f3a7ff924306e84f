"""The web through a SearXNG instance of the user's choice (docs.searxng.org, "Search API").

The instance is configured by the user and may be on this machine; the pages it finds are fetched
under the guard.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import httpx

from botpsy.errors import ConfigError, ServiceError
from botpsy.services import html
from botpsy.services.http import client
from botpsy.services.text import plain_line
from botpsy.services.web import MAX_LINKS, Link, Page, Result
from botpsy.services.web.guard import fetch

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([A-Za-z0-9_-]{2,30})", re.IGNORECASE)

_LINK_TEXT = 100
_ADDRESS = 500
"""Characters of a link's address; longer ones are for machines."""


@dataclass(frozen=True, slots=True)
class SearxngWeb:
    """Search at ``url`` (the instance's start page); ``allow`` as in ``guard``."""

    url: str
    allow: Collection[str] = ()
    timeout_s: float = 15.0

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise ConfigError(f"The SearXNG address {self.url!r} is not an http(s) URL.")

    def search(self, query: str, limit: int = 5) -> list[Result]:
        words = " ".join(query.split())
        if not words:
            raise ServiceError("There is nothing to search for.", hint="Give a word or two.")
        hint = "Check the address in botpsy's settings, and that SearXNG is running."
        try:
            with client(self.timeout_s) as session:
                response = session.get(
                    self.url.rstrip("/") + "/search", params={"q": words, "format": "json"}
                )
            if response.status_code == 403:
                raise ServiceError(
                    f"SearXNG at {self.url} does not give JSON.",
                    hint="Add json to search.formats in its settings.yml.",
                )
            if response.status_code != 200:
                raise ServiceError(f"SearXNG answered {response.status_code}.", hint=hint)
            found = response.json()["results"]
            results = [_result(entry) for entry in found if isinstance(entry, dict)]
        except httpx.TimeoutException:
            raise ServiceError(
                f"SearXNG did not answer within {self.timeout_s:g} s.", hint=hint
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServiceError(
                f"SearXNG cannot be reached at {self.url} ({type(error).__name__}).", hint=hint
            ) from None
        except (ValueError, KeyError, TypeError):
            raise ServiceError(f"What answers at {self.url} is not SearXNG.", hint=hint) from None
        return [result for result in results if result.url.startswith(("http://", "https://"))][
            :limit
        ]

    def read(self, url: str) -> Page:
        page = fetch(url, allow=self.allow, timeout_s=self.timeout_s)
        if page.content_type in ("text/html", "application/xhtml+xml", ""):
            reading = html.main_text(_decoded(page.body, page.charset), page.url)
            links = _links(page.url, reading.links)
            return Page(page.url, reading.title, reading.text, links, reading.cut)
        if page.content_type.startswith("text/") or page.content_type == "application/json":
            return Page(page.url, "", _decoded(page.body, page.charset))
        raise ServiceError(f"{page.url} is not a page that can be read ({page.content_type}).")

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""


def _result(entry: dict[str, object]) -> Result:
    title, url, snippet = (
        " ".join(str(entry.get(key) or "").split()) for key in ("title", "url", "content")
    )
    return Result(title, url, snippet[:500])


def _links(here: str, links: Sequence[html.Link]) -> tuple[Link, ...]:
    """One link to each other page, the first in the text first, nothing in it unseen."""
    found: dict[str, Link] = {}
    for link in links[: 10 * MAX_LINKS]:
        try:
            url = httpx.URL(link.url).copy_with(fragment=None)
        except (httpx.InvalidURL, ValueError):
            continue
        address = str(url)
        if url.userinfo or len(address) > _ADDRESS or address in (here, *found):
            continue
        found[address] = Link(plain_line(link.text[:_LINK_TEXT]), address)
        if len(found) == MAX_LINKS:
            break
    return tuple(found.values())


def _decoded(body: bytes, charset: str) -> str:
    if not charset and (match := _META_CHARSET.search(body[:4096])):
        charset = match[1].decode("ascii")
    for encoding in (charset, "utf-8"):
        try:
            return body.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("cp1252", errors="replace")
