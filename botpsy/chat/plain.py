"""The plain form of a schema: what models are shown and engines can constrain.

``plain`` takes a schema in one dialect (``botpsy.chat.dialect``) and gives one that admits at least
whatever the original admits, in few keywords that every engine understands:

- ``type`` (a name or a list of names), ``enum``, ``description``, ``default``;
- strings: ``minLength``, ``maxLength``, ``format``, simple anchored ``pattern``;
- numbers: ``minimum``, ``maximum``, ``exclusiveMinimum``, ``exclusiveMaximum``;
- arrays: ``items``, ``minItems``, ``maxItems``; objects: ``properties``, ``required``,
  ``additionalProperties``;
- ``anyOf`` of the above, one level deep, where types differ by more than their name.

``allOf`` is merged, ``oneOf`` read as ``anyOf``, ``const`` as ``enum``; sizes beyond what engines
can count are dropped. What is dropped is still checked on the arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from botpsy.chat.dialect import NEVER, TYPES, shown
from botpsy.chat.patterns import is_simple
from botpsy.chat.types import Json, Schema
from botpsy.errors import SchemaError

MAX_COUNT = 256
"""Largest length or number of items that engines are asked to count."""
MAX_NUMBER = 2**53
MAX_OPTIONS = 32
"""Alternatives of one value; a product beyond this is not spelled out."""
MAX_SIZE = 90_000
"""Largest plain form of any part, in characters of JSON."""
MAX_DEFAULT = 200
"""Largest default shown to the model, in characters of JSON."""

_FOR = {
    "string": ("minLength", "maxLength", "format", "pattern"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required", "additionalProperties"),
}
_KEYWORDS = {key: kind for kind, keys in _FOR.items() for key in keys}
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")

# A flat schema has no anyOf and no description. A list of them admits what any of them admits.
Options = list[Schema]


def plain_parameters(schema: Schema) -> Schema:
    """The plain form of a tool's parameters: one object.

    Of alternative sets of arguments the union is shown, with what all of them require.

    Raises:
        SchemaError: the parameters are not an object with named arguments, or an argument that
            must be given admits no value.
    """
    objects = [option for option in _options(schema, ()) if "object" in _types(option)]
    if not objects:
        for name in schema.get("required", ()):
            if _plain(schema.get("properties", {}).get(name, {}), (name,)) == NEVER:
                raise SchemaError(f"{shown((name,))} admits no value.", path=name)
        raise SchemaError("parameters are not an object.", path="parameters")
    properties: dict[str, list[Schema]] = {}
    for option in objects:
        for name, value in option.get("properties", {}).items():
            properties.setdefault(name, []).append(value)
    required = [
        name for name in properties if all(name in option.get("required", ()) for option in objects)
    ]
    free = any(option.get("additionalProperties") not in (None, False) for option in objects)
    if free and not properties:
        raise SchemaError("parameters have no names of their own.", path="parameters")
    result: Schema = {
        "type": "object",
        "properties": {name: _union(values) for name, values in properties.items()},
    }
    if required:
        result["required"] = required
    return result


def _plain(schema: Schema, path: tuple[str, ...]) -> Schema:
    result = _join(_options(schema, path))
    if result == NEVER:
        return result
    if schema.get("description"):
        result["description"] = schema["description"]
    default = schema.get("default")
    if default is not None and len(_key(default)) <= MAX_DEFAULT:
        result["default"] = default
    # Alternatives repeat what stands beside them, so nested ones multiply.
    if len(_key(result)) > MAX_SIZE:
        raise _too_large(path)
    return result


def _too_large(path: tuple[str, ...]) -> SchemaError:
    return SchemaError(
        f"{shown(path)} grows beyond {MAX_SIZE} characters once its alternatives are spelled out.",
        path=shown(path),
    )


def _options(schema: Schema, path: tuple[str, ...]) -> Options:
    """All flat ways to satisfy the schema; none if there is none."""
    if schema.get("not") == {}:
        return []
    flat = _flat(schema, path)
    options = [flat] if flat is not None else []
    for part in schema.get("allOf", ()):
        options = _product(options, _options(part, path))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            choices = [option for part in schema[key] for option in _options(part, path)]
            options = _product(options, _split(_join(choices)))
    return options


def _flat(schema: Schema, path: tuple[str, ...]) -> Schema | None:
    """The schema's own keywords, those of its types only; None if they exclude one another."""
    flat: Schema = {}
    if "type" in schema:
        flat["type"] = schema["type"]
    if "const" in schema:
        flat["enum"] = [schema["const"]]
    if "enum" in schema:
        values = _distinct(schema["enum"])
        flat["enum"] = _common(flat["enum"], values) if "enum" in flat else values
    for key, kind in _KEYWORDS.items():
        if key not in schema or "type" not in flat or kind not in _names(flat):
            continue
        value = schema[key]
        if (
            (key in _COUNTS and value > MAX_COUNT)
            or (kind == "number" and abs(value) > MAX_NUMBER)
            or (key == "pattern" and not is_simple(value))
        ):
            continue
        if key == "properties":
            value = _properties(value, path)
        elif key == "items":
            value = _items(schema, path)
        elif key == "additionalProperties" and value is not False:
            value = _plain(value, (*path, "*"))
            value = False if value == NEVER else value
        if value not in ({}, []) or key == "properties":
            flat[key] = value
    count = len(schema.get("prefixItems", ()))
    if "items" in flat and schema["items"] == NEVER and count <= MAX_COUNT:
        flat["maxItems"] = min(count, flat.get("maxItems", count))
    return _settled(flat)


