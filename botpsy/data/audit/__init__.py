"""An audit of training data: what is in it, and what is wrong with it.

    balance        rows over domain, kind, source, augmentation; shares; sizes; tools
    masks          the loss mask covers what the assistant says, all of it and nothing else
    facts          a row's schemas and calls hold (``check_row``), and all else known of one row
    grounding      arguments and numbers that nobody gave
    duplicates     rows that say nearly the same, and validation rows that training has
    contamination  rows and tools that a benchmark has

An audit *fails* for a mask or a schema that is wrong and for contamination; the rest is for a
person to judge. Rows are looked at in parallel; what is compared is compared in one process.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from botpsy.data.audit.balance import Balance, balance
from botpsy.data.audit.contamination import MAX_ROWS, MAX_TOOLS, Contamination, contamination
from botpsy.data.audit.duplicates import Duplicates, duplicates
from botpsy.data.audit.facts import Facts, Looked, Tool, look_at
from botpsy.data.audit.grounding import Untold
from botpsy.data.files import data_files, read_stored
from botpsy.data.workers import pool
from botpsy.errors import ConfigError

CHUNK = 100
"""Rows that a worker looks at in one go."""
EXAMPLES = 5
"""Examples kept for each thing that is counted."""

Progress = Callable[[str, int, int], None]
"""What is being done, how much of it is, of how much."""


@dataclass
class Problems:
    """How often something is wrong, and with which rows."""

    count: int = 0
    rows: list[str] = field(default_factory=list)


@dataclass
class SourceGrounding:
    """Of one source: strings in calls, numbers in answers, and those that nobody gave.

    ``invented_in`` counts invented values by ``tool.argument``.
    """

    strings: int = 0
    reworded: int = 0
    invented: int = 0
    numbers: int = 0
    new_numbers: int = 0
    invented_in: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass
class Audit:
    """All that was found.

    Attributes:
        unit: what sizes are in, ``tokens`` or ``characters``.
        files: rows by file.
        masks, schemas: what is wrong -> how often, with which rows.
        contamination: None if no benchmarks were given.
    """

    unit: str
    files: dict[str, int]
    balance: Balance
    masks: dict[str, Problems]
    schemas: dict[str, Problems]
    grounding: dict[str, SourceGrounding]
    duplicates: Duplicates
    contamination: Contamination | None

    @property
    def failures(self) -> list[str]:
        """Why the data must not be trained on; empty if it may be."""
        found = []
        for name, problems in (("loss mask", self.masks), ("schema or form", self.schemas)):
            if count := sum(each.count for each in problems.values()):
                found.append(f"{count} rows with a wrong {name}")
        if self.contamination:
            if (count := len(self.contamination.rows)) > MAX_ROWS:
                found.append(f"{count} rows are in a benchmark (at most {MAX_ROWS})")
            if (count := len(self.contamination.tools)) > MAX_TOOLS:
                found.append(f"{count} tools are in a benchmark (at most {MAX_TOOLS})")
        return found

    def to_json(self) -> dict[str, Any]:
        """As one JSON object."""
        return asdict(self) | {"failures": self.failures}


def audit(
    paths: Sequence[Path],
    *,
    benchmarks: Path | None = None,
    format_name: str = "pocket",
    tokenizer: Path | None = None,
    workers: int = 1,
    progress: Progress = lambda stage, done, total: None,
) -> Audit:
    """Audit files of rows, or all files in folders.

    Raises:
        ConfigError: one of them holds no rows, or there is no benchmark.
    """
    files = [file for path in paths for file in data_files(path)]
    rows: list[Facts] = []
    tools: dict[bytes, Tool] = {}
    counts: Counter[str] = Counter()
    total = sum(map(_count, files))
    jobs = (
        (str(file), chunk, ".validation." in file.name)
        for file in files
        for chunk in _chunks(read_stored(file))
    )
    for file, looking in _look_at_all(jobs, format_name, tokenizer, workers):
        try:
            looked = looking()
        except ConfigError as error:
            raise ConfigError(f"{file}: {error.message}", error.hint) from None
        rows += looked.facts
        tools |= looked.tools
        counts[file] += len(looked.facts)
        progress("rows", len(rows), total)
    if not rows:
        raise ConfigError(f"No rows are in {', '.join(map(str, files))}.")
    return Audit(
        "tokens" if tokenizer else "characters",
        {str(file): counts[str(file)] for file in files},
        balance(rows, tools),
        _problems((row.mask, row.id) for row in rows),
        _problems((row.schema, row.id) for row in rows),
        _grounding(rows),
        duplicates(rows, lambda done: progress("duplicates", done, len(rows))),
        contamination(rows, tools, benchmarks, lambda *at: progress("benchmarks", *at))
        if benchmarks
        else None,
    )


_Job = tuple[str, list[dict[str, Any]], bool]


def _look_at_all(
    jobs: Iterator[_Job], format_name: str, tokenizer: Path | None, workers: int
) -> Iterator[tuple[str, Callable[[], Looked]]]:
    """Ways to get at facts, in the order of rows; few more rows are read than are looked at."""
    if workers <= 1:
        for file, chunk, kept in jobs:
            yield file, partial(look_at, chunk, kept, format_name, tokenizer)
        return
    with pool(workers) as hands:

        def begin(job: _Job) -> tuple[str, Callable[[], Looked]]:
            file, chunk, kept = job
            return file, hands.submit(look_at, chunk, kept, format_name, tokenizer).result

        waiting = deque(map(begin, islice(jobs, 2 * workers)))
        while waiting:
            yield waiting.popleft()
            waiting += map(begin, islice(jobs, 1))


def _chunks(stored: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for first in stored:
        yield [first, *islice(stored, CHUNK - 1)]


def _count(path: Path) -> int:
    """Rows in a file; 0 where there are none to count, which is said when it is read."""
    if not path.is_file():
        return 0
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return int(pq.ParquetFile(path).metadata.num_rows)
        except pa.ArrowException:
            return 0
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _problems(found: Iterable[tuple[str, str]]) -> dict[str, Problems]:
    problems: defaultdict[str, Problems] = defaultdict(Problems)
    for what, row in found:
        if what:
            problems[what].count += 1
            if len(problems[what].rows) < EXAMPLES:
                problems[what].rows.append(row)
    return dict(problems)


def _grounding(rows: Sequence[Facts]) -> dict[str, SourceGrounding]:
    made: defaultdict[str, SourceGrounding] = defaultdict(SourceGrounding)
    where: defaultdict[str, Counter[str]] = defaultdict(Counter)
    shown: Counter[tuple[str, str]] = Counter()
    for row in rows:
        ground = row.grounding
        if ground is None or row.is_task:
            continue
        into = made[row.source]
        into.strings += ground.strings
        into.reworded += len(ground.reworded)
        into.invented += len(ground.invented)
        into.numbers += ground.numbers
        into.new_numbers += len(ground.new_numbers)
        where[row.source].update(each.where for each in ground.invented)
        kinds: Mapping[str, tuple[Untold, ...]] = {
            "invented": ground.invented,
            "reworded": ground.reworded,
            "number": ground.new_numbers,
        }
        for kind, untold in kinds.items():
            if untold and shown[row.source, kind] < EXAMPLES:
                shown[row.source, kind] += 1
                first = untold[0]
                into.examples.append((kind, row.id, f"{first.where}: {first.value[:120]}"))
    for source, into in made.items():
        into.invented_in = dict(where[source].most_common(10))
    return dict(sorted(made.items()))
