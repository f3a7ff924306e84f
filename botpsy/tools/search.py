"""Tools that look things up: in the user's documents, on the web."""

from __future__ import annotations

from typing import Annotated

from botpsy.chat.types import Json, JsonObject
from botpsy.tools.base import Context, ToolDef, tool

_RESULTS = 5
_PAGE_CHARACTERS = 6000


@tool(
    service="documents",
    untrusted_output=True,
    domain="files",
    examples=(
        "find the document about the car insurance",
        "search my files for the rental contract",
        "which of my papers mention the warranty",
        "look in my documents for the wifi password",
        "where did I write about the garden project",
        "is there anything in my files on taxes",
    ),
)
def search_documents(ctx: Context, query: Annotated[str, "Words to look for"]) -> JsonObject:
    """Search the text of the user's own documents and say in which files it stands."""
    hits: list[Json] = [
        {"path": hit.path, "snippet": hit.snippet}
        for hit in ctx.services.documents.search(query, _RESULTS)
    ]
    return {"documents": hits}


@tool(
    service="web",
    untrusted_output=True,
    domain="web",
    examples=(
        "search the web for the opening hours of the zoo",
        "look up the population of Norway",
        "google the best pizza dough",
        "find out online how tall the Eiffel tower is",
        "what's the latest news on the election",
        "who wrote that famous whale novel",
        "who is the president of Chile",
        "where is Lisbon",
        "when was Mozart born",
        "when is Dolly Parton's birthday",
        "how many planets are there",
        "how far is the moon from the earth",
        "which is bigger, Chad or Mali",
        "why is the sky blue",
        "what does ubiquitous mean",
        "what is a quasar",
        "define gravity",
        "give me a definition of stoicism",
        "describe a volcano to me",
        "tell me about Marie Curie",
        "explain how tides work",
        "is Pluto still a planet",
        "how old is Dolly Parton now",
        "how many spoons are in a litre",
        "what colour is a flamingo",
        "how big is Lake Victoria",
        "what is the capital of Peru",
        "did Tolstoy ever win a prize",
        "what country is Björk from",
        "Frida Kahlo info",
        "what's a lynx",
    ),
)
def web_search(ctx: Context, query: Annotated[str, "What to search for"]) -> JsonObject:
    """Search the internet for facts, news, people, places or definitions."""
    results: list[Json] = [
        {"title": result.title, "url": result.url, "snippet": result.snippet}
        for result in ctx.services.web.search(query, _RESULTS)
    ]
    return {"results": results}


@tool(
    service="web",
    destinations=("url",),
    untrusted_output=True,
    domain="web",
    examples=(
        "read https://example.org/news to me",
        "open the first link and summarise it",
        "what does this page say: example.com",
        "summarise the article at this address",
        "go to the website and tell me what's on it",
    ),
)
def read_page(ctx: Context, url: Annotated[str, "Full address, https://..."]) -> JsonObject:
    """Read the text of one web page whose address is known."""
    page = ctx.services.web.read(url)
    found: JsonObject = {
        "title": page.title,
        "url": page.url,
        "text": page.text[:_PAGE_CHARACTERS],
    }
    if page.cut or len(page.text) > _PAGE_CHARACTERS:
        found["more"] = True
    if page.links:
        found["links"] = [{"text": link.text, "url": link.url} for link in page.links]
    return found


TOOLS: tuple[ToolDef, ...] = (search_documents, web_search, read_page)
