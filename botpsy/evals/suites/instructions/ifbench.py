"""IFBench: 300 prompts with one or two of 58 instructions that IFEval does not have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from botpsy.evals.case import Case, Data, Leaf, Suite
from botpsy.evals.data import open_data
from botpsy.evals.suites.instructions.english import PUNKT, STOPWORDS, TAGGER, load_english
from botpsy.evals.suites.instructions.following import LEVELS, group_of, leaves
from botpsy.evals.suites.instructions.gold import gold
from botpsy.evals.suites.instructions.ifeval import cases_in, judge
from botpsy.evals.suites.instructions.shaping import SHAPING
from botpsy.evals.suites.instructions.wording import WORDING

DATA = Data(
    "ifbench/IFBench_test.jsonl", "data of https://github.com/allenai/IFBench", "ODC-BY-1.0"
)
CHECKS = {**WORDING, **SHAPING}
GROUPS = tuple(dict.fromkeys(map(group_of, sorted(CHECKS))))


def cases(folder: Path) -> Iterator[Case]:
    """All prompts, in the order of the file."""
    return cases_in(open_data(folder, DATA), CHECKS, load_english(folder, whole=True))


SUITE = Suite(
    name="ifbench",
    title="IFBench, 300 prompts",
    about="300 prompts with 344 instructions of 58 kinds that models were not trained for (an older"
    " edition has 294 and 57). The paper's number is loose by prompt, at temperature 0.",
    cases=cases,
    play=partial(judge, named="loose"),
    gold=gold,
    scores=(
        *(Leaf(level, GROUPS, level) for level in (LEVELS[2], LEVELS[3], LEVELS[0], LEVELS[1])),
        *leaves(CHECKS, GROUPS),
    ),
    data=(DATA, PUNKT, STOPWORDS, TAGGER),
    success="prompt loose",
)
