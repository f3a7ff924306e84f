"""Rollouts that are learnt from, cut into passes of at most so many tokens, and made tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

from botpsy.train.rollout import Rollout

Batch = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Learnt:
    """A rollout that is learnt from.

    Attributes:
        place: among all that the generation keeps, over all processes.
        key: rows of different keys never share a pass.
        advantage: of reinforcement.
    """

    rollout: Rollout
    place: int
    key: str = ""
    advantage: float = 0.0

    def __len__(self) -> int:
        return len(self.rollout.prompt) + len(self.rollout.ids)


def cut(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Rows from long to short, as many in a pass as fit when padded to its first."""
    made: list[list[int]] = []
    for n in sorted(range(len(lengths)), key=lambda n: (-lengths[n], n)):
        assert lengths[n] <= budget, "a rollout is no longer than its limits"
        if made and lengths[made[-1][0]] * (len(made[-1]) + 1) <= budget:
            made[-1].append(n)
        else:
            made.append([n])
    return made


def spread(parts: Sequence[Sequence[T]], count: int) -> list[list[T]]:
    """The same rows in exactly ``count`` passes, none larger than before; empty ones if need be."""
    made = [list(part) for part in parts]
    assert len(made) <= count
    while len(made) < count:
        largest = max(made, key=len, default=[])
        half = len(largest) // 2
        made.append(largest[len(largest) - half :] if half else [])
        if half:
            del largest[len(largest) - half :]
    return made


def padded(rows: Sequence[Learnt], pad: int, *, share: bool = False) -> Batch:
    """Rollouts side by side, padded on the right.

    The prompt is the first token alone, everything else counts as completion: so no row is padded
    in the middle. ``tool_mask`` is 1 on what was sampled, ``old_per_token_logps`` has the
    log-probabilities at which it was.

    Args:
        rows: of one prompt, if its tokens but the last are to be shared, as ``prefix``.
        pad: a token for where there is none.
        share: see ``botpsy.train.head.shares_prefix``.
    """
    prefix = rows[0].rollout.prompt[:-1] if share else ()
    width = max(map(len, rows)) - len(prefix)
    ids = torch.full((len(rows), width), pad)
    there = torch.zeros(len(rows), width, dtype=torch.long)
    mine = torch.zeros(len(rows), width, dtype=torch.long)
    logps = torch.zeros(len(rows), width)
    for n, each in enumerate(rows):
        rollout = each.rollout
        assert len(rollout.ids) == len(rollout.mask) == len(rollout.logps), rollout.task.id
        assert rollout.prompt[: len(prefix)] == prefix, "rows share their prompt"
        at, end = len(rollout.prompt) - len(prefix), len(each) - len(prefix)
        ids[n, :end] = torch.tensor([*rollout.prompt[len(prefix) :], *rollout.ids])
        there[n, :end] = 1
        mine[n, at:end] = torch.tensor(rollout.mask)
        logps[n, at:end] = torch.tensor(rollout.logps)
    made: Batch = {"prefix": torch.tensor([prefix])} if prefix else {}
    return made | {
        "rows": tuple(each.rollout.task.id for each in rows),
        "there": int(there.sum()) + len(prefix),
        "prompt_ids": ids[:, :1],
        "prompt_mask": there[:, :1],
        "completion_ids": ids[:, 1:],
        "completion_mask": there[:, 1:],
        "tool_mask": mine[:, 1:],
        "old_per_token_logps": logps[:, 1:],
    }


def joined(rows: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Of ``padded`` rows: ids and mask of prompt and completion, and what of it was sampled."""
    ids = torch.cat([rows["prompt_ids"], rows["completion_ids"]], 1)
    there = torch.cat([rows["prompt_mask"], rows["completion_mask"]], 1)
    return ids, there, (rows["completion_mask"] * rows["tool_mask"]).bool()
