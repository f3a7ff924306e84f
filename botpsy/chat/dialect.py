"""One dialect of JSON Schema out of many: what tool writers send, read as Draft 2020-12.

``normal`` reads a schema as it came and gives the same schema, free of references and of the
differences between drafts, OpenAPI and hand-written habits. The result is a new object that
``jsonschema`` can validate against without surprises: no reference, no remote lookup, no keyword
of the wrong type, bounded in size and depth.

What is repaired: ``$ref`` into the same document is inlined, its siblings still count; OpenAPI's
``nullable``; boolean ``exclusiveMinimum`` and ``required`` (Drafts 3 and 4); ``items`` as a list,
``additionalItems`` and ``dependencies`` (up to 2019-09); Python's and BFCL's type names (``str``,
``dict``, ``any``); keywords that are null; a missing type where the keywords speak of one type.

What is refused, by path: recursive, dangling, remote and dynamic references; keywords whose value
makes no sense; schemas nested or expanding beyond the limits.

What is left out, so that validation is looser there: ``patternProperties`` bind the values of all
free keys alike; ``unevaluatedProperties`` and ``unevaluatedItems``; unknown keywords.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from botpsy.chat.types import Schema
from botpsy.errors import SchemaError

MAX_NODES = 4_000
"""Subschemas after inlining."""
MAX_DEPTH = 24

NEVER: Schema = {"not": {}}
"""The schema that no value fits."""

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_ALIASES = {
    "str": "string", "text": "string", "int": "integer", "float": "number", "double": "number",
    "bool": "boolean", "list": "array", "tuple": "array", "dict": "object", "none": "null",
}  # fmt: skip
_IMPLIED = {
    "object": ("properties", "required", "additionalProperties", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def normal(root: Any) -> Schema:
    """The schema in one dialect, without references.

    Raises:
        SchemaError: it cannot be honoured; ``path`` says where.
    """
    return _Reader(root).read(root, (), 0)


def shown(path: tuple[str, ...]) -> str:
    """A path into a schema, for people: ``attendees[].email``."""
    return ".".join(path).replace(".[]", "[]") or "parameters"


class _Reader:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.nodes = 0
        self.open: list[str] = []

    def fail(self, path: tuple[str, ...], what: str) -> SchemaError:
        return SchemaError(f"{shown(path)} {what}.", path=shown(path))

    def read(self, node: Any, path: tuple[str, ...], depth: int) -> Schema:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fail(path, f"grows beyond {MAX_NODES} parts once its references are inlined")
        if depth > MAX_DEPTH:
            raise self.fail(path, f"is nested deeper than {MAX_DEPTH} levels")
        if node is None or node is True:
            return {}
        if node is False:
            return dict(NEVER)
        if not isinstance(node, dict):
            raise self.fail(path, f"is not a schema but {_brief(node)}")
        node = {key: value for key, value in node.items() if value is not None or key == "const"}
        if "$ref" in node:
            return self.referred(node, path, depth)
        for key in ("$dynamicRef", "$recursiveRef"):
            if key in node:
                raise self.fail(path, f"uses {key}, which cannot be honoured")
        result: Schema = {}
        for key, value in node.items():
            reader = _KEYWORDS.get(key)
            if reader is not None:
                reader(self, result, key, value, (path, depth))
        self.older_drafts(node, result, path, depth)
        return _nullable(node, _typed(result))

    def referred(self, node: Schema, path: tuple[str, ...], depth: int) -> Schema:
        reference = node["$ref"]
        if not isinstance(reference, str):
            raise self.fail(path, "has a $ref that is not text")
        if reference in self.open:
            raise self.fail(path, f"refers to {_brief(reference)}, which contains itself")
        target = self.resolve(reference, path)
        self.open.append(reference)
        inlined = self.read(target, path, depth + 1)
        self.open.pop()
        beside = {key: value for key, value in node.items() if key not in ("$ref", "nullable")}
        siblings = self.read(beside, path, depth + 1) if beside else {}
        if siblings.keys() <= {"description", "default"}:
            return _nullable(node, {**inlined, **siblings})
        return _nullable(node, {**siblings, "allOf": [*siblings.get("allOf", ()), inlined]})

    def resolve(self, reference: str, path: tuple[str, ...]) -> Any:
        if not reference.startswith("#"):
            raise self.fail(path, f"refers to {_brief(reference)}, outside this schema")
        if reference not in ("#", "#/") and not reference.startswith("#/"):
            raise self.fail(path, f"refers to {_brief(reference)} by name, not by path")
        target: Any = self.root
        for part in unquote(reference[1:]).split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(target, dict) and key in target:
                target = target[key]
            elif isinstance(target, list) and key.isdecimal() and int(key) < len(target):
                target = target[int(key)]
            else:
                raise self.fail(path, f"refers to {_brief(reference)}, which does not exist")
        return target

    def older_drafts(self, node: Schema, result: Schema, path: tuple[str, ...], depth: int) -> None:
        """What the keywords of other drafts say, in the words of this one."""
        for side in ("minimum", "maximum"):
            exclusive = "exclusive" + side.capitalize()
            if node.get(exclusive) is True and side in result:
                result[exclusive] = result.pop(side)
        if "additionalItems" in node and isinstance(node.get("items"), list):
            result["items"] = self.read(node["additionalItems"], (*path, "[]"), depth + 1)
        if isinstance(node.get("properties"), dict):
            needed = [
                name
                for name, value in node["properties"].items()
                if isinstance(value, dict) and value.get("required") is True
            ]
            if needed:
                result["required"] = list(dict.fromkeys([*result.get("required", ()), *needed]))
        if "patternProperties" in node:
            patterns = node["patternProperties"]
            if not isinstance(patterns, dict):
                raise self.fail(path, "has patternProperties that are not an object")
            options = [self.read(value, (*path, "*"), depth + 1) for value in patterns.values()]
            others = result.get("additionalProperties", {})
            if others is not False:
                options.append(others)
            if options:
                result["additionalProperties"] = {} if {} in options else {"anyOf": options}


_Place = tuple[tuple[str, ...], int]
_Keyword = Callable[[_Reader, Schema, str, Any, _Place], None]


def _count(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        raise reader.fail(place[0], f"has a {key} that is not a whole number: {_brief(value)}")
    if value < 0:
        raise reader.fail(place[0], f"has a negative {key}")
    out[key] = int(value)


def _number(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if isinstance(value, bool):
        return  # Draft 4, see older_drafts
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise reader.fail(place[0], f"has a {key} that is not a number: {_brief(value)}")
    if key == "multipleOf" and value <= 0:
        raise reader.fail(place[0], "has a multipleOf that is not positive")
    out[key] = value


def _text(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if not isinstance(value, str):
        raise reader.fail(place[0], f"has a {key} that is not text: {_brief(value)}")
    out[key] = value


def _note(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if key == "default" or isinstance(value, str):
        out[key] = value


def _flag(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if not isinstance(value, bool):
        raise reader.fail(place[0], f"has a {key} that is neither true nor false")
    out[key] = value


def _type(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    names = value if isinstance(value, list) else [value]
    found = []
    for name in names:
        known = _ALIASES.get(name.lower(), name.lower()) if isinstance(name, str) else None
        if known == "any":
            return
        if known not in TYPES:
            raise reader.fail(place[0], f"has the unknown type {_brief(name)}")
        found.append(known)
    if not found:
        raise reader.fail(place[0], "has an empty list of types")
    out["type"] = found[0] if len(set(found)) == 1 else list(dict.fromkeys(found))


def _enum(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if not isinstance(value, list) or not value:
        raise reader.fail(place[0], "has an enum that is not a list of values")
    out["enum"] = [_exact(item) for item in value]


def _const(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    out["const"] = _exact(value)


def _schema(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    path, depth = place
    step = {"items": ("[]",), "contains": ("[]",), "additionalProperties": ("*",)}.get(key, ())
    if key == "items" and isinstance(value, list):
        _schemas(reader, out, "prefixItems", value, place)
        return
    read = reader.read(value, (*path, *step), depth + 1)
    out[key] = False if key == "additionalProperties" and read == NEVER else read


def _schemas(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    path, depth = place
    if not isinstance(value, list) or not value:
        raise reader.fail(path, f"has a {key} that is not a list of schemas")
    step = ("[]",) if key == "prefixItems" else ()
    out[key] = [reader.read(item, (*path, *step), depth + 1) for item in value]


def _properties(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    path, depth = place
    if not isinstance(value, dict):
        raise reader.fail(path, f"has {key} that are not an object")
    out[key] = {name: reader.read(item, (*path, name), depth + 1) for name, item in value.items()}


def _names(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    if isinstance(value, bool):
        return  # Draft 3, see older_drafts
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise reader.fail(place[0], f"has a {key} that is not a list of names")
    out[key] = list(dict.fromkeys(value))


def _dependent(reader: _Reader, out: Schema, key: str, value: Any, place: _Place) -> None:
    path, depth = place
    if not isinstance(value, dict):
        raise reader.fail(path, f"has {key} that are not an object")
    for name, item in value.items():
        if isinstance(item, list):
            _names(reader, out.setdefault("dependentRequired", {}), name, item, place)
        else:
            read = reader.read(item, path, depth + 1)
            out.setdefault("dependentSchemas", {})[name] = read


_KEYWORDS: dict[str, _Keyword] = {
    "type": _type, "enum": _enum, "const": _const,
    "description": _note, "default": _note, "format": _text, "pattern": _text,
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties",
                     "maxProperties", "minContains", "maxContains"), _count),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
                     "multipleOf"), _number),
    "uniqueItems": _flag, "required": _names, "properties": _properties,
    **dict.fromkeys(("items", "contains", "additionalProperties", "propertyNames", "not", "if",
                     "then", "else"), _schema),
    **dict.fromkeys(("prefixItems", "anyOf", "oneOf", "allOf"), _schemas),
    **dict.fromkeys(("dependencies", "dependentRequired", "dependentSchemas"), _dependent),
}  # fmt: skip


def _typed(schema: Schema) -> Schema:
    """A missing type is the one that the keywords speak of, if they speak of one."""
    if any(key in schema for key in ("type", "enum", "const")):
        return schema
    kinds = [kind for kind, keys in _IMPLIED.items() if any(key in schema for key in keys)]
    alone = not any(key in schema for key in ("anyOf", "oneOf", "allOf", "not", "if"))
    if len(kinds) == 1 and (alone or kinds == ["object"]):
        schema["type"] = kinds[0]
    return schema


def _nullable(node: Schema, schema: Schema) -> Schema:
    """OpenAPI's ``nullable``: null is admitted as well, in an enum too."""
    if node.get("nullable") is not True:
        return schema
    notes: Schema = {key: schema.pop(key) for key in ("description", "default") if key in schema}
    return {"anyOf": [schema, {"type": "null"}], **notes} if schema else notes


def _exact(value: Any) -> Any:
    """Whole numbers as integers: JSON Schema holds 1 and 1.0 to be the same."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_exact(item) for item in value]
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    return value


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
