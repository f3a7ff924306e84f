"""Nothing goes on working for a process that is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import botpsy

KILLED = """
import os, signal
from botpsy.data.workers import pool

if __name__ == "__main__":
    with pool(1) as hands:
        hands.submit(abs, 1).result()
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    # The worker, too, holds the pipe that is read here: it ends when the last of them is gone.
    ended = subprocess.run(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(botpsy.__file__).parents[1])},
    )
    assert ended.returncode == -signal.SIGKILL
