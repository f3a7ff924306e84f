"""Time grows as the page does, whatever the page: eight times as much takes eight times as long.

Growth with the square would take 64 times as long. What is quick in any case (all of it in one
regular expression) is measured on more text.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from botpsy.services.html import main_text

_TANGLES: dict[str, Callable[[int], str]] = {
    "hidden": lambda n: "<div hidden>" * n,
    "paragraphs": lambda n: "<p>x" * n,
    "bold": lambda n: "<b>x" * n,
    "bold and blocks": lambda n: "".join(f"<b id={i}>" for i in range(n)) + "<p>x" * n,
    "bold lost in blocks": lambda n: (
        "<div>" + "".join(f"<b id={i}>" for i in range(n)) + "</div>" + "<div>x</div>" * n
    ),
    "adoption": lambda n: "<b><div>" * n + "</b>" * n,
    "adoption of one": lambda n: "<b>" * n + "<div>" * n + "</b>x" * n,
    "adoption in depth": lambda n: "<div>" * n + "<b><div>x</b>" * n,
    "ends in vain": lambda n: "<div>" * n + "</span>" * n,
    "items": lambda n: "<div>" * n + "<li>" * n,
    "links": lambda n: "<a href=x>x<p>" * n,
    "tables": lambda n: "<table><b>x<tr><td>" * n,
    "fostered": lambda n: "<table>" + "<b>x<tr>" * n,
    "quotes in names": lambda n: '<a "> "' * n,
    "drawings": lambda n: "<svg><g>" * n + "<p>" * n,
    "hosts": lambda n: "<svg><desc>" * n + "</svg>x" * n,
    "templates": lambda n: "<template><tr>" * n,
    "forms": lambda n: "<form><div></form>" * n,
    "bodies": lambda n: "<div>" * n + "".join(f"<body class={i}>" for i in range(n)),
    "styles": lambda n: "<p style='font-size:0;color:red'>x" * n,
    "rules": lambda n: (
        "<style>"
        + "".join(f".x.a{i}{{color:red}}" for i in range(n))
        + "</style>"
        + "<i class=x>x" * n
    ),
    "rules around": lambda n: (
        "<style>"
        + "".join(f".c{i} b{{color:red}}" for i in range(n))
        + f"</style><i class='{' '.join(f'c{i}' for i in range(n))}'>"
        + "<p>x" * n
    ),
    "long rules": lambda n: "<style>.x{" + "color:red;" * n + "}</style>" + "<p class=x>x" * n,
    "nested rules": lambda n: "<style>" + "@media (width>1px){.x{" * n,
    "breaks": lambda n: "<br>" * n,
}
_TEXTS: dict[str, Callable[[int], str]] = {
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(n)) + ">x",
    "one attribute": lambda n: "<p " + "style=color:red " * n + ">x",
    "open quotes": lambda n: "<p " + "a='" * n,
    "open tags": lambda n: "<a " * n,
    "spaces": lambda n: "<p a" + " " * n + "b" + "\n" * n,
    "less than": lambda n: "<" * n,
    "comments": lambda n: "<!--" * n,
    "almost comments": lambda n: "<!-- --!" * n,
    "declarations": lambda n: "<?" * n + "<![CDATA[" * n,
    "scripts": lambda n: "<script><!--" + "<script></script" * n,
    "titles": lambda n: "<title>" * n,
    "entities": lambda n: "&amp;&" * n + "&#" + "0" * n + "9" * n + "&" + "a" * n,
    "entities in attributes": lambda n: "<p style='" + "&a&#" * n + "'>",
    "spaces in a style": lambda n: "<p style='font-size:" + " " * n + "x" + " " * n + "'>",
    "digits in a style": lambda n: (
        "<p style='font-size:" + "1" * n + "x;color:rgb(" + "0" * n + "'>"
    ),
    "colours": lambda n: "<p style='background:" + "rgb(1 " * n + "'>",
    "open comments in a style": lambda n: "<p style='" + "/*" * n + "'>",
    "comments in a style": lambda n: "<p style='" + "/* */ " * n + "{'>",
    "escapes in a style": lambda n: "<p style='" + "\\" * n + "'>",
    "strings in a style": lambda n: '<p style="' + "'\\" * n + '">',
    "sums in a style": lambda n: f"<p style='width:{'calc(' * n}1px{' + 1px * 2' * n})'>",
    "addresses in a style": lambda n: "<p style='" + "url(" * n + "'>",
    "variables": lambda n: f"<p style='--a:{'x' * 90};color:{'var(--a)' * n}'>x",
    "selectors": lambda n: "<style>" + ".x,.y .z>" * n + "{color:red}",
    "classes": lambda n: "<style>.x{color:red}</style><p class='" + "x y " * n + "'>x",
}


def _seconds(page: str) -> float:
    begun = process_time()
    main_text(page)
    return process_time() - begun


@pytest.mark.parametrize(
    ("make", "size"),
    [pytest.param(make, 400, id=name) for name, make in _TANGLES.items()]
    + [pytest.param(make, 4000, id=name) for name, make in _TEXTS.items()],
)
def test_work_grows_with_the_page_and_no_faster(make: Callable[[int], str], size: int) -> None:
    small, large = make(size), make(8 * size)
    least = max(min(_seconds(small) for _ in range(2)), 0.002)
    # Other programs slow a run down now and then, but not each of several.
    assert any(_seconds(large) <= 30 * least for _ in range(4))
