"""BFCL's functions as tools, and its answers as calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from botpsy.chat.schema import check_arguments
from botpsy.chat.types import ToolCall, ToolSpec
from botpsy.errors import SchemaError
from botpsy.evals.suites.bfcl.rules import Language

JSON_TYPES = {
    "integer": "integer", "number": "number", "float": "number", "string": "string",
    "boolean": "boolean", "bool": "boolean", "array": "array", "list": "array", "dict": "object",
    "object": "object", "tuple": "array", "any": "string", "byte": "integer", "short": "integer",
    "long": "integer", "double": "number", "char": "string", "ArrayList": "array",
    "Array": "array", "HashMap": "object", "Hashtable": "object", "Queue": "array",
    "Stack": "array", "Any": "string", "String": "string", "Bigint": "integer",
}  # fmt: skip
_SPOKEN: dict[Language, str] = {
    "python": "Python 3",
    "java": "Java 8",
    "javascript": "JavaScript",
}
_KEPT = ("description", "enum", "default", "minimum", "maximum", "minItems", "maxItems", "pattern")
_JAVA_ITEMS = {
    "String": "String", "char": "char", "integer": "int", "float": "float", "double": "double",
    "boolean": "boolean", "long": "long", "byte": "byte", "short": "short",
}  # fmt: skip


def called(name: str) -> str:
    """What a function is called by the model: names of tools have no dots."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64]


def tools_of(functions: Sequence[Mapping[str, Any]], language: Language) -> tuple[ToolSpec, ...]:
    """The functions as tools. A name that comes twice is offered once, as it comes first.

    In Java and JavaScript every argument is text with a literal in it.
    """
    found: dict[str, ToolSpec] = {}
    for each in functions:
        parameters = each["parameters"]
        schema = {
            "type": "object",
            "properties": {
                name: _schema(part) if language == "python" else _literal(part, language)
                for name, part in parameters["properties"].items()
            },
            "required": list(parameters.get("required", ())),
        }
        about = f"{each.get('description', '')} (The function is in {_SPOKEN[language]}.)"
        found.setdefault(called(each["name"]), ToolSpec(called(each["name"]), about, schema))
    return tuple(found.values())


def _schema(declared: Mapping[str, Any]) -> dict[str, Any]:
    kind = JSON_TYPES.get(declared.get("type", "string"), "string")
    made: dict[str, Any] = {"type": kind}
    made |= {key: declared[key] for key in _KEPT if key in declared}
    if kind == "object" and "properties" in declared:
        properties = declared["properties"]
        made["properties"] = {name: _schema(part) for name, part in properties.items()}
        made["required"] = [name for name in declared.get("required", ()) if name in properties]
    if kind == "array" and "items" in declared:
        made["items"] = _schema(declared["items"])
    return made


def _literal(declared: Mapping[str, Any], language: Language) -> dict[str, Any]:
    kind, spoken = declared["type"], "Java" if language == "java" else "JavaScript"
    about = f"{declared.get('description', '')} (As text: a {spoken} value of type {kind}"
    if "items" in declared:
        about += f", of items of type {declared['items'].get('type', 'any')}"
    if "properties" in declared:
        about += f", with these entries: {json.dumps(declared['properties'], ensure_ascii=False)}"
    return {"type": "string", "description": about + ".)"}


def gold_calls(
    functions: Sequence[Mapping[str, Any]],
    answer: Sequence[Mapping[str, Mapping[str, Sequence[Any]]]],
    language: Language,
) -> list[ToolCall]:
    """Calls that the answer allows: of each argument the first value that its schema admits, or the
    first; left out where it may be."""
    by_name = {each["name"]: each for each in functions}
    tools = {each.name: each.parameters["properties"] for each in tools_of(functions, language)}
    calls = []
    for gold in answer:
        [(name, allowed)] = gold.items()
        declared = by_name[name]["parameters"]["properties"]
        required = by_name[name]["parameters"].get("required", ())
        arguments: dict[str, Any] = {}
        for key, values in allowed.items():
            given = [each for each in values if each != ""]
            if (not given and key not in required) or ("" in values and key not in required):
                continue
            value = _given(given[0]) if given else ""
            if language != "python" and key in declared:
                value = _written(value, declared[key], language)
            elif given:
                among = [_given(each) for each in given]
                schema = tools[called(name)].get(key, {})
                value = next((each for each in among if _admitted(each, schema)), among[0])
            arguments[key] = value
        calls.append(ToolCall(called(name), arguments))
    return calls


def _admitted(value: Any, schema: Any) -> bool:
    tool = ToolSpec("t", "", {"type": "object", "properties": {"x": schema}})
    try:
        check_arguments(tool, {"x": value})
    except SchemaError:
        return False
    return True


def _given(value: Any) -> Any:
    """A value out of what is allowed; dictionaries allow several for each key."""
    if isinstance(value, dict):
        return {
            key: next(each for each in among if each != "")
            if isinstance(among, list)
            else _given(among)
            for key, among in value.items()
            if not (isinstance(among, list) and "" in among)
        }
    if isinstance(value, list):
        return [_given(each) for each in value]
    return value


def _written(value: Any, declared: Mapping[str, Any], language: Language) -> str:
    kind, inner = declared["type"], declared.get("items", {}).get("type", "")
    if language == "javascript":
        if isinstance(value, str):
            return value
        text = json.dumps(value, ensure_ascii=False)
        return text + "n" if kind == "Bigint" else text
    if isinstance(value, list) and kind in ("Array", "ArrayList"):
        items = [_java(each, inner, quoted=kind == "ArrayList") for each in value]
        if kind == "Array":
            return f"new {_JAVA_ITEMS.get(inner, 'Object')}[]{{{', '.join(items)}}}"
        return f"new ArrayList<>(Arrays.asList({', '.join(items)}))"
    if isinstance(value, dict) and kind == "HashMap":
        puts = "".join(f'put("{key}", {_java(part)}); ' for key, part in value.items())
        return f"new HashMap<String, Object>() {{{{ {puts}}}}}"
    return value if isinstance(value, str) else _java(value, kind)


def _java(value: Any, kind: str = "", *, quoted: bool = True) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"' if quoted and kind not in JAVA_NUMBERS else value
        case _:
            ending = {"long": "L", "float": "f"}.get(kind, "")
            return f"{value}{ending}"


JAVA_NUMBERS = ("integer", "float", "double", "long", "byte", "short", "boolean")
