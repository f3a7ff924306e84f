"""The schema gate against careless and hostile schemas, and arguments against schemas."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from botpsy.chat.dialect import MAX_DEPTH, MAX_NODES, TYPES
from botpsy.chat.schema import MAX_BYTES, MAX_VALUES, Gated, check_arguments, gate
from botpsy.chat.types import Schema, ToolSpec
from botpsy.errors import SchemaError


def spec(parameters: Any, name: str = "act") -> ToolSpec:
    return ToolSpec(name, "Does it.", parameters)


def obj(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def plain(parameters: Any) -> Schema:
    gated = gate([spec(parameters)])
    assert not gated.refused, gated.refused
    return gated.tools[0].parameters


def refusal(parameters: Any) -> tuple[str, str]:
    (refused,) = gate([spec(parameters)]).refused
    assert refused.tool == "act"
    return refused.path, refused.reason


def wrong(parameters: Any, arguments: Any) -> str:
    with pytest.raises(SchemaError) as caught:
        check_arguments(spec(parameters), arguments)
    assert caught.value.tool == "act"
    assert caught.value.message.startswith("act: ")
    return caught.value.message.removeprefix("act: ")


# What is made plain

STRING, NULL = {"type": "string"}, {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#/$defs/a"}, STRING),
        ({"$ref": "#/definitions/o~1dd", "description": "d"}, {**STRING, "description": "d"}),
        ({"$ref": "#/properties/other/anyOf/0"}, {"type": "integer"}),
        ({"$ref": "#/$defs/a", "maxLength": 9}, {**STRING, "maxLength": 9}),
        ({"$ref": "#/$defs/a", "nullable": True}, {"type": ["string", "null"]}),
        ({"anyOf": [STRING, NULL], "default": None}, {"type": ["string", "null"]}),
        ({"anyOf": [{"type": "number"}]}, {"type": "number"}),
        ({"anyOf": [STRING, {"type": "integer"}]}, {"type": ["string", "integer"]}),
        ({"anyOf": [{}, STRING]}, {}),
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, {**STRING, "enum": ["a", "b"]}),
        (
            {"anyOf": [{**STRING, "format": "date"}, {"type": "integer", "minimum": 0}]},
            {"anyOf": [{**STRING, "format": "date"}, {"type": "integer", "minimum": 0}]},
        ),
        ({"allOf": [STRING, {"minLength": 2}, {"minLength": 3}]}, {**STRING, "minLength": 3}),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}, {**STRING, "enum": ["b"]}),
        ({"const": "b", "enum": ["b", "c"]}, {**STRING, "enum": ["b"]}),
        ({"type": "array", "items": False}, {"type": "array", "maxItems": 0}),
        ({"allOf": [{"type": "number"}, {"type": "integer"}]}, {"type": "integer"}),
        (
            {"allOf": [obj(a=STRING), obj(a={"maxLength": 5}, b=NULL)]},
            obj(a={**STRING, "maxLength": 5}, b=NULL),
        ),
        ({**STRING, "nullable": True, "enum": ["x"]},
         {"type": ["string", "null"], "enum": ["x", None]}),
        ({"enum": [1, 1.0, True]}, {"type": ["integer", "boolean"], "enum": [1, True]}),
        ({"type": "integer", "enum": [1, "1", 2]}, {"type": "integer", "enum": [1, 2]}),
        ({"type": "str", "maxLength": 65536, "pattern": "^(?!a)b$"}, STRING),
        ({**STRING, "pattern": r"^[A-Z]{2}-\d+$"}, {**STRING, "pattern": r"^[A-Z]{2}-\d+$"}),
        ({**STRING, "pattern": r"^hello\!$"}, STRING),
        ({"minLength": 2, "title": "T", "$schema": "x", "x-y": 1}, {**STRING, "minLength": 2}),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True},
         {"type": "number", "exclusiveMinimum": 0}),
        ({"items": [STRING, {"type": "integer"}], "additionalItems": False},
         {"type": "array", "items": {"type": ["string", "integer"]}, "maxItems": 2}),
        ({"type": "array", "prefixItems": [STRING]}, {"type": "array"}),
        ({"type": "array", "items": True}, {"type": "array"}),
        ({"type": "object", "additionalProperties": {}}, {"type": "object"}),
        ({"type": "object", "patternProperties": {"^x": STRING}, "additionalProperties": False},
         {"type": "object", "additionalProperties": STRING}),
        ({"type": "object", "properties": {"a": False, "b": True}},
         {"type": "object", "properties": {"b": {}}}),
        ({"type": "dict",
          "properties": {"a": {"type": "int", "required": True}, "b": {"type": "any"}}},
         {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}),
        ({"enum": None, "type": "float", "minimum": None}, {"type": "number"}),
        ({"type": "string", "if": {"minLength": 1}, "then": {"maxLength": 2}}, STRING),
        (True, {}),
    ],
)  # fmt: skip
def test_one_argument_made_plain(schema: Any, expected: Schema) -> None:
    root = {
        "properties": {"x": schema, "other": {"anyOf": [{"type": "integer"}]}},
        "$defs": {"a": STRING},
        "definitions": {"o/dd": {"$ref": "#/$defs/a"}},
    }
    assert plain(root)["properties"]["x"] == expected


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (None, {"type": "object", "properties": {}}),
        ({}, {"type": "object", "properties": {}}),
        (True, {"type": "object", "properties": {}}),
        ({"type": "object", "additionalProperties": True}, {"type": "object", "properties": {}}),
        ({"type": ["object", "null"], **obj(a=STRING)}, obj(a=STRING)),
        ({"$ref": "#/$defs/P", "$defs": {"P": obj(a=STRING)}}, obj(a=STRING)),
        ({"anyOf": [obj(a=STRING), NULL]}, obj(a=STRING)),
        ({"allOf": [obj(a=STRING), obj(b=NULL)]}, obj(a=STRING, b=NULL)),
        (
            {"oneOf": [obj(k={"const": 1}, a=STRING), obj(k={"const": 2}, b=NULL)]},
            {
                "type": "object",
                "properties": {"k": {"type": "integer", "enum": [1, 2]}, "a": STRING, "b": NULL},
                "required": ["k"],
            },
        ),
        ({"type": "object", "required": ["a"]}, {**obj(a={}), "type": "object"}),
    ],
)
def test_the_root_is_one_plain_object(root: Any, expected: Schema) -> None:
    assert plain(root) == expected


# What is refused


def nested(levels: int) -> Schema:
    schema: Schema = STRING
    for _ in range(levels):
        schema = obj(a=schema)
    return schema


def doubling(levels: int) -> Schema:
    definitions: Schema = {
        f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 8} for n in range(levels)
    }
    return {**obj(a={"$ref": "#/$defs/d0"}), "$defs": {**definitions, f"d{levels}": STRING}}


def alternating(levels: int) -> Schema:
    schema: Schema = STRING
    for _ in range(levels):
        options = [{"properties": {"q": {"const": n}}} for n in range(30)]
        schema = {**obj(p=schema), "anyOf": options}
    return schema


@pytest.mark.parametrize(
    ("schema", "path", "reason"),
    [
        ({"$ref": "#"}, "x.x", "which contains itself"),
        ({"$ref": "#/$defs/tree"}, "x.children[]", "'#/$defs/tree', which contains itself"),
        ({"$ref": "#/$defs/gone"}, "x", "'#/$defs/gone', which does not exist"),
        ({"$ref": "#/allOf/7"}, "x", "does not exist"),
        ({"$ref": "https://example.org/s.json"}, "x", "outside this schema"),
        ({"$ref": "other.json#/a"}, "x", "outside this schema"),
        ({"$ref": "#anchor"}, "x", "by name"),
        ({"$ref": 5}, "x", "not text"),
        ({"$dynamicRef": "#node"}, "x", "$dynamicRef"),
        ({"type": "date"}, "x", "unknown type 'date'"),
        ({"type": []}, "x", "empty list of types"),
        ({"type": ["string", 5]}, "x", "unknown type 5"),
        ("string", "x", "not a schema but 'string'"),
        ([], "x", "not a schema"),
        ({"enum": []}, "x", "enum"),
        ({"enum": "abc"}, "x", "enum"),
        ({"type": "integer", "enum": ["1"]}, "x", "admits no value"),
        ({"allOf": [STRING, NULL]}, "x", "admits no value"),
        (False, "x", "admits no value"),
        ({"anyOf": []}, "x", "anyOf"),
        ({"type": "array", "items": {"minLength": "3"}}, "x[]", "minLength"),
        ({"minLength": -1}, "x", "negative"),
        ({"maxItems": 1.5}, "x", "whole number"),
        ({"multipleOf": 0}, "x", "not positive"),
        ({"properties": []}, "x", "properties"),
        ({"type": "object", "required": "a"}, "x", "list of names"),
        ({"pattern": 5}, "x", "not text"),
        ({"not": 5}, "x", "not a schema"),
        (nested(MAX_DEPTH), "x" + ".a" * MAX_DEPTH, f"deeper than {MAX_DEPTH}"),
        ({"anyOf": [STRING] * MAX_NODES}, "x", f"beyond {MAX_NODES} parts"),
        ({"$ref": "#/$defs/bomb"}, "x", "beyond"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_path(schema: Any, path: str, reason: str) -> None:
    root = obj(x=schema)
    root["$defs"] = {
        "tree": {"type": "object", "properties": {"children": {"items": {"$ref": "#/$defs/tree"}}}},
        "bomb": doubling(6)["properties"]["a"],
        **doubling(6)["$defs"],
    }
    found, why = refusal(root)
    assert found == path
    assert reason in why
    with pytest.raises(SchemaError, match="act: "):
        check_arguments(spec(root), {})


@pytest.mark.parametrize(
    "root",
    [False, [], "x", 5, STRING, {"anyOf": [STRING, NULL]},
     {"type": "object", "additionalProperties": STRING}],
)  # fmt: skip
def test_parameters_that_are_no_named_arguments_are_refused(root: Any) -> None:
    assert refusal(root)[0] == "parameters"


@pytest.mark.parametrize(
    "root",
    [doubling(30), alternating(12), {"type": "object", "x": [0] * (MAX_VALUES + 1)},
     obj(**{f"p{n}": {"description": "d" * 100} for n in range(1000)})],
)  # fmt: skip
def test_bombs_are_refused_and_not_waited_for(root: Any) -> None:
    assert refusal(root)


def test_what_is_not_json_is_refused() -> None:
    loop: Schema = {}
    loop["properties"] = {"a": loop}
    shared: Any = []
    for _ in range(60):
        shared = [shared, shared]
    deep: Any = []
    for _ in range(20_000):
        deep = [deep]
    for bad in (
        loop,
        shared,
        deep,
        {"a": object()},
        {"a": float("nan")},
        {"a": "\ud800"},
        {(1,): 2},
    ):
        assert refusal(bad)[0] == "parameters"


@pytest.mark.parametrize(
    "name", ["", "a b", "a" * 65, "日程", "a>b", "a\n", "../x", None, 5, ["a"]]
)
def test_a_bad_name_is_refused(name: Any) -> None:
    (refused,) = gate([ToolSpec(name, "", {})]).refused
    assert refused.path == "name"
    assert len(refused.tool) <= 82


@pytest.mark.parametrize("name", ["", "a" * 129, "a\nb", "\u202eab"])
def test_an_argument_name_that_cannot_be_seen_is_refused(name: str) -> None:
    assert "argument name" in refusal(obj(**{name: STRING}))[1]


def test_one_bad_tool_does_not_take_the_others_along() -> None:
    gated = gate([spec(obj(a=STRING), "one"), spec({"$ref": "#/x"}, "two"), spec(None, "three")])
    assert [tool.name for tool in gated.tools] == ["one", "three"]
    assert [refused.tool for refused in gated.refused] == ["two"]


def test_the_later_of_two_names_is_refused_even_if_the_first_was_bad() -> None:
    gated = gate([spec({"$ref": "#/x"}), spec({}), spec({}, "other")])
    assert [tool.name for tool in gated.tools] == ["other"]
    assert "has this name already" in gated.refused[1].reason


def test_tools_beyond_the_budget_are_refused_smaller_ones_still_pass() -> None:
    def sized(name: str, size: int) -> ToolSpec:
        return ToolSpec(name, "d" * size, {})

    half = MAX_BYTES // 2
    gated = gate([sized("a", half), sized("b", half), sized("c", 1000), sized("d", MAX_BYTES)])
    assert [tool.name for tool in gated.tools] == ["a", "c"]
    assert all("do not fit" in refused.reason for refused in gated.refused)


def test_a_description_that_is_none_or_broken_is_mended() -> None:
    for description, expected in ((None, ""), ("a\ud800b", "a?b")):
        gated = gate([ToolSpec("t", description, {})])  # type: ignore[arg-type]
        assert gated.tools[0].description == expected


def test_what_the_gate_hands_out_can_be_changed_without_harm() -> None:
    plain(obj(a=STRING))["properties"].clear()
    assert plain(obj(a=STRING)) == obj(a=STRING)


# Arguments

EVENT = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "start": {"type": "string", "format": "instant"},
        "minutes": {"type": "integer", "minimum": 1, "maximum": 120},
        "kind": {"type": "string", "enum": ["work", "home"]},
        "guests": {"type": "array", "items": {"$ref": "#/$defs/Guest"}},
        "password": {"type": "string", "pattern": r"^(?=.*[A-Z])(?=.*\d).{8,}$"},
        "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
    },
    "required": ["title", "start"],
    "$defs": {
        "Guest": {
            "type": "object",
            "properties": {"email": {"type": "string", "format": "email"}},
            "required": ["email"],
        }
    },
}
GOOD: dict[str, Any] = {"title": "x", "start": "Friday"}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"minutes": 5, "kind": "work", "guests": [{"email": "a@b.c"}], "password": "Abcdefg1"},
        {"at": None},
        {"at": "2026-03-01T10:00:00Z"},
        {"minutes": 5.0},
    ],
)
def test_good_arguments_pass(more: dict[str, Any]) -> None:
    check_arguments(spec(EVENT), {**GOOD, **more})
    check_arguments(gate([spec(EVENT)]).tools[0], {**GOOD, **more})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {**GOOD, "titel": "x"},
            'There is no argument "titel". Did you mean "title"? It takes "title", "start", '
            '"minutes", "kind", "guests", "password" and "at".',
        ),
        (
            {"title": "x"},
            '"start" is missing; it must be a time in words, such as "Friday at 3 pm".',
        ),
        (
            {"title": "x", "start": " \n"},
            '"start" must be a time in words, such as "Friday at 3 pm"; got " \\n".',
        ),
        (
            {**GOOD, "minutes": "5"},
            '"minutes" must be a whole number of 1 or more and of 120 or less; got "5".',
        ),
        (
            {**GOOD, "minutes": True},
            '"minutes" must be a whole number of 1 or more and of 120 or less; got true.',
        ),
        ({**GOOD, "kind": "Work"}, '"kind" must be one of "work" or "home"; got "Work".'),
        (
            {**GOOD, "guests": [{}]},
            '"guests[0].email" is missing; it must be text of the form email.',
        ),
        ({**GOOD, "guests": "Bob"}, '"guests" must be a list; got "Bob".'),
        (
            {**GOOD, "guests": [{"email": "Bob"}]},
            '"guests[0].email" must be text of the form email; got "Bob".',
        ),
        (
            {**GOOD, "password": "secret"},
            '"password" does not match the pattern: ^(?=.*[A-Z])(?=.*\\d).{8,}$, got "secret".',
        ),
        ({**GOOD, "at": "noon"}, '"at" must be text of the form date-time; got "noon".'),
        ({**GOOD, "at": 5}, '"at" must be text of the form date-time or null; got 5.'),
        ([], "the arguments are not an object."),
    ],
)
def test_the_message_says_what_was_given_and_what_is_admitted(arguments: Any, message: str) -> None:
    assert wrong(EVENT, arguments) == message


def test_several_mistakes_are_told_at_once_but_not_all_of_many() -> None:
    message = wrong(obj(**{f"p{n}": STRING for n in range(9)}), {f"p{n}": n for n in range(9)})
    lines = message.splitlines()
    assert len(lines) == 4
    assert lines[-1] == "There are 6 more mistakes."


def test_no_message_dumps_a_huge_value_or_a_huge_enum() -> None:
    schema = obj(x={"enum": [f"{'v' * 500}{n}" for n in range(500)]}, y={"type": "integer"})
    arguments = {"x": "a" * 100_000, "y": list(range(100_000)), "z" * 100_000: 1}
    assert len(wrong(schema, arguments)) < 2_000
    del arguments["z" * 100_000]
    assert len(wrong(schema, arguments)) < 2_000


def test_unknown_arguments_are_refused_whatever_the_schema_says() -> None:
    for extra in ({}, {"additionalProperties": True}, {"additionalProperties": STRING}):
        assert "no argument" in wrong({**obj(a=STRING), **extra}, {"a": "x", "b": "y"})
    assert wrong({}, {"a": 1}) == 'There is no argument "a". It takes no arguments.'


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string", "pattern": r"^\p{Lu}"}, "Éa", "éa"),
        ({"type": "string", "pattern": "^a$"}, "a", "a\n"),
        ({"type": "string", "pattern": r"^(?!x)a$"}, "a", "a\n"),
        ({"type": "string", "pattern": r"^(a+)+$"}, "a" * 100_000, "a" * 100_000 + "b"),
        ({"type": "string", "pattern": r"(\w)\1"}, "aa", "ab"),
        ({"type": "string", "pattern": r"^(?=(a+)+$)"}, "aa", "a" * 3_000 + "b"),
        ({"type": "string", "pattern": r"^(?=a)"}, "a", "a" * 100_000),
        ({"allOf": [{"type": "string"}, {"not": {"const": "x"}}]}, "y", "x"),
        ({"type": "number"}, 1.5, float("nan")),
        ({"type": "number", "multipleOf": 0.5}, 1.5, 1.2),
        ({"type": "array", "uniqueItems": True}, [1, True], [1, 1]),
        ({"type": "array", "uniqueItems": True}, [{"a": [1]}, {"a": [True]}],
         [{"a": [1], "b": 2}, {"b": 2, "a": [1.0]}]),
        ({"type": "array", "uniqueItems": True, "contains": {}},
         [{"a": n} for n in range(30_000)], [[], {}, []]),
        ({"type": "array", "items": [{"type": "string"}]}, ["a", 5], [5]),
        ({"oneOf": [{"minimum": 1}, {"minimum": 5}], "type": "number"}, 2, 6),
        ({"type": "string", "nullable": True}, None, 5),
        ({"type": "string", "format": "span"}, "20 minutes", ""),
        ({"type": "object", "patternProperties": {"^x": {"type": "null"}},
          "additionalProperties": False}, {"x": None}, {"x": 1}),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, 0.5, 0),
        ({"type": "object", "dependencies": {"a": ["b"]}}, {"b": 1}, {"a": 1}),
        ({"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}, {}, {"a": 1}),
        ({"type": "object", "propertyNames": {"maxLength": 1}}, {"a": 1}, {"ab": 1}),
    ],
)  # fmt: skip
def test_what_engines_never_see_is_still_enforced(schema: Schema, good: Any, bad: Any) -> None:
    check_arguments(spec(obj(x=schema)), {"x": good})
    assert "x" in wrong(obj(x=schema), {"x": bad})


@pytest.mark.parametrize(
    "pattern",
    ["(", "(?=a){100}{100}{100}b", "(?=" + "a" * 2_000 + ")", r"(?=a)(?:(?:a{999}){999}){999}"],
)
def test_a_pattern_that_cannot_be_compiled_is_left_to_the_tool(pattern: str) -> None:
    check_arguments(spec(obj(x={"type": "string", "pattern": pattern})), {"x": "b"})


def test_numbers_beyond_reason_are_refused() -> None:
    message = wrong(obj(x={"type": "number", "multipleOf": 0.1}), {"x": 10**400})
    assert message == "The arguments cannot be checked (OverflowError)."


def test_a_remote_reference_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr("urllib.request.urlopen", no)
    monkeypatch.setattr("socket.socket.connect", no)
    hostile = {**obj(x={"$ref": "http://127.0.0.1:9/s"}), "$id": "http://127.0.0.1:9/r"}
    assert "outside this schema" in wrong(hostile, {"x": 1})
    check_arguments(spec({**obj(x=STRING), "$schema": "http://127.0.0.1:9/meta"}), {"x": ""})


# Whatever comes

NAMES = st.sampled_from(["a", "b", "c"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["", "a", "bb"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
COUNT = st.integers(0, 3)
NUMBER = st.integers(-3, 3) | st.floats(-3, 3)
REFERENCES = st.sampled_from(
    [
        "#",
        "#/$defs/d",
        "#/$defs/e",
        "#/properties/a",
        "#/properties/a/items",
        "#/x",
        "y",
        "#/$defs/d/",
    ]
)


def schemas(junk: bool) -> st.SearchStrategy[Any]:
    def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(inner, min_size=1, max_size=3)
        by_name = st.dictionaries(NAMES, inner, max_size=3)
        types = st.sampled_from(TYPES)
        known: dict[str, st.SearchStrategy[Any]] = {
            "type": types | st.lists(types, min_size=1, max_size=3),
            "enum": st.lists(JSON, min_size=1, max_size=3),
            "const": JSON,
            **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), COUNT),
            **dict.fromkeys(("minProperties", "maxProperties"), COUNT),
            **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBER),
            "pattern": st.sampled_from(["^a$", "a", "^(?!a)", "(a+)+b", "["]),
            "format": st.sampled_from(["date", "email", "instant", "regex", "zzz"]),
            "nullable": st.booleans(),
            "uniqueItems": st.booleans(),
            "properties": by_name,
            "patternProperties": by_name,
            "required": st.lists(NAMES, max_size=3),
            **dict.fromkeys(("items", "additionalProperties", "contains", "not", "if"), inner),
            **dict.fromkeys(("then", "else", "propertyNames"), inner),
            **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), several),
            "dependencies": st.dictionaries(NAMES, st.lists(NAMES, max_size=2) | inner, max_size=2),
            "description": st.just("d"),
            "default": JSON,
        }
        if junk:
            known = {name: strategy | JSON for name, strategy in known.items()}
            known |= {"$ref": REFERENCES, "$defs": by_name, "$id": st.just("x"), "title": JSON}
        chosen = st.lists(st.sampled_from(sorted(known)), max_size=4, unique=True)
        return chosen.flatmap(lambda names: st.fixed_dictionaries({n: known[n] for n in names}))

    leaf = st.sampled_from(
        [{}, True, False, {"type": "string"}, {"type": "integer"}, {"type": "null"}]
    )
    return st.recursive(leaf, keywords, max_leaves=8)


def walk(node: Any) -> list[Any]:
    found = [node]
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        found += walk(part)
    return found


def is_plain(parameters: Schema) -> bool:
    Draft202012Validator.check_schema(parameters)
    return (
        parameters["type"] == "object"
        and isinstance(parameters["properties"], dict)
        and parameters.keys() <= {"type", "properties", "required"}
    )


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(NAMES, schemas(junk=True), max_size=3),
    st.dictionaries(st.sampled_from(["d", "e"]), schemas(junk=True)),
    schemas(junk=True),
)
def test_the_gate_only_ever_refuses(
    properties: dict[str, Any], definitions: dict[str, Any], more: Any
) -> None:
    root = {"type": "object", "properties": properties, "$defs": definitions}
    tools = [
        spec(root, "one"),
        spec(more, "two"),
        spec({**more, **root} if isinstance(more, dict) else 0, "three"),
    ]
    before = copy.deepcopy(tools)
    gated = gate(tools)
    assert repr(tools) == repr(before)
    assert repr(gate(before)) == repr(gated)
    assert len(gated.tools) + len(gated.refused) == 3
    for tool in gated.tools:
        assert is_plain(tool.parameters)
        keywords = {key for node in walk(tool.parameters) if isinstance(node, dict) for key in node}
        assert not keywords & {"$ref", "$defs", "allOf", "oneOf", "not", "if", "const", "nullable"}


@given(JSON, st.text(max_size=70), JSON)
def test_the_gate_takes_anything_for_parameters(parameters: Any, name: str, arguments: Any) -> None:
    gated = gate([spec(parameters, name)])
    assert isinstance(gated, Gated)
    try:
        check_arguments(spec(parameters, name), arguments)
    except SchemaError as error:
        assert len(error.message) < 2_000


def sensible() -> st.SearchStrategy[Schema]:
    """Schemas that small values have a fair chance to fit."""

    def some(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
        return st.fixed_dictionaries({}, optional=keywords)

    def of(kind: str, **keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
        return some(**keywords).map(lambda schema: {"type": kind, **schema})

    def combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
        some_of = st.lists(inner, min_size=2, max_size=3)
        return some(allOf=some_of, anyOf=some_of, oneOf=some_of, nullable=st.booleans())

    def grown(inner: st.SearchStrategy[Any]) -> list[st.SearchStrategy[Schema]]:
        some_of = st.lists(inner, min_size=1, max_size=2)
        named = st.dictionaries(NAMES, inner, min_size=1, max_size=2)
        free = {"additionalProperties": inner | st.booleans(), "patternProperties": named}
        return [
            of("array", items=inner, minItems=COUNT, maxItems=COUNT),
            of("array", items=inner | st.just(False), prefixItems=some_of),
            of("object", properties=named, required=st.lists(NAMES, max_size=1)),
            of("object", properties=named, **free),
        ]

    values = st.lists(st.sampled_from(VALUES), min_size=3, max_size=9)
    leaves = [
        of("string", minLength=COUNT, maxLength=COUNT),
        of("number", minimum=NUMBER, maximum=NUMBER, exclusiveMinimum=NUMBER),
        of("integer", exclusiveMaximum=NUMBER, maximum=NUMBER),
        some(enum=values, const=st.sampled_from(VALUES)),
        some(type=st.lists(st.sampled_from(TYPES), min_size=1), minLength=COUNT, maximum=NUMBER),
        st.sampled_from([NULL, True, {"type": "boolean"}]),
    ]
    kinds = [*leaves, *grown(st.one_of(leaves))]
    alike = [combined(kind) for kind in kinds]  # alternatives of one kind have most in common
    mixed = combined(st.one_of(kinds))
    beside = st.tuples(st.one_of(kinds), st.one_of(*alike, mixed)).map(
        lambda two: {**two[0], **two[1]} if isinstance(two[0], dict) else two[1]
    )
    return st.one_of(*kinds, *alike, mixed, beside, *grown(st.one_of(*alike, beside)))


VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 1.5, -3, 3, 1.0, "", "a", "bb", "ccc", "dddd"),
    *([], [1], ["a"], [1, "a"], ["a", 1, None], [[]], [{}], [{"a": 1}]),
    *({}, {"a": 1}, {"a": "a"}, {"b": None}, {"a": 1, "b": "bb"}, {"c": []}, {"a": {"b": 1}}),
]


def fits(tool: ToolSpec, arguments: Any) -> bool:
    try:
        check_arguments(tool, arguments)
    except SchemaError:
        return False
    return True


@settings(deadline=None, max_examples=1000)
@given(st.one_of(sensible(), sensible(), schemas(junk=False)))
def test_gated_schemas_admit_all_that_the_original_admits(schema: Any) -> None:
    original = spec(obj(a=schema))
    gated = gate([original])
    admitted = [value for value in VALUES if fits(original, {"a": value})]
    if not gated.tools:
        assert not admitted, gated.refused
        return
    engine = Draft202012Validator(gated.tools[0].parameters)
    assert [value for value in admitted if not engine.is_valid({"a": value})] == []
    assert [value for value in admitted if not fits(gated.tools[0], {"a": value})] == []


@settings(deadline=None)
@given(st.dictionaries(NAMES, schemas(junk=False), min_size=1, max_size=3))
def test_gating_twice_is_gating_once(properties: dict[str, Any]) -> None:
    once = gate([spec({"type": "object", "properties": properties})])
    assert gate(once.tools) == Gated(once.tools, ())
