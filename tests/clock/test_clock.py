"""Phrases to times. Unless said otherwise it is Wednesday 2 December 2026, 10:00, in Paris."""

from __future__ import annotations

import contextlib
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.clock import Clock, show_instant, spoken
from botpsy.clock.words import MONTHS, UNITS, WEEKDAYS
from botpsy.errors import TimePhraseError

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 2, 10, 0, tzinfo=PARIS)
CLOCK = Clock(PARIS, NOW)

INSTANTS = {
    "next Friday at 15:00": "2026-12-04 15:00",
    "Friday 3pm": "2026-12-04 15:00",
    "3 p.m. on Friday": "2026-12-04 15:00",
    "Friday at 3": "2026-12-04 15:00",
    "Friday 3": "2026-12-04 15:00",
    "this Wednesday": "2026-12-09 09:00",
    "coming friday": "2026-12-04 09:00",
    "Friday week": "2026-12-11 09:00",
    "monday week at 9": "2026-12-14 09:00",
    "friday after next": "2026-12-11 09:00",
    "last friday": "2026-11-27 09:00",
    "2 weeks from Friday": "2026-12-18 09:00",
    "a week from today": "2026-12-09 09:00",
    "tomorrow morning": "2026-12-03 09:00",
    "this morning at half past nine": "2026-12-02 09:30",
    "in 20 minutes": "2026-12-02 10:20",
    "20 minutes": "2026-12-02 10:20",
    "in half an hour": "2026-12-02 10:30",
    "in an hour and a half": "2026-12-02 11:30",
    "an hour from now": "2026-12-02 11:00",
    "in a couple of hours": "2026-12-02 12:00",
    "in 2 days": "2026-12-04 10:00",
    "in 2 days at 3pm": "2026-12-04 15:00",
    "3 days ago": "2026-11-29 10:00",
    "half past six": "2026-12-02 18:30",
    "half six": "2026-12-02 18:30",
    "quarter to 7": "2026-12-02 18:45",
    "ten to six": "2026-12-02 17:50",
    "twenty five past six": "2026-12-02 18:25",
    "20 to 9 tomorrow": "2026-12-03 08:40",
    "a quarter past nine tomorrow morning": "2026-12-03 09:15",
    "20 minutes before noon": "2026-12-02 11:40",
    "noon": "2026-12-02 12:00",
    "midnight": "2026-12-03 00:00",
    "tonight at midnight": "2026-12-03 00:00",
    "Friday at midnight": "2026-12-05 00:00",
    "Friday 12 am": "2026-12-04 00:00",
    "day after tomorrow": "2026-12-04 09:00",
    "the day after tomorrow at noon": "2026-12-04 12:00",
    "the 3rd": "2026-12-03 09:00",
    "the first at 8": "2027-01-01 08:00",
    "the 31st": "2026-12-31 09:00",
    "the twenty-first at noon": "2026-12-21 12:00",
    "the 5th of next month": "2027-01-05 09:00",
    "March 3rd at ten am": "2027-03-03 10:00",
    "march 3 10 am": "2027-03-03 10:00",
    "3 march 10:15": "2027-03-03 10:15",
    "on the 15th of january at 2pm": "2027-01-15 14:00",
    "the fifth of january 2028": "2028-01-05 09:00",
    "Friday, December 4th at 3:30 pm": "2026-12-04 15:30",
    "Friday the 4th": "2026-12-04 09:00",
    "29 February": "2028-02-29 09:00",
    "first monday of march": "2027-03-01 09:00",
    "last friday of the month at 5pm": "2026-12-25 17:00",
    "end of the month": "2026-12-31 09:00",
    "start of next month": "2027-01-01 09:00",
    "christmas eve at 6": "2026-12-24 18:00",
    "3 pm": "2026-12-02 15:00",
    "ten am": "2026-12-03 10:00",
    "at 8": "2026-12-02 20:00",
    "at 3": "2026-12-02 15:00",
    "8": "2026-12-02 20:00",
    "today at 8": "2026-12-02 20:00",
    "tomorrow at 8": "2026-12-03 08:00",
    "8 o'clock": "2026-12-02 20:00",
    "8 o’clock in the evening tomorrow": "2026-12-03 20:00",
    "tonight at eight": "2026-12-02 20:00",
    "at 7:30 tonight": "2026-12-02 19:30",
    "tomorrow night at 1": "2026-12-04 01:00",
    "six in the morning": "2026-12-03 06:00",
    "in the morning": "2026-12-03 09:00",
    "sunday afternoon at 4": "2026-12-06 16:00",
    "three thirty p.m.": "2026-12-02 15:30",
    "seven oh five": "2026-12-02 19:05",
    "nineteen hundred hours": "2026-12-02 19:00",
    "7.30pm": "2026-12-02 19:30",
    "15h30": "2026-12-02 15:30",
    "at 1530": "2026-12-02 15:30",
    "15:00 pm": "2026-12-02 15:00",
    "03:00": "2026-12-03 03:00",
    "0:30": "2026-12-03 00:30",
    "24:00": "2026-12-03 00:00",
    "12:30": "2026-12-02 12:30",
    "today": "2026-12-02 11:00",
    "today at noon": "2026-12-02 12:00",
    "today at 9 am": "2026-12-02 09:00",
    "yesterday at 3pm": "2026-12-01 15:00",
    "end of day": "2026-12-02 17:00",
    "next week": "2026-12-07 09:00",
    "next week on Tuesday at 2": "2026-12-08 14:00",
    "tuesday next week": "2026-12-08 09:00",
    "this weekend": "2026-12-05 09:00",
    "all day Sunday": "2026-12-06 09:00",
    "in a month": "2027-01-02 10:00",
    "12/25": "2026-12-25 09:00",
    "25/12/2026 14:00": "2026-12-25 14:00",
    "4.12.2026 9:30": "2026-12-04 09:30",
    "2026-12-04": "2026-12-04 09:00",
    "2026-12-4 3pm": "2026-12-04 15:00",
    "2026-12-04T15:00": "2026-12-04 15:00",
    "2026-12-04 15:00": "2026-12-04 15:00",
    "2026-12-04T15:00:00Z": "2026-12-04 16:00",
    "2026-12-04T15:00-05:00": "2026-12-04 21:00",
    "3pm UTC": "2026-12-02 16:00",
    "Dec 4, 2026 3:00 PM": "2026-12-04 15:00",
    "now": "2026-12-02 10:00",
    # beyond our grammar
    "Fri, 04 Dec 2026 15:00:00 +0100": "2026-12-04 15:00",
    "Dec 4 2026 15:00 EST": "2026-12-04 21:00",
}


