"""Fixtures that more than one room uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes begins first, so that nobody waits for it at the end."""
    items.sort(key=lambda item: "test_tiny_recipe" not in item.nodeid)


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of the ``qwen35`` architecture that llama.cpp loads in milliseconds."""
    from tests.engines.tiny_gguf import build

    return build(tmp_path_factory.mktemp("gguf") / "tiny-qwen35.gguf")


@pytest.fixture(scope="session")
def calling_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that thinks one line, calls ``create_event`` and ends its turn, whatever is asked."""
    from tests.engines.tiny_gguf import build

    pieces = (
        "The user wants an event.",
        "\n</think>\n\n",
        "<tool_call>\n<function=create_event>\n",
        "<parameter=title>\ndentist\n</parameter>\n",
        "<parameter=start>\nnext Friday at 15:00\n</parameter>\n",
        "</function>\n</tool_call>",
    )
    return build(tmp_path_factory.mktemp("gguf") / "calling.gguf", "llama", pieces)


@pytest.fixture(scope="session")
def one_thread() -> Iterator[None]:
    """Sums are made in one order."""
    torch = pytest.importorskip("torch", reason="needs the train extra")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
