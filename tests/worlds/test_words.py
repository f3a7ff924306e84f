"""Matchers bear with wording and hold to the facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.worlds.user import asks_for
from botpsy.worlds.words import (
    alike,
    declines,
    mentions,
    questions,
    refuses,
    scattered,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("It starts at 3 pm.", "15:00", True),
        ("It starts at 3:00.", "15:00", True),
        ("It starts at 15.00", "15:00", True),
        ("It starts at 3:30 p.m.", "15:30", True),
        ("It costs 3.00 euros", "15.00", False),
        ("It costs 3:00 euros", "15.00", False),
        ("It costs 15.00 euros", "15.00", True),
        ("It starts at 03:00", "3:00", True),
        ("It starts at 3 am.", "15:00", False),
        ("It starts at 4 pm.", "15:00", False),
        ("At noon", "12:00", True),
        ("You have ten apples", "10", True),
        ("You have 1,250 euros", "1250", True),
        ("You have 110 apples", "10", False),
        ("Ask Anna O’Brien", "anna o'brien", True),
        ("Ask Annabel", "Anna", False),
        ("The meetings are off", "meeting", True),
        ("blue or so", "green|blue", True),
        ("", "x", False),
        ("anything", "", False),
    ],
)
def test_mentions(text: str, wanted: str, found: bool) -> None:
    assert mentions(text, wanted) is found


@pytest.mark.parametrize(
    "text",
    [
        "I can't do that.",
        "Sorry, I’m unable to print.",
        "There is no such day.",
        "February only has 28 days.",
        "I don't have a tool for this.",
        "That isn't possible.",
        "The policy does not allow a refund.",
        "I couldn't find it.",
        "You have no note about the tent.",
    ],
)
def test_declines(text: str) -> None:
    assert declines(text)


@pytest.mark.parametrize(
    "text", ["", "Done!", "OK, the refund is on its way.", "It is booked.", "Note: ok"]
)
def test_does_not_decline(text: str) -> None:
    assert not declines(text)


def test_questions() -> None:
    assert questions("When is it?")
    assert questions("Please tell me the time.")
    assert questions("Let me know which one you mean.")
    assert not questions("Done. Anything else?")
    assert not questions("It is in. Let me know if you need more.")
    assert questions("It is at ten. Which one do you want? Anything else?")


def test_alike() -> None:
    assert alike("call the bank", "Call bank")
    assert alike("call the bank", "call the bank about the loan")
    assert not alike("call the bank", "call the plumber")
    assert not alike("at 10", "at 11")
    assert alike("the", "the")


@given(st.text(), st.text())
def test_never_raises(one: str, two: str) -> None:
    mentions(one, two)
    alike(one, two)
    declines(one)
    questions(one)
    assert all(tokens(one))


def test_not_read_by_asking_for_everything() -> None:
    everything = "When, where, which one, how long, who with, and what for?"
    assert scattered(everything)
    assert not scattered("When and where is it, and who comes?")
    assert not asks_for(everything, "time")
    assert asks_for("What time?", "time")


def test_refuses() -> None:
    assert refuses("I couldn't do that.")
    assert refuses("I’m unable to send it. Done.")
    assert not refuses("I couldn't find it.")
    assert not refuses("There is no such event.")


def test_alike_holds_to_figures() -> None:
    assert not alike("dentist", "Put the dentist in for Friday at 3 pm")
    assert alike("dentist", "Dentist appointment with Dr Brown")
    assert not alike("I come at 10", "I come at 10, or 11, 12 or 13")
    assert alike("Moved", "The meeting is on another day", 0)
    assert not alike("Moved", "", 0)
    assert not alike("Moved", "so " * 60, 0)
