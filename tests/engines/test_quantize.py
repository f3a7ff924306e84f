from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader, GGUFWriter
from gguf.quants import dequantize

from botpsy.engines.quantize import Target, quantize
from botpsy.errors import ModelError
from tests.engines.tiny_gguf import build


def tensors(path: Path) -> dict[str, np.ndarray]:
    return {t.name: dequantize(t.data, t.tensor_type) for t in GGUFReader(path).tensors}


def types(path: Path) -> dict[str, str]:
    return {t.name: t.tensor_type.name for t in GGUFReader(path).tensors}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("gguf") / "source.gguf", "llama", template="old")


@pytest.mark.parametrize(("kind", "error"), [("Q8_0", 0.01), ("Q4_0", 0.2)])
def test_weights_stay_close_and_norms_exact(
    source: Path, tmp_path: Path, kind: Target, error: float
) -> None:
    target = tmp_path / "out.gguf"
    quantize(source, target, kind)
    before, after = tensors(source), tensors(target)
    assert list(before) == list(after)
    for name, values in before.items():
        if "norm" in name:
            assert np.array_equal(values, after[name])
        else:
            assert np.abs(values - after[name]).max() <= error * np.abs(values).max()


def test_each_tensor_gets_the_type_it_should(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.gguf"
    quantize(source, target, "Q4_0")
    found = types(target)
    assert found["token_embd.weight"] == found["output.weight"] == "Q8_0"
    assert found["blk.0.attn_norm.weight"] == found["output_norm.weight"] == "F32"
    assert found["blk.3.ffn_down.weight"] == found["blk.0.attn_q.weight"] == "Q4_0"


def test_small_kernels_and_short_rows_are_left_alone(tmp_path: Path) -> None:
    source = build(tmp_path / "qwen35.gguf")
    quantize(source, tmp_path / "out.gguf", "Q8_0")
    found = types(tmp_path / "out.gguf")
    assert found["blk.0.ssm_conv1d.weight"] == found["blk.0.ssm_a"] == "F32"
    assert found["blk.0.attn_qkv.weight"] == "Q8_0"


def test_metadata_is_copied_and_the_template_replaced(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.gguf"
    quantize(source, target, "Q8_0", template="new {{ é }}", metadata={"botpsy.format": "pocket"})
    before, after = GGUFReader(source), GGUFReader(target)
    values = {name: field.contents() for name, field in after.fields.items()}
    assert values["tokenizer.chat_template"] == "new {{ é }}"
    assert values["botpsy.format"] == "pocket"
    kinds = {name: field.types for name, field in after.fields.items()}
    for name, field in before.fields.items():
        if name.startswith("GGUF.") or name == "tokenizer.chat_template":
            continue
        assert (values[name], kinds[name]) == (field.contents(), field.types), name


def test_an_already_quantized_file_can_be_the_source(source: Path, tmp_path: Path) -> None:
    small, again = tmp_path / "q4.gguf", tmp_path / "q8.gguf"
    quantize(source, small, "Q4_0")
    quantize(small, again, "Q8_0")
    assert types(again)["blk.0.attn_q.weight"] == "Q8_0"
    before, after = tensors(small), tensors(again)
    assert all(np.allclose(before[name], after[name], atol=0.02) for name in before)


def test_the_same_source_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.gguf", tmp_path / "b.gguf"
    quantize(source, first, "Q8_0")
    quantize(source, second, "Q8_0")
    assert first.read_bytes() == second.read_bytes()


def test_the_result_runs(source: Path, tmp_path: Path) -> None:
    from botpsy.engines.llama import Llama

    target = tmp_path / "out.gguf"
    quantize(source, target, "Q8_0")
    model = Llama(target, window=256)
    try:
        ended = model.generate({"prompt": "hello", "max_tokens": 4}, lambda *_: False)
    finally:
        model.close()
    assert ended.usage.completion_tokens > 0


def test_progress_reaches_the_end(source: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    quantize(source, tmp_path / "o.gguf", "Q8_0", progress=lambda *both: told.append(both))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 0


def test_what_is_no_model_is_refused(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.gguf"
    (tmp_path / "text.gguf").write_bytes(b"hello" * 100)
    (tmp_path / "short.gguf").write_bytes(source.read_bytes()[:-100])
    GGUFWriter(tmp_path / "plain.gguf", "").close()
    for name in ("text", "short", "missing", "plain"):
        with pytest.raises(ModelError):
            quantize(tmp_path / f"{name}.gguf", target, "Q8_0")
        assert not list(tmp_path.glob("out*"))


def test_a_target_that_cannot_be_written_is_an_os_error(source: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        quantize(source, Path("/nonexistent/out.gguf"), "Q8_0")


def test_a_failure_leaves_the_old_file_and_no_part(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.gguf"
    target.write_bytes(b"old")

    def fail(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quantize(source, target, "Q8_0", progress=fail)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]
