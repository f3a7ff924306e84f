"""What a model wrote, taken apart strictly: reasoning, content and calls, or a ``ParseError``.

    <think>
    reasoning
    </think>

    content

    <tool_call>
    <function=NAME>
    <parameter=KEY>
    VALUE
    </parameter>
    </function>
    </tool_call>

``in_thinking`` says that the prompt ended with ``<think>`` and a newline, so that the text begins
inside the reasoning. What is legal, and what is not:

- Reasoning comes once, before everything else, and is closed. Unclosed reasoning means no answer
  and no call, even if it holds something that looks like one. One newline next to each think tag
  belongs to the markup, as do up to two after ``</think>``; none of them is required.
- Content is any text without markup of calls. Up to two newlines between it and the first call
  belong to the markup.
- Calls come last. White space may stand between their tags, and nothing but white space and the
  end-of-turn token after the last one. One newline on either side of a value belongs to the markup.
- Everything inside is read as written and un-neutralised (``escape``), so that the parts of a
  rendered assistant turn come back exactly, edge white space included.
- A ``<think>`` after the content ends the reply: the rest is dropped if it is a mere tail
  (``Parsed.tail`` says where), and an error if it has a call or goes on after ``</think>``.

Parsing takes linear time, and raises nothing but ``ParseError``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from botpsy.chat.calls import (
    CALL_MARKUP,
    END_OF_TURN,
    FORM,
    RawCall,
    Span,
    any_of,
    parse_calls,
    refuse_text,
)
from botpsy.chat.escape import unescape
from botpsy.chat.types import Delta, FinishReason, JsonObject, Message, ToolCall, ToolSpec
from botpsy.chat.wire import properties_of, read_value
from botpsy.errors import ParseError, SchemaError

_REASONING_ENDS = ("</think>", *END_OF_TURN)
_CONTENT_ENDS = ("<tool_call>", "<think>", "</think>", *END_OF_TURN, *CALL_MARKUP)
_REASONING_END = any_of(_REASONING_ENDS)
_CONTENT_END = any_of(_CONTENT_ENDS)
_LONGEST_TAG = max(map(len, _CONTENT_ENDS))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A well-formed reply. ``tail`` is the span of a dropped second ``<think>``, if any."""

    reasoning: str
    content: str
    calls: tuple[RawCall, ...] = ()
    tail: Span | None = None


def parse(raw: str, *, in_thinking: bool) -> Parsed:
    """Take a whole reply apart.

    Raises:
        ParseError: it breaks the rules above; the span is in ``raw``.
    """
    stream = Stream(in_thinking=in_thinking)
    stream.feed(raw)
    return stream.finish()


