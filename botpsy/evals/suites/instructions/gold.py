"""Replies that follow their instructions to the letter and say nothing else: the suites' ceiling.

They are put together from what the instructions state, and kept only where the checks agree; for
some sets of instructions nothing is found here, which does not mean that there is nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice, permutations
from typing import Any

from botpsy.evals.case import Case
from botpsy.evals.suites.instructions.english import English
from botpsy.evals.suites.instructions.following import Instruction, followed
from botpsy.evals.suites.instructions.language import words_of
from botpsy.evals.suites.instructions.samples import SAMPLES

Stated = Mapping[str, Any]


def gold(case: Case) -> Sequence[str] | None:
    """A reply that follows all instructions strictly; None where none is found."""
    found = _following(case.data["instructions"], case.data["english"])
    return None if found is None else [found]


def gold_dialogue(case: Case) -> Sequence[str] | None:
    """A reply for each turn; None where one is not found."""
    found = [_following(turn["instructions"], case.data["english"]) for turn in case.data["turns"]]
    return None if None in found else [each for each in found if each is not None]


def _following(instructions: Sequence[Instruction], english: English) -> str | None:
    for text in _candidates(instructions):
        if all(followed(instructions, text.strip(), english)[0]):
            return text.strip()
    return None


def _candidates(instructions: Sequence[Instruction]) -> Iterator[str]:
    parts = [SAMPLES[each.name](**each.stated) for each in instructions if each.name in SAMPLES]
    if not parts:
        yield composed(instructions)
        return
    yield from parts
    for order in permutations(parts):
        yield from (between.join(order) for between in (" ", "\n"))


def composed(instructions: Iterable[Instruction]) -> str:
    """A text for IFEval's instructions, each with its own part of it."""
    asked: dict[str, list[Stated]] = {}
    for instruction in instructions:
        asked.setdefault(instruction.name.split(":")[1], []).append(instruction.stated)
    fill = _fill(asked)
    body = [*_phrases(asked, fill), *_lines(asked, fill)]
    for each in asked.get("number_sentences", []):
        if each["relation"] == "at least":
            body += [f"{next(fill)}!" for _ in range(each["num_sentences"] - 1)]
    least = max((each["num_words"] for each in asked.get("number_words", [])
                 if each["relation"] == "at least"), default=0)  # fmt: skip
    body += islice(fill, max(least, 60 if "response_language" in asked else 2))
    return _wrapped(_framed(" ".join(body), asked, fill), asked)


def _fill(asked: Mapping[str, list[Stated]]) -> Iterator[str]:
    """Words without end, of the language that is asked for and without what must not be there."""
    language = asked.get("response_language", [{"language": "en"}])[0]["language"]
    never = [word for each in asked.get("forbidden_words", []) for word in each["forbidden_words"]]
    never += [each["keyword"] for each in asked.get("frequency", [])]
    letters = [
        each["letter"].lower()
        for each in asked.get("letter_frequency", [])
        if each["let_relation"] == "less than"
    ]
    kept = [
        word
        for word in words_of(language) or words_of("en")
        if not any(letter in word for letter in letters)
        and not any(re.search(each, word, re.IGNORECASE) for each in never)
    ]
    return cycle(kept or ["…"])


def _phrases(asked: Mapping[str, list[Stated]], fill: Iterator[str]) -> Iterator[str]:
    """What stands within lines."""
    yield next(fill)
    if "constrained_response" in asked:
        yield "My answer is yes."
    if "title" in asked:
        yield f"<<{next(fill)}>>"
    for each in asked.get("existence", []):
        yield from each["keywords"]
    for each in asked.get("frequency", []):
        if each["relation"] == "at least":
            yield from [each["keyword"]] * each["frequency"]
    for each in asked.get("letter_frequency", []):
        if each["let_relation"] == "at least":
            yield each["letter"] * each["let_frequency"]
    for each in asked.get("capital_word_frequency", []):
        if each["capital_relation"] == "at least":
            yield from (next(fill).upper() for _ in range(each["capital_frequency"]))
    for each in asked.get("number_placeholders", []):
        yield from (f"[{next(fill)}]" for _ in range(each["num_placeholders"]))
    for each in asked.get("number_highlighted_sections", []):
        yield from (f"{next(fill)} *{next(fill)}*" for _ in range(each["num_highlights"]))


def _lines(asked: Mapping[str, list[Stated]], fill: Iterator[str]) -> Iterator[str]:
    """What has lines of its own."""
    for each in asked.get("multiple_sections", []):
        for n in range(each["num_sections"]):
            yield f"\n{each['section_spliter'].strip()} {n + 1}\n{next(fill)}"
    for each in asked.get("number_bullet_lists", []):
        yield from (f"\n* {next(fill)}" for _ in range(each["num_bullets"]))


def _framed(body: str, asked: Mapping[str, list[Stated]], fill: Iterator[str]) -> str:
    """The body among what comes before, between and after."""
    for each in asked.get("nth_paragraph_first_word", []):
        place = each["nth_paragraph"] - 1
        parts = [next(fill) for _ in range(each["num_paragraphs"])]
        parts[place] = f"{each['first_word']} {body}"
        body = "\n\n".join(parts)
    for each in asked.get("number_paragraphs", []):
        body = "\n***\n".join([body, *islice(fill, each["num_paragraphs"] - 1)])
    if "two_responses" in asked:
        body = f"{body}\n******\n{next(fill)}"
    for each in asked.get("repeat_prompt", []):
        body = f"{each['prompt_to_repeat']}\n{body}"
    for each in asked.get("postscript", []):
        body = f"{body}\n{each['postscript_marker'].strip()} {next(fill)}"
    for each in asked.get("end_checker", []):
        body = f"{body} {each['end_phrase'].strip()}"
    return body


def _wrapped(body: str, asked: Mapping[str, list[Stated]]) -> str:
    if "json_format" in asked:
        body = json.dumps(body, ensure_ascii=False)
    elif "quotation" in asked:
        body = f'"{body}"'
    if "english_lowercase" in asked:
        return body.lower()
    return body.upper() if "english_capital" in asked else body
