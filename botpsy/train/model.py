"""Models to train: loaded from a transformers folder or a GGUF, or fresh; saved as safetensors.

A model that was saved here is a folder that transformers, ``botpsy.chat.tokens`` and converters
read: ``config.json``, ``model.safetensors``, ``tokenizer.json`` and the chat format's own template.
"""

from __future__ import annotations

import math
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from botpsy.chat.formats import ChatFormat, chat_format
from botpsy.chat.tokens import Tokens, tokenizer_of
from botpsy.errors import ConfigError, ModelError
from botpsy.train.base import PAD, weights_file
from botpsy.train.head import add_head
from botpsy.train.recipe import TrainRecipe
from botpsy.train.shapes import CONV, FULL_EVERY, WINDOW, Shape, shape_of
from botpsy.train.stage import Stage

END = "<|im_end|>"
ROPE_BASE = 1e7
EMBEDDED = 3.0
"""How much wider embeddings begin than other weights."""
_FILES = (
    "config.json",
    "generation_config.json",
    "model*.safetensors*",
    "tokenizer*.json",
    "*.jinja",
)
"""What a model is made of, among the files of a checkpoint."""


@dataclass(frozen=True)
class Loaded:
    """A causal language model of transformers and its tokenizer."""

    model: Any
    tokenizer: Any

    @property
    def tokens(self) -> Tokens:
        """The tokenizer as chat formats and data know it."""
        return Tokens(self.tokenizer.backend_tokenizer)

    @property
    def end(self) -> int:
        """The token that ends a turn."""
        return int(self.tokenizer.convert_tokens_to_ids(END))


