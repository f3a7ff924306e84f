"""Time phrases to absolute, zoned times, in code: "next Friday at 3 pm" is never left to a model.

Contract (all results are aware of the user's time zone and safe across DST):

- ``Clock.instant("Friday at 3 pm")`` -> ``datetime``; ``Clock.day("tomorrow")`` -> ``date``;
  ``Clock.duration("an hour and a half")`` -> ``timedelta``; ``Clock.period("next week")`` ->
  ``(start, end)``, end exclusive. ISO forms are taken as they are.
- What cannot be understood or does not exist raises ``TimePhraseError``, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Clock:
    """The user's zone, and optionally a fixed present (tests, worlds, ``--now``)."""

    tz: ZoneInfo
    fixed: datetime | None = None

    def now(self) -> datetime:
        """The present moment in the user's zone."""
        return self.fixed.astimezone(self.tz) if self.fixed else datetime.now(self.tz)

    def instant(self, phrase: str) -> datetime:
        """A point in time."""
        raise NotImplementedError

    def day(self, phrase: str) -> date:
        """A calendar day."""
        raise NotImplementedError

    def duration(self, phrase: str) -> timedelta:
        """A length of time."""
        raise NotImplementedError

    def period(self, phrase: str) -> tuple[datetime, datetime]:
        """A stretch of time, end exclusive."""
        raise NotImplementedError
