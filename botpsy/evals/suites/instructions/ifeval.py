"""IFEval: 541 prompts with one to three of 25 instructions that a program can check."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from botpsy.chat.types import Message
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Data, Leaf, Suite, Talk, Verdict, said
from botpsy.evals.data import open_data
from botpsy.evals.suites.instructions.classic import CLASSIC, Check
from botpsy.evals.suites.instructions.english import PUNKT, English, load_english
from botpsy.evals.suites.instructions.following import (
    LEVELS,
    by_name,
    followed,
    group_of,
    instructions_of,
    leaves,
    measured,
    missed,
)
from botpsy.evals.suites.instructions.gold import gold

DATA = Data(
    "ifeval/input_data.jsonl",
    "instruction_following_eval/data of https://github.com/google-research/google-research",
    "Apache-2.0",
)
GROUPS = tuple(dict.fromkeys(map(group_of, sorted(CLASSIC))))


def cases_in(path: Path, checks: Mapping[str, Check], english: English) -> Iterator[Case]:
    """The prompts of a file in IFEval's form; a case's category is its first instruction's group.

    Raises:
        ConfigError: a line is not of that form.
    """
    with path.open(encoding="utf-8") as file:
        for n, line in enumerate(file, 1):
            where = f"{path}, line {n}"
            try:
                row: dict[str, Any] = json.loads(line)
                names, stated = row["instruction_id_list"], row["kwargs"]
                key, prompt = str(row["key"]), str(row["prompt"])
                asked = instructions_of(names, stated, checks, where)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ConfigError(f"{where} is no prompt: {error}.", "Get the data anew.") from None
            data = {"prompt": prompt, "instructions": asked, "english": english}
            yield Case(key, group_of(names[0]), data)


def judge(case: Case, talk: Talk, *, named: str) -> Verdict:
    """Ask once. ``named``: by which level, strict or loose, single instructions are counted."""
    reply = said(talk.ask([Message("user", case.data["prompt"])]))
    asked = case.data["instructions"]
    strict, loose = followed(asked, reply, case.data["english"])
    held = loose if named == "loose" else strict
    return Verdict(measured(strict, loose) | by_name(asked, held), missed(asked, held))


def cases(folder: Path) -> Iterator[Case]:
    """All prompts, in the order of the file."""
    return cases_in(open_data(folder, DATA), CLASSIC, load_english(folder))


SUITE = Suite(
    name="ifeval",
    title="IFEval",
    about="541 prompts with 834 instructions of 25 kinds, each checked by rule: how long, how"
    " often, in what form. What the reply says is not judged. Loose: any of eight variants of the"
    " reply (without first line, last line, stars) will do.",
    cases=cases,
    play=partial(judge, named="strict"),
    gold=gold,
    scores=(
        *(Leaf(level, GROUPS, level) for level in LEVELS),
        *leaves(CLASSIC, GROUPS),
    ),
    data=(DATA, PUNKT),
    success="prompt strict",
)
