"""Forms beyond our grammar ("Fri, 04 Dec 2026 15:00:00 +0100"), read by dateparser under guard.

dateparser finds a date in almost anything, so it sees only phrases that hold a digit and whose
every word is one of dates, and its answer counts only when it is complete.
"""

from __future__ import annotations

import re
import warnings
from datetime import datetime

from botpsy.clock.words import HINT, MAX_PHRASE, MONTHS, WEEKDAYS
from botpsy.errors import TimePhraseError

_ALSO = """am pm at on of the and t z utc gmt bst cet cest eet eest wet west est edt cst cdt mst mdt
pst pdt akst akdt hst jst kst ist sgt aest aedt acst awst nzst nzdt msk st nd rd th"""
_KNOWN = set(_ALSO.split()) | set(MONTHS) | set(WEEKDAYS)


def parse(phrase: str, now: datetime) -> datetime:
    """A moment that names its own day in full.

    Raises:
        TimePhraseError: it does not, or it is not understood.
    """
    words = re.findall(r"[^\W\d_]+", phrase.lower())
    if len(phrase) > MAX_PHRASE or not re.search(r"\d", phrase) or not set(words) <= _KNOWN:
        raise TimePhraseError(f"{phrase!r} is not a time I understand.", hint=HINT)
    import dateparser

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = dateparser.parse(
                phrase,
                languages=["en"],
                settings={
                    "RELATIVE_BASE": now.replace(tzinfo=None, microsecond=0),
                    "REQUIRE_PARTS": ["day", "month", "year"],
                    "TIMEZONE": str(now.tzinfo),
                    "RETURN_AS_TIMEZONE_AWARE": True,
                    "PREFER_DATES_FROM": "future",
                },
            )
        except Exception as error:
            raise TimePhraseError(f"{phrase!r} is not a time I understand.", hint=HINT) from error
    if found is None or found.tzinfo is None:
        raise TimePhraseError(f"{phrase!r} is not a time I understand.", hint=HINT)
    return found.astimezone(now.tzinfo)
