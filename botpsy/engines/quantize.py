"""One GGUF into another number format, tensor by tensor, with gguf-py's own (de)quantizers.

Contract: the same source, target type and template give the same bytes. Metadata is copied as it
is (the tokenizer among it), norms and other vectors keep their type, and the token embedding,
which small models share with the output, stays at 8 bits, where quality is decided. The file
appears under its name only when it is whole. At most one tensor is held in memory.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from botpsy.engines.fetch import Progress
from botpsy.engines.gguf_header import read_header
from botpsy.errors import ModelError

if TYPE_CHECKING:
    from gguf import GGUFReader, GGUFWriter, ReaderTensor

Target = Literal["Q4_0", "Q8_0"]
FORMAT_KEY = "botpsy.format"
TEMPLATE_KEY = "tokenizer.chat_template"
_EMBEDDINGS = ("token_embd.weight", "output.weight")
# Small matrices whose precision decides much and costs nothing: routers and convolution kernels.
_DELICATE = ("ffn_gate_inp", "conv1d")


def quantize(
    source: Path,
    target: Path,
    kind: Target,
    *,
    template: str | None = None,
    metadata: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> None:
    """Write ``source`` to ``target`` with its weight matrices in ``kind``.

    ``template`` replaces the chat template; ``metadata`` adds or replaces string keys.

    Raises:
        ModelError: the source is no GGUF file or is damaged.
        OSError: the target cannot be written.
    """
    import numpy as np
    from gguf import (
        GGML_QUANT_SIZES,
        GGMLQuantizationType,
        GGUFReader,
        GGUFWriter,
    )
    from gguf.quants import dequantize
    from gguf.quants import quantize as encode

    architecture = read_header(source).architecture
    if not architecture:
        raise ModelError(f"{source} does not name its architecture.")
    try:
        reader = GGUFReader(source)
    except ValueError as error:
        raise ModelError(f"{source} is damaged: {error}.", "Fetch it again.") from error
    part = target.with_name(target.name + ".part")
    writer = GGUFWriter(part, architecture)
    writer.data_alignment = reader.alignment
    texts = dict(metadata or {})
    if template is not None:
        texts[TEMPLATE_KEY] = template
    _copy_metadata(reader, writer, kind, texts)
    types = [GGMLQuantizationType[_type_of(tensor, kind)] for tensor in reader.tensors]
    for tensor, kept in zip(reader.tensors, types, strict=True):
        block, block_bytes = GGML_QUANT_SIZES[kept]
        shape = [int(n) for n in reversed(tensor.shape)]
        size = int(tensor.n_elements) // block * block_bytes
        # float32 tells gguf-py that the shape counts elements; for uint8 it would count bytes.
        writer.add_tensor_info(tensor.name, shape, np.dtype(np.float32), size, raw_dtype=kept)
    try:
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        done, total = 0, sum(int(tensor.n_bytes) for tensor in reader.tensors)
        for tensor, kept in zip(reader.tensors, types, strict=True):
            data = tensor.data
            if kept is not tensor.tensor_type:
                data = encode(dequantize(data, tensor.tensor_type), kept)
            writer.write_tensor_data(data)
            done += int(tensor.n_bytes)
            if progress:
                progress(done, total)
        assert writer.fout is not None
        writer.flush()
        os.fsync(writer.fout[0].fileno())
        writer.close()
        part.replace(target)
    finally:
        writer.close()
        part.unlink(missing_ok=True)


def _copy_metadata(
    reader: GGUFReader, writer: GGUFWriter, kind: Target, texts: dict[str, str]
) -> None:
    from gguf import GGUFValueType, LlamaFileType

    for field in reader.fields.values():
        # The head of the file and the architecture are the writer's own.
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", *texts):
            continue
        value, kinds = field.contents(), field.types
        if field.name == "general.file_type":
            value = int(LlamaFileType[f"MOSTLY_{kind}"])
        of = kinds[-1] if kinds[0] is GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, value, kinds[0], sub_type=of)
    for key, text in texts.items():
        writer.add_key_value(key, text, GGUFValueType.STRING)


def _type_of(tensor: ReaderTensor, kind: Target) -> str:
    matrix = len(tensor.shape) >= 2 and tensor.name.endswith(".weight")
    whole_blocks = int(tensor.shape[0]) % 32 == 0
    if not matrix or not whole_blocks or any(word in tensor.name for word in _DELICATE):
        return str(tensor.tensor_type.name)
    return "Q8_0" if tensor.name in _EMBEDDINGS else kind
