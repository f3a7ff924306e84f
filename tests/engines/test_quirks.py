"""The documented table of servers is the table in the code."""

from __future__ import annotations

from pathlib import Path

from botpsy.engines.quirks import SERVERS, Quirks

DOCS = Path(__file__).parents[2] / "docs" / "engines.md"


def row(quirks: Quirks) -> str:
    cells = [
        f"`{quirks.server}`",
        "sent" if quirks.top_k else "–",
        quirks.thinking or "–",
        "yes" if quirks.required else "no",
        "sent" if quirks.parallel else "–",
        f"`{quirks.reasoning}`" if quirks.reasoning else "–",
        "accepted" if quirks.stop_with_calls else "no",
        ", ".join(f"`{name}`" for name in quirks.ignores) or "–",
    ]
    return f"| {' | '.join(cells)} |"


def test_the_documented_table() -> None:
    lines = DOCS.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| server | `top_k`"))
    assert lines[start + 2 : start + 2 + len(SERVERS)] == [row(q) for q in SERVERS.values()]
    assert not lines[start + 2 + len(SERVERS)].startswith("|")
