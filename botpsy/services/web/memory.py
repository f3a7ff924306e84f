"""A small web in memory, for worlds and tests: pages by address, searched like documents."""

from __future__ import annotations

from collections.abc import Iterable

from botpsy.errors import ServiceError
from botpsy.services.documents.memory import MemoryDocuments
from botpsy.services.web import Page, Result


class MemoryWeb:
    """Pages that link to one another by address in their text."""

    def __init__(self, pages: Iterable[Page] = ()) -> None:
        self._pages = {page.url: page for page in pages}

    def search(self, query: str, limit: int = 5) -> list[Result]:
        texts = {page.url: f"{page.title}\n{page.text}" for page in self._pages.values()}
        hits = MemoryDocuments(texts).search(query, limit)
        return [Result(self._pages[hit.path].title, hit.path, hit.snippet) for hit in hits]

    def read(self, url: str) -> Page:
        page = self._pages.get(url) or self._pages.get(url.rstrip("/"))
        if page is None:
            raise ServiceError(f"There is no page at {url}.")
        return page

    def snapshot(self, key: str) -> str | None:
        return None

    def restore(self, key: str, state: str | None) -> None:
        """There is nothing to put back."""

    def dump(self) -> dict[str, list[str]]:
        """The pages, for comparison."""
        return {url: [page.title, page.text] for url, page in sorted(self._pages.items())}
