"""Small GGUF files that real llama.cpp loads: what drives the engine tests without real weights.

``build(path)`` writes a model of a given architecture (``qwen35``: gated delta net layers with
full attention at an interval; ``llama``: plain) with a byte-level vocabulary, so any text can go
in and come out. Its weights are random in ``seed``.

With ``script`` the model is not random: whatever the prompt, it says exactly these pieces and ends
its turn. Each piece is a token of its own and must be unique; the residual stream carries only the
last token's embedding, and the output layer is a table of "what comes next".
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import gguf
import numpy as np

Arch = Literal["qwen35", "llama"]
WINDOW = 32768
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKUP = (
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "</tool_response>",
    "<think>",
    "</think>",
)


def build(
    path: Path,
    arch: Arch = "qwen35",
    script: Sequence[str] = (),
    *,
    seed: int = 0,
    template: str = "",
    layers: int = 4,
    metadata: dict[str, str] | None = None,
) -> Path:
    """Write the model and return its path. About half a megabyte."""
    tokens, types = _vocabulary(script)
    writer = gguf.GGUFWriter(path, arch)
    writer.add_name(f"tiny {arch}")
    for key, value in (metadata or {}).items():
        writer.add_string(key, value)
    _tokenizer(writer, tokens, types, template)
    weights = _Weights(arch, len(tokens), layers, np.random.default_rng(seed), bool(script))
    weights.hyperparameters(writer)
    tensors = weights.tensors()
    if script:
        ids = {token: index for index, token in enumerate(tokens)}
        chain = [ids[piece] for piece in script] + [ids["<|im_end|>"]]
        tensors.update(_table(chain, len(tokens), weights.width))
    for name, tensor in tensors.items():
        writer.add_tensor(name, tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def build_adapter(path: Path, arch: Arch = "llama", *, seed: int = 1, layers: int = 4) -> Path:
    """Write a LoRA adapter (rank 2, on the feed-forward down projections) for ``build(arch)``."""
    weights = _Weights(arch, 0, layers, np.random.default_rng(seed), False)
    writer = gguf.GGUFWriter(path, arch)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, 64.0)
    for layer in range(layers):
        name = f"blk.{layer}.ffn_down.weight"
        writer.add_tensor(f"{name}.lora_a", weights.random(2, weights.hidden))
        writer.add_tensor(f"{name}.lora_b", weights.random(weights.width, 2))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _vocabulary(script: Sequence[str]) -> tuple[list[str], list[int]]:
    """256 byte tokens in GPT-2's printable spelling, then the special ones, then the script."""
    assert len(set(script)) == len(script), "the pieces of a script must be unique"
    tokens = list(_byte_spelling())
    types = [int(gguf.TokenType.NORMAL)] * len(tokens)
    tokens += ["ab"]  # the tokenizer wants at least one merge
    types += [int(gguf.TokenType.NORMAL)]
    tokens += SPECIAL
    types += [int(gguf.TokenType.CONTROL)] * len(SPECIAL)
    own = [piece for piece in (*MARKUP, *script) if piece not in tokens]
    tokens += dict.fromkeys(own)
    types += [int(gguf.TokenType.USER_DEFINED)] * (len(tokens) - len(types))
    return tokens, types


def _byte_spelling() -> list[str]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    spelling = {byte: chr(byte) for byte in printable}
    spelling |= {byte: chr(256 + index) for index, byte in enumerate(others)}
    return [spelling[byte] for byte in range(256)]


