"""IFBench's checks of words and sentences: ``count``, ``ratio``, ``words`` and ``sentence``.

The rules are the official ones, oddities included; each oddity is said where it is. What the
official check fails with an error does not follow here.

Source of the rules: ifbench/instructions.py of allenai/IFBench, version 0.2.0.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from botpsy.evals.suites.instructions.classic import Check
from botpsy.evals.suites.instructions.syllables import syllables
from botpsy.evals.suites.instructions.text import EDGES, Text, unpunctuated

CONJUNCTIONS = frozenset(("and", "but", "for", "nor", "or", "so", "yet"))
NAMES = (
    "Emma", "Liam", "Sophia", "Jackson", "Olivia", "Noah", "Ava", "Lucas", "Isabella", "Mason",
    "Mia", "Ethan", "Charlotte", "Alexander", "Amelia", "Benjamin", "Harper", "Leo", "Zoe",
    "Daniel", "Chloe", "Samuel", "Lily", "Matthew", "Grace", "Owen", "Abigail", "Gabriel",
    "Ella", "Jacob", "Scarlett", "Nathan", "Victoria", "Elijah", "Layla", "Nicholas", "Audrey",
    "David", "Hannah", "Christopher", "Penelope", "Thomas", "Nora", "Andrew", "Aria", "Joseph",
    "Claire", "Ryan", "Stella", "Jonathan",
)  # fmt: skip
PRONOUNS = frozenset((
    "i", "me", "we", "us", "you", "he", "him", "she", "her", "it", "they", "them", "my", "mine",
    "our", "ours", "your", "yours", "his", "hers", "its", "their", "theirs", "myself",
    "ourselves", "yourself", "yourselves", "himself", "herself", "itself", "themselves", "this",
    "that", "these", "those", "who", "whom", "whose", "which", "what", "whoever", "whomever",
    "whatever", "whichever", "anybody", "anyone", "anything", "everybody", "everyone",
    "everything", "nobody", "nothing", "somebody", "someone", "something", "each", "either",
    "neither", "both", "all", "some", "any", "none",
))  # fmt: skip
_PRIMES = frozenset(n for n in range(2, 100) if all(n % k for k in range(2, n)))
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def _word_range(text: Text, min_words: float, max_words: float) -> bool:
    return min_words <= len(text.words) <= max_words


def _unique_words(text: Text, N: float) -> bool:  # noqa: N803 - the data's names
    return len({each.strip(EDGES) for each in text.raw.lower().split()}) >= N


def _conjunctions(text: Text, small_n: float) -> bool:
    """Two spellings of one (And, and) are two."""
    found = {each for each in text.raw.split() if each.strip(EDGES).lower() in CONJUNCTIONS}
    return len(found) >= small_n


def _names(text: Text, N: float) -> bool:  # noqa: N803
    return sum(bool(re.search(rf"\b{each}\b", text.raw)) for each in NAMES) >= N


def _numbers(text: Text, N: float) -> bool:  # noqa: N803
    """Punctuation within a number does not part it."""
    return len(re.findall(r"\d+", unpunctuated(text.raw))) == N


def _punctuation(text: Text) -> bool:
    """One interrobang is taken out first: its marks have to stand elsewhere too."""
    marks = next((each for each in ("?!", "!?", "‽") if each in text.raw), "")
    rest = text.raw.replace(marks, "", 1) if marks != "‽" else text.raw
    return bool(marks) and all(each in rest for each in ".,!?;:")


def _pronouns(text: Text, N: float) -> bool:  # noqa: N803
    words = text.english.tokens(text.raw.replace("/", " ").lower())
    return sum(each in PRONOUNS for each in words) >= N


def _keywords(text: Text, **keywords: str) -> bool:
    """Also within words."""
    lower = text.raw.lower()
    named = [keywords[f"keyword{n}"].strip().lower() for n in range(1, 6)]
    return all(lower.count(each) == n for each, n in zip(named, (1, 2, 3, 5, 7), strict=True))


def _words_japanese(text: Text, N: float) -> bool:  # noqa: N803
    """Numbers and marks in a place are passed over."""
    places = [each.strip(EDGES) for n, each in enumerate(text.raw.split(), 1) if n % N == 0]
    return all(_JAPANESE.search(each) for each in places if each and not each.isdigit())


def _stop_words(text: Text, percentage: float) -> bool:
    found = sum(each.lower() in text.english.stopwords for each in text.words)
    return bool(text.words) and found / len(text.words) * 100 <= percentage


def _sentences_ending(text: Text, marks: str) -> list[int]:
    return [sum(each.endswith(mark) for each in text.sentences) for mark in marks]


def _sentence_type(text: Text) -> bool:
    """A text of neither kind has the ratio."""
    plain, questions = _sentences_ending(text, ".?")
    return plain == 2 * questions


def _sentence_balance(text: Text) -> bool:
    """A text of none of the kinds is balanced."""
    return len(set(_sentences_ending(text, ".?!"))) == 1


def _overlap(text: Text, reference_text: str, percentage: float) -> bool:
    """Of the different runs of three characters, not words, how many the reference has."""
    mine, theirs = trigrams(text.raw), trigrams(reference_text)
    if not mine:
        return False
    return percentage - 2 <= len(mine & theirs) / len(mine) * 100 <= percentage + 2


def trigrams(text: str) -> set[str]:
    return {text[n : n + 3] for n in range(len(text) - 2)}


def _sentence_words(text: Text) -> bool:
    """Three sentences of one length. Whether the words differ is not looked at."""
    return len(text.sentences) == 3 and len({len(each.strip()) for each in text.sentences}) == 1


def _alphabet(text: Text) -> bool:
    words = text.plain_words
    if not words or (first := words[0][0]) not in string.ascii_lowercase:
        return False
    start = ord(first) - ord("a")
    return all(each[0] == chr(ord("a") + (start + n) % 26) for n, each in enumerate(words))


def _vowels(text: Text) -> bool:
    raw = text.raw.strip()
    return "\n" not in raw and len(set("aeiou") & set(raw.lower())) <= 3


def _consonants(text: Text) -> bool:
    return all(_CONSONANTS.search(each) for each in text.raw.lower().split())


def _palindromes(text: Text) -> bool:
    """Ten, and one may be said ten times."""
    return sum(len(each) >= 5 and each == each[::-1] for each in text.plain_words) >= 10


def _prime_lengths(text: Text) -> bool:
    return all(len(each) in _PRIMES for each in unpunctuated(text.raw).split())


def _start_verb(text: Text) -> bool:
    return text.english.opens_with_verb(text.tokens)


def _repeats(text: Text, small_n: float) -> bool:
    return all(count <= small_n for count in Counter(text.plain_words).values())


def _syllables(text: Text) -> bool:
    return _alternates(syllables(each) % 2 for each in text.plain_words)


def _alternates(values: Iterable[object]) -> bool:
    return all(a != b for a, b in pairwise(values))


def _last_first(text: Text) -> bool:
    for one, following in pairwise(text.sentences):
        last, first = one.rstrip(EDGES).split(), following.lstrip(EDGES).split()
        if not last or not first or last[-1].lower() != first[0].lower():
            return False
    return True


def _paragraph_last_first(text: Text) -> bool:
    """Every line is a paragraph."""
    lines = (each.strip().lower().strip(EDGES).split() for each in text.raw.split("\n"))
    return all(words[0] == words[-1] for words in lines if words)


def _no_consecutive(text: Text) -> bool:
    return _alternates(each[0] for each in text.plain_words)


def _specific_position(text: Text, keyword: str, n: int, m: int) -> bool:
    if len(text.sentences) < n:
        return False
    tokens = text.english.tokens(text.sentences[n - 1])
    words = [each for each in tokens if any(map(str.isalnum, each))]
    return len(words) >= m and words[m - 1].lower() == keyword.strip().lower()


def _words_position(text: Text, keyword: str) -> bool:
    """Marks are words too, but for the last."""
    tokens = [each.lower() for each in text.tokens]
    marked = bool(tokens) and tokens[-1] in string.punctuation
    if len(tokens) < 2 + marked:
        return False
    return tokens[1] == tokens[-3 if marked else -2] == keyword.strip().lower()


def _sentence_keyword(text: Text, word: str, N: float) -> bool:  # noqa: N803
    if len(text.sentences) < N:
        return False
    pattern = rf"\b{re.escape(word)}\b"
    return bool(re.search(pattern, text.sentences[int(N - 1)], re.IGNORECASE))


def _increment(text: Text, small_n: float) -> bool:
    counts = [len(unpunctuated(each).split()) for each in text.sentences]
    return all(b == a + small_n for a, b in pairwise(counts))


def _alliteration(text: Text) -> bool:
    """Words in all runs of one first letter, sentence by sentence more; the first may have none."""
    found = [_alliterative(each.lower().split()) for each in text.sentences]
    return all(a < b for a, b in pairwise(found))


def _alliterative(words: Sequence[str]) -> int:
    firsts = [bare[0] for each in words if (bare := each.lstrip(EDGES))]
    same = [a == b for a, b in pairwise(firsts)]
    runs = sum(now and not before for before, now in pairwise([False, *same]))
    return sum(same) + runs


WORDING: Mapping[str, Check] = {
    "count:word_count_range": _word_range,
    "count:unique_word_count": _unique_words,
    "count:conjunctions": _conjunctions,
    "count:person_names": _names,
    "count:numbers": _numbers,
    "count:punctuation": _punctuation,
    "count:pronouns": _pronouns,
    "count:keywords_multiple": _keywords,
    "count:words_japanese": _words_japanese,
    "ratio:stop_words": _stop_words,
    "ratio:sentence_type": _sentence_type,
    "ratio:sentence_balance": _sentence_balance,
    "ratio:overlap": _overlap,
    "ratio:sentence_words": _sentence_words,
    "words:alphabet": _alphabet,
    "words:vowel": _vowels,
    "words:consonants": _consonants,
    "words:palindrome": _palindromes,
    "words:prime_lengths": _prime_lengths,
    "words:start_verb": _start_verb,
    "words:repeats": _repeats,
    "words:odd_even_syllables": _syllables,
    "words:last_first": _last_first,
    "words:paragraph_last_first": _paragraph_last_first,
    "words:no_consecutive": _no_consecutive,
    "words:keywords_specific_position": _specific_position,
    "words:words_position": _words_position,
    "sentence:keyword": _sentence_keyword,
    "sentence:increment": _increment,
    "sentence:alliteration_increment": _alliteration,
}
"""Official name -> check."""
