"""Files in memory: fast and deterministic, for worlds and tests."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from botpsy.errors import ServiceError
from botpsy.services.files import Content, Entry
from botpsy.services.files.content import appended, beginning, check_text
from botpsy.services.files.paths import label, split
from botpsy.services.storage import Journal, encoded


class MemoryFiles:
    """A ``FileService`` that forgets. Files are given as ``{"Documents/a.txt": "text"}``.

    A value None makes an empty folder; bytes make any file. What is in a ``read_only`` folder
    (``Documents/Handbook``) cannot be changed.
    """

    def __init__(
        self,
        files: Mapping[str, str | bytes | None] = {},
        roots: Sequence[str] = ("/home/user/Documents",),
        read_only: Sequence[str] = (),
    ) -> None:
        self.roots = tuple(roots)
        self.home = self.roots[0].rpartition("/")[0]
        self._read_only = tuple(map(self._checked, read_only))
        self._journal = Journal()
        self._nodes: dict[str, bytes | None] = dict.fromkeys(self.roots)
        for words, content in files.items():
            root, parts = split(words, self.roots, self.home)
            for i in range(1, len(parts)):
                self._nodes.setdefault("/".join((root, *parts[:i])), None)
            data = content.encode() if isinstance(content, str) else content
            self._nodes["/".join((root, *parts))] = data

    def entry(self, path: str) -> Entry | None:
        path = self._checked(path)
        if path not in self._nodes:
            return None
        data = self._nodes[path]
        return Entry(path, "folder") if data is None else Entry(path, "file", len(data))

    def entries(self, folder: str) -> list[Entry]:
        folder = self._checked(folder)
        if self._nodes.get(folder, b"") is not None:
            raise ServiceError(f"{self._label(folder)} is not a folder.")
        inside = (p for p in self._nodes if p.rpartition("/")[0] == folder and p not in self.roots)
        found = (self.entry(path) for path in sorted(inside))
        return [entry for entry in found if entry is not None]

    def read(self, path: str, limit: int) -> Content:
        data = self._data(path)
        return beginning(data[:limit], len(data), self._label(path))

    def create(self, path: str, text: str) -> None:
        path = self._checked(path)
        if self._nodes.get(path) != encoded(text):
            self._new(path, encoded(text))

    def replace(self, path: str, text: str) -> None:
        check_text(self._data(path), self._label(path))
        self._check_writable(path, "written")
        self._nodes[self._checked(path)] = encoded(text)

    def append(self, path: str, text: str, action: str) -> None:
        before = self._data(path)
        after = appended(before, text, self._label(path))
        self._check_writable(path, "written")
        if not self._journal.done(f"{action} {path} {text}", before, after):
            self._nodes[self._checked(path)] = after

    def move(self, source: str, target: str) -> None:
        tree = self._tree(source)
        if f"{target}/".startswith(f"{source}/"):
            raise ServiceError("A folder cannot be moved into itself.")
        self._check_writable(source, "moved")
        self._plant(target, tree)
        self._drop(source)

    def copy(self, source: str, target: str) -> None:
        if target.startswith(f"{source}/"):
            raise ServiceError("A folder cannot be copied into itself.")
        self._plant(target, self._tree(source))

    def delete(self, path: str) -> None:
        self._tree(path)
        self._check_writable(path, "deleted")
        self._drop(path)

    def make_folder(self, path: str) -> None:
        path = self._checked(path)
        if self._nodes.get(path, b"") is not None:
            self._new(path, None)

    def snapshot(self, key: str) -> str | None:
        if self.entry(key) is None:
            return None
        tree = self._tree(key)
        return json.dumps(
            {name: None if d is None else base64.b64encode(d).decode() for name, d in tree.items()}
        )

    def restore(self, key: str, state: str | None) -> None:
        self._drop(key)
        if state is not None:
            nodes = json.loads(state).items()
            self._plant(key, {n: None if d is None else base64.b64decode(d) for n, d in nodes})

    def dump(self) -> dict[str, Any]:
        return {
            self._label(path): None if data is None else data.decode("utf-8", "backslashreplace")
            for path, data in sorted(self._nodes.items())
        }

    def _checked(self, path: str) -> str:
        root, parts = split(path, self.roots, self.home)
        return "/".join((root, *parts))

    def _label(self, path: str) -> str:
        return label(path, self.roots)

    def _data(self, path: str) -> bytes:
        data = self._nodes.get(self._checked(path))
        if data is None:
            raise ServiceError(f"{self._label(path)} is not a file.")
        return data

    def _tree(self, path: str) -> dict[str, bytes | None]:
        """Everything at and below the path, by what follows the path."""
        path = self._checked(path)
        if path not in self._nodes:
            raise ServiceError(f"{self._label(path)} is not there (any more).")
        if path in self.roots:
            raise ServiceError(f"{self._label(path)} is a folder you chose; it stays.")
        below = f"{path}/"
        return {
            p[len(path) :]: data
            for p, data in sorted(self._nodes.items())
            if p == path or p.startswith(below)
        }

    def _plant(self, path: str, tree: Mapping[str, bytes | None]) -> None:
        path = self._checked(path)
        self._new(path, tree[""])
        self._nodes.update({path + rest: data for rest, data in tree.items()})

    def _new(self, path: str, data: bytes | None) -> None:
        if path in self._nodes:
            raise ServiceError(f"{self._label(path)} exists already.", hint="Use another name.")
        if self._nodes.get(path.rpartition("/")[0], b"") is not None:
            raise ServiceError(f"{self._label(path.rpartition('/')[0])} is not a folder.")
        self._check_writable(path, "written")
        self._nodes[path] = data

    def _check_writable(self, path: str, done: str) -> None:
        path = self._checked(path)
        if any(path.startswith(f"{folder}/") for folder in self._read_only):
            raise ServiceError(
                f"{self._label(path)} cannot be {done}: permission is denied. Nothing was changed.",
                hint="Check who may read and write it.",
            )

    def _drop(self, path: str) -> None:
        path = self._checked(path)
        for known in list(self._nodes):
            if known == path or known.startswith(f"{path}/"):
                del self._nodes[known]
