"""One argument as text, and back: the typing rule of the wire format and its exact inverse.

The schema of a parameter says which JSON types it admits (``kinds``). From that follows how a value
is written and read:

- only strings: the raw text is the value, whatever it looks like;
- no strings: the text is JSON (``true``, never ``True``);
- strings and others, or no schema: a text is JSON if it is JSON of an admitted type or a JSON
  string, else it is itself the value. Writing a string that could be read so puts it in quotes.

``read_value(write_value(v, s), s) == v`` for every value whose type the schema admits; also for a
string where the schema has no place for one, so that validation sees what the model wrote.

The rule looks at ``type``, one level of ``anyOf``/``oneOf``, ``enum`` and ``const``; a schema that
hides its types deeper counts as one that admits all. It is kept that simple because the Jinja
templates state it as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from botpsy.chat.types import Json, JsonObject, ToolSpec
from botpsy.errors import ParseError, SchemaError

ALL_KINDS = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
MAX_DEPTH = 64
"""Levels of nesting that a JSON text may have; the deepest honest schemas stay under ten."""

_ONE = {name: frozenset({name}) for name in ALL_KINDS}
_LITERALS = {"true": "boolean", "false": "boolean", "null": "null"}
_BRACKETS_AND_QUOTES = re.compile(r'\\.|["\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def kinds(schema: Any) -> frozenset[str]:
    """The JSON types that a schema admits, as far as the typing rule looks."""
    if not isinstance(schema, Mapping):
        return ALL_KINDS
    if "type" in schema:
        return _type_names(schema["type"])
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, list):
        return frozenset(name for branch in branches for name in _branch_kinds(branch))
    if isinstance(schema.get("enum"), list):
        only_strings = all(isinstance(item, str) for item in schema["enum"])
        return frozenset({"string"}) if only_strings else ALL_KINDS
    if isinstance(schema.get("const"), str):
        return frozenset({"string"})
    return ALL_KINDS


def properties_of(spec: ToolSpec) -> Mapping[str, Any]:
    """The schemas of a tool's parameters, by name."""
    properties = spec.parameters.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def write_value(value: Json, schema: Any) -> str:
    """A value as the model writes it, before neutralising.

    Raises:
        SchemaError: the value is not JSON (a NaN, for example).
    """
    if not isinstance(value, str):
        return write_json(value)
    admitted = kinds(schema)
    if admitted == {"string"}:
        return value
    if "string" not in admitted or _may_be_json(value, admitted):
        return write_json(value)
    return value


def read_value(text: str, schema: Any) -> Json:
    """The value that a text stands for.

    Raises:
        ParseError: the schema wants JSON and the text is none, or it is JSON that
            ``strict_json`` refuses.
    """
    admitted = kinds(schema)
    if admitted == {"string"}:
        return text
    if "string" not in admitted:
        return strict_json(text)
    if not _may_be_json(text, admitted):
        return text
    try:
        value = _loads(text)
    except json.JSONDecodeError:
        return text
    return value if isinstance(value, str) or _kind_fits(value, admitted) else text


def write_json(value: Json) -> str:
    """JSON as ``tojson`` writes it in chat templates: ``", "`` and ``": "``, no ASCII escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"An argument cannot be written as JSON: {error}.") from None


def strict_json(text: str) -> Json:
    """JSON after RFC 8259 and nothing else, of bounded depth.

    Raises:
        ParseError: not JSON, text after it, a duplicate key, a number beyond the range of a float
            or of more than 4,300 digits, more than ``MAX_DEPTH`` levels, half a surrogate pair.
    """
    try:
        return _loads(text)
    except json.JSONDecodeError as error:
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        raise ParseError(
            f"This is not JSON ({error.msg} at character {error.pos}): {shown}",
            hint="Numbers, lists and objects are written as in JSON, truth as true or false,"
            " nothing as null.",
        ) from None


def write_name(name: str) -> str:
    """The name of a tool or parameter inside its tag: as it is, or as a JSON string if it must."""
    if name and not any(character in name for character in '<>"\n'):
        return name
    return json.dumps(name, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")


def read_name(text: str) -> str:
    """The inverse of ``write_name``.

    Raises:
        ParseError: no name, or a quoted one that is not a JSON string.
    """
    if not text:
        raise ParseError("A name is missing after '='.")
    if not text.startswith('"'):
        return text
    name = strict_json(text)
    assert isinstance(name, str)  # JSON that begins with a quote is a string
    return name


def _branch_kinds(branch: Any) -> frozenset[str]:
    if isinstance(branch, Mapping) and "type" in branch:
        return _type_names(branch["type"])
    return ALL_KINDS


def _type_names(names: Any) -> frozenset[str]:
    if isinstance(names, str):
        return _ONE.get(names) or frozenset({names})
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return frozenset(names)
    return ALL_KINDS


def _may_be_json(text: str, admitted: frozenset[str]) -> bool:
    """Whether a text could be read as JSON of an admitted type, by its looks alone.

    Anything that is read as JSON passes; so do some texts that are not ("2 apples"), and quoting
    those does no harm.
    """
    if text in _LITERALS:
        return _LITERALS[text] in admitted
    match text[:1]:
        case '"':
            return True
        case "[":
            return "array" in admitted
        case "{":
            return "object" in admitted
        case first:
            numeric = "number" in admitted or "integer" in admitted
            return numeric and first != "" and first in "-0123456789"


def _kind_fits(value: Json, admitted: frozenset[str]) -> bool:
    match value:
        case bool():
            return "boolean" in admitted
        case int():
            return "integer" in admitted or "number" in admitted
        case float():
            return "number" in admitted or ("integer" in admitted and value.is_integer())
        case _:  # null, lists and objects are told by their first character
            return True


def _loads(text: str) -> Json:
    """JSON, with ``JSONDecodeError`` for what is none and ``ParseError`` for what is refused."""
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(text)
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_finite,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError:
        raise
    except ValueError:  # int() refuses what would take it quadratic time
        raise ParseError("A number has too many digits.") from None
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ParseError("A \\u escape stands for half a character.") from None
    return value


def _check_depth(text: str) -> None:
    depth, in_string = 0, False
    for match in _BRACKETS_AND_QUOTES.finditer(text):
        mark = match.group()
        if mark == '"':
            in_string = not in_string
        elif in_string or mark[0] == "\\":
            continue
        elif mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ParseError(f"JSON is nested more than {MAX_DEPTH} levels deep.")
        else:
            depth -= 1


def _object(pairs: list[tuple[str, Json]]) -> JsonObject:
    result: JsonObject = {}
    for name, value in pairs:
        if name in result:
            raise ParseError(f"The key {name[:60]!r} is given twice.")
        result[name] = value
    return result


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ParseError(f"The number {text[:40]} is out of range.")
    return value


def _no_constant(name: str) -> Json:
    raise json.JSONDecodeError(f"{name} is not a JSON value", name, 0)
