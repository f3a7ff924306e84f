"""Text that must hold to stated constraints, each with its own check.

Reference: ``{"constraints": [{"kind": "words", "least": 50, "most": 80}, …]}``; ``CHECKS`` has the
kinds. 1 for a text that holds to all of them, half the share of those held otherwise, the floor for
no text. A text that is padding (see ``padded``) gets 0 whatever it holds to.

What the text is about is not judged; see docs/rewards.md.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from botpsy.chat.types import JsonObject
from botpsy.rewards.answer import content_of
from botpsy.rewards.base import FLOOR, Reward

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*(?=\s|$)")
_HIDDEN = ("Cc", "Cf", "Co", "Cs")
_USUAL = "\n\r\t\u200c\u200d"  # the last two join emoji and some scripts
_DISGUISED = re.compile(r"[A-Za-z][\u200c\u200d\u0400-\u04ff]|[\u200c\u200d\u0400-\u04ff][A-Za-z]")
_SMALL = frozenset(
    ("an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "have", "if", "in",
     "is", "it", "not", "of", "on", "or", "so", "that", "the", "their", "this", "to", "was", "we",
     "when", "will", "with", "you", "your")
)  # fmt: skip
_BULLET = re.compile(r"^[ \t]*[-*•][ \t]+\S", re.MULTILINE)


def verify(reference: JsonObject, raw: str) -> Reward:
    """See the module."""
    content = content_of(raw)
    constraints: Any = reference["constraints"]
    if content is None:
        return Reward(FLOOR, {"format": 0.0, "held": 0.0, "sound": 0.0})
    share = sum(holds(each, content) for each in constraints) / len(constraints)
    sound = not padded(content)
    value = (share if share == 1 else share / 2) if sound else 0.0
    return Reward(value, {"format": 1.0, "held": share, "sound": float(sound)})


def holds(constraint: Mapping[str, Any], text: str) -> bool:
    """Whether a text holds to one constraint."""
    given = dict(constraint)
    return CHECKS[given.pop("kind")](text, **given)


def padded(text: str) -> bool:
    """Whether the text is there only to be counted: a word or a line over and over, numbers and
    letters for words, no small words in between, or characters that do not show or pass for
    others."""
    words = words_of(text)
    if len(words) >= 8 and sum(len(w) > 1 and w.isalpha() for w in words) < len(words) / 2:
        return True
    if len(words) >= 40 and sum(word in _SMALL for word in words) < len(words) / 25:
        return True
    if any(len(list(run)) > 3 for _, run in groupby(words)):
        return True
    if len(words) >= 30 and len(set(words)) < 0.25 * len(words):
        return True
    lines = Counter(line.strip() for line in text.splitlines() if len(words_of(line)) >= 4)
    if any(count > 2 for count in lines.values()):
        return True
    pairs = Counter(zip(words, words[1:], words[2:], words[3:], strict=False))
    if any(count > 3 for count in pairs.values()):
        return True
    if "<!--" in text or _DISGUISED.search(text):
        return True
    return any(unicodedata.category(each) in _HIDDEN and each not in _USUAL for each in text)


def words_of(text: str) -> list[str]:
    """The words, in small letters; ``it's`` and ``well-known`` are one each."""
    return [word.casefold() for word in _WORD.findall(text)]


def sentences_of(text: str) -> int:
    """How many sentences end with a full stop, ! or ?, and one for words after the last of them."""
    ends = list(_SENTENCE_END.finditer(text))
    rest = text[ends[-1].end() :] if ends else text
    return len(ends) + bool(words_of(rest))


def paragraphs_of(text: str) -> list[str]:
    """Blocks between empty lines."""
    return [part for part in re.split(r"\n[ \t]*\n\s*", text.strip()) if part.strip()]


def _between(count: int, least: int | None, most: int | None) -> bool:
    return (least is None or count >= least) and (most is None or count <= most)


def _words(text: str, least: int | None = None, most: int | None = None) -> bool:
    return _between(len(words_of(text)), least, most)


def _sentences(text: str, least: int | None = None, most: int | None = None) -> bool:
    return _between(sentences_of(text), least, most)


def _paragraphs(text: str, count: int) -> bool:
    return len(paragraphs_of(text)) == count


def _characters(text: str, most: int) -> bool:
    return len(text) <= most


def _mentions(text: str, word: str) -> bool:
    return _times(text, word) > 0


def _avoids(text: str, words: list[str]) -> bool:
    return not any(_times(text, word) for word in words)


def _repeats(text: str, word: str, least: int | None = None, most: int | None = None) -> bool:
    return _between(_times(text, word), least, most)


