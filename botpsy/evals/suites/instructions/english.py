"""English as the official checks see it: sentences, tokens, and whether the first word is a verb.

The checks are stated in the terms of three published methods, which NLTK carries out for them. They
are carried out here on NLTK's own data, so that no verdict depends on what is installed:

- Punkt finds sentences (Kiss and Strunk, "Unsupervised Multilingual Sentence Boundary Detection",
  2006, section 4), with the rules of NLTK 3.10 on what may end a sentence and what closes it.
- The Penn Treebank's tokenization, with the quotation marks that NLTK adds.
- The averaged perceptron tagger (Collins 2002; features by Honnibal), of which only the first
  word's tag is asked.
"""

from __future__ import annotations

import json
import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from botpsy.evals.case import Data
from botpsy.evals.data import open_data

_NLTK = "nltk_data of the NLTK project (https://github.com/nltk/nltk_data), unpacked"
PUNKT = Data("nltk_data/tokenizers/punkt_tab/english", _NLTK, "MIT")
STOPWORDS = Data("nltk_data/corpora/stopwords/english", _NLTK, "none stated")
TAGGER = Data("nltk_data/taggers/averaged_perceptron_tagger_eng", _NLTK, "none stated")

# Where a word has been seen, as the file's bits have it: first in a sentence or within one, with a
# capital or without.
_INNER_CAPITAL, _CAPITAL = 1 << 2, 0b1110
_FIRST_SMALL, _SMALL = 1 << 4, 0b1110000

_CLOSER = r"""[)\";}\]*:@'({\[‘’“”«»?!]"""
_MANY = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_END = re.compile(rf"[.?!](?=(?P<after>{_CLOSER}|\s+(?P<next>\S+)))")
_WORD = re.compile(
    rf"{_MANY}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_CLOSER}|{_MANY}|,(?=$|\s|{_CLOSER}|{_MANY}))|\S"
)
_CLOSING = re.compile(r"""["')\]}‘’“”«»]+?(?:\s+|(?=--)|$)""", re.MULTILINE)
_NUMBER = re.compile(r"^-?[.,]?\d[\d,.\-]*\.?$")
_INITIAL = re.compile(r"[^\W\d]\.$")
_NUMERIC = "##number##"


