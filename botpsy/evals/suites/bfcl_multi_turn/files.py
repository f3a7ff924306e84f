"""The file system of BFCL's multi-turn cases: a tree of folders, and a shell's commands over it.

As the official one behaves, its odd corners included: a moved folder's children keep their old
parent, a copied folder shares its children, a file's name may be a dot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Answer = dict[str, Any]

_FORBIDDEN = set('|/\\?%*:"><')
_UNITS = ("B", "KB", "MB", "GB", "TB")


@dataclass
class File:
    """A file; equal by name and content."""

    name: str
    content: str = ""


@dataclass
class Directory:
    """A folder; equal by name and contents, wherever it stands."""

    name: str
    parent: Directory | None = field(default=None, compare=False, repr=False)
    contents: dict[str, File | Directory] = field(default_factory=dict)

    def add(self, item: File | Directory) -> None:
        """Take in what is new here."""
        if item.name in self.contents:
            kind = type(item).__name__
            raise ValueError(f"{kind} '{item.name}' already exists in directory '{self.name}'.")
        self.contents[item.name] = item


class GorillaFileSystem:
    """A folder tree; ``root`` is the state. Where one is, is not part of it."""

    def __init__(self, config: Mapping[str, Any], long: Mapping[str, Any] | None = None) -> None:
        roots = config.get("root") or {}
        name = next(iter(roots), "/")
        self.root = Directory(name)
        if roots:
            _load(self.root, roots[name]["contents"], long)
        self._here = self.root

    def pwd(self) -> Answer:
        parts, at = [], self._here
        while True:
            parts.append(at.name)
            if at.parent is None:
                return {"current_working_directory": "/" + "/".join(reversed(parts))}
            at = at.parent

    def ls(self, a: bool = False) -> Answer:
        names = list(self._here.contents)
        shown = names if a else [name for name in names if not name.startswith(".")]
        return {"current_directory_content": shown}

    def cd(self, folder: str) -> Answer:
        folder = folder.rstrip("/")
        if folder == "..":
            if self._here.parent is None:
                return {"error": "Current directory is already the root. Cannot go back."}
            self._here = self._here.parent
            return {}
        if not folder:
            self._here = self.root
        elif folder != ".":
            if "/" in folder:
                why = "Unsupported path. Only one folder level at a time is supported."
                return {"error": f"cd: {folder}: {why}"}
            found = self._here.contents.get(folder)
            if not isinstance(found, Directory):
                return {"error": f"cd: '{folder}': No such file or directory"}
            self._here = found
        return {"current_working_directory": self._here.name}

    def mkdir(self, dir_name: str) -> Answer | None:
        if not _valid(dir_name):
            return {"error": f"mkdir: cannot create directory '{dir_name}': Invalid character"}
        if dir_name in self._here.contents:
            return {"error": f"mkdir: cannot create directory '{dir_name}': File exists"}
        self._here.add(Directory(dir_name, self._here))
        return None

    def touch(self, file_name: str) -> Answer | None:
        if not _valid(file_name):
            return {"error": f"touch: cannot touch '{file_name}': Invalid character"}
        if file_name in self._here.contents:
            return {"error": f"touch: cannot touch '{file_name}': File exists"}
        self._here.add(File(file_name))
        return None

    def echo(self, content: str, file_name: str | None = None) -> Answer | None:
        if not file_name:
            return {"terminal_output": content}
        if not _valid(file_name):
            return {"error": f"echo: cannot write to '{file_name}': Invalid character"}
        found = self._item(file_name)
        if found is None:
            return {"error": f"echo: cannot write to '{file_name}': No such file"}
        if isinstance(found, Directory):
            raise AttributeError("'Directory' object has no attribute '_write'")  # noqa: TRY004
        found.content = content
        return None

    def cat(self, file_name: str) -> Answer:
        if not _valid(file_name):
            return {"error": f"cat: '{file_name}': Invalid character"}
        found = self._item(file_name)
        if found is None:
            return {"error": f"cat: '{file_name}': No such file or directory"}
        if isinstance(found, Directory):
            return {"error": f"cat: '{file_name}': Is a directory"}
        return {"file_content": found.content}

    def find(self, path: str = ".", name: str | None = None) -> Answer:
        start = self._at(path)
        if start is None:
            return {"error": f"find: '{path}': No such file or directory"}
        prefix = path.rstrip("/")
        return {
            "matches": [each for each in _walk(start, prefix) if not name or name in _last(each)]
        }

    def wc(self, file_name: str, mode: str = "l") -> Answer:
        if mode not in ("l", "w", "c"):
            return {"error": f"wc: invalid mode '{mode}'"}
        file = self._file(file_name)
        if file is None:
            return {"error": f"wc: {file_name}: No such file or directory"}
        if mode == "l":
            return {"count": len(file.content.splitlines()), "type": "lines"}
        if mode == "w":
            return {"count": len(file.content.split()), "type": "words"}
        return {"count": len(file.content), "type": "characters"}

    def sort(self, file_name: str) -> Answer:
        file = self._file(file_name)
        if file is None:
            return {"error": f"sort: {file_name}: No such file or directory"}
        return {"sorted_content": "\n".join(sorted(file.content.splitlines()))}

    def grep(self, file_name: str, pattern: str) -> Answer:
        file = self._file(file_name)
        if file is None:
            return {"error": f"grep: {file_name}: No such file or directory"}
        return {"matching_lines": [line for line in file.content.splitlines() if pattern in line]}

    def tail(self, file_name: str, lines: int = 10) -> Answer:
        file = self._file(file_name)
        if file is None:
            return {"error": f"tail: {file_name}: No such file or directory"}
        found = file.content.splitlines()
        return {"last_lines": "\n".join(found[-min(lines, len(found)) :])}

    def diff(self, file_name1: str, file_name2: str) -> Answer:
        one, two = self._file(file_name1), self._file(file_name2)
        if one is None or two is None:
            return {"error": f"diff: {file_name1} or {file_name2}: No such file or directory"}
        pairs = zip(one.content.splitlines(), two.content.splitlines(), strict=False)
        return {"diff_lines": "\n".join(f"- {a}\n+ {b}" for a, b in pairs if a != b)}

    def du(self, human_readable: bool = False) -> Answer:
        size = float(total := _size(self._here))
        if not human_readable:
            return {"disk_usage": f"{total} bytes"}
        for unit in _UNITS:
            if size < 1024 or unit == _UNITS[-1]:
                break
            size /= 1024
        return {"disk_usage": f"{size:.2f} {unit}"}

    def mv(self, source: str, destination: str) -> Answer:
        return self._transfer("mv", source, destination)

    def cp(self, source: str, destination: str) -> Answer:
        return self._transfer("cp", source, destination)

    def rm(self, file_name: str) -> Answer:
        if file_name not in self._here.contents:
            return {"error": f"rm: cannot remove '{file_name}': No such file or directory"}
        del self._here.contents[file_name]
        return {"result": f"'{file_name}' removed"}

    def rmdir(self, dir_name: str) -> Answer:
        found = self._item(dir_name)
        if found is None:
            return {"error": f"rmdir: cannot remove '{dir_name}': No such file or directory"}
        if isinstance(found, File):
            return {"error": f"rmdir: cannot remove '{dir_name}': Not a directory"}
        if found.contents:
            return {"error": f"rmdir: cannot remove '{dir_name}': Directory not empty"}
        del self._here.contents[dir_name]
        return {"result": f"'{dir_name}' removed"}

    def _transfer(self, command: str, source: str, destination: str) -> Answer:
        """Move or copy within the current folder, into a folder or to a new name."""
        moves = command == "mv"
        verb, done = ("move", "moved") if moves else ("copy", "copied")
        item = self._item(source)
        if item is None:
            return {"error": f"{command}: cannot {verb} '{source}': No such file or directory"}
        if "/" in destination:
            why = "path not allowed in destination. Provide only a file or directory name."
            return {"error": f"{command}: {why}"}
        target = self._item(destination)
        if isinstance(target, File):
            return {
                "error": f"{command}: cannot {verb} '{source}' to '{destination}': Not a directory"
            }
        into, name, shown = self._here, destination, destination
        if target is not None:
            into, name, shown = target, source, f"{destination}/{source}"
            if moves and source in target.contents:
                return {"error": f"mv: cannot move '{source}' to '{shown}': File exists"}
        if moves:
            del self._here.contents[source]
        if isinstance(item, File):
            into.add(File(name, item.content))
        else:
            placed = Directory(name, into)
            into.add(placed)
            placed.contents = item.contents if moves else dict(item.contents)
        return {"result": f"'{source}' {done} to '{shown}'"}

    def _file(self, name: str) -> File | None:
        found = self._item(name)
        return found if isinstance(found, File) else None

    def _item(self, name: str) -> File | Directory | None:
        """What has that name here; where something is called a dot, it is taken for the folder."""
        found = self._here.contents.get(name)
        return self._here if found is not None and name == "." else found

    def _at(self, path: str) -> Directory | None:
        """The folder of a path: from the root if it begins with a slash, else from here."""
        if path in (".", "./"):
            return self._here
        if path == "/":
            return self.root
        at = self.root if path.startswith("/") else self._here
        for part in path.strip("/").split("/"):
            if part == ".":
                continue
            found = at.contents.get(part)
            if not isinstance(found, Directory):
                return None
            at = found
        return at


def _load(folder: Directory, contents: Mapping[str, Any], long: Mapping[str, Any] | None) -> None:
    for name, given in contents.items():
        if given["type"] == "directory":
            inner = Directory(name, folder)
            folder.add(inner)
            _load(inner, given["contents"], long)
        else:
            more = "" if long is None or name in long["kept_files"] else long["file_content"]
            folder.add(File(name, given["content"] + more))
    if long is not None and not any(
        isinstance(each, Directory) for each in folder.contents.values()
    ):
        for name in long["file_names"]:
            folder.add(File(name))


def _valid(name: str) -> bool:
    return not _FORBIDDEN & set(name)


def _walk(folder: Directory, prefix: str) -> Iterator[str]:
    for name, item in folder.contents.items():
        path = f"{prefix}/{name}"
        yield path
        if isinstance(item, Directory):
            yield from _walk(item, path)


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _size(folder: Directory) -> int:
    return sum(
        _size(item) if isinstance(item, Directory) else len(item.content.encode())
        for item in folder.contents.values()
    )
