"""Malformed nesting means what it means to a browser (checked against two that keep to HTML)."""

from __future__ import annotations

import pytest

from botpsy.services.html import visible_text


@pytest.mark.parametrize(
    "source",
    [
        # Blocks outlive the formatting around them ...
        "<b><div hidden></b>BAD",
        "<b><i><div hidden><p></b></i>BAD",
        "<a><section hidden></a>BAD",
        "<span><div hidden></span>BAD",
        "<custom-tag><div hidden></custom-tag>BAD",
        "<div hidden></section></p></h1></li></td></button></form></x>BAD",
        "<div hidden></body></html>BAD",
        "<div hidden/>BAD",
        # ... and formatting outlives the blocks around it.
        "<p><b hidden></p>BAD",
        "<p><b hidden>x<p>BAD",
        "<div><b hidden><i></div>BAD",
        "<ul><li><font hidden><li>BAD",
        "<b hidden><div><div><div><div><div><div><div><div></b>BAD",
        "<b hidden><b hidden><b hidden><b hidden></b></b></b>BAD",
        "<p><b hidden><b hidden><b hidden></p></b></b>BAD",
        # Walls.
        "<div hidden><table></div>BAD</table>BAD",
        "<div hidden><table><td></div>BAD",
        "<p hidden><button></p>BAD",
        "<li hidden><ul></li>BAD",
        "<li hidden><section><li>BAD",
        "<div hidden><select></div></select>BAD",
        "<div hidden><template></div></template>BAD",
        "<div hidden><object></div></object>BAD",
        "<template hidden><tr><table><caption></template hidden><div hidden>BAD",
        # Tables.
        "<table><tr hidden><td>BAD<td>BAD",
        "<table><tbody hidden><td>BAD<tr><td>BAD",
        "<table><td hidden><b>BAD<div>BAD</table>",
        "<table hidden><caption>BAD<table><caption></caption></caption>BAD",
        "<p hidden><table><td>BAD",
        # Drawings and formulas.
        "<svg></div><g><p hidden>BAD",
        "<math hidden><mi><div></math>BAD",
        "<div><math hidden><desc><label>BAD",
        "<g><math hidden><annotation-xml><title></g>BAD",
        "<svg><foreignobject><p>BAD</p></svg>",
        "<svg><desc><svg></svg><div hidden></svg>BAD",
        # A form within a form is none.
        "<form hidden><form></div>BAD",
    ],
)
def test_hidden_is_hidden(source: str) -> None:
    page = visible_text(source)
    assert "BAD" not in page.text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<div><span hidden></div>GOOD", "GOOD"),
        ("<div><section hidden></div>GOOD", "GOOD"),
        ("<b><span hidden></b>GOOD", "GOOD"),
        ("<b hidden><div></b>GOOD", "GOOD"),
        ("<b hidden><div><div><div><div><div><div><div></b>GOOD", "GOOD"),
        ("<p hidden>x<p>GOOD", "GOOD"),
        ("<p hidden>x<div>GOOD", "GOOD"),
        ("<p hidden>x<h1>GOOD", "GOOD"),
        ("<!doctype html><p hidden>x<table><td>GOOD", "GOOD"),
        ("<h1 hidden>x<h2>GOOD", "GOOD"),
        ("<h1 hidden>x</h2>GOOD", "GOOD"),
        ("<ul><li hidden>x<li>GOOD", "GOOD"),
        ("<ul><li hidden>x<div><p><li>GOOD", "GOOD"),
        ("<dl><dt hidden>x<dd>GOOD", "GOOD"),
        ("<a hidden>x<a>GOOD", "GOOD"),
        ("<nobr hidden>x<nobr>GOOD", "GOOD"),
        ("<button hidden>x<button>GOOD", "GOOD"),
        ("<ruby>GOOD<rt hidden>x<rt>GOOD", "GOODGOOD"),
        ("<table><td hidden>x<td>GOOD", "GOOD"),
        ("<table><tr hidden><td>x<tr><td>GOOD", "GOOD"),
        ("<table hidden><td>x</table>GOOD", "GOOD"),
        ("<table hidden>GOOD<td>x", "GOOD"),
        ("<table hidden><b>GOOD<tr>GOOD<td>x", "GOODGOOD"),
        ("<table><tr hidden>GOOD<td>x", "GOOD"),
        ("<table><div hidden>x<tr><td>GOOD", "GOOD"),
        ("<table><td><b hidden>x<td>GOOD", "GOOD"),
        ("<b hidden>x<table><td></b>x</table></b>GOOD", "GOOD"),
        ("<table><td hidden><table><td>x</table>x</td><td>GOOD", "GOOD"),
        ("<td hidden>GOOD</td><tr hidden>GOOD", "GOODGOOD"),
        ("<select><option>x<input>GOOD", "GOOD"),
        ("<select>x<select>GOOD", "GOOD"),
        ("<svg><g>x<p>GOOD", "GOOD"),
        ("<svg><g>x</p>GOOD", "GOOD"),
        ("<svg><path/>x</svg>GOOD", "GOOD"),
        ("<div><svg>x</div>GOOD", "GOOD"),
        ("<math hidden>x<font color=red>GOOD", "GOOD"),
        ("<math>GOOD<font>GOOD", "GOODGOOD"),
        ("<object>x<b>x</object>GOOD", "GOOD"),
        ("<div hidden>x</DIV\n>GOOD", "GOOD"),
        ("<form hidden><p>x</form>GOOD", "GOOD"),
    ],
)
def test_shown_is_shown(source: str, text: str) -> None:
    assert "".join(visible_text(source).text.split()) == text


@pytest.mark.parametrize(
    "tag", ["div", "b", "span", "p", "table><td", "svg><foreignobject", "ul><li"]
)
def test_no_depth_is_too_deep(tag: str) -> None:
    """Also where as much is open as no one would open."""
    for around, inside in ((3000, 0), (0, 3000), (3000, 3000)):
        source = f"{f'<{tag}>' * around}<div hidden>{f'<{tag}>' * inside}BAD</div>"
        assert "BAD" not in visible_text(source).text
    if not tag.startswith("svg"):
        assert visible_text(f"{f'<{tag}>' * 3000}GOOD").text == "GOOD"