@dataclass(frozen=True)
class English:
    """What is known of English; ``stopwords`` and the tagger only where a suite needs them.

    Attributes:
        abbreviations: small letters, without their last full stop.
        collocations: pairs that a full stop in between does not part.
        starters: words that often begin a sentence.
        seen: word -> bits, where it has been seen.
        stopwords: small letters.
        tagger: the folder of the tagger's files.
    """

    abbreviations: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    starters: frozenset[str]
    seen: Mapping[str, int]
    stopwords: frozenset[str] = field(default_factory=frozenset)
    tagger: Path | None = None

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, in order, without what is between them."""
        found = []
        skipped = 0
        spans = list(self._spans(text))
        for (start, end), following in zip(spans, [*spans[1:], None], strict=True):
            begin, skipped = start + skipped, 0
            if following and (closing := _CLOSING.match(text[slice(*following)])):
                # A quotation mark or bracket after the full stop belongs to what it closes.
                end = following[0] + len(closing[0].rstrip())  # noqa: PLW2901
                skipped = closing.end()
                found.append(text[begin:end])
            elif begin < end:
                found.append(text[begin:end])
        return found

    def tokens(self, text: str) -> list[str]:
        """Words and marks, sentence by sentence."""
        return [token for each in self.sentences(text) for token in self.tokens_of(each)]

    def tokens_of(self, sentence: str) -> list[str]:
        """Words and marks of one sentence."""
        text = sentence
        for pattern, parted in (*_OPENING, *_MARKS):
            text = pattern.sub(parted, text)
        text = f" {text} "
        for pattern, parted in _ENDING:
            text = pattern.sub(parted, text)
        return text.split()

    def opens_with_verb(self, tokens: list[str]) -> bool:
        """Whether the tagger takes the first token for a verb, in whatever form."""
        return bool(tokens) and "VB" in self._tags.first(tokens)

    @cached_property
    def _tags(self) -> _Tagger:
        assert self.tagger, "the suite has to ask for the tagger"
        return _Tagger(self.tagger)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        begin = 0
        for match, context in _candidates(text):
            if self._ends_in(context):
                yield begin, match.end()
                begin = match.start("next") if match["next"] else match.end()
        yield begin, len(text.rstrip())

    def _ends_in(self, context: str) -> bool:
        """Whether a sentence ends at one of the words, the last aside."""
        words = [
            word for line in context.split("\n") if line.strip() for word in _WORD.findall(line)
        ]
        return any(self._ends(word, following) for word, following in pairwise(words))

    def _ends(self, word: str, following: str) -> bool:
        """Whether a sentence ends with this word."""
        kind, following_kind = _kind(word), _kind(following)
        if self._plain_end(following) and len(following_kind) > 1:
            following_kind = following_kind.removesuffix(".")
        if len(kind) > 1:
            kind = kind.removesuffix(".")
        ends = self._plain_end(word)
        if not word.endswith("."):
            return ends
        if (kind, following_kind) in self.collocations:
            return False
        initial = bool(_INITIAL.match(word))
        capital = following[0].isupper()
        starts = self._starts(following, following_kind)
        if not ends and not initial:
            # An abbreviation or dots, which may also end a sentence.
            return starts is True or (capital and following_kind in self.starters)
        if initial or kind == _NUMERIC:
            never_small = not self.seen.get(following_kind, 0) & _SMALL
            if starts is False or (starts is None and initial and capital and never_small):
                return False
        return ends

    def _plain_end(self, word: str) -> bool:
        """Whether a sentence ends with this word as far as itself goes."""
        if word in (".", "?", "!"):
            return True
        if not word.endswith(".") or word.endswith(".."):
            return False
        known = word[:-1].lower()
        return not {known, known.split("-")[-1]} & self.abbreviations

    def _starts(self, word: str, kind: str) -> bool | None:
        """Whether a word begins a sentence, by its case and where it has been seen; None where
        that does not tell."""
        if word in tuple(";:,.!?"):
            return False
        seen = self.seen.get(kind, 0)
        if word[0].isupper() and seen & _SMALL and not seen & _INNER_CAPITAL:
            return True
        if word[0].islower() and (seen & _CAPITAL or not seen & _FIRST_SMALL):
            return False
        return None


def load_english(folder: Path, *, whole: bool = False) -> English:
    """English from NLTK's data below the folder of ``--data``; ``whole`` with stopwords and tagger.

    Raises:
        ConfigError: a file is not there.
    """
    punkt = open_data(folder, PUNKT)

    def lines(name: str) -> list[list[str]]:
        read = (punkt / name).read_text("utf-8")
        return [line.split("\t") for line in read.split("\n") if line]

    return English(
        abbreviations=frozenset(word for (word,) in lines("abbrev_types.txt")),
        collocations=frozenset((one, other) for one, other in lines("collocations.tab")),
        starters=frozenset(word for (word,) in lines("sent_starters.txt")),
        seen={word: int(bits) for word, bits in lines("ortho_context.tab")},
        stopwords=frozenset(open_data(folder, STOPWORDS).read_text("utf-8").split())
        if whole
        else frozenset(),
        tagger=open_data(folder, TAGGER) if whole else None,
    )


def _candidates(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """What may end a sentence, with the word before it and what comes after. Of marks in one word
    the last counts."""
    kept: tuple[int, re.Match[str]] | None = None
    for match in _END.finditer(text):
        begin, last = (kept[0], kept[1].start()) if kept else (0, 0)
        space = max(text.rfind(each, last, match.start()) for each in string.whitespace)
        start = space + 1 if space > last else begin
        if kept and last <= start:
            yield kept[1], text[begin : kept[1].end()] + kept[1]["after"]
        kept = start, match
    if kept:
        yield kept[1], text[kept[0] : kept[1].end()] + kept[1]["after"]


def _kind(word: str) -> str:
    return _NUMBER.sub(_NUMERIC, word.lower())


_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_OPENING: tuple[_Rule, ...] = (
    (re.compile(r"([«“‘„]|`+)"), r" \1 "),
    (re.compile(r'^"|``'), " `` "),
    (re.compile(r"([ (\[{<])(\"|'')"), r"\1 `` "),
    (re.compile(r"(?i)(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)"), "' "),
)
_MARKS: tuple[_Rule, ...] = (
    (re.compile(r"""([^.])(\.)([\])}>"'»”’ ]*+)\s*$"""), r"\1 \2 \3 "),
    (re.compile(r"([:,])([^\d])"), r" \1 \2"),
    (re.compile(r"([:,])$"), r" \1 "),
    (re.compile(r"\.{2,}|[;@#$%&\u2012-\u2015]"), r" \g<0> "),
    (re.compile(r"""([^.])(\.)([\])}>"']*)\s*$"""), r"\1 \2\3 "),
    (re.compile(r"[?!]"), r" \g<0> "),
    (re.compile(r"([^'])' "), r"\1 ' "),
    (re.compile(r"[*\]\[(){}<>]|--"), r" \g<0> "),
)
_ENDING: tuple[_Rule, ...] = (
    (re.compile(r"[»”’]"), r" \g<0> "),
    (re.compile(r"''|\""), " '' "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"([^' ])('[sSmMdD]|') "), r"\1 \2 "),
    (re.compile(r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) "), r"\1 \2 "),
    (
        re.compile(r"(?i)\b(?:(can)(not)|(d)('ye)|(gim|lem)(me)|(gon)(na)|(got)(ta)|(more)('n))\b"),
        lambda match: f" {' '.join(filter(None, match.groups()))} ",
    ),
    (re.compile(r"(?i)\b(wan)(na)(?=\s)"), r" \1 \2 "),
    (re.compile(r"(?i) ('t)(is|was)\b"), r" \1 \2 "),
)


