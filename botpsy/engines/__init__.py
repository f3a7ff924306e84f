"""Whatever completes a chat: a GGUF in this process, any OpenAI-compatible URL, or a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from botpsy.engines.base import Engine
from botpsy.errors import UsageError

if TYPE_CHECKING:
    from botpsy.engines.untrained import Choose

__all__ = ["load"]


def load(
    name: str = "default",
    *,
    adapter: Path | str | None = None,
    format: str | None = None,
    window: int | None = None,
    threads: int | None = None,
    api_key: str | None = None,
    server: str | None = None,
    choose: Choose | None = None,
) -> Engine:
    """The engine for a model name.

    Names: ``default``; the path of a ``.gguf`` file or of a checkpoint folder of transformers;
    ``hf:OWNER/REPO/FILE.gguf``;
    ``http(s)://HOST[:PORT]/v1[#MODEL]``. ``adapter``, ``format``, ``window`` and ``threads`` are
    for models in this process, ``api_key`` and ``server`` (the kind of server) for addresses.

    While ``default`` has no adapter that teaches it to call tools, it is guided
    (``botpsy.engines.untrained``), and ``choose`` says which tool fits a request.

    Raises:
        UsageError: the name or an option makes no sense.
        ModelError: the model is not here, or damaged.
    """
    local = {"adapter": adapter, "format": format, "window": window, "threads": threads}
    remote = {"api_key": api_key, "server": server}
    is_url = name.startswith(("http://", "https://"))
    for option, value in (local if is_url else remote).items():
        if value is not None:
            where = "an address" if is_url else "a model in this process"
            raise UsageError(f"The option {option} has no meaning for {where}.")
    if is_url:
        from botpsy.engines.openai import OpenAICompatible

        url, _, model = name.partition("#")
        return OpenAICompatible(url, model, api_key=api_key, quirks=server)
    if name and Path(name).expanduser().is_dir():
        if adapter is not None:
            raise UsageError("The option adapter has no meaning for a checkpoint folder.")
        from botpsy.engines.checkpoint import Checkpoint

        return Checkpoint(name, format=format, window=window, threads=threads)
    from botpsy.engines import store
    from botpsy.engines.embedded import Embedded

    model_here = store.resolve(name)
    adapter = adapter if adapter is not None else model_here.adapter
    embedded = Embedded(
        model_here.path,
        adapter=adapter,
        format=format,
        window=window,
        threads=threads,
        states=store.cache_folder() / "states",
        name=model_here.name,
        weights=model_here.sha256,
        note=model_here.note,
    )
    if name != store.DEFAULT or adapter is not None:
        return embedded
    from botpsy.engines.untrained import Guided, by_words

    return Guided(embedded, choose or by_words)
