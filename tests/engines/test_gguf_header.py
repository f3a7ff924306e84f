"""Damaged and foreign files are errors in words, never a crash of the process."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botpsy.engines.embedded import Embedded
from botpsy.engines.gguf_header import read_header
from botpsy.errors import ModelError
from tests.engines.tiny_gguf import build

# The key, its type (a list), the type of its items (int32) and their number.
SECTIONS = b"qwen35.rope.dimension_sections\x09\0\0\0\x05\0\0\0\x04\0\0\0\0\0\0\0"


def test_a_good_file(tiny_gguf: Path) -> None:
    header = read_header(tiny_gguf)
    assert (header.architecture, header.name, header.window) == ("qwen35", "tiny qwen35", 32768)
    assert header.template == ""
    assert not header.is_adapter
    assert header.tensors > 40


def test_files_that_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no file"):
        Embedded(tmp_path / "none.gguf", threads=1)
    with pytest.raises(ModelError, match="folder"):
        Embedded(tmp_path, threads=1)
    empty = tmp_path / "empty.gguf"
    empty.touch()
    with pytest.raises(ModelError, match="too short"):
        Embedded(empty, threads=1)
    page = tmp_path / "page.gguf"
    page.write_text("<!doctype html>" * 100)
    with pytest.raises(ModelError, match="GGUF mark"):
        Embedded(page, threads=1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    locked = build(tmp_path / "locked.gguf", "llama")
    locked.chmod(0)
    with pytest.raises(ModelError, match="cannot be read"):
        Embedded(locked, threads=1)


@pytest.mark.parametrize("share", [0.0005, 0.002, 0.01, 0.05, 0.3, 0.7, 0.99, 0.9999])
def test_a_file_that_was_cut_off(tmp_path: Path, tiny_gguf: Path, share: float) -> None:
    whole = tiny_gguf.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ModelError):
        Embedded(cut, threads=1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"GGUF\x03", b"GGUF\x01"),  # a version of long ago
        (b"GGUF\x03\x00\x00\x00", b"GGUF\x00\x00\x00\x03"),  # big-endian
        (
            b"qwen35.block_count\x04\x00\x00\x00\x04\x00",
            b"qwen35.block_count\x04\x00\x00\x00\x00\x00",
        ),
        (
            b"qwen35.block_count\x04\x00\x00\x00\x04\x00",
            b"qwen35.block_count\x04\x00\x00\x00\x04\x40",
        ),
        (b"\x01\x00\x00\x00\x00\x00\x00\x00B", b"\x01\x00\x00\x00\x00\x00\x00\x00A"),  # token twice
        (SECTIONS + b"\x04", SECTIONS + b"\x7f"),
        (b"general.architecture\x08", b"general.architecture\x63"),
        (b"general.architecture\x08", b"general.architectur\xff\x08"),
    ],
)
def test_damage_that_llama_cpp_would_abort_on(
    tmp_path: Path, tiny_gguf: Path, old: bytes, new: bytes
) -> None:
    whole = tiny_gguf.read_bytes()
    assert old in whole
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(whole.replace(old, new, 1))
    with pytest.raises(ModelError, match="not a whole GGUF file"):
        Embedded(damaged, threads=1)


def test_an_architecture_that_llama_cpp_does_not_know(tmp_path: Path, tiny_gguf: Path) -> None:
    strange = tmp_path / "strange.gguf"
    strange.write_bytes(tiny_gguf.read_bytes().replace(b"qwen35", b"qwen99"))
    with pytest.raises(ModelError, match="qwen99"):
        Embedded(strange, threads=1)
    with pytest.raises(ModelError, match="cannot load"):
        Embedded(strange, format="qwen3_5", threads=1)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    changes=st.lists(st.tuples(st.integers(4, 9000), st.integers(0, 255)), min_size=1, max_size=6),
    end=st.integers(32, 20_000),
)
def test_no_damage_raises_anything_else(
    tiny_head: tuple[Path, bytes], changes: list[tuple[int, int]], end: int
) -> None:
    path, head = tiny_head
    damaged = bytearray(head[:end])
    for at, byte in changes:
        if at < len(damaged):
            damaged[at] = byte
    path.write_bytes(damaged)
    with contextlib.suppress(ModelError):
        read_header(path)


@pytest.fixture(scope="module")
def tiny_head(tiny_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    return tmp_path_factory.mktemp("head") / "head.gguf", tiny_gguf.read_bytes()[:20_000]
