"""The verdict of a schema without words: a plain function for the keywords that nearly all use.

``predicate`` compiles a schema in one dialect (``botpsy.chat.dialect``) into a function that says
whether a value is valid, exactly as the validator in ``botpsy.chat.schema`` does but some ten times
as fast. It declines schemas with keywords beyond those here; the caller then asks the validator.

Functions raise what the validator raises (a number beyond the range of floats). So that they always
do, a test is made even where one before it has failed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from botpsy.chat.patterns import searcher
from botpsy.chat.types import Schema

Test = Callable[[Any], bool]
HasFormat = Callable[[Any, str], bool]
"""(value, name of a format) -> whether the value is of that form."""


def predicate(schema: Schema, has_format: HasFormat) -> Test | None:
    """The schema as a function, or None if it uses a keyword that is not known here."""
    try:
        return _test(schema, has_format)
    except _UnknownKeywordError:
        return None


class _UnknownKeywordError(Exception):
    pass


def _test(schema: Schema, has_format: HasFormat) -> Test:
    tests: list[Test] = []
    for key, wanted in schema.items():
        if key in _NOTES:
            continue
        if key in _LIMITS:
            tests.append(_LIMITS[key](wanted))
        elif key == "format":
            tests.append(_formatted(wanted, has_format))
        elif key == "items":
            tests.append(_items(_test(wanted, has_format)))
        elif key == "anyOf":
            tests.append(_any([_test(option, has_format) for option in wanted]))
        elif key not in _OBJECT:
            raise _UnknownKeywordError
    if any(key in schema for key in _OBJECT):
        tests.append(_object(schema, has_format))
    match tests:
        case []:
            return _everything
        case [only]:
            return only
        case [first, second]:
            return lambda value: first(value) & second(value)
    return lambda value: all([test(value) for test in tests])  # noqa: C419 - all are made


_NOTES = ("description", "default")
_OBJECT = ("properties", "required", "additionalProperties")


def _everything(value: Any) -> bool:
    return True


def _string(value: Any) -> bool:
    return isinstance(value, str)


def _integer(value: Any) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, float) and value.is_integer()


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_TYPES: dict[str, Test] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _type(names: str | list[str]) -> Test:
    return _TYPES[names] if isinstance(names, str) else _any([_TYPES[name] for name in names])


def _enum(values: list[Any]) -> Test:
    if any(isinstance(value, list | dict) for value in values):
        raise _UnknownKeywordError
    admitted = frozenset(map(_tagged, values))
    return lambda value: not isinstance(value, list | dict) and _tagged(value) in admitted


def _tagged(value: Any) -> tuple[bool, Any]:
    """JSON's truth values are no numbers."""
    return isinstance(value, bool), value


def _at_least(least: float) -> Test:
    return lambda value: not _number(value) or value >= least


def _at_most(most: float) -> Test:
    return lambda value: not _number(value) or value <= most


def _above(bound: float) -> Test:
    return lambda value: not _number(value) or value > bound


def _below(bound: float) -> Test:
    return lambda value: not _number(value) or value < bound


def _sized(kind: type[str] | type[list[Any]], least: int = 0, most: float = math.inf) -> Test:
    return lambda value: not isinstance(value, kind) or least <= len(value) <= most


def distinct(values: list[Any]) -> bool:
    """Whether no two JSON values are the same; in time linear in what they hold."""
    return len(set(map(_hashable, values))) == len(values)


def _hashable(value: Any) -> Any:
    """Equal for equal JSON values alone; 1 and 1.0 are one."""
    match value:
        case list():
            return "list", tuple(map(_hashable, value))
        case dict():
            return "object", frozenset((name, _hashable(part)) for name, part in value.items())
        case _:
            return _tagged(value)


def _unique(wanted: bool) -> Test:
    return lambda value: not wanted or not isinstance(value, list) or distinct(value)


def _pattern(pattern: str) -> Test:
    def test(value: Any) -> bool:
        search = searcher(pattern) if isinstance(value, str) else None
        try:
            return search is None or search(value)
        except TimeoutError:
            return False

    return test


_LIMITS: dict[str, Callable[[Any], Test]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda value: _enum([value]),
    "minimum": _at_least,
    "maximum": _at_most,
    "exclusiveMinimum": _above,
    "exclusiveMaximum": _below,
    "minLength": lambda least: _sized(str, least),
    "maxLength": lambda most: _sized(str, 0, most),
    "minItems": lambda least: _sized(list, least),
    "maxItems": lambda most: _sized(list, 0, most),
    "uniqueItems": _unique,
    "pattern": _pattern,
}


def _formatted(name: str, has_format: HasFormat) -> Test:
    return lambda value: has_format(value, name)


def _items(test: Test) -> Test:
    return lambda value: not isinstance(value, list) or all([test(x) for x in value])  # noqa: C419


def _any(tests: Iterable[Test]) -> Test:
    tests = tuple(tests)
    return lambda value: any(test(value) for test in tests)


def _object(schema: Schema, has_format: HasFormat) -> Test:
    known = {name: _test(part, has_format) for name, part in schema.get("properties", {}).items()}
    required = tuple(schema.get("required", ()))
    others = schema.get("additionalProperties", {})
    free = _test(others, has_format) if others is not False else lambda value: False

    def test(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        valid = True
        for name in required:
            valid &= name in value
        for name, part in value.items():
            valid &= known.get(name, free)(part)
        return valid

    return test
