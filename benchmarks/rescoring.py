"""How long it takes to judge what was said once more: gold replies of a suite's cases, replayed.

    python benchmarks/rescoring.py SUITE --data BENCHMARKS [--cases 5000] [--workers 2]

Records are made with the gold agent first; what is timed is ``botpsy eval verify`` on them, reading
data and records included.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from botpsy.engines.scripted import Scripted
from botpsy.evals.record import Records
from botpsy.evals.registry import suite
from botpsy.evals.run import Settings
from botpsy.evals.runs import Asked, run_suite, verify


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite")
    parser.add_argument("--data", type=Path, default=Path("benchmarks"))
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    mine = suite(asked.suite)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        cases = list(mine.cases(asked.data))
        gold = {case.id: list(mine.gold(case) or [""]) for case in cases}
        replies = iter([reply for case in cases for reply in gold[case.id]])
        engine = Scripted(lambda messages, tools: next(replies))
        run_suite(Asked(mine, asked.data, Settings(), folder), {"model": [engine]})
        records = Records(folder)
        for n, record in enumerate(islice(cycle(list(records.last())), asked.cases)):
            if n >= len(cases):  # more trials of the same cases
                records.add(type(record)(**{**vars_of(record), "trial": n // len(cases)}))
        count = len(list(Records(folder).last()))
        began = time.perf_counter()
        differs = verify(folder, asked.data, asked.workers)
        spent = time.perf_counter() - began
    print(f"{asked.suite}: {count} records in {spent:.1f} s with {asked.workers} processes,"
          f" {len(differs)} differ")  # fmt: skip


def vars_of(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__slots__}  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
