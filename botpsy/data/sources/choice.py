"""Multiple-choice tasks of science and general knowledge, from tables of facts and small sums.

Options: ``families`` chooses by name or subject (``chemistry``); ``solved`` ends rows with the
right answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from botpsy.chat.types import JsonObject, Message
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.tasks.questions import Family, Question
from botpsy.data.types import Row, UnusableError
from botpsy.errors import ConfigError
from botpsy.rewards.choice import LETTERS


class Options(TaskOptions):
    """See the module."""

    families: tuple[str, ...] = ()


LAYOUTS = ("{0}) {1}", "{0}. {1}", "({0}) {1}", "{0}: {1}")
ORDERS = (
    'The last line of your reply is "Answer: " and the letter.',
    'End with a line that says "Answer: X", where X is the letter of the right option.',
    'Choose one. Close with "Answer: " followed by its letter, on a line of its own.',
    'Exactly one is right. Give its letter in a last line of the form "Answer: X".',
)
SHAPES = ("{question}\n\n{options}\n\n{order}", "{order}\n\n{question}\n{options}")


def families() -> dict[str, Family]:
    """All families by name."""
    from botpsy.data.tasks import sums  # noqa: F401  registers its own
    from botpsy.data.tasks.questions import FAMILIES

    return FAMILIES


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)
    known = families()
    wanted = options.families
    chosen = [
        name for name in known if not wanted or name in wanted or name.partition("_")[0] in wanted
    ]
    if not chosen:
        raise ConfigError(
            "source choice: options.families names none.", f"Known: {', '.join(known)}."
        )

    def make(number: int) -> Row:
        rng = Random(f"choice:{seed}:{number}")  # noqa: S311
        name = chosen[number % len(chosen)]
        asked = ask(rng, name, known[name](rng))
        return task("choice", "choice", number, seed, asked, solved=options.solved)

    return Source(make)


def ask(rng: Random, name: str, question: Question) -> Asked:
    """A question with its options in some order, as a task."""
    wrong = list(question.wrong)[: rng.choice((2, 3, 3, 3, 4, 5))]
    assert question.right not in wrong, (name, question)
    if len(wrong) < 2:  # by chance, mistakes may come to the same
        raise UnusableError("too few different options")
    options = rng.sample([question.right, *wrong], len(wrong) + 1)
    letter = LETTERS[options.index(question.right)]
    layout = rng.choice(LAYOUTS)
    listed = "\n".join(layout.format(*pair) for pair in zip(LETTERS, options, strict=False))
    text = rng.choice(SHAPES).format(
        question=question.text, options=listed, order=rng.choice(ORDERS)
    )
    letters: Sequence[str] = LETTERS[: len(options)]
    reference: JsonObject = {"answer": letter, "options": [*options]}
    return Asked(
        messages=(Message("user", text),),
        reference=reference,
        right=f"Answer: {letter}",
        wrong=[
            *(f"Answer: {each}" for each in letters if each != letter),
            f"Answer: {', '.join(letters)}",
        ],
        why=f"{question.why} That is option {letter}.",
        group=name,
        domain="knowledge",
    )
