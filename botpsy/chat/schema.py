"""The schema gate: tool schemas by anyone in, schemas that engines can honour out.

``gate`` stands before every engine. Schemas come from our own tools, from users' functions, from
MCP servers and API clients; one that cannot be honoured is refused by tool, path and reason, and
the others go through. What goes through is in plain form (``botpsy.chat.plain``): without
references, one object at the root, small. It admits at least what the original admits.

``check_arguments`` stands before every execution and has the last word: it validates against the
original, brought into one dialect (``botpsy.chat.dialect``) by ``jsonschema`` for Draft 2020-12
with formats and patterns. Argument names that the schema does not declare are refused whether or
not it says so. Nothing is coerced: "5" is not 5. Beyond the plain form's and the dialect's limits,
two things are left to the tool itself: patterns that no engine of ours can compile
(``botpsy.chat.patterns``), and unknown formats.

The formats ``instant``, ``day``, ``span`` and ``period`` are time phrases
(``botpsy.tools.values``): any text that is not blank.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from botpsy.chat.dialect import normal
from botpsy.chat.patterns import searcher
from botpsy.chat.plain import plain_parameters
from botpsy.chat.quick import distinct, predicate
from botpsy.chat.types import JsonObject, Schema, ToolSpec
from botpsy.errors import SchemaError

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MAX_BYTES = 90_000
"""Schemas and descriptions of one request, as JSON in UTF-8; engines fail at about 97 KB."""
MAX_VALUES = 50_000
"""Values in one schema as it came, counted before anything else is done with it."""
MAX_ERRORS = 3
"""Mistakes reported at once."""

TIME_FORMATS = {
    "instant": 'a time in words, such as "Friday at 3 pm"',
    "day": 'a day in words, such as "tomorrow"',
    "span": 'a length of time, such as "20 minutes"',
    "period": 'a stretch of time, such as "next week"',
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that was kept out, where its schema is at fault, and why."""

    tool: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Gated:
    """What may be shown to engines, in the order given, and what was kept out."""

    tools: tuple[ToolSpec, ...]
    refused: tuple[Refusal, ...]


def gate(tools: Sequence[ToolSpec]) -> Gated:
    """Sanitise the schemas of one request. Never raises for what a tool says of itself."""
    passed: list[ToolSpec] = []
    refused: list[Refusal] = []
    seen: set[str] = set()
    size = 0
    for spec in tools:
        try:
            name = _name(spec.name, seen)
            seen.add(name)
            text = _plain_text(_frozen(spec.parameters))
            words = spec.description if isinstance(spec.description, str) else ""
            words = words.encode("utf-8", "replace").decode()
        except SchemaError as error:
            refused.append(Refusal(_shown(spec.name), error.path, error.message))
            continue
        cost = len(text.encode()) + len(words.encode()) + len(name)
        if size + cost > MAX_BYTES:
            reason = f"its {cost} bytes do not fit: {size} of {MAX_BYTES} are taken by others."
            refused.append(Refusal(name, "parameters", reason))
            continue
        size += cost
        passed.append(ToolSpec(name, words, json.loads(text)))
    return Gated(tuple(passed), tuple(refused))


def check_arguments(spec: ToolSpec, arguments: JsonObject) -> None:
    """Hold arguments against the tool's own schema, as it came or gated.

    Raises:
        SchemaError: they do not fit. The message names each argument at fault, what was given and
            what is admitted, for the model to mend its call; ``path`` is the first one at fault.
    """
    try:
        text = _frozen(spec.parameters)
        known = _known(text)
        validator = _validator(text)
    except SchemaError as error:
        raise SchemaError(f"{spec.name}: {error.message}", spec.name, error.path) from None
    if not isinstance(arguments, dict):
        raise SchemaError(f"{spec.name}: the arguments are not an object.", spec.name)
    try:
        problems = list(_unknown(arguments, known)) or list(_mistakes(validator, arguments))
    except (RecursionError, ArithmeticError, ValueError, TypeError) as error:
        problems = [("", f"The arguments cannot be checked ({type(error).__name__}).")]
    if problems:
        lines = [message for _, message in problems[:MAX_ERRORS]]
        if len(problems) > MAX_ERRORS:
            lines.append(f"There are {len(problems) - MAX_ERRORS} more mistakes.")
        raise SchemaError(f"{spec.name}: " + "\n".join(lines), spec.name, problems[0][0])


