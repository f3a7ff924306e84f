"""The tables in docs/ say what the code says."""

import re
from pathlib import Path

from botpsy import Assistant
from botpsy.assistant.approval import AutoApprover
from botpsy.chat.types import Message, ToolCall
from botpsy.engines.scripted import Scripted
from botpsy.services.bundle import ONLY_IN_WORLDS
from botpsy.tools import catalogue
from botpsy.tools.base import ToolDef

PAGE = Path(__file__).parents[1] / "docs" / "tools.md"
START, END = "<!-- tools -->\n", "<!-- /tools -->"


def row(tool: ToolDef) -> str:
    undo = "" if tool.effect == "read" else "yes" if tool.undo else "no"
    untrusted = "yes" if tool.untrusted_output else "names" if tool.names_by_others else ""
    to = ", ".join(tool.destinations)
    where = tool.service if tool.service not in ONLY_IN_WORLDS else f"{tool.service} (worlds)"
    return f"| `{tool.name}` | {where} | {tool.effect} | {to} | {undo} | {untrusted} |"


def table() -> str:
    columns = "tool | service | effect | destinations | undo | text by others"
    head = f"| {columns} |\n|---|---|---|---|---|---|\n"
    return head + "".join(f"{row(tool)}\n" for tool in catalogue().values())


def test_the_table_of_tools_is_the_catalogue() -> None:
    """Mend with ``python -m tests.test_docs``."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.split(START)[1].split(END)[0] == table()


def test_the_example_tool_acts_and_is_undone(tmp_path: Path) -> None:
    from rich.console import Console

    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, ToolDef] = {}
    exec(code, names)
    log_pool = names["log_pool"]
    engine = Scripted(
        [
            Message("assistant", calls=(ToolCall("log_pool", {"degrees": 24.5}),)),
            "Logged.",
            Message("assistant", calls=(ToolCall("log_pool", {"degrees": 25.5}),)),
            "Logged.",
        ]
    )
    approver = AutoApprover(Console(stderr=True))
    with Assistant(
        tmp_path, engine=engine, tools=[log_pool], approver=approver, now="2026-12-01T10:00"
    ) as assistant:
        note = assistant.services.notes
        first = assistant.ask("log that the pool is 24.5 degrees").outcomes[0]
        assert (first.status, bool(first.undo)) == ("done", True)
        assistant.ask("log that the pool is 25.5 degrees")
        both = note.text("note", "pool log")
        assert both == "- 2026-12-01 10:00: 24.5 C\n- 2026-12-01 10:00: 25.5 C\n"
        assistant.undo()
        assert note.text("note", "pool log") == "- 2026-12-01 10:00: 24.5 C\n"
        assistant.undo()
        assert note.text("note", "pool log") is None


if __name__ == "__main__":
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    PAGE.write_text(before + START + table() + END + rest.split(END)[1], encoding="utf-8")
