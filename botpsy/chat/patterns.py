"""Regular expressions written by strangers: enforced where Python can, and never able to hang us.

JSON Schema's ``pattern`` is ECMA-262, searched for anywhere in the text. Two engines serve it:

- Rust's ``regex``, which pydantic brings along: linear in the text, with a limit on the size of the
  compiled pattern. It takes all but look-around and back-references.
- ``regex`` from Python for those, where backtracking can blow up: cut off after ``TIMEOUT_S``, with
  limits on the pattern, its counted repetitions and the text.

``\\d`` and ``\\w`` are Unicode's, which is wider than ECMA's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache

MAX_PATTERN = 1_000
"""Longest pattern that is compiled, in characters."""
MAX_TEXT = 4_000
"""Longest text that is searched with look-around or back-references, in characters."""
MAX_REPEATS = 10_000
"""Largest product of counted repetitions in such a pattern: compiling unrolls them."""
TIMEOUT_S = 0.25

_SIMPLE = re.compile(
    r"\^(?:[^\\\[\](){}^$|.*+?]|\\[dws.+*?()\[\]{}|^$/\\-]|\[\^?(?:[^\\\[\]^&~]|\\[dws.\]\[\\^/-])+\]"
    r"|\((?!\?)|\(\?:|[).|*+?]|\{\d{1,3}(?:,\d{0,3})?\})*\$"
)
_END = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", re.DOTALL)


def is_simple(pattern: str) -> bool:
    """Anchored, and of the constructs that every grammar-making engine understands alike."""
    return len(pattern) <= 200 and _SIMPLE.fullmatch(pattern) is not None


@lru_cache(maxsize=512)
def searcher(pattern: str) -> Callable[[str], bool] | None:
    """A function that says whether the pattern occurs in a text, or None if nothing here can.

    The function raises ``TimeoutError`` when the answer would take too long.
    """
    if len(pattern) > MAX_PATTERN:
        return None
    return _linear(pattern) or _backtracking(pattern)


def _linear(pattern: str) -> Callable[[str], bool] | None:
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        return SchemaValidator(
            core_schema.str_schema(pattern=pattern, strict=True)
        ).isinstance_python
    except SchemaError:
        return None


def _backtracking(pattern: str) -> Callable[[str], bool] | None:
    import regex  # type: ignore[import-untyped]

    counts = re.findall(r"\{(\d*),?(\d*)\}", pattern)
    if math.prod(max(int(count or 1) for count in (*pair, 1)) for pair in counts) > MAX_REPEATS:
        return None
    # ECMA's $ is the very end; Python's also stands before a last line break.
    python = _END.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern)
    try:
        compiled = regex.compile(python)
    except (regex.error, ArithmeticError, ValueError, RecursionError):
        return None

    def search(text: str) -> bool:
        if len(text) > MAX_TEXT:
            raise TimeoutError
        return compiled.search(text, timeout=TIMEOUT_S) is not None

    return search
