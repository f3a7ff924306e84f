"""Names of models become engines, and what is no name is said so."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.chat.types import Message, Sampling
from botpsy.engines import load
from botpsy.engines.embedded import Embedded
from botpsy.engines.openai import OpenAICompatible
from botpsy.errors import ModelError, UsageError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOTPSY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_file(calling_gguf: Path) -> None:
    engine = load(str(calling_gguf), window=2048, threads=1)
    assert isinstance(engine, Embedded)
    assert engine.info.window == 2048
    assert engine.info.format == "pocket"
    engine.close()


def test_prefix_states_go_to_the_cache(calling_gguf: Path, cache: Path) -> None:
    engine = load(str(calling_gguf), threads=1)
    engine.complete(
        [Message("system", "Be brief. " * 80), Message("user", "hi")], (), Sampling(max_tokens=2)
    )
    engine.close()
    assert len(list((cache / "states").iterdir())) == 1


def test_an_address() -> None:
    engine = load("http://127.0.0.1:9/v1#some-model", server="vllm", api_key="k")
    assert isinstance(engine, OpenAICompatible)


def test_the_default_before_it_is_fetched() -> None:
    with pytest.raises(ModelError, match="botpsy model pull default"):
        load()


def test_names_that_are_none(tmp_path: Path) -> None:
    for name in ("nonsense", "hf:nobody", "ftp://x/v1", ""):
        with pytest.raises(UsageError):
            load(name)
    with pytest.raises((ModelError, UsageError), match=r"holds no model|botpsy\[train\]"):
        load(str(tmp_path))
    with pytest.raises(ModelError, match=r"none\.gguf"):
        load(str(tmp_path / "none.gguf"))


def test_options_for_the_wrong_kind_of_model() -> None:
    with pytest.raises(UsageError, match="window"):
        load("http://127.0.0.1:1/v1", window=100)
    with pytest.raises(UsageError, match="api_key"):
        load("x.gguf", api_key="k")
