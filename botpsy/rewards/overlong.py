"""Soft overlong punishment: a reply that nears the limit loses a little, one beyond it loses 1.

DAPO (arXiv 2503.14476), equation 13. Nothing rewards length, and short replies are left alone. What
was cut off at the limit is better kept out of the loss altogether (overlong filtering); this is for
what came close.
"""

from __future__ import annotations


def punishment(length: int, limit: int, margin: int) -> float:
    """From 0 down to -1, to be added to a reward.

    Args:
        length: of the reply, in tokens.
        limit: the longest reply admitted (the paper's L_max: 20,480).
        margin: over how many tokens before the limit the punishment grows (L_cache: 4,096).
    """
    assert 0 < margin <= limit
    return -min(1.0, max(0.0, (length - (limit - margin)) / margin))
