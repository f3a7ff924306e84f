"""Processes that work for this one and end with it."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread


def pool(workers: int) -> ProcessPoolExecutor:
    """Fresh processes, which share nothing but what they are given."""
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Left to itself, a worker whose parent was killed would wait for work for ever."""
    parent = parent_process()
    assert parent

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
