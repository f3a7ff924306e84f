"""Instructions that a program can check: IFEval, IFBench and Multi-IF.

The checks are in ``classic`` (IFEval's, and where Multi-IF's differ), ``wording`` and ``shaping``
(IFBench's); ``following`` says what strict and loose mean.
"""

from __future__ import annotations

from botpsy.evals.suites.instructions import ifbench, ifeval, multi_if

SUITES = (ifeval.SUITE, ifbench.SUITE, *multi_if.SUITES)
