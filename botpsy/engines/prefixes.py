"""Prompt prefixes kept across runs: the model's state after the fixed part of a prompt, in a file.

The fixed part is the system text with the tools; no word of the user's is in it, nor in the file.
Files are named by a hash of all that the state depends on, so a stale one is never taken up, and
by a hash of their content, so a damaged one is not either: it is deleted and made again. They are
written whole or not at all, and the least recently used go first. The folder is the user's alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from botpsy.chat.formats import ChatFormat
from botpsy.chat.types import Message, ToolSpec
from botpsy.engines.llama import Llama

MIN_CHARS = 512
"""A shorter prefix is read faster than its file."""
MAX_FILES = 8


def fixed_part(format: ChatFormat, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> str:
    """What any prompt with this system text and these tools begins with.

    It ends with the control token that opens the next turn: there, a tokenizer never joins what
    comes before with what comes after.
    """
    leading = list(takewhile(lambda message: message.role == "system", messages))
    return format.render(leading, tools, add_generation_prompt=False) + "<|im_start|>"


class Prefixes:
    """The kept states of one model.

    Args:
        folder: where they are; also given to ``Llama`` as ``states``.
        files: the files that the model is made of.
        settings: whatever else a state depends on.
    """

    def __init__(self, folder: Path, files: Sequence[Path], settings: str) -> None:
        self._folder = folder
        stats = [(file.resolve(), file.stat()) for file in files]
        self._model = "\0".join(
            [settings, *(f"{file}:{stat.st_size}:{stat.st_mtime_ns}" for file, stat in stats)]
        )
        self._done: set[str] = set()

    def ready(self, llama: Llama, prefix: str, stop: Callable[[], bool]) -> None:
        """Take up the state of ``prefix``, or make and keep it. Once per prefix and run."""
        if len(prefix) < MIN_CHARS or prefix in self._done:
            return
        key = hashlib.sha256(f"{self._model}\0{prefix}".encode()).hexdigest()[:32]
        if self._take_up(llama, key):
            self._done.add(prefix)
            return
        ended = llama.generate({"prompt": prefix, "max_tokens": 0}, lambda _text, _tokens: stop())
        if ended.finish == "cancelled":
            return
        self._done.add(prefix)
        with contextlib.suppress(OSError):  # no room, for example: the state is in memory alone
            self._keep(llama, key)

    def _keep(self, llama: Llama, key: str) -> None:
        draft = self._folder / f"{key}.{os.getpid()}.part"
        if llama.save(draft.name):
            draft.replace(self._folder / f"{key}-{_digest(draft)}.state")
        else:
            draft.unlink(missing_ok=True)
        files = sorted(self._folder.glob("*.state"), key=lambda file: file.stat().st_mtime)
        for file in files[:-MAX_FILES]:
            file.unlink(missing_ok=True)

    def _take_up(self, llama: Llama, key: str) -> bool:
        with contextlib.suppress(OSError):  # another process may have deleted it
            for file in self._folder.glob(f"{key}-*.state"):
                # llama.cpp aborts on some damaged states and believes others.
                if file.stem == f"{key}-{_digest(file)}" and llama.restore(file.name):
                    file.touch()
                    return True
                file.unlink(missing_ok=True)
        return False


def usable(folder: Path) -> bool:
    """Whether states can be kept there; the folder is made if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:32]
