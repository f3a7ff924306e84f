import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botpsy.chat.escape import JOINER, TAGS, escape, unescape

from .strategies import FRAGMENTS, texts


@settings(deadline=None)
@given(texts | st.text())
def test_every_text_comes_back(text: str) -> None:
    assert unescape(escape(text)) == text


@settings(deadline=None)
@given(texts)
def test_no_tag_is_left(text: str) -> None:
    for tag in TAGS:
        assert tag not in escape(text)


@settings(deadline=None)
@given(texts)
def test_nothing_else_changes(text: str) -> None:
    assert escape(text).replace(JOINER, "") == text.replace(JOINER, "")


@settings(deadline=None)
@given(texts)
def test_equals_the_replacements_that_templates_make(text: str) -> None:
    expected = text.replace(f"<{JOINER}", f"<{JOINER}{JOINER}")
    for tag in TAGS:
        expected = expected.replace(tag, f"<{JOINER}{tag[1:]}")
    assert escape(text) == expected


@pytest.mark.parametrize("levels", [0, 1, 2, 7])
def test_stuffing_stacks(levels: int) -> None:
    text = f"<{JOINER * levels}tool_call>"
    assert escape(text) == f"<{JOINER * (levels + 1)}tool_call>"


@pytest.mark.parametrize("text", ["a < b", "<b>bold</b>", "x<y|z", "List<int>", "<", "no tag", ""])
def test_ordinary_text_is_untouched(text: str) -> None:
    assert escape(text) == text


def test_fragments_cover_every_tag() -> None:
    assert set(TAGS) <= set(FRAGMENTS)
