"""An audit for the eye: tables, and the rows to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from botpsy.data.audit import Audit, Problems
from botpsy.data.audit.balance import QUANTILES
from botpsy.data.audit.contamination import (
    COMMON,
    COVERED,
    COVERED_WORDS,
    LONG,
    SHORT,
    Contamination,
    Meeting,
)
from botpsy.data.audit.duplicates import ALIKE
from botpsy.data.audit.tools import SAME_DESCRIPTION, SAME_PARAMETERS, ToolMeeting
from botpsy.services.text import visible_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

LISTED = 20
"""Rows and tools listed; all are in the JSON."""


def print_audit(audit: Audit, console: Console) -> None:
    """Print all of it; the verdict comes last."""
    for part in _parts(audit):
        console.print(part)
    if not audit.failures:
        console.print("\n[bold green]passed[/]")
    for failure in audit.failures:
        console.print(f"\n[bold red]failed:[/] {failure}")


def _parts(audit: Audit) -> Iterator[RenderableType]:
    yield _title("rows")
    yield _table(("file", "rows"), ((name, f"{n:,}") for name, n in audit.files.items()))
    yield _title("domain x kind")
    yield from _heat(audit.balance.domain_by_kind())
    yield _title("sources")
    yield from _sources(audit)
    if changes := audit.balance.total.changes:
        yield _title("augmentations")
        yield _table(
            ("what was changed", "rows"), ((name, f"{n:,}") for name, n in changes.items())
        )
    yield _title("loss masks: the assistant's turns and their ends, nothing else")
    yield _problems(audit.masks)
    yield _title("schemas, calls and the order of turns")
    yield _problems(audit.schemas)
    if audit.grounding:
        yield _title("told by nobody: values in calls, numbers in answers")
        yield from _grounding(audit)
    yield _title(f"near-duplicates: {ALIKE:.0%} of their runs of words in common")
    yield from _duplicates(audit)
    if audit.contamination:
        yield from _contamination(audit.contamination)


def _title(text: str) -> RenderableType:
    from rich.text import Text

    return Text(f"\n{text}", style="bold")


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> Table:
    """The first ``words`` columns are words, the others numbers. Cells may come from rows."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="left" if n < words else "right")
    for cells in rows:
        table.add_row(*(Text(visible_line(cell)) for cell in cells))
    return table


def _heat(cells: Mapping[str, Mapping[str, int]]) -> Iterator[RenderableType]:
    """A table of the kinds that several domains have; the others after it, one a line."""
    from rich.table import Table
    from rich.text import Text

    having = Counter(kind for row in cells.values() for kind in row)
    kinds = sorted(kind for kind, domains in having.items() if domains > 1)
    most = max(n for row in cells.values() for n in row.values())
    table = Table(box=None, pad_edge=False)
    table.add_column("", overflow="fold")
    for kind in kinds:
        table.add_column(visible_line(kind), justify="right", overflow="fold", min_width=4)
    for domain, row in cells.items():
        if not row.keys() & set(kinds):
            continue
        shown = [Text(visible_line(domain))]
        for kind in kinds:
            n = row.get(kind, 0)
            # A square root, or a few full cells would leave all others pale.
            light = 255 - round(155 * (n / most) ** 0.5)
            style = f"black on rgb({light},255,{light})" if n else "dim"
            shown.append(Text(f"{n}" if n else "·", style))
        table.add_row(*shown)
    if kinds:
        yield table
    others = [
        (f"{domain}, {kind}", f"{n:,}")
        for domain, row in cells.items()
        for kind, n in row.items()
        if kind not in kinds
    ]
    if others:
        yield _table(("domain and kind", "rows"), others)


def _sources(audit: Audit) -> Iterator[RenderableType]:
    every = {**audit.balance.sources, "all": audit.balance.total}
    yield _table(
        ("source", "talks", "tasks", "validation", "no call", "asks", "declines"),
        (
            (
                name, f"{each.conversations:,}", f"{each.tasks:,}", f"{each.kept:,}",
                f"{each.no_call:.1%}", f"{each.asks:.1%}", f"{each.declines:.1%}",
            )
            for name, each in every.items()
        ),
    )  # fmt: skip
    at = ["max" if each == 100 else f"p{each}" for each in QUANTILES]
    yield _title(f"{audit.unit} and tools of a row, by percentile")
    yield _table(
        ("source", f"{audit.unit} {at[0]}", *at[1:], f"learnt {at[0]}", *at[1:]),
        (
            (name, *(f"{n:,}" for n in (*each.size, *(each.learnt or [0] * len(at)))))
            for name, each in every.items()
        ),
    )
    yield _table(
        ("source", f"tools {at[0]}", *at[1:], "distinct", "distinct names"),
        (
            (name, *map(str, each.tools), f"{each.distinct_tools:,}",
             f"{each.distinct_tool_names:,}")
            for name, each in every.items()
            if each.distinct_tools
        ),
    )  # fmt: skip


