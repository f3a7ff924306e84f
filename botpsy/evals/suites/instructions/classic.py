"""The 25 checks of IFEval, and where Multi-IF's differ.

A check takes the reply and what the instruction states, and says whether the reply follows. The
rules are the official ones, oddities included; each oddity is said where it is.

Source of the rules: instructions.py of google-research/instruction_following_eval, and ifeval.py of
facebookresearch/Multi-IF.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

import regex  # type: ignore[import-untyped]

from botpsy.evals.suites.instructions.text import Text

Check = Callable[..., bool]

_BULLET = re.compile(r"^\s*\*[^*].*$", re.MULTILINE)
_DASH = re.compile(r"^\s*-.*$", re.MULTILINE)
_BLANK = re.compile(r"\n\s*\n\s*")
_STARRED = re.compile(r"\*([^\n*]*)\*")
_TWICE_STARRED = re.compile(r"\*\*([^\n*]*)\*\*")
_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_POSTSCRIPTS = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}
_ANSWERS = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_FENCES = ("```json", "```Json", "```JSON", "```")
_ENDS = {"hi": r"[।!?]", "zh-cn": r"[!?。.！？．\n]", "ja": r"[!?。.！？．\n]"}
_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")


def compares(count: int, relation: str, bound: float) -> bool:
    """``less than`` or ``at least``."""
    return count < bound if relation == "less than" else count >= bound


def _existence(text: Text, keywords: Sequence[str]) -> bool:
    """Keywords are patterns, and may stand within words."""
    return all(re.search(each, text.raw, re.IGNORECASE) for each in keywords)


def _frequency(text: Text, keyword: str, frequency: int, relation: str) -> bool:
    found = re.findall(keyword.strip(), text.raw, re.IGNORECASE)
    return compares(len(found), relation, frequency)


def _forbidden(text: Text, forbidden_words: Sequence[str]) -> bool:
    return not any(re.search(rf"\b{each}\b", text.raw, re.IGNORECASE) for each in forbidden_words)


def _letter(text: Text, letter: str, let_frequency: int, let_relation: str) -> bool:
    """The official check draws a letter by chance where the one that is asked for is none (``#``,
    ``!``); here it is the one that is asked for."""
    return compares(text.raw.lower().count(letter.strip().lower()), let_relation, let_frequency)


def _language(text: Text, language: str) -> bool:
    """A text without letters is in any language."""
    return text.language in (language, "")


def _sentences(text: Text, num_sentences: int, relation: str) -> bool:
    return compares(len(text.sentences), relation, num_sentences)


def _paragraphs(text: Text, num_paragraphs: int) -> bool:
    """Between ``***``; the first and the last may be empty."""
    first, *others = _DIVIDER.split(text.raw)
    *inner, last = others or [""]
    if not all(each.strip() for each in inner):
        return False
    return bool(first.strip()) + len(inner) + bool(last.strip()) == num_paragraphs


def _words(text: Text, num_words: int, relation: str) -> bool:
    return compares(len(text.words), relation, num_words)


def _paragraph_word(text: Text, num_paragraphs: int, nth_paragraph: int, first_word: str) -> bool:
    """Empty paragraphs don't count, yet have a place when the n-th is looked up."""
    parts = text.raw.split("\n\n")
    count = sum(bool(each.strip()) for each in parts)
    if count != num_paragraphs or nth_paragraph > count:
        return False
    words = parts[nth_paragraph - 1].split()
    if not words:
        return False
    first = words[0].lstrip("'").lstrip('"').lower()
    return "".join(takewhile(lambda each: each not in ".,?!'\"", first)) == first_word.lower()


def _placeholders(text: Text, num_placeholders: int) -> bool:
    found = 0
    for line in text.raw.split("\n"):
        end = 0
        while (start := line.find("[", end)) >= 0 and (end := line.find("]", start) + 1):
            found += 1
    return found >= num_placeholders


def _postscript(text: Text, postscript_marker: str) -> bool:
    """The marker may stand anywhere."""
    marker = postscript_marker.strip()
    return bool(re.search(_POSTSCRIPTS.get(marker, marker.lower()), text.raw.lower()))


def _bullets(text: Text, num_bullets: int) -> bool:
    """Lines that begin with a star or a dash. A star at the end of its line takes the next one."""
    lines = _BLANK.sub("\n\n", text.raw)  # a run of empty lines is one, so that time is linear
    return len(_BULLET.findall(lines)) + len(_DASH.findall(lines)) == num_bullets


