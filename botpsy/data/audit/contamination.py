"""Do rows repeat what a benchmark says? (Tools: ``botpsy.data.audit.tools``.)

What users and systems say in a row is compared with every text of every benchmark by runs
of words. A row is contaminated if it shares a run of 13 words with one, or if runs of 8 that it
shares cover half of a turn and five of its longer words. A run counts only if it says something
(``TELLING``), and not if it is common property: three benchmarks that have it did not get it from
each other. A brief request that a benchmark has word for word is noted; people do say the same.

Sources: T. Brown et al., "Language models are few-shot learners" (2020), appendix C: 13-grams; H.
Touvron et al., "Llama 2" (2023), appendix A.6: coverage of a text by shared runs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from botpsy.data.audit import benchmarks
from botpsy.data.audit.facts import Facts, Tool
from botpsy.data.audit.tools import ToolMeeting, tool_meetings
from botpsy.data.audit.words import Hashes, grams, hashes, words

LONG = 13
"""Words in a run that no two writers hit upon by chance (Brown et al.)."""
SHORT = 8
"""Words in a run that two writers seldom hit upon by chance; whole requests are often no longer."""
COVERED = 0.5
"""Share of a turn's words in shared short runs from which it is that text: one shared phrase in a
longer request stays below, a request with a name or number changed does not."""
COVERED_WORDS = 5
"""Distinct words of four letters or more that shared short runs must cover. Phrases that open
thousands of everyday requests have four of them at most ("what will the weather be like"); by runs
of 8 alone, two in a hundred rows of a public corpus of bookings counted."""
BRIEF = 4
"""Words from which a turn of less than ``SHORT`` is looked up as a whole."""
TELLING = 5
"""Distinct words of two letters or more that a run must have: "1 2 3 4 5 6 7 8", an alphabet or
"la la la" are in every corpus."""
COMMON = 3
"""Benchmarks (folders) that have a run from which it is common property."""
BRIEFLY = "all of a brief turn"
MAX_ROWS = 0
MAX_TOOLS = 0
"""Contaminated rows and tools that an audit lets pass: none, since a builder can leave them out."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A row that says what a benchmark says: where, and the words they share."""

    row: str
    source: str
    file: str
    why: str
    shared: str


@dataclass
class Contamination:
    """What rows and benchmarks share; ``noted`` is what does not count.

    Attributes:
        files, skipped: benchmark files that were read, and that could not be.
        phrases: rows with a shared run that is too little to count, by source.
    """

    files: int = 0
    skipped: list[str] = field(default_factory=list)
    rows: list[Meeting] = field(default_factory=list)
    noted: list[Meeting] = field(default_factory=list)
    phrases: dict[str, int] = field(default_factory=dict)
    tools: list[ToolMeeting] = field(default_factory=list)
    noted_tools: list[ToolMeeting] = field(default_factory=list)


def contamination(
    facts: Sequence[Facts],
    tools: Mapping[bytes, Tool],
    folder: Path,
    progress: Callable[[int, int], None],
) -> Contamination:
    """Hold all rows against all files of a folder; its sub-folders are the benchmarks.

    Raises:
        ConfigError: no benchmark is there.
    """
    readable, others = benchmarks.files_of(folder)
    found = Contamination(len(readable), [str(path.relative_to(folder)) for path in others])
    turns = _Turns(facts)
    theirs: dict[Tool, str] = {}
    for done, path in enumerate(readable, 1):
        said = benchmarks.read(path)
        name = path.relative_to(folder).as_posix()
        turns.meet(list(said.texts), name)
        for tool in said.tools:
            theirs.setdefault(tool, name)
        progress(done, len(readable))
    for counts, meeting in turns.meetings():
        (found.rows if counts else found.noted).append(meeting)
    found.phrases = dict(+turns.phrases)
    for counts, met in tool_meetings(facts, tools, theirs):
        (found.tools if counts else found.noted_tools).append(met)
    return found