def _times(text: str, phrase: str) -> int:
    """How often a word or phrase stands in the text as whole words, letter case aside."""
    wanted, words = words_of(phrase), words_of(text)
    return sum(words[n : n + len(wanted)] == wanted for n in range(len(words) - len(wanted) + 1))


def _starts(text: str, phrase: str) -> bool:
    return text.startswith(phrase)


def _ends(text: str, phrase: str) -> bool:
    return text.endswith(phrase)


def _paragraph_starts(text: str, number: int, word: str) -> bool:
    parts = paragraphs_of(text)
    return len(parts) >= number and words_of(parts[number - 1])[:1] == words_of(word)


def _lower(text: str) -> bool:
    return text == text.lower() and text != text.upper()


def _upper(text: str) -> bool:
    return text == text.upper() and text != text.lower()


def _capitals(text: str, least: int | None = None, most: int | None = None) -> bool:
    """Words of two letters or more that are all capitals."""
    words = [word for word in _WORD.findall(text) if len(word) > 1 and word.isupper()]
    return _between(len(words), least, most)


def _without(text: str, marks: str) -> bool:
    return not any(mark in text for mark in marks)


def _bullets(text: str, count: int, only: bool = False) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    found = len(_BULLET.findall(text))
    return found == count and (not only or len(lines) == count)


def _numbered(text: str, count: int) -> bool:
    numbers = re.findall(r"^[ \t]*(\d{1,3})[.)][ \t]+\S", text, re.MULTILINE)
    return [int(number) for number in numbers] == list(range(1, count + 1))


def _sections(text: str, label: str, count: int) -> bool:
    """``Part 1`` … ``Part n``, each alone on its line with text under it."""
    parts = re.split(
        rf"^{re.escape(label)} (\d{{1,3}})[ \t]*[:.]?[ \t]*$", text, flags=re.MULTILINE
    )
    numbers = [int(number) for number in parts[1::2]]
    return numbers == list(range(1, count + 1)) and all(words_of(part) for part in parts[2::2])


def _title(text: str, left: str, right: str) -> bool:
    """The first line is a title between two marks, and is not all there is."""
    first, _, rest = text.partition("\n")
    first = first.strip()
    inner = first.removeprefix(left).removesuffix(right)
    marked = first.startswith(left) and first.endswith(right) and len(first) > len(left + right)
    return marked and bool(words_of(inner)) and left not in inner and bool(words_of(rest))


def _separated(text: str, mark: str, count: int) -> bool:
    """``count`` parts, each different, with the mark alone on a line between them."""
    parts = re.split(rf"^[ \t]*{re.escape(mark)}[ \t]*$", text, flags=re.MULTILINE)
    spoken = [" ".join(words_of(part)) for part in parts]
    return len(parts) == count and all(spoken) and len(set(spoken)) == count


def _json(text: str, names: list[str]) -> bool:
    """One JSON object with exactly these names, each once and a text with words in it."""
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return False
    return (
        isinstance(pairs, tuple)
        and sorted(name for name, _ in pairs) == sorted(names)
        and all(isinstance(each, str) and words_of(each) for _, each in pairs)
    )


def _quoted(text: str) -> bool:
    return len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1]


def _blanks(text: str, count: int) -> bool:
    """At least so many different places to be filled in, such as [name]."""
    return len(set(re.findall(r"\[([^\W\d_][\w ]{0,30})\]", text))) >= count


def _postscript(text: str, mark: str) -> bool:
    """The last paragraph begins with the mark, goes on, and is not the first."""
    parts = paragraphs_of(text)
    return len(parts) > 1 and parts[-1].startswith(mark) and bool(words_of(parts[-1][len(mark) :]))


def _emphasised(text: str, count: int) -> bool:
    """At least so many different stretches in **double stars**."""
    return len(set(re.findall(r"\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*", text))) >= count


def _sentence_length(text: str, most: int) -> bool:
    return all(len(words_of(part)) <= most for part in re.split(r"(?<=[.!?])\s+|\n+", text))


CHECKS: dict[str, Callable[..., bool]] = {
    "words": _words,
    "sentences": _sentences,
    "paragraphs": _paragraphs,
    "characters": _characters,
    "mentions": _mentions,
    "avoids": _avoids,
    "repeats": _repeats,
    "starts": _starts,
    "ends": _ends,
    "paragraph_starts": _paragraph_starts,
    "lower": _lower,
    "upper": _upper,
    "capitals": _capitals,
    "without": _without,
    "bullets": _bullets,
    "numbered": _numbered,
    "sections": _sections,
    "title": _title,
    "separated": _separated,
    "json": _json,
    "quoted": _quoted,
    "blanks": _blanks,
    "postscript": _postscript,
    "emphasised": _emphasised,
    "sentence_length": _sentence_length,
}
"""Kind of constraint -> whether a text holds to it."""