def admits(spec: ToolSpec) -> Callable[[JsonObject], bool]:
    """``check_arguments`` for many arguments of one tool: the same verdicts, without the words.

    Raises:
        SchemaError: the tool's schema cannot be honoured.
    """
    text = _frozen(spec.parameters)
    known = frozenset(_known(text))
    validator = _validator(text)
    schema: Any = validator.schema
    valid = predicate(schema, _validator_class()[1].conforms) or validator.is_valid

    def admitted(arguments: JsonObject) -> bool:
        try:
            return isinstance(arguments, dict) and arguments.keys() <= known and valid(arguments)
        except (RecursionError, ArithmeticError, ValueError, TypeError):
            return False

    return admitted


# Reading a schema once


def _name(name: Any, seen: set[str]) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SchemaError("its name is not 1 to 64 letters, digits, _ and -.", path="name")
    if name in seen:
        raise SchemaError("another tool has this name already.", path="name")
    return name


def _frozen(parameters: Any) -> str:
    """The parameters as JSON: a copy that nobody else can change, and a key for caches."""
    waiting, count = [parameters], 0
    while waiting:
        count += 1
        if count > MAX_VALUES:
            raise SchemaError(f"parameters hold more than {MAX_VALUES} values.", path="parameters")
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, (list, tuple)):
            waiting.extend(value)
    try:
        text = json.dumps(parameters, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError):
        raise SchemaError("parameters are not JSON.", path="parameters") from None
    return text


@lru_cache(maxsize=512)
def _plain_text(text: str) -> str:
    plain = plain_parameters(normal(json.loads(text)))
    for name in plain["properties"]:
        if not 0 < len(name) <= 128 or not name.isprintable():
            raise SchemaError(
                f"the argument name {_brief(name)} is empty, too long or not printable.",
                path=_brief(name),
            )
    return json.dumps(plain, ensure_ascii=False)


@lru_cache(maxsize=512)
def _known(text: str) -> tuple[str, ...]:
    return tuple(json.loads(_plain_text(text))["properties"])


@lru_cache(maxsize=512)
def _validator(text: str) -> Validator:
    make, formats = _validator_class()
    schema = normal(json.loads(text))
    if schema.get("type") != "object":
        schema = {"allOf": [{"type": "object"}, schema]}
    validator: Validator = make(schema, format_checker=formats)
    return validator


@lru_cache(maxsize=1)
def _validator_class() -> tuple[Any, Any]:
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(validator: Any, wanted: str, value: Any, schema: Schema) -> Iterator[Any]:
        search = searcher(wanted) if isinstance(value, str) else None
        if search is None:
            return
        try:
            if not search(value):
                yield ValidationError("does not match the pattern")
        except TimeoutError:
            yield ValidationError("cannot be matched with its pattern in reasonable time")

    def unique(validator: Any, wanted: bool, value: Any, schema: Schema) -> Iterator[Any]:
        if wanted and isinstance(value, list) and not distinct(value):  # theirs is quadratic
            yield ValidationError("has an item twice")

    def finite(checker: Any, value: Any) -> bool:
        return standard.is_type(value, "number") and math.isfinite(value)

    standard = Draft202012Validator.TYPE_CHECKER
    formats = FormatChecker(formats=())
    formats.checkers = dict(Draft202012Validator.FORMAT_CHECKER.checkers)
    for name in TIME_FORMATS:
        formats.checkers[name] = (
            lambda value: not isinstance(value, str) or bool(value.strip()),
            (),
        )
    made = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        validators={"pattern": pattern, "uniqueItems": unique},
        type_checker=standard.redefine("number", finite),
    )
    return made, formats


# Saying what is wrong