def _properties(properties: dict[str, Schema], path: tuple[str, ...]) -> dict[str, Schema]:
    result, size = {}, 0
    for name, part in properties.items():
        result[name] = _plain(part, (*path, name))
        size += len(_key(result[name]))
        if size > MAX_SIZE:
            raise _too_large(path)
    return result


def _items(schema: Schema, path: tuple[str, ...]) -> Schema:
    parts = [*schema.get("prefixItems", ()), schema.get("items", {})]
    return _union([_plain(part, (*path, "[]")) for part in parts])


def _settled(flat: Schema) -> Schema | None:
    """Keywords brought into agreement; None if nothing can satisfy them all."""
    if "enum" in flat:
        types = set(_types(flat))
        values = [value for value in flat["enum"] if not types.isdisjoint(_types_of(value))]
        if not values:
            return None
        kinds = [_types_of(value)[-1] for value in values]
        return {"type": _named(kinds), "enum": values}
    if flat.get("items") == NEVER:
        flat = {key: value for key, value in flat.items() if key != "items"} | {"maxItems": 0}
    if "properties" in flat or "required" in flat:
        required = flat.get("required", ())
        named = {**flat.get("properties", {})}
        for name in required:
            named.setdefault(name, {})
        flat["properties"] = {name: part for name, part in named.items() if part != NEVER}
        if any(name not in flat["properties"] for name in required):
            return None
    return flat


def _product(first: Options, second: Options) -> Options:
    """What both admit. Where that is too much to spell out, what the first admits."""
    if first == [{}]:
        return second
    if len(first) * len(second) > MAX_OPTIONS:
        return first
    merged = [_both(one, other) for one in first for other in second]
    return [option for option in merged if option is not None]


