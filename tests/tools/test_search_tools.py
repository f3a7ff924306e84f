"""Search tools: small results, labelled as text by others, an address is a destination."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from botpsy.clock import Clock
from botpsy.errors import ServiceError
from botpsy.services.bundle import Services
from botpsy.services.documents.memory import MemoryDocuments
from botpsy.services.web import Link, Page
from botpsy.services.web.memory import MemoryWeb
from botpsy.tools import search
from botpsy.tools.base import Context

TOOLS = {tool.name: tool for tool in search.TOOLS}


@pytest.fixture
def ctx() -> Context:
    services = Services(
        documents=MemoryDocuments({"a/lease.txt": "The rent is due on the first."}),
        web=MemoryWeb(
            [
                Page("https://zoo.example", "Zoo", "The zoo opens at nine."),
                Page("https://long.example", "Long", "word " * 5000),
                Page(
                    "https://linked.example",
                    "Linked",
                    "See the prices.",
                    (Link("prices", "https://linked.example/prices"),),
                ),
            ]
        ),
    )
    return Context(services, Clock(ZoneInfo("UTC")))


def run(ctx: Context, name: str, **arguments: Any) -> Any:
    tool = TOOLS[name]
    return tool.run(tool.bind(arguments, ctx), ctx)


def test_documents(ctx: Context) -> None:
    assert run(ctx, "search_documents", query="when is the rent due") == {
        "documents": [{"path": "a/lease.txt", "snippet": "The rent is due on the first."}]
    }
    assert run(ctx, "search_documents", query="zebra") == {"documents": []}


def test_web(ctx: Context) -> None:
    (result,) = run(ctx, "web_search", query="zoo")["results"]
    assert result["url"] == "https://zoo.example"
    assert run(ctx, "read_page", url=result["url"]) == {
        "title": "Zoo",
        "url": "https://zoo.example",
        "text": "The zoo opens at nine.",
    }
    assert run(ctx, "read_page", url="https://linked.example")["links"] == [
        {"text": "prices", "url": "https://linked.example/prices"}
    ]
    long = run(ctx, "read_page", url="https://long.example")
    assert len(long["text"]) == 6000
    assert long["more"] is True
    with pytest.raises(ServiceError, match="no page"):
        run(ctx, "read_page", url="https://nowhere.example")


def test_declarations() -> None:
    for tool in search.TOOLS:
        assert tool.effect == "read"
        assert tool.untrusted_output
        assert len(tool.examples) >= 5
    assert TOOLS["read_page"].destinations == ("url",)
    assert TOOLS["search_documents"].service == "documents"
