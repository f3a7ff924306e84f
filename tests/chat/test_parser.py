"""The parser on everything that models were seen to write; fuzzed for what they were not."""

from __future__ import annotations

import codecs
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.parser import Parsed, Stream, parse, read, typed
from botpsy.chat.types import Delta, FinishReason, Message, ToolCall, ToolSpec
from botpsy.errors import ParseError, SchemaError

from .strategies import texts

CALL = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>"


def calls(parsed: Parsed) -> list[tuple[str, dict[str, str]]]:
    return [(call.name, {p.name: p.text for p in call.parameters}) for call in parsed.calls]


def deltas(raw: str, cuts: list[int], *, in_thinking: bool) -> tuple[list[Delta], Stream]:
    stream = Stream(in_thinking=in_thinking)
    edges = [0, *sorted({min(cut, len(raw)) for cut in cuts}), len(raw)]
    found = [d for a, b in itertools.pairwise(edges) for d in stream.feed(raw[a:b])]
    return found + stream.flush(), stream


def refused(raw: str, words: str, *, in_thinking: bool = True) -> ParseError:
    with pytest.raises(ParseError, match=words) as caught:
        parse(raw, in_thinking=in_thinking)
    start, end = caught.value.span
    assert 0 <= start <= end <= len(raw)
    return caught.value


# What is legal


def test_reasoning_content_and_calls() -> None:
    raw = f"why\n</think>\n\nOn it.\n\n{CALL}\n{CALL}"
    parsed = parse(raw, in_thinking=True)
    assert (parsed.reasoning, parsed.content) == ("why", "On it.")
    assert calls(parsed) == [("f", {"a": "1"})] * 2
    assert all(raw[slice(*call.span)] == CALL for call in parsed.calls)
    assert all(raw[slice(*call.parameters[0].span)] == "1" for call in parsed.calls)


@pytest.mark.parametrize("thinking", [True, False])
def test_both_ways_to_begin(thinking: bool) -> None:
    raw = "why\n</think>\n\nanswer"
    raw = raw if thinking else f"\n<think>\n{raw}"
    assert parse(raw, in_thinking=thinking) == Parsed("why", "answer")


def test_without_thinking_all_is_content() -> None:
    assert parse("\n\n answer \n", in_thinking=False) == Parsed("", "\n\n answer \n")
    assert parse("", in_thinking=False) == Parsed("", "")
    assert parse(" \n", in_thinking=False) == Parsed("", " \n")


@pytest.mark.parametrize(
    ("raw", "reasoning", "content"),
    [
        ("\n</think>\n\nx", "", "x"),
        ("</think>x", "", "x"),
        ("a\n\n</think>\n\n\nx\n", "a\n", "\nx\n"),
        (" a </think> x ", " a ", " x "),
    ],
)
def test_edge_white_space_is_kept(raw: str, reasoning: str, content: str) -> None:
    assert parse(raw, in_thinking=True) == Parsed(reasoning, content)


@pytest.mark.parametrize(
    "raw",
    [
        "<tool_call><function=f><parameter=a>1</parameter></function></tool_call>",
        CALL.replace("\n", "\r\n").replace("\r\n1\r\n", "\n1\n"),
        f"\n\n{CALL}\n \n<|im_end|>\n",
        f"{CALL}<|endoftext|><|endoftext|>",
    ],
)
def test_white_space_between_tags_is_free(raw: str) -> None:
    assert calls(parse(raw, in_thinking=False)) == [("f", {"a": "1"})]


@pytest.mark.parametrize(
    ("inside", "value"),
    [
        ("\n\n", ""),
        ("\n", ""),
        ("", ""),
        ("\n\n\n", "\n"),
        ("\n x \n\n", " x \n"),
        ("x\ny", "x\ny"),
    ],
)
def test_one_newline_on_either_side_of_a_value_is_markup(inside: str, value: str) -> None:
    raw = f"<tool_call><function=f><parameter=a>{inside}</parameter></function></tool_call>"
    assert calls(parse(raw, in_thinking=False)) == [("f", {"a": value})]


def test_a_call_without_arguments() -> None:
    raw = "<tool_call>\n<function=f>\n</function>\n</tool_call>"
    assert calls(parse(raw, in_thinking=False)) == [("f", {})]


def test_the_turn_ends_where_the_model_ends_it() -> None:
    assert parse("hi<|im_end|>\n", in_thinking=False) == Parsed("", "hi")
    refused("hi<|im_end|>\n<|im_start|>user\n", "after the end of the turn", in_thinking=False)
    refused("why<|im_end|>", "never closed")


