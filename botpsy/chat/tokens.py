"""A model's tokenizer, from its GGUF or ``tokenizer.json``, without torch.

Sources: Hugging Face tokenizers (byte-level BPE); llama.cpp, ``tokenizer.ggml.pre`` names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botpsy.errors import ConfigError

# How texts are split before merges, by llama.cpp's name of it.
_DIGITS = "smollm"
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+"
    r"[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_SPLITS = {"qwen2": _WORDS.replace(r"[\p{L}\p{M}]+", r"\p{L}+").replace(r"\p{M}", ""),
           "qwen35": _WORDS}  # fmt: skip


@dataclass(frozen=True)
class Tokens:
    """``botpsy.chat.formats.Tokenizer`` over a ``tokenizers.Tokenizer``."""

    inner: Any

    def encode(self, text: str) -> list[int]:
        """Ids of plain text. Special tokens are not looked for: they are given by ``token_id``."""
        ids: list[int] = self.inner.encode(text, add_special_tokens=False).ids
        return ids

    def token_id(self, special: str) -> int:
        """The id of a special token.

        Raises:
            ConfigError: the tokenizer has no such token.
        """
        found = self.inner.token_to_id(special)
        if found is None:
            raise ConfigError(
                f"The tokenizer has no token {special}.", "Choose the chat format of this model."
            )
        return int(found)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids, special tokens among it."""
        text: str = self.inner.decode(list(ids), skip_special_tokens=False)
        return text


@dataclass(frozen=True)
class Characters:
    """Every character a token, and each of a format's special strings: where no model is chosen."""

    specials: tuple[str, ...]

    def encode(self, text: str) -> list[int]:
        """Code points."""
        return list(map(ord, text))

    def token_id(self, special: str) -> int:
        """A number that no character has."""
        return sys.maxunicode + 1 + self.specials.index(special)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids."""
        last = sys.maxunicode
        return "".join(chr(n) if n <= last else self.specials[n - last - 1] for n in ids)


def tokenizer_of(path: Path) -> Tokens:
    """The tokenizer in a ``.gguf``, a ``tokenizer.json``, or a folder with one.

    Raises:
        ConfigError: there is none, or of a kind that is not known here.
    """
    from tokenizers import Tokenizer

    path = path / "tokenizer.json" if path.is_dir() else path
    if path.suffix == ".gguf":
        return Tokens(_from_gguf(path))
    try:
        return Tokens(Tokenizer.from_file(str(path)))
    except Exception as error:  # tokenizers raises plain Exception
        raise ConfigError(f"{path} is no tokenizer: {error}.") from None


def _from_gguf(path: Path) -> Any:
    from gguf import GGUFReader
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    try:
        reader = GGUFReader(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read as a GGUF: {error}.") from None

    def field(name: str) -> Any:
        found = reader.get_field(f"tokenizer.ggml.{name}")
        return found.contents() if found else None

    kind, split = field("model"), field("pre")
    if kind != "gpt2" or (split != _DIGITS and split not in _SPLITS):
        raise ConfigError(
            f"{path} has a tokenizer of a kind that is not known here ({kind}, {split}).",
            "Give its tokenizer.json instead.",
        )
    vocabulary = {text: n for n, text in enumerate(field("tokens"))}
    merges = [tuple(pair.split(" ", 1)) for pair in field("merges")]
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    if split == _DIGITS:
        first: Any = pre_tokenizers.Digits(individual_digits=True)
        then: Any = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    else:
        first = pre_tokenizers.Split(Regex(_SPLITS[split]), "isolated")
        then = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.pre_tokenizer = pre_tokenizers.Sequence([first, then])
    made.decoder = decoders.ByteLevel()
    return made
