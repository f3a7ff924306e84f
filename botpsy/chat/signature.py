"""A tool as one line of few tokens, for models to whom prompt tokens are the latency.

    create_event(title: string "Short title", day: day, length?: span = "1 h")  -- Put it in.

A name with ``?`` is optional. A type is the name of a JSON type or of a string's format, the values
of an enumeration (``"a"|"b"``), alternatives (``string|null``), a list (``[string]``), an object
(``{name: string, age?: integer}``), or ``any``; numbers show their range (``integer 1..10``). Then
come the description in quotes and the default after ``=``. Other constraints are not shown.

The template ``pocket.jinja`` writes the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botpsy.chat.types import ToolSpec
from botpsy.chat.wire import write_json, write_name


def signature(spec: ToolSpec) -> str:
    """The line of a tool, before neutralising."""
    line = f"{write_name(spec.name)}({_fields(spec.parameters)})"
    description = spec.description.replace("\r", " ").replace("\n", " ")
    return f"{line}  -- {description}" if description else line


def _fields(schema: Mapping[str, Any]) -> str:
    required = schema.get("required") or []
    fields = []
    for name, field in (schema.get("properties") or {}).items():
        text = f"{write_name(name)}{'' if name in required else '?'}: {_shape(field)}"
        if isinstance(field, Mapping):
            if field.get("description"):
                text += f" {write_json(field['description'])}"
            if "default" in field:
                text += f" = {write_json(field['default'])}"
        fields.append(text)
    return ", ".join(fields)


def _shape(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    if "enum" in schema:
        return "|".join(write_json(value) for value in schema["enum"])
    if "const" in schema:
        return write_json(schema["const"])
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return "|".join(_shape(branch) for branch in branches)
    kinds = schema.get("type")
    if kinds is None:
        return "any"
    return "|".join(_one(schema, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _one(schema: Mapping[str, Any], kind: str) -> str:
    if kind == "array":
        return f"[{_shape(schema.get('items'))}]"
    if kind == "object":
        return f"{{{_fields(schema)}}}" if schema.get("properties") else "object"
    if kind == "string":
        return str(schema.get("format") or kind)
    if "minimum" in schema or "maximum" in schema:
        low, high = (
            write_json(schema[bound]) if bound in schema else "" for bound in ("minimum", "maximum")
        )
        return f"{kind} {low}..{high}"
    return kind
