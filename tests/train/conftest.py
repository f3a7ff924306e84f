"""What tests of training share; those that train are skipped where the ``train`` extra is absent."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.train.toy import write_data

collect_ignore: list[str] = []
NEEDS_TORCH = "needs the train extra: pip install 'botpsy[train]'"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Nothing here: see ``torch`` below."""


@pytest.fixture(scope="session")
def torch_threads() -> Iterator[None]:
    """One thread, so that sums are made in one order."""
    if find_spec("torch") is None:
        pytest.skip(NEEDS_TORCH)
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def toy_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of built data, tiny."""
    return write_data(tmp_path_factory.mktemp("data"))