def _both(one: Schema, other: Schema) -> Schema | None:
    """One flat schema that admits all that both admit."""
    types = [name for name in _types(one) if name in _types(other)]
    if not types:
        return None
    result: Schema = {**other, **one}
    if "type" in one or "type" in other:
        result["type"] = _named(types)
    if "enum" in one and "enum" in other:
        result["enum"] = _common(one["enum"], other["enum"])
    for key in ("minLength", "minItems", "minimum", "exclusiveMinimum"):
        if key in one and key in other:
            result[key] = max(one[key], other[key])
    for key in ("maxLength", "maxItems", "maximum", "exclusiveMaximum"):
        if key in one and key in other:
            result[key] = min(one[key], other[key])
    if "required" in one and "required" in other:
        result["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    if "items" in one and "items" in other:
        result["items"] = _intersection(one["items"], other["items"])
    if "properties" in one and "properties" in other:
        result["properties"] = {**one["properties"], **other["properties"]}
        for name in one["properties"].keys() & other["properties"].keys():
            result["properties"][name] = _intersection(
                one["properties"][name], other["properties"][name]
            )
    if False in (one.get("additionalProperties"), other.get("additionalProperties")):
        result["additionalProperties"] = False
    for key, kind in _KEYWORDS.items():
        if key in result and kind not in _names(result):
            del result[key]
    return _settled(result)


def _intersection(one: Schema, other: Schema) -> Schema:
    """What both plain schemas admit."""
    merged = _join(_product(_split(one), _split(other)))
    for key in ("description", "default"):
        if key in one or key in other:
            merged[key] = one.get(key, other.get(key))
    return merged


def _union(parts: Iterable[Schema]) -> Schema:
    """What any of the plain schemas admits."""
    parts = list(parts)
    joined = _join([option for part in parts for option in _split(part)])
    for key in ("description", "default"):
        notes = [part[key] for part in parts if key in part]
        if notes:
            joined[key] = notes[0]
    return joined


def _split(schema: Schema) -> Options:
    if schema.get("not") == {}:
        return []
    bare = {key: value for key, value in schema.items() if key not in ("description", "default")}
    options: Options = bare.get("anyOf", [bare])
    return options


def _join(options: Options) -> Schema:
    """One plain schema for several flat ones."""
    options = _distinct(options)
    if not options:
        return dict(NEVER)
    if {} in options:
        return {}
    if all("enum" in option for option in options):
        values = _distinct(value for option in options for value in option["enum"])
        return {"type": _named(_types_of(value)[-1] for value in values), "enum": values}
    if all(option.keys() == {"type"} for option in options):
        return {"type": _named(name for option in options for name in _listed(option["type"]))}
    others = [option for option in options if option != {"type": "null"}]
    if len(others) == len(options) == 1:
        return dict(others[0])
    if len(others) == 1 and "type" in others[0]:
        only = others[0]
        joined = {**only, "type": _named([*_listed(only["type"]), "null"])}
        return {**joined, "enum": _distinct([*only["enum"], None])} if "enum" in only else joined
    return {"anyOf": options}


def _listed(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def _types(schema: Schema) -> list[str]:
    """Every type that the schema admits; a number may be an integer."""
    names = _listed(schema.get("type", list(TYPES)))
    return [name for name in TYPES if name in names or (name == "integer" and "number" in names)]


def _names(schema: Schema) -> list[str]:
    """``_types``, integers counted as numbers."""
    names = _types(schema)
    return [*names, "number"] if "integer" in names else names


def _named(types: Iterable[str]) -> str | list[str]:
    """A type or a list of types, integers left out where all numbers are admitted."""
    names = list(dict.fromkeys(types))
    if "number" in names and "integer" in names:
        names.remove("integer")
    return names[0] if len(names) == 1 else names


def _types_of(value: Json) -> tuple[str, ...]:
    """The types of a value, the narrowest last."""
    match value:
        case None:
            return ("null",)
        case bool():
            return ("boolean",)
        case int():
            return ("number", "integer")
        case float():
            return ("number",)
        case str():
            return ("string",)
        case list():
            return ("array",)
        case dict():
            return ("object",)
    raise AssertionError(value)


def _common(values: list[Any], others: list[Any]) -> list[Any]:
    admitted = set(map(_key, others))
    return [value for value in values if _key(value) in admitted]


def _key(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _distinct(values: Iterable[Any]) -> list[Any]:
    """Without repetitions, in order; True and 1 differ."""
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(_key(value), value)
    return list(found.values())
