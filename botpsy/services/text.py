"""Characters that do not show: found, counted and made visible, never silently dropped.

Hidden are control and format characters (direction overrides, zero-width, tags), fillers that look
like nothing, and variation selectors out of place. Not hidden are tab and line feed, the joiners
and selectors that emoji and the scripts that join letters need (between or after non-ASCII
characters).

Source of the classes: Unicode Standard Annex 44 (general categories), Unicode Technical Report 36.
"""

from __future__ import annotations

import unicodedata

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
_JOINERS = frozenset("\u200c\u200d")


def _selects_variation(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def hidden_positions(text: str) -> list[int]:
    """Indices of the characters that a reader cannot see."""
    if text.isascii() and text.isprintable():
        return []
    return [i for i, char in enumerate(text) if _is_hidden(text, i, char)]


def _is_hidden(text: str, i: int, char: str) -> bool:
    if char in "\n\t":
        return False
    before = text[i - 1] if i else ""
    if char in _JOINERS:
        after = text[i + 1 : i + 2]
        return before.isascii() or after.isascii()
    if _selects_variation(char):
        # U+FE0F also follows digits, # and * in keycaps.
        return char > "\ufe0f" or (before.isascii() and before not in tuple("0123456789#*"))
    return char in _BLANKS or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def visible(text: str) -> str:
    """The text with every hidden character, and every line break, spelled out as ``<U+202E>``."""
    while (hidden := set(hidden_positions(text))) or "\n" in text or "\t" in text:
        # Once more when a joiner has lost the neighbour that excused it.
        text = "".join(
            f"<U+{ord(char):04X}>" if i in hidden or char in "\n\t" else char
            for i, char in enumerate(text)
        )
    return text


def hidden_note(text: str) -> str:
    """A sentence on the hidden characters in the text; empty when there are none."""
    positions = hidden_positions(text)
    if not positions:
        return ""
    kinds = sorted({f"U+{ord(text[i]):04X}" for i in positions})
    more = ", ..." if len(kinds) > 5 else ""
    return f"{len(positions)} hidden characters in it ({', '.join(kinds[:5])}{more})."


def one_line(text: str) -> str:
    """All runs of white space, line breaks among them, as one space."""
    return " ".join(text.split())