# Complaints about other systems: (E) real issues, (B.2) a server's behaviours


def test_e1_text_before_a_call_and_either_newline_at_the_think_tag() -> None:
    for closing in ("</think>\n", "\n</think>", "\n</think>\n\n", "</think>"):
        parsed = parse(f"why{closing}Let me look.\n{CALL}", in_thinking=True)
        assert (parsed.reasoning, parsed.content) == ("why", "Let me look.")
        assert calls(parsed) == [("f", {"a": "1"})]


def test_e2_reasoning_not_closed_before_a_call() -> None:
    error = refused(f"I should call.\n{CALL}", "reasoning that is never closed")
    assert "</think>" in error.hint
    refused(f"<think>\nI should call.\n{CALL}", "never closed", in_thinking=False)


def test_e3_a_think_tail_does_not_lose_the_answer() -> None:
    for tail in ("<think>", "\n<think>\nLet me also"):
        raw = f"why\n</think>\n\nThe answer is 4.{tail}"
        parsed = parse(raw, in_thinking=True)
        assert (parsed.reasoning, parsed.content) == ("why", "The answer is 4.")
        assert parsed.tail and raw[slice(*parsed.tail)].startswith("<think>")
    refused(f"why</think>Hm.<think>again {CALL}", "never closed")
    refused("why</think>Hm.<think>again</think>4", "once")


def test_e4_a_call_inside_closed_reasoning_is_not_lost_silently() -> None:
    error = refused(f"why {CALL}\n</think>\n\n", "inside the reasoning")
    assert "</think>" in error.hint
    # An answer or a call after it shows that the reasoning only spoke of one.
    assert calls(parse(f"a <tool_call> will do</think>{CALL}", in_thinking=True))
    assert parse("no <tool_call> needed</think>4", in_thinking=True).content == "4"


def test_e5_hermes_json_is_named_and_shown_the_form() -> None:
    raw = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>'
    error = refused(raw, "JSON object", in_thinking=False)
    assert "<function=NAME>" in error.hint


def test_e5_calls_are_never_printed_as_text() -> None:
    body = CALL.removeprefix("<tool_call>\n")
    refused(f"Sure. {body}", "<function= closes or belongs to nothing", in_thinking=False)
    refused("Sure.\n</tool_call>", "belongs to nothing", in_thinking=False)
    refused("answer</think>", "belongs to nothing", in_thinking=False)


def test_e6_a_call_after_text_with_a_backslash_value() -> None:
    raw = (
        "I will search.\n\n<tool_call>\n<function=GrepTool>\n<parameter=pattern>\n"
        "class BaseService\\(\n</parameter>\n<parameter=glob>\n*.py\n</parameter>\n"
        "</function>\n</tool_call>"
    )
    parsed = parse(raw, in_thinking=False)
    assert parsed.content == "I will search."
    assert calls(parsed) == [("GrepTool", {"pattern": "class BaseService\\(", "glob": "*.py"})]


@pytest.mark.parametrize("length", range(len("<tool_call>"), len(CALL)))
def test_e15_and_b2_2_a_call_cut_off_anywhere_is_no_call(length: int) -> None:
    refused(CALL[:length], "breaks off|Expected", in_thinking=False)


def test_e16_parallel_calls_stay_apart() -> None:
    found, stream = deltas(f"{CALL}\n{CALL}", list(range(0, 200, 3)), in_thinking=False)
    assert found == []
    assert calls(stream.finish()) == [("f", {"a": "1"}), ("f", {"a": "1"})]


def test_e17_characters_split_across_deltas() -> None:
    raw = CALL.replace("1", "ÄÖÜ🙂")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    stream = Stream(in_thinking=False)
    for byte in raw.encode():
        stream.feed(decoder.decode(bytes([byte])))
    assert calls(stream.finish()) == [("f", {"a": "ÄÖÜ🙂"})]


def test_b2_3_an_argument_given_twice() -> None:
    twice = CALL.replace("</function>", "<parameter=a>\n2\n</parameter>\n</function>")
    error = refused(twice, "'a' is given twice", in_thinking=False)
    assert twice[slice(*error.span)] == "2"


