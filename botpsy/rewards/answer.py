"""The final answer in a raw reply: what stands after the reasoning, and the one answer it commits
to.

A raw reply is what the model wrote after a prompt that ended with ``<think>``; of a model that is
run without thinking, put ``</think>`` before it. Reasoning is never searched for an answer.
"""

from __future__ import annotations

import re

from botpsy.chat.parser import parse
from botpsy.errors import ParseError

MAX_CHARACTERS = 65_536
"""A longer content is no answer to any of our tasks."""
MAX_ANSWER = 1_000
"""Nor is a longer line the answer itself."""

_LINE = re.compile(r"(?:the )?(?:final )?answer(?: is)?[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE)
_EDGE = " \t*_>#"
_WRAPS = (
    ("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\boxed{", "}"), ("\\text{", "}"), ("`", "`"),
    ("**", "**"),
)  # fmt: skip


def content_of(raw: str) -> str | None:
    """The content of a reply, without white space at its edges.

    None for one that the parser refuses, that calls tools, or that says nothing.
    """
    try:
        parsed = parse(raw, in_thinking=True)
    except ParseError:
        return None
    content = parsed.content.strip()
    return content if content and not parsed.calls and len(content) <= MAX_CHARACTERS else None


def stated(content: str) -> str | None:
    """The one answer of a content.

    It stands on the last line, after ``Answer:``, or is the only line. None where the last line has
    none, or where an earlier line gives another: two answers are no answer.
    """
    lines = [line.strip(_EDGE) for line in content.splitlines()]
    lines = [line for line in lines if line]
    found = [bare(match.group(1)) for match in map(_LINE.fullmatch, lines) if match]
    if len(lines) == 1 and not found:
        found = [bare(lines[0])]
    elif not lines or not _LINE.fullmatch(lines[-1]) or len({x.casefold() for x in found}) > 1:
        return None
    return found[-1] if found[-1] and len(found[-1]) <= MAX_ANSWER else None


def bare(text: str) -> str:
    """The text without emphasis, mathematics marks and a box around it."""
    text = text.strip(_EDGE)
    for left, right in _WRAPS * 2:
        if text.startswith(left) and text.endswith(right) and len(text) > len(left + right):
            text = text[len(left) : -len(right)].strip()
    return text
