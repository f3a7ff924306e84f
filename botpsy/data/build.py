"""From a recipe to files: the same rows for the same recipe, whatever the number of workers.

Work is cut into units of rows. A unit is a pure function of recipe, code and corpora, so workers
may take units in any order, a build that was killed goes on with the units that are missing, and a
cluster (``botpsy.data.scale``) does the same with the same function.

    OUT/build.json            recipe, hashes, counts, what was left out and why
    OUT/parts/00003.jsonl     one unit, removed when the build is whole
    OUT/conversations.jsonl   to learn from             OUT/conversations.validation.jsonl
    OUT/tasks.jsonl           to be verified            OUT/tasks.validation.jsonl
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from random import Random
from typing import Any

import botpsy
from botpsy.chat.formats import chat_format
from botpsy.data.augment import augment
from botpsy.data.check import check_row
from botpsy.data.files import Form, Report, alone, join, write_whole
from botpsy.data.recipe import DataRecipe
from botpsy.data.sources import Source, open_source
from botpsy.data.tasks.calls import call_task
from botpsy.data.types import MissingDataError, Row, UnusableError, dump
from botpsy.data.workers import pool
from botpsy.errors import ConfigError, UsageError

UNIT = 100
"""Rows in a unit; part of what a row is, since a row's second tries depend on it."""
TRIES = 6
"""Items tried for one row before it is given up."""
# What rows depend on, besides the recipe. Rules of time zones are data, and so are the tables of
# the standard library that questions are made of.
_PACKAGES = ("botocore", "dateparser", "google-api-python-client", "reasoning-gym", "tzdata")
_CODE = ("chat", "clock", "services", "tools", "worlds", "rewards", "data")

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Unit:
    """Rows ``first`` up to ``first + count`` of the ``source``-th source; ``n`` names its file."""

    n: int
    source: int
    first: int
    count: int


@dataclass(frozen=True)
class Job:
    """All that a worker needs to know."""

    recipe: DataRecipe
    parts: Path
    corpora: Path
    tokenizer: Path | None = None


def build(
    recipe: DataRecipe,
    out: Path,
    *,
    corpora: Path,
    tokenizer: Path | None = None,
    workers: int = 1,
    form: Form = "jsonl",
    progress: Progress = lambda done, total: None,
    run: Callable[[Job, list[Unit], Progress], None] | None = None,
) -> Report:
    """Build what the recipe says into ``out``; goes on where an earlier run stopped.

    Args:
        tokenizer: whose tokens the limit is in; needed if the recipe has one.
        run: another way to have units written (``botpsy.data.scale``).

    Raises:
        ConfigError: a source does not know an option, or no source could be opened.
        UsageError: ``out`` holds something else, or another build is at work in it.
    """
    if recipe.max_tokens and tokenizer is None:
        raise ConfigError("The recipe has a token limit, so a tokenizer is needed.")
    report = Report()
    present = _present(recipe, corpora, report)
    job = Job(recipe, out / "parts", corpora, tokenizer)
    units = [unit for unit in units_of(recipe) if unit.source in present]
    identity = _identity(job, present, form)
    with alone(out, "build", "build.json"):
        if (done := _claim(out, identity)) is not None:
            return done
        todo = [unit for unit in units if not _part(job, unit).exists()]
        (run or _run_local(workers))(
            job, todo, lambda done, _: progress(len(units) - len(todo) + done, len(units))
        )
        join(recipe, [_part(job, unit) for unit in units], out, form, report)
        stored = {"identity": identity, "report": asdict(report)}
        write_whole(out / "build.json", json.dumps(stored, indent=1).encode())
        shutil.rmtree(job.parts)
    return report


def units_of(recipe: DataRecipe) -> list[Unit]:
    """The whole work, cut up."""
    units: list[Unit] = []
    for n, source in enumerate(recipe.source):
        for first in range(0, source.rows, UNIT):
            units.append(Unit(len(units), n, first, min(UNIT, source.rows - first)))
    return units


def write_unit(job: Job, unit: Unit) -> None:
    """Make a unit's rows and write them, all or nothing."""
    settings = job.recipe.source[unit.source]
    source = _opened(job, unit.source)
    rows: list[Row] = []
    refused: Counter[str] = Counter()
    short = 0
    for number in range(unit.first, unit.first + unit.count):
        for attempt in range(TRIES):
            try:
                rows.append(_row(job, unit.source, source, number + attempt * settings.rows))
                break
            except UnusableError as error:
                refused[error.message] += 1
        else:
            short += 1
    head = {"source": settings.name, "refused": dict(refused), "short": short}
    lines = [dump(head), *(dump(row.to_json()) for row in rows)]
    write_whole(_part(job, unit), ("\n".join(lines) + "\n").encode())