class Stream:
    """The parser for text that arrives in pieces; any pieces give the same as the whole.

    Feed it text, not bytes: an engine that receives bytes decodes them with
    ``codecs.getincrementaldecoder("utf-8")("replace")``, which holds back split characters.

    Markup never shows in a delta: what could be the beginning of a tag, or a newline that belongs
    to one, waits for more. Calls are read at the end.
    """

    def __init__(self, *, in_thinking: bool) -> None:
        self._raw: list[str] = []
        self._pending = ""  # arrived, not yet decided on; short between two feeds
        self._at = 0  # where in the raw text ``_pending`` begins
        self._blank: list[str] = []  # white space at the very start: before <think>, or content
        self._skip = 0  # newlines that still belong to the tag just read
        self._part: Literal["start", "reasoning", "content", "rest"] = (
            "reasoning" if in_thinking else "start"
        )
        self._reasoning: list[str] = []
        self._content: list[str] = []
        self._reasoning_span: Span = (0, 0)
        self._closed = not in_thinking
        self._rest: tuple[str, int] = ("", 0)  # the tag that ended the text, and where it stands

    @property
    def reasoning(self) -> str:
        """The reasoning so far."""
        return "".join(self._reasoning)

    @property
    def content(self) -> str:
        """The content so far."""
        return "".join(self._content)

    def feed(self, chunk: str) -> list[Delta]:
        """Take in a piece; give back the text that is certain now."""
        self._raw.append(chunk)
        if self._part == "rest":
            return []
        self._pending += chunk
        deltas: list[Delta] = []
        if self._part == "start":
            self._begin()
        if self._part == "reasoning":
            self._advance(_REASONING_END, _REASONING_ENDS, 1, deltas)
        if self._part == "content":
            self._advance(_CONTENT_END, _CONTENT_ENDS, 2, deltas)
        return deltas

    def flush(self) -> list[Delta]:
        """No more text comes: give back what was held. Safe to call twice."""
        deltas: list[Delta] = []
        if self._part == "start":
            self._begin_content()
        if self._part != "rest":
            self._emit(len(self._pending), 0, deltas)
        return deltas

    def finish(self) -> Parsed:
        """The whole reply. Nothing may be fed after this.

        Raises:
            ParseError: it breaks the rules of this module.
        """
        self.flush()
        raw = "".join(self._raw)
        tag, at = self._rest
        start, end = self._reasoning_span
        if not self._closed:
            raise _unclosed(raw, start)
        calls: tuple[RawCall, ...] = ()
        tail: Span | None = None
        if tag == "<tool_call>":
            calls = parse_calls(raw, at)
        elif tag == "<think>":
            tail = _tail(raw, at)
        elif tag in END_OF_TURN:
            refuse_text(raw, at, "the end of the turn")
        elif tag:
            raise ParseError(f"{tag} closes or belongs to nothing.", (at, at + len(tag)), FORM)
        content = self.content
        if not content and not calls and (found := raw.find("<tool_call>", start, end)) >= 0:
            raise ParseError(
                "The call stands inside the reasoning, so it is not made.",
                (found, end),
                "Close the reasoning with </think> first, then call.",
            )
        return Parsed(self.reasoning, content, calls, tail)

    def _begin(self) -> None:
        """Decide what the text begins with, ``<think>`` or content, if enough has arrived."""
        text = self._pending.lstrip()
        self._blank.append(self._pending[: len(self._pending) - len(text)])
        self._at += len(self._pending) - len(text)
        self._pending = text
        if text.startswith("<think>"):
            self._drop(len("<think>"))
            self._part, self._skip, self._closed = "reasoning", 1, False
            self._reasoning_span = (self._at, self._at)
        elif not "<think>".startswith(text):
            self._begin_content()

    def _begin_content(self) -> None:
        blank = "".join(self._blank)
        self._pending = blank + self._pending
        self._at -= len(blank)
        self._part = "content"

    def _advance(
        self, end: re.Pattern[str], tags: Sequence[str], newlines: int, deltas: list[Delta]
    ) -> None:
        """Go on to the tag that ends this part, or as far as is certain.

        Up to ``newlines`` newlines before that tag may belong to it.
        """
        match = end.search(self._pending)
        if match is None:
            self._emit(_certain(self._pending, tags, newlines), 0, deltas)
            return
        tag = match.group()
        owns = tag in ("</think>", "<tool_call>", "<think>")
        self._emit(match.start(), newlines if owns else 0, deltas)
        if self._part == "reasoning":
            self._reasoning_span = (self._reasoning_span[0], self._at)
            if tag == "</think>":
                self._drop(len(tag))
                self._part, self._skip, self._closed = "content", 2, True
                return
        self._part, self._rest = "rest", (tag, self._at)
        self._pending = ""

    def _emit(self, end: int, strip: int, deltas: list[Delta]) -> None:
        """Give out pending text up to ``end``, without newlines that belong to its borders."""
        text = self._pending[:end]
        self._drop(end)
        start = _newlines(text[: self._skip])
        text = text[start:]
        self._skip = 0 if text else self._skip - start
        text = text[: len(text) - _newlines(text[-strip:][::-1])] if strip else text
        if not text:
            return
        text = unescape(text)
        if self._part == "reasoning":
            self._reasoning.append(text)
            deltas.append(Delta("reasoning", text))
        else:
            self._content.append(text)
            deltas.append(Delta("content", text))

    def _drop(self, length: int) -> None:
        self._pending = self._pending[length:]
        self._at += length


