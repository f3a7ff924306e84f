"""A training recipe: one TOML file, read into frozen models; a wrong key is named with its place.

    name = "pocket"
    seed = 1
    [model]                      # what training starts from
    [launch]                     # devices and processes; one process by default
    [[suite]]                    # held-out measures that choose checkpoints
    [sft]                        # stage 1
    [[teacher]]                  # specialists: a ready model, or a base with its own sft and dapo
    [mopd]                       # stage 2
    [[dapo]]                     # stages 3 and 4

The stages run in this order, each from the best checkpoint of the one before; a section that is
not there is a stage that is not run. Files are named relative to the recipe. Data is named by

- a folder that ``botpsy data build`` made: training reads its ``conversations`` or ``tasks``, and
  suites read the ``.validation`` part of them;
- one ``.jsonl`` or ``.parquet`` file of rows, read as it is;
- a data recipe (``.toml``): the pipeline builds it first, into the run folder.

Combinations that cannot work are refused here, before anything is loaded.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from botpsy.errors import ConfigError, UsageError
from botpsy.train.sections import (
    FROM_SFT,
    NAME,
    DapoRecipe,
    LaunchRecipe,
    ModelRecipe,
    MopdRecipe,
    OnPolicyRecipe,
    Section,
    SftRecipe,
    StageRecipe,
    SuiteRecipe,
    TeacherRecipe,
    distinct,
)
from botpsy.train.shapes import RELEASES

ROUNDS = 2
"""DAPO rounds that a recipe may have."""


class TrainRecipe(Section):
    """See the module."""

    name: str = Field(pattern=NAME)
    seed: int = Field(default=0, ge=0)
    model: ModelRecipe
    launch: LaunchRecipe = LaunchRecipe()
    suite: tuple[SuiteRecipe, ...] = Field(min_length=1)
    sft: SftRecipe | None = None
    teacher: tuple[TeacherRecipe, ...] = ()
    mopd: MopdRecipe | None = None
    dapo: tuple[DapoRecipe, ...] = Field(default=(), max_length=ROUNDS)

    _folder: Path = PrivateAttr(default=Path())

    @property
    def hash(self) -> str:
        """Changes with everything the recipe says; files that it names are hashed by the run."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    def file(self, name: str) -> Path:
        """A file that the recipe names."""
        return self._folder / name

    def stages(self) -> dict[str, StageRecipe]:
        """The stages in order, teachers' before the distillation they are for.

        Names are ``sft``, ``teacher-NAME-sft``, ``teacher-NAME-dapo``, ``mopd``, ``dapo1``, …
        """
        found: dict[str, StageRecipe | None] = {"sft": self.sft}
        for teacher in self.teacher:
            found[f"teacher-{teacher.name}-sft"] = teacher.sft
            found[f"teacher-{teacher.name}-dapo"] = teacher.dapo
        found["mopd"] = self.mopd
        found |= {f"dapo{n}": stage for n, stage in enumerate(self.dapo, 1)}
        return {name: stage for name, stage in found.items() if stage is not None}

    def chosen(self, only: str = "") -> list[str]:
        """The names of all stages, or of the one that is named.

        Raises:
            UsageError: there is no such stage.
        """
        names = list(self.stages())
        if only and only not in names:
            raise UsageError(f"There is no stage {only!r}.", f"Known: {', '.join(names)}.")
        return [only] if only else names

    def before(self, name: str) -> str:
        """The stage whose best checkpoint a stage starts from; empty if it starts from a base."""
        of = name.rpartition("-")[0]  # of "teacher-NAME-sft"; a student's stage is of nobody
        chain = [each for each in self.stages() if each.rpartition("-")[0] == of]
        at = chain.index(name)
        if at:
            return chain[at - 1]
        taught = self._taught_in(name)
        return FROM_SFT if taught and taught.base == FROM_SFT else ""

    def base_of(self, name: str) -> str:
        """The base that a stage, or the first before it, starts from."""
        taught = self._taught_in(name)
        return self.origin_of(taught) if taught else self.model.base

    def origin_of(self, teacher: TeacherRecipe) -> str:
        """The ready model or the base that a teacher's weights come from."""
        own = teacher.model or teacher.base
        return self.model.base if own == FROM_SFT else own

    def _taught_in(self, name: str) -> TeacherRecipe | None:
        """The teacher whose stage it is; None for the student's."""
        of = name.rpartition("-")[0]
        return next((each for each in self.teacher if of == f"teacher-{each.name}"), None)

    def data(self) -> list[str]:
        """All data that is named, each once."""
        names = [*self.model.texts, *(suite.rows for suite in self.suite)]
        for section in self.stages().values():
            if isinstance(section, SftRecipe):
                names += section.rows
            elif isinstance(section, OnPolicyRecipe):
                names += [part.rows for part in section.mix]
        return list(dict.fromkeys(names))

    def teacher_of(self, route: str) -> TeacherRecipe:
        """Who teaches a route.

        Raises:
            ConfigError: nobody does.
        """
        for teacher in self.teacher:
            if route in teacher.routes:
                return teacher
        raise ConfigError(f"No teacher has the route {route!r}.", "Name it in a [[teacher]].")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        suites = distinct("suite", (suite.name for suite in self.suite))
        distinct("teacher", (teacher.name for teacher in self.teacher))
        routes = distinct("route", (route for each in self.teacher for route in each.routes))
        stages = self.stages()
        if not stages:
            raise ValueError("there is no stage: give sft, mopd or dapo")
        for name, stage in stages.items():
            if stage.select not in suites:
                raise ValueError(
                    f"{name}.select: there is no suite {stage.select!r}; known: {', '.join(suites)}"
                )
            self._divides(name, stage)
        if not self.sft and any(each.base == FROM_SFT for each in self.teacher):
            raise ValueError('teacher.base: "sft" is the best of the stage sft, and there is none')
        if self.mopd and not self.teacher:
            raise ValueError("mopd needs at least one [[teacher]]")
        if self.teacher and not self.mopd:
            raise ValueError("there are teachers but no mopd section in which they teach")
        used = {part.route for part in self.mopd.mix} if self.mopd else set()
        if unknown := sorted(used - set(routes)):
            raise ValueError(f"mopd.mix: no teacher has the route {unknown[0]!r}")
        if idle := sorted(set(routes) - used):
            raise ValueError(f"teacher: no part of mopd.mix has the route {idle[0]!r}")
        for name, stage in stages.items():
            picky = isinstance(stage, OnPolicyRecipe) and (stage.top_p < 1 or stage.top_k)
            if picky and self.launch.rollouts == "vllm":
                raise ValueError(
                    f"{name}: vllm gives log-probabilities after top_p and top_k, and learning"
                    " needs those before; use top_p = 1 and top_k = 0"
                )
        if self.launch.rollouts == "vllm" and self.model.shape not in ("", *RELEASES.values()):
            raise ValueError(
                f"launch.rollouts: vllm serves no model of the shape {self.model.shape!r}; use"
                " generate"
            )
        return self

    def _divides(self, name: str, stage: StageRecipe) -> None:
        processes = self.launch.processes
        counted = {SftRecipe: "passes", OnPolicyRecipe: "prompts"}
        for kind, key in counted.items():
            if isinstance(stage, kind) and getattr(stage, key) % processes:
                raise ValueError(
                    f"{name}.{key} = {getattr(stage, key)} cannot be split over launch.processes ="
                    f" {processes}"
                )
        if stage.lora and self.launch.sharded:
            raise ValueError(f"{name}.lora: adapters are not sharded; use strategy ddp")


