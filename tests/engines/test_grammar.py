"""The call grammar: its structure, and real llama.cpp with random weights bound by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.escape import escape
from botpsy.chat.parser import read
from botpsy.chat.schema import check_arguments, gate
from botpsy.chat.types import Schema, ToolSpec
from botpsy.engines import gbnf
from botpsy.engines.grammar import MARKUP, MAX_BYTES, call_grammar
from botpsy.errors import SchemaError


def tool(properties: dict[str, Schema], required: list[str] | None = None) -> ToolSpec:
    needed = list(properties) if required is None else required
    schema = {"type": "object", "properties": properties, "required": needed}
    gated = gate([ToolSpec("act", "Does it.", schema)])
    assert not gated.refused
    return gated.tools[0]


# A small matcher for the grammar's letters, so that what a rule admits can be asked without a model


def admits(grammar: str, text: str) -> bool:
    """Whether the grammar admits the text. For grammars without recursion but on the right."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.strip("\n").split("\n"))
    return len(text) in _ends(_parsed(rules), "root", text, {0})


def _parsed(rules: dict[str, str]) -> dict[str, Any]:
    token = re.compile(
        r'\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d*,?\d*\}|[a-z][a-z0-9-]*|[()|*+?])'
    )

    def alternatives(tokens: list[str]) -> Any:
        options: list[list[Any]] = [[]]
        while tokens and tokens[0] != ")":
            part = tokens.pop(0)
            if part == "|":
                options.append([])
            elif part == "(":
                options[-1].append(alternatives(tokens))
                tokens.pop(0)
            elif part in ("*", "+", "?") or part.startswith("{"):
                low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(part, (None, None))
                if part.startswith("{"):
                    first, comma, last = part[1:-1].partition(",")
                    low = int(first)
                    high = int(last) if last else (None if comma else low)
                options[-1].append(("repeat", options[-1].pop(), low, high))
            elif part.startswith('"'):
                options[-1].append(("literal", _unescaped(part[1:-1])))
            elif part.startswith("["):
                options[-1].append(("class", re.compile(part.replace("[^]", "[^\\]"))))
            else:
                options[-1].append(("rule", part))
        return ("or", options)

    return {name: alternatives(token.findall(body)) for name, body in rules.items()}


def _unescaped(text: str) -> str:
    named = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(
        r"\\(x[0-9A-F]{2}|.)",
        lambda found: (
            chr(int(found[1][1:], 16)) if len(found[1]) == 3 else named.get(found[1], found[1])
        ),
        text,
    )


def _ends(rules: dict[str, Any], name: str, text: str, starts: set[int]) -> set[int]:
    memo: dict[tuple[str, int], set[int]] = {}

    def rule(name: str, at: int) -> set[int]:
        if (name, at) not in memo:
            memo[name, at] = step(rules[name], {at})
        return memo[name, at]

    def step(node: Any, at: set[int]) -> set[int]:
        match node:
            case ("or", options):
                return set().union(*(sequence(option, at) for option in options))
            case ("literal", word):
                return {start + len(word) for start in at if text.startswith(word, start)}
            case ("class", pattern):
                return {i + 1 for i in at if i < len(text) and pattern.fullmatch(text[i])}
            case ("rule", name):
                return set().union(*(rule(name, start) for start in at))
            case ("repeat", part, low, high):
                reached, seen, count = set(at), set(at) if low == 0 else set(), 0
                while reached and (high is None or count < high):
                    count += 1
                    reached = step(part, reached) - (seen if count > low else set())
                    seen |= reached if count >= low else set()
                return seen
        raise AssertionError(node)

    def sequence(parts: list[Any], at: set[int]) -> set[int]:
        for part in parts:
            at = step(part, at)
        return at

    return set().union(*(rule(name, start) for start in starts))


def call_of(**values: str) -> str:
    parameters = "".join(
        f"<parameter={name}>\n{text}\n</parameter>\n" for name, text in values.items()
    )
    return f"<tool_call>\n<function=act>\n{parameters}</function>\n</tool_call>"


