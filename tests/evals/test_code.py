"""A run is held to all code of ours that its verdicts are made by."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from botpsy.evals import code, registry
from tests.evals import made_up


@pytest.fixture
def suite_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The made-up suite as a package whose helper imports the verifiers inside a function."""
    package = tmp_path / "sums_suite"
    package.mkdir()
    (package / "helper.py").write_text(
        "def f():\n    from botpsy.rewards.math import same\n    return same\n"
    )
    (package / "__init__.py").write_text("import botpsy.chat.parser\n")
    monkeypatch.setitem(registry.MODULES, "sums_suite", ("sums",))
    monkeypatch.setitem(sys.modules, "botpsy.evals.suites.sums_suite", made_up)
    found = {
        "botpsy.evals.suites.sums_suite": package / "__init__.py",
        "botpsy.evals.suites.sums_suite.helper": package / "helper.py",
    }
    real = code._file
    monkeypatch.setattr(code, "_file", lambda module: found.get(module) or real(module))
    return package


def hashed() -> str:
    code.code_of.cache_clear()
    return code.code_of("sums")


def test_it_changes_with_what_is_imported_and_with_nothing_else(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = hashed()
    assert hashed() == first
    real = code._file

    def changed(name: str) -> str:
        file = real(name)
        assert file is not None
        other = tmp_path / f"{name}.py"
        other.write_bytes(file.read_bytes() + b"\n# more\n")
        monkeypatch.setattr(code, "_file", lambda module: other if module == name else real(module))
        return hashed()

    for judged in ("botpsy.chat.parser", "botpsy.chat.calls", "botpsy.rewards.expression"):
        assert changed(judged) != first, judged
    assert changed("botpsy.evals.suites.sums_suite.helper") != first
    for apart in ("botpsy.cli.evals", "botpsy.engines.embedded", "botpsy.train.sft"):
        assert changed(apart) == first, apart
