"""Runs a function that nobody trusts, on many inputs, and gives back what it returned.

Each run is a fresh interpreter of its own: no site, no user's folder, an empty environment but for
a fixed hash seed (so that sets of strings come in one order), an empty folder that is thrown away.
Before it sees the code it has loaded the few modules that the code names, and then gives up, for
good, every system call but those that computing needs (seccomp, an allow-list): no opening of
files, no sockets, no new processes or threads, no signals to others, no sleep. Limits hold beside
that: CPU seconds, memory, no file writes, a wall clock, and how much it may hand back.

What is expected never enters the sandbox: inputs go in, outputs come out as JSON, the caller
compares. So a forged result is a guess, and there is no mark of success to print.

It needs Linux on x86-64 or aarch64; elsewhere it refuses, rather than run the code without walls.
"""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from botpsy.errors import BotpsyError

CPU_S = 2
MEMORY_BYTES = 512 * 2**20
WALL_S = 20.0
"""Far beyond the CPU limit, so that a busy machine does not change a verdict."""
MAX_OUTPUT = 1_000_000
MAX_CODE = 20_000

MODULES = (
    "abc", "array", "bisect", "calendar", "cmath", "collections", "copy", "dataclasses", "datetime",
    "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json", "math", "numbers",
    "operator", "random", "re", "statistics", "string", "textwrap", "types", "typing",
    "unicodedata",
)  # fmt: skip
"""What the code may import. None of them reads files once it is loaded."""
_ALONG = {
    "calendar": ("locale",),
    "collections": ("collections.abc",),
    "datetime": ("_strptime", "locale"),
    "decimal": ("_decimal",),
    "statistics": ("random",),
}


class SandboxError(BotpsyError):
    """The sandbox itself could not be set up; it says nothing about the code."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of one input: ``ok`` with a JSON value, or not, and why."""

    ok: bool
    value: Any = None
    why: str = ""


def run(code: str, function: str, inputs: Sequence[Sequence[Any]]) -> list[Ran]:
    """Call a function that the code defines, once for each list of arguments, in order.

    Outputs that are missing (it exited, was killed, ran out of time) are not ok. Tuples come back
    as lists; what is no JSON is not ok.

    Raises:
        SandboxError: the walls cannot be put up on this machine.
    """
    if len(code) > MAX_CODE:
        return [Ran(False, why="too long")] * len(inputs)
    words = set(re.findall(r"\w+", code, re.ASCII))
    names = [name for name in MODULES if name in words]
    request = {
        "code": code,
        "function": function,
        "inputs": list(inputs),
        "modules": [each for name in names for each in (name, *_ALONG.get(name, ()))],
        "cpu": CPU_S,
        "memory": MEMORY_BYTES,
    }
    output, status = _process(json.dumps(request).encode())
    lines = output.split(b"\n")
    if lines[0] != b"ready":
        raise SandboxError(
            f"Code cannot be run safely here ({lines[0][:200].decode('ascii', 'replace')!r}, "
            f"exit {status}).",
            "Code tasks need Linux on x86-64 or aarch64 with seccomp filters.",
        )
    outputs = [_read(line) for line in lines[1:-1][: len(inputs)]]
    return outputs + [Ran(False, why="no result")] * (len(inputs) - len(outputs))


def _read(line: bytes) -> Ran:
    try:
        kind, value = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return Ran(False, why="no JSON")
    return Ran(True, value) if kind is True else Ran(False, why=str(value)[:200])


def _process(request: bytes) -> tuple[bytes, int | None]:
    """Run the guest program on a request; what it wrote, and how it ended."""
    guest = files("botpsy.rewards").joinpath("_guest.py").read_text("utf-8")
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as stdin:
        stdin.write(request)
        stdin.seek(0)
        process = subprocess.Popen(  # noqa: S603
            # -I would ignore PYTHONHASHSEED; with this environment, -s -S -P isolate as well.
            [sys.executable, "-s", "-S", "-P", "-B", "-c", guest],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=empty,
            env={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
            start_new_session=True,
        )
        assert process.stdout is not None
        with process.stdout as pipe:
            try:
                return _collect(pipe.fileno()), process.poll()
            finally:
                process.kill()
                process.wait()


def _collect(pipe: int) -> bytes:
    """All that comes through a pipe, up to the limits of size and time."""
    deadline = time.monotonic() + WALL_S
    parts: list[bytes] = []
    size = 0
    while size < MAX_OUTPUT:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            break
        part = os.read(pipe, 65_536)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)
