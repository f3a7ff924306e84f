"""Whether two expressions mean the same: formulas, equations, sets, intervals, matrices, in LaTeX.

``math-verify`` reads and compares them, in a process of its own (``_algebra``): an answer such as
``9^{9^{9^9}}`` would keep the library busy for ever, and then it is the process that ends. It has
``CPU_S`` seconds and a GiB; what takes longer is not the same. The process is kept for the next
answer, since it takes a second to start.
"""

from __future__ import annotations

import atexit
import json
import select
import subprocess
import sys
import threading
from functools import cache
from importlib.util import find_spec

from botpsy.errors import UsageError

MAX_LENGTH = 500
"""Characters; a longer answer is not read."""
WALL_S = 20.0
"""Far beyond the CPU limit, so that a busy machine does not change a verdict."""


def same(answer: str, right: str) -> bool:
    """Whether an answer means what is right; one that cannot be read does not.

    Raises:
        UsageError: math-verify is not installed, or cannot be run.
    """
    if len(answer) > MAX_LENGTH or not answer.strip():
        return False
    return _process().ask(_bare(answer), _bare(right))


def ready() -> None:
    """Say before long work that answers of this form could not be judged.

    Raises:
        UsageError: math-verify is not installed.
    """
    if find_spec("math_verify") is None:
        raise UsageError(
            "Answers of the form `expression` need math-verify.",
            "Install it: pip install 'botpsy[data]'.",
        )


def _bare(text: str) -> str:
    return text.replace("$", " ").strip()


class _Process:
    """One process, started when it is needed, and again when it had to be ended."""

    def __init__(self) -> None:
        ready()
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        atexit.register(self.end)

    def ask(self, answer: str, right: str) -> bool:
        with self._lock:
            if self._running is not None and self._running.poll() is not None:
                self.end()  # somebody ended it between two answers
            running = self._running = self._running or self._started()
            assert running.stdin is not None
            assert running.stdout is not None
            try:
                running.stdin.write(json.dumps([answer, right]) + "\n")
                running.stdin.flush()
                if select.select([running.stdout], [], [], WALL_S)[0]:
                    said = running.stdout.readline()
                    if said:
                        return bool(json.loads(said))
            except BrokenPipeError:
                pass
            self.end()
            return False

    def _started(self) -> subprocess.Popen[str]:
        running = subprocess.Popen(
            [sys.executable, "-m", "botpsy.rewards._algebra"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        assert running.stdin is not None
        assert running.stdout is not None
        try:  # it must be able to say that one is one, or else nothing it says counts
            running.stdin.write('["1", "1"]\n')
            running.stdin.flush()
            ready, _, _ = select.select([running.stdout], [], [], 6 * WALL_S)
            if ready and running.stdout.readline() == "true\n":
                return running
        except BrokenPipeError:
            pass
        running.kill()
        running.wait()
        raise UsageError(
            "math-verify is installed and does not work.", "Install botpsy[data] again."
        )

    def end(self) -> None:
        """End the process, if there is one."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._running = None


@cache
def _process() -> _Process:
    return _Process()
