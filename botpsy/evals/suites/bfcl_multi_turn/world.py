"""The environments of one case, calls carried out in them, and their states held side by side."""

from __future__ import annotations

import ast
import inspect
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from botpsy.evals.suites.bfcl_multi_turn.files import GorillaFileSystem
from botpsy.evals.suites.bfcl_multi_turn.maths import MathAPI
from botpsy.evals.suites.bfcl_multi_turn.messages import MessageAPI
from botpsy.evals.suites.bfcl_multi_turn.posting import TwitterAPI
from botpsy.evals.suites.bfcl_multi_turn.tickets import TicketAPI
from botpsy.evals.suites.bfcl_multi_turn.trading import TradingBot
from botpsy.evals.suites.bfcl_multi_turn.travel import TravelAPI
from botpsy.evals.suites.bfcl_multi_turn.vehicle import VehicleControlAPI

CLASSES: dict[str, Any] = {
    each.__name__: each
    for each in (
        GorillaFileSystem,
        MathAPI,
        MessageAPI,
        TwitterAPI,
        TicketAPI,
        TradingBot,
        TravelAPI,
        VehicleControlAPI,
    )
}
"""By the official name."""

Call = tuple[str, dict[str, Any]]
"""A tool's name and its arguments, by name."""


class World:
    """One instance of each class that a case involves."""

    def __init__(
        self,
        classes: Sequence[str],
        config: Mapping[str, Any],
        long: Mapping[str, Any] | None = None,
    ) -> None:
        """
        Args:
            config: initial states, by class.
            long: what the long-context variants add (``read_long_context``).
        """
        self._instances = {name: CLASSES[name](config.get(name, {}), long) for name in classes}
        self._tools: dict[str, Any] = {}
        for instance in self._instances.values():
            named = inspect.getmembers(type(instance), inspect.isfunction)
            self._tools |= {
                name: getattr(instance, name) for name, _ in named if not name.startswith("_")
            }

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Carry out a call; what a tool cannot do is a result too, in words."""
        try:
            return written(self._tools[name](**arguments))
        except Exception as error:  # whatever a tool's own body trips over
            return f"Error during execution: {error}"

    def parameters(self, name: str) -> list[str]:
        """A tool's argument names in order."""
        return list(inspect.signature(self._tools[name]).parameters)

    def differs(self, other: World) -> str:
        """The first class whose state is another there; empty when all are the same.

        State is what has a public name. A folder that holds itself is like no other.
        """
        for name, mine in self._instances.items():
            theirs = other._instances[name]
            try:
                same = _public(mine) == _public(theirs)
            except RecursionError:
                same = False
            if not same:
                return name
        return ""


def written(result: Any) -> str:
    """A result as a model sees it: text as it is, objects as JSON, all else as Python shows it."""
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        try:
            return json.dumps(result)
        except TypeError:
            pass
    return str(result)


def lacking(wanted: Sequence[str], given: Sequence[str]) -> list[str]:
    """Which of the wanted results were not given, each as often as it is wanted."""
    return list((Counter(wanted) - Counter(given)).elements())


def read_call(text: str, world: World) -> Call:
    """A gold call, which is written as Python: a name and literals. Nothing is run.

    Raises:
        ValueError: it is none.
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is no call: {error}") from None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(f"{text!r} is no call")  # noqa: TRY004
    name = node.func.id
    values = [ast.literal_eval(each) for each in node.args]
    arguments = dict(zip(world.parameters(name), values, strict=False))
    arguments |= {each.arg: ast.literal_eval(each.value) for each in node.keywords if each.arg}
    return name, arguments


def _public(instance: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(instance).items() if not name.startswith("_")}
