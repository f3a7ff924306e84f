"""The suites, each in its module or package, with ``SUITE`` or ``SUITES`` in it."""
