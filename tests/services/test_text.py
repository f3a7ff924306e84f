"""Nothing hides: not in a field that is kept, not from the eye that approves."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.services.text import (
    MARKS_PER_LETTER,
    hidden_note,
    hidden_positions,
    one_line,
    plain_line,
    spell_hidden,
    spelled,
    visible,
    visible_line,
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello Bob,\n\nsee you at 3 pm (or 4)!\n",
        "müller@köln.example",
        "Grüße aus Łódź, ça va? naïve café",
        "Привет, как дела? почта@пример.рф",
        "iPhoneを買う。日本語とEnglish",
        "给小明发邮件，谢谢！",
        "مرحبا بالعالم",
        "می‌خواهم",  # Persian, with the joiner that its spelling needs
        "क्‍ष",  # Devanagari, likewise
        "שָׁלוֹם",
        "👨‍👩‍👧 ❤️ 1️⃣ 👍🏽 ☎︎ ℹ️ ‼️ 🙂\u200d↔️",
        "5 µm ± 2 °C, 3 × 4 € – “quoted” … α and β",
        "https://example.org/ä?q=ö",
        "a < b, <b>html</b>, [bold]markup[/bold] :smile:",
    ],
)
def test_honest_text_is_left_alone(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u202egpj.exe", "pay<U+202E RIGHT-TO-LEFT OVERRIDE>gpj.exe"),
        ("a\u2066b\u2069", "a<U+2066 LEFT-TO-RIGHT ISOLATE>b<U+2069 POP DIRECTIONAL ISOLATE>"),
        ("bo\u200bb", "bo<U+200B ZERO WIDTH SPACE>b"),
        ("bo\u200db", "bo<U+200D ZERO WIDTH JOINER>b"),
        ("а\u200cб", "а<U+200C ZERO WIDTH NON-JOINER>б"),
        ("bo\u00adb", "bo<U+00AD SOFT HYPHEN>b"),
        ("\ufeffa", "<U+FEFF ZERO WIDTH NO-BREAK SPACE>a"),
        ("a\u00a0b", "a<U+00A0 NO-BREAK SPACE>b"),
        ("a\u3164b", "a<U+3164 HANGUL FILLER>b"),
        ("a\u2800b", "a<U+2800 BRAILLE PATTERN BLANK>b"),
        ("a\u2028b", "a<U+2028 LINE SEPARATOR>b"),
        ("\x1b[2J\x1b[31mok", "<U+001B ESCAPE>[2J<U+001B ESCAPE>[31mok"),
        ("\x9b31m", "<U+009B>31m"),
        ("yes\r no", "yes<U+000D CARRIAGE RETURN> no"),
        ("abc\b\b\bxyz", "abc" + "<U+0008 BACKSPACE>" * 3 + "xyz"),
        ("a\tb\0\x07", "a<U+0009 TAB>b<U+0000 NULL><U+0007 BELL>"),
        ("hi\U000e0073\U000e0065", 'hi<U+E0073 2 TAG CHARACTERS "se">'),
        ("x\U000e003c\U000e0055\U000e002b", 'x<U+E003C 3 TAG CHARACTERS "\\u003cU+">'),
        ("x\U000e0100", "x<U+E0100 VARIATION SELECTOR-17>"),
        ("x\ufe0f", "x<U+FE0F VARIATION SELECTOR-16>"),
        ("😀\ufe0f\ufe0f", "😀\ufe0f<U+FE0F VARIATION SELECTOR-16>"),
        ("😀\u200d\u200d", "😀" + "<U+200D ZERO WIDTH JOINER>" * 2),
        ("\u0301a", "<U+0301 COMBINING ACUTE ACCENT>a"),
        ("\ue000\U0010ffff", "<U+E000><U+10FFFF>"),
        ("\ud800", "<U+D800>"),
        # Look-alikes, in words that mix scripts and in addresses.
        ("bоb@example.com", "b<U+043E CYRILLIC SMALL LETTER O>b@example.com"),
        ("pаypal", "p<U+0430 CYRILLIC SMALL LETTER A>ypal"),
        ("Αlice", "<U+0391 GREEK CAPITAL LETTER ALPHA>lice"),
        ("сео.com", "".join(spelled(c) for c in "сео") + ".com"),
        ("ｂob@x.io", "<U+FF42 FULLWIDTH LATIN SMALL LETTER B>ob@x.io"),
        ("𝐛ob", "<U+1D41B MATHEMATICAL BOLD SMALL B>ob"),
        ("example。com", "example<U+3002 IDEOGRAPHIC FULL STOP>com"),
        ("http://x.io∕y", "http://x.io<U+2215 DIVISION SLASH>y"),
        ("bob＠example.com", "bob<U+FF20 FULLWIDTH COMMERCIAL AT>example.com"),
        ("pаypal/x", "p<U+0430 CYRILLIC SMALL LETTER A>ypal/x"),
        ("ɡoogle.com", "<U+0261 LATIN SMALL LETTER SCRIPT G>oogle.com"),
        ("dıgital.com", "d<U+0131 LATIN SMALL LETTER DOTLESS I>gital.com"),
        # It cannot be made to look as if something had been spelled out.
        ("<U+202E RLO>", "<U+003C LESS-THAN SIGN>U+202E RLO>"),
        ("50µm.example.org", "50<U+00B5 MICRO SIGN>m.example.org"),
    ],
)  # fmt: skip
def test_what_hides_or_poses_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_marks_piled_on_a_letter() -> None:
    shown = visible("a" + "\u0301" * 100 + "b")
    assert shown.count("\u0301") == MARKS_PER_LETTER
    assert shown.count("<U+0301") == 100 - MARKS_PER_LETTER


@given(st.text(st.characters(codec=None), max_size=40))
def test_no_output_hides_anything_and_none_is_lost(text: str) -> None:
    shown = visible(text)
    for char in shown:
        assert char == "\n" or char == " " or unicodedata.category(char) not in ("Cc", "Cs", "Zs")
    assert "\u202e" not in shown
    assert "\x1b" not in shown
    if shown == text:
        assert visible(shown) == shown


@given(
    st.text("<U+0123ab>\u202e\u200b\n", max_size=12),
    st.text("<U+0123ab>\u202e\u200b\n", max_size=12),
)
def test_different_texts_look_different(one: str, other: str) -> None:
    assert (visible(one) == visible(other)) == (one == other)


@given(st.text(st.characters(max_codepoint=126), max_size=60))
def test_ascii_only_loses_its_controls(text: str) -> None:
    plain = all(c == "\n" or c.isprintable() for c in text) and "<U+" not in text
    assert (visible(text) == text) == plain


@pytest.mark.parametrize(
    "text",
    ["plain", "two\nlines\t", "naïve", "日本語", "👩‍👩‍👧", "❤️", "1️⃣", "می‌خواهم", "क्‍ष"],
)
def test_what_languages_need_is_not_hidden(text: str) -> None:
    assert hidden_positions(text) == []
    assert hidden_note(text) == ""


@pytest.mark.parametrize(
    "char",
    [
        "\u202e", "\u200b", "\u200d", "\U000e0041", "\U000e0101", "\u3164", "\x1b", "\ufe0f",
        "\u2028", "\ud800", "\u061c", "\u180e", "\u2065", "\U000e0fff",
    ],
)  # fmt: skip
def test_hidden_is_spelled_out_and_noted(char: str) -> None:
    number = f"U+{ord(char):04X}"
    for shown in (spell_hidden(f"a{char}b"), visible(f"a{char}b")):
        assert shown.startswith(f"a<{number}")
        assert shown.endswith(">b")
    assert number in hidden_note(f"a{char}b")


@pytest.mark.parametrize("before", ["é", "я", "日", "😀", "❤\ufe0f", "ی", "\u2800", "\u061c"])
@pytest.mark.parametrize(
    "chain",
    [
        "".join(chr(0xFE00 + (7 * i) % 16) for i in range(32)),
        "\u200d\u200c" * 16,
        "\ufe0f\u200d" * 16,
        "\u2800\ufe0f" * 16,
        "\U000e0100" * 32,
    ],
)
def test_what_excuses_one_joiner_or_selector_excuses_no_chain(before: str, chain: str) -> None:
    assert len(hidden_positions(before + chain)) >= len(chain) - 1
    for shown in (spell_hidden(before + chain), visible(before + chain)):
        assert shown.count("<U+") >= len(chain) - 1


def test_a_joiner_needs_a_neighbour_that_shows_as_itself() -> None:
    # The emoji stands in an address and is spelled out; its selector then has no reason.
    assert "\ufe0f" not in visible("a.b😀\ufe0f/x")
    assert "\u200c" not in visible("abcی\u200cی")
    assert "\u200d" not in visible("\u061c\u200d\u061c")


@given(st.text() | st.text("aé❤😀یِ1⃣\ufe0f\u200d\u200c\u202e\u3164\u2800\U000e0041\n"))
def test_text_with_the_hidden_spelled_out_has_nothing_hidden(text: str) -> None:
    shown = spell_hidden(text)
    assert hidden_positions(shown) == []
    assert "\n" not in shown
    assert spell_hidden(shown) == shown
    assert hidden_positions(visible(text)) == []
    assert "\n" not in visible_line(text)


def test_what_is_kept_keeps_its_letters() -> None:
    assert plain_line(" Buy β-carotene\n for Привет/hello ") == "Buy β-carotene for Привет/hello"
    assert "<U+03B2" in visible("β-carotene")


def test_line_breaks() -> None:
    assert visible("a\nb") == "a\nb"
    assert visible_line("a\nb") == spell_hidden("a\nb") == "a<U+000A LINE FEED>b"
    assert one_line(" a\r\n\tb\u2028c ") == "a b c"


@pytest.mark.parametrize("unit", ["😀\u200d", "é\ufe0f", "ی\u200c", "a\u0301", "\U000e0041", "aа."])
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    # Quadratic behaviour would need hours here; the suite's time limit would end it.
    visible(unit * 50_000)
    spell_hidden(unit * 50_000)
