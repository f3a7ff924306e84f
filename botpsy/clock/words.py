"""The words of English time phrases, and how a phrase becomes tokens.

Tables only, and the tokenizer and number reader that rest on them. The meaning of a phrase is in
``grammar`` (a moment, a day, a length) and ``periods`` (a stretch).
"""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta
from typing import NamedTuple

from botpsy.errors import TimePhraseError

MAX_PHRASE = 200


class Span(NamedTuple):
    """A length of time ; months and days keep the wall clock, ``exact`` does not."""

    months: int = 0
    days: int = 0
    exact: timedelta = timedelta()

    def times(self, factor: float) -> Span:
        """Scaled; a fraction of a day becomes hours. Fractions of months have no length."""
        months, days = self.months * factor, self.days * factor
        if months != int(months):
            raise TimePhraseError("A fraction of a month or year has no fixed length.")
        rest = timedelta(hours=24) * (days - int(days))
        return Span(int(months), int(days), self.exact * factor + rest)

    def plus(self, other: Span) -> Span:
        """The sum."""
        return Span(self.months + other.months, self.days + other.days, self.exact + other.exact)


class Part(NamedTuple):
    """A part of the day, in hours: when it is taken to be as a moment, and as a stretch."""

    at: float
    start: int
    end: int


PARTS = {
    "morning": Part(9, 6, 12),
    "afternoon": Part(15, 12, 18),
    "evening": Part(19, 18, 24),
    "night": Part(20, 18, 24),
    "lunchtime": Part(12, 12, 14),
}

_HOUR = Span(exact=timedelta(hours=1))
_MINUTE = Span(exact=timedelta(minutes=1))
_SECOND = Span(exact=timedelta(seconds=1))
_UNIT_NAMES = {
    "second seconds sec secs s": _SECOND,
    "minute minutes min mins m": _MINUTE,
    "hour hours hr hrs h": _HOUR,
    "day days d": Span(days=1),
    "week weeks wk wks w": Span(days=7),
    "fortnight fortnights": Span(days=14),
    "month months": Span(months=1),
    "year years yr yrs": Span(months=12),
}
UNITS = {name: span for names, span in _UNIT_NAMES.items() for name in names.split()}

_WEEKDAY_NAMES = (
    "monday mon mondays",
    "tuesday tue tues tuesdays",
    "wednesday wed weds wednesdays",
    "thursday thu thur thurs thursdays",
    "friday fri fridays",
    "saturday sat saturdays",
    "sunday sun sundays",
)
WEEKDAYS = {name: day for day, names in enumerate(_WEEKDAY_NAMES) for name in names.split()}

_MONTH_NAMES = (
    "january jan",
    "february feb",
    "march mar",
    "april apr",
    "may",
    "june jun",
    "july jul",
    "august aug",
    "september sep sept",
    "october oct",
    "november nov",
    "december dec",
)
MONTHS = {name: month for month, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}

HOLIDAYS = {
    ("christmas", "eve"): (12, 24),
    ("christmas", "day"): (12, 25),
    ("christmas",): (12, 25),
    ("boxing", "day"): (12, 26),
    ("new", "year", "eve"): (12, 31),
    ("new", "years", "eve"): (12, 31),
    ("new", "year", "day"): (1, 1),
    ("new", "years", "day"): (1, 1),
    ("valentine", "day"): (2, 14),
    ("valentines", "day"): (2, 14),
    ("halloween",): (10, 31),
}

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
SMALL = {name: n for n, name in enumerate(_SMALL.split())}
TENS = {name: 10 * n for n, name in enumerate(_TENS.split(), 2)}
ORDINALS = {name: n for n, name in enumerate(_ORDINALS.split(), 1)} | {"thirtieth": 30}

