"""Nothing hides from the approver."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.assistant.visible import MARKS_PER_LETTER, spelled, visible


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
        "👨‍👩‍👧 ❤️ 1️⃣ 👍🏽 ☎︎",
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
