"""Multiple-choice questions of knowledge: families over tables of facts.

A family draws a question, the right option and wrong ones of the same kind. Wrong options are
other rows' values that do not answer the question, so exactly one option is right.
"""

from __future__ import annotations

import html.entities
import string
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from random import Random

from botpsy.data.tasks import facts_science as science
from botpsy.data.tasks import facts_world as world


@dataclass(frozen=True, slots=True)
class Question:
    """``wrong`` has at least two options, none of them right, no two alike; ``why`` is why the
    right one is right."""

    text: str
    right: str
    wrong: Sequence[str]
    why: str


Family = Callable[[Random], Question]
FAMILIES: dict[str, Family] = {}
"""By name, ``subject_what``."""


def family(function: Family) -> Family:
    """Register a family under its function's name."""
    FAMILIES[function.__name__] = function
    return function


def others(rng: Random, pool: Sequence[str], right: str, count: int = 5) -> list[str]:
    """Distinct members of a pool that are not the right one."""
    rest = [each for each in dict.fromkeys(pool) if each != right]
    return rng.sample(rest, min(count, len(rest)))


def near(rng: Random, pool: Sequence[str], at: int, reach: int = 8) -> list[str]:
    """Members of an ordered pool that stand near a place."""
    low, high = max(0, at - reach), min(len(pool), at + reach + 1)
    return others(rng, pool[low:high], pool[at])


def _both(
    name: str,
    table: Sequence[Sequence[str]],
    forward: Sequence[str],
    backward: Sequence[str],
    fact: str,
    *,
    column: int = 1,
) -> None:
    """Two families over a table: from the first column to another, and back.

    Templates have ``{0}`` and ``{1}``. Rows that share the other column's value never meet.
    """

    def to(rng: Random) -> Question:
        row = rng.choice(table)
        wrong = others(rng, [each[column] for each in table], row[column])
        text = rng.choice(forward).format(row[0])
        return Question(text, row[column], wrong, fact.format(row[0], row[column]))

    def back(rng: Random) -> Question:
        row = rng.choice(table)
        pool = [each[0] for each in table if each[column] != row[column]]
        text = rng.choice(backward).format(row[column])
        return Question(text, row[0], others(rng, pool, row[0]), fact.format(row[0], row[column]))

    FAMILIES[f"{name}_to"] = to
    FAMILIES[f"{name}_back"] = back


