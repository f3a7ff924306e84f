"""Cases played on the machines of a Ray cluster. Needs the ``scale`` extra.

Each worker asks the models by their addresses, from where it runs; records come back and are
written here, so a run that was begun on one machine goes on on many, and the other way round.
Ray's own settings (``RAY_ADDRESS``) say which cluster; without, one is started on this machine.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from typing import Any

from botpsy.engines import load
from botpsy.engines.base import Engine
from botpsy.errors import UsageError
from botpsy.evals.case import Case, Suite
from botpsy.evals.record import Record
from botpsy.evals.run import Health, Settings, Submit, share, tried

Models = Mapping[str, Sequence[str]]
"""Addresses, by role."""


@contextmanager
def on_ray(suite: Suite, models: Models, settings: Settings) -> Iterator[Submit]:
    """What ``run_suite`` takes as ``elsewhere``. Keeps a Ray that runs already.

    Raises:
        UsageError: Ray is not installed, or a model has no address.
    """
    try:
        import ray
    except ImportError:
        raise UsageError("Ray is not installed.", "Install botpsy[scale].") from None
    for name in [name for some in models.values() for name in some]:
        if not name.startswith(("http://", "https://")):
            raise UsageError(
                f"On Ray a model is an address that all machines reach; {name} is none.",
                "Serve it with `botpsy serve` or another server, and name its http://HOST:PORT/v1.",
            )
    mine = not ray.is_initialized()
    if mine:
        ray.init(include_dashboard=False, logging_level=logging.WARNING)
    # A worker waits for its model nearly all the time, so cores do not say how many there may be.
    play = ray.remote(num_cpus=0.01)(_played)

    def submit(case: Case, trial: int, n: int) -> Future[Record]:
        names = tuple(sorted(share(models, n).items()))
        reference: Any = play.remote(suite, case, trial, names, settings)
        future: Future[Record] = reference.future()
        return future

    try:
        yield submit
    finally:
        if mine:
            ray.shutdown()


def _played(
    suite: Suite, case: Case, trial: int, models: tuple[tuple[str, str], ...], settings: Settings
) -> Record:
    engines = {role: _engine(name) for role, name in models}
    return tried(suite, case, trial, engines, settings=settings, health=Health(print))


@cache
def _engine(name: str) -> Engine:
    return load(name)
