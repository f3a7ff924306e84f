"""A reply as the checks see it: its words, tokens, sentences and language, each found once."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from functools import cached_property

from botpsy.evals.suites.instructions.english import English
from botpsy.evals.suites.instructions.language import language_of

EDGES = string.punctuation + " "
_UNPUNCTUATED = str.maketrans("", "", string.punctuation)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Text:
    """One reply, or a variant of it."""

    raw: str
    english: English

    @cached_property
    def words(self) -> list[str]:
        """Runs of letters, digits and underscores."""
        return _WORD.findall(self.raw)

    @cached_property
    def plain_words(self) -> list[str]:
        """What is between spaces, in small letters and without ASCII punctuation."""
        return unpunctuated(self.raw.lower()).split()

    @cached_property
    def tokens(self) -> list[str]:
        """Words and marks as the Penn Treebank parts them."""
        return [token for each in self.sentences for token in self.english.tokens_of(each)]

    @cached_property
    def sentences(self) -> list[str]:
        """Sentences as Punkt finds them."""
        return self.english.sentences(self.raw)

    @cached_property
    def language(self) -> str:
        """See ``language_of``."""
        return language_of(self.raw)


def unpunctuated(text: str) -> str:
    """A text without ASCII punctuation."""
    return text.translate(_UNPUNCTUATED)