def takes(schema: Schema, text: str) -> bool:
    return admits(call_grammar([tool({"x": schema})], require=True), call_of(x=text))


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "string"}, ["", "a\nb", "<b>1 < 2</b>", "é😀", "</parameter"], ["</parameter>"]),
        ({"type": "string"}, ["<functional>"], ["<tool_call>", "<|im_end|>", "a</think>"]),
        ({"type": "string", "minLength": 1}, ["a", "a<b"], [""]),
        ({"type": "string", "maxLength": 3}, ["", "abc"], ["abcd"]),
        ({"type": "string", "format": "instant"}, ["next Friday"], ["", "a\nb"]),
        ({"type": "string", "enum": ["on", 'o"f\\f', "a\nb"]}, ["on", 'o"f\\f', "a\nb"], ["o", ""]),
        ({"enum": ["<|im_end|>"]}, [escape("<|im_end|>")], ["<|im_end|>"]),
        ({"type": ["string", "integer"], "enum": ["5", 6]}, ['"5"', "6"], ["5", '"6"']),
        ({"type": "integer"}, ["0", "-12", "7"], ["01", "1.5", "+1", '"1"', ""]),
        ({"type": "integer", "minimum": 1, "maximum": 120}, ["1", "99", "120"], ["0", "121", "-1"]),
        ({"type": "integer", "exclusiveMinimum": 0, "maximum": 9}, ["1", "9"], ["0", "10"]),
        ({"type": "integer", "minimum": 5}, ["5", "123456789"], ["4", "-5", "05"]),
        ({"type": "number"}, ["1", "-1.5", "2e10", "0.25"], ["1.", ".5", "NaN", "1e", "1e100"]),
        ({"type": "number", "minimum": 0, "maximum": 1}, ["0", "0.5", "1"], ["-0.5", "1.5", "2"]),
        ({"type": "number", "minimum": -2}, ["-2", "-1.5", "0.5", "77.1"], ["-2.5", "-3"]),
        ({"type": "boolean"}, ["true", "false"], ["True", "1", ""]),
        ({"type": ["boolean", "null"]}, ["true", "null"], ["None"]),
        ({"type": "array", "items": {"enum": ["MO", "TU"]}}, ['["MO", "TU"]', "[]"], ['["SU"]']),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
            ["[1]", "[1,2]"],
            ["[]", "[1,2,3]"],
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "c": {}},
                "required": ["b"],
            },
            ['{"b": "x"}', '{"b": "x", "a": 1}', '{"b":"x","c":{"d":[1.5,null]}}'],
            ["{}", '{"a": 1}', '{"b": "x", "b": "y"}', '{"b": "x",}'],
        ),
        (
            {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}},
            ["{}", '{"a": null}', '{"b": null}', '{"a": null, "b": null}'],
            ['{"a": null, "a": null}', '{, "b": null}', '{"c": null}'],
        ),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            ['{"k": 1}', "{}"],
            ['{"k": ""}', '{1: 1}'],
        ),
        ({"type": "object", "additionalProperties": False}, ["{}"], ['{"k": 1}']),
        ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
         ["5", "[5]"], ["x", '["5"]']),
        ({}, ['"a"', "5", "[null]", '{"a": {}}'], ["a", "<"]),
    ],
)  # fmt: skip
def test_what_a_value_may_be(schema: Schema, good: list[str], bad: list[str]) -> None:
    assert [text for text in good if not takes(schema, text)] == []
    assert [text for text in bad if takes(schema, text)] == []


@given(st.integers(-1100, 1100), st.integers(-1100, 1100), st.integers(-1100, 1100))
def test_integer_ranges_are_exact(low: int, high: int, value: int) -> None:
    grammar = "root ::= " + (" | ".join(gbnf.integers(low, high)) or '"none"')
    assert admits(grammar, str(value)) == (low <= value <= high)


@given(st.integers(0, 10**15), st.integers(0, 10**6))
def test_wide_integer_ranges_end_where_they_should(low: int, width: int) -> None:
    grammar = "root ::= " + " | ".join(gbnf.integers(low, low + width))
    assert [admits(grammar, str(n)) for n in (low, low + width, low + width + 1)] == [1, 1, 0]
    assert low == 0 or not admits(grammar, str(low - 1))


@given(st.text("abc<", max_size=12), st.lists(st.text("abc<", min_size=1, max_size=4), min_size=1))
def test_guarded_text_holds_none_of_the_words(text: str, words: list[str]) -> None:
    rules = {"root": "text", **gbnf.avoiding(words, "text")}
    grammar = "\n".join(f"{name} ::= {body}" for name, body in rules.items())
    assert admits(grammar, text) == (not any(word in text for word in words))


def test_arguments_are_in_order_at_most_once_and_none_is_unknown() -> None:
    spec = tool({"a": {"type": "boolean"}, "b": {"type": "boolean"}}, required=["b"])
    grammar = call_grammar([spec], require=True)
    assert admits(grammar, call_of(b="true"))
    assert admits(grammar, call_of(a="true", b="true"))
    assert not admits(grammar, call_of(a="true"))
    assert not admits(grammar, call_of(b="true", a="true"))
    assert not admits(grammar, call_of(b="true", c="true"))
    twice = call_of(b="true").replace(
        "</function>", "<parameter=b>\ntrue\n</parameter>\n</function>"
    )
    assert not admits(grammar, twice)


def test_text_may_come_first_unless_a_call_is_required() -> None:
    spec = tool({})
    free = call_grammar([spec], require=False)
    assert admits(free, "It is late.") and admits(free, "") and admits(free, call_of())
    assert admits(free, "One moment.\n\n" + call_of())
    assert not admits(free, call_of() + "\nDone.") and not admits(free, "<tool_call>")
    bound = call_grammar([spec], require=True)
    assert admits(bound, call_of()) and not admits(bound, "It is late.")
    assert not admits(bound, call_of() + "\n" + call_of())
    several = call_grammar([spec], require=True, parallel=True)
    assert admits(several, call_of() + "\n" + call_of())


