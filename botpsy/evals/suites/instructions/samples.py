"""A short text for each of IFBench's instructions that follows it."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping

from botpsy.evals.suites.instructions.shaping import CAPITALS, THIS_SENTENCE
from botpsy.evals.suites.instructions.wording import CONJUNCTIONS, NAMES, trigrams

_AFRICA = (
    "Algeria", "Angola", "Benin", "Botswana", "Burkina Faso", "Burundi", "Cameroon", "Cape Verde",
    "Central African Republic", "Chad", "Comoros", "Congo", "Democratic Republic of the Congo",
    "Djibouti", "Egypt", "Equatorial Guinea", "Eritrea", "Eswatini", "Ethiopia", "Gabon", "Gambia",
    "Ghana", "Guinea", "Guinea-Bissau", "Ivory Coast", "Kenya", "Lesotho", "Liberia", "Libya",
    "Madagascar", "Malawi", "Mali", "Mauritania", "Mauritius", "Morocco", "Mozambique", "Namibia",
    "Niger", "Nigeria", "Rwanda", "Sao Tome and Principe", "Senegal", "Seychelles", "Sierra Leone",
    "Somalia", "South Africa", "South Sudan", "Sudan", "Tanzania", "Togo", "Tunisia", "Uganda",
    "Zambia", "Zimbabwe",
)  # fmt: skip
_STORY = (
    "Ann bought cakes daily. Ben came. Cats danced. Dogs ate. Eve found gold. Fred grew happy."
    " Gus had it. Hal is jolly. Ian just knew. Jo kept low. Kim left. Lee met Ned. May nodded."
    " Nora ogled. Otto paid. Pam quit. Quinn rested. Roy sang. Sue talked. Tom urged. Una voted."
    " Vic won. Will yawned. Xena yelled. Yves zoned out. Zoe asked."
)


def _numbered(n: float) -> str:
    return " ".join(f"day{k}" for k in range(int(n)))


def _overlapping(reference_text: str, percentage: float) -> str:
    """The reference, and after it characters that it does not have."""
    known = len(trigrams(reference_text))
    others = round(known * (100 - percentage) / percentage)
    return reference_text + "".join(chr(0x4E00 + k) for k in range(others))


def _at(keyword: str, n: int, m: int) -> str:
    return "It is so. " * (n - 1) + " ".join(["It", *["is"] * (m - 2), keyword]) + " now."


def _questions() -> str:
    options = "\n".join(f"{each}) one" for each in "ABCDE")
    return "\n".join(f"Question {n}. Who{' else' * n}?\n{options}" for n in range(1, 5))


def _table(names: str, rows: int, first: str, between: str = ",") -> str:
    columns = names.split()
    others = [first, *["x"] * (len(columns) - 1)]
    return "\n".join([between.join(columns), *[between.join(others)] * rows])


_COLUMNS = ("StudentID", "Subject", "Grade", "Semester", "Score")


def _quoted_table() -> str:
    row = "\t".join(['"x"'] * 5)
    names = "\t".join(f'"{each}"' for each in _COLUMNS)
    return "\n".join([names, row, row, row])


SAMPLES: Mapping[str, Callable[..., str]] = {
    "count:word_count_range": lambda min_words, max_words: _numbered(min_words),
    "count:unique_word_count": lambda N: _numbered(N),  # noqa: N803, PLW0108 - the data's names
    "count:conjunctions": lambda small_n: " ".join(sorted(CONJUNCTIONS)),
    "count:person_names": lambda N: " ".join(NAMES),  # noqa: N803
    "count:numbers": lambda N: " ".join("1" * int(N)),  # noqa: N803
    "count:punctuation": lambda: "Well, yes; this: true?! Go! Why? So.",
    "count:pronouns": lambda N: "it " * int(N),  # noqa: N803
    "count:keywords_multiple": lambda **words: " ".join(
        f"{words[f'keyword{n}']} " * count for n, count in enumerate((1, 2, 3, 5, 7), 1)
    ),
    "count:words_japanese": lambda N: "これ " * int(N),  # noqa: N803
    "ratio:stop_words": lambda percentage: "Rain falls daily.",
    "ratio:sentence_type": lambda: "Rain falls. Snow melts. Why?",
    "ratio:sentence_balance": lambda: "Rain falls. Why? Look!",
    "ratio:overlap": _overlapping,
    "ratio:sentence_words": lambda: "Rain fell. Snow came. Hail hits?",
    "words:alphabet": lambda: "any big cat dares",
    "words:vowel": lambda: "a cat sat there",
    "words:consonants": lambda: "strong plants spring",
    "words:palindrome": lambda: "level civic radar refer rotor kayak madam solos tenet stats",
    "words:prime_lengths": lambda: "it is the sun",
    "words:start_verb": lambda: "Take the first step.",
    "words:repeats": lambda small_n: "Rain falls daily.",
    "words:odd_even_syllables": lambda: "big water cat paper",
    "words:last_first": lambda: "Rain is good. Good things grow.",
    "words:paragraph_last_first": lambda: "day by day",
    "words:no_consecutive": lambda: "rain falls daily",
    "words:keywords_specific_position": _at,
    "words:words_position": lambda keyword: f"so {keyword} or {keyword} then",
    "sentence:keyword": lambda word, N: "It is so. " * int(N - 1) + f"See {word}.",  # noqa: N803
    "sentence:increment": lambda small_n: f"Rain falls. It{' is' * int(small_n + 1)}.",
    "sentence:alliteration_increment": lambda: "Rain falls. Some snow.",
    "format:parentheses": lambda: "(one [two {three (four [five])}])",
    "format:quotes": lambda: '"one \'two "three" four\' five"',
    "format:options": lambda options: options.split("/")[0].split(" or ")[0].split(",")[0],
    "format:newline": lambda: "rain\nfalls",
    "format:emoji": lambda: "Rain falls 🌧.",
    "format:line_indent": lambda: "rain\n falls\n  daily",
    "format:quote_unquote": lambda: 'He said "rain" and looked up',
    "format:list": lambda sep: f"{sep} rain\n{sep} snow",
    "format:thesis": lambda: "<i>Rain is good.</i> It is water.",
    "format:sub-bullets": lambda: "* rain\n  - water",
    "format:no_bullets_bullets": lambda: "Rain falls. Snow melts.\n* rain\n* snow",
    "format:title_case": lambda: "Rain Falls Daily",
    "format:output_template": lambda: "My Answer: yes My Conclusion: so Future Outlook: good",
    "format:no_whitespace": lambda: "rain",
    "custom:multiples": lambda: "14, 21, 28, 35, 42, 49",
    "custom:mcq_count_length": _questions,
    "custom:reverse_newline": lambda: "\n".join(reversed(_AFRICA)),
    "custom:word_reverse": lambda: "symbol national the is eagle bald The",
    "custom:character_reverse": lambda: ".elgae dlab ehT",
    "custom:sentence_alphabet": lambda: _STORY,
    "custom:european_capitals_sort": lambda: ", ".join(CAPITALS),
    "custom:csv_city": lambda: _table("ID Country City Year Count", 7, "1"),
    "custom:csv_special_character": lambda: _table(
        "ProductID Category Brand Price Stock", 14, '"a&b"'
    ),
    "custom:csv_quotes": _quoted_table,
    "custom:date_format_list": lambda: "1796-04-12, 1805-12-02",
    "repeat:repeat_change": lambda prompt_to_repeat: " ".join(
        ["Now", *prompt_to_repeat.split()[1:]]
    ),
    "repeat:repeat_simple": lambda: THIS_SENTENCE,
    "repeat:repeat_span": lambda prompt_to_repeat, n_start, n_end: prompt_to_repeat[
        n_start : n_end + 1
    ],
}
"""Official name -> a text, given what is stated."""
assert len(_STORY.split(".")) == len(string.ascii_lowercase) + 1
