"""A Python function, judged by hidden tests that it is run on.

Reference: ``{"function": "name", "tests": [[arguments, expected], …]}``. The content holds one
fenced block of Python, or is Python as a whole; none or several get the floor. 1 where every test
passes, else 0: a part of the tests can be passed by luck or by copying the examples, so it earns
nothing (``passed`` in the parts says the share). Outputs are compared here, outside the sandbox
(``sandbox``), by typed JSON equality, fractional numbers within 1e-9.
"""

from __future__ import annotations

import math
import re
from typing import Any

from botpsy.chat.types import JsonObject
from botpsy.rewards.answer import content_of
from botpsy.rewards.base import FLOOR, Reward
from botpsy.rewards.sandbox import run

_FENCE = re.compile(r"^```[^\n`]*(?:\n|\Z)", re.MULTILINE)


def verify(reference: JsonObject, raw: str) -> Reward:
    """See the module.

    Raises:
        SandboxError: the sandbox cannot be set up on this machine.
    """
    content = content_of(raw)
    code = code_of(content, str(reference["function"])) if content else None
    if code is None:
        return Reward(FLOOR, {"format": 0.0, "runs": 0.0, "passed": 0.0})
    tests: Any = reference["tests"]
    results = run(code, str(reference["function"]), [arguments for arguments, _ in tests])
    passed = [
        result.ok and matches(result.value, expected)
        for result, (_, expected) in zip(results, tests, strict=True)
    ]
    return Reward(
        float(all(passed)),
        {
            "format": 1.0,
            "runs": float(any(result.ok for result in results)),
            "passed": sum(passed) / len(passed),
        },
    )


def code_of(content: str, function: str) -> str | None:
    """The one piece of Python in a content that defines the function."""
    parts = _FENCE.split(content)
    if len(parts) != 3 and "```" in content:
        return None
    code = parts[1] if len(parts) == 3 else content
    name = re.escape(function)
    defines = re.compile(rf"^[ \t]*(?:def {name}\b|{name}[ \t]*=)", re.MULTILINE)
    return code if defines.search(code) else None


def matches(given: Any, expected: Any) -> bool:
    """Typed JSON equality, but for fractional numbers, which may differ by rounding."""
    if isinstance(expected, float) and type(given) in (int, float):
        try:
            return math.isclose(given, expected, rel_tol=1e-9, abs_tol=1e-9)
        except OverflowError:  # a whole number beyond all fractional ones
            return False
    if type(given) is not type(expected):
        return False
    if isinstance(expected, list):
        return len(given) == len(expected) and all(map(matches, given, expected))
    if isinstance(expected, dict):
        return given.keys() == expected.keys() and all(
            matches(given[name], value) for name, value in expected.items()
        )
    return bool(given == expected)
