"""HTML to text: what a reader sees, where links lead, on any input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.services.html import Link, mail_text, main_text, visible_text

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


def test_a_page_of_links_alone_still_has_text() -> None:
    assert main_text("<ul><li><a href=1>One</a><li><a href=2>Two</a></ul>").text == "One\nTwo"
    assert main_text("<nav>Only navigation</nav>").text == "Only navigation"
    news = "".join(f"<li><a href={i}>What happened on day {i}</a>" for i in range(9))
    assert "day 7" in main_text(f"<p>News</p><ul>{news}</ul>").text


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<div>one</div><div><br></div><div>two</div>", "one\n\ntwo"),
        ("<table><tr><td>one</td><td>two</td></tr><tr><td>three</table>", "one two\nthree"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("o<b>n</b>e &lt;two&gt; &#116;hree", "one <two> three"),
        ("a < b, a <3 b, </ b>c<>", "a < b, a <3 b, c<>"),
        ("<p>one</p><xmp><b>two</b></xmp>three", "one\n\n<b>two</b>\n\nthree"),
        ("one<plaintext><b>two</plaintext>", "one\n\n<b>two</plaintext>"),
        ("<ruby>one<rt>two</ruby>", "onetwo"),
    ],
)
def test_a_mail_keeps_its_lines(source: str, lines: str) -> None:
    assert mail_text(source).text == lines


def test_a_title_is_the_first_of_the_page_and_no_drawing() -> None:
    page = visible_text("<svg><title>Drawing</title></svg><title> A\n&amp; B<b></title><title>C")
    assert (page.title, page.text) == ("A & B<b>", "")


class TestLinks:
    def links(self, source: str, address: str = "https://a.example/b/c?d#e") -> dict[str, str]:
        return {link.text: link.url for link in main_text(source, address).links}

    @pytest.mark.parametrize(
        ("href", "url"),
        [
            ("x", "https://a.example/b/x"),
            ("../x?y=1&copy=2", "https://a.example/x?y=1&copy=2"),
            ("?q=a&amp;b=&#99;", "https://a.example/b/c?q=a&b=c"),
            ("//b.example", "https://b.example"),
            ("///b.example", "https://b.example"),
            (r"https:/\\b.example/", "https://b.example/"),
            ("HTTP://b.example/x#y", "http://b.example/x#y"),
            (" \n ht\ntp://b.example/\t", "http://b.example/"),
            (r"http:\\b.example\x?a\b", r"http://b.example/x?a\b"),
            ("http://bank.example@evil.example/", "http://bank.example@evil.example/"),
        ],
    )
    def test_they_lead_where_a_browser_would_go(self, href: str, url: str) -> None:
        assert self.links(f'<a href="{href}">bank.example</a>') == {"bank.example": url}

    @pytest.mark.parametrize(
        "href",
        [
            "",
            "#top",
            "javascript:alert(1)",
            "java\nscript:alert(1)",
            "mailto:a@b.example",
            "data:text/html,x",
            "ftp://b.example/",
            "http://[::1",
            "x" * 5000,
        ],
    )
    def test_other_targets_are_no_links(self, href: str) -> None:
        assert self.links(f'<a href="{href}">x</a>') == {}

    def test_a_base_counts_and_hidden_links_do_not(self) -> None:
        source = (
            "<base href=/base/><base href=/other/><p>See <a href=x>this <b>one</b></a>"
            "<div hidden><a href=y>not this</a></div><a href=z><img></a><a name=q>nor this</a>"
        )
        assert self.links(source) == {"this one": "https://a.example/base/x"}
        assert self.links("<base href='javascript:1'><a href=x>y</a>") == {
            "y": "https://a.example/b/x"
        }

    def test_those_of_the_text_come_first_and_without_an_address_only_whole_ones(self) -> None:
        reading = main_text(PAGE.replace("flour", "<a href=https://b.example/f>flour</a>"))
        assert reading.links == (Link("flour", "https://b.example/f"),)
        links = list(self.links(PAGE.replace("flour", "<a href=f>flour</a>")))
        assert links[0] == "flour"
        assert set(links) == {"flour", "Home", "Shop", "A", "B", "More recipes"}

    def test_a_link_that_never_ends_does_not_swallow_the_page(self) -> None:
        (text,) = self.links("<a href=x>" + "word " * 1000)
        assert len(text) <= 200


@pytest.mark.parametrize(
    "source",
    [
        "<script><!--<script></script> BAD --></script>",
        "<script>'</scr' + 'ipt>' BAD</script>",
        "<style><p>BAD</style>",
        "<title>BAD</title>",
        "<textarea><p>BAD</textarea>",
        "<noscript><p>BAD</noscript>",
        "<iframe><p>BAD</iframe>",
        "<select><option>BAD</select>",
        "<template><p>BAD</template>",
        "<svg><text>BAD</text></svg>",
        "<svg><style><g title='</style>'></g><text>BAD</text></style></svg>",
        "<svg><![CDATA[ > BAD ]]></svg>",
        "<svg a=b/>BAD</svg>",
        "<math><annotation>BAD</annotation></math>",
        "<object>BAD</object>",
        "<video>BAD</video>",
        "<dialog>BAD</dialog>",
        "<img alt='BAD'>",
        "<div title=\"a > b 'BAD'\"></div>",
        "<!-- > BAD -->",
        "<!-- BAD --!>",
        "<!--> --><? BAD ><!x BAD >",
        "<![CDATA[ BAD > ",
        "<p title='>BAD</p><p>",
        "<!-- BAD",
        "<script>BAD",
        "<p BAD",
    ],
)
def test_what_is_no_text_is_not_read(source: str) -> None:
    for read in (main_text, visible_text, mail_text):
        reading = read(f"<p>GOOD</p>{source}")
        assert "GOOD" in reading.text
        assert "BAD" not in reading.text
        assert reading.hidden == 0


def test_a_set_of_frames_has_no_text() -> None:
    assert visible_text("<frameset><frame><p>BAD</frameset>BAD").text == ""
    assert visible_text("<p>GOOD<frameset>").text == "GOOD"


@given(st.text(alphabet="<>/!-=\"'& abdivptlescripnohd\n", max_size=300))
def test_no_text_breaks_it(source: str) -> None:
    for read in (main_text, visible_text, mail_text):
        assert isinstance(read(source).text, str)


_PIECES = st.sampled_from(
    ["<", ">", "</", "/>", "<!--", "-->", "=", "'", '"', " ", "\n", "&", "&#", "&#x", ";", "&lt",
     "9" * 5000, "0" * 5000, "<p style='", "<p ", "hidden", "class=", "href=", "http://[", "<svg>",
     "<math><mi>", "<table>", "<tr>", "<td>", "</table>", "<b>", "</b>", "<a href=", "<select>",
     "<template>", "<style>", "</style>", ".x{", "}", "@media (", "display:", "none", "color:",
     "rgb(", "calc(", " + ", "*", "/", "1e-320", "5px",
     "var(--a", "--a:", "font:", "font-size:", "1e999px", "-", "%", "\\",
     "\\110000 ", "\\d800 ", "/*", "*/", "url(", ")", "!important", ",", "<body ", "<html>",
     "<frameset>", "<base href=", "\0", "\ud800", "<form>", "</form>", "<caption>", "<ruby><rt>",
     "transform:matrix(", "clip:rect("]
)  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=4), max_size=40).map("".join))
def test_no_markup_breaks_it(source: str) -> None:
    for read in (main_text, visible_text, mail_text):
        reading = read(source)
        assert reading.hidden <= len(source)
        assert len(reading.text) <= len(source) + 2 * source.count("&")


@given(st.text(alphabet=st.characters(exclude_characters="<>&", exclude_categories=["Cs"])))
def test_plain_text_comes_through(text: str) -> None:
    assert visible_text(text).text.split() == text.split()
