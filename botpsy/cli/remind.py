"""``botpsy remind``: rings what is due."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from botpsy.cli.common import HomeOption, console, safe_line

POLL_S = 1.0


def remind(
    once: Annotated[bool, typer.Option("--once", help="Ring what is due now, and end.")] = False,
    home: HomeOption = None,
) -> None:
    """Ring reminders, timers and alarms when they are due, until Ctrl-C.

    Nothing rings while this is not running: botpsy keeps no service in the background.
    """
    from botpsy.assistant.connect import connect
    from botpsy.assistant.home import open_home

    opened = open_home(home)
    clock = opened.clock()
    reminders = connect(opened, clock).reminders
    out = console()
    while True:
        for due in reminders.due(clock.now()):
            # Marked first: an alarm that rings twice is a lesser fault than one that never ends.
            reminders.mark_rung(due.id, clock.now())
            out.bell()
            out.print(f"[bold]{clock.now():%H:%M}[/] {safe_line(due.text)}")
        if once:
            return
        time.sleep(POLL_S)
