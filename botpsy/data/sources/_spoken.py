"""Values in spoken requests: where one stands, and the request without it."""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"(?:^|\s)(?:in|at|for|on|to|from|of|by|with|around|near|under|called|named|titled|about|"
    r"using|into|as)(?:\s+(?:the|a|an))?\s*[\"'“‘]?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"'”’]?(?:$|[.?!;]|\s+(?:in|at|for|on|to|from|of|by|with|and|that|which|please|using|"
    r"around|near|starting|leaving|during)\b)",
    re.IGNORECASE,
)


def without(text: str, value: str) -> str:
    """The request without a value that stands once, at the end of a phrase of its own ("in Rome");
    empty where leaving it out would leave no sentence."""
    if text.count(value) != 1:
        return ""
    start = text.index(value)
    before, after = text[:start], text[start + len(value) :]
    opens, closes = _BEFORE.search(before), _AFTER.match(after)
    if not opens or not closes:
        return ""
    rest = before[: opens.start()].rstrip()
    after = after.lstrip("\"'”’")
    # "from Rome and Milan": what is left would hang on nothing.
    if re.match(r"\s+and\b", after) or len(rest.split()) < 3 or rest.endswith((",", "and")):
        return ""
    return re.sub(r"\s+([.,?!;])", r"\1", f"{rest}{after}").strip()
