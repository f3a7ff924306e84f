import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.types import Json
from botpsy.chat.wire import (
    ALL_KINDS,
    MAX_DEPTH,
    kinds,
    read_name,
    read_value,
    strict_json,
    write_json,
    write_name,
    write_value,
)
from botpsy.errors import ParseError, SchemaError

from .strategies import fits, json_values, names, schemas, texts


def same(left: Json, right: Json) -> bool:
    """Equal in JSON types too: 1 is not 1.0 is not true."""
    return write_json(left) == write_json(right)


@settings(deadline=None)
@given(json_values() | texts, schemas | st.none())
def test_what_is_written_is_read(value: Json, schema: object) -> None:
    if fits(value, schema):
        assert same(read_value(write_value(value, schema), schema), value)


@settings(deadline=None)
@given(names)
def test_names_come_back(name: str) -> None:
    written = write_name(name)
    assert not set(written) & {"<", ">", "\n"}
    assert read_name(written) == name


NULLABLE = {"anyOf": [{"type": "string"}, {"type": "null"}]}
NUMBER_OR_STRING = {"type": ["string", "number"]}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("5", {"type": "string"}, "5"),
        ('"5"', {"type": "string"}, '"5"'),
        ("True", {"type": "string"}, "True"),
        ("", {"type": "string"}, ""),
        (" padded ", {"type": "string", "format": "email"}, " padded "),
        ("5", {"type": "integer"}, 5),
        (" 5 ", {"type": "integer"}, 5),
        ("5.0", {"type": "integer"}, 5.0),
        ("true", {"type": "boolean"}, True),
        ("null", NULLABLE, None),
        ("nullable", NULLABLE, "nullable"),
        ("5", NULLABLE, "5"),
        ('"null"', NULLABLE, "null"),
        ("2.5", {"anyOf": [{"type": "number"}]}, 2.5),
        ("2.5", {"type": ["string", "integer"]}, "2.5"),
        ("2 apples", NUMBER_OR_STRING, "2 apples"),
        ("2026-10-02", NUMBER_OR_STRING, "2026-10-02"),
        ("NaN", NUMBER_OR_STRING, "NaN"),
        ("-Infinity", NUMBER_OR_STRING, "-Infinity"),
        ("[buy] milk", None, "[buy] milk"),
        ('"half a quote', None, '"half a quote'),
        ('["MO", "TU"]', None, ["MO", "TU"]),
        ("yes", {"enum": ["yes", "no"]}, "yes"),
        ("1", {"enum": ["1", "2"]}, "1"),
        ("1", {"enum": [1, 2]}, 1),
        ("9" * 30, None, int("9" * 30)),
    ],
)
def test_reading(text: str, schema: object, value: Json) -> None:
    assert same(read_value(text, schema), value)


@pytest.mark.parametrize(
    ("value", "schema", "text"),
    [
        (True, {"type": "boolean"}, "true"),
        (None, NULLABLE, "null"),
        ("null", NULLABLE, '"null"'),
        ("2026-10-02", NULLABLE, "2026-10-02"),
        ("5", {"type": "string"}, "5"),
        ("5", NUMBER_OR_STRING, '"5"'),
        ("five", {"type": "integer"}, '"five"'),
        ({"é": [1.0, False]}, None, '{"é": [1.0, false]}'),
    ],
)
def test_writing(value: Json, schema: object, text: str) -> None:
    assert write_value(value, schema) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("True", "not JSON"),
        ("None", "not JSON"),
        ("", "not JSON"),
        ("five", "not JSON"),
        ("NaN", "not JSON"),
        ("[Infinity]", "not JSON"),
        ("1 2", "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("\ufeff1", "not JSON"),
        ('{"b": true, "b": false}', "'b' is given twice"),
        ('[{"a": {"b": 1, "b": 1}}]', "'b' is given twice"),
        ("1e999", "out of range"),
        ("9" * 5000, "too many digits"),
        ('"\\ud83d"', "half a character"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "levels deep"),
        ('{"a":' * 100_000, "levels deep"),
        ("[" * 1_000_000, "levels deep"),
    ],
)
def test_strict_json_refuses(text: str, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        strict_json(text)
    assert len(str(caught.value)) < 300


def test_strict_json_takes_what_is_legal() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(strict_json(deepest)) == deepest
    assert strict_json('"\\ud83d\\ude42"') == "🙂"
    assert strict_json('"' + "[" * 1000 + '\\""') == "[" * 1000 + '"'
    assert strict_json(' {"a": -0.5e-3}\n') == {"a": -0.0005}


@settings(deadline=None)
@given(texts | st.text())
def test_reading_raises_parse_errors_only(text: str) -> None:
    for schema in ({"type": "integer"}, {"type": ["object", "string"]}, None):
        with contextlib.suppress(ParseError):
            read_value(text, schema)


def test_duplicate_keys_are_refused_even_where_strings_are_admitted() -> None:
    with pytest.raises(ParseError, match="twice"):
        read_value('{"b": true, "b": false}', None)


@pytest.mark.parametrize(
    "schema", [True, None, {}, {"type": 5}, {"type": [5]}, {"anyOf": [True]}, {"$ref": "#/$defs/A"}]
)
def test_a_schema_that_says_nothing_admits_everything(schema: object) -> None:
    assert kinds(schema) == ALL_KINDS


def test_what_is_not_json_cannot_be_written() -> None:
    with pytest.raises(SchemaError):
        write_json(float("nan"))


@pytest.mark.parametrize("text", ["", '"open', '"a" b', '"\\ud800"'])
def test_bad_names(text: str) -> None:
    with pytest.raises(ParseError):
        read_name(text)
