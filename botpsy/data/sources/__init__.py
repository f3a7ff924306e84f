"""Where rows come from: one module per source.

A source is a function from a number to a row: the same number gives the same row on every machine,
in any order, in any process. Each module here has

    def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source

which loads what it needs (a second or two, once per worker) and raises ``MissingDataError`` if it
is not there. ``options`` that it does not know raise ``ConfigError`` (see ``options_of``).
"""

from __future__ import annotations

import importlib
import pkgutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from botpsy.chat.types import ToolSpec
from botpsy.data.recipe import SourceRecipe, first_fault
from botpsy.data.types import Row
from botpsy.errors import ConfigError

O = TypeVar("O", bound=BaseModel)  # noqa: E741


@dataclass(frozen=True)
class Source:
    """An opened source.

    Attributes:
        make: number -> row, not augmented. Raises ``UnusableError`` for an item that makes none.
            Numbers at or above ``size`` come round again, with other chance if the source has any.
        size: how many different items there are; 0 where there is no end.
        pool: tools for distractors; none that training must not see.
    """

    make: Callable[[int], Row]
    size: int = 0
    pool: Sequence[ToolSpec] = field(default=(), repr=False)


def names() -> list[str]:
    """All sources."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__) if each.name[0] != "_")


def open_source(recipe: SourceRecipe, seed: int, corpora: Path) -> Source:
    """Open the source that the recipe names.

    Raises:
        ConfigError: there is no such source, or it does not know an option.
        MissingDataError: what it reads is not there.
    """
    if recipe.name not in names():
        raise ConfigError(f"There is no source {recipe.name!r}.", f"Known: {', '.join(names())}.")
    module: Any = importlib.import_module(f"{__name__}.{recipe.name}")
    source: Source = module.open_source(recipe, seed, corpora)
    return source


@contextmanager
def reading(path: Path, corpus: str) -> Iterator[None]:
    """Whatever goes wrong with the content of a corpus names its file. A file that is not there is
    for its source to say, with licence and origin (``MissingDataError``).

    Raises:
        ConfigError: the file is damaged, half there, or another one.
    """
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError) as e:
        raise ConfigError(
            f"{path} does not hold {corpus}: {type(e).__name__}: {e}.",
            "Get it anew; docs/data.md says where.",
        ) from None


def options_of(recipe: SourceRecipe, model: type[O]) -> O:
    """The source's own options, as its model.

    Raises:
        ConfigError: an option is unknown or has a value that is not admitted.
    """
    try:
        return model.model_validate(recipe.options)
    except ValidationError as error:
        raise ConfigError(
            f"source {recipe.name}: options.{first_fault(error)}.",
            f"Known: {', '.join(model.model_fields) or 'none'}.",
        ) from None
