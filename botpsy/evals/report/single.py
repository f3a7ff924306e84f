"""The report of one run: every number with its interval, floor and ceiling, and what failed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from botpsy.data.files import write_whole
from botpsy.evals.case import Suite
from botpsy.evals.record import Record
from botpsy.evals.report.plots import bars, can_draw
from botpsy.evals.result import Result
from botpsy.evals.statistics import Value
from botpsy.page import document, folded, picture, table

SHOWN = 40
"""Failed cases that a report lists."""


def percent(value: Value) -> str:
    """``61.3 % (58.1 to 64.4)``, or why there is none."""
    if value.value is None:
        return "not run"
    return f"{value.value:.1%} ({value.low:.1%} to {value.high:.1%})"


def score_rows(result: Result) -> list[list[str]]:
    """Name, value with its interval, cases; the suite's own number first."""
    return [[name, percent(value), f"{value.cases:,}"] for name, value in result.scores.items()]


def notes(result: Result) -> list[str]:
    """All that says how far the numbers can be trusted."""
    said = []
    if result.errors:
        said.append(
            f"INCOMPLETE: {result.errors} trials have no verdict since the engine failed; they"
            " count for nothing. Run it again."
        )
    if result.faults:
        said.append(f"INCOMPLETE: {result.faults} trials have no verdict by a fault of botpsy's.")
    if result.bounds:
        ends = ", ".join(f"{name} {value:.1%}" for name, value in result.bounds.items())
        first = next(iter(result.scores))
        said.append(f"Agents that know nothing, or everything, get of {first}: {ends}.")
    said.append(
        f"Replies that cannot be read {result.parse_failures:.1%}, cut at the token limit"
        f" {result.limit_hits:.1%}, ending in a loop {result.loops:.1%}, prompts beyond the window"
        f" {result.overflows:.1%}."
    )
    if result.pass_k:
        rates = ", ".join(f"pass^{k} {rate:.1%}" for k, rate in result.pass_k.items())
        said.append(f"Right in all of k trials: {rates}.")
    spent = result.spent
    if spent.replies:
        speed = f", {spent.tokens_per_s:.0f} tokens a second" if spent.tokens_per_s else ""
        said.append(
            f"{spent.replies:,} replies; {spent.prompt_tokens:,} prompt tokens,"
            f" {spent.reply_tokens:,} reply tokens of which {spent.reasoning_tokens:,} reasoning;"
            f" a case takes {spent.seconds:.1f} s (median), {spent.p95_s:.1f} s (95 %){speed}."
        )
    return said


def markdown(result: Result) -> str:
    """The report without the single cases."""
    lines = [f"## {result.name}", "", "| Score | | Cases |", "|---|---|---|"]
    lines += [f"| {name} | {value} | {cases} |" for name, value, cases in score_rows(result)]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes(result))]) + "\n"


def write_report(
    out: Path,
    about: Mapping[str, Any],
    suite: Suite,
    records: Sequence[Record],
    result: Result,
) -> None:
    """Write ``report.md``, ``report.html`` and, where it can be drawn, ``report.png``."""
    write_whole(out / "report.md", markdown(result).encode("utf-8", "replace"))
    model = about["models"]["model"][0]
    body = [
        f"<h1>{escape(result.name)}</h1>",
        f"<p>{escape('{name}, engine {engine} {version}.'.format(**model))}</p>",
        table(["score", "95 % interval", "cases"], score_rows(result)),
        "".join(f"<p>{escape(note)}</p>" for note in notes(result)),
    ]
    if can_draw():
        drawn = bars({model["name"]: result.scores})
        write_whole(out / "report.png", drawn)
        body.append(picture(drawn, "Scores with their intervals"))
    body.append(f"<h2>Cases without success</h2>{_failed(suite, records)}")
    body += [
        f"<h2>About the suite</h2><p>{escape(suite.about)}</p>",
        folded("What was run", json.dumps(about, indent=1)),
    ]
    page = document(f"{suite.title}: {model['name']}", body)
    write_whole(out / "report.html", page.encode("utf-8", "replace"))


def _failed(suite: Suite, records: Sequence[Record]) -> str:
    rows = []
    for each in records:
        verdict = each.verdict
        if verdict is None:
            rows.append([each.case, each.category, (each.error or each.fault).splitlines()[-1]])
        elif suite.success and verdict.measures.get(suite.success, (1.0, 1.0))[0] <= 0:
            rows.append([each.case, each.category, verdict.note])
    more = f"<p>… and {len(rows) - SHOWN} more in records.jsonl.</p>" if len(rows) > SHOWN else ""
    shown = [[name, category, note[:300]] for name, category, note in rows[:SHOWN]]
    return table(["case", "category", "why"], shown) + more if rows else "<p>None.</p>"