_SAME = {
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tomorow": "tomorrow",
    "tommorow": "tomorrow",
    "tommorrow": "tomorrow",
    "tonite": "tonight",
    "midday": "noon",
    "lunch": "lunchtime",
    "mornings": "morning",
    "evenings": "evening",
    "previous": "last",
    "upcoming": "coming",
    "following": "next",
    "till": "to",
    "til": "to",
    "until": "to",
    "through": "to",
    "thru": "to",
    "around": "at",
    "about": "at",
    "approximately": "at",
    "by": "at",
    "beginning": "start",
    "eod": "endofday",
}
_DROPPED = frozenset({"just", "please", "exactly", "sharp", "whole", "entire"})
_LINKS = frozenset({"the", "on", "of"})

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<iso>\d{4}-\d{1,2}-\d{1,2}(?:t\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?)
    | (?P<date>\d{1,4}/\d{1,2}(?:/\d{2,4})? | \d{1,2}\.\d{1,2}\.\d{4})
    | (?P<clock>\d{1,2}:\d{2}(?::\d{2})?)
    | (?P<hclock>\d{1,2}h\d{2}(?!\d))
    | (?P<ordinal>\d{1,2}(?:st|nd|rd|th)\b)
    | (?P<decimal>\d+\.\d+)
    | (?P<int>\d+)
    | (?P<word>[a-z]+)
    | (?P<dash>-)
    | (?P<plus>\+)
    | (?P<skip>[,;.!?()])
    )""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word, number or sign of a phrase; ``kind`` is the group of the pattern that took it."""

    kind: str
    text: str


def tokenize(phrase: str) -> list[Token]:
    """Lower-cased, spelling variants folded, filler words dropped.

    Raises:
        TimePhraseError: empty, too long, or a character no time phrase has.
    """
    if len(phrase) > MAX_PHRASE:
        raise TimePhraseError("That is too long for a time.", hint="Give it in a few words.")
    text = re.sub(r"(\d*)\s?½", lambda m: f"{m[1] or 0}.5", phrase)
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    text = re.sub("['\u2019]s\\b", "", text)
    text = re.sub(r"o\s?['\u2019]?\s?clock", "oclock", text)
    text = re.sub(r"(?<![a-z])([ap])\.?\s?m\b\.?", r" \1m ", text)
    text = text.replace("@", " at ")
    tokens: list[Token] = []
    position, end = 0, len(text.rstrip(" \t\n,;.!?"))
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise TimePhraseError(f"{phrase!r} is not a time I understand.", hint=HINT)
        kind, value = match.lastgroup, match[match.lastgroup]
        position = match.end()
        if kind == "word":
            value = _SAME.get(value, value)
        dropped = value in _DROPPED or (value in _LINKS and position < end)
        if kind != "skip" and not dropped:
            tokens.append(Token(kind, value))
    if not tokens:
        raise TimePhraseError(f"{phrase!r} names no time.", hint=HINT)
    return tokens


HINT = 'Say it like "Friday at 3 pm", "in 20 minutes" or "2027-03-04 15:00".'


def number(tokens: list[Token], i: int) -> tuple[float, int] | None:
    """A cardinal at ``i``, in digits or words, and the index after it."""
    if i >= len(tokens):
        return None
    kind, text = tokens[i]
    if kind in ("int", "decimal"):
        return float(text), i + 1
    if text in SMALL:
        return float(SMALL[text]), i + 1
    if text in TENS:
        j = i + 1
        if j + 1 < len(tokens) and tokens[j].kind == "dash" and tokens[j + 1].text in SMALL:
            j += 1
        if j < len(tokens) and 0 < SMALL.get(tokens[j].text, 0) < 10:
            return float(TENS[text] + SMALL[tokens[j].text]), j + 1
        return float(TENS[text]), i + 1
    return None


def ordinal(tokens: list[Token], i: int) -> tuple[int, int] | None:
    """An ordinal at ``i`` ("3rd", "twenty-first"), and the index after it."""
    if i >= len(tokens):
        return None
    kind, text = tokens[i]
    if kind == "ordinal":
        return int(text[:-2]), i + 1
    if text in ORDINALS:
        return ORDINALS[text], i + 1
    if text in TENS:
        j = i + 1
        if j + 1 < len(tokens) and tokens[j].kind == "dash":
            j += 1
        if j < len(tokens) and 0 < ORDINALS.get(tokens[j].text, 0) < 10:
            return TENS[text] + ORDINALS[tokens[j].text], j + 1
    return None
