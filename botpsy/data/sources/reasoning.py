"""Tasks of mathematics and logic from reasoning-gym (Apache-2.0): those of its datasets whose
answer is one line and one only, so that it can be judged without the dataset.

Options: ``datasets`` chooses by name; ``solved`` ends rows with the right answer (no reasoning).
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from botpsy.chat.types import Message
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.tasks.facts_science import words
from botpsy.data.types import MissingDataError, Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.rewards.answer import bare
from botpsy.rewards.math import number, polynomial

FORMS = {
    "number": "aiw basic_arithmetic binary_alternation chain_sum coin_flip count_bits "
    "decimal_chain_sum gcd largest_island lcm leg_counting letter_counting maze number_format "
    "products self_reference simple_equations simple_geometry",
    "fraction": "dice fraction_simplification",
    "polynomial": "simple_integration",
    "list": "number_filtering number_sorting polynomial_equations prime_factorization "
    "spiral_matrix string_splitting string_synthesis word_sequence_reversal word_sorting",
    "text": "base_conversion bitwise_arithmetic caesar_cipher calendar_arithmetic "
    "color_cube_rotation course_schedule family_relationships knights_knaves "
    "spell_backward string_insertion string_manipulation syllogism time_intervals",
}
"""Form of the answer (see ``botpsy.rewards.math``) -> datasets. Left out: answers of several lines,
puzzles with several solutions, rounding that is open to reading, series with more than one rule,
what is slow to make, and what hangs on the order of sets (its rows differ between processes)."""

TOLERANCES = {"polynomial_equations": 1e-4}
COMPLEX = words(
    "aiw binary_alternation course_schedule knights_knaves largest_island maze "
    "polynomial_equations self_reference string_manipulation "
    "string_splitting string_synthesis"
)
SIZE = 2**40
MAX_CHARACTERS = 2_500
"""Longer questions are left out: their prompts would cost more than they teach."""
ORDERS = (
    'The last line of your reply is "Answer: " and the answer.',
    'Close with a line "Answer: …" that holds the answer alone.',
    'End with "Answer:" and the result on the last line.',
)


class Options(TaskOptions):
    """See the module."""

    datasets: tuple[str, ...] = ()


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)
    known = {name: form for form, names in FORMS.items() for name in names.split()}
    chosen = [name for name in known if not options.datasets or name in options.datasets]
    if not chosen:
        raise ConfigError(
            "source reasoning: options.datasets names none.", f"Known: {', '.join(known)}."
        )
    try:
        import reasoning_gym
    except ImportError:
        raise MissingDataError(
            "Source reasoning needs the package reasoning-gym (Apache-2.0).",
            "Install botpsy with its data extra: pip install 'botpsy[data]'.",
        ) from None

    @cache
    def dataset(name: str) -> Any:
        digest = hashlib.sha256(f"reasoning:{seed}:{name}".encode()).digest()
        return reasoning_gym.create_dataset(name, seed=int.from_bytes(digest[:4], "big"), size=SIZE)

    def make(number: int) -> Row:
        name = chosen[number % len(chosen)]
        item = dataset(name)[number // len(chosen) % SIZE]
        rng = Random(f"reasoning:{seed}:{number}")  # noqa: S311
        asked = ask(rng, name, known[name], str(item["question"]), str(item["answer"]))
        return task("reasoning", "math", number, seed, asked, solved=options.solved)

    return Source(make)


def ask(rng: Random, name: str, form: str, question: str, answer: str) -> Asked:
    """A question of a dataset as a task.

    Raises:
        UnusableError: it cannot be judged, or has no one answer.
    """
    right = bare(answer)
    if len(question) > MAX_CHARACTERS:
        raise UnusableError("too long a question")
    if not right or "\n" in right:
        raise UnusableError("no answer of one line")
    readable = {"number": number, "polynomial": polynomial}.get(form)
    if readable and readable(right) is None:
        raise UnusableError(f"the answer is no {form}")
    if name == "simple_equations" and not re.search(r"[a-z]", question.partition(":")[2]):
        raise UnusableError("an equation without its unknown")
    other = f"{right} + w" if form == "polynomial" else f"1{right}"
    wrong = [other, f"{right} or 1", "nothing", question]
    if form == "fraction" and "/" in right and "{" not in right:
        wrong.append("/".join(f"{part.strip()}0" for part in right.split("/")))
    return Asked(
        messages=(Message("user", f"{question.strip()}\n\n{rng.choice(ORDERS)}"),),
        reference={"answer": right, "form": form, "tolerance": TOLERANCES.get(name, 0)},
        right=f"Answer: {right}",
        wrong=[f"Answer: {each}" for each in wrong] + [f"Answer: {right}\nAnswer: nothing"],
        why="",
        group=name,
        domain="reasoning",
        difficulty="complex" if name in COMPLEX else "simple",
    )
