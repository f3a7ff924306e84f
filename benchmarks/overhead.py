"""What botpsy itself costs per call: everything but the model.

A scripted engine answers at once, so a turn's time is selection, rendering of nothing, parsing,
validation, binding, provenance, policy, ledger (two synced writes), the tool over its real back
end, and the loop. Prints the median and 95th percentile in milliseconds, per tool and overall.

    python benchmarks/overhead.py [--turns 200]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from botpsy import Assistant
from botpsy.assistant.approval import AutoApprover
from botpsy.chat.types import Message, ToolCall
from botpsy.engines.scripted import Scripted

CALLS = {
    "create_event": ({"title": "dentist {n}", "start": "in {n} days"}, "write"),
    "find_events": ({"period": "next week"}, "read"),
    "create_note": ({"title": "note {n}", "text": "milk and bread"}, "write"),
    "set_timer": ({"duration": "10 minutes", "label": "tea {n}"}, "write"),
    "turn_on": ({"device": "kitchen lights"}, "control"),
    "find_contact": ({"name": "Anna"}, "read"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200, help="turns per tool")
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder:
        times = {tool: measure(Path(folder) / tool, tool, turns) for tool in CALLS}
    print("| tool | effect | median ms | p95 ms |\n|---|---|---|---|")
    for tool, taken in times.items():
        print(f"| {tool} | {CALLS[tool][1]} | {row(taken)} |")
    print(f"| all | | {row([t for taken in times.values() for t in taken])} |")


def measure(home: Path, tool: str, turns: int) -> list[float]:
    """Milliseconds of each turn: one call and the answer after it."""
    from rich.console import Console

    arguments, _ = CALLS[tool]
    replies: list[Message | str] = []
    for n in range(turns + 5):
        filled = {key: value.format(n=n) for key, value in arguments.items()}
        replies += [Message("assistant", calls=(ToolCall(tool, filled),)), "Done."]
    quiet = AutoApprover(Console(file=open("/dev/null", "w")))  # noqa: SIM115, PTH123
    taken = []
    with Assistant(home, engine=Scripted(replies), approver=quiet) as assistant:
        for n in range(turns + 5):
            assistant.reset()
            started = time.perf_counter()
            reply = assistant.ask(f"please do {tool} for {' '.join(arguments.values())}")
            if n >= 5:  # the first turns fill caches
                taken.append(1000 * (time.perf_counter() - started))
            if tool != "find_contact":
                assert reply.outcomes[0].status == "done", reply
    return taken


def row(taken: list[float]) -> str:
    return f"{statistics.median(taken):.2f} | {statistics.quantiles(taken, n=20)[-1]:.2f}"


if __name__ == "__main__":
    main()
