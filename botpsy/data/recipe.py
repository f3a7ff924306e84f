"""A recipe says what data to build: one TOML file, read into frozen models.

name = "pocket-sft"
seed = 1
max_tokens = 1024              # longer rows are left out and counted, never cut
tokenizer = "default"          # whose tokens: a model, a .gguf, a tokenizer.json
format = "pocket"
validation = 0.02              # share of groups kept for choosing a checkpoint

[[source]]
name = "worlds"                # a module of botpsy/data/sources
rows = 9000
options = { kinds = ["single", "missing"] }   # the source's own
[source.augment]
near = 0.5                     # see botpsy/data/augment.py
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from botpsy.errors import ConfigError

Share = Field(default=0.0, ge=0.0, le=1.0)


class Augment(BaseModel):
    """The share of a source's rows that each augmentation is tried on. See ``augment``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    near: float = Share
    """Add tools that are like those called."""
    far: float = Share
    """Add tools that have nothing to do with the request."""
    long_list: float = Share
    """Add tools up to 20–40."""
    shuffle: float = Share
    """Offer tools in another order."""
    rename_tools: float = Share
    """Give tools names that say nothing, so that descriptions must be read."""
    rename_parameters: float = Share
    """The same for parameters."""
    shorten: float = Share
    """Cut descriptions to their first words, or leave them out."""
    remove_tool: float = Share
    """Take away the tool that is needed: declining becomes right."""
    remove_value: float = Share
    """Take a required value out of the request: asking becomes right."""
    typos: float = Share
    """Typing errors in the user's words, values spared."""
    speech: float = Share
    """The user's words as dictated: no capitals, no punctuation."""
    locale: float = Share
    """Dates and times in the user's words in another locale's form."""
    join: float = Share
    """Several rows' requests in one conversation."""


class SourceRecipe(BaseModel):
    """How much of one source, and how."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    rows: int = Field(ge=1, le=10_000_000)
    """With the second tries, numbers stay below those of the next seed (``sources.worlds``)."""
    path: str = ""
    """Folder of a corpus; relative to the folder given to the builder (``--corpora``)."""
    options: dict[str, Any] = Field(default_factory=dict)
    as_calls: bool = False
    """Tasks instead of conversations: what is to be called next. See ``tasks.calls``."""
    augment: Augment = Augment()


class DataRecipe(BaseModel):
    """See the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")
    seed: int = 0
    max_tokens: int = Field(default=0, ge=0)
    """0: no limit, and no tokenizer is needed."""
    tokenizer: str = "default"
    format: Literal["pocket", "qwen3_5"] = "pocket"
    validation: float = Field(default=0.0, ge=0.0, lt=0.5)
    source: tuple[SourceRecipe, ...] = Field(min_length=1)

    @property
    def hash(self) -> str:
        """Changes with everything that changes rows."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


def read_recipe(path: Path) -> DataRecipe:
    """The recipe in a TOML file.

    Raises:
        ConfigError: it cannot be read, or says something that is not understood.
    """
    try:
        return DataRecipe.model_validate(tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        raise ConfigError(
            f"The recipe {path} cannot be read: {error.strerror}.",
            "Name a TOML file such as recipes/data/pocket-sft.toml.",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}.") from None
    except ValidationError as error:
        raise ConfigError(
            f"{path}: {first_fault(error)}.", "docs/data.md says what a recipe may say."
        ) from None


def first_fault(error: ValidationError) -> str:
    """Where and what: ``source.0.row: this key is not known``."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    unknown = first["type"] == "extra_forbidden"
    return f"{where}: {'this key is not known' if unknown else first['msg']}"
