"""HTML to text: what a reader sees, nothing hidden, on any input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.services.html import main_text, visible_text

PAGE = """<!doctype html><html><head><title>Bread &amp; butter</title>
<style>p { color: red }</style><script>var x = "<p>no</p>";</script></head>
<body><header><a href="/">Home</a> <a href="/shop">Shop</a></header>
<nav><ul><li><a href="/a">A</a><li><a href="/b">B</a></ul></nav>
<main><article><header><h1>How to bake</h1></header>
<p>Mix flour, <b>water</b> and&nbsp;salt.<br>Wait.
<p>Bake for 40 minutes at 230&deg;C &lt;hot&gt;.
<ul><li><a href="/more">More recipes</a></ul>
</article></main>
<div class="cookie-banner">We use cookies</div>
<footer>&copy; Nobody</footer></body></html>"""


def test_the_main_text_is_the_article() -> None:
    reading = main_text(PAGE)
    assert reading.title == "Bread & butter"
    assert "Mix flour, water and salt." in reading.text
    assert "230°C <hot>" in reading.text
    assert "How to bake" in reading.text
    for noise in ("Home", "cookies", "Nobody", "var x", "color", "More recipes"):
        assert noise not in reading.text


def test_the_visible_text_keeps_all_that_is_shown() -> None:
    text = visible_text(PAGE).text
    for shown in ("Home", "More recipes", "Nobody", "How to bake"):
        assert shown in text
    assert "var x" not in text


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>SECRET</div>",
        "<div style='display:none'>SECRET</div>",
        '<span style="color:red; DISPLAY : none">SECRET</span>',
        "<p style=visibility:hidden>SECRET</p>",
        "<p style='font-size:0'>SECRET</p>",
        "<p style='font-size: 0.0px'>SECRET</p>",
        "<p style='opacity:0'>SECRET</p>",
        "<p style='display&#58;none'>SECRET</p>",
        "<div aria-hidden=true><p>SECRET</p></div>",
        "<template>SECRET</template>",
        "<!-- SECRET -->",
        "<!-- > SECRET -->",
        "<script>SECRET</script>",
        "<script>'</scr' + 'ipt>' SECRET</script>",
        "<style>SECRET</style>",
        "<svg><text>SECRET</text></svg>",
        "<img alt='SECRET'>",
        "<div title=\"a > b 'SECRET'\"></div>",
    ],
)
def test_hidden_text_is_left_out(hidden: str) -> None:
    source = f"<body><p>before</p>{hidden}<p>after</p>"
    for reading in (main_text(source), visible_text(source)):
        assert "SECRET" not in reading.text
        assert "before" in reading.text
        assert "after" in reading.text


@pytest.mark.parametrize(
    "shown", ["<p style='font-size:0.9em'>SHOWN</p>", "<p style='opacity: 0.5'>SHOWN</p>"]
)
def test_small_and_faint_is_not_hidden(shown: str) -> None:
    assert "SHOWN" in main_text(shown).text


def test_a_page_of_links_alone_still_has_text() -> None:
    assert main_text("<ul><li><a href=1>One</a><li><a href=2>Two</a></ul>").text == "One\nTwo"
    assert main_text("<nav>Only navigation</nav>").text == "Only navigation"


@given(st.text(alphabet="<>/!-=\"'& abdivptlescripnohd\n", max_size=300))
def test_no_text_breaks_it(source: str) -> None:
    for reading in (main_text(source), visible_text(source)):
        assert isinstance(reading.text, str)


@given(st.text(alphabet=st.characters(exclude_characters="<>&", exclude_categories=["Cs"])))
def test_plain_text_comes_through(text: str) -> None:
    assert visible_text(text).text.split() == text.split()


@pytest.mark.parametrize(
    "unit", ["<!--", "<a ", "<a '", '<a "', "<div>", "</a>", "<script>", "<p style='font-size:'>"]
)
def test_work_grows_with_the_page_and_no_faster(unit: str) -> None:
    # Quadratic behaviour would need hours here; the suite's time limit would end it.
    main_text(unit * 100_000)
