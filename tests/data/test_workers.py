"""Nothing goes on working for a process that is gone, or was told to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import botpsy
from botpsy.data.workers import pool
from botpsy.errors import BotpsyError

KILLED = """
import os, signal
from botpsy.data.workers import pool

if __name__ == "__main__":
    with pool(1) as hands:
        hands.submit(abs, 1).result()
        os.kill(os.getpid(), signal.SIGKILL)
"""
INTERRUPTED = """
import os, signal, time
from botpsy.data.workers import pool

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pool(1) as hands:
        hands.submit(abs, 1).result()
        waiting = [hands.submit(time.sleep, 600) for _ in range(2)]
        os.killpg(0, signal.SIGINT)
        time.sleep(600)
"""


@pytest.mark.parametrize(
    ("code", "by"), [(KILLED, signal.SIGKILL), (INTERRUPTED, signal.SIGINT)], ids=["kill", "ctrl-c"]
)
def test_workers_end_with_their_parent(tmp_path: Path, code: str, by: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(code)
    # The worker, too, holds the pipe that is read here: it ends when the last of them is gone.
    ended = subprocess.run(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path(botpsy.__file__).parents[1])},
    )
    assert ended.returncode == -by


def test_a_worker_that_is_gone_is_said_in_words() -> None:
    with pytest.raises(BotpsyError, match="ended from outside"), pool(1) as hands:
        hands.submit(os._exit, 9).result()
