"""When an engine in this process gives up a completion."""

from __future__ import annotations

import time

from botpsy.engines.base import Cancel
from botpsy.errors import EngineTimeoutError


class Watch:
    """Whether a call should stop: asked for, timed out, or the engine is closing."""

    def __init__(
        self, cancel: Cancel | None, closing: Cancel, timeout_s: float | None, started: float
    ) -> None:
        self.cancel, self.closing, self.timeout_s = cancel, closing, timeout_s
        self.deadline = None if timeout_s is None else started + timeout_s

    def stop(self) -> bool:
        """Whether to give up.

        Raises:
            EngineTimeoutError: the time is over.
        """
        if self.closing.is_set() or (self.cancel is not None and self.cancel.is_set()):
            return True
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise EngineTimeoutError(f"The model did not finish within {self.timeout_s:g} s.")
        return False
