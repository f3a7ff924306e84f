"""Four stages on TRL: supervised fine-tuning, distillation from several teachers, two DAPO rounds.

``recipe``, ``rows`` and ``plan`` need no torch; everything else here does (the ``train`` extra).
"""

import os

# Read when transformers is imported: training fetches nothing and tells nobody.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
