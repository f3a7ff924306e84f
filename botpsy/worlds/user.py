"""The scripted user: says the turns, answers questions from own facts, and knows nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from botpsy.worlds.words import questions, scattered

SLOTS: Mapping[str, str] = {
    "time": r"when|(what|which|at what) (time|hour|day|date)|time",
    "day": r"(what|which) (day|date)|when|\bdate\b|\bday\b",
    "duration": r"how long|how many (minutes|hours)|duration|length",
    "title": r"what (is it|should (i|it)|shall|would you like (me )?to (call|name)|about)|title"
    r"|name|called|call it",
    "text": r"what (should|shall|would|do you|exactly|is)|which (text|message|words)|message|say"
    r"|text|remind you (of|about)|content|write|about",
    "recipient": r"\bwho\b|whom|recipient|which (person|contact|one)|name|address|to send",
    "person": r"\bwho\b|whom|which|name",
    "which": r"which|what one|what (event|mail|file|note|one|list|device|order|booking)|\bor\b",
    "place": r"where|which (place|city|room|location)|place|location|city|destination",
    "amount": r"how (much|many)|amount|quantity|number",
    "account": r"account|card",
    "id": r"number|\bid\b|reference|code|which",
    "name": r"name|called|call (it|the)|title",
    "level": r"how (bright|loud|warm|high|much)|what (level|percentage|temperature)|percent"
    r"|degrees|temperature|level",
    "code": r"\bcode\b|\bpin\b|password|verify|identif|identity|who you are",
    "reason": r"\bwhy\b|reason|what (happened|for|is wrong)|wrong with",
    "customer": r"\bwho\b|whom|which|what customer|name|customer",
    "order": r"\border\b|which (one|item|purchase)|what did you (buy|order)",
    "colour": r"colou?r",
    "room": r"which room|where|what room|which (light|one)|room",
}
"""What a question about a slot looks like. A slot that is not here is recognised by its name."""

_UNKNOWN = "I don't know, sorry."
_TOO_MANY = "That is too much at once. What do you really need to know?"
_INSIST = "Just what I asked for, please."
_NO_MORE = "No, thanks."
_OFFERS = re.compile(
    r"\b(shall|should|may|can|could) (i|we)\b|\b(do|would) you (want|like)\b|\bis (that|this)\b"
    r"|\bcorrect\b|\bconfirm\b|\bproceed\b|\bgo ahead\b|\bare you sure\b|\bright\?",
    re.IGNORECASE,
)
PATIENCE = 3
"""Replies that help nobody, before the user gives up."""


@cache
def _pattern(slot: str) -> re.Pattern[str]:
    return re.compile(SLOTS.get(slot, rf"\b{re.escape(slot)}"), re.IGNORECASE)


def asks_for(text: str, slot: str) -> bool:
    """Whether the text asks the user for this slot, and not for everything."""
    return questions(text) and not scattered(text) and bool(_pattern(slot).search(text))


class User:
    """One conversation's user.

    Args:
        turns: what is said of the user's own accord, in order.
        facts: replies by slot; ``None`` is a slot whose value the user does not know.
        content: takes "no" for an answer; offers of other help are turned down.
    """

    def __init__(
        self, turns: Sequence[str], facts: Mapping[str, str | None], *, content: bool = False
    ) -> None:
        self._left = list(turns)
        self._facts = dict(facts)
        self._content = content
        self._patience = PATIENCE
        self.asked: list[str] = []
        self.turn = 0

    def next_turn(self) -> str | None:
        """The next thing said of the user's own accord; None when nothing is left."""
        self.turn += 1
        return self._left.pop(0) if self._left else None

    def reply(self, text: str) -> str | None:
        """What the user says to an agent's message without calls; None ends the conversation."""
        if not questions(text):
            return self.next_turn()
        slots = [slot for slot in self._facts if asks_for(text, slot)]
        self.asked += slots
        known = [fact for slot in slots if (fact := self._facts[slot]) is not None]
        if slots and (fresh := [fact for fact in known if fact]):
            for slot in slots:
                self._facts[slot] = None
            return " ".join(fresh)
        if not slots and self._left and not scattered(text):
            return self.next_turn()
        self._patience -= 1
        if self._patience <= 0:
            return None
        if scattered(text):
            return _TOO_MANY
        if slots:
            return _UNKNOWN
        if _OFFERS.search(text):
            return _NO_MORE if self._content else _INSIST
        return _UNKNOWN
