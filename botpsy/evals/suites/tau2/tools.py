"""How a domain's tools are shown, called and answered; all domains alike."""

from __future__ import annotations

import datetime as dt
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from botpsy.chat.parser import parse
from botpsy.chat.schema import gate
from botpsy.chat.types import Completion, ToolSpec
from botpsy.errors import ParseError
from botpsy.tools.base import tool

Function = Callable[..., Any]


class ToolError(Exception):
    """What a tool says when it cannot do it."""


class Toolbox:
    """The public methods of objects as tools.

    Attributes:
        specs: what a model is told of them, in the order of their definition.
    """

    def __init__(self, *holders: object, after: Function = lambda: None) -> None:
        """
        Args:
            after: done after each call, as a part of it.
        """
        self._after = after
        self._tools: dict[str, Function] = {
            name: getattr(holder, name)
            for holder in holders
            for name, value in vars(type(holder)).items()
            if inspect.isfunction(value) and not name.startswith("_")
        }

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        gated = gate([tool(function).spec for function in self._tools.values()])
        assert not gated.refused, gated.refused
        return gated.tools

    def call(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        """Carry out a call: the result, and whether it is an error."""
        try:
            result = self._tools[name](**arguments)
            self._after()
        except Exception as error:  # whatever a tool's own body trips over
            return f"Error: {error}", True
        return written(result), False


def written(result: Any) -> str:
    """A result as a model sees it: text as it is, all else as JSON.

    Numbers that are not in a record become text, as the official tools write them.
    """
    return result if isinstance(result, str) else json.dumps(_plain(result), default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, int | float):
        return str(value)
    return value.isoformat() if isinstance(value, dt.date) else value


def well_formed(reply: Completion) -> bool:
    """Whether it has calls as the format wants them, if not as the tools' schemas do."""
    if reply.finish_reason in ("length", "cancelled", "error"):
        return False
    for in_thinking in (True, False):
        try:
            if parse(reply.raw, in_thinking=in_thinking).calls:
                return True
        except ParseError:
            continue
    return False
