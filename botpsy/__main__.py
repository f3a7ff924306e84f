"""``python -m botpsy``."""

from botpsy.cli.main import main

main()