def _unknown(arguments: JsonObject, known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in arguments:
        if name not in known:
            near = difflib.get_close_matches(str(name)[:128], known, n=1)
            hint = f' Did you mean "{near[0]}"?' if near else ""
            takes = _listing([f'"{each}"' for each in known]) if known else "no arguments"
            yield str(name), f"There is no argument {_brief(name)}.{hint} It takes {takes}."


def _mistakes(validator: Validator, arguments: JsonObject) -> Iterator[tuple[str, str]]:
    found: dict[str, str] = {}
    for outer in validator.iter_errors(arguments):
        error = _nearest(outer)
        path = _path(error.absolute_path)
        found.setdefault(path, _sentence(error, path))
    yield from found.items()


def _nearest(error: Any) -> Any:
    """Of failed alternatives, the mistake deepest inside one of the right type."""
    while error.context:
        other = {
            child.schema_path[0]
            for child in error.context
            if child.validator in ("type", "enum", "const") and not child.path
        }
        meant = [child for child in error.context if child.schema_path[0] not in other]
        if not meant:
            break
        error = max(meant, key=lambda child: len(child.path))
    return error


def _sentence(error: Any, path: str) -> str:
    value, schema = error.instance, error.schema
    name = f'"{path}"' if path else "The set of arguments"
    match error.validator:
        case "required":
            missing = next(each for each in error.validator_value if each not in value)
            wanted = _wanted(schema.get("properties", {}).get(missing, {}))
            where = f"{path}.{missing}" if path else missing
            return f'"{where}" is missing; it must be {wanted}.'
        case "pattern":
            return f"{name} {error.message}: {_cut(error.validator_value)}, got {_brief(value)}."
        case "additionalProperties" | "contains" | "dependentRequired" | "not" | "propertyNames":
            return f"{name} is wrong: {_cut(error.message)}."
        case "oneOf" if not error.context:
            return f"{name} must fit one alternative only; {_brief(value)} fits several."
        case _:
            return f"{name} must be {_wanted(schema)}; got {_brief(value)}."


def _path(parts: Any) -> str:
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path if len(path) <= 200 else path[:199] + "…"


def _wanted(schema: Any) -> str:
    """What a schema admits, in a few words."""
    if not isinstance(schema, dict):
        return "left out"
    if "const" in schema:
        return _brief(schema["const"])
    if "enum" in schema:
        return "one of " + _listing([_brief(value) for value in schema["enum"]], "or")
    for key in ("anyOf", "oneOf"):
        if key in schema and "type" not in schema:
            return _listing([_wanted(part) for part in schema[key]], "or")
    names = schema.get("type", [])
    words = [_WORDS[name] for name in ([names] if isinstance(names, str) else names)]
    if schema.get("format") in TIME_FORMATS:
        words = [TIME_FORMATS[schema["format"]]]
    return f"{_listing(words, 'or') or 'a value'} {_listing(list(_limits(schema)))}".rstrip()


_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number", "null": "null",
    "boolean": "true or false", "array": "a list", "object": "an object",
}  # fmt: skip
_LIMITS = {
    "minimum": "of {} or more", "maximum": "of {} or less", "exclusiveMinimum": "above {}",
    "exclusiveMaximum": "below {}", "multipleOf": "that is a multiple of {}",
    "minLength": "of {} characters or more", "maxLength": "of {} characters or fewer",
    "minItems": "of {} items or more", "maxItems": "of {} items or fewer",
    "minProperties": "of {} entries or more", "maxProperties": "of {} entries or fewer",
    "uniqueItems": "without repetitions", "format": "of the form {}", "pattern": "matching {}",
}  # fmt: skip


def _limits(schema: Schema) -> Iterator[str]:
    for key, words in _LIMITS.items():
        value = schema.get(key)
        if value is not None and value is not False and value not in TIME_FORMATS:
            yield words.format(value if isinstance(value, int) else _cut(str(value)))


def _listing(parts: Sequence[str], word: str = "and") -> str:
    """``a, b or c``; the first 12 of many."""
    parts = list(dict.fromkeys(parts))
    if len(parts) > 12:
        return ", ".join(parts[:12]) + f" {word} {len(parts) - 12} more"
    return f" {word} ".join(filter(None, [", ".join(parts[:-1]), parts[-1] if parts else ""]))


def _shown(name: Any) -> str:
    return name if isinstance(name, str) and _NAME.fullmatch(name) else _brief(name)


def _brief(value: Any) -> str:
    """A value as JSON, cut where it is long, every character visible."""
    if isinstance(value, str):
        value = value[:80]
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return _cut(type(value).__name__)


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
