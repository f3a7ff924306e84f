"""Hostile conversations for Hypothesis: texts full of markup, any JSON, any schema."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from botpsy.chat.escape import JOINER, TAGS
from botpsy.chat.types import Json, Message, Schema, ToolCall, ToolSpec
from botpsy.chat.wire import kinds

quick = settings(max_examples=60, deadline=None)
"""For tests whose examples take milliseconds to draw."""

FRAGMENTS = [
    *TAGS,
    *(tag[:-1] for tag in TAGS),
    *(f"<{JOINER}{tag[1:]}" for tag in TAGS[:6]),
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<function=f>",
    "<parameter=a>",
    "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
    JOINER,
    "<",
    "<<",
    "{",
    '{"a": 1}',
    "\n",
    "\n\n",
    " ",
    "\t",
    "\r\n",
    "\u2028",
    '"',
    '"a"',
    "\\",
    "true",
    "True",
    "null",
    "-1",
    "1e999",
    "[1]",
    "ÄÖÜ",
    "🙂",
]

texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=6).map("".join)
names = st.sampled_from(["f", "create_event", "a b", "mail.send", ""]) | texts


def json_values(max_leaves: int = 6) -> st.SearchStrategy[Json]:
    leaves: st.SearchStrategy[Any] = (
        st.none()
        | st.booleans()
        | st.integers(-(10**25), 10**25)
        | st.floats(allow_nan=False, allow_infinity=False)
        | texts
    )
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=max_leaves,
    )


KINDS = ["string", "number", "integer", "boolean", "null", "array", "object"]
_typed = st.sampled_from(KINDS).map(lambda kind: {"type": kind})
_branches = st.lists(
    _typed | st.just({"description": "anything"}) | st.just({"enum": ["a"]}), min_size=1, max_size=3
)
schemas: st.SearchStrategy[Schema] = (
    _typed
    | st.lists(st.sampled_from(KINDS), min_size=1, unique=True).map(lambda ks: {"type": ks})
    | _branches.map(lambda branches: {"anyOf": branches})
    | _branches.map(lambda branches: {"oneOf": branches})
    | st.lists(st.sampled_from(["a", "5", "true", ""]), min_size=1).map(lambda v: {"enum": v})
    | st.lists(json_values(2), min_size=1, max_size=3).map(lambda v: {"enum": v})
    | json_values(2).map(lambda v: {"const": v})
    | st.sampled_from(
        [
            {},
            {"type": "string", "format": "instant"},
            {"type": "integer", "minimum": -1, "maximum": 10},
            {"type": ["number", "null"], "minimum": 0},
            {"type": "array", "items": {"type": "array", "items": {"enum": ["a", 1]}}},
            {"type": "object", "properties": {}},
            {
                "type": "object",
                "properties": {
                    "items": {"type": "string", "description": "a <tool_call>"},
                    "keys": {"anyOf": [{"type": "string"}, {"type": "array"}], "default": None},
                },
                "required": ["keys"],
            },
        ]
    ).map(dict)
)


def fits(value: Json, schema: Any) -> bool:
    """Whether the schema admits the value's JSON type (a string always comes back)."""
    admitted = kinds(schema)
    match value:
        case str():
            return True
        case bool():
            return "boolean" in admitted
        case int():
            return "integer" in admitted or "number" in admitted
        case float():
            return "number" in admitted or ("integer" in admitted and value.is_integer())
        case None:
            return "null" in admitted
        case list():
            return "array" in admitted
        case dict():
            return "object" in admitted


def _values(schema: Any) -> st.SearchStrategy[Json]:
    if kinds(schema) == {"string"}:
        return texts
    return (texts | json_values()).filter(lambda value: fits(value, schema))


@st.composite
def specs(draw: st.DrawFn) -> ToolSpec:
    properties = draw(st.dictionaries(names, schemas, max_size=3))
    for schema in properties.values():
        if draw(st.booleans()):
            schema["description"] = draw(texts)
        if draw(st.booleans()):
            schema["default"] = draw(json_values(2))
    required = [name for name in properties if draw(st.booleans())]
    parameters = {"type": "object", "properties": properties, "required": required}
    return ToolSpec(draw(names), draw(texts), parameters)


@st.composite
def calls(draw: st.DrawFn, tools: list[ToolSpec]) -> ToolCall:
    if not tools or draw(st.integers(0, 5)) == 0:
        return ToolCall("another", draw(st.dictionaries(names, json_values(), max_size=2)))
    spec = draw(st.sampled_from(tools))
    arguments = {
        name: draw(_values(schema))
        for name, schema in spec.parameters["properties"].items()
        if draw(st.booleans())
    }
    if draw(st.booleans()):
        arguments.setdefault("unknown", draw(json_values()))
    return ToolCall(spec.name, arguments)


def toolsets() -> st.SearchStrategy[list[ToolSpec]]:
    return st.lists(specs(), max_size=3, unique_by=lambda spec: spec.name)


@st.composite
def assistant(draw: st.DrawFn, tools: list[ToolSpec]) -> Message:
    made = tuple(draw(st.lists(calls(tools), max_size=2)))
    return Message("assistant", draw(texts), draw(texts), made)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Message], list[ToolSpec]]:
    tools = draw(toolsets())
    plain = st.builds(Message, st.sampled_from(["system", "user", "tool"]), texts)
    return draw(st.lists(plain | assistant(tools), max_size=5)), tools
