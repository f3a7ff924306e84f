"""``botpsy tools``: what the assistant can do here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from botpsy.cli.common import HomeOption, JsonOption, console, print_json, safe
from botpsy.errors import UsageError

if TYPE_CHECKING:
    from botpsy.tools.base import ToolDef


def tools(
    name: Annotated[str, typer.Argument(help="Show one tool in full.")] = "",
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """List every tool: what it does, whether it can be undone, whether its service is connected."""
    from botpsy.assistant.connect import connect
    from botpsy.assistant.home import open_home
    from botpsy.services.bundle import ONLY_IN_WORLDS
    from botpsy.tools import catalogue

    opened = open_home(home)
    services = connect(opened, opened.clock())
    known = catalogue()
    if name and name not in known:
        raise UsageError(f"There is no tool {name}.", hint="`botpsy tools` lists them.")
    here = [tool for tool in known.values() if tool.service not in ONLY_IN_WORLDS]
    chosen = [known[name]] if name else here
    rows = [{**_plain(tool), "connected": services.has(tool.service)} for tool in chosen]
    if json:
        print_json({"tools": rows})
    elif name:
        _print_one(rows[0])
    else:
        _print_table(rows)
        more = len(known) - len(here)
        console().print(f"[dim]{more} more tools exist only in simulated worlds, for training.[/]")


def _plain(tool: ToolDef) -> dict[str, Any]:
    return {
        "name": tool.name,
        "domain": tool.domain,
        "effect": tool.effect,
        "service": tool.service,
        "undo": tool.undo is not None,
        "untrusted_output": tool.untrusted_output,
        "names_by_others": tool.names_by_others,
        "destinations": list(tool.destinations),
        "description": tool.description,
        "parameters": tool.schema,
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("tool", "effect", "undo", "what it does"):
        table.add_column(column, overflow="fold")
    domain = ""
    for row in sorted(rows, key=lambda row: row["domain"]):
        if row["domain"] != domain:
            domain = row["domain"]
            table.add_row(f"[bold]{safe(domain)}[/]")
        undo = "" if row["effect"] == "read" else "yes" if row["undo"] else "no"
        off = "" if row["connected"] else f" [dim](no {row['service']} connected)[/]"
        table.add_row(row["name"], row["effect"], undo, safe(row["description"]) + off)
    console().print(table)


def _print_one(row: dict[str, Any]) -> None:
    import json

    out = console()
    for key, value in row.items():
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        out.print(f"[bold]{key}[/]: {safe(text)}")