class _Runs:
    """All runs of ``n`` words in the turns, and the files that have them."""

    def __init__(self, turns: Sequence[Hashes], n: int) -> None:
        self.n = n
        made = [grams(turn, n) for turn in turns]
        self.known: Hashes = np.unique(np.concatenate(made)) if made else grams(hashes([]), n)
        self.files: defaultdict[int, list[str]] = defaultdict(list)

    def meet(self, numbers: Hashes, text_of: NDArray[np.int64], file: str) -> None:
        found = grams(numbers, self.n)
        if not len(found) or not len(self.known):
            return
        at = np.minimum(np.searchsorted(self.known, found), len(self.known) - 1)
        one_text = text_of[: len(found)] == text_of[self.n - 1 :]
        for run in np.unique(found[(self.known[at] == found) & one_text]).tolist():
            self.files[run].append(file)

    def shared(self, turn: Hashes, said: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        """Where in a turn telling runs begin that benchmarks have, and in which files."""
        for at, run in enumerate(grams(turn, self.n).tolist()):
            files = self.files.get(run)
            if files and _telling(said[at : at + self.n]) and not _common(files):
                yield at, files


class _Turns:
    """What users and systems say in all rows, each text once."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        self._facts = facts
        texts = {text: None for row in facts for text in row.texts}
        self._numbers = {text: hashes(words(text)) for text in texts}
        every = list(self._numbers.values())
        self._long, self._short = _Runs(every, LONG), _Runs(every, SHORT)
        self._brief: dict[tuple[int, ...], list[str]] = {
            tuple(turn.tolist()): [] for turn in every if BRIEF <= len(turn) < SHORT
        }
        self.phrases = Counter[str]()

    def meet(self, texts: Sequence[str], file: str) -> None:
        """Take note of what a benchmark's file shares with the turns."""
        numbers = [hashes(words(text)) for text in texts]
        for each in numbers:
            if BRIEF <= len(each) < SHORT and (key := tuple(each.tolist())) in self._brief:
                self._brief[key].append(file)
        if not numbers:
            return
        text_of = np.repeat(np.arange(len(numbers)), [len(each) for each in numbers])
        together = np.concatenate(numbers)
        self._long.meet(together, text_of, file)
        self._short.meet(together, text_of, file)

    def meetings(self) -> Iterator[tuple[bool, Meeting]]:
        """Rows that meet a benchmark, and whether that counts."""
        judged = {text: self._judge(text) for text in self._numbers}
        for row in self._facts:
            met = [judged[text] for text in row.texts if judged[text][0]]
            if not met:
                continue
            # What counts comes first, then what is noted.
            file, why, shared = max(met, key=lambda each: (each[1] not in ("", BRIEFLY), each[1]))
            if why:
                yield why != BRIEFLY, Meeting(row.id, row.source, file, why, shared)
            else:
                self.phrases[row.source] += 1

    def _judge(self, text: str) -> tuple[str, str, str]:
        """The file that a text meets, why that counts ("" if it does not), and what is shared."""
        turn, said = self._numbers[text], words(text)
        if files := self._brief.get(tuple(turn.tolist())):
            return _most(files), BRIEFLY, " ".join(said)
        for at, files in self._long.shared(turn, said):
            return _most(files), f"{LONG} words", " ".join(said[at : at + LONG])
        covered = np.zeros(len(turn), dtype=bool)
        met: list[str] = []
        for at, files in self._short.shared(turn, said):
            covered[at : at + SHORT] = True
            met += files
        if not met:
            return "", "", ""
        share = float(covered.mean())
        both = [word for word, told in zip(said, covered, strict=True) if told]
        counts = share >= COVERED and len({w for w in both if len(w) >= 4}) >= COVERED_WORDS
        why = f"{share:.0%} of a turn" if counts else BRIEFLY if covered.all() else ""
        return _most(met), why, " ".join(both)


def _most(files: Sequence[str]) -> str:
    return Counter(files).most_common(1)[0][0]


def _telling(run: Sequence[str]) -> bool:
    return len({word for word in run if len(word) > 1 and word.isalpha()}) >= TELLING


def _common(files: Sequence[str]) -> bool:
    # Files beside the folders are one benchmark.
    return len({file.rpartition("/")[0].partition("/")[0] for file in files}) >= COMMON
