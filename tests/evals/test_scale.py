"""A run spread over a Ray cluster leaves what a run in one process leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from botpsy.engines import load
from botpsy.engines.scripted import Scripted
from botpsy.errors import UsageError
from botpsy.evals.record import Records
from botpsy.evals.run import Settings, run
from botpsy.evals.scale import on_ray
from tests.engines.test_serve import serving
from tests.evals.made_up import SUITE
from tests.evals.test_run import CASES, knows, verdicts


def test_models_have_addresses() -> None:
    pytest.importorskip("ray")
    with (
        pytest.raises(UsageError, match=r"default is none\. Serve it"),
        on_ray(SUITE, {"model": ["default"]}, Settings()),
    ):
        pass


@pytest.mark.slow
def test_the_same_run_on_ray(tmp_path: Path) -> None:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with serving(Scripted(knows)) as one, serving(Scripted(knows)) as two:
            urls = [str(each.base_url.join("/v1")) for each in (one, two)]
            found = {}
            for name in ("here", "there"):
                (tmp_path / name).mkdir()
                records = Records(tmp_path / name)
                settings = Settings(concurrency=4, trials=2)
                engines = {"model": [load(url) for url in urls]}
                with on_ray(SUITE, {"model": urls}, settings) as submit:
                    elsewhere = submit if name == "there" else None
                    run(SUITE, CASES, engines, records, settings, elsewhere=elsewhere)
                found[name] = verdicts(records)
    finally:
        ray.shutdown()
    assert found["there"] == found["here"]
    assert len(found["there"]) == 2 * len(CASES)
