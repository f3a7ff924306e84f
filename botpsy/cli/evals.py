"""``botpsy eval``: run suites on a model, hold runs against each other, play records again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from botpsy.cli.common import JsonOption, console, print_json, safe, safe_line

if TYPE_CHECKING:
    from botpsy.evals.case import Suite
    from botpsy.evals.result import Result
    from botpsy.evals.run import Settings, Submit

DataOption = Annotated[
    Path, typer.Option("--data", help="Folder with the suites' data; docs/evals.md says which.")
]

app = typer.Typer(help="Measure a model on suites.", no_args_is_help=True)


@app.command("list")
def list_suites(json: JsonOption = False) -> None:
    """Say which suites there are, what they measure, and what they need."""
    from botpsy.evals.registry import names, suite

    suites = [suite(name) for name in names()]
    if json:
        print_json(
            [
                {"name": each.name, "title": each.title, "about": each.about,
                 "without": each.partial, "data": [data.path for data in each.data],
                 "roles": list(each.roles)}
                for each in suites
            ]
        )  # fmt: skip
        return
    out = console()
    if not suites:
        out.print("This version has no suite yet.")
    for each in suites:
        out.print(f"[bold]{safe_line(each.name)}[/]  {safe_line(each.title)}")
        out.print(f"  {safe(each.about)}")
        if each.partial:
            out.print(f"  Without {safe_line(each.partial)}.")
        for data in each.data:
            said = f"Needs {data.path} (licence: {data.licence}), from {data.source}."
            out.print(f"  {safe_line(said)}")
        if each.roles:
            out.print(f"  Needs a model for: {', '.join(each.roles)}.")


@app.command()
def run(
    suites: Annotated[str, typer.Argument(help="Names, with commas between; see `eval list`.")],
    model: Annotated[
        list[str],
        typer.Option(
            "--model", help="As for ask. Several addresses of the same weights share the cases."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the runs, one a suite.")],
    data: DataOption = Path("benchmarks"),
    limit: Annotated[
        int, typer.Option(min=0, help="A sample of so many cases, from all categories; 0: all.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Of the sample and of the sampling.")] = 0,
    trials: Annotated[int, typer.Option(min=1, help="Times that each case is run.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="Cases in flight.")] = 1,
    temperature: Annotated[float, typer.Option(min=0.0)] = 0.3,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of one reply.")] = 8192,
    thinking: Annotated[bool, typer.Option(help="Whether the model reasons first.")] = True,
    user: Annotated[str, typer.Option(help="Model that plays a suite's user.")] = "",
    judge: Annotated[str, typer.Option(help="Model that judges, where a suite has one.")] = "",
    ray: Annotated[
        bool, typer.Option("--ray", help="Play on the Ray cluster at hand (the scale extra).")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Run suites. Run again after an interruption: it goes on where it stopped."""
    from botpsy.chat.types import Sampling
    from botpsy.engines import load
    from botpsy.evals.case import JUDGE, MODEL, USER
    from botpsy.evals.registry import suite
    from botpsy.evals.run import Settings
    from botpsy.evals.runs import Asked, run_suite

    wanted = [suite(name.strip()) for name in suites.split(",")]
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens, thinking=thinking)
    settings = Settings(sampling, limit, seed, trials, concurrency)
    roles = {MODEL: model, USER: [user] if user else [], JUDGE: [judge] if judge else []}
    named = {role: some for role, some in roles.items() if some}
    engines = {role: [load(name) for name in some] for role, some in named.items()}
    results = []
    try:
        for each in wanted:
            with _Shown(each.name) as shown, _elsewhere(each, named, settings, ray=ray) as submit:
                asked = Asked(each, data, settings, out / each.name)
                results.append(
                    run_suite(
                        asked, engines, progress=shown.record, say=shown.say, elsewhere=submit
                    )
                )
            if not json:
                _print(results[-1], out / each.name)
    except KeyboardInterrupt:
        console(stderr=True).print("Stopped. The same command goes on with what is left.")
        raise
    finally:
        for engine in [each for some in engines.values() for each in some]:
            engine.close()
    if json:
        print_json([each.to_json() for each in results])


@contextmanager
def _elsewhere(
    suite: Suite, models: Mapping[str, Sequence[str]], settings: Settings, *, ray: bool
) -> Iterator[Submit | None]:
    if not ray:
        yield None
        return
    from botpsy.evals.scale import on_ray

    with on_ray(suite, models, settings) as submit:
        yield submit


@app.command()
def verify(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    data: DataOption = Path("benchmarks"),
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one per core.")] = 0,
    json: JsonOption = False,
) -> None:
    """Play what was recorded once more, without a model: every verdict must be the same."""
    from botpsy.evals.runs import verify as verify_run

    found = {str(folder): verify_run(folder, data, workers) for folder in runs}
    if json:
        print_json({name: list(differs) for name, differs in found.items()})
    else:
        for name, differs in found.items():
            said = f"differs in {len(differs)} cases" if differs else "every verdict is the same"
            console().print(safe_line(f"{name}: {said}"))
            for line in differs[:20]:
                console().print(f"  {safe_line(line)}")
    if any(found.values()):
        raise typer.Exit(1)


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs, or of several runs each.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for report.html, .md and pictures.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Hold runs against each other: scores, what differs beyond chance, which cases flipped."""
    from botpsy.evals.report.comparison import comparison_of, write_comparison
    from botpsy.evals.runs import load_runs

    made = comparison_of(load_runs(runs))
    if json:
        print_json(made.to_json())
    else:
        console().print(safe(made.markdown()))
    if out is not None:
        for path in write_comparison(made, out):
            console(stderr=True).print(safe_line(f"Wrote {path}"))


class _Shown:
    """A line that shows how far a suite is, and how well it goes; plain lines in a log."""

    def __init__(self, name: str) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        self._out = console(stderr=True)
        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=self._out, transient=True)
        self._name, self._done, self._passed, self._bad, self._replies = name, 0, 0.0, 0, 0
        self._task = self._bar.add_task(safe_line(name), total=None)

    def __enter__(self) -> _Shown:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def say(self, text: str) -> None:
        """Above the line."""
        self._out.print(safe_line(text))

    def record(self, record: object, done: int, total: int) -> None:
        """One more."""
        from botpsy.evals.record import Record
        from botpsy.evals.result import unreadable

        assert isinstance(record, Record)
        if record.verdict is not None:
            made, of = next(iter(record.verdict.measures.values()), (0.0, 0.0))
            self._done, self._passed = self._done + 1, self._passed + (made / of if of else 0.0)
        self._replies += len(record.turns)
        self._bad += sum(unreadable(turn.completion) for turn in record.turns)
        score = f"{self._passed / self._done:.1%}" if self._done else "–"
        bad = f", unreadable {self._bad / self._replies:.1%}" if self._bad else ""
        self._bar.update(
            self._task, completed=done, total=total,
            description=safe_line(f"{self._name} {score}{bad}"),
        )  # fmt: skip
        if not self._out.is_terminal and (done == total or done % max(1, total // 20) == 0):
            self.say(f"{self._name} {done}/{total} {score}{bad}")


def _print(result: Result, folder: Path) -> None:
    from botpsy.evals.report.single import markdown

    console().print(safe(markdown(result)))
    console().print(safe_line(f"Report: {folder / 'report.html'}"))
