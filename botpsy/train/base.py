"""What training starts from, as far as it is known without torch: where, how big, which tokens."""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from botpsy.chat.formats import ChatFormat, chat_format
from botpsy.chat.tokens import Tokens, tokenizer_of
from botpsy.data.files import read_rows
from botpsy.errors import ModelError
from botpsy.train.recipe import TrainRecipe
from botpsy.train.shapes import RELEASES, VOCABULARY, WINDOW, Shape, shape_of
from botpsy.train.stage import CONVERSATIONS, rows_files

PAD = "<|endoftext|>"


@dataclass(frozen=True, slots=True)
class Size:
    """Of a model; ``parameters`` in all. ``window`` in tokens; 0 where it is not known."""

    parameters: int
    layers: int
    hidden: int
    feed_forward: int
    vocabulary: int
    window: int = 0


def weights_file(base: str, recipe: TrainRecipe) -> Path | None:
    """The GGUF that a base stands for; None for a folder or random weights.

    Raises:
        ModelError: it is not on this machine.
    """
    if base == "default" or base.startswith("hf:"):
        from botpsy.engines.store import resolve

        return resolve(base).path
    return recipe.file(base) if base.endswith(".gguf") else None


def size_of(base: str, recipe: TrainRecipe) -> Size:
    """How big a base is; of a release that is not there yet, how big it will be.

    Raises:
        ModelError: it is not there, or cannot be read.
        ConfigError: there is no such shape.
    """
    if base.startswith("random:"):
        return _size(shape_of(base.removeprefix("random:")), recipe.model.vocabulary, WINDOW)
    gguf = weights_file(base, recipe)
    if gguf:
        return _gguf_size(gguf)
    folder = recipe.file(base)
    if absent(base, recipe):
        return _size(shape_of(RELEASES[folder.name]), VOCABULARY)
    return _folder_size(folder)


def absent(base: str, recipe: TrainRecipe) -> str:
    """How to get a base that is a release, if its folder is not there; else nothing."""
    folder = Path(os.path.normpath(recipe.file(base)))
    if base.startswith("random:") or folder.name not in RELEASES or folder.exists():
        return ""
    return f"fetch {folder}: hf download Qwen/{folder.name} --local-dir {folder}"


def _size(shape: Shape, vocabulary: int, window: int = 0) -> Size:
    return Size(
        shape.parameters(vocabulary),
        shape.layers,
        shape.hidden,
        shape.feed_forward,
        vocabulary,
        window,
    )


def tokens_of(recipe: TrainRecipe, places: Mapping[str, Path]) -> Tokens:
    """The tokenizer of the recipe's model; for random weights it is trained on data.

    Args:
        places: where data is, by name.

    Raises:
        ModelError: the model is not there.
        ConfigError: it has no tokenizer that is known here, or there is no such data.
    """
    if recipe.model.shape:
        chat = chat_format(recipe.model.format)
        files = [
            path for name in recipe.model.texts for path in rows_files(places[name], CONVERSATIONS)
        ]
        return train_tokenizer(texts_of(files, chat), chat, recipe.model.vocabulary)
    gguf = weights_file(recipe.model.base, recipe)
    return tokenizer_of(gguf or recipe.file(recipe.model.base))


def train_tokenizer(texts: Iterable[str], chat: ChatFormat, vocabulary: int) -> Tokens:
    """A byte-level BPE tokenizer of at most ``vocabulary`` tokens, with the format's specials."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    first = pre_tokenizers.Digits(individual_digits=True)
    then = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([first, then])
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, *chat.specials],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    return Tokens(made)


def texts_of(files: Iterable[Path], chat: ChatFormat) -> Iterator[str]:
    """Rendered rows, cut at the format's special tokens, which a tokenizer does not learn from."""
    for path in files:
        for row in read_rows(path):
            text = chat.render(row.messages, row.tools, add_generation_prompt=False)
            for special in chat.specials:
                text = text.replace(special, "\0")
            yield from filter(None, text.split("\0"))


def _gguf_size(path: Path) -> Size:
    from gguf import GGUFReader

    from botpsy.engines.gguf_header import read_header

    head = read_header(path)
    of = head.architecture
    shapes = {each.name: each.shape.tolist() for each in GGUFReader(path).tensors}
    return Size(
        sum(map(math.prod, shapes.values())),
        int(head.metadata[f"{of}.block_count"]),
        int(head.metadata[f"{of}.embedding_length"]),
        int(head.metadata[f"{of}.feed_forward_length"]),
        int(shapes["token_embd.weight"][-1]),
        int(head.metadata.get(f"{of}.context_length", 0)),
    )


def _folder_size(folder: Path) -> Size:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        config = config.get("text_config", config)
        parameters = sum(
            math.prod(tensor["shape"])
            for path in sorted(folder.glob("*.safetensors"))
            for name, tensor in _safetensors(path).items()
            if name != "__metadata__" and "visual" not in name and not name.startswith("mtp")
        )
        return Size(
            parameters,
            config["num_hidden_layers"],
            config["hidden_size"],
            config["intermediate_size"],
            config["vocab_size"],
            config.get("max_position_embeddings", 0),
        )
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise ModelError(
            f"{folder} holds no model that can be read ({error}).",
            "Name a transformers folder, a .gguf file, default, or random:SHAPE.",
        ) from None


def _safetensors(path: Path) -> dict[str, dict[str, list[int]]]:
    """The head of a safetensors file: its length as 8 bytes, then JSON."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > path.stat().st_size:
            raise ValueError(f"{path.name} is damaged")
        head: dict[str, dict[str, list[int]]] = json.loads(file.read(length))
    return head
