"""Processes that work for this one and end with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread

from botpsy.errors import BotpsyError


@contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes, which share nothing but what they are given.

    Raises:
        BotpsyError: one of them was ended from outside.
    """
    context = get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, context, initializer=_end_with_parent) as hands:
            yield hands
    except BrokenProcessPool:
        raise BotpsyError(
            "A worker was ended from outside, perhaps for want of memory.",
            "Run it again, with fewer --workers if it happens again.",
        ) from None


def _end_with_parent() -> None:
    """Left to itself, a worker finishes what it does when the user interrupts, and waits for more
    for ever when its parent is killed. What it does is all or nothing, so it may end at once."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = parent_process()
    assert parent

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
