"""tau2-bench: telecom without a user."""

from botpsy.evals.suites.tau2 import telecom

SUITES = (telecom.SUITE,)