def _tokenizer(writer: gguf.GGUFWriter, tokens: list[str], types: list[int], template: str) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_pad_token_id(tokens.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    if template:
        writer.add_chat_template(template)


def _table(chain: list[int], vocabulary: int, width: int) -> dict[str, np.ndarray]:
    """Embeddings, and an output layer that maps each token of the chain to the next one.

    Any token outside the chain leads to its start: the first component of every embedding is
    constant, and the start's output row answers to it, weaker than a row answers to its
    predecessor.
    """
    embeddings = np.random.default_rng(0).choice([-1.0, 1.0], size=(vocabulary, width))
    embeddings[:, 0] = 1.0
    output = np.zeros((vocabulary, width))
    output[chain[0], 0] = 0.6 * width
    for token, following in itertools.pairwise(chain):
        output[following] += embeddings[token]
    return {"token_embd.weight": embeddings, "output.weight": output}


class _Weights:
    """Shapes and values of one tiny model; ``silent`` blocks add nothing to the residual."""

    width = 64
    hidden = 96
    heads, kv_heads, head = 2, 1, 32
    conv, state, groups, ranks = 4, 16, 2, 4
    interval = 4

    def __init__(
        self, arch: Arch, vocabulary: int, layers: int, rng: np.random.Generator, silent: bool
    ) -> None:
        self.arch, self.vocabulary, self.layers = arch, vocabulary, layers
        self.rng, self.silent = rng, silent

    def random(self, *shape: int) -> np.ndarray:
        return self.rng.normal(0.0, 0.2, size=shape).astype(np.float32)

    def hyperparameters(self, writer: gguf.GGUFWriter) -> None:
        writer.add_context_length(WINDOW)
        writer.add_embedding_length(self.width)
        writer.add_block_count(self.layers)
        writer.add_feed_forward_length(self.hidden)
        writer.add_head_count(self.heads)
        writer.add_head_count_kv(self.kv_heads)
        writer.add_key_length(self.head)
        writer.add_value_length(self.head)
        writer.add_layer_norm_rms_eps(1e-6)
        writer.add_rope_freq_base(10000.0)
        writer.add_vocab_size(self.vocabulary)
        if self.arch == "llama":
            writer.add_rope_dimension_count(self.head)
            return
        writer.add_rope_dimension_count(16)
        writer.add_rope_dimension_sections([4, 2, 2, 0])
        writer.add_ssm_conv_kernel(self.conv)
        writer.add_ssm_inner_size(self.state * self.ranks)
        writer.add_ssm_state_size(self.state)
        writer.add_ssm_time_step_rank(self.ranks)
        writer.add_ssm_group_count(self.groups)
        writer.add_uint32("qwen35.full_attention_interval", self.interval)

    def tensors(self) -> dict[str, np.ndarray]:
        named = {
            "token_embd.weight": self.random(self.vocabulary, self.width),
            "output_norm.weight": np.ones(self.width),
            "output.weight": self.random(self.vocabulary, self.width),
        }
        for layer in range(self.layers):
            block = self._llama() if self.arch == "llama" else self._qwen35(layer)
            named |= {f"blk.{layer}.{name}": tensor for name, tensor in block.items()}
        return named

    def _into_residual(self, *shape: int) -> np.ndarray:
        return np.zeros(shape) if self.silent else self.random(*shape)

    def _feed_forward(self) -> dict[str, np.ndarray]:
        return {
            "attn_norm.weight": np.ones(self.width),
            "ffn_gate.weight": self.random(self.hidden, self.width),
            "ffn_up.weight": self.random(self.hidden, self.width),
            "ffn_down.weight": self._into_residual(self.width, self.hidden),
        }

    def _attention(self, gated: int) -> dict[str, np.ndarray]:
        return {
            "attn_q.weight": self.random(gated * self.heads * self.head, self.width),
            "attn_k.weight": self.random(self.kv_heads * self.head, self.width),
            "attn_v.weight": self.random(self.kv_heads * self.head, self.width),
            "attn_output.weight": self._into_residual(self.width, self.heads * self.head),
        }

    def _llama(self) -> dict[str, np.ndarray]:
        norm = {"ffn_norm.weight": np.ones(self.width)}
        return norm | self._feed_forward() | self._attention(1)

    def _qwen35(self, layer: int) -> dict[str, np.ndarray]:
        block = {"post_attention_norm.weight": np.ones(self.width)} | self._feed_forward()
        if (layer + 1) % self.interval == 0:
            norms = {f"attn_{part}_norm.weight": np.ones(self.head) for part in "qk"}
            return block | norms | self._attention(2)
        values, keys = self.state * self.ranks, self.state * self.groups
        return block | {
            "attn_qkv.weight": self.random(2 * keys + values, self.width),
            "attn_gate.weight": self.random(values, self.width),
            "ssm_conv1d.weight": self.random(2 * keys + values, self.conv),
            "ssm_dt.bias": self.random(self.ranks),
            "ssm_a": -np.abs(self.random(self.ranks)) - 0.1,
            "ssm_alpha.weight": self.random(self.ranks, self.width),
            "ssm_beta.weight": self.random(self.ranks, self.width),
            "ssm_norm.weight": np.ones(self.state),
            "ssm_out.weight": self._into_residual(self.width, values),
        }


def spelled(text: str) -> list[str]:
    """A script that says ``text`` byte by byte; no byte may come twice."""
    spelling = _byte_spelling()
    return [spelling[byte] for byte in text.encode()]