def test_open_reasoning_must_be_closed_before_the_call() -> None:
    grammar = call_grammar([tool({})], require=True, reasoning=True)
    assert admits(grammar, "Hm, 1 < 2.\n</think>\n\n" + call_of())
    assert not admits(grammar, call_of())
    assert not admits(grammar, call_of() + "\n</think>\n\n" + call_of())


def test_no_tools_and_too_many_are_said() -> None:
    with pytest.raises(SchemaError, match="No tool is offered"):
        call_grammar([], require=True)
    with pytest.raises(SchemaError, match=f"at most {MAX_BYTES}"):
        call_grammar([large(n) for n in range(12)], require=True)


def large(number: int) -> ToolSpec:
    """A tool whose part of the grammar has about 28 kB."""
    values = {f"p{n}": [f"{number}-{n}-{m}" * 8 for m in range(8)] for n in range(60)}
    properties = {name: {"type": "string", "enum": enum} for name, enum in values.items()}
    return ToolSpec(f"t{number}", "", tool(properties).parameters)


def test_a_schema_that_no_value_fits_names_the_argument() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 5, "maximum": 4}},
    }
    with pytest.raises(SchemaError, match=r"act: x\.a admits no whole number") as caught:
        call_grammar([tool({"x": schema})], require=True)
    assert (caught.value.tool, caught.value.path) == ("act", "x.a")


def test_deep_recursion_is_on_the_right_only() -> None:
    """llama.cpp refuses left recursion, and unrolls repetitions."""
    grammar = call_grammar([tool({"x": {}, "y": {"type": "string"}})], require=False)
    for line in grammar.strip("\n").split("\n"):
        name, body = line.split(" ::= ", 1)
        assert not body.startswith((f"{name} ", f"({name} "))
    counts = [int(count) for count in re.findall(r"[{,](\d+)[,}]", grammar)]
    assert max(counts) <= 200
    assert set(MARKUP) >= {"<tool_call>", "</parameter>", "<|"}


# The real thing: weights that know nothing, bound by the grammar


KITCHEN_SINK: dict[str, Schema] = {
    "mode": {"type": "string", "enum": ["heat", "cool", 'the "auto" one']},
    "level": {"type": "integer", "minimum": 1, "maximum": 120},
    "offset": {"type": "integer"},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "when": {"type": "string", "format": "day"},
    "days": {"type": "array", "items": {"enum": ["MO", "TU", "WE"]}, "maxItems": 3},
    "place": {
        "type": "object",
        "properties": {"lat": {"type": "number"}, "on": {"type": "boolean"}, "n": {"type": "null"}},
        "required": ["lat"],
    },
    "either": {"anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "boolean"}}]},
}
"""No string of limited length: random bytes are not UTF-8, and mending them changes their count."""


@pytest.fixture(scope="module")
def random_model(tiny_gguf: Path) -> Iterator[Any]:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(tiny_gguf)
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.cpuparams.n_threads = 1
    parameters.port = 0
    yield xllamacpp.Server(parameters)


def complete(server: Any, grammar: str, seed: int, limit: int = 1500) -> tuple[str, str]:
    reply = server.handle_completions(
        {
            "prompt": "Do it.\n",
            "grammar": grammar,
            "seed": seed,
            "temperature": 1.0,
            "top_k": 0,
            "top_p": 1.0,
            "max_tokens": limit,
        }
    )
    choice = reply["choices"][0]
    return choice["text"], choice["finish_reason"]


def test_random_weights_yield_valid_calls(random_model: Any) -> None:
    specs = [tool(KITCHEN_SINK, required=["mode", "level", "place"]), ToolSpec("now", "", {})]
    grammar = call_grammar(specs, require=True, parallel=True)
    whole = 0
    for seed in range(30):
        raw, finish = complete(random_model, grammar, seed)
        if finish == "length":
            continue
        whole += 1
        message, problem = read(raw, specs, in_thinking=False, finish="tool_calls")
        assert not problem, (problem, raw)
        assert message.calls and not message.content
        for call in message.calls:
            check_arguments(next(spec for spec in specs if spec.name == call.name), call.arguments)
    assert whole >= 20


def test_llama_accepts_a_grammar_near_the_limit(random_model: Any) -> None:
    grammar = call_grammar([large(n) for n in range(6)], require=True)
    assert MAX_BYTES * 0.8 < len(grammar) <= MAX_BYTES
    raw, _ = complete(random_model, grammar, 0, limit=40)
    assert raw.startswith("<tool_call>\n<function=t")


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from(list(KITCHEN_SINK.values()))))
def test_llama_accepts_every_grammar(random_model: Any, properties: dict[str, Schema]) -> None:
    raw, _ = complete(random_model, call_grammar([tool(properties)], require=True), 0, limit=5)
    assert raw