def _row(job: Job, at: int, source: Source, number: int) -> Row:
    recipe = job.recipe
    settings = recipe.source[at]
    chat = chat_format(recipe.format)
    row = source.make(number)
    rng = Random(f"augment:{recipe.seed}:{at}:{number}")  # noqa: S311 - chance, not secrets
    # A second row to join comes from beyond all numbers that a unit may use.
    beyond = number + settings.rows * TRIES
    row = augment(row, settings.augment, rng, source.pool, lambda: source.make(beyond))
    # Sources may be used twice, and an item of a corpus more than once.
    row = replace(row, id=f"{row.id}#{at}.{number}")
    if settings.as_calls:
        row = call_task(row)
    check_row(row, chat)
    if job.tokenizer:
        ids, mask = chat.encode(row.messages, row.tools, _tokens(job.tokenizer))
        if 0 < recipe.max_tokens < len(ids):
            raise UnusableError(f"more than {recipe.max_tokens} tokens")
        if not row.is_task and not 0 < sum(mask) < len(mask):
            raise UnusableError("nothing, or everything, is to be learnt")
    return row


@cache
def _tokens(path: Path) -> Any:
    from botpsy.chat.tokens import tokenizer_of

    return tokenizer_of(path)


@lru_cache(maxsize=64)
def _open(recipe_json: str, at: int, corpora: Path) -> Source:
    recipe = DataRecipe.model_validate_json(recipe_json)
    return open_source(recipe.source[at], recipe.seed, corpora)


def _opened(job: Job, at: int) -> Source:
    return _open(job.recipe.model_dump_json(), at, job.corpora)


def _present(recipe: DataRecipe, corpora: Path, report: Report) -> dict[int, Source]:
    """The sources that are there, by place in the recipe."""
    found: dict[int, Source] = {}
    for at, settings in enumerate(recipe.source):
        try:
            found[at] = _open(recipe.model_dump_json(), at, corpora)
        except MissingDataError as error:
            report.missing[settings.name] = str(error)
    if not found:
        raise ConfigError(
            "None of the recipe's sources is there: " + " ".join(report.missing.values())
        )
    return found


# --- running --------------------------------------------------------------------------------------


def _run_local(workers: int) -> Callable[[Job, list[Unit], Progress], None]:
    def run(job: Job, units: list[Unit], progress: Progress) -> None:
        if workers <= 1 or len(units) <= 1:
            for n, unit in enumerate(units, 1):
                write_unit(job, unit)
                progress(n, len(units))
            return
        with pool(workers) as hands:
            waiting = [hands.submit(write_unit, job, unit) for unit in units]
            try:
                for n, each in enumerate(as_completed(waiting), 1):
                    each.result()
                    progress(n, len(units))
            except BaseException:
                hands.shutdown(wait=False, cancel_futures=True)
                raise

    return run


# --- files ----------------------------------------------------------------------------------------


def _identity(job: Job, present: Iterable[int], form: Form) -> dict[str, Any]:
    """What makes two builds the same."""
    return {
        "recipe": job.recipe.model_dump(mode="json"),
        "recipe_hash": job.recipe.hash,
        "code_hash": code_hash(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "form": form,
        "sources": sorted(present),
        "tokenizer": _digest(job.tokenizer) if job.tokenizer else "",
        "corpora": {
            source.path or source.name: _digest(job.corpora / (source.path or source.name))
            for source in job.recipe.source
            if (job.corpora / (source.path or source.name)).exists()
        },
    }


@cache
def code_hash() -> str:
    """Of all code that rows depend on."""
    root = Path(botpsy.__file__).parent
    total = hashlib.sha256()
    for room in _CODE:
        found = root / room
        for path in sorted(found.rglob("*.py")) if found.is_dir() else [found.with_suffix(".py")]:
            total.update(f"{path.relative_to(root)}:".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _digest(path: Path) -> str:
    """Of a file, or of all files in a folder."""
    total = hashlib.sha256()
    for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if each.is_file():
            total.update(f"{each.name}:{each.stat().st_size}:".encode() + each.read_bytes())
    return total.hexdigest()[:16]


def _claim(out: Path, identity: Mapping[str, Any]) -> Report | None:
    """Make the folder this build's, or see that it is; the report of a build that is whole."""
    manifest, parts = out / "build.json", out / "parts"
    stored = _manifest(manifest)
    there = stored.get("identity")
    report = Report(**stored["report"]) if "report" in stored else None
    # A build that failed before it made anything, say for want of a tokenizer, keeps no folder.
    empty = not report and set(out.iterdir()) <= {manifest, parts, out / ".lock"}
    if there != identity and not (empty and not any(parts.glob("[0-9]*"))):
        known = there if isinstance(there, dict) else {}
        changed = sorted(name for name in identity if known.get(name) != identity[name])
        raise UsageError(
            f"{out} holds another build; these differ: {', '.join(changed)}.",
            "Choose another folder, or remove this one.",
        )
    if report:
        if gone := [name for name in report.rows if not (out / name).is_file()]:
            raise UsageError(
                f"{out} holds a build without its {', '.join(gone)}.",
                "To build it again, remove the folder.",
            )
        shutil.rmtree(parts, ignore_errors=True)
        return report
    write_whole(manifest, dump({"identity": identity}).encode())
    parts.mkdir(exist_ok=True)
    return None


def _manifest(path: Path) -> dict[str, Any]:
    """What is stored of a build; nothing if there is none or it is damaged."""
    if not path.exists():
        return {}
    try:
        stored = json.loads(path.read_text("utf-8"))
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) else {}


def _part(job: Job, unit: Unit) -> Path:
    return job.parts / f"{unit.n:05}.jsonl"
