"""A run on the disk: one suite by one model.

    RUN/run.json       what the run is known by: suite, data, model, sampling, versions
    RUN/records.jsonl  one line a case and trial, with all that was said; written as cases end
    RUN/scores.json    the numbers
    RUN/report.*       the same for people

A record is written whole, at once. After a kill, a line that is not whole is dropped and its case
is run again.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from botpsy.errors import UsageError
from botpsy.evals.case import Measured, Verdict
from botpsy.evals.statistics import Judged
from botpsy.evals.talk import Turn, turn_of

RUN, RECORDS, SCORES = "run.json", "records.jsonl", "scores.json"


@dataclass(frozen=True, slots=True)
class Record:
    """What came of one trial of a case.

    Attributes:
        verdict: None where there is none: the engine failed (``error``), or we did (``fault``).
        seconds: on the clock.
    """

    case: str
    trial: int
    category: str
    group: str
    domain: str
    turns: tuple[Turn, ...]
    verdict: Verdict | None
    error: str = ""
    fault: str = ""
    seconds: float = 0.0

    def line(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self), ensure_ascii=True) + "\n"


def record_of(stored: Mapping[str, Any]) -> Record:
    """A record as it was kept."""
    verdict = stored["verdict"]
    fields = dict(stored) | {
        "turns": tuple(turn_of(turn) for turn in stored["turns"]),
        "verdict": Verdict(_measures(verdict["measures"]), verdict["note"]) if verdict else None,
    }
    return Record(**fields)


def _measures(stored: Mapping[str, Sequence[float]]) -> dict[str, Measured]:
    return {name: (float(done), float(of)) for name, (done, of) in stored.items()}


@dataclass
class Records:
    """The records of a run: those that are there, and more as they come.

    Raises:
        UsageError: the file holds something else.
    """

    folder: Path
    found: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        path = self.folder / RECORDS
        whole = 0
        if path.is_file():
            with path.open("rb") as file:
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    try:
                        self.found.append(record_of(json.loads(line)))
                    except (ValueError, TypeError, KeyError) as error:
                        raise UsageError(
                            f"{path} holds no records of a run: {type(error).__name__}: {error}.",
                            "Choose another folder, or delete what is in it.",
                        ) from None
                    whole += len(line)
            if whole < path.stat().st_size:
                os.truncate(path, whole)

    def add(self, record: Record) -> None:
        """Keep one more. Not for several threads at once."""
        with (self.folder / RECORDS).open("a", encoding="utf-8") as file:
            file.write(record.line())
            file.flush()
            os.fsync(file.fileno())
        self.found.append(record)

    def last(self) -> list[Record]:
        """Of each case and trial the newest: a second try replaces a failed one."""
        return list({(each.case, each.trial): each for each in self.found}.values())


def judged_of(records: Sequence[Record]) -> list[Judged]:
    """The cases that have verdicts, with those of all their trials."""
    trials: defaultdict[str, list[Record]] = defaultdict(list)
    for each in sorted(records, key=lambda each: each.trial):
        if each.verdict is not None:
            trials[each.case].append(each)
    return [
        Judged(case, some[0].category, some[0].group, tuple(_verdict(each) for each in some))
        for case, some in sorted(trials.items())
    ]


def _verdict(record: Record) -> Verdict:
    assert record.verdict is not None
    return record.verdict
