"""Verifiers: pure functions that say how good a reply is. See ``base``.

``VERIFIERS`` names those that rows of data refer to; each is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib

from botpsy.errors import UsageError
from botpsy.rewards.base import FLOOR, Reward, Verifier

VERIFIERS = ("choice", "code", "instructions", "math", "structured", "tool_call")
"""Each is a module here with a function ``verify`` of a reference and a text.

``world`` is not among them: it judges an episode, not a text. See ``world.reward``.
"""

__all__ = ["FLOOR", "VERIFIERS", "Reward", "Verifier", "verifier"]


def verifier(name: str) -> Verifier:
    """The verifier of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in VERIFIERS:
        raise UsageError(f"There is no verifier {name!r}.", f"Known: {', '.join(VERIFIERS)}.")
    verify: Verifier = importlib.import_module(f"{__name__}.{name}").verify
    return verify
