"""Tasks of reading: a document in prose and a JSON Schema, to be answered with the JSON alone.

Options: ``kinds`` of documents; ``solved`` ends rows with the right answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from botpsy.chat.types import Message, Schema
from botpsy.data.recipe import SourceRecipe
from botpsy.data.sources import Source, options_of
from botpsy.data.tasks import Asked, TaskOptions, task
from botpsy.data.tasks.documents import Document, Kind, of
from botpsy.data.types import Row
from botpsy.errors import ConfigError


class Options(TaskOptions):
    """See the module."""

    kinds: tuple[str, ...] = ()


ORDERS = (
    "Read the document and answer with JSON that fits the schema. Write the JSON alone.",
    "Fill this JSON schema from the text below. Reply with nothing but the JSON object.",
    "Extract what the schema asks for. The reply is one JSON object, without any other words.",
    "Give me the facts of this text as a JSON object of the given schema, and nothing else.",
)
SHAPES = (
    "{order}\n\nSchema:\n{schema}\n\nDocument:\n{document}",
    "{document}\n\n---\n{order}\n\n{schema}",
    "{order}\n\n<document>\n{document}\n</document>\n\n<schema>\n{schema}\n</schema>",
)
REASONS = (
    "Each value is in the text; dates become YYYY-MM-DD, and what is not said is left out.",
    "Take the values in the schema's order, with its types, and leave out what is not told.",
)


def kinds() -> dict[str, Kind]:
    """All kinds of documents by name."""
    from botpsy.data.tasks import documents_more  # noqa: F401  registers its own
    from botpsy.data.tasks.documents import KINDS

    return KINDS


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """See ``botpsy.data.sources``."""
    options = options_of(recipe, Options)
    known = kinds()
    chosen = [name for name in known if not options.kinds or name in options.kinds]
    if not chosen:
        raise ConfigError(
            "source structured: options.kinds names none.", f"Known: {', '.join(known)}."
        )

    def make(number: int) -> Row:
        rng = Random(f"structured:{seed}:{number}")  # noqa: S311
        name = chosen[number % len(chosen)]
        asked = ask(rng, name, known[name](rng))
        return task("structured", "structured", number, seed, asked, solved=options.solved)

    return Source(make)


def ask(rng: Random, name: str, document: Document) -> Asked:
    """A document and its schema as a task. Some properties may be left out of both."""
    names = list(document.properties)
    kept = set(rng.sample(names, rng.randint(max(2, len(names) - 3), len(names))))
    properties = {each: document.properties[each] for each in names if each in kept}
    value = {each: document.value[each] for each in names if each in kept & set(document.value)}
    required = [each for each in properties if "leave out" not in str(properties[each])
                and "only if" not in str(properties[each])]  # fmt: skip
    schema: Schema = of(properties, required)
    sentences = list(document.facts)
    for sentence in rng.sample(document.noise, rng.randint(0, len(document.noise))):
        sentences.insert(rng.randint(1, len(sentences)), sentence)
    text = rng.choice(SHAPES).format(
        order=rng.choice(ORDERS),
        schema=json.dumps(schema, ensure_ascii=False, indent=rng.choice((None, None, None, 1))),
        document=rng.choice((" ", "\n")).join(sentences),
    )
    written = json.dumps(value, ensure_ascii=False, indent=rng.choice((None, 2)))
    return Asked(
        messages=(Message("user", text),),
        reference={"schema": schema, "value": value},
        right=written,
        wrong=[json.dumps(each, ensure_ascii=False) for each in spoiled(value)],
        why=rng.choice(REASONS),
        group=name,
        domain="extraction",
        difficulty="complex"
        if any(isinstance(v, list | dict) for v in value.values())
        else "simple",
    )


def spoiled(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The value with each property in turn left out, changed or of another type, and one more."""
    for name, right in value.items():
        yield {each: value[each] for each in value if each != name}
        yield value | {name: None}
        yield value | {name: str(right) if not isinstance(right, str) else f"{right}?"}
    yield value | {"note": "none"}
    yield {}