def read(
    raw: str, tools: Sequence[ToolSpec], *, in_thinking: bool, finish: FinishReason
) -> tuple[Message, str]:
    """The assistant's message, and what is wrong with it ("" for nothing).

    The message has calls only if the finish was clean and all of them passed parsing, typing and
    validation. With a problem it still has the reasoning and content that could be read. Of a reply
    that was cut off, what may be half a tag at its end is left out.
    """
    from botpsy.chat.schema import check_arguments

    stream = Stream(in_thinking=in_thinking)
    stream.feed(raw)
    calls: tuple[ToolCall, ...] = ()
    problem = _UNCLEAN.get(finish, "")
    if not problem:
        try:
            calls = tuple(typed(call, tools) for call in stream.finish().calls)
            specs = {spec.name: spec for spec in tools}
            for call in calls:
                check_arguments(specs[call.name], call.arguments)
        except (ParseError, SchemaError) as error:
            calls, problem = (), str(error)
    return Message("assistant", stream.content, stream.reasoning, calls), problem


_UNCLEAN: dict[FinishReason, str] = {
    "length": "The reply was cut off at the token limit; an unfinished call is not made.",
    "cancelled": "The reply was cancelled.",
    "error": "The reply broke off with an error.",
}


def typed(call: RawCall, tools: Sequence[ToolSpec]) -> ToolCall:
    """Type a call's arguments by the schema of its tool; values are not validated yet.

    Raises:
        SchemaError: no tool of that name is offered.
        ParseError: an argument is not the JSON its schema wants.
    """
    spec = next((spec for spec in tools if spec.name == call.name), None)
    if spec is None:
        offered = ", ".join(spec.name for spec in tools) or "none"
        raise SchemaError(
            f"There is no tool named {call.name[:80]!r}.",
            tool=call.name,
            hint=f"Tools on offer: {offered}.",
        )
    properties = properties_of(spec)
    arguments: JsonObject = {}
    for parameter in call.parameters:
        try:
            arguments[parameter.name] = read_value(parameter.text, properties.get(parameter.name))
        except ParseError as error:
            raise ParseError(
                f"{call.name}: {parameter.name[:80]}: {error.message}", parameter.span, error.hint
            ) from None
    return ToolCall(call.name, arguments)


def _certain(text: str, tags: Sequence[str], newlines: int) -> int:
    """How much of the text can't belong to a tag that is still arriving."""
    end = text.rfind("<", max(0, len(text) - _LONGEST_TAG))
    if end < 0 or not any(tag.startswith(text[end:]) for tag in tags):
        end = len(text)
    return end - _newlines(text[max(0, end - newlines) : end][::-1])


def _newlines(text: str) -> int:
    """How many newlines a text begins with."""
    return len(text) - len(text.lstrip("\n"))


def _unclosed(raw: str, start: int) -> ParseError:
    found = raw.find("<tool_call>", start)
    if found >= 0:
        return ParseError(
            "The call stands inside reasoning that is never closed, so it is not made.",
            (found, len(raw)),
            "Close the reasoning with </think> first, then call.",
        )
    return ParseError(
        "The reasoning is never closed, so there is no answer.",
        (start, len(raw)),
        "Close it with </think>, then answer or call.",
    )


def _tail(raw: str, at: int) -> Span:
    """The span of a tail that can be dropped."""
    if raw.find("<tool_call>", at) >= 0:
        raise _unclosed(raw, at)
    if raw.find("</think>", at) >= 0:
        raise ParseError("Reasoning comes once, before the answer.", (at, len(raw)))
    return at, len(raw)
