"""``botpsy policy``: what is permitted, and what was approved to last."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from botpsy.cli.common import (
    HomeOption,
    JsonOption,
    NowOption,
    ZoneOption,
    console,
    print_json,
    safe,
)
from botpsy.errors import PolicyError, UsageError

app = typer.Typer(help="Show and edit what is permitted.", no_args_is_help=True)


@app.command()
def show(json: JsonOption = False, home: HomeOption = None) -> None:
    """Show the rules in force, and what looks like a slip in them."""
    from botpsy.assistant import policy_edit
    from botpsy.assistant.home import open_home
    from botpsy.tools import catalogue

    opened = open_home(home)
    policy = opened.policy()
    rows = policy_edit.rows(policy)
    slips = policy_edit.check(policy, list(catalogue().values()))
    if json:
        keys = ("name", "verdict", "about", "conditions")
        print_json({"rules": [dict(zip(keys, row, strict=True)) for row in rows], "slips": slips})
        return
    if policy.problem:
        raise PolicyError(policy.problem)
    _table(("rule", "answer", "about", "if"), rows)
    for slip in slips:
        console(stderr=True).print(f"[yellow]{safe(slip)}[/]")
    console().print(f"[dim]{safe(str(opened.policy_path))}[/]")


@app.command()
def init(
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file; the old one is kept beside it.")
    ] = False,
    home: HomeOption = None,
) -> None:
    """Write the policy a new home begins with."""
    from botpsy.assistant.home import open_home
    from botpsy.assistant.policy import starter_policy
    from botpsy.services.storage import write_atomically

    path = open_home(home).policy_path
    if path.exists():
        if not force and path.read_text(encoding="utf-8", errors="replace") != starter_policy():
            raise UsageError(f"{path} exists.", hint="--force replaces it and keeps the old one.")
        old = path.with_suffix(".toml.old")
        write_atomically(old, path.read_bytes())
    write_atomically(path, starter_policy().encode())
    console().print(f"Wrote {safe(str(path))}.")


@app.command()
def test(
    tool: Annotated[str, typer.Argument(help="A tool's name.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="name=value ...")] = None,
    source: Annotated[
        str, typer.Option(help="Where the values come from: user, trusted, model or untrusted.")
    ] = "user",
    home: HomeOption = None,
    now: NowOption = "",
    tz: ZoneOption = "",
) -> None:
    """Say what the policy would answer to a call, and why. Nothing is run.

    Exit code 0 for allow and ask, 3 for deny.
    """
    from botpsy.assistant import policy_edit
    from botpsy.assistant.connect import connect
    from botpsy.assistant.home import open_home
    from botpsy.assistant.types import Source
    from botpsy.tools import catalogue
    from botpsy.tools.base import Context

    known = catalogue()
    if tool not in known:
        raise UsageError(f"There is no tool {tool}.", hint="`botpsy tools` lists them.")
    if source.upper() not in Source.__members__:
        raise UsageError(f"--source {source!r} is none of user, trusted, model, untrusted.")
    opened = open_home(home)
    clock = opened.clock(tz, now)
    context = Context(connect(opened, clock), clock, "test")
    action = policy_edit.hypothetical(
        known[tool], arguments or [], context, source=Source[source.upper()]
    )
    lines = policy_edit.explain(opened.policy(), action, clock.now(), opened.grants().all())
    console().print(f"[bold]{safe(lines[0])}[/]")
    for line in lines[1:]:
        console().print(f"  {safe(line)}")
    raise typer.Exit(3 if lines[0].startswith("deny") else 0)


@app.command()
def add(
    rule: Annotated[
        list[str],
        typer.Argument(
            help='key=value ..., for example: verdict=allow tool=create_event name="..."'
        ),
    ],
    home: HomeOption = None,
) -> None:
    """Append a rule to policy.toml. Values are JSON, or plain text."""
    from botpsy.assistant import policy_edit
    from botpsy.assistant.home import open_home

    fields: dict[str, Any] = {}
    for pair in rule:
        key, equals, text = pair.partition("=")
        if not equals:
            raise UsageError(f"{pair!r} is not key=value.")
        try:
            fields[key] = jsonlib.loads(text)
        except ValueError:
            fields[key] = text
    added = policy_edit.add_rule(open_home(home).policy_path, fields)
    console().print(f'Added rule "{safe(added.name)}".')


@app.command()
def remove(
    rule: Annotated[str, typer.Argument(help="The rule's name.")], home: HomeOption = None
) -> None:
    """Take a rule out of policy.toml."""
    from botpsy.assistant import policy_edit
    from botpsy.assistant.home import open_home

    policy_edit.remove_rule(open_home(home).policy_path, rule)
    console().print(f'Removed rule "{safe(rule)}".')


@app.command()
def grants(home: HomeOption = None) -> None:
    """List the approvals that you gave to last."""
    from botpsy.assistant import policy_edit
    from botpsy.assistant.home import open_home

    store = open_home(home).grants()
    rows = policy_edit.grant_rows(store.all())
    if store.problem:
        console(stderr=True).print(f"[yellow]{safe(store.problem)}[/]")
    if rows:
        _table(("grant", "tool", "for", "holds", "uses"), rows)
    else:
        console().print("No approval lasts.")


@app.command()
def revoke(
    grant: Annotated[str, typer.Argument(help="The grant's id.")], home: HomeOption = None
) -> None:
    """Take back an approval."""
    from botpsy.assistant.home import open_home

    open_home(home).grants().revoke(grant)
    console().print(f"Revoked {safe(grant)}.")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(safe, row))
    console().print(table)