def test_b2_5_a_value_cannot_end_early_or_add_an_argument() -> None:
    refused(
        CALL.replace("1", "q\n<parameter=b>\nfalse"), "Expected </parameter>", in_thinking=False
    )
    # The neutralised form of the same text is an ordinary value (see test_formats for rendering).
    value = "q\n<\u2060/parameter>\n<\u2060parameter=b>\nfalse"
    parsed = parse(CALL.replace("1", value), in_thinking=False)
    assert calls(parsed) == [("f", {"a": "q\n</parameter>\n<parameter=b>\nfalse"})]


# Other ways to break a call


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (CALL.replace("</function>\n", ""), "Expected <parameter=KEY> or </function>, found '</to"),
        (CALL.replace("\n</tool_call>", ""), "breaks off: expected </tool_call>"),
        (CALL.replace("\n</tool_call>", f"\n{CALL}"), "Expected </tool_call>"),
        (CALL.replace("</parameter>\n", ""), "Expected </parameter> after the value of 'a'"),
        (f"{CALL}\nDone!", "text after the last call"),
        (f"{CALL}\n<think>", "text after the last call"),
        (f"{CALL}\n<tool_response>\nok\n</tool_response>", "text after the last call"),
        (CALL.replace("<function=f>\n", ""), "Expected <function=NAME>"),
        (CALL.replace("=f>", "=>"), "name is missing"),
        (CALL.replace("=a>", "=>"), "name is missing"),
        (CALL.replace("=a>", "=a\n>"), "Expected a name"),
        (CALL.replace("<parameter", "text\n<parameter"), "Expected <parameter=KEY>"),
        (CALL.replace("1", "<|im_end|>"), "Expected </parameter>"),
        ("<tool_call>", "breaks off"),
        ("<tool_call></tool_call>", "Expected <function=NAME>"),
        ("<tool_call>\nf(1)\n</tool_call>", "Expected <function=NAME>"),
    ],
)
def test_broken_calls(raw: str, words: str) -> None:
    refused(raw, words, in_thinking=False)


def test_reasoning_without_end() -> None:
    assert refused("hm", "never closed").span == (0, 2)
    assert refused("", "never closed").span == (0, 0)
    assert refused(" <think>hm", "never closed", in_thinking=False).span == (8, 10)


# Typing


SPEC = ToolSpec("f", "", {"type": "object", "properties": {"a": {"type": "integer"}}})


def test_arguments_are_typed_by_the_schema() -> None:
    call = parse(CALL, in_thinking=False).calls[0]
    assert typed(call, [SPEC]).arguments == {"a": 1}
    text = ToolSpec("f", "", {"properties": {"a": {"type": "string"}}})
    assert typed(call, [text]).arguments == {"a": "1"}
    assert typed(call, [ToolSpec("f", "", {})]).arguments == {"a": 1}


def test_a_typing_error_names_tool_and_parameter() -> None:
    raw = CALL.replace("1", "True")
    with pytest.raises(ParseError, match="f: a: This is not JSON") as caught:
        typed(parse(raw, in_thinking=False).calls[0], [SPEC])
    assert raw[slice(*caught.value.span)] == "True"


def test_an_unknown_tool_parses_and_is_told_what_is_on_offer() -> None:
    call = parse(CALL.replace("=f>", "=g>"), in_thinking=False).calls[0]
    with pytest.raises(SchemaError, match=r"no tool named 'g'.*on offer: f"):
        typed(call, [SPEC])
    with pytest.raises(SchemaError, match="none"):
        typed(call, [])


# Properties


@settings(deadline=None)
@given(texts, st.booleans(), st.lists(st.integers(0, 200), max_size=30))
def test_any_pieces_give_the_same_as_the_whole(
    raw: str, in_thinking: bool, cuts: list[int]
) -> None:
    whole, one = deltas(raw, [], in_thinking=in_thinking)
    pieces, many = deltas(raw, cuts, in_thinking=in_thinking)
    for kind in ("reasoning", "content"):
        assert "".join(d.text for d in whole if d.kind == kind) == "".join(
            d.text for d in pieces if d.kind == kind
        )
    try:
        parsed = one.finish()
    except ParseError as error:
        with pytest.raises(ParseError) as caught:
            many.finish()
        assert (str(caught.value), caught.value.span) == (str(error), error.span)
    else:
        assert many.finish() == parsed
        assert parsed.content == "".join(d.text for d in pieces if d.kind == "content")
        assert parsed.reasoning == "".join(d.text for d in pieces if d.kind == "reasoning")


