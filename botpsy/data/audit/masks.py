"""Is what a row teaches what the assistant says, all of it and nothing else?

The mask is made in one place (``ChatFormat.encode``). It is checked here by another way: turns are
found again in the ids, between the opening of an assistant's turn and the end of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from botpsy.chat.formats import ChatFormat, Tokenizer
from botpsy.data.types import Row

END = "<|im_end|>"


@dataclass(frozen=True, slots=True)
class Seen:
    """Tokens of a row, those to be learnt, and what is wrong with the mask, if anything is."""

    tokens: int
    learnt: int
    problem: str = ""


def look(row: Row, chat: ChatFormat, tokenizer: Tokenizer) -> Seen:
    """Encode a row as training does, and hold the mask against the turns."""
    ids, mask = chat.encode(row.messages, row.tools, tokenizer)
    opening = chat.encode((), (), tokenizer, add_generation_prompt=True)[0]
    turns = sum(message.role == "assistant" for message in row.messages)
    problem = _problem(
        np.array(ids), np.array(mask), np.array(opening), tokenizer.token_id(END), turns
    )
    if not problem and not row.is_task and not 0 < sum(mask) < len(mask):
        problem = "nothing is to be learnt" if not any(mask) else "everything is to be learnt"
    return Seen(len(ids), sum(mask), problem)


def _problem(ids: np.ndarray, mask: np.ndarray, opening: np.ndarray, end: int, turns: int) -> str:
    if len(ids) != len(mask):
        return f"{len(ids)} tokens have a mask of {len(mask)}"
    expected = np.zeros(len(ids), dtype=bool)
    ends = np.flatnonzero(ids == end)
    found = 0
    for start in np.flatnonzero(ids == opening[0]):
        first = start + len(opening)
        if not np.array_equal(ids[start:first], opening):
            continue
        after = ends[np.searchsorted(ends, first) :]
        if not len(after):
            return "a turn of the assistant does not end"
        expected[first : after[0] + 1] = True
        found += 1
    if found != turns:
        return f"{turns} turns of the assistant are {found} when encoded"
    if turns and not mask.any():
        return "nothing is to be learnt"
    if turns and mask.all():
        return "everything is to be learnt"
    if (expected & (mask == 0)).any():
        return "a part of the assistant's turns is not to be learnt"
    if (~expected & (mask != 0)).any():
        return "something that the assistant did not say is to be learnt"
    return ""
