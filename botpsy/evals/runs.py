"""Runs in folders: begun, gone on with, scored, loaded, and played again.

A run goes on only with what it was begun with: suite and its code, data, model, sampling, sample.
Trials may be added, and more or fewer cases may be in flight.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from botpsy import __version__
from botpsy.chat.formats import chat_format
from botpsy.data.files import alone, write_whole
from botpsy.engines.base import Engine, EngineInfo
from botpsy.errors import BotpsyError, ConfigError, UsageError
from botpsy.evals.case import Case, Suite
from botpsy.evals.code import code_of
from botpsy.evals.data import data_hash
from botpsy.evals.record import RUN, SCORES, Record, Records
from botpsy.evals.registry import suite
from botpsy.evals.result import Result, result_of
from botpsy.evals.run import Progress, Say, Settings, Submit, again, bounds, chosen, run

CHUNK = 200
"""Records that one process plays again at a time."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One suite to be run into a folder."""

    suite: Suite
    data: Path
    settings: Settings
    out: Path


@dataclass(frozen=True)
class Loaded:
    """A run as it lies in its folder."""

    folder: Path
    about: Mapping[str, Any]
    suite: Suite
    records: Sequence[Record]

    @cached_property
    def result(self) -> Result:
        """Its numbers."""
        limit = self.about["settings"]["limit"]
        return result_of(self.suite, self.records, self.about["bounds"], limit=limit)

    @property
    def model(self) -> str:
        """What its column is called."""
        return str(self.about["models"]["model"][0]["name"])


def run_suite(
    asked: Asked,
    engines: Mapping[str, Sequence[Engine]],
    *,
    progress: Progress = lambda record, done, total: None,
    say: Say = lambda text: None,
    elsewhere: Submit | None = None,
) -> Result:
    """Run what is not done, and write scores and report; the numbers. See ``botpsy.evals.run``.

    Raises:
        UsageError: the folder holds something else, or a role is not played.
        ConfigError: the suite's data is not there.
    """
    from botpsy.evals.report.single import write_report

    mine, out = asked.suite, asked.out
    if missing := [role for role in mine.roles if role not in engines]:
        raise UsageError(f"{mine.name} needs a model for: {', '.join(missing)}.", "Name one.")
    fresh = _about(asked, engines)
    cases = chosen(mine.cases(asked.data), asked.settings.limit, asked.settings.seed)
    if not cases:
        raise ConfigError(f"{mine.name} has no cases in {asked.data}.")
    with alone(out, "run", RUN):
        about = _claim(out, fresh, mine, cases)
        records = Records(out)
        try:
            settings = asked.settings
            run(mine, cases, engines, records, settings,
                progress=progress, say=say, elsewhere=elsewhere)  # fmt: skip
        finally:
            result = result_of(mine, records.last(), about["bounds"], limit=asked.settings.limit)
            write_whole(out / SCORES, json.dumps(result.to_json(), indent=1).encode())
            write_report(out, about, mine, records.last(), result)
    return result


def load_runs(folders: Sequence[Path]) -> list[Loaded]:
    """The runs in folders: each is a run, or has runs in it.

    Raises:
        UsageError: there is none.
    """
    found: list[Loaded] = []
    for folder in folders:
        mine = [folder, *sorted(folder.glob("*"))] if folder.is_dir() else []
        runs = [each for each in mine if (each / RUN).is_file()]
        if not runs:
            raise UsageError(f"There is no run in {folder}.", "Name what `eval run --out` made.")
        found += [_loaded(each) for each in runs]
    return found


def _loaded(folder: Path) -> Loaded:
    try:
        about = json.loads((folder / RUN).read_text("utf-8"))
    except ValueError:
        about = None
    if not isinstance(about, dict) or not {"suite", "models", "settings", "bounds"} <= about.keys():
        raise UsageError(
            f"{folder / RUN} is of no evaluation; training has a file of that name too.",
            "Name what `eval run --out` made.",
        )
    return Loaded(folder, about, suite(about["suite"]), Records(folder).last())


def verify(folder: Path, data: Path, workers: int = 0) -> list[str]:
    """The cases whose verdict is another when their record is played again, each with a reason.

    Raises:
        UsageError: there is no run, or the data is not what it was run on.
    """
    [loaded] = load_runs([folder])[:1]
    if data_hash(data, loaded.suite.data) != loaded.about["data"]:
        raise UsageError(f"{data} is not the data that {folder} was run on.", "Name it: --data.")
    records = [each for each in loaded.records if each.verdict is not None]
    parts = [records[n : n + CHUNK] for n in range(0, len(records), CHUNK)]
    name, count = loaded.suite.name, min(workers or os.cpu_count() or 1, len(parts))
    if count < 2:
        return [line for part in parts for line in _differs(name, data, part)]
    with ProcessPoolExecutor(count) as pool:
        found = pool.map(_differs, [name] * len(parts), [data] * len(parts), parts)
        return [line for some in found for line in some]


@cache
def _cases(name: str, data: Path) -> dict[str, Case]:
    return {case.id: case for case in suite(name).cases(data)}


def _differs(name: str, data: Path, records: Sequence[Record]) -> list[str]:
    found = []
    for each in records:
        case = _cases(name, data).get(each.case)
        if case is None:
            found.append(f"{each.case}: there is no such case")
            continue
        now = again(suite(name), case, each)
        if now.fault:
            found.append(f"{each.case}: {now.fault.splitlines()[-1]}")
        elif now.verdict != each.verdict:
            found.append(f"{each.case}: the verdict was {each.verdict}, and is {now.verdict}")
    return found


def _about(asked: Asked, engines: Mapping[str, Sequence[Engine]]) -> dict[str, Any]:
    """What a run is known by."""
    mine = asked.suite
    settings = asdict(asked.settings)
    return {
        "suite": mine.name,
        "title": mine.title,
        "partial": mine.partial,
        "data": data_hash(asked.data, mine.data),
        "code": code_of(mine.name),
        "models": {role: [_model(each.info) for each in some] for role, some in engines.items()},
        "settings": settings,
        "botpsy": __version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _model(info: EngineInfo) -> dict[str, Any]:
    try:
        template = chat_format(info.format).template
    except BotpsyError:  # a server's own
        template = ""
    shown = hashlib.sha256(template.encode()).hexdigest()[:16] if template else "the server's"
    return asdict(info) | {"template": shown}


def _claim(
    out: Path, about: dict[str, Any], mine: Suite, cases: Sequence[Case]
) -> Mapping[str, Any]:
    """Note what the run is known by, or hold it to what it was begun with."""
    path = out / RUN
    if not path.exists():
        firsts = {
            name: result_of(mine, some, {}).scores[mine.scores[0].name].value
            for name, some in bounds(mine, cases).items()
        }
        about["bounds"] = {name: value for name, value in firsts.items() if value is not None}
        write_whole(path, json.dumps(about, indent=1).encode())
        return about
    before: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if differs := [name for name, what in _held(before).items() if what != _held(about)[name]]:
        raise UsageError(
            f"{out} was begun with another {', '.join(differs)}.", "Choose another folder."
        )
    return before


def _held(about: Mapping[str, Any]) -> dict[str, Any]:
    """What must stay the same."""
    settings = about["settings"]
    models = {role: some[0] for role, some in about["models"].items()}
    known = {name: about[name] for name in ("suite", "data", "code")}
    same = {name: settings[name] for name in ("sampling", "limit", "seed")}
    return known | same | {"model": models}
