"""Where a suite's files are: below the user's own copy, or an error that says how to get them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from botpsy.errors import ConfigError
from botpsy.evals.case import Data


def open_data(folder: Path, data: Data) -> Path:
    """The file or folder.

    Raises:
        ConfigError: it is not there; names it, its source and its licence.
    """
    path = folder / data.path
    if not path.exists():
        raise ConfigError(
            f"{path} is not there (licence: {data.licence}).", f"Get it from {data.source}."
        )
    return path


def data_hash(folder: Path, data: Iterable[Data]) -> str:
    """Of all files, names and contents; changes with any of them.

    Raises:
        ConfigError: one is not there.
    """
    total = hashlib.sha256()
    for each in data:
        path = open_data(folder, each)
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else []
        for file in files or [path]:
            total.update(f"{file.relative_to(folder)}\0".encode())
            with file.open("rb") as stream:
                total.update(hashlib.file_digest(stream, "sha256").digest())
    return total.hexdigest()[:16]