class _Tagger:
    """The tags of first words."""

    def __init__(self, folder: Path) -> None:
        def read(what: str) -> object:
            name = f"averaged_perceptron_tagger_eng.{what}.json"
            return json.loads((folder / name).read_text("utf-8"))

        self._weights: dict[str, dict[str, float]] = read("weights")  # type: ignore[assignment]
        self._known: dict[str, str] = read("tagdict")  # type: ignore[assignment]
        self._tags: list[str] = read("classes")  # type: ignore[assignment]

    def first(self, tokens: list[str]) -> str:
        """The first token's tag, as the two that follow it suggest."""
        word = tokens[0]
        if known := self._known.get(word):
            return known
        one, two, three = [*map(_shape, tokens[:3]), "-END-", "-END2-"][:3]
        features = (
            "bias",
            f"i suffix {word[-3:]}",
            f"i pref1 {word[0]}",
            "i-1 tag -START-",
            "i-2 tag -START2-",
            "i tag+i-2 tag -START- -START2-",
            f"i word {one}",
            f"i-1 tag+i word -START- {one}",
            "i-1 word -START2-",
            "i-1 suffix T2-",
            "i-2 word -START-",
            f"i+1 word {two}",
            f"i+1 suffix {two[-3:]}",
            f"i+2 word {three}",
        )
        scores: defaultdict[str, float] = defaultdict(float)
        for name in features:
            for tag, weight in self._weights.get(name, {}).items():
                scores[tag] += weight
        return max(self._tags, key=lambda tag: (scores[tag], tag))


def _shape(word: str) -> str:
    """A word as the tagger knows it."""
    if "-" in word[1:] and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    return "!DIGITS" if word[0].isdigit() else word.lower()
