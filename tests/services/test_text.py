import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.services.text import hidden_note, hidden_positions, one_line, visible


@pytest.mark.parametrize(
    "text",
    ["plain", "two\nlines\t", "naïve", "日本語", "👩‍👩‍👧", "❤️", "1️⃣", "می‌خواهم", "क्‍ष"],
)
def test_what_languages_need_is_not_hidden(text: str) -> None:
    assert hidden_positions(text) == []
    assert hidden_note(text) == ""


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\u202e", "<U+202E>"),
        ("\u200b", "<U+200B>"),
        ("\u200d", "<U+200D>"),
        ("\U000e0041", "<U+E0041>"),
        ("\U000e0101", "<U+E0101>"),
        ("\u3164", "<U+3164>"),
        ("\x1b", "<U+001B>"),
        ("\ufe0f", "<U+FE0F>"),
        ("\u2028", "<U+2028>"),
        ("\ud800", "<U+D800>"),
    ],
)
def test_hidden_is_spelled_out(char: str, shown: str) -> None:
    assert visible(f"a{char}b") == f"a{shown}b"
    assert shown[1:-1] in hidden_note(f"a{char}b")


@given(st.text() | st.text("aé\ufe0f\u200d\u202e\u3164\n"))
def test_visible_text_has_nothing_hidden(text: str) -> None:
    assert hidden_positions(visible(text)) == []
    assert "\n" not in visible(text)


def test_one_line() -> None:
    assert one_line(" a\r\n\tb\u2028c ") == "a b c"
