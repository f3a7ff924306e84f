from typing import Any

import pytest

from botpsy.chat.signature import signature
from botpsy.chat.types import ToolSpec


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "instant"}, "instant"),
        ({"type": "integer", "minimum": 1, "maximum": 10}, "integer 1..10"),
        ({"type": "number", "minimum": 0.5}, "number 0.5.."),
        ({"type": "integer", "maximum": 0}, "integer ..0"),
        ({"type": "string", "enum": ["on", "off"]}, '"on"|"off"'),
        ({"enum": ["a b", 3, None]}, '"a b"|3|null'),
        ({"const": "fixed"}, '"fixed"'),
        ({"type": "array", "items": {"type": "string"}}, "[string]"),
        ({"type": "array", "items": {"enum": ["MO", "TU"]}}, '["MO"|"TU"]'),
        ({"type": "array"}, "[any]"),
        ({"type": ["string", "null"]}, "string|null"),
        ({"type": ["array", "null"], "items": {"type": "integer"}}, "[integer]|null"),
        ({"anyOf": [{"type": "string", "format": "email"}, {"type": "integer"}]}, "email|integer"),
        ({"oneOf": [{"const": 1}, {"type": "null"}]}, "1|null"),
        ({"type": "object"}, "object"),
        (
            {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Full name"},
                    "age": {"type": "integer", "default": 3},
                },
                "required": ["name"],
            },
            '{name: string "Full name", age?: integer = 3}',
        ),
        (
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"to": {"type": "array", "items": {"type": "number"}}},
                },
            },
            "[{to?: [number]}]",
        ),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_types(schema: Any, shape: str) -> None:
    spec = ToolSpec("f", "", {"properties": {"a": schema}, "required": ["a"]})
    assert signature(spec) == f"f(a: {shape})"


def test_a_whole_line() -> None:
    spec = ToolSpec(
        "create_event",
        "Put a new event into the calendar.",
        {
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "Short title"},
                "start": {"type": "string", "format": "instant", "description": "When it starts"},
                "duration": {"type": "string", "format": "span", "default": "1 h"},
            },
            "required": ["title", "start"],
        },
    )
    assert signature(spec) == (
        'create_event(title: string "Short title", start: instant "When it starts",'
        ' duration?: span = "1 h")  -- Put a new event into the calendar.'
    )


def test_odd_names_and_texts_stay_on_one_line() -> None:
    spec = ToolSpec(
        "f\n", "two\nlines", {"properties": {"a>b": {"description": 'say "x"\n', "default": "\n"}}}
    )
    assert signature(spec) == '"f\\n"("a\\u003eb"?: any "say \\"x\\"\\n" = "\\n")  -- two lines'


def test_no_parameters() -> None:
    assert signature(ToolSpec("f", "Do.", {})) == "f()  -- Do."
