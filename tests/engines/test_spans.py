from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.engines.spans import Words, candidates, stem, time_phrase


def values(request: str, **options: object) -> list[str]:
    return list(candidates(Words(request), (), **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("request_", "format", "phrase"),
    [
        ("Put dentist on my calendar next Friday at 15:00", "instant", "next Friday at 15:00"),
        ("Please put yoga in for Saturday 9:15", "instant", "Saturday 9:15"),
        ("Wake me up at 6:30 tomorrow, please", "instant", "6:30 tomorrow"),
        ("Remind me in 20 minutes to take the cake out", "instant", "in 20 minutes"),
        ("Start a countdown of an hour and a half", "span", "an hour and a half"),
        ("What is on my calendar next week?", "period", "next week"),
        ("Put dentist on my calendar", "instant", None),
        ("Set a timer", "span", None),
        ("set an alarm for 6 tomorrow", "instant", "tomorrow 6"),
        ("book tennis 5 saturday", "instant", "saturday 5"),
        ("remind me on Friday to call Bob at 5", "instant", "Friday 5"),
        ("remind me tomorrow to buy 6 eggs", "instant", "tomorrow"),
        ("remind me to buy 6 eggs", "instant", None),
        ("remind me to buy six eggs at noon", "instant", "noon"),
        ("remind me tomorrow to call Bob at 5", "instant", "tomorrow 5"),
        ("Add lunch with Sam tomorrow at noon to my calendar", "instant", "tomorrow at noon"),
        ("Add lunch with Sam tomorrow", "instant", "tomorrow"),
        ("Put the christmas party in for friday at 8", "instant", "friday at 8"),
        ("Put night shift on my calendar friday at 8", "instant", "friday at 8"),
    ],
)
def test_times_are_found_in_full(request_: str, format: str, phrase: str | None) -> None:
    found = time_phrase(Words(request_), format, ())
    assert (found[0] if found else None) == phrase


def test_used_words_are_not_taken_again() -> None:
    words = Words("from 3 pm on Friday until 5 pm on Friday")
    first = time_phrase(words, "instant", ())
    assert first is not None
    second = time_phrase(words, "instant", first[1])
    assert second is not None
    assert not first[1] & second[1]


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("Put dentist on my calendar", "dentist"),
        ("Schedule lunch with Maria at Luigi's", "lunch with Maria"),
        ("Could you switch the fan on?", "fan"),
        ("Turn off all the lights in the bedroom", "lights in the bedroom"),
        ("Send Bob a message that I am running late", "I am running late"),
        ("Take a note: the wifi password is on the router", "the wifi password is on the router"),
        ('Create a note called "gift ideas".', "gift ideas"),
        ("What is Anna's phone number?", "Anna"),
        ("Dentist!", "Dentist"),
    ],
)
def test_the_right_value_is_among_the_candidates(request_: str, wanted: str) -> None:
    assert wanted in values(request_)


def test_half_values_are_not() -> None:
    assert "Maria" not in values("Schedule lunch with Maria")
    assert "Schedule lunch with Maria" not in values("Schedule lunch with Maria")
    assert "shoes" not in values("Search the web for cheap running shoes")
    assert "shoes" in values("Search the web for cheap running shoes", anywhere=True)


def test_the_tools_own_words_are_no_values() -> None:
    request = "Delete the file old-taxes.pdf"
    assert values(request, own={"file"}) == ["old-taxes.pdf"]
    asked = "What is Anna's phone number?"
    assert "Anna's phone number" in values(asked)
    assert "Anna's phone number" not in values(asked, about={"phone", "number"})


@given(st.text(alphabet="ab that's:,.\"' on\n\t", max_size=60), st.booleans())
def test_every_candidate_is_a_run_of_the_request(request: str, anywhere: bool) -> None:
    words = Words(request)
    used = {0, 3}
    for text, taken in candidates(words, used, anywhere=anywhere).items():
        assert text in request
        assert not taken & used
        assert taken == set(range(min(taken), max(taken) + 1))
        assert max(taken) < len(words.places)


def test_long_requests_are_cut() -> None:
    assert len(Words("word " * 5000).places) <= 60


def test_stems() -> None:
    assert stem("lights") == stem("light") == stem("lighted")
    assert stem("is") == "is"
