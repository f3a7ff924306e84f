"""Values of Java and JavaScript written as text, read as BFCL reads them.

In these categories every argument is a string that holds a literal. What is no literal of the
declared type stays text: it may name a variable. Collections are read by their usual spellings
alone: ``new int[]{1, 2}``, ``new ArrayList<>(Arrays.asList(1, 2))``,
``new HashMap<>() {{ put("a", 1); }}``; ``[1, 2]``, ``new Array(1, 2)``, ``{"a": 1}``. Commas in
texts separate, nested ones are not read.

Source: the published package, bfcl-eval 2026.3.23.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

JAVA: dict[str, type] = {
    "byte": int, "short": int, "integer": int, "float": float, "double": float, "long": int,
    "boolean": bool, "char": str, "Array": list, "ArrayList": list, "Set": set, "HashMap": dict,
    "Hashtable": dict, "Queue": list, "Stack": list, "String": str, "any": str,
}  # fmt: skip
JAVASCRIPT: dict[str, type] = {
    "String": str, "integer": int, "float": float, "Bigint": int, "Boolean": bool, "dict": dict,
    "array": list, "any": str,
}  # fmt: skip

_WHOLE = re.compile(r"-?\d+")
_JAVA_LONG = re.compile(r"(-?\d+)[lL]")
_JAVA_DOUBLE = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_JAVA_FLOAT = re.compile(rf"({_JAVA_DOUBLE.pattern})[fF]")
_AS_LIST = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)")
_ADDS = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}", re.DOTALL)
_EMPTY_LIST = re.compile(r"new\s+ArrayList<\w*>\(\)")
_ARRAY = re.compile(r"new\s+\w+\[\]\s*\{(.*?)\}")
_PUTS = re.compile(r"new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}", re.DOTALL)
_EMPTY_MAP = re.compile(r"new\s+HashMap<.*?>\s*\(\)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BIGINT = re.compile(r"(-?\d+)n")
_ROW = r"\[.*?\]\s*(?:,\s*\[.*?\]\s*)*"
_TABLE = re.compile(rf"\[\s*{_ROW}\]|\bnew\s+Array\(\s*{_ROW}\)")
_ROW_ITEMS = re.compile(r"\[(.*?)\]")
_LIST = re.compile(r"\[(.*?)\]|\bnew\s+Array\((.*?)\)")
_OBJECT = re.compile(r"\{(.*?)\}")
_PAIR = re.compile(r"([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)")


def java_value(text: str, kind: str, inner: str = "") -> Any:
    """What a text is as a value of a Java type; the text itself where it is none.

    Raises:
        LookupError: there is no such type, or none that BFCL reads.
    """
    match kind:
        case "byte" | "short" | "integer":
            return int(text) if _matches(_WHOLE, text) else text
        case "long":
            return int(text.rstrip("\n")[:-1]) if _matches(_JAVA_LONG, text) else text
        case "float":
            return float(text.rstrip("\n")[:-1]) if _matches(_JAVA_FLOAT, text) else text
        case "double":
            return float(text) if _matches(_JAVA_DOUBLE, text) else text
        case "boolean":
            return text == "true" if text in ("true", "false") else text
        case "char" | "String" | "any":
            return text
        case "Array":
            return _java_array(text, inner)
        case "ArrayList":
            return _java_list(text, inner)
        case "HashMap":
            return _java_map(text)
    raise LookupError(f"{kind} is not read")


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    """Whole, or but for one line break at the end."""
    return pattern.fullmatch(text.removesuffix("\n")) is not None


def _java_array(text: str, inner: str) -> Any:
    found = _ARRAY.search(text)
    if found is None:
        return text
    items = [item.strip() for item in found[1].split(",") if item.strip()]
    return [java_value(item, inner) if inner else _java_any(item) for item in items]


def _java_list(text: str, inner: str) -> Any:
    if found := _AS_LIST.search(text):
        items = found[1].split(",")
    elif found := _ADDS.search(text):
        items = re.findall(r"add\((.+?)\)", found[1])
    else:
        return [] if _EMPTY_LIST.search(text) else text
    items = [item.strip() for item in items]
    if inner in ("char", "String"):
        return [item[1:-1] for item in items]
    return [java_value(item, inner) if inner else _java_any(item) for item in items]


def _java_map(text: str) -> Any:
    if found := _PUTS.search(text):
        pairs = re.findall(r"put\(\"(.*?)\",\s*(.*?)\)", found[1])
        return {key: _java_any(value.strip()) for key, value in pairs}
    return {} if _EMPTY_MAP.search(text) else text


def _java_any(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    if _matches(_JAVA_LONG, text):
        return int(text[:-1])
    if _matches(_JAVA_FLOAT, text):
        return float(re.sub(r"[fF]$", "", text))
    return _number(text)


def _number(text: str) -> Any:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def javascript_value(text: str, kind: str, inner: str = "") -> Any:
    """What a text is as a value of a JavaScript type; the text itself where it is none.

    Raises:
        LookupError: there is no such type.
    """
    match kind:
        case "String":
            quoted = any(text.startswith(mark) and text.endswith(mark) for mark in "\"'")
            return text[1:-1] if quoted else text
        case "integer":
            return int(text) if _matches(_WHOLE, text) else text
        case "float":
            return float(text) if _matches(_NUMBER, text) else text
        case "Bigint":
            return int(text.rstrip("\n")[:-1]) if _matches(_BIGINT, text) else text
        case "Boolean":
            return text == "true" if text in ("true", "false") else text
        case "any":
            return text
        case "array":
            return _javascript_list(text.strip(), inner)
        case "dict":
            return _javascript_object(text.strip())
    raise LookupError(f"{kind} is not read")


def _javascript_list(text: str, inner: str = "") -> Any:
    if table := _TABLE.match(text):
        rows = [row.strip() for row in _ROW_ITEMS.findall(table[0])]
        rows = [row[1:] if n == 0 and row.startswith("[") else row for n, row in enumerate(rows)]
        return [[_javascript_any(item) for item in row.split(",")] for row in rows]
    found = _LIST.match(text)
    if found is None:
        return text
    listed = (found[1] if found[1] is not None else found[2]).strip()
    read: Callable[[str], Any] = (
        (lambda item: javascript_value(item, inner)) if inner else _javascript_any
    )
    try:
        return [read(item.strip()) for item in listed.split(",")] if listed else []
    except LookupError:
        return text


def _javascript_object(text: str) -> Any:
    found = _OBJECT.match(text)
    if found is None:
        return text
    made: dict[str, Any] = {}
    for key, part in _PAIR.findall(found[1]):
        value = part.strip()
        name = key.strip().strip("'\"")
        if value.startswith("[") and value.endswith("]"):
            made[name] = _javascript_list(value)
        elif value.startswith("{") and value.endswith("}"):
            made[name] = _javascript_object(value)
        else:
            made[name] = _javascript_any(value.strip("'\""))
    return made


def _javascript_any(text: str) -> Any:
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if any(text.startswith(mark) and text.endswith(mark) for mark in "\"'"):
        return text[1:-1]
    return _number(text)
