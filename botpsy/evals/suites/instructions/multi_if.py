"""Multi-IF: dialogues of three turns, each of which adds instructions to those before."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from botpsy.chat.types import Message
from botpsy.errors import ConfigError
from botpsy.evals.case import Case, Data, Leaf, Mean, Measured, Suite, Talk, Verdict, said
from botpsy.evals.data import open_data
from botpsy.evals.suites.instructions.classic import MULTI
from botpsy.evals.suites.instructions.english import PUNKT, English, load_english
from botpsy.evals.suites.instructions.following import (
    LEVELS,
    followed,
    instructions_of,
    measured,
    missed,
)
from botpsy.evals.suites.instructions.gold import gold_dialogue

ENGLISH = Data(
    "multi_if/multiIF_20241018_english.csv",
    "data of https://github.com/LumiOpen/Multi-IF (the English rows of facebook/Multi-IF)",
    "none stated there; facebook/Multi-IF's own card has it",
)
ALL = Data(
    "multi_if/multiIF_20241018.csv",
    "the data set facebook/Multi-IF",
    "see its card",
)
LANGUAGES = (
    "Chinese", "English", "French", "Hindi", "Italian", "Portuguese", "Russian", "Spanish",
)  # fmt: skip
TURNS = (1, 2, 3)
_NONE = ("", "None")


def play(case: Case, talk: Talk) -> Verdict:
    """All turns, with the model's own replies in between; each is judged by all that was asked for
    up to it. ``passed``: every instruction of every turn is followed strictly."""
    messages: list[Message] = []
    measures: dict[str, Measured] = {}
    notes = []
    whole = True
    for turn in case.data["turns"]:
        messages.append(Message("user", turn["prompt"]))
        reply = said(talk.ask(messages))
        messages.append(Message("assistant", reply))
        strict, loose = followed(turn["instructions"], reply, case.data["english"])
        measures |= measured(strict, loose, f"turn {turn['number']} ")
        whole &= all(strict)
        if note := missed(turn["instructions"], strict):
            notes.append(f"turn {turn['number']} {note}")
    return Verdict(measures | {"passed": (float(whole), 1.0)}, "; ".join(notes))


def cases_in(path: Path, english: English, languages: tuple[str, ...]) -> Iterator[Case]:
    """All dialogues; those made of one prompt are one group.

    Raises:
        ConfigError: a row is not of that form, or of another language.
    """
    with path.open(encoding="utf-8", newline="") as file:
        for n, row in enumerate(csv.DictReader(file), 2):
            where = f"{path}, row {n}"
            try:
                key, language = row["key"], row["language"]
                turns = [
                    _turn(row, turn, where)
                    for turn in TURNS
                    if row[f"turn_{turn}_prompt"] not in _NONE
                ]
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ConfigError(
                    f"{where} is no dialogue: {error}.", "Get the data anew."
                ) from None
            if language not in languages:
                raise ConfigError(f"{where}: {language} is not expected.", "Get the data anew.")
            data = {"turns": turns, "english": english}
            yield Case(f"{language}/{key}", language, data, group=key.split(":")[0])


def _turn(row: Mapping[str, str], turn: int, where: str) -> Mapping[str, object]:
    names = json.loads(row[f"turn_{turn}_instruction_id_list"])
    stated = [json.loads(each) for each in json.loads(row[f"turn_{turn}_kwargs"])]
    prompt = json.loads(row[f"turn_{turn}_prompt"])["content"]
    instructions = instructions_of(names, stated, MULTI, where)
    return {"number": turn, "prompt": prompt, "instructions": instructions}


def _english_cases(folder: Path) -> Iterator[Case]:
    return cases_in(open_data(folder, ENGLISH), load_english(folder), ("English",))


def _all_cases(folder: Path) -> Iterator[Case]:
    return cases_in(open_data(folder, ALL), load_english(folder), LANGUAGES)


def _of_turns(name: str, languages: tuple[str, ...], prefix: str = "") -> Mean:
    """The mean of three turns, which is ours; a turn is the official mean of four levels."""
    return Mean(
        name,
        tuple(
            Mean(
                f"{prefix}turn {turn}",
                tuple(
                    Leaf(f"{prefix}turn {turn} {level}", languages, f"turn {turn} {level}")
                    for level in LEVELS
                ),
            )
            for turn in TURNS
        ),
    )


_ABOUT = (
    "Dialogues of three turns; each turn is judged by all instructions so far, and the model's own"
    " replies are its history. A turn's number is the mean of four (prompt and instruction, strict"
    " and loose), as official; the mean of the three turns is ours."
)
SUITES = (
    Suite(
        name="multi_if",
        title="Multi-IF, English",
        about=_ABOUT,
        cases=_english_cases,
        play=play,
        gold=gold_dialogue,
        scores=(_of_turns("mean of the turns", ("English",)),),
        data=(ENGLISH, PUNKT),
        partial="the seven other languages",
    ),
    Suite(
        name="multi_if.all",
        title="Multi-IF",
        about=_ABOUT,
        cases=_all_cases,
        play=play,
        gold=gold_dialogue,
        scores=(
            _of_turns("mean of the turns", LANGUAGES),
            *(_of_turns(each, (each,), f"{each}, ") for each in LANGUAGES),
        ),
        data=(ALL, PUNKT),
    ),
)
