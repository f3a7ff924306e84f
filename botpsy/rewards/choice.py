"""Multiple choice: 1 for the right letter, 0 for another one, the floor for no single choice.

Reference: ``{"answer": "B", "options": ["Oslo", "Riga", …]}``. The reply's last line is
``Answer: B``; the option's own text may follow the letter, that of another one may not.
"""

from __future__ import annotations

import re

from botpsy.chat.types import JsonObject
from botpsy.rewards.answer import content_of, stated
from botpsy.rewards.base import FLOOR, Reward

LETTERS = "ABCDEFGHIJ"

_CHOICE = re.compile(r"[(\[]?([A-Ja-j])[)\].:]*(?:[)\].:\s]\s*(\S.*))?")


def verify(reference: JsonObject, raw: str) -> Reward:
    """See the module."""
    content = content_of(raw)
    answer = stated(content) if content else None
    letter = _letter(answer, reference["options"]) if answer else None
    if letter is None:
        return Reward(FLOOR, {"format": 0.0, "correct": 0.0})
    correct = float(letter == reference["answer"])
    return Reward(correct, {"format": 1.0, "correct": correct})


def _letter(answer: str, options: object) -> str | None:
    assert isinstance(options, list)
    match = _CHOICE.fullmatch(answer)
    if match is None:
        return None
    letter, text = match.group(1).upper(), match.group(2)
    index = LETTERS.index(letter)
    if index >= len(options):
        return None
    if text is not None and _plain(text) != _plain(str(options[index])):
        return None
    return letter


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .*_`\"'")
