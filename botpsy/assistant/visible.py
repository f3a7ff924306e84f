"""Text made safe to judge by eye: nothing in it is hidden, moves the cursor, or poses as a letter.

``visible`` leaves honest text alone, line breaks included, and spells everything else out as
``<U+202E RIGHT-TO-LEFT OVERRIDE>``: control characters (so no terminal escape survives), direction
marks, zero-width and other blank characters, variation selectors and joiners where no script or
emoji needs them, tag characters (decoded), combining marks piled on one letter, and, in a word
that mixes ASCII letters with Cyrillic, Greek and other look-alikes or in an address, host or path,
every letter that is not what it seems. A literal ``<U+`` in the text is itself spelled out, so the
result never lies about the text. Deterministic; the same text comes back unchanged if it is plain.

Sources: Unicode Technical Standard 39 (mixed scripts), Unicode Technical Report 36.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache

MARKS_PER_LETTER = 3

_PLAIN = re.compile(r"[\n -~]*")
_ZWNJ, _ZWJ, _TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_CONTROLS = {0: "NULL", 7: "BELL", 8: "BACKSPACE", 9: "TAB", 13: "CARRIAGE RETURN", 27: "ESCAPE"}
_JOINING_SCRIPTS = frozenset(
    {
        *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
        *("ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR"),
    }
)
# Scripts that are written together with Latin and do not pass for it.
_DISTINCT = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "KATAKANA-HIRAGANA"})
# The full stop of East Asia separates the parts of a host name, too (RFC 3490, 3.1).
_ADDRESS = re.compile(r"[@/\\]|\w\.\w|[a-zA-Z0-9][。｡][a-zA-Z0-9]")
_WORD = re.compile(r"\S+")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")


def visible(text: str) -> str:
    """The text with everything hidden or deceptive spelled out."""
    if _PLAIN.fullmatch(text) and "<U+" not in text:
        return text
    poses = _posing(text)
    shown: list[str] = []
    position, marks = 0, 0
    while position < len(text):
        char = text[position]
        if tags := _TAGS.match(text, position):
            shown.append(_decoded(tags[0]))
            position, marks = tags.end(), 0
            continue
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        stray = marks == 1 and (position == 0 or text[position - 1] in " \n")
        if (
            position in poses
            or marks > MARKS_PER_LETTER
            or stray
            or _hidden(text, position, category)
            or (char == "<" and text.startswith("<U+", position))
        ):
            shown.append(spelled(char))
        else:
            shown.append(char)
        position += 1
    return "".join(shown)


def visible_line(text: str) -> str:
    """``visible``, with line breaks spelled out, too: it cannot pass for a line of ours."""
    return visible(text).replace("\n", "<U+000A LINE FEED>")


def spelled(char: str) -> str:
    """One character by number and name."""
    code = ord(char)
    name = _CONTROLS.get(code, unicodedata.name(char, ""))
    return f"<U+{code:04X} {name}>" if name else f"<U+{code:04X}>"


def _hidden(text: str, position: int, category: str) -> bool:
    char = text[position]
    before = text[position - 1] if position else ""
    after = text[position + 1 : position + 2]
    if char in ("\n", " "):
        return False
    if char in (_EMOJI_STYLE, _TEXT_STYLE):
        return not (_category(before) == "So" or (after == _KEYCAP and before in "0123456789#*"))
    if char in (_ZWJ, _ZWNJ):
        script = _script(before)
        joins = script in _JOINING_SCRIPTS and _script(after) == script
        base = text[position - 2 : position - 1] if before == _EMOJI_STYLE else before
        emoji = char == _ZWJ and _category(base) in ("So", "Sk") and _category(after) == "So"
        return not (joins or emoji)
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in _BLANK:
        return True
    return category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")


def _posing(text: str) -> set[int]:
    """Positions of letters and signs that pass for others in the word they stand in."""
    if text.isascii():
        return set()
    found: set[int] = set()
    for word in _WORD.finditer(text):
        part = word[0]
        if part.isascii():
            continue
        strict = _ADDRESS.search(unicodedata.normalize("NFKC", part)) is not None
        latin = any(c.isascii() and c.isalpha() for c in part)
        found |= {
            word.start() + offset
            for offset, char in enumerate(part)
            if not char.isascii() and _poses(char, strict, latin)
        }
    return found


def _poses(char: str, strict: bool, latin: bool) -> bool:
    category = unicodedata.category(char)
    if category[0] == "L":
        script = _script(char)
        if script == "LATIN":
            # é is an e with a mark, ı and ɑ only look like i and a.
            return strict and not unicodedata.normalize("NFD", char)[0].isascii()
        if script in _DISTINCT or (char == "µ" and not strict):
            return False
        return latin or (strict and _folds(char))
    return strict and (category[0] in "PSN") and (latin or _folds(char))


def _folds(char: str) -> bool:
    """Whether it turns into ASCII where names are compared (full-width, mathematical letters)."""
    return unicodedata.normalize("NFKC", char).isascii()


def _decoded(tags: str) -> str:
    """Tag characters mirror ASCII; hidden text is written with them."""
    message = "".join(chr(ord(c) - 0xE0000) for c in tags if 0xE0020 <= ord(c) <= 0xE007E)
    said = json.dumps(message).replace("<", "\\u003c")
    return f"<U+{ord(tags[0]):04X} {len(tags)} TAG CHARACTERS {said}>"


def _category(char: str) -> str:
    return unicodedata.category(char) if char else ""


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The script, as far as the character's name tells."""
    return unicodedata.name(char, "").split(" ")[0] if char else ""
