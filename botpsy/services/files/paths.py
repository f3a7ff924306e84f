"""From what a person says to a path below a root, and back. No disk is touched in parsing."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase

from botpsy.errors import ServiceError, ToolError
from botpsy.services.files import Entry, FileService
from botpsy.services.text import hidden_positions, spell_hidden

_WALK_AT_MOST = 20_000
_NAME_BYTES = 255


def split(words: str, roots: Sequence[str], home: str) -> tuple[str, tuple[str, ...]]:
    """The root and the components below it that the words name.

    Absolute paths, ``~/...``, paths that begin with a root's name, and paths relative to the first
    root are understood.

    Raises:
        ToolError: it leads out of the roots, is hidden, or cannot be a file's name.
    """
    text = words.strip().strip("\"'`").strip()
    if hidden_positions(text) or "\n" in text or "\t" in text:
        raise ToolError(
            f"The path {spell_hidden(text)} has hidden characters in it; it is refused."
        )
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ToolError(f"The path {text} has '..' in it; it is refused.", hint=_allowed(roots))
    if text.startswith("/") and parts:
        path = "/" + "/".join(parts)
        fitting = [root for root in roots if path == root or path.startswith(f"{root}/")]
        if not fitting:
            raise ToolError(f"{path} is outside the folders I may use.", hint=_allowed(roots))
        root = max(fitting, key=len)
        parts = parts[root.count("/") :]
    else:
        root = roots[0]
        for candidate in roots:
            if parts and parts[0].casefold() == name_of(candidate).casefold():
                root, parts = candidate, parts[1:]
                break
    for part in parts:
        if part.startswith("."):
            raise ToolError(f"{part} is hidden (it begins with a dot); hidden files stay alone.")
        if len(part.encode()) > _NAME_BYTES:
            raise ToolError(f"The name {part[:40]}... is too long.", hint="Use a shorter name.")
    return root, tuple(parts)


def name_of(path: str) -> str:
    """The last component."""
    return path.rpartition("/")[2]


def label(path: str, roots: Sequence[str]) -> str:
    """The path as a person sees it: ``Documents/report.txt``; hidden characters spelled out."""
    root = max((r for r in roots if path == r or path.startswith(f"{r}/")), key=len, default="")
    return spell_hidden(name_of(root) + path[len(root) :])


def locate(files: FileService, words: str) -> Entry:
    """The one existing file or folder that is meant.

    The exact path wins; then letter case, ``_``, ``-`` and a missing ending are forgiven, where one
    thing fits; then a bare name is looked for in all folders.

    Raises:
        ToolError: none or several fit; candidates are named.
    """
    root, parts = split(words, files.roots, files.home)
    path = "/".join((root, *parts))
    found = files.entry(path)
    if found is None and parts:
        found = _lenient(files, root, parts)
    if found is not None:
        return found
    if len(parts) > 1:
        raise ToolError(f"There is no {label(path, files.roots)}.", hint="find_files can find it.")
    wanted = parts[0] if parts else ""
    everything = [entry for root in files.roots for entry in walk(files, root)]
    fitting = _fitting(wanted, everything)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(label(entry.path, files.roots) for entry in fitting[:8])
        raise ToolError(f"Several files are called {wanted!r}: {names}.", hint="Which one?")
    close = difflib.get_close_matches(wanted, [entry.name for entry in everything], 3, 0.7)
    names = " or ".join(map(spell_hidden, dict.fromkeys(close)))
    hint = f"Did you mean {names}?" if close else ""
    raise ToolError(f"There is no file or folder {wanted!r}.", hint=hint)


def place(files: FileService, words: str) -> str:
    """Where something new is to be: its folder must exist.

    Raises:
        ToolError: it does not, or the name is missing.
    """
    root, parts = split(words, files.roots, files.home)
    if not parts:
        raise ToolError(f"{words!r} names no file.", hint="Give a name, like letter.txt.")
    folder = "/".join((root, *parts[:-1]))
    found = files.entry(folder)
    if found is None and len(parts) > 1:
        found = _lenient(files, root, parts[:-1])
    if found is None or found.kind != "folder":
        raise ToolError(
            f"There is no folder {label(folder, files.roots)}.", hint="Make it first (make_folder)."
        )
    return f"{found.path}/{parts[-1]}"


def walk(files: FileService, folder: str) -> Iterator[Entry]:
    """Everything below a folder, the nearest first, up to 20 000 entries; no link is followed."""
    count = 0
    waiting = [folder]
    while waiting and count < _WALK_AT_MOST:
        current, *waiting = waiting
        try:
            entries = files.entries(current)
        except ServiceError:  # gone, or not ours to read: the rest can still be searched
            continue
        count += len(entries)
        waiting += [entry.path for entry in entries if entry.kind == "folder"]
        yield from entries


def find(files: FileService, words: str) -> list[Entry]:
    """Files and folders whose name has all the words, or fits the pattern (``*.pdf``)."""
    wanted = _plain(words)
    if re.search(r"[*?\[]", words):
        fits: Callable[[str], bool] = lambda name: fnmatchcase(name.casefold(), words.casefold())  # noqa: E731
    else:
        fits = lambda name: all(word in _plain(name) for word in wanted.split())  # noqa: E731
    return [e for root in files.roots for e in walk(files, root) if fits(e.name)]


def _lenient(files: FileService, root: str, parts: Sequence[str]) -> Entry | None:
    path = root
    found = None
    for part in parts:
        found = files.entry(f"{path}/{part}")
        if found is None:
            here = files.entry(path)
            if here is None or here.kind != "folder":
                return None
            fitting = _fitting(part, files.entries(path))
            if len(fitting) != 1:
                return None
            found = fitting[0]
        path = found.path
    return found


def _fitting(wanted: str, entries: Sequence[Entry]) -> list[Entry]:
    for same in (
        lambda name: name == wanted,
        lambda name: _plain(name) == _plain(wanted),
        lambda name: _plain(name.rpartition(".")[0]) == _plain(wanted),
    ):
        if found := [entry for entry in entries if same(entry.name)]:
            return found
    return []


def _plain(name: str) -> str:
    name = unicodedata.normalize("NFC", name).casefold()
    return " ".join(re.sub(r"[_-]", " ", name).split())


def _allowed(roots: Sequence[str]) -> str:
    return f"I may use {', '.join(roots)}."
