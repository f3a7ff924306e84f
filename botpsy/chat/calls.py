"""The grammar of calls: ``<tool_call>`` blocks, one after the other, to the end of the reply.

White space may stand between tags. One newline after ``<parameter=KEY>`` and one before
``</parameter>`` belong to the markup; all else between them is the value, un-neutralised. Markup of
calls inside a value means that ``</parameter>`` is missing, since a value that holds such text is
written neutralised (``escape``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from botpsy.chat.escape import unescape
from botpsy.chat.wire import read_name
from botpsy.errors import ParseError

Span = tuple[int, int]

END_OF_TURN = ("<|im_end|>", "<|endoftext|>")
CALL_MARKUP = ("</tool_call>", "<function=", "</function>", "<parameter=", "</parameter>")
FORM = (
    "A call is written <tool_call>, <function=NAME>, one <parameter=KEY> block per argument,"
    " </function>, </tool_call>."
)


def any_of(tags: Sequence[str]) -> re.Pattern[str]:
    """A pattern for any one of the tags."""
    return re.compile("|".join(map(re.escape, tags)))


_VALUE_END = any_of(("<tool_call>", *CALL_MARKUP, *END_OF_TURN))
_NAME = re.compile(r"([^<>\n]*)>")
_OPENINGS = {tag: re.compile(rf"\s*{tag}([^<>\n\"]+)>") for tag in ("<function=", "<parameter=")}
"""White space, the tag and a plain name: what nearly all calls have."""
_CALL_END = re.compile(r"\s*</function>\s*</tool_call>")
_SPACE = re.compile(r"\s*")
_REST = re.compile(rf"(?:\s|{any_of(END_OF_TURN).pattern})*")


@dataclass(frozen=True, slots=True)
class RawParameter:
    """An argument before typing; ``span`` covers the text of the value."""

    name: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call before typing; ``span`` runs from ``<tool_call>`` to ``</tool_call>``."""

    name: str
    parameters: tuple[RawParameter, ...]
    span: Span


def refuse_text(raw: str, at: int, after: str) -> None:
    """Raise ``ParseError`` if anything but white space and ends of turn stands from ``at`` on."""
    match = _REST.match(raw, at)
    assert match is not None  # it matches nothing, too
    if match.end() < len(raw):
        raise ParseError(
            f"There is text after {after}.",
            (match.end(), len(raw)),
            "Say it before the calls, or in the next turn.",
        )


def parse_calls(raw: str, at: int) -> tuple[RawCall, ...]:
    """The calls from ``at`` to the end of the text.

    Raises:
        ParseError: one breaks the grammar, or there is text after the last one.
    """
    calls = []
    while raw.startswith("<tool_call>", at):
        call = _call(raw, at)
        calls.append(call)
        at = _space(raw, call.span[1])
    refuse_text(raw, at, "the last call")
    return tuple(calls)


def _call(raw: str, start: int) -> RawCall:
    at = start + len("<tool_call>")
    if raw.startswith("{", _space(raw, at)):
        raise ParseError("The call is written as one JSON object.", (start, len(raw)), FORM)
    name, at = _opening(raw, at, "<function=")
    parameters: dict[str, RawParameter] = {}
    while (end := _CALL_END.match(raw, at)) is None:
        parameter, at = _parameter(raw, at)
        if parameter.name in parameters:
            raise ParseError(
                f"{name[:80]}: the parameter {parameter.name[:80]!r} is given twice.",
                parameter.span,
            )
        parameters[parameter.name] = parameter
    return RawCall(name, tuple(parameters.values()), (start, end.end()))


def _parameter(raw: str, at: int) -> tuple[RawParameter, int]:
    name, start = _opening(raw, at, "<parameter=")
    match = _VALUE_END.search(raw, start)
    if match is None or match.group() != "</parameter>":
        found = match.start() if match else len(raw)
        raise _expected(f"</parameter> after the value of {name[:80]!r}", raw, found)
    end = match.start()
    if raw.startswith("\n", start):
        start += 1
    if end > start and raw[end - 1] == "\n":
        end -= 1
    return RawParameter(name, unescape(raw[start:end]), (start, end)), match.end()


def _opening(raw: str, at: int, tag: str) -> tuple[str, int]:
    """The name in the opening tag that comes next, and where the tag ends."""
    plain = _OPENINGS[tag].match(raw, at)
    if plain is not None:
        return plain.group(1), plain.end()
    at = _space(raw, at)
    if not raw.startswith(tag, at):
        raise _missing(tag, raw, at)
    match = _NAME.match(raw, at + len(tag))
    if match is None:
        raise _expected(f"a name and > after {tag}", raw, at + len(tag))
    try:
        return read_name(match.group(1)), match.end()
    except ParseError as error:
        raise ParseError(error.message, match.span(1), error.hint) from None


def _missing(tag: str, raw: str, at: int) -> ParseError:
    """Another tag stands where one should open."""
    if tag == "<function=":
        return _expected("<function=NAME>", raw, at)
    if raw.startswith("</function>", at):
        return _expected("</tool_call>", raw, _space(raw, at + len("</function>")))
    return _expected("<parameter=KEY> or </function>", raw, at)


def _expected(what: str, raw: str, at: int) -> ParseError:
    if at >= len(raw):
        return ParseError(f"The call breaks off: expected {what}.", (at, at), FORM)
    found = raw[at : at + 30]
    return ParseError(f"Expected {what}, found {found!r}.", (at, at + len(found)), FORM)


def _space(raw: str, at: int) -> int:
    """Where white space from ``at`` on ends."""
    match = _SPACE.match(raw, at)
    assert match is not None  # it matches nothing, too
    return match.end()
