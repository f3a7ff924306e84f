"""A grammar that admits nothing but well-formed calls, for llama.cpp's ``grammar`` field.

``call_grammar`` writes GBNF for our wire format from tool schemas that passed the schema gate
(``botpsy.chat.schema.gate``). Under it even a model that was never trained to call tools yields
calls that parse, name a known tool, have every required argument, none twice and none unknown,
and hold values of the declared kind: string enumerations, integers within their bounds, numbers,
booleans, arrays and objects to any depth.

What a grammar cannot say cheaply is left to ``check_arguments``, which has the last word always:
``pattern``, ``uniqueItems``, ``multipleOf``, bounds of numbers that are not whole, the number of
an object's properties, and keys written twice in an object whose keys are free.

Restrictions beyond the schema, all harmless to a reader of calls: arguments come in the order of
the schema; a free string holds no tag of the wire format and no ``<|``; dates, times and the like
are one line of at most 200 characters.

GBNF: github.com/ggml-org/llama.cpp, grammars/README.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from botpsy.chat.types import Json, Schema, ToolSpec
from botpsy.errors import SchemaError

MAX_BYTES = 200_000
"""Largest grammar that is handed to an engine; llama.cpp parses and runs it quickly."""
MAX_REPEAT = 200
"""Largest count written as a repetition; llama.cpp unrolls these."""
MAX_WORDS = 400
"""Words of the request that ``strings="copied"`` can quote from."""
MAX_DEPTH = 32

TAGS = ("</parameter", "<parameter", "</function", "<function", "</tool_call", "<tool_call")
MARKS = ("</think", "<think", "<|")

_ONE_LINE = frozenset(
    [
        "instant",
        "day",
        "span",
        "period",
        "date",
        "time",
        "date-time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "uuid",
    ]
)

_SHARED = {
    "space": '" "?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "integer": '"-"? natural',
    "natural": '"0" | [1-9] [0-9]{0,14}',
    "number": "integer fraction? exponent?",
    "fraction": '"." [0-9]{1,15}',
    "exponent": "[eE] [-+]? [0-9] [0-9]?",
    "quoted": '"\\"" quoted-char* "\\""',
    # "<" is written as its escape, so that no quoted text can look like a tag.
    "quoted-char": r'[^"\\<\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u00" [0-7] [0-9a-f])',
    "any": "object | array | quoted | number | boolean | null",
    "object": '"{" space (quoted ":" space any ("," space quoted ":" space any)*)? "}"',
    "array": '"[" space (any ("," space any)*)? "]"',
    "line": rf"[^<\x00-\x1F\x7F]{{1,{MAX_REPEAT}}}",
}
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def call_grammar(
    tools: Sequence[ToolSpec],
    *,
    require: bool,
    reasoning: bool = False,
    parallel: bool = False,
    strings: Literal["free", "copied"] = "free",
    request: str = "",
) -> str:
    """A GBNF grammar of all replies that call ``tools`` properly.

    Args:
        tools: gated tools, at least one.
        require: the reply is a call; otherwise text may come first, or alone.
        reasoning: the reply starts inside an open reasoning block, which it must close.
        parallel: several calls may follow one another.
        strings: ``copied`` admits as free strings only runs of whole words of ``request``.

    Raises:
        SchemaError: no tool, a schema that no value fits, or a grammar larger than ``MAX_BYTES``.
    """
    if not tools:
        raise SchemaError("No tool is offered, so no call can be written.")
    grammar = _Grammar(strings, request)
    heads = []
    for spec in tools:
        grammar.tool = spec.name
        heads.append(grammar.call(spec))
    call = grammar.rule(" | ".join(heads))
    calls = f'{call} ("\\n" {call})*' if parallel else call
    text = grammar.avoiding((*TAGS, *MARKS))
    root = calls if require else f'({text} "\\n")? {calls} | {text}'
    if reasoning:
        root = f'{text} "</think>\\n\\n" ({root})'
    written = grammar.text(root)
    if len(written.encode()) > MAX_BYTES:
        raise SchemaError(
            f"The grammar for these {len(tools)} tools has {len(written.encode())} bytes; "
            f"at most {MAX_BYTES} can be used.",
            hint="Offer fewer tools, or tools with smaller schemas.",
        )
    return written


class _Grammar:
    """Rules by name; a body that was written before keeps its first name."""

    def __init__(self, strings: str, request: str) -> None:
        self.tool = ""
        self.rules: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.copied = strings == "copied"
        self.words = _words(request) if self.copied else []
        if self.copied and not self.words:
            raise SchemaError("There are no words to copy: the request is empty.")

    def rule(self, body: str) -> str:
        """The name of a rule with this body."""
        if _NAME.fullmatch(body):
            return body
        if body not in self.names:
            self.names[body] = f"r{len(self.names)}"
            self.rules[self.names[body]] = body
        return self.names[body]

    def text(self, root: str) -> str:
        """The whole grammar, with the shared rules that it uses."""
        lines = [f"root ::= {root}", *(f"{name} ::= {body}" for name, body in self.rules.items())]
        used: set[str] = set()
        waiting = list(lines)
        while waiting:
            for name in _NAME.findall(_without_literals(waiting.pop())):
                if name in _SHARED and name not in used:
                    used.add(name)
                    waiting.append(_SHARED[name])
        lines += [f"{name} ::= {body}" for name, body in _SHARED.items() if name in used]
        return "\n".join(lines) + "\n"

    # The wire format

    def call(self, spec: ToolSpec) -> str:
        """One call of one tool."""
        required = set(spec.parameters.get("required", ()))
        parts = [_quote(f"<tool_call>\n<function={spec.name}>\n")]
        for name, schema in spec.parameters.get("properties", {}).items():
            value = self.raw(schema, (name,))
            opening, closing = _quote(f"<parameter={name}>\n"), _quote("\n</parameter>\n")
            part = self.rule(f"{opening} {value} {closing}")
            parts.append(part if name in required else f"{part}?")
        parts.append(_quote("</function>\n</tool_call>"))
        return self.rule(" ".join(parts))

    def raw(self, schema: Schema, path: tuple[str, ...]) -> str:
        """The value of an argument: strings as they are, all else as JSON."""
        options = [
            self.string(branch, path, raw=True)
            if kind == "string"
            else self.json(branch, path, kind)
            for branch, kind in self.branches(schema, path)
        ]
        return self.rule(" | ".join(dict.fromkeys(options)))

    def branches(self, schema: Schema, path: tuple[str, ...]) -> list[tuple[Schema, str]]:
        """(schema, type) of every way to satisfy the schema; one type each."""
        if len(path) > MAX_DEPTH:
            raise self.error(path, f"is nested deeper than {MAX_DEPTH}")
        if "anyOf" in schema:
            rest = {key: value for key, value in schema.items() if key != "anyOf"}
            return [
                found
                for branch in schema["anyOf"]
                for found in self.branches({**rest, **branch}, path)
            ]
        if "const" in schema:
            schema = {**schema, "enum": [schema["const"]]}
        if "enum" in schema:
            kinds = dict.fromkeys(_kind(value) for value in schema["enum"])
            return [
                ({"enum": [value for value in schema["enum"] if _kind(value) == kind]}, kind)
                for kind in kinds
            ]
        kinds = schema.get("type", "any")
        return [(schema, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]

    # Values

    def json(self, schema: Schema, path: tuple[str, ...], kind: str) -> str:
        """One JSON value of one type."""
        if "enum" in schema:
            return self.rule(" | ".join(_quote(_dump(value)) for value in schema["enum"]))
        if kind == "string":
            return self.string(schema, path, raw=False)
        if kind == "integer":
            return self.integer(schema, path)
        if kind == "number":
            return self.number(schema, path)
        if kind == "array":
            return self.array(schema, path)
        if kind == "object":
            return self.object(schema, path)
        return kind

    def nested(self, schema: Schema, path: tuple[str, ...]) -> str:
        """A value inside an array or object."""
        options = [self.json(branch, path, kind) for branch, kind in self.branches(schema, path)]
        return options[0] if len(options) == 1 else self.rule(" | ".join(dict.fromkeys(options)))

    def string(self, schema: Schema, path: tuple[str, ...], *, raw: bool) -> str:
        if "enum" in schema:
            values = [value if raw else _dump(value) for value in schema["enum"]]
            values = [value for value in values if not raw or _writable(value)]
            if not values:
                raise self.error(path, "admits only text that the wire format cannot carry")
            return self.rule(" | ".join(map(_quote, values)))
        if self.copied:
            return self.copy(raw=raw)
        low, high = schema.get("minLength", 0), schema.get("maxLength", MAX_REPEAT + 1)
        if high < low:
            raise self.error(path, "admits no text at all")
        if high <= MAX_REPEAT:
            char = r"[^<\x00-\x08\x0B-\x1F\x7F]" if raw else "quoted-char"
            body = f"{char}{{{low},{high}}}" if high else '""'
            return self.rule(body if raw else f'"\\"" {body} "\\""')
        if not raw:
            return "quoted"
        if schema.get("format") in _ONE_LINE:
            return "line"
        free = self.avoiding((*TAGS, *MARKS))
        return self.rule(f"[^<\\n] {free}") if low else free

    def integer(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = _bounds(schema)
        if low is None and high is None:
            return "integer"
        far = 10**15 - 1
        least = _ceil(low) if low is not None else min(-far, _floor(high))
        most = _floor(high) if high is not None else max(far, _ceil(low))
        if least > most:
            raise self.error(path, "admits no integer")
        return self.rule(" | ".join(_integers(least, most)))

    def number(self, schema: Schema, path: tuple[str, ...]) -> str:
        low, high = _bounds(schema, whole=False)
        if low is None and high is None:
            return "number"
        far = 10**15 - 1
        least = low if low is not None else min(-far, high or 0)
        most = high if high is not None else max(far, low or 0)
        if least > most:
            raise self.error(path, "admits no number")
        options: list[str] = []
        for sign, near, end in (("", max(least, 0), most), ("-", max(-most, 0), -least)):
            if end < 0 or (sign and end == 0):
                continue
            prefix = f"{_quote(sign)} " if sign else ""
            first, last = _ceil(near), _floor(end)
            if first > last:  # no whole number between the bounds: near enough is checked later
                options.append(f"{prefix}{_quote(str(_floor(near)))} fraction")
                continue
            options += [f"{prefix}{option}" for option in _integers(first, last)]
            if first < last:
                options += [f"{prefix}({option}) fraction" for option in _integers(first, last - 1)]
        return self.rule(" | ".join(options))

    def array(self, schema: Schema, path: tuple[str, ...]) -> str:
        item = self.nested(schema.get("items", {}), (*path, "[]"))
        low, high = schema.get("minItems", 0), schema.get("maxItems")
        if low > MAX_REPEAT:
            raise self.error(path, f"needs more than {MAX_REPEAT} items")
        if high is not None and high < low:
            raise self.error(path, "admits no list")
        if high == 0:
            return self.rule('"[]"')
        last = "" if high is None or high > MAX_REPEAT else str(high - 1)
        more = f'("," space {item}){{{max(low - 1, 0)},{last}}}'
        some = f"{item} {more}"
        return self.rule(f'"[" space {some if low else f"({some})?"} "]"')

    def object(self, schema: Schema, path: tuple[str, ...]) -> str:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        if not properties:
            others = schema.get("additionalProperties", True)
            if others is False:
                return self.rule('"{}"')
            value = self.nested(others if isinstance(others, dict) else {}, (*path, "*"))
            pair = self.rule(f'quoted ":" space {value}')
            return self.rule(f'"{{" space ({pair} ("," space {pair})*)? "}}"')
        required = [name for name in properties if name in schema.get("required", ())]
        optional = [name for name in properties if name not in required]

        def pair_of(name: str) -> str:
            value = self.nested(properties[name], (*path, name))
            return self.rule(f'{_quote(_dump(name))} ":" space {value}')

        first = ' "," space '.join(map(pair_of, required))
        pairs = [pair_of(name) for name in optional]
        if required:
            rest = " ".join(f'("," space {pair})?' for pair in pairs)
            return self.rule(f'"{{" space {first} {rest} "}}"')
        tail, starts = "", []
        for pair in reversed(pairs):
            starts.append(f"{pair} {tail}".rstrip())
            tail = self.rule(f'("," space {pair})? {tail}'.rstrip())
        return self.rule(f'"{{" space ({" | ".join(reversed(starts))})? "}}"')

    # Text

    def avoiding(self, words: Iterable[str]) -> str:
        """Any text that contains none of the words.

        One rule for each state of the automaton that watches for all words at once
        (Aho and Corasick, 1975).
        """
        words = tuple(words)
        states = {word[:end] for word in words for end in range(len(word))}
        alphabet = sorted({char for word in words for char in word})
        names = {state: f"text-{number}" for number, state in enumerate(sorted(states))}
        if names[""] in self.rules:
            return names[""]
        for state, name in names.items():
            targets: dict[str, str] = {}
            for char in alphabet:
                seen = state + char
                if any(seen.endswith(word) for word in words):
                    continue
                back = next(seen[at:] for at in range(len(seen) + 1) if seen[at:] in states)
                if back:
                    targets[back] = targets.get(back, "") + char
            special = "".join(
                char
                for char in alphabet
                if any((state + char).endswith(word) for word in words)
                or any(char in chars for chars in targets.values())
            )
            moves = [f"{_class(special, negate=True)} {names['']}"]
            moves += [f"{_class(chars)} {names[back]}" for back, chars in targets.items()]
            self.rules[name] = f"({' | '.join(moves)})?"
        return names[""]

    def copy(self, *, raw: bool) -> str:
        """Any run of whole words of the request."""
        quote = _quote if raw else (lambda text: _quote(_dump(text)[1:-1]))
        kind = "copy" if raw else "copy-quoted"
        if kind not in self.rules:
            for number, (_, core, tail, gap) in enumerate(self.words):
                follow = f"{kind}-{number + 1}" if number + 1 < len(self.words) else ""
                ends = [quote(tail)] if tail else []
                if follow:
                    ends.append(f"{quote(tail + gap + self.words[number + 1][0])} {follow}")
                self.rules[f"{kind}-{number}"] = quote(core) + (
                    f" ({' | '.join(ends)})?" if ends else ""
                )
            starts = [
                f"{quote(lead)}? {kind}-{number}" if lead else f"{kind}-{number}"
                for number, (lead, _, _, _) in enumerate(self.words)
            ]
            body = " | ".join(starts)
            self.rules[kind] = body if raw else f'"\\"" ({body}) "\\""'
        return kind

    def error(self, path: tuple[str, ...], what: str) -> SchemaError:
        where = ".".join(path)
        return SchemaError(f"{self.tool}: {where} {what}.", tool=self.tool, path=where)


def _words(request: str) -> list[tuple[str, str, str, str]]:
    """(leading punctuation, word, trailing punctuation, space after) of each word."""
    pattern = re.compile(r"([^\w\s]*)(\w(?:\S*\w)?|(?<!\S)[^\w\s]+(?!\S))([^\w\s]*)(\s*)")
    found = [match.groups() for match in pattern.finditer(request)]
    words = [(lead, core, tail, gap) for lead, core, tail, gap in found]
    return [word for word in words if _writable("".join(word))][:MAX_WORDS]


def _writable(text: str) -> bool:
    """The text can stand in the wire format as it is."""
    return not any(mark in text for mark in (*TAGS, *MARKS)) and "\x00" not in text


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "number"
    return "array" if isinstance(value, list) else "object"


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _escape(char: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if char in '"\\[]^-':
        return "\\" + char if char in '"\\[]' else f"\\x{ord(char):02X}"
    if char in named:
        return named[char]
    return f"\\x{ord(char):02X}" if ord(char) < 0x20 or ord(char) == 0x7F else char


def _quote(text: str) -> str:
    return (
        '"'
        + "".join(_escape(char) if char in '"\\' or ord(char) < 0x20 else char for char in text)
        + '"'
    )


def _class(chars: str, *, negate: bool = False) -> str:
    return f"[{'^' if negate else ''}{''.join(map(_escape, chars))}]"


def _without_literals(body: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]', " ", body)


def _bounds(schema: Schema, *, whole: bool = True) -> tuple[Any, Any]:
    """Least and greatest value; exclusive bounds of whole numbers are moved inwards."""
    lows = [schema["minimum"]] if "minimum" in schema else []
    highs = [schema["maximum"]] if "maximum" in schema else []
    if "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"]
        lows.append(_floor(low) + 1 if whole else low)
    if "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"]
        highs.append(_ceil(high) - 1 if whole else high)
    return max(lows, default=None), min(highs, default=None)


def _floor(value: Any) -> int:
    return int(value // 1)


def _ceil(value: Any) -> int:
    return -int(-value // 1)


def _integers(low: int, high: int) -> list[str]:
    """Alternatives that match exactly the integers from ``low`` to ``high``."""
    options = []
    if low < 0:
        options += [f'"-" {option}' for option in _naturals(max(1, -high), -low)]
    if high >= 0:
        options += _naturals(max(low, 0), high)
    return options


def _naturals(low: int, high: int) -> list[str]:
    options = []
    while low <= high:
        if low == 0:
            options.append('"0"')
            low = 1
            continue
        # The largest block "prefix, one digit range, free digits" that starts here and fits.
        free = 0
        while low % 10 ** (free + 1) == 0 and low + 10 ** (free + 1) - 1 <= high:
            free += 1
        step = 10**free
        head, digit = divmod(low // step, 10)
        last = min(9, digit + (high - low + 1) // step - 1)
        prefix = f'"{head}" ' if head else ""
        span = f"[{digit}-{last}]" if last > digit else f'"{digit}"'
        options.append(f"{prefix}{span}" + (f" [0-9]{{{free}}}" if free else ""))
        low += (last - digit + 1) * step
    return options
