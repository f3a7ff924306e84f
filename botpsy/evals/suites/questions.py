"""Multiple choice with reasoning: MMLU-Pro and GPQA Diamond.

One message with question and options; the answer is read by MMLU-Pro's own rule, out of what is
said after the reasoning. Without examples (0-shot). What has no answer in it is wrong: the official
script draws a letter then, which gives a model that says nothing a tenth.

Source of the rule: compute_accuracy.py of the MMLU-Pro repository (level 2).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from botpsy.chat.types import Message
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Data, Leaf, Suite, Talk, Verdict, passed, said
from botpsy.evals.data import open_data

LETTERS = "ABCDEFGHIJ"
FIELDS = (
    "biology", "business", "chemistry", "computer science", "economics", "engineering", "health",
    "history", "law", "math", "other", "philosophy", "physics", "psychology",
)  # fmt: skip
DOMAINS = ("Biology", "Chemistry", "Physics")
MMLU_PRO = Data(
    "mmlu_pro/test.jsonl",
    "TIGER-AI-Lab/MMLU-Pro (its test split as JSON lines: question_id, question, options, answer,"
    " category)",
    "MIT",
)
GPQA = Data(
    "gpqa/gpqa_diamond.csv",
    "the authors of GPQA (Idavidrein/gpqa; they ask not to publish the questions)",
    "CC-BY-4.0",
)

_IS = re.compile(r"answer is \(?([A-J])\)?")
_COLON = re.compile(r"[aA]nswer:\s*(?=([A-J]))")
"""The letter is not taken, for it may begin the next one: "answer:Answer: H" has two."""
_ALONE = re.compile(r"\b[A-J]\b")


def answer_in(text: str) -> str:
    """The letter that a text settles on; nothing if there is none.

    The stated one; else the last that stands alone, be it the "I" of "I can't say".
    """
    if found := stated_in(text):
        return found
    alone = _ALONE.findall(text)
    return alone[-1] if alone else ""


def stated_in(text: str) -> str:
    """The letter that a text states to be its answer; nothing if it states none.

    The first ``answer is (X)``; else, in the first line that has one, the last ``answer: X``.
    """
    if found := _IS.search(text):
        return found[1]
    if found := _COLON.search(text):
        end = text.find("\n", found.start())
        line = end if end >= 0 else len(text)
        last = found[1]
        for each in _COLON.finditer(text, found.end()):
            if each.start() >= line:
                break
            last = each[1]
        return last
    return ""


def play(case: Case, talk: Talk) -> Verdict:
    """Ask once, and read the letter. ``stated``: it is right, and said to be the answer;
    ``readable``: there is one."""
    options = "\n".join(
        f"{letter}. {option}" for letter, option in zip(LETTERS, case.data["options"], strict=False)
    )
    asked = (
        f"Here is a multiple choice question about {case.data['about']}. Reason step by step, then"
        ' end with "the answer is (X)", where X is the letter of the right option.\n\n'
        f"Question: {case.data['question']}\n\n{options}"
    )
    text, right = said(talk.ask([Message("user", asked)])), case.data["answer"]
    answer = answer_in(text)
    note = f"{answer or 'nothing'} was given, {right} is right"
    return passed(answer == right, note, stated=stated_in(text) == right, readable=bool(answer))


def gold(case: Case) -> Sequence[str]:
    """The right letter."""
    return [f"the answer is ({case.data['answer']})"]


def mmlu_pro_cases(folder: Path) -> Iterator[Case]:
    """All questions, by their numbers."""
    path = open_data(folder, MMLU_PRO)
    with path.open(encoding="utf-8") as file:
        for line in file:
            each = json.loads(line)
            data = {key: each[key] for key in ("question", "options", "answer")}
            yield Case(
                str(each["question_id"]), each["category"], data | {"about": each["category"]}
            )


def gpqa_cases(folder: Path) -> Iterator[Case]:
    """All questions; the order of the options is drawn from each question's own id.

    Raises:
        ConfigError: the file has no such columns.
    """
    path = open_data(folder, GPQA)
    with path.open(encoding="utf-8", newline="") as file:
        for n, row in enumerate(csv.DictReader(file)):
            try:
                right = row["Correct Answer"].strip()
                wrong = [row[f"Incorrect Answer {k}"].strip() for k in (1, 2, 3)]
                domain, question = row["High-level domain"], row["Question"].strip()
            except (KeyError, AttributeError):
                raise ConfigError(
                    f"{path} is not GPQA's table: it needs the columns Question, Correct Answer,"
                    " Incorrect Answer 1 to 3 and High-level domain.",
                    f"Get it from {GPQA.source}.",
                ) from None
            name = row.get("Record ID") or str(n)
            options = [right, *wrong]
            Random(name).shuffle(options)  # noqa: S311 - chance, not secrets
            data = {"question": question, "options": options, "about": domain.lower(),
                    "answer": LETTERS[options.index(right)]}  # fmt: skip
            yield Case(name, domain, data)


SUITES = (
    Suite(
        name="mmlu_pro",
        title="MMLU-Pro, 0-shot with reasoning",
        about="12,032 questions of fourteen subjects with up to ten options.",
        cases=mmlu_pro_cases,
        play=play,
        gold=gold,
        scores=(
            Leaf("accuracy", FIELDS),
            *map(Leaf, FIELDS),
            Leaf("right answers that were stated", FIELDS, "stated"),
            Leaf("answers that can be read", FIELDS, "readable"),
        ),
        data=(MMLU_PRO,),
        partial="the five examples before each question; unreadable answers are wrong, not drawn",
    ),
    Suite(
        name="gpqa",
        title="GPQA Diamond, 0-shot with reasoning",
        about="198 questions that experts of biology, chemistry and physics wrote.",
        cases=gpqa_cases,
        play=play,
        gold=gold,
        scores=(
            Leaf("accuracy", DOMAINS),
            *map(Leaf, DOMAINS),
            Leaf("right answers that were stated", DOMAINS, "stated"),
            Leaf("answers that can be read", DOMAINS, "readable"),
        ),
        data=(GPQA,),
    ),
)
