"""Small Python tasks with visible examples and hidden tests.

Options: ``kinds`` of programs; ``solved`` ends rows with a solution. The proof runs code, so the
source needs a machine with the sandbox (``botpsy.rewards.sandbox``).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from random import Random
from string import Template
from typing import Any

from botpsy.chat.types import Message
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.tasks.programs import Program
from botpsy.data.types import Row, UnusableError
from botpsy.errors import ConfigError

HIDDEN = 10
SHOWN = 2


class Options(TaskOptions):
    """See the module."""

    kinds: tuple[str, ...] = ()


ORDERS = (
    "Write the Python function `{head}`.\n\n{says}",
    "{says}\n\nWrite it as a Python function with the signature `{head}`.",
    "In Python, define `{head}`.\n{says}",
)
ENDINGS = (
    "Reply with one block of Python code.",
    "Give the code in a single ```python block.",
    "Answer with the function in one code block. The standard library may be imported.",
)


def programs() -> dict[str, Program]:
    """All kinds by name."""
    from botpsy.data.tasks import programs_more  # noqa: F401  registers its own
    from botpsy.data.tasks.programs import PROGRAMS

    return PROGRAMS


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)
    known = programs()
    chosen = [name for name in known if not options.kinds or name in options.kinds]
    if not chosen:
        raise ConfigError("source code: options.kinds names none.", f"Known: {', '.join(known)}.")

    def make(number: int) -> Row:
        rng = Random(f"code:{seed}:{number}")  # noqa: S311
        name = chosen[number % len(chosen)]
        return task(
            "code", "code", number, seed, ask(rng, name, known[name]), solved=options.solved
        )

    return Source(make)


def ask(rng: Random, kind: str, made: Program) -> Asked:
    """A program with its parameters drawn, its examples and tests, as a task."""
    values = draw(rng, kind, made)
    name = rng.choice(made.names)
    values["me"] = name
    head = f"def {name}({made.takes}"
    code = f"{head}:\n{textwrap.indent(Template(made.body).substitute(values), '    ')}"
    shown, hidden = _tests(rng, made, values, _load(code, name))
    says = Template(rng.choice(made.says)).substitute(values)
    examples = "\n".join(
        f"{name}({', '.join(map(repr, arguments))}) == {result!r}" for arguments, result in shown
    )
    order = rng.choice(ORDERS).format(head=head, says=says)
    text = f"{order}\n\nExamples:\n{examples}\n\n{rng.choice(ENDINGS)}"
    return Asked(
        messages=(Message("user", text),),
        reference={"function": name, "tests": hidden},
        right=f"```python\n{code}\n```",
        wrong=[f"```python\n{head}:\n    return {hidden[0][1]!r}\n```"],
        why=f"One function, {name}; it must hold for empty and extreme inputs too.",
        group=kind,
        domain="code",
    )


def _tests(
    rng: Random, made: Program, values: Mapping[str, Any], call: Any
) -> tuple[list[Any], list[Any]]:
    """Pairs of arguments and output, to show and to hide; edges are hidden, none is in both."""
    tests: dict[str, Any] = {}
    for n in range(400):
        arguments = [*made.edges[n]] if n < len(made.edges) else made.inputs(rng, values)
        tests.setdefault(json.dumps(arguments), call(*json.loads(json.dumps(arguments))))
        pairs: list[Any] = [[json.loads(given), result] for given, result in tests.items()]
        first = len(made.edges)
        shown, hidden = pairs[first:][:SHOWN], pairs[:first] + pairs[first + SHOWN :]
        enough = len(hidden) >= HIDDEN and len({json.dumps(result) for _, result in hidden}) > 1
        if n >= first and enough:
            break
    if len(hidden) < HIDDEN // 2:
        raise UnusableError("too few different inputs")
    return shown, hidden


def draw(rng: Random, kind: str, made: Program) -> dict[str, Any]:
    """Values for the template, with those that follow from others."""
    from botpsy.data.tasks.programs_more import DEPENDENT

    values: dict[str, Any] = {each: rng.choice(among) for each, among in made.values.items()}
    numbered = [each for other, each in DEPENDENT if other == kind and isinstance(each, int)]
    if numbered and "n" not in values:
        return values | DEPENDENT[kind, rng.choice(numbered)]
    for value in list(values.values()):
        values |= DEPENDENT.get((kind, value), {})
    return values


def _load(code: str, name: str) -> Any:
    """Our own solution, run here."""
    scope: Mapping[str, Any] = {}
    exec(compile(code, name, "exec"), scope)  # type: ignore[arg-type]  # noqa: S102
    return scope[name]