def _one_of(text: Text) -> bool:
    return any(each in text.raw for each in _ANSWERS)


def _highlights(text: Text, num_highlights: int) -> bool:
    """What is in double stars is counted on its own; with spaces between stars, also as empty."""
    found = [*_STARRED.findall(text.raw), *_TWICE_STARRED.findall(text.raw)]
    return sum(bool(each.strip()) for each in found) >= num_highlights


def _sections(text: Text, section_spliter: str, num_sections: int) -> bool:
    parts = re.split(rf"\s?{section_spliter.strip()}\s?\d+\s?", text.raw)
    return len(parts) - 1 >= num_sections


def _json(text: Text) -> bool:
    """Any JSON value, also NaN, with or without a fence around it."""
    inner = text.raw.strip()
    for fence in _FENCES:
        inner = inner.removeprefix(fence)
    try:
        json.loads(inner.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return False
    return True


def _title(text: Text) -> bool:
    for line in text.raw.split("\n"):
        start, end = line.find("<<"), line.rfind(">>")
        if start >= 0 and end >= start + 3 and line[start:end].lstrip("<").rstrip(">").strip():
            return True
    return False


def _two_responses(text: Text) -> bool:
    parts = [each.strip() for each in text.raw.split("******")]
    full = [each for each in parts if each]
    return all(parts[1:-1]) and len(full) == 2 and full[0] != full[1]


def _repeat_prompt(text: Text, prompt_to_repeat: str) -> bool:
    return text.raw.strip().lower().startswith(prompt_to_repeat.strip().lower())


def _end(text: Text, end_phrase: str) -> bool:
    return text.raw.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def _capitals(text: Text, capital_frequency: int, capital_relation: str) -> bool:
    count = sum(each.isupper() for each in text.tokens)
    return compares(count, capital_relation, capital_frequency)


def _upper(text: Text) -> bool:
    return text.raw.isupper() and text.language == "en"


def _lower(text: Text) -> bool:
    return text.raw.islower() and text.language == "en"


def _no_comma(text: Text) -> bool:
    return "," not in text.raw


def _quotation(text: Text, marks: Sequence[str] = ('""',)) -> bool:
    inner = text.raw.strip()
    return len(inner) > 1 and inner[0] + inner[-1] in marks


CLASSIC: Mapping[str, Check] = {
    "keywords:existence": _existence,
    "keywords:frequency": _frequency,
    "keywords:forbidden_words": _forbidden,
    "keywords:letter_frequency": _letter,
    "language:response_language": _language,
    "length_constraints:number_sentences": _sentences,
    "length_constraints:number_paragraphs": _paragraphs,
    "length_constraints:number_words": _words,
    "length_constraints:nth_paragraph_first_word": _paragraph_word,
    "detectable_content:number_placeholders": _placeholders,
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": _bullets,
    "detectable_format:constrained_response": _one_of,
    "detectable_format:number_highlighted_sections": _highlights,
    "detectable_format:multiple_sections": _sections,
    "detectable_format:json_format": _json,
    "detectable_format:title": _title,
    "combination:two_responses": _two_responses,
    "combination:repeat_prompt": _repeat_prompt,
    "startend:end_checker": _end,
    "startend:quotation": _quotation,
    "change_case:capital_word_frequency": _capitals,
    "change_case:english_capital": _upper,
    "change_case:english_lowercase": _lower,
    "punctuation:no_comma": _no_comma,
}
"""Official name -> check."""


def _words_of_any(text: Text, num_words: int, relation: str) -> bool:
    """In Chinese and Japanese every character is a word."""
    if text.language not in ("zh-cn", "ja"):
        return _words(text, num_words, relation)
    apart = _ASIAN.sub(" x ", text.raw)
    return compares(len(regex.findall(r"[\p{L}\p{N}\p{M}]+", apart)), relation, num_words)


def _sentences_of_any(text: Text, num_sentences: int, relation: str) -> bool:
    ends = _ENDS.get(text.language)
    if not ends:
        return _sentences(text, num_sentences, relation)
    found = sum(bool(each.strip()) for each in re.split(ends, text.raw))
    return compares(found, relation, num_sentences)


def _quotation_of_any(text: Text) -> bool:
    return _quotation(text, ('""', "“”", "「」"))


MULTI: Mapping[str, Check] = {
    **CLASSIC,
    "length_constraints:number_words": _words_of_any,
    "length_constraints:number_sentences": _sentences_of_any,
    "startend:quotation": _quotation_of_any,
}
"""Multi-IF's: other scripts have their own words, sentences and quotation marks."""
