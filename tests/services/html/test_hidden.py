"""What hides text, and what does not: one rule set for pages and mails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botpsy.services.html import mail_text, main_text, visible_text

HIDING_STYLES = [
    "display:none",
    "display : none ",
    "DISPLAY:NONE !important",
    "color:red;display:none;",
    "display:/**/none",
    "display/* ; */:none",
    "/* x */display:none",
    "font-family:'/*';display:none;x:'*/'",
    'font-family:"/*";display:/*"*/none',
    "background:url(a'b);display:none;x:'",
    r"background:u\72l(a'b);display:none;x:'",
    r"d\69splay:none",
    r"display:n\00006fne",
    r"dis\play:none",
    "x{;display:none",
    "x{}display:none",
    "};display:none",
    "@media;display:none",
    "display:block;display:none",
    "display:none;display:bogus",
    "display:none!important;display:block",
    "display:var(--x)",
    "--x:none;display:var(--x)",
    "display:var(--x, none)",
    "visibility:hidden",
    "visibility: collapse",
    "content-visibility:hidden",
    "opacity:0",
    "opacity:.05",
    "opacity:0%",
    "opacity:1;opacity:0.0",
    "opacity:calc(0 * 2)",
    "filter:opacity(0)",
    "filter:blur(2px) opacity(5%)",
    "font-size:0",
    "font-size: 0.0px",
    "font-size:0px; color: red",
    "font-size:1px",
    "font-size:.1em",
    "font-size:1%",
    "font-size:0rem",
    "font-size:1e-9em",
    "font-size:calc(0px)",
    "font-size:min(0px, 9px)",
    "font-size:calc(.5px + .5px)",
    "font-size:calc(10px - 9px)",
    "font-size:clamp(1px, 0.01vw, 9px)",
    "font-size:max(0px, calc(2px * (1 - 0.5)))",
    "font-size:calc(16px / 20",
    "font: 0/0 a",
    "font:italic 1px/2 serif",
    "color:#fff",
    "color: white;",
    "color:rgb(254, 254, 254)",
    "color:rgb(100% 100% 100%",
    "color:hsl(0 0% 99%)",
    "color:hwb(0 100% 0%)",
    "color:oklch(0.99 0 0)",
    "color:color(srgb 1 1 1)",
    "color:#ffffffff",
    "color:black;color:#fff",
    "color:#fff!important;color:#000",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#0000",
    "color:rgb(0 0 0 / 4%)",
    "color:hsla(0,0%,0%,.01)",
    "-webkit-text-fill-color:transparent",
    "color:black;-webkit-text-fill-color:#fff",
    "color:#123456;background-color:#123455",
    "background:tomato;color:tomato",
    "background:no-repeat url(x.png) black;color:#000",
    "background:linear-gradient(#000, #111)",
    "--c:#fff;color:var(--c)",
    "color:var(--none, #fff)",
    "color:canvas",
    "color:light-dark(#fff, #000)",
    "color:color-mix(in srgb, white 99%, black)",
    "background:#000;background:none;color:#fff",
    "background:#000;background:url(x.png);color:#fff",
    "background:linear-gradient(#fff, #eee);-webkit-background-clip:text;color:transparent",
    "height:0;overflow:hidden",
    "width:1px;height:1px;overflow:hidden",
    "max-height: 0px",
    "max-height:0;overflow:auto",
    "line-height:0;overflow:hidden",
    "inline-size:0",
    "position:absolute;left:-9999px",
    "position:absolute;top:-100em",
    "position:fixed;inset:-999px auto auto 0",
    "margin-left:-5000px",
    "margin:0 0 0 -999px",
    "text-indent:-5000px",
    "text-indent:9999px",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "margin-left:calc(-1 * 999px)",
    "padding-left:9999px;overflow:hidden",
    "letter-spacing:-1em",
    "zoom:.01",
    "zoom:5%",
    "position:absolute;left:9999px",
    "transform:scale(0)",
    "transform:rotate(3deg) scaleX(0.0)",
    "transform:scale(.05)",
    "transform:translateX(-9999px)",
    "transform:translateX(calc(-1 * 9999px)",
    "transform:translate3d(0,-2000px,0)",
    "transform:rotateY(90deg)",
    "transform:matrix(0,0,0,0,0,0)",
    "scale:0",
    "translate:-9999px",
    "clip:rect(0,0,0,0)",
    "clip: rect(1px, 1px, 1px, 1px)",
    "clip-path:inset(100%)",
    "clip-path:inset(50%)",
    "clip-path:inset(0 100% 0 0)",
    "clip-path:circle(0)",
    "clip-path:polygon(0 0, 0 0, 0 0)",
    "mso-hide:all",
]
SHOWING_STYLES = [
    "",
    "display:block",
    "display:none;display:block",
    "display:bogus",
    "color:bogus",
    "font-family:'display:x'",
    "background:url(data:image/png;base64,AAAA)",
    "visibility:visible",
    "opacity:0.5",
    "opacity:0;opacity:1",
    "font-size:0.9em",
    "font-size:10px",
    "font-size:small",
    "font-size:0;font-size:12px",
    "font:12px/1 serif",
    "font:bold 1em/0 serif",
    "font-size:calc(1rem + 1vw)",
    "font-size:var(--size)",
    "line-height:0.9",
    "line-height:0",
    "margin-left:-10px;border-width:0;min-height:0",
    "height:20px;overflow:hidden",
    "height:auto;width:100%",
    "height:1px",
    "background-color:white;color:black",
    "background:#06c;color:#fff",
    "color:#fff;background:linear-gradient(red, blue)",
    "color:rgba(0,0,0,.6)",
    "color:var(--ink)",
    "background:transparent",
    "transform:translate(-50%,-50%) rotate(90deg)",
    "transform:matrix(0,1,-1,0,0,0)",
    "transform:scale(90%)",
    "letter-spacing:-1px",
    "zoom:1",
    "padding:0 20px",
    "left:calc(50% - 200px)",
    "margin-left:calc(-50vw + 50%)",
    "margin:0 calc(50% - 50vw)",
    "font-size:clamp(0px, 2vw, 16px)",
    "font-size:calc(16px / 0)",
    "background:linear-gradient(#00f, #f00);background-clip:text;color:transparent",
    "clip:auto",
    "clip:rect(0, 100px, 20px, 0)",
    "clip-path:circle(40%)",
    "clip-path:inset(0 10px)",
    "filter:opacity(50%)",
    "position:absolute;left:20px;top:3000px",
]


@pytest.mark.parametrize("style", HIDING_STYLES)
@pytest.mark.parametrize("tag", ["p", "b"])
def test_a_style_that_hides(style: str, tag: str) -> None:
    escaped = style.replace("&", "&amp;").replace('"', "&quot;")
    if style.endswith("#111)"):
        escaped += ";color:#000"
    source = f'<p>Hello</p><{tag} style="{escaped}">B<i>A</i>D</{tag}><p>there</p>'
    for read in (main_text, visible_text, mail_text):
        reading = read(source)
        assert reading.text.split() == ["Hello", "there"]
        assert reading.hidden == 3


@pytest.mark.parametrize("style", SHOWING_STYLES)
def test_a_style_that_does_not(style: str) -> None:
    for read in (main_text, visible_text, mail_text):
        reading = read(f'<div style="{style}">GOOD</div>')
        assert (reading.text, reading.hidden) == ("GOOD", 0)


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>BAD</div>",
        "<div HIDDEN=until-found>BAD</div>",
        "<div hidden style='display:block'>BAD</div>",
        "<div aria-hidden=true><p>BAD</p></div>",
        "<div popover>BAD</div>",
        "<p style='display&#58;none'>BAD</p>",
        "<p style='displa&#x79;&colon;none'>BAD</p>",
        "<p/style='display:none'/>BAD</p>",
        "<p a='>'style=display:none>BAD</p>",
        "<p style=display:none style=display:block>BAD</p>",
        "<font color='#FFFFFF'>BAD</font>",
        "<font color=fff>BAD</font>",
        "<table bgcolor=black><td><font color=black>BAD</font></table>",
        "<div style='display:none'><p style='display:block'>BAD</p>BAD</div>",
        "<div style='display:none'><br>BAD<img></div>",
        "<div style='opacity:.3'><div style='opacity:.3'>BAD</div></div>",
        "<div style='font-size:.2em'><div style='font-size:50%'>BAD</div></div>",
        "<div style='background:#000'><p style='color:#fff'>GOOD</p><p>BAD</p></div>",
        "<div style='color:#fff'>BAD<p style='color:#000'>GOOD</p></div>",
        "<p style='background:#0000ee'><a href=x>BAD</a></p>",
        "<div style='color:#fff'><a href=x style='color:inherit'>BAD</a></div>",
        "<div style='color:#fff'><p color=black bgcolor=black text=black>BAD</p></div>",
        "<div style='-webkit-text-fill-color:transparent'><p style='color:#000'>BAD</p></div>",
        "<style>p{font-size:9px}</style><div style='font-size:0'><p style=font-size:inherit>BAD",
        "<html style='font-size:1px'><p style='font-size:1rem'>BAD</p>",
    ],
)
def test_what_hides_beside_styles(hidden: str) -> None:
    for read in (visible_text, mail_text):
        reading = read(f"<p>GOOD</p>{hidden}")
        assert "GOOD" in reading.text
        assert "BAD" not in reading.text
        assert reading.hidden % 3 == 0
        assert reading.hidden > 0


@pytest.mark.parametrize(
    "shown",
    [
        "<table bgcolor='#000'><tr><td style='color:white'>GOOD</td></tr></table>",
        "<div style='display:none'></div>GOOD",
        # The gaps between boxes are closed by a size of nothing around boxes of their own size.
        "<td style='font-size:0'><div style='font-size:13px'>GOOD</div></td>",
        "<div style='visibility:hidden'><p style='visibility:visible'>GOOD</p></div>",
        "<div style='color:#fff'><a href=x>GOOD</a></div>",
        "<div style='color:#fff'><p style='color:initial'>GOOD</p></div>",
        "<body bgcolor=black text=white>GOOD",
        "<p aria-hidden=false>GOOD</p>",
        "<dialog open>GOOD</dialog>",
        "<html style='font-size:62.5%'><p style='font-size:1.6rem'>GOOD</p>",
        "<p class=hidden>GOOD</p>",
        "<p data-style='display:none' title='display:none'>GOOD</p>",
        "<p style='background:#000'><span style='background:#fffc;color:#000'>GOOD</span>",
    ],
)
def test_what_is_shown(shown: str) -> None:
    for read in (visible_text, mail_text):
        reading = read(shown)
        assert (reading.text, reading.hidden) == ("GOOD", 0)


@pytest.mark.parametrize(
    "page",
    [
        "<style>.x{display:none}</style><p class='a X'>BAD</p>",
        "<style>/* c */ p.y, #z { font-size:0 }</style><b id=z>BAD</b><p class='y'>BAD</p>",
        "<p class=x>BAD</p><style>.x{display:none}</style>",
        "<style><!-- .x{display:none} --></style><p class=x>BAD</p>",
        "<STYLE>.x{display:none}</style ><p class=x>BAD</p>",
        "<style>p.a.b{opacity:0}</style><p class='b a'>BAD</p>",
        "<style>@media screen{.x{display:none}}</style><p class=x>BAD</p>",
        "<style>@media (max-width:9999px){.x{display:none}}</style><p class=x>BAD</p>",
        "<style>@media (min-width: 40em){.x{display:none}}</style><p class=x>BAD</p>",
        "<style>@media not print{.x{display:none}}</style><p class=x>BAD</p>",
        "<style>@supports (display:grid){.x{display:none}}</style><p class=x>BAD</p>",
        "<style>.x{color:red;&{display:none}}</style><p class=x>BAD</p>",
        "<style>.x{@media screen{display:none}}</style><p class=x>BAD</p>",
        "<style>body .a > .b p{display:none}</style><div class=a><i class=b><p>BAD</p></i></div>",
        "<style>.a *{display:none}</style><div class=a><p>BAD</p></div>",
        "<style>.t .x{display:none}</style><body class=t><p class=x>BAD</p>",
        "<style>.x{display:none!important}</style><p class=x style='display:block'>BAD</p>",
        "<style>#x{display:none}.x{display:block}</style><p id=x class=x>BAD</p>",
        "<style>.x{display:block}.x{display:none}</style><p class=x>BAD</p>",
        "<style>.x{color:#fff}</style><p class=x>BAD</p>",
        "<style>:root{--c:#fff}</style><p style='color:var(--c)'>BAD</p>",
        "<style>.x{background:#222;color:#eee}.y{color:#222}</style><p class=x><b class=y>BAD",
        "<svg><style>.x{display:none}</style></svg><p class=x>BAD</p>",
        r"<style>.\78{d\69splay:none}</style><p class=x>BAD</p>",
        "<style>body{visibility:hidden} .x{visibility:visible}</style><p>BAD<b class=x>GOOD</b>",
    ],
)
def test_style_sheets_hide(page: str) -> None:
    for read in (visible_text, mail_text):
        reading = read(page)
        assert "BAD" not in reading.text
        assert reading.text == ("GOOD" if "GOOD" in page else "")


@pytest.mark.parametrize(
    "page",
    [
        "<style>.x{display:none}</style><p class=y>GOOD</p>",
        "<style>.x .y{display:none}</style><p class=y>GOOD</p>",
        "<style>.x{display:none}</style><p class=x style='display:block'>GOOD</p>",
        "<style>.x{display:none}p.x{display:block}</style><p class=x>GOOD</p>",
        "<style>.x{display:none}.x.on{display:block}</style><p class='x on'>GOOD</p>",
        "<style>.x:hover,.x::before,.x[a],.z + .x{display:none}</style><p class=x>GOOD</p>",
        "<style>@media print{.x{display:none}}</style><p class=x>GOOD</p>",
        "<style media=print>.x{display:none}</style><p class=x>GOOD</p>",
        "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>GOOD</p>",
        "<style>@media (width <= 600px){.x{display:none}}</style><p class=x>GOOD</p>",
        "<style>@media (prefers-color-scheme: dark){.x{color:#fff}}</style><p class=x>GOOD</p>",
        "<style>@keyframes x{from{opacity:0}to{opacity:1}}</style><p class=x>GOOD</p>",
        "<style>.x{background:#222;color:#eee}</style><p class=x>GOOD</p>",
        "<style>body{background:#111} p{color:#eee}</style><p>GOOD</p>",
        "<style>.x::after{content:'}.y{display:none'}</style><p class=y>GOOD</p>",
        "<!-- <style>.x{display:none}</style> --><p class=x>GOOD</p>",
        "<script>'<style>.x{display:none}</style>'</script><p class=x>GOOD</p>",
    ],
)
def test_style_sheets_do_not_hide(page: str) -> None:
    for read in (visible_text, mail_text):
        reading = read(page)
        assert (reading.text, reading.hidden) == ("GOOD", 0)


def test_colours_are_not_judged_on_a_ground_that_is_set_elsewhere() -> None:
    page = "<link rel='x stylesheet' href=/a.css><p style='color:#fff'>WHITE</p>"
    assert visible_text(page).text == "WHITE"
    assert mail_text(page).text == ""  # nothing is fetched for a mail
    assert visible_text(page.replace("color:", "background:#eee;color:")).text == ""
    assert visible_text(page.replace("#fff", "transparent")).text == ""


def test_a_page_may_be_hidden_late() -> None:
    assert visible_text("<div>BAD<body hidden>BAD").text.count("BAD") == 1
    assert visible_text("<div><body class=a><body hidden>BAD").text == ""
    assert visible_text("<div><html style='display:none'>BAD").text == ""


_BLOCKS = ["div", "section", "article", "blockquote", "center", "custom-tag"]
_INLINES = ["span", "b", "i", "em", "font", "label", "code"]
_HIDES = st.one_of(
    st.sampled_from(["hidden", "aria-hidden=true", "hidden=''", "popover"]),
    st.sampled_from(HIDING_STYLES)
    .filter(lambda style: "gradient" not in style)
    .map(lambda style: 'style="' + style.replace('"', "&quot;") + '"'),
)
_SHOWS = st.sampled_from(["", "", "class=x", "id=hidden", 'title="<div hidden>"', "style='x:y'"])


@st.composite
def _trees(draw: st.DrawFn, depth: int = 0, hidden: bool = False) -> tuple[str, int, int]:
    """Markup, and how often GOOD and BAD stand in it."""
    source, good, bad = "", 0, 0
    for _ in range(draw(st.integers(0, 3))):
        if depth == 5 or draw(st.booleans()):
            source += " BAD " if hidden else " GOOD "
            good, bad = good + (not hidden), bad + hidden
            continue
        tag = draw(st.sampled_from(_BLOCKS + _INLINES))
        hides = draw(st.booleans())
        # In text hidden by its colour or size another colour or size may show it again.
        attribute = "hidden" if hides and hidden else draw(_HIDES if hides else _SHOWS)
        inner, more_good, more_bad = draw(_trees(depth + 1, hidden or hides))
        source += f"<{tag} {attribute}>{inner}</{tag}>"
        good, bad = good + more_good, bad + more_bad
    return source, good, bad


@given(_trees())
def test_planted_text_does_not_show_at_any_nesting(tree: tuple[str, int, int]) -> None:
    source, good, bad = tree
    for read in (visible_text, mail_text):
        reading = read(source)
        assert reading.text.split() == ["GOOD"] * good
        assert reading.hidden == 3 * bad


@given(
    _HIDES,
    st.lists(
        st.sampled_from([*_INLINES, "a", "nobr", "svg", "math", "p"]).flatmap(
            lambda tag: st.sampled_from(
                [f"<{tag}>", f"</{tag}>", f"<{tag} a=1>", "</div >", "<br/>"]
            )
        )
        | st.sampled_from(
            ["&lt;/div>", "<!-- </div> -->", "</>", "<>", "x", "</section>", "</h1>", "<table>"]
        ),
        max_size=30,
    ),
    st.lists(
        st.sampled_from(["<b>", "<i>", "<span>", "<p>", "<table><td>", "<ul><li>"]), max_size=6
    ),
)
def test_nothing_but_its_end_opens_what_hides(
    hides: str, inside: list[str], before: list[str]
) -> None:
    """Formatting, unknown ends and open elements around it do not end an element."""
    inside = [part for part in inside if part != "</div >"]
    source = f"<p>GOOD</p>{''.join(before)}<div {hides}>{''.join(inside)} BAD"
    for read in (visible_text, mail_text):
        assert "BAD" not in read(source).text