def _quiet() -> None:
    """No bars and no advice: what matters is an error or a metric."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()


def load(folder: Path, chat: ChatFormat, dtype: str) -> Loaded:
    """The model in a transformers folder.

    Raises:
        ModelError: it cannot be read, or its tokenizer lacks a token of the chat format.
    """
    from transformers import AutoModelForCausalLM

    _quiet()
    if not (folder / "config.json").is_file():
        raise ModelError(
            f"{folder} holds no model: it has no config.json.",
            "Name a transformers folder, a .gguf file, default, or random:SHAPE.",
        )
    try:
        model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=getattr(torch, dtype), local_files_only=True
        )
    except Exception as error:  # each reader of weights has errors of its own
        raise ModelError(f"The model in {folder} cannot be loaded: {error}") from None
    return _with(model, tokenizer_of(folder), chat, str(folder))


def load_gguf(path: Path, chat: ChatFormat, dtype: str) -> Loaded:
    """The model in a GGUF file, its weights unpacked.

    Raises:
        ModelError: as ``load``.
    """
    from transformers import AutoModelForCausalLM, GgufConfig

    _quiet()
    try:
        model = AutoModelForCausalLM.from_pretrained(
            path.parent,
            gguf_file=path.name,
            quantization_config=GgufConfig(dequantize=True),
            dtype=getattr(torch, dtype),
            local_files_only=True,
        )
    except Exception as error:  # each reader of weights has errors of its own
        raise ModelError(f"The model in {path} cannot be loaded: {error}") from None
    return _with(model, tokenizer_of(path), chat, str(path))


def bfloat16_cost() -> float:
    """How many times as long as in float32 a product of matrices takes on this CPU in bfloat16.

    0.1 with AMX, 100 where the processor does not know the type.
    """
    spent = []
    for dtype in (torch.float32, torch.bfloat16):
        square = torch.ones(256, 256, dtype=dtype)
        times = []
        for _ in range(3):  # the first one sets up
            began = time.perf_counter()
            square @ square
            times.append(time.perf_counter() - began)
        spent.append(min(times))
    return spent[1] / spent[0]


def window_of(model: Any) -> int:
    """Tokens that a model may read and write, in all."""
    window: int = model.config.get_text_config().max_position_embeddings
    return window


def fresh(shape: Shape, tokens: Tokens, chat: ChatFormat, dtype: str, seed: int) -> Loaded:
    """A Qwen3.5 text model that knows nothing; the same for the same seed."""
    from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

    _quiet()
    rope = {"rope_type": "default", "rope_theta": ROPE_BASE, "partial_rotary_factor": 0.25}
    config = Qwen3_5TextConfig(
        vocab_size=tokens.inner.get_vocab_size(),
        hidden_size=shape.hidden,
        intermediate_size=shape.feed_forward,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        linear_num_key_heads=shape.key_heads,
        linear_num_value_heads=shape.value_heads,
        linear_key_head_dim=shape.linear_dim,
        linear_value_head_dim=shape.linear_dim,
        linear_conv_kernel_dim=CONV,
        full_attention_interval=FULL_EVERY,
        max_position_embeddings=WINDOW,
        rope_parameters=rope,
        tie_word_embeddings=True,
        initializer_range=shape.hidden**-0.5,  # the usual 0.02 leaves narrow models asleep
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = Qwen3_5ForCausalLM(config)
        _remember(model)
        _carry(model)
        model = model.to(getattr(torch, dtype))
    return _with(model, tokens, chat, "the new tokenizer")


@torch.no_grad()
def _remember(model: Any) -> None:
    """Let linear attention begin with a memory, for half of its heads, of 50 to 500 tokens.

    Left as it is made, the state of nearly all is gone after one token. As in Mamba (arXiv
    2312.00752, section 3.6) steps are uniform on a logarithmic scale, but ten times smaller: what
    is to be copied stands further back than a model this small learns to reach by itself.
    """
    for layer in model.model.layers:
        if hasattr(layer, "linear_attn"):
            bias = layer.linear_attn.dt_bias
            low, high = math.log(1e-4), math.log(1e-2)
            step = torch.empty_like(bias).uniform_(low, high).exp()
            bias.copy_(step + torch.log(-torch.expm1(-step)))  # softplus undone


@torch.no_grad()
def _carry(model: Any) -> None:
    """Let a token be heard above the layers: then copying, which comes first, is learnt soon.

    What layers add begins small, by one over the root of their number as in GPT-2, and embeddings
    begin wide.
    """
    for name, weight in model.model.layers.named_parameters():
        if name.endswith(("out_proj.weight", "o_proj.weight", "down_proj.weight")):
            weight.mul_((2 * len(model.model.layers)) ** -0.5)
    model.get_input_embeddings().weight.mul_(EMBEDDED)


def save(loaded: Loaded, folder: Path) -> None:
    """Write the model, all or nothing; replaces what is there.

    Raises:
        ModelError: there is no room, or no permission; what was there is still there.
    """
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        loaded.model.save_pretrained(new)
        loaded.tokenizer.save_pretrained(new)
        _put(new, folder)
    except Exception as error:  # safetensors has errors of its own for full disks
        shutil.rmtree(new, ignore_errors=True)
        raise ModelError(
            f"The model {folder} could not be written: {error}",
            "Make room and run the same command again.",
        ) from error
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _put(new: Path, folder: Path) -> None:
    """Let a folder that was written take its place."""
    settle(new)
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.replace(old)
    new.replace(folder)
    shutil.rmtree(old, ignore_errors=True)


def settle(folder: Path) -> None:
    """Wait until every file in a folder is on the disk."""
    for path in [*folder.rglob("*"), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_base(base: str, recipe: TrainRecipe, folder: Path, tokens: Tokens | None) -> Path:
    """The folder with a base model: its own, or ``folder``, written if it is not there.

    Args:
        base: as ``model.base`` of a recipe; a teacher has its own.
        tokens: the tokenizer of random weights.

    Raises:
        ModelError: there is no such model.
    """
    chat, dtype = chat_format(recipe.model.format), recipe.model.dtype
    shape, gguf = base.removeprefix("random:"), weights_file(base, recipe)
    if shape == base and gguf is None:
        return recipe.file(base)
    if not (folder / "config.json").is_file():
        if gguf is not None:
            made = load_gguf(gguf, chat, dtype)
        else:
            assert tokens is not None, "random weights come with a tokenizer"
            made = fresh(shape_of(shape), tokens, chat, dtype, recipe.seed)
        folder.parent.mkdir(parents=True, exist_ok=True)
        save(made, folder)
    return folder


def keep(checkpoint: Path, folder: Path, stage: Stage) -> None:
    """Copy the model in a checkpoint, all or nothing; adapters are merged into what they began on.

    Raises:
        OSError: there is no room.
    """
    if (checkpoint / "adapter_config.json").is_file():
        from peft import PeftModel

        begun = load(stage.start, stage.chat, stage.dtype)
        merged = PeftModel.from_pretrained(begun.model, str(checkpoint)).merge_and_unload()
        save(Loaded(merged, begun.tokenizer), folder)
        return
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for pattern in _FILES:
        for path in checkpoint.glob(pattern):
            shutil.copy2(path, new)
    _put(new, folder)


def _with(model: Any, tokens: Tokens, chat: ChatFormat, where: str) -> Loaded:
    """Model and tokenizer made one: the format's tokens and template, the same ids everywhere."""
    from transformers import PreTrainedTokenizerFast

    try:
        ids = [tokens.token_id(special) for special in (*chat.specials, END)]
    except ConfigError as error:
        raise ModelError(f"{where}: {error.message}", error.hint) from None
    size = model.get_input_embeddings().weight.shape[0]
    if max(*ids, tokens.inner.get_vocab_size() - 1) >= size:
        raise ModelError(f"{where}: the tokenizer has more tokens than the model ({size}).")
    pad = PAD if tokens.inner.token_to_id(PAD) is not None else END
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=tokens.inner,
        eos_token=END,
        pad_token=pad,
        extra_special_tokens=list(chat.specials),
        clean_up_tokenization_spaces=False,
    )
    tokenizer.chat_template = chat.template
    for config in (model.config, model.generation_config):
        config.eos_token_id = tokenizer.eos_token_id
        config.pad_token_id = tokenizer.pad_token_id
        config.bos_token_id = None
    # Sharding keeps these layers whole, and looks for every one; text models name the vision's too.
    there = {type(each).__name__ for each in model.modules()}
    model._no_split_modules = [name for name in model._no_split_modules or () if name in there]
    add_head(model)
    return Loaded(model, tokenizer)
