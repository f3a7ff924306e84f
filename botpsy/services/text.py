"""Text that does not hide: what cannot be seen is found, counted and spelled out, never dropped.

Two strengths over one idea of what is hidden. ``spell_hidden`` and ``plain_line`` are for what is
stored, searched and repeated (names, titles, paths): only what does not show is spelled out, as
``<U+202E RIGHT-TO-LEFT OVERRIDE>``, and doing it twice changes nothing. ``visible`` and
``visible_line`` are for the eye that approves: what poses as something else is spelled out, too (in
a word that mixes ASCII letters with Cyrillic, Greek and other look-alikes, or in an address, host
or path, every letter that is not what it seems; blanks that are no plain space; marks piled on one
letter; unknown characters), and so is a literal ``<U+``: different texts always look different.

Hidden are control and format characters, direction marks, blanks and fillers, tag characters
(spelled out decoded), and joiners and variation selectors where no script or emoji needs them.
Each of those needs a visible neighbour that calls for it, so they cannot be chained.

Sources: Unicode Standard Annex 44 (general categories, default ignorable code points), Unicode
Technical Standards 39 (mixed scripts) and 51 (emoji), Unicode Technical Report 36.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Set
from functools import lru_cache

MARKS_PER_LETTER = 3

_PLAIN = re.compile(r"[\n -~]*")
_ZWNJ, _ZWJ, _TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"
# Default ignorable, assigned or not, or blank though of a category that shows.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BREAKS = {"\t", "\n"}
_CONTROLS = {
    0: "NULL", 7: "BELL", 8: "BACKSPACE", 9: "TAB", 10: "LINE FEED", 13: "CARRIAGE RETURN",
    27: "ESCAPE",
}  # fmt: skip
_JOINING_SCRIPTS = frozenset(
    {
        *("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI"),
        *("ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR"),
    }
)
# Signs of other categories than "other symbol" that have a text and an emoji style.
_STYLED = frozenset("‼⁉ℹ↔⤴⤵◻◼◽◾〰")
# Scripts that are written together with Latin and do not pass for it.
_DISTINCT = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "KATAKANA-HIRAGANA"})
# The full stop of East Asia separates the parts of a host name, too (RFC 3490, 3.1).
_ADDRESS = re.compile(r"[@/\\]|\w\.\w|[a-zA-Z0-9][。｡][a-zA-Z0-9]")
_WORD = re.compile(r"\S+")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")


def hidden_positions(text: str) -> list[int]:
    """Indices of the characters that a reader cannot see, tabs and line feeds apart."""
    if text.isascii() and text.isprintable():
        return []
    return [i for i, char in enumerate(text) if char not in _BREAKS and _is_hidden(text, i)]


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


def spell_hidden(text: str) -> str:
    """The text with what is hidden, tabs and line breaks spelled out; look-alikes are left."""
    breaks = {i for i, char in enumerate(text) if char in _BREAKS}
    return _with_spelled(text, breaks.union(hidden_positions(text)))


def plain_line(text: str) -> str:
    """``one_line`` with what is hidden spelled out: a name, title or subject as it is kept."""
    return spell_hidden(one_line(text))


def visible(text: str) -> str:
    """The text with everything hidden or deceptive spelled out; line breaks stay."""
    if _PLAIN.fullmatch(text) and "<U+" not in text:
        return text
    deceptive = _posing(text) | _odd(text)
    # A neighbour that is spelled out calls for no joiner or selector.
    left = "".join("?" if i in deceptive else char for i, char in enumerate(text))
    return _with_spelled(text, deceptive.union(hidden_positions(left)))


def visible_line(text: str) -> str:
    """``visible``, with line breaks spelled out, too: it cannot pass for a line of ours."""
    return visible(text).replace("\n", spelled("\n"))


def spelled(char: str) -> str:
    """One character by number and name."""
    code = ord(char)
    name = _CONTROLS.get(code, unicodedata.name(char, ""))
    return f"<U+{code:04X} {name}>" if name else f"<U+{code:04X}>"


def _with_spelled(text: str, positions: Set[int]) -> str:
    if not positions:
        return text
    shown: list[str] = []
    position = 0
    while position < len(text):
        if tags := _TAGS.match(text, position):
            shown.append(_decoded(tags[0]))
            position = tags.end()
            continue
        char = text[position]
        shown.append(spelled(char) if position in positions else char)
        position += 1
    return "".join(shown)


def _decoded(tags: str) -> str:
    """Tag characters mirror ASCII; hidden text is written with them."""
    message = "".join(chr(ord(c) - 0xE0000) for c in tags if 0xE0020 <= ord(c) <= 0xE007E)
    said = json.dumps(message).replace("<", "\\u003c")
    return f"<U+{ord(tags[0]):04X} {len(tags)} TAG CHARACTERS {said}>"


def _is_hidden(text: str, position: int) -> bool:
    char = text[position]
    if char.isascii():
        return not char.isprintable()
    before = text[position - 1] if position else ""
    after = text[position + 1 : position + 2]
    if char in (_EMOJI_STYLE, _TEXT_STYLE):
        return not (_is_symbol(before) or (after == _KEYCAP and before in tuple("0123456789#*")))
    if char in (_ZWJ, _ZWNJ):
        base = text[position - 2 : position - 1] if before == _EMOJI_STYLE else before
        emoji = char == _ZWJ and _category(base) in ("So", "Sk") and _shows(base)
        return not ((emoji and _is_symbol(after)) or _joins(before, after))
    return not _shows(char)


def _shows(char: str) -> bool:
    """Whether it is seen wherever it stands."""
    return (
        char != ""
        and _UNSEEN.match(char) is None
        and unicodedata.category(char) not in _UNSEEN_CATEGORIES
    )


def _is_symbol(char: str) -> bool:
    return _shows(char) and (_category(char) == "So" or char in _STYLED)


def _joins(before: str, after: str) -> bool:
    """Whether the two are letters or marks of one script in which joiners make a difference."""
    script = _script(before)
    return (
        script in _JOINING_SCRIPTS and _script(after) == script and _shows(before) and _shows(after)
    )


def _odd(text: str) -> set[int]:
    """Positions of what shows, but not as what it is."""
    found: set[int] = set()
    marks = 0
    for i, char in enumerate(text):
        if char.isascii():
            marks = 0
            if char == "\t" or (char == "<" and text.startswith("<U+", i)):
                found.add(i)
            continue
        category = unicodedata.category(char)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        stray = marks == 1 and (i == 0 or text[i - 1] in " \n")
        if stray or marks > MARKS_PER_LETTER or category in ("Zs", "Co", "Cn"):
            found.add(i)
    return found


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


def _category(char: str) -> str:
    return unicodedata.category(char) if char else ""


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The script, as far as the character's name tells."""
    return unicodedata.name(char, "").split(" ")[0] if char else ""