_both(
    "geography_capital",
    [row[:2] for row in world.COUNTRIES],
    ("What is the capital of {0}?", "Which city is the capital of {0}?", "{0}: capital city?"),
    ("{0} is the capital of which country?", "Of which country is {0} the capital?"),
    "The capital of {0} is {1}.",
)
_both(
    "geography_state",
    world.STATES,
    ("What is the capital of the US state of {0}?", "US state of {0}: capital?"),
    ("{0} is the capital of which US state?", "Of which US state is {0} the capital?"),
    "The capital of {0} is {1}.",
)
_both(
    "geography_currency",
    world.COUNTRIES,
    (
        "Which ISO 4217 code belongs to the currency of {0}?",
        "In {0} people pay in a currency whose ISO code is …",
    ),
    (
        "In which of these countries is the currency with the code {0} legal tender?",
        "Which country's official currency has the code {0}?",
    ),
    "The currency of {0} has the code {1}.",
    column=2,
)
_both(
    "geography_continent",
    world.COUNTRIES,
    ("On which continent is {0}?", "{0} lies in which part of the world?"),
    ("Which of these countries is in {0}?", "Which country belongs to {0}?"),
    "{0} is in {1}.",
    column=3,
)
_both(
    "chemistry_symbol",
    [(name, symbol) for symbol, name in science.ELEMENTS],
    ("What is the chemical symbol of {0}?", "Which symbol stands for the element {0}?"),
    ("Which element has the symbol {0}?", "{0} is the chemical symbol of …"),
    "The symbol of {0} is {1}.",
)
_both(
    "chemistry_formula",
    science.COMPOUNDS,
    ("What is the molecular formula of {0}?", "Which formula describes {0}?"),
    ("Which compound has the formula {0}?", "{0} is the formula of …"),
    "The formula of {0} is {1}.",
)
_both(
    "biology_amino",
    science.AMINO_ACIDS,
    ("What is the three-letter code of {0}?", "How is the amino acid {0} abbreviated?"),
    ("Which amino acid is abbreviated {0}?", "{0} stands for which amino acid?"),
    "{0} is written {1}.",
)
_both(
    "biology_amino_letter",
    science.AMINO_ACIDS,
    ("Which single letter stands for {0} in a protein sequence?",),
    ("In a protein sequence, which amino acid does the letter {0} stand for?",),
    "The letter of {0} is {1}.",
    column=2,
)
_both(
    "biology_organ",
    science.ORGANS,
    ("Which part of the human body {0}?", "What {0} in people?"),
    ("What does the {0} do?", "What is a main task of the {0}?"),
    "What {0} is the {1}.",
)
_both(
    "biology_cell",
    science.CELL_PARTS,
    ("Which part of a cell {0}?", "In a eukaryotic cell, what {0}?"),
    ("What does the {0} do in a cell?", "What is the work of the {0} in a cell?"),
    "What {0} is the {1}.",
)
_both(
    "physics_unit",
    science.UNITS,
    ("What is the SI unit of {0}?", "In which SI unit is {0} measured?"),
    ("Which quantity is measured in units named {0}?", "The {0} is the SI unit of …"),
    "The SI unit of {0} is the {1}.",
)
_both(
    "physics_unit_symbol",
    [(unit, symbol) for _, unit, symbol in science.UNITS],
    ("What is the symbol of the unit {0}?", "How is the unit {0} abbreviated?"),
    ("Which unit has the symbol {0}?", "{0} is the symbol of which unit?"),
    "The symbol of the {0} is {1}.",
)
_both(
    "physics_constant",
    science.CONSTANTS,
    ("Which value is closest to the {0}?", "About how large is the {0}?"),
    ("Which constant has about the value {0}?", "{0} is about the value of the …"),
    "The {0} is about {1}.",
)
_both(
    "computing_port",
    world.PORTS,
    ("Which port does {0} use by default?", "What is the default port of {0}?"),
    ("Which protocol or server uses port {0} by default?", "Port {0} is the default of …"),
    "{0} uses port {1}.",
)
_both(
    "computing_module",
    [(name, module) for module, name in world.STDLIB],
    (
        "Which module of Python's standard library defines {0}?",
        "From which standard module of Python do you import {0}?",
    ),
    ("Which of these is defined in Python's module {0}?", "Python's {0} module gives you …"),
    "{0} is defined in {1}.",
)
_both(
    "computing_status",
    [(HTTPStatus(code).phrase, str(code)) for code in world.STATUSES],
    ('Which HTTP status code means "{0}"?', "{0}: which HTTP status code is it?"),
    ("What does the HTTP status code {0} say?", "A server answers {0}. What does that mean?"),
    "{0} is status {1}.",
)
_both(
    "codes_nato",
    [(letter, word) for letter, word in zip(string.ascii_uppercase, world.NATO, strict=True)],
    ("Which word spells the letter {0} in the NATO alphabet?",),
    ("Which letter is spelled {0} in the NATO alphabet?",),
    "{0} is spelled {1}.",
)
_both(
    "codes_morse",
    [(letter, code) for letter, code in zip(string.ascii_uppercase, world.MORSE, strict=True)],
    ("How is the letter {0} sent in Morse code?", "Morse code for {0}?"),
    ("Which letter is {0} in Morse code?", "{0} in Morse code stands for …"),
    "{0} is sent as {1}.",
)
_both(
    "codes_greek",
    [
        (name, unicodedata.lookup(f"GREEK SMALL LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"))
        for name in world.GREEK
    ],
    ("Which of these is the Greek letter {0}?", "How is the small letter {0} written?"),
    ("What is the Greek letter {0} called?", "The name of the letter {0} is …"),
    "The letter {0} is {1}.",
)


def _ordered(name: str, things: Sequence[str], later: Sequence[str], fact: str) -> None:
    """A family over a fixed order: what comes right after, and what is first of some."""

    def after(rng: Random) -> Question:
        at = rng.randrange(len(things) - 1)
        pool = [each for each in things if each != things[at]]
        text = rng.choice(later).format(things[at])
        return Question(
            text,
            things[at + 1],
            others(rng, pool, things[at + 1]),
            fact.format(things[at], things[at + 1]),
        )

    FAMILIES[name] = after


_ordered(
    "astronomy_planets",
    science.PLANETS,
    (
        "Which planet is the next one out from {0}, counted from the Sun?",
        "Going away from the Sun, which planet follows {0}?",
    ),
    "Going out from the Sun, {0} is followed by {1}.",
)
_ordered(
    "geology_hardness",
    science.MOHS,
    (
        "On the Mohs scale, which mineral is one step harder than {0}?",
        "Which mineral comes right above {0} in Mohs hardness?",
    ),
    "On the Mohs scale {1} comes right after {0}.",
)
_ordered(
    "geology_periods",
    science.PERIODS,
    ("Which geological period followed the {0}?", "What came right after the {0} period?"),
    "The {0} was followed by the {1}.",
)
_ordered(
    "biology_ranks",
    science.RANKS,
    (
        "In biological classification, which main rank is right below {0}?",
        "Going from the general to the particular, which main rank follows {0}?",
    ),
    "Right below {0} is {1}.",
)
_ordered(
    "physics_spectrum",
    science.SPECTRUM,
    (
        "Which part of the electromagnetic spectrum has the next shorter waves after {0}?",
        "Going to higher frequency, what follows {0} in the electromagnetic spectrum?",
    ),
    "With shorter waves, {0} are followed by {1}.",
)


