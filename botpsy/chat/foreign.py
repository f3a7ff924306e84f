"""The system block of a checkpoint that brings its own chat template.

The template is a stranger's program: it runs in Jinja's immutable sandbox, on text that is
neutralised already, and only what it writes before the first user turn is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from jinja2 import TemplateError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from botpsy.chat.escape import escape
from botpsy.chat.formats import openai_tool
from botpsy.chat.types import ToolSpec
from botpsy.errors import ModelError

_MARKER = "botpsy-marks-the-user-turn-here"
_HINT = "Use the format without the checkpoint's template, or mend the template."


def system_block_of(source: str) -> Callable[[str, Sequence[ToolSpec]], str]:
    """A function from system text and tools to what the template writes before the user turn.

    Raises:
        ModelError: here, if the source is no template; from the function, if the template fails or
            writes no ChatML user turn.
    """
    environment = template_environment()
    try:
        template = environment.from_string(source)
    except TemplateError as error:
        raise ModelError(f"The checkpoint's chat template has an error: {error}.", _HINT) from None

    def block(system: str, tools: Sequence[ToolSpec]) -> str:
        messages = [{"role": "user", "content": _MARKER}]
        if system:
            messages.insert(0, {"role": "system", "content": escape(system)})
        try:
            text = template.render(
                messages=messages,
                tools=[_neutral(openai_tool(spec)) for spec in tools] or None,
                add_generation_prompt=False,
            )
        except Exception as error:  # a stranger's program may fail in any way
            raise ModelError(
                f"The checkpoint's chat template failed: {type(error).__name__}: {error}.", _HINT
            ) from None
        before, marker, _ = text.partition(f"<|im_start|>user\n{_MARKER}")
        if not marker:
            raise ModelError(
                "The checkpoint's chat template does not write ChatML turns, or puts text of its"
                " own into the user's turn.",
                _HINT,
            )
        return before

    return block


def template_environment() -> ImmutableSandboxedEnvironment:
    """Jinja as transformers sets it up for chat templates."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.loopcontrols", _GenerationTag],
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().astimezone().strftime(form)
    return environment


def _neutral(value: Any) -> Any:
    """The same with every string in it neutralised."""
    match value:
        case str():
            return escape(value)
        case list():
            return [_neutral(item) for item in value]
        case dict():
            return {_neutral(key): _neutral(item) for key, item in value.items()}
        case _:
            return value


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _raise_exception(message: str) -> None:
    raise TemplateError(message)


class _GenerationTag(Extension):
    """``{% generation %}`` marks what a model wrote, for training; here it only has a body."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)
