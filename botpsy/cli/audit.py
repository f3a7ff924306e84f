"""``botpsy audit``: read and check the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from botpsy.cli.common import HomeOption, JsonOption, console, print_json, safe_line

if TYPE_CHECKING:
    from botpsy.assistant.ledger import Entry

app = typer.Typer(help="Read and check the ledger of what was done.", no_args_is_help=True)


@app.command()
def show(
    action: Annotated[str, typer.Argument(help="One action's id or its beginning.")] = "",
    last: Annotated[int, typer.Option(help="How many actions, the latest.", min=1)] = 20,
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """List the latest actions, or everything known of one."""
    from botpsy.assistant.home import open_home

    ledger = open_home(home).ledger()
    entries = ledger.entries(action=ledger.find(action)) if action else ledger.entries()
    if json or action:
        document = {"entries": [_plain(entry) for entry in _of_last(entries, last)]}
        if json:
            print_json(document)
        else:
            _print_one(entries)
        return
    _print_table(_of_last(entries, last))


@app.command()
def verify(
    head: Annotated[
        str, typer.Option(help="A head noted earlier, which must still be in the chain.")
    ] = "",
    home: HomeOption = None,
) -> None:
    """Check that no entry was changed, removed or inserted; prints the head to note down."""
    from botpsy.assistant.home import open_home

    ledger = open_home(home).ledger()
    current = ledger.verify(head)
    console().print(f"{ledger.head()[0]} entries, unbroken. Head: {current}")


def _of_last(entries: list[Entry], last: int) -> list[Entry]:
    actions = list(dict.fromkeys(entry.action for entry in reversed(entries)))[:last]
    return [entry for entry in entries if entry.action in set(actions)]


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "action": entry.action,
        "body": entry.body,
        "hash": entry.hash,
    }


def _print_table(entries: list[Entry]) -> None:
    from rich.table import Table

    from botpsy.cli.show import arguments_line

    table = Table(box=None, pad_edge=False)
    for column in ("action", "when", "what", "decision", "status"):
        table.add_column(column, overflow="fold")
    first: dict[str, Entry] = {}
    status: dict[str, str] = {}
    for entry in entries:
        first.setdefault(entry.action, entry)
        if entry.kind == "outcome":
            status[entry.action] = str(entry.body["status"])
        elif entry.kind == "denied":
            status[entry.action] = "denied"
    if not first:
        console().print("Nothing has been done yet.")
        return
    for action, entry in first.items():
        body: Any = entry.body
        what = f"{body.get('tool', '')} {arguments_line(body.get('arguments', {}))}"
        when = entry.at[:16].replace("T", " ")
        table.add_row(
            action,
            when,
            safe_line(what),
            safe_line(str(body.get("decision", ""))),
            status.get(action, "no outcome"),
        )
    console().print(table)


def _print_one(entries: list[Entry]) -> None:
    import json

    out = console()
    for entry in entries:
        out.print(f"[bold]{entry.seq}  {entry.kind}[/]  {entry.at}  [dim]{entry.hash[:16]}[/]")
        for key, value in entry.body.items():
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            out.print(f"  {safe_line(key)}: {safe_line(text)}")
