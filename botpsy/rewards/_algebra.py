"""The program that compares expressions for ``expression``; it runs as a process of its own.

A line comes in, ``[answer, right]``; a line goes out, true or false. LaTeX alone is read: plain
text would be handed to Python's own ``eval`` by the library below. Whoever takes too long is ended
by the system, in the midst of a multiplication too; who asked starts another one.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import sys
from typing import Any

CPU_S = 2.0
MEMORY_BYTES = 2**30


def main() -> None:
    """Answer until the input ends."""
    for limit, value in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_FSIZE, 0)):
        resource.setrlimit(limit, (value, value))
    logging.disable(logging.CRITICAL)

    from math_verify import LatexExtractionConfig, parse, verify

    settings: Any = {
        "extraction_config": [LatexExtractionConfig()],
        "fallback_mode": "no_fallback",
        "parsing_timeout": None,
    }

    def same(answer: str, right: str) -> bool:
        gold = parse(f"${right}$", **settings)
        return bool(verify(gold, parse(f"${answer}$", **settings), timeout_seconds=None))

    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        answer, right = json.loads(line)
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
            found = same(answer, right)
        except Exception:
            found = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        out.write(json.dumps(found) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
