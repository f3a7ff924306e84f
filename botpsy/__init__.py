"""A private assistant on your own machine, and the open recipe for the small model behind it."""

__version__ = "0.1.0"
