"""Operations of real APIs, read from descriptions that come with installed packages.

botocore's service models and the discovery documents of google-api-python-client are brought into
one form: an operation with a JSON Schema. What a model cannot be expected to write is left out:
binary members, recursive ones, those deeper than ``MAX_DEPTH``; an operation that requires one is
no operation here. Of optional members the first few are kept, as the service lists them.
"""

from __future__ import annotations

import gzip
import html
import importlib.util
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from botpsy.chat.types import Schema
from botpsy.data.types import MissingDataError

MAX_DEPTH = 2
MAX_OPTIONAL = 5
MAX_REQUIRED = 6
MAX_ENUM = 12
MAX_NAME = 64

_TAG = re.compile(r"<[^>]*>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARK = re.compile(r"^\(?(Required|Optional|Immutable|Identifier|Input only)\)?[.:] ?")
_SENTENCE = re.compile(r"(?<=[a-z)`'\"])[.:;](?=\s|$)|\s[-–—]\s")


@dataclass(frozen=True)
class Operation:
    """One operation; ``output`` are a few plain members of its result, by name and schema."""

    service: str
    title: str
    name: str
    description: str
    parameters: Schema
    output: Mapping[str, Schema]

    @property
    def required(self) -> list[str]:
        """Names of parameters that must be given."""
        return list(self.parameters.get("required", ()))


def services() -> list[tuple[str, str]]:
    """(kind, service) of all descriptions, in order; kind is ``botocore`` or ``google``.

    Raises:
        MissingDataError: a package is not installed.
    """
    folders = _folder("botocore", "data").iterdir()
    found = [("botocore", path.name) for path in folders if any(path.glob("*/service-2.json*"))]
    names: dict[str, str] = {}
    for path in sorted(_folder("googleapiclient", "discovery_cache/documents").glob("*.json")):
        names[path.name.partition(".")[0]] = path.stem  # the latest version stays
    found += [("google", stem) for stem in names.values()]
    return sorted(each for each in found if each[1] != "index")


def _folder(package: str, inside: str) -> Path:
    found = importlib.util.find_spec(package)
    path = Path(found.origin or "").parent / inside if found else Path()
    if not found or not path.is_dir():
        raise MissingDataError(
            f"The API descriptions of the package {package} (Apache-2.0) are not there.",
            "Install botpsy[data].",
        )
    return path


@lru_cache(maxsize=64)
def operations(kind: str, service: str) -> tuple[Operation, ...]:
    """All usable operations of a service, in order of names."""
    read = _botocore if kind == "botocore" else _google
    return tuple(sorted(read(service), key=lambda each: each.name))


def plain(text: str, limit: int = 140) -> str:
    """The first sentence of a documentation text, without markup, at most ``limit`` characters."""
    text = html.unescape(_TAG.sub("", re.sub(r"</(p|li)>", " ", text)))
    text = " ".join(_LINK.sub(r"\1", text).replace("`", "").split())
    text = _MARK.sub("", text)
    first = _SENTENCE.split(text, maxsplit=1)[0].strip().rstrip(".")
    if len(first) > limit:
        first = first[:limit].rsplit(" ", 1)[0].rstrip(",;:")
    return first


def snake(name: str) -> str:
    """``DescribeDBInstances`` -> ``describe_db_instances``."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _object(members: Mapping[str, Schema | None], required: list[str]) -> Schema | None:
    """The object with its required members and the first optional ones; None if one required
    cannot be had."""
    needed = [name for name in members if name in required]
    if len(needed) > MAX_REQUIRED or any(members[name] is None for name in needed):
        return None
    free = [name for name, schema in members.items() if schema and name not in required]
    kept = {*needed, *free[:MAX_OPTIONAL]}
    return {
        "type": "object",
        "properties": {name: schema for name, schema in members.items() if name in kept},
        **({"required": needed} if needed else {}),
    }


# --- botocore -------------------------------------------------------------------------------------

_PLAIN = {"string": "string", "character": "string", "integer": "integer", "long": "integer",
          "float": "number", "double": "number", "boolean": "boolean"}  # fmt: skip


def _botocore(service: str) -> list[Operation]:
    folder = _folder("botocore", f"data/{service}")
    path = sorted(folder.glob("*/service-2.json*"))[-1]  # the latest version
    raw = path.read_bytes()
    model = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
    shapes = model["shapes"]
    meta = model["metadata"]
    title = meta.get("serviceAbbreviation") or meta.get("serviceFullName") or service
    found = []
    for name, operation in model["operations"].items():
        text = plain(operation.get("documentation", ""))
        wanted = operation.get("input", {}).get("shape")
        parameters = _shape(shapes, wanted, "", 0, ()) if wanted else _object({}, [])
        if not text or operation.get("deprecated") or parameters is None:
            continue
        result = shapes.get(operation.get("output", {}).get("shape", ""), {})
        output = {
            member: schema
            for member, ref in result.get("members", {}).items()
            if (schema := _shape(shapes, ref["shape"], "", MAX_DEPTH, ()))
            and schema["type"] not in ("object", "array")
        }
        found.append(Operation(service, title, snake(name), text, parameters, output))
    return found


def _shape(
    shapes: Mapping[str, Any], name: str, text: str, depth: int, above: tuple[str, ...]
) -> Schema | None:
    shape = shapes[name]
    kind = shape["type"]
    said = {"description": short} if (short := plain(text, 80)) else {}
    if kind in _PLAIN:
        schema: Schema = {"type": _PLAIN[kind], **said}
        if "enum" in shape:
            schema["enum"] = list(dict.fromkeys(shape["enum"]))[:MAX_ENUM]
        if kind in ("integer", "long"):
            bounds = {"minimum": shape.get("min"), "maximum": shape.get("max")}
            schema |= {key: value for key, value in bounds.items() if value is not None}
        return schema
    if kind == "timestamp":
        return {"type": "string", "format": "date-time", **said}
    if depth > MAX_DEPTH or name in above:
        return None
    if kind == "list":
        items = _shape(shapes, shape["member"]["shape"], "", depth + 1, (*above, name))
        return {"type": "array", "items": items, **said} if items else None
    if kind == "structure" and not shape.get("union"):
        members = {
            member: _shape(
                shapes, ref["shape"], ref.get("documentation", ""), depth + 1, (*above, name)
            )
            for member, ref in shape["members"].items()
            if not ref.get("deprecated") and not ref.get("idempotencyToken")
        }
        required = [each for each in shape.get("required", ()) if each in members]
        made = _object(members, required)
        return made | said if made and (made["properties"] or not above) else None
    return None


# --- Google discovery documents -------------------------------------------------------------------


def _google(stem: str) -> list[Operation]:
    path = _folder("googleapiclient", "discovery_cache/documents") / f"{stem}.json"
    document = json.loads(path.read_text("utf-8"))
    schemas = document.get("schemas", {})
    found: list[Operation] = []

    def walk(node: Mapping[str, Any]) -> None:
        for method in node.get("methods", {}).values():
            operation = _method(document, schemas, method, stem)
            if operation:
                found.append(operation)
        for inner in node.get("resources", {}).values():
            walk(inner)

    walk(document)
    return found


def _method(
    document: Mapping[str, Any], schemas: Mapping[str, Any], method: Mapping[str, Any], stem: str
) -> Operation | None:
    text = plain(method.get("description", ""))
    if not text or method.get("deprecated") or text.startswith("Deprecated"):
        return None
    members: dict[str, Schema | None] = {}
    required = []
    for name, parameter in method.get("parameters", {}).items():
        if parameter.get("deprecated"):
            continue
        schema = _property(schemas, parameter, 0, ())
        if parameter.get("repeated") and schema:
            schema = {"type": "array", "items": {**schema, "description": ""}}
            schema["items"].pop("description")
        members[name] = schema
        if parameter.get("required"):
            required.append(name)
    body = schemas.get(method.get("request", {}).get("$ref", ""), {})
    for name, schema in body.get("properties", {}).items():
        if not schema.get("readOnly") and not schema.get("deprecated"):
            members.setdefault(name, _property(schemas, schema, 1, ()))
    parameters = _object(members, required)
    name = snake(method["id"].replace(".", "_"))
    if parameters is None or len(name) > MAX_NAME:  # cut short, two could be one
        return None
    result = schemas.get(method.get("response", {}).get("$ref", ""), {})
    output = {
        name: schema
        for name, each in result.get("properties", {}).items()
        if (schema := _property(schemas, each, MAX_DEPTH, ()))
        and schema["type"] not in ("object", "array")
    }
    title = document.get("title", stem)
    return Operation(stem, title, name, text, parameters, output)


def _property(
    schemas: Mapping[str, Any], schema: Mapping[str, Any], depth: int, above: tuple[str, ...]
) -> Schema | None:
    said = {"description": text} if (text := plain(schema.get("description", ""), 80)) else {}
    kind = schema.get("type")
    if ref := schema.get("$ref"):
        if depth >= MAX_DEPTH or ref in above:
            return None
        made = _property(schemas, schemas.get(ref, {}), depth, (*above, ref))
        return made | said if made else None
    if kind in ("string", "integer", "number", "boolean"):
        if schema.get("format") == "byte":
            return None
        made = {"type": kind, **said}
        if "enum" in schema:
            values = [value for value in schema["enum"] if "UNSPECIFIED" not in value]
            made["enum"] = list(dict.fromkeys(values))[:MAX_ENUM] or list(schema["enum"])
        if schema.get("format") in ("date-time", "google-datetime"):
            made["format"] = "date-time"
        return made
    if kind == "array" and depth < MAX_DEPTH:
        items = _property(schemas, schema.get("items", {}), depth + 1, above)
        if not items:
            return None
        items.pop("description", None)
        return {"type": "array", "items": items, **said}
    if kind == "object" and "properties" in schema and depth < MAX_DEPTH:
        members = {
            name: _property(schemas, each, depth + 1, above)
            for name, each in schema["properties"].items()
            if not each.get("readOnly") and not each.get("deprecated")
        }
        made = _object(members, [])
        return {**made, **said} if made and made["properties"] else None
    return None
