"""The head of a GGUF file, read and checked before llama.cpp sees it.

llama.cpp trusts a file more than a user's download deserves. ``read_header`` walks the metadata and
the tensor table with every length checked against the file's size, so that a missing, foreign,
truncated or damaged file is an error in words. It reads no weights.

Format: github.com/ggml-org/ggml, docs/gguf.md (versions 2 and 3, little-endian).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botpsy.errors import ModelError

MAX_ENTRIES = 1 << 16
MAX_BLOCKS = 512
"""llama.cpp aborts beyond this."""
MAX_KEPT_ITEMS = 64
"""Longer arrays (the vocabulary) are walked, not kept."""

_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What the head of a file says. ``metadata`` holds scalars, texts and short lists."""

    path: Path
    metadata: Mapping[str, Any]
    tensors: int

    @property
    def architecture(self) -> str:
        """``general.architecture``, for example ``qwen35``."""
        return str(self.metadata.get("general.architecture", ""))

    @property
    def name(self) -> str:
        """The model's own name, or the file's."""
        return str(self.metadata.get("general.name") or self.path.stem)

    @property
    def window(self) -> int:
        """Tokens that the model was trained to read; 0 when the file does not say."""
        length = self.metadata.get(f"{self.architecture}.context_length", 0)
        return length if isinstance(length, int) else 0

    @property
    def template(self) -> str:
        """The file's own chat template, ``""`` for none."""
        return str(self.metadata.get("tokenizer.chat_template", ""))

    @property
    def is_adapter(self) -> bool:
        """The file is a LoRA adapter, not a model."""
        return self.metadata.get("general.type") == "adapter"


def read_header(path: Path) -> GgufHeader:
    """Read the head of a GGUF file.

    Raises:
        ModelError: the file is missing, unreadable, not GGUF, or damaged.
    """
    try:
        with path.open("rb") as file:
            if path.stat().st_size < 32:
                raise _damaged(path, "it is too short")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Reader(path, data).header()
    except FileNotFoundError:
        raise ModelError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a GGUF file.") from None
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror or error}.") from None


def _damaged(path: Path, what: str) -> ModelError:
    return ModelError(
        f"{path} is not a whole GGUF file: {what}.", hint="Fetch it again, or check its path."
    )


class _Reader:
    """A cursor that cannot leave the file."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self.path, self.data, self.at = path, data, 0
        self.size = len(data)

    def header(self) -> GgufHeader:
        if self.data[:4] != b"GGUF":
            raise _damaged(self.path, "it does not begin with the GGUF mark")
        self.at = 4
        version = self.scalar("<I")
        if version not in (2, 3):
            raise _damaged(self.path, f"its format version {version} is not known here")
        tensors, entries = self.scalar("<Q"), self.scalar("<Q")
        if tensors > MAX_ENTRIES or entries > MAX_ENTRIES:
            raise _damaged(self.path, "its counts make no sense")
        metadata: dict[str, Any] = {}
        for _ in range(entries):
            key = self.text()
            metadata[key] = self.value(self.scalar("<I"))
        end = self.tensor_table(tensors)
        alignment = metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment <= 0 or alignment % 8:
            raise _damaged(self.path, "its alignment makes no sense")
        start = -(-self.at // alignment) * alignment
        if tensors and start + end >= self.size:
            raise _damaged(self.path, "weights are missing at its end")
        header = GgufHeader(self.path, metadata, tensors)
        self.check_numbers(header)
        return header

    def check_numbers(self, header: GgufHeader) -> None:
        """Those that llama.cpp aborts on, rather than refuse the file."""
        prefix, metadata = header.architecture, header.metadata
        blocks = metadata.get(f"{prefix}.block_count", 1)
        if not isinstance(blocks, int) or not 1 <= blocks <= MAX_BLOCKS:
            raise _damaged(self.path, "its number of layers makes no sense")
        sections = metadata.get(f"{prefix}.rope.dimension_sections", [])
        head = metadata.get(f"{prefix}.attention.key_length", 1 << 31)
        parts = [*sections, head] if isinstance(sections, list) else [None]
        whole = all(isinstance(part, int) and part >= 0 for part in parts)
        if not whole or sum(sections) > head:
            raise _damaged(self.path, "its rotary sections make no sense")

    def tensor_table(self, count: int) -> int:
        """Walk the table of tensors; the largest offset in it."""
        end = 0
        for _ in range(count):
            self.text()
            dimensions = self.scalar("<I")
            if not 1 <= dimensions <= 4:
                raise _damaged(self.path, "a tensor's shape makes no sense")
            self.skip(8 * dimensions + 4)
            end = max(end, self.scalar("<Q"))
        return end

    def value(self, kind: int, depth: int = 0) -> Any:
        if kind in _SCALARS:
            return self.scalar(_SCALARS[kind])
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY and depth == 0:
            return self.array()
        raise _damaged(self.path, "a metadata value is of no known type")

    def array(self) -> list[Any] | None:
        kind, count = self.scalar("<I"), self.scalar("<Q")
        if count > self.size:
            raise _damaged(self.path, "a list is longer than the file")
        if count <= MAX_KEPT_ITEMS:
            return [self.value(kind, depth=1) for _ in range(count)]
        if kind in _SCALARS:
            self.skip(count * struct.calcsize(_SCALARS[kind]))
        elif kind == _STRING:
            self.long_list_of_texts(count)
        else:
            raise _damaged(self.path, "a list is of no known type")
        return None

    def long_list_of_texts(self, count: int) -> None:
        """A vocabulary or its merges: texts that differ. llama.cpp aborts on a token said twice."""
        seen, data, at, last = set(), self.data, self.at, self.size - 8
        length_at = struct.Struct("<Q").unpack_from
        for _ in range(count):
            if at > last:
                raise _damaged(self.path, "it ends too early")
            start = at + 8
            at = start + length_at(data, at)[0]
            seen.add(data[start:at])
        self.skip(at - self.at)
        if len(seen) != count:
            raise _damaged(self.path, "its vocabulary names a token twice")

    def text(self) -> str:
        length = self.scalar("<Q")
        start = self.at
        self.skip(length)
        try:
            return self.data[start : self.at].decode()
        except UnicodeDecodeError:
            raise _damaged(self.path, "a text in it is not UTF-8") from None

    def scalar(self, layout: str) -> Any:
        start = self.at
        self.skip(struct.calcsize(layout))
        return struct.unpack_from(layout, self.data, start)[0]

    def skip(self, count: int) -> None:
        self.at += count
        if self.at > self.size:
            raise _damaged(self.path, "it ends too early")