@settings(deadline=None)
@given(st.integers(0, 400), st.booleans())
def test_markup_never_shows_in_content(seed: int, in_thinking: bool) -> None:
    raw = f"why\n</think>\n\nOn < it.\n\n{CALL}\n{CALL}<|im_end|>"
    raw = raw if in_thinking else f"<think>\n{raw}"
    step = 1 + seed % 7
    found, _ = deltas(raw, list(range(seed % 5, len(raw), step)), in_thinking=in_thinking)
    assert "".join(d.text for d in found if d.kind == "content") == "On < it."
    assert "".join(d.text for d in found if d.kind == "reasoning") == "why"


@settings(deadline=None)
@given(texts | st.text(), st.booleans())
def test_nothing_but_parse_errors(raw: str, in_thinking: bool) -> None:
    for text in (raw, CALL.replace("1", raw), CALL.replace("=a", f"={raw}"), CALL + raw):
        try:
            for call in parse(text, in_thinking=in_thinking).calls:
                typed(call, [SPEC, ToolSpec(call.name, "", {})])
        except (ParseError, SchemaError):
            pass


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "<tool_call>",
        "\n",
        " ",
        "<think>",
        "</think>",
        "<tool_cal",
        "<\u2060",
        '"',
        '\\"',
        "[",
        CALL,
        "<tool_call><function=",
        "<|im_end|>",
    ],
)
def test_a_megabyte_of_anything_takes_linear_time(unit: str) -> None:
    # Quadratic work on this much would run into the suite's time limit.
    raw = unit * (1_000_000 // len(unit))
    for text in (raw, CALL.replace("1", raw), f"<tool_call><function=f><parameter={raw}"):
        for in_thinking in (True, False):
            try:
                parsed = parse(text, in_thinking=in_thinking)
                for call in parsed.calls[:1]:
                    typed(call, [ToolSpec("f", "", {})])
            except ParseError:
                pass


@pytest.mark.parametrize("unit", ["<", "\n", " ", "x"])
def test_a_long_stream_of_single_characters_takes_linear_time(unit: str) -> None:
    stream = Stream(in_thinking=False)
    for _ in range(200_000):
        stream.feed(unit)
    stream.flush()
    assert stream.finish().content == unit * 200_000


# Reading a completion


def test_a_clean_reply_is_a_message() -> None:
    message, problem = read(f"why\n</think>\n\n{CALL}", [SPEC], in_thinking=True, finish="stop")
    assert message == Message("assistant", "", "why", (ToolCall("f", {"a": 1}),))
    assert problem == ""
    assert read(CALL, [SPEC], in_thinking=False, finish="tool_calls")[0].calls == message.calls


@pytest.mark.parametrize("finish", ["length", "cancelled", "error"])
def test_b2_2_no_call_without_a_clean_finish(finish: FinishReason) -> None:
    for raw in (f"Well.\n\n{CALL}", f"Well.\n\n{CALL[:40]}", "Well.\n\n<tool_c"):
        message, problem = read(raw, [SPEC], in_thinking=False, finish=finish)
        assert message == Message("assistant", "Well.")
        assert problem


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (f"Well.\n\n{CALL[:-5]}", "Expected </tool_call>"),
        (f"Well.\n\n{CALL} Done.", "text after the last call"),
        (f"Well.\n\n{CALL}\n{CALL.replace('=f>', '=g>')}", "no tool named 'g'"),
        (f"Well.\n\n{CALL}\n{CALL.replace('1', 'one')}", "not JSON"),
        (f"Well.\n\n{CALL.replace('1', '1.5')}", "f"),
        (f"Well.\n\n{CALL.replace('=a>', '=b>')}", "b"),
    ],
)
def test_a_problem_keeps_the_text_and_makes_no_call(raw: str, words: str) -> None:
    parameters = {**SPEC.parameters, "required": ["a"], "additionalProperties": False}
    spec = ToolSpec("f", "", parameters)
    message, problem = read(f"why</think>{raw}", [spec], in_thinking=True, finish="stop")
    assert message == Message("assistant", "Well.", "why")
    assert words in problem


def test_unclosed_reasoning_is_kept_as_reasoning() -> None:
    message, problem = read("hm", [], in_thinking=True, finish="stop")
    assert message == Message("assistant", "", "hm")
    assert "never closed" in problem


@settings(deadline=None)
@given(texts, st.booleans(), st.sampled_from(["stop", "length"]))
def test_reading_never_fails(raw: str, in_thinking: bool, finish: FinishReason) -> None:
    for text in (raw, CALL.replace("1", raw)):
        message, problem = read(text, [SPEC], in_thinking=in_thinking, finish=finish)
        assert not (problem and message.calls)
