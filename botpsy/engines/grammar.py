"""A grammar that admits nothing but well-formed calls, for llama.cpp's ``grammar`` field.

``call_grammar`` writes GBNF for our wire format from tools that passed the schema gate
(``botpsy.chat.schema.gate``). Under it even a model that was never trained to call tools yields
calls that parse, name a tool on offer, have every required argument, none twice and none unknown,
and hold values of the declared kind: string enumerations, integers within their bounds, numbers,
booleans, lists and objects to any depth.

What a grammar cannot say cheaply is left to ``check_arguments``, which has the last word always:
``pattern``, ``format``, limits of length beyond ``MAX_REPEAT``, bounds of numbers that are not
whole, and keys written twice in an object whose keys are free.

Restrictions beyond the schema, none of which a reader of calls would miss: arguments come in the
order of the schema; a free string holds no markup of the wire format; strings of a known format
are one line of at most ``MAX_REPEAT`` characters; a string with a greatest length has no ``<``, one
that may not be empty does not begin with one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from botpsy.chat.calls import CALL_MARKUP
from botpsy.chat.escape import escape
from botpsy.chat.types import Json, Schema, ToolSpec
from botpsy.chat.wire import write_json, write_name, write_value
from botpsy.engines.gbnf import avoiding, integers, literal, names_in
from botpsy.errors import SchemaError

MAX_BYTES = 200_000
"""Largest grammar that is handed to an engine."""
MAX_REPEAT = 200
"""Largest count written as a repetition; llama.cpp unrolls these."""
MARKUP = ("<tool_call>", *CALL_MARKUP, "<think>", "</think>", "<|")
"""What no free text may hold."""

_FAR = 10**15 - 1
"""Where integers without a bound end: beyond, floats are no longer exact."""

_ONE_LINE = frozenset(
    {"instant", "day", "span", "period", "date", "time", "date-time", "duration", "email", "uuid"}
    | {"idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference"}
)

_SHARED = {
    "space": '" "?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "integer": '"-"? natural',
    "natural": '"0" | [1-9] [0-9]{0,14}',
    "number": "integer fraction? exponent?",
    "fraction": '"." [0-9]{1,15}',
    "exponent": '[eE] [-+]? [0-9] [0-9]?',
    "string": '"\\"" char* "\\""',
    # "<" is written as its escape, so that no JSON can look like markup.
    "char": r'[^"\\<\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u00" [0-7] [0-9a-f])',
    "any": "object | array | string | number | boolean | null",
    "object": '"{" space (string ":" space any ("," space string ":" space any)*)? "}"',
    "array": '"[" space (any ("," space any)*)? "]"',
    "line": rf"[^<\x00-\x1F\x7F]{{1,{MAX_REPEAT}}}",
    **avoiding(MARKUP, "text"),
}  # fmt: skip


def call_grammar(
    tools: Sequence[ToolSpec],
    *,
    require: bool,
    reasoning: bool = False,
    parallel: bool = False,
) -> str:
    """A GBNF grammar of all replies that call ``tools`` properly.

    Args:
        tools: gated tools, at least one.
        require: the reply is a call; otherwise text may come first, or alone.
        reasoning: the reply starts inside an open reasoning block, which it must close.
        parallel: several calls may follow one another.

    Raises:
        SchemaError: no tool, a schema that no value fits, or a grammar larger than ``MAX_BYTES``.
    """
    if not tools:
        raise SchemaError("No tool is offered, so no call can be written.")
    rules = _Rules()
    call = rules.name(" | ".join(rules.call(spec) for spec in tools))
    calls = f'{call} ("\\n" {call})*' if parallel else call
    root = calls if require else f'(text "\\n")? {calls} | text'
    if reasoning:
        root = f'text "</think>\\n\\n" ({root})'
    grammar = rules.grammar(root)
    size = len(grammar.encode())
    if size > MAX_BYTES:
        raise SchemaError(
            f"The grammar for these {len(tools)} tools has {size} bytes; at most {MAX_BYTES} can "
            "be used.",
            hint="Offer fewer tools, or tools with smaller schemas.",
        )
    return grammar


class _Rules:
    """The rules written so far. A method for a value gives the name or the body of its rule."""

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.tool = ""

    def name(self, body: str) -> str:
        """The name of a rule with this body; the same body has the same name."""
        if names_in(body) == [body]:
            return body
        if body not in self.names:
            self.names[body] = f"r{len(self.names)}"
            self.bodies[self.names[body]] = body
        return self.names[body]

    def grammar(self, root: str) -> str:
        """All rules that the root needs, in the order they are needed."""
        known = {**_SHARED, **self.bodies}
        needed = {"root": root}
        waiting = [root]
        while waiting:
            for name in names_in(waiting.pop()):
                if name not in needed:
                    needed[name] = known[name]
                    waiting.append(known[name])
        return "".join(f"{name} ::= {body}\n" for name, body in needed.items())

    def fail(self, path: tuple[str, ...], what: str) -> SchemaError:
        where = ".".join(path)
        return SchemaError(f"{self.tool}: {where} {what}.", tool=self.tool, path=where)

    # The wire format

    def call(self, spec: ToolSpec) -> str:
        """One call of one tool."""
        self.tool = spec.name
        required = spec.parameters.get("required", ())
        parts = [literal(f"<tool_call>\n<function={write_name(spec.name)}>\n")]
        for name, schema in spec.parameters.get("properties", {}).items():
            opening = literal(f"<parameter={write_name(name)}>\n")
            closing = literal("\n</parameter>\n")
            part = self.name(f"{opening} {self.argument(schema, (name,))} {closing}")
            parts.append(part if name in required else f"{part}?")
        parts.append(literal("</function>\n</tool_call>"))
        return self.name(" ".join(parts))

    def argument(self, schema: Schema, path: tuple[str, ...]) -> str:
        """The value of an argument: strings as they are, all else as JSON."""
        options = []
        for branch, kind in _branches(schema):
            if kind == "enum":
                texts = [escape(write_value(value, schema)) for value in branch["enum"]]
                options.append(" | ".join(map(literal, texts)))
            elif kind == "string":
                options.append(self.text(branch, path))
            else:
                options.append(self.json(branch, kind, path))
        return self.name(" | ".join(dict.fromkeys(options)))

    def text(self, schema: Schema, path: tuple[str, ...]) -> str:
        """A string as it is."""
        low, high = self.limits(schema, "Length", path)
        if high is not None:
            return f"[^<\\x00-\\x08\\x0B-\\x1F\\x7F]{{{low},{high}}}" if high else '""'
        if schema.get("format") in _ONE_LINE:
            return "line"
        return "[^<\\n] text" if low else "text"

    # JSON

    def value(self, schema: Schema, path: tuple[str, ...]) -> str:
        """A value inside a list or an object."""
        options = [
            " | ".join(literal(_dump(value)) for value in branch["enum"])
            if kind == "enum"
            else self.json(branch, kind, path)
            for branch, kind in _branches(schema)
        ]
        return self.name(" | ".join(dict.fromkeys(options)))

    def json(self, schema: Schema, kind: str, path: tuple[str, ...]) -> str:
        """A value of one type."""
        match kind:
            case "string":
                return self.string(schema, path)
            case "integer":
                return self.integer(schema, path)
            case "number":
                return self.number(schema, path)
            case "array":
                return self.array(schema, path)
            case "object":
                return self.object(schema, path)
            case _:
                return kind

    def string(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = self.limits(schema, "Length", path)
        if high is None:
            return self.name(f'"\\"" char{{{low},}} "\\""') if low else "string"
        return self.name(f'"\\"" char{{{low},{high}}} "\\""' if high else '"\\"\\""')

    def integer(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = _bounds(schema)
        if low == -math.inf and high == math.inf:
            return "integer"
        least = math.ceil(low) if low > -math.inf else min(-_FAR, math.floor(high))
        most = math.floor(high) if high < math.inf else max(_FAR, math.ceil(low))
        least += least == schema.get("exclusiveMinimum")
        most -= most == schema.get("exclusiveMaximum")
        if least > most:
            raise self.fail(path, "admits no whole number")
        return self.name(" | ".join(integers(least, most)))

    def number(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = _bounds(schema)
        if low == -math.inf and high == math.inf:
            return "number"
        if low > high:
            raise self.fail(path, "admits no number")
        options: list[str] = []
        # By magnitude: the numbers from zero up, then those below.
        for sign, near, far in (("", max(low, 0), high), ("-", max(-high, 0), -low)):
            if far < 0 or (sign and far == 0):
                continue
            first, last = math.ceil(near), math.floor(min(far, max(_FAR, near)))
            whole = integers(first, last)
            # Between whole bounds this is exact; at others it lets a little too much through.
            broken = integers(math.floor(near), last if last < far < _FAR else last - 1)
            options += [f"{literal(sign)} ({option})" if sign else option for option in whole]
            options += [
                f"{literal(sign)} ({option}) fraction" if sign else f"({option}) fraction"
                for option in broken
            ]
        return self.name(" | ".join(options))

    def array(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = self.limits(schema, "Items", path)
        if high == 0:
            return self.name('"[]"')
        item = self.value(schema.get("items", {}), (*path, "[]"))
        more = f'("," space {item}){{{max(low - 1, 0)},{"" if high is None else high - 1}}}'
        items = f"{item} {more}" if low else f"({item} {more})?"
        return self.name(f'"[" space {items} "]"')

    def object(self, schema: Schema, path: tuple[str, ...]) -> str:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        if not properties:
            return self.map(schema.get("additionalProperties", {}), path)
        pairs = {
            name: self.name(f'{literal(_dump(name))} ":" space {self.value(part, (*path, name))}')
            for name, part in properties.items()
        }
        required = [pairs.pop(name) for name in properties if name in schema.get("required", ())]
        if required:
            first = ' "," space '.join(required)
            rest = "".join(f' ("," space {pair})?' for pair in pairs.values())
            return self.name(f'"{{" space {first}{rest} "}}"')
        # None need be there, so any may be the first, and commas only stand between.
        rest, starts = "", []
        for pair in reversed(pairs.values()):
            starts.append(f"{pair} {rest}")
            rest = self.name(f'("," space {pair})? {rest}')
        return self.name(f'"{{" space ({" | ".join(reversed(starts))})? "}}"')

    def map(self, values: Schema | bool, path: tuple[str, ...]) -> str:
        """An object whose keys are free."""
        if values is False:
            return self.name('"{}"')
        value = self.value(values if isinstance(values, dict) else {}, (*path, "*"))
        pair = self.name(f'string ":" space {value}')
        return self.name(f'"{{" space ({pair} ("," space {pair})*)? "}}"')

    def limits(self, schema: Schema, what: str, path: tuple[str, ...]) -> tuple[int, int | None]:
        """The least and greatest count; None where the greatest is not worth counting to."""
        low, high = schema.get(f"min{what}", 0), schema.get(f"max{what}")
        if high is not None and low > high:
            raise self.fail(path, f"has a min{what} above its max{what}")
        return min(low, MAX_REPEAT), high if high is not None and high <= MAX_REPEAT else None


def _branches(schema: Schema) -> list[tuple[Schema, str]]:
    """Every way to satisfy a plain schema, with its type, or ``enum``, or ``any``."""
    branches = []
    for option in schema.get("anyOf", [schema]):
        if "enum" in option:
            branches.append((option, "enum"))
            continue
        names = option.get("type", "any")
        branches += [(option, name) for name in ([names] if isinstance(names, str) else names)]
    return branches


def _bounds(schema: Schema) -> tuple[float, float]:
    """Least and greatest value; infinite where there is none."""
    lows = [schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema]
    highs = [schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema]
    return max(lows, default=-math.inf), min(highs, default=math.inf)


def _dump(value: Json) -> str:
    return write_json(value).replace("<", "\\u003c")
