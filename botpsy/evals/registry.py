"""All suites, by name; a module is loaded when one of its suites is asked for."""

from __future__ import annotations

import difflib
import importlib

from botpsy.errors import UsageError
from botpsy.evals.case import Suite

MODULES: dict[str, tuple[str, ...]] = {
    "bfcl": ("bfcl",),
    "bfcl_multi_turn": ("bfcl-multi-turn",),
    "bfcl_memory": ("bfcl-memory",),
    "questions": ("mmlu_pro", "gpqa"),
    "instructions": ("ifeval", "ifbench", "multi_if", "multi_if.all"),
    "refusals": ("xstest", "harmful", "harmful.judged"),
    "threats": ("agent_threat_bench",),
    "everyday": ("everyday", "everyday.assistant"),
    "injections": ("injections", "injections.assistant"),
    "tau2": ("tau2-telecom-solo",),
}
"""Module below ``botpsy.evals.suites`` -> the names of its suites."""


def names() -> list[str]:
    """Of all suites, in the order of the list."""
    return [name for mine in MODULES.values() for name in mine]


def suite(name: str) -> Suite:
    """The suite of that name.

    Raises:
        UsageError: there is none.
    """
    loaded = importlib.import_module(f"botpsy.evals.suites.{module_of(name)}")
    found: tuple[Suite, ...] = loaded.SUITES
    return next(each for each in found if each.name == name)


def module_of(name: str) -> str:
    """The module below ``botpsy.evals.suites`` that a suite is in.

    Raises:
        UsageError: there is no such suite.
    """
    for module, mine in MODULES.items():
        if name in mine:
            return module
    near = difflib.get_close_matches(name, names(), 1)
    known = f"Known: {', '.join(names())}." if names() else "This version has none yet."
    hint = f"Did you mean {near[0]}?" if near else known
    raise UsageError(f"There is no suite {name!r}.", hint)