def read_recipe(path: Path) -> TrainRecipe:
    """The recipe in a TOML file.

    Raises:
        ConfigError: it cannot be read, or says what is not understood; names file and key.
    """
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(
            f"The recipe {path} cannot be read: {error.strerror}.",
            "Name a TOML file such as recipes/tiny.toml.",
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}.") from None
    try:
        # As JSON, whose lists pydantic takes for tuples where it takes no text for a number.
        recipe = TrainRecipe.model_validate_json(json.dumps(said, default=str), strict=True)
    except ValidationError as error:
        wrong = " ".join(_wrong(said, each) for each in error.errors())
        raise ConfigError(f"{path}: {wrong}") from None
    recipe._folder = path.parent
    return recipe


def resolved(text: str) -> TrainRecipe:
    """A recipe as a run keeps it; keys that it was made without have their defaults.

    Raises:
        ConfigError: another version wrote it.
    """
    try:
        return TrainRecipe.model_validate_json(text, strict=True)
    except ValidationError as error:
        wrong = " ".join(_wrong({}, each) for each in error.errors())
        raise ConfigError(f"This version does not read the recipe that was kept: {wrong}") from None


def changed(before: TrainRecipe, now: TrainRecipe) -> list[str]:
    """The keys in which two recipes differ: ``sft.optim.lr``, ``suite.calls.limit``."""
    one, other = (dict(_leaves("", each.model_dump(mode="json"))) for each in (before, now))
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]


def _leaves(place: str, said: Any) -> Iterator[tuple[str, Any]]:
    """Every value with its key; what is in a list goes by its name if it has one."""
    parts: list[tuple[str, Any]] = []
    if isinstance(said, dict):
        parts = list(said.items())
    elif isinstance(said, list) and any(isinstance(each, dict) for each in said):
        parts = [(str(each.get("name", n)), each) for n, each in enumerate(said, 1)]
    if not parts:
        yield place, said
    for name, value in parts:
        yield from _leaves(f"{place}.{name}" if place else name, value)


def _wrong(said: Any, error: Any) -> str:
    """One wrong key, with its place."""
    where = _place(said, error["loc"])
    match error["type"]:
        case "extra_forbidden":
            place = [str(part) for part in error["loc"]]
            near = difflib.get_close_matches(place[-1], _keys(place[:-1]), 1)
            return f"{where}: unknown key." + (f" Did you mean {near[0]}?" if near else "")
        case "missing":
            what = "is not given"
        case "tuple_type" if isinstance(error["input"], dict):
            what = "there may be several, so each is written in double brackets, [[…]]"
        case "tuple_type":
            what = "must be a list, […]"
        case "model_type" if isinstance(error["input"], list):
            what = "there is one, so it is written in single brackets, […]"
        case "model_type":
            what = "must be a table, {…}"
        case "too_short":
            what = "must not be empty"
        case _:
            what = error["msg"].removeprefix("Value error, ").replace("Input should", "must")
            if isinstance(error["input"], str | int | float):
                what += f", not {json.dumps(error['input'])}"
    return f"{where}: {what}." if where else f"{what}."


def _place(said: Any, loc: Iterable[str | int]) -> str:
    """Where something is; what is in a list goes by its name if it has one."""
    parts = []
    for part in loc:
        try:
            said = said[part]
        except (LookupError, TypeError):
            said = None
        named = isinstance(part, int) and isinstance(said, dict) and said.get("name")
        parts.append(str(named or part))
    return ".".join(parts)


def _keys(place: Iterable[str]) -> list[str]:
    """The keys that are known at a place."""
    model: Any = TrainRecipe
    for part in place:
        if part.isdigit():
            continue
        annotation = model.model_fields[part].annotation
        inner = [annotation, *getattr(annotation, "__args__", ())]
        model = next(each for each in inner if isinstance(each, type) and issubclass(each, Section))
    return list(model.model_fields)