def _problems(problems: Mapping[str, Problems]) -> RenderableType:
    if not problems:
        from rich.text import Text

        return Text("every row holds", style="green")
    return _table(
        ("what is wrong", "such as", "rows"),
        ((what, ", ".join(each.rows), f"{each.count:,}") for what, each in problems.items()),
        words=2,
    )


def _grounding(audit: Audit) -> Iterator[RenderableType]:
    yield _table(
        ("source", "values", "reworded", "invented", "numbers", "new"),
        (
            (
                name,
                f"{each.strings:,}",
                _share(each.reworded, each.strings),
                _share(each.invented, each.strings),
                f"{each.numbers:,}",
                _share(each.new_numbers, each.numbers),
            )
            for name, each in audit.grounding.items()
        ),
    )
    yield _table(
        ("source", "most often invented in"),
        (
            (name, ", ".join(f"{where} {n}" for where, n in list(each.invented_in.items())[:6]))
            for name, each in audit.grounding.items()
            if each.invented_in
        ),
        words=2,
    )
    yield _table(
        ("", "row", "value"),
        (example for each in audit.grounding.values() for example in each.examples),
        words=3,
    )


def _share(some: int, of: int) -> str:
    return f"{some:,} ({some / of:.1%})" if of else "0"


def _duplicates(audit: Audit) -> Iterator[RenderableType]:
    found = audit.duplicates
    yield _table(
        ("source", "within", "of another source", "validation rows near training"),
        (
            (
                name,
                *(f"{some.get(name, 0):,}" for some in (found.within, found.across, found.leaked)),
            )
            for name in audit.balance.sources
        ),
    )
    if found.groups:
        yield _table(
            ("group with the most", "rows"),
            ((name, f"{n:,}") for name, n in list(found.groups.items())[:10]),
        )
    yield _table(
        ("row", "is near", ""),
        ((one, other, f"{likeness:.0%}") for one, other, likeness in found.examples[:LISTED]),
        words=2,
    )


def _contamination(found: Contamination) -> Iterator[RenderableType]:
    from rich.text import Text

    yield _title(
        f"contamination: {found.files:,} benchmark files read, {len(found.skipped)} are no text"
    )
    yield Text(
        f"Rows count from a shared run of {LONG} words, or from {COVERED:.0%} of a turn and "
        f"{COVERED_WORDS} longer words in runs of {SHORT}; runs in {COMMON} benchmarks do not. "
        f"Tools count by the end of their name and {SAME_PARAMETERS:.0%} of their parameters, or "
        f"by a description {SAME_DESCRIPTION:.0%} alike.",
        style="dim",
    )
    yield Text(f"rows: {len(found.rows):,}", style="bold red" if found.rows else "green")
    if found.rows:
        yield _meetings(found.rows)
    yield Text(f"tools: {len(found.tools):,}", style="bold red" if found.tools else "green")
    if found.tools:
        yield _tools(found.tools)
    if found.noted_tools:
        yield Text(f"tools noted, alike by chance as it seems: {len(found.noted_tools):,}", "dim")
        yield _tools(found.noted_tools)
    if found.noted:
        yield Text(f"brief requests that a benchmark has, too: {len(found.noted):,}", "dim")
        yield _meetings(found.noted)
    if found.phrases:
        counts = ", ".join(f"{name} {n:,}" for name, n in found.phrases.items())
        yield Text(visible_line(f"rows with a shared phrase, too little to count: {counts}"), "dim")


def _tools(meetings: Sequence[ToolMeeting]) -> RenderableType:
    def rows(each: ToolMeeting) -> str:
        return ", ".join(f"{source} {n:,}" for source, n in each.rows.items())

    return _table(
        ("tool", "theirs", "benchmark", "same", "rows"),
        ((each.tool, each.theirs, each.file, each.why, rows(each)) for each in meetings[:LISTED]),
        words=5,
    )


def _meetings(meetings: Sequence[Meeting]) -> RenderableType:
    return _table(
        ("row", "benchmark", "why", "shared"),
        ((each.row, each.file, each.why, each.shared[:160]) for each in meetings[:LISTED]),
        words=4,
    )