@pytest.mark.parametrize(("phrase", "expected"), INSTANTS.items())
def test_instant(phrase: str, expected: str) -> None:
    found = CLOCK.instant(phrase)
    assert found.tzinfo is PARIS
    assert f"{found:%Y-%m-%d %H:%M}" == expected
    assert CLOCK.instant(f"  {phrase.upper()}. ") == found


@pytest.mark.parametrize(
    "phrase",
    [
        "", " ", "dentist", "a", "the", "at", "pm", "day", "week", "soon", "later", "mars bar",
        "31 February", "February 30th", "the 32nd", "31 April 2027", "2027-02-29", "2026-13-01",
        "25:00", "13 am", "9:75", "Thursday the 4th", "tomorrow Friday", "today tomorrow",
        "04/05/2027", "in 20 minutes tomorrow", "3pm 4pm", "in 9999999 years",
        "in 99999999999999999999 minutes", "first monday of", "fifth monday of february 2027",
        "sat nav", "May I ask", "second opinion", "buy 3 apples", "flight 1530 to Rome", "march on",
        "-5", "1/2", "½", "in 3", "3.14159", "99", "\x00", "tomorrow\n\nand ignore the rest",
        "x" * 10_000, "1 " * 99, "tomorrow; rm -rf /", "🕒", "in half a month",
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused(phrase: str) -> None:
    with pytest.raises(TimePhraseError):
        CLOCK.instant(phrase)


@pytest.mark.parametrize("year", ["0001", "9001", "9999"])
def test_years_without_room_for_sums_are_refused(year: str) -> None:
    for phrase in (f"{year}-12-31T23:50", f"{year}-12-31"):
        for read in (CLOCK.instant, CLOCK.day, CLOCK.period):
            with pytest.raises(TimePhraseError):
                read(phrase)
    with pytest.raises(TimePhraseError):
        CLOCK.instant("in 8000 years")
    with pytest.raises(TimePhraseError):
        CLOCK.duration("2900000 days")


@pytest.mark.parametrize("today", range(7, 14))
def test_weekday_words_on_every_day_of_a_week(today: int) -> None:
    now = datetime(2026, 12, today, 12, 0, tzinfo=PARIS)  # the 7th is a Monday
    clock = Clock(PARIS, now)
    for name, weekday in (("Monday", 0), ("Friday", 4), ("Sunday", 6)):
        coming, following = clock.day(name), clock.day(f"{name} next week")
        assert coming == clock.day(f"this {name}") == clock.day(f"next {name}")
        assert clock.day(f"{name} after next") == coming + timedelta(days=7)
        assert coming.weekday() == following.weekday() == weekday
        assert 1 <= (coming - now.date()).days <= 7
        assert following == date(2026, 12, 14 + weekday)
        assert 1 <= (now.date() - clock.day(f"last {name}")).days <= 7


def test_a_phrase_without_a_day_takes_the_day_or_moment_it_is_given() -> None:
    start = CLOCK.instant("tomorrow at 11 pm")
    assert CLOCK.instant("4pm", day=start.date()) == CLOCK.instant("tomorrow 4 pm")
    assert CLOCK.instant("Friday 4pm", day=start.date()) == CLOCK.instant("Friday 4 pm")
    assert CLOCK.instant("1", after=start) == CLOCK.instant("2026-12-04T01:00")
    assert CLOCK.instant("10", after=CLOCK.instant("tomorrow 8 pm")).hour == 22


def test_near_midnight_tomorrow_is_the_users_tomorrow() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    clock = Clock(tokyo, datetime(2026, 12, 2, 14, 59, tzinfo=UTC))  # 23:59 in Tokyo
    assert clock.day("tomorrow") == date(2026, 12, 3)
    assert clock.day("today") == date(2026, 12, 2)
    later = Clock(tokyo, datetime(2026, 12, 2, 15, 0, tzinfo=UTC))
    assert later.day("tomorrow") == date(2026, 12, 4)


def test_a_skipped_time_is_refused_and_counting_moves_over_it() -> None:
    for phrase in ("2027-03-28T02:30", "28 March 2027 at 2:30 am"):
        with pytest.raises(TimePhraseError, match="does not exist on Sun 28 Mar 2027"):
            CLOCK.instant(phrase)
    before = Clock(PARIS, datetime(2027, 3, 27, 2, 30, tzinfo=PARIS))
    assert show_instant(before.instant("in 1 day")) == "Sun 28 Mar 2027, 03:30 CEST"
    assert show_instant(before.instant("in 24 hours")) == "Sun 28 Mar 2027, 03:30 CEST"
    evening = Clock(PARIS, datetime(2027, 3, 27, 20, 0, tzinfo=PARIS))
    assert show_instant(evening.instant("in 1 day")) == "Sun 28 Mar 2027, 20:00 CEST"
    assert show_instant(evening.instant("in 24 hours")) == "Sun 28 Mar 2027, 21:00 CEST"


def test_a_time_that_occurs_twice_is_the_first_unless_an_offset_says_otherwise() -> None:
    assert CLOCK.instant("2027-10-31T02:30").utcoffset() == timedelta(hours=2)
    second = CLOCK.instant("2027-10-31T02:30+01:00")
    assert (second.utcoffset(), second.fold) == (timedelta(hours=1), 1)
    first = CLOCK.instant("2027-10-31T02:30+02:00")
    assert second.astimezone(UTC) - first.astimezone(UTC) == timedelta(hours=1)


def test_a_day_may_start_late() -> None:
    cairo = ZoneInfo("Africa/Cairo")  # clocks go from 00:00 to 01:00 on 24 April 2026
    start, end = Clock(cairo, NOW).period("2026-04-24")
    assert (start.hour, end.hour) == (1, 0)
    assert end.astimezone(UTC) - start.astimezone(UTC) == timedelta(hours=23)


DURATIONS = {
    "an hour and a half": 90, "90 min": 90, "half an hour": 30, "1h30": 90, "1h30m": 90,
    "1h 30": 90, "1.5 hours": 90, "one and a half hours": 90, "2½ hours": 150, "hour": 60,
    "two hours and 15 minutes": 135, "a quarter of an hour": 15, "three quarters of an hour": 45,
    "PT1H30M": 90, "1:30:00": 90, "forty-five minutes": 45, "a couple of hours": 120,
    "for 20 minutes": 20, "10-minute": 10, "2 days": 2880, "fortnight": 14 * 1440,
    "90 minutes long": 90, "30 seconds": 0.5,
}  # fmt: skip


@pytest.mark.parametrize(("phrase", "minutes"), DURATIONS.items())
def test_duration(phrase: str, minutes: float) -> None:
    assert CLOCK.duration(phrase) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "phrase", ["", "45", "1:30", "a month", "0 minutes", "dentist", "all day", "PT", "P",
               "-5 minutes", "a few minutes", "20 minutes tomorrow", "9" * 30 + " hours"],
)  # fmt: skip
def test_what_is_no_duration_is_refused(phrase: str) -> None:
    with pytest.raises(TimePhraseError):
        CLOCK.duration(phrase)


PERIODS = {
    "tomorrow": "12-03 00:00 12-04 00:00",
    "next week": "12-07 00:00 12-14 00:00",
    "this week": "11-30 00:00 12-07 00:00",
    "this weekend": "12-05 00:00 12-07 00:00",
    "weekend": "12-05 00:00 12-07 00:00",
    "this month": "12-01 00:00 01-01 00:00",
    "in March": "03-01 00:00 04-01 00:00",
    "all day Sunday": "12-06 00:00 12-07 00:00",
    "tonight": "12-02 18:00 12-03 00:00",
    "tomorrow morning": "12-03 06:00 12-03 12:00",
    "the morning of the 5th": "12-05 06:00 12-05 12:00",
    "Monday to Wednesday": "12-07 00:00 12-10 00:00",
    "next monday through friday": "12-07 00:00 12-12 00:00",
    "Friday to Monday": "12-04 00:00 12-08 00:00",
    "from tomorrow to friday": "12-03 00:00 12-05 00:00",
    "today and tomorrow": "12-02 00:00 12-04 00:00",
    "March 3 to 7": "03-03 00:00 03-08 00:00",
    "3–7 March": "03-03 00:00 03-08 00:00",
    "the 3rd to the 5th": "12-03 00:00 12-06 00:00",
    "between 2 and 4 pm tomorrow": "12-03 14:00 12-03 16:00",
    "tomorrow from 2 to 4 pm": "12-03 14:00 12-03 16:00",
    "tomorrow 2-4pm": "12-03 14:00 12-03 16:00",
    "tomorrow afternoon between 1 and 3": "12-03 13:00 12-03 15:00",
    "11 to 1 pm tomorrow": "12-03 11:00 12-03 13:00",
    "from 9 to 5 tomorrow": "12-03 09:00 12-03 17:00",
    "9-5": "12-03 09:00 12-03 17:00",
    "from 11pm to 1": "12-02 23:00 12-03 01:00",
    "Monday 9am to Wednesday 5pm": "12-07 09:00 12-09 17:00",
    "the next 3 days": "12-02 10:00 12-05 10:00",
    "last 7 days": "11-25 10:00 12-02 10:00",
    "the coming week": "12-02 10:00 12-09 10:00",
    "rest of the week": "12-02 10:00 12-07 00:00",
    "until Friday": "12-02 10:00 12-05 00:00",
    "since Monday": "11-30 00:00 12-02 10:00",
    "after 3pm tomorrow": "12-03 15:00 12-04 00:00",
    "before noon on Friday": "12-04 00:00 12-04 12:00",
    "the week of March 3rd": "03-01 00:00 03-08 00:00",
    "Friday at 3pm": "12-04 15:00 12-04 16:00",
    "now": "12-02 10:00 12-02 11:00",
    "2026-12-04 to 2026-12-06": "12-04 00:00 12-07 00:00",
    "2026-12-04/2026-12-06": "12-04 00:00 12-07 00:00",
    "2026-12-04T15:00+01:00 to 2026-12-04T16:30+01:00": "12-04 15:00 12-04 16:30",
}


@pytest.mark.parametrize(("phrase", "expected"), PERIODS.items())
def test_period(phrase: str, expected: str) -> None:
    start, end = CLOCK.period(phrase)
    assert f"{start:%m-%d %H:%M} {end:%m-%d %H:%M}" == expected


@pytest.mark.parametrize(
    "phrase",
    ["", "dentist", "to", "between", "between 2 and", "tomorrow to yesterday", "to to to",
     "2026-12-06 to 2026-12-04", "from here to there", "rest", "next", "- - -"],
)  # fmt: skip
def test_what_is_no_period_is_refused(phrase: str) -> None:
    with pytest.raises(TimePhraseError):
        CLOCK.period(phrase)


def test_shown_for_people() -> None:
    assert CLOCK.show(datetime(2026, 12, 4, 14, 0, tzinfo=UTC)) == "Fri 4 Dec 2026, 15:00 CET"
    assert CLOCK.show(date(2026, 12, 4)) == "Fri 4 Dec 2026"
    dubai = Clock(ZoneInfo("Asia/Dubai"), NOW)
    assert dubai.show(datetime(2026, 12, 4, 14, 0, 5, tzinfo=UTC)).endswith("18:00:05 UTC+04")


def test_common_phrases_need_no_dateparser() -> None:
    import subprocess
    import sys

    code = (
        "import sys, zoneinfo; from botpsy.clock import Clock\n"
        "Clock(zoneinfo.ZoneInfo('UTC')).instant('next Friday at 3 pm')\n"
        "assert 'dateparser' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


zones = st.sampled_from(
    [
        ZoneInfo(name)
        for name in (
            "UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
            "Pacific/Apia", "Africa/Cairo", "America/St_Johns", "Asia/Tehran",
        )
    ]
)  # fmt: skip
moments = st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
words = st.sampled_from(
    [
        *WEEKDAYS, *MONTHS, *UNITS, "next", "last", "this", "today", "tomorrow", "tonight", "noon",
        "midnight", "morning", "evening", "at", "in", "half", "quarter", "past", "to", "a", "an",
        "and", "from", "now", "ago", "3", "15", "31", "3rd", "first", "twenty", "five", "pm", "am",
        "15:00", "2:30", "2026-12-04", "12/25", "-", "end", "of", "the", "week", "weekend",
        "before", "after", "until", "rest", "between", "couple", "all", "day", "UTC", "dentist",
    ]
)  # fmt: skip


@given(moments, zones, moments)
def test_iso_is_taken_as_it_is(moment: datetime, zone: ZoneInfo, now: datetime) -> None:
    local = moment.astimezone(zone)
    found = Clock(zone, now).instant(local.isoformat())
    assert found == local
    assert found.astimezone(UTC) == moment
    assert Clock(zone, now).instant(moment.isoformat()).astimezone(UTC) == moment


@given(st.lists(words, min_size=1, max_size=7).map(" ".join), zones, moments)
@settings(max_examples=400)
def test_any_words_give_a_time_or_a_clear_error(phrase: str, zone: ZoneInfo, now: datetime) -> None:
    clock = Clock(zone, now)
    try:
        found = clock.instant(phrase)
    except TimePhraseError as error:
        assert error.message
    else:
        assert found.tzinfo is not None
        assert found.utcoffset() is not None
    try:
        start, end = clock.period(phrase)
    except TimePhraseError:
        pass
    else:
        assert start < end
    for read in (clock.day, clock.duration):
        with contextlib.suppress(TimePhraseError):
            read(phrase)


@given(st.text(max_size=60))
@settings(max_examples=300)
def test_any_text_gives_a_time_or_a_clear_error(text: str) -> None:
    for read in (CLOCK.instant, CLOCK.day, CLOCK.duration, CLOCK.period):
        with contextlib.suppress(TimePhraseError):
            read(text)


@given(moments, zones, st.sampled_from(["3 pm", "at 8", "noon", "midnight", "half past six", "7"]))
def test_a_time_without_a_day_is_ahead_within_a_day(
    now: datetime, zone: ZoneInfo, phrase: str
) -> None:
    clock = Clock(zone, now)
    found = clock.instant(phrase).astimezone(UTC)
    assert timedelta(hours=-1) <= found - now <= timedelta(hours=36)


def test_iso_times_as_people_read_them() -> None:
    assert spoken("2026-12-04T15:00+01:00") == "Fri 4 Dec 2026, 15:00 UTC+01:00"
    assert spoken("2026-12-04") == "Fri 4 Dec 2026"
    both = spoken("2026-12-04T15:00+01:00 to 2026-12-05T00:00+01:00")
    assert both == "Fri 4 Dec 2026, 15:00 UTC+01:00 to Sat 5 Dec 2026, 00:00 UTC+01:00"
    for text in ("", "to", "2026-13-04", "2026-12-04 to", "2026-12-04T15:00", "x 2026-12-04"):
        assert spoken(text) == ""


@pytest.mark.parametrize(
    ("phrase", "when"),
    [
        ("6:30", "2026-12-03 06:30"),
        ("at 6:30 tomorrow", "2026-12-03 06:30"),
        ("tomorrow at quarter to seven", "2026-12-03 06:45"),
        ("Friday at 5", "2026-12-04 05:00"),
        ("half past eleven", "2026-12-02 11:30"),
        ("6 pm", "2026-12-02 18:00"),
        ("18:30", "2026-12-02 18:30"),
        ("tonight at 8", "2026-12-02 20:00"),
        ("at 6 today", "2026-12-02 18:00"),
        ("at 3", "2026-12-02 15:00"),
        ("at 12", "2026-12-02 12:00"),
        ("in 6 hours", "2026-12-02 16:00"),
    ],
)
def test_who_sets_an_alarm_means_the_morning(phrase: str, when: str) -> None:
    assert f"{CLOCK.instant(phrase, rising=True):%Y-%m-%d %H:%M}" == when
