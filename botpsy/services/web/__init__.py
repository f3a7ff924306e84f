"""The web: search, and reading a page. Everything it returns was written by others.

``search`` sends the query, and ``read`` the address, out of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from botpsy.services.base import Service


@dataclass(frozen=True, slots=True)
class Result:
    """One search result."""

    title: str
    url: str
    snippet: str


MAX_LINKS = 20
"""Links that a page gives."""


class Link(NamedTuple):
    """A link's text, and the http(s) address to which it really leads."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page's address after redirects, its title, its main text and links that it shows.

    ``cut`` says that its end was not read.
    """

    url: str
    title: str
    text: str
    links: tuple[Link, ...] = ()
    cut: bool = False


class WebService(Service, Protocol):
    """It holds no records: ``snapshot`` is always None."""

    def search(self, query: str, limit: int = 5) -> list[Result]:
        """The best results, best first; empty where there are none.

        Raises:
            ServiceError: the search engine cannot be reached or does not answer as it should.
        """
        ...

    def read(self, url: str) -> Page:
        """The page at an http(s) address.

        Raises:
            ServiceError: the address is refused, or the page cannot be had or read.
        """
        ...


__all__ = ["MAX_LINKS", "Link", "Page", "Result", "WebService"]
