"""The command line in several processes, one of which ends in the middle of a stage.

python -m tests.train.fails RANK STAGE STEP HOW ARGUMENT...   (HOW: error, or gone: killed)
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from botpsy.cli.main import main
from botpsy.errors import BotpsyError
from botpsy.train.engine import Engine

if __name__ == "__main__":
    rank, stage, step, how, *sys.argv[1:] = sys.argv[1:]
    told = Engine.log

    def log(self: Engine, *args: Any, **kwargs: Any) -> None:
        """A line of metrics, or the end."""
        here = os.environ["RANK"], self.stage.name, str(self.state.global_step)
        if here == (rank, stage, step):
            if how == "error":
                raise BotpsyError("The lamp is out.", "Change the lamp.")
            os.kill(os.getpid(), signal.SIGKILL)
        told(self, *args, **kwargs)

    Engine.log = log  # type: ignore[method-assign]
    main()
