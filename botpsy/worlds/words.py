"""Does a text say a thing? Small matchers that bear with an agent's own wording.

They never raise, and know numbers in words ("ten" is 10) and times in both clocks (15:00 is 3 pm).
An amount (15.00) is not read as a time, though a time may be written like one.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NUMBERS = {
    word: str(n)
    for n, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
         "nineteen", "twenty")
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90"}  # fmt: skip
_STOP = frozenset(
    ("a", "about", "am", "an", "and", "are", "at", "be", "by", "for", "from", "her", "his", "i",
     "im", "in", "is", "it", "its", "just", "me", "my", "of", "on", "or", "our", "please", "so",
     "that", "the", "their", "this", "to", "us", "was", "we", "will", "with", "you", "your")
)  # fmt: skip
_NOT = frozenset(
    ("arent", "cannot", "cant", "couldnt", "doesnt", "dont", "isnt", "never", "no", "not",
     "wasnt", "wont")
)  # fmt: skip
_TOKEN = re.compile(r"\d{1,2}[:.]\d\d(?:a\b)?(?!\d)|\d+(?:[.,]\d+)*|[^\W\d_]+")
_HALVES = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))?\s*([ap])\.?m\b\.?", re.IGNORECASE)

_DECLINES = re.compile(
    r"\b(can'?t|cannot|can not|could(n'?t| not)|unable|not able|won'?t"
    r"|do(n'?t| not) (have|see|find)|(have|has|find|found|see) no(ne)?"
    r"|there('?s| is| are) no(t|thing)?\b|no (tool|way|such)"
    r"|(is|are|was|were)(n'?t| not)"
    r"|does(n'?t| not)|did(n'?t| not)|not (possible|available|allowed|permitted|valid|found)"
    r"|invalid|impossible|unfortunately|only has|has only|no longer|refuse|never)\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\bi('m| am)? (can't|cannot|can not|couldn't|could not|unable to|not able to|won't|will not)"
    r" (?!(be )?(find|found|see|seen|tell|say|check|read|open|look|know|reach))"
    r"|\bnothing (was|has been|is) (done|changed)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(r"\b(?:when|what|which|who|where|how|why)")
_CLOSERS = re.compile(
    r"[^.!?]*\b(anything else|something else|what else|else (can|may) i|let me know if)\b"
    r"[^.!?]*[.?!]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\?|\b(please (tell|let|give|provide|specify|say)|let me know (which|what|when|who|where|how)"
    r"|i('ll| will)? need to know|tell me (which|what|when|who|where|how))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers in one plain form."""
    text = re.sub(r"['’]", "", text.casefold())
    text = re.sub(r"\bnoon\b", "12:00", text)
    text = _HALVES.sub(_full_time, text)
    found = []
    for raw in _TOKEN.findall(text):
        token = _NUMBERS.get(raw, raw)
        if token[0].isdigit():
            clock = re.fullmatch(r"(\d{1,2})([:.]\d\da?)", token)
            found.append(f"{int(clock[1])}{clock[2]}" if clock else token.replace(",", ""))
        else:
            found.append(token[:-1] if len(token) > 3 and token.endswith("s") else token)
    return tuple(found)


def _full_time(match: re.Match[str]) -> str:
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    return f"{hour}:{match[2] or '00'}{'a' if hour < 12 else ''}"


def mentions(text: str, wanted: str) -> bool:
    """Whether one of the alternatives in ``wanted`` ("3 pm|15:00") is said, word for word.

    Of a time, the bare twelve-hour form counts too ("at 3:00" for 15:00).
    """
    have = tokens(text)
    return any(_within(tokens(each), have) for each in wanted.split("|"))


def _within(wanted: tuple[str, ...], have: tuple[str, ...]) -> bool:
    if not wanted:
        return False
    size = len(wanted)
    return any(all(map(_same, wanted, have[at : at + size])) for at in range(len(have) - size + 1))


def _same(wanted: str, have: str) -> bool:
    """``3:00a`` is in the morning for certain; ``3:00`` may be in the afternoon too."""
    if wanted == have:
        return True
    if ":" in wanted and re.fullmatch(r"\d{1,2}[:.]\d\da?", have):
        have = have.replace(".", ":")
        if "a" in wanted + have:
            return wanted.rstrip("a") == have.rstrip("a")
        (a, b), (c, d) = wanted.split(":"), have.split(":")
        return b == d and int(a) - int(c) in (0, 12)
    return False


def alike(gold: str, text: str, share: float = 1.0) -> bool:
    """Whether a text says what the gold one does in other words.

    Every number and that ``share`` of the telling words must be in it, and not much more; a "not"
    in one of them alone makes them differ. With no share it may say anything, at some length.
    """
    have = tokens(text)
    if share == 0:
        return 0 < len(have) <= 4 * len(tokens(gold)) + 40
    wanted = [token for token in tokens(gold) if token not in _STOP] or list(tokens(gold))
    times, more, free = (2, 4, 0) if share == 1 else (3, 8, 2)  # a title is not the request
    if len(have) > times * len(tokens(gold)) + more:
        return False
    if len(figures(text)) > len(figures(gold)) + free:
        return False
    if any(each[0].isdigit() and not any(_same(each, it) for it in have) for each in wanted):
        return False
    if _NOT.isdisjoint(have) != _NOT.isdisjoint(tokens(gold)):
        return False
    found = sum(any(_same(each, it) for it in have) for each in wanted)
    return found >= share * len(wanted)


def figures(text: str) -> frozenset[str]:
    """The different numbers and times in it."""
    return frozenset(token for token in tokens(text) if token[0].isdigit())


def refuses(text: str) -> bool:
    """Whether it says that the speaker did not or won't do it ("I couldn't find it" does not)."""
    return bool(_REFUSES.search(text.replace("’", "'")))


def scattered(text: str) -> bool:
    """Whether it asks for all and everything at once."""
    return len(set(_ASKING.findall(text.casefold()))) > 4


def declines(text: str) -> bool:
    """Whether it says that something cannot be, is not so, or will not be done."""
    return bool(_DECLINES.search(text.replace("’", "'")))


def questions(text: str) -> bool:
    """Whether it waits for an answer; "Anything else?" does not."""
    return bool(_ASKS.search(_CLOSERS.sub("", text)))
