"""The same build on many machines: units mapped by Ray Data. Needs the ``scale`` extra.

Workers write their parts where ``build`` looks for them, so on more than one machine the output
folder, the corpora and the tokenizer must lie on storage that all of them see at the same path.
Ray's own settings (``RAY_ADDRESS``) say which cluster; without, one is started on this machine.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from botpsy.data.build import Job, Unit, write_unit
from botpsy.errors import UsageError


def run_on_ray(job: Job, units: list[Unit], progress: Callable[[int, int], None]) -> None:
    """Write all units, as ``build(run=...)`` wants it. Keeps a Ray that runs already.

    Raises:
        UsageError: Ray is not installed.
    """
    try:
        import ray
    except ImportError:
        raise UsageError("Ray is not installed.", "Install botpsy[scale].") from None
    if not units:
        return

    def write(item: dict[str, Any]) -> dict[str, Any]:
        write_unit(job, Unit(**item))
        return {"n": item["n"]}

    logging.getLogger("ray.data").setLevel(logging.WARNING)
    mine = not ray.is_initialized()
    if mine:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.WARNING)
    try:
        cluster: Any = ray  # its resources have no type
        cpus = int(cluster.cluster_resources().get("CPU", 1))
        # A few blocks per core: as many units as there are would each cost a task's start.
        blocks = min(len(units), 8 * cpus)
        items = ray.data.from_items([asdict(unit) for unit in units], override_num_blocks=blocks)
        for done, _ in enumerate(items.map(write).iter_rows(), 1):
            progress(done, len(units))
    finally:
        if mine:
            ray.shutdown()
