"""What an extra brings and is not there is named, with the command that brings it."""

from __future__ import annotations

import sys

import pytest

from botpsy.cli import main as cli


@pytest.mark.parametrize("package", ["tokenizers", "datasketch"])
def test_a_package_of_the_data_extra(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise ModuleNotFoundError(f"No module named '{package}'", name=f"{package}.models")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert package in said
    assert "pip install 'botpsy[data]'" in said


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ModuleNotFoundError("No module named 'botpsy.typo'", name="botpsy.typo")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(ModuleNotFoundError):
        cli.main()
    assert "botpsy.typo" not in sys.modules
