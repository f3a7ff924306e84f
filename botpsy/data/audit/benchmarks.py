"""Everything that a folder of benchmarks says: every text in every file, and every tool.

Nothing is known of any benchmark's layout. JSON, JSON lines, YAML and TOML are walked to their
strings, CSV to its cells, Markdown and plain text to paragraphs; an object with a name and
parameters is a tool, one with a name and arguments a call, which shows a part of a tool.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botpsy.data.audit.facts import Tool
from botpsy.errors import ConfigError

_PARAMETERS = ("parameters", "input_schema", "inputSchema", "args_schema")
_NAMES = ("name", "tool_name", "function")


@dataclass
class Said:
    """What a file says: each text once, each tool once."""

    texts: dict[str, None] = field(default_factory=dict)
    tools: dict[Tool, None] = field(default_factory=dict)


def files_of(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files that can be read, and those of other kinds.

    Raises:
        ConfigError: there is none that can be read.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    readable = [path for path in found if path.suffix.lower() in _READERS]
    if not readable:
        raise ConfigError(
            f"No benchmark is in {folder}.", f"Readable are {', '.join(sorted(_READERS))}."
        )
    return readable, [path for path in found if path.suffix.lower() not in _READERS]


def read(path: Path) -> Said:
    """What one file says. A file that is not what its name says is read as plain text."""
    text = path.read_text("utf-8", errors="replace")
    said = Said()
    try:
        values = list(_READERS[path.suffix.lower()](text))
    except (ValueError, RecursionError, csv.Error, importlib.import_module("yaml").YAMLError):
        values = list(_paragraphs(text))
    _walk(values, said)
    return said


def _walk(values: Iterable[Any], said: Said) -> None:
    waiting = list(values)[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            said.texts[value] = None
        elif isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            if tool := _tool(value):
                said.tools[tool] = None
            waiting += reversed(value.values())


def _tool(value: Mapping[Any, Any]) -> Tool | None:
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    if not name:
        return None
    description = value.get("description")
    description = description if isinstance(description, str) else ""
    for key in _PARAMETERS:
        schema = value.get(key)
        if isinstance(schema, dict):
            properties = schema.get("properties")
            if isinstance(properties, dict):
                return Tool(name, description, tuple(map(str, properties)))
            if not schema or "type" in schema:
                return Tool(name, description, ())
    arguments = value.get("arguments")
    if isinstance(arguments, dict):
        properties = arguments.get("properties")
        shown = properties if isinstance(properties, dict) else arguments
        return Tool(name, description, tuple(map(str, shown)))
    return None


# --- forms ----------------------------------------------------------------------------------------


def _json(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
    except ValueError:
        # JSON lines under the name of JSON, as benchmarks have it.
        yield from _lines(text)


def _lines(text: str) -> Iterator[Any]:
    for line in text.split("\n"):  # not splitlines: JSON may hold other line breaks
        if line.strip():
            yield json.loads(line)


def _yaml(text: str) -> Iterator[Any]:
    yaml: Any = importlib.import_module("yaml")
    yield from yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _toml(text: str) -> Iterator[Any]:
    yield tomllib.loads(text)


def _table(text: str) -> Iterator[Any]:
    # Cells hold whole conversations; csv's own limit is 128 KB.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    dialect = "excel-tab" if "\t" in text.partition("\n")[0] else "excel"
    for cells in csv.reader(io.StringIO(text), dialect):
        for cell in cells:
            yield _embedded(cell)


def _embedded(cell: str) -> Any:
    """A cell that is JSON itself, as what it says."""
    if cell[:1] in ("{", "["):
        try:
            return json.loads(cell)
        except ValueError:
            return cell
    return cell


def _paragraphs(text: str) -> Iterator[str]:
    yield from re.split(r"\n\s*\n", text)


_READERS: dict[str, Callable[[str], Iterator[Any]]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".toml": _toml,
    ".csv": _table,
    ".tsv": _table,
    ".md": _paragraphs,
    ".txt": _paragraphs,
}
