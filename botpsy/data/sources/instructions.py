"""Tasks of writing to instructions that can be checked, over one turn or several.

A later turn adds a constraint, or lifts one; what was not lifted still holds. The reply so far is a
text that holds to what had been asked for by then, and not to what is asked for next.

Options: ``turns`` is the most turns of the user (3); ``solved`` ends rows with a text that passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from pydantic import Field

from botpsy.chat.types import Message
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.tasks.compose import (
    Constraint,
    Plan,
    demands,
    features,
    groups_for,
    measured,
    plan,
    render,
)
from botpsy.data.tasks.topics import TOPICS
from botpsy.data.tasks.wording import LIFTED, said
from botpsy.data.types import Row, UnusableError
from botpsy.rewards.instructions import holds


class Options(TaskOptions):
    """See the module."""

    turns: int = Field(default=3, ge=1, le=3)


REQUESTS = (
    "Write something about {0}.",
    "Write a short text about {0}.",
    "I need a few lines on {0}.",
    "Tell me about {0}.",
    "Please write about {0}.",
)
CHANGES = ("Now change it:", "Please write it again.", "A change:", "Good. Once more, but:")
STILL = ("Everything else still holds.", "Keep to all my other wishes.", "The rest stays as asked.")
REASONS = (
    "The reply must hold to every constraint at once: {0}.",
    "Check each wish before answering: {0}.",
)

Chosen = Mapping[str, Constraint]


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)

    def make(number: int) -> Row:
        rng = Random(f"instructions:{seed}:{number}")  # noqa: S311
        asked = ask(rng, rng.choice((1, 1, *range(2, options.turns + 1))))
        return task("instructions", "instructions", number, seed, asked, solved=options.solved)

    return Source(make)


def ask(rng: Random, turns: int) -> Asked:
    """A task with that many turns of the user, or fewer where the text leaves no room."""
    topic = rng.choice(TOPICS)
    made = plan(rng, topic)
    stages = _stages(rng, made, turns)
    texts = [render(made, stage) for stage in stages]
    common = [
        each for each in measured(rng, texts[-1], made) if all(holds(each, text) for text in texts)
    ][: rng.choice((0, 1, 1, 2, 3)) or int(not stages[-1])]
    asked = [[*demands(made, stage), *common] for stage in stages]
    if any(all(holds(each, text) for each in asked[-1]) for text in texts[:-1]):
        asked, texts = asked[-1:], texts[-1:]  # nothing would be left to do
    if not asked[-1] or not all(
        holds(each, text) for text, wishes in zip(texts, asked, strict=True) for each in wishes
    ):
        raise UnusableError("a text that does not hold to its own plan")
    messages = _talk(rng, made, asked, texts)
    kinds = ", ".join(each["kind"].replace("_", " ") for each in asked[-1])
    return Asked(
        messages=tuple(messages),
        reference={"constraints": [dict(each) for each in asked[-1]]},
        right=texts[-1],
        wrong=[*texts[:-1], *_broken(texts[-1], asked[-1])],
        why=rng.choice(REASONS).format(kinds),
        group=topic.subject.replace(" ", "_"),
        domain="writing",
        difficulty="complex" if len(asked[-1]) > 2 or len(texts) > 1 else "simple",
    )


def _stages(rng: Random, made: Plan, turns: int) -> list[Chosen]:
    """The features asked for at each turn; every next one asks for something new."""
    groups = groups_for(made)
    if made.shape == "json":
        return [{}]
    count = rng.choice((0, 1, 1, 2, 2, 3))
    chosen = {
        each: features(rng, made, each) for each in rng.sample(groups, min(count, len(groups)))
    }
    stages: list[Chosen] = [_fitting(chosen)]
    for _ in range(turns - 1):
        before = dict(stages[-1])
        free = [each for each in groups if each not in before]
        if before and rng.random() < 0.4:
            del before[rng.choice(sorted(before))]
        if not free:
            break
        added = rng.choice(free)
        after = _fitting(before | {added: features(rng, made, added)})
        if added not in after or after == stages[-1]:
            break
        stages.append(after)
    return stages


def _fitting(chosen: Chosen) -> Chosen:
    """Without what stands around a text where it has a head or a tail."""
    if "head" in chosen or "tail" in chosen:
        return {group: each for group, each in chosen.items() if group != "around"}
    return chosen


def _talk(
    rng: Random, made: Plan, asked: Sequence[Sequence[Constraint]], texts: Sequence[str]
) -> list[Message]:
    first = [said(rng, each) for each in rng.sample(asked[0], len(asked[0]))]
    opening = rng.choice(REQUESTS).format(made.topic.subject)
    bullets = len(first) > 2 and rng.random() < 0.4
    listed = "\n".join(f"- {each}" for each in first) if bullets else " ".join(first)
    messages = [Message("user", f"{opening}{chr(10) if bullets else ' '}{listed}".strip())]
    for before, after, text in zip(asked, asked[1:], texts, strict=False):
        messages.append(Message("assistant", text, "Write to all the wishes so far."))
        kinds = {each["kind"] for each in after}
        lifted = [LIFTED[each["kind"]] for each in before if each["kind"] not in kinds]
        new = [said(rng, each) for each in after if each not in before]
        changes = " ".join([*lifted, *new])
        messages.append(Message("user", f"{rng.choice(CHANGES)} {changes} {rng.choice(STILL)}"))
    return messages


def _broken(text: str, wishes: Sequence[Constraint]) -> list[str]:
    """For each wish a text that breaks it."""
    others = spoiled(text)
    return [
        next(each for each in [*others, " ".join(wish.get("words", ()))] if not holds(wish, each))
        for wish in wishes
    ]


def spoiled(text: str) -> list[str]:
    """Texts that break any constraint between them."""
    more = (
        "Also, there are many other things that one could say (about it; or about this): why not!?"
    )
    return [
        f"So {text} too",
        f"{text}\n\n{more}",
        f"- one\n- two\n1. three\n{text}",
        "Yes and no",
        " ".join([text.swapcase(), more * 9]),
        "".join(f"{text}\n\n" for _ in range(9)),
    ]