@family
def chemistry_number(rng: Random) -> Question:
    at = rng.randrange(len(science.ELEMENTS))
    names = [name for _, name in science.ELEMENTS]
    why = f"Element {at + 1} is {names[at]}."
    if rng.random() < 0.5:
        text = rng.choice(
            ("Which element has the atomic number {0}?", "Which element has {0} protons?")
        )
        return Question(text.format(at + 1), names[at], near(rng, names, at), why)
    numbers = [str(n + 1) for n in range(len(names))]
    text = rng.choice(
        ("What is the atomic number of {0}?", "How many protons does an atom of {0} have?")
    )
    return Question(text.format(names[at]), numbers[at], near(rng, numbers, at, 4), why)


@family
def chemistry_period(rng: Random) -> Question:
    at = rng.randrange(86)
    name = science.ELEMENTS[at][1]
    period = 1 + sum(at + 1 > noble for noble in science.NOBLE)
    wrong = others(rng, [str(n) for n in range(1, 8)], str(period))
    why = f"{name.capitalize()} is element {at + 1}, in period {period}."
    return Question(f"In which period of the periodic table is {name}?", str(period), wrong, why)


@family
def chemistry_group(rng: Random) -> Question:
    groups = list(science.GROUPS)
    right = rng.choice(groups)
    name = rng.choice(science.GROUPS[right].split())
    why = f"{name.capitalize()} is one of the {right}."
    if rng.random() < 0.5:
        text = f"To which family of elements does {name} belong?"
        return Question(text, right, others(rng, groups, right), why)
    pool = [each for group in groups if group != right for each in science.GROUPS[group].split()]
    return Question(f"Which of these is one of the {right}?", name, others(rng, pool, name), why)


@family
def biology_codon(rng: Random) -> Question:
    at = rng.randrange(64)
    codon = "UCAG"[at // 16] + "UCAG"[at // 4 % 4] + "UCAG"[at % 4]
    names = {letter: name for name, _, letter in science.AMINO_ACIDS} | {"*": "stop"}
    right = names[science.CODONS[at]]
    text = rng.choice(
        (
            "In the standard genetic code, what does the mRNA codon {0} stand for?",
            "A ribosome reads the codon {0}. What does it mean in the standard code?",
        )
    )
    wrong = others(rng, list(names.values()), right)
    return Question(text.format(codon), right, wrong, f"{codon} stands for {right}.")


@family
def physics_prefix(rng: Random) -> Question:
    name, symbol, power = rng.choice(science.PREFIXES)
    powers = [f"10^{each}" for _, _, each in science.PREFIXES]
    names = [each for each, _, _ in science.PREFIXES]
    why = f"{name} ({symbol}) means 10^{power}."
    if rng.random() < 0.5:
        text = rng.choice(
            ("What factor does the SI prefix {0} mean?", "By what does {0}- multiply?")
        )
        wrong = others(rng, powers, f"10^{power}")
        return Question(text.format(name), f"10^{power}", wrong, why)
    text = rng.choice(("Which SI prefix means 10^{0}?", "What is the SI prefix for 10^{0}?"))
    return Question(text.format(power), name, others(rng, names, name), why)


@family
def computing_complexity(rng: Random) -> Question:
    what, right = rng.choice(world.COMPLEXITY)
    wrong = others(rng, [each for _, each in world.COMPLEXITY], right)
    return Question(f"What is the time complexity of {what}?", right, wrong, f"It is {right}.")


@family
def computing_character(rng: Random) -> Question:
    characters = [chr(code) for code in (*range(0x21, 0x30), *range(0xA1, 0xAC), 0x40, 0x5E, 0x7E)]
    character = rng.choice(characters)
    name = unicodedata.name(character).lower()
    pool = [unicodedata.name(each).lower() for each in characters]
    text = rng.choice(
        ("What is the Unicode name of the character {0} ?", "Unicode calls the character {0} …")
    )
    return Question(
        text.format(character), name, others(rng, pool, name), f"{character} is {name}."
    )


@family
def computing_entity(rng: Random) -> Question:
    names = science.words(
        "amp lt gt quot copy euro pound yen deg plusmn times divide frac12 micro para sect reg cent"
    )
    pool = [chr(html.entities.name2codepoint[name]) for name in names]
    at = rng.randrange(len(names))
    text = f"Which character does the HTML entity &{names[at]}; show?"
    return Question(text, pool[at], others(rng, pool, pool[at]), f"&{names[at]}; shows {pool[at]}.")


@family
def computing_code_point(rng: Random) -> Question:
    character = rng.choice(string.ascii_letters + string.digits)
    code = ord(character)
    wrong = [str(code + step) for step in rng.sample((-32, -2, -1, 1, 2, 10, 32), 5)]
    text = rng.choice(
        ("What is the ASCII code of {0!r}?", "Which number does Python's ord({0!r}) give?")
    )
    return Question(text.format(character), str(code), wrong, f"{character} has the code {code}.")
