"""Opening hours: the same from day to day, with weekdays off."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import get_args

from botpsy.services.recurrence import Weekday

_WEEK: tuple[Weekday, ...] = get_args(Weekday)


@dataclass(frozen=True, slots=True)
class Hours:
    """From ``opens`` to ``closes`` on the wall clock there; the next morning when that is earlier.

    Both the same means around the clock. ``off`` are the weekdays on which it does not open.
    """

    opens: time = time()
    closes: time = time()
    off: tuple[Weekday, ...] = ()

    def open_at(self, when: datetime) -> bool:
        """Whether it is open at a moment; at closing time it is not."""
        clock = when.time().replace(tzinfo=None)
        if self.opens < self.closes:
            return self._opens_on(when.date()) and self.opens <= clock < self.closes
        if clock >= self.opens:
            return self._opens_on(when.date())
        return clock < self.closes and self._opens_on(when.date() - timedelta(days=1))

    def show(self) -> str:
        """``11:00-22:00, not on Mon``."""
        around = self.opens == self.closes
        text = "always open" if around else f"{self.opens:%H:%M}-{self.closes:%H:%M}"
        off = ", ".join(day.title() for day in self.off)
        return f"{text}, not on {off}" if off else text

    def _opens_on(self, day: date) -> bool:
        return _WEEK[day.weekday()] not in self.off


__all__ = ["Hours"]
