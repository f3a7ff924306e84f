"""Values that show by themselves which parameter they are for: no model is needed for these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from botpsy.engines.spans import TIMES, Words

_PHONE = re.compile(r"(?<!\w)\+?\d[\d ()/-]{4,}\d(?!\w)")
_ADDRESS = re.compile(r"[^\s<>,;:]+@[^\s<>,;:]+\.\w+")
_PERCENT = re.compile(r"\d+(?:\.\d+)? ?(?:%|percent\b)")


def in_plain_sight(
    schema: Mapping[str, Any], words: Words, used: set[int]
) -> tuple[str, set[int]] | None:
    """A text that shows what it is, with its words: a phone number, an email address, a percentage,
    or one of the few words that a parameter's description lists behind its kind ("Percent, or up,
    down"; "Colour, such as red")."""
    about = str(schema.get("description", "")).lower()
    if not is_text(schema):
        return None
    patterns = [
        pattern
        for kind, pattern in (
            ("phone number", _PHONE),
            ("email address", _ADDRESS),
            ("percent", _PERCENT),
        )
        if kind in about
    ]
    listed = re.match(r"(?:percent, or|colour, such as) (.+)", about)
    if listed and not re.search(r"\d", words.request):
        options = sorted(re.split(r", | or ", listed[1]), key=len, reverse=True)
        patterns.append(re.compile(rf"\b(?:{'|'.join(map(re.escape, options))})\b", re.I))
    for pattern in patterns:
        for match in pattern.finditer(words.request):
            taken = {
                i
                for i, (start, end) in enumerate(words.places)
                if start < match.end() and match.start() < end
            }
            if taken and not taken & used:
                return match[0], taken
    return None


def is_text(schema: Mapping[str, Any]) -> bool:
    """The parameter takes a text of any kind, but no time."""
    return (
        schema.get("type") == "string"
        and "enum" not in schema
        and schema.get("format") not in TIMES
    )
