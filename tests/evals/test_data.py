"""Files of suites: there, or an error that says how to get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.errors import ConfigError
from botpsy.evals.case import Data
from botpsy.evals.data import data_hash, open_data

FILES = Data("suite", "the project Suite, folder data", "MIT")


def test_what_is_missing_is_named_with_its_source_and_licence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"suite is not there \(licence: MIT\).*project Suite"):
        open_data(tmp_path, FILES)


def test_the_hash_is_of_all_files(tmp_path: Path) -> None:
    (tmp_path / "suite/deep").mkdir(parents=True)
    (tmp_path / "suite/one.json").write_text("1", "utf-8")
    first = data_hash(tmp_path, [FILES])
    (tmp_path / "suite/deep/two.json").write_text("2", "utf-8")
    second = data_hash(tmp_path, [FILES])
    (tmp_path / "suite/deep/two.json").rename(tmp_path / "suite/deep/three.json")
    assert len({first, second, data_hash(tmp_path, [FILES])}) == 3
    one = Data("suite/one.json", "", "")
    assert data_hash(tmp_path, [one]) == first
