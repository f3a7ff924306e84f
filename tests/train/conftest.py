"""What tests of training share; those that train are skipped where the ``train`` extra is absent.

A file that trains begins with ``torch = pytest.importorskip("torch", reason=NEEDS_TORCH)``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.train.toy import write_data


@pytest.fixture(scope="session")
def toy_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of built data, tiny."""
    return write_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def toy_base(tmp_path_factory: pytest.TempPathFactory, toy_data: Path, one_thread: None) -> Path:
    """A folder with a model that knows nothing."""
    from botpsy.chat.formats import POCKET
    from botpsy.train.base import tokens_of
    from botpsy.train.model import fresh, save
    from botpsy.train.shapes import Shape
    from botpsy.train.stage import places
    from tests.train.toy import toy_recipe

    folder = tmp_path_factory.mktemp("base")
    recipe = toy_recipe(folder, toy_data)
    tokens = tokens_of(recipe, places(recipe, folder))
    shape = Shape(4, 32, 64, 2, 1, 16, 1, 2, 16)  # a layer of full attention after three of linear
    save(fresh(shape, tokens, POCKET, "float32", 1), folder / "model")
    return folder / "model"
