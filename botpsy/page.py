"""Pages that stand alone: one HTML file, light or dark, that loads nothing from elsewhere.

What is put into a page must be escaped by who puts it there; ``table`` and ``folded`` do it.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e;
  --mark: #1a7f3722 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
td, th { padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap }
td:first-child, th:first-child { text-align: left }
.chosen { font-weight: 600; background: var(--mark) }
.better { color: var(--good) } .worse { color: var(--bad) }
img { max-width: 100%; background: white; border-radius: 4px } small { opacity: .7 }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line) }
"""


def document(title: str, body: Sequence[str]) -> str:
    """The whole page; ``body`` is HTML."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(body)}</html>\n"
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts, its first column naming the rows."""
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(each)}</td>" for each in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def picture(png: bytes, alt: str) -> str:
    """A picture within the page."""
    data = base64.b64encode(png).decode()
    return f'<p><img alt="{escape(alt)}" src="data:image/png;base64,{data}"></p>'


def folded(title: str, text: str) -> str:
    """A text that opens when it is asked for."""
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"
