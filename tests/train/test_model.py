"""Models come from a folder, a GGUF or nothing, and are kept whole."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.train.toy import NEEDS_TORCH

torch = pytest.importorskip("torch", reason=NEEDS_TORCH)

from botpsy.chat.formats import POCKET, QWEN3_5  # noqa: E402
from botpsy.chat.tokens import tokenizer_of  # noqa: E402
from botpsy.errors import ModelError  # noqa: E402
from botpsy.train.base import size_of, train_tokenizer  # noqa: E402
from botpsy.train.model import fresh, load, load_gguf, save  # noqa: E402
from botpsy.train.recipe import TrainRecipe  # noqa: E402
from botpsy.train.sections import ModelRecipe  # noqa: E402
from botpsy.train.shapes import SHAPES  # noqa: E402
from tests.train import tiny  # noqa: E402
from tests.train.toy import lamp_row, toy_recipe  # noqa: E402

TEXTS = ["Light in the kitchen please.", "Lamp in the hall, 3 times."]


@pytest.mark.parametrize("chat", [POCKET, QWEN3_5], ids=["pocket", "qwen3_5"])
def test_fresh_weights_depend_on_the_seed_alone(chat: Any) -> None:
    tokens = train_tokenizer(TEXTS, chat, 300)
    state = torch.random.get_rng_state()
    one, same, other = (
        fresh(SHAPES["tiny"], tokens, chat, "float32", seed).model for seed in (1, 1, 2)
    )
    assert torch.equal(torch.random.get_rng_state(), state)
    weight = "model.layers.0.mlp.up_proj.weight"
    first = one.state_dict()
    assert all(torch.equal(first[name], each) for name, each in same.state_dict().items())
    assert not torch.equal(first[weight], other.state_dict()[weight])
    assert one.config.layer_types == ["linear_attention"] * 3 + ["full_attention"]
    assert sum(each.numel() for each in one.parameters()) == SHAPES["tiny"].parameters(
        tokens.inner.get_vocab_size()
    )


def test_fresh_linear_attention_has_a_memory() -> None:
    model = tiny.model().model
    steps = [
        torch.nn.functional.softplus(layer.linear_attn.dt_bias)
        for layer in model.model.layers
        if hasattr(layer, "linear_attn")
    ]
    assert len(steps) == 3
    assert all(((each > 0.999e-4) & (each < 0.01001)).all() for each in steps)


def test_a_model_that_was_saved_is_the_same(toy_base: Path, tmp_path: Path) -> None:
    loaded = load(toy_base, POCKET, "bfloat16")
    assert loaded.model.dtype is torch.bfloat16
    save(loaded, tmp_path / "again")
    again = load(tmp_path / "again", POCKET, "bfloat16")
    for name, each in loaded.model.state_dict().items():
        assert torch.equal(each, again.model.state_dict()[name])
    assert (tmp_path / "again" / "chat_template.jinja").read_text("utf-8") == POCKET.template
    assert not list(tmp_path.glob(".*"))


def test_all_agree_on_the_tokens(toy_base: Path) -> None:
    loaded = load(toy_base, POCKET, "float32")
    row = lamp_row(1)
    ours, _ = POCKET.encode(row.messages, row.tools, tokenizer_of(toy_base))
    assert POCKET.encode(row.messages, row.tools, loaded.tokens)[0] == ours
    text = POCKET.render(row.messages, row.tools, add_generation_prompt=False)
    assert loaded.tokenizer(text)["input_ids"] == ours
    assert loaded.tokenizer.decode(ours) == text
    assert loaded.model.config.eos_token_id == loaded.end == loaded.tokenizer.eos_token_id
    assert loaded.model.generation_config.pad_token_id != loaded.end


def test_what_cannot_be_loaded(tmp_path: Path, toy_base: Path) -> None:
    with pytest.raises(ModelError, match=r"no config\.json"):
        load(tmp_path, POCKET, "float32")
    broken = tmp_path / "broken"
    shutil.copytree(toy_base, broken)
    (broken / "model.safetensors").write_bytes(b"\x08" + b"\0" * 7 + b"{}")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load(broken, POCKET, "float32")
    with pytest.raises(ModelError, match=r"no token <think>.*chat format"):
        load(toy_base, QWEN3_5, "float32")


def test_a_full_disk_leaves_what_was_there(
    toy_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = load(toy_base, POCKET, "float32")
    place = tmp_path / "model"
    save(loaded, place)
    before = (place / "model.safetensors").read_bytes()

    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loaded.tokenizer, "save_pretrained", full)
    with pytest.raises(ModelError, match="No space left"):
        save(loaded, place)
    assert (place / "model.safetensors").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_sizes_are_read_without_loading(tmp_path: Path, toy_data: Path, toy_base: Path) -> None:
    recipe = toy_recipe(tmp_path, toy_data)
    size = size_of(str(toy_base), recipe)
    model = load(toy_base, POCKET, "float32").model
    assert size.parameters == sum(each.numel() for each in model.parameters())
    assert (size.layers, size.hidden, size.feed_forward, size.vocabulary) == (4, 32, 64, 384)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="no model that can be read"):
        size_of(str(tmp_path), recipe)


def test_a_gguf_is_unpacked(tmp_path: Path, toy_data: Path) -> None:
    path = _write_llama(tmp_path / "llama.gguf")
    loaded = load_gguf(path, POCKET, "float32")
    weights = loaded.model.state_dict()
    assert weights["model.layers.0.mlp.down_proj.weight"].shape == (32, 64)
    assert float(weights["model.layers.0.mlp.down_proj.weight"][3, 5]) == pytest.approx(3.05)
    row = lamp_row(2)
    ids, _ = POCKET.encode(row.messages, row.tools, loaded.tokens)
    assert loaded.tokens.decode(ids) == POCKET.render(
        row.messages, row.tools, add_generation_prompt=False
    )
    save(loaded, tmp_path / "model")
    assert load(tmp_path / "model", POCKET, "float32").end == loaded.end
    recipe = TrainRecipe(
        name="x",
        model=ModelRecipe(base=str(path)),
        suite=toy_recipe(tmp_path, toy_data).suite,
        sft=toy_recipe(tmp_path, toy_data).sft,
    )
    size = size_of(str(path), recipe)
    assert size.parameters == sum(each.numel() for each in loaded.model.parameters())
    (tmp_path / "torn.gguf").write_bytes(path.read_bytes()[:500])
    with pytest.raises(ModelError):
        load_gguf(tmp_path / "torn.gguf", POCKET, "float32")


def _write_llama(path: Path) -> Path:
    """A llama of one layer, whose weights say where they stand."""
    import gguf
    import numpy as np

    vocabulary = train_tokenizer(TEXTS, POCKET, 300).inner.get_vocab()
    letters = [each for each in sorted(vocabulary, key=vocabulary.__getitem__) if len(each) == 1]
    words = ["<|endoftext|>", *POCKET.specials, *letters, "Li"]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(512)
    writer.add_embedding_length(32)
    writer.add_feed_forward_length(64)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_rope_dimension_count(16)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(words)
    writer.add_token_types([3 if word.startswith("<|") else 1 for word in words])
    writer.add_token_merges(["L i"])
    shapes = {
        "token_embd": (len(words), 32),
        "blk.0.attn_q": (32, 32),
        "blk.0.attn_k": (16, 32),
        "blk.0.attn_v": (16, 32),
        "blk.0.attn_output": (32, 32),
        "blk.0.ffn_gate": (64, 32),
        "blk.0.ffn_up": (64, 32),
        "blk.0.ffn_down": (32, 64),
        "blk.0.attn_norm": (32,),
        "blk.0.ffn_norm": (32,),
        "output_norm": (32,),
    }
    for name, shape in shapes.items():
        rows = np.arange(shape[0], dtype=np.float32)
        values = rows if len(shape) == 1 else rows[:, None] + np.arange(shape[1]) / 100
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
