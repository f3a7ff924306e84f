"""Several processes on one recipe: they meet, they wait, and one of them says what went wrong.

A launcher (``botpsy.train.plan.launch_command``) starts them all and, when one ends in an error,
ends the others, which would wait for it for ever. Importing this needs no torch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from botpsy.errors import UsageError
from botpsy.train.plan import launch_command
from botpsy.train.recipe import TrainRecipe

PATIENCE = timedelta(days=7)
"""That processes wait for one another: the first builds data, and some sample for longer."""
FAILED = "botpsy/failed"
"""Key in the launcher's store: how many processes have failed."""
STORE_S = 10.0


def meet(recipe: TrainRecipe) -> tuple[bool, Callable[[], None]]:
    """Whether this is the first process, and how to wait for the others.

    Raises:
        UsageError: there are not as many as the recipe says.
    """
    there, wanted = count(), recipe.launch.processes
    if there != wanted:
        raise UsageError(
            f"The recipe is for {wanted} processes, and there are {there}.",
            f"Start it with: {launch_command(recipe, 'RECIPE')}",
        )
    if there == 1:
        return True, lambda: None
    import torch
    from accelerate import PartialState

    gpu = torch.cuda.is_available()
    backend = "nccl" if gpu else "gloo"
    state = PartialState(cpu=not gpu, backend=backend, timeout=PATIENCE)
    return state.is_main_process, state.wait_for_everyone


def count() -> int:
    """Processes that the launcher started; 1 without one."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_first() -> bool:
    """Whether this is the process that writes and speaks."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def told_once() -> Iterator[None]:
    """Of several processes the first that fails says why; the others end without a word.

    Where one is gone, all that the others could say is that a connection broke.
    """
    try:
        yield
    except Exception:
        if count() > 1 and not _failed_first():
            raise SystemExit(1) from None
        raise


def _failed_first() -> bool:
    from torch.distributed import DistError, TCPStore

    host, port = os.environ.get("MASTER_ADDR", ""), os.environ.get("MASTER_PORT", "0")
    try:
        store = TCPStore(host, int(port), is_master=False, timeout=timedelta(seconds=STORE_S))
        return bool(store.add(FAILED, 1) == 1)
    except (DistError, RuntimeError, ValueError):
        return True  # the launcher is gone: nobody else will say it
