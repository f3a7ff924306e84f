"""Pictures have room for what they show."""

from __future__ import annotations

import warnings

import pytest

from botpsy.evals.report.plots import bars
from botpsy.evals.statistics import Value

pytest.importorskip("matplotlib")


def test_long_names_leave_room_for_bars() -> None:
    value = Value(0.5, 0.25, 0.75, 9)
    names = ["A suite that is called by " + "very " * 40 + "many words", "short", "x" * 200]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bars({"m": dict.fromkeys(names, value)}).startswith(b"\x89PNG")
