"""How the user writes or speaks. What an argument or an answer repeats stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from botpsy.chat.types import Json, JsonObject, Message, ToolCall
from botpsy.data.augment.tools import done
from botpsy.data.types import Row

_WORD = re.compile(r"[^\W\d_]+")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_MONTH_FIRST = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)")
_HALF_DAY = re.compile(r"\b(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?", re.IGNORECASE)
# A word with one of these is an address, a path, a code or a quotation: speech has its own ways
# with those.
_EXACT = re.compile(r"[\d@/\\_{}<>\"'“”]|\w\.\w")


def typos(row: Row, rng: Random) -> Row:
    """One to three slips of the fingers in the user's turns."""
    kept = {word.casefold() for text in _repeated(row) for word in _WORD.findall(text)}
    left = rng.randint(1, 3)

    def slip(text: str) -> str:
        nonlocal left
        words = [m for m in _WORD.finditer(text) if len(m[0]) > 3 and m[0].casefold() not in kept]
        rng.shuffle(words)
        for match in sorted(words[:left], key=lambda m: -m.start()):
            text = text[: match.start()] + _slipped(match[0], rng) + text[match.end() :]
            left -= 1
        return text

    return _said(row, slip, "typos")


def _slipped(word: str, rng: Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    missing, doubled = word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return rng.choice([each for each in (missing, doubled, swapped) if each != word])


def speech(row: Row) -> Row:
    """As dictated: small letters, no punctuation. A turn with an address, a path, a code or a
    quotation keeps its letters."""

    def dictated(text: str) -> str:
        if "\n" in text or any(_EXACT.search(word) for word in text.split() if not word.isdigit()):
            return text
        return re.sub(r"[.,;:!?]+(?=\s|$)", "", text).lower()

    return _said(row, dictated, "speech")


def locale(row: Row, rng: Random) -> Row:
    """Days and times in another country's form: 24 hours, day before month. Where an argument
    repeats the phrase, it is changed there, too."""
    forms: dict[str, str] = {}

    def other(text: str) -> str:
        for pattern, write in ((_HALF_DAY, _full_day), (_MONTH_FIRST, _day_first)):
            for match in pattern.finditer(text):
                forms.setdefault(match[0], write(match))
        return _replaced(text, forms)

    changed = _said(row, other, "locale")
    if changed is row:
        return row
    return replace(
        changed,
        messages=tuple(
            replace(
                message,
                reasoning=_replaced(message.reasoning, forms),
                calls=tuple(
                    ToolCall(call.name, _in_object(call.arguments, forms), call.id)
                    for call in message.calls
                ),
            )
            for message in changed.messages
        ),
    )


def _full_day(match: re.Match[str]) -> str:
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    return f"{hour:02}:{match[2] or '00'}" if int(match[1]) <= 12 else match[0]


def _day_first(match: re.Match[str]) -> str:
    return f"{match[2]} {match[1]}"


def _replaced(text: str, forms: dict[str, str]) -> str:
    for old, new in forms.items():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return text


def _in_object(values: JsonObject, forms: dict[str, str]) -> JsonObject:
    return {name: _in_values(value, forms) for name, value in values.items()}


def _in_values(value: Json, forms: dict[str, str]) -> Json:
    if isinstance(value, str):
        return _replaced(value, forms)
    if isinstance(value, list):
        return [_in_values(part, forms) for part in value]
    if isinstance(value, dict):
        return _in_object(value, forms)
    return value


def _said(row: Row, change: Callable[[str], str], name: str) -> Row:
    """The row with the user's turns changed; the same row where nothing was."""
    messages = tuple(
        Message("user", change(message.content)) if message.role == "user" else message
        for message in row.messages
    )
    if messages == row.messages:
        return row
    return done(replace(row, messages=messages), name)


def _repeated(row: Row) -> Iterator[str]:
    """All that the assistant gives back: values of arguments, answers."""
    for message in row.messages:
        if message.role == "assistant":
            yield message.content
            for call in message.calls:
                yield from _texts(call.arguments)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
